/* SPDX-License-Identifier: Apache-2.0 */
/* api/factorise.c - public matrix factorizations: checks the arguments, calls
 * matrix/, engine/ or generate/. */
#include <string.h>

#include "engine/solve/exact_factor.h"
#include "generate/factor.h"
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
        return clv_fail(err, CLEAVE_EINVAL, "order is \"%.40s\"; expected natural or mindeg",
                        order);
    CLV_TRY(clv_lower_half_check(a, err));
    bool natural = order && strcmp(order, "natural") == 0;
    return clv_exact_factor(out, permutation, a, natural, err);
}

cleave_status cleave_matrix_factor(cleave_matrix **out, const cleave_graph *g,
                                   const char *order, const int32_t *permutation,
                                   uint64_t seed, cleave_error *err)
{
    if (!out)
        return clv_fail(err, CLEAVE_EINVAL, "out is NULL");
    *out = NULL;
    clv_graph *dag = NULL;
    CLV_TRY(cleave_graph_factor(&dag, g, order, permutation, err));
    cleave_status status = clv_factor_matrix(out, dag, seed, err);
    clv_graph_free(dag);
    return status;
}
