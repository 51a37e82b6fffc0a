/* SPDX-License-Identifier: Apache-2.0 */
/* api/matrix.c - matrices with values. */
#include "matrix/matrix.h"

#include "formats/matrix_market.h"

void cleave_matrix_csr_init(cleave_matrix_csr *csr, size_t size)
{
    clv_sized_init(csr, size);
}

cleave_status cleave_matrix_read(cleave_matrix **out, const char *path,
                                 const cleave_read_options *opt, cleave_error *err)
{
    if (out)
        *out = NULL;
    if (!out || !path)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", out ? "path" : "out");
    cleave_read_options full = {.scale = 1.0};
    if (opt)
        CLV_TRY(clv_sized_copy(&full, sizeof full, opt, "opt", err));
    clv_input *in;
    CLV_TRY(clv_input_open(&in, path, full.progress, full.payload, err));
    cleave_status status = clv_matrix_market_read(out, in, err);
    clv_input_close(in);
    return status;
}

cleave_status cleave_matrix_create(cleave_matrix **out, const cleave_matrix_csr *csr,
                                   cleave_error *err)
{
    if (out)
        *out = NULL;
    if (!out || !csr)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", out ? "csr" : "out");
    cleave_matrix_csr known = {.nrow = 0};
    CLV_TRY(clv_sized_copy(&known, sizeof known, csr, "csr", err));
    return clv_matrix_copy(out, &known, err);
}

void cleave_matrix_view(const cleave_matrix *a, cleave_matrix_csr *view)
{
    cleave_matrix_csr full = {.nrow = 0};
    if (a)
        full = (cleave_matrix_csr){
            .nrow = a->nrow, .ncol = a->ncol, .xadj = a->xadj, .col = a->col, .val = a->val};
    clv_sized_write(view, &full, sizeof full);
}

cleave_status cleave_matrix_write(const cleave_matrix *a, const char *path, cleave_error *err)
{
    if (!a || !path)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", a ? "path" : "matrix");
    clv_output *out;
    CLV_TRY(clv_output_open(&out, path, NULL, NULL, err));
    cleave_status status = clv_matrix_market_write(a, out, err);
    if (status != CLEAVE_OK) {
        clv_output_abandon(out);
        return status;
    }
    return clv_output_commit(out, err);
}

void cleave_matrix_free(cleave_matrix *a)
{
    clv_matrix_free(a);
}
