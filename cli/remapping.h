/* SPDX-License-Identifier: Apache-2.0 */
/* cli/remapping.h - the options and results of `cleave remap` beyond those of `cleave map`. */
#ifndef CLI_REMAPPING_H
#define CLI_REMAPPING_H

#include "cli/demands.h"
#include "cli/report.h"

typedef struct cli_remapping {
    const char *from_text, *order_file, *strategy; /* NULL: not given */
    double price;
    cleave_target *from;
    cleave_order *order;
    cleave_remap_report report;
} cli_remapping;

/* Creates the old target: CLI_GO_ON, or prints an error. */
int cli_remapping_check(const char *verb, cli_remapping *r);
/* The number of its files that are standard input; NULL is allowed. */
int cli_remapping_from_input(const cli_remapping *r);
cleave_status cli_remapping_read(cli_remapping *r, const cleave_graph *g, bool trust,
                                 cleave_error *err);
/* The old mapping is demands->from; opt and its report as for cleave_map. */
cleave_status cli_remapping_run(cleave_mapping **out, cli_remapping *r, const cleave_graph *g,
                                const cli_demands *demands, const cleave_options *opt,
                                cleave_error *err);
void cli_remapping_rows(const cli_remapping *r);
void cli_remapping_json(cli_json *json, const cli_remapping *r);
void cli_remapping_free(cli_remapping *r); /* NULL is allowed */

#endif
