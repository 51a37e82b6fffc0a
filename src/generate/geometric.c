/* SPDX-License-Identifier: Apache-2.0 */
/* generate/geometric.c - random geometric graphs: points in the unit square or cube, joined if
 * their distance is at most a radius.
 *
 * The radius follows from the mean degree through the exact probability that two random points
 * are that close, boundary included.  With a grid of cells at least as wide as the radius, all
 * neighbours are in adjacent cells; points are numbered cell by cell, x fastest, so that the
 * cells of one row have consecutive vertices.  O(N + edges). */
#include "generate/geometric.h"

#include "base/group.h"
#include "base/rng.h"
#include "generate/assemble.h"
#include "generate/generate.h"
#include "generate/real.h"
#include "graph/rows.h"

enum { row_grain = 512 };

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

/* Cells are slightly wider than the radius, so that rounding never puts neighbours two cells
 * apart; there are not many more cells than points. */
static void choose_cells(clv_geometric *g, double radius)
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

cleave_status clv_geometric_read(clv_geometric *g, clv_spec *spec, cleave_error *err)
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

/* ---- Points -------------------------------------------------------------------------- */

int32_t clv_geometric_draw(const clv_geometric *g, int64_t block, double *to)
{
    clv_rng rng = clv_rng_make(g->seed, CLV_STAGE_RGG, 0, (uint64_t)block);
    int64_t left = g->nvtx - block * CLV_POINT_BLOCK;
    int32_t count = left < CLV_POINT_BLOCK ? (int32_t)left : CLV_POINT_BLOCK;
    for (int32_t i = 0; i < count * g->ndim; i++)
        to[i] = clv_rng_unit(&rng);
    return count;
}

static int32_t cell_on_axis(const clv_geometric *g, double x)
{
    int32_t cell = (int32_t)(x * g->cells);
    return cell < g->cells ? cell : g->cells - 1;
}

int64_t clv_geometric_cell(const clv_geometric *g, const double *point)
{
    int64_t cell = 0;
    for (int d = g->ndim - 1; d >= 0; d--)
        cell = cell * g->cells + cell_on_axis(g, point[d]);
    return cell;
}

/* Counting sort: first[cell + 1] advances from the start to the end of the cell. */
void clv_geometric_number(const clv_geometric_window *w, const double *points, int64_t n)
{
    int32_t *count = w->first + 2;
    int ndim = w->g->ndim;
    for (int64_t i = 0; i < n; i++)
        count[clv_geometric_cell(w->g, points + i * ndim) - w->cell]++;
    clv_running_sums32(w->first + 1, w->ncell);
    for (int64_t i = 0; i < n; i++) {
        const double *point = points + i * ndim;
        int64_t v = w->first[clv_geometric_cell(w->g, point) - w->cell + 1]++;
        for (int d = 0; d < ndim; d++)
            w->coords[v * ndim + d] = point[d];
    }
}

/* ---- Edges --------------------------------------------------------------------------- */

/* Writes the neighbours of v among the vertices begin..end-1 to `to`, unless that is NULL, and
 * returns their number. */
static int64_t near_in_range(const clv_geometric_window *w, int64_t v, int32_t begin,
                             int32_t end, int32_t *to)
{
    const clv_geometric *g = w->g;
    int64_t count = 0;
    const double *p = w->coords + v * g->ndim;
    for (int32_t u = begin; u < end; u++) {
        const double *q = w->coords + (int64_t)u * g->ndim;
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

int64_t clv_geometric_near(const clv_geometric_window *w, int64_t v, int32_t *to)
{
    const clv_geometric *g = w->g;
    const double *p = w->coords + v * g->ndim;
    int32_t low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    for (int d = 0; d < g->ndim; d++) {
        int32_t cell = cell_on_axis(g, p[d]);
        low[d] = cell > 0 ? cell - 1 : 0;
        high[d] = cell < g->cells - 1 ? cell + 1 : cell;
    }
    int64_t count = 0;
    for (int32_t z = low[2]; z <= high[2]; z++)
        for (int32_t y = low[1]; y <= high[1]; y++) {
            const int32_t *row = w->first + (((int64_t)z * g->cells + y) * g->cells - w->cell);
            count +=
                near_in_range(w, v, row[low[0]], row[high[0] + 1], to ? to + count : NULL);
        }
    return count;
}

/* ---- In one process ------------------------------------------------------------------- */

typedef struct joining {
    clv_geometric_window all;
    double *points; /* as drawn */
    clv_rows rows;
} joining;

static void draw_blocks(void *context, int64_t begin, int64_t end, int member)
{
    const joining *j = context;
    (void)member;
    for (int64_t block = begin; block < end; block++)
        clv_geometric_draw(j->all.g, block,
                           j->points + block * CLV_POINT_BLOCK * j->all.g->ndim);
}

static void count_rows(void *context, int64_t begin, int64_t end, int member)
{
    const joining *j = context;
    (void)member;
    for (int64_t v = begin; v < end; v++)
        j->rows.xadj[v] = clv_geometric_near(&j->all, v, NULL);
}

static void fill_rows(void *context, int64_t begin, int64_t end, int member)
{
    const joining *j = context;
    (void)member;
    for (int64_t v = begin; v < end; v++)
        clv_geometric_near(&j->all, v, j->rows.adj + j->rows.xadj[v]);
}

static cleave_status join_points(joining *j, clv_team *team, cleave_error *err)
{
    const clv_geometric *g = j->all.g;
    int64_t n = g->nvtx;
    j->points = clv_alloc(n * g->ndim, sizeof *j->points);
    j->all.coords = clv_alloc(n * g->ndim, sizeof *j->all.coords);
    j->all.first = clv_zalloc(g->ncell + 2, sizeof *j->all.first);
    j->rows.nvtx = g->nvtx;
    j->rows.xadj = clv_alloc(n + 1, sizeof *j->rows.xadj);
    if (!j->points || !j->all.coords || !j->all.first || !j->rows.xadj)
        return clv_fail_memory(err);
    clv_parallel_for(team, clv_geometric_blocks(g), 1, draw_blocks, j);
    clv_geometric_number(&j->all, j->points, n);
    clv_parallel_for(team, n, row_grain, count_rows, j);
    j->rows.xadj[n] = clv_prefix_sum(team, j->rows.xadj, n);
    j->rows.adj = clv_alloc(j->rows.xadj[n], sizeof *j->rows.adj);
    if (!j->rows.adj)
        return clv_fail_memory(err);
    clv_parallel_for(team, n, row_grain, fill_rows, j);
    return CLEAVE_OK;
}

cleave_status clv_generate_geometric(clv_graph **out, clv_spec *spec, const clv_making *how,
                                     cleave_error *err)
{
    clv_geometric g = {.seed = how->seed};
    CLV_TRY(clv_geometric_read(&g, spec, err));
    joining j = {.all = {.g = &g, .ncell = g.ncell}};
    cleave_status status = join_points(&j, how->team, err);
    clv_sys_free(j.points);
    clv_sys_free(j.all.first);
    if (status != CLEAVE_OK) {
        clv_sys_free(j.all.coords);
        clv_rows_free(&j.rows);
        return status;
    }
    return clv_assemble(out, CLEAVE_UNDIRECTED, &j.rows, g.ndim, j.all.coords, err);
}
