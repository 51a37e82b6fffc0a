/* SPDX-License-Identifier: Apache-2.0 */
/* engine/order/dissection_piece.c - subgraphs with halo for nested dissection, see
 * engine/order/dissection_piece.h. */
#include "engine/order/dissection_piece.h"

#include <string.h>

#include "graph/elimination.h"
#include "graph/induced.h"

typedef struct rows {
    int64_t *xadj;
    int32_t *adj, *vwgt;
} rows;

static cleave_status open_rows(rows *r, int64_t nvtx, int64_t narc, clv_ws *ws,
                               cleave_error *err)
{
    r->xadj = clv_ws_zalloc(ws, nvtx + 1, sizeof *r->xadj);
    r->adj = clv_ws_alloc(ws, narc, sizeof *r->adj);
    r->vwgt = clv_ws_alloc(ws, nvtx, sizeof *r->vwgt);
    return r->xadj && r->adj && r->vwgt ? CLEAVE_OK : clv_fail_memory(err);
}

static clv_graph view_rows(int32_t nvtx, const int64_t *xadj, const int32_t *adj,
                           const int32_t *vwgt)
{
    return (clv_graph){.kind = CLEAVE_UNDIRECTED,
                       .nvtx = nvtx,
                       .narc = xadj[nvtx],
                       .xadj = xadj,
                       .adj = adj,
                       .xpred = xadj,
                       .pred = adj,
                       .ncon = 1,
                       .vwgt = vwgt};
}

/* ---- Sides ------------------------------------------------------------------------------ */

typedef struct cutting {
    const clv_dissection_side *of;
    int32_t *local;  /* vertex of p -> vertex of the child; -1: not in it */
    int32_t *vertex; /* the inverse of local */
    int32_t *inside; /* by halo vertex of the child: number of inner neighbours */
    int32_t ninner, nvtx;
    int64_t narc;
} cutting;

/* Numbers the inner vertices first, then halo vertices as they are found. */
static void number_vertices(cutting *c)
{
    const clv_graph *g = &c->of->p->g;
    for (int32_t v = 0; v < g->nvtx; v++)
        c->local[v] = -1;
    for (int32_t v = 0; v < c->of->p->ninner; v++)
        if (c->of->part[v] == c->of->part_of_side) {
            c->local[v] = c->ninner;
            c->vertex[c->ninner++] = v;
        }
    c->nvtx = c->ninner;
    for (int32_t i = 0; i < c->ninner; i++) {
        int32_t v = c->vertex[i];
        c->narc += g->xadj[v + 1] - g->xadj[v];
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t u = g->adj[a];
            if (c->local[u] < 0) {
                c->local[u] = c->nvtx;
                c->inside[c->nvtx] = 0;
                c->vertex[c->nvtx++] = u;
            }
            if (c->local[u] >= c->ninner) {
                c->inside[c->local[u]]++;
                c->narc++;
            }
        }
    }
}

static void fill_child(const cutting *c, const rows *r)
{
    const clv_graph *g = &c->of->p->g;
    int64_t to = 0;
    for (int32_t i = 0; i < c->nvtx; i++) {
        int32_t v = c->vertex[i];
        r->vwgt[i] = g->vwgt[v];
        r->xadj[i] = to;
        to += i < c->ninner ? g->xadj[v + 1] - g->xadj[v] : c->inside[i];
    }
    r->xadj[c->nvtx] = to;
    for (int32_t i = c->ninner; i < c->nvtx; i++)
        c->inside[i] = 0;
    for (int32_t i = 0; i < c->ninner; i++) {
        int32_t v = c->vertex[i];
        int64_t at = r->xadj[i];
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t j = c->local[g->adj[a]];
            r->adj[at++] = j;
            if (j >= c->ninner)
                r->adj[r->xadj[j] + c->inside[j]++] = i;
        }
    }
}

cleave_status clv_dissection_cut(clv_dissection_piece *child, const clv_dissection_side *side,
                                 clv_ws *scratch, clv_ws *ws, cleave_error *err)
{
    cutting c = {.of = side};
    rows r;
    int64_t n = side->p->g.nvtx;
    clv_ws_mark mark = clv_ws_save(scratch);
    c.vertex = clv_ws_alloc(scratch, n, sizeof *c.vertex);
    c.local = clv_ws_alloc(scratch, n, sizeof *c.local);
    c.inside = clv_ws_alloc(scratch, n, sizeof *c.inside);
    if (!c.vertex || !c.local || !c.inside)
        return clv_fail_memory(err);
    number_vertices(&c);
    int32_t *vertex = clv_ws_alloc(ws, c.nvtx, sizeof *vertex);
    if (!vertex)
        return clv_fail_memory(err);
    memcpy(vertex, c.vertex, (size_t)c.nvtx * sizeof *vertex);
    CLV_TRY(open_rows(&r, c.nvtx, c.narc, ws, err));
    fill_child(&c, &r);
    *child =
        (clv_dissection_piece){view_rows(c.nvtx, r.xadj, r.adj, r.vwgt), c.ninner, vertex};
    clv_ws_restore(scratch, mark);
    return CLEAVE_OK;
}

/* ---- The inner graph -------------------------------------------------------------------- */

static int32_t number_of_inner(const void *ninner, int32_t v)
{
    return v < *(const int32_t *)ninner ? v : -1;
}

cleave_status clv_dissection_inner(clv_graph *inner, const clv_dissection_piece *p, clv_ws *ws,
                                   cleave_error *err)
{
    const clv_graph *g = &p->g;
    if (p->ninner == g->nvtx) {
        *inner = *g;
        return CLEAVE_OK;
    }
    const clv_csr all = {.xadj = g->xadj, .adj = g->adj};
    clv_induced_rows r;
    CLV_TRY(clv_induced_open(&r, p->ninner, g->xadj[p->ninner], all.weight, ws, err));
    for (int32_t v = 0; v < p->ninner; v++) {
        r.xadj[v] = r.narc;
        clv_induced_append(&r, &all, v, number_of_inner, &p->ninner, false);
    }
    r.xadj[p->ninner] = r.narc;
    *inner = view_rows(p->ninner, r.xadj, r.adj, g->vwgt);
    return CLEAVE_OK;
}

/* ---- Fill ------------------------------------------------------------------------------- */

static cleave_status count_fill(const clv_dissection_piece *p, const int32_t *order,
                                clv_ws *ws, int64_t *fill, cleave_error *err)
{
    clv_elimination e;
    int32_t n = p->g.nvtx;
    int32_t *all = clv_ws_alloc(ws, n, sizeof *all);
    int64_t *column = clv_ws_alloc(ws, n, sizeof *column);
    if (!all || !column)
        return clv_fail_memory(err);
    memcpy(all, order, (size_t)p->ninner * sizeof *all);
    for (int32_t v = p->ninner; v < n; v++)
        all[v] = v;
    CLV_TRY(clv_elimination_make(&e, &p->g, all, ws, err));
    e.copies = p->g.vwgt;
    CLV_TRY(clv_elimination_columns(&e, ws, column, err));
    *fill = 0;
    for (int32_t k = 0; k < p->ninner; k++) {
        int64_t w = p->g.vwgt[all[k]];
        *fill += w * column[k] + w * (w + 1) / 2;
    }
    return CLEAVE_OK;
}

cleave_status clv_dissection_fill(const clv_dissection_piece *p, const int32_t *order,
                                  clv_ws *ws, int64_t *fill, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    cleave_status status = count_fill(p, order, ws, fill, err);
    clv_ws_restore(ws, mark);
    return status;
}
