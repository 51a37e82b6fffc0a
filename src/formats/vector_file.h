/* SPDX-License-Identifier: Apache-2.0 */
/* formats/vector_file.h - right-hand sides and solutions as files: Matrix Market arrays, or
 * plain numbers. */
#ifndef CLV_FORMATS_VECTOR_FILE_H
#define CLV_FORMATS_VECTOR_FILE_H

#include "base/mem.h"

/* rows * columns numbers, column by column; the path may be compressed, or "-". */
cleave_status clv_vectors_read(double *values, int32_t rows, int32_t columns, const char *path,
                               cleave_error *err);
cleave_status clv_vectors_write(const double *values, int32_t rows, int32_t columns,
                                const char *path, cleave_error *err);

#endif
