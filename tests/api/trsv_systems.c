/* SPDX-License-Identifier: Apache-2.0 */
#include "api/trsv_systems.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/test.h"

/* ---- Chance ----------------------------------------------------------------------------- */

static uint64_t draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    uint64_t x = *state ^ *state >> 29;
    return (x * 0xbf58476d1ce4e5b9u) >> 16;
}

static int32_t below(uint64_t *state, int32_t n)
{
    return (int32_t)(draw(state) % (uint64_t)n);
}

static double number(uint64_t *state)
{
    return (double)(draw(state) % 2000001) / 1e6 - 1;
}

/* ---- Shapes ----------------------------------------------------------------------------- */

/* Is there an entry in row i, column j < i of the lower triangle? */
static bool present(int shape, int32_t n, int32_t i, int32_t j, uint64_t *state)
{
    int32_t side = (int32_t)sqrt((double)n);
    switch (shape) {
    case 0:
        return false;
    case 1:
        return j == i - 1;
    case 2:
        return i - j <= 5 && below(state, 4) > 0;
    case 3:
        return below(state, n) < 4;
    case 4:
        return j == 0 || i == n - 1 || (i - j <= 2 && below(state, 3) == 0);
    case 5:
        return true;
    default:
        return (j == i - 1 && i % side != 0) || j == i - side;
    }
}

/* The pattern as a dense mask of the matrix that the caller holds. */
static bool *make_mask(int shape, const cleave_triangle *t, uint64_t *state)
{
    int32_t n = t->n;
    bool *mask = calloc((size_t)n * (size_t)n + 1, sizeof *mask);
    for (int32_t i = 0; i < n; i++) {
        for (int32_t j = 0; j < i; j++) {
            bool other = t->part && below(state, 5) == 0;
            mask[t->upper ? j * n + i : i * n + j] = present(shape, n, i, j, state);
            mask[t->upper ? i * n + j : j * n + i] = other;
        }
        mask[i * n + i] = !t->unit || below(state, 2) == 0;
    }
    return mask;
}

static void shuffle(int32_t *idx, int64_t count, uint64_t *state)
{
    for (int64_t k = count - 1; k > 0; k--) {
        int32_t other = below(state, (int32_t)k + 1), kept = idx[k];
        idx[k] = idx[other];
        idx[other] = kept;
    }
}

static void fill_pattern(trsv_system *s, const bool *mask, bool shuffled, uint64_t *state)
{
    int32_t n = s->n;
    int64_t count = 0;
    s->xadj = calloc((size_t)n + 1, sizeof *s->xadj);
    s->idx = calloc((size_t)n * (size_t)n + 1, sizeof *s->idx);
    for (int32_t i = 0; i < n; i++) {
        for (int32_t j = 0; j < n; j++)
            if (mask[s->t.by_columns ? j * n + i : i * n + j])
                s->idx[count++] = j;
        s->xadj[i + 1] = count;
        if (shuffled)
            shuffle(s->idx + s->xadj[i], count - s->xadj[i], state);
    }
}

/* ---- Values ----------------------------------------------------------------------------- */

static bool counts(const cleave_triangle *t, int32_t i, int32_t j)
{
    int32_t row = t->by_columns ? j : i, column = t->by_columns ? i : j;
    return row == column ? !t->unit : t->upper ? column > row : column < row;
}

void trsv_system_renew(trsv_system *s, uint64_t seed)
{
    uint64_t state = seed;
    for (int32_t i = 0; i < s->n; i++)
        for (int64_t k = s->xadj[i]; k < s->xadj[i + 1]; k++) {
            double value = number(&state);
            if (s->idx[k] == i)
                value = value < 0 ? value - 1 : value + 1;
            if (!counts(&s->t, i, s->idx[k]) && below(&state, 2) == 0)
                value = NAN; /* must not be read */
            s->val[k] = value;
            s->val32[k] = (float)value;
        }
    for (int32_t i = 0; i < s->n; i++) {
        s->b[i] = number(&state);
        s->b32[i] = (float)s->b[i];
    }
    if (s->single)
        trsv_textbook_f(&s->t, s->x32, s->b32);
    else
        trsv_textbook(&s->t, s->x, s->b);
}

trsv_system trsv_system_make(int shape, int32_t n, int way, uint64_t seed)
{
    trsv_system s = {.n = n, .single = (way & 64) != 0};
    uint64_t state = seed * 2 + 1;
    cleave_triangle_init(&s.t, sizeof s.t);
    s.t.n = n;
    s.t.by_columns = (way & 1) != 0;
    s.t.upper = (way & 2) != 0;
    s.t.unit = (way & 4) != 0;
    s.t.transpose = (way & 8) != 0;
    s.t.part = (way & 16) != 0;
    bool *mask = make_mask(shape, &s.t, &state);
    fill_pattern(&s, mask, (way & 32) != 0, &state);
    free(mask);
    size_t values = (size_t)s.xadj[n] + 1, rows = (size_t)n + 1;
    s.val = calloc(values, sizeof *s.val);
    s.val32 = calloc(values, sizeof *s.val32);
    s.b = calloc(rows, sizeof *s.b);
    s.x = calloc(rows, sizeof *s.x);
    s.b32 = calloc(rows, sizeof *s.b32);
    s.x32 = calloc(rows, sizeof *s.x32);
    s.t.xadj = s.xadj;
    s.t.idx = s.idx;
    s.t.val = s.single ? NULL : s.val;
    s.t.val32 = s.single ? s.val32 : NULL;
    trsv_system_renew(&s, seed);
    return s;
}

void trsv_system_free(trsv_system *s)
{
    free(s->xadj);
    free(s->idx);
    free(s->val);
    free(s->val32);
    free(s->b);
    free(s->x);
    free(s->b32);
    free(s->x32);
}

/* ---- The textbook ----------------------------------------------------------------------- */

/* By (row, column) of op(A): the place of its value plus 1, or 0. */
static int64_t *places(const cleave_triangle *t)
{
    size_t n = (size_t)t->n;
    int64_t *place = calloc(n * n + 1, sizeof *place);
    for (int32_t i = 0; i < t->n; i++)
        for (int64_t k = t->xadj[i]; k < t->xadj[i + 1]; k++) {
            size_t row = (size_t)(t->by_columns ? t->idx[k] : i);
            size_t column = (size_t)(t->by_columns ? i : t->idx[k]);
            if (counts(t, i, t->idx[k]))
                place[t->transpose ? column * n + row : row * n + column] = k + 1;
        }
    return place;
}

/* One text for both widths. */
#define TEXTBOOK(name, type, field)                                                           \
    void name(const cleave_triangle *t, type *x, const type *b)                               \
    {                                                                                         \
        int64_t *place = places(t);                                                           \
        bool upper = !t->upper != !t->transpose;                                              \
        for (int32_t step = 0; step < t->n; step++) {                                         \
            int32_t i = upper ? t->n - 1 - step : step;                                       \
            const int64_t *row = place + (int64_t)i * t->n;                                   \
            type sum = b[i];                                                                  \
            for (int32_t j = 0; j < t->n; j++)                                                \
                if (j != i && row[j])                                                         \
                    sum -= t->field[row[j] - 1] * x[j];                                       \
            x[i] = t->unit ? sum : sum / t->field[row[i] - 1];                                \
        }                                                                                     \
        free(place);                                                                          \
    }
TEXTBOOK(trsv_textbook, double, val)
TEXTBOOK(trsv_textbook_f, float, val32)

bool trsv_solves(cleave_trsv *plan, const trsv_system *s, bool in_place)
{
    cleave_error err = {0};
    size_t each = s->single ? sizeof(float) : sizeof(double), bytes = (size_t)s->n * each;
    const void *b = s->single ? (const void *)s->b32 : (const void *)s->b;
    const void *right = s->single ? (const void *)s->x32 : (const void *)s->x;
    char *x = malloc(bytes + 8);
    memset(x, 0xff, bytes + 8);
    if (in_place) {
        memcpy(x, b, bytes);
        b = x;
    }
    CHECK_OK(s->single ? cleave_trsv_solve_f(plan, (float *)(void *)x, b, &err)
                       : cleave_trsv_solve(plan, (double *)(void *)x, b, &err));
    bool same = memcmp(x, right, bytes) == 0;
    for (int i = 0; i < 8; i++)
        same = same && x[bytes + (size_t)i] == (char)0xff;
    free(x);
    return same;
}
