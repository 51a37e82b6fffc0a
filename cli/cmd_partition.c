/* SPDX-License-Identifier: Apache-2.0 */
/* cleave partition GRAPH -k K: makes a mapping, writes it, and judges it as `cleave evaluate`
 * would.  What could not be met is said, the best mapping found is written all the same, and
 * the exit status is 1. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/demands.h"
#include "cli/graph_io.h"
#include "cli/progress.h"
#include "cli/quality.h"

typedef struct partitioning {
    cli_input input;
    cli_demands demands;
    const char *graph, *out; /* paths */
    char *own_out;           /* GRAPH.part.K, when -o is not given */
    const char *effort, *objective, *seed_text;
    bool json;
    cleave_options opt;
    cleave_map_report report;
    cleave_graph *g;
    cleave_mapping *m;
    cleave_metrics metrics;
    cleave_status status; /* of cleave_map: OK, EBALANCE or ECANCEL */
    cleave_error error;
    double seconds_read, seconds_write;
} partitioning;

/* ---- The command line ----------------------------------------------------------------- */

static int place_of(const char *word, const char *const *words)
{
    int i = 0;
    while (strcmp(words[i], word) != 0)
        i++;
    return i;
}

static void take_words(partitioning *p)
{
    static const char *const efforts[] = {"fast", "default", "quality", "best"};
    static const char *const objectives[] = {"cut", "volume"};
    if (!p->effort)
        p->effort = "default";
    if (!p->objective)
        p->objective = "cut";
    p->opt.effort = (cleave_effort)place_of(p->effort, efforts);
    p->opt.objective = (cleave_objective)place_of(p->objective, objectives);
    p->opt.threads = p->input.threads;
}

/* METIS's name beside the graph; what came through a pipe has no place of its own. */
static int choose_output(partitioning *p)
{
    bool piped = strcmp(p->graph, "-") == 0;
    if (!p->out && piped)
        return cli_usage_error("partition", "the output is missing: -o FILE");
    if (!p->out) {
        size_t room = strlen(p->graph) + 24;
        p->own_out = cli_alloc((int64_t)room, 1);
        snprintf(p->own_out, room, "%s.part.%d", p->graph, (int)p->demands.k);
        p->out = p->own_out;
    }
    if (!piped && strcmp(p->out, p->graph) == 0)
        return cli_usage_error("partition", "the output would replace the graph '%s'",
                               p->graph);
    if (p->json && strcmp(p->out, "-") == 0)
        return cli_usage_error("partition", "--json and -o - both want standard output");
    return CLI_GO_ON;
}

/* Better now than after hours of work. */
static int check_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char folder[4096] = ".";
    if (strcmp(path, "-") == 0 || (slash && (size_t)(slash - path) >= sizeof folder - 1))
        return CLI_GO_ON;
    if (slash)
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path) + 1, path);
    if (access(folder, W_OK | X_OK) == 0 || access(path, W_OK) == 0)
        return CLI_GO_ON;
    cli_complain("%s: cannot write it: its folder is missing or read-only", path);
    return CLI_FAILED;
}

static int check_usage(partitioning *p, char **argv)
{
    p->graph = argv[0];
    int status = cli_input_check("partition", &p->input);
    if (status == CLI_GO_ON)
        status = cli_take_seed("partition", p->seed_text, &p->opt.seed);
    if (status == CLI_GO_ON)
        status = cli_demands_check("partition", &p->demands);
    if (status == CLI_GO_ON)
        status = choose_output(p);
    int piped = cli_demands_from_input(&p->demands) + (strcmp(p->graph, "-") == 0);
    if (status == CLI_GO_ON && piped > 1)
        status = cli_usage_error("partition", "only one of the files can be '-'");
    if (status == CLI_GO_ON)
        status = check_folder(p->out);
    take_words(p);
    return status;
}

/* ---- The work ------------------------------------------------------------------------- */

static cleave_status read_all(partitioning *p, cleave_error *err)
{
    double start = cli_clock();
    cleave_status status = cli_graph_read(&p->g, p->graph, &p->input, NULL, NULL, err);
    if (status == CLEAVE_OK)
        status = cli_demands_read(&p->demands, p->g, err);
    p->seconds_read = cli_clock() - start;
    return status;
}

/* A DAG is refused in the words of the program. */
static int refuse_dag(const partitioning *p)
{
    cli_complain(
        "%s: this is a DAG; partition ignores directions: say --as undirected if that "
        "is meant",
        p->graph);
    return CLI_BAD_INPUT;
}

static void map(partitioning *p)
{
    cli_progress progress;
    cleave_map_report_init(&p->report, sizeof p->report);
    p->opt.constraints = &p->demands.constraints;
    p->opt.report = &p->report;
    p->opt.progress = cli_progress_report;
    p->opt.payload = &progress;
    cli_progress_begin(&progress, CLI_COMPUTING);
    p->status = cleave_map(&p->m, p->g, p->demands.target, &p->opt, &p->error);
    cli_progress_end(&progress);
}

static cleave_status write_mapping(partitioning *p, cleave_error *err)
{
    cli_progress progress;
    cli_progress_begin(&progress, CLI_WRITING);
    cleave_status status = cleave_mapping_write(p->m, p->out, err);
    cli_progress_end(&progress);
    p->seconds_write = cli_clock() - progress.start;
    return status;
}

/* The metrics of `cleave evaluate`, with balance as it was asked for here. */
static cleave_status evaluate(partitioning *p, cleave_error *err)
{
    cleave_metrics_init(&p->metrics, sizeof p->metrics);
    cleave_status status = cleave_evaluate(&p->metrics, p->g, p->m, NULL, err);
    p->metrics.imbalance = p->report.imbalance;
    p->metrics.balanced = p->report.balanced;
    return status;
}

/* ---- The report ----------------------------------------------------------------------- */

static void print_text(const partitioning *p)
{
    char bound[64];
    const cli_demands *d = &p->demands;
    snprintf(bound, sizeof bound, "bound %g%s", p->opt.imbalance,
             d->min || d->max ? ", and those given" : "");
    cli_quality_rows(p->graph, p->out, p->g, &p->metrics, bound);
    cli_row("effort", "%s, seed %" PRIu64, p->effort, p->opt.seed);
    cli_row("seconds", "%.3f on %" PRId32 " %s%s; reading %.3f, writing %.3f",
            p->report.seconds, p->report.threads,
            cli_plural(p->report.threads, "thread", "threads"),
            p->report.timed_out ? ", ended by the time limit" : "", p->seconds_read,
            p->seconds_write);
}

static void print_json(const partitioning *p)
{
    cli_json json;
    cli_json_begin(&json);
    cli_quality_json(&json, p->graph, p->out, p->g, &p->metrics);
    cli_json_null(&json, "cycle");
    cli_json_text(&json, "method", "multilevel");
    cli_json_text(&json, "effort", p->effort);
    cli_json_unsigned(&json, "seed", p->opt.seed);
    cli_json_int(&json, "threads", p->report.threads);
    cli_json_real(&json, "seconds", p->report.seconds);
    cli_json_real(&json, "seconds_read", p->seconds_read);
    cli_json_real(&json, "seconds_write", p->seconds_write);
    cli_json_end(&json);
}

/* What has not been met, and what may surprise. */
static int say_what_is_missing(const partitioning *p)
{
    int32_t nvtx = cleave_graph_vertices(p->g);
    if (nvtx < p->demands.k)
        cli_warn("%" PRId32 " %s for %" PRId32 " parts: %" PRId32 " stay empty", nvtx,
                 cli_plural(nvtx, "vertex", "vertices"), p->demands.k, p->metrics.empty_parts);
    if (p->status == CLEAVE_EBALANCE)
        cli_complain("not met: %s", p->error.message);
    if (p->status == CLEAVE_ECANCEL)
        cli_complain("interrupted: %s has the best partition so far%s",
                     strcmp(p->out, "-") == 0 ? "the output" : p->out,
                     p->metrics.balanced ? "" : ", which is not balanced");
    return p->status == CLEAVE_OK ? CLI_OK : CLI_NOT_MET;
}

static int finish(partitioning *p)
{
    cleave_error err = {0};
    cleave_status status = write_mapping(p, &err);
    if (status == CLEAVE_OK)
        status = evaluate(p, &err);
    if (status != CLEAVE_OK)
        return cli_fail(status, &err);
    if (p->json)
        print_json(p);
    else if (strcmp(p->out, "-") != 0)
        print_text(p);
    int flushed = cli_flush(), met = say_what_is_missing(p);
    return flushed > met ? flushed : met;
}

static int run(partitioning *p)
{
    cleave_error err = {0};
    cleave_status status = read_all(p, &err);
    if (status != CLEAVE_OK)
        return cli_fail(status, &err);
    if (cleave_graph_kind(p->g) != CLEAVE_UNDIRECTED)
        return refuse_dag(p);
    map(p);
    return p->m ? finish(p) : cli_fail(p->status, &p->error);
}

static void partitioning_free(partitioning *p)
{
    cleave_mapping_free(p->m);
    cleave_graph_free(p->g);
    cli_demands_free(&p->demands);
    free(p->own_out);
}

int cmd_partition(int argc, char **argv)
{
    partitioning p = {0};
    cli_input_init(&p.input);
    cleave_options_init(&p.opt, sizeof p.opt);
    const cli_option options[] = {
        {CLI_STRING, 'o', "output", "FILE", "the partition (default: GRAPH.part.K)", &p.out,
         0},
        CLI_DEMAND_OPTIONS(&p.demands),
        {CLI_REAL, 0, "imbalance", "X", "bound on the imbalance (default 0.03)",
         &p.opt.imbalance, 0},
        {CLI_CHOICE, 0, "objective", "cut|volume", "what to make small (default cut)",
         &p.objective, 0},
        {CLI_CHOICE, 0, "effort", "fast|default|quality|best", "how hard to try", &p.effort,
         0},
        {CLI_REAL, 0, "time-limit", "S", "seconds after which the best so far is taken",
         &p.opt.time_limit, 0},
        {CLI_STRING, 0, "seed", "N", "another partition of the same kind (default 1)",
         &p.seed_text, 0},
        {CLI_FLAG, 0, "json", NULL, "print one JSON object", &p.json, 0},
        CLI_INPUT_OPTIONS(&p.input, CLI_AS_KINDS),
        {0}};
    const cli_usage usage = {
        "partition",
        "GRAPH -k PARTS",
        1,
        1,
        "Divides the vertices of an undirected graph into parts of equal or given weight "
        "such\n"
        "that little is cut.  The partition is written to GRAPH.part.K, one 0-based part per\n"
        "line, or to the file of -o ('-': standard output), and judged as by 'cleave\n"
        "evaluate'.  What cannot be met is said and the exit status is 1; the best partition\n"
        "found is written all the same, also after Ctrl-C.  The same seed gives the same\n"
        "partition on any machine and any number of threads, unless a time limit ends it.",
        options};
    int count, status = cli_parse(&usage, argc, argv, &count);
    if (status == CLI_GO_ON)
        status = check_usage(&p, argv);
    if (status == CLI_GO_ON)
        status = run(&p);
    partitioning_free(&p);
    return status;
}
