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

/* Prints what there is to say; the exit status.  A schedule that breaks its promise is what
 * was asked about: CLI_NOT_MET. */
int cli_schedule_check_run(const cli_schedule_check *c);

/* Is the file a schedule?  False also if it cannot be read, and for standard input, of which
 * nothing can be given back. */
bool cli_schedule_check_is_one(const char *path);

/* Is the input taken for a triangular matrix? */
bool cli_schedule_check_triangle(const cli_input *input);

/* A row of a triangular matrix takes a multiply-add for each of its non-zeros: *g, a DAG
 * without weights of vertices, is exchanged for one with these.  *weighed: it was. */
cleave_status cli_schedule_check_weigh(cleave_graph **g, bool *weighed, cleave_error *err);

#endif
