/* SPDX-License-Identifier: Apache-2.0 */
/* api/factorise.c - public matrix factorizations: checks the arguments, calls matrix/ or
 * engine/. */
#include <string.h>

#include "engine/solve/exact_factor.h"
#include "matrix/ic0.h"
#include "matrix/ilu0.h"
#include "matrix/lower_half.h"

static cleave_status check_arguments(cleave_matrix **out, const cleave_matrix *a,
                                     cleave_error *err)
{
    if (out)
        *out = NULL;
    if (!out || !a)
        return clv_fail(err, CLEAVE_EINVAL, out ? "the matrix is NULL" : "out is NULL");
    return CLEAVE_OK;
}

cleave_status cleave_matrix_ic0(cleave_matrix **out, const cleave_matrix *a, double *shift,
                                cleave_error *err)
{
    CLV_TRY(check_arguments(out, a, err));
    CLV_TRY(clv_lower_half_check(a, err));
    return clv_ic0(out, a, shift, err);
}

cleave_status cleave_matrix_ilu0(cleave_matrix **out, const cleave_matrix *a,
                                 cleave_error *err)
{
    CLV_TRY(check_arguments(out, a, err));
    return clv_ilu0(out, a, err);
}

cleave_status cleave_matrix_cholesky(cleave_matrix **out, int32_t *permutation,
                                     const cleave_matrix *a, const char *order,
                                     cleave_error *err)
{
    CLV_TRY(check_arguments(out, a, err));
    if (order && strcmp(order, "mindeg") != 0 && strcmp(order, "amd") != 0 &&
        strcmp(order, "natural") != 0)
        return clv_fail(err, CLEAVE_EINVAL,
                        "order is \"%.40s\", which is neither natural nor mindeg", order);
    CLV_TRY(clv_lower_half_check(a, err));
    bool natural = order && strcmp(order, "natural") == 0;
    return clv_exact_factor(out, permutation, a, natural, err);
}
