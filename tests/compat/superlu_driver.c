/* SPDX-License-Identifier: Apache-2.0 */
/* tests/compat/superlu_driver.c - SuperLU_DIST on one process with its column order from
 * METIS_NodeND.  Solves the Laplacian of a square; prints the non-zeros of L and U and the
 * error of the solution. */
#include <math.h>
#include <stdio.h>
#include <superlu_ddefs.h>

enum { side = 60, n = side * side };

/* Row by row; the caller frees nothing, SuperLU_DIST does. */
static void laplacian(SuperMatrix *a)
{
    double *value = doubleMalloc_dist(5 * n);
    int_t *column = intMalloc_dist(5 * n), *first = intMalloc_dist(n + 1), m = 0;
    for (int v = 0; v < n; v++) {
        int x = v % side, y = v / side;
        first[v] = m;
        for (int d = -side; d <= side; d += d == -1 || d == 0 ? 1 : side - 1) {
            int inside = d == 0 || (d == -side && y > 0) || (d == side && y < side - 1) ||
                         (d == -1 && x > 0) || (d == 1 && x < side - 1);
            if (!inside)
                continue;
            column[m] = v + d;
            value[m++] = d == 0 ? 4.5 : -1;
        }
    }
    first[n] = m;
    dCreate_CompRowLoc_Matrix_dist(a, n, n, m, n, 0, value, column, first, SLU_NR_loc, SLU_D,
                                   SLU_GE);
}

int main(int count, char **arguments)
{
    gridinfo_t grid;
    superlu_dist_options_t options;
    SuperLUStat_t stat;
    SuperMatrix a;
    dScalePermstruct_t scale;
    dLUstruct_t lu;
    dSOLVEstruct_t solve;
    double b[n], error[1], worst = 0;
    int info;
    MPI_Init(&count, &arguments);
    superlu_gridinit(MPI_COMM_WORLD, 1, 1, &grid);
    laplacian(&a);
    for (int v = 0; v < n; v++) { /* the solution is all 1 */
        int x = v % side, y = v / side;
        b[v] = 4.5 - (x > 0) - (x < side - 1) - (y > 0) - (y < side - 1);
    }
    set_default_options_dist(&options);
    options.ColPerm = METIS_AT_PLUS_A;
    options.PrintStat = NO;
    dScalePermstructInit(n, n, &scale);
    dLUstructInit(n, &lu);
    PStatInit(&stat);
    pdgssvx(&options, &a, &scale, b, n, 1, &grid, &lu, &solve, error, &stat, &info);
    for (int v = 0; v < n; v++)
        worst = fmax(worst, fabs(b[v] - 1));
    superlu_dist_mem_usage_t usage;
    dQuerySpace_dist(n, &lu, &grid, &stat, &usage);
    printf("superlu %.0f %.1e\n", usage.for_lu, worst);
    PStatFree(&stat);
    superlu_gridexit(&grid);
    MPI_Finalize();
    return info != 0 || worst > 1e-8;
}
