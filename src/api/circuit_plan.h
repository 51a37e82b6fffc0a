/* SPDX-License-Identifier: Apache-2.0 */
/* api/circuit_plan.h - the plan of a circuit: what creating and evaluating share. */
#ifndef CLV_API_CIRCUIT_PLAN_H
#define CLV_API_CIRCUIT_PLAN_H

#include "api/run_team.h"
#include "run/circuit_job.h"

struct cleave_circuit_plan {
    clv_circuit_program program;
    const clv_circuit_kernels *kernels;
    clv_circuit_bound bound[2]; /* [1]: for all that needs exponentials */
    int64_t cost[2];            /* of the whole circuit by one thread */
    clv_circuit_sweep sweep;
    double **value; /* by member of the team, for its sweeps; NULL: a simple plan */
    cleave_team *team;
    bool own_team;
    char method[16];
    int32_t layers;
    double seconds;
    clv_arena arena;
};

/* api/circuit_plan.c: what waking the team costs, in units of clv_circuit_cost. */
extern const double clv_circuit_wake_cost;

/* api/circuit_trial.c: *keep: the circuit bound to several threads of the plan's team is
 * faster at this than bound to one.  Scratch from ws. */
cleave_status clv_circuit_trial(bool *keep, const cleave_circuit_plan *plan,
                                clv_circuit_bound *threaded, clv_circuit_bound *serial,
                                clv_circuit_op op, clv_ws *ws, cleave_error *err);

#endif
