/* SPDX-License-Identifier: Apache-2.0 */
/* run/tri_kernels.c - the loops for any machine, and the choice of loops. */
#include "run/tri_kernel_table.h"

clv_tri_kernel clv_tri_kernel_for(bool single, bool unit, clv_tri_use use, bool any_machine)
{
    clv_tri_kernel wide = any_machine ? NULL : clv_tri_kernel_avx2(single, unit, use);
    return wide ? wide : kernel_table[single][unit][use];
}
