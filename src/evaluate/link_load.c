/* SPDX-License-Identifier: Apache-2.0 */
/* evaluate/link_load.c - congestion: the load of the links of the machine when all messages
 * are sent at once along the routes of the machine (dimension by dimension in meshes, tori and
 * hypercubes, up and down in trees). */
#include "evaluate/traffic.h"

enum { sparse_from = 8 }; /* links per entry of the list */

static void route_all(const clv_traffic *traffic, clv_link_loads *loads)
{
    const clv_target *t = traffic->t;
    int64_t a = 0;
    int32_t row = 0;
    clv_talk talk;
    while (clv_traffic_next(traffic, &row, &a, &talk))
        t->shape->route(t, talk.from, talk.to, talk.weight, loads);
}

void clv_traffic_load_links(const clv_traffic *traffic, int64_t *load)
{
    clv_link_loads loads = {.all = load};
    route_all(traffic, &loads);
}

/* The largest load; adds all to *sum, which is not an integer because it could exceed 2^63. */
static cleave_status measure_all(const clv_traffic *traffic, clv_ws *ws, int64_t *largest,
                                 double *sum, cleave_error *err)
{
    int64_t *load = clv_ws_zalloc(ws, traffic->t->links, sizeof *load);
    if (!load)
        return clv_fail_memory(err);
    clv_traffic_load_links(traffic, load);
    for (int64_t link = 0; link < traffic->t->links; link++) {
        *largest = load[link] > *largest ? load[link] : *largest;
        *sum += (double)load[link];
    }
    return CLEAVE_OK;
}

/* The same from a list of `count` loads of single links. */
static cleave_status measure_used(const clv_traffic *traffic, int64_t count, clv_ws *ws,
                                  int64_t *largest, double *sum, cleave_error *err)
{
    clv_link_loads loads = {.list = clv_ws_alloc(ws, count, sizeof *loads.list)};
    clv_sort_item *spare = clv_ws_alloc(ws, count, sizeof *spare);
    if (!loads.list || !spare)
        return clv_fail_memory(err);
    route_all(traffic, &loads);
    const clv_sort_item *item = clv_sort(loads.list, spare, count);
    int64_t load = 0;
    *largest = 0; /* most links are idle */
    for (int64_t i = 0; i < count; i++) {
        load = (i > 0 && item[i].key == item[i - 1].key ? load : 0) + item[i].with.index;
        *largest = load > *largest ? load : *largest;
        *sum += (double)item[i].with.index;
    }
    return CLEAVE_OK;
}

cleave_status clv_evaluate_link_load(const clv_traffic *traffic, clv_ws *ws, int64_t *largest,
                                     double *average, cleave_error *err)
{
    const clv_target *t = traffic->t;
    const clv_quotient *q = &traffic->q;
    clv_link_loads used = {0};
    double sum = 0;
    *largest = -1;
    *average = -1;
    if (t->links == 0 || !t->shape->route)
        return CLEAVE_OK;
    clv_ws_mark mark = clv_ws_save(ws);
    bool sparse = t->links / sparse_from > q->xadj[q->nparts];
    if (sparse)
        route_all(traffic, &used);
    cleave_status status = sparse && t->links / sparse_from > used.count
                               ? measure_used(traffic, used.count, ws, largest, &sum, err)
                               : measure_all(traffic, ws, largest, &sum, err);
    *average = sum / (double)t->links;
    clv_ws_restore(ws, mark);
    return status;
}
