/* SPDX-License-Identifier: Apache-2.0 */
/* cleave run solve A.mtx: solves triangular systems serially, by levels, and by the selected
 * method, and compares them. */
#include "cli/run_solve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/graph_io.h"
#include "cli/progress.h"
#include "cli/run_common.h"
#include "cli/run_report.h"

/* ---- The command line ----------------------------------------------------------------- */

static int take_kind(cli_solving *p)
{
    const bool given[] = {p->lower, p->upper, p->ic0, p->ilu0, p->factor};
    int count = 0;
    for (int i = 0; i < 5; i++)
        if (given[i]) {
            count++;
            p->system.kind = (cli_system_kind)(CLI_SYSTEM_LOWER + i);
        }
    if (count > 1)
        return cli_usage_error("run solve",
                               "only one of --lower, --upper, --ic0, --ilu0 and --factor");
    if (p->system.unit && p->system.kind >= CLI_SYSTEM_IC0)
        return cli_usage_error("run solve", "--unit is for triangles, not for factors");
    if (p->system.transpose &&
        (p->system.kind == CLI_SYSTEM_IC0 || p->system.kind == CLI_SYSTEM_FACTOR))
        return cli_usage_error("run solve",
                               "--transpose changes nothing for a symmetric matrix");
    return CLI_GO_ON;
}

static int check_usage(cli_solving *p, char **operands)
{
    p->path = operands[0];
    int status = cli_take_seed("run solve", p->seed_text, &p->opt.seed);
    if (status == CLI_GO_ON)
        status = take_kind(p);
    if (status == CLI_GO_ON && p->split_rows && p->no_split_rows)
        return cli_usage_error("run solve", "--split-rows and --no-split-rows at once");
    if (status == CLI_GO_ON && p->b_file && strcmp(p->b_file, "-") == 0 &&
        strcmp(p->path, "-") == 0)
        return cli_usage_error("run solve", "only one of the two files can be '-'");
    if (status == CLI_GO_ON && p->json && p->output && strcmp(p->output, "-") == 0)
        return cli_usage_error("run solve", "--json and -o - both write to standard output");
    if (status == CLI_GO_ON && p->output && strcmp(p->output, p->path) == 0 &&
        strcmp(p->path, "-") != 0)
        return cli_usage_error("run solve", "-o would replace the matrix '%s'", p->path);
    if (status == CLI_GO_ON && p->output && p->b_file && strcmp(p->output, p->b_file) == 0 &&
        strcmp(p->b_file, "-") != 0)
        return cli_usage_error("run solve", "-o would replace the right-hand sides '%s'",
                               p->b_file);
    if (status == CLI_GO_ON && p->trace_file && !cleave_view_format_of_path(p->trace_file))
        return cli_usage_error("run solve",
                               "'%s': unknown trace format; use .json, .html or .svg",
                               p->trace_file);
    if (status == CLI_GO_ON)
        status = cli_page_check("run solve", p->page, p->path);
    if (status == CLI_GO_ON)
        status = cli_check_params("run solve", &p->opt);
    p->opt.split_rows = p->split_rows ? 1 : p->no_split_rows ? 0 : -1;
    p->opt.costs = p->costs_file ? &p->costs : NULL;
    return status;
}

/* ---- The work ------------------------------------------------------------------------- */

/* Numbers in [-1, 1) that depend only on the seed and the position. */
static double random_number(uint64_t seed, uint64_t place)
{
    return (double)(cli_random_bits(seed, place) >> 11) * 0x1p-52 - 1;
}

/* Converts b from the user's order to that of the sweeps. */
static void arrange_sides(cli_solving *p, const double *given)
{
    cli_sides *to = &p->sides;
    int64_t n = p->system.n;
    for (int64_t c = 0; c < to->columns; c++)
        for (int64_t i = 0; i < n; i++) {
            int64_t from = p->system.order ? p->system.order[i] : i;
            double value = given[c * n + from];
            to->b[c * n + i] = to->single ? (float)value : value;
        }
    to->b_typed = to->b;
    if (to->single) {
        float *rounded = cli_alloc(n * to->columns, sizeof *rounded);
        for (int64_t k = 0; k < n * to->columns; k++)
            rounded[k] = (float)to->b[k];
        to->b_typed = rounded;
    }
}

static cleave_status make_sides(cli_solving *p, cleave_error *err)
{
    cleave_status status = CLEAVE_OK;
    int64_t count = (int64_t)p->system.n * p->sides.columns;
    double *given = cli_alloc(count, sizeof *given);
    p->sides.b = cli_alloc(count, sizeof *p->sides.b);
    if (p->b_file) {
        cli_progress progress;
        cli_progress_begin(&progress, CLI_READING);
        status = cleave_vectors_read(given, p->system.n, p->sides.columns, p->b_file, err);
        cli_progress_end(&progress);
    }
    for (int64_t k = 0; k < count && !p->b_file; k++)
        given[k] = random_number(p->opt.seed, (uint64_t)k);
    if (status == CLEAVE_OK)
        arrange_sides(p, given);
    free(given);
    return status;
}

/* The solution in the user's order. */
static cleave_status write_solution(const cli_solving *p, const cli_way *way,
                                    cleave_error *err)
{
    int64_t n = p->system.n, columns = p->sides.columns;
    double *x = cli_alloc(n * columns, sizeof *x);
    for (int64_t c = 0; c < columns; c++)
        for (int64_t i = 0; i < n; i++) {
            int64_t from = c * n + i, to = p->system.order ? p->system.order[i] : i;
            x[c * n + to] = p->sides.single ? (double)((const float *)way->x)[from]
                                            : ((const double *)way->x)[from];
        }
    cli_progress progress;
    cli_progress_begin(&progress, CLI_WRITING);
    cleave_status status =
        cleave_vectors_write(x, p->system.n, p->sides.columns, p->output, err);
    cli_progress_end(&progress);
    free(x);
    return status;
}

static void make_rows(cli_solving *p)
{
    cleave_matrix_csr view;
    cleave_matrix_csr_init(&view, sizeof view);
    cleave_matrix_view(p->system.sweep[0].a, &view);
    int64_t count = view.xadj[view.nrow];
    if (p->sides.single) {
        p->system.val32 = cli_alloc(count, sizeof *p->system.val32);
        for (int64_t k = 0; k < count; k++)
            p->system.val32[k] = (float)view.val[k];
    }
    for (int i = 0; i < p->system.sweeps; i++)
        cli_rows_make(&p->rows[i], &p->system.sweep[i], p->sides.single);
}

/* Level scheduling with a barrier after each level is the baseline. */
static cleave_status add_plan(cli_solving *p, const char *name, bool levels, cleave_error *err)
{
    cleave_run_options opt = p->opt;
    opt.team = p->team;
    opt.pair = p->system.sweeps > 1;
    if (levels) {
        opt.method = "levels";
        opt.params = NULL;
        opt.sync = "barrier";
        opt.split_rows = 0;
    }
    cli_way *way = &p->way[p->ways++];
    way->name = name;
    return cli_way_plan(way, &p->system, p->rows, &p->sides, &opt, err);
}

static cleave_status make_ways(cli_solving *p, cleave_error *err)
{
    cleave_status status = cleave_team_create(&p->team, p->threads, err);
    make_rows(p);
    cli_way_serial(&p->way[p->ways++], &p->system, p->rows, &p->sides);
    if (status == CLEAVE_OK)
        status = add_plan(p, "levels", true, err);
    if (status == CLEAVE_OK)
        status = add_plan(p, "chosen", false, err);
    return status;
}

/* ---- Trace of a solve ----------------------------------------------------------------- */

/* The fastest of several solves, because disturbances only add time. */
static cleave_status trace_plan(cleave_trace **best, cleave_trsv *plan, cleave_error *err)
{
    enum { solves = 30 };
    for (int i = 0; i < solves; i++) {
        cleave_trace *now;
        cleave_status status = cleave_trsv_trace(&now, plan, err);
        if (status != CLEAVE_OK)
            return status;
        if (!*best || cleave_trace_seconds(now) < cleave_trace_seconds(*best)) {
            cleave_trace *slower = *best;
            *best = now;
            now = slower;
        }
        cleave_trace_free(now);
    }
    return CLEAVE_OK;
}

static cleave_status write_trace(const cli_solving *p, const char *path,
                                 const cleave_view_options *opt, cleave_error *err)
{
    const cli_way *way = &p->way[p->ways - 1];
    cleave_trace *trace[2] = {NULL, NULL};
    cleave_status status = CLEAVE_OK;
    for (int i = 0; i < p->system.sweeps && status == CLEAVE_OK; i++)
        status = trace_plan(&trace[i], way->plan[i], err);
    if (status == CLEAVE_OK)
        status = cleave_view_trace(path, p->system.sweeps, (const cleave_trace *const *)trace,
                                   opt, err);
    for (int i = 0; i < 2; i++)
        cleave_trace_free(trace[i]);
    return status;
}

static cleave_status write_own_trace(const cli_solving *p, cleave_error *err)
{
    cleave_view_options opt;
    cleave_view_options_init(&opt, sizeof opt);
    const char *slash = strrchr(p->path, '/');
    opt.title = strcmp(p->path, "-") == 0 ? "standard input" : slash ? slash + 1 : p->path;
    return write_trace(p, p->trace_file, &opt, err);
}

static int write_page(const cli_solving *p)
{
    cleave_error err = {0};
    cleave_view_options opt;
    cli_page page = {0};
    if (!p->page)
        return CLI_OK;
    cli_page_begin(&page);
    cli_solving_json(p, page.out);
    cli_page_end(&page, &opt, "run solve", p->path);
    cleave_status status = write_trace(p, p->page, &opt, &err);
    return cli_page_close(&page, status, &err, p->page);
}

/* ---- All of it ------------------------------------------------------------------------ */

/* An invalid matrix is bad input, not wrong usage. */
static int fail(const cli_solving *p, cleave_status status, const cleave_error *err)
{
    if (status != CLEAVE_EINVAL)
        return cli_fail(status, err);
    bool counted = strstr(err->message, "row ") && !strstr(err->message, "counted from 0");
    const char *name = strcmp(p->path, "-") == 0 ? "standard input" : p->path;
    cli_complain("%s: %s%s", name, err->message, counted ? " (rows count from 0)" : "");
    return CLI_BAD_INPUT;
}

/* No report is printed: the solution goes to standard output instead. */
static bool is_silent(const cli_solving *p)
{
    return !p->json && !p->page && p->output && strcmp(p->output, "-") == 0;
}

static cleave_status time_ways(cli_solving *p, cleave_error *err)
{
    cleave_status status = cli_ways_check(p->way, p->ways, &p->system, &p->sides, err);
    if (is_silent(p))
        return status;
    if (status == CLEAVE_OK)
        status = cleave_bandwidth_measure(&p->bandwidth, cleave_team_size(p->team), err);
    if (status == CLEAVE_OK)
        status = cli_ways_time(p->way, p->ways, &p->system, &p->sides, p->repeat, err);
    return status;
}

/* A solution that differs in any bit is an error. */
static int check_solutions(const cli_solving *p)
{
    for (int w = 1; w < p->ways; w++)
        if (!p->way[w].same) {
            cli_complain("the solution by method %s is not bit for bit the serial one",
                         p->way[w].info.method);
            return CLI_NOT_MET;
        }
    return cli_interrupted() ? CLI_SIGNALLED + cli_interrupted() : CLI_OK;
}

static int solve_system(cli_solving *p)
{
    cleave_error err = {0};
    cli_input input;
    cli_input_init(&input);
    cleave_status status = CLEAVE_OK;
    if (p->costs_file)
        status = cleave_schedule_costs_read(&p->costs, p->costs_file, &err);
    if (status == CLEAVE_OK)
        status = cli_matrix_read(&p->system.a, p->path, &input, &p->seconds_read, &err);
    if (status == CLEAVE_OK)
        status = cli_system_make(&p->system, &err);
    if (status == CLEAVE_OK)
        status = make_sides(p, &err);
    if (status == CLEAVE_OK)
        status = make_ways(p, &err);
    if (status == CLEAVE_OK)
        status = time_ways(p, &err);
    if (status == CLEAVE_OK && p->output)
        status = write_solution(p, &p->way[p->ways - 1], &err);
    if (status == CLEAVE_OK && p->trace_file)
        status = write_own_trace(p, &err);
    if (status != CLEAVE_OK)
        return fail(p, status, &err);
    if (p->json)
        cli_solving_json(p, stdout);
    else if (!p->output || strcmp(p->output, "-") != 0)
        cli_solving_text(p);
    int flushed = cli_flush(), checked = check_solutions(p), drawn = write_page(p);
    return checked != CLI_OK ? checked : flushed != CLI_OK ? flushed : drawn;
}

static void solving_free(cli_solving *p)
{
    for (int w = 0; w < p->ways; w++)
        cli_way_free(&p->way[w]);
    cleave_team_free(p->team);
    for (int i = 0; i < 2; i++)
        cli_rows_free(&p->rows[i]);
    if (p->sides.b_typed != p->sides.b)
        free(p->sides.b_typed);
    free(p->sides.b);
    cli_system_free(&p->system);
}

static const char about[] =
    "Solves a sparse triangular system by a schedule of super layers. It is timed in "
    "turn\n"
    "with a plain serial solve and with levels and barriers; the best time of each is\n"
    "reported. A matrix that is not triangular gives its lower triangle, unless an "
    "option\n"
    "says otherwise. 'memory' is the share of the memory bandwidth of that many threads\n"
    "(above 100 % when the system fits into caches), 'analysis' the time before the "
    "first\n"
    "solve in serial solves. The exit status is 1 when a solution differs from the "
    "serial\n"
    "one in any bit.";

int cli_run_solve(int argc, char **argv)
{
    cli_solving p = {.sides.columns = 1};
    cleave_run_options_init(&p.opt, sizeof p.opt);
    cleave_schedule_costs_init(&p.costs, sizeof p.costs);
    const cli_option options[] = {
        {CLI_FLAG, 0, "lower", NULL, "the lower triangle of the matrix", &p.lower, 0},
        {CLI_FLAG, 0, "upper", NULL, "the upper triangle", &p.upper, 0},
        {CLI_FLAG, 0, "ic0", NULL, "incomplete Cholesky factor, both sweeps", &p.ic0, 0},
        {CLI_FLAG, 0, "ilu0", NULL, "incomplete LU factors, both sweeps", &p.ilu0, 0},
        {CLI_FLAG, 0, "factor", NULL, "exact Cholesky factor, both sweeps", &p.factor, 0},
        {CLI_FLAG, 0, "transpose", NULL, "solve with the transpose", &p.system.transpose, 0},
        {CLI_FLAG, 0, "unit", NULL, "the diagonal is 1, values in the file are ignored",
         &p.system.unit, 0},
        CLI_RUN_THREADS_OPTION(&p.threads),
        CLI_RUN_SCHEDULE_OPTIONS(&p.opt),
        {CLI_FLAG, 0, "split-rows", NULL, "split heavy rows into several tasks", &p.split_rows,
         0},
        {CLI_FLAG, 0, "no-split-rows", NULL,
         "do not split rows (default: split where it is faster)", &p.no_split_rows, 0},
        CLI_RUN_COSTS_OPTION(&p.costs_file),
        {CLI_STRING, 'b', "b", "FILE", "right-hand sides (default: from the seed)", &p.b_file,
         0},
        {CLI_COUNT, 0, "rhs", "N", "how many right-hand sides (default 1)", &p.sides.columns,
         1},
        {CLI_STRING, 'o', "output", "FILE", "the solution, a Matrix Market array", &p.output,
         0},
        {CLI_STRING, 0, "trace", "FILE",
         "timeline of the threads: .json (chrome://tracing), .html or .svg", &p.trace_file, 0},
        {CLI_FLAG, 0, "float", NULL, "in single precision", &p.sides.single, 0},
        CLI_RUN_REPEAT_OPTION(&p.repeat),
        {CLI_STRING, 0, "seed", "N",
         "random seed of right-hand sides and schedules (default 1)", &p.seed_text, 0},
        CLI_REPORT_OPTION(&p.page),
        CLI_JSON_OPTION(&p.json),
        {0}};
    const cli_usage usage = {"run solve", "A.mtx", 1, 1, about, options};
    int count, status = cli_parse(&usage, argc, argv, &count);
    if (status == CLI_GO_ON)
        status = check_usage(&p, argv);
    if (status == CLI_GO_ON)
        status = solve_system(&p);
    solving_free(&p);
    return status;
}
