/* SPDX-License-Identifier: Apache-2.0 */
/* cli/target_rows.h - the metrics of a mapping on its target, as rows and as members of a JSON
 * object. */
#ifndef CLI_TARGET_ROWS_H
#define CLI_TARGET_ROWS_H

#include "cli/report.h"

/* Do distances between PEs differ?  NULL: no. */
bool cli_target_has_distances(const cleave_target *t);

/* The speeds of its PEs, to be freed; NULL: they are equal, or t is NULL. */
double *cli_target_shares(const cleave_target *t);

void cli_target_rows(const cleave_target *t, const cleave_target_metrics *m);
/* The members target, cost, cost_identity, average_dilation, max_link_load,
 * average_link_load, max_pe_traffic, and for a hierarchy cost_level_1, ... and
 * cost_identity_level_1, ...; unknown values are null. */
void cli_target_json(cli_json *json, const char *target, const cleave_target_metrics *m);

#endif
