/* SPDX-License-Identifier: Apache-2.0 */
/* compat/metis/layer_memory.c - the only callers of malloc and free; a test replaces them by
 * failing ones.  The results of mesh functions are allocated here: callers free() them. */
#include <stdlib.h>

#include "layer.h"

void *cm_alloc(int64_t count, size_t each)
{
    size_t bytes;
    if (count < 0 || __builtin_mul_overflow((size_t)count, each, &bytes))
        return NULL;
    return malloc(bytes ? bytes : 1);
}

void cm_free(void *block)
{
    free(block);
}
