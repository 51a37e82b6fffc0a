/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix Market files as matrices with values. */
#include <math.h>
#include <string.h>

#include "fuzz/fuzz_common.h"

static void view_of(const cleave_matrix *a, cleave_matrix_csr *view)
{
    *view = (cleave_matrix_csr){.size = sizeof *view};
    cleave_matrix_view(a, view);
}

static void check_matrix(const cleave_matrix_csr *a)
{
    FUZZ_CHECK(a->nrow >= 0 && a->ncol >= 0 && a->xadj[0] == 0);
    for (int32_t i = 0; i < a->nrow; i++) {
        FUZZ_CHECK(a->xadj[i] <= a->xadj[i + 1]);
        for (int64_t k = a->xadj[i]; k < a->xadj[i + 1]; k++) {
            FUZZ_CHECK(a->col[k] >= 0 && a->col[k] < a->ncol);
            FUZZ_CHECK(k == a->xadj[i] || a->col[k - 1] < a->col[k]);
        }
    }
}

static bool same_value(double a, double b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

static void check_same(const cleave_matrix_csr *a, const cleave_matrix_csr *b)
{
    FUZZ_CHECK(a->nrow == b->nrow && a->ncol == b->ncol);
    for (int32_t i = 0; i <= a->nrow; i++)
        FUZZ_CHECK(a->xadj[i] == b->xadj[i]);
    for (int64_t k = 0; k < a->xadj[a->nrow]; k++)
        FUZZ_CHECK(a->col[k] == b->col[k] && same_value(a->val[k], b->val[k]));
}

FUZZ_TARGET(matrix)
{
    cleave_error err = {.status = CLEAVE_OK};
    cleave_matrix *a, *again;
    const char *path = fuzz_file("in.mtx", in->bytes, in->size);
    cleave_status status = cleave_matrix_read(&a, path, NULL, &err);
    if (status != CLEAVE_OK) {
        fuzz_check_refusal(status, &err, a, path);
        return;
    }
    cleave_matrix_csr view, view_again;
    view_of(a, &view);
    check_matrix(&view);
    path = fuzz_path(fuzz_choose(in, 2, 2) ? "again.mtx.gz" : "again.mtx");
    FUZZ_CHECK_OK(cleave_matrix_write(a, path, &err), err);
    FUZZ_CHECK_OK(cleave_matrix_read(&again, path, NULL, &err), err);
    view_of(again, &view_again);
    check_same(&view, &view_again);
    cleave_matrix_free(again);
    cleave_matrix_free(a);
}
