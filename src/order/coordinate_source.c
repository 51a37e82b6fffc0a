/* SPDX-License-Identifier: Apache-2.0 */
/* order/coordinate_source.c - recursive coordinate bisection: a set of points is cut across
 * the longest side of its bounding box.
 *
 * Source: Williams 1991; Kaddoura, Ou, Ranka 1995. */
#include <math.h>

#include "order/halving.h"

static int longest_side(const clv_graph *g, int32_t count, const int32_t *vertex)
{
    int longest = 0;
    double most = -1;
    for (int d = 0; d < g->ndim; d++) {
        double low = g->coords[(int64_t)vertex[0] * g->ndim + d], high = low;
        for (int32_t i = 1; i < count; i++) {
            double x = g->coords[(int64_t)vertex[i] * g->ndim + d];
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        /* Halves, because the difference of two finite numbers need not be finite. */
        double side = high * 0.5 - low * 0.5;
        if (side > most) {
            most = side;
            longest = d;
        }
    }
    return longest;
}

static cleave_status check_finite(const clv_graph *g, int32_t count, const int32_t *vertex,
                                  cleave_error *err)
{
    for (int32_t i = 0; i < count; i++)
        for (int d = 0; d < g->ndim; d++)
            if (!isfinite(g->coords[(int64_t)vertex[i] * g->ndim + d]))
                return clv_fail(err, CLEAVE_EINVAL, "a coordinate of vertex %ld is not finite",
                                (long)vertex[i]);
    return CLEAVE_OK;
}

static cleave_status coordinate_values(const void *data, const clv_graph *g, int32_t count,
                                       const int32_t *vertex, double *value, clv_context *ctx,
                                       cleave_error *err)
{
    (void)data;
    (void)ctx;
    if (g->ndim == 0)
        return clv_fail(err, CLEAVE_EINVAL,
                        "the graph has no coordinates, which coordinate bisection needs");
    CLV_TRY(check_finite(g, count, vertex, err));
    int d = longest_side(g, count, vertex);
    for (int32_t i = 0; i < count; i++)
        value[i] = g->coords[(int64_t)vertex[i] * g->ndim + d];
    return CLEAVE_OK;
}

const clv_halving_source clv_source_coordinates = {coordinate_values, NULL};
