/* SPDX-License-Identifier: Apache-2.0 */
/* api/factorise.c - factors of matrices: check the arguments; for exact factors also bring
 * together the order and the pattern, which are a matter of graphs, and the numbers. */
#include <string.h>

#include "generate/factor.h"
#include "graph/build.h"
#include "matrix/cholesky.h"
#include "matrix/ic0.h"
#include "matrix/ilu0.h"
#include "matrix/lower_half.h"

static cleave_status check_arguments(cleave_matrix **out, const cleave_matrix *a,
                                     cleave_error *err)
{
    if (out)
        *out = NULL;
    if (!out || !a)
        return clv_fail(err, CLEAVE_EINVAL, out ? "the matrix is NULL" : "out is NULL");
    return CLEAVE_OK;
}

cleave_status cleave_matrix_ic0(cleave_matrix **out, const cleave_matrix *a, double *shift,
                                cleave_error *err)
{
    CLV_TRY(check_arguments(out, a, err));
    CLV_TRY(clv_lower_half_check(a, err));
    return clv_ic0(out, a, shift, err);
}

cleave_status cleave_matrix_ilu0(cleave_matrix **out, const cleave_matrix *a,
                                 cleave_error *err)
{
    CLV_TRY(check_arguments(out, a, err));
    return clv_ilu0(out, a, err);
}

/* ---- Exact factors ---------------------------------------------------------------------- */

/* The undirected graph of the lower triangle. */
static cleave_status make_graph(clv_graph **out, const clv_matrix *a, cleave_error *err)
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

static cleave_status choose_order(int32_t *to, const clv_graph *g, const char *order,
                                  clv_ws *ws, cleave_error *err)
{
    for (int32_t v = 0; v < g->nvtx; v++)
        to[v] = v;
    if (order && strcmp(order, "natural") == 0)
        return CLEAVE_OK;
    CLV_TRY(clv_factor_minimum_degree(g, ws, to, err));
    return clv_factor_postorder(g, ws, to, err);
}

static cleave_status factor_graph(cleave_matrix **out, int32_t *permutation,
                                  const cleave_matrix *a, const clv_graph *g,
                                  const char *order, clv_ws *ws, cleave_error *err)
{
    clv_graph *pattern = NULL;
    int32_t *chosen = clv_ws_alloc(ws, g->nvtx, sizeof *chosen);
    if (!chosen)
        return clv_fail_memory(err);
    CLV_TRY(choose_order(chosen, g, order, ws, err));
    CLV_TRY(clv_factor_dag(&pattern, g, chosen, ws, err));
    cleave_status status = clv_cholesky(out, a, chosen, pattern, ws, err);
    clv_graph_free(pattern);
    if (status == CLEAVE_OK && permutation && g->nvtx > 0)
        memcpy(permutation, chosen, (size_t)g->nvtx * sizeof *chosen);
    return status;
}

cleave_status cleave_matrix_cholesky(cleave_matrix **out, int32_t *permutation,
                                     const cleave_matrix *a, const char *order,
                                     cleave_error *err)
{
    CLV_TRY(check_arguments(out, a, err));
    if (order && strcmp(order, "mindeg") != 0 && strcmp(order, "amd") != 0 &&
        strcmp(order, "natural") != 0)
        return clv_fail(err, CLEAVE_EINVAL,
                        "order is \"%.40s\", which is neither natural nor mindeg", order);
    CLV_TRY(clv_lower_half_check(a, err));
    clv_graph *g = NULL;
    CLV_TRY(make_graph(&g, a, err));
    clv_ws ws = {0};
    cleave_status status = factor_graph(out, permutation, a, g, order, &ws, err);
    clv_ws_free(&ws);
    clv_graph_free(g);
    return status;
}
