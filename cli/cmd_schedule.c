/* SPDX-License-Identifier: Apache-2.0 */
/* cleave schedule DAG -p P: super layers for P threads; with --check it evaluates an existing
 * schedule.  cleave schedule TASKS -t TARGET --objective makespan: cli/task_scheduling.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/graph_io.h"
#include "cli/minizinc.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/report_page.h"
#include "cli/schedule_evaluation.h"
#include "cli/schedule_rows.h"
#include "cli/task_scheduling.h"

typedef struct scheduling {
    cli_input input;
    cli_outputs outputs;   /* the schedule and its mapping */
    const char *graph;     /* path */
    const char *check;     /* path of the schedule to be evaluated; NULL: build one */
    const char *objective; /* NULL: "layers" */
    const char *method, *params, *seed_text, *costs_file;
    const char *solver, *export_model, *page; /* page: --report */
    cli_minizinc minizinc;
    cli_tasks tasks;                /* --objective makespan */
    int32_t threads, alpha, ws, wc; /* 0, and -1 for the last three: not given */
    bool no_window, no_components, no_coarsening, split_rows, json, table;
    char text[256]; /* params and the options that are shortcuts for some */
    cleave_schedule_options opt;
    cli_schedule_facts facts;
    cleave_graph *g;
    cleave_schedule *s;
    bool row_weights; /* weights are the non-zeros of rows */
    cli_times times;
} scheduling;

/* ---- The command line ----------------------------------------------------------------- */

/* Returns false when the buffer is full. */
static bool append(scheduling *p, const char *piece)
{
    size_t used = strlen(p->text), room = sizeof p->text - used;
    return (size_t)snprintf(p->text + used, room, "%s%s", used ? "," : "", piece) < room;
}

static bool append_number(scheduling *p, const char *key, int32_t number)
{
    char piece[64];
    snprintf(piece, sizeof piece, "%s=%" PRId32, key, number);
    return append(p, piece);
}

static int take_params(scheduling *p)
{
    bool fits = true;
    if (p->no_window)
        fits = fits && append_number(p, "window", 0);
    if (p->no_components)
        fits = fits && append_number(p, "components", 0);
    if (p->no_coarsening)
        fits = fits && append_number(p, "coarsening", 0);
    if (p->alpha > 0)
        fits = fits && append_number(p, "alpha", p->alpha);
    if (p->ws >= 0)
        fits = fits && append_number(p, "ws", p->ws);
    if (p->wc >= 0)
        fits = fits && append_number(p, "wc", p->wc);
    if (p->params)
        fits = fits && append(p, p->params);
    if (!fits)
        return cli_usage_error("schedule", "--params is too long");
    bool graphopt = p->method && strcmp(p->method, "graphopt") == 0;
    if (p->text[0] && !graphopt)
        return cli_usage_error("schedule", "%s is for --method graphopt", p->text);
    if ((p->solver || p->export_model) && !graphopt)
        return cli_usage_error("schedule", "--%s is for --method graphopt",
                               p->solver ? "solver" : "export-model");
    p->opt.params = p->text[0] ? p->text : NULL;
    return CLI_GO_ON;
}

static int take_solver(scheduling *p)
{
    int status =
        cli_minizinc_init(&p->minizinc, p->solver, p->export_model, p->opt.time_limit);
    if (cli_minizinc_wanted(&p->minizinc)) {
        p->opt.solver = cli_minizinc_solve;
        p->opt.solver_payload = &p->minizinc;
    }
    return status == CLI_OK ? CLI_GO_ON : status;
}

/* The default output is next to the graph. */
static int check_output(scheduling *p)
{
    char suffix[32];
    snprintf(suffix, sizeof suffix, ".schedule.%" PRId32, p->threads);
    cli_outputs_beside(&p->outputs, p->graph, suffix);
    return cli_outputs_check("schedule", &p->outputs, p->graph, 0, p->json);
}

static int check_of_existing(const scheduling *p)
{
    if (p->page)
        return cli_usage_error("schedule", "--report is not for --check; 'cleave view "
                                           "--schedule' draws an existing schedule");
    if (p->threads || p->method || p->text[0] || p->split_rows || p->outputs.mapping)
        return cli_usage_error("schedule",
                               "--check evaluates an existing schedule: it excludes -p, "
                               "-o, --method, --split-rows and options of a method");
    if (strcmp(p->check, "-") == 0 && strcmp(p->graph, "-") == 0)
        return cli_usage_error("schedule", "only one of the two files can be '-'");
    return CLI_GO_ON;
}

static bool is_one_of(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(word, *list) == 0)
            return true;
    return false;
}

static bool wants_makespan(const scheduling *p)
{
    return p->objective && strcmp(p->objective, "makespan") == 0;
}

/* A schedule of tasks on a machine has other options than one in layers. */
static int check_tasks(scheduling *p)
{
    cli_tasks *tasks = &p->tasks;
    if (!tasks->target)
        return cli_usage_error("schedule", "--objective makespan needs a machine: -t TARGET");
    if (p->threads || p->params || p->solver || p->export_model || p->costs_file || p->page ||
        p->table || p->split_rows || p->no_window || p->no_components || p->no_coarsening ||
        p->alpha || p->ws >= 0 || p->wc >= 0)
        return cli_usage_error("schedule", "-p, --costs, --layers, --split-rows, --report and "
                                           "options of graphopt are for schedules in layers");
    if (p->check && (p->method || p->outputs.mapping))
        return cli_usage_error("schedule", "--check evaluates an existing schedule: it "
                                           "excludes -o and --method");
    if (p->check && strcmp(p->check, "-") == 0 && strcmp(p->graph, "-") == 0)
        return cli_usage_error("schedule", "only one of the two files can be '-'");
    if (p->method &&
        is_one_of(p->method, (const char *[]){"graphopt", "grow", "levels", NULL}))
        return cli_usage_error("schedule", "--method %s is for schedules in layers",
                               p->method);
    tasks->graph = p->graph;
    tasks->check = p->check;
    tasks->method = p->method;
    tasks->time_limit = p->opt.time_limit;
    tasks->seed = p->opt.seed;
    tasks->json = p->json;
    tasks->input = &p->input;
    tasks->outputs = &p->outputs;
    if (p->check)
        return CLI_GO_ON;
    cli_outputs_beside(&p->outputs, p->graph, ".tasks");
    return cli_outputs_check("schedule", &p->outputs, p->graph, 0, p->json);
}

static int check_layers(scheduling *p)
{
    const cli_tasks *tasks = &p->tasks;
    if (tasks->target || tasks->effort || tasks->bandwidth >= 0 || tasks->latency >= 0)
        return cli_usage_error("schedule", "-t, --bandwidth, --latency and --effort are for "
                                           "--objective makespan");
    if (p->method && !is_one_of(p->method, (const char *[]){"auto", "graphopt", "grow",
                                                            "levels", "serial", NULL}))
        return cli_usage_error("schedule", "--method %s is for --objective makespan",
                               p->method);
    return take_params(p);
}

static int check_usage(scheduling *p, char **operands)
{
    p->graph = operands[0];
    int status = cli_input_check("schedule", &p->input);
    if (status == CLI_GO_ON)
        status = cli_take_seed("schedule", p->seed_text, &p->opt.seed);
    if (status == CLI_GO_ON && wants_makespan(p))
        return check_tasks(p);
    if (status == CLI_GO_ON)
        status = check_layers(p);
    if (status == CLI_GO_ON)
        status = take_solver(p);
    if (status == CLI_GO_ON)
        status = cli_page_check("schedule", p->page, p->graph);
    if (status == CLI_GO_ON && p->check)
        return check_of_existing(p);
    if (status == CLI_GO_ON && p->threads == 0)
        return cli_usage_error("schedule", "missing number of threads: -p THREADS");
    if (status == CLI_GO_ON)
        status = check_output(p);
    p->opt.method = p->method;
    p->opt.threads = p->threads;
    p->opt.split_rows = p->split_rows;
    p->opt.workers = p->input.threads;
    p->opt.costs = &p->facts.costs;
    return status;
}

/* ---- The work ------------------------------------------------------------------------- */

static cleave_status read_all(scheduling *p, cleave_error *err)
{
    cleave_status status = CLEAVE_OK;
    if (p->costs_file)
        status = cleave_schedule_costs_read(&p->facts.costs, p->costs_file, err);
    if (status == CLEAVE_OK)
        status = cli_graph_read(&p->g, p->graph, &p->input, NULL, &p->times.read, err);
    if (status == CLEAVE_OK && (p->split_rows || cli_schedule_check_triangle(&p->input)))
        status = cli_schedule_check_weigh(&p->g, &p->row_weights, err);
    return status;
}

static cleave_status build(scheduling *p, cleave_error *err)
{
    cli_progress progress;
    p->opt.progress = cli_progress_report;
    p->opt.payload = &progress;
    cli_progress_begin(&progress, CLI_COMPUTING);
    cleave_status status = cleave_schedule_build(&p->s, p->g, &p->opt, err);
    p->times.work = cli_progress_end(&progress);
    return status;
}

static cleave_status write_schedule(scheduling *p, cleave_error *err)
{
    cli_progress progress;
    cli_progress_begin(&progress, CLI_WRITING);
    cleave_status status = cleave_schedule_write(p->s, p->outputs.mapping, err);
    p->times.write = cli_progress_end(&progress);
    return status;
}

/* ---- The report ----------------------------------------------------------------------- */

static void print_text(const scheduling *p, const cli_schedule_report *r)
{
    cli_schedule_rows(&p->facts, r);
    cli_times_row(&p->times);
}

static void print_json(const scheduling *p, const cli_schedule_report *r, FILE *out)
{
    cli_json json;
    cli_json_begin_on(&json, out);
    cli_schedule_json_head(&json, r);
    cli_json_unsigned(&json, "seed", p->opt.seed);
    cli_schedule_json(&json, &p->facts, r);
    cli_json_times(&json, &p->times);
    cli_json_end(&json);
}

static int write_page(const scheduling *p, const cli_schedule_report *r)
{
    cleave_error err = {0};
    cleave_view_options opt;
    cli_page page = {0};
    if (!p->page)
        return CLI_OK;
    cli_page_begin(&page);
    print_json(p, r, page.out);
    cli_page_end(&page, &opt, "schedule", p->graph);
    cleave_status status =
        cleave_view_schedule(p->page, p->g, p->s, &p->facts.costs, &opt, &err);
    return cli_page_close(&page, status, &err, p->page);
}

static int finish(scheduling *p)
{
    const cli_schedule_report r = {.graph = p->graph,
                                   .schedule = p->outputs.mapping,
                                   .g = p->g,
                                   .s = p->s,
                                   .params = p->opt.params,
                                   .row_weights = p->row_weights,
                                   .table = p->table};
    if (p->json)
        print_json(p, &r, stdout);
    else if (!cli_outputs_piped(&p->outputs))
        print_text(p, &r);
    int flushed = cli_flush(), drawn = write_page(p, &r);
    return drawn > flushed ? drawn : flushed;
}

/* Evaluates an existing schedule. */
static int check(const scheduling *p)
{
    const cli_schedule_check asked = {.graph = p->graph,
                                      .schedule = p->check,
                                      .input = &p->input,
                                      .costs_file = p->costs_file,
                                      .json = p->json,
                                      .table = p->table};
    return cli_schedule_check_run(&asked);
}

/* After Ctrl-C: only the work needed to save the schedule. */
static int write_interrupted(scheduling *p)
{
    cleave_error err = {0};
    cleave_status status = write_schedule(p, &err);
    return status == CLEAVE_OK ? cli_outputs_interrupted(&p->outputs) : cli_fail(status, &err);
}

static int schedule_graph(scheduling *p)
{
    cleave_error err = {0};
    if (p->check)
        return check(p);
    cleave_status status = read_all(p, &err);
    if (status == CLEAVE_OK) {
        status = build(p, &err);
        if (status == CLEAVE_ECANCEL && p->s)
            return write_interrupted(p);
        if (status != CLEAVE_OK)
            return cli_minizinc_fail(&p->minizinc, status, &err);
        cli_minizinc_end(&p->minizinc);
    }
    if (status == CLEAVE_OK)
        status = cli_schedule_measure(&p->facts, p->g, p->s, &err);
    if (status == CLEAVE_OK)
        status = write_schedule(p, &err);
    return status == CLEAVE_OK ? finish(p) : cli_fail(status, &err);
}

static void scheduling_free(scheduling *p)
{
    free(p->facts.work);
    cleave_schedule_free(p->s);
    cleave_graph_free(p->g);
    cli_outputs_free(&p->outputs);
}

static const char about[] =
    "Gives every vertex of a DAG a super layer and a thread. Inside a layer no arc joins\n"
    "two threads, so that threads synchronise between layers only. Methods: auto (the\n"
    "cheapest of several growths on as many threads as are useful, of graphopt where the\n"
    "DAG is small, and of serial), grow (layers for all threads together), graphopt\n"
    "(recursive two-way splits, Shah et al. 2022), levels (one layer per level of the\n"
    "DAG), serial. The schedule is written to DAG.schedule.P, lines 'vertex layer "
    "thread'\n"
    "in the order of execution. --as lower or --as upper reads a triangular matrix as a\n"
    "DAG; the weight of a row is its number of non-zeros.\n"
    "\n"
    "--objective makespan schedules tasks on a machine: vertex weights are work, and data c\n"
    "of an arc take d (L + c / B) to a PE at distance d. Methods: auto (the best of several\n"
    "list schedules, then local search), heft and others. The schedule is written to\n"
    "TASKS.tasks, a line 'pe start' for each task.";

int cmd_schedule(int argc, char **argv)
{
    scheduling p = {.ws = -1, .wc = -1, .tasks = {.bandwidth = -1, .latency = -1}};
    cli_input_init(&p.input);
    cleave_schedule_options_init(&p.opt, sizeof p.opt);
    cleave_schedule_costs_init(&p.facts.costs, sizeof p.facts.costs);
    const cli_option options[] = {
        {CLI_COUNT, 'p', "p", "THREADS", "number of threads", &p.threads, 1},
        {CLI_STRING, 'o', "output", "FILE", "the schedule (default: DAG.schedule.P)",
         &p.outputs.mapping, 0},
        {CLI_CHOICE, 0, "objective", "layers|makespan",
         "layers for -p threads (default), or a makespan on -t TARGET", &p.objective, 0},
        {CLI_CHOICE, 0, "method",
         "auto|graphopt|grow|levels|serial|heft|lookahead|cpop|peft|etf|dls|minmin|maxmin|"
         "sufferage|dsc|partition",
         "method (default auto; from heft on: makespan)", &p.method, 0},
        CLI_TASK_OPTIONS(&p.tasks),
        {CLI_FLAG, 0, "split-rows", NULL, "split heavy rows into several tasks", &p.split_rows,
         0},
        {CLI_STRING, 0, "costs", "FILE", "file of costs from 'cleave bench calibrate'",
         &p.costs_file, 0},
        {CLI_STRING, 0, "check", "FILE", "evaluate this schedule instead of building one",
         &p.check, 0},
        {CLI_FLAG, 0, "layers", NULL, "print the work of each thread in each layer", &p.table,
         0},
        {CLI_FLAG, 0, "no-window", NULL, "graphopt: without S1, all layers at once",
         &p.no_window, 0},
        {CLI_FLAG, 0, "no-components", NULL, "graphopt: without S2", &p.no_components, 0},
        {CLI_FLAG, 0, "no-coarsening", NULL, "graphopt: without S3", &p.no_coarsening, 0},
        {CLI_COUNT, 0, "alpha", "N", "graphopt: size of the window (default 4)", &p.alpha, 1},
        {CLI_COUNT, 0, "ws", "N", "graphopt: weight of the smaller part (default 10)", &p.ws,
         0},
        {CLI_COUNT, 0, "wc", "N", "graphopt: weight of a crossing edge (default 1)", &p.wc, 0},
        {CLI_STRING, 0, "params", "LIST", "graphopt: more of its parameters, coarse=1000,...",
         &p.params, 0},
        {CLI_STRING, 0, "solver", "builtin|minizinc[:SOLVER]",
         "graphopt: solver of the two-way model (default builtin)", &p.solver, 0},
        {CLI_STRING, 0, "export-model", "PREFIX",
         "graphopt: keep all instances, PREFIX.mzn and PREFIX-1.dzn, ...", &p.export_model, 0},
        CLI_TIME_LIMIT_OPTION("schedule", &p.opt.time_limit),
        {CLI_STRING, 0, "seed", "N", "graphopt: random seed (default 1)", &p.seed_text, 0},
        CLI_REPORT_OPTION(&p.page),
        CLI_JSON_OPTION(&p.json),
        CLI_INPUT_OPTIONS(&p.input, CLI_AS_KINDS),
        {0}};
    const cli_usage usage = {"schedule", "DAG -p THREADS", 1, 1, about, options};
    int count, status = cli_parse(&usage, argc, argv, &count);
    if (status == CLI_GO_ON)
        status = check_usage(&p, argv);
    if (status == CLI_GO_ON)
        status = wants_makespan(&p) ? cli_tasks_schedule(&p.tasks) : schedule_graph(&p);
    scheduling_free(&p);
    return status;
}
