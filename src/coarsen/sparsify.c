/* SPDX-License-Identifier: Apache-2.0 */
/* coarsen/sparsify.c - threshold sampling of edges, see coarsen/sparsify.h. */
#include "coarsen/sparsify.h"

/* The smallest weight of a bin. */
static double weight_of(int bin)
{
    return bin < clv_sparsify_exact ? (double)bin
                                    : (double)(INT64_C(1) << (bin - clv_sparsify_exact));
}

static double expected_arcs(const clv_weight_histogram *histogram, double threshold)
{
    double arcs = 0;
    for (int bin = 0; bin < clv_sparsify_bins; bin++) {
        double share = weight_of(bin) / threshold;
        arcs += (double)histogram->count[bin] * (share < 1 ? share : 1);
    }
    return arcs;
}

/* Upper limit of thresholds: if all weights fit 31 bits, thresholds do. */
static int64_t largest_threshold(const clv_weight_histogram *histogram)
{
    for (int bin = clv_sparsify_exact + 31; bin < clv_sparsify_bins; bin++)
        if (histogram->count[bin] > 0)
            return INT64_C(1) << 61;
    return INT64_C(1) << 30;
}

int64_t clv_sparsify_threshold(const clv_weight_histogram *histogram, double most)
{
    int64_t low = 0, high = 1; /* low keeps too many, high does not */
    int64_t largest = largest_threshold(histogram);
    while (expected_arcs(histogram, (double)high) > most && high < largest) {
        low = high;
        high *= 2;
    }
    while (high - low > 1) {
        int64_t middle = (low + high) / 2;
        if (expected_arcs(histogram, (double)middle) > most)
            low = middle;
        else
            high = middle;
    }
    return high;
}
