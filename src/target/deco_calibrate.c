/* SPDX-License-Identifier: Apache-2.0 */
/* target/deco_calibrate.c - calibrates the distance estimates of target/deco_levels.h with
 * exact distances: landmarks, and for each level a factor and a reach. */
#include "base/rng.h"
#include "target/deco_levels.h"
#include "target/deco_paths.h"

enum {
    sources = 4,
    stage_sources = 160,
    finest_spacing = 24,
    most_samples = 4096,
    rounds = 4
};

/* A pair of PEs, its distance, and the first distance that was found when climbing levels. */
typedef struct sample {
    int32_t level;
    double exact, found, low, high;
} sample;

/* ---- Landmarks -------------------------------------------------------------------------- */

/* A vertex with the most arcs: many paths go through a hub. */
static int32_t first_landmark(const clv_graph *g)
{
    int32_t hub = 0;
    for (int32_t v = 1; v < g->nvtx; v++)
        if (g->xadj[v + 1] - g->xadj[v] > g->xadj[hub + 1] - g->xadj[hub])
            hub = v;
    return hub;
}

/* The vertex with the largest distance to the landmarks so far. */
static int32_t next_landmark(const int32_t *mark, int32_t nvtx, int count)
{
    int32_t far = 0, farthest = -1;
    for (int32_t v = 0; v < nvtx; v++) {
        int32_t nearest = INT32_MAX;
        for (int i = 0; i < count; i++) {
            int32_t of_v = mark[(int64_t)v * clv_deco_landmarks + i];
            nearest = of_v < nearest ? of_v : nearest;
        }
        if (nearest > farthest) {
            farthest = nearest;
            far = v;
        }
    }
    return far;
}

static void set_landmarks(int32_t *mark, const clv_graph *g, clv_paths *paths)
{
    for (int i = 0; i < clv_deco_landmarks; i++) {
        clv_paths_from(paths, i == 0 ? first_landmark(g) : next_landmark(mark, g->nvtx, i));
        for (int32_t v = 0; v < g->nvtx; v++)
            mark[(int64_t)v * clv_deco_landmarks + i] =
                paths->far[v] < INT32_MAX ? (int32_t)paths->far[v] : INT32_MAX;
    }
}

/* ---- Factors ---------------------------------------------------------------------------- */

typedef struct fit {
    clv_deco_levels *d;
    sample *list;
    int32_t count;
} fit;

static void try_pair(fit *f, int32_t p, int32_t q, double exact)
{
    const clv_deco_levels *d = f->d;
    sample *now = &f->list[f->count];
    int32_t x = p < q ? p : q, y = p < q ? q : p;
    for (int32_t level = 0; x != y; level++) {
        double found = clv_deco_search(&d->level[level], x, y);
        if (found >= 0) {
            *now = (sample){.level = level, .exact = exact, .found = found};
            clv_deco_bound(d, p, q, &now->low, &now->high);
            f->count++;
            return;
        }
        x = d->level[level].up[x];
        y = d->level[level].up[y];
    }
}

/* Samples vertices in order of distance, with growing steps, so that each level gets pairs. */
static void try_source(fit *f, clv_paths *paths, int32_t source)
{
    clv_paths_from(paths, source);
    for (int64_t i = 1; i < paths->g->nvtx && f->count < most_samples;
         i += 1 + i / finest_spacing)
        try_pair(f, source, paths->order[i], (double)paths->far[paths->order[i]]);
}

/* The sums of the exact distances and of the current estimates on one level. */
static void add_up(const fit *f, int32_t level, double *exact, double *estimate)
{
    *exact = *estimate = 0;
    for (int32_t i = 0; i < f->count; i++) {
        const sample *s = &f->list[i];
        if (s->level != level)
            continue;
        double far = s->found * f->d->level[level].factor;
        *exact += s->exact;
        *estimate += far < s->low ? s->low : far > s->high ? s->high : far;
    }
}

/* Factors for which the mean of the estimates, within their bounds, is exact; a level without
 * samples takes the factor of the level below. */
static void set_factors(fit *f)
{
    for (int32_t l = 1; l < f->d->nlevels; l++) {
        clv_deco_level *level = &f->d->level[l];
        double exact, estimate;
        level->factor = level[-1].factor;
        for (int round = 0; round < rounds; round++) {
            add_up(f, l, &exact, &estimate);
            if (estimate > 0)
                level->factor *= exact / estimate;
        }
    }
    for (int32_t i = 0; i < f->count; i++) {
        clv_deco_level *level = &f->d->level[f->list[i].level];
        level->reach = f->list[i].exact > level->reach ? f->list[i].exact : level->reach;
    }
}

/* Makes the reach grow with the level and unlimited at the top, so that a search always
 * succeeds. */
static void open_reach(clv_deco_levels *d)
{
    double reach = 0;
    for (int32_t l = 0; l < d->nlevels; l++) {
        reach = d->level[l].reach > reach ? d->level[l].reach : reach;
        d->level[l].reach = reach;
    }
    for (int32_t l = d->nlevels; l-- > 0 && d->level[l].reach == reach;)
        d->level[l].reach = 1e300;
}

cleave_status clv_deco_calibrate(clv_deco_levels *d, const clv_graph *g, clv_arena *arena,
                                 clv_ws *ws, cleave_error *err)
{
    clv_paths paths = {0};
    fit f = {.d = d};
    clv_rng rng = clv_rng_make(1, stage_sources, 0, 0);
    clv_ws_mark mark = clv_ws_save(ws);
    d->mark = clv_arena_alloc(arena, (int64_t)g->nvtx * clv_deco_landmarks, sizeof *d->mark);
    f.list = clv_ws_alloc(ws, most_samples, sizeof *f.list);
    if (!d->mark || !f.list)
        return clv_fail_memory(err);
    CLV_TRY(clv_paths_open(&paths, g, ws, err));
    set_landmarks(d->mark, g, &paths);
    for (int i = 0; i < sources; i++)
        try_source(&f, &paths, (int32_t)clv_rng_below(&rng, (uint32_t)g->nvtx));
    set_factors(&f);
    open_reach(d);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
