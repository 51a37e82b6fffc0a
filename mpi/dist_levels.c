/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_levels.c - Kahn's algorithm (topological levels) on many ranks, and the cycle that
 * stops it. */
#include "mpi/dist_levels.h"

#include <stdio.h>
#include <string.h>

#include "mpi/dist_check.h"

/* Arcs from finished vertices into a ghost. */
typedef struct news {
    int64_t head;
    int32_t arcs, level; /* their number, and the highest level they imply */
} news;

typedef struct leveling {
    const clv_dist_graph *g;
    int32_t *level;   /* own vertices: level so far */
    int64_t *missing; /* own vertices: unfinished predecessors */
    int32_t *ready;   /* a stack of own vertices */
    int32_t nready;
    int64_t done;
    news *ghost; /* by ghost */
    news *out;
    int64_t *first; /* size + 1: offsets into out, by rank */
} leveling;

static void reach(leveling *k, int32_t v, int32_t arcs, int32_t level)
{
    if (k->level[v] < level)
        k->level[v] = level;
    k->missing[v] -= arcs;
    if (k->missing[v] == 0)
        k->ready[k->nready++] = v;
}

static void go_on(leveling *k)
{
    const clv_dist_graph *g = k->g;
    while (k->nready > 0) {
        int32_t v = k->ready[--k->nready], level = k->level[v] + 1;
        k->done++;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t u = g->adj[a];
            if (u < g->nlocal) {
                reach(k, u, 1, level);
            } else {
                news *n = &k->ghost[u - g->nlocal];
                n->arcs++;
                n->level = n->level < level ? level : n->level;
            }
        }
    }
}

/* Collects messages by owner: ghosts are in the order of owners. */
static int64_t collect_news(leveling *k)
{
    const clv_dist_graph *g = k->g;
    int64_t count = 0, ghost = 0;
    for (int r = 0; r < g->comm.size; r++) {
        k->first[r] = count;
        for (; ghost < g->nghost && g->ghost[ghost] < g->first[r + 1]; ghost++)
            if (k->ghost[ghost].arcs > 0) {
                k->out[count] = k->ghost[ghost];
                k->out[count++].head = g->ghost[ghost];
                k->ghost[ghost] = (news){0};
            }
    }
    k->first[g->comm.size] = count;
    return count;
}

static cleave_status run_rounds(leveling *k, cleave_error *err)
{
    const clv_dist_graph *g = k->g;
    const clv_comm *comm = &g->comm;
    for (;;) {
        clv_arrivals got;
        go_on(k);
        if (!clv_comm_max(comm, collect_news(k) > 0))
            return CLEAVE_OK;
        CLV_TRY(clv_comm_exchange(comm, k->out, k->first, sizeof(news), &got, err));
        const news *n = got.items;
        for (int64_t i = 0; i < got.count; i++)
            reach(k, (int32_t)(n[i].head - g->first[comm->rank]), n[i].arcs, n[i].level);
        clv_arrivals_free(&got);
    }
}

static bool open_leveling(leveling *k, const clv_dist_graph *g, int32_t *level)
{
    *k = (leveling){.g = g, .level = level};
    k->missing = clv_alloc(g->nlocal, sizeof *k->missing);
    k->ready = clv_alloc(g->nlocal, sizeof *k->ready);
    k->ghost = clv_zalloc(g->nghost, sizeof *k->ghost);
    k->out = clv_alloc(g->nghost, sizeof *k->out);
    k->first = clv_alloc(g->comm.size + 1, sizeof *k->first);
    return k->missing && k->ready && k->ghost && k->out && k->first;
}

static void close_leveling(leveling *k)
{
    clv_sys_free(k->missing);
    clv_sys_free(k->ready);
    clv_sys_free(k->ghost);
    clv_sys_free(k->out);
    clv_sys_free(k->first);
}

cleave_status clv_dist_levels(const clv_dist_graph *g, int32_t *level, bool *cyclic,
                              cleave_error *err)
{
    leveling k;
    cleave_status status = clv_comm_agree_memory(&g->comm, open_leveling(&k, g, level), err);
    if (status == CLEAVE_OK) {
        for (int32_t v = 0; v < g->nlocal; v++) {
            level[v] = 0;
            k.missing[v] = g->xpred[v + 1] - g->xpred[v];
        }
        for (int32_t v = g->nlocal - 1; v >= 0; v--)
            if (k.missing[v] == 0)
                k.ready[k.nready++] = v;
        status = run_rounds(&k, err);
    }
    if (status == CLEAVE_OK) {
        for (int32_t v = 0; v < g->nlocal; v++)
            if (k.missing[v] > 0)
                level[v] = -1;
        *cyclic = clv_comm_sum(&g->comm, k.done) < g->nglobal;
    }
    close_leveling(&k);
    return status;
}

/* ---- Naming a cycle --------------------------------------------------------------------- */

enum { most_named = 6 };

/* A vertex on a cycle or behind one has such a predecessor: returns the smallest. */
static int64_t step_back(const clv_dist_graph *g, const int32_t *level, int64_t at)
{
    int owner = clv_dist_owner(g->first, g->comm.size, at);
    int64_t next = INT64_MAX;
    if (owner == g->comm.rank) {
        int32_t v = (int32_t)(at - g->first[owner]);
        for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
            int64_t u = clv_dist_global(g, g->pred[a]);
            if (level[g->pred[a]] < 0 && u < next)
                next = u;
        }
    }
    clv_comm_broadcast(&g->comm, &next, sizeof next, owner);
    return next;
}

static int64_t find_on_cycle(const clv_dist_graph *g, const int32_t *level, uint8_t *seen)
{
    int64_t at = INT64_MAX;
    for (int32_t v = g->nlocal - 1; v >= 0; v--)
        if (level[v] < 0)
            at = clv_dist_global(g, v);
    at = clv_comm_min(&g->comm, at);
    for (;;) {
        int32_t v = clv_dist_local(g, at);
        uint8_t known = 0;
        int owner = clv_dist_owner(g->first, g->comm.size, at);
        if (owner == g->comm.rank) {
            known = seen[v];
            seen[v] = 1;
        }
        clv_comm_broadcast(&g->comm, &known, 1, owner);
        if (known)
            return at;
        at = step_back(g, level, at);
    }
}

static cleave_status name_cycle(const clv_dist_graph *g, const int32_t *level, uint8_t *seen,
                                cleave_error *err)
{
    int64_t start = find_on_cycle(g, level, seen), named[most_named], length = 0, at = start;
    do {
        if (length < most_named)
            named[length] = at;
        length++;
        at = step_back(g, level, at);
    } while (at != start);
    char text[160] = "";
    size_t used = 0;
    for (int64_t i = (length < most_named ? length : most_named) - 1; i >= 0; i--)
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%lld -> ", (long long)named[i]);
    return clv_fail(err, CLEAVE_ECYCLE, "the graph has a cycle of %lld vertices: %s%s%lld",
                    (long long)length, length > most_named ? "... -> " : "", text,
                    (long long)named[length < most_named ? length - 1 : most_named - 1]);
}

cleave_status clv_dist_check_cycles(const clv_dist_graph *g, cleave_error *err)
{
    int64_t all = (int64_t)g->nlocal + g->nghost;
    int32_t *level = clv_alloc(all, sizeof *level);
    uint8_t *seen = clv_zalloc(g->nlocal, sizeof *seen);
    bool cyclic = false;
    cleave_status status = clv_comm_agree_memory(&g->comm, level && seen, err);
    if (status == CLEAVE_OK)
        status = clv_dist_levels(g, level, &cyclic, err);
    if (status == CLEAVE_OK && cyclic) {
        clv_halo_exchange(g, level, sizeof *level);
        status = name_cycle(g, level, seen, err);
    }
    clv_sys_free(level);
    clv_sys_free(seen);
    return status;
}
