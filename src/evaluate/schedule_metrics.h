/* SPDX-License-Identifier: Apache-2.0 */
/* evaluate/schedule_metrics.h - validity and metrics of a schedule.  Everything is recomputed
 * from the graph of the rows; the graph of the tasks, where rows are split, is not used.
 * Scratch comes from ws and is released. */
#ifndef CLV_EVALUATE_SCHEDULE_METRICS_H
#define CLV_EVALUATE_SCHEDULE_METRICS_H

#include "graph/schedule.h"

/* schedule_check.c: CLEAVE_EINVAL: the message names the violation. O(nvtx + narc). */
cleave_status clv_evaluate_schedule_check(const clv_schedule *s, const clv_graph *g,
                                          clv_ws *ws, cleave_error *err);

/* schedule_metrics.c; s has passed the check, costs are in range, m zeroed.
 * O(nvtx + narc + layers * threads). */
cleave_status clv_evaluate_schedule_metrics(cleave_schedule_metrics *m, const clv_graph *g,
                                            const clv_schedule *s,
                                            const cleave_schedule_costs *costs, clv_ws *ws,
                                            cleave_error *err);
/* Both, with a workspace of its own. */
cleave_status clv_evaluate_schedule(cleave_schedule_metrics *m, const clv_graph *g,
                                    const clv_schedule *s, const cleave_schedule_costs *costs,
                                    cleave_error *err);
/* The weight of each block: work has layers * threads places. */
cleave_status clv_evaluate_schedule_work(const clv_graph *g, const clv_schedule *s, clv_ws *ws,
                                         int64_t *work, cleave_error *err);
/* The arcs into each block from other threads: reads has as many places. */
cleave_status clv_evaluate_schedule_reads(const clv_graph *g, const clv_schedule *s,
                                          clv_ws *ws, int64_t *reads, cleave_error *err);

#endif
