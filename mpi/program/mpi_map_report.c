/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/program/mpi_map_report.c - the reports of `cleave partition`, `map` and `remap`, with
 * the number of ranks. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/target_rows.h"
#include "mpi/program/mpi_map_command.h"

static cli_bound bound_of(const map_command *p)
{
    return (cli_bound){.imbalance = p->opt.imbalance,
                       .given = p->demands.max != NULL,
                       .one_to_one = p->opt.one_to_one};
}

void map_command_print_text(const map_command *p)
{
    const cli_demands *d = &p->demands;
    const cli_bound bound = bound_of(p);
    cli_quality_rows(p->graph, p->outputs.mapping, rank_graph_size(p->g), &p->metrics, &bound);
    cli_quality_directions(&p->metrics, NULL, 0, &p->costs);
    if (map_command_shows_target(p))
        cli_target_rows(d->target, &p->on_target);
    if (p->remapping)
        cli_remapping_rows(p->remapping);
    cli_method_row(&p->method, p->effort, p->opt.seed, rank_graph_share(p->g).ncon > 1);
    cli_row("ranks", "%d, the busiest sent %.1f MB", ranks_count(),
            1e-6 * (double)p->bytes_sent);
    cli_row("seconds", "%.3f on %" PRId32 " %s per rank%s; reading %.3f, writing %.3f",
            p->report.seconds, p->report.threads,
            cli_plural(p->report.threads, "thread", "threads"),
            p->report.timed_out ? ", ended by the time limit" : "", p->seconds_read,
            p->seconds_write);
}

void map_command_print_json(const map_command *p)
{
    cli_json json;
    cli_json_begin(&json);
    bool pure = cli_method_is_pure(&p->method);
    const cli_bound bound = bound_of(p);
    cli_quality_json(&json, p->graph, p->outputs.mapping, rank_graph_size(p->g), &p->metrics,
                     &bound);
    cli_json_null(&json, "cycle");
    if (map_command_shows_target(p))
        cli_target_json(&json, p->demands.target_text, &p->on_target);
    if (p->remapping)
        cli_remapping_json(&json, p->remapping);
    cli_json_text(&json, "method", cli_method_name(&p->method));
    cli_json_text(&json, "params", p->opt.params);
    cli_json_text(&json, "objective", p->objective);
    cli_json_text(&json, "effort", pure ? NULL : p->effort);
    cli_json_unsigned(&json, "seed", p->opt.seed);
    cli_json_int(&json, "ranks", ranks_count());
    cli_json_int(&json, "threads", p->report.threads);
    cli_json_int(&json, "bytes_sent", p->bytes_sent);
    cli_json_real(&json, "seconds", p->report.seconds);
    cli_json_real(&json, "seconds_read", p->seconds_read);
    cli_json_real(&json, "seconds_write", p->seconds_write);
    cli_json_end(&json);
}
