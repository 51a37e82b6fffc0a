/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/two_way.h - the two-way model [Shah et al. 2022, Listing 1]: every vertex of a
 * small DAG in part 1, 2 or, later, 0; on every arc part[head] is part[tail] or 0.  Maximise
 * ws * min(size1, size2) - wc * (arcs from earlier layers whose source is with the other
 * part's threads). */
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
    int64_t steps;       /* budget of our solver, about one per arc looked at; 0: by size */
} clv_two_way;

typedef struct clv_two_way_result {
    int64_t objective;
    bool proved; /* it is the optimum */
} clv_two_way_result;

/* schedule/two_way.c: exact with proof on small instances, local search on large ones.
 * CLEAVE_ERANGE when ws times all sizes is too large. */
cleave_status clv_two_way_solve(const clv_two_way *model, clv_context *ctx, int32_t *part,
                                clv_two_way_result *result, cleave_error *err);
int64_t clv_two_way_objective(const clv_two_way *model, const int32_t *part);
/* schedule/two_way_text.c: MiniZinc's model (the same for all instances) and data; the text
 * belongs to the arena. */
const char *clv_two_way_model_text(void);
cleave_status clv_two_way_data_text(const clv_two_way *model, clv_arena *arena, char **text,
                                    cleave_error *err);
/* What `minizinc` printed: the last complete solution of `count` vertices; *proved: it says
 * that there is no better one.  CLEAVE_EPARSE also when there is no solution. */
cleave_status clv_two_way_answer(const char *text, int64_t length, int32_t count,
                                 int32_t *part, bool *proved, cleave_error *err);
/* CLEAVE_EINVAL when part is no solution. */
cleave_status clv_two_way_check(const clv_two_way *model, const int32_t *part,
                                cleave_error *err);
/* By a solver of the caller's, whose solution is checked; by our own when it is NULL or says
 * (a positive number) that it has none.  CLEAVE_EIO when it returns a negative number. */
cleave_status clv_two_way_call(const clv_two_way *model, cleave_two_way_fn solver,
                               void *payload, clv_context *ctx, int32_t *part,
                               clv_two_way_result *result, cleave_error *err);

#endif
