/* SPDX-License-Identifier: Apache-2.0 */
/* cleave/run.h - schedules at work: triangular solves and probabilistic circuits on threads;
 * a part of cleave/cleave.h. */
#ifndef CLEAVE_RUN_H
#define CLEAVE_RUN_H

#ifndef CLEAVE_CLEAVE_H
#error "include <cleave/cleave.h>, which includes this header"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Threads ------------------------------------------------------------------- */

/* Threads that wait for work: spinning for a tenth of a millisecond after each call, then
 * asleep; a team larger than the number of processors never spins.  Plans may share a team;
 * calls from several threads then take turns.  The caller of a solve is one of its members.
 * The child of a process that forks can free what its parent made, and no more: threads stay
 * with the parent. */
typedef struct cleave_team cleave_team;
/* threads 0: all that this process may use. */
CLEAVE_API cleave_status cleave_team_create(cleave_team **out, int threads, cleave_error *err);
CLEAVE_API void cleave_team_free(cleave_team *team); /* joins; after the plans that use it */
CLEAVE_API int cleave_team_size(const cleave_team *team);

typedef struct cleave_run_options {
    size_t size;
    /* As in cleave_schedule_options.  "auto" (NULL) also decides how many threads pay, not
     * more than there are processors: by cost, and unless few calls are expected by a trial of
     * a few solves, so that it may decide otherwise another time.  Results do not depend on
     * it. */
    const char *method;
    const char *params;
    const cleave_schedule_costs *costs; /* NULL: sync 1000 (circuits 200), read 0 */
    int threads;       /* 0: those of the team, or all that this process may use */
    cleave_team *team; /* NULL: the plan makes its own */
    /* NULL or "auto": by cost; "barrier": all wait after each layer; "p2p": a block waits for
     * the threads it reads from; "stale": all wait, but only for the layers that this one
     * reads from.  Results do not depend on it. */
    const char *sync;
    int64_t expected_calls; /* how many solves the analysis may pay for itself in; 0: not
                               known, taken as 1000 */
    int split_rows; /* -1: where it pays; 0: never; 1: wherever the schedule does.  Rows of an
                       upper triangle are never split: it would win nothing */
    int pair;       /* 0; nonzero: the schedule serves both triangles of the matrix, see
                       cleave_trsv_create_from; needs both in the arrays (part), splits no row */
    uint64_t seed;  /* 1 */
} cleave_run_options;
CLEAVE_API void cleave_run_options_init(cleave_run_options *opt, size_t size);

/* What a plan is like. */
typedef struct cleave_run_info {
    size_t size;
    const char *method;      /* "grow", "serial", ... */
    const char *sync;        /* "p2p", ... */
    int32_t layers, threads; /* threads: that have work */
    int64_t nonzeros; /* multiply-adds and divisions of a solve; of a circuit the work */
    int64_t bytes;    /* that a solve reads and writes, at least */
    int64_t waits;    /* for another thread, over all threads and layers */
    double seconds_analysis; /* of create, reading nothing from files */
    int32_t split_rows;      /* rows in several tasks */
} cleave_run_info;
CLEAVE_API void cleave_run_info_init(cleave_run_info *info, size_t size);

/* ---- Triangular solves --------------------------------------------------------- */

/* A plan to solve op(A) x = b many times.  Results are bit for bit those of forward (backward)
 * substitution row by row, columns ascending, b - a*x one after the other and one division by
 * the diagonal, for any number of threads.  Several threads may solve with one plan: they take
 * turns. */
typedef struct cleave_trsv cleave_trsv;

/* A triangle in compressed rows (columns); indices in any order, without duplicates. */
typedef struct cleave_triangle {
    size_t size;
    int32_t n;
    const int64_t *xadj; /* n + 1 */
    const int32_t *idx;
    const double *val; /* one of the two */
    const float *val32;
    int by_columns;     /* 0; nonzero: xadj and idx are of columns */
    int upper;          /* 0: lower */
    int unit;           /* 0; nonzero: the diagonal is 1, entries on it are ignored */
    int transpose;      /* 0; nonzero: solve with the transpose of the triangle */
    int part;           /* 0: entries outside the triangle are an error; nonzero: ignored, such
                           as those of the other factor of an ILU pair in one matrix */
    int diagonal_apart; /* 0; nonzero: idx has no entries on the diagonal; its n values (none
                           if unit) follow the xadj[n] others in val */
} cleave_triangle;
CLEAVE_API void cleave_triangle_init(cleave_triangle *t, size_t size);
/* The triangle of a matrix: everything else as _init leaves it, and part set. */
CLEAVE_API void cleave_triangle_of_matrix(cleave_triangle *t, size_t size,
                                          const cleave_matrix *a);
/* The triangle of a graph, whose view lends the pattern: of a DAG, x of a vertex needs x of
 * those before it, and all arcs lead to higher numbers (lower) or all to lower ones (upper is
 * set); of an undirected graph the lower triangle.  Everything else as _init leaves it;
 * diagonal_apart is set.  val is the caller's: a value for each entry of the view's adj, then
 * the diagonal. */
CLEAVE_API void cleave_triangle_of_graph(cleave_triangle *t, size_t size,
                                         const cleave_graph *g);

/* Analysis: schedule, storage in its order.  Arrays are copied.  CLEAVE_EINVAL names the row:
 * a zero or missing diagonal, an entry outside the triangle, a value that is no number. */
CLEAVE_API cleave_status cleave_trsv_create(cleave_trsv **out, const cleave_triangle *t,
                                            const cleave_run_options *opt, cleave_error *err);
/* Another triangle by the schedule of `from`, forward or backward: the transpose, the other
 * factor.  *reused (NULL is fine) becomes 0 where that schedule does not fit its pattern and
 * an analysis of its own was needed.  Shares the team of `from`, which must live longer. */
CLEAVE_API cleave_status cleave_trsv_create_from(cleave_trsv **out, const cleave_trsv *from,
                                                 const cleave_triangle *t, int *reused,
                                                 cleave_error *err);
CLEAVE_API void cleave_trsv_free(cleave_trsv *plan);

/* x and b of n numbers, may be the same array.  For plans from val; _f for those from val32.
 */
CLEAVE_API cleave_status cleave_trsv_solve(cleave_trsv *plan, double *x, const double *b,
                                           cleave_error *err);
CLEAVE_API cleave_status cleave_trsv_solve_f(cleave_trsv *plan, float *x, const float *b,
                                             cleave_error *err);
/* nrhs columns, ldx and ldb numbers apart (>= n); x may be b where ldx is ldb. */
CLEAVE_API cleave_status cleave_trsv_solve_many(cleave_trsv *plan, int32_t nrhs, double *x,
                                                int64_t ldx, const double *b, int64_t ldb,
                                                cleave_error *err);
CLEAVE_API cleave_status cleave_trsv_solve_many_f(cleave_trsv *plan, int32_t nrhs, float *x,
                                                  int64_t ldx, const float *b, int64_t ldb,
                                                  cleave_error *err);
/* New values for the same pattern, in the order of create's arrays; while nobody solves with
 * the plan.  After CLEAVE_EINVAL it has its old ones. */
CLEAVE_API cleave_status cleave_trsv_update_values(cleave_trsv *plan, const double *val,
                                                   cleave_error *err);
CLEAVE_API cleave_status cleave_trsv_update_values_f(cleave_trsv *plan, const float *val,
                                                     cleave_error *err);
/* For solvers that can stay in the plan's numbering: order[i] is the row at place i, and x, b
 * are in that order; in place only.  Between the two, nothing is permuted. */
CLEAVE_API const int32_t *cleave_trsv_order(const cleave_trsv *plan);
CLEAVE_API cleave_status cleave_trsv_solve_ordered(cleave_trsv *plan, double *x,
                                                   cleave_error *err);
/* For a caller that has its own threads: each of info.threads calls it once with its own
 * member, 0 .. threads - 1, at the same time; returns when the whole x is there.  Nobody else
 * solves with the plan meanwhile.  CLEAVE_EINVAL: there is no such member, an argument is
 * NULL, or the plan is of float numbers; nothing is solved, and the members whose arguments
 * are right wait for one who has not come. */
CLEAVE_API cleave_status cleave_trsv_solve_member(cleave_trsv *plan, int member, double *x,
                                                  const double *b, cleave_error *err);
CLEAVE_API void cleave_trsv_info(const cleave_trsv *plan, cleave_run_info *info);

/* ---- When who worked ------------------------------------------------------------ */

/* One solve by the clock: what its threads did when, step by step.  A step is a stretch of a
 * thread's layers before which alone it waits. */
typedef struct cleave_trace cleave_trace;
typedef struct cleave_span {
    size_t size;
    int32_t thread;
    int32_t first_layer, last_layer;
    int64_t work;            /* multiply-adds and divisions */
    int32_t waits;           /* how many threads it waits for, at most */
    double wait, begin, end; /* seconds since the solve began: from wait on it waits, from
                                begin to end it works */
    double expected_begin, expected_end; /* by the costs of the plan's options, in
                                            multiply-adds since the begin */
} cleave_span;
CLEAVE_API void cleave_span_init(cleave_span *span, size_t size);
/* Solves once, with a right-hand side of ones, and writes down when each step began and
 * ended: the clock costs some 50 ns per step; other solves do not pay for it.  Not the same
 * twice. */
CLEAVE_API cleave_status cleave_trsv_trace(cleave_trace **out, cleave_trsv *plan,
                                           cleave_error *err);
CLEAVE_API void cleave_trace_free(cleave_trace *trace);
CLEAVE_API double cleave_trace_seconds(const cleave_trace *trace); /* of the whole solve */
CLEAVE_API int32_t cleave_trace_threads(const cleave_trace *trace);
CLEAVE_API int32_t cleave_trace_layers(const cleave_trace *trace);
/* Steps, thread by thread and there in order; span i < count, filled as far as its size
 * reaches. */
CLEAVE_API int64_t cleave_trace_count(const cleave_trace *trace);
CLEAVE_API cleave_status cleave_trace_span(const cleave_trace *trace, int64_t i,
                                           cleave_span *span, cleave_error *err);

#ifdef __cplusplus
}
#endif

#endif
