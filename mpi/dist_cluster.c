/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_cluster.c - the distributed version of coarsen/cluster.c: size-constrained label
 * propagation [Meyerhenke, Sanders, Schulz 2014] in one sweep, in which each vertex moves at
 * most once, then two-hop merging [LaSalle et al. 2015].  A cluster is rated by edge weight
 * over cluster weight.
 *
 * A cluster is identified by the local number of its leader, an own vertex or a ghost.  A
 * neighbour in a cluster whose leader is neither has label -1 and cannot be chosen.  Weights
 * of clusters with own leaders are exact; weights of clusters led by ghosts are those after
 * the last phase, and the owner of the leader admits or refuses vertices of other ranks. */
#include "mpi/dist_cluster.h"

#include <string.h>

#include "base/rng.h"
#include "coarsen/clusters.h"
#include "coarsen/gathering.h"
#include "mpi/dist_cluster_dag.h"

enum {
    stage_cluster = 151,
    phases = 4,      /* in which every vertex is visited once */
    more_phases = 4, /* for vertices whose request was refused or not possible */
    sub_rounds = 4,  /* of a phase */
    grain = 512,
    most_rated = 2000
};

enum { ALONE, JOINED, ASKING }; /* of state */

typedef struct wish {
    int32_t vertex, cluster; /* own, ghost */
} wish;

typedef struct clustering {
    const clv_dist_graph *g;
    const clv_dist_merge_rule *rule;
    clv_context *ctx;
    clv_ws ws;   /* workspace of its own, released before the coarse graph is made */
    int64_t all; /* own vertices and ghosts */
    uint64_t salt;
    int phase;
    int32_t *label;         /* all: local number of the leader, -1: on another rank */
    clv_new_weights weight; /* all, by constraint: weight of the leader's cluster */
    int64_t *leader;        /* all: global number of the leader */
    uint8_t *state;         /* own */
    int32_t *wanted; /* own: the cluster it would join without the size constraint, or -1 */
    int32_t *order;  /* all places; own vertices in the order of visits */
    int32_t left;    /* of order, in later phases */
    int32_t *choice; /* own places */
    int32_t first;   /* of the sub-round in order */
    clv_gathering *gather; /* by member of the team */
    wish *wishes;
    int32_t nwishes;
} clustering;

/* ---- Random roles ----------------------------------------------------------------------- */

static uint64_t lot(const clustering *c, uint64_t salt, int64_t global)
{
    return clv_hash64(c->salt + salt * 0x51ed2701u + (uint64_t)global);
}

static int turn_of(const clustering *c, int64_t global)
{
    return (int)(lot(c, 1, global) % (phases * sub_rounds));
}

/* Whether the vertex sends requests in this phase or receives them. */
static bool is_sender(const clustering *c, int64_t global)
{
    return lot(c, 2 + (uint64_t)c->phase, global) & 1;
}

/* ---- Choosing --------------------------------------------------------------------------- */

static int32_t gather_clusters(const clustering *c, int32_t v, clv_gathering *k)
{
    const clv_dist_graph *g = c->g;
    int64_t begin = g->xadj[v], end = g->xadj[v + 1];
    int32_t count = 0;
    if (end - begin > most_rated)
        end = begin + most_rated;
    clv_gathering_start(k, end - begin);
    for (int64_t a = begin; a < end; a++) {
        int32_t cluster = c->label[g->adj[a]];
        int64_t w = clv_dist_ewgt(g, a);
        if (cluster < 0)
            continue;
        count += clv_gathering_add(k, cluster, w, count) == count;
    }
    return count;
}

/* The weight of that leader's cluster in constraint i. */
static int64_t cluster_weight(const clustering *c, int32_t leader, int32_t i)
{
    return clv_weight_at(clv_weights_of(c->weight), i * c->all + leader);
}

static void add_weight(clustering *c, int32_t leader, int32_t i, int64_t more)
{
    clv_weight_set(c->weight, i * c->all + leader, cluster_weight(c, leader, i) + more);
}

static bool fits(const clustering *c, int32_t v, int32_t cluster)
{
    for (int32_t i = 0; i < c->g->ncon; i++)
        if (cluster_weight(c, cluster, i) + clv_dist_vwgt(c->g, v, i) > c->rule->max_weight[i])
            return false;
    return true;
}

static bool may_mix(const clustering *c, int32_t v, int32_t cluster)
{
    return !c->rule->merge_class || c->rule->merge_class[v] == c->rule->merge_class[cluster];
}

/* Whether v can choose this cluster in this phase. */
static bool is_open(const clustering *c, int32_t v, int32_t cluster)
{
    if (cluster < c->g->nlocal)
        return c->state[cluster] != ASKING;
    return is_sender(c, clv_dist_global(c->g, v)) &&
           !is_sender(c, clv_dist_global(c->g, cluster));
}

/* The rule of choose() in coarsen/cluster.c.  In its turn a vertex waits for its best cluster,
 * even if that is not available in this phase; in later phases it takes the best available
 * one. */
static int32_t choose(const clustering *c, int32_t v, clv_gathering *k)
{
    int32_t count = gather_clusters(c, v, k), best = -1, wanted = -1;
    int64_t wanted_tie = -1;
    double best_tie = -1, best_weight = 1;
    for (int32_t i = 0; i < count; i++) {
        const clv_rated *r = &k->list[i];
        if (r->cluster == v || !may_mix(c, v, r->cluster))
            continue;
        if (r->tie > wanted_tie) {
            wanted_tie = r->tie;
            wanted = r->cluster;
        }
        double weight = (double)(cluster_weight(c, r->cluster, 0) + 1);
        double mine = (double)r->tie * best_weight, other = best_tie * weight;
        if (mine < other ||
            (mine == other && best >= 0 &&
             clv_clusters_lot(c->salt, r->cluster) < clv_clusters_lot(c->salt, best)) ||
            !fits(c, v, r->cluster) || (c->phase >= phases && !is_open(c, v, r->cluster)))
            continue;
        best = r->cluster;
        best_tie = (double)r->tie;
        best_weight = weight;
    }
    c->wanted[v] = wanted;
    return best;
}

static void choose_range(void *context, int64_t begin, int64_t end, int member)
{
    clustering *c = context;
    for (int64_t i = begin; i < end; i++) {
        int32_t v = c->order[c->first + i];
        c->choice[i] = c->state[v] != ALONE ? -1 : choose(c, v, &c->gather[member]);
    }
}

/* ---- Joining ---------------------------------------------------------------------------- */

static void join(clustering *c, int32_t v, int32_t cluster)
{
    c->label[v] = cluster;
    c->leader[v] = clv_dist_global(c->g, cluster);
    c->state[v] = c->state[cluster] = JOINED;
    for (int32_t i = 0; i < c->g->ncon; i++)
        add_weight(c, cluster, i, clv_dist_vwgt(c->g, v, i));
}

/* An own cluster may have grown since it was chosen, or its leader may have joined another
 * cluster.  Requests to clusters of other ranks are sent later. */
static void admit(clustering *c, int32_t v, int32_t choice)
{
    if (choice < 0 || c->state[v] != ALONE || !is_open(c, v, choice))
        return;
    if (choice >= c->g->nlocal) {
        c->state[v] = ASKING;
        c->wishes[c->nwishes++] = (wish){v, choice};
        return;
    }
    int32_t cluster = c->label[choice];
    if (cluster >= 0 && cluster < c->g->nlocal && cluster != v &&
        c->state[cluster] != ASKING && fits(c, v, cluster))
        join(c, v, cluster);
}

static void sub_round(clustering *c, int32_t begin, int32_t end)
{
    c->first = begin;
    clv_parallel_for(c->ctx->team, end - begin, grain, choose_range, c);
    for (int32_t i = 0; i < end - begin; i++)
        admit(c, c->order[begin + i], c->choice[i]);
}

/* ---- Requests to other ranks ------------------------------------------------------------ */

/* A request: the leader's global number in two words, the class, then the weights, with two
 * words each where weights have 64 bits. */
static int words_per_weight(const clustering *c)
{
    return c->g->wide_vwgt ? 2 : 1;
}

static int request_words(const clustering *c)
{
    return 3 + words_per_weight(c) * c->g->ncon;
}

static int64_t requested_weight(const clustering *c, const int32_t *request, int32_t i)
{
    if (!c->g->wide_vwgt)
        return request[3 + i];
    int64_t weight;
    memcpy(&weight, request + 3 + 2 * i, sizeof weight);
    return weight;
}

static bool request_fits(const clustering *c, const int32_t *request, int32_t cluster)
{
    for (int32_t i = 0; i < c->g->ncon; i++)
        if (cluster_weight(c, cluster, i) + requested_weight(c, request, i) >
            c->rule->max_weight[i])
            return false;
    return true;
}

static void write_request(const clustering *c, const wish *w, int32_t *to)
{
    int64_t leader = clv_dist_global(c->g, w->cluster);
    memcpy(to, &leader, sizeof leader);
    to[2] = c->rule->merge_class ? c->rule->merge_class[w->vertex] : 0;
    for (int32_t i = 0; i < c->g->ncon; i++) {
        int64_t weight = clv_dist_vwgt(c->g, w->vertex, i);
        if (c->g->wide_vwgt)
            memcpy(to + 3 + 2 * i, &weight, sizeof weight);
        else
            to[3 + i] = (int32_t)weight;
    }
}

/* The leader of the cluster that admitted the vertex, -1: none. */
static int64_t answer(clustering *c, const int32_t *from)
{
    int64_t leader;
    memcpy(&leader, from, sizeof leader);
    int32_t u = (int32_t)(leader - c->g->first[c->g->comm.rank]), cluster = c->label[u];
    if (cluster < 0 || cluster >= c->g->nlocal || c->state[cluster] == ASKING ||
        (c->rule->merge_class && c->rule->merge_class[cluster] != from[2]) ||
        !request_fits(c, from, cluster))
        return -1;
    c->state[cluster] = JOINED;
    for (int32_t i = 0; i < c->g->ncon; i++)
        add_weight(c, cluster, i, requested_weight(c, from, i));
    return clv_dist_global(c->g, cluster);
}

static void apply_answer(clustering *c, const wish *w, int64_t leader)
{
    c->state[w->vertex] = leader >= 0 ? JOINED : ALONE;
    if (leader < 0)
        return;
    c->leader[w->vertex] = leader;
    c->label[w->vertex] = clv_dist_local(c->g, leader);
}

/* Sorts requests by the owner of the cluster; ghosts are in the order of their owners. */
static void sort_wishes(const clustering *c, int64_t *first, wish *sorted)
{
    const clv_dist_graph *g = c->g;
    memset(first, 0, (size_t)(g->comm.size + 2) * sizeof *first);
    for (int32_t i = 0; i < c->nwishes; i++)
        first[clv_dist_owner(g->first, g->comm.size,
                             clv_dist_global(g, c->wishes[i].cluster)) +
              2]++;
    for (int r = 0; r < g->comm.size; r++)
        first[r + 2] += first[r + 1];
    for (int32_t i = 0; i < c->nwishes; i++) {
        int r =
            clv_dist_owner(g->first, g->comm.size, clv_dist_global(g, c->wishes[i].cluster));
        sorted[first[r + 1]++] = c->wishes[i];
    }
}

typedef struct asking {
    int64_t *first, *answers, *heard;
    wish *sorted;
    int32_t *requests;
    clv_arrivals asked;
} asking;

static void close_asking(asking *k)
{
    clv_sys_free(k->first);
    clv_sys_free(k->answers);
    clv_sys_free(k->heard);
    clv_sys_free(k->sorted);
    clv_sys_free(k->requests);
    clv_arrivals_free(&k->asked);
}

static cleave_status exchange_requests(clustering *c, asking *k, cleave_error *err)
{
    const clv_comm *comm = &c->g->comm;
    int words = request_words(c);
    size_t each = (size_t)words * sizeof *k->requests;
    k->first = clv_alloc(comm->size + 2, sizeof *k->first);
    k->sorted = clv_alloc(c->nwishes, sizeof *k->sorted);
    k->heard = clv_alloc(c->nwishes, sizeof *k->heard);
    k->requests = clv_alloc(c->nwishes, each);
    bool ok = k->first && k->sorted && k->heard && k->requests;
    CLV_TRY(clv_comm_agree_memory(comm, ok, err));
    sort_wishes(c, k->first, k->sorted);
    for (int32_t i = 0; i < c->nwishes; i++)
        write_request(c, &k->sorted[i], k->requests + (int64_t)i * words);
    CLV_TRY(clv_comm_exchange(comm, k->requests, k->first, each, &k->asked, err));
    const int32_t *asked = k->asked.items;
    k->answers = clv_alloc(k->asked.count, sizeof *k->answers);
    CLV_TRY(clv_comm_agree_memory(comm, k->answers != NULL, err));
    for (int64_t i = 0; i < k->asked.count; i++)
        k->answers[i] = answer(c, asked + i * words);
    clv_comm_exchange_known(comm, k->answers, k->asked.first, sizeof *k->answers, k->heard,
                            k->first);
    for (int32_t i = 0; i < c->nwishes; i++)
        apply_answer(c, &k->sorted[i], k->heard[i]);
    c->nwishes = 0;
    return CLEAVE_OK;
}

/* Updates the cluster weights of ghosts. */
static void update_ghost_weights(const clustering *c)
{
    for (int32_t i = 0; i < c->g->ncon; i++)
        if (c->weight.wide)
            clv_halo_exchange(c->g, c->weight.wide + i * c->all, sizeof(int64_t));
        else
            clv_halo_exchange(c->g, c->weight.narrow + i * c->all, sizeof(int32_t));
}

/* Updates the clusters of ghosts and their weights. */
static void update_ghosts(clustering *c)
{
    const clv_dist_graph *g = c->g;
    clv_halo_exchange(g, c->leader, sizeof *c->leader);
    for (int32_t i = 0; i < g->nghost; i++) {
        int64_t leader = c->leader[g->nlocal + i];
        int32_t *label = &c->label[g->nlocal + i];
        if (leader == g->ghost[i])
            *label = g->nlocal + i;
        else if (*label < 0 || clv_dist_global(g, *label) != leader)
            *label = clv_dist_local(g, leader);
    }
    update_ghost_weights(c);
}

static cleave_status run_phase(clustering *c, const int32_t *starts, cleave_error *err)
{
    asking k = {0};
    for (int i = 0; i < sub_rounds; i++)
        sub_round(c, starts[i], starts[i + 1]);
    cleave_status status = exchange_requests(c, &k, err);
    close_asking(&k);
    if (status == CLEAVE_OK)
        update_ghosts(c);
    return status;
}

/* Keeps singletons in order, in sub_rounds ranges. */
static void list_alone(clustering *c, int32_t *starts)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < c->left; i++)
        if (c->state[c->order[i]] == ALONE)
            c->order[kept++] = c->order[i];
    c->left = kept;
    for (int i = 0; i <= sub_rounds; i++)
        starts[i] = (int32_t)((int64_t)kept * i / sub_rounds);
}

/* ---- Two-hop merging -------------------------------------------------------------------- */

/* As merge_two_hop of coarsen/cluster.c; pending has an entry for each local number. */
static void merge_two_hop(clustering *c, int32_t *pending)
{
    int32_t idle = -1;
    for (int64_t v = 0; v < c->all; v++)
        pending[v] = -1;
    for (int32_t v = 0; v < c->g->nlocal; v++) {
        if (c->state[v] != ALONE)
            continue;
        int32_t *last = &idle, wanted = c->wanted[v];
        if (wanted >= 0)
            last = &pending[c->label[wanted] >= 0 ? c->label[wanted] : wanted];
        if (*last >= 0 && may_mix(c, v, *last) && fits(c, v, *last))
            join(c, v, *last);
        else
            *last = v;
    }
}

/* ---- All phases ------------------------------------------------------------------------- */

/* Sorts vertices by turn, ascending inside a turn. */
static void order_by_turn(clustering *c, int32_t *starts)
{
    enum { turns = phases * sub_rounds };
    int32_t next[turns];
    int64_t begin = c->g->first[c->g->comm.rank];
    memset(starts, 0, (turns + 1) * sizeof *starts);
    for (int32_t v = 0; v < c->g->nlocal; v++)
        starts[turn_of(c, begin + v) + 1]++;
    for (int i = 0; i < turns; i++)
        starts[i + 1] += starts[i];
    memcpy(next, starts, sizeof next);
    for (int32_t v = 0; v < c->g->nlocal; v++)
        c->order[next[turn_of(c, begin + v)]++] = v;
}

static int64_t longest_row(const clv_dist_graph *g)
{
    int64_t longest = 1;
    for (int32_t v = 0; v < g->nlocal; v++)
        if (g->xadj[v + 1] - g->xadj[v] > longest)
            longest = g->xadj[v + 1] - g->xadj[v];
    return longest < most_rated ? longest : most_rated;
}

/* A cluster keeps the size constraint unless it is a single vertex. */
static bool has_wide_clusters(const clustering *c)
{
    bool wide = c->g->wide_vwgt != NULL;
    for (int32_t i = 0; i < c->g->ncon; i++)
        wide = wide || c->rule->max_weight[i] > INT32_MAX;
    return wide;
}

static bool allocate(clustering *c)
{
    const clv_dist_graph *g = c->g;
    clv_ws *ws = &c->ws;
    int64_t n = g->nlocal, row = longest_row(g);
    int members = clv_context_threads(c->ctx);
    c->label = clv_ws_alloc(ws, c->all, sizeof *c->label);
    bool heavy = clv_weights_zalloc(&c->weight, has_wide_clusters(c), c->all * g->ncon, ws);
    c->leader = clv_ws_alloc(ws, c->all, sizeof *c->leader);
    c->state = clv_ws_zalloc(ws, n, sizeof *c->state);
    c->wanted = clv_ws_alloc(ws, n, sizeof *c->wanted);
    c->order = clv_ws_alloc(ws, c->all, sizeof *c->order);
    c->choice = clv_ws_alloc(ws, n, sizeof *c->choice);
    c->wishes = clv_ws_alloc(ws, n, sizeof *c->wishes);
    c->gather = clv_ws_zalloc(ws, members, sizeof *c->gather);
    if (!c->label || !heavy || !c->leader || !c->state || !c->wanted || !c->order ||
        !c->choice || !c->wishes || !c->gather)
        return false;
    for (int i = 0; i < members; i++) {
        if (!clv_gathering_init(&c->gather[i], row, ws))
            return false;
    }
    return true;
}

static void start_alone(clustering *c)
{
    const clv_dist_graph *g = c->g;
    for (int32_t v = 0; v < c->all; v++) {
        c->label[v] = v;
        c->leader[v] = clv_dist_global(g, v);
    }
    for (int32_t v = 0; v < g->nlocal; v++) {
        c->wanted[v] = -1;
        for (int32_t i = 0; i < g->ncon; i++)
            clv_weight_set(c->weight, i * c->all + v, clv_dist_vwgt(g, v, i));
    }
    update_ghost_weights(c);
}

static cleave_status cluster(clustering *c, int64_t *leader, cleave_error *err)
{
    int32_t starts[phases * sub_rounds + 1];
    CLV_TRY(clv_comm_agree_memory(&c->g->comm, allocate(c), err));
    c->salt = clv_hash64(c->ctx->seed ^ clv_hash64(stage_cluster + (uint64_t)c->rule->level));
    start_alone(c);
    order_by_turn(c, starts);
    for (c->phase = 0; c->phase < phases; c->phase++)
        CLV_TRY(run_phase(c, starts + c->phase * sub_rounds, err));
    c->left = c->g->nlocal;
    for (; c->phase < phases + more_phases; c->phase++) {
        list_alone(c, starts);
        CLV_TRY(run_phase(c, starts, err));
    }
    merge_two_hop(c, c->order);
    if (c->g->nlocal > 0)
        memcpy(leader, c->leader, (size_t)c->g->nlocal * sizeof *leader);
    return CLEAVE_OK;
}

cleave_status clv_dist_cluster(const clv_dist_graph *g, const clv_dist_merge_rule *rule,
                               clv_context *ctx, int64_t *leader, cleave_error *err)
{
    if (g->kind == CLEAVE_DAG)
        return clv_dist_cluster_dag(g, rule, ctx, leader, err);
    clustering c = {.g = g, .rule = rule, .ctx = ctx, .all = (int64_t)g->nlocal + g->nghost};
    cleave_status status = cluster(&c, leader, err);
    clv_ws_free(&c.ws);
    return status;
}
