/* SPDX-License-Identifier: Apache-2.0 */
/* refine/fm/kway_fm.c - localised k-way FM ["multi-try" search of Sanders, Schulz 2011, after
 * Fiduccia, Mattheyses 1982].
 *
 * A round processes the boundary vertices in random order.  A few of them seed a search
 * (refine/fm/kway_search.h).  A vertex moves once in a round.  Short rounds search in place,
 * one search after the other; long ones in batches (refine/fm/kway_batch.h).
 *
 * Work: a move scans all arcs of its vertex.  Moves that stay cost at most the arcs of the
 * graph in a round, because their vertices are locked.  Moves that are rolled back could be
 * tried by every search of the round, which next to hubs is quadratic: they are paid from a
 * credit that grows evenly with the seeds of the round, up to `taken_back` times the arcs of
 * the graph.  A hub, which costs more than the seeds of a search add, uses credit that other
 * searches have left: after a failure it is not tried again in the round. */
#include "refine/fm/kway_fm.h"

#include <assert.h>

#include "base/rng.h"
#include "refine/fm/kway_batch.h"
#include "refine/fm/kway_boundary.h"

enum {
    stage = 0x6b666d,
    /* The limit on rolled back moves of a round, in multiples of the arcs of the graph.
     * Meshes need 0.1 to 0.5, matrices and social networks up to 2.6, of which the last
     * improves the cut by 0.1 %. */
    taken_back = 1,
    vertices_per_part = 64 /* from which searches are private; bounds the memory of threads */
};

typedef struct kway_rounds {
    clv_kway_search f;     /* in place */
    clv_kway_batch *batch; /* NULL: not needed yet */
    int32_t *list;         /* entries of the boundary at the start of the round */
    int32_t *order;        /* of the ranges of the list */
} kway_rounds;

/* ---- Rounds ------------------------------------------------------------------------- */

/* Searches in place from the ranges order[0..count-1]; a search starts when it has enough
 * seeds.  False: the context stopped it. */
static bool search_in_place(kway_rounds *k, const clv_kway_ranges *r, int32_t count)
{
    clv_kway_search *f = &k->f;
    for (int32_t i = 0; i < count; i++) {
        if (clv_kway_out_of_time(f))
            return false;
        int32_t begin = k->order[i] * r->length;
        int32_t end = r->count - begin < r->length ? r->count : begin + r->length;
        f->credit += (end - begin) * r->per_seed;
        for (int32_t j = begin; j < end; j++) {
            clv_kway_seed(f, r->list[j]);
            if (f->q.count >= r->length)
                clv_kway_search_from_seeds(f);
        }
    }
    clv_kway_search_from_seeds(f);
    return !clv_kway_out_of_time(f);
}

/* Processes the list in random order of ranges, each with as many vertices as seed a search:
 * seeds that are close to each other help each other, and share the cache.  *stopped: by the
 * context. */
static cleave_status run_round(kway_rounds *k, int32_t n, clv_rng *rng, bool *stopped,
                               cleave_error *err)
{
    clv_kway_search *f = &k->f;
    clv_kway_ranges r = {.list = k->list, .count = n, .length = f->params->seeds};
    int32_t count = n / r.length + (n % r.length > 0);
    r.per_seed = taken_back * f->s->g->narc / n + 1;
    clv_rng_permutation(rng, count, k->order);
    f->credit = 0;
    f->earned = r.length * r.per_seed;
    /* Private searches have arrays by part. */
    bool few_parts = f->s->bounds.nparts <= f->s->g->nvtx / vertices_per_part;
    if (few_parts && clv_kway_batch_size(count) > 1) {
        if (!k->batch)
            CLV_TRY(clv_kway_batch_make(&k->batch, f, err));
        count = clv_kway_batch_search(k->batch, &r, k->order, count);
    }
    *stopped = !search_in_place(k, &r, count);
    return CLEAVE_OK;
}

static cleave_status run_rounds(kway_rounds *k, cleave_error *err)
{
    clv_kway_search *f = &k->f;
    int32_t n;
    bool stopped = false;
    CLV_TRY(clv_kway_enter_boundary(f, k->list, &n, err));
    for (int32_t round = 0; round < f->params->rounds && n > 0 && !stopped; round++) {
        int64_t before = f->s->cut;
        int64_t overload = f->overload;
        clv_rng rng =
            clv_rng_make(f->ctx->seed, stage, (uint64_t)f->s->level, (uint64_t)round);
        CLV_TRY(run_round(k, n, &rng, &stopped, err));
        int64_t saved = before - f->s->cut;
        if (overload == f->overload &&
            (saved <= 0 || (double)saved * 10000 < (double)before * f->params->least))
            break;
        n = clv_kway_list_boundary(f, k->list);
    }
    return CLEAVE_OK;
}

static cleave_status start(kway_rounds *k, cleave_error *err)
{
    clv_kway_search *f = &k->f;
    clv_partition_state *s = f->s;
    clv_ws *ws = &f->ctx->ws[0];
    CLV_TRY(clv_gain_cache_init(&f->t, s, f->ctx->team, ws, err));
    int64_t bounds = clv_bounds_places(&s->bounds);
    f->q = (clv_gain_cache_queue){.t = &f->t,
                                  .key = clv_ws_alloc(ws, s->g->nvtx, sizeof *f->q.key)};
    k->list = clv_ws_alloc(ws, s->g->nvtx, sizeof *k->list);
    k->order = clv_ws_alloc(ws, s->g->nvtx, sizeof *k->order);
    f->steps = clv_ws_alloc(ws, s->g->nvtx, sizeof *f->steps);
    f->inverse = clv_ws_alloc(ws, bounds, sizeof *f->inverse);
    if (!f->q.key || !k->list || !k->order || !f->steps || !f->inverse)
        return clv_fail_memory(err);
    for (int64_t i = 0; i < bounds; i++)
        f->inverse[i] = s->bounds.max[i] > 0 ? 1.0 / (double)s->bounds.max[i] : 0;
    f->most_steps = s->g->nvtx;
    f->overload = clv_state_overload(s);
    return CLEAVE_OK;
}

clv_kway_fm_params clv_kway_fm_defaults(void)
{
    return (clv_kway_fm_params){
        .rounds = 10, .seeds = 10, .patience = 10, .spread = 300, .least = 50};
}

static cleave_status refine(clv_partition_state *s, const clv_kway_fm_params *params,
                            clv_context *ctx, cleave_error *err)
{
    kway_rounds k = {.f = {.s = s, .params = params, .ctx = ctx}};
    CLV_TRY(start(&k, err));
    cleave_status status = run_rounds(&k, err);
    clv_kway_mark_boundary(&k.f);
    return status;
}

cleave_status clv_kway_fm(clv_partition_state *s, const clv_kway_fm_params *params,
                          clv_context *ctx, cleave_error *err)
{
    if (s->bounds.nparts < 2)
        return CLEAVE_OK;
    assert(params->seeds >= 1);
    int threads = clv_context_threads(ctx);
    clv_ws_mark first = clv_ws_save(&ctx->ws[0]);
    clv_ws_mark *mark = clv_ws_alloc(&ctx->ws[0], threads, sizeof *mark);
    if (!mark)
        return clv_fail_memory(err);
    for (int i = 1; i < threads; i++)
        mark[i] = clv_ws_save(&ctx->ws[i]);
    cleave_status status = refine(s, params, ctx, err);
    for (int i = 1; i < threads; i++)
        clv_ws_restore(&ctx->ws[i], mark[i]);
    clv_ws_restore(&ctx->ws[0], first);
    return status;
}
