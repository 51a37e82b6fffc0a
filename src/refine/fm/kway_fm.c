/* SPDX-License-Identifier: Apache-2.0 */
/* refine/fm/kway_fm.c - localised k-way FM ["multi-try" search of Sanders, Schulz 2011, after
 * Fiduccia, Mattheyses 1982].
 *
 * A round processes the boundary vertices in random order.  A few of them seed a search: the
 * queue holds vertices by the gain of their best move; the first one moves, even at a loss,
 * and its neighbours enter the queue, so that the search spreads around its seeds.  It ends
 * when the gains since the last improvement make another one unlikely [Osipov, Sanders 2010],
 * and the moves after the best state are rolled back.  A vertex moves once in a round.
 *
 * A key in the queue is an upper bound on the gain: it ignores the capacity of parts.  The top
 * is evaluated again, and goes back with its true gain when that is lower; so the best
 * possible move is made, and updates stay cheap.  On a machine the key is the gain of the best
 * link, recomputed when a neighbour has moved.
 *
 * Work: a move scans all arcs of its vertex.  Moves that stay cost at most the arcs of the
 * graph in a round, because their vertices are locked.  Moves that are rolled back could be
 * tried by every search of the round, which next to hubs is quadratic: they are paid from a
 * credit that grows evenly with the seeds of the round, up to `taken_back` times the arcs of
 * the graph.  A hub, which costs more than the seeds of a search add, uses credit that other
 * searches have left: after a failure it is not tried again in the round. */
#include "refine/fm/kway_fm.h"

#include <assert.h>
#include <string.h>

#include "base/rng.h"
#include "refine/gain/gain_cache_queue.h"
#include "refine/gain/gain_code.h"
#include "refine/gain/link_cost.h"

enum {
    stage = 0x6b666d,
    moves_between_clocks = 1000,
    arcs_between_clocks = 1 << 18,
    block = 32,
    exact_gain = 1 << 30, /* on a machine */
    /* The limit on rolled back moves of a round, in multiples of the arcs of the graph.
     * Meshes need 0.1 to 0.5, matrices and social networks up to 2.6, of which the last
     * improves the cut by 0.1 %. */
    taken_back = 1
};
static const int64_t least_gain = -CLV_MOST_WEIGHT; /* of a vertex that cannot move */
static const double evener_by = 1e-9; /* far above the rounding errors of a search */

typedef struct step {
    int32_t entry, from;
} step;

typedef struct searching {
    clv_partition_state *s;
    const clv_kway_fm_params *params;
    clv_context *ctx;
    clv_gain_cache t;
    clv_gain_cache_queue q;
    int32_t *list;   /* entries of the boundary at the start of the round */
    int32_t *order;  /* of the ranges of the list */
    double *inverse; /* nparts * ncon: 1 / upper bound */
    step *steps;
    int32_t nsteps, kept; /* moves of this search; those up to the best state */
    int64_t overload;     /* remaining credit of this search */
    int64_t credit;       /* credit: arcs that searches can still roll back */
    int64_t earned;       /* credit that the seeds of one search add */
    int64_t work;         /* moves and seeds since the clock was read */
    int64_t paid;         /* arcs walked until then */
} searching;

/* ---- The queue --------------------------------------------------------------------- */

/* Distances and 64-bit weights make gains large; where all weights fit 31 bits, gains are
 * exact except on a machine.  Among equal gains the newest entry is first. */
static uint64_t key_of(const searching *f, int64_t gain, int32_t entry)
{
    if (CLV_UNLIKELY(gain >= exact_gain || gain <= -exact_gain))
        gain = f->s->machine ? clv_gain_squeeze(gain, exact_gain, 24) : clv_gain_code(gain);
    return clv_gain_cache_key((int32_t)gain, entry);
}

static void set_key(searching *f, int32_t entry, int64_t gain)
{
    clv_gain_cache_queue_set(&f->q, key_of(f, gain, entry));
}

/* ---- Moves ------------------------------------------------------------------------- */

typedef struct target {
    int32_t part; /* -1: none */
    int64_t gain;
} target;

/* How full a part is: the largest weight relative to its bound. */
static double load(const searching *f, int32_t p)
{
    int32_t ncon = f->s->g->ncon;
    double most = 0;
    for (int64_t i = (int64_t)p * ncon; i < (int64_t)(p + 1) * ncon; i++) {
        double here = (double)f->s->weight[i] * f->inverse[i];
        if (most < here)
            most = here;
    }
    return most;
}

static bool prefer(const searching *f, int32_t p, int32_t than)
{
    double a = load(f, p), b = load(f, than);
    return a != b ? a < b : p < than;
}

static CLV_ALWAYS_INLINE void consider(const searching *f, int32_t v, int32_t p,
                                       int64_t weight, target *best)
{
    if (weight < best->gain || !clv_state_fits(f->s, v, p))
        return;
    if (weight > best->gain || best->part < 0 || prefer(f, p, best->part))
        *best = (target){p, weight};
}

/* The best places may be between the neighbours.  Keys ignore them: they are evaluated when
 * the vertex reaches the top. */
static void consider_between(const searching *f, int32_t v, const clv_pulls *x, target *best)
{
    const clv_machine *m = f->s->machine;
    const int32_t *near = m->nearest + (int64_t)x->part * clv_most_nearest;
    if (!clv_pulls_reach(m, x))
        return;
    for (int32_t i = 0; i < clv_most_nearest && near[i] >= 0; i++)
        if (f->s->count[near[i]] > 0 && !clv_pulls_has(x, near[i]))
            consider(f, v, near[i], -clv_pulls_cost(m, x, near[i]), best);
}

static target choose_place(const searching *f, int32_t v, const clv_pulls *x, bool any)
{
    const clv_machine *m = f->s->machine;
    int32_t list[clv_most_candidates];
    bool many = x->count > clv_most_candidates;
    int32_t count = many ? clv_pulls_strongest(x, list) : x->count;
    target best = {-1, INT64_MIN};
    for (int32_t i = 0; i < count; i++) {
        int32_t p = x->link[many ? list[i] : i].part;
        int64_t worth = -clv_pulls_cost(m, x, p);
        if (!any)
            consider(f, v, p, worth, &best);
        else if (worth > best.gain)
            best = (target){p, worth};
    }
    if (m->between && !any)
        consider_between(f, v, x, &best);
    best.gain = best.part < 0 ? least_gain : best.gain + clv_pulls_cost(m, x, x->part);
    return best;
}

/* The best place for a vertex on a machine; any: also places without capacity. */
static target best_place(searching *f, const clv_gain_entry *e, bool any)
{
    clv_pulls x = {clv_gain_entry_links(e), NULL, e->count, e->part, e->own};
    if (!e->loose)
        return choose_place(f, e->vertex, &x, any);
    x.link = f->t.gathered;
    x.wide = f->t.wide;
    x.count = clv_gain_cache_gather(&f->t, e, &x.own);
    target best = choose_place(f, e->vertex, &x, any);
    for (int32_t i = 0; i < x.count; i++)
        f->t.wide[x.link[i].part] = 0;
    return best;
}

/* The best part for a vertex in the current state; gain is exact. */
static target best_target(searching *f, const clv_gain_entry *e)
{
    target best = {-1, 0};
    if (!clv_state_may_leave(f->s, e->vertex))
        return best;
    if (f->s->machine)
        return best_place(f, e, false);
    if (!e->loose) {
        const clv_link *link = clv_gain_entry_links(e);
        for (int32_t i = 0; i < e->count; i++)
            consider(f, e->vertex, link[i].part, link[i].weight, &best);
        best.gain -= e->own;
        return best;
    }
    int64_t own;
    int32_t count = clv_gain_cache_gather(&f->t, e, &own);
    for (int32_t i = 0; i < count; i++) {
        int32_t p = f->t.gathered[i].part;
        consider(f, e->vertex, p, f->t.wide[p], &best);
        f->t.wide[p] = 0;
    }
    best.gain -= own;
    return best;
}

/* An upper bound on the gain of the vertex. */
static int64_t optimistic(searching *f, const clv_gain_entry *e)
{
    if (f->s->machine)
        return best_place(f, e, true).gain;
    if (!e->loose)
        return (int64_t)clv_gain_entry_top(e) - e->own;
    return best_target(f, e).gain;
}

/* By how much a move reduces the overload; >= 0 for the moves that are made (no empty part is
 * filled: it has no neighbours). */
static int64_t relief(const clv_partition_state *s, int32_t v, int32_t to)
{
    const clv_graph *g = s->g;
    int32_t from = s->part[v];
    int64_t sum = 0;
    for (int32_t c = 0; c < g->ncon; c++) {
        int64_t i = (int64_t)from * g->ncon + c, j = (int64_t)to * g->ncon + c;
        int64_t w = clv_graph_vwgt(g, v, c), over = s->weight[i] - s->bounds.max[i];
        sum += over < 0 ? 0 : over < w ? over : w;
        int64_t under = s->bounds.min ? s->bounds.min[j] - s->weight[j] : 0;
        sum += under < 0 ? 0 : under < w ? under : w;
    }
    return sum;
}

/* The change of the sum of the squared loads by the move. */
static double unevenness(const searching *f, int32_t v, int32_t from, int32_t to)
{
    const clv_graph *g = f->s->g;
    double sum = 0;
    for (int32_t c = 0; c < g->ncon; c++) {
        int64_t i = (int64_t)from * g->ncon + c, j = (int64_t)to * g->ncon + c;
        double w = (double)clv_graph_vwgt(g, v, c), x = w * f->inverse[i],
               y = w * f->inverse[j];
        sum += y * (2 * (double)f->s->weight[j] * f->inverse[j] + y) -
               x * (2 * (double)f->s->weight[i] * f->inverse[i] - x);
    }
    return sum;
}

static inline int64_t arcs_of(const searching *f, int32_t v)
{
    return f->s->g->xadj[v + 1] - f->s->g->xadj[v];
}

static inline bool is_hub(const searching *f, int32_t v)
{
    return arcs_of(f, v) > f->earned;
}

/* Updates the key of a neighbour of the vertex that moved. */
static void requeue(searching *f, int32_t i)
{
    clv_gain_entry *e = &f->t.entry[i];
    if (e->locked)
        return;
    if (e->count > 0 || e->loose)
        set_key(f, i, optimistic(f, e));
    else if (e->place >= 0)
        set_key(f, i, least_gain);
}

/* Applies the move of v to up to `block` neighbours.  The entries are far apart in memory:
 * first all of them are prefetched, then they are updated. */
static void tell(searching *f, int64_t begin, int64_t end, int32_t from, int32_t to, bool back)
{
    const clv_graph *g = f->s->g;
    int32_t index[block], n = (int32_t)(end - begin);
    for (int32_t i = 0; i < n; i++) {
        index[i] = f->t.index[g->adj[begin + i]];
        if (index[i] >= 0)
            CLV_PREFETCH(&f->t.entry[index[i]]);
    }
    for (int32_t i = 0; i < n; i++) {
        int32_t j = index[i];
        int64_t w = clv_graph_ewgt(g, begin + i);
        if (j < 0)
            j = clv_gain_cache_add(&f->t, g->adj[begin + i]);
        else if (w > 0)
            clv_gain_cache_shift(&f->t, &f->t.entry[j], from, to, (int32_t)w);
        if (!back)
            requeue(f, j);
    }
}

static void move(searching *f, int32_t i, int32_t to, bool back)
{
    const clv_graph *g = f->s->g;
    clv_gain_entry *e = &f->t.entry[i];
    int32_t v = e->vertex, from = e->part;
    clv_state_move(f->s, v, to);
    clv_gain_cache_move(&f->t, e, to);
    f->s->touched += arcs_of(f, v);
    int64_t end = g->xadj[v + 1];
    for (int64_t a = g->xadj[v]; a < end; a += block)
        tell(f, a, end < a + block ? end : a + block, from, to, back);
}

/* ---- A search ---------------------------------------------------------------------- */

static void take_back(searching *f)
{
    while (f->nsteps > f->kept) {
        step last = f->steps[--f->nsteps];
        if (f->nsteps > f->kept)
            CLV_PREFETCH(&f->s->g->xadj[f->t.entry[f->steps[f->nsteps - 1].entry].vertex]);
        move(f, last.entry, last.from, true);
        f->t.entry[last.entry].locked = is_hub(f, f->t.entry[last.entry].vertex);
    }
}

/* The state of a search.  `gap` moves since the last improvement, the sum of their gains and
 * of the squares. */
typedef struct progress {
    int64_t cut, best_cut, overload;
    double uneven, best_uneven; /* sum of squared loads, relative to the start */
    int32_t gap;
    double sum, squares;
    int64_t risk; /* arcs of the moves after the best state: those to roll back */
} progress;

/* Whether another improvement is unlikely for a random walk with the mean and variance of the
 * last gains. */
static bool hopeless(const searching *f, const progress *p)
{
    if (p->gap < f->params->patience || p->sum >= 0)
        return false;
    double drift = p->sum * p->sum, variance = p->gap * p->squares - drift; /* * gap^2 */
    return 100.0 * p->gap * drift > variance * f->params->spread;
}

/* Keeps the state after a move with this gain if it is the best so far. */
static void judge(searching *f, progress *p, int64_t gain)
{
    p->cut -= gain;
    bool better = p->overload < f->overload || p->cut < p->best_cut;
    bool evener = p->cut == p->best_cut && p->uneven < p->best_uneven - evener_by;
    if (better || evener) {
        f->kept = f->nsteps;
        p->risk = 0;
        f->overload = p->overload;
        p->best_cut = p->cut;
        p->best_uneven = p->uneven;
    }
    if (better) {
        p->gap = 0;
        p->sum = p->squares = 0;
    } else {
        p->gap++;
        p->sum += (double)gain;
        p->squares += (double)gain * (double)gain;
    }
}

/* Whether v can move.  A move to a new best state stays; the credit must cover any other move,
 * which may be rolled back. */
static bool is_covered(const searching *f, const progress *p, int32_t v, int64_t gain)
{
    return p->risk + arcs_of(f, v) <= f->credit || p->cut - gain < p->best_cut;
}

/* Pops the entry with the best possible move; -1: none. */
static int32_t next_move(searching *f, const progress *p, target *best)
{
    const clv_graph *g = f->s->g;
    while (f->q.count > 0) {
        int32_t i = clv_gain_cache_queue_top(&f->q);
        const clv_gain_entry *e = &f->t.entry[i];
        CLV_PREFETCH(&g->xadj[e->vertex]);
        *best = best_target(f, e);
        if (best->part >= 0 && key_of(f, best->gain, i) < f->q.key[0]) {
            set_key(f, i, best->gain);
            continue;
        }
        CLV_PREFETCH(&g->adj[g->xadj[e->vertex]]);
        clv_gain_cache_queue_drop(&f->q);
        if (best->part >= 0 && is_covered(f, p, e->vertex, best->gain))
            return i;
    }
    return -1;
}

static bool out_of_time(searching *f)
{
    f->work++;
    if (f->work < moves_between_clocks && f->s->touched - f->paid < arcs_between_clocks)
        return clv_context_is_stopped(f->ctx);
    clv_context_count(f->ctx, f->s->touched - f->paid);
    f->work = 0;
    f->paid = f->s->touched;
    return clv_context_stop(f->ctx);
}

static void search_from_seeds(searching *f)
{
    clv_partition_state *s = f->s;
    progress p = {.cut = s->cut, .best_cut = s->cut, .overload = f->overload};
    target best;
    int32_t i;
    f->nsteps = f->kept = 0;
    while (!hopeless(f, &p) && p.risk <= f->credit && !out_of_time(f) &&
           (i = next_move(f, &p, &best)) >= 0) {
        clv_gain_entry *e = &f->t.entry[i];
        e->locked = true;
        if (p.overload > 0)
            p.overload -= relief(s, e->vertex, best.part);
        p.uneven += unevenness(f, e->vertex, e->part, best.part);
        f->steps[f->nsteps++] = (step){i, e->part};
        p.risk += 1 + arcs_of(f, e->vertex);
        move(f, i, best.part, false);
        judge(f, &p, best.gain);
    }
    f->credit -= p.risk < f->credit ? p.risk : f->credit;
    clv_gain_cache_queue_clear(&f->q);
    take_back(f);
    s->cut = p.best_cut;
}

/* ---- Rounds ------------------------------------------------------------------------ */

/* Inserts a vertex into the queue if it can start a search. */
static void seed(searching *f, int32_t i)
{
    const clv_gain_entry *e = &f->t.entry[i];
    if (e->locked)
        return;
    target best = best_target(f, e);
    if (best.part >= 0)
        set_key(f, i, best.gain);
}

/* Processes the list in random order of ranges, each with as many vertices as seed a search:
 * seeds that are close to each other help each other, and share the cache.  False: the context
 * stopped it. */
static bool run_round(searching *f, int32_t n, clv_rng *rng)
{
    int32_t length = f->params->seeds, pieces = n / length + (n % length > 0);
    int64_t per_seed = taken_back * f->s->g->narc / n + 1;
    clv_rng_permutation(rng, pieces, f->order);
    f->credit = 0;
    f->earned = length * per_seed;
    for (int32_t i = 0; i < pieces; i++) {
        int32_t begin = f->order[i] * length, end = n - begin < length ? n : begin + length;
        f->credit += (end - begin) * per_seed;
        for (int32_t j = begin; j < end; j++) {
            seed(f, f->list[j]);
            if (f->q.count >= length)
                search_from_seeds(f);
        }
        if (out_of_time(f))
            return false;
    }
    search_from_seeds(f);
    return true;
}

/* Enters the boundary vertices in the order of their numbers: neighbours often have close
 * numbers, and their entries are then close as well. */
static int32_t enter_boundary(searching *f)
{
    clv_partition_state *s = f->s;
    int32_t n = 0;
    int64_t next_look = 0;
    for (int32_t v = 0; v < s->g->nvtx; v++) {
        if (s->g->xadj[v] >= next_look) { /* hubs are often adjacent */
            if (clv_context_stop(f->ctx))
                return 0;
            next_look = s->g->xadj[v] + arcs_between_clocks;
        }
        if (!s->maybe_boundary[v])
            continue;
        int32_t i = clv_gain_cache_add(&f->t, v);
        const clv_gain_entry *e = &f->t.entry[i];
        if (e->count > 0 || e->loose) {
            f->list[n++] = i;
        } else {
            clv_gain_cache_undo(&f->t);
            s->maybe_boundary[v] = f->t.hidden;
        }
    }
    return n;
}

/* The boundary after a round: every vertex on it has an entry. */
static int32_t list_boundary(searching *f)
{
    int32_t n = 0;
    for (int32_t i = 0; i < f->t.count; i++) {
        clv_gain_entry *e = &f->t.entry[i];
        e->locked = e->fixed;
        if (!e->fixed && (e->count > 0 || e->loose))
            f->list[n++] = i;
    }
    return n;
}

static void run_rounds(searching *f)
{
    int32_t n = enter_boundary(f);
    for (int32_t round = 0; round < f->params->rounds && n > 0; round++) {
        int64_t before = f->s->cut;
        int64_t overload = f->overload;
        clv_rng rng =
            clv_rng_make(f->ctx->seed, stage, (uint64_t)f->s->level, (uint64_t)round);
        if (!run_round(f, n, &rng))
            break;
        int64_t saved = before - f->s->cut;
        if (overload == f->overload &&
            (saved <= 0 || (double)saved * 10000 < (double)before * f->params->least))
            break;
        n = list_boundary(f);
    }
}

/* Entries tell exactly which vertices are on the boundary, except for edges of weight 0. */
static void refresh_near(searching *f)
{
    for (int32_t i = 0; i < f->t.count; i++) {
        const clv_gain_entry *e = &f->t.entry[i];
        f->s->maybe_boundary[e->vertex] = e->count > 0 || e->loose || f->t.hidden;
    }
}

static cleave_status start(searching *f, cleave_error *err)
{
    clv_partition_state *s = f->s;
    clv_ws *ws = &f->ctx->ws[0];
    CLV_TRY(clv_gain_cache_init(&f->t, s, ws, err));
    int64_t bounds = clv_bounds_places(&s->bounds);
    f->q = (clv_gain_cache_queue){.t = &f->t,
                                  .key = clv_ws_alloc(ws, s->g->nvtx, sizeof *f->q.key)};
    f->list = clv_ws_alloc(ws, s->g->nvtx, sizeof *f->list);
    f->order = clv_ws_alloc(ws, s->g->nvtx, sizeof *f->order);
    f->steps = clv_ws_alloc(ws, s->g->nvtx, sizeof *f->steps);
    f->inverse = clv_ws_alloc(ws, bounds, sizeof *f->inverse);
    if (!f->q.key || !f->list || !f->order || !f->steps || !f->inverse)
        return clv_fail_memory(err);
    for (int64_t i = 0; i < bounds; i++)
        f->inverse[i] = s->bounds.max[i] > 0 ? 1.0 / (double)s->bounds.max[i] : 0;
    f->overload = clv_state_overload(s);
    return CLEAVE_OK;
}

clv_kway_fm_params clv_kway_fm_defaults(void)
{
    return (clv_kway_fm_params){
        .rounds = 10, .seeds = 10, .patience = 10, .spread = 300, .least = 50};
}

cleave_status clv_kway_fm(clv_partition_state *s, const clv_kway_fm_params *params,
                          clv_context *ctx, cleave_error *err)
{
    if (s->bounds.nparts < 2)
        return CLEAVE_OK;
    assert(params->seeds >= 1);
    searching f = {.s = s, .params = params, .ctx = ctx};
    clv_ws_mark mark = clv_ws_save(&ctx->ws[0]);
    cleave_status status = start(&f, err);
    if (status == CLEAVE_OK) {
        run_rounds(&f);
        refresh_near(&f);
    }
    clv_ws_restore(&ctx->ws[0], mark);
    return status;
}
