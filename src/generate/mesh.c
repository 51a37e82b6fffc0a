/* SPDX-License-Identifier: Apache-2.0 */
/* generate/mesh.c - meshes of triangles and tetrahedra on jittered grid points.
 *
 * In two dimensions every cell of the grid is cut along its shorter diagonal; in three, into
 * the six tetrahedra of Kuhn, which share a diagonal of the cube.  Coordinates are moved by at
 * most 0.2 (0.15 in three dimensions): an edge of a cell is then a unit vector with errors
 * below 0.4 (0.3) per coordinate, three of them are a diagonally dominant matrix, and so no
 * triangle or tetrahedron is inverted. x runs fastest.
 *
 * The spiral is a strip of triangles, W across (running fastest) and L along, wound into an
 * Archimedean spiral whose turns do not touch: a long thin mesh that distinguishes methods
 * with a global view from methods without. */
#include "generate/assemble.h"
#include "generate/generate.h"
#include "generate/real.h"

#include "base/rng.h"

enum { jitter_block = 4096 };

typedef struct mesh {
    int32_t size[3];
    int ndim;
    int32_t nvtx;
    uint64_t seed;
    double *coords;
    bool choose; /* cut along the shorter diagonal; otherwise always the same one */
} mesh;

/* ---- Coordinates ------------------------------------------------------------------- */

static void jitter_blocks(void *context, int64_t begin, int64_t end, int member)
{
    const mesh *m = context;
    double width = m->ndim == 2 ? 0.4 : 0.3;
    (void)member;
    for (int64_t block = begin; block < end; block++) {
        clv_rng rng = clv_rng_make(m->seed, CLV_STAGE_MESH, 0, (uint64_t)block);
        int64_t last = (block + 1) * jitter_block;
        for (int64_t v = block * jitter_block; v < last && v < m->nvtx; v++) {
            int64_t rest = v;
            for (int d = 0; d < m->ndim; d++) {
                double at = (double)(rest % m->size[d]);
                m->coords[v * m->ndim + d] = at + width * (clv_rng_unit(&rng) - 0.5);
                rest /= m->size[d];
            }
        }
    }
}

static cleave_status place_jittered(mesh *m, clv_team *team, cleave_error *err)
{
    m->coords = clv_alloc((int64_t)m->nvtx * m->ndim, sizeof *m->coords);
    if (!m->coords)
        return clv_fail_memory(err);
    clv_parallel_for(team, ((int64_t)m->nvtx + jitter_block - 1) / jitter_block, 1,
                     jitter_blocks, m);
    return CLEAVE_OK;
}

/* From one row of vertices to the next, the middle of the strip advances by 1. */
static void wind_spiral(mesh *m)
{
    int32_t width = m->size[0];
    double inner = 0.5 * width, pitch = 1.25 * width, angle = 0;
    for (int64_t l = 0; l < m->size[1]; l++) {
        double sine, cosine;
        clv_real_sincos(angle, &sine, &cosine);
        for (int32_t w = 0; w < width; w++) {
            m->coords[2 * (l * width + w)] = (inner + w) * cosine;
            m->coords[2 * (l * width + w) + 1] = (inner + w) * sine;
        }
        double step = 1 / (inner + 0.5 * (width - 1));
        inner += pitch * step / (2 * CLV_PI);
        angle += step;
        if (angle >= 2 * CLV_PI)
            angle -= 2 * CLV_PI;
    }
}

/* ---- Triangles --------------------------------------------------------------------- */

static double square_distance(const mesh *m, int32_t u, int32_t v)
{
    double dx = m->coords[2 * (int64_t)u] - m->coords[2 * (int64_t)v];
    double dy = m->coords[2 * (int64_t)u + 1] - m->coords[2 * (int64_t)v + 1];
    return dx * dx + dy * dy;
}

/* Is the cell with lower left corner v cut along the diagonal that rises from v? */
static bool diagonal_rises(const mesh *m, int32_t v)
{
    if (!m->choose)
        return true;
    int32_t above = v + m->size[0];
    return square_distance(m, v, above + 1) <= square_distance(m, v + 1, above);
}

static int list_triangles(const void *context, int32_t v, int32_t *to)
{
    const mesh *m = context;
    int32_t width = m->size[0], x = v % width, y = v / width;
    bool left = x > 0, right = x < width - 1;
    int count = 0;
    if (y > 0) {
        if (left && diagonal_rises(m, v - width - 1))
            to[count++] = v - width - 1;
        to[count++] = v - width;
        if (right && !diagonal_rises(m, v - width))
            to[count++] = v - width + 1;
    }
    if (left)
        to[count++] = v - 1;
    if (right)
        to[count++] = v + 1;
    if (y < m->size[1] - 1) {
        if (left && !diagonal_rises(m, v - 1))
            to[count++] = v + width - 1;
        to[count++] = v + width;
        if (right && diagonal_rises(m, v))
            to[count++] = v + width + 1;
    }
    return count;
}

/* ---- Tetrahedra -------------------------------------------------------------------- */

/* Edges of Kuhn's tetrahedra: steps of 0 and 1, or of 0 and -1, in all coordinates. */
static int list_tetrahedra(const void *context, int32_t v, int32_t *to)
{
    const mesh *m = context;
    const int32_t *size = m->size;
    int32_t x = v % size[0], y = v / size[0] % size[1], z = v / size[0] / size[1];
    int count = 0;
    for (int sign = -1; sign <= 1; sign += 2)
        for (int i = 1; i < 8; i++) {
            int steps = sign < 0 ? 8 - i : i; /* ascending for both signs */
            int32_t a = x + sign * (steps & 1), b = y + sign * (steps >> 1 & 1);
            int32_t c = z + sign * (steps >> 2);
            if (a >= 0 && a < size[0] && b >= 0 && b < size[1] && c >= 0 && c < size[2])
                to[count++] = (c * size[1] + b) * size[0] + a;
        }
    return count;
}

/* ---- The kinds --------------------------------------------------------------------- */

/* Takes over m->coords. */
static cleave_status assemble_mesh(clv_graph **out, const mesh *m, clv_list_fn list,
                                   clv_team *team, cleave_error *err)
{
    clv_rows rows;
    cleave_status status = clv_rows_listed(&rows, m->nvtx, list, m, team, err);
    if (status != CLEAVE_OK) {
        clv_sys_free(m->coords);
        return status;
    }
    return clv_assemble(out, CLEAVE_UNDIRECTED, &rows, m->ndim, m->coords, err);
}

static cleave_status read_mesh(mesh *m, clv_spec *spec, const char *what, int ndim,
                               const clv_making *how, cleave_error *err)
{
    int64_t size[3] = {6, 200, 1};
    int count = 0;
    *m = (mesh){.ndim = ndim, .seed = how->seed};
    if (what) /* NULL: the sizes of the original publication of the spiral */
        CLV_TRY(clv_spec_sizes(spec, what, ndim, ndim, size, &count, err));
    CLV_TRY(clv_spec_end(spec, err));
    for (int d = 0; d < 3; d++)
        m->size[d] = (int32_t)size[d];
    return clv_spec_vertices(spec, size, 3, &m->nvtx, err);
}

cleave_status clv_generate_mesh2d(clv_graph **out, clv_spec *spec, const clv_making *how,
                                  cleave_error *err)
{
    mesh m;
    CLV_TRY(read_mesh(&m, spec, "WxH", 2, how, err));
    CLV_TRY(place_jittered(&m, how->team, err));
    m.choose = true;
    return assemble_mesh(out, &m, list_triangles, how->team, err);
}

cleave_status clv_generate_mesh3d(clv_graph **out, clv_spec *spec, const clv_making *how,
                                  cleave_error *err)
{
    mesh m;
    CLV_TRY(read_mesh(&m, spec, "XxYxZ", 3, how, err));
    CLV_TRY(place_jittered(&m, how->team, err));
    return assemble_mesh(out, &m, list_tetrahedra, how->team, err);
}

cleave_status clv_generate_spiral(clv_graph **out, clv_spec *spec, const clv_making *how,
                                  cleave_error *err)
{
    mesh m;
    CLV_TRY(read_mesh(&m, spec, clv_spec_more(spec) ? "WxL" : NULL, 2, how, err));
    m.coords = clv_alloc((int64_t)m.nvtx * 2, sizeof *m.coords);
    if (!m.coords)
        return clv_fail_memory(err);
    if (m.nvtx > 0)
        wind_spiral(&m);
    return assemble_mesh(out, &m, list_triangles, how->team, err);
}
