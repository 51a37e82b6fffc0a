/* SPDX-License-Identifier: Apache-2.0 */
/* coarsen/dag_clustering.c - acyclic clusters of dagP [Herrmann et al. 2019], see
 * coarsen/dag_clustering.h.
 *
 * Single vertices join the cluster of a neighbour, in the order of `order`.  Levels increase
 * along every arc: from the sources or, on odd levels of the hierarchy, from the sinks.  A
 * cluster of several vertices has vertices on exactly two levels, `low` and `low` + 1.
 *
 * Proof of the search (COCYC): along an arc between clusters `low` does not decrease, because
 * an arc rises by at least one level and a cluster by at most one.  So all clusters of a cycle
 * have the same `low`, have several vertices, and every arc of the cycle leads from level
 * `low` to level `low` + 1.  A cycle that appears when u joins a cluster leaves that cluster
 * at u, if u is on the lower level, or enters it at u.  So a search from u alone, along such
 * arcs, finds it: forwards or backwards.  A search that visits too many arcs counts as a
 * cycle.
 *
 * Proof of the local rule (COTOP): such a cycle gives u an arc between these two levels from
 * or to another cluster of several vertices; if u joins a single vertex v, both of them.  So u
 * may join a cluster that is the only such neighbour of u, and v only if neither has any. The
 * proof does not depend on the rule by which other clusters grew, which allows COHYB. */
#include "coarsen/dag_clustering.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "coarsen/clusters.h"
#include "coarsen/dag_choice.h"
#include "graph/depth_first.h"
#include "graph/topology.h"

enum { stage = 0xc0c0, none = -1, several = -2 };
/* Not tuned: searches per vertex, and arcs and vertices of a search. */
enum { most_searches = 8, most_visits = 2000 };
enum { between_polls = 1024 }; /* vertices */
/* The paper's bound between small and large degrees, in units of sqrt(nvtx). */
static const double large_degree = 0.1;

typedef struct clustering {
    const clv_graph *g;
    const clv_dag_clustering *how;
    clv_clusters c;
    clv_rng rng;
    double large;     /* degrees above this are large */
    int32_t *level;   /* by vertex */
    int32_t *low;     /* by leader: the lowest level */
    int32_t *next;    /* by vertex: the next one of its cluster, cyclically */
    int32_t *beside;  /* by vertex: the cluster of several vertices that an arc between
                         neighbouring levels connects it to; none; several */
    int32_t *refused; /* by leader: the last vertex that may not join it */
    int64_t *seen;    /* by leader: the last search that reached it */
    int32_t *stack;
    int64_t searches; /* so far */
} clustering;

/* ---- Rules ------------------------------------------------------------------------------ */

/* Does a cluster with the vertices of this one and u have at most two levels? */
static bool has_two_levels(const clustering *x, int32_t u, int32_t cluster)
{
    int32_t above = x->level[u] - x->low[cluster];
    return x->c.joined[cluster] ? above == 0 || above == 1 : above == 1 || above == -1;
}

/* COTOP. */
static bool is_apart(const clustering *x, int32_t u, int32_t v)
{
    int32_t cluster = x->c.leader[v];
    if (!x->c.joined[v])
        return x->beside[u] == none && x->beside[v] == none;
    return x->beside[u] == none || x->beside[u] == cluster;
}

typedef struct walk {
    int32_t target; /* a cluster */
    int32_t low;    /* its lower level with u */
    bool forward;
    int32_t height; /* of the stack */
    int64_t visits;
} walk;

/* Visits the arcs from v to the other level.  Returns whether they reach the target; arcs from
 * the vertex that joins it do not count. */
static bool visit(clustering *x, walk *w, int32_t v, bool first)
{
    const clv_graph *g = x->g;
    const int64_t *begin = w->forward ? g->xadj : g->xpred;
    const int32_t *end = w->forward ? g->adj : g->pred;
    int32_t other = w->low + w->forward;
    w->visits += begin[v + 1] - begin[v];
    if (w->visits > most_visits)
        return true;
    for (int64_t a = begin[v]; a < begin[v + 1]; a++) {
        int32_t y = end[a], cluster = x->c.leader[y];
        if (x->level[y] != other)
            continue;
        if (cluster == w->target && !first)
            return true;
        if (cluster == w->target || !x->c.joined[y] || x->low[cluster] != w->low ||
            x->seen[cluster] == x->searches)
            continue;
        x->seen[cluster] = x->searches;
        x->stack[w->height++] = cluster;
    }
    return false;
}

/* COCYC: would u in the cluster of v close a cycle? */
static bool closes_cycle(clustering *x, int32_t u, int32_t v)
{
    walk w = {.target = x->c.leader[v]};
    w.low = x->level[u] < x->low[w.target] ? x->level[u] : x->low[w.target];
    w.forward = x->level[u] == w.low;
    x->searches++;
    int32_t from = w.low + !w.forward; /* the level that is left */
    if (visit(x, &w, u, true))
        return true;
    while (w.height > 0) {
        int32_t first = x->stack[--w.height], member = first;
        do {
            if (++w.visits > most_visits ||
                (x->level[member] == from && visit(x, &w, member, false)))
                return true;
            member = x->next[member];
        } while (member != first);
    }
    return false;
}

/* ---- Growing ---------------------------------------------------------------------------- */

static bool is_candidate(const clustering *x, int32_t u, int32_t v, bool local)
{
    int32_t cluster = x->c.leader[v];
    return x->refused[cluster] != u && has_two_levels(x, u, cluster) &&
           clv_clusters_mix(&x->c, u, cluster) && clv_clusters_fit(&x->c, u, cluster) &&
           (!local || is_apart(x, u, v));
}

static clv_dag_choice choose(clustering *x, int32_t u, bool local)
{
    const clv_graph *g = x->g;
    clv_dag_choice best = {.v = -1};
    for (int64_t a = g->xpred[u]; a < g->xpred[u + 1]; a++)
        if (is_candidate(x, u, g->pred[a], local))
            clv_dag_offer(&best,
                          (clv_dag_choice){g->pred[a], false, clv_graph_pwgt(g, a),
                                           clv_dag_size(g, g->pred[a]), 0},
                          x->how->match, &x->rng);
    for (int64_t a = g->xadj[u]; a < g->xadj[u + 1]; a++)
        if (is_candidate(x, u, g->adj[a], local))
            clv_dag_offer(&best,
                          (clv_dag_choice){g->adj[a], true, clv_graph_ewgt(g, a),
                                           clv_dag_size(g, g->adj[a]), 0},
                          x->how->match, &x->rng);
    return best;
}

/* w is at the end of an arc of a vertex at the given level in a cluster of several. */
static void note_beside(clustering *x, int32_t w, int32_t level, int32_t cluster)
{
    int32_t *beside = &x->beside[w];
    if (x->level[w] - level == 1 || level - x->level[w] == 1)
        *beside = *beside == none || *beside == cluster ? cluster : several;
}

static void note_neighbours(clustering *x, int32_t v)
{
    const clv_graph *g = x->g;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
        note_beside(x, g->adj[a], x->level[v], x->c.leader[v]);
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++)
        note_beside(x, g->pred[a], x->level[v], x->c.leader[v]);
}

static void join(clustering *x, int32_t u, int32_t v)
{
    int32_t cluster = x->c.leader[v];
    bool was_single = !x->c.joined[cluster];
    clv_clusters_join(&x->c, u, cluster);
    if (x->level[u] < x->low[cluster])
        x->low[cluster] = x->level[u];
    int32_t after = x->next[cluster];
    x->next[cluster] = u;
    x->next[u] = after;
    note_neighbours(x, u);
    if (was_single)
        note_neighbours(x, cluster);
}

static bool is_local(const clustering *x, int32_t u)
{
    const clv_graph *g = x->g;
    int64_t degree = g->xadj[u + 1] - g->xadj[u] + g->xpred[u + 1] - g->xpred[u];
    return x->how->rule == CLV_DAG_COTOP ||
           (x->how->rule == CLV_DAG_COHYB && (double)degree > x->large);
}

static void place(clustering *x, int32_t u)
{
    bool local = is_local(x, u);
    for (int32_t i = 0; i < most_searches; i++) {
        int32_t v = choose(x, u, local).v;
        if (v < 0)
            return;
        if (local || !closes_cycle(x, u, v)) {
            join(x, u, v);
            return;
        }
        x->refused[x->c.leader[v]] = u;
    }
}

/* ---- One level -------------------------------------------------------------------------- */

/* Sorts the random order stably by level. */
static cleave_status sort_by_level(const clustering *x, int32_t depth, int32_t *order,
                                   clv_ws *ws, cleave_error *err)
{
    int32_t n = x->g->nvtx, *random = clv_ws_alloc(ws, n, sizeof *random);
    int32_t *at = clv_ws_zalloc(ws, depth + INT64_C(1), sizeof *at);
    if (!random || !at)
        return clv_fail_memory(err);
    memcpy(random, order, (size_t)n * sizeof *random);
    for (int32_t v = 0; v < n; v++)
        at[x->level[v] + 1]++;
    for (int32_t l = 0; l < depth; l++)
        at[l + 1] += at[l];
    for (int32_t i = 0; i < n; i++)
        order[at[x->level[random[i]]]++] = random[i];
    return CLEAVE_OK;
}

static cleave_status make_order(clustering *x, clv_ws *ws, int32_t *order, cleave_error *err)
{
    int32_t depth = 0;
    bool odd = x->how->level % 2 != 0;
    CLV_TRY(clv_topology_levels(x->g, odd ? CLEAVE_LEVELS_ALAP : CLEAVE_LEVELS_TOP, ws,
                                x->level, &depth, err));
    if (x->how->order == CLV_DAG_ORDER_TOP)
        return clv_depth_first_order(x->g, NULL, ws, order, err);
    clv_rng_permutation(&x->rng, x->g->nvtx, order);
    if (x->how->order == CLV_DAG_ORDER_BREADTH)
        return sort_by_level(x, depth, order, ws, err);
    return CLEAVE_OK;
}

static cleave_status open_clustering(clustering *x, const clv_merge_rule *rule,
                                     clv_context *ctx, cleave_error *err)
{
    int32_t n = x->g->nvtx;
    clv_ws *ws = ctx->ws;
    CLV_TRY(clv_clusters_init(&x->c, x->g, rule, ctx, err));
    x->level = clv_ws_alloc(ws, n, sizeof *x->level);
    x->low = clv_ws_alloc(ws, n, sizeof *x->low);
    x->next = clv_ws_alloc(ws, n, sizeof *x->next);
    x->beside = clv_ws_alloc(ws, n, sizeof *x->beside);
    x->refused = clv_ws_alloc(ws, n, sizeof *x->refused);
    x->seen = clv_ws_zalloc(ws, n, sizeof *x->seen);
    x->stack = clv_ws_alloc(ws, n, sizeof *x->stack);
    return x->level && x->low && x->next && x->beside && x->refused && x->seen && x->stack
               ? CLEAVE_OK
               : clv_fail_memory(err);
}

static cleave_status cluster_level(clustering *x, const clv_merge_rule *rule, clv_context *ctx,
                                   int32_t *map, int32_t *ncoarse, cleave_error *err)
{
    int32_t n = x->g->nvtx, *order = map; /* until the coarse numbers are assigned */
    CLV_TRY(open_clustering(x, rule, ctx, err));
    CLV_TRY(make_order(x, ctx->ws, order, err));
    for (int32_t v = 0; v < n; v++) {
        x->low[v] = x->level[v];
        x->next[v] = v;
        x->beside[v] = x->refused[v] = none;
    }
    for (int32_t i = 0; i < n; i++) {
        if (i % between_polls == 0 && clv_context_stop(ctx))
            break; /* the others stay single */
        if (!x->c.joined[order[i]])
            place(x, order[i]);
    }
    *ncoarse = clv_clusters_number(&x->c, ctx->team, map);
    return CLEAVE_OK;
}

cleave_status clv_dag_cluster(const clv_graph *g, const clv_dag_clustering *how,
                              clv_context *ctx, int32_t *map, int32_t *ncoarse,
                              cleave_error *err)
{
    assert(g->kind == CLEAVE_DAG);
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    clv_merge_rule rule = {.max_weight = how->max_weight, .merge_class = how->merge_class};
    clustering x = {.g = g, .how = how, .large = large_degree * sqrt((double)g->nvtx)};
    x.rng = clv_rng_make(ctx->seed, stage, (uint64_t)how->level, 0);
    cleave_status status = cluster_level(&x, &rule, ctx, map, ncoarse, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
