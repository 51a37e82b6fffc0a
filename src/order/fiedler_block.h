/* SPDX-License-Identifier: Apache-2.0 */
/* order/fiedler_block.h - LOBPCG on one level: a block of vectors that converges to the
 * eigenvectors of the smallest positive eigenvalues. */
#ifndef CLV_ORDER_FIEDLER_BLOCK_H
#define CLV_ORDER_FIEDLER_BLOCK_H

#include "order/fiedler_levels.h"

enum { clv_fiedler_trial = 3 * clv_fiedler_width }; /* vectors, corrections, directions */

typedef struct clv_fiedler_block {
    const clv_fiedler_levels *l;
    int32_t level;
    /* Blocks of the level: [0] the vectors, [1] preconditioned residuals, [2] the directions
     * of the previous step; ls: their products with the Laplacian. */
    double *s[3], *ls[3];
    double *partial;                 /* partial sums over blocks of fixed size */
    double value[clv_fiedler_width]; /* ascending; infinite if there is no vector */
    double residual; /* of the first vector, scaled to norm 1 (in the masses) */
} clv_fiedler_block;

/* Arrays for levels of up to nvtx vertices, from ws. */
cleave_status clv_fiedler_block_alloc(clv_fiedler_block *b, int64_t nvtx, clv_ws *ws,
                                      cleave_error *err);

/* s[0] holds any vectors of the level b->level.  Orthonormalises and improves them until
 * residual <= tolerance * value[0], or for at most the given number of steps.  Returns the
 * number of steps. */
int32_t clv_fiedler_block_improve(clv_fiedler_block *b, double tolerance, int32_t most_steps,
                                  clv_context *ctx);

#endif
