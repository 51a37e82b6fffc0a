/* SPDX-License-Identifier: Apache-2.0 */
/* Times several methods for solving a system, interleaved. */
#include "cli/run_ways.h"

#include <stdlib.h>
#include <string.h>

#include "cli/progress.h"

static size_t real_size(const cli_sides *sides)
{
    return sides->single ? sizeof(float) : sizeof(double);
}

/* ---- Making --------------------------------------------------------------------------- */

static void allocate_solution(cli_way *way, const cli_system *s, const cli_rows *rows,
                              const cli_sides *sides)
{
    way->x = cli_alloc((int64_t)s->n * sides->columns, real_size(sides));
    for (int i = 0; i < s->sweeps; i++)
        way->flops += cli_rows_flops(&rows[i]);
}

void cli_way_serial(cli_way *way, const cli_system *s, const cli_rows *rows,
                    const cli_sides *sides)
{
    *way = (cli_way){.name = "serial", .rows = rows};
    allocate_solution(way, s, rows, sides);
    way->info.method = "rows";
    way->info.sync = "";
    way->info.threads = s->n > 0;
    for (int i = 0; i < s->sweeps; i++) {
        way->info.bytes += cli_rows_bytes(&rows[i]);
        way->info.layers += s->n > 0;
    }
}

static void add_info(cleave_run_info *sum, const cleave_trsv *plan)
{
    cleave_run_info one;
    cleave_run_info_init(&one, sizeof one);
    cleave_trsv_info(plan, &one);
    if (!sum->method) {
        *sum = one;
        return;
    }
    sum->layers += one.layers;
    sum->threads = one.threads > sum->threads ? one.threads : sum->threads;
    sum->nonzeros += one.nonzeros;
    sum->bytes += one.bytes;
    sum->waits += one.waits;
    sum->seconds_analysis += one.seconds_analysis;
    sum->split_rows += one.split_rows;
}

cleave_status cli_way_plan(cli_way *way, const cli_system *s, const cli_rows *rows,
                           const cli_sides *sides, const cleave_run_options *opt,
                           cleave_error *err)
{
    cleave_triangle t;
    cleave_status status = CLEAVE_OK;
    const char *name = way->name;
    *way = (cli_way){.name = name, .reused = 1};
    allocate_solution(way, s, rows, sides);
    for (int i = 0; i < s->sweeps && status == CLEAVE_OK; i++) {
        cli_sweep_triangle(&s->sweep[i], s->val32, &t);
        if (i == 0)
            status = cleave_trsv_create(&way->plan[0], &t, opt, err);
        else
            status =
                cleave_trsv_create_from(&way->plan[i], way->plan[0], &t, &way->reused, err);
        if (status == CLEAVE_OK)
            add_info(&way->info, way->plan[i]);
    }
    return status;
}

void cli_way_free(cli_way *way)
{
    cleave_trsv_free(way->plan[1]);
    cleave_trsv_free(way->plan[0]);
    free(way->x);
}

/* ---- Solving -------------------------------------------------------------------------- */

static void sweep_serially(const cli_rows *rows, const cli_sides *sides, void *x,
                           const void *b)
{
    for (int64_t c = 0; c < sides->columns; c++) {
        int64_t skip = c * rows->n;
        if (sides->single)
            cli_rows_solve_f(rows, (float *)x + skip, (const float *)b + skip);
        else
            cli_rows_solve(rows, (double *)x + skip, (const double *)b + skip);
    }
}

static cleave_status sweep_by_plan(cleave_trsv *plan, int32_t n, const cli_sides *sides,
                                   void *x, const void *b, cleave_error *err)
{
    int32_t columns = sides->columns;
    if (columns > 1 && sides->single)
        return cleave_trsv_solve_many_f(plan, columns, x, n, b, n, err);
    if (columns > 1)
        return cleave_trsv_solve_many(plan, columns, x, n, b, n, err);
    return sides->single ? cleave_trsv_solve_f(plan, x, b, err)
                         : cleave_trsv_solve(plan, x, b, err);
}

static cleave_status solve(const cli_way *way, const cli_system *s, const cli_sides *sides,
                           cleave_error *err)
{
    cleave_status status = CLEAVE_OK;
    for (int i = 0; i < s->sweeps && status == CLEAVE_OK; i++) {
        const void *b = i == 0 ? sides->b_typed : way->x;
        if (way->rows)
            sweep_serially(&way->rows[i], sides, way->x, b);
        else
            status = sweep_by_plan(way->plan[i], s->n, sides, way->x, b, err);
    }
    return status;
}

static double residual_of(const cli_way *way, const cli_system *s, const cli_sides *sides)
{
    if (!sides->single)
        return cli_system_residual(s, way->x, sides->b, sides->columns);
    int64_t count = (int64_t)s->n * sides->columns;
    double *x = cli_alloc(count, sizeof *x);
    for (int64_t k = 0; k < count; k++)
        x[k] = ((const float *)way->x)[k];
    double residual = cli_system_residual(s, x, sides->b, sides->columns);
    free(x);
    return residual;
}

cleave_status cli_ways_check(cli_way *ways, int count, const cli_system *s,
                             const cli_sides *sides, cleave_error *err)
{
    size_t bytes = (size_t)s->n * (size_t)sides->columns * real_size(sides);
    for (int w = 0; w < count; w++) {
        memset(ways[w].x, 0xff, bytes); /* NaN: detects entries that are not written */
        cleave_status status = solve(&ways[w], s, sides, err);
        if (status != CLEAVE_OK)
            return status;
        ways[w].same = memcmp(ways[w].x, ways[0].x, bytes) == 0;
        ways[w].residual = residual_of(&ways[w], s, sides);
    }
    return CLEAVE_OK;
}

/* ---- Timing --------------------------------------------------------------------------- */

/* Seconds of one of `times` solves. */
static cleave_status time_solves(const cli_way *way, const cli_system *s,
                                 const cli_sides *sides, int64_t times, double *seconds,
                                 cleave_error *err)
{
    double start = cli_clock();
    for (int64_t i = 0; i < times; i++) {
        cleave_status status = solve(way, s, sides, err);
        if (status != CLEAVE_OK)
            return status;
    }
    *seconds = (cli_clock() - start) / (double)times;
    return CLEAVE_OK;
}

/* A batch is long enough for the clock, and for sleeping threads to wake up: about a
 * millisecond. */
static int64_t turn_length(double seconds)
{
    double times = 1e-3 / (seconds > 1e-8 ? seconds : 1e-8);
    return times < 1 ? 1 : (int64_t)times;
}

static int compare_reals(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum { most_ways = 8 };

/* Samples of several ways, turn by turn. */
typedef struct timing {
    cli_way *ways;
    int count;
    int64_t times[most_ways]; /* solves in a turn of each way */
    int32_t wanted, rounds;   /* rounds: made */
    double *sample;           /* [way][round, of wanted]: seconds of a solve */
} timing;

static void summarise(const timing *t, int32_t columns)
{
    for (int w = 0; w < t->count; w++) {
        double *sample = t->sample + (int64_t)w * t->wanted;
        qsort(sample, (size_t)t->rounds, sizeof *sample, compare_reals);
        t->ways[w].seconds = sample[0] / columns;
        t->ways[w].median = sample[t->rounds / 2] / columns;
    }
}

static cleave_status time_rounds(timing *t, const cli_system *s, const cli_sides *sides,
                                 cleave_error *err)
{
    for (t->rounds = 0; t->rounds < t->wanted && (t->rounds == 0 || !cli_interrupted());
         t->rounds++)
        for (int w = 0; w < t->count; w++) {
            double *to = &t->sample[(int64_t)w * t->wanted + t->rounds];
            cleave_status status = time_solves(&t->ways[w], s, sides, t->times[w], to, err);
            if (status != CLEAVE_OK)
                return status;
        }
    return CLEAVE_OK;
}

cleave_status cli_ways_time(cli_way *ways, int count, const cli_system *s,
                            const cli_sides *sides, int32_t repeat, cleave_error *err)
{
    timing t = {.ways = ways, .count = count};
    double round = 0, seconds;
    for (int w = 0; w < count; w++) {
        cleave_status status = time_solves(&ways[w], s, sides, 2, &seconds, err);
        if (status != CLEAVE_OK)
            return status;
        t.times[w] = turn_length(seconds);
        round += seconds * (double)t.times[w];
    }
    double fit = round > 0 ? 2.0 / round : 200;
    t.wanted = repeat > 0 ? repeat : fit < 3 ? 3 : fit > 200 ? 200 : (int32_t)fit;
    t.sample = cli_alloc((int64_t)count * t.wanted, sizeof *t.sample);
    cli_progress progress;
    cli_progress_begin(&progress, CLI_COMPUTING);
    cleave_status status = time_rounds(&t, s, sides, err);
    cli_progress_end(&progress);
    if (status == CLEAVE_OK)
        summarise(&t, sides->columns);
    free(t.sample);
    return status;
}
