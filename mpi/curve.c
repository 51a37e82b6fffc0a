/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/curve.c - see mpi/curve.h. */
#include "mpi/curve.h"

#include "engine/order/line_method.h"
#include "order/curve_frame.h"

static const char *name_of(clv_curve curve)
{
    return curve == CLV_CURVE_HILBERT ? "hci" : "zci";
}

/* The same messages as clv_coordinates_check, with global numbers. */
static cleave_status check_points(const clv_dist_graph *g, clv_curve curve, clv_curve_box *own,
                                  cleave_error *err)
{
    if (g->ndim == 0 && g->nglobal > 0) {
        clv_graph without = {.nvtx = 1};
        return clv_coordinates_check(&without, name_of(curve), err);
    }
    for (int d = 0; d < 3; d++) {
        own->low[d] = INFINITY;
        own->high[d] = -INFINITY;
    }
    own->bad = -1;
    if (g->nlocal > 0)
        *own = clv_curve_box_of(&(clv_curve_points){g->ndim, g->coords, 0, g->nlocal});
    cleave_status status = CLEAVE_OK;
    if (own->bad >= 0)
        status = clv_fail(err, CLEAVE_EINVAL,
                          "method %s needs coordinates, but those of vertex %lld are not "
                          "finite",
                          name_of(curve), (long long)clv_dist_global(g, (int32_t)own->bad));
    return clv_comm_agree(&g->comm, status, err);
}

static clv_curve_box box_of_all(const clv_dist_graph *g, const clv_curve_box *own)
{
    clv_curve_box all = {.bad = -1};
    MPI_Allreduce(own->low, all.low, 3, MPI_DOUBLE, MPI_MIN, g->comm.mpi);
    MPI_Allreduce(own->high, all.high, 3, MPI_DOUBLE, MPI_MAX, g->comm.mpi);
    return all;
}

static void find_keys(const clv_dist_graph *g, clv_curve curve, const clv_curve_box *box,
                      clv_curve_table *table, clv_sort_item *items)
{
    clv_curve_frame frame = clv_curve_frame_of(box, g->ndim);
    clv_curve_table_make(table, curve, g->ndim);
    const clv_curve_points points = {g->ndim, g->coords, 0, g->nlocal};
    clv_curve_keys(&frame, table, &points, items);
}

cleave_status clv_dist_curve_line(clv_dist_line *line, const clv_dist_graph *g,
                                  clv_curve curve, cleave_error *err)
{
    clv_curve_box own, all;
    CLV_TRY(check_points(g, curve, &own, err));
    all = box_of_all(g, &own);
    clv_curve_table *table = clv_alloc(1, sizeof *table);
    clv_sort_item *items = clv_alloc(g->nlocal, sizeof *items);
    cleave_status status = clv_comm_agree_memory(&g->comm, table && items, err);
    if (status == CLEAVE_OK && g->nglobal > 0)
        find_keys(g, curve, &all, table, items);
    clv_sys_free(table);
    if (status == CLEAVE_OK)
        return clv_dist_line_make(line, &g->comm, g->nlocal, items, err);
    clv_sys_free(items);
    return status;
}

cleave_status clv_dist_curve_order(const clv_dist_graph *g, clv_curve curve, int64_t *place,
                                   cleave_error *err)
{
    clv_dist_line line;
    CLV_TRY(clv_dist_curve_line(&line, g, curve, err));
    cleave_status status = clv_dist_line_places(&line, place, err);
    clv_dist_line_free(&line);
    return status;
}
