/* SPDX-License-Identifier: Apache-2.0 */
/* run/circuit_kernels_avx2.c - the loops for processors with AVX2: vectors of four doubles. */
#include "run/circuit_kernels.h"

#if defined(__x86_64__)
#include <string.h>

#define LANES 4
#define LANE(name) four_##name
#define LANE_TARGET __attribute__((target("avx2")))
#define GROUP 8
#include "run/circuit_kernel_body.h"

const clv_circuit_kernels clv_circuit_kernels_avx2 = {GROUPS_TABLE, SWEEP_TABLE};
#endif
