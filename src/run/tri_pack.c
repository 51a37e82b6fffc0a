/* SPDX-License-Identifier: Apache-2.0 */
/* run/tri_pack.c - transposes columns to rows and back, eight rows at a time.
 *
 * A solve visits rows in its own order, and columns are often a multiple of 4096 bytes apart:
 * reading the numbers of a row from eight columns at that time would touch eight cache lines
 * for one number each, all in the same few cache sets.  Copying in the original order of rows
 * uses every line completely. */
#include "run/tri_pack.h"

#include "run/tri_kernels.h"

enum { block = 8 }; /* rows: one cache line of doubles */

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

void clv_tri_pack(const clv_tri_plan *plan, int worker, int workers, const clv_tri_vectors *v)
{
    int32_t begin = first_row(plan, worker, workers);
    int32_t end = first_row(plan, worker + 1, workers);
    if (plan->single)
        pack_floats(plan, begin, end, v->nrhs, v->b, v->ldb);
    else
        pack_doubles(plan, begin, end, v->nrhs, v->b, v->ldb);
}

void clv_tri_unpack(const clv_tri_plan *plan, int worker, int workers,
                    const clv_tri_vectors *v)
{
    int32_t begin = first_row(plan, worker, workers);
    int32_t end = first_row(plan, worker + 1, workers);
    if (plan->single)
        unpack_floats(plan, begin, end, v->nrhs, v->x, v->ldx);
    else
        unpack_doubles(plan, begin, end, v->nrhs, v->x, v->ldx);
}
