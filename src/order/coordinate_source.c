/* SPDX-License-Identifier: Apache-2.0 */
/* order/coordinate_source.c - recursive coordinate bisection [Williams 1991; Kaddoura, Ou,
 * Ranka 1995]: a set of points is cut across the longest side of its bounding box. */
#include <math.h>

#include "order/halving.h"

static const double *point_of(const clv_graph *g, int32_t v)
{
    return g->coords + (int64_t)v * g->ndim;
}

/* Returns -1 if a coordinate is not finite. */
static int longest_side(const clv_subset *set)
{
    const clv_graph *g = set->g;
    const int32_t *vertex = set->vertex;
    int longest = 0;
    double most = -1, fault = 0;
    for (int d = 0; d < g->ndim; d++) {
        double low = point_of(g, vertex[0])[d], high = low;
        for (int32_t i = 0; i < set->count; i++) {
            double x = point_of(g, vertex[i])[d];
            low = x < low ? x : low;
            high = x > high ? x : high;
            fault += x - x; /* 0, or NaN if x is not finite */
        }
        /* Halved, because the difference of two finite numbers can overflow. */
        double side = high * 0.5 - low * 0.5;
        if (side > most) {
            most = side;
            longest = d;
        }
    }
    return fault == 0 ? longest : -1;
}

static cleave_status name_fault(const clv_subset *set, cleave_error *err)
{
    int32_t bad = set->vertex[0];
    for (int32_t i = set->count; i-- > 0;)
        for (int d = 0; d < set->g->ndim; d++)
            if (!isfinite(point_of(set->g, set->vertex[i])[d]))
                bad = set->vertex[i];
    return clv_fail(err, CLEAVE_EINVAL, "a coordinate of vertex %ld is not finite", (long)bad);
}

static cleave_status coordinate_values(const void *data, const clv_subset *set, double *value,
                                       clv_context *ctx, cleave_error *err)
{
    (void)data;
    (void)ctx;
    if (set->g->ndim == 0)
        return clv_fail(err, CLEAVE_EINVAL,
                        "the graph has no coordinates, which coordinate bisection needs");
    int d = longest_side(set);
    if (d < 0)
        return name_fault(set, err);
    for (int32_t i = 0; i < set->count; i++)
        value[i] = point_of(set->g, set->vertex[i])[d];
    return CLEAVE_OK;
}

const clv_halving_source clv_source_coordinates = {coordinate_values, NULL, true};
