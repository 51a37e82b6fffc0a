/* SPDX-License-Identifier: Apache-2.0 */
/* coarsen/acyclic_cluster.c - acyclic clustering of a DAG, related to [Herrmann et al. 2019].
 *
 * Bands: a few consecutive levels (longest path from the sources, or to the sinks) form a
 * band, and only vertices of one band merge.  Arcs between bands point forward, so a cycle
 * could only arise within a band.  The coarse graph keeps the cuts between bands: without
 * bands, clusters at different places of a long reduction interlock, and the cheap cut across
 * all of them is lost.  Levels from the sources and levels to the sinks alternate, so that no
 * band boundary persists.  Bands are independent: they are clustered in parallel, and the
 * result does not depend on the assignment to threads.
 *
 * Heights: within a band every cluster has a height, and every arc between two clusters leads
 * from a lower to a higher one.  This invariant excludes cycles.  Initially the height of a
 * vertex is its level, slightly perturbed, with gaps between the levels.  A vertex may join a
 * cluster if the height of the cluster is strictly between the highest of the vertex's other
 * predecessors and the lowest of its other successors; only the vertex's own arcs are scanned.
 * Two single vertices may also merge at any new height that is feasible for both.  This allows
 * all merges of [Herrmann et al., Multilevel algorithms for acyclic partitioning of directed
 * acyclic graphs, 2019] (one level; two adjacent levels if no arc joins two such clusters),
 * chains, and more.
 *
 * The rest is as in coarsen/cluster.c: size-constrained label propagation in one sweep, then
 * two-hop merging of the remaining single vertices that prefer the same cluster. */
#include "coarsen/acyclic_cluster.h"

#include <assert.h>

#include "base/failure.h"
#include "base/rng.h"
#include "coarsen/clusters.h"
#include "coarsen/gathering.h"
#include "graph/topology.h"

/* Other values change the final cut by about 1 % (docs/design/acyclic.md, "Clusters"); these
 * are not tuned. */
enum {
    stage_acyclic = 111, /* seeds the random numbers */
    most_rated = 2000,   /* arcs of a hub that are rated in each direction */
    most_searched = 64,  /* arcs scanned to merge with another vertex at a new height */
    rounds = 16,         /* of visits, per band */
    band_size = 512,     /* least average number of vertices per band */
    highest = 1 << 28    /* upper bound of all heights */
};

/* The heights that the neighbours allow: between the highest predecessor and the lowest
 * successor, and between the second ones if that cluster is excluded. */
typedef struct window {
    int32_t low, second_low, low_cluster;
    int32_t high, second_high, high_cluster;
} window;

/* Accessed together, so stored together. */
typedef struct place {
    int32_t band;
    int32_t height; /* of the cluster */
} place;

typedef struct acyclic_clustering {
    clv_clusters k;
    place *at;       /* by vertex */
    int32_t *wanted; /* by vertex: the cluster with the strongest tie, or -1 */
    int32_t nbands;
    int32_t *begin; /* by band * rounds: first index in order */
    int32_t *order; /* vertices by band, in visiting order */
    uint64_t salt;
    clv_gathering *gather; /* by member */
    clv_context *ctx;
    bool may_end; /* may end when the context is stopped */
    clv_failure failure;
} acyclic_clustering;

/* ---- Heights ---------------------------------------------------------------------------- */

static const window anywhere = {-1, -1, -1, highest, highest, -1};

static inline void see_predecessor(window *w, int32_t cluster, int32_t height)
{
    if (height > w->low) {
        w->second_low = w->low;
        w->low = height;
        w->low_cluster = cluster;
    } else if (height > w->second_low && cluster != w->low_cluster) {
        w->second_low = height;
    }
}

static inline void see_successor(window *w, int32_t cluster, int32_t height)
{
    if (height < w->high) {
        w->second_high = w->high;
        w->high = height;
        w->high_cluster = cluster;
    } else if (height < w->second_high && cluster != w->high_cluster) {
        w->second_high = height;
    }
}

static window window_of(const acyclic_clustering *c, int32_t v)
{
    const clv_graph *g = c->k.g;
    const int32_t *leader = c->k.leader;
    const place *at = c->at;
    window w = anywhere;
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++)
        if (at[g->pred[a]].band == at[v].band)
            see_predecessor(&w, leader[g->pred[a]], at[g->pred[a]].height);
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
        if (at[g->adj[a]].band == at[v].band)
            see_successor(&w, leader[g->adj[a]], at[g->adj[a]].height);
    return w;
}

static inline int32_t low_without(const window *w, int32_t cluster)
{
    return w->low_cluster == cluster ? w->second_low : w->low;
}

static inline int32_t high_without(const window *w, int32_t cluster)
{
    return w->high_cluster == cluster ? w->second_high : w->high;
}

static inline int64_t arcs_of(const clv_graph *g, int32_t v)
{
    return g->xadj[v + 1] - g->xadj[v] + g->xpred[v + 1] - g->xpred[v];
}

/* The height at which v, with window w, and the cluster can merge; -1: none. */
static int32_t meeting_height(const acyclic_clustering *c, int32_t v, const window *w,
                              int32_t cluster)
{
    int32_t low = low_without(w, cluster), high = high_without(w, cluster);
    int32_t at = c->at[cluster].height;
    if (low < at && at < high)
        return at;
    if (c->k.joined[cluster] || arcs_of(c->k.g, cluster) > most_searched)
        return -1;
    window other = window_of(c, cluster);
    int32_t other_low = low_without(&other, v), other_high = high_without(&other, v);
    low = low > other_low ? low : other_low;
    high = high < other_high ? high : other_high;
    return low < high - 1 ? low + (high - low) / 2 : -1;
}

/* ---- Bands ------------------------------------------------------------------------------ */

/* Vertices of one level get different heights by their number, ascending or descending:
 * clusters then lean the same way everywhere, and more of them fit side by side than with
 * random heights. */
static void shake(acyclic_clustering *c, int32_t spacing)
{
    int64_t n = c->k.g->nvtx;
    bool down = c->salt >> 63;
    for (int32_t v = 0; v < n; v++)
        c->at[v].height += (int32_t)((down ? n - 1 - v : v) * (int64_t)spacing / n);
}

static inline int32_t round_of(const acyclic_clustering *c, int32_t v)
{
    return (int32_t)(clv_clusters_lot(c->salt, v) >> 16) % rounds;
}

/* Lists the vertices of each band in visiting order: in random rounds, ascending within a
 * round for cache locality. */
static cleave_status list_bands(acyclic_clustering *c, clv_ws *ws, cleave_error *err)
{
    int32_t n = c->k.g->nvtx;
    int64_t keys = (int64_t)c->nbands * rounds;
    c->begin = clv_ws_zalloc(ws, keys + 2, sizeof *c->begin);
    if (!c->begin)
        return clv_fail_memory(err);
    int32_t *next = c->begin + 1; /* one entry ahead, so that it ends as `begin` */
    for (int32_t v = 0; v < n; v++)
        next[(int64_t)c->at[v].band * rounds + round_of(c, v) + 1]++;
    for (int64_t i = 0; i < keys; i++)
        next[i + 1] += next[i];
    for (int32_t v = 0; v < n; v++)
        c->order[next[(int64_t)c->at[v].band * rounds + round_of(c, v)]++] = v;
    return CLEAVE_OK;
}

static int32_t band_count(const acyclic_clustering *c, int64_t band)
{
    return c->begin[(band + 1) * rounds] - c->begin[band * rounds];
}

/* Levels per band: two, and more if levels are small; otherwise a chain would hardly
 * shrink. */
static int32_t band_thickness(int32_t nvtx, int32_t depth)
{
    int64_t wanted = nvtx > 0 ? ((int64_t)band_size * depth + nvtx - 1) / nvtx : 1;
    return wanted < 2 ? 2 : (int32_t)wanted;
}

static cleave_status make_bands(acyclic_clustering *c, clv_context *ctx, cleave_error *err)
{
    const clv_graph *g = c->k.g;
    bool late = ((uint64_t)c->k.rule->level + ctx->seed) % 2;
    int32_t depth, *level = c->wanted; /* not used yet */
    CLV_TRY(clv_topology_levels(g, late ? CLEAVE_LEVELS_ALAP : CLEAVE_LEVELS_TOP, ctx->ws,
                                level, &depth, err));
    int32_t thickness = band_thickness(g->nvtx, depth), spacing = highest / thickness;
    for (int32_t v = 0; v < g->nvtx; v++) {
        int32_t band = level[v] / thickness;
        c->at[v] = (place){band, (level[v] - band * thickness) * spacing};
    }
    c->nbands = (depth + thickness - 1) / thickness;
    shake(c, spacing);
    return list_bands(c, ctx->ws, err);
}

/* ---- Choosing --------------------------------------------------------------------------- */

/* Returns the new count. */
static CLV_ALWAYS_INLINE int32_t gather(clv_gathering *s, int32_t cluster, int64_t w,
                                        int32_t count, bool linear)
{
    int32_t i = linear ? clv_gathering_add_few(s, cluster, w, count)
                       : clv_gathering_add(s, cluster, w, count);
    return count + (i == count);
}

/* Upper bound on the clusters that are rated for a vertex with so many arcs. */
static int64_t most_entries(int64_t arcs)
{
    return arcs < 2 * most_rated ? arcs : 2 * most_rated;
}

/* The strongest tie to a vertex of another band so far. */
typedef struct outside {
    int32_t vertex;
    int64_t tie;
} outside;

/* Collects the clusters around v and the heights at which v may be. */
static CLV_ALWAYS_INLINE int32_t gather_clusters(const acyclic_clustering *c, int32_t v,
                                                 clv_gathering *s, window *w, outside *o,
                                                 bool linear)
{
    const clv_graph *g = c->k.g;
    const int32_t *leader = c->k.leader, band = c->at[v].band;
    const place *at = c->at;
    int32_t count = 0;
    *w = anywhere;
    if (!linear)
        clv_gathering_start(s, most_entries(arcs_of(g, v)));
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
        int32_t u = g->pred[a];
        int64_t wgt = clv_graph_pwgt(g, a);
        if (at[u].band == band) {
            see_predecessor(w, leader[u], at[u].height);
            if (linear || a - g->xpred[v] < most_rated)
                count = gather(s, leader[u], wgt, count, linear);
        } else if (wgt > o->tie) {
            *o = (outside){u, wgt};
        }
    }
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t u = g->adj[a];
        int64_t wgt = clv_graph_ewgt(g, a);
        if (at[u].band == band) {
            see_successor(w, leader[u], at[u].height);
            if (linear || a - g->xadj[v] < most_rated)
                count = gather(s, leader[u], wgt, count, linear);
        } else if (wgt > o->tie) {
            *o = (outside){u, wgt};
        }
    }
    return count;
}

static void join(acyclic_clustering *c, int32_t v, int32_t cluster, int32_t height)
{
    clv_clusters_join(&c->k, v, cluster);
    c->at[v].height = c->at[cluster].height = height;
}

/* Joins v to the feasible cluster with the strongest tie relative to its weight. */
static void visit(acyclic_clustering *c, int32_t v, clv_gathering *s)
{
    window w;
    outside o = {-1, -1};
    int32_t ncon = c->k.g->ncon, count = arcs_of(c->k.g, v) <= clv_gathering_few
                                             ? gather_clusters(c, v, s, &w, &o, true)
                                             : gather_clusters(c, v, s, &w, &o, false);
    int32_t best = -1, best_height = -1, wanted = o.vertex;
    int64_t wanted_tie = o.tie;
    double best_tie = -1, best_weight = 1;
    for (int32_t i = 0; i < count; i++) {
        const clv_rated *r = &s->list[i];
        if (r->tie > wanted_tie) {
            wanted_tie = r->tie;
            wanted = r->cluster;
        }
        if (!clv_clusters_mix(&c->k, v, r->cluster))
            continue;
        double weight = (double)(c->k.weight[(int64_t)r->cluster * ncon] + 1);
        double mine = (double)r->tie * best_weight, other = best_tie * weight;
        if (mine < other ||
            (mine == other &&
             clv_clusters_lot(c->salt, r->cluster) < clv_clusters_lot(c->salt, best)) ||
            !clv_clusters_fit(&c->k, v, r->cluster))
            continue;
        int32_t height = meeting_height(c, v, &w, r->cluster);
        if (height < 0)
            continue;
        best = r->cluster;
        best_height = height;
        best_tie = (double)r->tie;
        best_weight = weight;
    }
    c->wanted[v] = wanted;
    if (best >= 0)
        join(c, v, best, best_height);
}

/* ---- Leftovers -------------------------------------------------------------------------- */

/* The last vertex that prefers the same cluster, or -1: kept as the tie of that cluster's
 * entry.  The list has `*count` entries. */
static int64_t *waiting_at(int32_t wanted, clv_gathering *s, int32_t *count)
{
    int32_t i = clv_gathering_add(s, wanted, 0, *count);
    if (i == *count) {
        s->list[i].tie = -1;
        ++*count;
    }
    return &s->list[i].tie;
}

/* Merges single vertices that prefer the same cluster: they share a predecessor or a
 * successor. */
static void merge_two_hop(acyclic_clustering *c, const int32_t *list, int32_t n,
                          clv_gathering *s)
{
    int32_t count = 0;
    int64_t idle = -1; /* the last isolated vertex */
    for (int32_t i = 0; i < n; i++) {
        int32_t v = list[i], wanted = c->wanted[v], height = -1;
        if (c->k.joined[v])
            continue;
        if (wanted >= 0 && c->at[wanted].band == c->at[v].band)
            wanted = c->k.leader[wanted];
        int64_t *waiting = wanted >= 0 ? waiting_at(wanted, s, &count) : &idle;
        int32_t last = (int32_t)*waiting;
        if (last >= 0 && clv_clusters_mix(&c->k, v, last) &&
            clv_clusters_fit(&c->k, v, last)) {
            window w = window_of(c, v);
            height = meeting_height(c, v, &w, last);
        }
        if (height >= 0)
            join(c, v, last, height);
        else
            *waiting = v;
    }
}

/* ---- The whole -------------------------------------------------------------------------- */

#ifndef NDEBUG
static bool arcs_climb(const acyclic_clustering *c)
{
    const clv_graph *g = c->k.g;
    for (int32_t v = 0; v < g->nvtx; v++) {
        int32_t leader = c->k.leader[v];
        place from = c->at[v];
        if (from.height != c->at[leader].height || from.band != c->at[leader].band)
            return false;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            place to = c->at[g->adj[a]];
            bool climbs = from.band < to.band || from.height < to.height;
            if (from.band > to.band || (leader != c->k.leader[g->adj[a]] && !climbs))
                return false;
        }
    }
    return true;
}
#endif

/* A level that began after the stop is completed: it was charged to the context's credit. */
static bool is_out_of_time(const acyclic_clustering *c, int member)
{
    if (!c->may_end)
        return false;
    return member == 0 ? clv_context_stop(c->ctx) : clv_context_is_stopped(c->ctx);
}

/* The list of clusters is as long as the band has single vertices: each band has its own. */
static cleave_status merge_singles(acyclic_clustering *c, const int32_t *list, int32_t n,
                                   clv_ws *ws, cleave_error *err)
{
    clv_gathering s;
    int32_t singles = 0;
    for (int32_t i = 0; i < n; i++)
        singles += !c->k.joined[list[i]];
    if (singles == 0)
        return CLEAVE_OK;
    clv_ws_mark mark = clv_ws_save(ws);
    if (!clv_gathering_init(&s, singles, ws))
        return clv_fail_memory(err);
    clv_gathering_start(&s, singles);
    merge_two_hop(c, list, n, &s);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

static void cluster_bands(void *context, int64_t begin, int64_t end, int member)
{
    acyclic_clustering *c = context;
    clv_gathering *s = &c->gather[member];
    cleave_error err;
    for (int64_t b = begin; b < end && !is_out_of_time(c, member); b++) {
        const int32_t *list = c->order + c->begin[b * rounds];
        int32_t n = band_count(c, b);
        clv_context_count(c->ctx, n * (1 + c->k.g->narc / c->k.g->nvtx));
        for (int32_t i = 0; i < n; i++)
            if (!c->k.joined[list[i]])
                visit(c, list[i], s);
        cleave_status status = merge_singles(c, list, n, &c->ctx->ws[member], &err);
        if (status != CLEAVE_OK)
            clv_failure_note(&c->failure, b, status, &err);
    }
}

/* Number of entries that a member's list must hold. */
static int64_t longest_list(const acyclic_clustering *c)
{
    const clv_graph *g = c->k.g;
    int64_t longest = 1;
    for (int32_t v = 0; v < g->nvtx; v++)
        if (arcs_of(g, v) > longest)
            longest = arcs_of(g, v);
    return most_entries(longest);
}

static cleave_status open_bands(acyclic_clustering *c, clv_context *ctx, cleave_error *err)
{
    clv_ws *ws = ctx->ws;
    int64_t n = c->k.g->nvtx;
    int members = clv_context_threads(ctx);
    c->at = clv_ws_alloc(ws, n, sizeof *c->at);
    c->wanted = clv_ws_alloc(ws, n, sizeof *c->wanted);
    c->order = clv_ws_alloc(ws, n, sizeof *c->order);
    c->gather = clv_ws_zalloc(ws, members, sizeof *c->gather);
    if (!c->at || !c->wanted || !c->order || !c->gather)
        return clv_fail_memory(err);
    CLV_TRY(make_bands(c, ctx, err));
    int64_t longest = longest_list(c);
    for (int i = 0; i < members; i++) {
        if (!clv_gathering_init(&c->gather[i], longest, ws))
            return clv_fail_memory(err);
    }
    return CLEAVE_OK;
}

static cleave_status cluster(acyclic_clustering *c, clv_context *ctx, int32_t *map,
                             int32_t *ncoarse, cleave_error *err)
{
    clv_rng rng = clv_rng_make(ctx->seed, stage_acyclic, (uint64_t)c->k.rule->level, 0);
    c->salt = clv_rng_u64(&rng);
    CLV_TRY(open_bands(c, ctx, err));
    clv_failure_init(&c->failure);
    clv_parallel_for(ctx->team, c->nbands, 1, cluster_bands, c);
    CLV_TRY(clv_failure_result(&c->failure, err));
    assert(arcs_climb(c));
    bool ended = c->may_end && clv_context_is_stopped(ctx);
    *ncoarse = ended ? 0 : clv_clusters_number(&c->k, ctx->team, map);
    return CLEAVE_OK;
}

cleave_status clv_cluster_acyclic(const clv_graph *g, const clv_merge_rule *rule,
                                  clv_context *ctx, int32_t *map, int32_t *ncoarse,
                                  cleave_error *err)
{
    assert(g->kind == CLEAVE_DAG);
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    acyclic_clustering c = {.ctx = ctx, .may_end = !clv_context_is_stopped(ctx)};
    cleave_status status = clv_clusters_init(&c.k, g, rule, ctx, err);
    if (status == CLEAVE_OK)
        status = cluster(&c, ctx, map, ncoarse, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
