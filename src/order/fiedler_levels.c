/* SPDX-License-Identifier: Apache-2.0 */
/* order/fiedler_levels.c - the levels of aggregation multigrid, and the dense solution of the
 * last one.
 *
 * Aggregates come from heavy-edge matching.  Two matchings form one level, so that a cycle can
 * visit the next level twice (W-cycle) at no more than twice the cost of the first.  The
 * coarse matrix is the Laplacian of the contracted graph. */
#include "order/fiedler_levels.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/group.h"
#include "order/fiedler_dense.h"

enum { width = clv_fiedler_width, grain = 4096, far_apart = 16 };
static const double jacobi = 0.75;     /* damping of the upper half of the spectrum */
static const double least_shrink = 3;  /* least shrink factor per level, */
static const double least_apart = 1.4; /* and that for widely varying weights */

static void damp_rows(void *context, int64_t begin, int64_t end, int member)
{
    const clv_fiedler_level *level = context;
    const clv_graph *g = level->g;
    (void)member;
    for (int64_t v = begin; v < end; v++) {
        double degree = 0;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            degree += (double)clv_graph_ewgt(g, a);
        level->damp[v] = degree > 0 ? jacobi / degree : 0;
    }
}

static cleave_status add_level(clv_fiedler_levels *l, int32_t index, clv_ws *ws,
                               cleave_error *err)
{
    const clv_hierarchy *h = &l->hierarchy;
    clv_fiedler_level *level = &l->level[l->nlevels++];
    int64_t n = h->level[index].g->nvtx;
    level->g = h->level[index].g;
    level->damp = clv_ws_alloc(ws, n, sizeof *level->damp);
    level->rest = clv_ws_alloc(ws, 2 * n * width, sizeof *level->rest);
    if (index > 0) {
        level->right = clv_ws_alloc(ws, n * width, sizeof *level->right);
        level->solution = clv_ws_alloc(ws, n * width, sizeof *level->solution);
    }
    if (!level->damp || !level->rest || (index > 0 && (!level->right || !level->solution)))
        return clv_fail_memory(err);
    clv_parallel_for(l->team, n, grain, damp_rows, level);
    return CLEAVE_OK;
}

/* Links the level before `index` to the hierarchy's levels `from`..`index`. */
static cleave_status link_levels(clv_fiedler_levels *l, int32_t from, int32_t index,
                                 clv_ws *ws, cleave_error *err)
{
    const clv_hierarchy *h = &l->hierarchy;
    clv_fiedler_level *level = &l->level[l->nlevels - 1];
    int32_t n = level->g->nvtx, coarse = h->level[index].g->nvtx;
    level->map = clv_ws_alloc(ws, n, sizeof *level->map);
    level->first = clv_ws_alloc(ws, (int64_t)coarse + 1, sizeof *level->first);
    level->member = clv_ws_alloc(ws, n, sizeof *level->member);
    if (!level->map || !level->first || !level->member)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < n; v++) {
        int32_t c = v;
        for (int32_t i = from; i < index; i++)
            c = h->level[i].map[c];
        level->map[v] = c;
    }
    clv_group_by_key(n, level->map, coarse, level->first, level->member);
    return CLEAVE_OK;
}

/* The visits to the next level must not cost more than this level. */
static bool visits_twice(const clv_graph *g, const clv_graph *next)
{
    return 2 * (next->narc + next->nvtx) <= g->narc + g->nvtx;
}

static cleave_status pick_levels(clv_fiedler_levels *l, double shrink, clv_ws *ws,
                                 cleave_error *err)
{
    const clv_hierarchy *h = &l->hierarchy;
    CLV_TRY(add_level(l, 0, ws, err));
    for (int32_t from = 0; from < h->nlevels - 1;) {
        int32_t to = from + 1;
        while (to < h->nlevels - 1 && h->level[to].g->nvtx * shrink > h->level[from].g->nvtx)
            to++;
        l->level[l->nlevels - 1].twice = visits_twice(h->level[from].g, h->level[to].g);
        CLV_TRY(link_levels(l, from, to, ws, err));
        CLV_TRY(add_level(l, to, ws, err));
        from = to;
    }
    return CLEAVE_OK;
}

/* The matrix D L D with D = 1 / sqrt(mass).  The constant vector (here sqrt(mass)) is shifted
 * above all other eigenvalues, so that rounding cannot mix it with the wanted ones. */
static void fill_dense(const clv_fiedler_level *level, const double *root, double *a)
{
    const clv_graph *g = level->g;
    int32_t n = g->nvtx;
    double largest = 0, mass = 0;
    memset(a, 0, (size_t)n * (size_t)n * sizeof *a);
    for (int32_t v = 0; v < n; v++) {
        double *row = a + (int64_t)v * n, degree = 0;
        for (int64_t e = g->xadj[v]; e < g->xadj[v + 1]; e++) {
            double w = (double)clv_graph_ewgt(g, e);
            row[g->adj[e]] -= w / (root[v] * root[g->adj[e]]);
            degree += w;
        }
        row[v] += degree / (root[v] * root[v]);
        largest = row[v] > largest ? row[v] : largest;
        mass += root[v] * root[v];
    }
    double lift = largest > 0 ? 3 * largest : 1;
    for (int32_t v = 0; v < n; v++)
        for (int32_t u = 0; u < n; u++)
            a[(int64_t)v * n + u] += lift * (root[v] * root[u] / mass);
}

static cleave_status solve_dense(clv_fiedler_levels *l, clv_ws *ws, cleave_error *err)
{
    const clv_fiedler_level *last = &l->level[l->nlevels - 1];
    int64_t n = last->g->nvtx;
    if (n > clv_fiedler_small)
        return CLEAVE_OK;
    double *vectors = clv_ws_alloc(ws, n * n, sizeof *vectors);
    double *values = clv_ws_alloc(ws, n, sizeof *values);
    clv_ws_mark mark = clv_ws_save(ws);
    double *root = clv_ws_alloc(ws, n, sizeof *root);
    double *scratch = clv_ws_alloc(ws, n * (n + 3), sizeof *scratch);
    if (!vectors || !values || !root || !scratch)
        return clv_fail_memory(err);
    for (int64_t v = 0; v < n; v++)
        root[v] = sqrt(clv_fiedler_mass(last, v));
    fill_dense(last, root, vectors);
    clv_dense_eigen((int32_t)n, vectors, values, scratch);
    for (int64_t i = 0; i < n * n; i++)
        vectors[i] /= root[i % n];
    clv_ws_restore(ws, mark);
    l->vectors = vectors;
    l->values = values;
    return CLEAVE_OK;
}

/* Do edge weights vary widely?  Then pairs are not enough: a vertex that a matching leaves
 * over would be merged across a light edge and separated from the neighbour of its heavy edge.
 * Levels cannot be skipped either. */
static bool weights_apart(const clv_graph *g, double *most_degree)
{
    int64_t least = INT64_MAX, most = 0;
    *most_degree = 0;
    for (int32_t v = 0; v < g->nvtx; v++) {
        double degree = 0;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int64_t w = clv_graph_ewgt(g, a);
            degree += (double)w;
            if (w > 0) {
                least = w < least ? w : least;
                most = w > most ? w : most;
            }
        }
        *most_degree = degree > *most_degree ? degree : *most_degree;
    }
    return most / far_apart >= least;
}

cleave_status clv_fiedler_levels_build(clv_fiedler_levels *l, const clv_graph *g,
                                       clv_context *ctx, cleave_error *err)
{
    assert(g->nvtx >= 2 && g->kind == CLEAVE_UNDIRECTED);
    *l = (clv_fiedler_levels){.team = ctx->team};
    l->plain = *g;
    l->plain.ncon = 1;
    clv_graph_set_vwgts(&l->plain, (clv_weights){0});
    int64_t most = g->nvtx / 16 + 2;
    bool apart = weights_apart(g, &l->most_degree);
    clv_coarsening how = {.limit = clv_fiedler_small,
                          .max_weight = &most,
                          .kind = apart ? CLV_MERGE_CLUSTERS : CLV_MERGE_PAIRS,
                          .sparsify_from = INT64_MAX};
    CLV_TRY(clv_hierarchy_build(&l->hierarchy, &l->plain, &how, ctx, err));
    if (l->hierarchy.cut_short) /* the levels are too few to be of use */
        return CLEAVE_OK;
    cleave_status status = pick_levels(l, apart ? least_apart : least_shrink, ctx->ws, err);
    if (status == CLEAVE_OK)
        status = solve_dense(l, ctx->ws, err);
    if (status != CLEAVE_OK)
        clv_hierarchy_free(&l->hierarchy);
    return status;
}

void clv_fiedler_levels_free(clv_fiedler_levels *l)
{
    clv_hierarchy_free(&l->hierarchy);
}
