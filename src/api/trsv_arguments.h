/* SPDX-License-Identifier: Apache-2.0 */
/* api/trsv_arguments.h - validation of a caller's triangle. */
#ifndef CLV_API_TRSV_ARGUMENTS_H
#define CLV_API_TRSV_ARGUMENTS_H

#include "base/status.h"

/* Checks sizes, pointers, offsets and the range of indices; not the pattern (api/triangle.c).
 * O(n + non-zeros). */
cleave_status clv_triangle_take(cleave_triangle *out, const cleave_triangle *t,
                                cleave_error *err);

#endif
