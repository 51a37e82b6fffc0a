/* SPDX-License-Identifier: Apache-2.0 */
/* run/circuit_kernels_simple.c - one node of one instance after the other, like a
 * straightforward program: used by the methods "serial" and "levels", for comparison. */
#include <string.h>

#include "run/circuit_kernels.h"

#define LANES 1
#define LANE(name) single_##name
#define LANE_TARGET
#define GROUP 1
#include "run/circuit_kernel_body.h"

const clv_circuit_kernel clv_circuit_kernels_simple[] = GROUPS_TABLE;
