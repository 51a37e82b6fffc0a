/* SPDX-License-Identifier: Apache-2.0 */
/* generate/polybench_kernel.h - the interface of PolyBench kernels and the helpers for writing
 * them.
 *
 * A kernel is its loop nest over clv_values.  In the kernels `t` is the trace, arrays have the
 * names and shapes of PolyBench, and `literal` represents every constant and scalar parameter.
 *
 * C does not specify in which order arguments are evaluated, but the numbers of the vertices
 * must be determined: at most one argument of an operation is itself an operation. */
#ifndef CLV_GENERATE_POLYBENCH_KERNEL_H
#define CLV_GENERATE_POLYBENCH_KERNEL_H

#include "generate/trace.h"

enum { CLV_POLYBENCH_SIZES = 5 }; /* maximum number of parameters */

typedef struct clv_polybench_kernel {
    const char *name; /* NULL: the end of a table */
    const char *parameter[CLV_POLYBENCH_SIZES + 1];
    int size[CLV_POLYBENCH_SIZES]; /* in the published table */
    /* The number of vertices; an upper bound if loops are empty.  Floating point is exact up
     * to 2^53 and cannot overflow, so the comparison with the limit is always right. */
    double (*vertices)(const int *n);
    /* n: the parameters.  Returns early if an array could not be allocated. */
    void (*run)(clv_trace *t, const int *n);
} clv_polybench_kernel;

/* One table per family. */
extern const clv_polybench_kernel clv_polybench_products[]; /* polybench_products.c */
extern const clv_polybench_kernel clv_polybench_blas[];     /* polybench_blas.c */
extern const clv_polybench_kernel clv_polybench_solvers[];  /* polybench_solvers.c */
extern const clv_polybench_kernel clv_polybench_stencils[]; /* polybench_stencils.c */

/* ---- Helpers --------------------------------------------------------------------- */

typedef clv_value value;
enum { literal = CLV_LITERAL };

/* Arrays, to be converted to pointers to rows: value (*A)[n] = matrix(t, m, n).  The number of
 * vertices of the kernel was checked; it bounds their sizes. */
static inline value *vector(clv_trace *t, int n)
{
    return clv_trace_array(t, n);
}
static inline void *matrix(clv_trace *t, int m, int n)
{
    return clv_trace_array(t, (int64_t)m * n);
}
static inline void *cube(clv_trace *t, int l, int m, int n)
{
    return clv_trace_array(t, (int64_t)l * m * n);
}

static inline value plus(clv_trace *t, value a, value b)
{
    return clv_trace_operation(t, a, b);
}
static inline value minus(clv_trace *t, value a, value b)
{
    return clv_trace_operation(t, a, b);
}
static inline value times(clv_trace *t, value a, value b)
{
    return clv_trace_operation(t, a, b);
}
static inline value over(clv_trace *t, value a, value b)
{
    return clv_trace_operation(t, a, b);
}
static inline value negative(clv_trace *t, value a)
{
    return clv_trace_operation(t, a, CLV_LITERAL);
}

#endif
