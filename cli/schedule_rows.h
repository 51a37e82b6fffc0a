/* SPDX-License-Identifier: Apache-2.0 */
/* cli/schedule_rows.h - the report of a schedule. */
#ifndef CLI_SCHEDULE_ROWS_H
#define CLI_SCHEDULE_ROWS_H

#include "cli/report.h"

typedef struct cli_schedule_facts {
    cleave_schedule_metrics metrics;
    cleave_schedule_costs costs;
    int64_t *work;                 /* by layer and thread */
    int64_t least_work, most_work; /* of a thread over all layers, idle threads included */
    double reduction;              /* share of the levels' barriers that layers save */
    double balance;                /* work per thread and layer: mean / largest, weighted */
} cli_schedule_facts;

/* A schedule and where it comes from. */
typedef struct cli_schedule_report {
    const char *graph, *schedule; /* paths */
    const cleave_graph *g;
    const cleave_schedule *s;
    const char *params; /* of the method; NULL: none */
    bool row_weights;   /* weights are the non-zeros of rows */
    bool table;         /* also the work of each thread in each layer */
} cli_schedule_report;

/* costs is set by the caller; work is to be freed. */
cleave_status cli_schedule_measure(cli_schedule_facts *f, const cleave_graph *g,
                                   const cleave_schedule *s, cleave_error *err);
/* All rows but those about time. */
void cli_schedule_rows(const cli_schedule_facts *f, const cli_schedule_report *r);
/* The members up to the method's parameters, and those about the schedule itself. */
void cli_schedule_json_head(cli_json *json, const cli_schedule_report *r);
void cli_schedule_json(cli_json *json, const cli_schedule_facts *f,
                       const cli_schedule_report *r);

#endif
