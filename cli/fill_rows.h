/* SPDX-License-Identifier: Apache-2.0 */
/* cli/fill_rows.h - metrics of an elimination order. */
#ifndef CLI_FILL_ROWS_H
#define CLI_FILL_ROWS_H

#include "cli/report.h"

void cli_elimination_rows(const cleave_graph *g, const cleave_order_metrics *metrics);
void cli_elimination_json(cli_json *json, const cleave_order_metrics *metrics);

/* cleave evaluate GRAPH --order FILE: reads the files and prints the report. */
int cli_elimination_evaluate(const cleave_graph *g, const char *graph, const char *order,
                             bool trust, bool json);

#endif
