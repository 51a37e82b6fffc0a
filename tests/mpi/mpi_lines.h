/* SPDX-License-Identifier: Apache-2.0 */
/* tests/mpi/mpi_lines.h - random and degenerate points, and the gathered orders of all
 * ranks. */
#ifndef CLV_TESTS_MPI_LINES_H
#define CLV_TESTS_MPI_LINES_H

#include <math.h>

#include "cleave/cleave_mpi.h"
#include "mpi/mpi_samples.h"

/* By vertex of the whole, from what each rank has of it. */
static inline int64_t *gather_places(const clv_dist_graph *g, const int64_t *own)
{
    int64_t *all = sample_room(g->nglobal, sizeof *all);
    for (int32_t v = 0; v < g->nlocal; v++)
        all[clv_dist_global(g, v)] = own[v];
    clv_comm_sum_all(&g->comm, all, g->nglobal);
    return all;
}

static inline cleave_order_options options_for(const char *method)
{
    cleave_order_options opt;
    cleave_order_options_init(&opt, sizeof opt);
    opt.method = method;
    opt.threads = 1;
    return opt;
}

/* Vertex by place; NULL: not every place was there once. */
static inline int32_t *invert(const int64_t *place, int32_t n)
{
    int32_t *vertex = sample_room(n, sizeof *vertex);
    for (int32_t p = 0; p < n; p++)
        vertex[p] = -1;
    for (int32_t v = 0; v < n; v++)
        if (place[v] >= 0 && place[v] < n)
            vertex[place[v]] = v;
    for (int32_t p = 0; p < n; p++)
        if (vertex[p] < 0) {
            free(vertex);
            return NULL;
        }
    return vertex;
}

/* By place, on all ranks; NULL: it is no order. */
static inline int32_t *order_all(const sample *s, const cleave_order_options *opt)
{
    cleave_error err = {0};
    int64_t *own = sample_room(s->g->nlocal, sizeof *own);
    int32_t *vertex = NULL;
    cleave_status status = cleave_mpi_order(own, s->g, opt, &err);
    CHECK_OK(status);
    if (status == CLEAVE_OK) {
        int64_t *all = gather_places(s->g, own);
        vertex = invert(all, (int32_t)s->g->nglobal);
        free(all);
        CHECK(vertex != NULL);
    }
    free(own);
    return vertex;
}

/* ---- Points ----------------------------------------------------------------------------- */

enum { SHAPE_RANDOM, SHAPE_SAME, SHAPE_STRAIGHT, SHAPE_THIN, SHAPE_CELLS, SHAPES };

/* The graph has coordinates of its own by now. */
static inline void reshape(double *coords, int32_t n, int32_t ndim, int shape)
{
    for (int64_t i = 0; i < (int64_t)n * ndim; i++) {
        int64_t axis = i % ndim;
        if (shape == SHAPE_SAME)
            coords[i] = 3.5;
        if (shape == SHAPE_STRAIGHT && axis > 0)
            coords[i] = -1;
        if (shape == SHAPE_THIN && axis > 0)
            coords[i] *= 1e-3;
        if (shape == SHAPE_CELLS)
            coords[i] = floor(coords[i] * 4);
    }
}

static inline sample points(const clv_comm *comm, int32_t n, int32_t ndim, int shape,
                            int spread, bool weighted)
{
    sample_spec spec = {CLEAVE_UNDIRECTED, n, 1, weighted, 1, ndim, 9};
    cleave_graph *whole = sample_whole(&spec, (uint64_t)(n + shape));
    reshape((double *)whole->coords, n, ndim, shape);
    return sample_deal(comm, whole, spread, (uint64_t)(n * 7 + spread));
}

#endif
