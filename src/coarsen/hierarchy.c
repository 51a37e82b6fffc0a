/* SPDX-License-Identifier: Apache-2.0 */
/* coarsen/hierarchy.c - multilevel coarsening: the loop of clustering and contraction. */
#include "coarsen/hierarchy.h"

#include "base/rng.h"

/* A level that keeps more than this share of the vertices is discarded.  Not tuned; less for a
 * DAG, whose levels all have flow refinement (hubs in DAGs took up to 16 times METIS's
 * time). */
static const double least_shrink = 0.95;
static const double dag_least_shrink = 0.85;
/* Arcs per vertex below which a level is not sparsified: docs/design/engine.md, "Thinning
 * dense levels" (without it meshes are cut 1.6 times as much). */
static const double sparse_degree = 64;
enum {
    passes_per_level = 16
}; /* cost of a level and all coarser ones, in passes; not
      tuned */
/* docs/design/engine.md, "Lighter clusters where hubs hide the structure": a first level that
 * shrinks by more than this factor consists of the neighbourhoods of hubs.  Such clusters hide
 * a finer structure if their share of the edge weight is between the two values below. */
enum { most_shrink = 8 };
static const double least_inside = 0.05, most_inside = 0.5;

void clv_hierarchy_drop(clv_hierarchy *h)
{
    clv_level *level = &h->level[--h->nlevels];
    clv_graph_free(level->owned);
    clv_sys_free(level->owned_merge_class);
    clv_sys_free(level->map);
    *level = (clv_level){0};
    if (h->nlevels > 0) {
        clv_sys_free(h->level[h->nlevels - 1].map);
        h->level[h->nlevels - 1].map = NULL;
    }
}

void clv_hierarchy_free(clv_hierarchy *h)
{
    while (h->nlevels > 0)
        clv_hierarchy_drop(h);
}

static cleave_status find_map(const clv_hierarchy *h, const clv_coarsening *how,
                              clv_context *ctx, int32_t *map, int32_t *ncoarse,
                              cleave_error *err)
{
    int32_t index = h->nlevels - 1;
    const clv_level *level = &h->level[index];
    const clv_graph *g = level->g;
    int64_t *bound = clv_ws_alloc(ctx->ws, g->ncon, sizeof *bound);
    if (!bound)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < g->ncon; i++) {
        bound[i] = h->finer ? how->max_weight[i] / how->finer : how->max_weight[i];
        if (bound[i] < 1)
            bound[i] = 1;
    }
    if (how->matching) {
        clv_dag_matching pairs = *how->matching;
        pairs.max_weight = bound;
        pairs.level = index;
        return clv_dag_match_pairs(g, &pairs, ctx, map, ncoarse, err);
    }
    if (how->clustering) {
        clv_dag_clustering clusters = *how->clustering;
        clusters.max_weight = bound;
        clusters.merge_class = level->merge_class;
        clusters.level = index;
        return clv_dag_cluster(g, &clusters, ctx, map, ncoarse, err);
    }
    clv_merge_rule rule = {how->kind, bound, level->merge_class, index, how->spare_weak};
    return clv_cluster(g, &rule, ctx, map, ncoarse, err);
}

/* Clusters around hubs are stars, not regions.  If they hold little of the edge weight, as in
 * a star or a complete bipartite graph, all divisions are equally good; if they hold most of
 * it, the clusters are good.  In between, smaller clusters place leaves of several hubs
 * better. */
static bool hubs_hide_structure(const clv_graph *g, const int32_t *map)
{
    double all = 0, inside = 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            double w = (double)clv_graph_ewgt(g, a);
            all += w;
            inside += map[v] == map[g->adj[a]] ? w : 0;
        }
    return inside > least_inside * all && inside < most_inside * all;
}

/* The map of the first level; repeated with lighter clusters if that is better. */
static cleave_status find_first_map(clv_hierarchy *h, const clv_coarsening *how,
                                    clv_context *ctx, int32_t *map, int32_t *ncoarse,
                                    cleave_error *err)
{
    CLV_TRY(find_map(h, how, ctx, map, ncoarse, err));
    const clv_graph *g = h->level[0].g;
    if (how->finer < 2 || *ncoarse == 0 || *ncoarse > g->nvtx / most_shrink ||
        g->kind == CLEAVE_DAG || !hubs_hide_structure(g, map))
        return CLEAVE_OK;
    h->finer = true;
    return find_map(h, how, ctx, map, ncoarse, err);
}

static int32_t *coarse_classes(const clv_level *level, int32_t ncoarse)
{
    int32_t *merge_class = clv_alloc(ncoarse, sizeof *merge_class);
    for (int32_t v = 0; merge_class && v < level->g->nvtx; v++)
        merge_class[level->map[v]] = level->merge_class[v];
    return merge_class;
}

/* Sparse graphs are not sparsified. */
static double arcs_allowed(int64_t narc, double density, int32_t ncoarse)
{
    double share = density * (double)narc, sparse = sparse_degree * (double)ncoarse;
    return share > sparse ? share : sparse;
}

/* *ended: the context was stopped before the level was complete. */
static cleave_status add_level(clv_hierarchy *h, const clv_coarsening *how, int32_t ncoarse,
                               clv_context *ctx, bool *ended, cleave_error *err)
{
    clv_level *fine = &h->level[h->nlevels - 1];
    clv_level next = {0};
    clv_contraction contraction = {.map = fine->map,
                                   .ncoarse = ncoarse,
                                   .salt = clv_hash64(ctx->seed ^ (uint64_t)h->nlevels),
                                   .may_end = true};
    /* Sums of a level that was not sparsified equal those of the previous level. */
    contraction.sums_fit = h->nlevels > 1 && !fine->thinned && fine->g->ewgt && fine->g->vwgt;
    if (fine->g->kind == CLEAVE_UNDIRECTED && how->density > 0 &&
        fine->g->narc >= how->sparsify_from)
        contraction.most_arcs = arcs_allowed(fine->g->narc, how->density, ncoarse);
    CLV_TRY(clv_contract(&next.owned, fine->g, &contraction, ctx, err));
    *ended = next.owned == NULL;
    if (*ended)
        return CLEAVE_OK;
    next.g = next.owned;
    next.thinned = contraction.thinned;
    if (fine->merge_class) {
        next.merge_class = next.owned_merge_class = coarse_classes(fine, ncoarse);
        if (!next.merge_class) {
            clv_graph_free(next.owned);
            return clv_fail_memory(err);
        }
    }
    h->level[h->nlevels++] = next;
    return CLEAVE_OK;
}

/* One step; *more becomes false if the level did not shrink enough and was discarded. */
static cleave_status step(clv_hierarchy *h, const clv_coarsening *how, clv_context *ctx,
                          bool *more, cleave_error *err)
{
    clv_level *level = &h->level[h->nlevels - 1];
    int32_t ncoarse;
    bool ended = false;
    level->map = clv_alloc(level->g->nvtx, sizeof *level->map);
    if (!level->map)
        return clv_fail_memory(err);
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status = h->nlevels == 1
                               ? find_first_map(h, how, ctx, level->map, &ncoarse, err)
                               : find_map(h, how, ctx, level->map, &ncoarse, err);
    clv_ws_restore(ctx->ws, mark);
    CLV_TRY(status);
    double least = level->g->kind == CLEAVE_DAG ? dag_least_shrink : least_shrink;
    if (how->least_shrink > 0)
        least = how->least_shrink;
    *more = ncoarse > 0 && (double)ncoarse < least * (double)level->g->nvtx;
    if (*more)
        status = add_level(h, how, ncoarse, ctx, &ended, err);
    if (*more && !ended)
        return status;
    h->cut_short = ended || ncoarse == 0;
    *more = false;
    clv_sys_free(level->map);
    level->map = NULL;
    return status;
}

static bool wants_more(const clv_hierarchy *h, const clv_coarsening *how)
{
    int64_t limit = (int64_t)how->limit * (h->finer ? how->finer : 1);
    return h->nlevels < clv_most_levels && h->level[h->nlevels - 1].g->nvtx > limit;
}

static bool has_time(const clv_hierarchy *h, const clv_coarsening *how, clv_context *ctx)
{
    if (how->end_at_stop)
        return !clv_context_stop(ctx);
    return clv_context_afford(ctx, passes_per_level * h->level[h->nlevels - 1].g->narc);
}

cleave_status clv_hierarchy_build(clv_hierarchy *h, const clv_graph *g,
                                  const clv_coarsening *how, clv_context *ctx,
                                  cleave_error *err)
{
    *h = (clv_hierarchy){.nlevels = 1};
    h->level[0] = (clv_level){.g = g, .merge_class = how->merge_class};
    bool more = true;
    while (more && wants_more(h, how)) {
        if (!has_time(h, how, ctx)) {
            h->cut_short = true;
            break;
        }
        cleave_status status = step(h, how, ctx, &more, err);
        if (status != CLEAVE_OK) {
            clv_hierarchy_free(h);
            return status;
        }
    }
    return CLEAVE_OK;
}
