/* SPDX-License-Identifier: Apache-2.0 */
/* cleave evaluate GRAPH PARTITION: judges anybody's partition file, with -t on the machine
 * that it is for; a schedule as cleave schedule --check does.
 *
 * Reporting is what was asked for, so a bad partition still exits 0; --strict asks for
 * a good one: balanced, no part empty without need, acyclic when the graph is a DAG. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/fill_rows.h"
#include "cli/graph_io.h"
#include "cli/quality.h"
#include "cli/schedule_judging.h"
#include "cli/target_rows.h"

typedef struct evaluation {
    cli_input input;
    int32_t k; /* 0: not given */
    const char *shares_text, *costs_text, *target_text;
    const char *order;       /* a file to be judged in place of a partition, or NULL */
    cleave_target *target;   /* NULL: none given */
    const char *shares_file; /* where the sizes of the parts stand, or NULL */
    double *shares;          /* k of them, or NULL */
    double imbalance;
    bool json, parts, strict;
    cleave_evaluate_options opt;
    cleave_graph *g;
    cleave_mapping *m;
    cleave_metrics metrics;
    cleave_target_metrics on_target;
    int64_t *cycle, *weight, *volume, *pieces; /* NULL: not asked for */
    int32_t cycle_length;
    double seconds_read, seconds;
} evaluation;

/* ---- The command line ---------------------------------------------------------------- */

/* PEs are parts, and their speeds the relative sizes of them. */
static int take_target(evaluation *e)
{
    cleave_error err = {0};
    if (e->shares_text)
        return cli_usage_error("evaluate", "-t and --shares both say how large the parts are");
    cleave_status status = cleave_target_parse(&e->target, e->target_text, &err);
    if (status == CLEAVE_EINVAL)
        return cli_usage_error("evaluate", "-t: %s", err.message);
    if (status != CLEAVE_OK)
        return cli_fail(status, &err);
    int32_t pes = cleave_target_pes(e->target);
    if (e->k && e->k != pes)
        return cli_usage_error("evaluate", "-k %d and -t %s (%d PEs) contradict each other",
                               (int)e->k, e->target_text, (int)pes);
    e->k = pes;
    e->shares = cli_alloc(pes, sizeof *e->shares);
    bool equal = true;
    for (int32_t pe = 0; pe < pes; pe++) {
        e->shares[pe] = cleave_target_speed(e->target, pe);
        equal = equal && e->shares[pe] == e->shares[0];
    }
    if (equal) {
        free(e->shares);
        e->shares = NULL;
    }
    return CLI_GO_ON;
}

/* "--shares 8" is "-k 8"; "3,2,2,1" gives the relative sizes of the parts, and so does a file,
 * which can only be read when the number of parts is known. */
static int take_shares(evaluation *e)
{
    int count = cli_count_fields(e->shares_text);
    double sum = 0;
    e->shares = cli_alloc(count, sizeof *e->shares);
    if (cli_split_reals(e->shares_text, e->shares, count) != count) {
        free(e->shares);
        e->shares = NULL;
        e->shares_file = e->shares_text;
        return access(e->shares_file, F_OK) == 0
                   ? CLI_GO_ON
                   : cli_usage_error("evaluate",
                                     "'%s' is neither a list of part sizes such as 3,2,2,1 "
                                     "nor a file",
                                     e->shares_text);
    }
    if (count == 1) {
        double parts = e->shares[0];
        free(e->shares);
        e->shares = NULL;
        if (parts < 1 || parts > INT32_MAX || parts != (int32_t)parts)
            return cli_usage_error("evaluate", "'%s' is not a number of parts from 1 to %d",
                                   e->shares_text, INT32_MAX);
        count = (int)parts;
    }
    for (int p = 0; e->shares && p < count; p++)
        sum += e->shares[p];
    if (e->shares && !(sum > 0))
        return cli_usage_error("evaluate", "the part sizes in '%s' are all zero",
                               e->shares_text);
    if (e->k && e->k != count)
        return cli_usage_error("evaluate", "-k %d and '%s' (%d parts) contradict each other",
                               (int)e->k, e->shares_text, count);
    e->k = count;
    return CLI_GO_ON;
}

static int take_costs(evaluation *e)
{
    enum { most_cost = 999999999 };
    double costs[3];
    int64_t *const to[] = {&e->opt.cost_vertex, &e->opt.cost_inside, &e->opt.cost_cut};
    bool good = cli_split_reals(e->costs_text, costs, 3) == 3;
    for (int i = 0; good && i < 3; i++) {
        good = costs[i] <= most_cost && costs[i] == (double)(int64_t)costs[i];
        if (good)
            *to[i] = (int64_t)costs[i];
    }
    if (!good)
        return cli_usage_error("evaluate",
                               "--costs wants three whole numbers from 0 to %d such as "
                               "1,1,11, not '%s'",
                               (int)most_cost, e->costs_text);
    return CLI_GO_ON;
}

/* A partition, or an order, which has no parts. */
static int check_operands(const evaluation *e, int count)
{
    bool of_parts =
        e->k || e->target_text || e->shares_text || e->costs_text || e->parts || e->strict;
    if (e->order && count > 1)
        return cli_usage_error("evaluate", "either a PARTITION or an --order");
    if (e->order && of_parts)
        return cli_usage_error("evaluate", "an --order has no parts: of the options only "
                                           "those of the input and --json are for it");
    if (!e->order && count < 2)
        return cli_usage_error("evaluate", "missing operand, it wants GRAPH PARTITION, or "
                                           "GRAPH and --order FILE");
    return CLI_GO_ON;
}

static int take_options(evaluation *e, int count, char **argv)
{
    int status = check_operands(e, count);
    if (status == CLI_GO_ON)
        status = cli_input_check("evaluate", &e->input);
    if (status == CLI_GO_ON && e->target_text)
        status = take_target(e);
    else if (status == CLI_GO_ON && e->shares_text)
        status = take_shares(e);
    if (status == CLI_GO_ON && e->costs_text)
        status = take_costs(e);
    const char *other = e->order ? e->order : count > 1 ? argv[1] : "";
    if (status == CLI_GO_ON && strcmp(argv[0], "-") == 0 && strcmp(other, "-") == 0)
        status = cli_usage_error("evaluate", "only one of the two files can be '-'");
    e->opt.shares = e->shares;
    e->opt.imbalance = e->imbalance;
    return status;
}

/* A schedule has threads and layers, but no parts. */
static int judge_schedule(const evaluation *e, char **argv)
{
    const struct {
        bool given;
        const char *name;
    } others[] = {{e->k && !e->target_text && !e->shares_text, "-k"},
                  {e->target_text != NULL, "-t"},
                  {e->shares_text != NULL, "--shares"},
                  {e->costs_text != NULL, "--costs"},
                  {e->parts, "--parts"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].given)
            return cli_usage_error("evaluate", "%s is for partitions, but %s is a schedule",
                                   others[i].name, argv[1]);
    const cli_schedule_check asked = {
        .graph = argv[0], .schedule = argv[1], .input = &e->input, .json = e->json};
    return cli_schedule_check_run(&asked);
}

/* ---- The work ------------------------------------------------------------------------ */

static cleave_status read_shares(evaluation *e, cleave_error *err)
{
    int32_t nparts = cleave_mapping_nparts(e->m);
    if (nparts == 0) /* nothing to share out */
        return CLEAVE_OK;
    e->shares = cli_alloc(nparts, sizeof *e->shares);
    cleave_status status = cleave_shares_read(e->shares, nparts, 1, e->shares_file, err);
    e->opt.shares = e->shares;
    return status;
}

static cleave_status evaluate_parts(evaluation *e, cleave_error *err)
{
    int32_t nparts = cleave_mapping_nparts(e->m);
    int32_t *pieces = cli_alloc(nparts, sizeof *pieces);
    e->weight = cli_alloc(nparts, sizeof *e->weight);
    e->volume = cli_alloc(nparts, sizeof *e->volume);
    e->pieces = cli_alloc(nparts, sizeof *e->pieces);
    cleave_status status =
        cleave_evaluate_parts(e->g, e->m, e->weight, e->volume, pieces, err);
    for (int32_t p = 0; p < nparts; p++)
        e->pieces[p] = pieces[p];
    free(pieces);
    return status;
}

static cleave_status find_cycle(evaluation *e, cleave_error *err)
{
    int32_t nparts = cleave_mapping_nparts(e->m);
    int32_t *cycle = cli_alloc(nparts, sizeof *cycle);
    cleave_status status = cleave_evaluate_cycle(e->g, e->m, cycle, &e->cycle_length, err);
    e->cycle = cli_alloc(nparts, sizeof *e->cycle);
    for (int32_t i = 0; status == CLEAVE_OK && i < e->cycle_length; i++)
        e->cycle[i] = cycle[i];
    free(cycle);
    return status;
}

static cleave_status compute(evaluation *e, char **argv, cleave_error *err)
{
    double start = cli_clock();
    cleave_status status = cli_graph_read(&e->g, argv[0], &e->input, NULL, NULL, err);
    if (status == CLEAVE_OK)
        status = cli_mapping_read(&e->m, argv[1], e->g, e->k, err);
    if (status == CLEAVE_OK && e->shares_file)
        status = read_shares(e, err);
    e->seconds_read = cli_clock() - start;
    if (status != CLEAVE_OK)
        return status;
    start = cli_clock();
    cleave_metrics_init(&e->metrics, sizeof e->metrics);
    status = cleave_evaluate(&e->metrics, e->g, e->m, &e->opt, err);
    cleave_target_metrics_init(&e->on_target, sizeof e->on_target);
    if (status == CLEAVE_OK && e->target)
        status = cleave_evaluate_target(&e->on_target, e->g, e->m, e->target, err);
    if (status == CLEAVE_OK && e->parts)
        status = evaluate_parts(e, err);
    if (status == CLEAVE_OK && e->metrics.acyclic == 0)
        status = find_cycle(e, err);
    e->seconds = cli_clock() - start;
    return status;
}

/* ---- The report ---------------------------------------------------------------------- */

static void print_parts(const evaluation *e)
{
    printf("\n  %8s %16s %16s %8s\n", "part", "weight", "volume sent", "pieces");
    for (int32_t p = 0; p < e->metrics.parts; p++)
        printf("  %8" PRId32 " %16" PRId64 " %16" PRId64 " %8" PRId64 "\n", p, e->weight[p],
               e->volume[p], e->pieces[p]);
}

static void print_text(const evaluation *e, char **argv)
{
    char bound[40];
    snprintf(bound, sizeof bound, "bound %g", e->imbalance);
    cli_quality_rows(argv[0], argv[1], e->g, &e->metrics, bound);
    cli_quality_directions(&e->metrics, e->cycle, e->cycle_length, &e->opt);
    if (cli_target_has_distances(e->target))
        cli_target_rows(e->target, &e->on_target);
    if (e->parts)
        print_parts(e);
}

static void print_json(const evaluation *e, char **argv)
{
    cli_json json;
    cli_json_begin(&json);
    cli_quality_json(&json, argv[0], argv[1], e->g, &e->metrics);
    if (e->cycle)
        cli_json_ints(&json, "cycle", e->cycle, e->cycle_length);
    else
        cli_json_null(&json, "cycle");
    if (e->target)
        cli_target_json(&json, e->target_text, &e->on_target);
    if (e->parts) {
        cli_json_ints(&json, "part_weight", e->weight, e->metrics.parts);
        cli_json_ints(&json, "part_volume", e->volume, e->metrics.parts);
        cli_json_ints(&json, "part_pieces", e->pieces, e->metrics.parts);
    }
    cli_json_real(&json, "seconds", e->seconds);
    cli_json_real(&json, "seconds_read", e->seconds_read);
    cli_json_end(&json);
}

/* ---- --strict ------------------------------------------------------------------------ */

/* Parts that may be empty: those of share 0, and those beyond the number of vertices. */
static int32_t allowed_empty(const evaluation *e)
{
    int32_t idle = 0;
    for (int32_t p = 0; e->shares && p < e->metrics.parts; p++)
        idle += e->shares[p] == 0;
    int32_t busy = e->metrics.parts - idle, nvtx = cleave_graph_vertices(e->g);
    return idle + (busy > nvtx ? busy - nvtx : 0);
}

static int check_strictly(const evaluation *e)
{
    const cleave_metrics *m = &e->metrics;
    int status = CLI_OK;
    if (!m->balanced) {
        cli_complain("not met: the imbalance is %.4f, above the bound %g", m->imbalance,
                     e->imbalance);
        status = CLI_NOT_MET;
    }
    if (m->empty_parts > allowed_empty(e)) {
        cli_complain("not met: %" PRId32 " of %" PRId32 " parts are empty", m->empty_parts,
                     m->parts);
        status = CLI_NOT_MET;
    }
    if (m->acyclic == 0) {
        cli_complain("not met: the parts of the DAG depend on each other in a cycle");
        status = CLI_NOT_MET;
    }
    return status;
}

static int report(const evaluation *e, char **argv)
{
    if (e->json)
        print_json(e, argv);
    else
        print_text(e, argv);
    int flushed = cli_flush();
    int met = e->strict ? check_strictly(e) : CLI_OK;
    return flushed > met ? flushed : met;
}

/* Fill and operations of an order. */
static int evaluate_order(evaluation *e, const char *path)
{
    cleave_error err = {0};
    cleave_status status = cli_graph_read(&e->g, path, &e->input, NULL, NULL, &err);
    return status == CLEAVE_OK ? cli_elimination_evaluate(e->g, path, e->order, e->json)
                               : cli_fail(status, &err);
}

static void evaluation_free(evaluation *e)
{
    cleave_mapping_free(e->m);
    cleave_graph_free(e->g);
    cleave_target_free(e->target);
    free(e->shares);
    free(e->cycle);
    free(e->weight);
    free(e->volume);
    free(e->pieces);
}

int cmd_evaluate(int argc, char **argv)
{
    evaluation e = {.imbalance = 0.03};
    cleave_error err = {0};
    cli_input_init(&e.input);
    cleave_evaluate_options_init(&e.opt, sizeof e.opt);
    const cli_option options[] = {
        {CLI_COUNT, 'k', "k", "PARTS", "number of parts (default: from the file)", &e.k, 1},
        {CLI_STRING, 't', "target", "TARGET", "the machine that it is for: also cost and load",
         &e.target_text, 0},
        {CLI_STRING, 0, "shares", "A,B,...|FILE",
         "relative sizes of the parts (default: equal)", &e.shares_text, 0},
        {CLI_REAL, 0, "imbalance", "X", "bound on the imbalance (default 0.03)", &e.imbalance,
         0},
        {CLI_STRING, 0, "costs", "V,I,C",
         "critical path: vertex, inside, cut (default 1,1,11)", &e.costs_text, 0},
        {CLI_FLAG, 0, "parts", NULL, "also weight, volume and pieces of every part", &e.parts,
         0},
        {CLI_FLAG, 0, "strict", NULL, "exit 1 unless balanced, filled and acyclic", &e.strict,
         0},
        {CLI_STRING, 0, "order", "FILE", "no partition but an order: fill and operations",
         &e.order, 0},
        {CLI_FLAG, 0, "json", NULL, "print one JSON object", &e.json, 0},
        CLI_INPUT_OPTIONS(&e.input, CLI_AS_KINDS),
        {0}};
    const cli_usage usage = {
        "evaluate",
        "GRAPH PARTITION | GRAPH --order FILE",
        1,
        2,
        "Computes every metric of a partition from scratch.  PARTITION is a METIS file (one\n"
        "0-based part per line) or a Scotch .map file; either file may be '-'.  Without -k\n"
        "the parts are those named in the file, or more when it is called X.part.K.\n"
        "With -t the parts are the PEs of a machine as 'cleave map' takes it.\n"
        "With --order what is judged is an order of 'cleave order' to eliminate by: "
        "non-zeros\n"
        "of the Cholesky factor and operations, counted from the elimination tree.\n"
        "A file that 'cleave schedule' wrote is judged as 'cleave schedule --check' does.\n"
        "The exit status is 0 whatever the quality, unless --strict is given.",
        options};
    int count, status = cli_parse(&usage, argc, argv, &count);
    if (status == CLI_GO_ON)
        status = take_options(&e, count, argv);
    if (status == CLI_GO_ON && e.order) {
        status = evaluate_order(&e, argv[0]);
    } else if (status == CLI_GO_ON && cli_schedule_check_is_one(argv[1])) {
        status = judge_schedule(&e, argv);
    } else if (status == CLI_GO_ON) {
        cleave_status done = compute(&e, argv, &err);
        status = done == CLEAVE_OK ? report(&e, argv) : cli_fail(done, &err);
    }
    evaluation_free(&e);
    return status;
}
