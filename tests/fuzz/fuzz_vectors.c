/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors.  First two characters: expected numbers of rows and columns. */
#include <math.h>

#include "fuzz/fuzz_common.h"

FUZZ_TARGET(vectors)
{
    enum { most = 8 };
    static double values[most * most];
    cleave_error err = {.status = CLEAVE_OK};
    int32_t rows = fuzz_choose(in, 0, most), columns = fuzz_choose(in, 1, most);
    const char *path = fuzz_file("in.vec", in->bytes, in->size);
    cleave_status status = cleave_vectors_read(values, rows, columns, path, &err);
    if (status != CLEAVE_OK) {
        fuzz_check_refusal(status, &err, NULL, path);
        return;
    }
    for (int i = 0; i < rows * columns; i++)
        FUZZ_CHECK(isfinite(values[i]));
    fuzz_check_vectors_file(values, rows, columns, "again.vec");
}
