/* SPDX-License-Identifier: Apache-2.0 */
/* refine/moves/jet.c - Jet: bulk moves that can lose a little and break the balance [Gilbert,
 * Madduri, Boman, Rajamanickam 2024].
 *
 * A round computes the best other part of every boundary vertex that did not move in the round
 * before.  The vertex is a candidate if its loss is below a limit set by the temperature.
 * Gains of the candidates are then recomputed as if all candidates of higher gain had moved.
 * Candidates whose recomputed gain is not negative move, all at once.  Rebalancing brings
 * parts back within their bounds, smallest loss per weight first (refine/balance/rebalance.h).
 * The best solution so far is kept as a list of the vertices that have changed since.
 *
 * Best parts are stored and recomputed only where a neighbour has moved.  All passes read one
 * state and write another, so that the result does not depend on the number of threads. */
#include "refine/moves/jet.h"

#include "refine/balance/rebalance_bulk.h"
#include "refine/gain/best_other.h"
#include "refine/moves/jet_bulk.h"

enum {
    long_list = 8192, /* vertices from which threads pay */
    grain = 512,
    moves_between_clocks = 1024,
    many_moves = 1024,            /* from which they are made in bulk ... */
    bulk_share = 512,             /* ... if they are this share of the vertices; not tuned */
    work_between_looks = 1 << 17, /* arcs, or distances */
    worth_waiting = 1000          /* the cut must shrink by this fraction to reset the count */
};

/* Bits of `state`. */
enum {
    DIRTY = 1,       /* `to` and `gain` are out of date */
    WILLING = 2,     /* the loss of moving to `to` is small enough */
    CANDIDATE = 4,   /* in this round */
    LOCKED_EVEN = 8, /* moved in the last round, if that was an even one */
    LOCKED_ODD = 16,
    CHANGED = 32, /* is in `changes` */
    LISTED = 64,  /* is in `list` */
    KNOWN = 128   /* `gain` is set, though maybe out of date */
};

typedef struct change {
    int32_t v, part;
} change;

typedef struct jet {
    clv_partition_state *s;
    clv_context *ctx;
    const clv_jet_params *params;
    clv_neighbour_parts *f; /* one per thread */
    int32_t *list;          /* the boundary, and some former boundary vertices */
    int32_t nlist;
    int32_t *picked; /* candidates; then the vertices that move */
    int32_t npicked;
    uint8_t locks;  /* the bit of the vertices that move in this round */
    uint8_t *keep;  /* by position in picked: the recomputed gain is not negative */
    int32_t *to;    /* by vertex: best other part, -1: none */
    int64_t *gain;  /* by vertex: gain of that move */
    uint8_t *state; /* by vertex */
    change *changes;
    int32_t nchanges;
    int32_t *leaving; /* by part: scratch */
    clv_worth best;
    bool is_long; /* the list that for_all visits: it may end early */
} jet;

/* ---- Best parts ---------------------------------------------------------------------- */

static CLV_ALWAYS_INLINE void update(jet *j, clv_neighbour_parts *f, int32_t v, bool mapped)
{
    clv_partition_state *s = j->s;
    int32_t from = s->part[v];
    clv_neighbour_parts_gather(f, s, v);
    int64_t most, tied = f->conn[from];
    int32_t best = clv_best_other(s, f, v, &most, mapped);
    int64_t gain = most - tied;
    if (mapped && best >= 0) {
        gain = most - clv_worth_at(s, f, from, true);
        tied *= clv_machine_distance(s->machine, from, best);
    }
    clv_neighbour_parts_clear(f);
    s->maybe_boundary[v] = f->outside;
    j->to[v] = best;
    j->gain[v] = gain;
    /* Loss <= tied * temperature / 1024, without overflow. */
    int64_t t = j->params->temperature;
    int64_t may_lose = tied < INT64_C(1) << 40 ? tied * t / 1024 : tied / 1024 * t;
    bool willing = best >= 0 && -gain <= may_lose && !clv_state_is_fixed(s, v);
    j->state[v] =
        (uint8_t)((j->state[v] & ~(DIRTY | WILLING)) | KNOWN | (willing ? WILLING : 0));
}

/* On a machine each candidate place costs a distance per neighbouring part: slices of the list
 * (clv_context_for) can take longer than a pass over the graph. */
static CLV_ALWAYS_INLINE void update_all(jet *j, int64_t begin, int64_t end, int member,
                                         bool mapped)
{
    clv_context ctx = clv_context_child(j->ctx, member);
    const int64_t *xadj = j->s->g->xadj;
    int64_t work = 0;
    for (int64_t i = begin; i < end; i++) {
        int32_t v = j->list[i];
        if (!(j->state[v] & DIRTY))
            continue;
        update(j, &j->f[member], v, mapped);
        work += (xadj[v + 1] - xadj[v]) * (mapped ? clv_most_candidates : 1);
        if (work < work_between_looks)
            continue;
        work = 0;
        if (j->is_long && clv_context_stop(&ctx))
            return;
    }
}

static void update_range(void *context, int64_t begin, int64_t end, int member)
{
    jet *j = context;
    if (j->s->machine)
        update_all(j, begin, end, member, true);
    else
        update_all(j, begin, end, member, false);
}

/* False: the context stopped it. */
static bool for_all(jet *j, int32_t count, void (*body)(void *, int64_t, int64_t, int))
{
    j->is_long = count >= long_list;
    if (j->is_long)
        return clv_context_for(j->ctx, count, grain, body, j) &&
               !clv_context_is_stopped(j->ctx);
    body(j, 0, count, 0);
    return true;
}

/* Updates the list, drops inner vertices, and picks the candidates.  False: the context
 * stopped it. */
static bool pick(jet *j)
{
    int32_t kept = 0;
    if (!for_all(j, j->nlist, update_range))
        return false;
    j->npicked = 0;
    uint8_t last = j->locks ^ (LOCKED_EVEN | LOCKED_ODD);
    for (int32_t i = 0; i < j->nlist; i++) {
        int32_t v = j->list[i];
        uint8_t state = j->state[v];
        if (!j->s->maybe_boundary[v]) {
            j->state[v] = state & CHANGED;
            continue;
        }
        j->list[kept++] = v;
        bool candidate = (state & (WILLING | last)) == WILLING;
        if (candidate)
            j->picked[j->npicked++] = v;
        j->state[v] = (uint8_t)((state & ~last) | (candidate ? CANDIDATE : 0));
    }
    j->nlist = kept;
    return true;
}

/* ---- Second gain computation --------------------------------------------------------- */

/* The part of u when v moves: candidates with more gain move first. */
static inline int32_t part_then(const jet *j, int32_t u, int32_t v, int64_t mine)
{
    bool before =
        (j->state[u] & CANDIDATE) && (j->gain[u] > mine || (j->gain[u] == mine && u < v));
    return before ? j->to[u] : j->s->part[u];
}

static bool is_still_good_mapped(const jet *j, clv_neighbour_parts *f, int32_t v)
{
    const clv_partition_state *s = j->s;
    const clv_graph *g = s->g;
    int64_t mine = j->gain[v];
    f->count = 0;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
        if (clv_graph_ewgt(g, a) > 0)
            clv_neighbour_parts_add(f, part_then(j, g->adj[a], v, mine), clv_graph_ewgt(g, a));
    int64_t gain = clv_mapping_cost(s->machine, f, s->part[v]) -
                   clv_mapping_cost(s->machine, f, j->to[v]);
    clv_neighbour_parts_clear(f);
    return gain >= 0;
}

static bool is_still_good(const jet *j, int32_t v)
{
    const clv_partition_state *s = j->s;
    const clv_graph *g = s->g;
    int32_t from = s->part[v], to = j->to[v];
    int64_t mine = j->gain[v], gain = 0;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t p = part_then(j, g->adj[a], v, mine);
        if (p == to)
            gain += clv_graph_ewgt(g, a);
        else if (p == from)
            gain -= clv_graph_ewgt(g, a);
    }
    return gain >= 0;
}

static void look_again_range(void *context, int64_t begin, int64_t end, int member)
{
    jet *j = context;
    bool mapped = j->s->machine != NULL;
    for (int64_t i = begin; i < end; i++)
        j->keep[i] = mapped ? is_still_good_mapped(j, &j->f[member], j->picked[i])
                            : is_still_good(j, j->picked[i]);
}

/* Keeps the candidates that move in picked; the others are none any more.  False: the context
 * stopped it. */
static bool look_again(jet *j)
{
    int32_t kept = 0;
    if (!for_all(j, j->npicked, look_again_range))
        return false;
    for (int32_t i = 0; i < j->npicked; i++) {
        int32_t v = j->picked[i];
        if (j->keep[i])
            j->picked[kept++] = v;
        else
            j->state[v] = (uint8_t)(j->state[v] & ~CANDIDATE);
    }
    j->npicked = kept;
    return true;
}

/* ---- Moves --------------------------------------------------------------------------- */

static void make_dirty(jet *j, int32_t v)
{
    if (!(j->state[v] & LISTED)) {
        j->list[j->nlist++] = v;
        j->s->maybe_boundary[v] = 1;
    }
    j->state[v] |= DIRTY | LISTED;
}

/* v is about to leave its part: records its part in the best solution. */
static void note_change(jet *j, int32_t v, int32_t from)
{
    if (j->state[v] & CHANGED)
        return;
    j->state[v] |= CHANGED;
    j->changes[j->nchanges++] = (change){v, from};
}

/* The gain of moving v. */
static int64_t mapped_gain(jet *j, int32_t v)
{
    const clv_partition_state *s = j->s;
    clv_neighbour_parts *f = &j->f[0];
    clv_neighbour_parts_gather(f, s, v);
    int64_t gain = clv_mapping_cost(s->machine, f, s->part[v]) -
                   clv_mapping_cost(s->machine, f, j->to[v]);
    clv_neighbour_parts_clear(f);
    return gain;
}

/* Marks the neighbours of v.  Returns the gain in cut; 0 when mapped. */
static CLV_ALWAYS_INLINE int64_t mark_neighbours(jet *j, int32_t v, bool mapped)
{
    const clv_partition_state *s = j->s;
    const clv_graph *g = s->g;
    int32_t from = s->part[v], to = j->to[v];
    int64_t gain = 0;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t u = g->adj[a], p = s->part[u];
        if (!mapped && p == to)
            gain += clv_graph_ewgt(g, a);
        else if (!mapped && p == from)
            gain -= clv_graph_ewgt(g, a);
        make_dirty(j, u);
    }
    return gain;
}

static void move(jet *j, int32_t v)
{
    clv_partition_state *s = j->s;
    int32_t from = s->part[v];
    j->state[v] = (uint8_t)(j->state[v] & ~CANDIDATE);
    if (s->count[from] == 1)
        return;
    note_change(j, v, from);
    s->cut -= s->machine ? mapped_gain(j, v) + mark_neighbours(j, v, true)
                         : mark_neighbours(j, v, false);
    make_dirty(j, v);
    j->state[v] |= j->locks;
    clv_state_move(s, v, j->to[v]);
}

/* The same for all vertices in picked, in parallel; false: there are too few, or a part could
 * become empty. */
static bool move_in_bulk(jet *j)
{
    int32_t n = j->s->g->nvtx;
    if (j->npicked < many_moves || j->npicked < n / bulk_share)
        return false;
    clv_bulk_move m = {.s = j->s,
                       .team = j->ctx->team,
                       .moved = j->picked,
                       .count = j->npicked,
                       .to = j->to,
                       .state = j->state,
                       .moving = CANDIDATE,
                       .then = j->locks,
                       .marked = DIRTY | LISTED,
                       .leaving = j->leaving};
    if (!clv_bulk_move_fits(&m))
        return false;
    for (int32_t i = 0; i < j->npicked; i++)
        note_change(j, j->picked[i], j->s->part[j->picked[i]]);
    clv_bulk_move_apply(&m);
    j->nlist = clv_bulk_list(j->state, n, LISTED, j->list, j->ctx->team);
    return true;
}

/* False: the context stopped it. */
static bool move_picked(jet *j)
{
    if (clv_context_stop(j->ctx))
        return false;
    if (move_in_bulk(j))
        return true;
    for (int32_t i = 0; i < j->npicked; i++) {
        if (i % moves_between_clocks == moves_between_clocks - 1 && clv_context_stop(j->ctx))
            return false;
        move(j, j->picked[i]);
    }
    return true;
}

/* Sorted batches first.  They mark vertices that are not in the list yet. */
static cleave_status repair_in_bulk(jet *j, const clv_rebalance_hints *hints,
                                    clv_rebalance_log *log, cleave_error *err)
{
    clv_bulk_balance arrays = {j->to, CANDIDATE, DIRTY | LISTED, j->leaving};
    CLV_TRY(clv_rebalance_bulk(j->s, hints, &arrays, log, j->ctx, err));
    for (int32_t i = 0; i < log->count; i++)
        note_change(j, log->move[2 * (int64_t)i], log->move[2 * (int64_t)i + 1]);
    return CLEAVE_OK;
}

static cleave_status repair(jet *j, cleave_error *err)
{
    clv_ws *ws = &j->ctx->ws[0];
    clv_ws_mark mark = clv_ws_save(ws);
    clv_rebalance_log log = {0};
    if (!for_all(j, j->nlist, update_range))
        return CLEAVE_OK;
    clv_rebalance_hints hints = {j->list, j->nlist, j->gain, j->state, KNOWN, DIRTY};
    cleave_status status = repair_in_bulk(j, &hints, &log, err);
    int32_t bulk = log.count;
    if (status == CLEAVE_OK && clv_state_overload(j->s) > 0)
        status = clv_rebalance_boundary(j->s, &hints, &log, j->ctx, err);
    if (bulk > 0)
        j->nlist = clv_bulk_list(j->state, j->s->g->nvtx, LISTED, j->list, j->ctx->team);
    for (int32_t i = bulk; i < log.count; i++) {
        int32_t v = log.move[2 * (int64_t)i];
        note_change(j, v, log.move[2 * (int64_t)i + 1]);
        make_dirty(j, v);
        for (int64_t a = j->s->g->xadj[v]; a < j->s->g->xadj[v + 1]; a++)
            make_dirty(j, j->s->g->adj[a]);
    }
    clv_ws_restore(ws, mark);
    return status;
}

/* ---- The best solution --------------------------------------------------------------- */

static void keep_best(jet *j, clv_worth worth)
{
    for (int32_t i = 0; i < j->nchanges; i++)
        j->state[j->changes[i].v] &= (uint8_t)~CHANGED;
    j->nchanges = 0;
    j->best = worth;
}

static void return_to_best(jet *j)
{
    for (int32_t i = 0; i < j->nchanges; i++) {
        int32_t v = j->changes[i].v;
        clv_state_move(j->s, v, j->changes[i].part);
        clv_state_mark(j->s, v);
    }
    j->s->cut = j->best.cut;
}

/* Keeps the solution if it is the best so far.  Small improvements are kept, but do not reset
 * the count of rounds. */
static void judge(jet *j, int32_t *waited)
{
    clv_worth now = clv_state_worth(j->s), best = j->best;
    ++*waited;
    if (!clv_worth_better(now, best))
        return;
    if (now.overload < best.overload || now.cut < best.cut - best.cut / worth_waiting)
        *waited = 0;
    keep_best(j, now);
}

/* ---- Rounds -------------------------------------------------------------------------- */

static bool open_jet(jet *j, clv_partition_state *s, const clv_jet_params *params,
                     clv_context *ctx)
{
    int32_t n = s->g->nvtx;
    int members = n < long_list ? 1 : clv_context_threads(ctx);
    clv_ws *ws = &ctx->ws[0];
    *j = (jet){.s = s, .ctx = ctx, .params = params};
    j->f = clv_ws_alloc(ws, members, sizeof j->f[0]);
    j->list = clv_ws_alloc(ws, n, sizeof j->list[0]);
    j->picked = clv_ws_alloc(ws, n, sizeof j->picked[0]);
    j->keep = clv_ws_alloc(ws, n, sizeof j->keep[0]);
    j->to = clv_ws_alloc(ws, n, sizeof j->to[0]);
    j->gain = clv_ws_alloc(ws, n, sizeof j->gain[0]);
    j->state = clv_ws_zalloc(ws, n, sizeof j->state[0]);
    j->changes = clv_ws_alloc(ws, n, sizeof j->changes[0]);
    j->leaving = clv_ws_alloc(ws, s->bounds.nparts, sizeof j->leaving[0]);
    if (!j->f || !j->list || !j->picked || !j->keep || !j->to || !j->gain || !j->state ||
        !j->changes || !j->leaving)
        return false;
    for (int m = 0; m < members; m++)
        if (!clv_neighbour_parts_init(&j->f[m], s->bounds.nparts, ws))
            return false;
    return true;
}

static cleave_status run_rounds(jet *j, cleave_error *err)
{
    clv_partition_state *s = j->s;
    int32_t waited = 0, idle = 0;
    for (int32_t round = 0; round < j->params->rounds; round++) {
        if (waited >= j->params->patience || clv_context_stop(j->ctx))
            break;
        j->locks = round % 2 ? LOCKED_ODD : LOCKED_EVEN;
        if (!pick(j) || !look_again(j))
            break;
        idle = j->npicked == 0 ? idle + 1 : 0;
        if (idle == 2) /* and no vertex was locked */
            break;
        if (!move_picked(j))
            break;
        if (clv_state_overload(s) > 0)
            CLV_TRY(repair(j, err));
        judge(j, &waited);
    }
    return CLEAVE_OK;
}

cleave_status clv_jet(clv_partition_state *s, const clv_jet_params *params, clv_context *ctx,
                      cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(&ctx->ws[0]);
    jet j;
    cleave_status status = open_jet(&j, s, params, ctx) ? CLEAVE_OK : clv_fail_memory(err);
    if (status == CLEAVE_OK) {
        keep_best(&j, clv_state_worth(s));
        j.nlist = clv_state_boundary_team(s, j.list, ctx->team);
        for (int32_t i = 0; i < j.nlist; i++)
            j.state[j.list[i]] = DIRTY | LISTED;
        status = run_rounds(&j, err);
        return_to_best(&j);
    }
    clv_ws_restore(&ctx->ws[0], mark);
    return status;
}
