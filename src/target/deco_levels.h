/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLV_TARGET_DECO_LEVELS_H
#define CLV_TARGET_DECO_LEVELS_H
#include "graph/graph.h"
#include "target/target.h"
cleave_status clv_deco_levels_make(clv_target **out, const clv_graph *g, clv_ws *ws,
                                   cleave_error *err);
#endif
