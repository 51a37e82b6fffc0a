/* SPDX-License-Identifier: Apache-2.0 */
/* target/line_target.c - PEs on a path whose distance is any function of the number of steps
 * between them.  Internal to the engine, for orders (engine/order/multilevel_order.c).
 *
 * A domain is the range of PEs a .. b; the distance of two is that of their middles. */
#include <stdio.h>
#include <string.h>

#include "target/pe_range.h"

static bool bipartition(const clv_target *t, clv_domain d, clv_domain half[2])
{
    (void)t;
    if (d.a == d.b)
        return false;
    clv_pe_range_cut(d, d.a + (d.b - d.a) / 2, half);
    return true;
}

static int32_t between(const clv_target *t, int32_t p, int32_t q)
{
    const int32_t *cost = t->data;
    return cost[p > q ? p - q : q - p];
}

static int64_t distance(const clv_target *t, clv_domain x, clv_domain y)
{
    int32_t p = x.a + (x.b - x.a) / 2, q = y.a + (y.b - y.a) / 2;
    return 2 * (int64_t)between(t, p, q);
}

static void describe(const clv_target *t, char *text, size_t size)
{
    snprintf(text, size, "line of %ld", (long)t->npes);
}

static const clv_shape shape_line = {.name = "line",
                                     CLV_PE_RANGES,
                                     .bipartition = bipartition,
                                     .distance = distance,
                                     .between = between,
                                     .describe = describe};

cleave_status clv_target_line(clv_target **out, int32_t npes, const int32_t *cost,
                              cleave_error *err)
{
    clv_target *t = clv_target_open(&shape_line, npes);
    *out = NULL;
    int32_t *own = t ? clv_arena_alloc(&t->arena, npes, sizeof *own) : NULL;
    if (!own) {
        clv_target_free(t);
        return clv_fail_memory(err);
    }
    memcpy(own, cost, (size_t)npes * sizeof *own);
    t->data = own;
    *out = t;
    return CLEAVE_OK;
}
