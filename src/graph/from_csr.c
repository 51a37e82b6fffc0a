/* SPDX-License-Identifier: Apache-2.0 */
/* graph/from_csr.c - a graph from a caller's compressed rows: checked, then borrowed if
 * requested and possible, otherwise copied, sorted and repaired. */
#include <string.h>

#include "graph/build.h"
#include "graph/rows.h"
#include "graph/symmetry.h"

/* A read-only view: the casts drop const, but nothing is written. */
static clv_rows rows_of(const cleave_csr *csr)
{
    return (clv_rows){.nvtx = csr->nvtx,
                      .xadj = (int64_t *)csr->xadj,
                      .adj = (int32_t *)csr->adj,
                      .ewgt = (int32_t *)csr->ewgt};
}

/* Bit 31 of the result: a neighbour is out of range.  If rows ascend, only the first and the
 * last are compared.  Branch-free, so that the compiler vectorises. */
static uint32_t outside_bits(const cleave_csr *csr, bool ascending)
{
    int64_t narc = csr->xadj[csr->nvtx];
    uint32_t last = (uint32_t)csr->nvtx - 1, bits = 0;
    for (int32_t v = 0; ascending && v < csr->nvtx; v++)
        if (csr->xadj[v] < csr->xadj[v + 1])
            bits |= (uint32_t)csr->adj[csr->xadj[v]] |
                    (last - (uint32_t)csr->adj[csr->xadj[v + 1] - 1]);
    for (int64_t a = 0; !ascending && a < narc; a++)
        bits |= (uint32_t)csr->adj[a] | (last - (uint32_t)csr->adj[a]);
    return bits;
}

static bool weights_negative(const cleave_csr *csr)
{
    uint32_t bits = 0;
    for (int64_t a = 0; csr->ewgt && a < csr->xadj[csr->nvtx]; a++)
        bits |= (uint32_t)csr->ewgt[a];
    return bits > INT32_MAX;
}

static cleave_status check_row(const cleave_csr *csr, int32_t v, cleave_error *err)
{
    for (int64_t a = csr->xadj[v]; a < csr->xadj[v + 1]; a++) {
        if (csr->adj[a] < 0 || csr->adj[a] >= csr->nvtx)
            return clv_fail(err, CLEAVE_EINVAL, "vertex %d lists neighbour %d, outside 0..%d",
                            (int)v, (int)csr->adj[a], (int)csr->nvtx - 1);
        if (csr->ewgt && csr->ewgt[a] < 0)
            return clv_fail(err, CLEAVE_EINVAL, "edge %d - %d has the negative weight %d",
                            (int)v, (int)csr->adj[a], (int)csr->ewgt[a]);
    }
    return CLEAVE_OK;
}

static cleave_status check_offsets(const cleave_csr *csr, cleave_error *err)
{
    if (csr->kind != CLEAVE_UNDIRECTED && csr->kind != CLEAVE_DAG)
        return clv_fail(err, CLEAVE_EINVAL, "csr.kind is %d, not a kind of graph",
                        (int)csr->kind);
    if (csr->nvtx < 0 || csr->nvtx == INT32_MAX)
        return clv_fail(err, CLEAVE_EINVAL, "csr.nvtx is %d, outside 0..2147483646",
                        (int)csr->nvtx);
    if (!csr->xadj)
        return clv_fail(err, CLEAVE_EINVAL, "csr.xadj is NULL");
    if (csr->xadj[0] != 0)
        return clv_fail(err, CLEAVE_EINVAL, "xadj[0] is %lld, not 0", (long long)csr->xadj[0]);
    for (int32_t v = 0; v < csr->nvtx; v++)
        if (csr->xadj[v + 1] < csr->xadj[v])
            return clv_fail(err, CLEAVE_EINVAL, "xadj[%d] is less than xadj[%d]", (int)v + 1,
                            (int)v);
    if (csr->xadj[csr->nvtx] > 0 && !csr->adj)
        return clv_fail(err, CLEAVE_EINVAL, "csr.adj is NULL");
    return CLEAVE_OK;
}

static cleave_status check_rows(const cleave_csr *csr, bool *ascending, cleave_error *err)
{
    clv_rows rows = rows_of(csr);
    *ascending = clv_rows_ascend(&rows);
    bool valid = outside_bits(csr, *ascending) <= INT32_MAX && !weights_negative(csr);
    for (int32_t v = valid ? csr->nvtx : 0; v < csr->nvtx; v++)
        CLV_TRY(check_row(csr, v, err));
    return CLEAVE_OK;
}

/* Copies of the caller's arrays, to be sorted and repaired. */
static cleave_status copy_rows(clv_rows *rows, const cleave_csr *csr, cleave_error *err)
{
    int64_t narc = csr->xadj[csr->nvtx];
    *rows = (clv_rows){.nvtx = csr->nvtx};
    rows->xadj = clv_alloc((int64_t)csr->nvtx + 1, sizeof *rows->xadj);
    rows->adj = clv_alloc(narc, sizeof *rows->adj);
    if (csr->ewgt)
        rows->ewgt = clv_alloc(narc, sizeof *rows->ewgt);
    if (!rows->xadj || !rows->adj || (csr->ewgt && !rows->ewgt)) {
        clv_rows_free(rows);
        return clv_fail_memory(err);
    }
    memcpy(rows->xadj, csr->xadj, ((size_t)csr->nvtx + 1) * sizeof *rows->xadj);
    if (narc > 0)
        memcpy(rows->adj, csr->adj, (size_t)narc * sizeof *rows->adj);
    if (csr->ewgt && narc > 0)
        memcpy(rows->ewgt, csr->ewgt, (size_t)narc * sizeof *rows->ewgt);
    return CLEAVE_OK;
}

/* Can a graph use the caller's ascending rows unchanged? */
static cleave_status check_borrowable(const cleave_csr *csr, bool trust, bool *fit,
                                      cleave_error *err)
{
    clv_rows rows = rows_of(csr);
    if (trust || csr->kind == CLEAVE_DAG) {
        *fit = clv_rows_strict(&rows);
        return CLEAVE_OK;
    }
    clv_ws ws = {NULL};
    clv_asymmetry found = {.from =
                               -1}; /* finds self-loops as well: they have no opposite arc */
    cleave_status status = clv_symmetry_check(&rows, NULL, &ws, &found, err);
    clv_ws_free(&ws);
    *fit = found.from < 0;
    return status;
}

static cleave_status borrow_rows(clv_graph **out, const cleave_csr *csr, cleave_error *err)
{
    /* Without edges adj may be NULL, but a graph always has the array. */
    static const int32_t no_neighbours[1];
    clv_graph *g = clv_graph_new();
    *out = g;
    if (!g)
        return clv_fail_memory(err);
    g->kind = csr->kind;
    g->nvtx = csr->nvtx;
    g->narc = csr->xadj[csr->nvtx];
    g->xadj = g->xpred = csr->xadj;
    g->adj = g->pred = csr->adj ? csr->adj : no_neighbours;
    g->ewgt = g->pwgt = csr->ewgt;
    return CLEAVE_OK;
}

cleave_status clv_graph_from_csr(clv_graph **out, const cleave_csr *csr, unsigned flags,
                                 cleave_error *err)
{
    bool repair = flags & CLEAVE_REPAIR, trust = flags & CLEAVE_TRUST;
    bool borrow = flags & CLEAVE_BORROW, fit = false, ascending = false;
    clv_rows given = rows_of(csr), rows = {0};
    CLV_TRY(check_offsets(csr, err));
    if (!trust && csr->kind == CLEAVE_UNDIRECTED && !weights_negative(csr)) {
        fit = borrow && clv_symmetry_proved(&given);
        if (!fit && !repair)
            clv_symmetry_sorted(&rows, &given);
    }
    if (!fit && !rows.known_good)
        CLV_TRY(check_rows(csr, &ascending, err));
    if (borrow && ascending)
        CLV_TRY(check_borrowable(csr, trust, &fit, err));
    if (fit) {
        CLV_TRY(borrow_rows(out, csr, err));
        CLV_TRY(clv_graph_check_sums(*out, err));
        if (csr->kind == CLEAVE_DAG)
            CLV_TRY(clv_graph_finish_dag(*out, trust, err));
    } else {
        clv_build_rules rules = {.drop_loops = repair || (flags & CLEAVE_DROP_LOOPS),
                                 .merge_duplicates = repair,
                                 .trust = trust};
        if (repair)
            rules.symmetrise = csr->ewgt ? CLV_SYMMETRISE_MAX : CLV_SYMMETRISE_PATTERN;
        if (!rows.known_good)
            CLV_TRY(copy_rows(&rows, csr, err));
        CLV_TRY(clv_build_graph(out, csr->kind, &rows, &rules, NULL, err));
    }
    return clv_graph_set_attributes(*out, csr, flags & CLEAVE_BORROW, err);
}
