/* SPDX-License-Identifier: Apache-2.0 */
/* cleave run circuit F.psdd: evaluates a circuit with the reference program, serially, by
 * levels, and by the selected method, and compares them. */
#include "cli/run_circuit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/graph_io.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/report_page.h"
#include "cli/run_common.h"

typedef struct way {
    cleave_circuit_plan *plan;
    cleave_run_info info;
    double *result;
    int64_t times;  /* evaluations of a turn */
    double seconds; /* per instance, of the best turn */
} way;

typedef struct evaluating {
    const char *path, *batch, *output, *costs_file, *seed_text, *page;
    int32_t random, threads, repeat; /* 0: not given */
    bool json;
    cleave_circuit_options query;
    cleave_run_options opt;
    cleave_schedule_costs costs;
    cleave_circuit *circuit;
    cleave_evidence *evidence; /* of the file; NULL: drawn */
    int8_t *drawn;
    const int8_t *values;
    int64_t count;
    cleave_team *team;
    way way[CLI_COMPARED];
    bool same;
    double mean, seconds_read;
    int64_t impossible;
} evaluating;

/* ---- The command line ----------------------------------------------------------------- */

static int check_usage(evaluating *p, char **operands)
{
    p->path = operands[0];
    const char *verb = "run circuit";
    int status = cli_take_seed(verb, p->seed_text, &p->opt.seed);
    if (status != CLI_GO_ON)
        return status;
    if (p->batch && p->random)
        return cli_usage_error(verb, "--batch and --random at once");
    if (p->batch && strcmp(p->batch, "-") == 0 && strcmp(p->path, "-") == 0)
        return cli_usage_error(verb, "only one of the two files can be '-'");
    if (p->json && p->output && strcmp(p->output, "-") == 0)
        return cli_usage_error(verb, "--json and -o - both write to standard output");
    if (p->output && strcmp(p->output, "-") != 0 &&
        (strcmp(p->output, p->path) == 0 || (p->batch && strcmp(p->output, p->batch) == 0)))
        return cli_usage_error(verb, "-o would replace the input '%s'", p->output);
    p->opt.costs = p->costs_file ? &p->costs : NULL;
    status = cli_page_check(verb, p->page, p->path);
    return status == CLI_GO_ON ? cli_check_params(verb, &p->opt) : status;
}

/* ---- Evidence ------------------------------------------------------------------------- */

/* False, true or unknown; depends only on the seed and the position. */
static int8_t random_value(uint64_t seed, uint64_t place)
{
    return (int8_t)((cli_random_bits(seed, place) >> 32) % 3) - 1;
}

static cleave_status take_evidence(evaluating *p, cleave_error *err)
{
    int32_t variables = cleave_circuit_variables(p->circuit);
    cleave_status status = CLEAVE_OK;
    if (p->batch) {
        cli_progress progress;
        cli_progress_begin(&progress, CLI_READING);
        status = cleave_evidence_read(&p->evidence, p->batch, variables, err);
        cli_progress_end(&progress);
        p->values = cleave_evidence_view(p->evidence);
        p->count = cleave_evidence_count(p->evidence);
        return status;
    }
    p->count = p->random ? p->random : 64;
    p->drawn = cli_alloc(p->count * variables, sizeof *p->drawn);
    for (int64_t i = 0; i < p->count * variables; i++)
        p->drawn[i] = random_value(p->opt.seed, (uint64_t)i);
    p->values = p->drawn;
    return CLEAVE_OK;
}

static cleave_status read_all(evaluating *p, cleave_error *err)
{
    cli_progress progress;
    cleave_status status = CLEAVE_OK;
    if (p->costs_file)
        status = cleave_schedule_costs_read(&p->costs, p->costs_file, err);
    if (status == CLEAVE_OK) {
        cli_progress_begin(&progress, CLI_READING);
        status = cleave_circuit_read(&p->circuit, p->path, err);
        p->seconds_read = cli_progress_end(&progress);
    }
    return status == CLEAVE_OK ? take_evidence(p, err) : status;
}

/* ---- The work ------------------------------------------------------------------------- */

static cleave_status make_ways(evaluating *p, cleave_error *err)
{
    static const char *const methods[] = {"serial", "levels"};
    cleave_status status = cleave_team_create(&p->team, p->threads, err);
    for (int w = 0; w < CLI_COMPARED && status == CLEAVE_OK; w++) {
        cleave_run_options opt = p->opt;
        opt.team = p->team;
        if (w != CLI_CHOSEN) {
            opt.method = methods[w];
            opt.params = NULL;
            opt.sync = NULL;
        }
        status = cleave_circuit_plan_create(&p->way[w].plan, p->circuit, &opt, err);
        if (status != CLEAVE_OK)
            break;
        cleave_run_info_init(&p->way[w].info, sizeof p->way[w].info);
        cleave_circuit_plan_info(p->way[w].plan, &p->way[w].info);
        p->way[w].result = cli_alloc(p->count, sizeof *p->way[w].result);
    }
    return status;
}

static cleave_status evaluate(const evaluating *p, const way *w, cleave_error *err)
{
    return cleave_circuit_evaluate(w->plan, &p->query, p->count, p->values, w->result, err);
}

/* A batch is long enough for the clock: about a millisecond. */
static cleave_status take_turn(evaluating *p, way *w, cleave_error *err)
{
    double start = cli_clock();
    for (int64_t i = 0; i < w->times; i++) {
        cleave_status status = evaluate(p, w, err);
        if (status != CLEAVE_OK)
            return status;
    }
    double seconds = (cli_clock() - start) / (double)w->times;
    double each = p->count > 0 ? seconds / (double)p->count : 0;
    if (w->seconds == 0 || each < w->seconds)
        w->seconds = each;
    double wanted = 1e-3 / (seconds > 1e-8 ? seconds : 1e-8);
    w->times = wanted < 1 ? 1 : wanted > 1e5 ? 100000 : (int64_t)wanted;
    return CLEAVE_OK;
}

/* No report is printed: the results go to standard output instead. */
static bool is_silent(const evaluating *p)
{
    return !p->json && p->output && strcmp(p->output, "-") == 0;
}

/* Batch by batch, `repeat` times or for two seconds, once where times are not printed; Ctrl-C
 * ends it early. */
static cleave_status time_ways(evaluating *p, cleave_error *err)
{
    cli_progress progress;
    cleave_status status = CLEAVE_OK;
    int32_t repeat = is_silent(p) && !p->page ? 1 : p->repeat;
    for (int w = 0; w < CLI_COMPARED; w++)
        p->way[w].times = 1;
    cli_progress_begin(&progress, CLI_COMPUTING);
    for (int32_t turn = 0; status == CLEAVE_OK && !(turn > 0 && cli_interrupted()); turn++) {
        if (repeat ? turn >= repeat : turn >= 3 && cli_clock() - progress.start > 2)
            break;
        for (int w = 0; w < CLI_COMPARED && status == CLEAVE_OK; w++)
            status = take_turn(p, &p->way[w], err);
    }
    cli_progress_end(&progress);
    return status;
}

static void compare_results(evaluating *p)
{
    const double *result = p->way[CLI_CHOSEN].result;
    size_t bytes = (size_t)p->count * sizeof *result;
    double sum = 0;
    p->same = memcmp(result, p->way[CLI_SERIAL].result, bytes) == 0 &&
              memcmp(result, p->way[CLI_LEVELS].result, bytes) == 0;
    for (int64_t i = 0; i < p->count; i++) {
        p->impossible += result[i] == -INFINITY;
        sum += result[i] == -INFINITY ? 0 : result[i];
    }
    p->mean = sum / (double)(p->count - p->impossible);
}

/* ---- The report ----------------------------------------------------------------------- */

static const char *word(const char *given, const char *otherwise)
{
    return given ? given : otherwise;
}

static void print_way(const evaluating *p, int which)
{
    static const char *const names[] = {"serial", "levels", NULL};
    const way *w = &p->way[which];
    char label[64];
    if (names[which])
        snprintf(label, sizeof label, "%s", names[which]);
    else if (strcmp(w->info.method, "serial") == 0)
        snprintf(label, sizeof label, "one thread");
    else
        snprintf(label, sizeof label, "%s, %s", w->info.method, w->info.sync);
    printf("  %-18s %7" PRId32 " %7" PRId32 " %12.3f %8.2f\n", label, w->info.threads,
           w->info.layers, w->seconds * 1e6, cli_rate(p->way[CLI_SERIAL].seconds, w->seconds));
}

static void print_text(const evaluating *p)
{
    cli_line("%s: %s of %s, %s", p->path, word(p->query.query, "sum"),
             p->batch ? p->batch : "evidence from a seed", word(p->query.space, "log"));
    cli_row("circuit", "%" PRId32 " variables, %" PRId32 " nodes, %" PRId64 " elements",
            cleave_circuit_variables(p->circuit), cleave_circuit_nodes(p->circuit),
            cleave_circuit_elements(p->circuit));
    cli_row("instances", "%" PRId64 ", %" PRId64 " impossible", p->count, p->impossible);
    if (p->count > p->impossible)
        cli_row("mean logarithm", "%.9g", p->mean);
    cli_row("threads", "%d", cleave_team_size(p->team));
    printf("\n  %-18s %7s %7s %12s %8s\n", "method", "threads", "layers", "us/instance",
           "speed-up");
    for (int w = 0; w < CLI_COMPARED; w++)
        print_way(p, w);
}

static void print_json(const evaluating *p, FILE *out)
{
    const cleave_run_info *info = &p->way[CLI_CHOSEN].info;
    cli_timed timed[CLI_COMPARED];
    cli_json json;
    for (int w = 0; w < CLI_COMPARED; w++)
        timed[w] = (cli_timed){&p->way[w].info, p->way[w].seconds};
    cli_json_begin_on(&json, out);
    cli_json_text(&json, "file", p->path);
    cli_json_int(&json, "variables", cleave_circuit_variables(p->circuit));
    cli_json_int(&json, "nodes", cleave_circuit_nodes(p->circuit));
    cli_json_int(&json, "elements", cleave_circuit_elements(p->circuit));
    cli_json_text(&json, "query", word(p->query.query, "sum"));
    cli_json_text(&json, "space", word(p->query.space, "log"));
    cli_json_int(&json, "instances", p->count);
    cli_json_int(&json, "impossible", p->impossible);
    cli_json_real(&json, "mean_log", p->mean);
    cli_json_unsigned(&json, "seed", p->opt.seed);
    cli_run_json_plans(&json, p->team, timed);
    cli_json_int(&json, "waits", info->waits);
    cli_json_bool(&json, "bits_equal", p->same);
    cli_run_json_speedups(&json, timed);
    cli_run_json_seconds(&json, timed);
    cli_json_real(&json, "seconds_analysis", info->seconds_analysis);
    cli_json_real(&json, "seconds_read", p->seconds_read);
    cli_json_end(&json);
}

/* The circuit as a DAG, and the results. */
static int write_page(const evaluating *p)
{
    cleave_error err = {0};
    cleave_graph *g = NULL;
    cleave_view_options opt;
    cli_page page = {0};
    if (!p->page)
        return CLI_OK;
    cli_page_begin(&page);
    print_json(p, page.out);
    cli_page_end(&page, &opt, "run circuit", p->path);
    cleave_status status = cleave_circuit_graph(&g, p->circuit, &err);
    if (status == CLEAVE_OK)
        status = cleave_view_graph(p->page, g, NULL, NULL, &opt, &err);
    cleave_graph_free(g);
    return cli_page_close(&page, status, &err, p->page);
}

/* ---- All of it ------------------------------------------------------------------------ */

/* An invalid circuit is bad input, not wrong usage. */
static int fail(const evaluating *p, cleave_status status, const cleave_error *err)
{
    if (status != CLEAVE_EINVAL || !p->circuit)
        return cli_fail(status, err);
    cli_complain("%s: %s", p->path, err->message);
    return CLI_BAD_INPUT;
}

static int finish(evaluating *p)
{
    compare_results(p);
    if (p->json)
        print_json(p, stdout);
    else if (!is_silent(p))
        print_text(p);
    int flushed = cli_flush(), drawn = write_page(p);
    if (!p->same) {
        cli_complain("the results of the methods are not the same bit for bit");
        return CLI_NOT_MET;
    }
    if (cli_interrupted())
        return CLI_SIGNALLED + cli_interrupted();
    return flushed != CLI_OK ? flushed : drawn;
}

static int evaluate_circuit(evaluating *p)
{
    cleave_error err = {0};
    cleave_status status = read_all(p, &err);
    if (status == CLEAVE_OK)
        status = make_ways(p, &err);
    if (status == CLEAVE_OK)
        status = time_ways(p, &err);
    if (status == CLEAVE_OK && p->output) {
        cli_progress progress;
        cli_progress_begin(&progress, CLI_WRITING);
        status = cleave_results_write(p->output, p->count, p->way[CLI_CHOSEN].result, &err);
        cli_progress_end(&progress);
    }
    return status == CLEAVE_OK ? finish(p) : fail(p, status, &err);
}

static void evaluating_free(evaluating *p)
{
    for (int w = 0; w < CLI_COMPARED; w++) {
        cleave_circuit_plan_free(p->way[w].plan);
        free(p->way[w].result);
    }
    cleave_team_free(p->team);
    cleave_evidence_free(p->evidence);
    free(p->drawn);
    cleave_circuit_free(p->circuit);
}

int cli_run_circuit(int argc, char **argv)
{
    evaluating p = {.mean = NAN};
    cleave_run_options_init(&p.opt, sizeof p.opt);
    cleave_circuit_options_init(&p.query, sizeof p.query);
    cleave_schedule_costs_init(&p.costs, sizeof p.costs);
    const cli_option options[] = {
        CLI_RUN_THREADS_OPTION(&p.threads),
        {CLI_STRING, 0, "batch", "FILE", "evidence: 0, 1 or ? per variable, a line each",
         &p.batch, 0},
        {CLI_COUNT, 0, "random", "N", "instances drawn from the seed (default 64)", &p.random,
         1},
        {CLI_CHOICE, 0, "query", "sum|max",
         "probability of the evidence, or of the best assignment (default sum)",
         &p.query.query, 0},
        {CLI_CHOICE, 0, "space", "log|linear",
         "arithmetic: logarithms or probabilities (default log)", &p.query.space, 0},
        CLI_RUN_SCHEDULE_OPTIONS(&p.opt),
        CLI_RUN_COSTS_OPTION(&p.costs_file),
        CLI_RUN_REPEAT_OPTION(&p.repeat),
        {CLI_STRING, 0, "seed", "N", "random seed of evidence and schedules (default 1)",
         &p.seed_text, 0},
        {CLI_STRING, 'o', "output", "FILE", "the results, a logarithm per line", &p.output, 0},
        CLI_REPORT_OPTION(&p.page),
        CLI_JSON_OPTION(&p.json),
        {0}};
    const cli_usage usage = {
        "run circuit",
        "CIRCUIT.psdd",
        1,
        1,
        "Evaluates a probabilistic circuit for a batch of evidence. It is timed in turn with\n"
        "the simple program, one node after the other, serially and by levels with barriers;\n"
        "the best time of each is reported. Results are natural logarithms; the mean is over\n"
        "possible evidence. The exit status is 1 when the results of the methods differ in "
        "any\n"
        "bit.",
        options};
    int count, status = cli_parse(&usage, argc, argv, &count);
    if (status == CLI_GO_ON)
        status = check_usage(&p, argv);
    if (status == CLI_GO_ON)
        status = evaluate_circuit(&p);
    evaluating_free(&p);
    return status;
}
