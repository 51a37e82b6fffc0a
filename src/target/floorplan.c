/* SPDX-License-Identifier: Apache-2.0 */
/* target/floorplan.c - see target/floorplan.h: machines without a regular shape, and trees.
 * Boxes are in target/floorplan_nest.c, everything else is with its shape. */
#include "target/floorplan.h"

#include <math.h>

enum { most_round = 160, most_wide = 48 };

static const double tau = 6.283185307179586;

cleave_status clv_floorplan_room(clv_floorplan *f, int ndim, int64_t nplaces, int64_t nlines,
                                 clv_arena *arena, cleave_error *err)
{
    f->ndim = ndim;
    f->nplaces = (int32_t)nplaces;
    f->nlines = nlines;
    f->position = clv_arena_zalloc(arena, nplaces * ndim, sizeof *f->position);
    f->line = clv_arena_alloc(arena, nlines, sizeof *f->line);
    if (!f->position || !f->line)
        return clv_fail_memory(err);
    f->width = f->height = 0.62;
    return CLEAVE_OK;
}

cleave_status clv_floorplan_round(const clv_target *t, clv_floorplan *f, clv_arena *arena,
                                  cleave_error *err)
{
    int32_t n = t->npes, columns = (int32_t)ceil(sqrt(1.5 * n));
    CLV_TRY(clv_floorplan_room(f, 2, n, 0, arena, err));
    double radius = n > 1 ? 0.5 / sin(tau / 2 / n) : 0;
    for (int32_t p = 0; p < n; p++) {
        double *at = f->position + 2 * (int64_t)p, angle = tau * p / n;
        at[0] = n <= most_round ? radius * sin(angle) : p % columns;
        at[1] = n <= most_round ? -radius * cos(angle) : p / columns;
    }
    return CLEAVE_OK;
}

cleave_status clv_target_floorplan(clv_floorplan *f, const clv_target *t, clv_arena *arena,
                                   cleave_error *err)
{
    *f = (clv_floorplan){.npes = t->npes};
    if (t->npes > clv_most_drawn)
        return clv_fail(err, CLEAVE_ERANGE,
                        "a machine of %ld PEs cannot be drawn: %ld at most", (long)t->npes,
                        (long)clv_most_drawn);
    return t->shape->floorplan ? t->shape->floorplan(t, f, arena, err)
                               : clv_floorplan_round(t, f, arena, err);
}

/* ---- Trees ------------------------------------------------------------------------------ */

/* Positions of the PEs in a row: at distance 1, and more between PEs that meet at a high
 * level. */
static double spread_leaves(const clv_floorplan_tree *tree, int32_t npes, double *along,
                            clv_arena *arena)
{
    double at = 0;
    int32_t *mark = clv_arena_zalloc(arena, tree->nplaces, sizeof *mark);
    if (!mark)
        return -1;
    for (int32_t i = 0; i < npes; i++) {
        int32_t v = tree->order[i], meet = v;
        while (i > 0 && meet >= 0 && mark[meet] != i)
            meet = tree->parent[meet];
        int32_t level = i > 0 && meet >= 0 ? tree->level[meet] : 1;
        at += i > 0 ? 1 + 0.5 * (level - 1) : 0;
        along[v] = at;
        for (int32_t u = v; u >= 0; u = tree->parent[u])
            mark[u] = i + 1;
    }
    return at;
}

/* A switch is above the middle of its children: the mean of the first and the last. */
static void center_switches(const clv_floorplan_tree *tree, int32_t npes, double *along,
                            double *last)
{
    for (int32_t v = 0; v < tree->nplaces; v++)
        last[v] = v < npes ? along[v] : -1;
    for (int32_t l = 0; l < tree->levels; l++)
        for (int32_t v = 0; v < tree->nplaces; v++) {
            int32_t up = tree->parent[v];
            if (tree->level[v] != l || up < 0)
                continue;
            double middle = v < npes ? along[v] : (along[v] + last[v]) / 2;
            if (last[up] < 0)
                along[up] = last[up] = middle;
            along[up] = fmin(along[up], middle);
            last[up] = fmax(last[up], middle);
        }
    for (int32_t v = npes; v < tree->nplaces; v++)
        along[v] = (along[v] + last[v]) / 2;
}

static void put_upright(clv_floorplan *f, const clv_floorplan_tree *tree, const double *along,
                        double length)
{
    double step = fmax(1.1, 0.5 * length / tree->levels);
    for (int32_t v = 0; v < tree->nplaces; v++) {
        f->position[2 * (int64_t)v] = along[v];
        f->position[2 * (int64_t)v + 1] = step * (tree->levels - tree->level[v]);
    }
    f->width = 0.78;
    f->height = fmin(0.78, 0.6 * step);
}

static void put_round(clv_floorplan *f, const clv_floorplan_tree *tree, const double *along,
                      double length)
{
    double radius = (length + 1) / tau;
    for (int32_t v = 0; v < tree->nplaces; v++) {
        double out = radius * (tree->levels - tree->level[v]) / tree->levels;
        double angle = tau * along[v] / (length + 1);
        f->position[2 * (int64_t)v] = out * sin(angle);
        f->position[2 * (int64_t)v + 1] = -out * cos(angle);
    }
    f->width = f->height = 0.7;
}

cleave_status clv_floorplan_hierarchy(clv_floorplan *f, int32_t npes,
                                      const clv_floorplan_tree *tree, clv_arena *arena,
                                      cleave_error *err)
{
    int64_t lines = 0;
    CLV_TRY(clv_floorplan_room(f, 2, tree->nplaces, tree->nplaces, arena, err));
    double *along = clv_arena_zalloc(arena, tree->nplaces, sizeof *along);
    double *last = clv_arena_alloc(arena, tree->nplaces, sizeof *last);
    double length = along ? spread_leaves(tree, npes, along, arena) : -1;
    if (!last || length < 0)
        return clv_fail_memory(err);
    center_switches(tree, npes, along, last);
    if (npes <= most_wide)
        put_upright(f, tree, along, length);
    else
        put_round(f, tree, along, length);
    for (int32_t v = 0; v < tree->nplaces; v++)
        if (tree->parent[v] >= 0)
            f->line[lines++] = (clv_floorplan_line){v, tree->parent[v], tree->link[v]};
    f->nlines = lines;
    f->nswitches = tree->nplaces - npes;
    return CLEAVE_OK;
}
