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

/* Their rows in a table of options. */
#define CLI_REMAPPING_OPTIONS(demands, remapping)                                             \
    {CLI_STRING, 't', "target", "TARGET", "the current machine", &(demands)->target_text, 0}, \
        {CLI_STRING,                                                                          \
         0,                                                                                   \
         "from",                                                                              \
         "OLDTARGET",                                                                         \
         "the machine of OLD (default: numbered PEs)",                                        \
         &(remapping)->from_text,                                                             \
         0},                                                                                  \
        {CLI_REAL,                                                                            \
         0,                                                                                   \
         "migration-price",                                                                   \
         "X",                                                                                 \
         "cost of one unit of migration, in units of cut (default 1)",                        \
         &(remapping)->price,                                                                 \
         0},                                                                                  \
    {                                                                                         \
        CLI_CHOICE, 0, "strategy", "auto|interval|diffuse|scratch",                           \
            "initial mapping (default auto: try all)", &(remapping)->strategy, 0              \
    }

/* Creates the old target: CLI_GO_ON, or prints an error. */
int cli_remapping_check(const char *verb, cli_remapping *r);
/* The number of its files that are standard input; NULL is allowed. */
int cli_remapping_from_input(const cli_remapping *r);
cleave_status cli_remapping_read(cli_remapping *r, const cleave_graph *g, bool trust,
                                 cleave_error *err);
/* The options of the library, which fills the report. */
cleave_remap_options cli_remapping_options(cli_remapping *r, const cleave_options *opt);
void cli_remapping_rows(const cli_remapping *r);
void cli_remapping_json(cli_json *json, const cli_remapping *r);
void cli_remapping_free(cli_remapping *r); /* NULL is allowed */

#endif
