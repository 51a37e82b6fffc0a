/* SPDX-License-Identifier: Apache-2.0 */
/* run/tri_kernel_table.h - the loops for double and float, compiled for the instruction set
 * that the including file has chosen. */
#include "run/tri_kernels.h"

#define REAL double
#define NAME(x) x##_double
#include "run/tri_kernel_body.h"
#include "run/tri_many_body.h"
#undef REAL
#undef NAME

#define REAL float
#define NAME(x) x##_float
#include "run/tri_kernel_body.h"
#include "run/tri_many_body.h"
#undef REAL
#undef NAME

static const clv_tri_kernel kernel_table[2][2][3] = {
    {{plain_double, ordered_double, many_double},
     {plain_unit_double, ordered_unit_double, many_unit_double}},
    {{plain_float, ordered_float, many_float},
     {plain_unit_float, ordered_unit_float, many_unit_float}},
};
