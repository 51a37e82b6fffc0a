/* SPDX-License-Identifier: Apache-2.0 */
/* target/mesh_floorplan.c - drawings of meshes and tori: a ring as a circle, two dimensions in
 * the plane, three in space, more as nested meshes, odd dimensions to the right, even ones
 * down.
 *
 * Wraparound links leave on one side and enter on the other: they have two loose ends. */
#include <math.h>

#include "target/floorplan.h"

static const double tau = 6.283185307179586;
static const double loose = 0.62, gap = 1.2, bulge = 0.3;

typedef struct mesh_drawing {
    clv_floorplan *f;
    const clv_floorplan_grid *g;
    double step[32][3]; /* from a PE to the next along each dimension of the mesh */
} mesh_drawing;

static bool is_ring(const clv_floorplan_grid *g)
{
    return g->sides == 1 && g->wraps[0];
}

static void find_steps(mesh_drawing *m)
{
    const clv_floorplan_grid *g = m->g;
    double next[3] = {1, 1, 1};
    for (int32_t i = 0; i < g->sides; i++) {
        int axis = i % m->f->ndim;
        for (int d = 0; d < 3; d++)
            m->step[i][d] = d == axis ? next[axis] : 0;
        next[axis] = next[axis] * (g->side[i] - 1) + (next[axis] > 1 ? gap : 0) + 1 + gap / 2;
    }
}

static void put_pes(const mesh_drawing *m)
{
    clv_floorplan *f = m->f;
    const clv_floorplan_grid *g = m->g;
    for (int32_t p = 0; p < f->npes; p++) {
        double *at = f->position + (int64_t)f->ndim * p;
        if (is_ring(g)) {
            double angle = tau * p / f->npes, radius = 0.5 / sin(tau / 2 / f->npes);
            at[0] = radius * sin(angle);
            at[1] = -radius * cos(angle);
            continue;
        }
        for (int32_t i = 0; i < g->sides; i++)
            for (int d = 0; d < f->ndim; d++)
                at[d] += p / g->stride[i] % g->side[i] * m->step[i][d];
    }
}

/* A loose end next to a place, or the top of an arc between two places; returns its number. */
static int32_t put_between(clv_floorplan *f, int32_t p, int32_t q, const double *off,
                           double share)
{
    int32_t place = f->nplaces++;
    for (int d = 0; d < f->ndim; d++)
        f->position[(int64_t)f->ndim * place + d] =
            (1 - share) * f->position[(int64_t)f->ndim * p + d] +
            share * f->position[(int64_t)f->ndim * q + d] + off[d];
    return place;
}

static void put_line(clv_floorplan *f, int32_t from, int32_t to, int64_t link)
{
    f->line[f->nlines++] = (clv_floorplan_line){from, to, link};
}

/* The link of dimension i from PE p to its successor q. */
static void put_link(const mesh_drawing *m, int32_t i, int32_t p, int32_t q, int64_t link)
{
    clv_floorplan *f = m->f;
    bool round = q < p && !is_ring(m->g);
    double out[3], back[3], side[3] = {0, 0, 0};
    int axis = i % f->ndim;
    for (int d = 0; d < 3; d++) {
        out[d] = m->step[i][d] > 0 ? loose : 0;
        back[d] = -out[d];
    }
    if (round) {
        put_line(f, p, put_between(f, p, p, out, 0), link);
        put_line(f, q, put_between(f, q, q, back, 0), link);
    } else if (i >= f->ndim) { /* around the PEs between the two */
        side[1 - axis] = axis == 0 ? -bulge * (1 + i / 2) : bulge * (1 + i / 2);
        int32_t top = put_between(f, p, q, side, 0.5);
        put_line(f, p, top, link);
        put_line(f, top, q, link);
    } else {
        put_line(f, p, q, link);
    }
}

cleave_status clv_floorplan_mesh(clv_floorplan *f, const clv_floorplan_grid *g,
                                 clv_arena *arena, cleave_error *err)
{
    mesh_drawing m = {.f = f, .g = g};
    int ndim = g->sides == 3 ? 3 : 2;
    int64_t most = 2 * (int64_t)f->npes * (g->sides + 1);
    CLV_TRY(clv_floorplan_room(f, ndim, f->npes + most, most, arena, err));
    f->nplaces = f->npes;
    f->nlines = 0;
    find_steps(&m);
    put_pes(&m);
    for (int32_t i = 0; i < g->sides; i++) {
        int32_t side = g->side[i], stride = g->stride[i];
        for (int32_t p = 0; p < f->npes; p++) {
            int32_t c = p / stride % side;
            int64_t edges = side - !g->wraps[i];
            if (c + 1 == side && !g->wraps[i])
                continue;
            int64_t link = g->link[i] + p % stride +
                           (int64_t)(p / stride / side) * stride * edges + (int64_t)c * stride;
            put_link(&m, i, p, c + 1 == side ? p - c * stride : p + stride, link);
        }
    }
    return CLEAVE_OK;
}
