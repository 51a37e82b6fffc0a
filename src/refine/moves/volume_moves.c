/* SPDX-License-Identifier: Apache-2.0 */
/* refine/moves/volume_moves.c - FM refinement of the communication volume.
 *
 * FM with rollback [Fiduccia, Mattheyses 1982] in two forms that alternate.  Wide: the whole
 * boundary is in one queue; the best vertex moves, even at a loss; after many moves without a
 * new best state, the moves since the best state are rolled back.  Large gains come before
 * small ones, which keeps the boundary smooth.  Narrow: the same from one boundary vertex
 * after the other, with a short limit [multi-try FM: Sanders, Schulz 2011]; this finds
 * improvements that the single rollback of a wide search undoes.  A vertex moves at most once
 * per round.
 *
 * Volume gain of v moving from A to B, S(u) = parts of the neighbours of u:
 *   v itself    gains vsize[v] if A is not in S(v) (B is: only such parts are tried);
 *   neighbour u gains vsize[u] if v was its only neighbour in A, and u is not in A;
 *               loses vsize[u] if it had no neighbour in B, and u is not in B.
 * Stored for each tracked vertex v:
 *   credit of part p in v's row = sum of vsize[u] where u is in p or p in S(u);
 *   leave[v] = - sum of vsize[u] + sum where v is u's only neighbour in v's part and u is
 *              not in that part.
 * So gain = leave + credit(B) + the gain of v itself.  Both stay exact under moves, except
 * next to hubs, whose many neighbours are not updated; such vertices are recomputed. */
#include "refine/moves/volume_moves.h"

#include <string.h>

#include "base/compare.h"
#include "base/queue.h"
#include "base/rng.h"
#include "refine/state/part_table.h"

enum {
    stage = 0x766f6c,    /* for random numbers */
    hub = 1000,          /* degree above which neighbours are not updated */
    wide_patience = 500, /* at least this, and a fifth of the boundary */
    wide_rounds = 2,     /* for each narrow one */
    passes_per_move = 8, /* over the row of a vertex that moves, with what it makes stale */
    work_between_looks = 1 << 14 /* arcs: those of hubs are not told from others by moves */
};

enum { untracked, tracked, approximate }; /* approximate: next to a hub */

typedef struct search {
    clv_partition_state *s;
    clv_part_table table;
    clv_heap queue;
    uint8_t *moved; /* nvtx: in this round */
    uint8_t *state; /* nvtx: of the data of v */
    int64_t *leave; /* nvtx */
    int32_t *stale; /* vertices whose gains may have risen by the last move */
    int32_t nstale;
    uint32_t *stamp; /* nvtx: the last move that added it to stale */
    uint32_t now;
    int32_t *trail, *from; /* nvtx: the moves of this round */
    int64_t volume, cut;
    clv_context *ctx;
    int64_t work; /* since the last look at the clock */
} search;

typedef struct move {
    int32_t to; /* -1: none */
    int64_t volume, cut;
} move;

static inline int64_t size_of(const clv_graph *g, int32_t v)
{
    return clv_graph_vsize(g, v);
}

static inline bool is_hub(const clv_graph *g, int32_t v)
{
    return g->xadj[v + 1] - g->xadj[v] > hub;
}

static bool is_over(search *x)
{
    if (x->work < work_between_looks)
        return false;
    x->work = 0;
    return clv_context_stop(x->ctx);
}

static inline bool reaches(const search *x, int32_t u, int32_t p)
{
    return x->s->part[u] == p || clv_part_count(&x->table.row[u], p) > 0;
}

/* ---- Stored gains ---------------------------------------------------------------- */

static int64_t leave_of(const search *x, int32_t v)
{
    const clv_graph *g = x->s->g;
    int32_t own = x->s->part[v];
    int64_t sum = 0;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t u = g->adj[a];
        if (x->s->part[u] == own || clv_part_count(&x->table.row[u], own) > 1)
            sum -= size_of(g, u);
    }
    return sum;
}

static int64_t credit_of(const search *x, int32_t v, int32_t p)
{
    const clv_graph *g = x->s->g;
    int64_t sum = 0;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
        if (reaches(x, g->adj[a], p))
            sum += size_of(g, g->adj[a]);
    return sum;
}

/* Adds the credit of u to the parts in v's row: the shorter of the two rows is walked. */
static void give_credit(search *x, clv_part_row *row, int32_t u)
{
    const clv_part_row *other = &x->table.row[u];
    int32_t own = x->s->part[u];
    int64_t size = size_of(x->s->g, u);
    bool turned = other->used > row->used;
    const clv_part_row *walk = turned ? row : other, *ask = turned ? other : row;
    bool seen = false;
    for (int32_t i = 0, n = clv_part_row_places(walk); i < n; i++) {
        clv_part_entry *e = &walk->slot[i];
        if (e->part < 0)
            continue;
        seen |= e->part == own;
        if (turned && e->part == own) {
            e->credit += size;
            continue;
        }
        clv_part_entry *match = clv_part_entry_of(ask, e->part);
        if (match)
            (turned ? e : match)->credit += size;
    }
    clv_part_entry *mine = turned || seen ? NULL : clv_part_entry_of(row, own);
    if (mine)
        mine->credit += size;
}

static void compute(search *x, int32_t v)
{
    const clv_graph *g = x->s->g;
    clv_part_row *row = &x->table.row[v];
    x->work += g->xadj[v + 1] - g->xadj[v];
    x->leave[v] = leave_of(x, v);
    for (int32_t i = 0, n = clv_part_row_places(row); i < n; i++)
        row->slot[i].credit = 0;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
        give_credit(x, row, g->adj[a]);
}

/* Starts to track v.  False: out of memory. */
static bool track(search *x, int32_t v)
{
    const clv_graph *g = x->s->g;
    uint8_t state = is_hub(g, v) ? approximate : tracked;
    if (!clv_part_table_make(&x->table, g, x->s->part, v))
        return false;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        if (!clv_part_table_make(&x->table, g, x->s->part, g->adj[a]))
            return false;
        if (is_hub(g, g->adj[a]))
            state = approximate;
    }
    x->state[v] = state;
    compute(x, v);
    return true;
}

static void note_stale(search *x, int32_t v)
{
    if (x->stamp[v] == x->now)
        return;
    x->stamp[v] = x->now;
    x->stale[x->nstale++] = v;
}

static void add_credit(search *x, int32_t w, int32_t p, int64_t size)
{
    clv_part_entry *entry = clv_part_entry_of(&x->table.row[w], p);
    if (!entry)
        return;
    entry->credit += size;
    if (size > 0 && clv_heap_has(&x->queue, w))
        note_stale(x, w);
}

static void add_leave(search *x, int32_t w, int64_t size)
{
    x->leave[w] += size;
    if (size > 0 && clv_heap_has(&x->queue, w))
        note_stale(x, w);
}

/* Part p entered (size > 0) or left S(u), and u is not in p. */
static void update_readers(search *x, int32_t u, int32_t p, int64_t size)
{
    const clv_graph *g = x->s->g;
    for (int64_t a = g->xadj[u]; a < g->xadj[u + 1]; a++)
        if (x->state[g->adj[a]])
            add_credit(x, g->adj[a], p, size);
}

/* The neighbour of u in p other than v became (size > 0) or was its only one there. */
static void update_only(search *x, int32_t u, int32_t p, int32_t v, int64_t size)
{
    const clv_graph *g = x->s->g;
    for (int64_t a = g->xadj[u]; a < g->xadj[u + 1]; a++) {
        int32_t w = g->adj[a];
        if (x->s->part[w] == p && w != v) {
            if (x->state[w])
                add_leave(x, w, size);
            return;
        }
    }
}

/* v itself moved from part a to b: updates the credit of u in v's neighbourhood. */
static void update_own(search *x, int32_t v, int32_t a, int32_t b)
{
    const clv_graph *g = x->s->g;
    int64_t size = size_of(g, v);
    int32_t in_a = clv_part_count(&x->table.row[v], a);
    int32_t in_b = clv_part_count(&x->table.row[v], b);
    for (int64_t i = g->xadj[v]; i < g->xadj[v + 1]; i++) {
        int32_t w = g->adj[i];
        if (!x->state[w])
            continue;
        if (in_a == 0)
            add_credit(x, w, a, -size);
        if (in_b == 0)
            add_credit(x, w, b, size);
        if (in_a == 1 && x->s->part[w] == a)
            add_leave(x, w, size);
        if (in_b == 1 && x->s->part[w] == b)
            add_leave(x, w, -size);
    }
}

/* A neighbour v of u moved from a to b: updates u's row and the dependent values. */
static void update_row(search *x, int32_t u, int32_t v, int32_t a, int32_t b, int64_t weight)
{
    clv_part_row *row = &x->table.row[u];
    int64_t size = size_of(x->s->g, u);
    int32_t left = clv_part_drop(row, a, weight), there = clv_part_add(row, b, weight);
    if (is_hub(x->s->g, u))
        return;
    if (x->s->part[u] != a) {
        if (left == 0)
            update_readers(x, u, a, -size);
        else if (left == 1)
            update_only(x, u, a, v, size);
    }
    if (x->s->part[u] != b) {
        if (there == 1)
            update_readers(x, u, b, size);
        else if (there == 2)
            update_only(x, u, b, v, -size);
    }
}

/* Moves v.  All rows around it exist.  Afterwards stale lists the vertices whose keys may be
 * too small. */
static void apply(search *x, int32_t v, int32_t to)
{
    clv_partition_state *s = x->s;
    const clv_graph *g = s->g;
    int32_t own = s->part[v];
    x->now++;
    x->nstale = 0;
    x->work += passes_per_move * (g->xadj[v + 1] - g->xadj[v] + 1);
    clv_state_move(s, v, to);
    if (!is_hub(g, v))
        update_own(x, v, own, to);
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
        update_row(x, g->adj[a], v, own, to, clv_graph_ewgt(g, a));
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t u = g->adj[a];
        if (is_hub(g, u))
            continue;
        note_stale(x, u);
        clv_part_entry *entry = clv_part_entry_of(&x->table.row[u], to);
        if (x->state[u] && entry->count == 1)
            entry->credit = credit_of(x, u, to);
    }
    if (x->state[v])
        x->leave[v] = leave_of(x, v);
}

/* ---- Moves ----------------------------------------------------------------------- */

static bool is_better(const move *a, const move *b)
{
    if (b->to < 0 || a->volume != b->volume)
        return b->to < 0 || a->volume > b->volume;
    return a->cut != b->cut ? a->cut > b->cut : a->to < b->to;
}

/* The best allowed move of v, which is tracked. */
static move best_move(search *x, int32_t v)
{
    const clv_partition_state *s = x->s;
    const clv_part_row *row = &x->table.row[v];
    int32_t own = s->part[v];
    const clv_part_entry *inside = clv_part_entry_of(row, own);
    move best = {.to = -1};
    if (row->used < 1 + (inside != NULL) || !clv_state_may_leave(s, v))
        return best;
    int64_t leave = x->leave[v] + (inside ? 0 : size_of(s->g, v));
    int64_t tied = inside ? inside->weight : 0;
    for (int32_t i = 0, n = clv_part_row_places(row); i < n; i++) {
        const clv_part_entry *e = &row->slot[i];
        if (e->part < 0 || e->part == own || !clv_state_fits(s, v, e->part))
            continue;
        move now = {e->part, leave + e->credit, e->weight - tied};
        if (is_better(&now, &best))
            best = now;
    }
    return best;
}

/* Volume first, then cut; values that do not fit into the key saturate. */
static int64_t key_of(const move *m)
{
    const int64_t most = INT64_C(1) << 40, span = INT64_C(1) << 20;
    int64_t volume = m->volume > most ? most : m->volume < -most ? -most : m->volume;
    int64_t cut = m->cut >= span ? span - 1 : m->cut <= -span ? 1 - span : m->cut;
    return volume * 2 * span + cut;
}

/* Inserts v into the queue, or updates its key.  False: out of memory. */
static bool consider(search *x, int32_t v)
{
    if (x->moved[v] || clv_state_is_fixed(x->s, v))
        return true;
    if (!x->state[v] && !track(x, v))
        return false;
    move m = best_move(x, v);
    if (m.to >= 0)
        clv_heap_set(&x->queue, v, key_of(&m));
    else
        clv_heap_remove(&x->queue, v);
    return true;
}

/* The best vertex of the queue with its current move; -1: empty, or out of time.  Vertices
 * whose gain has fallen go back into the queue; hubs, which are expensive to evaluate, wait
 * for the next round. */
static int32_t next_vertex(search *x, move *m)
{
    while (x->queue.count > 0 && !is_over(x)) {
        int32_t v = clv_heap_top(&x->queue);
        x->work++;
        int64_t key = x->queue.key[v];
        if (x->state[v] == approximate)
            compute(x, v);
        *m = best_move(x, v);
        bool fell = m->to >= 0 && key_of(m) < key;
        if (fell && !is_hub(x->s->g, v)) {
            clv_heap_set(&x->queue, v, key_of(m));
            continue;
        }
        clv_heap_pop(&x->queue);
        if (m->to >= 0 && !fell)
            return v;
    }
    return -1;
}

static void undo_to(search *x, int32_t count, int32_t keep)
{
    while (count > keep) {
        count--;
        apply(x, x->trail[count], x->from[count]);
    }
    for (int32_t i = 0; i < keep; i++)
        clv_state_mark(x->s, x->trail[i]);
}

/* Runs the search from the queue.  False: out of memory; still consistent. */
static bool hill_climb(search *x, int32_t patience)
{
    int32_t count = 0, keep = 0;
    int64_t best_volume = x->volume, best_cut = x->cut;
    bool fine = true;
    move m;
    while (fine && count - keep < patience) {
        int32_t v = next_vertex(x, &m);
        if (v < 0)
            break;
        x->moved[v] = 1;
        x->trail[count] = v;
        x->from[count++] = x->s->part[v];
        apply(x, v, m.to);
        x->volume -= m.volume;
        x->cut -= m.cut;
        if (clv_pair_is_smaller(x->volume, x->cut, best_volume, best_cut)) {
            best_volume = x->volume;
            best_cut = x->cut;
            keep = count;
        }
        for (int32_t i = 0; i < x->nstale && fine; i++)
            fine = consider(x, x->stale[i]);
    }
    clv_heap_clear(&x->queue);
    undo_to(x, count, keep);
    x->volume = best_volume;
    x->cut = best_cut;
    return fine;
}

static bool run_wide(search *x, int32_t *seeds)
{
    int32_t count = clv_state_boundary(x->s, seeds);
    memset(x->moved, 0, (size_t)x->s->g->nvtx);
    for (int32_t i = 0; i < count; i++) {
        bool ended = is_over(x);
        if (ended || !consider(x, seeds[i])) {
            clv_heap_clear(&x->queue);
            return ended;
        }
    }
    return hill_climb(x, count / 5 > wide_patience ? count / 5 : wide_patience);
}

/* In random order: searches that start next to each other interfere. */
static void shuffle(int32_t *list, int32_t count, clv_rng rng)
{
    for (int32_t i = count - 1; i > 0; i--) {
        int32_t j = (int32_t)clv_rng_below(&rng, (uint32_t)i + 1), v = list[i];
        list[i] = list[j];
        list[j] = v;
    }
}

static bool run_narrow(search *x, int32_t round, int32_t patience, int32_t *seeds)
{
    int32_t count = clv_state_boundary(x->s, seeds);
    uint64_t level = (uint64_t)x->s->level;
    shuffle(seeds, count, clv_rng_make(x->ctx->seed, stage, level, (uint64_t)round));
    memset(x->moved, 0, (size_t)x->s->g->nvtx);
    for (int32_t i = 0; i < count; i++) {
        x->work++;
        if (is_over(x))
            break;
        if (x->moved[seeds[i]])
            continue;
        if (!consider(x, seeds[i]) || !hill_climb(x, patience))
            return false;
    }
    return true;
}

static bool run_round(search *x, const clv_volume_params *params, int32_t round,
                      int32_t *seeds)
{
    for (int i = 0; i < wide_rounds; i++)
        if (!run_wide(x, seeds))
            return false;
    return clv_context_stop(x->ctx) || run_narrow(x, round, params->patience, seeds);
}

/* The total volume: only the boundary contributes.  *ended: the context stopped it. */
static bool total_volume(search *x, int32_t *list, int64_t *volume, bool *ended)
{
    const clv_partition_state *s = x->s;
    int32_t count = clv_state_boundary(x->s, list);
    *volume = 0;
    for (int32_t i = 0; i < count && !*ended; i++) {
        int32_t v = list[i];
        x->work += s->g->xadj[v + 1] - s->g->xadj[v];
        *ended = is_over(x);
        if (!clv_part_table_make(&x->table, s->g, s->part, v))
            return false;
        const clv_part_row *row = &x->table.row[v];
        *volume += size_of(s->g, v) * (row->used - (clv_part_count(row, s->part[v]) > 0));
    }
    return true;
}

static cleave_status open_search(search *x, clv_ws *ws, cleave_error *err)
{
    int32_t n = x->s->g->nvtx;
    x->moved = clv_ws_alloc(ws, n, sizeof *x->moved);
    x->state = clv_ws_zalloc(ws, n, sizeof *x->state);
    x->leave = clv_ws_alloc(ws, n, sizeof *x->leave);
    x->stale = clv_ws_alloc(ws, n, sizeof *x->stale);
    x->stamp = clv_ws_zalloc(ws, n, sizeof *x->stamp);
    x->trail = clv_ws_alloc(ws, n, sizeof *x->trail);
    x->from = clv_ws_alloc(ws, n, sizeof *x->from);
    if (!x->moved || !x->state || !x->leave || !x->stale || !x->stamp || !x->trail || !x->from)
        return clv_fail_memory(err);
    if (!clv_part_table_init(&x->table, n, x->s->bounds.nparts, ws))
        return clv_fail_memory(err);
    return clv_heap_init(&x->queue, n, ws, err);
}

static cleave_status refine(clv_partition_state *s, const clv_volume_params *params,
                            clv_context *ctx, cleave_error *err)
{
    search x = {.s = s, .ctx = ctx};
    CLV_TRY(open_search(&x, ctx->ws, err));
    int32_t *seeds = clv_ws_alloc(ctx->ws, s->g->nvtx, sizeof *seeds);
    clv_context_count(ctx, s->g->narc);
    int64_t start;
    bool ended = false;
    if (!seeds || !total_volume(&x, seeds, &start, &ended))
        return clv_fail_memory(err);
    if (ended)
        return CLEAVE_OK;
    x.volume = start;
    x.cut = s->cut;
    bool fine = true;
    for (int32_t round = 0; round < params->rounds && fine; round++) {
        int64_t volume = x.volume, cut = x.cut;
        fine = run_round(&x, params, round, seeds);
        if (!clv_pair_is_smaller(x.volume, x.cut, volume, cut) || clv_context_stop(ctx))
            break;
    }
    s->cut = x.cut;
    if (params->before)
        *params->before = start;
    if (params->after)
        *params->after = x.volume;
    return fine ? CLEAVE_OK : clv_fail_memory(err);
}

cleave_status clv_volume_refine(clv_partition_state *s, const clv_volume_params *params,
                                clv_context *ctx, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status = refine(s, params, ctx, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
