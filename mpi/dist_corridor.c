/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_corridor.c - sequential refinement in corridors around the partition boundary, on
 * all ranks at the same time.
 *
 * Each rank takes the own vertices within a few steps of the boundary.  Among vertices with
 * neighbours on other ranks it takes those whose neighbours are all on higher ranks or, in the
 * other turn, all on lower ranks: such neighbours do not move in the same turn.  The rest of
 * each part is contracted to one fixed vertex, a terminal. A gain in the corridor graph is a
 * gain of the whole graph, whatever other ranks do.  Each rank can fill an even share of the
 * remaining capacity of a part, so that bounds hold. */
#include <string.h>

#include "engine/multilevel/refine_level.h"
#include "graph/build.h"
#include "mpi/dist_refine.h"

enum { steps = 10, least_arcs = 1 << 22 };

typedef struct corridor {
    clv_dist_state *k;
    clv_context *ctx;
    int32_t *number; /* own: number in the corridor + 1, 0: outside, -1: does not move */
    int32_t *vertex; /* by number */
    int32_t count;
    clv_graph *g; /* count vertices, then a terminal for each part */
    clv_partition_state s;
    clv_new_weights ewgt; /* of the rows under construction; 64 bits where sums may need
                             them */
    int64_t *slot; /* by part: position of the arc to its terminal in the current row + 1 */
} corridor;

/* ---- Corridor vertices ------------------------------------------------------------------ */

static int64_t enter(corridor *c, int32_t v)
{
    c->vertex[c->count++] = v;
    c->number[v] = c->count;
    return c->k->g->xadj[v + 1] - c->k->g->xadj[v];
}

/* A vertex with a neighbour on a rank that has precedence in this turn does not move. */
static void keep_rim(corridor *c, bool down)
{
    const clv_dist_graph *g = c->k->g;
    for (int64_t i = 0; i < g->halo.send_at[g->halo.npeers]; i++) {
        int32_t v = g->halo.send[i];
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1] && c->number[v] == 0; a++)
            if (g->adj[a] >= g->nlocal &&
                (g->ghost[g->adj[a] - g->nlocal] < g->first[g->comm.rank]) != down)
                c->number[v] = -1;
    }
}

/* Breadth-first search, bounded by memory: an eighth of the arcs, or a few million. */
static void grow(corridor *c)
{
    const clv_dist_graph *g = c->k->g;
    int64_t most = g->narc / 8 > least_arcs ? g->narc / 8 : least_arcs, arcs = 0;
    int32_t begin = 0;
    for (int32_t v = 0; v < g->nlocal && arcs < most; v++)
        if (c->k->s.maybe_boundary[v] && c->number[v] == 0)
            arcs += enter(c, v);
    for (int step = 0; step < steps && begin < c->count; step++) {
        int32_t end = c->count;
        for (; begin < end && arcs < most; begin++)
            for (int64_t a = g->xadj[c->vertex[begin]]; a < g->xadj[c->vertex[begin] + 1]; a++)
                if (g->adj[a] < g->nlocal && c->number[g->adj[a]] == 0)
                    arcs += enter(c, g->adj[a]);
    }
}

/* ---- Corridor graph --------------------------------------------------------------------- */

static void add_terminal(corridor *c, clv_rows *rows, int64_t row, int64_t *at, int32_t part,
                         int64_t w)
{
    if (c->slot[part] > row) {
        int64_t place = c->slot[part] - 1;
        clv_weight_set(c->ewgt, place, clv_weight_at(clv_weights_of(c->ewgt), place) + w);
        return;
    }
    rows->adj[*at] = c->count + part;
    clv_weight_set(c->ewgt, (*at)++, w);
    c->slot[part] = *at;
}

/* Rows of the corridor's vertices. */
static int64_t fill_rows(corridor *c, clv_rows *rows)
{
    const clv_dist_state *k = c->k;
    const clv_dist_graph *g = k->g;
    int64_t at = 0;
    for (int32_t i = 0; i < c->count; i++) {
        int32_t v = c->vertex[i];
        int64_t row = at;
        rows->xadj[i] = row;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t u = g->adj[a];
            int64_t w = clv_dist_ewgt(g, a);
            if (u < g->nlocal && c->number[u] > 0) {
                rows->adj[at] = c->number[u] - 1;
                clv_weight_set(c->ewgt, at++, w);
            } else {
                add_terminal(c, rows, row, &at, k->s.part[u], w);
            }
        }
        if (k->home && k->home[v] >= 0 && k->tie[v] > 0)
            add_terminal(c, rows, row, &at, k->home[v], k->tie[v]);
    }
    rows->xadj[c->count] = at;
    return at;
}

/* Rows of the terminals: the transpose of the rows above. */
static void fill_terminals(const corridor *c, clv_rows *rows, int64_t at, int64_t *next)
{
    int32_t k = c->k->s.bounds.nparts;
    memset(next, 0, (size_t)(k + 1) * sizeof *next);
    for (int64_t a = 0; a < at; a++)
        if (rows->adj[a] >= c->count)
            next[rows->adj[a] - c->count + 1]++;
    next[0] = at;
    for (int32_t p = 0; p < k; p++)
        next[p + 1] += next[p];
    for (int32_t p = 0; p <= k; p++)
        rows->xadj[c->count + p] = next[p];
    for (int32_t i = 0; i < c->count; i++)
        for (int64_t a = rows->xadj[i]; a < rows->xadj[i + 1]; a++)
            if (rows->adj[a] >= c->count) {
                int64_t place = next[rows->adj[a] - c->count]++;
                rows->adj[place] = i;
                clv_weight_set(c->ewgt, place, clv_weight_at(clv_weights_of(c->ewgt), a));
            }
}

static cleave_status fill_weights(corridor *c, cleave_error *err)
{
    const clv_dist_graph *g = c->k->g;
    int64_t n = (int64_t)c->count + c->k->s.bounds.nparts;
    clv_new_weights vwgt = {0};
    if (g->wide_vwgt)
        vwgt.wide = clv_arena_zalloc(&c->g->arena, n * g->ncon, sizeof *vwgt.wide);
    else
        vwgt.narrow = clv_arena_zalloc(&c->g->arena, n * g->ncon, sizeof *vwgt.narrow);
    if (!vwgt.wide && !vwgt.narrow)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < c->count; i++)
        for (int32_t j = 0; j < g->ncon; j++)
            clv_weight_set(vwgt, (int64_t)i * g->ncon + j, clv_dist_vwgt(g, c->vertex[i], j));
    c->g->ncon = g->ncon;
    clv_graph_set_vwgts(c->g, clv_weights_of(vwgt));
    return CLEAVE_OK;
}

/* Reserves the weights of the arcs.  Those into a terminal are summed. */
static bool allocate_weights(corridor *c, int64_t arcs)
{
    const clv_dist_graph *g = c->k->g;
    int64_t sum = 0;
    for (int32_t i = 0; i < c->count; i++) {
        int32_t v = c->vertex[i];
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            sum += clv_dist_ewgt(g, a);
        sum += c->k->home ? c->k->tie[v] : 0;
    }
    c->ewgt = (clv_new_weights){0};
    if (sum > INT32_MAX)
        c->ewgt.wide = clv_alloc(arcs, sizeof *c->ewgt.wide);
    else
        c->ewgt.narrow = clv_alloc(arcs, sizeof *c->ewgt.narrow);
    return c->ewgt.wide || c->ewgt.narrow;
}

static cleave_status make_graph(corridor *c, cleave_error *err)
{
    const clv_dist_graph *g = c->k->g;
    int64_t arcs = 0, n = (int64_t)c->count + c->k->s.bounds.nparts;
    for (int32_t i = 0; i < c->count; i++)
        arcs += g->xadj[c->vertex[i] + 1] - g->xadj[c->vertex[i]] + (c->k->home != NULL);
    clv_rows rows = {.nvtx = (int32_t)n, .paired = true};
    clv_build_rules rules = {.trust = true};
    int64_t *next = clv_alloc((int64_t)c->k->s.bounds.nparts + 1, sizeof *next);
    rows.xadj = clv_alloc(n + 1, sizeof *rows.xadj);
    rows.adj = clv_alloc(2 * arcs, sizeof *rows.adj);
    bool ok = allocate_weights(c, 2 * arcs);
    cleave_status status = CLEAVE_OK;
    if (!ok || !next || !rows.xadj || !rows.adj || n > INT32_MAX - 1) {
        clv_sys_free(c->ewgt.narrow);
        clv_rows_free(&rows);
        status = clv_fail_memory(err);
    } else {
        fill_terminals(c, &rows, fill_rows(c, &rows), next);
        rows.ewgt = c->ewgt.narrow;
        status = c->ewgt.wide
                     ? clv_build_wide(&c->g, CLEAVE_UNDIRECTED, &rows, &c->ewgt.wide, err)
                     : clv_build_graph(&c->g, CLEAVE_UNDIRECTED, &rows, &rules, NULL, err);
    }
    clv_sys_free(c->ewgt.wide);
    clv_sys_free(next);
    return status == CLEAVE_OK ? fill_weights(c, err) : status;
}

/* ---- Corridor state --------------------------------------------------------------------- */

static cleave_status make_state(corridor *c, cleave_error *err)
{
    const clv_partition_state *whole = &c->k->s;
    clv_ws *ws = c->ctx->ws;
    int64_t n = c->g->nvtx, places = (int64_t)whole->bounds.nparts * c->g->ncon;
    int32_t *fixed = clv_ws_alloc(ws, n, sizeof *fixed);
    int64_t *max = clv_ws_alloc(ws, places, sizeof *max);
    c->s = (clv_partition_state){
        .g = c->g,
        .bounds = {whole->bounds.nparts, c->g->ncon, NULL, max, NULL},
        .level = whole->level,
        .part = clv_ws_alloc(ws, n, sizeof *c->s.part),
        .fixed = fixed,
        .weight = clv_ws_alloc(ws, places, sizeof *c->s.weight),
        .count = clv_ws_alloc(ws, whole->bounds.nparts, sizeof *c->s.count),
        .maybe_boundary = clv_ws_alloc(ws, n, sizeof *c->s.maybe_boundary),
        .machine = whole->machine};
    if (!fixed || !max || !c->s.part || !c->s.weight || !c->s.count || !c->s.maybe_boundary)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < c->count; i++) {
        c->s.part[i] = whole->part[c->vertex[i]];
        fixed[i] = clv_state_is_fixed(whole, c->vertex[i]) ? c->s.part[i] : -1;
    }
    for (int32_t p = 0; p < whole->bounds.nparts; p++)
        c->s.part[c->count + p] = fixed[c->count + p] = p;
    clv_state_measure(&c->s, c->ctx);
    for (int64_t i = 0; i < places; i++) {
        int64_t room = whole->bounds.max[i] - whole->weight[i];
        max[i] = c->s.weight[i] + (room > 0 ? room / c->k->g->comm.size : 0);
    }
    return CLEAVE_OK;
}

static cleave_status improve(corridor *c, const clv_preset *effort, cleave_error *err)
{
    CLV_TRY(make_graph(c, err));
    CLV_TRY(make_state(c, err));
    CLV_TRY(clv_refine_level(&c->s, effort, c->ctx, err));
    for (int32_t i = 0; i < c->count; i++) {
        int32_t v = c->vertex[i];
        if (c->k->s.part[v] == c->s.part[i])
            continue;
        c->k->s.part[v] = c->s.part[i];
        c->k->s.maybe_boundary[v] = 1;
        for (int64_t a = c->k->g->xadj[v]; a < c->k->g->xadj[v + 1]; a++)
            if (c->k->g->adj[a] < c->k->g->nlocal)
                c->k->s.maybe_boundary[c->k->g->adj[a]] = 1;
    }
    return CLEAVE_OK;
}

/* Several ranks may have emptied a part together, each relying on the vertices of the others.
 * Then all moves are undone. */
static void look_back(corridor *c, const int32_t *before, clv_worth worth)
{
    clv_dist_state *k = c->k;
    clv_dist_state_measure(k);
    clv_dist_state_cut(k);
    if (!clv_worth_better(worth, clv_state_worth(&k->s)))
        return;
    memcpy(k->s.part, before, (size_t)k->g->nlocal * sizeof *before);
    memset(k->s.maybe_boundary, 1, (size_t)k->g->nlocal);
    clv_dist_state_measure(k);
    clv_dist_state_cut(k);
}

cleave_status clv_dist_corridor(clv_dist_state *k, const clv_preset *effort, bool down,
                                clv_context *ctx, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    corridor c = {.k = k, .ctx = ctx};
    int64_t n = k->g->nlocal;
    clv_worth worth = clv_state_worth(&k->s);
    c.number = clv_ws_zalloc(ctx->ws, n, sizeof *c.number);
    c.vertex = clv_ws_alloc(ctx->ws, n, sizeof *c.vertex);
    c.slot = clv_ws_zalloc(ctx->ws, k->s.bounds.nparts, sizeof *c.slot);
    int32_t *before = clv_ws_alloc(ctx->ws, n, sizeof *before);
    cleave_status status =
        c.number && c.vertex && c.slot && before ? CLEAVE_OK : clv_fail_memory(err);
    if (status == CLEAVE_OK && n > 0) {
        memcpy(before, k->s.part, (size_t)n * sizeof *before);
        keep_rim(&c, down);
        grow(&c);
        if (c.count > 0)
            status = improve(&c, effort, err);
    }
    clv_graph_free(c.g);
    status = clv_comm_agree(&k->g->comm, status, err);
    if (status == CLEAVE_OK)
        look_back(&c, before, worth);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
