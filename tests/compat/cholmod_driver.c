/* SPDX-License-Identifier: Apache-2.0 */
/* tests/compat/cholmod_driver.c - CHOLMOD with the orders that it gets from libmetis:
 * METIS_NodeND, and nested dissection by METIS_ComputeVertexSeparator.
 *
 * Solves the Laplacian of a cube.  Prints for each the non-zeros of the factor and the
 * residual. */
#include <stdio.h>
#include <suitesparse/cholmod.h>

static cholmod_sparse *laplacian(int side, cholmod_common *c)
{
    int n = side * side * side, step[3] = {1, side, side * side};
    cholmod_triplet *t = cholmod_allocate_triplet(n, n, 4 * (size_t)n, -1, CHOLMOD_REAL, c);
    int *row = t->i, *column = t->j;
    double *value = t->x;
    for (int v = 0; v < n; v++) {
        row[t->nnz] = column[t->nnz] = v;
        value[t->nnz++] = 6.5;
        for (int d = 0; d < 3; d++)
            if (v / step[d] % side < side - 1) {
                row[t->nnz] = v + step[d];
                column[t->nnz] = v;
                value[t->nnz++] = -1;
            }
    }
    cholmod_sparse *a = cholmod_triplet_to_sparse(t, 0, c);
    cholmod_free_triplet(&t, c);
    return a;
}

static double residual(cholmod_sparse *a, cholmod_factor *l, cholmod_common *c)
{
    double minus[2] = {-1, 0}, one[2] = {1, 0};
    cholmod_dense *b = cholmod_ones(a->nrow, 1, CHOLMOD_REAL, c);
    cholmod_dense *x = cholmod_solve(CHOLMOD_A, l, b, c);
    cholmod_sdmult(a, 0, minus, one, x, b, c);
    double norm = cholmod_norm_dense(b, 0, c);
    cholmod_free_dense(&x, c);
    cholmod_free_dense(&b, c);
    return norm;
}

int main(void)
{
    static const struct {
        const char *name;
        int ordering;
    } orders[] = {{"metis", CHOLMOD_METIS}, {"nesdis", CHOLMOD_NESDIS}};
    int status = 0;
    for (int i = 0; i < 2; i++) {
        cholmod_common c;
        cholmod_start(&c);
        cholmod_sparse *a = laplacian(18, &c);
        c.nmethods = 1;
        c.method[0].ordering = orders[i].ordering;
        c.postorder = 1;
        cholmod_factor *l = cholmod_analyze(a, &c);
        cholmod_factorize(a, l, &c);
        double norm = residual(a, l, &c);
        printf("%s %.0f %.1e\n", orders[i].name, c.lnz, norm);
        status |= c.status != CHOLMOD_OK || l->ordering != orders[i].ordering || norm > 1e-10;
        cholmod_free_factor(&l, &c);
        cholmod_free_sparse(&a, &c);
        cholmod_finish(&c);
    }
    return status;
}
