/* SPDX-License-Identifier: Apache-2.0 */
/* evaluate/mapping_metrics.h - the metrics of a mapping together, in the public structs.
 *
 * The mapping is one of g, options are in range, the struct is initialised (all 0 but size).
 * Scratch comes from ws and is released on success. */
#ifndef CLV_EVALUATE_MAPPING_METRICS_H
#define CLV_EVALUATE_MAPPING_METRICS_H

#include "graph/graph.h"
#include "graph/mapping.h"
#include "target/target.h"

/* As cleave_evaluate. */
cleave_status clv_evaluate_mapping(cleave_metrics *out, const clv_graph *g,
                                   const clv_mapping *m, const cleave_evaluate_options *opt,
                                   clv_ws *ws, cleave_error *err);
/* By part; each may be NULL. */
typedef struct clv_part_metrics {
    int64_t *weight, *volume;
    int32_t *pieces;
} clv_part_metrics;
/* As cleave_evaluate_parts. */
cleave_status clv_evaluate_parts(const clv_part_metrics *out, const clv_graph *g,
                                 const clv_mapping *m, clv_ws *ws, cleave_error *err);
/* As cleave_evaluate_cycle, of a DAG. */
cleave_status clv_evaluate_cycle(const clv_graph *g, const clv_mapping *m, int32_t *cycle,
                                 int32_t *length, clv_ws *ws, cleave_error *err);
/* As cleave_evaluate_target: m has at most as many parts as t has PEs
 * (evaluate/target_metrics.c). */
cleave_status clv_evaluate_on_target(cleave_target_metrics *out, const clv_graph *g,
                                     const clv_mapping *m, const clv_target *t, clv_ws *ws,
                                     cleave_error *err);

#endif
