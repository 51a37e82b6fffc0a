/* SPDX-License-Identifier: Apache-2.0 */
/* compat/metis/metis_internal.c - internal functions of libmetis that programs call although
 * metis.h does not declare them.
 *
 * tests/compat/metis_exports.sh lists the programs and their symbols. */
#include "layer.h"

/* The number of elements in the largest part; elements outside 0 .. nparts - 1 do not count.
 */
static idx_t largest_part(idx_t ne, idx_t nparts, const idx_t *where, idx_t *size, idx_t *all)
{
    idx_t largest = 0;
    *all = 0;
    for (idx_t p = 0; p < nparts; p++)
        size[p] = 0;
    for (idx_t e = 0; e < ne; e++) {
        if (where[e] < 0 || where[e] >= nparts)
            continue;
        idx_t count = ++size[where[e]];
        largest = count > largest ? count : largest;
        ++*all;
    }
    return largest;
}

METIS_API(real_t) libmetis__ComputeElementBalance(idx_t ne, idx_t nparts, idx_t *where)
{
    idx_t all, *size = cm_alloc(nparts > 0 ? nparts : 0, sizeof *size);
    if (!size)
        return 0;
    idx_t largest = largest_part(ne, nparts, where, size, &all);
    cm_free(size);
    return all > 0 ? (real_t)((double)largest * (double)nparts / (double)all) : 1;
}
