/* SPDX-License-Identifier: Apache-2.0 */
/* coarsen/cluster.c - size-constrained label propagation [Meyerhenke, Sanders, Schulz 2014] in
 * one sweep, with heavy-edge matching as a special case, then two-hop merging of single
 * vertices [LaSalle et al. 2015; Gottesbueren et al. 2021].  DAGs are clustered by
 * coarsen/acyclic_cluster.c. */
#include "coarsen/cluster.h"

#include <string.h>

#include "base/group.h"
#include "base/rng.h"
#include "base/sort.h"
#include "coarsen/acyclic_cluster.h"
#include "coarsen/admission.h"
#include "coarsen/clusters.h"
#include "coarsen/gathering.h"
#include "coarsen/regions.h"

/* Sub-rounds are described in docs/design/engine.md, "Clustering in one sweep"; the numbers
 * are not tuned. */
enum {
    stage_cluster = 101,      /* seeds the random numbers */
    sequential_below = 20000, /* vertices; larger graphs use sub-rounds */
    sub_rounds = 16,
    grain = 512,
    most_rated = 2000, /* arcs of a hub that are rated */
    half_key = 31,     /* bits of a vertex number */
    most_choices = 4,  /* in parallel */
    few_refused = 256  /* vertices that choose one after the other */
};
/* A vertex does not merge over a tie that is weaker than its strongest one by more than this
 * factor: docs/design/engine.md, "Weak ties are not merged" (4 and 8 find every light border,
 * 32 does not). */
static const double weak_tie = 8;
/* Estimated time from the first sweep to a result, in sweeps.  It is longer if vertices have
 * many neighbours, because refinement dominates then: docs/design/engine.md, "Time limit and
 * Ctrl-C". The numbers are not tuned. */
static double sweeps_to_result(const clv_graph *g)
{
    return 4 + (double)g->narc / (double)g->nvtx / 3;
}
/* The same if regions replace the first levels.  Not tuned. */
static const double sweeps_to_regions = 1;
enum { least_shrink = 8 }; /* a level of regions must shrink by this factor; not tuned */

typedef struct clustering {
    clv_clusters k;
    int32_t *order; /* vertices in visiting order */
    clv_admission admission;
    const int32_t *choosing; /* the vertices that choose in parallel */
    uint64_t salt;
    clv_gathering *gather; /* by member */
} clustering;

/* ---- Choosing --------------------------------------------------------------------------- */

/* `weighted` and `wide` are compile-time constants in all calls: unit weights are not read. */
static CLV_ALWAYS_INLINE int32_t gather_clusters(const clustering *c, int32_t v,
                                                 clv_gathering *gather, bool weighted,
                                                 bool wide)
{
    const clv_graph *g = c->k.g;
    const int32_t *leader = c->k.leader;
    int64_t begin = g->xadj[v], end = g->xadj[v + 1];
    if (end - begin > most_rated)
        end = begin + most_rated;
    int32_t count = 0;
    if (end - begin <= clv_gathering_few) {
        for (int64_t a = begin; a < end; a++) {
            int64_t w = wide ? g->wide_ewgt[a] : weighted ? g->ewgt[a] : 1;
            count += clv_gathering_add_few(gather, leader[g->adj[a]], w, count) == count;
        }
        return count;
    }
    clv_gathering_start(gather, end - begin);
    for (int64_t a = begin; a < end; a++) {
        int64_t w = wide ? g->wide_ewgt[a] : weighted ? g->ewgt[a] : 1;
        count += clv_gathering_add(gather, leader[g->adj[a]], w, count) == count;
    }
    return count;
}

/* Rare, so it is not inlined. */
CLV_NOINLINE static int32_t gather_wide(const clustering *c, int32_t v, clv_gathering *gather)
{
    return gather_clusters(c, v, gather, true, true);
}

static int32_t gather_around(const clustering *c, int32_t v, clv_gathering *gather)
{
    const clv_graph *g = c->k.g;
    return g->ewgt        ? gather_clusters(c, v, gather, true, false)
           : g->wide_ewgt ? gather_wide(c, v, gather)
                          : gather_clusters(c, v, gather, false, false);
}

typedef struct picked {
    int32_t best; /* feasible, with the strongest tie relative to its weight; -1: none */
    double best_tie;
    double strongest; /* strongest tie, independent of the weight of the cluster */
} picked;

/* Selects among the clusters around v the best one with a tie of at least `least`.  Ratings
 * are compared as products, exact up to 2^53 and the same on all machines. */
static picked pick(const clustering *c, int32_t v, const clv_gathering *gather, int32_t count,
                   double least)
{
    picked p = {-1, -1, -1};
    int32_t ncon = c->k.g->ncon;
    double best_weight = 1;
    for (int32_t i = 0; i < count; i++) {
        const clv_rated *r = &gather->list[i];
        if (r->cluster == v || !clv_clusters_mix(&c->k, v, r->cluster))
            continue;
        double tie = (double)r->tie;
        if (tie > p.strongest)
            p.strongest = tie;
        double weight = (double)(c->k.weight[(int64_t)r->cluster * ncon] + 1);
        double mine = tie * best_weight, other = p.best_tie * weight;
        if (mine < other ||
            (mine == other &&
             clv_clusters_lot(c->salt, r->cluster) < clv_clusters_lot(c->salt, p.best)) ||
            tie < least || !clv_clusters_fit(&c->k, v, r->cluster))
            continue;
        p.best = r->cluster;
        p.best_tie = tie;
        best_weight = weight;
    }
    return p;
}

/* The cluster that v joins; -1: none.  It has the strongest tie relative to its weight, so
 * that coarse vertices have similar weights.  With spare_weak, v stays alone if the clusters
 * with strong ties are full: merging over a weak tie would hide a cheap cut from all coarser
 * levels. */
static int32_t choose(const clustering *c, int32_t v, clv_gathering *gather)
{
    int32_t count = gather_around(c, v, gather);
    picked p = pick(c, v, gather, count, 0);
    if (c->k.rule->spare_weak && p.best >= 0 && p.best_tie * weak_tie < p.strongest)
        p = pick(c, v, gather, count, p.strongest / weak_tie);
    return p.best;
}

/* ---- Joining ---------------------------------------------------------------------------- */

static void choose_range(void *context, int64_t begin, int64_t end, int member)
{
    clustering *c = context;
    for (int64_t i = begin; i < end; i++) {
        int32_t v = c->choosing[i];
        c->admission.wish[v] = c->k.joined[v] ? -1 : choose(c, v, &c->gather[member]);
    }
}

/* A matching is admitted in order: every second choice is refused. */
static int32_t admit_pairs(clustering *c, int32_t *list, int32_t count)
{
    int32_t refused = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t v = list[i], choice = c->admission.wish[v];
        c->admission.wish[v] = -1;
        if (choice < 0 || c->k.joined[v])
            continue;
        if (clv_clusters_fit(&c->k, v, choice))
            clv_clusters_join(&c->k, v, choice);
        else
            list[refused++] = v;
    }
    return refused;
}

static void choose_and_join(clustering *c, int32_t v)
{
    int32_t cluster = c->k.joined[v] ? -1 : choose(c, v, &c->gather[0]);
    if (cluster >= 0)
        clv_clusters_join(&c->k, v, cluster);
}

/* The vertices of a sub-round choose and join.  Next to a hub most choices are refused,
 * because all its neighbours see its free capacity.  Refused vertices choose again: vertices
 * left alone would merge two-hop, with vertices that are not their neighbours. */
static void join_round(clustering *c, clv_team *team, int32_t *list, int32_t count)
{
    bool pairs = c->k.rule->kind == CLV_MERGE_PAIRS;
    for (int i = 0; i < most_choices && count > 0 && (i == 0 || count >= few_refused); i++) {
        c->choosing = list;
        clv_parallel_for(team, count, grain, choose_range, c);
        count = pairs ? admit_pairs(c, list, count) : clv_admit(&c->admission, list, count);
    }
    for (int32_t i = 0; i < count; i++)
        choose_and_join(c, list[i]);
}

static void sweep_sequentially(clustering *c)
{
    for (int32_t i = 0; i < c->k.g->nvtx; i++)
        choose_and_join(c, c->order[i]);
}

/* Returns false if it ended early: the context was stopped, or the steps after the first level
 * would take too long, which is estimated from a part of its sweep.  *seconds: of a sweep. */
static bool sweep_in_rounds(clustering *c, clv_context *ctx, const int32_t *starts,
                            double *seconds)
{
    bool late = clv_context_is_stopped(ctx);
    double begin = clv_context_now(ctx);
    *seconds = 0;
    if (!late && clv_context_stop(ctx)) /* while the order of the visits was made */
        return false;
    for (int round = 0; round < sub_rounds; round++) {
        join_round(c, ctx->team, c->order + starts[round], starts[round + 1] - starts[round]);
        *seconds = (clv_context_now(ctx) - begin) * sub_rounds / (round + 1);
        bool hopeless = round > 0 && c->k.rule->level == 0 &&
                        clv_context_lacks(ctx, sweeps_to_result(c->k.g) * *seconds);
        if (!late && (clv_context_stop(ctx) || hopeless))
            return false;
    }
    return true;
}

/* ---- Visiting order --------------------------------------------------------------------- */

static int sub_round_of(uint64_t salt, int32_t v)
{
    return (int)(clv_hash64(salt + (uint64_t)(uint32_t)v) % sub_rounds);
}

typedef struct round_sort {
    clustering *c;
    clv_even_blocks blocks;
    /* By block: the number of its vertices in each sub-round, then where they go in order. */
    int32_t place[clv_blocks_most][sub_rounds];
} round_sort;

static void count_rounds(void *context, int64_t begin, int64_t end, int member)
{
    round_sort *r = context;
    (void)member;
    for (int64_t b = begin; b < end; b++) {
        int32_t count[sub_rounds] = {0};
        for (int32_t v = clv_block_begin(&r->blocks, b);
             v < clv_block_begin(&r->blocks, b + 1); v++)
            count[sub_round_of(r->c->salt, v)]++;
        memcpy(r->place[b], count, sizeof count);
    }
}

static void place_rounds(void *context, int64_t begin, int64_t end, int member)
{
    round_sort *r = context;
    (void)member;
    for (int64_t b = begin; b < end; b++) {
        int32_t place[sub_rounds];
        memcpy(place, r->place[b], sizeof place);
        for (int32_t v = clv_block_begin(&r->blocks, b);
             v < clv_block_begin(&r->blocks, b + 1); v++)
            r->c->order[place[sub_round_of(r->c->salt, v)]++] = v;
    }
}

/* Ascending within a sub-round, for cache locality. */
static void order_by_round(clustering *c, clv_team *team, int32_t *starts)
{
    round_sort r = {.c = c, .blocks = clv_blocks_of(c->k.g->nvtx, clv_block_least)};
    int32_t at = 0;
    clv_parallel_for(team, r.blocks.count, 1, count_rounds, &r);
    for (int i = 0; i < sub_rounds; i++) {
        starts[i] = at;
        for (int32_t b = 0; b < r.blocks.count; b++) {
            int32_t count = r.place[b][i];
            r.place[b][i] = at;
            at += count;
        }
    }
    starts[sub_rounds] = at;
    clv_parallel_for(team, r.blocks.count, 1, place_rounds, &r);
}

/* ---- Leftovers -------------------------------------------------------------------------- */

typedef struct tied {
    int32_t cluster; /* -1: none */
    int64_t tie, arcs;
} tied;

/* Among several hubs, the one with the most arcs divides the graph most. */
static bool is_stronger(const tied *a, const tied *b)
{
    if (a->tie != b->tie)
        return a->tie > b->tie;
    return a->arcs != b->arcs ? a->arcs > b->arcs : a->cluster < b->cluster;
}

/* The two clusters around v with the strongest ties, whatever their weight, as one key; its
 * upper half is the strongest one. */
static int64_t strongest_two(const clustering *c, int32_t v, clv_gathering *gather)
{
    const clv_graph *g = c->k.g;
    int32_t count = gather_around(c, v, gather);
    tied first = {-1, -1, -1}, second = {-1, -1, -1};
    for (int32_t i = 0; i < count; i++) {
        tied t = {.cluster = gather->list[i].cluster, .tie = gather->list[i].tie};
        if (t.cluster == v || !clv_clusters_mix(&c->k, v, t.cluster) || t.tie < second.tie)
            continue;
        t.arcs = g->xadj[t.cluster + 1] - g->xadj[t.cluster];
        if (is_stronger(&t, &first)) {
            second = first;
            first = t;
        } else if (is_stronger(&t, &second)) {
            second = t;
        }
    }
    return ((int64_t)(first.cluster + 1) << half_key) + (second.cluster + 1);
}

/* Equal for vertices with the same neighbouring clusters. */
static int64_t hash_neighbours(const clustering *c, int32_t v)
{
    const clv_graph *g = c->k.g;
    int64_t begin = g->xadj[v], end = g->xadj[v + 1];
    if (end - begin > most_rated)
        end = begin + most_rated;
    uint64_t sum = 0;
    for (int64_t a = begin; a < end; a++)
        sum += clv_hash64((uint64_t)c->k.leader[g->adj[a]]);
    return (int64_t)(sum >> 1);
}

/* The single vertices, as items of a sort. */
typedef struct single_list {
    const clustering *c;
    clv_even_blocks blocks;
    int32_t first[clv_blocks_most + 1]; /* by block: its first item */
    clv_sort_item *items;
} single_list;

static void count_singles(void *context, int64_t begin, int64_t end, int member)
{
    single_list *l = context;
    (void)member;
    for (int64_t b = begin; b < end; b++) {
        int32_t count = 0;
        for (int32_t v = clv_block_begin(&l->blocks, b);
             v < clv_block_begin(&l->blocks, b + 1); v++)
            count += !l->c->k.joined[v];
        l->first[b + 1] = count;
    }
}

static void list_singles(void *context, int64_t begin, int64_t end, int member)
{
    single_list *l = context;
    (void)member;
    for (int64_t b = begin; b < end; b++) {
        clv_sort_item *item = l->items + l->first[b];
        for (int32_t v = clv_block_begin(&l->blocks, b);
             v < clv_block_begin(&l->blocks, b + 1); v++)
            if (!l->c->k.joined[v])
                *item++ = (clv_sort_item){.key = hash_neighbours(l->c, v), .with.index = v};
    }
}

static void find_strongest(void *context, int64_t begin, int64_t end, int member)
{
    single_list *l = context;
    for (int64_t i = begin; i < end; i++)
        l->items[i].key =
            strongest_two(l->c, (int32_t)l->items[i].with.index, &l->c->gather[member]);
}

/* Many items on several threads; the result is the same. */
static clv_sort_item *sort_items(clv_team *team, clv_sort_item *items, clv_sort_item *scratch,
                                 int32_t count)
{
    if (count < sequential_below || clv_team_size(team) == 1)
        return clv_sort(items, scratch, count);
    clv_sort_team(team, items, scratch, count);
    return items;
}

/* Sorts single vertices by their two strongest clusters, then by their neighbourhood.
 * l->items has room for them; the result is there or in scratch. */
static clv_sort_item *sort_singles(single_list *l, clv_team *team, clv_sort_item *scratch)
{
    int32_t count = l->first[l->blocks.count];
    clv_sort_item *items = l->items;
    clv_parallel_for(team, l->blocks.count, 1, list_singles, l);
    l->items = sort_items(team, items, scratch, count);
    /* Small graphs have scratch for one thread only. */
    clv_parallel_for(l->c->k.g->nvtx < sequential_below ? NULL : team, count, grain,
                     find_strongest, l);
    return sort_items(team, l->items, l->items == items ? scratch : items, count);
}

/* Merges single vertices whose keys agree except in the lowest bits. */
static void merge_runs(clustering *c, const clv_sort_item *single, int32_t count, int but)
{
    int32_t last = -1;
    int64_t key = -1;
    for (int32_t i = 0; i < count; i++) {
        int32_t v = (int32_t)single[i].with.index;
        if (c->k.joined[v])
            continue;
        if (single[i].key >> but == key && clv_clusters_mix(&c->k, v, last) &&
            clv_clusters_fit(&c->k, v, last))
            clv_clusters_join(&c->k, v, last);
        else
            last = v;
        key = single[i].key >> but;
    }
}

/* Merges single vertices whose strongest ties lead to the same cluster: leaves of a star,
 * satellites of a hub.  Pairs that share two clusters merge first, in the order of the hash of
 * all their clusters: if leaves belong to several hubs, a cluster of leaves that share only
 * one hub hides which other hubs should be near. */
static cleave_status merge_two_hop(clustering *c, clv_context *ctx, cleave_error *err)
{
    single_list l = {.c = c, .blocks = clv_blocks_of(c->k.g->nvtx, clv_block_least)};
    clv_parallel_for(ctx->team, l.blocks.count, 1, count_singles, &l);
    clv_running_sums32(l.first, l.blocks.count);
    int32_t count = l.first[l.blocks.count];
    if (count == 0)
        return CLEAVE_OK;
    l.items = clv_ws_alloc(ctx->ws, count, sizeof *l.items);
    clv_sort_item *scratch = clv_ws_alloc(ctx->ws, count, sizeof *scratch);
    if (!l.items || !scratch)
        return clv_fail_memory(err);
    const clv_sort_item *single = sort_singles(&l, ctx->team, scratch);
    merge_runs(c, single, count, 0);
    merge_runs(c, single, count, half_key);
    return CLEAVE_OK;
}

/* Vertices without edges between them can fill parts up to their bounds.  Two-hop clusters
 * weigh at most half the bound: docs/design/engine.md, "Hubs: coarsening" (with more, parts of
 * a caterpillar or a star are full before the last cluster is placed). */
static cleave_status merge_leftovers(clustering *c, clv_context *ctx, cleave_error *err)
{
    clv_merge_rule halved = *c->k.rule;
    int32_t ncon = c->k.g->ncon;
    int64_t *half = clv_ws_alloc(ctx->ws, ncon, sizeof *half);
    if (!half)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < ncon; i++)
        half[i] = c->k.rule->max_weight[i] / 2;
    halved.max_weight = half;
    const clv_merge_rule *rule = c->k.rule;
    c->k.rule = &halved;
    cleave_status status = merge_two_hop(c, ctx, err);
    c->k.rule = rule;
    return status;
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

static cleave_status allocate_clustering(clustering *c, clv_context *ctx, cleave_error *err)
{
    const clv_graph *g = c->k.g;
    int members = g->nvtx < sequential_below ? 1 : clv_context_threads(ctx);
    clv_ws *ws = ctx->ws;
    int64_t n = g->nvtx, row = longest_row(g);
    c->order = clv_ws_alloc(ws, n, sizeof *c->order);
    c->gather = clv_ws_zalloc(ws, members, sizeof *c->gather);
    if (!c->order || !c->gather)
        return clv_fail_memory(err);
    for (int i = 0; i < members; i++) {
        if (!clv_gathering_init(&c->gather[i], row, ws))
            return clv_fail_memory(err);
    }
    return CLEAVE_OK;
}

/* There is no time for clusters, whose sweep takes `seconds`; there may be time for
 * regions. */
static cleave_status hurry(const clustering *c, double seconds, clv_context *ctx, int32_t *map,
                           int32_t *ncoarse, cleave_error *err)
{
    *ncoarse = 0;
    clv_context_hurry(ctx);
    if (clv_context_stop(ctx) || clv_context_lacks(ctx, sweeps_to_regions * seconds))
        return CLEAVE_OK;
    CLV_TRY(clv_cluster_regions(c->k.g, c->k.rule, ctx->ws, map, ncoarse, err));
    if (*ncoarse > c->k.g->nvtx / least_shrink)
        *ncoarse = 0;
    return CLEAVE_OK;
}

static int32_t longest_round(const int32_t *starts)
{
    int32_t longest = 0;
    for (int i = 0; i < sub_rounds; i++)
        if (starts[i + 1] - starts[i] > longest)
            longest = starts[i + 1] - starts[i];
    return longest;
}

static cleave_status cluster(clustering *c, clv_context *ctx, int32_t *map, int32_t *ncoarse,
                             cleave_error *err)
{
    clv_context_count(ctx, c->k.g->narc);
    CLV_TRY(allocate_clustering(c, ctx, err));
    clv_rng rng = clv_rng_make(ctx->seed, stage_cluster, (uint64_t)c->k.rule->level, 0);
    c->salt = clv_rng_u64(&rng);
    if (c->k.g->nvtx < sequential_below) {
        clv_rng_permutation(&rng, c->k.g->nvtx, c->order);
        sweep_sequentially(c);
    } else {
        int32_t starts[sub_rounds + 1];
        double seconds;
        order_by_round(c, ctx->team, starts);
        CLV_TRY(clv_admission_init(&c->admission, &c->k, ctx->team, longest_round(starts),
                                   ctx->ws, err));
        if (!sweep_in_rounds(c, ctx, starts, &seconds))
            return hurry(c, seconds, ctx, map, ncoarse, err);
    }
    CLV_TRY(merge_leftovers(c, ctx, err));
    *ncoarse = clv_clusters_number(&c->k, ctx->team, map);
    return CLEAVE_OK;
}

cleave_status clv_cluster(const clv_graph *g, const clv_merge_rule *rule, clv_context *ctx,
                          int32_t *map, int32_t *ncoarse, cleave_error *err)
{
    if (g->kind == CLEAVE_DAG)
        return clv_cluster_acyclic(g, rule, ctx, map, ncoarse, err);
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    clustering c = {0};
    cleave_status status = clv_clusters_init(&c.k, g, rule, ctx, err);
    if (status == CLEAVE_OK)
        status = cluster(&c, ctx, map, ncoarse, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
