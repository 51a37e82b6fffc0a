/* SPDX-License-Identifier: Apache-2.0 */
/* formats/gzip.h - zlib with the allocator of the library, for input.c and output.c. */
#ifndef CLV_FORMATS_GZIP_H
#define CLV_FORMATS_GZIP_H

#include <zlib.h>

#include "base/mem.h"

static inline void *clv_gzip_alloc(void *opaque, unsigned count, unsigned each)
{
    (void)opaque;
    return clv_zalloc(count, each);
}

static inline void clv_gzip_free(void *opaque, void *block)
{
    (void)opaque;
    clv_sys_free(block);
}

enum { CLV_GZIP_WINDOW = 15 + 16 }; /* windowBits of zlib: largest window, gzip header */

#endif
