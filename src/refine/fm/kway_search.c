/* SPDX-License-Identifier: Apache-2.0 */
/* refine/fm/kway_search.c - one localised search of k-way FM, see refine/fm/kway_search.h.
 *
 * The queue holds vertices by the gain of their best move; the first one moves, even at a
 * loss, and its neighbours enter the queue, so that the search spreads around its seeds.  It
 * ends when the gains since the last improvement make another one unlikely [Osipov, Sanders
 * 2010], and the moves after the best state are rolled back.
 *
 * A key in the queue is an upper bound on the gain: it ignores the capacity of parts.  The top
 * is evaluated again, and goes back with its true gain when that is lower; so the best
 * possible move is made, and updates stay cheap.  On a machine the key is the gain of the best
 * link, recomputed when a neighbour has moved. */
#include "refine/fm/kway_search.h"

#include "refine/gain/gain_code.h"
#include "refine/gain/link_cost.h"

enum {
    moves_between_clocks = 1000,
    arcs_between_clocks = 1 << 18,
    sums_between_clocks = 1 << 20,
    block = 32,
    exact_gain = 1 << 30 /* on a machine */
};
static const int64_t least_gain = -CLV_MOST_WEIGHT; /* of a vertex that cannot move */
static const double evener_by = 1e-9; /* far above the rounding errors of a search */

/* ---- The queue --------------------------------------------------------------------- */

/* Distances and 64-bit weights make gains large; where all weights fit 31 bits, gains are
 * exact except on a machine.  Among equal gains the newest entry is first. */
static CLV_ALWAYS_INLINE uint64_t key_of(const clv_kway_search *f, int64_t gain, int32_t entry)
{
    if (CLV_UNLIKELY(gain >= exact_gain || gain <= -exact_gain))
        gain = f->s->machine ? clv_gain_squeeze(gain, exact_gain, 24) : clv_gain_code(gain);
    return clv_gain_cache_key((int32_t)gain, entry);
}

static CLV_ALWAYS_INLINE void set_key(clv_kway_search *f, int32_t entry, int64_t gain)
{
    clv_gain_cache_queue_set(&f->q, key_of(f, gain, entry));
}

/* ---- Moves ------------------------------------------------------------------------- */

typedef struct target {
    int32_t part; /* -1: none */
    int64_t gain;
} target;

/* How full a part is: the largest weight relative to its bound. */
static double load(const clv_kway_search *f, int32_t p)
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

static bool prefer(const clv_kway_search *f, int32_t p, int32_t than)
{
    double a = load(f, p), b = load(f, than);
    return a != b ? a < b : p < than;
}

static CLV_ALWAYS_INLINE void consider(const clv_kway_search *f, int32_t v, int32_t p,
                                       int64_t weight, target *best)
{
    if (weight < best->gain || !clv_state_fits(f->s, v, p))
        return;
    if (weight > best->gain || best->part < 0 || prefer(f, p, best->part))
        *best = (target){p, weight};
}

/* The best places may be between the neighbours.  Keys ignore them: they are evaluated when
 * the vertex reaches the top. */
static void consider_between(const clv_kway_search *f, int32_t v, const clv_pulls *x,
                             target *best)
{
    const clv_machine *m = f->s->machine;
    const int32_t *near = m->nearest + (int64_t)x->part * clv_most_nearest;
    if (!clv_pulls_reach(m, x))
        return;
    for (int32_t i = 0; i < clv_most_nearest && near[i] >= 0; i++)
        if (f->s->count[near[i]] > 0 && !clv_pulls_has(x, near[i]))
            consider(f, v, near[i], -clv_pulls_cost(m, x, near[i]), best);
}

static target choose_place(clv_kway_search *f, int32_t v, const clv_pulls *x, bool any)
{
    const clv_machine *m = f->s->machine;
    int32_t list[clv_most_candidates];
    bool many = x->count > clv_most_candidates;
    int32_t count = many ? clv_pulls_strongest(x, list) : x->count;
    f->summed += (int64_t)count * x->count;
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
static target best_place(clv_kway_search *f, const clv_gain_entry *e, bool any)
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
static target best_target(clv_kway_search *f, const clv_gain_entry *e)
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

/* The exact gain of a move to part `to`. */
static int64_t gain_of(clv_kway_search *f, const clv_gain_entry *e, int32_t to)
{
    clv_pulls x = {clv_gain_entry_links(e), NULL, e->count, e->part, e->own};
    int64_t gain = 0;
    if (e->loose) {
        x.link = f->t.gathered;
        x.wide = f->t.wide;
        x.count = clv_gain_cache_gather(&f->t, e, &x.own);
    }
    if (f->s->machine)
        gain =
            clv_pulls_cost(f->s->machine, &x, e->part) - clv_pulls_cost(f->s->machine, &x, to);
    for (int32_t i = 0; i < x.count && !f->s->machine; i++)
        gain += x.link[i].part == to ? clv_pull_of(&x, i) : 0;
    for (int32_t i = 0; i < x.count && e->loose; i++)
        f->t.wide[x.link[i].part] = 0;
    return f->s->machine ? gain : gain - x.own;
}

/* An upper bound on the gain of the vertex. */
static CLV_ALWAYS_INLINE int64_t optimistic(clv_kway_search *f, const clv_gain_entry *e)
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
static double unevenness(const clv_kway_search *f, int32_t v, int32_t from, int32_t to)
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

static inline int64_t arcs_of(const clv_kway_search *f, int32_t v)
{
    return f->s->g->xadj[v + 1] - f->s->g->xadj[v];
}

/* Updates the key of a neighbour of the vertex that moved. */
static CLV_ALWAYS_INLINE void requeue(clv_kway_search *f, int32_t i)
{
    clv_gain_entry *e = &f->t.entry[i];
    if (e->locked)
        return;
    if (e->count > 0 || e->loose)
        set_key(f, i, optimistic(f, e));
    else if (e->place >= 0)
        set_key(f, i, least_gain);
}

static CLV_ALWAYS_INLINE void shift(clv_kway_search *f, int32_t entry, int64_t w,
                                    const clv_kway_step *way)
{
    if (w > 0)
        clv_gain_cache_shift(&f->t, &f->t.entry[entry], way->from, way->to, (int32_t)w);
}

/* Applies a move to up to `block` neighbours.  The entries are far apart in memory: first all
 * of them are prefetched, then they are updated. */
static void update_block(clv_kway_search *f, int64_t begin, int64_t end,
                         const clv_kway_step *way, bool requeues)
{
    const clv_graph *g = f->s->g;
    int32_t index[block], n = (int32_t)(end - begin);
    for (int32_t i = 0; i < n; i++) {
        index[i] = f->t.index[g->adj[begin + i]];
        if (index[i] >= 0)
            CLV_PREFETCH(&f->t.entry[index[i]]);
    }
    for (int32_t i = 0; i < n; i++) {
        int32_t j = index[i], v = g->adj[begin + i];
        if (j >= 0)
            shift(f, j, clv_graph_ewgt(g, begin + i), way);
        else /* of parallel arcs, the first one has added it */
            j = f->t.index[v] >= 0 ? f->t.index[v] : clv_gain_cache_add(&f->t, v);
        if (requeues)
            requeue(f, j);
    }
}

/* The same in an overlay, where a new entry does not reflect the move yet. */
static void update_privately(clv_kway_search *f, int64_t begin, int64_t end,
                             const clv_kway_step *way)
{
    const clv_graph *g = f->s->g;
    const int32_t *shared = f->t.overlay->shared->index;
    int32_t index[block], n = (int32_t)(end - begin);
    for (int32_t i = 0; i < n; i++) {
        index[i] = clv_gain_overlay_find(&f->t, g->adj[begin + i]);
        if (index[i] < 0 && shared[g->adj[begin + i]] >= 0)
            CLV_PREFETCH(&f->t.overlay->shared->entry[shared[g->adj[begin + i]]]);
    }
    for (int32_t i = 0; i < n; i++) {
        int32_t j = index[i];
        if (j < 0) /* of parallel arcs, the first one has added it */
            j = clv_gain_overlay_find(&f->t, g->adj[begin + i]);
        if (j < 0)
            j = clv_gain_overlay_add(&f->t, g->adj[begin + i]);
        shift(f, j, clv_graph_ewgt(g, begin + i), way);
        requeue(f, j);
    }
}

/* Changes weights and counts; in an overlay, the parts are in the entries only. */
static void move_weight(clv_partition_state *s, const clv_kway_step *way)
{
    const clv_graph *g = s->g;
    for (int32_t c = 0; c < g->ncon; c++) {
        int64_t w = clv_graph_vwgt(g, way->v, c);
        s->weight[(int64_t)way->from * g->ncon + c] -= w;
        s->weight[(int64_t)way->to * g->ncon + c] += w;
    }
    s->count[way->from]--;
    s->count[way->to]++;
}

static void move(clv_kway_search *f, int32_t i, int32_t to, bool requeues)
{
    const clv_graph *g = f->s->g;
    clv_gain_entry *e = &f->t.entry[i];
    clv_kway_step way = {e->vertex, e->part, to};
    move_weight(f->s, &way);
    if (!f->t.overlay)
        f->s->part[way.v] = to;
    clv_gain_cache_move(&f->t, e, to);
    f->s->touched += arcs_of(f, way.v);
    int64_t end = g->xadj[way.v + 1];
    for (int64_t a = g->xadj[way.v]; a < end; a += block) {
        int64_t last = end < a + block ? end : a + block;
        if (f->t.overlay)
            update_privately(f, a, last, &way);
        else
            update_block(f, a, last, &way, requeues);
    }
}

/* ---- A search ---------------------------------------------------------------------- */

static void take_back(clv_kway_search *f)
{
    const int64_t *xadj = f->s->g->xadj;
    while (f->nsteps > f->kept) {
        clv_kway_step last = f->steps[--f->nsteps];
        if (f->nsteps > f->kept)
            CLV_PREFETCH(&xadj[f->steps[f->nsteps - 1].v]);
        int32_t i = f->t.index[last.v];
        move(f, i, last.from, false);
        f->t.entry[i].locked = clv_kway_is_hub(f, last.v);
    }
}

/* Only the weights have to be undone in an overlay: its entries are forgotten. */
static void take_back_privately(clv_kway_search *f)
{
    for (int32_t i = f->nsteps; i-- > 0;) {
        clv_kway_step back = {f->steps[i].v, f->steps[i].to, f->steps[i].from};
        move_weight(f->s, &back);
    }
    clv_gain_overlay_clear(&f->t);
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
static bool hopeless(const clv_kway_search *f, const progress *p)
{
    if (p->gap < f->params->patience || p->sum >= 0)
        return false;
    double drift = p->sum * p->sum, variance = p->gap * p->squares - drift; /* * gap^2 */
    return 100.0 * p->gap * drift > variance * f->params->spread;
}

/* Keeps the state after a move with this gain if it is the best so far. */
static void judge(clv_kway_search *f, progress *p, int64_t gain)
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
static bool is_covered(const clv_kway_search *f, const progress *p, int32_t v, int64_t gain)
{
    if (f->t.overlay && f->t.count + arcs_of(f, v) > f->t.overlay->most)
        return false;
    return p->risk + arcs_of(f, v) <= f->credit || p->cut - gain < p->best_cut;
}

bool clv_kway_out_of_time(clv_kway_search *f)
{
    if (f->t.overlay) /* the batch looks at the clock */
        return clv_context_is_stopped(f->ctx);
    f->work++;
    if (f->work < moves_between_clocks && f->s->touched - f->paid < arcs_between_clocks &&
        f->summed < sums_between_clocks)
        return clv_context_is_stopped(f->ctx);
    clv_context_count(f->ctx, f->s->touched - f->paid);
    f->work = 0;
    f->summed = 0;
    f->paid = f->s->touched;
    return clv_context_stop(f->ctx);
}

/* Pops the entry with the best possible move; -1: none, or out of time. */
static int32_t next_move(clv_kway_search *f, const progress *p, target *best)
{
    const clv_graph *g = f->s->g;
    while (f->q.count > 0 && !clv_kway_out_of_time(f)) {
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

/* Makes a move and judges it. */
static void make_step(clv_kway_search *f, progress *p, int32_t i, target best)
{
    clv_gain_entry *e = &f->t.entry[i];
    clv_partition_state *s = f->s;
    e->locked = true;
    if (p->overload > 0)
        p->overload -= relief(s, e->vertex, best.part);
    p->uneven += unevenness(f, e->vertex, e->part, best.part);
    f->steps[f->nsteps++] = (clv_kway_step){e->vertex, e->part, best.part};
    p->risk += 1 + arcs_of(f, e->vertex);
    move(f, i, best.part, !f->repeats);
    judge(f, p, best.gain);
}

static progress start_search(clv_kway_search *f)
{
    f->nsteps = f->kept = 0;
    return (progress){.cut = f->s->cut, .best_cut = f->s->cut, .overload = f->overload};
}

int64_t clv_kway_search_from_seeds(clv_kway_search *f)
{
    progress p = start_search(f);
    target best;
    int32_t i;
    while (f->nsteps < f->most_steps && !hopeless(f, &p) && p.risk <= f->credit &&
           (i = next_move(f, &p, &best)) >= 0)
        make_step(f, &p, i, best);
    f->credit -= p.risk < f->credit ? p.risk : f->credit;
    clv_gain_cache_queue_clear(&f->q);
    int64_t gain = f->s->cut - p.best_cut;
    if (f->t.overlay) {
        take_back_privately(f);
    } else {
        take_back(f);
        f->s->cut = p.best_cut;
    }
    return gain;
}

int64_t clv_kway_repeat_steps(clv_kway_search *f, const clv_kway_step *steps, int32_t nsteps,
                              int64_t least)
{
    clv_partition_state *s = f->s;
    int64_t overload = f->overload;
    progress p = start_search(f);
    f->repeats = true;
    for (int32_t j = 0; j < nsteps; j++) {
        int32_t v = steps[j].v, to = steps[j].to, i = f->t.index[v];
        if (i < 0)
            i = clv_gain_cache_add(&f->t, v);
        const clv_gain_entry *e = &f->t.entry[i];
        if (e->locked || !clv_state_may_leave(s, v) || !clv_state_fits(s, v, to))
            continue;
        make_step(f, &p, i, (target){to, gain_of(f, e, to)});
    }
    f->repeats = false;
    if (s->cut - p.best_cut < least) {
        f->kept = 0;
        f->overload = overload;
        p.best_cut = s->cut;
    }
    int64_t gain = s->cut - p.best_cut;
    take_back(f);
    s->cut = p.best_cut;
    return gain;
}

/* ---- Seeds ------------------------------------------------------------------------- */

void clv_kway_seed(clv_kway_search *f, int32_t i)
{
    const clv_gain_entry *e = &f->t.entry[i];
    if (e->locked)
        return;
    target best = best_target(f, e);
    if (best.part >= 0)
        set_key(f, i, best.gain);
}
