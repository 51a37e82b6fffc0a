/* SPDX-License-Identifier: Apache-2.0 */
/* generate/grid.c - regular grids; x runs fastest, then y, then z.
 *
 * The narrow stencil (5 or 7 points) joins points that differ by one in one coordinate, the
 * wide one (9 or 27) points that differ by at most one in each.  Periodic grids close every
 * axis; an axis of length 2 then has one edge, not two, and an axis of length 1 none. */
#include "generate/grid.h"

#include "generate/assemble.h"
#include "generate/generate.h"

/* c and its neighbours on an axis of length n, ascending, without duplicates. */
static int neighbours_on_axis(int32_t c, int32_t n, bool periodic, int32_t to[3])
{
    int count = 0;
    if (periodic && c == n - 1 && c > 1)
        to[count++] = 0;
    if (c > 0)
        to[count++] = c - 1;
    to[count++] = c;
    if (c < n - 1)
        to[count++] = c + 1;
    if (periodic && c == 0 && n > 2)
        to[count++] = n - 1;
    return count;
}

/* The coordinates of v.  Division dominates the time of listing, and 32-bit division is
 * faster. */
static void coordinates_of(const clv_grid *g, int64_t v, int32_t at[3])
{
    if (g->nvtx <= CLV_MOST_VERTICES) {
        uint32_t rest = (uint32_t)v, x = (uint32_t)g->size[0], y = (uint32_t)g->size[1];
        at[0] = (int32_t)(rest % x);
        at[1] = (int32_t)(rest / x % y);
        at[2] = (int32_t)(rest / x / y);
        return;
    }
    at[0] = (int32_t)(v % g->size[0]);
    at[1] = (int32_t)(v / g->size[0] % g->size[1]);
    at[2] = (int32_t)(v / g->size[0] / g->size[1]);
}

/* Writes to one of the two arrays; the other is NULL. */
static CLV_ALWAYS_INLINE int list_neighbours(const clv_grid *g, int64_t v, int32_t *narrow,
                                             int64_t *wide)
{
    int32_t at[3], xs[3], ys[3], zs[3];
    coordinates_of(g, v, at);
    const int32_t x = at[0], y = at[1], z = at[2];
    int nx = neighbours_on_axis(x, g->size[0], g->periodic, xs);
    int ny = neighbours_on_axis(y, g->size[1], g->periodic, ys);
    int nz = neighbours_on_axis(z, g->size[2], g->periodic, zs);
    int count = 0;
    for (int k = 0; k < nz; k++)
        for (int j = 0; j < ny; j++) {
            int64_t row = ((int64_t)zs[k] * g->size[1] + ys[j]) * g->size[0];
            int away = (ys[j] != y) + (zs[k] != z);
            for (int i = 0; i < nx; i++) {
                int apart = away + (xs[i] != x);
                if (apart == 1 || (apart > 1 && g->wide)) {
                    if (narrow)
                        narrow[count++] = (int32_t)(row + xs[i]);
                    else
                        wide[count++] = row + xs[i];
                }
            }
        }
    return count;
}

int clv_grid_list(const clv_grid *g, int64_t v, int64_t *to)
{
    return list_neighbours(g, v, NULL, to);
}

void clv_grid_place(const clv_grid *g, int64_t v, double *coords)
{
    int32_t at[3];
    coordinates_of(g, v, at);
    for (int d = 0; d < g->ndim; d++)
        coords[d] = at[d];
}

cleave_status clv_grid_read(clv_grid *g, clv_spec *spec, int ndim, int64_t most,
                            cleave_error *err)
{
    int64_t size[3] = {1, 1, 1};
    int count;
    CLV_TRY(clv_spec_sizes(spec, ndim == 2 ? "WxH" : "XxYxZ", ndim, ndim, size, &count, err));
    *g = (clv_grid){.ndim = ndim, .wide = clv_spec_option(spec, ndim == 2 ? "9" : "27")};
    if (!g->wide)
        clv_spec_option(spec, ndim == 2 ? "5" : "7");
    g->periodic = clv_spec_option(spec, "periodic");
    CLV_TRY(clv_spec_end(spec, err));
    for (int d = 0; d < 3; d++)
        g->size[d] = (int32_t)size[d];
    return clv_spec_product(spec, size, 3, most, &g->nvtx, err);
}

/* ---- In one process --------------------------------------------------------------------- */

static int list_narrow(const void *context, int32_t v, int32_t *to)
{
    return list_neighbours(context, v, to, NULL);
}

typedef struct placing {
    const clv_grid *g;
    double *coords;
} placing;

static void place_vertices(void *context, int64_t begin, int64_t end, int member)
{
    const placing *p = context;
    (void)member;
    for (int64_t v = begin; v < end; v++)
        clv_grid_place(p->g, v, p->coords + v * p->g->ndim);
}

static cleave_status make_grid(clv_graph **out, clv_spec *spec, int ndim,
                               const clv_making *how, cleave_error *err)
{
    clv_grid g;
    clv_rows rows;
    CLV_TRY(clv_grid_read(&g, spec, ndim, CLV_MOST_VERTICES, err));
    CLV_TRY(clv_rows_listed(&rows, (int32_t)g.nvtx, list_narrow, &g, how->team, err));
    placing p = {&g, clv_alloc(g.nvtx * ndim, sizeof *p.coords)};
    if (!p.coords) {
        clv_rows_free(&rows);
        return clv_fail_memory(err);
    }
    clv_parallel_for(how->team, g.nvtx, 4096, place_vertices, &p);
    return clv_assemble(out, CLEAVE_UNDIRECTED, &rows, ndim, p.coords, err);
}

cleave_status clv_generate_grid2d(clv_graph **out, clv_spec *spec, const clv_making *how,
                                  cleave_error *err)
{
    return make_grid(out, spec, 2, how, err);
}

cleave_status clv_generate_grid3d(clv_graph **out, clv_spec *spec, const clv_making *how,
                                  cleave_error *err)
{
    return make_grid(out, spec, 3, how, err);
}
