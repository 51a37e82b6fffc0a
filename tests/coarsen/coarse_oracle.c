/* SPDX-License-Identifier: Apache-2.0 */
#include "coarsen/coarse_oracle.h"

/* ---- Lists of arcs ------------------------------------------------------------------- */

static int by_ends(const void *a, const void *b)
{
    const struct listed_arc *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return p->y < q->y ? -1 : p->y > q->y;
}

static int64_t weight_at(const int32_t *narrow, const int64_t *wide, int64_t i)
{
    return narrow ? narrow[i] : wide ? wide[i] : 1;
}

static arc_list list_arcs(const clv_graph *g, const int32_t *map)
{
    arc_list list = {malloc((size_t)(g->narc + 1) * sizeof *list.arc), 0};
    if (!list.arc)
        abort();
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            struct listed_arc arc = {map ? map[v] : v, map ? map[g->adj[a]] : g->adj[a],
                                     weight_at(g->ewgt, g->wide_ewgt, a)};
            list.arc[list.count++] = arc;
        }
    return list;
}

arc_list oracle_arcs(const clv_graph *g)
{
    arc_list list = list_arcs(g, NULL);
    qsort(list.arc, (size_t)list.count, sizeof *list.arc, by_ends);
    return list;
}

arc_list oracle_contract(const clv_graph *g, const int32_t *map)
{
    arc_list list = list_arcs(g, map);
    qsort(list.arc, (size_t)list.count, sizeof *list.arc, by_ends);
    int64_t count = 0;
    for (int64_t i = 0; i < list.count; i++) {
        struct listed_arc *arc = &list.arc[i];
        if (arc->x == arc->y)
            continue;
        if (count > 0 && by_ends(arc, &list.arc[count - 1]) == 0)
            list.arc[count - 1].wgt += arc->wgt;
        else
            list.arc[count++] = *arc;
    }
    list.count = count;
    return list;
}

const struct listed_arc *oracle_find(const arc_list *list, int32_t x, int32_t y)
{
    struct listed_arc key = {x, y, 0};
    return bsearch(&key, list->arc, (size_t)list->count, sizeof *list->arc, by_ends);
}

void oracle_free(arc_list *list)
{
    free(list->arc);
}

/* ---- Comparing ----------------------------------------------------------------------- */

static const char *weights_fault(const clv_graph *g, const int32_t *map,
                                 const clv_graph *coarse)
{
    int64_t places = (int64_t)coarse->nvtx * g->ncon;
    int64_t *sum = calloc((size_t)places + 1, sizeof *sum);
    if (!sum)
        abort();
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int32_t c = 0; c < g->ncon; c++) {
            int64_t i = (int64_t)v * g->ncon + c;
            sum[(int64_t)map[v] * g->ncon + c] += weight_at(g->vwgt, g->wide_vwgt, i);
        }
    const char *fault = NULL;
    for (int64_t i = 0; i < places; i++)
        if (weight_at(coarse->vwgt, coarse->wide_vwgt, i) != sum[i])
            fault = "a vertex weight is wrong";
    free(sum);
    return fault;
}

/* There is one array of each kind, of 64 bits exactly where the sum of g exceeds 31. */
bool oracle_widths_fault(const clv_graph *g, const clv_graph *coarse)
{
    int64_t edges = 0, vertices = 0;
    for (int64_t a = 0; a < g->narc; a++)
        edges += weight_at(g->ewgt, g->wide_ewgt, a);
    if (g->kind == CLEAVE_UNDIRECTED)
        edges /= 2;
    for (int32_t c = 0; c < g->ncon; c++) {
        int64_t sum = 0;
        for (int32_t v = 0; v < g->nvtx; v++)
            sum += weight_at(g->vwgt, g->wide_vwgt, (int64_t)v * g->ncon + c);
        vertices = sum > vertices ? sum : vertices;
    }
    bool wide = edges > INT32_MAX, heavy = vertices > INT32_MAX;
    return (coarse->wide_ewgt != NULL) != wide || (coarse->ewgt != NULL) == wide ||
           (coarse->wide_pwgt != NULL) != wide || (coarse->pwgt != NULL) == wide ||
           (coarse->wide_vwgt != NULL) != heavy || (coarse->vwgt != NULL) == heavy;
}

/* Are the predecessors the arcs turned around? */
static const char *predecessors_fault(const clv_graph *g, const arc_list *arcs)
{
    if (g->xpred == g->xadj || g->xpred[0] != 0 || g->xpred[g->nvtx] != g->narc)
        return "predecessors do not cover the arcs";
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
            const struct listed_arc *arc = oracle_find(arcs, g->pred[a], v);
            if (!arc || arc->wgt != weight_at(g->pwgt, g->wide_pwgt, a))
                return "a predecessor is no arc, or its weight is wrong";
            for (int64_t b = g->xpred[v]; b < a; b++)
                if (g->pred[a] == g->pred[b])
                    return "a predecessor is there twice";
        }
    return NULL;
}

const char *oracle_contraction_fault(const clv_graph *g, const int32_t *map,
                                     const clv_graph *coarse)
{
    bool dag = g->kind == CLEAVE_DAG;
    if (coarse->kind != g->kind || coarse->ncon != g->ncon)
        return "not a graph of the same kind";
    if (coarse->xadj[0] != 0 || coarse->xadj[coarse->nvtx] != coarse->narc)
        return "rows do not cover the arcs";
    const char *fault = weights_fault(g, map, coarse);
    arc_list want = oracle_contract(g, map), have = oracle_arcs(coarse);
    if (!fault && want.count != have.count)
        fault = "the number of arcs is wrong";
    for (int64_t i = 0; !fault && i < want.count; i++) {
        if (by_ends(&want.arc[i], &have.arc[i]) != 0)
            fault = "an arc is missing";
        else if (have.arc[i].wgt != want.arc[i].wgt)
            fault = "an arc's weight is wrong";
        else if (!dag &&
                 oracle_find(&have, have.arc[i].y, have.arc[i].x)->wgt != have.arc[i].wgt)
            fault = "the two directions of an edge differ";
    }
    if (!fault && dag)
        fault = predecessors_fault(coarse, &have);
    oracle_free(&want);
    oracle_free(&have);
    return fault;
}

bool oracle_same_graph(const clv_graph *a, const clv_graph *b)
{
    return a->kind == b->kind && a->nvtx == b->nvtx && a->narc == b->narc &&
           a->ncon == b->ncon &&
           memcmp(a->xpred, b->xpred, (size_t)(a->nvtx + 1) * sizeof *a->xpred) == 0 &&
           memcmp(a->pred, b->pred, (size_t)a->narc * sizeof *a->pred) == 0 &&
           memcmp(a->pwgt, b->pwgt, (size_t)a->narc * sizeof *a->pwgt) == 0 &&
           memcmp(a->xadj, b->xadj, (size_t)(a->nvtx + 1) * sizeof *a->xadj) == 0 &&
           memcmp(a->adj, b->adj, (size_t)a->narc * sizeof *a->adj) == 0 &&
           memcmp(a->ewgt, b->ewgt, (size_t)a->narc * sizeof *a->ewgt) == 0 &&
           memcmp(a->vwgt, b->vwgt, (size_t)a->nvtx * (size_t)a->ncon * sizeof *a->vwgt) == 0;
}

int64_t oracle_cut(const clv_graph *g, const int32_t *side)
{
    int64_t twice = 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            twice += side[v] != side[g->adj[a]] ? (g->ewgt ? g->ewgt[a] : 1) : 0;
    return twice / 2;
}

void *zeros(int64_t count, size_t each)
{
    void *block = calloc((size_t)count + 1, each);
    if (!block)
        abort();
    return block;
}

void graph_from_edges(clv_graph *g, const edges *e)
{
    int64_t *xadj = zeros(e->nvtx + INT64_C(2), sizeof *xadj);
    int32_t *adj = zeros(2 * e->count, sizeof *adj);
    for (int64_t i = 0; i < e->count; i++)
        for (int end = 0; end < 2; end++)
            xadj[e->ends[i][end] + 2]++;
    for (int32_t v = 0; v < e->nvtx; v++)
        xadj[v + 2] += xadj[v + 1];
    for (int64_t i = 0; i < e->count; i++)
        for (int end = 0; end < 2; end++)
            adj[xadj[e->ends[i][end] + 1]++] = e->ends[i][1 - end];
    *g = (clv_graph){.kind = CLEAVE_UNDIRECTED,
                     .nvtx = e->nvtx,
                     .narc = 2 * e->count,
                     .xadj = xadj,
                     .adj = adj,
                     .ncon = 1};
}

void graph_drop(clv_graph *g)
{
    free((void *)g->xadj);
    free((void *)g->adj);
}
