/* SPDX-License-Identifier: Apache-2.0 */
/* run/plain_rows.c - textbook substitution.  Rows are stored in the order in which they are
 * solved, the diagonal after the other entries of its row. */
#include "run/plain_rows.h"

/* ---- The loops -------------------------------------------------------------------------- */

/* One source for all variants; unit and backward are constants at each use. */
#define SOLVE(name, type)                                                                     \
    static CLV_ALWAYS_INLINE cleave_status name(const clv_plain_rows *p, type *x,             \
                                                const type *b, bool unit, bool backward)      \
    {                                                                                         \
        const type *value = p->value;                                                         \
        const int32_t *col = p->col, *ends = p->end;                                          \
        int32_t n = p->n, k = 0;                                                              \
        for (int32_t step = 0; step < n; step++) {                                            \
            int32_t i = backward ? n - 1 - step : step;                                       \
            type sum = b[i];                                                                  \
            for (int32_t end = ends[step]; k < end; k++)                                      \
                sum -= value[k] * x[col[k]];                                                  \
            x[i] = unit ? sum : sum / value[k++];                                             \
        }                                                                                     \
        return CLEAVE_OK;                                                                     \
    }
SOLVE(solve_doubles, double)
SOLVE(solve_floats, float)

#define LOOP(name, solve, unit, backward)                                                     \
    static cleave_status name(const clv_plain_rows *p, void *x, const void *b)                \
    {                                                                                         \
        return solve(p, x, b, unit, backward);                                                \
    }
LOOP(forward, solve_doubles, false, false)
LOOP(backward, solve_doubles, false, true)
LOOP(forward_unit, solve_doubles, true, false)
LOOP(backward_unit, solve_doubles, true, true)
LOOP(forward_float, solve_floats, false, false)
LOOP(backward_float, solve_floats, false, true)
LOOP(forward_unit_float, solve_floats, true, false)
LOOP(backward_unit_float, solve_floats, true, true)

/* Indices: single, unit, backward. */
static cleave_status (*const loops[2][2][2])(const clv_plain_rows *, void *, const void *) = {
    {{forward, backward}, {forward_unit, backward_unit}},
    {{forward_float, backward_float}, {forward_unit_float, backward_unit_float}}};

/* ---- Construction ----------------------------------------------------------------------- */

static void fill_rows(clv_plain_rows *p, const clv_tri_rows *rows)
{
    int32_t at = 0;
    for (int32_t step = 0; step < p->n; step++) {
        int32_t i = p->backward ? p->n - 1 - step : step;
        for (int64_t k = rows->xadj[i]; k < rows->xadj[i + 1]; k++) {
            p->col[at] = rows->col[k];
            p->source[at++] = rows->source[k];
        }
        p->end[step] = at;
        if (!p->unit) {
            p->col[at] = i;
            p->source[at++] = (uint32_t)rows->diagonal[i];
        }
    }
}

cleave_status clv_plain_rows_new(clv_plain_rows **out, const clv_tri_rows *rows, bool backward,
                                 bool single, cleave_error *err)
{
    clv_plain_rows *p = clv_zalloc(1, sizeof *p);
    *out = NULL;
    if (!p)
        return clv_fail_memory(err);
    p->loop = loops[single][!rows->diagonal][backward];
    p->n = rows->n;
    p->backward = backward;
    p->single = single;
    p->unit = !rows->diagonal;
    p->count = rows->xadj[rows->n] + (p->unit ? 0 : rows->n);
    p->end = clv_arena_alloc(&p->arena, p->n, sizeof *p->end);
    p->col = clv_arena_alloc(&p->arena, p->count, sizeof *p->col);
    p->source = clv_arena_alloc(&p->arena, p->count, sizeof *p->source);
    p->value = clv_arena_alloc(&p->arena, p->count, single ? sizeof(float) : sizeof(double));
    if (p->count > INT32_MAX || !p->end || !p->col || !p->source || !p->value) {
        clv_plain_rows_free(p);
        return clv_fail_memory(err);
    }
    fill_rows(p, rows);
    *out = p;
    return CLEAVE_OK;
}

void clv_plain_rows_free(clv_plain_rows *p)
{
    if (p)
        clv_arena_free(&p->arena);
    clv_sys_free(p);
}

void clv_plain_rows_values(clv_plain_rows *p, const void *val)
{
    for (int64_t k = 0; k < p->count; k++) {
        if (p->single)
            ((float *)p->value)[k] = ((const float *)val)[p->source[k]];
        else
            ((double *)p->value)[k] = ((const double *)val)[p->source[k]];
    }
}
