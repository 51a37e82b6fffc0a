/* SPDX-License-Identifier: Apache-2.0 */
/* order/fiedler.c - multilevel computation of the Fiedler vector [Barnard, Simon 1993]: the
 * coarsest graph is solved as a dense matrix, and its vectors are projected and improved level
 * by level.
 *
 * A few iterations are enough on intermediate levels, because the vectors of a coarser graph
 * only approximate those of the next finer one. */
#include "order/fiedler.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "order/fiedler_block.h"

enum {
    width = clv_fiedler_width,
    rng_stage = 0x666965, /* random start if no coarse graph is small enough */
    steps_between = 4,
    steps_last = 100, /* on the finest level; ten are typical */
    steps_alone = 200,
    passes_to_carry = 4 /* passes over the graph, of carrying a block up; not tuned */
};
static const double tolerance_between = 0.05;

/* ---- Starting vectors ------------------------------------------------------------------- */

static void start_from_dense(clv_fiedler_block *b)
{
    const clv_fiedler_levels *l = b->l;
    int32_t n = l->level[b->level].g->nvtx;
    for (int i = 0; i < width; i++)
        for (int32_t v = 0; v < n; v++)
            b->s[0][v * width + i] = i < n - 1 ? l->vectors[(int64_t)i * n + v] : 0;
}

/* Coarsening failed to reach a small graph: random start. */
static void start_from_noise(clv_fiedler_block *b, const clv_context *ctx)
{
    int32_t n = b->l->level[b->level].g->nvtx;
    clv_rng rng = clv_rng_make(ctx->seed, rng_stage, 0, 0);
    for (int64_t i = 0; i < (int64_t)n * width; i++)
        b->s[0][i] = clv_rng_unit(&rng) - 0.5;
}

/* Projects from b->level to the next finer level; the vectors stay in s[0]. */
static void carry_up(clv_fiedler_block *b)
{
    const clv_fiedler_level *fine = &b->l->level[--b->level];
    int64_t coarse = fine[1].g->nvtx;
    memcpy(b->s[1], b->s[0], (size_t)coarse * width * sizeof(double));
    for (int64_t v = 0; v < fine->g->nvtx; v++)
        memcpy(b->s[0] + v * width, b->s[1] + (int64_t)fine->map[v] * width,
               width * sizeof(double));
}

static int64_t size_of_level(const clv_fiedler_block *b, int32_t level)
{
    const clv_graph *g = b->l->level[level].g;
    return g->narc + g->nvtx;
}

/* Is there time for a first step on the next finer level?  seconds: of one on b->level.  After
 * the stop, carrying a block up is paid from the credit: its memory is several times that of
 * the graph. */
static bool is_time_to_carry(const clv_fiedler_block *b, double seconds, clv_context *ctx)
{
    int64_t size = size_of_level(b, b->level - 1);
    double growth = (double)size / (double)size_of_level(b, b->level);
    if (!clv_context_afford(ctx, passes_to_carry * size))
        return false;
    bool lacks = !clv_context_is_stopped(ctx) && clv_context_lacks(ctx, seconds * growth);
    if (lacks)
        clv_context_hurry(ctx);
    return !lacks;
}

/* *found: false if there is no time for the finest level. */
static int32_t solve_levels(clv_fiedler_block *b, double tolerance, clv_context *ctx,
                            bool *found)
{
    const clv_fiedler_levels *l = b->l;
    int32_t steps = 0;
    double begin = clv_context_now(ctx);
    b->level = l->nlevels - 1;
    if (l->vectors) {
        start_from_dense(b);
    } else {
        start_from_noise(b, ctx);
        double enough = b->level > 0 ? tolerance_between : tolerance;
        steps = clv_fiedler_block_improve(b, enough, steps_alone, ctx);
    }
    while (b->level > 0) {
        double now = clv_context_now(ctx), seconds = (now - begin) / (steps + 1);
        *found = is_time_to_carry(b, seconds, ctx);
        if (!*found)
            break;
        begin = now;
        carry_up(b);
        if (clv_context_stop(ctx))
            continue;
        bool last = b->level == 0;
        steps = clv_fiedler_block_improve(b, last ? tolerance : tolerance_between,
                                          last ? steps_last : steps_between, ctx);
    }
    return steps;
}

/* ---- The result ------------------------------------------------------------------------- */

/* Chooses the sign with which entries ascend with the vertex numbers on the whole: meshes are
 * numbered in sweeps, and such orders fit together if pieces are bisected separately.  If that
 * is undecided, the first non-zero entry is negative. */
static double sign_of(int32_t n, const double *x, double norm)
{
    double moment = 0, small = 1e-9 * norm;
    for (int32_t v = 0; v < n; v++)
        moment += x[v] * (double)v;
    if (moment > small * n || -moment > small * n)
        return moment < 0 ? -1 : 1;
    int32_t v = 0;
    while (v < n - 1 && x[v] <= small && -x[v] <= small)
        v++;
    return x[v] > 0 ? -1 : 1;
}

/* Makes x orthogonal to the constant vector, of norm 1, with a defined sign. */
static void normalise(int32_t n, double *x)
{
    double sum = 0, square = 0;
    for (int32_t v = 0; v < n; v++)
        sum += x[v];
    for (int32_t v = 0; v < n; v++) {
        x[v] -= sum / n;
        square += x[v] * x[v];
    }
    double norm = sqrt(square), factor = sign_of(n, x, norm) / norm;
    for (int32_t v = 0; v < n; v++)
        x[v] *= factor;
}

static void judge(const clv_graph *g, const double *x, double tolerance,
                  clv_fiedler_result *result)
{
    double value = 0, square = 0, most = 0;
    for (int32_t v = 0; v < g->nvtx; v++) {
        double energy = 0, degree = 0;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            double w = clv_graph_ewgt(g, a), d = x[v] - x[g->adj[a]];
            energy += w * d * d;
            degree += w;
        }
        value += energy / 2;
        most = degree > most ? degree : most;
    }
    for (int32_t v = 0; v < g->nvtx; v++) {
        double lx = 0;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            lx += clv_graph_ewgt(g, a) * (x[v] - x[g->adj[a]]);
        square += (lx - value * x[v]) * (lx - value * x[v]);
    }
    result->value = value;
    result->residual = most > 0 ? sqrt(square) / most : 0;
    result->converged =
        sqrt(square) <= tolerance * value || result->residual <= clv_fiedler_rounding;
}

/* ---- By case ---------------------------------------------------------------------------- */

static void place_components(int32_t n, int32_t count, const int32_t *component, double *x)
{
    for (int32_t v = 0; v < n; v++)
        x[v] = (double)(count - 1 - component[v]) / count;
    normalise(n, x);
}

/* *computed: false if the context was stopped before there was any vector. */
static cleave_status solve_connected(const clv_graph *g, double tolerance, clv_context *ctx,
                                     double *x, clv_fiedler_result *result, bool *computed,
                                     cleave_error *err)
{
    clv_fiedler_levels *l = clv_ws_alloc(ctx->ws, 1, sizeof *l);
    if (!l)
        return clv_fail_memory(err);
    *computed = false;
    if (clv_context_stop(ctx))
        return CLEAVE_OK;
    CLV_TRY(clv_fiedler_levels_build(l, g, ctx, err));
    if (l->hierarchy.cut_short) { /* from a random start it would take too long */
        clv_fiedler_levels_free(l);
        return CLEAVE_OK;
    }
    *computed = true;
    clv_fiedler_block b = {.l = l};
    cleave_status status = CLEAVE_OK;
    if (l->nlevels == 1 && l->vectors) {
        memcpy(x, l->vectors, (size_t)g->nvtx * sizeof *x);
    } else {
        status = clv_fiedler_block_alloc(&b, g->nvtx, ctx->ws, err);
        if (status == CLEAVE_OK) {
            result->steps = solve_levels(&b, tolerance, ctx, computed);
            for (int64_t v = 0; *computed && v < g->nvtx; v++)
                x[v] = b.s[0][v * width];
        }
    }
    clv_fiedler_levels_free(l);
    return status;
}

static cleave_status solve(const clv_graph *g, double tolerance, clv_context *ctx, double *x,
                           clv_fiedler_result *result, cleave_error *err)
{
    int32_t count, *component = clv_ws_alloc(ctx->ws, g->nvtx, sizeof *component);
    bool computed = true;
    if (!component)
        return clv_fail_memory(err);
    CLV_TRY(clv_fiedler_pieces(g, ctx->ws, component, &count, err));
    if (count > 1)
        place_components(g->nvtx, count, component, x);
    else
        CLV_TRY(solve_connected(g, tolerance, ctx, x, result, &computed, err));
    if (!computed) {
        for (int64_t v = 0; v < g->nvtx; v++)
            x[v] = (double)v;
        result->residual = 1;
        return CLEAVE_OK;
    }
    if (count == 1)
        normalise(g->nvtx, x);
    judge(g, x, tolerance, result);
    return CLEAVE_OK;
}

cleave_status clv_fiedler(const clv_graph *g, double tolerance, clv_context *ctx, double *x,
                          clv_fiedler_result *result, cleave_error *err)
{
    assert(g->nvtx >= 2 && g->kind == CLEAVE_UNDIRECTED);
    *result = (clv_fiedler_result){0};
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status = solve(g, tolerance, ctx, x, result, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
