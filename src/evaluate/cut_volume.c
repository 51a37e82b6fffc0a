/* SPDX-License-Identifier: Apache-2.0 */
/* evaluate/cut_volume.c - cut and communication volume in one pass over the arcs: on a graph
 * that exceeds the caches, reading the parts of the neighbours is most of the time. */
#include "evaluate/evaluate.h"

typedef struct sums {
    int64_t cut, volume;
    bool cut_fits, volume_fits;
} sums;

/* last[p] is one more than the last vertex that counted p, as in evaluate/volume.c. */
static CLV_ALWAYS_INLINE void add_row(const clv_graph *g, const int32_t *part, int32_t v,
                                      int32_t *last, sums *s, bool weighted)
{
    int32_t own = part[v];
    int64_t row = 0, count = 0, volume;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t u = g->adj[a], p = part[u];
        if (p == own)
            continue;
        if (g->kind == CLEAVE_DAG || u > v)
            row += weighted ? clv_graph_ewgt(g, a) : 1;
        count += last[p] != v + 1;
        last[p] = v + 1;
    }
    s->cut_fits = s->cut_fits && clv_add_i64(s->cut, row, &s->cut);
    s->volume_fits = s->volume_fits && clv_mul_i64(count, clv_graph_vsize(g, v), &volume) &&
                     clv_add_i64(s->volume, volume, &s->volume);
}

enum {
    block = 1 << 14,      /* vertices */
    worth_waking = 100000 /* vertices and arcs; below, one thread is faster */
};

/* The sums of a block of vertices do not depend on the thread that computes them, and no sum
 * of weights is negative: the total overflows in every order of addition or in none. */
typedef struct summing {
    const clv_parted_graph *p;
    bool weighted;
    int32_t **last; /* by thread */
    sums *of;       /* by block */
} summing;

static void sum_blocks(void *context, int64_t begin, int64_t end, int member)
{
    const summing *j = context;
    const clv_graph *g = j->p->g;
    int32_t *last = j->last[member];
    for (int64_t b = begin; b < end; b++) {
        sums s = {.cut_fits = true, .volume_fits = true};
        int64_t stop = (b + 1) * block < g->nvtx ? (b + 1) * block : g->nvtx;
        for (int32_t v = (int32_t)(b * block); v < stop; v++)
            if (j->weighted)
                add_row(g, j->p->part, v, last, &s, true);
            else
                add_row(g, j->p->part, v, last, &s, false);
        j->of[b] = s;
    }
}

/* The useful number of threads, each of which needs an array by part. */
static int count_threads(const clv_parted_graph *p, const clv_context *ctx)
{
    int64_t threads = clv_context_threads(ctx);
    bool small = (int64_t)p->g->nvtx + p->g->narc < worth_waking;
    return small || threads * p->nparts > p->g->nvtx ? 1 : (int)threads;
}

static cleave_status sum_all(summing *j, clv_context *ctx, sums *total, cleave_error *err)
{
    int threads = count_threads(j->p, ctx);
    int64_t nblocks = ((int64_t)j->p->g->nvtx + block - 1) / block;
    j->last = clv_ws_alloc(ctx->ws, threads, sizeof *j->last);
    j->of = clv_ws_alloc(ctx->ws, nblocks, sizeof *j->of);
    if (!j->last || !j->of)
        return clv_fail_memory(err);
    for (int i = 0; i < threads; i++) {
        j->last[i] = clv_ws_zalloc(ctx->ws, j->p->nparts, sizeof *j->last[i]);
        if (!j->last[i])
            return clv_fail_memory(err);
    }
    clv_parallel_for(threads > 1 ? ctx->team : NULL, nblocks, 1, sum_blocks, j);
    for (int64_t b = 0; b < nblocks; b++) {
        total->cut_fits = total->cut_fits && j->of[b].cut_fits &&
                          clv_add_i64(total->cut, j->of[b].cut, &total->cut);
        total->volume_fits = total->volume_fits && j->of[b].volume_fits &&
                             clv_add_i64(total->volume, j->of[b].volume, &total->volume);
    }
    return CLEAVE_OK;
}

cleave_status clv_evaluate_cut_and_volume(const clv_parted_graph *p, clv_context *ctx,
                                          int64_t *cut, int64_t *volume, cleave_error *err)
{
    summing j = {.p = p, .weighted = clv_weights_any(clv_graph_ewgts(p->g))};
    sums total = {.cut_fits = true, .volume_fits = true};
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status = sum_all(&j, ctx, &total, err);
    clv_ws_restore(ctx->ws, mark);
    CLV_TRY(status);
    if (!total.cut_fits)
        return clv_fail(err, CLEAVE_ERANGE, "the weight of the cut exceeds 2^63-1");
    if (!total.volume_fits)
        return clv_fail(err, CLEAVE_ERANGE, "the communication volume exceeds 2^63-1");
    *cut = total.cut;
    *volume = total.volume;
    return CLEAVE_OK;
}
