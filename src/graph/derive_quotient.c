/* SPDX-License-Identifier: Apache-2.0 */
/* graph/derive_quotient.c - the quotient graph of a mapping.
 *
 * Vertices are grouped by part; then each part p visits the predecessors of its vertices and
 * adds itself to the rows of their parts, once each.  Visiting the parts from last to first
 * fills the rows of successors from their ends: they ascend without sorting. */
#include <string.h>

#include "base/group.h"
#include "graph/build.h"
#include "graph/derive.h"
#include "graph/priority_order.h"
#include "graph/topology.h"

typedef struct grouping {
    int32_t nparts;
    const int32_t *part;
    int32_t *member;  /* vertices by part, ascending within a part */
    int64_t nmembers; /* vertices with predecessors in other parts */
    int32_t *seen_by; /* by part q: the last part that was added to the row of q; -1: none */
} grouping;

static cleave_status group_by_part(grouping *by, const clv_graph *g, clv_ws *ws,
                                   cleave_error *err)
{
    clv_key_groups groups;
    CLV_TRY(clv_key_groups_make(&groups, g->nvtx, by->part, by->nparts, ws, err));
    by->member = groups.member;
    by->seen_by = clv_ws_alloc(ws, by->nparts, sizeof *by->seen_by);
    return by->seen_by ? CLEAVE_OK : clv_fail_memory(err);
}

static void forget_seen(grouping *by)
{
    for (int32_t p = 0; p < by->nparts; p++)
        by->seen_by[p] = -1;
}

/* Increments successors[q] by the number of parts that q has arcs to.  Drops members without
 * predecessors in other parts. */
static void count_successors(grouping *by, const clv_graph *g, int64_t *successors)
{
    forget_seen(by);
    by->nmembers = 0;
    for (int64_t i = 0; i < g->nvtx; i++) {
        int32_t v = by->member[i], p = by->part[v];
        bool alone = true;
        for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
            int32_t q = by->part[g->pred[a]];
            if (q == p)
                continue;
            alone = false;
            if (by->seen_by[q] != p) {
                by->seen_by[q] = p;
                successors[q]++;
            }
        }
        if (!alone)
            by->member[by->nmembers++] = v;
    }
}

/* xadj holds the ends of the rows at the start, and their starts at the end; meanwhile xadj[q]
 * is the index of the newest arc of q.  False: a cut does not fit. */
static bool fill_successors(grouping *by, const clv_graph *g, clv_quotient *q)
{
    forget_seen(by);
    for (int64_t i = by->nmembers; i-- > 0;) {
        int32_t v = by->member[i], p = by->part[v];
        for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
            int32_t from = by->part[g->pred[a]];
            if (from == p)
                continue;
            if (by->seen_by[from] != p) {
                by->seen_by[from] = p;
                q->adj[--q->xadj[from]] = p;
                q->cut[q->xadj[from]] = 0;
            }
            int64_t *cut = &q->cut[q->xadj[from]];
            if (!clv_add_i64(*cut, clv_graph_pwgt(g, a), cut))
                return false;
        }
    }
    return true;
}

static cleave_status fail_cut(cleave_error *err)
{
    return clv_fail(err, CLEAVE_ERANGE, "the cut between two parts exceeds 2^63-1");
}

/* ---- Few parts: a table ------------------------------------------------------------- */

enum { few_parts = 128 }; /* the table fits into the cache */

/* table: nparts * nparts, weight from p to q; -1: no arcs.  False: a cut does not fit. */
static bool fill_table(const clv_graph *g, int32_t nparts, const int32_t *part, int64_t *table)
{
    for (int32_t i = 0; i < nparts * nparts; i++)
        table[i] = -1;
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
            int32_t from = part[g->pred[a]];
            if (from == part[v])
                continue;
            int64_t *cut = &table[from * nparts + part[v]];
            if (!clv_add_i64(*cut < 0 ? 0 : *cut, clv_graph_pwgt(g, a), cut))
                return false;
        }
    return true;
}

static cleave_status rows_of_few(clv_quotient *q, const clv_graph *g, const int32_t *part,
                                 clv_ws *ws, cleave_error *err)
{
    int32_t k = q->nparts, count = 0;
    int64_t *table = clv_ws_alloc(ws, (int64_t)k * k, sizeof *table);
    if (!table)
        return clv_fail_memory(err);
    if (!fill_table(g, k, part, table))
        return fail_cut(err);
    for (int32_t i = 0; i < k * k; i++)
        count += table[i] >= 0;
    q->adj = clv_ws_alloc(ws, count, sizeof *q->adj);
    q->cut = clv_ws_alloc(ws, count, sizeof *q->cut);
    if (!q->adj || !q->cut)
        return clv_fail_memory(err);
    count = 0;
    for (int32_t i = 0; i < k * k; i++)
        if (table[i] >= 0) {
            q->adj[count] = i % k;
            q->cut[count++] = table[i];
            q->xadj[i / k + 1] = count;
        }
    for (int32_t p = 0; p < k; p++) /* rows without arcs */
        if (q->xadj[p + 1] < q->xadj[p])
            q->xadj[p + 1] = q->xadj[p];
    return CLEAVE_OK;
}

cleave_status clv_derive_quotient_rows(clv_quotient *q, const clv_graph *g, int32_t nparts,
                                       const int32_t *part, clv_ws *ws, cleave_error *err)
{
    grouping by = {.nparts = nparts, .part = part};
    q->nparts = nparts;
    q->xadj = clv_ws_zalloc(ws, (int64_t)nparts + 1, sizeof *q->xadj);
    if (!q->xadj)
        return clv_fail_memory(err);
    if (nparts <= few_parts && (int64_t)nparts * nparts <= g->narc + g->nvtx)
        return rows_of_few(q, g, part, ws, err);
    CLV_TRY(group_by_part(&by, g, ws, err));
    count_successors(&by, g, q->xadj);
    clv_running_sums(q->xadj, nparts);
    int64_t narc = q->xadj[nparts];
    q->adj = clv_ws_alloc(ws, narc, sizeof *q->adj);
    q->cut = clv_ws_alloc(ws, narc, sizeof *q->cut);
    if (!q->adj || !q->cut)
        return clv_fail_memory(err);
    if (!fill_successors(&by, g, q))
        return fail_cut(err);
    return CLEAVE_OK;
}

/* ---- As a graph -------------------------------------------------------------------- */

static cleave_status refuse_cycle(const clv_quotient *q, clv_ws *ws, cleave_error *err)
{
    int32_t length;
    int32_t *cycle = clv_ws_alloc(ws, q->nparts, sizeof *cycle);
    if (!cycle)
        return clv_fail_memory(err);
    CLV_TRY(clv_topology_find_cycle(q->nparts, q->xadj, q->adj, ws, cycle, &length, err));
    if (length == 0)
        return CLEAVE_OK;
    char text[160];
    clv_topology_cycle_text(cycle, length, NULL, 0, text, sizeof text);
    return clv_fail(err, CLEAVE_ECYCLE, "the parts of the mapping form a cycle: %s", text);
}

/* Copies rows and sums to the arena of made, which has no weights yet. */
static cleave_status take_rows(clv_graph *made, const clv_quotient *q, clv_sums *sums,
                               cleave_error *err)
{
    int64_t narc = q->xadj[q->nparts];
    int64_t *xadj = clv_arena_alloc(&made->arena, (int64_t)q->nparts + 1, sizeof *xadj);
    int32_t *adj = clv_arena_alloc(&made->arena, narc, sizeof *adj);
    int64_t *cut = clv_arena_alloc(&made->arena, narc, sizeof *cut);
    if (!xadj || !adj || !cut)
        return clv_fail_memory(err);
    memcpy(xadj, q->xadj, ((size_t)q->nparts + 1) * sizeof *xadj);
    memcpy(adj, q->adj, (size_t)narc * sizeof *adj);
    memcpy(cut, q->cut, (size_t)narc * sizeof *cut);
    made->nvtx = q->nparts;
    made->narc = narc;
    made->xadj = made->xpred = xadj;
    made->adj = made->pred = adj;
    sums->arc = cut;
    return CLEAVE_OK;
}

/* Sums cannot overflow: fewer than 2^31 vertices weigh less than 2^31 each. */
static cleave_status sum_weights(clv_graph *made, const clv_graph *g, const int32_t *part,
                                 clv_sums *sums, cleave_error *err)
{
    made->ncon = g->ncon;
    int64_t count = (int64_t)made->nvtx * made->ncon;
    int64_t *sum = clv_arena_alloc(&made->arena, count, sizeof *sum);
    if (!sum)
        return clv_fail_memory(err);
    memset(sum, 0, (size_t)count * sizeof *sum);
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int32_t con = 0; con < g->ncon; con++)
            sum[(int64_t)part[v] * g->ncon + con] += clv_graph_vwgt(g, v, con);
    sums->vertex = sum;
    return CLEAVE_OK;
}

static cleave_status quotient_into(clv_graph *made, clv_sums *sums, const clv_graph *g,
                                   const clv_mapping *m, clv_ws *ws, cleave_error *err)
{
    clv_quotient q;
    CLV_TRY(clv_derive_quotient_rows(&q, g, m->nparts, m->part, ws, err));
    if (g->kind == CLEAVE_DAG)
        CLV_TRY(refuse_cycle(&q, ws, err));
    made->kind = g->kind;
    CLV_TRY(take_rows(made, &q, sums, err));
    CLV_TRY(sum_weights(made, g, m->part, sums, err));
    if (g->kind == CLEAVE_DAG)
        CLV_TRY(clv_graph_finish_dag(made, true, err)); /* it was just checked for cycles */
    made->entries = clv_graph_edges(made);
    return CLEAVE_OK;
}

cleave_status clv_derive_quotient_sums(clv_graph **out, clv_sums *sums, const clv_graph *g,
                                       const clv_mapping *m, clv_ws *ws, cleave_error *err)
{
    *out = NULL;
    clv_graph *made = clv_graph_new();
    if (!made)
        return clv_fail_memory(err);
    clv_ws_mark mark = clv_ws_save(ws);
    cleave_status status = quotient_into(made, sums, g, m, ws, err);
    clv_ws_restore(ws, mark);
    if (status != CLEAVE_OK) {
        clv_graph_free(made);
        return status;
    }
    *out = made;
    return CLEAVE_OK;
}

/* ---- With weights of 32 bits ----------------------------------------------------------- */

static cleave_status narrow_cuts(clv_graph *made, const int64_t *cut, cleave_error *err)
{
    int32_t *ewgt = clv_arena_alloc(&made->arena, made->narc, sizeof *ewgt);
    if (!ewgt)
        return clv_fail_memory(err);
    for (int32_t p = 0; p < made->nvtx; p++)
        for (int64_t a = made->xadj[p]; a < made->xadj[p + 1]; a++) {
            if (cut[a] > INT32_MAX)
                return clv_fail(err, CLEAVE_ERANGE,
                                "the cut between parts %ld and %ld is %lld, more than 2^31-1",
                                (long)p, (long)made->adj[a], (long long)cut[a]);
            ewgt[a] = (int32_t)cut[a];
        }
    made->ewgt = made->pwgt = ewgt;
    return CLEAVE_OK;
}

static cleave_status narrow_weights(clv_graph *made, const int64_t *sum, cleave_error *err)
{
    int64_t count = (int64_t)made->nvtx * made->ncon;
    int32_t *vwgt = clv_arena_alloc(&made->arena, count, sizeof *vwgt);
    if (!vwgt)
        return clv_fail_memory(err);
    for (int64_t i = 0; i < count; i++) {
        if (sum[i] > INT32_MAX)
            return clv_fail(err, CLEAVE_ERANGE,
                            "the vertices of part %lld weigh %lld, more than 2^31-1",
                            (long long)(i / made->ncon), (long long)sum[i]);
        vwgt[i] = (int32_t)sum[i];
    }
    made->vwgt = vwgt;
    return CLEAVE_OK;
}

cleave_status clv_derive_narrow(clv_graph *g, const clv_sums *sums, cleave_error *err)
{
    cleave_status status = narrow_cuts(g, sums->arc, err);
    if (status == CLEAVE_OK)
        status = narrow_weights(g, sums->vertex, err);
    if (status != CLEAVE_OK) { /* all weights or none */
        g->ewgt = g->pwgt = NULL;
        return status;
    }
    /* Rebuilds the predecessors, now with weights. */
    return g->kind == CLEAVE_DAG ? clv_graph_finish_dag(g, true, err) : CLEAVE_OK;
}

cleave_status clv_derive_quotient(clv_graph **out, const clv_graph *g, const clv_mapping *m,
                                  clv_ws *ws, cleave_error *err)
{
    clv_sums sums;
    CLV_TRY(clv_derive_quotient_sums(out, &sums, g, m, ws, err));
    cleave_status status = clv_derive_narrow(*out, &sums, err);
    if (status != CLEAVE_OK) {
        clv_graph_free(*out);
        *out = NULL;
    }
    return status;
}

/* ---- As an order ------------------------------------------------------------------- */

cleave_status clv_derive_part_order(const clv_graph *g, const clv_mapping *m, clv_ws *ws,
                                    int32_t *order, cleave_error *err)
{
    clv_quotient q;
    bool complete;
    clv_ws_mark mark = clv_ws_save(ws);
    CLV_TRY(clv_derive_quotient_rows(&q, g, m->nparts, m->part, ws, err));
    CLV_TRY(clv_priority_order(q.nparts, q.xadj, q.adj, NULL, ws, order, &complete, err));
    if (!complete)
        return refuse_cycle(&q, ws, err);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
