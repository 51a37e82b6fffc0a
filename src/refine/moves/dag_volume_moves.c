/* SPDX-License-Identifier: Apache-2.0 */
/* refine/moves/dag_volume_moves.c - exact gains of moves in the communication volume of a DAG.
 *
 * S(u) are the parts of the successors of u, kept with their counts for the vertices
 * around the boundary.  Gain of v moving from A to B:
 *   v itself       gains vsize[v] if B is in S(v), loses it if A is;
 *   predecessor u  gains vsize[u] if v was its only successor in A, and u is not in A;
 *                  loses vsize[u] if it had no successor in B, and u is not in B.
 * Candidate parts are those of the nearest predecessors and successors, and those that the
 * predecessors already send to.
 *
 * Inputs are vertices without predecessors; an input in A that v reads can move along.  Up:
 * when v was its last reader in A, the input follows to its first reader and so regains
 * vsize[u].  Down: it must move first, at the same cost as if it had stayed; otherwise v could
 * not move at all.
 *
 * Gains are computed when a vertex comes out of the queue.  Its key is an
 * upper bound on its gain: vertices whose gain may have risen are evaluated again; next to a
 * predecessor that reaches a new part, the key is raised by the possible gain instead.  The
 * readers of hubs are not updated. */
#include "refine/moves/dag_volume_moves.h"

enum {
    long_row = 64, /* parts; beyond, a row offers no parts to go to */
    key_shift = 21 /* keys: the volume above, the cut below */
};

static inline int64_t size_of(const clv_dag_moves *x, int32_t v)
{
    return clv_graph_vsize(x->s->g, v);
}

static inline int32_t rank_of(const clv_dag_moves *x, int32_t v)
{
    return x->s->rank[x->s->part[v]];
}

/* Whether v has too many readers to update them. */
static inline bool is_hub(const clv_dag_moves *x, int32_t v)
{
    return x->s->g->xadj[v + 1] - x->s->g->xadj[v] > x->hub;
}

/* Whether u can move along when one of its readers leaves part own. */
static inline bool comes_along(const clv_dag_moves *x, int32_t u, int32_t own)
{
    const clv_graph *g = x->s->g;
    return g->xpred[u] == g->xpred[u + 1] && x->s->part[u] == own && !x->moved[u];
}

/* ---- Rows ------------------------------------------------------------------------------- */

static bool make_row(clv_dag_moves *x, int32_t u)
{
    const clv_graph *g = x->s->g;
    clv_part_row *row = &x->table.row[u];
    if (row->slot)
        return true;
    if (!clv_part_table_make(&x->table, g, x->s->part, u))
        return false;
    for (int64_t a = g->xadj[u]; a < g->xadj[u + 1]; a++)
        clv_part_entry_of(row, x->s->part[g->adj[a]])->credit += g->adj[a];
    return true;
}

static bool make_rows(clv_dag_moves *x, int32_t v)
{
    const clv_graph *g = x->s->g;
    bool fine = make_row(x, v);
    for (int64_t a = g->xpred[v]; fine && a < g->xpred[v + 1]; a++)
        fine = make_row(x, g->pred[a]);
    return fine;
}

static int32_t lowest_reader(const clv_dag_moves *x, int32_t v)
{
    const clv_part_row *row = &x->table.row[v];
    int32_t low = x->s->bounds.nparts;
    for (int32_t i = 0, n = clv_part_row_places(row); i < n; i++)
        if (row->slot[i].part >= 0 && x->s->rank[row->slot[i].part] < low)
            low = x->s->rank[row->slot[i].part];
    return low;
}

/* ---- Gains ------------------------------------------------------------------------------ */

/* The range of v: ranks, -1 and nparts where there is no bound. */
typedef struct span {
    int32_t low, high;
    int64_t weight; /* of the arcs from the predecessors at low */
    bool inputs;    /* some inputs move along */
} span;

static span span_of(const clv_dag_moves *x, int32_t v)
{
    const clv_partition_state *s = x->s;
    const clv_graph *g = s->g;
    int32_t own = s->part[v];
    span b = {-1, s->bounds.nparts, 0, false};
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
        int32_t u = g->pred[a], r = rank_of(x, u);
        if (comes_along(x, u, own)) {
            b.inputs = true;
            continue;
        }
        if (r < b.low)
            continue;
        b.weight = (r > b.low ? 0 : b.weight) + clv_graph_pwgt(g, a);
        b.low = r;
    }
    if (x->table.row[v].slot) {
        b.high = lowest_reader(x, v);
        return b;
    }
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t r = rank_of(x, g->adj[a]);
        b.high = r < b.high ? r : b.high;
    }
    return b;
}

static void offer(clv_dag_moves *x, int32_t p, int64_t credit)
{
    if (x->offered[p] != x->look) {
        x->offered[p] = x->look;
        x->offer[x->noffer++] = p;
        x->credit[p] = 0;
    }
    x->credit[p] += credit;
}

/* The parts within the range that u reaches are as good as u's own. */
static void offer_row(clv_dag_moves *x, int32_t u, const span *b)
{
    const clv_part_row *row = &x->table.row[u];
    int64_t size = size_of(x, u);
    int32_t own = x->s->part[u];
    if (x->s->rank[own] >= b->low)
        offer(x, own, size);
    for (int32_t i = 0, n = clv_part_row_places(row); i < n; i++) {
        int32_t p = row->slot[i].part;
        if (p >= 0 && p != own && x->s->rank[p] >= b->low && x->s->rank[p] <= b->high)
            offer(x, p, size);
    }
}

static void check_row(clv_dag_moves *x, int32_t u)
{
    for (int32_t i = 0; i < x->noffer; i++) {
        int32_t p = x->offer[i];
        if (x->s->part[u] == p || clv_part_entry_of(&x->table.row[u], p))
            x->credit[p] += size_of(x, u);
    }
}

/* Collects the candidate parts of v.  Returns the gain of its predecessors when v leaves, if
 * they reach none of the new parts. */
static int64_t look_back(clv_dag_moves *x, int32_t v, const span *b)
{
    const clv_graph *g = x->s->g;
    int32_t own = x->s->part[v];
    int64_t leave = 0;
    bool any_long = false;
    x->look++;
    x->noffer = 0;
    if (b->low >= 0)
        offer(x, x->label[b->low], 0);
    if (b->high < x->s->bounds.nparts)
        offer(x, x->label[b->high], 0);
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
        int32_t u = g->pred[a];
        bool last = clv_part_count(&x->table.row[u], own) == 1;
        if (!last || (x->s->part[u] == own && !comes_along(x, u, own)))
            leave -= size_of(x, u);
        if (x->table.row[u].used > long_row)
            any_long = true;
        else
            offer_row(x, u, b);
    }
    for (int64_t a = g->xpred[v]; any_long && a < g->xpred[v + 1]; a++)
        if (x->table.row[g->pred[a]].used > long_row)
            check_row(x, g->pred[a]);
    return leave;
}

/* Whether p has capacity for v and, on the way down, for its inputs. */
static bool has_room(const clv_dag_moves *x, int32_t v, int32_t p, const span *b)
{
    const clv_partition_state *s = x->s;
    const clv_graph *g = s->g;
    int32_t own = s->part[v];
    if (!clv_state_fits(s, v, p) || !b->inputs || s->rank[p] > s->rank[own])
        return clv_state_fits(s, v, p);
    for (int32_t c = 0; c < g->ncon; c++) {
        int64_t i = (int64_t)p * g->ncon + c;
        int64_t sum = s->weight[i] + clv_graph_vwgt(g, v, c);
        for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++)
            if (comes_along(x, g->pred[a], own))
                sum += clv_graph_vwgt(g, g->pred[a], c);
        if (sum > s->bounds.max[i])
            return false;
    }
    return true;
}

static bool is_better(const clv_dag_move *a, const clv_dag_move *b)
{
    if (b->to < 0 || a->volume != b->volume)
        return b->to < 0 || a->volume > b->volume;
    return a->cut != b->cut ? a->cut > b->cut : a->to < b->to;
}

/* The best allowed move of v.  False: out of memory. */
bool clv_dag_moves_best(clv_dag_moves *x, int32_t v, clv_dag_move *best)
{
    const clv_partition_state *s = x->s;
    int32_t own = s->part[v], rank = s->rank[own];
    *best = (clv_dag_move){.to = -1};
    x->work += s->g->xpred[v + 1] - s->g->xpred[v] + 1;
    span b = span_of(x, v);
    if ((b.low >= rank && b.high <= rank) || !clv_state_may_leave(s, v))
        return true;
    if (!make_rows(x, v))
        return false;
    const clv_part_row *row = &x->table.row[v];
    const clv_part_entry *inside = clv_part_entry_of(row, own);
    int64_t leave = look_back(x, v, &b) - (inside ? size_of(x, v) : 0);
    int64_t tied = (inside ? inside->weight : 0) + (b.low == rank ? b.weight : 0);
    for (int32_t i = 0; i < x->noffer; i++) {
        int32_t p = x->offer[i];
        if (p == own || !has_room(x, v, p, &b))
            continue;
        const clv_part_entry *e = s->rank[p] == b.high ? clv_part_entry_of(row, p) : NULL;
        clv_dag_move m = {p, leave + x->credit[p] + (e ? size_of(x, v) : 0),
                          (e ? e->weight : 0) + (b.low == s->rank[p] ? b.weight : 0) - tied};
        if (is_better(&m, best))
            *best = m;
    }
    return true;
}

/* Saturates values that do not fit into the key. */
static int64_t cut_off(int64_t volume)
{
    const int64_t most = INT64_C(1) << 40;
    return volume > most ? most : volume < -most ? -most : volume;
}

int64_t clv_dag_move_key(const clv_dag_move *m)
{
    const int64_t half = INT64_C(1) << (key_shift - 1);
    int64_t volume = cut_off(m->volume);
    int64_t cut = m->cut >= half ? half - 1 : m->cut <= -half ? 1 - half : m->cut;
    return volume * 2 * half + cut;
}

/* Inserts v into the queue, or updates its key.  False: out of memory. */
bool clv_dag_moves_consider(clv_dag_moves *x, int32_t v)
{
    clv_dag_move m;
    if (x->moved[v])
        return true;
    if (!clv_dag_moves_best(x, v, &m))
        return false;
    if (m.to >= 0)
        clv_heap_set(&x->queue, v, clv_dag_move_key(&m));
    else
        clv_heap_remove(&x->queue, v);
    return true;
}

/* ---- Moves ------------------------------------------------------------------------------ */

static void note_stale(clv_dag_moves *x, int32_t v)
{
    if (x->moved[v] || x->stamp[v] == x->now)
        return;
    x->stamp[v] = x->now;
    x->stale[x->nstale++] = v;
}

/* u sends to p now: its other readers can move there. */
static void update_readers(clv_dag_moves *x, int32_t u, int32_t p)
{
    const clv_graph *g = x->s->g;
    const int64_t most = INT64_C(1) << 62;
    if (is_hub(x, u))
        return;
    for (int64_t a = g->xadj[u]; a < g->xadj[u + 1]; a++) {
        int32_t w = g->adj[a];
        if (x->moved[w] || x->s->part[w] == p || x->stamp[w] == x->now)
            continue;
        if (!clv_heap_has(&x->queue, w)) {
            note_stale(x, w);
            continue;
        }
        int64_t key = x->queue.key[w] + cut_off(size_of(x, u)) * (INT64_C(1) << key_shift);
        clv_heap_set(&x->queue, w, key < most ? key : most);
    }
}

/* v moved. */
typedef struct relocation {
    int32_t v, from, to;
    bool tell; /* update the queue */
} relocation;

/* A reader of u moved; the arc from u to it has that weight. */
static void update_row(clv_dag_moves *x, int32_t u, const relocation *m, int64_t weight)
{
    clv_part_row *row = &x->table.row[u];
    int32_t own = x->s->part[u], a = m->from, b = m->to;
    clv_part_entry_of(row, a)->credit -= m->v;
    int32_t left = clv_part_drop(row, a, weight), there = clv_part_add(row, b, weight);
    clv_part_entry_of(row, b)->credit += m->v;
    x->volume -= left == 0 && own != a ? size_of(x, u) : 0;
    x->volume += there == 1 && own != b ? size_of(x, u) : 0;
    x->s->cut += own == a ? weight : own == b ? -weight : 0;
    if (!m->tell)
        return;
    note_stale(x, u);
    if (left == 1)
        note_stale(x, (int32_t)clv_part_entry_of(row, a)->credit);
    if (there == 1 && own != b)
        update_readers(x, u, b);
}

/* Moves v; the rows of v and its predecessors exist. */
static void apply(clv_dag_moves *x, int32_t v, int32_t to, bool tell)
{
    clv_partition_state *s = x->s;
    const clv_graph *g = s->g;
    int32_t own = s->part[v];
    const clv_part_entry *inside = clv_part_entry_of(&x->table.row[v], own);
    const clv_part_entry *there = clv_part_entry_of(&x->table.row[v], to);
    x->volume += inside ? size_of(x, v) : 0;
    x->volume -= there ? size_of(x, v) : 0;
    s->cut += (inside ? inside->weight : 0) - (there ? there->weight : 0);
    clv_state_move(s, v, to);
    const relocation m = {v, own, to, tell};
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++)
        update_row(x, g->pred[a], &m, clv_graph_pwgt(g, a));
    if (!tell || is_hub(x, v))
        return;
    /* The gain of a vertex that v has come closer to cannot rise. */
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
        if (s->part[g->adj[a]] != to)
            note_stale(x, g->adj[a]);
}

/* Moves v if allowed; returns whether it did. */
static bool advance(clv_dag_moves *x, int32_t v, int32_t to)
{
    if (!clv_state_may_leave(x->s, v) || !clv_state_fits(x->s, v, to))
        return false;
    x->moved[v] = 1;
    clv_heap_remove(&x->queue, v);
    x->trail[x->count] = v;
    x->from[x->count++] = x->s->part[v];
    apply(x, v, to, true);
    return true;
}

/* v moves down; the inputs in its part move first. */
static void move_down(clv_dag_moves *x, int32_t v, int32_t to)
{
    const clv_graph *g = x->s->g;
    int32_t own = x->s->part[v];
    bool fine = true;
    for (int64_t a = g->xpred[v]; fine && a < g->xpred[v + 1]; a++)
        if (comes_along(x, g->pred[a], own))
            fine = advance(x, g->pred[a], to);
    if (fine)
        advance(x, v, to);
}

/* v moves up; inputs whose last reader in their part it was follow to their first reader. */
static void move_up(clv_dag_moves *x, int32_t v, int32_t to)
{
    const clv_graph *g = x->s->g;
    int32_t own = x->s->part[v];
    if (!advance(x, v, to))
        return;
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
        int32_t u = g->pred[a];
        if (comes_along(x, u, own) && !clv_part_entry_of(&x->table.row[u], own))
            advance(x, u, x->label[lowest_reader(x, u)]);
    }
}

void clv_dag_moves_move(clv_dag_moves *x, int32_t v, int32_t to)
{
    x->now++;
    x->nstale = 0;
    if (x->s->rank[to] < rank_of(x, v))
        move_down(x, v, to);
    else
        move_up(x, v, to);
}

void clv_dag_moves_undo(clv_dag_moves *x, int32_t keep)
{
    while (x->count > keep) {
        x->count--;
        apply(x, x->trail[x->count], x->from[x->count], false);
    }
    for (int32_t i = 0; i < keep; i++)
        clv_state_mark(x->s, x->trail[i]);
}

/* The total volume: only the boundary contributes. */
bool clv_dag_moves_measure(clv_dag_moves *x, int32_t *list, bool *whole)
{
    enum { arcs_between_clocks = 1 << 15 };
    const int64_t *xadj = x->s->g->xadj;
    int64_t next_look = 0;
    int32_t count = clv_state_boundary(x->s, list);
    *whole = false;
    x->volume = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t v = list[i];
        if (xadj[v] >= next_look) {
            if (clv_context_stop(x->ctx))
                return true;
            next_look = xadj[v] + arcs_between_clocks;
        }
        if (!make_row(x, v))
            return false;
        const clv_part_row *row = &x->table.row[v];
        bool inside = clv_part_entry_of(row, x->s->part[v]) != NULL;
        x->volume += size_of(x, v) * (row->used - inside);
    }
    *whole = true;
    return true;
}

void clv_dag_moves_unlock(clv_dag_moves *x)
{
    for (int32_t v = 0; v < x->s->g->nvtx; v++)
        x->moved[v] = clv_state_is_fixed(x->s, v);
}

cleave_status clv_dag_moves_init(clv_dag_moves *x, clv_partition_state *s, clv_context *ctx,
                                 cleave_error *err)
{
    clv_ws *ws = ctx->ws;
    *x = (clv_dag_moves){.s = s, .ctx = ctx};
    int32_t n = x->s->g->nvtx, k = x->s->bounds.nparts;
    x->label = clv_ws_alloc(ws, k, sizeof *x->label);
    x->credit = clv_ws_alloc(ws, k, sizeof *x->credit);
    x->offered = clv_ws_zalloc(ws, k, sizeof *x->offered);
    x->offer = clv_ws_alloc(ws, k, sizeof *x->offer);
    x->moved = clv_ws_alloc(ws, n, sizeof *x->moved);
    x->stale = clv_ws_alloc(ws, n, sizeof *x->stale);
    x->stamp = clv_ws_zalloc(ws, n, sizeof *x->stamp);
    x->trail = clv_ws_alloc(ws, n, sizeof *x->trail);
    x->from = clv_ws_alloc(ws, n, sizeof *x->from);
    if (!x->label || !x->credit || !x->offered || !x->offer || !x->moved || !x->stale ||
        !x->stamp || !x->trail || !x->from || !clv_part_table_init(&x->table, n, k, ws))
        return clv_fail_memory(err);
    for (int32_t p = 0; p < k; p++)
        x->label[x->s->rank[p]] = p;
    return clv_heap_init(&x->queue, n, ws, err);
}
