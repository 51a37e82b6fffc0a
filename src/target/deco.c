/* SPDX-License-Identifier: Apache-2.0 */
/* target/deco.c - see target/deco.h.
 *
 * Distances of PEs and of domains come from tables.  If the graph is known, routes are
 * shortest paths: each step goes to the first neighbour on a shortest path. */
#include "target/deco.h"

#include <math.h>
#include <stdio.h>

#include "target/floorplan.h"

/* ---- The table ------------------------------------------------------------------------- */

static int64_t distance(const clv_target *t, clv_domain x, clv_domain y)
{
    return x.a == y.a ? 0 : ((const clv_deco *)t->data)->twice[clv_deco_pair(x.a, y.a)];
}

static int32_t between(const clv_target *t, int32_t p, int32_t q)
{
    return (int32_t)clv_deco_far(t->data, p, q);
}

static void describe(const clv_target *t, char *text, size_t size)
{
    snprintf(text, size, "%ld PEs with a table of distances", (long)t->npes);
}

static void describe_graph(const clv_target *t, char *text, size_t size)
{
    snprintf(text, size, "graph of %ld PEs and %lld links, exact distances", (long)t->npes,
             (long long)t->links);
}

/* The first arc of g on a shortest path from p to q. */
static int64_t next_arc(const clv_deco *d, int32_t p, int32_t q)
{
    const clv_graph *g = d->g;
    int64_t whole = clv_deco_far(d, p, q), a = g->xadj[p];
    while (clv_graph_ewgt(g, a) + clv_deco_far(d, g->adj[a], q) != whole)
        a++;
    return a;
}

static void route(const clv_target *t, int32_t p, int32_t q, int64_t amount,
                  clv_link_loads *loads)
{
    const clv_deco *d = t->data;
    while (p != q) {
        int64_t a = next_arc(d, p, q);
        clv_link_add(loads, d->edge[a], amount);
        p = d->g->adj[a];
    }
}

/* Uses the coordinates of the graph, if there are any. */
static void place_by_coordinates(clv_floorplan *f, const clv_graph *g)
{
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int d = 0; d < f->ndim; d++) {
            double at = g->coords[(int64_t)v * g->ndim + d];
            f->position[(int64_t)v * f->ndim + d] = !isfinite(at) ? 0 : d == 1 ? -at : at;
        }
}

static cleave_status floorplan_of_graph(const clv_target *t, clv_floorplan *f,
                                        clv_arena *arena, cleave_error *err)
{
    const clv_deco *d = t->data;
    const clv_graph *g = d->g;
    bool placed = g->coords && g->ndim >= 2;
    CLV_TRY(
        clv_floorplan_room(f, placed && g->ndim == 3 ? 3 : 2, t->npes, t->links, arena, err));
    f->width = f->height = 0; /* chosen to fit */
    f->nlines = 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (g->adj[a] > v)
                f->line[f->nlines++] = (clv_floorplan_line){v, g->adj[a], d->edge[a]};
    if (placed)
        place_by_coordinates(f, g);
    else
        f->position = NULL;
    return CLEAVE_OK;
}

#define TABLE_FUNCTIONS CLV_BIPARTITION_TREE_DOMAINS, .distance = distance, .between = between

static const clv_shape shape_table = {.name = "deco", TABLE_FUNCTIONS, .describe = describe};
static const clv_shape shape_graph = {.name = "graph",
                                      TABLE_FUNCTIONS,
                                      .route = route,
                                      .floorplan = floorplan_of_graph,
                                      .describe = describe_graph};

/* ---- Construction ---------------------------------------------------------------------- */

cleave_status clv_deco_open(clv_target **out, int32_t npes, cleave_error *err)
{
    clv_target *t = clv_target_open(&shape_table, npes);
    clv_deco *d = t ? clv_arena_zalloc(&t->arena, 1, sizeof *d) : NULL;
    *out = t;
    if (!d)
        return clv_fail_memory(err);
    t->data = d;
    d->far = clv_arena_alloc(&t->arena, clv_deco_pair(npes, 0), sizeof *d->far);
    return d->far ? CLEAVE_OK : clv_fail_memory(err);
}

/* Renumbers the nodes from the root down: clv_bipartition_tree_make takes the child with the
 * smaller number as the first half. */
static void turn_around(int32_t npes, int32_t (*half)[2], int32_t *number, int32_t *parent,
                        int32_t *pe_of)
{
    int32_t count = 0, nodes = 2 * npes - 1;
    number[nodes - 1] = count++;
    parent[0] = -1;
    for (int32_t i = npes - 1; i-- > 0;)
        for (int side = 0; side < 2; side++) {
            parent[count] = number[npes + i];
            number[half[i][side]] = count++;
        }
    for (int32_t node = 0; node < nodes; node++)
        pe_of[number[node]] = node < npes ? node : -1;
}

cleave_status clv_deco_make_bipartition_tree(clv_bipartition_tree *h, clv_target *t,
                                             int32_t (*half)[2], clv_ws *ws, cleave_error *err)
{
    int32_t nodes = 2 * t->npes - 1;
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *number = clv_ws_alloc(ws, nodes, sizeof *number);
    int32_t *parent = clv_ws_alloc(ws, nodes, sizeof *parent);
    int32_t *pe_of = clv_ws_alloc(ws, nodes, sizeof *pe_of);
    if (!number || !parent || !pe_of)
        return clv_fail_memory(err);
    turn_around(t->npes, half, number, parent, pe_of);
    const clv_pe_tree tree = {t->npes, nodes, 0, parent, pe_of};
    cleave_status status = clv_bipartition_tree_make(h, &tree, &t->arena, ws, err);
    clv_ws_restore(ws, mark);
    return status;
}

/* The halves of d, or d itself if it is a PE. */
static int32_t halves_of(const clv_bipartition_tree *h, int32_t d, int32_t half[2])
{
    half[0] = d;
    if (h->pes[d] == 1)
        return 1;
    half[0] = d + 1;
    half[1] = d + 2 * h->pes[d + 1];
    return 2;
}

/* The rounded mean of the distances from the halves of x to those of y, which are not both
 * PEs. */
static uint32_t mean_of_halves(const clv_deco *d, int32_t x, int32_t y)
{
    int32_t of_x[2], of_y[2];
    int32_t count_x = halves_of(&d->bipartition, x, of_x),
            count_y = halves_of(&d->bipartition, y, of_y);
    int64_t sum = 0, count = (int64_t)count_x * count_y;
    for (int32_t i = 0; i < count_x; i++)
        for (int32_t j = 0; j < count_y; j++)
            if (of_x[i] != of_y[j])
                sum += d->twice[clv_deco_pair(of_x[i], of_y[j])];
    return (uint32_t)((sum + count / 2) / count);
}

/* Halves have larger numbers than their domain: computed in descending order. */
static void fill_twice(clv_deco *d)
{
    const clv_bipartition_tree *h = &d->bipartition;
    const int32_t domains = 2 * h->npes - 1;
    for (int32_t p = 0; p < h->npes; p++)
        for (int32_t q = 0; q < p; q++)
            d->twice[clv_deco_pair(h->leaf[h->place[p]], h->leaf[h->place[q]])] =
                2 * (uint32_t)d->far[clv_deco_pair(p, q)];
    for (int32_t y = domains - 1; y-- > 0;)
        for (int32_t x = domains - 1; x > y; x--)
            if (h->pes[x] > 1 || h->pes[y] > 1)
                d->twice[clv_deco_pair(x, y)] = mean_of_halves(d, x, y);
}

cleave_status clv_deco_finish(clv_target *t, int32_t (*half)[2], clv_ws *ws, cleave_error *err)
{
    clv_deco *d = t->data;
    CLV_TRY(clv_deco_make_bipartition_tree(&d->bipartition, t, half, ws, err));
    int64_t pairs = clv_deco_pair(2 * (int64_t)t->npes - 1, 0);
    d->twice = clv_arena_alloc(&t->arena, pairs, sizeof *d->twice);
    if (!d->twice)
        return clv_fail_memory(err);
    fill_twice(d);
    if (d->g)
        t->shape = &shape_graph;
    return CLEAVE_OK;
}
