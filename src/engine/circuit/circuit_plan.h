/* SPDX-License-Identifier: Apache-2.0 */
/* engine/circuit/circuit_plan.h - the plan of a circuit: built once, evaluated for many
 * instances. */
#ifndef CLV_ENGINE_CIRCUIT_CIRCUIT_PLAN_H
#define CLV_ENGINE_CIRCUIT_CIRCUIT_PLAN_H

#include "run/circuit_job.h"
#include "run/run_team.h"

struct cleave_circuit_plan {
    clv_circuit_program program;
    const clv_circuit_kernels *kernels;
    clv_circuit_bound bound[2]; /* [1]: for operations that need exponentials */
    int64_t cost[2];            /* of the whole circuit by one thread */
    clv_circuit_sweep sweep;
    double **value; /* by member of the team, for its sweeps; NULL: a simple plan */
    cleave_team *team;
    bool own_team;
    char method[16];
    int32_t layers;
    double seconds; /* of the analysis; set by the caller */
    clv_arena arena;
};

/* circuit_plan.c: opt must have been checked, except sync, costs, method and params. */
cleave_status clv_circuit_plan_create(cleave_circuit_plan **out, const clv_circuit *c,
                                      const cleave_run_options *opt, cleave_error *err);
void clv_circuit_plan_free(cleave_circuit_plan *plan); /* NULL is allowed */

/* The cost of waking the team, in units of clv_circuit_cost. */
extern const double clv_circuit_wake_cost;

/* circuit_trial.c: *keep reports whether plan->bound[which], of several threads, is faster at
 * its sums than the same with one thread.  Scratch from ws. */
cleave_status clv_circuit_compare_with_serial(bool *keep, cleave_circuit_plan *plan, int which,
                                              clv_circuit_bound *serial, clv_ws *ws,
                                              cleave_error *err);

/* evaluate_circuit.c: evidence must have been checked: -1, 0 or 1 for each variable of each
 * instance. */
cleave_status clv_circuit_plan_evaluate(cleave_circuit_plan *plan, clv_circuit_op op,
                                        int64_t count, const int8_t *evidence, double *result,
                                        cleave_error *err);
/* Evidence that is asked for, and evidence that is given, for each of count instances. */
typedef struct clv_conditional_queries {
    int64_t count;
    const int8_t *asked, *given;
} clv_conditional_queries;
/* log P(asked | given); NAN: given is impossible. */
cleave_status clv_circuit_plan_conditional(cleave_circuit_plan *plan, clv_circuit_op op,
                                           const clv_conditional_queries *q, double *result,
                                           cleave_error *err);
cleave_status clv_circuit_plan_most_probable(const cleave_circuit_plan *plan, int64_t count,
                                             const int8_t *evidence, int8_t *assignment,
                                             double *value, cleave_error *err);

#endif
