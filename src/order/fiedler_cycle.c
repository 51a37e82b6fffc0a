/* SPDX-License-Identifier: Apache-2.0 */
/* order/fiedler_cycle.c - products with the Laplacian, and the multigrid cycle.
 *
 * Aggregation multigrid [Braess 1995; Notay 2010]: vertices that merge share one correction.
 * Piecewise constant corrections underestimate smooth errors, so they are overrelaxed.  The
 * smoother is damped Jacobi, which is parallel and independent of the number of threads. */
#include <string.h>

#include "order/fiedler_levels.h"

enum { width = clv_fiedler_width, grain = 4096 };
static const double correction = 1.7; /* must be below 2, otherwise the cycle is not
                                         definite */

/* ---- Products --------------------------------------------------------------------------- */

/* Differences first: for smooth vectors that is more accurate than degree times value. */
static CLV_ALWAYS_INLINE void row_product(const clv_fiedler_level *level, const double *x,
                                          int64_t v, double *out)
{
    const clv_graph *g = level->g;
    const double *own = x + v * width;
    double sum[width] = {0};
    if (clv_weights_any(clv_graph_ewgts(g))) {
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            const double *other = x + (int64_t)g->adj[a] * width;
            double w = (double)clv_graph_ewgt(g, a);
            for (int i = 0; i < width; i++)
                sum[i] += w * (own[i] - other[i]);
        }
    } else {
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            const double *other = x + (int64_t)g->adj[a] * width;
            for (int i = 0; i < width; i++)
                sum[i] += own[i] - other[i];
        }
    }
    memcpy(out, sum, sizeof sum);
}

typedef struct pass {
    const clv_fiedler_level *level;
    const double *x, *r;
    double *y;
} pass;

static void product_rows(void *context, int64_t begin, int64_t end, int member)
{
    const pass *p = context;
    (void)member;
    for (int64_t v = begin; v < end; v++)
        row_product(p->level, p->x, v, p->y + v * width);
}

void clv_fiedler_product(const clv_fiedler_levels *l, int32_t level, const double *x,
                         double *y)
{
    pass p = {&l->level[level], x, NULL, y};
    clv_parallel_for(l->team, p.level->g->nvtx, grain, product_rows, &p);
}

/* y = r - L x; y may be r. */
static void rest_rows(void *context, int64_t begin, int64_t end, int member)
{
    const pass *p = context;
    (void)member;
    for (int64_t v = begin; v < end; v++) {
        double lx[width];
        row_product(p->level, p->x, v, lx);
        for (int i = 0; i < width; i++)
            p->y[v * width + i] = p->r[v * width + i] - lx[i];
    }
}

/* y = damp r. */
static void first_smoothing(void *context, int64_t begin, int64_t end, int member)
{
    const pass *p = context;
    (void)member;
    for (int64_t v = begin; v < end; v++)
        for (int i = 0; i < width; i++)
            p->y[v * width + i] = p->level->damp[v] * p->r[v * width + i];
}

/* y = x + damp (r - L x). */
static void smoothing(void *context, int64_t begin, int64_t end, int member)
{
    const pass *p = context;
    (void)member;
    for (int64_t v = begin; v < end; v++) {
        double lx[width];
        row_product(p->level, p->x, v, lx);
        for (int i = 0; i < width; i++)
            p->y[v * width + i] =
                p->x[v * width + i] + p->level->damp[v] * (p->r[v * width + i] - lx[i]);
    }
}

/* y, on the next level: sums of x over each aggregate. */
static void gather(void *context, int64_t begin, int64_t end, int member)
{
    const pass *p = context;
    (void)member;
    for (int64_t c = begin; c < end; c++) {
        double sum[width] = {0};
        for (int32_t m = p->level->first[c]; m < p->level->first[c + 1]; m++)
            for (int i = 0; i < width; i++)
                sum[i] += p->x[(int64_t)p->level->member[m] * width + i];
        memcpy(p->y + c * width, sum, sizeof sum);
    }
}

/* y = r + correction * x, where x is on the next level. */
static void correct(void *context, int64_t begin, int64_t end, int member)
{
    const pass *p = context;
    (void)member;
    for (int64_t v = begin; v < end; v++)
        for (int i = 0; i < width; i++)
            p->y[v * width + i] =
                p->r[v * width + i] + correction * p->x[(int64_t)p->level->map[v] * width + i];
}

/* y += x. */
static void add_rows(void *context, int64_t begin, int64_t end, int member)
{
    const pass *p = context;
    (void)member;
    for (int64_t i = begin * width; i < end * width; i++)
        p->y[i] += p->x[i];
}

static void for_all_rows(const clv_fiedler_levels *l, int64_t count,
                         void (*body)(void *, int64_t, int64_t, int), pass p)
{
    clv_parallel_for(l->team, count, grain, body, &p);
}

/* ---- The cycle -------------------------------------------------------------------------- */

/* Solves exactly by the eigenvectors; r has no constant component. */
static void solve_last(const clv_fiedler_levels *l, const double *r, double *z)
{
    int32_t n = l->level[l->nlevels - 1].g->nvtx;
    memset(z, 0, (size_t)n * width * sizeof *z);
    for (int32_t k = 0; k + 1 < n; k++) {
        const double *vector = l->vectors + (int64_t)k * n;
        double part[width] = {0};
        for (int32_t v = 0; v < n; v++)
            for (int i = 0; i < width; i++)
                part[i] += vector[v] * r[v * width + i];
        for (int i = 0; i < width; i++)
            part[i] = l->values[k] > 0 ? part[i] / l->values[k] : 0;
        for (int32_t v = 0; v < n; v++)
            for (int i = 0; i < width; i++)
                z[v * width + i] += part[i] * vector[v];
    }
}

/* A last level too large for a direct solution is only smoothed. */
static void smooth_last(const clv_fiedler_levels *l, const double *r, double *z)
{
    const clv_fiedler_level *level = &l->level[l->nlevels - 1];
    int64_t n = level->g->nvtx;
    for_all_rows(l, n, first_smoothing, (pass){level, NULL, r, z});
    for (int i = 0; i < 2; i++) {
        for_all_rows(l, n, smoothing, (pass){level, z, r, level->rest});
        for_all_rows(l, n, smoothing, (pass){level, level->rest, r, z});
    }
}

static void cycle(const clv_fiedler_levels *l, int32_t index, const double *r, double *z);

/* Computes next->solution, an approximate solution for next->right. */
static void solve_next(const clv_fiedler_levels *l, int32_t index)
{
    const clv_fiedler_level *next = &l->level[index];
    int64_t n = next->g->nvtx;
    cycle(l, index, next->right, next->solution);
    if (index == l->nlevels - 1 || !next[-1].twice)
        return;
    /* The second visit solves for the residual of the first. */
    for_all_rows(l, n, rest_rows, (pass){next, next->solution, next->right, next->right});
    double *again = next->rest + n * width;
    cycle(l, index, next->right, again);
    for_all_rows(l, n, add_rows, (pass){next, again, NULL, next->solution});
}

static void cycle(const clv_fiedler_levels *l, int32_t index, const double *r, double *z)
{
    const clv_fiedler_level *level = &l->level[index];
    int64_t n = level->g->nvtx;
    if (index == l->nlevels - 1) {
        if (l->vectors)
            solve_last(l, r, z);
        else
            smooth_last(l, r, z);
        return;
    }
    const clv_fiedler_level *next = level + 1;
    for_all_rows(l, n, first_smoothing, (pass){level, NULL, r, z});
    for_all_rows(l, n, rest_rows, (pass){level, z, r, level->rest});
    for_all_rows(l, next->g->nvtx, gather, (pass){level, level->rest, NULL, next->right});
    solve_next(l, index + 1);
    for_all_rows(l, n, correct, (pass){level, next->solution, z, level->rest});
    for_all_rows(l, n, smoothing, (pass){level, level->rest, r, z});
}

void clv_fiedler_cycle(const clv_fiedler_levels *l, int32_t level, const double *r, double *z)
{
    cycle(l, level, r, z);
}
