/* SPDX-License-Identifier: Apache-2.0 */
/* api/vectors.c - right-hand sides and solutions as files. */
#include "formats/vector_file.h"

static cleave_status check_vectors(const double *values, int32_t rows, int32_t columns,
                                   const char *path, cleave_error *err)
{
    if (rows < 0 || columns < 0)
        return clv_fail(err, CLEAVE_EINVAL, "the vectors are %d x %d", (int)rows,
                        (int)columns);
    if (!path || (!values && rows > 0 && columns > 0))
        return clv_fail(err, CLEAVE_EINVAL, path ? "values is NULL" : "path is NULL");
    return CLEAVE_OK;
}

cleave_status cleave_vectors_read(double *values, int32_t rows, int32_t columns,
                                  const char *path, cleave_error *err)
{
    CLV_TRY(check_vectors(values, rows, columns, path, err));
    return clv_vectors_read(values, rows, columns, path, err);
}

cleave_status cleave_vectors_write(const double *values, int32_t rows, int32_t columns,
                                   const char *path, cleave_error *err)
{
    CLV_TRY(check_vectors(values, rows, columns, path, err));
    return clv_vectors_write(values, rows, columns, path, err);
}
