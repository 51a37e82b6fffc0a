/* SPDX-License-Identifier: Apache-2.0 */
/* compat/metis/layer_mend.c - graphs that METIS tolerates and cleave rejects.
 *
 * Self-loops are dropped and duplicates become one edge with the sum of their weights, as in
 * METIS.  Where the weights of the two directions differ the larger one is used.  An edge that
 * is stored in one direction only is an error. */
#include "layer.h"

/* Memory for the repaired rows, filled row by row. */
typedef struct rows {
    const cleave_csr *from;
    int64_t *xadj;
    int32_t *adj, *ewgt;
    int64_t *place; /* by neighbour: its position in the current row, or one before the row */
    bool clipped;   /* a sum of weights was too large */
} rows;

static bool rows_valid(const cleave_csr *csr)
{
    for (int64_t i = 0; i < csr->xadj[csr->nvtx]; i++)
        if (csr->adj[i] < 0 || csr->adj[i] >= csr->nvtx || (csr->ewgt && csr->ewgt[i] < 0))
            return false;
    return true;
}

static void fill_rows(rows *r)
{
    const cleave_csr *csr = r->from;
    int64_t to = 0;
    for (int32_t v = 0; v < csr->nvtx; v++)
        r->place[v] = -1;
    r->xadj[0] = 0;
    for (int32_t v = 0; v < csr->nvtx; v++) {
        for (int64_t i = csr->xadj[v]; i < csr->xadj[v + 1]; i++) {
            int32_t u = csr->adj[i];
            int64_t weight = csr->ewgt ? csr->ewgt[i] : 1;
            if (u == v)
                continue;
            if (r->place[u] < r->xadj[v]) {
                r->place[u] = to;
                r->adj[to] = u;
                r->ewgt[to++] = (int32_t)weight;
            } else {
                int64_t sum = r->ewgt[r->place[u]] + weight;
                r->ewgt[r->place[u]] = (int32_t)(sum > INT32_MAX ? INT32_MAX : sum);
                r->clipped = r->clipped || sum > INT32_MAX;
            }
        }
        r->xadj[v + 1] = to;
    }
}

/* First without weights: a graph that is then rejected has edges stored in one direction. */
static int create(cm_graph *graph, cleave_csr *csr)
{
    const int32_t *ewgt = csr->ewgt;
    csr->ewgt = NULL;
    cleave_status status = cleave_graph_create(&graph->g, csr, 0, NULL);
    if (status != CLEAVE_OK)
        return cm_status(status);
    cleave_graph_free(graph->g);
    csr->ewgt = ewgt;
    return cm_status(cleave_graph_create(&graph->g, csr, CLEAVE_BORROW | CLEAVE_REPAIR, NULL));
}

int cm_graph_mend(cm_graph *graph, cleave_csr *csr)
{
    if (!rows_valid(csr))
        return METIS_ERROR_INPUT;
    int64_t narc = csr->xadj[csr->nvtx];
    rows r = {csr,
              cm_alloc((int64_t)csr->nvtx + 1, sizeof *r.xadj),
              cm_alloc(narc, sizeof *r.adj),
              cm_alloc(narc, sizeof *r.ewgt),
              cm_alloc(csr->nvtx, sizeof *r.place),
              false};
    bool room = r.xadj && r.adj && r.ewgt && r.place;
    if (room)
        fill_rows(&r);
    cm_free(r.place);
    cm_free(graph->xadj);
    cm_free(graph->adj);
    cm_free(graph->ewgt);
    graph->xadj = r.xadj;
    graph->adj = r.adj;
    graph->ewgt = r.ewgt;
    graph->scaled = graph->scaled || r.clipped;
    if (!room)
        return METIS_ERROR_MEMORY;
    csr->xadj = r.xadj;
    csr->adj = r.adj;
    csr->ewgt = r.ewgt;
    return create(graph, csr);
}
