/* SPDX-License-Identifier: Apache-2.0 */
/* generate/factor.c - symbolic Cholesky factorization [Liu, SIAM J. Matrix Anal.  1990].
 *
 * The parent of column j in the elimination tree is the row of the first non-zero below the
 * diagonal in column j of L. The non-zeros of row i of L are the columns on the paths up the
 * tree from the entries of row i of the matrix to i: they are found one by one, without
 * numerical values. */
#include "generate/factor.h"

#include <string.h>

#include "base/group.h"
#include "base/rng.h"
#include "generate/assemble.h"
#include "graph/elimination.h"
#include "graph/rows.h"
#include "order/elimination/elimination_order.h"

static const int64_t most_nonzeros = INT64_C(1) << 32;

/* ---- Pattern ---------------------------------------------------------------------------- */

/* Row by row; fill[j] is the next free entry of column j. */
static void fill_columns(const clv_elimination *e, int32_t *seen, int64_t *fill, int32_t *adj)
{
    const clv_graph *g = e->g;
    for (int32_t k = 0; k < g->nvtx; k++) {
        int32_t v = e->order[k];
        seen[k] = k;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            for (int32_t i = e->place[g->adj[a]]; i < k && seen[i] != k; i = e->parent[i]) {
                seen[i] = k;
                adj[fill[i]++] = k;
            }
    }
}

/* On failure the caller frees the rows. */
static cleave_status make_columns(clv_rows *rows, const clv_elimination *e, clv_ws *ws,
                                  cleave_error *err)
{
    int64_t n = e->g->nvtx;
    rows->nvtx = e->g->nvtx;
    rows->xadj = clv_zalloc(n + 1, sizeof *rows->xadj);
    int32_t *seen = clv_ws_alloc(ws, n, sizeof *seen);
    if (!rows->xadj || !seen)
        return clv_fail_memory(err);
    int64_t *column = rows->xadj + 1; /* shifted by one, for clv_group_starts */
    CLV_TRY(clv_elimination_columns(e, ws, column, err));
    int64_t nonzeros = clv_group_starts(rows->xadj, n);
    if (nonzeros > most_nonzeros)
        return clv_fail(err, CLEAVE_ERANGE,
                        "the factor has %lld non-zeros, more than %lld; try the order mindeg",
                        (long long)nonzeros, (long long)most_nonzeros);
    rows->adj = clv_alloc(nonzeros, sizeof *rows->adj);
    if (!rows->adj)
        return clv_fail_memory(err);
    fill_columns(e, seen, column, rows->adj);
    return CLEAVE_OK;
}

/* ---- The DAG ---------------------------------------------------------------------------- */

/* Coordinates and names of vertex order[k] become those of vertex k. */
static cleave_status carry_attributes(clv_graph *dag, const clv_graph *g, const int32_t *order,
                                      clv_ws *ws, cleave_error *err)
{
    int64_t n = g->nvtx;
    double *coords = clv_ws_alloc(ws, n * g->ndim, sizeof *coords);
    const char **names = clv_ws_alloc(ws, g->names.offset ? n : 0, sizeof *names);
    if (!coords || !names)
        return clv_fail_memory(err);
    for (int64_t k = 0; k < n; k++) {
        for (int32_t d = 0; d < g->ndim; d++)
            coords[k * g->ndim + d] = g->coords[(int64_t)order[k] * g->ndim + d];
        if (g->names.offset)
            names[k] = clv_graph_name(g, order[k]);
    }
    cleave_csr csr = {.ncon = 1,
                      .ndim = g->ndim,
                      .coords = g->ndim ? coords : NULL,
                      .names = g->names.offset ? names : NULL};
    return clv_graph_set_attributes(dag, &csr, false, err);
}

cleave_status clv_factor_dag(clv_graph **out, const clv_graph *g, const int32_t *order,
                             clv_ws *ws, cleave_error *err)
{
    *out = NULL;
    clv_elimination e;
    clv_ws_mark mark = clv_ws_save(ws);
    CLV_TRY(clv_elimination_make(&e, g, order, ws, err));
    clv_rows rows = {.nvtx = 0};
    cleave_status status = make_columns(&rows, &e, ws, err);
    if (status != CLEAVE_OK) {
        clv_rows_free(&rows);
        return status;
    }
    clv_ws_restore(ws, mark);
    CLV_TRY(clv_assemble(out, CLEAVE_DAG, &rows, 0, NULL, err));
    status = carry_attributes(*out, g, order, ws, err);
    clv_ws_restore(ws, mark);
    if (status != CLEAVE_OK) {
        clv_graph_free(*out);
        *out = NULL;
    }
    return status;
}

/* ---- The matrix ------------------------------------------------------------------------- */

/* Writes row i: the predecessors in the DAG, then the diagonal; returns the next free index.
 */
static int64_t fill_row(const clv_graph *dag, int32_t i, uint64_t seed, int64_t to,
                        int32_t *col, double *val)
{
    double sum = 1;
    clv_rng rng = clv_rng_make(seed, CLV_STAGE_FACTOR, 0, (uint64_t)i);
    for (int64_t a = dag->xpred[i]; a < dag->xpred[i + 1]; a++, to++) {
        double value = (1.0 + clv_rng_below(&rng, 256)) / 256;
        col[to] = dag->pred[a];
        val[to] = -value;
        sum += value;
    }
    col[to] = i;
    val[to] = sum;
    return to + 1;
}

cleave_status clv_factor_matrix(clv_matrix **out, const clv_graph *dag, uint64_t seed,
                                cleave_error *err)
{
    *out = NULL;
    int64_t n = dag->nvtx, to = 0;
    clv_matrix_rows rows = {.nrow = dag->nvtx, .ncol = dag->nvtx};
    rows.xadj = clv_alloc(n + 1, sizeof *rows.xadj);
    rows.col = clv_alloc(dag->narc + n, sizeof *rows.col);
    rows.val = clv_alloc(dag->narc + n, sizeof *rows.val);
    if (!rows.xadj || !rows.col || !rows.val) {
        clv_matrix_rows_free(&rows);
        return clv_fail_memory(err);
    }
    for (int32_t i = 0; i < dag->nvtx; i++) {
        rows.xadj[i] = to;
        to = fill_row(dag, i, seed, to, rows.col, rows.val);
    }
    rows.xadj[n] = to;
    return clv_matrix_build(out, rows, err);
}

/* ---- Orders ----------------------------------------------------------------------------- */

static cleave_status check_permutation(int32_t nvtx, const int32_t *permutation, clv_ws *ws,
                                       cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    bool *seen = clv_ws_zalloc(ws, nvtx, sizeof *seen);
    if (!seen)
        return clv_fail_memory(err);
    for (int32_t k = 0; k < nvtx; k++) {
        int32_t v = permutation[k];
        if (v < 0 || v >= nvtx)
            return clv_fail(err, CLEAVE_EINVAL, "permutation[%d] is %d, outside 0..%d", (int)k,
                            (int)v, (int)nvtx - 1);
        if (seen[v])
            return clv_fail(err, CLEAVE_EINVAL, "the permutation names vertex %d twice",
                            (int)v);
        seen[v] = true;
    }
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* *to becomes the elimination order; it is the caller's array or from ws. */
static cleave_status choose_order(const int32_t **to, const clv_graph *g, const char *order,
                                  const int32_t *permutation, clv_ws *ws, cleave_error *err)
{
    if (permutation && order)
        return clv_fail(err, CLEAVE_EINVAL, "order must be NULL when a permutation is given");
    if (permutation) {
        *to = permutation;
        return check_permutation(g->nvtx, permutation, ws, err);
    }
    bool mindeg = order && strcmp(order, "mindeg") == 0;
    if (order && !mindeg && strcmp(order, "natural") != 0)
        return clv_fail(err, CLEAVE_EINVAL, "order is \"%.40s\"; expected natural or mindeg",
                        order);
    int32_t *made = clv_ws_alloc(ws, g->nvtx, sizeof *made);
    if (!made)
        return clv_fail_memory(err);
    *to = made;
    return clv_elimination_order(g, !mindeg, ws, made, err);
}

cleave_status clv_factor_graph(clv_graph **out, const clv_graph *g, const char *order,
                               const int32_t *permutation, clv_ws *ws, cleave_error *err)
{
    const int32_t *chosen = NULL;
    CLV_TRY(choose_order(&chosen, g, order, permutation, ws, err));
    return clv_factor_dag(out, g, chosen, ws, err);
}
