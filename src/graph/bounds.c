/* SPDX-License-Identifier: Apache-2.0 */
/* graph/bounds.c - see graph/bounds.h. */
#include "graph/bounds.h"

cleave_status clv_bounds_alloc(clv_bounds *to, clv_bounds_arrays *arrays, int32_t nparts,
                               int32_t ncon, bool with_min, clv_ws *ws, cleave_error *err)
{
    int64_t places = (int64_t)nparts * ncon;
    arrays->share = clv_ws_alloc(ws, places, sizeof *arrays->share);
    arrays->max = clv_ws_alloc(ws, places, sizeof *arrays->max);
    arrays->min = with_min ? clv_ws_alloc(ws, places, sizeof *arrays->min) : NULL;
    if (!arrays->share || !arrays->max || (with_min && !arrays->min))
        return clv_fail_memory(err);
    *to = (clv_bounds){nparts, ncon, arrays->share, arrays->max, arrays->min};
    return CLEAVE_OK;
}

int64_t clv_bounds_overload(const clv_bounds *b, const int64_t *weight)
{
    int64_t overload = 0;
    for (int64_t i = 0; i < clv_bounds_places(b); i++) {
        overload += clv_bounds_excess(b, i, weight[i]);
        if (overload > CLV_MOST_WEIGHT) /* the lower bounds of many parts may sum to more than
                                           any weight */
            overload = CLV_MOST_WEIGHT;
    }
    return overload;
}

double *clv_bounds_proportions(const clv_bounds *b, clv_ws *ws)
{
    double sum = 0, *share = clv_ws_alloc(ws, b->nparts, sizeof *share);
    for (int32_t p = 0; share && p < b->nparts; p++)
        sum += share[p] = b->share[(int64_t)p * b->ncon];
    if (!share || sum > 0)
        return share;
    for (int32_t p = 0; p < b->nparts; p++)
        sum += share[p] = !clv_bounds_is_idle(b, p);
    for (int32_t p = 0; p < b->nparts && !(sum > 0); p++)
        share[p] = 1;
    return share;
}

cleave_status clv_bounds_uniform(clv_bounds *to, int32_t nparts, double share, int64_t max,
                                 clv_ws *ws, cleave_error *err)
{
    clv_bounds_arrays made;
    CLV_TRY(clv_bounds_alloc(to, &made, nparts, 1, false, ws, err));
    for (int32_t p = 0; p < nparts; p++) {
        made.share[p] = share;
        made.max[p] = max;
    }
    return CLEAVE_OK;
}

cleave_status clv_bounds_permute(clv_bounds *to, const clv_bounds *from, const int32_t *order,
                                 clv_ws *ws, cleave_error *err)
{
    clv_bounds_arrays made;
    int32_t ncon = from->ncon;
    CLV_TRY(clv_bounds_alloc(to, &made, from->nparts, ncon, from->min != NULL, ws, err));
    for (int32_t p = 0; p < from->nparts; p++)
        for (int32_t c = 0; c < ncon; c++) {
            int64_t i = (int64_t)p * ncon + c, j = (int64_t)order[p] * ncon + c;
            made.share[i] = from->share[j];
            made.max[i] = from->max[j];
            if (made.min)
                made.min[i] = from->min[j];
        }
    return CLEAVE_OK;
}

cleave_status clv_bounds_first(clv_bounds *to, const clv_bounds *from, clv_ws *ws,
                               cleave_error *err)
{
    clv_bounds_arrays made;
    CLV_TRY(clv_bounds_alloc(to, &made, from->nparts, 1, from->min != NULL, ws, err));
    for (int32_t p = 0; p < from->nparts; p++) {
        int64_t i = (int64_t)p * from->ncon;
        made.share[p] = from->share[i];
        made.max[p] = from->max[i];
        if (made.min)
            made.min[p] = from->min[i];
    }
    return CLEAVE_OK;
}

cleave_status clv_bounds_scale_to_count(clv_bounds *to, const clv_bounds *from, int32_t count,
                                        clv_ws *ws, cleave_error *err)
{
    int32_t k = from->nparts, open = 0;
    double sum = 0, *share = clv_bounds_proportions(from, ws);
    int64_t *max = clv_ws_alloc(ws, k, sizeof *max);
    if (!share || !max)
        return clv_fail_memory(err);
    for (int32_t p = 0; p < k; p++) {
        sum += share[p];
        open += !clv_bounds_is_idle(from, p);
    }
    for (int32_t p = 0; p < k; p++) {
        share[p] = count * (share[p] / sum);
        max[p] = open > 0 && clv_bounds_is_idle(from, p) ? 0 : count;
    }
    *to = (clv_bounds){.nparts = k, .ncon = 1, .share = share, .max = max};
    return CLEAVE_OK;
}

cleave_status clv_bounds_singles(clv_bounds *to, const clv_bounds *from, int32_t count,
                                 clv_ws *ws, cleave_error *err)
{
    clv_bounds_arrays made;
    int32_t open = 0;
    CLV_TRY(clv_bounds_alloc(to, &made, from->nparts, 1, false, ws, err));
    for (int32_t p = 0; p < from->nparts; p++)
        open += made.max[p] = clv_bounds_wants_vertex(from, p);
    for (int32_t p = 0; p < from->nparts; p++)
        made.share[p] = (double)made.max[p] * count / open;
    return CLEAVE_OK;
}

cleave_status clv_bounds_lift(clv_bounds *to, const clv_bounds *from, const int64_t *total,
                              clv_ws *ws, cleave_error *err)
{
    int64_t *max = clv_ws_alloc(ws, clv_bounds_places(from), sizeof *max);
    if (!max)
        return clv_fail_memory(err);
    for (int64_t i = 0; i < clv_bounds_places(from); i++) {
        int64_t all = total[i % from->ncon];
        max[i] = from->max[i] > 0 && from->max[i] < all ? all : from->max[i];
    }
    *to = *from;
    to->max = max;
    return CLEAVE_OK;
}

/* ---- Ranges of parts -------------------------------------------------------------------- */

/* The degree-th root of value >= 1, by bisection: unlike pow() it gives the same bits on every
 * machine. */
static double nth_root(double value, int degree)
{
    double low = 1, high = value;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2, power = 1;
        for (int d = 0; d < degree; d++)
            power *= middle;
        if (power > value)
            high = middle;
        else
            low = middle;
    }
    return low;
}

typedef struct sums {
    double share, max, min;
} sums;

static sums sum_parts(const clv_bounds *b, int32_t first, int32_t end, int32_t c)
{
    sums s = {0, 0, 0};
    for (int32_t p = first; p < end; p++) {
        int64_t i = (int64_t)p * b->ncon + c;
        s.share += b->share[i];
        s.max += (double)b->max[i];
        s.min += b->min ? (double)b->min[i] : 0;
    }
    return s;
}

/* Bounds summed over many parts may exceed CLV_MOST_WEIGHT. */
static int64_t to_weight(double bound)
{
    return bound < (double)CLV_MOST_WEIGHT ? (int64_t)bound : CLV_MOST_WEIGHT;
}

static void split_constraint(const clv_bounds_arrays *made, const clv_bounds *from,
                             const clv_bounds_ranges *ranges, int32_t c)
{
    double weight = ranges->weight[c];
    sums all = sum_parts(from, ranges->first[0], ranges->first[ranges->count], c);
    double slack = weight > 0 ? all.max / weight : 1;
    double factor = slack > 1 ? nth_root(slack, ranges->depth) : 1;
    for (int32_t i = 0; i < ranges->count; i++) {
        int64_t place = (int64_t)i * from->ncon + c;
        sums side = sum_parts(from, ranges->first[i], ranges->first[i + 1], c);
        double own = all.share > 0 ? weight * side.share / all.share : weight / ranges->count;
        double bound = own * factor;
        made->share[place] = own;
        made->max[place] = to_weight(bound < side.max ? bound : side.max);
        if (made->min)
            made->min[place] = to_weight(side.min);
    }
}

cleave_status clv_bounds_split(clv_bounds *to, const clv_bounds *from,
                               const clv_bounds_ranges *ranges, clv_ws *ws, cleave_error *err)
{
    clv_bounds_arrays made;
    CLV_TRY(
        clv_bounds_alloc(to, &made, ranges->count, from->ncon, from->min != NULL, ws, err));
    for (int32_t c = 0; c < from->ncon; c++)
        split_constraint(&made, from, ranges, c);
    return CLEAVE_OK;
}
