/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/two_way.h - the two-way model [Shah et al. 2022, Listing 1]: every vertex of a
 * small DAG gets part 1, 2 or 0 (later); for every arc, part[head] is part[tail] or 0.
 * Maximise ws * min(size1, size2) - wc * (arcs from earlier layers whose source is on a thread
 * of the other part). */
#ifndef CLV_SCHEDULE_TWO_WAY_H
#define CLV_SCHEDULE_TWO_WAY_H

#include "base/context.h"
#include "graph/graph.h"

typedef struct clv_two_way {
    const clv_graph *g;  /* the DAG; vwgt: sizes */
    int32_t ws, wc;      /* 10, 1 */
    int32_t narrivals;   /* arcs from earlier layers */
    const int32_t *to;   /* narrivals: vertex */
    const int32_t *from; /* narrivals: 1 or 2, the part whose threads have the source */
    int64_t steps;       /* budget of the built-in solver, about one per visited arc; 0:
                            depends on the size */
} clv_two_way;

typedef struct clv_two_way_result {
    int64_t objective;
    bool proved; /* the solution is proved optimal */
} clv_two_way_result;

/* schedule/two_way.c: exact, with proof, for small instances; local search for large ones.
 * CLEAVE_ERANGE: ws times the sum of sizes is too large. */
cleave_status clv_two_way_solve(const clv_two_way *model, clv_context *ctx, int32_t *part,
                                clv_two_way_result *result, cleave_error *err);
int64_t clv_two_way_objective(const clv_two_way *model, const int32_t *part);
/* schedule/two_way_text.c: the MiniZinc model (the same for all instances) and the data; the
 * arena owns the text. */
const char *clv_two_way_model_text(void);
cleave_status clv_two_way_data_text(const clv_two_way *model, clv_arena *arena, char **text,
                                    cleave_error *err);
/* Parses the output of `minizinc`: the last complete solution of `count` vertices; *proved: it
 * was reported as optimal.  CLEAVE_EPARSE: also if there is no solution. */
cleave_status clv_two_way_answer(const char *text, int64_t length, int32_t count,
                                 int32_t *part, bool *proved, cleave_error *err);
/* CLEAVE_EINVAL: part is not a solution. */
cleave_status clv_two_way_check(const clv_two_way *model, const int32_t *part,
                                cleave_error *err);
typedef struct clv_two_way_solver {
    cleave_two_way_fn fn; /* NULL: the built-in solver */
    void *payload;
} clv_two_way_solver;
/* Calls a solver of the caller and checks its solution; uses the built-in solver if it is NULL
 * or returns a positive number (no solution).  CLEAVE_EIO: it returned a negative number. */
cleave_status clv_two_way_call(const clv_two_way *model, clv_two_way_solver solver,
                               clv_context *ctx, int32_t *part, clv_two_way_result *result,
                               cleave_error *err);

#endif
