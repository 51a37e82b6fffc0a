/* SPDX-License-Identifier: Apache-2.0 */
/* run/tri_pack.c - columns to rows and back, eight rows at a time.
 *
 * A solve goes through the rows in an order of its own, and columns are often a multiple of
 * 4096 bytes apart: fetching a row's numbers from eight columns when it is its turn would take
 * eight lines of the cache for one number each, all in the same few places of the cache.  In
 * the rows' own order every line is used up at once. */
#include "run/tri_pack.h"

#include "run/tri_kernels.h"

enum { block = 8 }; /* rows: a line of the cache, of doubles */

static int32_t first_row(const clv_tri_plan *plan, int worker, int workers)
{
    int64_t blocks = ((int64_t)plan->n + block - 1) / block;
    int64_t row = blocks * worker / workers * block;
    return (int32_t)(row < plan->n ? row : plan->n);
}

#define PACK(name, type)                                                                      \
    static void pack_##name(const clv_tri_plan *plan, int32_t begin, int32_t end,             \
                            int32_t columns, const type *b, int64_t ldb)                      \
    {                                                                                         \
        type *work = plan->many_work;                                                         \
        for (int32_t i = begin, next; i < end; i = next) {                                    \
            next = end - i < block ? end : i + block;                                         \
            for (int32_t k = 0; k < clv_tri_columns; k++) {                                   \
                const type *from = b + (k < columns ? k : columns - 1) * ldb;                 \
                for (int32_t row = i; row < next; row++)                                      \
                    work[(int64_t)plan->place[row] * clv_tri_columns + k] = from[row];        \
            }                                                                                 \
        }                                                                                     \
    }                                                                                         \
    static void unpack_##name(const clv_tri_plan *plan, int32_t begin, int32_t end,           \
                              int32_t columns, type *x, int64_t ldx)                          \
    {                                                                                         \
        const type *work = plan->many_work;                                                   \
        for (int32_t i = begin, next; i < end; i = next) {                                    \
            next = end - i < block ? end : i + block;                                         \
            for (int32_t k = 0; k < columns; k++)                                             \
                for (int32_t row = i; row < next; row++)                                      \
                    x[k * ldx + row] = work[(int64_t)plan->place[row] * clv_tri_columns + k]; \
        }                                                                                     \
    }
PACK(doubles, double)
PACK(floats, float)

void clv_tri_pack(const clv_tri_plan *plan, int worker, int workers, int32_t columns,
                  const void *b, int64_t ldb)
{
    int32_t begin = first_row(plan, worker, workers);
    int32_t end = first_row(plan, worker + 1, workers);
    if (plan->single)
        pack_floats(plan, begin, end, columns, b, ldb);
    else
        pack_doubles(plan, begin, end, columns, b, ldb);
}

void clv_tri_unpack(const clv_tri_plan *plan, int worker, int workers, int32_t columns,
                    void *x, int64_t ldx)
{
    int32_t begin = first_row(plan, worker, workers);
    int32_t end = first_row(plan, worker + 1, workers);
    if (plan->single)
        unpack_floats(plan, begin, end, columns, x, ldx);
    else
        unpack_doubles(plan, begin, end, columns, x, ldx);
}
