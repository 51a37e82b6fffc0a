/* SPDX-License-Identifier: Apache-2.0 */
/* cli/quality.h - the metrics of a mapping, as every verb that computes or evaluates one
 * prints them. */
#ifndef CLI_QUALITY_H
#define CLI_QUALITY_H

#include "cli/report.h"

/* The summary of a graph. */
typedef struct cli_size {
    cleave_kind kind;
    int64_t vertices, edges;
} cli_size;
cli_size cli_size_of(const cleave_graph *g);

/* What `balanced` refers to. */
typedef struct cli_bound {
    double imbalance;
    bool given;      /* bounds of parts instead */
    bool one_to_one; /* at most one vertex per PE, of any weight */
} cli_bound;

/* "GRAPH: PARTITION", then a row per metric of undirected graphs and DAGs alike. */
void cli_quality_rows(const char *graph, const char *partition, cli_size size,
                      const cleave_metrics *m, const cli_bound *bound);
/* The row "balanced"; with the reason when the imbalance is above the bound. */
void cli_balanced_row(bool balanced, double imbalance, const cli_bound *bound);
/* The members balanced and balance_note. */
void cli_balanced_json(cli_json *json, bool balanced, double imbalance,
                       const cli_bound *bound);

/* The row "graph" alone: kind, vertices and edges; and those members. */
void cli_size_row(cli_size size);
void cli_json_size(cli_json *json, cli_size size);

/* The rows of a DAG; none for an undirected graph.  cycle: of the quotient, when it has one.
 * opt: the costs of the critical path. */
void cli_quality_directions(const cleave_metrics *m, const int64_t *cycle, int32_t length,
                            const cleave_evaluate_options *opt);

/* The members file, partition, kind, vertices, edges, and those of the metrics. */
void cli_quality_json(cli_json *json, const char *graph, const char *partition, cli_size size,
                      const cleave_metrics *m, const cli_bound *bound);

/* The result of a search. */
typedef struct cli_verdict {
    cleave_status status; /* OK, EBALANCE or ECANCEL */
    const cleave_error *error;
    const cleave_metrics *metrics;
    int64_t vertices;
    bool onto_machine; /* PEs and mappings, not parts and partitions */
    const char *output;
} cli_verdict;
/* Prints the constraints that do not hold and other notes; returns the exit status. */
int cli_quality_missing(const cli_verdict *verdict);

#endif
