/* SPDX-License-Identifier: Apache-2.0 */
/* run/tri_kernels_avx2.c - the loops for processors with AVX2, without fused multiply-add. */
#include "run/tri_kernels.h"

#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif
#include "run/tri_kernel_table.h"

clv_tri_kernel clv_tri_kernel_avx2(bool single, bool unit, clv_tri_use use)
{
    return __builtin_cpu_supports("avx2") ? kernel_table[single][unit][use] : NULL;
}
#if defined(__clang__)
#pragma clang attribute pop
#endif

#else

clv_tri_kernel clv_tri_kernel_avx2(bool single, bool unit, clv_tri_use use)
{
    (void)single, (void)unit, (void)use;
    return NULL;
}

#endif
