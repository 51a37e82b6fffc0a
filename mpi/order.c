/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/order.c - cleave_mpi_order: a linear order of the vertices of a distributed graph. */
#include "mpi/order.h"

#include "api/order_arguments.h"
#include "cleave/cleave_mpi.h"
#include "mpi/curve.h"
#include "mpi/dist_check.h"
#include "mpi/dist_levels.h"

/* ---- One rank --------------------------------------------------------------------------- */

static cleave_status order_whole(const clv_dist_graph *g, const cleave_order_options *opt,
                                 int64_t *place, cleave_error *err)
{
    clv_graph *whole;
    cleave_order *order = NULL;
    CLV_TRY(clv_dist_graph_gather(&whole, g, 0, err));
    cleave_status status = cleave_order_build(&order, whole, opt, err);
    for (int32_t p = 0; status == CLEAVE_OK && p < whole->nvtx; p++)
        place[cleave_order_view(order)[p]] = p;
    cleave_order_free(order);
    clv_graph_free(whole);
    return status;
}

/* ---- Levels ----------------------------------------------------------------------------- */

/* Own vertices with their levels as keys; CLEAVE_ECYCLE names a cycle. */
static cleave_status find_levels(const clv_dist_graph *g, clv_sort_item *items,
                                 cleave_error *err)
{
    bool cyclic = false;
    int32_t *level = clv_alloc(g->nlocal, sizeof *level);
    cleave_status status = clv_comm_agree_memory(&g->comm, level != NULL, err);
    if (status == CLEAVE_OK)
        status = clv_dist_levels(g, level, &cyclic, err);
    for (int32_t v = 0; status == CLEAVE_OK && v < g->nlocal; v++)
        items[v] = (clv_sort_item){level[v], {v}};
    clv_sys_free(level);
    if (status == CLEAVE_OK && cyclic)
        return clv_dist_check_cycles(g, err);
    return status;
}

/* Sorts by level, then by number. */
static cleave_status order_by_levels(const clv_dist_graph *g, int64_t *place,
                                     cleave_error *err)
{
    clv_dist_line line;
    clv_sort_item *items = clv_alloc(g->nlocal, sizeof *items);
    cleave_status status = clv_comm_agree_memory(&g->comm, items != NULL, err);
    if (status == CLEAVE_OK)
        status = find_levels(g, items, err);
    if (status != CLEAVE_OK) {
        clv_sys_free(items);
        return status;
    }
    CLV_TRY(clv_dist_line_make(&line, &g->comm, g->nlocal, items, err));
    status = clv_dist_line_places(&line, place, err);
    clv_dist_line_free(&line);
    return status;
}

/* ---- All -------------------------------------------------------------------------------- */

/* As on one machine; coordinates are checked when they are needed. */
static cleave_status choose_method(clv_line_method *method, const clv_dist_graph *g,
                                   cleave_effort effort, cleave_error *err)
{
    clv_graph like = {.kind = g->kind, .ndim = g->ndim};
    CLV_TRY(clv_line_method_choose(method, &like, effort, err));
    if (method->kind == CLV_LINE_HCI || method->kind == CLV_LINE_ZCI ||
        method->kind == CLV_LINE_MULTILEVEL || method->kind == CLV_LINE_TOPO)
        return CLEAVE_OK;
    return clv_fail(err, CLEAVE_EINVAL,
                    "method %s works on one rank alone; on several there are hci and zci by "
                    "coordinates, multilevel, and topo for DAGs",
                    method->name);
}

static cleave_status order_all(const clv_dist_graph *g, const clv_line_method *method,
                               const cleave_order_options *opt, int64_t *place,
                               cleave_error *err)
{
    switch (method->kind) {
    case CLV_LINE_HCI:
        return clv_dist_curve_order(g, CLV_CURVE_HILBERT, place, err);
    case CLV_LINE_ZCI:
        return clv_dist_curve_order(g, CLV_CURVE_MORTON, place, err);
    case CLV_LINE_TOPO:
        return order_by_levels(g, place, err);
    default:
        return clv_dist_multilevel_order(g, opt, place, err);
    }
}

cleave_status cleave_mpi_order(int64_t *place, const cleave_mpi_graph *g,
                               const cleave_order_options *opt, cleave_error *err)
{
    cleave_order_options given;
    clv_line_method method;
    if (!g)
        return clv_fail(err, CLEAVE_EINVAL, "the graph is NULL");
    cleave_status status = clv_order_arguments(&given, &method, opt, err);
    if (status == CLEAVE_OK && !place && g->nlocal > 0)
        status = clv_fail(err, CLEAVE_EINVAL, "place is NULL");
    if (status == CLEAVE_OK && g->comm.size > 1)
        status = choose_method(&method, g, given.effort, err);
    CLV_TRY(clv_comm_agree(&g->comm, status, err));
    if (g->comm.size == 1)
        return order_whole(g, &given, place, err);
    return order_all(g, &method, &given, place, err);
}
