/* SPDX-License-Identifier: Apache-2.0 */
/* generate/grid.c - regular grids; x runs fastest, then y, then z.
 *
 * The narrow stencil (5 or 7 points) joins points that differ by one in one coordinate, the
 * wide one (9 or 27) by at most one in each.  Periodic grids close every axis; an axis of
 * length 2 then has one edge, not two, and an axis of length 1 none. */
#include "generate/assemble.h"
#include "generate/generate.h"

typedef struct grid {
    int32_t size[3];
    bool wide, periodic;
} grid;

/* c and its neighbours on an axis of length n, ascending and without repetition. */
static int near(int32_t c, int32_t n, bool periodic, int32_t to[3])
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

static int list_grid(const void *context, int32_t v, int32_t *to)
{
    const grid *g = context;
    int32_t x = v % g->size[0], y = v / g->size[0] % g->size[1];
    int32_t z = v / g->size[0] / g->size[1];
    int32_t xs[3], ys[3], zs[3];
    int nx = near(x, g->size[0], g->periodic, xs);
    int ny = near(y, g->size[1], g->periodic, ys);
    int nz = near(z, g->size[2], g->periodic, zs);
    int count = 0;
    for (int k = 0; k < nz; k++)
        for (int j = 0; j < ny; j++)
            for (int i = 0; i < nx; i++) {
                int apart = (xs[i] != x) + (ys[j] != y) + (zs[k] != z);
                if (apart == 1 || (apart > 1 && g->wide))
                    to[count++] = (zs[k] * g->size[1] + ys[j]) * g->size[0] + xs[i];
            }
    return count;
}

typedef struct placing {
    const grid *g;
    int ndim;
    double *coords;
} placing;

static void place(void *context, int64_t begin, int64_t end, int member)
{
    const placing *p = context;
    (void)member;
    for (int64_t v = begin; v < end; v++) {
        int64_t rest = v;
        for (int d = 0; d < p->ndim; d++) {
            p->coords[v * p->ndim + d] = (double)(rest % p->g->size[d]);
            rest /= p->g->size[d];
        }
    }
}

static cleave_status make_grid(clv_graph **out, clv_spec *spec, int ndim, const char *narrow,
                               const char *wide, const clv_making *how, cleave_error *err)
{
    int64_t size[3] = {1, 1, 1};
    int count;
    int32_t nvtx;
    CLV_TRY(clv_spec_sizes(spec, ndim == 2 ? "WxH" : "XxYxZ", ndim, ndim, size, &count, err));
    grid g = {.wide = clv_spec_option(spec, wide)};
    if (!g.wide)
        clv_spec_option(spec, narrow);
    g.periodic = clv_spec_option(spec, "periodic");
    CLV_TRY(clv_spec_end(spec, err));
    CLV_TRY(clv_spec_vertices(spec, size, 3, &nvtx, err));
    for (int d = 0; d < 3; d++)
        g.size[d] = (int32_t)size[d];
    clv_rows rows;
    CLV_TRY(clv_rows_listed(&rows, nvtx, list_grid, &g, how->team, err));
    placing p = {&g, ndim, clv_alloc((int64_t)nvtx * ndim, sizeof *p.coords)};
    if (!p.coords) {
        clv_rows_free(&rows);
        return clv_fail_memory(err);
    }
    clv_parallel_for(how->team, nvtx, 4096, place, &p);
    return clv_assemble(out, CLEAVE_UNDIRECTED, &rows, ndim, p.coords, err);
}

cleave_status clv_generate_grid2d(clv_graph **out, clv_spec *spec, const clv_making *how,
                                  cleave_error *err)
{
    return make_grid(out, spec, 2, "5", "9", how, err);
}

cleave_status clv_generate_grid3d(clv_graph **out, clv_spec *spec, const clv_making *how,
                                  cleave_error *err)
{
    return make_grid(out, spec, 3, "7", "27", how, err);
}
