/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix Market files as matrices with values. */
#include "fuzz/fuzz_common.h"

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

FUZZ_TARGET(matrix)
{
    cleave_error err = {.status = CLEAVE_OK};
    cleave_matrix *a;
    const char *path = fuzz_file("in.mtx", in->bytes, in->size);
    cleave_status status = cleave_matrix_read(&a, path, NULL, &err);
    if (status != CLEAVE_OK) {
        fuzz_check_refusal(status, &err, a, path);
        return;
    }
    cleave_matrix_csr view;
    cleave_matrix_csr_init(&view, sizeof view);
    cleave_matrix_view(a, &view);
    check_matrix(&view);
    fuzz_check_matrix_file(a, fuzz_choose(in, 2, 2) ? "again.mtx.gz" : "again.mtx");
    cleave_matrix_free(a);
}
