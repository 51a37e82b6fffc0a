/* SPDX-License-Identifier: Apache-2.0 */
#include "api/edge_case_facts.h"

#include "support/test.h"

const cleave_csr *edge_csr;
cleave_graph *edge_graph;

const char *edge_scratch(const char *name)
{
    static char path[4][4200];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", test_scratch(), name);
    return path[next];
}

void edge_matrix(oracle_graph *dense, const cleave_csr *csr)
{
    memset(dense, 0, sizeof *dense);
    dense->n = csr->nvtx;
    for (int32_t v = 0; v < csr->nvtx; v++)
        for (int64_t a = csr->xadj[v]; a < csr->xadj[v + 1]; a++) {
            dense->arc[v][csr->adj[a]] = true;
            dense->wgt[v][csr->adj[a]] = csr->ewgt ? csr->ewgt[a] : 1;
        }
}

bool edge_mapping(int i, int32_t nvtx, int32_t *nparts, int32_t part[EDGE_ROOM])
{
    int32_t counts[] = {1, 2, nvtx > 0 ? nvtx : 1, nvtx + 3, 7, 3};
    if (i >= 6)
        return false;
    *nparts = counts[i];
    for (int32_t v = 0; v < nvtx; v++)
        part[v] = i == 4   ? *nparts - 1
                  : i == 5 ? v % 3
                           : (int32_t)((int64_t)v * *nparts / nvtx);
    return true;
}

static bool weighs_too_much(const cleave_csr *csr, int32_t p, const int32_t *part)
{
    for (int32_t con = 0; con < csr->ncon; con++) {
        int64_t weight = 0;
        for (int32_t v = 0; v < csr->nvtx; v++)
            if (part[v] == p)
                weight += csr->vwgt ? csr->vwgt[v * csr->ncon + con] : 1;
        if (weight > INT32_MAX)
            return true;
    }
    return false;
}

cleave_status edge_quotient_status(const cleave_csr *csr, const oracle_graph *quotient,
                                   int32_t nparts, const int32_t *part)
{
    if (csr->kind == CLEAVE_DAG && !oracle_acyclic(quotient))
        return CLEAVE_ECYCLE;
    for (int32_t p = 0; p < nparts; p++) {
        if (weighs_too_much(csr, p, part))
            return CLEAVE_ERANGE;
        for (int32_t q = 0; q < nparts; q++)
            if (quotient->wgt[p][q] > INT32_MAX)
                return CLEAVE_ERANGE;
    }
    return CLEAVE_OK;
}

static cleave_csr view_of(const cleave_graph *g)
{
    cleave_csr view;
    cleave_csr_init(&view, sizeof view);
    cleave_graph_view(g, &view);
    return view;
}

const oracle_result *edge_metrics(const cleave_graph *g, int32_t nparts, const int32_t *part)
{
    static oracle_result result;
    oracle_rules rules = {NULL, 30, 1, 1, 11};
    cleave_csr view = view_of(g);
    oracle_metrics(&result, &view, nparts, part, &rules);
    return &result;
}

bool edge_same_rows(const cleave_graph *a, const cleave_graph *b, bool weights)
{
    cleave_csr x = view_of(a), y = view_of(b);
    if (x.kind != y.kind || x.nvtx != y.nvtx ||
        memcmp(x.xadj, y.xadj, ((size_t)x.nvtx + 1) * sizeof *x.xadj) != 0)
        return false;
    for (int64_t i = 0; i < x.xadj[x.nvtx]; i++)
        if (x.adj[i] != y.adj[i] ||
            (weights && (x.ewgt ? x.ewgt[i] : 1) != (y.ewgt ? y.ewgt[i] : 1)))
            return false;
    return true;
}
