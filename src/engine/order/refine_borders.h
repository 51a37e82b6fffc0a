/* SPDX-License-Identifier: Apache-2.0 */
/* engine/order/refine_borders.h - a mapping from the intervals of an order, with refined
 * boundaries. */
#ifndef CLV_ENGINE_ORDER_REFINE_BORDERS_H
#define CLV_ENGINE_ORDER_REFINE_BORDERS_H

#include "engine/pipeline.h"
#include "graph/order.h"

/* As clv_pipeline_map; o is an order of the graph of the request. */
cleave_status clv_refine_borders(clv_map_job *job, const clv_order *o, int32_t *part,
                                 cleave_error *err);

#endif
