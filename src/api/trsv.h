/* SPDX-License-Identifier: Apache-2.0 */
/* api/trsv.h - the plan of a triangular solve: what create, create_from and the solves share.
 */
#ifndef CLV_API_TRSV_H
#define CLV_API_TRSV_H

#include "api/run_team.h"
#include "base/context.h"
#include "run/plain_rows.h"

/* ---- api/trsv_rows.c: the rows of op(A), checked -----------------------------------------
 */

/* A caller's triangle whose pattern has been checked; arrays from ws. */
typedef struct clv_oriented {
    clv_tri_rows rows;
    bool upper;              /* rows depend on those after them */
    const int64_t *diagonal; /* by row: place of its value; rows.diagonal or NULL */
} clv_oriented;

/* What holds before any work: sizes, pointers, offsets, the range of indices. */
cleave_status clv_triangle_take(cleave_triangle *out, const cleave_triangle *t,
                                cleave_error *err);
/* Rows ascend.  Errors name row and column of the caller's matrix: an entry outside the
 * triangle, a duplicate, a missing diagonal.  O(n + non-zeros). */
cleave_status clv_triangle_orient(clv_oriented *out, const cleave_triangle *t, clv_ws *ws,
                                  cleave_error *err);
/* The pattern of op(A), and of the transpose of what part ignores; columns ascend.  Only xadj,
 * col and n of *out. */
cleave_status clv_triangle_union(clv_tri_rows *out, const cleave_triangle *t, clv_ws *ws,
                                 cleave_error *err);

/* What is needed to check new values: where they are. */
typedef struct clv_value_places {
    int32_t n;
    int64_t count;           /* values in the caller's array */
    bool by_columns, single; /* single: float */
    const int64_t *xadj;     /* the caller's */
    const int64_t *diagonal; /* by row; NULL: unit */
    const uint8_t *used;     /* a bit by value; NULL: all are */
} clv_value_places;
cleave_status clv_value_places_make(clv_value_places *out, const cleave_triangle *t,
                                    const clv_oriented *o, clv_arena *arena,
                                    cleave_error *err);
/* Every value that counts is a finite number, and none on the diagonal is zero. */
cleave_status clv_values_check(const clv_value_places *places, const void *val,
                               cleave_error *err);

/* ---- api/trsv_choose.c: what is worth trying -----------------------------------------------
 */

typedef struct clv_trsv_choice {
    const char *method;
    cleave_schedule_costs costs;
    int threads;
    int split;          /* 0, 1: always, -1: if cheaper */
    double serial_cost; /* a schedule that costs as much is not worth it; 0: any will do */
    bool hasty;         /* no method that takes hundreds of solves */
    bool shallow;       /* so few layers that no schedule is much better than these, unless it
                           costs more than: */
    double good_cost;
    bool wide; /* layers of rows that depend on earlier layers only are worth a trial:
                           there is that much to do in each */
} clv_trsv_choice;
/* Whether threads really are faster is worth a trial. */
bool clv_trsv_worth_trial(const cleave_run_options *opt);
/* threads 1 and serial_cost: no schedule is worth looking for.  O(n + non-zeros). */
cleave_status clv_trsv_choose(clv_trsv_choice *out, const clv_tri_rows *rows, bool upper,
                              const cleave_run_options *opt, clv_ws *ws, cleave_error *err);

/* ---- api/trsv_schedule.c ------------------------------------------------------------------
 */

/* A pattern that a schedule is looked for, and what was found on the way. */
typedef struct clv_trsv_search {
    const clv_tri_rows *pattern;
    bool upper; /* rows depend on later ones */
    const cleave_run_options *opt;
    clv_trsv_choice choice;
    clv_graph dag; /* of the pattern; nvtx 0: none was needed.  Arrays from the workspace */
} clv_trsv_search;

/* A schedule as the options say.  What the search keeps stays in the workspace. */
cleave_status clv_trsv_schedule(clv_schedule **out, clv_trsv_search *search, clv_context *ctx,
                                cleave_error *err);
/* Layer by layer, after that. */
cleave_status clv_trsv_levels(clv_schedule **out, const clv_trsv_search *search,
                              clv_context *ctx, cleave_error *err);
/* One thread, one layer. */
cleave_status clv_trsv_serial(clv_schedule **out, int32_t n, bool upper, clv_ws *ws,
                              cleave_error *err);

/* ---- api/trsv_trial.c ---------------------------------------------------------------------
 */

/* *keep: is solving row by row faster?  A glance. */
cleave_status clv_trsv_glance(bool *keep, const clv_plain_rows *plain, clv_tri_plan *serial,
                              int32_t n, clv_ws *ws, cleave_error *err);
/* *best: which of the plans is fastest.  All have their values, and n rows; one that is
 * simpler comes later, and is taken where the difference is small. */
cleave_status clv_trsv_trial(int *best, clv_tri_plan *const *plan, int count,
                             cleave_team *team, int32_t n, clv_ws *ws, cleave_error *err);

/* ---- api/trsv.c ---------------------------------------------------------------------------
 */

struct cleave_trsv {
    cleave_run_options opt; /* strings and costs in the arena */
    cleave_schedule_costs costs;
    clv_value_places values;
    clv_sync sync; /* as asked for */
    clv_tri_plan *plan;
    clv_plain_rows *plain;  /* solves single right-hand sides; NULL: the plan does */
    clv_schedule *schedule; /* for cleave_trsv_create_from */
    cleave_team *team;
    bool own_team;
    int32_t workers; /* members of the team that solve */
    int32_t split_rows;
    int64_t nonzeros;
    double seconds;
    clv_arena arena;
};

/* Threads and scratch of an analysis of the triangle; to be closed. */
cleave_status clv_trsv_open(clv_context *ctx, const cleave_triangle *t,
                            const cleave_run_options *opt, cleave_error *err);
/* A plan for the oriented triangle; takes over the schedule whatever happens.  team NULL: one
 * of its own.  search NULL: the schedule was not made for this triangle, and is not compared
 * with others. */
cleave_status clv_trsv_bind(cleave_trsv **out, const cleave_triangle *t, const clv_oriented *o,
                            clv_schedule *s, const cleave_run_options *opt, cleave_team *team,
                            const clv_trsv_search *search, clv_context *ctx,
                            cleave_error *err);

#endif
