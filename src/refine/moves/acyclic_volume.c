/* SPDX-License-Identifier: Apache-2.0 */
/* refine/moves/acyclic_volume.c - FM refinement of the communication volume of an acyclic
 * partition.
 *
 * FM with rollback [Fiduccia, Mattheyses 1982] over the gains of
 * refine/moves/dag_volume_moves.h, in two forms that alternate.  Wide: the whole boundary is
 * in one queue; the best vertex moves, even at a loss; after many moves without a new best
 * state, the moves since the best state are rolled back.  Narrow: the same from one boundary
 * vertex after the other, with a short limit [multi-try FM: Sanders, Schulz 2011].  A vertex
 * moves at most once per round.
 *
 * The key of a vertex is almost always an upper bound on its gain.  The gain is computed when
 * the vertex comes out of the queue; if it is less than the key, the vertex goes back. */
#include "refine/moves/acyclic_volume.h"

#include "base/compare.h"
#include "base/rng.h"
#include "refine/moves/dag_volume_moves.h"

enum {
    wide_hub = 1000,  /* limit on readers that are updated, in a wide search */
    narrow_hub = 100, /* and in a narrow one */
    wide_rounds = 2,  /* for each narrow one */
    narrow_patience = 30,
    idle_work = 20,   /* scans of the whole boundary that a narrow round can take, */
    gain_work = 4000, /* and further ones multiplied by the relative volume that it gained */
    stage = 0x61766f, /* for random numbers */
    moves_between_clocks = 1024,
    looks_between_clocks = 256
};

/* Pops the best vertex with its current move; -1: none.  Vertices with a gain below their key
 * go back into the queue; those with very many predecessors are expensive to evaluate and wait
 * for the next round. */
static int32_t next_vertex(clv_dag_moves *x, clv_dag_move *m, bool *fine)
{
    const clv_graph *g = x->s->g;
    while (x->queue.count > 0) {
        int32_t v = clv_heap_top(&x->queue);
        int64_t key = x->queue.key[v];
        if (!clv_dag_moves_best(x, v, m)) {
            *fine = false;
            return -1;
        }
        bool fell = m->to >= 0 && clv_dag_move_key(m) < key;
        if (fell && g->xpred[v + 1] - g->xpred[v] <= wide_hub) {
            clv_heap_set(&x->queue, v, clv_dag_move_key(m));
            continue;
        }
        clv_heap_pop(&x->queue);
        if (m->to >= 0 && !fell)
            return v;
    }
    return -1;
}

/* Runs the search from the queue.  False: out of memory; still consistent. */
static bool hill_climb(clv_dag_moves *x, int32_t patience)
{
    clv_partition_state *s = x->s;
    int32_t keep = 0, turns = 0;
    int64_t best_volume = x->volume, best_cut = s->cut;
    bool fine = true;
    x->count = 0;
    while (fine && x->count - keep < patience) {
        clv_dag_move m;
        int32_t v = next_vertex(x, &m, &fine);
        if (v < 0 || (++turns % moves_between_clocks == 0 && clv_context_stop(x->ctx)))
            break;
        clv_dag_moves_move(x, v, m.to);
        if (clv_pair_is_smaller(x->volume, s->cut, best_volume, best_cut)) {
            best_volume = x->volume;
            best_cut = s->cut;
            keep = x->count;
        }
        for (int32_t i = 0; i < x->nstale && fine; i++)
            fine = clv_dag_moves_consider(x, x->stale[i]);
    }
    clv_heap_clear(&x->queue);
    clv_dag_moves_undo(x, keep);
    return fine;
}

/* All of the boundary in one queue. */
static bool run_wide(clv_dag_moves *x, int32_t patience, int32_t *seeds)
{
    int32_t count = clv_state_boundary(x->s, seeds);
    x->hub = wide_hub;
    clv_dag_moves_unlock(x);
    for (int32_t i = 0; i < count; i++) {
        if (i % looks_between_clocks == 0 && clv_context_stop(x->ctx)) {
            clv_heap_clear(&x->queue);
            return true;
        }
        if (!clv_dag_moves_consider(x, seeds[i]))
            return false;
    }
    return hill_climb(x, count / 5 > patience ? count / 5 : patience);
}

/* Searches from one boundary vertex after the other, in random order: searches that start next
 * to each other interfere.  Ends early where the gain is small: the cost limit is in units of
 * scans of the whole boundary. */
static bool run_narrow(clv_dag_moves *x, int32_t round, int32_t *seeds)
{
    clv_rng rng = clv_rng_make(x->ctx->seed, stage, (uint64_t)x->s->level, (uint64_t)round);
    int32_t count = clv_state_boundary(x->s, seeds);
    for (int32_t i = count - 1; i > 0; i--) {
        int32_t j = (int32_t)clv_rng_below(&rng, (uint32_t)i + 1), v = seeds[i];
        seeds[i] = seeds[j];
        seeds[j] = v;
    }
    x->hub = narrow_hub;
    clv_dag_moves_unlock(x);
    int64_t start = x->volume, before = x->work, once = 0;
    for (int32_t i = 0; i < count; i++)
        once += x->s->g->xpred[seeds[i] + 1] - x->s->g->xpred[seeds[i]] + 1;
    for (int32_t i = 0; i < count; i++) {
        double gained = (double)(start - x->volume) / (double)(start > 0 ? start : 1);
        if ((double)(x->work - before) > (idle_work + gain_work * gained) * (double)once ||
            (i % looks_between_clocks == 0 && clv_context_stop(x->ctx)))
            break;
        if (!clv_dag_moves_consider(x, seeds[i]) || !hill_climb(x, narrow_patience))
            return false;
    }
    return true;
}

static bool run_round(clv_dag_moves *x, int32_t round, int32_t patience, int32_t *seeds)
{
    for (int i = 0; i < wide_rounds; i++) {
        int64_t volume = x->volume, cut = x->s->cut;
        if (!run_wide(x, patience, seeds))
            return false;
        if (!clv_pair_is_smaller(x->volume, x->s->cut, volume, cut))
            break;
    }
    return clv_context_stop(x->ctx) || run_narrow(x, round, seeds);
}

static cleave_status refine(clv_partition_state *s, const clv_acyclic_volume_params *params,
                            clv_context *ctx, cleave_error *err)
{
    clv_dag_moves x;
    CLV_TRY(clv_dag_moves_init(&x, s, ctx, err));
    int32_t *seeds = clv_ws_alloc(ctx->ws, s->g->nvtx, sizeof *seeds);
    bool whole;
    if (!seeds || !clv_dag_moves_measure(&x, seeds, &whole))
        return clv_fail_memory(err);
    if (!whole) /* out of time */
        return CLEAVE_OK;
    if (params->before)
        *params->before = x.volume;
    bool fine = true;
    for (int32_t round = 0; round < params->rounds && fine; round++) {
        int64_t volume = x.volume, cut = s->cut;
        fine = run_round(&x, round, params->patience, seeds);
        if (!clv_pair_is_smaller(x.volume, s->cut, volume, cut) || clv_context_stop(ctx))
            break;
    }
    if (params->after)
        *params->after = x.volume;
    return fine ? CLEAVE_OK : clv_fail_memory(err);
}

cleave_status clv_acyclic_volume(clv_partition_state *s,
                                 const clv_acyclic_volume_params *params, clv_context *ctx,
                                 cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status = refine(s, params, ctx, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
