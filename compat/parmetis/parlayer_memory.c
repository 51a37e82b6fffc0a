/* SPDX-License-Identifier: Apache-2.0 */
/* compat/parmetis/parlayer_memory.c - the only callers of malloc and free; a test replaces
 * them by failing ones.  The results of ParMETIS_V3_Mesh2Dual are allocated here: callers can
 * also free() them. */
#include <stdlib.h>

#include "parlayer.h"

static bool bytes_of(int64_t count, size_t each, size_t *bytes)
{
    if (count < 0 || __builtin_mul_overflow((size_t)count, each, bytes))
        return false;
    *bytes += *bytes == 0;
    return true;
}

void *cp_alloc(int64_t count, size_t each)
{
    size_t bytes;
    return bytes_of(count, each, &bytes) ? malloc(bytes) : NULL;
}

void *cp_realloc(void *old, int64_t count, size_t each)
{
    size_t bytes;
    return bytes_of(count, each, &bytes) ? realloc(old, bytes) : NULL;
}

void cp_free(void *block)
{
    free(block);
}
