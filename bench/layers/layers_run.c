/* SPDX-License-Identifier: Apache-2.0 */
/* bench/layers/layers_run.c - one schedule: built, checked by cleave_schedule_check, evaluated
 * by cleave_evaluate_schedule; and the serial solve, the unit of its time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layers/layers.h"

/* ---- A serial solve --------------------------------------------------------------------- */

/* Row by row, ascending columns, one division by the diagonal: plain substitution. */
static void solve(const cleave_csr *rows, const double *value, const double *diagonal,
                  const double *b, double *x)
{
    for (int32_t i = 0; i < rows->nvtx; i++) {
        double sum = b[i];
        for (int64_t a = rows->xadj[i]; a < rows->xadj[i + 1]; a++)
            sum -= value[a] * x[rows->adj[a]];
        x[i] = sum / diagonal[i];
    }
}

double layers_solve_seconds(const cleave_graph *g)
{
    enum { rounds = 5 };
    cleave_csr rows;
    cleave_csr_init(&rows, sizeof rows);
    cleave_graph_view_predecessors(g, &rows);
    int64_t n = rows.nvtx, narc = rows.xadj[rows.nvtx];
    double *value = malloc(((size_t)narc + 1) * sizeof *value);
    double *vectors = malloc(3 * ((size_t)n + 1) * sizeof *vectors), least = 1e300;
    if (!value || !vectors)
        bench_fail("out of memory");
    for (int64_t a = 0; a < narc; a++)
        value[a] = -1.0 / (double)(1 + a % 7);
    for (int64_t i = 0; i < n; i++) {
        vectors[i] = 1;
        vectors[n + i] = 2 + (double)(rows.xadj[i + 1] - rows.xadj[i]);
    }
    int times = 1 + (int)(2000000 / (n + narc + 1));
    for (int round = 0; round < rounds; round++) {
        double start = bench_seconds();
        for (int i = 0; i < times; i++)
            solve(&rows, value, vectors + n, vectors, vectors + 2 * n);
        double now = (bench_seconds() - start) / times;
        least = now < least ? now : least;
    }
    if (n > 0 && vectors[3 * n - 1] > 1e300)
        printf("\n"); /* prevents the compiler from removing the solve */
    free(value);
    free(vectors);
    return least;
}

/* ---- A schedule ------------------------------------------------------------------------- */

typedef struct patience {
    double until; /* 0: no limit */
} patience;

static int is_over(void *payload, const cleave_progress *now)
{
    (void)now;
    const patience *p = payload;
    return p->until > 0 && bench_seconds() > p->until;
}

/* "graphopt:window=0+split" has a method, params and split rows. */
static void set_method(cleave_schedule_options *opt, const char *text, char *room)
{
    snprintf(room, 80, "%s", text);
    char *split = strstr(room, "+split"), *params = strchr(room, ':');
    if (split)
        *split = 0;
    if (params)
        *params++ = 0;
    opt->method = room;
    opt->params = params;
    opt->split_rows = split != NULL;
}

static int judge(layers_row *r, const cleave_graph *g, const cleave_schedule *s,
                 cleave_error *err)
{
    cleave_schedule_metrics m;
    cleave_schedule_metrics_init(&m, sizeof m);
    if (cleave_schedule_check(s, g, err) != CLEAVE_OK)
        return 1;
    cleave_status status = cleave_evaluate_schedule(&m, g, s, NULL, err);
    r->rows = cleave_schedule_rows(s);
    r->tasks = cleave_schedule_tasks(s);
    r->levels = m.levels;
    r->layers = m.layers;
    r->used = m.threads_used;
    r->total = m.work_total;
    r->most = m.work_max;
    r->crossing = m.crossing_edges;
    r->cost = m.cost;
    r->speed_up = m.predicted_speedup;
    return (int)status;
}

void layers_measure(layers_row *r, const cleave_graph *g, int repeat, double limit,
                    cleave_schedule **keep)
{
    cleave_schedule_options opt;
    cleave_error err = {0};
    char text[80];
    patience p = {0};
    cleave_schedule_options_init(&opt, sizeof opt);
    set_method(&opt, r->method, text);
    opt.threads = r->threads;
    opt.workers = 1;
    opt.progress = is_over;
    opt.payload = &p;
    for (int i = 0; i < repeat && !r->status; i++) {
        cleave_schedule *s = NULL;
        double start = bench_seconds();
        p.until = limit > 0 ? start + limit : 0;
        r->status = (int)cleave_schedule_build(&s, g, &opt, &err);
        double seconds = bench_seconds() - start;
        r->seconds = i == 0 || seconds < r->seconds ? seconds : r->seconds;
        if (i == 0)
            repeat = bench_repeats(seconds, repeat, 0);
        if (!r->status && i == 0)
            r->status = judge(r, g, s, &err);
        if (keep && i == 0)
            *keep = s;
        else
            cleave_schedule_free(s);
    }
    if (r->status && r->status != CLEAVE_ECANCEL)
        fprintf(stderr, "%s: %s, %s, %d threads: %s\n", bench_name, r->graph, r->method,
                r->threads, err.message);
}

int layers_invalid(const layers_row *r)
{
    return r->status != 0 && r->status != CLEAVE_ECANCEL;
}

void layers_progress(const layers_row *r)
{
    fprintf(stderr, "%-20s %-24s P=%-2d %6d layers, speed-up %6.2f, %8.3f s\n", r->graph,
            r->method, r->threads, r->layers, r->speed_up, r->seconds);
}
