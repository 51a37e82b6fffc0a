/* SPDX-License-Identifier: Apache-2.0 */
/* bench/solve/solve.h - declarations shared by the files of bench_solve, in addition to
 * bench.h and layers.h.
 *
 * solve.c           the command line
 * solve_set.c       triangles: the recorded ones, incomplete and exact factors, Laplacians
 * solve_run.c       one triangle: all methods, interleaved
 * solve_rivals.c    CXSparse and UMFPACK in this process
 * solve_table.c     tables and bars
 * solve_circuits.c  probabilistic circuits */
#ifndef BENCH_SOLVE_H
#define BENCH_SOLVE_H

#include "layers/layers.h"

/* ---- solve_set.c ---- */
typedef enum solve_group { ANCHORS, INCOMPLETE, EXACT, LAPLACIANS, nsolve_group } solve_group;
extern const char *const solve_groups[nsolve_group];

/* A lower triangle, compressed rows, columns ascending, the diagonal last. */
typedef struct triangle {
    char name[48];
    solve_group group;
    int32_t n;
    int64_t *xadj;
    int32_t *col;
    double *val;
} triangle;
typedef void (*solve_each)(void *payload, const triangle *t);
/* Calls `each` for one after the other; only: a list of names, NULL: all. */
void solve_triangles(const settings *s, int quick, const char *only, solve_each each,
                     void *payload);

/* ---- solve_run.c ---- */
void solve_must(cleave_status status, const cleave_error *err); /* or the program ends */
typedef enum solver {
    PLAIN,         /* rows in natural order, one thread: plain substitution */
    OURS_ONE,      /* our storage, one thread */
    OURS,          /* auto, all threads */
    OURS_IN,       /* the same in the plan's own numbering */
    LEVELS,        /* a layer for each level, all threads */
    WITH_CXSPARSE, /* cs_lsolve */
    WITH_UMFPACK,  /* umfpack_di_solve, no refinement */
    nsolver
} solver;
extern const char *const solver_names[nsolver];
typedef struct solve_row {
    char name[48];
    solve_group group;
    long long rows, nonzeros;
    double seconds[nsolver]; /* of a solve, the minimum of many; 0: not measured */
    char method[24], sync[16];
    int threads, layers, split;
    double analysis; /* seconds */
    double bytes;    /* of a solve */
    int wrong;       /* bits that differ from PLAIN's */
} solve_row;
void solve_measure(solve_row *r, const triangle *t, int threads, double budget);

/* ---- solve_rivals.c ---- */
typedef struct solve_rival solve_rival;
solve_rival *solve_rival_make(solver which, const triangle *t); /* NULL: not available */
void solve_rival_solve(solve_rival *r, double *x, const double *b);
void solve_rival_free(solve_rival *r);

/* ---- solve_table.c ---- */
void solve_print(const solve_row *rows, int count);
int solve_bars(const solve_row *rows, int count,
               int threads); /* returns the number of wrong bits */

/* ---- solve_circuits.c ---- */
int solve_circuits(const settings *s, int quick, int threads, double budget);

#endif
