/* SPDX-License-Identifier: Apache-2.0 */
/* view/even_out.c - distances from the middle become ranks.
 *
 * The middle is the vertex closest to the medians of x and y.  The vertex with the i-th
 * smallest distance moves to the distance at which a disc of uniform density contains i
 * vertices. */
#include "view/even_out.h"

#include <math.h>
#include <string.h>

#include "base/sort.h"

/* Non-negative doubles have the same order as their bit patterns read as integers. */
static int64_t key_of(double value)
{
    int64_t key;
    value = value < 0 ? 0 : value; /* also removes -0 */
    memcpy(&key, &value, sizeof key);
    return key;
}

typedef struct sorting {
    clv_sort_item *item, *scratch;
} sorting;

static cleave_status sorting_new(sorting *s, int32_t nvtx, clv_ws *ws, cleave_error *err)
{
    s->item = clv_ws_alloc(ws, nvtx, sizeof *s->item);
    s->scratch = clv_ws_alloc(ws, nvtx, sizeof *s->scratch);
    return s->item && s->scratch ? CLEAVE_OK : clv_fail_memory(err);
}

static double median(sorting *s, int32_t nvtx, const double *position, int c)
{
    double lo = position[c];
    for (int32_t v = 0; v < nvtx; v++)
        lo = fmin(lo, position[2 * (int64_t)v + c]);
    for (int32_t v = 0; v < nvtx; v++)
        s->item[v] =
            (clv_sort_item){.key = key_of(position[2 * (int64_t)v + c] - lo), .with.index = v};
    const clv_sort_item *sorted = clv_sort(s->item, s->scratch, nvtx);
    return position[2 * sorted[nvtx / 2].with.index + c];
}

/* Sorts the vertices by their distance to the middle. */
static const clv_sort_item *by_distance(sorting *s, int32_t nvtx, const double *position,
                                        double middle[2])
{
    for (int c = 0; c < 2; c++)
        middle[c] = median(s, nvtx, position, c);
    for (int32_t v = 0; v < nvtx; v++) {
        double dx = position[2 * (int64_t)v] - middle[0];
        double dy = position[2 * (int64_t)v + 1] - middle[1];
        s->item[v] = (clv_sort_item){.key = key_of(dx * dx + dy * dy), .with.index = v};
    }
    return clv_sort(s->item, s->scratch, nvtx);
}

static double distance(const double *position, int64_t v, const double middle[2])
{
    return hypot(position[2 * v] - middle[0], position[2 * v + 1] - middle[1]);
}

cleave_status clv_even_out_wanted(bool *wanted, int32_t nvtx, const double *position,
                                  clv_ws *ws, cleave_error *err)
{
    const double spot = 0.12; /* as a fraction of the whole: the radius that holds half of the
                                 vertices */
    sorting s;
    double middle[2];
    *wanted = false;
    if (nvtx < 100)
        return CLEAVE_OK;
    clv_ws_mark mark = clv_ws_save(ws);
    CLV_TRY(sorting_new(&s, nvtx, ws, err));
    const clv_sort_item *sorted = by_distance(&s, nvtx, position, middle);
    *wanted = distance(position, sorted[nvtx / 2].with.index, middle) <
              spot * distance(position, sorted[nvtx - 1].with.index, middle);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* Mostly by rank; a fraction of the true distance keeps distant outliers apart. */
static double new_distance(double r, double largest, int32_t rank, int32_t nvtx)
{
    const double share = 0.22;
    return share * r + (1 - share) * largest * sqrt((rank + 0.5) / nvtx);
}

cleave_status clv_even_out(double *evened, int32_t nvtx, const double *position, clv_ws *ws,
                           cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    sorting s;
    double middle[2];
    CLV_TRY(sorting_new(&s, nvtx, ws, err));
    if (nvtx == 0)
        return CLEAVE_OK;
    const clv_sort_item *sorted = by_distance(&s, nvtx, position, middle);
    double largest = distance(position, sorted[nvtx - 1].with.index, middle);
    for (int32_t i = 0; i < nvtx; i++) {
        int64_t v = sorted[i].with.index;
        double r = distance(position, v, middle), even = new_distance(r, largest, i, nvtx);
        for (int c = 0; c < 2; c++)
            evened[2 * v + c] =
                middle[c] + (r > 0 ? (position[2 * v + c] - middle[c]) * even / r : 0);
    }
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
