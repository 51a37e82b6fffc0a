/* SPDX-License-Identifier: Apache-2.0 */
/* coarsen/cluster.c - size-constrained label propagation [Meyerhenke, Sanders, Schulz 2014]
 * in one sweep, heavy-edge matching as its special case, two-hop merging of what is left
 * [LaSalle et al. 2015; Gottesbueren et al. 2021].
 *
 * A cluster is named by its leader.  A vertex joins another cluster only while it is alone,
 * so leaders never move and clusters only grow. */
#include "coarsen/cluster.h"

#include <assert.h>

#include "base/rng.h"

enum {
    stage_cluster = 101,      /* of the random numbers */
    sequential_below = 20000, /* vertices; beyond, sub-rounds */
    sub_rounds = 16,
    grain = 512,
    most_rated = 2000 /* arcs of a hub that are looked at */
};

typedef struct rated {
    int32_t cluster;
    int64_t tie; /* weight of the arcs into it */
} rated;

/* Scratch of one thread: the clusters around a vertex, as a sparse set: slot[c] is the place
 * of c in `list` if that place says so. */
typedef struct gathering {
    int32_t *slot;
    rated *list;
} gathering;

typedef struct clustering {
    const clv_graph *g;
    const clv_merge_rule *rule;
    int32_t *leader; /* by vertex: its cluster */
    int64_t *weight; /* by leader * ncon */
    uint8_t *joined; /* the vertex is in a cluster of at least two */
    int32_t *wanted; /* by vertex: the cluster it would have joined without the bound */
    int32_t *order;  /* vertices in the order of visits */
    int32_t *choice; /* of the vertices of a sub-round */
    int32_t first;   /* of the sub-round in order */
    uint64_t salt;
    gathering *gather; /* by member */
} clustering;

/* ---- Choosing --------------------------------------------------------------------------- */

/* `weighted` is a constant where this is called: unit weights need not be read. */
static CLV_ALWAYS_INLINE int32_t gather_clusters(const clustering *c, int32_t v,
                                                 gathering *gather, bool weighted)
{
    const clv_graph *g = c->g;
    const int32_t *leader = c->leader;
    int64_t begin = g->xadj[v], end = g->xadj[v + 1];
    if (end - begin > most_rated)
        end = begin + most_rated;
    int32_t count = 0;
    for (int64_t a = begin; a < end; a++) {
        int32_t cluster = leader[g->adj[a]];
        int32_t place = gather->slot[cluster], w = weighted ? g->ewgt[a] : 1;
        if (place < count && gather->list[place].cluster == cluster) {
            gather->list[place].tie += w;
        } else {
            gather->slot[cluster] = count;
            gather->list[count++] = (rated){.cluster = cluster, .tie = w};
        }
    }
    return count;
}

static inline bool fits(const clustering *c, int32_t v, int32_t cluster)
{
    int32_t ncon = c->g->ncon;
    if (c->rule->kind == CLV_MERGE_PAIRS && c->joined[cluster])
        return false;
    for (int32_t i = 0; i < ncon; i++)
        if (c->weight[(int64_t)cluster * ncon + i] + clv_graph_vwgt(c->g, v, i) >
            c->rule->max_weight[i])
            return false;
    return true;
}

static inline bool may_mix(const clustering *c, int32_t v, int32_t cluster)
{
    return !c->rule->klass || c->rule->klass[v] == c->rule->klass[cluster];
}

/* Breaks ties between clusters as if at random. */
static inline uint32_t lot(const clustering *c, int32_t cluster)
{
    uint32_t x = ((uint32_t)cluster ^ (uint32_t)c->salt) * 0x9e3779b1u;
    return x ^ (x >> 15);
}

/* The cluster that v wants, -1: none: the one with the strongest tie for its weight, so that
 * coarse vertices of similar weight result.  c->wanted[v] is the one with the strongest tie
 * whatever it weighs.  Ratings are compared as products, exact up to 2^53 and the same
 * everywhere. */
static int32_t choose(const clustering *c, int32_t v, gathering *gather)
{
    int32_t count = c->g->ewgt ? gather_clusters(c, v, gather, true)
                               : gather_clusters(c, v, gather, false);
    int32_t best = -1, wanted = -1, ncon = c->g->ncon;
    int64_t wanted_tie = -1;
    double best_tie = -1, best_weight = 1;
    for (int32_t i = 0; i < count; i++) {
        const rated *r = &gather->list[i];
        if (r->cluster == v || !may_mix(c, v, r->cluster))
            continue;
        if (r->tie > wanted_tie) {
            wanted_tie = r->tie;
            wanted = r->cluster;
        }
        double weight = (double)(c->weight[(int64_t)r->cluster * ncon] + 1);
        double mine = (double)r->tie * best_weight, other = best_tie * weight;
        if (mine < other || (mine == other && lot(c, r->cluster) < lot(c, best)) ||
            !fits(c, v, r->cluster))
            continue;
        best = r->cluster;
        best_tie = (double)r->tie;
        best_weight = weight;
    }
    c->wanted[v] = wanted;
    return best;
}

/* ---- Joining ---------------------------------------------------------------------------- */

static void join(clustering *c, int32_t v, int32_t cluster)
{
    int32_t ncon = c->g->ncon;
    c->leader[v] = cluster;
    c->joined[v] = c->joined[cluster] = 1;
    for (int32_t i = 0; i < ncon; i++)
        c->weight[(int64_t)cluster * ncon + i] += clv_graph_vwgt(c->g, v, i);
}

/* The chosen cluster may have grown, or its leader may itself have joined another one since
 * it was chosen. */
static void admit(clustering *c, int32_t v, int32_t choice)
{
    if (choice < 0 || c->joined[v])
        return;
    int32_t cluster = c->leader[choice];
    if (cluster != v && fits(c, v, cluster))
        join(c, v, cluster);
}

static void choose_range(void *context, int64_t begin, int64_t end, int member)
{
    clustering *c = context;
    for (int64_t i = begin; i < end; i++) {
        int32_t v = c->order[c->first + i];
        c->choice[i] = c->joined[v] ? -1 : choose(c, v, &c->gather[member]);
    }
}

static void sweep_sequentially(clustering *c)
{
    for (int32_t i = 0; i < c->g->nvtx; i++) {
        int32_t v = c->order[i];
        if (!c->joined[v])
            admit(c, v, choose(c, v, &c->gather[0]));
    }
}

static void sweep_in_rounds(clustering *c, clv_context *ctx, const int32_t *starts)
{
    for (int round = 0; round < sub_rounds; round++) {
        c->first = starts[round];
        int32_t count = starts[round + 1] - starts[round];
        clv_parallel_for(ctx->team, count, grain, choose_range, c);
        for (int32_t i = 0; i < count; i++)
            admit(c, c->order[c->first + i], c->choice[i]);
    }
}

/* ---- Order of visits -------------------------------------------------------------------- */

static int sub_round_of(uint64_t salt, int32_t v)
{
    return (int)(clv_hash64(salt + (uint64_t)(uint32_t)v) % sub_rounds);
}

/* Inside a sub-round ascending, which is kind to the caches. */
static void order_by_round(clustering *c, int32_t *starts)
{
    int32_t n = c->g->nvtx;
    for (int i = 0; i <= sub_rounds; i++)
        starts[i] = 0;
    for (int32_t v = 0; v < n; v++)
        starts[sub_round_of(c->salt, v) + 1]++;
    for (int i = 0; i < sub_rounds; i++)
        starts[i + 1] += starts[i];
    int32_t next[sub_rounds];
    for (int i = 0; i < sub_rounds; i++)
        next[i] = starts[i];
    for (int32_t v = 0; v < n; v++)
        c->order[next[sub_round_of(c->salt, v)]++] = v;
}

/* ---- Leftovers -------------------------------------------------------------------------- */

/* Single vertices that wanted the same cluster merge with each other: leaves of a star,
 * satellites of a hub.  pending[x]: the last cluster of such vertices that may take more. */
static void merge_two_hop(clustering *c, int32_t *pending)
{
    int32_t n = c->g->nvtx;
    for (int32_t v = 0; v < n; v++)
        pending[v] = -1;
    int32_t idle = -1; /* the last isolated vertex */
    for (int32_t v = 0; v < n; v++) {
        if (c->joined[v])
            continue;
        int32_t *last = c->wanted[v] >= 0 ? &pending[c->leader[c->wanted[v]]] : &idle;
        if (*last >= 0 && may_mix(c, v, *last) && fits(c, v, *last))
            join(c, v, *last);
        else
            *last = v;
    }
}

static int32_t number_clusters(const clustering *c, int32_t *map)
{
    int32_t count = 0;
    for (int32_t v = 0; v < c->g->nvtx; v++)
        if (c->leader[v] == v)
            map[v] = count++;
    for (int32_t v = 0; v < c->g->nvtx; v++)
        if (c->leader[v] != v)
            map[v] = map[c->leader[v]];
    return count;
}

/* ---- The whole -------------------------------------------------------------------------- */

static int64_t longest_row(const clv_graph *g)
{
    int64_t longest = 1;
    for (int32_t v = 0; v < g->nvtx; v++)
        if (g->xadj[v + 1] - g->xadj[v] > longest)
            longest = g->xadj[v + 1] - g->xadj[v];
    return longest < most_rated ? longest : most_rated;
}

static cleave_status prepare(clustering *c, clv_context *ctx, cleave_error *err)
{
    const clv_graph *g = c->g;
    int members = clv_context_threads(ctx);
    clv_ws *ws = ctx->ws;
    int64_t n = g->nvtx, row = longest_row(g);
    c->leader = clv_ws_alloc(ws, n, sizeof *c->leader);
    c->weight = clv_ws_alloc(ws, n * g->ncon, sizeof *c->weight);
    c->joined = clv_ws_zalloc(ws, n, sizeof *c->joined);
    c->wanted = clv_ws_alloc(ws, n, sizeof *c->wanted);
    c->order = clv_ws_alloc(ws, n, sizeof *c->order);
    c->choice = clv_ws_alloc(ws, n < sequential_below ? 1 : n, sizeof *c->choice);
    c->gather = clv_ws_zalloc(ws, members, sizeof *c->gather);
    if (!c->leader || !c->weight || !c->joined || !c->wanted || !c->order || !c->choice ||
        !c->gather)
        return clv_fail_memory(err);
    for (int i = 0; i < members; i++) {
        c->gather[i].slot = clv_ws_zalloc(ws, n, sizeof *c->gather[i].slot);
        c->gather[i].list = clv_ws_alloc(ws, row, sizeof *c->gather[i].list);
        if (!c->gather[i].slot || !c->gather[i].list)
            return clv_fail_memory(err);
    }
    for (int32_t v = 0; v < g->nvtx; v++) {
        c->leader[v] = v;
        for (int32_t i = 0; i < g->ncon; i++)
            c->weight[(int64_t)v * g->ncon + i] = clv_graph_vwgt(g, v, i);
    }
    return CLEAVE_OK;
}

static cleave_status cluster(clustering *c, clv_context *ctx, int32_t *map, int32_t *ncoarse,
                             cleave_error *err)
{
    CLV_TRY(prepare(c, ctx, err));
    clv_rng rng = clv_rng_make(ctx->seed, stage_cluster, (uint64_t)c->rule->level, 0);
    c->salt = clv_rng_u64(&rng);
    if (c->g->nvtx < sequential_below) {
        clv_rng_permutation(&rng, c->g->nvtx, c->order);
        sweep_sequentially(c);
    } else {
        int32_t starts[sub_rounds + 1];
        order_by_round(c, starts);
        sweep_in_rounds(c, ctx, starts);
    }
    merge_two_hop(c, c->order);
    *ncoarse = number_clusters(c, map);
    return CLEAVE_OK;
}

cleave_status clv_cluster(const clv_graph *g, const clv_merge_rule *rule, clv_context *ctx,
                          int32_t *map, int32_t *ncoarse, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    clustering c = {.g = g, .rule = rule};
    cleave_status status = cluster(&c, ctx, map, ncoarse, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
