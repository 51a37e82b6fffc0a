/* SPDX-License-Identifier: Apache-2.0 */
/* generate/geometric.c - random geometric graphs: points in the unit square or cube,
 * joined when they are no further apart than a radius.
 *
 * The radius follows from the mean degree through the exact probability that two random
 * points are that near, boundary included.  A grid of cells at least as wide as the radius
 * finds the neighbours in the cells around; points are numbered cell by cell, x fastest, so
 * that the cells of one row hold consecutive vertices.  O(N + edges). */
#include "base/rng.h"
#include "generate/assemble.h"
#include "generate/generate.h"
#include "generate/real.h"
#include "graph/rows.h"

enum { point_block = 4096, row_grain = 512 };

typedef struct geometric {
    int32_t nvtx;
    int ndim;
    uint64_t seed;
    double square_radius;
    int32_t cells;  /* per axis */
    int64_t ncell;  /* in all */
    double *points; /* as drawn */
    double *coords; /* as numbered */
    int32_t *first; /* by cell: its first vertex; ncell + 1 */
    clv_rows rows;
} geometric;

/* ---- Radius -------------------------------------------------------------------------- */

/* Probability that two random points of the unit square or cube are at most r <= 1 apart. */
static double near_probability(int ndim, double r)
{
    if (ndim == 2)
        return r * r * (CLV_PI + r * (-8.0 / 3 + r / 2));
    return r * r * r * (CLV_PI * 4 / 3 + r * (-CLV_PI * 3 / 2 + r * (8.0 / 5 - r / 6)));
}

static double radius_for(int ndim, double probability)
{
    double low = 0, high = 1;
    for (int i = 0; i < 100; i++) {
        double middle = 0.5 * (low + high);
        if (near_probability(ndim, middle) < probability)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* Cells a hair wider than the radius, so that rounding never puts neighbours two cells
 * apart; not many more cells than points. */
static void choose_cells(geometric *g, double radius)
{
    double most = 1 / (radius * (1 + 1e-9));
    int32_t cells = 1;
    while (cells + 1 <= most) {
        double wider = cells + 1.0;
        if ((g->ndim == 2 ? wider * wider : wider * wider * wider) > g->nvtx)
            break;
        cells++;
    }
    g->cells = cells;
    g->ncell = g->ndim == 2 ? (int64_t)cells * cells : (int64_t)cells * cells * cells;
}

/* ---- Points -------------------------------------------------------------------------- */

static void draw_points(void *context, int64_t begin, int64_t end, int member)
{
    const geometric *g = context;
    (void)member;
    for (int64_t block = begin; block < end; block++) {
        clv_rng rng = clv_rng_make(g->seed, CLV_STAGE_RGG, 0, (uint64_t)block);
        int64_t i = block * point_block * g->ndim, last = i + point_block * g->ndim;
        int64_t all = (int64_t)g->nvtx * g->ndim;
        for (; i < last && i < all; i++)
            g->points[i] = clv_rng_unit(&rng);
    }
}

static int32_t cell_on_axis(const geometric *g, double x)
{
    int32_t cell = (int32_t)(x * g->cells);
    return cell < g->cells ? cell : g->cells - 1;
}

static int64_t cell_of(const geometric *g, const double *point)
{
    int64_t cell = 0;
    for (int d = g->ndim - 1; d >= 0; d--)
        cell = cell * g->cells + cell_on_axis(g, point[d]);
    return cell;
}

/* Counting sort: first[cell + 1] runs from the first to behind the last of the cell. */
static void number_points(geometric *g)
{
    int32_t *count = g->first + 2;
    for (int64_t i = 0; i < g->nvtx; i++)
        count[cell_of(g, g->points + i * g->ndim)]++;
    for (int64_t cell = 0; cell < g->ncell; cell++)
        count[cell] += count[cell - 1];
    for (int64_t i = 0; i < g->nvtx; i++) {
        const double *point = g->points + i * g->ndim;
        int64_t v = g->first[cell_of(g, point) + 1]++;
        for (int d = 0; d < g->ndim; d++)
            g->coords[v * g->ndim + d] = point[d];
    }
}

/* ---- Edges --------------------------------------------------------------------------- */

/* Neighbours of v among the vertices begin..end-1 go to `to` unless it is NULL. */
static int64_t near_in_range(const geometric *g, int64_t v, int32_t begin, int32_t end,
                             int32_t *to)
{
    int64_t count = 0;
    const double *p = g->coords + v * g->ndim;
    for (int32_t u = begin; u < end; u++) {
        const double *q = g->coords + (int64_t)u * g->ndim;
        double dx = p[0] - q[0], dy = p[1] - q[1];
        double square = dx * dx + dy * dy;
        if (g->ndim == 3)
            square += (p[2] - q[2]) * (p[2] - q[2]);
        if (square <= g->square_radius && u != v) {
            if (to)
                to[count] = u;
            count++;
        }
    }
    return count;
}

static int64_t near_vertex(const geometric *g, int64_t v, int32_t *to)
{
    const double *p = g->coords + v * g->ndim;
    int32_t cell[3] = {0, 0, 0}, low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    for (int d = 0; d < g->ndim; d++) {
        cell[d] = cell_on_axis(g, p[d]);
        low[d] = cell[d] > 0 ? cell[d] - 1 : 0;
        high[d] = cell[d] < g->cells - 1 ? cell[d] + 1 : cell[d];
    }
    int64_t count = 0;
    for (int32_t z = low[2]; z <= high[2]; z++)
        for (int32_t y = low[1]; y <= high[1]; y++) {
            const int32_t *row = g->first + ((int64_t)z * g->cells + y) * g->cells;
            count +=
                near_in_range(g, v, row[low[0]], row[high[0] + 1], to ? to + count : NULL);
        }
    return count;
}

static void count_rows(void *context, int64_t begin, int64_t end, int member)
{
    const geometric *g = context;
    (void)member;
    for (int64_t v = begin; v < end; v++)
        g->rows.xadj[v] = near_vertex(g, v, NULL);
}

static void fill_rows(void *context, int64_t begin, int64_t end, int member)
{
    const geometric *g = context;
    (void)member;
    for (int64_t v = begin; v < end; v++)
        near_vertex(g, v, g->rows.adj + g->rows.xadj[v]);
}

/* ---- All together -------------------------------------------------------------------- */

static cleave_status join_points(geometric *g, clv_team *team, cleave_error *err)
{
    int64_t n = g->nvtx;
    g->points = clv_alloc(n * g->ndim, sizeof *g->points);
    g->coords = clv_alloc(n * g->ndim, sizeof *g->coords);
    g->first = clv_zalloc(g->ncell + 2, sizeof *g->first);
    g->rows.nvtx = g->nvtx;
    g->rows.xadj = clv_alloc(n + 1, sizeof *g->rows.xadj);
    if (!g->points || !g->coords || !g->first || !g->rows.xadj)
        return clv_fail_memory(err);
    clv_parallel_for(team, (n + point_block - 1) / point_block, 1, draw_points, g);
    number_points(g);
    clv_parallel_for(team, n, row_grain, count_rows, g);
    g->rows.xadj[n] = clv_prefix_sum(team, g->rows.xadj, n);
    g->rows.adj = clv_alloc(g->rows.xadj[n], sizeof *g->rows.adj);
    if (!g->rows.adj)
        return clv_fail_memory(err);
    clv_parallel_for(team, n, row_grain, fill_rows, g);
    return CLEAVE_OK;
}

static cleave_status read_geometric(geometric *g, clv_spec *spec, cleave_error *err)
{
    int64_t n;
    double degree;
    CLV_TRY(clv_spec_whole(spec, "N", CLV_MOST_VERTICES, &n, err));
    CLV_TRY(clv_spec_real(spec, "a MEAN_DEGREE", 0, 1e300, &degree, err));
    g->ndim = clv_spec_option(spec, "3") ? 3 : 2;
    if (g->ndim == 2)
        clv_spec_option(spec, "2");
    CLV_TRY(clv_spec_end(spec, err));
    g->nvtx = (int32_t)n;
    if (n > 1 && !(degree <= 0.9 * (double)(n - 1)))
        return clv_spec_fail(spec, "MEAN_DEGREE is more than 0.9 (N - 1)", err);
    CLV_TRY(clv_spec_edges(spec, n > 1 ? 0.5 * (double)n * degree : 0, err));
    double radius = n > 1 ? radius_for(g->ndim, degree / (double)(n - 1)) : 1;
    g->square_radius = n > 1 && degree > 0 ? radius * radius : -1;
    choose_cells(g, radius);
    return CLEAVE_OK;
}

cleave_status clv_generate_geometric(clv_graph **out, clv_spec *spec, const clv_making *how,
                                     cleave_error *err)
{
    geometric g = {.seed = how->seed};
    CLV_TRY(read_geometric(&g, spec, err));
    cleave_status status = join_points(&g, how->team, err);
    clv_sys_free(g.points);
    clv_sys_free(g.first);
    if (status != CLEAVE_OK) {
        clv_sys_free(g.coords);
        clv_rows_free(&g.rows);
        return status;
    }
    return clv_assemble(out, CLEAVE_UNDIRECTED, &g.rows, g.ndim, g.coords, err);
}
