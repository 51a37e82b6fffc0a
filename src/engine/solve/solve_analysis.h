/* SPDX-License-Identifier: Apache-2.0 */
/* engine/solve/solve_analysis.h - the analysis of a triangular solve: strategy, schedule,
 * trial. */
#ifndef CLV_ENGINE_SOLVE_SOLVE_ANALYSIS_H
#define CLV_ENGINE_SOLVE_SOLVE_ANALYSIS_H

#include "base/context.h"
#include "run/plain_rows.h"
#include "run/run_team.h"

/* ---- solve_strategy.c: which schedules are worth building ------------------------------- */

typedef struct clv_solve_strategy {
    const char *method;
    cleave_schedule_costs costs;
    int threads;
    int split;          /* split rows: 0: never, 1: always, -1: if that is cheaper */
    double serial_cost; /* a schedule must cost less than this; 0: any is accepted */
    bool hasty;         /* exclude methods that take as long as hundreds of solves */
    bool shallow;       /* few layers: level scheduling is used if it costs at most: */
    double good_cost;
    bool wide; /* layers have enough work for level scheduling to take part in the trial */
} clv_solve_strategy;

/* Are enough calls expected to pay for a trial? */
bool clv_solve_worth_trial(const cleave_run_options *opt);
/* threads 1 and serial_cost > 0: one thread, no schedule is built.  O(n + non-zeros). */
cleave_status clv_solve_choose_strategy(clv_solve_strategy *out, const clv_tri_rows *rows,
                                        bool upper, const cleave_run_options *opt, clv_ws *ws,
                                        cleave_error *err);

/* ---- solve_schedule.c ------------------------------------------------------------------- */

/* The pattern that is scheduled, and what the analysis finds. */
typedef struct clv_solve_analysis {
    const clv_tri_rows *pattern;
    bool upper; /* rows depend on later ones */
    const cleave_run_options *opt;
    clv_solve_strategy strategy;
    clv_graph dag; /* of the pattern; nvtx 0: not needed.  Arrays from the workspace */
} clv_solve_analysis;

/* Builds the schedule that the strategy for a->opt selects.  Sets strategy and dag, which stay
 * in the workspace. */
cleave_status clv_solve_schedule(clv_schedule **out, clv_solve_analysis *a, clv_context *ctx,
                                 cleave_error *err);
/* Level scheduling; call it after clv_solve_schedule has built the DAG. */
cleave_status clv_solve_schedule_levels(clv_schedule **out, const clv_solve_analysis *a,
                                        clv_context *ctx, cleave_error *err);
/* One thread, one layer. */
cleave_status clv_solve_schedule_serial(clv_schedule **out, int32_t n, bool upper, clv_ws *ws,
                                        cleave_error *err);

/* ---- reuse_schedule.c ------------------------------------------------------------------- */

/* A copy of s for these rows, forward or backward; *out NULL: it does not fit either way. O(n
 * + non-zeros). */
cleave_status clv_solve_reuse_schedule(clv_schedule **out, const clv_schedule *s,
                                       const clv_tri_rows *rows, clv_ws *ws,
                                       cleave_error *err);

/* ---- solve_trial.c ---------------------------------------------------------------------- */

/* *faster: is substitution row by row faster than the plan of one thread? */
cleave_status clv_solve_compare_with_plain(bool *faster, const clv_plain_rows *plain,
                                           clv_tri_plan *serial, clv_ws *ws,
                                           cleave_error *err);
/* *best: the index of the fastest plan.  All must be of one matrix and have their values.
 * Simpler plans come later, and win if the difference is small. */
cleave_status clv_solve_find_fastest(int *best, clv_tri_plan *const *plan, int count,
                                     cleave_team *team, clv_ws *ws, cleave_error *err);

#endif
