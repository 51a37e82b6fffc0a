/* SPDX-License-Identifier: Apache-2.0 */
/* cli/schedule_evaluation.h - evaluates an existing schedule: cleave schedule --check and
 * cleave evaluate. */
#ifndef CLI_SCHEDULE_EVALUATION_H
#define CLI_SCHEDULE_EVALUATION_H

#include "cli/graph_io.h"

typedef struct cli_schedule_check {
    const char *graph, *schedule; /* paths; one may be "-" */
    const cli_input *input;
    const char *costs_file; /* NULL: the default */
    bool json, table;
} cli_schedule_check;

/* Prints the report and returns the exit status; CLI_NOT_MET: the schedule is not valid for
 * the graph. */
int cli_schedule_check_run(const cli_schedule_check *c);

/* Is the file a schedule?  False also if it cannot be read, and for standard input, which can
 * be read only once. */
bool cli_schedule_check_is_one(const char *path);

/* Is the input read as a triangular matrix? */
bool cli_schedule_check_triangle(const cli_input *input);

/* The work of a row of a triangular matrix is one multiply-add per non-zero: replaces *g, if
 * it has no vertex weights, by a DAG with these weights.  *weighed: it was replaced. */
cleave_status cli_schedule_check_weigh(cleave_graph **g, bool *weighed, cleave_error *err);

#endif
