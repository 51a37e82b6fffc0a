/* SPDX-License-Identifier: Apache-2.0 */
/* api/triangle.c - triangles of matrices and graphs, and their validation. */
#include "api/trsv_arguments.h"
#include "graph/graph.h"
#include "matrix/matrix.h"
#include "run/tri_plan.h"

void cleave_triangle_init(cleave_triangle *t, size_t size)
{
    clv_sized_init(t, size);
}

/* n of a matrix that is not square: clv_triangle_take rejects it with a message. */
enum { not_square = INT32_MIN };

void cleave_triangle_of_matrix(cleave_triangle *t, size_t size, const cleave_matrix *a)
{
    cleave_triangle full = {.part = 1};
    if (a) {
        full.n = a->nrow == a->ncol ? a->nrow : not_square;
        full.xadj = a->xadj;
        full.idx = a->col;
        full.val = a->val;
    }
    clv_sized_init(t, size);
    clv_sized_write(t, &full, sizeof full);
}

void cleave_triangle_of_graph(cleave_triangle *t, size_t size, const cleave_graph *g)
{
    cleave_triangle full = {.by_columns = 1, .diagonal_apart = 1};
    if (g) {
        int32_t first = 0; /* vertex with a neighbour */
        while (first < g->nvtx && g->xadj[first + 1] == 0)
            first++;
        full.n = g->nvtx;
        full.xadj = g->xadj;
        full.idx = g->adj;
        full.part = g->kind != CLEAVE_DAG;
        full.upper = g->kind == CLEAVE_DAG && first < g->nvtx && g->adj[0] < first;
    }
    clv_sized_init(t, size);
    clv_sized_write(t, &full, sizeof full);
}

/* ---- Checks ----------------------------------------------------------------------------- */

static cleave_status check_indices(const cleave_triangle *t, cleave_error *err)
{
    const char *line = t->by_columns ? "column" : "row";
    const char *across = t->by_columns ? "row" : "column";
    for (int32_t i = 0; i < t->n; i++)
        for (int64_t k = t->xadj[i]; k < t->xadj[i + 1]; k++)
            if (t->idx[k] < 0 || t->idx[k] >= t->n)
                return clv_fail(err, CLEAVE_EINVAL,
                                "%s %ld has an entry in %s %ld, outside 0..%ld", line, (long)i,
                                across, (long)t->idx[k], (long)t->n - 1);
    return CLEAVE_OK;
}

cleave_status clv_triangle_take(cleave_triangle *out, const cleave_triangle *t,
                                cleave_error *err)
{
    static const int64_t none[1] = {0};
    *out = (cleave_triangle){0};
    if (!t)
        return clv_fail(err, CLEAVE_EINVAL, "the triangle is NULL");
    CLV_TRY(clv_sized_copy(out, sizeof *out, t, "cleave_triangle", err));
    if (out->n == not_square)
        return clv_fail(err, CLEAVE_EINVAL, "the matrix is not square, so it has no triangle");
    if (out->n < 0)
        return clv_fail(err, CLEAVE_EINVAL, "a triangle cannot have %ld rows", (long)out->n);
    if (!out->xadj && out->n > 0)
        return clv_fail(err, CLEAVE_EINVAL, "xadj is NULL");
    if (!out->xadj)
        out->xadj = none;
    if (out->xadj[0] != 0)
        return clv_fail(err, CLEAVE_EINVAL, "xadj[0] is %lld, not 0", (long long)out->xadj[0]);
    for (int32_t i = 0; i < out->n; i++)
        if (out->xadj[i + 1] < out->xadj[i])
            return clv_fail(err, CLEAVE_EINVAL, "xadj[%ld] is %lld, less than xadj[%ld]",
                            (long)i + 1, (long long)out->xadj[i + 1], (long)i);
    if (out->val && out->val32)
        return clv_fail(err, CLEAVE_EINVAL, "both val and val32 are given");
    int64_t count = out->xadj[out->n] + (out->diagonal_apart && !out->unit ? out->n : 0);
    if (count >= CLV_TRI_ZERO)
        return clv_fail(err, CLEAVE_ERANGE,
                        "%lld entries are too many for a plan, which has at most %lld",
                        (long long)count, (long long)CLV_TRI_ZERO - 1);
    if (count == 0)
        return CLEAVE_OK;
    if (!out->idx && out->xadj[out->n] > 0)
        return clv_fail(err, CLEAVE_EINVAL, "idx is NULL");
    if (!out->val && !out->val32)
        return clv_fail(err, CLEAVE_EINVAL, "val and val32 are both NULL");
    return check_indices(out, err);
}
