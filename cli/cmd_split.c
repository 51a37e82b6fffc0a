/* SPDX-License-Identifier: Apache-2.0 */
/* cleave split ORDER -t TARGET: cuts an order into intervals for the PEs of a machine. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/demands.h"
#include "cli/graph_io.h"
#include "cli/method_options.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/quality.h"
#include "cli/target_rows.h"

typedef struct splitting {
    cli_input input;
    cli_demands demands; /* only its target is used */
    cli_outputs outputs;
    const char *order, *graph, *refine; /* paths; graph is that of refine when given */
    const char *grouping, *seed_text;
    bool json;
    cleave_options opt; /* of refinement; its imbalance is used without it as well */
    cleave_order *o;
    cleave_graph *g;
    cleave_mapping *m;
    int32_t *begin, *end;
    cleave_status status; /* of the cut: OK, EBALANCE or ECANCEL */
    cleave_error error;
    cleave_map_report report;
    /* Without a graph: weights of PEs, compared with their shares. */
    int64_t least, most;
    double imbalance;
    int32_t empty;
    cli_times times;
} splitting;

/* ---- The command line ----------------------------------------------------------------- */

static int check_files(splitting *p)
{
    if (p->graph && p->refine)
        return cli_usage_error("split", "--graph and --refine both name the graph");
    if (p->refine && p->grouping)
        return cli_usage_error("split", "--grouping is for a split that is not refined");
    p->graph = p->refine ? p->refine : p->graph;
    if (p->graph && strcmp(p->graph, "-") == 0 && strcmp(p->order, "-") == 0)
        return cli_usage_error("split", "only one of the files can be '-'");
    return CLI_GO_ON;
}

static int check_usage(splitting *p, char **operands)
{
    p->order = operands[0];
    int status = cli_input_check("split", &p->input);
    if (status == CLI_GO_ON)
        status = cli_take_seed("split", p->seed_text, &p->opt.seed);
    if (status == CLI_GO_ON)
        status = cli_demands_check("split", &p->demands);
    if (status == CLI_GO_ON)
        status = check_files(p);
    p->outputs.input = "order";
    if (status == CLI_GO_ON)
        status = cli_outputs_check("split", &p->outputs, p->order, p->demands.k, p->json);
    p->outputs.input = "graph";
    if (status == CLI_GO_ON && p->graph)
        status = cli_outputs_check("split", &p->outputs, p->graph, p->demands.k, p->json);
    p->opt.threads = p->input.threads;
    return status;
}

/* ---- The work ------------------------------------------------------------------------- */

static cleave_status read_all(splitting *p, cleave_error *err)
{
    double start = cli_clock();
    cli_progress progress;
    cli_progress_begin(&progress, CLI_READING);
    cleave_status status =
        cleave_order_open(&p->o, p->order, p->input.trust ? CLEAVE_TRUST : 0, err);
    cli_progress_end(&progress);
    if (status == CLEAVE_OK && p->graph)
        status = cli_graph_read(&p->g, p->graph, &p->input, NULL, NULL, err);
    if (status == CLEAVE_OK && p->graph)
        status = cli_order_fit(p->o, p->order, p->g, true, err);
    p->times.read = cli_clock() - start;
    return status;
}

static bool gives_result(cleave_status status)
{
    return status == CLEAVE_OK || status == CLEAVE_EBALANCE || status == CLEAVE_ECANCEL;
}

static void refine(splitting *p)
{
    cli_progress progress;
    p->opt.report = &p->report;
    p->opt.progress = cli_progress_report;
    p->opt.payload = &progress;
    cli_progress_begin(&progress, CLI_COMPUTING);
    p->status =
        cleave_order_split_refine(&p->m, p->g, p->o, p->demands.target, &p->opt, &p->error);
    p->times.work = p->report.seconds;
    cli_progress_end(&progress);
}

static void cut(splitting *p)
{
    cleave_split_options opt;
    cleave_split_options_init(&opt, sizeof opt);
    opt.imbalance = p->opt.imbalance;
    opt.grouping = p->grouping;
    p->begin = cli_alloc(p->demands.k, sizeof *p->begin);
    p->end = cli_alloc(p->demands.k, sizeof *p->end);
    double start = cli_clock();
    p->status = cleave_order_split(p->begin, p->end, p->o, p->demands.target, &opt, &p->error);
    p->times.work = cli_clock() - start;
    cleave_error err = {0};
    cleave_status made = CLEAVE_OK;
    if (gives_result(p->status))
        made = cleave_order_mapping(&p->m, p->o, p->demands.k, p->begin, p->end, &err);
    if (made != CLEAVE_OK) {
        p->status = made;
        p->error = err;
    }
}

/* The weights of the intervals. */
static void weigh(splitting *p)
{
    const int64_t *before = cleave_order_weight_before(p->o);
    const cleave_target *t = p->demands.target;
    double speeds = 0, total = (double)before[cleave_order_vertices(p->o)];
    for (int32_t pe = 0; pe < p->demands.k; pe++)
        speeds += cleave_target_speed(t, pe);
    for (int32_t pe = 0; pe < p->demands.k; pe++) {
        int64_t weight = before[p->end[pe]] - before[p->begin[pe]];
        double share = total * cleave_target_speed(t, pe) / speeds;
        double above = share > 0 ? (double)weight / share - 1 : 0;
        p->least = pe == 0 || weight < p->least ? weight : p->least;
        p->most = pe == 0 || weight > p->most ? weight : p->most;
        p->imbalance = pe == 0 || above > p->imbalance ? above : p->imbalance;
        p->empty += p->begin[pe] == p->end[pe];
    }
}

/* ---- The report ----------------------------------------------------------------------- */

typedef struct findings {
    cleave_metrics metrics;
    cleave_target_metrics on_target;
    cleave_evaluate_options costs;
} findings;

static cleave_status evaluate(const splitting *p, findings *f, cleave_error *err)
{
    const cleave_target *t = p->demands.target;
    double *speeds = cli_alloc(p->demands.k, sizeof *speeds);
    cleave_metrics_init(&f->metrics, sizeof f->metrics);
    cleave_target_metrics_init(&f->on_target, sizeof f->on_target);
    cleave_evaluate_options_init(&f->costs, sizeof f->costs);
    for (int32_t pe = 0; pe < p->demands.k; pe++)
        speeds[pe] = cleave_target_speed(t, pe);
    f->costs.shares = speeds;
    f->costs.imbalance = p->opt.imbalance;
    cleave_status status = cleave_evaluate(&f->metrics, p->g, p->m, &f->costs, err);
    if (status == CLEAVE_OK && cli_target_has_distances(t))
        status = cleave_evaluate_target(&f->on_target, p->g, p->m, t, err);
    f->costs.shares = NULL;
    free(speeds);
    return status;
}

static void print_text(const splitting *p, const findings *f)
{
    const cli_bound bound = {.imbalance = p->opt.imbalance};
    if (p->g) {
        cli_quality_rows(p->graph, p->outputs.mapping, cli_size_of(p->g), &f->metrics, &bound);
        cli_quality_directions(&f->metrics, NULL, 0, &f->costs);
        if (cli_target_has_distances(p->demands.target))
            cli_target_rows(p->demands.target, &f->on_target);
    } else {
        cli_line("%s: %s", p->order, p->outputs.mapping);
        cli_row("vertices", "%" PRId32, cleave_order_vertices(p->o));
        cli_row("parts", "%" PRId32 ", %" PRId32 " empty", p->demands.k, p->empty);
        cli_row("imbalance", "%.4f", p->imbalance);
        cli_balanced_row(p->status == CLEAVE_OK, p->imbalance, &bound);
        cli_row("part weight", "min %" PRId64 ", max %" PRId64, p->least, p->most);
    }
    cli_row("order", "%s%s", cleave_order_method(p->o), p->refine ? ", borders refined" : "");
    cli_row("seconds", "%.6f; reading %.3f, writing %.3f", p->times.work, p->times.read,
            p->times.write);
}

static void print_json(const splitting *p, const findings *f)
{
    cli_json json;
    const cli_bound bound = {.imbalance = p->opt.imbalance};
    cli_json_begin(&json);
    if (p->g) {
        cli_quality_json(&json, p->graph, p->outputs.mapping, cli_size_of(p->g), &f->metrics,
                         &bound);
        if (cli_target_has_distances(p->demands.target))
            cli_target_json(&json, p->demands.target_text, &f->on_target);
    } else {
        cli_json_null(&json, "file");
        cli_json_text(&json, "partition", p->outputs.mapping);
        cli_json_int(&json, "vertices", cleave_order_vertices(p->o));
        cli_json_int(&json, "parts", p->demands.k);
        cli_json_real(&json, "imbalance", p->imbalance);
        cli_balanced_json(&json, p->status == CLEAVE_OK, p->imbalance, &bound);
        cli_json_int(&json, "min_weight", p->least);
        cli_json_int(&json, "max_weight", p->most);
        cli_json_int(&json, "empty_parts", p->empty);
    }
    cli_json_text(&json, "order", p->order);
    cli_json_text(&json, "method", cleave_order_method(p->o));
    cli_json_text(&json, "grouping", p->grouping && !p->refine ? p->grouping : "auto");
    cli_json_bool(&json, "refined", p->refine != NULL);
    cli_json_unsigned(&json, "seed", p->opt.seed);
    cli_json_times(&json, &p->times);
    cli_json_end(&json);
}

static int say_what_is_missing(const splitting *p)
{
    int32_t nvtx = cleave_order_vertices(p->o);
    if (nvtx < p->demands.k)
        cli_warn("%" PRId32 " %s for %" PRId32 " PEs: some stay empty", nvtx,
                 cli_plural(nvtx, "vertex", "vertices"), p->demands.k);
    if (p->status == CLEAVE_EBALANCE)
        cli_complain("not met: %s", p->error.message);
    if (p->status == CLEAVE_ECANCEL)
        cli_outputs_interrupted(&p->outputs);
    return p->status == CLEAVE_OK ? CLI_OK : CLI_NOT_MET;
}

static int finish(splitting *p)
{
    cleave_error err = {0};
    findings f;
    double start = cli_clock();
    cleave_status status =
        cli_outputs_write(&p->outputs, p->g, p->m, p->m, p->demands.target, &err);
    p->times.write = cli_clock() - start;
    if (status == CLEAVE_OK && p->g)
        status = evaluate(p, &f, &err);
    if (status != CLEAVE_OK)
        return cli_fail(status, &err);
    if (!p->g)
        weigh(p);
    if (p->json)
        print_json(p, &f);
    else if (!cli_outputs_piped(&p->outputs))
        print_text(p, &f);
    int flushed = cli_flush(), met = say_what_is_missing(p);
    return flushed > met ? flushed : met;
}

static int split_and_write(splitting *p)
{
    cleave_error err = {0};
    cleave_status status = read_all(p, &err);
    if (status != CLEAVE_OK)
        return cli_fail(status, &err);
    if (p->refine)
        refine(p);
    else
        cut(p);
    return p->m ? finish(p) : cli_fail(p->status, &p->error);
}

static void splitting_free(splitting *p)
{
    cleave_mapping_free(p->m);
    cleave_graph_free(p->g);
    cleave_order_free(p->o);
    cli_demands_free(&p->demands);
    cli_outputs_free(&p->outputs);
    free(p->begin);
    free(p->end);
}

int cmd_split(int argc, char **argv)
{
    splitting p = {0};
    cli_input_init(&p.input);
    cleave_options_init(&p.opt, sizeof p.opt);
    cleave_map_report_init(&p.report, sizeof p.report);
    const cli_option options[] = {
        {CLI_STRING, 'o', "output", "FILE", "the partition (default: ORDER.part.K)",
         &p.outputs.mapping, 0},
        CLI_PARTS_OPTIONS(&p.demands),
        {CLI_IMBALANCE, 0, "imbalance", "X", "how far a cut may shift (default 0.03)",
         &p.opt.imbalance, 0},
        {CLI_CHOICE, 0, "grouping", "auto|simple|binpacking",
         "sequence of unequal PEs on the line (default auto)", &p.grouping, 0},
        {CLI_STRING, 0, "graph", "GRAPH", "graph of the order: evaluate the partition",
         &p.graph, 0},
        {CLI_STRING, 0, "refine", "GRAPH", "the same, and refine the partition first",
         &p.refine, 0},
        {CLI_REAL, 0, "time-limit", "S",
         "time limit of the refinement in seconds; Ctrl-C ends it, too", &p.opt.time_limit, 0},
        {CLI_STRING, 0, "seed", "N", "random seed of the refinement (default 1)", &p.seed_text,
         0},
        CLI_JSON_OPTION(&p.json),
        CLI_INPUT_OPTIONS(&p.input, CLI_AS_KINDS),
        {0}};
    const cli_usage usage = {
        "split",
        "ORDER -t TARGET",
        1,
        1,
        "Splits an order of 'cleave order' into one interval per PE of a machine, with "
        "weights\n"
        "in proportion to the speeds of the PEs. The partition is written to ORDER.part.K, "
        "one\n"
        "0-based part per line, or to the file of -o. This takes microseconds and needs no\n"
        "graph. With --graph the partition is evaluated as by 'cleave evaluate'; with "
        "--refine\n"
        "it is refined on the graph, which takes milliseconds. The graph must be the one the\n"
        "order was computed from.",
        options};
    int count, status = cli_parse(&usage, argc, argv, &count);
    if (status == CLI_GO_ON)
        status = check_usage(&p, argv);
    if (status == CLI_GO_ON)
        status = split_and_write(&p);
    splitting_free(&p);
    return status;
}
