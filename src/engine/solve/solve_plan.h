/* SPDX-License-Identifier: Apache-2.0 */
/* engine/solve/solve_plan.h - the plan of a triangular solve: built once, used for many
 * right-hand sides. */
#ifndef CLV_ENGINE_SOLVE_SOLVE_PLAN_H
#define CLV_ENGINE_SOLVE_SOLVE_PLAN_H

#include "engine/solve/triangle.h"
#include "run/run_team.h"

struct cleave_trsv {
    cleave_run_options opt; /* strings and costs in the arena */
    cleave_schedule_costs costs;
    clv_value_places values;
    clv_sync sync; /* as requested */
    clv_tri_plan *plan;
    clv_plain_rows *plain;  /* solves single right-hand sides; NULL: the plan does */
    clv_schedule *schedule; /* for cleave_trsv_create_from */
    cleave_team *team;
    bool own_team;
    int32_t workers; /* members of the team that solve */
    int32_t split_rows;
    int64_t nonzeros;
    double seconds; /* of the analysis; set by the caller */
    clv_arena arena;
};

/* solve_plan.c: triangle and options must have been checked, except the pattern, the values
 * and the method. */
cleave_status clv_solve_plan_create(cleave_trsv **out, const cleave_triangle *t,
                                    const cleave_run_options *opt, cleave_error *err);
/* Uses the schedule of another plan if it fits, and sets *reused; otherwise analyses with the
 * options of that plan. */
cleave_status clv_solve_plan_create_from(cleave_trsv **out, const cleave_trsv *from,
                                         const cleave_triangle *t, bool *reused,
                                         cleave_error *err);
void clv_solve_plan_free(cleave_trsv *p); /* NULL is allowed */

/* solve_calls.c: by the plan's team.  b NULL: x is in the plan's order. */
void clv_solve_plan_solve(cleave_trsv *p, void *x, const void *b);
void clv_solve_plan_solve_many(cleave_trsv *p, int32_t nrhs, void *x, int64_t ldx,
                               const void *b, int64_t ldb);
cleave_status clv_solve_plan_update_values(cleave_trsv *p, const void *val, cleave_error *err);

/* timed_solve.c: one solve with ones on the right-hand side.  moment: one per step of the plan
 * (count of them), in seconds since the start; *seconds: of the whole. */
cleave_status clv_solve_timed(cleave_trsv *p, clv_tri_moment *moment, int64_t count,
                              double *seconds, clv_ws *ws, cleave_error *err);

#endif
