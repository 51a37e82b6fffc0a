/* SPDX-License-Identifier: Apache-2.0 */
/* cli/quality.h - the metrics of a mapping, as every verb that makes or judges one prints
 * them. */
#ifndef CLI_QUALITY_H
#define CLI_QUALITY_H

#include "cli/report.h"

/* "GRAPH: PARTITION", then a row per metric of undirected graphs and DAGs alike.  bound: what
 * `balanced` refers to. */
void cli_quality_rows(const char *graph, const char *partition, const cleave_graph *g,
                      const cleave_metrics *m, const char *bound);

/* The rows of a DAG; none for an undirected graph.  cycle: of the quotient, when it has one.
 * opt: the costs of the critical path. */
void cli_quality_directions(const cleave_metrics *m, const int64_t *cycle, int32_t length,
                            const cleave_evaluate_options *opt);

/* The members file, partition, kind, vertices, edges, and those of the metrics. */
void cli_quality_json(cli_json *json, const char *graph, const char *partition,
                      const cleave_graph *g, const cleave_metrics *m);

#endif
