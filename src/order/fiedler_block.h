/* SPDX-License-Identifier: Apache-2.0 */
/* order/fiedler_block.h - a block of vectors that approaches the eigenvectors of the least
 * eigenvalues above 0 on one level. */
#ifndef CLV_ORDER_FIEDLER_BLOCK_H
#define CLV_ORDER_FIEDLER_BLOCK_H

#include "order/fiedler_levels.h"

enum { clv_fiedler_trial = 3 * clv_fiedler_width }; /* vectors, corrections, directions */

typedef struct clv_fiedler_block {
    const clv_fiedler_levels *l;
    int32_t level;
    /* Blocks of the level: [0] the vectors, [1] preconditioned residuals, [2] the directions
     * of the step before; below their products with the Laplacian. */
    double *s[3], *ls[3];
    double *partial;                 /* sums over pieces of fixed size */
    double value[clv_fiedler_width]; /* ascending; infinite where there is no vector */
    double residual; /* of the first vector, its norm being 1 (in the masses) */
} clv_fiedler_block;

/* Arrays for levels of up to nvtx vertices, from ws. */
cleave_status clv_fiedler_block_alloc(clv_fiedler_block *b, int64_t nvtx, clv_ws *ws,
                                      cleave_error *err);

/* s[0] holds any vectors of the level b->level: they are made orthonormal and improved until
 * residual <= tolerance * value[0], or for so many steps; returns the steps taken. */
int32_t clv_fiedler_block_improve(clv_fiedler_block *b, double tolerance, int32_t most_steps,
                                  clv_context *ctx);

#endif
