/* SPDX-License-Identifier: Apache-2.0 */
/* target/deco_levels.c - see target/deco_levels.h: the bounded search and the shape. */
#include "target/deco_levels.h"

#include <stdio.h>
#include <string.h>

#include "base/queue.h"
#include "target/deco.h"

/* ---- The search ------------------------------------------------------------------------- */

/* A search visits at most most_arcs arcs, so that its state fits on the stack. */
enum { most_arcs = 480, table_size = 1024, most_found = most_arcs + 1 };

typedef struct found_vertex {
    int32_t vertex;
    int32_t place; /* in the heap; -1: settled */
    double far;    /* distance from the end, including the cost of crossing this vertex */
} found_vertex;

/* The vertices found from one of the two ends. */
typedef struct search_side {
    int32_t count, waiting;
    int16_t slot[table_size]; /* hash table: index of found, or -1 */
    int16_t heap[most_found]; /* indices of found, nearest first, ties by vertex */
    found_vertex found[most_found];
} search_side;

static bool is_nearer(const search_side *s, int16_t x, int16_t y)
{
    const found_vertex *a = &s->found[x], *b = &s->found[y];
    return a->far != b->far ? a->far < b->far : a->vertex < b->vertex;
}

static void set_place(search_side *s, int32_t place, int16_t index)
{
    s->heap[place] = index;
    s->found[index].place = place;
}

static void move_up(search_side *s, int32_t place)
{
    int16_t index = s->heap[place];
    while (place > 0 && is_nearer(s, index, s->heap[clv_heap_parent(place)])) {
        set_place(s, place, s->heap[clv_heap_parent(place)]);
        place = clv_heap_parent(place);
    }
    set_place(s, place, index);
}

static found_vertex *take_nearest(search_side *s)
{
    int16_t nearest = s->heap[0], last = s->heap[--s->waiting];
    int32_t place = 0;
    int64_t child;
    s->found[nearest].place = -1;
    while ((child = clv_heap_child(place)) < s->waiting) {
        if (child + 1 < s->waiting && is_nearer(s, s->heap[child + 1], s->heap[child]))
            child++;
        if (!is_nearer(s, s->heap[child], last))
            break;
        set_place(s, place, s->heap[child]);
        place = (int32_t)child;
    }
    if (s->waiting > 0)
        set_place(s, place, last);
    return &s->found[nearest];
}

/* The slot of v in the hash table, or the empty slot where it would go. */
static int16_t *slot_of(search_side *s, int32_t v)
{
    uint32_t at = ((uint32_t)v * 0x9e3779b1u) >> 22;
    while (s->slot[at] >= 0 && s->found[s->slot[at]].vertex != v)
        at = (at + 1) % table_size;
    return &s->slot[at];
}

/* Records a path of this length to v, if it is the shortest so far. */
static void reach(search_side *s, int32_t v, double far)
{
    int16_t *slot = slot_of(s, v);
    if (*slot < 0) {
        *slot = (int16_t)s->count++;
        s->found[*slot] = (found_vertex){v, s->waiting, far};
        s->heap[s->waiting] = *slot;
        move_up(s, s->waiting++);
        return;
    }
    found_vertex *f = &s->found[*slot];
    if (f->place >= 0 && far < f->far) {
        f->far = far;
        move_up(s, f->place);
    }
}

static void start(search_side *s, int32_t v, double far)
{
    s->count = s->waiting = 0;
    memset(s->slot, -1, sizeof s->slot);
    reach(s, v, far);
}

static double arc_length(const clv_deco_level *level, int64_t a)
{
    if (level->length)
        return level->length[a];
    return level->exact ? level->exact[a] : 1;
}

static double crossing(const clv_deco_level *level, int32_t v)
{
    return level->cost ? level->cost[v] : 0;
}

/* Settles the nearest vertex of one side.  Returns the shortest path through it that reaches a
 * vertex of the other side, if it is shorter than best. */
static double expand(const clv_deco_level *level, search_side *s, search_side *other,
                     double best)
{
    const found_vertex *f = take_nearest(s);
    for (int64_t a = level->xadj[f->vertex]; a < level->xadj[f->vertex + 1]; a++) {
        int32_t u = level->adj[a];
        double far = f->far + arc_length(level, a);
        int16_t met = *slot_of(other, u);
        if (met >= 0 && far + other->found[met].far < best)
            best = far + other->found[met].far;
        reach(s, u, far + crossing(level, u));
    }
    return best;
}

/* Bidirectional Dijkstra; always continues on the side whose next vertex is nearer. */
double clv_deco_search(const clv_deco_level *level, int32_t x, int32_t y)
{
    const double none = 1e300;
    search_side side[2];
    double best = none;
    int64_t arcs = 0;
    start(&side[0], x, crossing(level, x) / 2);
    start(&side[1], y, crossing(level, y) / 2);
    while (side[0].waiting > 0 && side[1].waiting > 0) {
        const found_vertex *next[2];
        for (int i = 0; i < 2; i++)
            next[i] = &side[i].found[side[i].heap[0]];
        if (next[0]->far + next[1]->far >= best)
            return best;
        int i = next[1]->far < next[0]->far;
        arcs += level->xadj[next[i]->vertex + 1] - level->xadj[next[i]->vertex];
        if (arcs > most_arcs)
            return -1;
        best = expand(level, &side[i], &side[!i], best);
    }
    return best < none ? best : -1;
}

/* ---- Distances -------------------------------------------------------------------------- */

void clv_deco_bound(const clv_deco_levels *d, int32_t p, int32_t q, double *low, double *high)
{
    const int32_t *of_p = &d->mark[(int64_t)p * clv_deco_landmarks];
    const int32_t *of_q = &d->mark[(int64_t)q * clv_deco_landmarks];
    int64_t least = 0, most = INT64_MAX;
    for (int i = 0; i < clv_deco_landmarks; i++) {
        int64_t sum = (int64_t)of_p[i] + of_q[i], apart = (int64_t)of_p[i] - of_q[i];
        apart = apart < 0 ? -apart : apart;
        least = apart > least ? apart : least;
        most = sum < most ? sum : most;
    }
    *low = (double)least;
    *high = (double)most;
}

/* Climbs from vertices x and y of *level until a search finds a path.  Skips levels whose
 * reach is certainly too short. */
static double climb(const clv_deco_levels *d, int32_t x, int32_t y, double low, int32_t *level)
{
    while (x != y) {
        const clv_deco_level *l = &d->level[*level];
        if (low <= l->reach) {
            double far = clv_deco_search(l, x, y);
            if (far >= 0)
                return far * l->factor;
        }
        x = l->up[x];
        y = l->up[y];
        ++*level;
    }
    return crossing(&d->level[*level], x) * d->level[*level].factor;
}

int32_t clv_deco_levels_between(const clv_deco_levels *d, int32_t p, int32_t q, int32_t *level)
{
    double low, high;
    clv_deco_bound(d, p, q, &low, &high);
    *level = 0;
    double far = p < q ? climb(d, p, q, low, level) : climb(d, q, p, low, level);
    far = far < low ? low : far > high ? high : far;
    return far >= INT32_MAX ? INT32_MAX : far < 1 ? 1 : (int32_t)(far + 0.5);
}

static int32_t between(const clv_target *t, int32_t p, int32_t q)
{
    const clv_deco_levels *d = t->data;
    int32_t level, low = p < q ? p : q, high = p < q ? q : p;
    if (p == q)
        return 0;
    int32_t far = clv_pair_memo_find(d->memo, low, high);
    if (far < 0) {
        far = clv_deco_levels_between(d, low, high, &level);
        clv_pair_memo_keep(d->memo, low, high, far);
    }
    return far;
}

static cleave_status fill_table(const clv_target *t, int32_t count, const int32_t *list,
                                int32_t *table, clv_ws *ws, cleave_error *err)
{
    return clv_deco_levels_table(t->data, count, list, table, ws, err);
}

/* The first level at which the domain is one vertex, and that vertex. */
static int32_t level_of(const clv_deco_levels *d, clv_domain x, int32_t *v)
{
    int32_t level = 0, pes = d->bipartition.pes[x.a];
    *v = d->bipartition.pe[x.b];
    while ((d->level[level].pes ? d->level[level].pes[*v] : 1) < pes)
        *v = d->level[level++].up[*v];
    return level;
}

static int64_t distance(const clv_target *t, clv_domain x, clv_domain y)
{
    const clv_deco_levels *d = t->data;
    if (x.a == y.a)
        return 0;
    if (d->bipartition.pes[x.a] == 1 && d->bipartition.pes[y.a] == 1)
        return 2 * (int64_t)between(t, d->bipartition.pe[x.b], d->bipartition.pe[y.b]);
    int32_t v, u, of_x = level_of(d, x, &v), of_y = level_of(d, y, &u);
    while (of_x < of_y)
        v = d->level[of_x++].up[v];
    while (of_y < of_x)
        u = d->level[of_y++].up[u];
    double twice = 2 * (v < u ? climb(d, v, u, 0, &of_x) : climb(d, u, v, 0, &of_x));
    return twice < 1                 ? 1
           : twice > 2.0 * INT32_MAX ? 2 * (int64_t)INT32_MAX
                                     : (int64_t)(twice + 0.5);
}

static void describe(const clv_target *t, char *text, size_t size)
{
    const clv_deco_levels *d = t->data;
    snprintf(text, size, "graph of %ld PEs and %lld links, distances estimated in %ld levels",
             (long)t->npes, (long long)(d->level[0].xadj[t->npes] / 2), (long)d->nlevels);
}

static const clv_shape shape_levels = {.name = "graph",
                                       CLV_BIPARTITION_TREE_DOMAINS,
                                       .distance = distance,
                                       .between = between,
                                       .searched = true,
                                       .table = fill_table,
                                       .describe = describe};

cleave_status clv_deco_levels_make(clv_target **out, const clv_graph *g, clv_ws *ws,
                                   cleave_error *err)
{
    clv_target *t = *out = clv_target_open(&shape_levels, g->nvtx);
    clv_deco_levels *d = t ? clv_arena_zalloc(&t->arena, 1, sizeof *d) : NULL;
    int32_t(*half)[2] = clv_ws_alloc(ws, g->nvtx, sizeof *half);
    clv_pair_memo *memo = t ? clv_arena_zalloc(&t->arena, 1, sizeof *memo) : NULL;
    if (!d || !memo || !half)
        return clv_fail_memory(err);
    d->memo = memo;
    t->data = d;
    CLV_TRY(clv_pair_memo_make(d->memo, g->nvtx, &t->arena, err));
    d->level[0] = (clv_deco_level){
        .nvtx = g->nvtx, .xadj = g->xadj, .adj = g->adj, .exact = g->ewgt, .factor = 1};
    d->nlevels = 1;
    CLV_TRY(clv_deco_coarsen(d, g, half, &t->arena, ws, err));
    CLV_TRY(clv_deco_make_bipartition_tree(&d->bipartition, t, half, ws, err));
    return clv_deco_calibrate(d, g, &t->arena, ws, err);
}
