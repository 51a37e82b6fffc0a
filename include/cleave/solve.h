/* SPDX-License-Identifier: Apache-2.0 */
/* cleave/solve.h - triangular solves on threads, with the results of serial substitution.
 *
 * A plan is created once for a triangle and solves many times:
 *
 *     cleave_triangle lower;
 *     cleave_trsv *plan = NULL;
 *     cleave_triangle_of_matrix(&lower, sizeof lower, a);
 *     if (cleave_trsv_create(&plan, &lower, NULL, &err) == CLEAVE_OK)
 *         cleave_trsv_solve(plan, x, b, &err);
 *     cleave_trsv_free(plan);
 */
#ifndef CLEAVE_SOLVE_H
#define CLEAVE_SOLVE_H

#include "cleave/graph.h"
#include "cleave/matrix.h"
#include "cleave/status.h"
#include "cleave/team.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A plan to solve op(A) x = b many times.  For any number of threads, results are bitwise
 * equal to those of serial forward (backward) substitution: row by row, columns ascending, one
 * b - a*x after the other and one division by the diagonal.  Several threads can call solves
 * with the same plan: the calls are serialised. */
typedef struct cleave_trsv cleave_trsv;

/* ---- Triangles ------------------------------------------------------------------------ */

/* A triangle in compressed rows (columns); indices in any order, without duplicates. */
typedef struct cleave_triangle {
    size_t size;
    int32_t n;
    const int64_t *xadj; /* n + 1 */
    const int32_t *idx;
    const double *val; /* one of the two */
    const float *val32;
    int by_columns;     /* 0; nonzero: xadj and idx describe columns */
    int upper;          /* 0: lower */
    int unit;           /* 0; nonzero: the diagonal is 1, entries on it are ignored */
    int transpose;      /* 0; nonzero: solve with the transpose of the triangle */
    int part;           /* 0: entries outside the triangle are an error; nonzero: ignored, such
                           as those of the other factor of an ILU pair in one matrix */
    int diagonal_apart; /* 0; nonzero: idx has no entries on the diagonal; its n values (none
                           if unit) follow the xadj[n] others in val */
} cleave_triangle;
CLEAVE_API void cleave_triangle_init(cleave_triangle *t, size_t size);
/* The triangle of a matrix: sets part; all other fields are as set by _init. */
CLEAVE_API void cleave_triangle_of_matrix(cleave_triangle *t, size_t size,
                                          const cleave_matrix *a);
/* The triangle of a graph; its arrays are those of the graph's view.  For a DAG, x of a vertex
 * depends on x of its predecessors, and all arcs lead to higher numbers (lower) or all to
 * lower ones (upper is set); for an undirected graph it is the lower triangle.
 * diagonal_apart is set; all other fields are as set by _init.  The caller sets val: a value
 * for each entry of the view's adj, then the diagonal. */
CLEAVE_API void cleave_triangle_of_graph(cleave_triangle *t, size_t size,
                                         const cleave_graph *g);

/* ---- Plans ---------------------------------------------------------------------------- */

/* Analysis: computes the schedule and stores the matrix in its order.  Arrays are copied.
 * CLEAVE_EINVAL for a zero or missing diagonal, an entry outside the triangle, or a value that
 * is not finite; the message names the row. */
CLEAVE_API cleave_status cleave_trsv_create(cleave_trsv **out, const cleave_triangle *t,
                                            const cleave_run_options *opt, cleave_error *err);
/* A plan for another triangle that reuses the schedule of `from`, forward or backward: for the
 * transpose or the other factor.  *reused (may be NULL) is set to 0 if that schedule does not
 * fit the pattern and a separate analysis was needed.  Shares the team of `from`, which must
 * outlive it. */
CLEAVE_API cleave_status cleave_trsv_create_from(cleave_trsv **out, const cleave_trsv *from,
                                                 const cleave_triangle *t, int *reused,
                                                 cleave_error *err);
CLEAVE_API void cleave_trsv_free(cleave_trsv *plan);

/* ---- Solves --------------------------------------------------------------------------- */

/* x and b have n elements and can be the same array.  For plans created from val; use _f for
 * those from val32. */
CLEAVE_API cleave_status cleave_trsv_solve(cleave_trsv *plan, double *x, const double *b,
                                           cleave_error *err);
CLEAVE_API cleave_status cleave_trsv_solve_f(cleave_trsv *plan, float *x, const float *b,
                                             cleave_error *err);
/* nrhs columns with leading dimensions ldx and ldb (>= n); x can be b if ldx equals ldb. */
CLEAVE_API cleave_status cleave_trsv_solve_many(cleave_trsv *plan, int32_t nrhs, double *x,
                                                int64_t ldx, const double *b, int64_t ldb,
                                                cleave_error *err);
CLEAVE_API cleave_status cleave_trsv_solve_many_f(cleave_trsv *plan, int32_t nrhs, float *x,
                                                  int64_t ldx, const float *b, int64_t ldb,
                                                  cleave_error *err);
/* Sets new values for the same pattern, in the order of the arrays given to create.  Must not
 * run at the same time as a solve with the plan.  After CLEAVE_EINVAL the old values remain.
 */
CLEAVE_API cleave_status cleave_trsv_update_values(cleave_trsv *plan, const double *val,
                                                   cleave_error *err);
CLEAVE_API cleave_status cleave_trsv_update_values_f(cleave_trsv *plan, const float *val,
                                                     cleave_error *err);
/* For solvers that can use the plan's numbering: order[i] is the row at position i, and x
 * holds b and then the solution in that order.  Solves in place, without permuting. */
CLEAVE_API const int32_t *cleave_trsv_order(const cleave_trsv *plan);
CLEAVE_API cleave_status cleave_trsv_solve_ordered(cleave_trsv *plan, double *x,
                                                   cleave_error *err);
/* For callers with their own threads: info.threads threads call it concurrently, each with its
 * own member number, 0 .. threads - 1; it returns when all of x is computed.  There must be no
 * other solve with the plan meanwhile.  CLEAVE_EINVAL if member is out of range, an argument
 * is NULL, or the plan is of type float; nothing is solved then, and calls with valid
 * arguments wait for the missing member. */
CLEAVE_API cleave_status cleave_trsv_solve_member(cleave_trsv *plan, int member, double *x,
                                                  const double *b, cleave_error *err);
CLEAVE_API void cleave_trsv_info(const cleave_trsv *plan, cleave_run_info *info);

/* ---- Traces --------------------------------------------------------------------------- */

/* A timed solve: begin and end of each step of each thread.  A step is a sequence of layers of
 * a thread that contains no wait except before its first layer. */
typedef struct cleave_trace cleave_trace;
typedef struct cleave_span {
    size_t size;
    int32_t thread;
    int32_t first_layer, last_layer;
    int64_t work;            /* multiply-adds and divisions */
    int32_t waits;           /* how many threads it waits for, at most */
    double wait, begin, end; /* seconds since the solve began: it waits from wait to begin and
                                works from begin to end */
    double expected_begin, expected_end; /* by the costs of the plan's options, in
                                            multiply-adds since the solve began */
} cleave_span;
CLEAVE_API void cleave_span_init(cleave_span *span, size_t size);
/* Solves once, with a right-hand side of ones, and records when each step began and ended.
 * Reading the clock costs about 50 ns per step; other solves have no such overhead.  Times
 * differ between runs. */
CLEAVE_API cleave_status cleave_trsv_trace(cleave_trace **out, cleave_trsv *plan,
                                           cleave_error *err);
CLEAVE_API void cleave_trace_free(cleave_trace *trace);
CLEAVE_API double cleave_trace_seconds(const cleave_trace *trace); /* of the whole solve */
CLEAVE_API int32_t cleave_trace_threads(const cleave_trace *trace);
CLEAVE_API int32_t cleave_trace_layers(const cleave_trace *trace);
/* The steps, sorted by thread and then by time; i < count.  Fills span up to its size. */
CLEAVE_API int64_t cleave_trace_count(const cleave_trace *trace);
CLEAVE_API cleave_status cleave_trace_span(const cleave_trace *trace, int64_t i,
                                           cleave_span *span, cleave_error *err);

#ifdef __cplusplus
}
#endif

#endif
