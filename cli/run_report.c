/* SPDX-License-Identifier: Apache-2.0 */
/* The report of a solve: a row for each method, or one JSON object. */
#include "cli/run_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/graph_io.h"
#include "cli/report.h"
#include "cli/run_common.h"

/* Bytes per second; -1: several right-hand sides share what is read. */
static double bytes_rate(const cli_solving *p, const cli_way *way)
{
    return p->sides.columns > 1 ? -1 : cli_rate((double)way->info.bytes, way->seconds);
}

static void print_way(const cli_solving *p, const cli_way *way)
{
    const cli_way *serial = &p->way[0];
    char label[64], bytes[16] = "-", share[16] = "-", analysis[24] = "-";
    double gigabytes = bytes_rate(p, way) * 1e-9;
    if (way->rows)
        snprintf(label, sizeof label, "%s", way->name);
    else if (strcmp(way->info.method, "serial") == 0)
        snprintf(label, sizeof label, "serial plan");
    else
        snprintf(label, sizeof label, "%s, %s", way->info.method, way->info.sync);
    if (gigabytes >= 0) {
        snprintf(bytes, sizeof bytes, "%.2f", gigabytes);
        snprintf(share, sizeof share, "%.0f %%", 100e9 * cli_rate(gigabytes, p->bandwidth));
    }
    if (!way->rows)
        snprintf(analysis, sizeof analysis, "%.0f",
                 cli_rate(way->info.seconds_analysis, serial->seconds));
    printf("  %-18s %7" PRId32 " %7" PRId32 " %12.3f %8.2f %8.3f %7s %7s %9s  %.1e\n", label,
           way->info.threads, way->info.layers, way->seconds * 1e6,
           cli_rate(serial->seconds, way->seconds),
           cli_rate((double)way->flops * 1e-9, way->seconds), bytes, share, analysis,
           way->residual);
}

static int64_t count_nonzeros(const cli_solving *p)
{
    int64_t nonzeros = 0;
    for (int i = 0; i < p->system.sweeps; i++)
        nonzeros += p->rows[i].xadj[p->system.n];
    return nonzeros;
}

void cli_solving_text(const cli_solving *p)
{
    const cli_system *s = &p->system;
    int64_t nonzeros = count_nonzeros(p);
    cli_line("%s: %s%s", p->path, cli_system_name(s), s->transpose ? ", transposed" : "");
    cli_row("system", "%" PRId32 " %s, %" PRId64 " non-zeros%s", s->n,
            cli_plural(s->n, "row", "rows"), nonzeros,
            s->sweeps > 1 ? " in both sweeps together" : "");
    if (s->factor)
        cli_row("factorisation", "%.3f s", s->seconds_factor);
    cli_row("right-hand sides", "%" PRId32 " from %s%s", p->sides.columns,
            p->b_file ? p->b_file : "a seed", p->sides.single ? ", single precision" : "");
    cli_row("threads", "%d", cleave_team_size(p->team));
    cli_row("memory", "%.1f GB/s (triad)", p->bandwidth * 1e-9);
    printf("\n  %-18s %7s %7s %12s %8s %8s %7s %7s %9s  %s\n", "method", "threads", "layers",
           "us/solve", "speed-up", "GFLOP/s", "GB/s", "memory", "analysis", "residual");
    for (int w = 0; w < p->ways; w++)
        print_way(p, &p->way[w]);
}

static void print_rate(cli_json *json, const char *key, double value)
{
    if (value >= 0)
        cli_json_real(json, key, value);
    else
        cli_json_null(json, key);
}

void cli_solving_json(const cli_solving *p, FILE *out)
{
    const cli_system *s = &p->system;
    const cli_way *levels = &p->way[CLI_LEVELS], *chosen = &p->way[CLI_CHOSEN];
    cli_timed timed[CLI_COMPARED];
    cli_json json;
    for (int w = 0; w < CLI_COMPARED; w++)
        timed[w] = (cli_timed){&p->way[w].info, p->way[w].seconds};
    cli_json_begin_on(&json, out);
    cli_json_text(&json, "file", p->path);
    cli_json_text(&json, "system", cli_system_name(s));
    cli_json_int(&json, "rows", s->n);
    cli_json_int(&json, "nonzeros", count_nonzeros(p));
    cli_json_int(&json, "sweeps", s->sweeps);
    cli_json_int(&json, "right_hand_sides", p->sides.columns);
    cli_json_unsigned(&json, "seed", p->opt.seed);
    cli_json_real(&json, "shift", s->shift);
    cli_run_json_plans(&json, p->team, timed);
    cli_json_int(&json, "split_rows", chosen->info.split_rows);
    cli_json_int(&json, "waits", chosen->info.waits);
    cli_json_bool(&json, "schedule_shared", s->sweeps > 1 && chosen->reused);
    cli_json_bool(&json, "bits_equal", levels->same && chosen->same);
    cli_json_real(&json, "residual", chosen->residual);
    cli_run_json_speedups(&json, timed);
    cli_json_real(&json, "gflops", cli_rate((double)chosen->flops * 1e-9, chosen->seconds));
    print_rate(&json, "bytes_per_second", bytes_rate(p, chosen));
    cli_json_real(&json, "bandwidth", p->bandwidth);
    cli_run_json_seconds(&json, timed);
    cli_json_real(&json, "seconds_solve_median", chosen->median);
    cli_json_real(&json, "seconds_analysis", chosen->info.seconds_analysis);
    cli_json_real(&json, "seconds_factor", s->seconds_factor);
    cli_json_real(&json, "seconds_read", p->seconds_read);
    cli_json_end(&json);
}
