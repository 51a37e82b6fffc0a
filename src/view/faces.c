/* SPDX-License-Identifier: Apache-2.0 */
/* view/faces.c - the faces of a straight-line drawing, by its rotation system. */
#include "view/faces.h"

#include "graph/topology.h"

enum { most_corners = 12, most_degree = 100 };

typedef struct walk {
    const clv_graph *g;
    const double *position;
    int32_t *around; /* per row: neighbours, counter-clockwise */
    bool *seen;      /* by index in `around`: the face to the left of this arc is known */
} walk;

/* ---- Around a vertex -------------------------------------------------------------------- */

/* Is direction a before b, counter-clockwise from the positive x axis?  Compares the half
 * planes, then the sign of the cross product, without angles. */
static bool is_before(const double *from, const double *a, const double *b)
{
    double ax = a[0] - from[0], ay = a[1] - from[1], bx = b[0] - from[0], by = b[1] - from[1];
    bool lower_a = ay < 0 || (ay == 0 && ax < 0), lower_b = by < 0 || (by == 0 && bx < 0);
    if (lower_a != lower_b)
        return lower_b;
    return ax * by - ay * bx > 0;
}

static void sort_row(walk *w, int32_t v)
{
    const clv_graph *g = w->g;
    int32_t *row = w->around + g->xadj[v];
    int64_t degree = g->xadj[v + 1] - g->xadj[v];
    const double *x = w->position;
    for (int64_t i = 0; i < degree; i++) {
        int32_t u = g->adj[g->xadj[v] + i];
        int64_t at = i;
        for (; at > 0 &&
               is_before(x + 2 * (int64_t)v, x + 2 * (int64_t)u, x + 2 * (int64_t)row[at - 1]);
             at--)
            row[at] = row[at - 1];
        row[at] = u;
    }
}

/* The arc after u -> v along the face to its left: at v, the one before v -> u. */
static int64_t next_arc(const walk *w, int32_t u, int32_t v)
{
    int64_t from = w->g->xadj[v], to = w->g->xadj[v + 1], at = from;
    while (w->around[at] != u)
        at++;
    return at == from ? to - 1 : at - 1;
}

/* ---- Faces ------------------------------------------------------------------------------ */

static double area(const walk *w, int count, const int32_t *corner)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        const double *a = w->position + 2 * (int64_t)corner[i];
        const double *b = w->position + 2 * (int64_t)corner[(i + 1) % count];
        sum += a[0] * b[1] - a[1] * b[0];
    }
    return sum;
}

/* Follows the face from an arc; corner gets the first most_corners corners.  Returns their
 * total number. */
static int64_t follow_face(walk *w, int32_t u, int64_t arc, int32_t *corner)
{
    int64_t count = 0;
    while (!w->seen[arc]) {
        w->seen[arc] = true;
        if (count < most_corners)
            corner[count] = u;
        count++;
        int32_t v = w->around[arc];
        arc = next_arc(w, u, v);
        u = v;
    }
    return count;
}

static int64_t collect(walk *w, clv_faces *faces)
{
    int32_t corner[most_corners];
    int64_t all = 0;
    faces->count = faces->offset[0] = 0;
    for (int32_t u = 0; u < w->g->nvtx; u++)
        for (int64_t a = w->g->xadj[u]; a < w->g->xadj[u + 1]; a++) {
            if (w->seen[a])
                continue;
            int64_t count = follow_face(w, u, a, corner), at = faces->offset[faces->count];
            all++;
            if (count < 3 || count > most_corners || !(area(w, (int)count, corner) > 0))
                continue;
            for (int64_t i = 0; i < count; i++)
                faces->corner[at + i] = corner[i];
            faces->offset[++faces->count] = at + count;
        }
    return all;
}

/* Checks Euler's formula for each component: vertices - edges + faces = 2. */
static cleave_status check_euler(const clv_graph *g, int64_t nfaces, clv_ws *ws, bool *planar,
                                 cleave_error *err)
{
    int32_t pieces;
    int64_t lonely = 0;
    int32_t *component = clv_ws_alloc(ws, g->nvtx, sizeof *component);
    if (!component)
        return clv_fail_memory(err);
    CLV_TRY(clv_topology_components(g, ws, component, &pieces, err));
    for (int32_t v = 0; v < g->nvtx; v++)
        lonely += g->xadj[v] == g->xadj[v + 1];
    *planar = g->nvtx - lonely - g->narc / 2 + nfaces == 2 * (pieces - lonely);
    return CLEAVE_OK;
}

static bool plausible(const clv_graph *g)
{
    if (g->kind != CLEAVE_UNDIRECTED || g->narc / 2 > 3 * (int64_t)g->nvtx || g->nvtx < 3)
        return false;
    for (int32_t v = 0; v < g->nvtx; v++)
        if (g->xadj[v + 1] - g->xadj[v] > most_degree)
            return false;
    return true;
}

cleave_status clv_faces_find(clv_faces *faces, const clv_graph *g, const double *position,
                             clv_arena *arena, clv_ws *ws, cleave_error *err)
{
    *faces = (clv_faces){0};
    if (!plausible(g))
        return CLEAVE_OK;
    clv_ws_mark mark = clv_ws_save(ws);
    walk w = {.g = g, .position = position};
    w.around = clv_ws_alloc(ws, g->narc, sizeof *w.around);
    w.seen = clv_ws_zalloc(ws, g->narc, sizeof *w.seen);
    faces->offset = clv_arena_alloc(arena, g->narc / 3 + 2, sizeof *faces->offset);
    faces->corner = clv_arena_alloc(arena, g->narc, sizeof *faces->corner);
    if (!w.around || !w.seen || !faces->offset || !faces->corner)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < g->nvtx; v++)
        sort_row(&w, v);
    bool planar = false;
    CLV_TRY(check_euler(g, collect(&w, faces), ws, &planar, err));
    if (!planar)
        faces->count = 0;
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
