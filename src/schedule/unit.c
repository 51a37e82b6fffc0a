/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/unit.c - scaling of weights and costs by their greatest common divisor.
 *
 * A schedule must not depend on whether work is in milliseconds or in seconds.  Budgets,
 * rounded costs and ties do depend on the size of the numbers; all methods therefore work in
 * the largest unit of which every vertex weight and the cost of a layer are multiples.  A
 * fractional cost of a layer is included if it is a multiple of 2^-fraction_bits; others are
 * divided, not rounded. */
#include "schedule/schedulers.h"

enum { fraction_bits = 10 };

/* The smallest power of two that makes sync an integer; 0: none does. */
static int64_t whole_by(double sync)
{
    const double most = 9007199254740992.0 / (1 << fraction_bits); /* exact in a double */
    for (int64_t times = 1; sync < most && times <= 1 << fraction_bits; times *= 2)
        if ((double)(int64_t)(sync * (double)times) == sync * (double)times)
            return times;
    return 0;
}

/* The greatest common divisor of all weights times `times` and, if not 0, of the cost of a
 * layer. */
static int64_t divisor_of_all(const clv_graph *g, int64_t layer, int64_t times,
                              int64_t *heaviest)
{
    int64_t divisor = layer;
    *heaviest = 0;
    for (int32_t v = 0; v < g->nvtx; v++) {
        int64_t weight = clv_graph_vwgt(g, v, 0) * times;
        *heaviest = weight > *heaviest ? weight : *heaviest;
        if (divisor != 1)
            divisor = clv_common_divisor(weight, divisor);
    }
    return divisor > 0 ? divisor : 1;
}

clv_schedule_unit clv_schedule_unit_of(const clv_graph *g, double sync)
{
    int64_t times = whole_by(sync), heaviest = 0;
    clv_schedule_unit unit = {.times = 1};
    if (times > 0) {
        unit.times = times;
        unit.divisor = divisor_of_all(g, (int64_t)(sync * (double)times), times, &heaviest);
    }
    if (times == 0 || heaviest / unit.divisor > INT32_MAX) {
        unit.times = 1;
        unit.divisor = divisor_of_all(g, 0, 1, &heaviest);
    }
    return unit;
}

double clv_schedule_unit_cost(clv_schedule_unit unit, double cost)
{
    return cost * (double)unit.times / (double)unit.divisor;
}

cleave_status clv_schedule_unit_graph(clv_graph *view, const clv_graph *g,
                                      clv_schedule_unit unit, clv_ws *ws, cleave_error *err)
{
    *view = *g;
    if (unit.times == unit.divisor)
        return CLEAVE_OK;
    int32_t *vwgt = clv_ws_alloc(ws, g->nvtx, sizeof *vwgt);
    if (!vwgt)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < g->nvtx; v++)
        vwgt[v] = (int32_t)(clv_graph_vwgt(g, v, 0) * unit.times / unit.divisor);
    view->vwgt = vwgt;
    return CLEAVE_OK;
}
