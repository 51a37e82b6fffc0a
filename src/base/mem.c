/* SPDX-License-Identifier: Apache-2.0 */
/* base/mem.c - the only callers of malloc.  Nothing else belongs in this file: a program that
 * defines these four functions replaces it as a whole when linking. */
#include "base/mem.h"

#include <stdlib.h>
#include <sys/mman.h>

/* Large arrays are filled completely, and a page fault per 4 KiB would be a considerable part
 * of the time for reading a graph: this requests large pages.  Only a hint, which the system
 * may ignore. */
static void *advise_large_pages(void *block, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    enum { large = 4 << 20, page = 4096 };
    if (block && bytes >= large) {
        uintptr_t begin = ((uintptr_t)block + page - 1) & ~(uintptr_t)(page - 1);
        uintptr_t end = ((uintptr_t)block + bytes) & ~(uintptr_t)(page - 1);
        madvise((void *)begin, end - begin, MADV_HUGEPAGE);
    }
#else
    (void)bytes;
#endif
    return block;
}

void *clv_sys_alloc(size_t bytes)
{
    return advise_large_pages(malloc(bytes), bytes);
}

void *clv_sys_zalloc(size_t bytes)
{
    return advise_large_pages(calloc(1, bytes), bytes);
}

void *clv_sys_realloc(void *block, size_t bytes)
{
    return advise_large_pages(realloc(block, bytes), bytes);
}

void clv_sys_free(void *block)
{
    free(block);
}
