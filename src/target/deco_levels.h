/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CLV_TARGET_DECO_LEVELS_H
#define CLV_TARGET_DECO_LEVELS_H
#include "graph/graph.h"
#include "target/target.h"
cleave_status clv_deco_levels_open(clv_target **out, clv_graph *g, cleave_error *err);
void clv_deco_levels_finish(clv_target *t);
#endif
