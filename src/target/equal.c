/* SPDX-License-Identifier: Apache-2.0 */
/* target/equal.c - PEs of any speeds, all at distance 1 from each other.
 *
 * A domain is the range of PEs a .. b.  Halves are as even as the speeds allow, so that the
 * halves of the work are. */
#include <stdio.h>

#include "target/pe_range.h"

/* The last PE of the first half: where the speeds before and behind differ least. */
static int32_t middle(const clv_target *t, clv_domain d)
{
    int32_t last = d.a + (d.b - d.a) / 2;
    if (t->equal)
        return last;
    double half = clv_pe_range_weight(t, d) / 2, sum = 0;
    for (last = d.a; last < d.b - 1; last++) {
        sum += t->speed[last];
        if (sum + t->speed[last + 1] / 2 >= half)
            break;
    }
    return last;
}

static bool bipartition(const clv_target *t, clv_domain d, clv_domain half[2])
{
    if (d.a == d.b)
        return false;
    clv_pe_range_cut(d, middle(t, d), half);
    return true;
}

static int64_t distance(const clv_target *t, clv_domain x, clv_domain y)
{
    (void)t;
    return x.a == y.a && x.b == y.b ? 0 : 2;
}

static int32_t between(const clv_target *t, int32_t p, int32_t q)
{
    (void)t;
    return p != q;
}

static void describe(const clv_target *t, char *text, size_t size)
{
    if (t->npes == 1)
        snprintf(text, size, "a single PE");
    else
        snprintf(text, size, t->equal ? "%ld equal PEs" : "%ld PEs of different speeds",
                 (long)t->npes);
}

const clv_shape clv_shape_equal = {.name = "equal",
                                   CLV_PE_RANGES,
                                   .bipartition = bipartition,
                                   .distance = distance,
                                   .between = between,
                                   .describe = describe};
