/* SPDX-License-Identifier: Apache-2.0 */
/* evaluate/link_load.c - congestion: the load of the links of the machine when all messages
 * are sent at once along the routes of the machine (dimension by dimension in meshes, tori and
 * hypercubes, up and down in trees). */
#include "evaluate/traffic.h"

void clv_traffic_load_links(const clv_traffic *traffic, int64_t *load)
{
    const clv_target *t = traffic->t;
    int64_t a = 0;
    int32_t row = 0;
    clv_talk talk;
    while (clv_traffic_next(traffic, &row, &a, &talk))
        t->shape->route(t, talk.from, talk.to, talk.weight, load);
}

cleave_status clv_evaluate_link_load(const clv_traffic *traffic, clv_ws *ws, int64_t *largest,
                                     double *average, cleave_error *err)
{
    const clv_target *t = traffic->t;
    *largest = -1;
    *average = -1;
    if (t->links == 0 || !t->shape->route)
        return CLEAVE_OK;
    clv_ws_mark mark = clv_ws_save(ws);
    int64_t *load = clv_ws_zalloc(ws, t->links, sizeof *load);
    if (!load) {
        clv_ws_restore(ws, mark);
        return clv_fail_memory(err);
    }
    clv_traffic_load_links(traffic, load);
    double sum = 0; /* a sum of integers could exceed 2^63 */
    for (int64_t link = 0; link < t->links; link++) {
        *largest = load[link] > *largest ? load[link] : *largest;
        sum += (double)load[link];
    }
    *average = sum / (double)t->links;
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
