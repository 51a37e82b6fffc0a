/* SPDX-License-Identifier: Apache-2.0 */
/* formats/grow.h - arrays that grow while a file is read.
 *
 * Sizes in a header are not trusted: memory grows with the contents that have been read. */
#ifndef CLV_FORMATS_GROW_H
#define CLV_FORMATS_GROW_H

#include "base/mem.h"

static inline int64_t clv_next_room(int64_t room)
{
    return room + room / 2 + 1024;
}

/* False: out of memory; the array is unchanged. */
static inline bool clv_grow_i32(int32_t **array, int64_t room)
{
    int32_t *larger = clv_realloc(*array, room, sizeof *larger);
    if (larger)
        *array = larger;
    return larger != NULL;
}

static inline bool clv_grow_i64(int64_t **array, int64_t room)
{
    int64_t *larger = clv_realloc(*array, room, sizeof *larger);
    if (larger)
        *array = larger;
    return larger != NULL;
}

static inline bool clv_grow_double(double **array, int64_t room)
{
    double *larger = clv_realloc(*array, room, sizeof *larger);
    if (larger)
        *array = larger;
    return larger != NULL;
}

/* Vertices without edges take no bytes in some formats but do take memory: refuses counts that
 * are out of proportion to the entries. */
static inline bool clv_plausible_vertices(int64_t nvtx, int64_t entries)
{
    enum { harmless = 1 << 24, most_per_entry = 64 };
    return nvtx <= harmless || nvtx / most_per_entry <= entries;
}

#endif
