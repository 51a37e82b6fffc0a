/* SPDX-License-Identifier: Apache-2.0 */
/* The old machine, the migration cost, and the migration. */
#include "cli/remapping.h"

#include <inttypes.h>
#include <string.h>

#include "cli/graph_io.h"

int cli_remapping_check(const char *verb, cli_remapping *r)
{
    cleave_error err = {0};
    if (!r->from_text)
        return CLI_GO_ON;
    cleave_status status = cleave_target_parse(&r->from, r->from_text, &err);
    if (status == CLEAVE_EINVAL)
        return cli_usage_error(verb, "--from: %s", err.message);
    return status == CLEAVE_OK ? CLI_GO_ON : cli_fail(status, &err);
}

int cli_remapping_from_input(const cli_remapping *r)
{
    return r && r->order_file && strcmp(r->order_file, "-") == 0;
}

cleave_status cli_remapping_read(cli_remapping *r, const cleave_graph *g, bool trust,
                                 cleave_error *err)
{
    if (!r->order_file)
        return CLEAVE_OK;
    cleave_status status =
        cleave_order_open(&r->order, r->order_file, trust ? CLEAVE_TRUST : 0, err);
    return status == CLEAVE_OK ? cli_order_fit(r->order, r->order_file, g, false, err)
                               : status;
}

cleave_remap_options cli_remapping_options(cli_remapping *r, const cleave_options *opt)
{
    cleave_remap_options how;
    cleave_remap_options_init(&how, sizeof how);
    cleave_remap_report_init(&r->report, sizeof r->report);
    how.migration_price = r->price;
    how.strategy = r->strategy;
    how.from = r->from;
    how.order = r->order;
    how.options = opt;
    how.report = &r->report;
    return how;
}

void cli_remapping_rows(const cli_remapping *r)
{
    cli_row("cut before", "%" PRId64, r->report.cut_before);
    cli_row("migration", "%" PRId64 " (at least %" PRId64 "), price %g, %s",
            r->report.migration, r->report.migration_bound, r->price, r->report.strategy);
}

void cli_remapping_json(cli_json *json, const cli_remapping *r)
{
    cli_json_int(json, "cut_before", r->report.cut_before);
    cli_json_int(json, "migration", r->report.migration);
    cli_json_int(json, "migration_bound", r->report.migration_bound);
    cli_json_real(json, "migration_price", r->price);
    cli_json_text(json, "strategy", r->report.strategy);
}

void cli_remapping_free(cli_remapping *r)
{
    if (!r)
        return;
    cleave_target_free(r->from);
    cleave_order_free(r->order);
}
