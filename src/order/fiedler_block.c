/* SPDX-License-Identifier: Apache-2.0 */
/* order/fiedler_block.c - the locally optimal block preconditioned conjugate gradient method
 * (LOBPCG) [Knyazev 2001].
 *
 * Each step applies the Rayleigh-Ritz method to the span of the current vectors, their
 * preconditioned residuals and the directions of the previous step.  The small problem is
 * solved from Gram matrices; columns that depend on earlier ones up to rounding are left out
 * [Hetmaniuk, Lehoucq 2006]. */
#include "order/fiedler_block.h"

#include <math.h>
#include <string.h>

#include "order/fiedler_dense.h"

enum {
    width = clv_fiedler_width,
    trial = clv_fiedler_trial,
    grain = 2048,
    most_sums = trial * (trial + 1)
};
static const double dependent = 1e-12; /* squared sine of the angle to the span of the
                                          previous columns */

typedef struct small_matrix {
    double at[trial][trial];
} small_matrix;

/* ---- Sums over all vertices, in blocks of fixed size ------------------------------------ */

typedef struct pass {
    clv_fiedler_block *b;
    const clv_fiedler_level *level;
    int nsums, ncols;
    const double *coefficient; /* trial rows of width */
} pass;

static void sum_pieces(pass *p, void (*body)(void *, int64_t, int64_t, int), double *sums)
{
    int64_t n = p->level->g->nvtx;
    clv_parallel_for(p->b->l->team, n, grain, body, p);
    memset(sums, 0, (size_t)p->nsums * sizeof *sums);
    for (int64_t piece = 0; piece * grain < n; piece++)
        for (int i = 0; i < p->nsums; i++)
            sums[i] += p->b->partial[piece * most_sums + i];
}

static double *sums_of(const pass *p, int64_t begin)
{
    double *sum = p->b->partial + begin / grain * most_sums;
    memset(sum, 0, (size_t)p->nsums * sizeof *sum);
    return sum;
}

static void for_all_rows(pass *p, void (*body)(void *, int64_t, int64_t, int))
{
    clv_parallel_for(p->b->l->team, p->level->g->nvtx, grain, body, p);
}

/* ---- Passes ----------------------------------------------------------------------------- */

/* Sums of mass and of mass times each column of s[ncols]. */
static void mean_rows(void *context, int64_t begin, int64_t end, int member)
{
    const pass *p = context;
    const double *s = p->b->s[p->ncols];
    double *sum = sums_of(p, begin);
    (void)member;
    for (int64_t v = begin; v < end; v++) {
        double mass = clv_fiedler_mass(p->level, v);
        sum[width] += mass;
        for (int i = 0; i < width; i++)
            sum[i] += mass * s[v * width + i];
    }
}

static void shift_rows(void *context, int64_t begin, int64_t end, int member)
{
    const pass *p = context;
    double *s = p->b->s[p->ncols];
    (void)member;
    for (int64_t v = begin; v < end; v++)
        for (int i = 0; i < width; i++)
            s[v * width + i] -= p->coefficient[i];
}

/* Makes s[which] orthogonal to the constant vector. */
static void deflate_constant(clv_fiedler_block *b, int which)
{
    double sums[width + 1];
    pass p = {b, &b->l->level[b->level], width + 1, which, NULL};
    sum_pieces(&p, mean_rows, sums);
    for (int i = 0; i < width; i++)
        sums[i] /= sums[width];
    p.coefficient = sums;
    for_all_rows(&p, shift_rows);
}

/* Sums s[0]' M s[1]. */
static void overlap_rows(void *context, int64_t begin, int64_t end, int member)
{
    const pass *p = context;
    double *sum = sums_of(p, begin);
    (void)member;
    for (int64_t v = begin; v < end; v++) {
        const double *x = p->b->s[0] + v * width, *w = p->b->s[1] + v * width;
        double mass = clv_fiedler_mass(p->level, v);
        for (int i = 0; i < width; i++)
            for (int j = 0; j < width; j++)
                sum[i * width + j] += mass * x[i] * w[j];
    }
}

static void remove_rows(void *context, int64_t begin, int64_t end, int member)
{
    const pass *p = context;
    (void)member;
    for (int64_t v = begin; v < end; v++) {
        const double *x = p->b->s[0] + v * width;
        double *w = p->b->s[1] + v * width;
        for (int i = 0; i < width; i++)
            for (int j = 0; j < width; j++)
                w[j] -= x[i] * p->coefficient[i * width + j];
    }
}

static void deflate_vectors(clv_fiedler_block *b)
{
    double sums[width * width];
    pass p = {b, &b->l->level[b->level], width * width, 0, NULL};
    sum_pieces(&p, overlap_rows, sums);
    p.coefficient = sums;
    for_all_rows(&p, remove_rows);
}

/* s[1] becomes the residuals; sums of their squares over the masses. */
static void residual_rows(void *context, int64_t begin, int64_t end, int member)
{
    const pass *p = context;
    clv_fiedler_block *b = p->b;
    double *sum = sums_of(p, begin);
    (void)member;
    for (int64_t v = begin; v < end; v++) {
        double mass = clv_fiedler_mass(p->level, v);
        for (int i = 0; i < width; i++) {
            double r =
                b->ls[0][v * width + i] - p->coefficient[i] * (mass * b->s[0][v * width + i]);
            b->s[1][v * width + i] = r;
            sum[i] += r * r / mass;
        }
    }
}

/* Sums S' M S and S' L S of the first ncols columns: two upper triangles in sequence. */
static CLV_ALWAYS_INLINE void gram_piece(const pass *p, int64_t begin, int64_t end, int ncols)
{
    double *sum = sums_of(p, begin);
    for (int64_t v = begin; v < end; v++) {
        double s[trial], ls[trial], mass = clv_fiedler_mass(p->level, v);
        for (int j = 0; j < ncols; j++) {
            s[j] = p->b->s[j / width][v * width + j % width];
            ls[j] = p->b->ls[j / width][v * width + j % width];
        }
        double *at = sum;
        for (int i = 0; i < ncols; i++)
            for (int j = i; j < ncols; j++, at += 2) {
                at[0] += mass * s[i] * s[j];
                at[1] += s[i] * ls[j];
            }
    }
}

static void gram_rows(void *context, int64_t begin, int64_t end, int member)
{
    const pass *p = context;
    (void)member;
    if (p->ncols == width)
        gram_piece(p, begin, end, width);
    else if (p->ncols == 2 * width)
        gram_piece(p, begin, end, 2 * width);
    else
        gram_piece(p, begin, end, trial);
}

static void gram(clv_fiedler_block *b, int ncols, small_matrix *mass, small_matrix *stiff)
{
    double sums[most_sums], *at = sums;
    pass p = {b, &b->l->level[b->level], ncols * (ncols + 1), ncols, NULL};
    sum_pieces(&p, gram_rows, sums);
    for (int i = 0; i < ncols; i++)
        for (int j = i; j < ncols; j++, at += 2) {
            mass->at[i][j] = mass->at[j][i] = at[0];
            stiff->at[i][j] = stiff->at[j][i] = at[1];
        }
}

/* s[2] = the new directions, s[0] = the new vectors, and the same of the products. */
static void combine_rows(void *context, int64_t begin, int64_t end, int member)
{
    const pass *p = context;
    (void)member;
    for (int twice = 0; twice < 2; twice++) {
        double *const *s = twice ? p->b->ls : p->b->s;
        for (int64_t v = begin; v < end; v++) {
            double kept[width] = {0}, step[width] = {0};
            const double *c = p->coefficient;
            for (int j = 0; j < width; j++, c += width)
                for (int i = 0; i < width; i++)
                    kept[i] += c[i] * s[0][v * width + j];
            for (int k = 1; k < p->ncols / width; k++)
                for (int j = 0; j < width; j++, c += width)
                    for (int i = 0; i < width; i++)
                        step[i] += c[i] * s[k][v * width + j];
            for (int i = 0; i < width; i++) {
                s[2][v * width + i] = step[i];
                s[0][v * width + i] = kept[i] + step[i];
            }
        }
    }
}

/* ---- The small problem ------------------------------------------------------------------ */

/* Chooses columns that are linearly independent in the mass inner product and writes the
 * Cholesky factor R (upper) of mass = R' R, with columns scaled to norm 1 by scale.  Returns
 * their number. */
static int factorise(const small_matrix *mass, int ncols, int *column, double *scale,
                     small_matrix *factor)
{
    int count = 0;
    for (int j = 0; j < ncols; j++) {
        if (!(mass->at[j][j] > 0))
            continue;
        scale[count] = 1 / sqrt(mass->at[j][j]);
        double left = 1;
        for (int i = 0; i < count; i++) {
            double sum = mass->at[column[i]][j] * scale[i] * scale[count];
            for (int k = 0; k < i; k++)
                sum -= factor->at[k][i] * factor->at[k][count];
            factor->at[i][count] = sum / factor->at[i][i];
            left -= factor->at[i][count] * factor->at[i][count];
        }
        if (!(left > dependent))
            continue;
        factor->at[count][count] = sqrt(left);
        column[count++] = j;
    }
    return count;
}

/* a = R'^-1 (scaled stiff) R^-1, by rows and then by columns. */
static void reduce_stiff(const small_matrix *stiff, int n, const int *column,
                         const double *scale, const small_matrix *factor, double *a)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i * n + j] = stiff->at[column[i]][column[j]] * scale[i] * scale[j];
    for (int twice = 0; twice < 2; twice++) {
        int along = twice ? n : 1, across = twice ? 1 : n;
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                double sum = a[i * along + j * across];
                for (int k = 0; k < i; k++)
                    sum -= factor->at[k][i] * a[k * along + j * across];
                a[i * along + j * across] = sum / factor->at[i][i];
            }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            a[i * n + j] = a[j * n + i] = (a[i * n + j] + a[j * n + i]) / 2;
}

/* The Ritz vectors in the span of the first ncols columns: coefficient[column][vector]. */
static void best_in_span(clv_fiedler_block *b, int ncols, double coefficient[trial][width])
{
    small_matrix mass, stiff, factor;
    int column[trial];
    double scale[trial], a[trial * trial], values[trial], scratch[trial * (trial + 3)];
    gram(b, ncols, &mass, &stiff);
    int n = factorise(&mass, ncols, column, scale, &factor);
    reduce_stiff(&stiff, n, column, scale, &factor, a);
    clv_dense_eigen(n, a, values, scratch);
    memset(coefficient, 0, trial * sizeof coefficient[0]);
    for (int i = 0; i < width; i++) {
        b->value[i] = i < n ? values[i] : HUGE_VAL;
        for (int j = n - 1; i < n && j >= 0; j--) {
            double sum = a[i * n + j];
            for (int k = j + 1; k < n; k++)
                sum -= factor.at[j][k] * coefficient[column[k]][i];
            coefficient[column[j]][i] = sum / factor.at[j][j];
        }
    }
    for (int j = 0; j < n; j++)
        for (int i = 0; i < width; i++)
            coefficient[column[j]][i] *= scale[j];
}

static void take_best(clv_fiedler_block *b, int ncols)
{
    double coefficient[trial][width];
    best_in_span(b, ncols, coefficient);
    pass p = {b, &b->l->level[b->level], 0, ncols, &coefficient[0][0]};
    for_all_rows(&p, combine_rows);
}

/* ---- Steps ------------------------------------------------------------------------------ */

static void find_residuals(clv_fiedler_block *b)
{
    double sums[width], value[width];
    for (int i = 0; i < width; i++)
        value[i] = b->value[i] < HUGE_VAL ? b->value[i] : 0;
    pass p = {b, &b->l->level[b->level], width, 0, value};
    sum_pieces(&p, residual_rows, sums);
    b->residual = sqrt(sums[0]);
}

/* Recomputes the products, in which steps accumulate rounding errors; drops the directions. */
static void restart(clv_fiedler_block *b)
{
    clv_fiedler_product(b->l, b->level, b->s[0], b->ls[0]);
    take_best(b, width);
    find_residuals(b);
}

static bool is_enough(const clv_fiedler_block *b, double tolerance)
{
    return b->residual <= tolerance * b->value[0] ||
           (b->level == 0 && b->residual <= clv_fiedler_rounding * b->l->most_degree);
}

int32_t clv_fiedler_block_improve(clv_fiedler_block *b, double tolerance, int32_t most_steps,
                                  clv_context *ctx)
{
    bool fresh = true;
    double before = clv_context_now(ctx);
    deflate_constant(b, 0);
    restart(b);
    for (int32_t step = 0;; step++) {
        double now = clv_context_now(ctx), last = now - before;
        before = now;
        if (!fresh && is_enough(b, tolerance)) {
            restart(b);
            fresh = true;
        }
        if (is_enough(b, tolerance) || step == most_steps || clv_context_stop(ctx) ||
            clv_context_lacks(ctx, last))
            return step;
        clv_context_count(ctx, b->l->level[b->level].g->narc);
        /* The corrections overwrite their products, which are computed later. */
        clv_fiedler_cycle(b->l, b->level, b->s[1], b->ls[1]);
        if (clv_context_stop(ctx))
            return step;
        double *corrections = b->ls[1];
        b->ls[1] = b->s[1];
        b->s[1] = corrections;
        deflate_constant(b, 1);
        deflate_vectors(b);
        clv_fiedler_product(b->l, b->level, b->s[1], b->ls[1]);
        take_best(b, fresh ? 2 * width : trial);
        find_residuals(b);
        fresh = false;
    }
}

cleave_status clv_fiedler_block_alloc(clv_fiedler_block *b, int64_t nvtx, clv_ws *ws,
                                      cleave_error *err)
{
    for (int i = 0; i < 3; i++) {
        b->s[i] = clv_ws_alloc(ws, nvtx * width, sizeof(double));
        b->ls[i] = clv_ws_alloc(ws, nvtx * width, sizeof(double));
        if (!b->s[i] || !b->ls[i])
            return clv_fail_memory(err);
    }
    b->partial = clv_ws_alloc(ws, (nvtx / grain + 1) * most_sums, sizeof *b->partial);
    return b->partial ? CLEAVE_OK : clv_fail_memory(err);
}
