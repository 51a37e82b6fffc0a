/* SPDX-License-Identifier: Apache-2.0 */
/* cli/view_more.h - pictures of `cleave view` other than graphs: schedules, remappings and
 * machines. */
#ifndef CLI_VIEW_MORE_H
#define CLI_VIEW_MORE_H

#include "cli/graph_io.h"
#include "cli/schedule_rows.h"

typedef struct cli_view_more {
    const char *schedule, *costs_file, *before; /* as given, or NULL */
    cleave_schedule *s;
    cli_schedule_facts facts; /* of the schedule */
    bool row_weights;
    bool machine; /* draw the target, not the graph */
    cleave_mapping *old;
} cli_view_more;

void cli_view_more_init(cli_view_more *x);
void cli_view_more_free(cli_view_more *x);

/* Is one of them requested? */
bool cli_view_more_asked(const cli_view_more *x);
/* Checks for contradictory options: CLI_GO_ON, or the exit status. */
int cli_view_more_check(const cli_view_more *x, const char *parts, const char *order);
/* Reads the files; *g may be replaced by a graph with weights.  CLEAVE_EPARSE: a schedule does
 * not fit the graph. */
cleave_status cli_view_more_read(cli_view_more *x, cleave_graph **g, const cli_input *input,
                                 int32_t k, cleave_error *err);
/* Draws the picture; m: the present mapping. */
cleave_status cli_view_more_draw(const cli_view_more *x, const char *output,
                                 const cleave_graph *g, const cleave_mapping *m,
                                 const cleave_view_options *opt, cleave_error *err);
/* Members of the report, and its line. */
void cli_view_more_json(const cli_view_more *x, cli_json *json, const char *path,
                        const cleave_graph *g, const cleave_mapping *m);
void cli_view_more_text(const cli_view_more *x, const char *path, const char *output,
                        const cleave_graph *g, const cleave_mapping *m);

#endif
