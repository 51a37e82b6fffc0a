/* SPDX-License-Identifier: Apache-2.0 */
/* run/tri_kernels.h - the choice of loops for a plan. */
#ifndef CLV_RUN_TRI_KERNELS_H
#define CLV_RUN_TRI_KERNELS_H

#include "run/tri_stream.h"

typedef enum clv_tri_use {
    CLV_TRI_PLAIN,
    CLV_TRI_ORDERED, /* x is in the plan's order, in place */
    CLV_TRI_MANY     /* up to clv_tri_columns right-hand sides */
} clv_tri_use;
enum { clv_tri_columns = 8 };

/* What a loop is compiled for. */
typedef struct clv_tri_form {
    bool unit;    /* the diagonal is 1 */
    bool ordered; /* as CLV_TRI_ORDERED */
} clv_tri_form;

/* The fastest loops for this machine, or those for any machine. */
clv_tri_kernel clv_tri_kernel_for(bool single, bool unit, clv_tri_use use, bool any_machine);
/* NULL: not supported by this machine. */
clv_tri_kernel clv_tri_kernel_avx2(bool single, bool unit, clv_tri_use use);

#endif
