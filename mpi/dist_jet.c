/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_jet.c - Jet refinement [Gilbert, Madduri, Boman, Rajamanickam 2024] over ranks.
 *
 * A round is that of refine/moves/jet.c with two ghost exchanges: the intended moves with
 * their gains, before the second gain computation, and the parts, after the moves.  The
 * vertices considered are those on the boundary of parts and those on the boundary of ranks,
 * whose neighbours may have moved on other ranks. */
#include <string.h>

#include "mpi/dist_refine.h"
#include "refine/gain/best_other.h"
#include "refine/gain/gain_code.h"

enum { grain = 512, worth_waiting = 1000 };

/* Bits of state. */
enum { LOCKED = 1, RIM = 2 /* a ghost of another rank */ };

typedef struct jet {
    clv_dist_state *k;
    const clv_dist_jet_params *params;
    clv_context *ctx;
    int32_t *list;
    int32_t nlist;
    int64_t *intent; /* own and ghosts: gain (32 bits, saturated) and target + 1; 0: stays */
    uint8_t *state;  /* own */
    uint8_t *moves;  /* by place in list */
    int32_t *best;   /* own: parts of the best solution */
    clv_worth best_worth;
    int64_t cost; /* of the vertices considered, as clv_dist_cost */
} jet;

/* ---- Intents ---------------------------------------------------------------------------- */

static int64_t make_intent(int64_t gain, int32_t to)
{
    return (int64_t)((uint64_t)clv_gain_code(gain) << 32) | (to + 1);
}
static int32_t intent_to(int64_t intent)
{
    return (int32_t)(intent & 0xffffffff) - 1;
}
/* Encodes an intent; codes are only compared with each other. */
static int64_t intent_gain(int64_t intent)
{
    return intent >> 32;
}

/* ---- First gain computation ------------------------------------------------------------- */

static CLV_ALWAYS_INLINE int64_t look(jet *j, clv_neighbour_parts *f, int32_t v, bool mapped)
{
    clv_dist_state *k = j->k;
    clv_partition_state *s = &k->s;
    int32_t from = s->part[v];
    clv_dist_gather(k, f, v);
    s->maybe_boundary[v] = f->outside;
    j->intent[v] = 0;
    if (!f->outside || (j->state[v] & LOCKED) || clv_state_is_fixed(s, v)) {
        clv_neighbour_parts_clear(f);
        return f->outside ? clv_dist_cost(k, v) : 0;
    }
    int64_t most, tied = f->conn[from];
    int32_t best = clv_best_other(s, f, v, &most, mapped);
    int64_t gain = most - tied;
    if (mapped && best >= 0) {
        gain = most - clv_worth_at(s, f, from, true);
        tied *= clv_machine_distance(s->machine, from, best);
    }
    clv_neighbour_parts_clear(f);
    int64_t t = j->params->temperature;
    int64_t may_lose = tied < INT64_C(1) << 40 ? tied * t / 1024 : tied / 1024 * t;
    if (best >= 0 && -gain <= may_lose)
        j->intent[v] = make_intent(gain, best);
    return clv_dist_cost(k, v);
}

static void look_range(void *context, int64_t begin, int64_t end, int member)
{
    jet *j = context;
    clv_neighbour_parts *f = &j->k->f[member];
    int64_t cost = 0;
    bool mapped = j->k->s.machine != NULL;
    for (int64_t i = begin; i < end; i++)
        cost += mapped ? look(j, f, j->list[i], true) : look(j, f, j->list[i], false);
    __atomic_fetch_add(&j->cost, cost, __ATOMIC_RELAXED);
}

/* Lists every vertex on the boundary of a part or of a rank. */
static void make_list(jet *j)
{
    j->nlist = 0;
    for (int32_t v = 0; v < j->k->g->nlocal; v++)
        if (j->k->s.maybe_boundary[v] || (j->state[v] & RIM))
            j->list[j->nlist++] = v;
}

/* Computes the gains of all of them; the cut is then that of the state. */
static void look_at_all(jet *j)
{
    clv_dist_state *k = j->k;
    make_list(j);
    j->cost = 0;
    clv_parallel_for(j->ctx->team, j->nlist, grain, look_range, j);
    k->s.cut = clv_comm_sum(&k->g->comm, j->cost) / 2;
}

/* ---- Second gain computation ------------------------------------------------------------ */

/* The part of u when v moves: vertices move in descending order of gain. */
static inline int32_t part_then(const jet *j, int32_t u, int32_t v, int64_t mine)
{
    int64_t theirs = j->intent[u];
    if (theirs == 0)
        return j->k->s.part[u];
    int64_t gain = intent_gain(theirs);
    bool before = gain > mine ||
                  (gain == mine && clv_dist_global(j->k->g, u) < clv_dist_global(j->k->g, v));
    return before ? intent_to(theirs) : j->k->s.part[u];
}

static bool is_still_good(const jet *j, clv_neighbour_parts *f, int32_t v)
{
    const clv_dist_state *k = j->k;
    const clv_dist_graph *g = k->g;
    const clv_partition_state *s = &k->s;
    int32_t from = s->part[v], to = intent_to(j->intent[v]);
    int64_t mine = intent_gain(j->intent[v]);
    f->count = 0;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
        if (clv_dist_ewgt(g, a) > 0)
            clv_neighbour_parts_add(f, part_then(j, g->adj[a], v, mine), clv_dist_ewgt(g, a));
    if (k->home && k->home[v] >= 0 && k->tie[v] > 0)
        clv_neighbour_parts_add(f, k->home[v], k->tie[v]);
    int64_t gain = s->machine ? clv_mapping_cost(s->machine, f, from) -
                                    clv_mapping_cost(s->machine, f, to)
                              : f->conn[to] - f->conn[from];
    clv_neighbour_parts_clear(f);
    return gain >= 0;
}

static void look_again_range(void *context, int64_t begin, int64_t end, int member)
{
    jet *j = context;
    for (int64_t i = begin; i < end; i++) {
        int32_t v = j->list[i];
        j->moves[i] = j->intent[v] != 0 && is_still_good(j, &j->k->f[member], v);
    }
}

/* ---- Moves ------------------------------------------------------------------------------ */

/* Returns the number of moves on all ranks. */
static int64_t move_all(jet *j)
{
    clv_dist_state *k = j->k;
    const clv_dist_graph *g = k->g;
    int64_t moved = 0;
    for (int32_t i = 0; i < j->nlist; i++) {
        int32_t v = j->list[i];
        j->state[v] &= (uint8_t)~LOCKED;
        if (!j->moves[i])
            continue;
        k->s.part[v] = intent_to(j->intent[v]);
        j->state[v] |= LOCKED;
        k->s.maybe_boundary[v] = 1;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (g->adj[a] < g->nlocal)
                k->s.maybe_boundary[g->adj[a]] = 1;
        moved++;
    }
    return clv_comm_sum(&g->comm, moved);
}

/* ---- The best solution ------------------------------------------------------------------ */

static void keep_best(jet *j, clv_worth worth)
{
    if (j->k->g->nlocal > 0)
        memcpy(j->best, j->k->s.part, (size_t)j->k->g->nlocal * sizeof *j->best);
    j->best_worth = worth;
}

static void return_to_best(jet *j)
{
    clv_dist_state *k = j->k;
    for (int32_t v = 0; v < k->g->nlocal; v++)
        if (k->s.part[v] != j->best[v]) {
            k->s.part[v] = j->best[v];
            k->s.maybe_boundary[v] = 1;
            for (int64_t a = k->g->xadj[v]; a < k->g->xadj[v + 1]; a++)
                if (k->g->adj[a] < k->g->nlocal)
                    k->s.maybe_boundary[k->g->adj[a]] = 1;
        }
    clv_dist_state_measure(k);
    k->s.cut = j->best_worth.cut;
    for (int32_t v = 0; v < k->g->nlocal; v++)
        if (j->state[v] & RIM)
            k->s.maybe_boundary[v] = 1;
}

/* Keeps the state if it is the best so far. */
static void judge(jet *j, int32_t *waited)
{
    clv_worth now = clv_state_worth(&j->k->s), best = j->best_worth;
    ++*waited;
    if (!clv_worth_better(now, best))
        return;
    if (now.overload < best.overload || now.cut < best.cut - best.cut / worth_waiting)
        *waited = 0;
    keep_best(j, now);
}

/* ---- Rounds ----------------------------------------------------------------------------- */

/* Whether all ranks can continue: their clocks differ. */
static bool all_go_on(jet *j)
{
    return !clv_comm_max(&j->k->g->comm, clv_context_stop(j->ctx));
}

static cleave_status run_rounds(jet *j, cleave_error *err)
{
    clv_dist_state *k = j->k;
    int32_t waited = -1;
    for (int32_t round = 0; round <= j->params->rounds; round++) {
        look_at_all(j);
        judge(j, &waited);
        if (round == j->params->rounds || waited >= j->params->patience || !all_go_on(j))
            return CLEAVE_OK;
        clv_halo_exchange(k->g, j->intent, sizeof *j->intent);
        clv_parallel_for(j->ctx->team, j->nlist, grain, look_again_range, j);
        if (move_all(j) == 0)
            return CLEAVE_OK;
        clv_dist_state_measure(k);
        if (clv_state_overload(&k->s) > 0)
            CLV_TRY(clv_dist_rebalance(k, j->ctx, err));
    }
    return CLEAVE_OK;
}

static bool open_jet(jet *j)
{
    const clv_dist_graph *g = j->k->g;
    clv_ws *ws = j->ctx->ws;
    int64_t n = g->nlocal;
    j->list = clv_ws_alloc(ws, n, sizeof *j->list);
    j->intent = clv_ws_zalloc(ws, n + g->nghost, sizeof *j->intent);
    j->state = clv_ws_zalloc(ws, n, sizeof *j->state);
    j->moves = clv_ws_alloc(ws, n, sizeof *j->moves);
    j->best = clv_ws_alloc(ws, n, sizeof *j->best);
    if (!j->list || !j->intent || !j->state || !j->moves || !j->best)
        return false;
    for (int64_t i = 0; i < g->halo.send_at[g->halo.npeers]; i++)
        j->state[g->halo.send[i]] |= RIM;
    return true;
}

cleave_status clv_dist_jet(clv_dist_state *k, const clv_dist_jet_params *params,
                           clv_context *ctx, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    jet j = {.k = k, .params = params, .ctx = ctx};
    cleave_status status = clv_comm_agree_memory(&k->g->comm, open_jet(&j), err);
    if (status == CLEAVE_OK) {
        keep_best(&j, clv_state_worth(&k->s));
        status = run_rounds(&j, err);
        return_to_best(&j);
    }
    clv_ws_restore(ctx->ws, mark);
    return status;
}
