/* SPDX-License-Identifier: Apache-2.0 */
/* run/circuit_scalar.c - exp and log of single numbers, with the same bits as the vector
 * versions. */
#include "run/circuit_program.h"

#define LANES 1
#define LANE(name) one_##name
#define LANE_TARGET
#include "run/circuit_math.h"

double clv_circuit_exp(double x)
{
    return one_exp(one_all(x))[0];
}

double clv_circuit_log(double x)
{
    return one_log(one_all(x))[0];
}

/* log(1 - exp(w)) for w <= 0.  Below ln(1/2) / 2 the difference is accurate; above, exp(w) - 1
 * is computed without the 1. */
double clv_circuit_log_rest(double w)
{
    if (w >= 0)
        return -__builtin_inf();
    if (w < -0.3466)
        return clv_circuit_log(1 - clv_circuit_exp(w));
    return clv_circuit_log(-(w + (w * w) * one_exp_tail(one_all(w))[0]));
}
