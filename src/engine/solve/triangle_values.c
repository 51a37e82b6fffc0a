/* SPDX-License-Identifier: Apache-2.0 */
/* engine/solve/triangle_values.c - checks that every value of a triangle that is used is
 * finite, and that no diagonal is zero. */
#include <math.h>
#include <string.h>

#include "engine/solve/triangle.h"

static cleave_status mark_used(clv_value_places *out, const clv_oriented *o, clv_arena *arena,
                               cleave_error *err)
{
    const clv_tri_rows *rows = &o->rows;
    uint8_t *used = clv_arena_zalloc(arena, out->count / 8 + 1, 1);
    if (!used)
        return clv_fail_memory(err);
    for (int64_t k = 0; k < rows->xadj[rows->n]; k++)
        used[rows->source[k] >> 3] |= (uint8_t)(1 << (rows->source[k] & 7));
    for (int32_t i = 0; i < rows->n && rows->diagonal; i++)
        used[rows->diagonal[i] >> 3] |= (uint8_t)(1 << (rows->diagonal[i] & 7));
    out->used = used;
    return CLEAVE_OK;
}

cleave_status clv_value_places_make(clv_value_places *out, const cleave_triangle *t,
                                    const clv_oriented *o, clv_arena *arena, cleave_error *err)
{
    const clv_tri_rows *rows = &o->rows;
    bool apart = t->diagonal_apart && !t->unit;
    int64_t *xadj = clv_arena_alloc(arena, (int64_t)t->n + 1, sizeof *xadj);
    int64_t *diagonal = rows->diagonal ? clv_arena_alloc(arena, t->n, sizeof *diagonal) : NULL;
    if (!xadj || (rows->diagonal && !diagonal))
        return clv_fail_memory(err);
    memcpy(xadj, t->xadj, ((size_t)t->n + 1) * sizeof *xadj);
    if (diagonal && t->n > 0)
        memcpy(diagonal, rows->diagonal, (size_t)t->n * sizeof *diagonal);
    *out = (clv_value_places){.n = t->n,
                              .count = t->xadj[t->n] + (apart ? t->n : 0),
                              .by_columns = t->by_columns != 0,
                              .single = t->val32 != NULL,
                              .xadj = xadj,
                              .diagonal = diagonal};
    int64_t counted = rows->xadj[t->n] + (diagonal ? t->n : 0);
    return counted == out->count ? CLEAVE_OK : mark_used(out, o, arena, err);
}

static bool is_used(const clv_value_places *p, int64_t k)
{
    return !p->used || (p->used[k >> 3] >> (k & 7) & 1);
}

/* The first value that is used and not finite; p->count: none. */
static int64_t first_bad_double(const clv_value_places *p, const double *val)
{
    for (int64_t k = 0; k < p->count; k++)
        if (CLV_UNLIKELY(!isfinite(val[k])) && is_used(p, k))
            return k;
    return p->count;
}

static int64_t first_bad_float(const clv_value_places *p, const float *val)
{
    for (int64_t k = 0; k < p->count; k++)
        if (CLV_UNLIKELY(!isfinite(val[k])) && is_used(p, k))
            return k;
    return p->count;
}

static cleave_status fail_value(const clv_value_places *p, int64_t k, cleave_error *err)
{
    int32_t low = 0, high = p->n; /* xadj[low] <= k < xadj[high] */
    if (k >= p->xadj[p->n])
        return clv_fail(err, CLEAVE_EINVAL, "the diagonal of row %ld is not a finite number",
                        (long)(k - p->xadj[p->n]));
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (p->xadj[middle] <= k)
            low = middle;
        else
            high = middle;
    }
    return clv_fail(err, CLEAVE_EINVAL, "value %lld, in %s %ld, is not a finite number",
                    (long long)k, p->by_columns ? "column" : "row", (long)low);
}

cleave_status clv_values_check(const clv_value_places *p, const void *val, cleave_error *err)
{
    const double *doubles = val;
    const float *floats = val;
    int64_t bad = p->single ? first_bad_float(p, val) : first_bad_double(p, val);
    if (bad < p->count)
        return fail_value(p, bad, err);
    for (int32_t i = 0; i < p->n && p->diagonal; i++) {
        int64_t k = p->diagonal[i];
        if ((p->single ? (double)floats[k] : doubles[k]) == 0)
            return clv_fail(err, CLEAVE_EINVAL, "row %ld has a zero on the diagonal", (long)i);
    }
    return CLEAVE_OK;
}
