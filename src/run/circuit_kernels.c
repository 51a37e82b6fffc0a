/* SPDX-License-Identifier: Apache-2.0 */
/* run/circuit_kernels.c - the loops for any processor, and the choice of loops. */
#include "run/circuit_kernels.h"

#include <string.h>

#define LANES 2
#define LANE(name) pair_##name
#define LANE_TARGET
#define GROUP 8
#include "run/circuit_kernel_body.h"

const clv_circuit_kernels clv_circuit_kernels_plain = {GROUPS_TABLE, SWEEP_TABLE};

const clv_circuit_kernels *clv_circuit_kernels_best(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2"))
        return &clv_circuit_kernels_avx2;
#endif
    return &clv_circuit_kernels_plain;
}
