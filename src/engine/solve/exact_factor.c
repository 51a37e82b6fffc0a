/* SPDX-License-Identifier: Apache-2.0 */
/* engine/solve/exact_factor.c - exact Cholesky factors: the elimination order and the pattern
 * come from the graph of the matrix (generate/factor.h), the numbers from matrix/cholesky.h.
 */
#include "engine/solve/exact_factor.h"

#include <string.h>

#include "generate/factor.h"
#include "graph/build.h"
#include "matrix/cholesky.h"
#include "matrix/lower_half.h"
#include "order/elimination/elimination_order.h"

/* The undirected graph of the lower triangle. */
static cleave_status make_pattern_graph(clv_graph **out, const clv_matrix *a,
                                        cleave_error *err)
{
    int64_t n = a->nrow, to = 0;
    clv_rows rows = {.nvtx = a->nrow, .ascending = true};
    rows.xadj = clv_alloc(n + 1, sizeof *rows.xadj);
    rows.adj = clv_alloc(a->xadj[n], sizeof *rows.adj);
    if (!rows.xadj || !rows.adj) {
        clv_rows_free(&rows);
        return clv_fail_memory(err);
    }
    for (int32_t i = 0; i < a->nrow; i++) {
        int64_t below = clv_lower_half_length(a, i) - 1;
        rows.xadj[i] = to;
        if (below > 0)
            memcpy(rows.adj + to, a->col + a->xadj[i], (size_t)below * sizeof *rows.adj);
        to += below;
    }
    rows.xadj[n] = to;
    const clv_build_rules rules = {.symmetrise = CLV_SYMMETRISE_PATTERN};
    const clv_where where = {.path = NULL};
    return clv_build_graph(out, CLEAVE_UNDIRECTED, &rows, &rules, &where, err);
}

/* The elimination order, and the pattern of the factor in that order. */
static cleave_status find_pattern(clv_graph **pattern, int32_t *order, const clv_matrix *a,
                                  bool natural, clv_ws *ws, cleave_error *err)
{
    clv_graph *g = NULL;
    CLV_TRY(make_pattern_graph(&g, a, err));
    cleave_status status = clv_elimination_order(g, natural, ws, order, err);
    if (status == CLEAVE_OK)
        status = clv_factor_dag(pattern, g, order, ws, err);
    clv_graph_free(g);
    return status;
}

static cleave_status factor_matrix(clv_matrix **out, int32_t *permutation, const clv_matrix *a,
                                   bool natural, clv_ws *ws, cleave_error *err)
{
    clv_graph *pattern = NULL;
    int32_t *order = clv_ws_alloc(ws, a->nrow, sizeof *order);
    if (!order)
        return clv_fail_memory(err);
    CLV_TRY(find_pattern(&pattern, order, a, natural, ws, err));
    cleave_status status = clv_cholesky(out, a, order, pattern, ws, err);
    clv_graph_free(pattern);
    if (status == CLEAVE_OK && permutation && a->nrow > 0)
        memcpy(permutation, order, (size_t)a->nrow * sizeof *order);
    return status;
}

cleave_status clv_exact_factor(clv_matrix **out, int32_t *permutation, const clv_matrix *a,
                               bool natural, cleave_error *err)
{
    clv_ws ws = {0};
    cleave_status status = factor_matrix(out, permutation, a, natural, &ws, err);
    clv_ws_free(&ws);
    return status;
}
