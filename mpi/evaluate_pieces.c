/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/evaluate_pieces.c - connected components of the parts of a distributed graph.
 *
 * Each rank first joins what is connected locally.  Components of different ranks then hook
 * onto each other [Shiloach, Vishkin 1982]: every component with a neighbour that precedes it,
 * in a random order drawn anew each round, joins the first such neighbour, and pointers are
 * shortened until all lead to the root of a component.  On average half of the incomplete
 * components disappear in each round, regardless of their diameter. */
#include "base/rng.h"
#include "mpi/dist_contract.h"
#include "mpi/judge.h"

/* The component with root `from` joins the one with root `to`. */
typedef struct hook {
    int64_t from, to;
} hook;

typedef struct joining {
    const clv_dist_graph *g;
    const int32_t *part;
    int32_t *root;   /* by own vertex: root of its local component, which owns the following */
    int64_t *up;     /* by own root: the root of its component, as far as found */
    int64_t *best;   /* by own root: the component to join; -1: none */
    int64_t *name;   /* own vertices and ghosts: up of their roots */
    int32_t *border; /* own vertices adjacent to a ghost of the same part */
    int32_t *open;   /* their roots, each once */
    int32_t nborder, nopen;
    int64_t *above, *next; /* nopen */
    hook *out;             /* nopen */
    int64_t *first;        /* size + 2 */
    uint64_t salt;
} joining;

/* ---- Local components ------------------------------------------------------------------- */

static int32_t find(int32_t *root, int32_t v)
{
    while (root[v] != v) {
        root[v] = root[root[v]];
        v = root[v];
    }
    return v;
}

static void join(int32_t *root, int32_t v, int32_t u)
{
    v = find(root, v);
    u = find(root, u);
    if (v < u)
        root[u] = v;
    else
        root[v] = u;
}

/* Joins v with its local neighbours; true when it has one on another rank. */
static bool join_row(joining *k, int32_t v, const int64_t *x, const int32_t *adj)
{
    bool border = false;
    for (int64_t a = x[v]; a < x[v + 1]; a++) {
        int32_t u = adj[a];
        if (k->part[u] != k->part[v])
            continue;
        if (u < k->g->nlocal)
            join(k->root, v, u);
        else
            border = true;
    }
    return border;
}

static void join_own(joining *k)
{
    const clv_dist_graph *g = k->g;
    for (int32_t v = 0; v < g->nlocal; v++) {
        k->root[v] = v;
        k->up[v] = clv_dist_global(g, v);
        k->best[v] = -1;
    }
    for (int32_t v = 0; v < g->nlocal; v++) {
        bool border = join_row(k, v, g->xadj, g->adj);
        if (g->kind == CLEAVE_DAG)
            border = join_row(k, v, g->xpred, g->pred) || border;
        if (border)
            k->border[k->nborder++] = v;
    }
    for (int32_t v = 0; v < g->nlocal; v++)
        k->root[v] = find(k->root, v);
}

/* Lists the components that may be incomplete. */
static void list_open(joining *k)
{
    for (int32_t i = 0; i < k->nborder; i++) {
        int32_t r = k->root[k->border[i]];
        if (k->best[r] < 0) {
            k->best[r] = 0;
            k->open[k->nopen++] = r;
        }
    }
    for (int32_t i = 0; i < k->nopen; i++)
        k->best[k->open[i]] = -1;
}

/* ---- Hooks ------------------------------------------------------------------------------ */

static bool precedes(const joining *k, int64_t a, int64_t b)
{
    uint64_t x = clv_hash64((uint64_t)a ^ k->salt), y = clv_hash64((uint64_t)b ^ k->salt);
    return x < y || (x == y && a < b);
}

static void prefer(joining *k, int32_t r, int64_t to)
{
    if (k->best[r] < 0 || precedes(k, to, k->best[r]))
        k->best[r] = to;
}

static void look_around(joining *k, int32_t v, const int64_t *x, const int32_t *adj)
{
    int32_t r = k->root[v];
    for (int64_t a = x[v]; a < x[v + 1]; a++) {
        int32_t u = adj[a];
        if (u >= k->g->nlocal && k->part[u] == k->part[v] && k->name[u] != k->up[r] &&
            precedes(k, k->name[u], k->up[r]))
            prefer(k, r, k->name[u]);
    }
}

static void choose_hooks(joining *k)
{
    const clv_dist_graph *g = k->g;
    for (int32_t i = 0; i < k->nborder; i++)
        k->name[k->border[i]] = k->up[k->root[k->border[i]]];
    clv_halo_exchange(g, k->name, sizeof *k->name);
    for (int32_t i = 0; i < k->nborder; i++) {
        look_around(k, k->border[i], g->xadj, g->adj);
        if (g->kind == CLEAVE_DAG)
            look_around(k, k->border[i], g->xpred, g->pred);
    }
}

/* Sorts hooks by the rank that receives them; returns their number. */
static int64_t deal_hooks(joining *k)
{
    const clv_dist_graph *g = k->g;
    int size = g->comm.size;
    for (int r = 0; r < size + 2; r++)
        k->first[r] = 0;
    for (int32_t i = 0; i < k->nopen; i++)
        if (k->best[k->open[i]] >= 0)
            k->first[clv_dist_owner(g->first, size, k->up[k->open[i]]) + 2]++;
    for (int r = 0; r < size; r++)
        k->first[r + 2] += k->first[r + 1];
    for (int32_t i = 0; i < k->nopen; i++) {
        int32_t r = k->open[i];
        if (k->best[r] < 0)
            continue;
        int owner = clv_dist_owner(g->first, size, k->up[r]);
        k->out[k->first[owner + 1]++] = (hook){k->up[r], k->best[r]};
        k->best[r] = -1;
    }
    return k->first[size];
}

static void take_hooks(joining *k, const clv_arrivals *got)
{
    const hook *h = got->items;
    int64_t begin = k->g->first[k->g->comm.rank];
    for (int64_t i = 0; i < got->count; i++)
        prefer(k, (int32_t)(h[i].from - begin), h[i].to);
    for (int64_t i = 0; i < got->count; i++) {
        int32_t r = (int32_t)(h[i].from - begin);
        if (k->best[r] >= 0)
            k->up[r] = k->best[r];
        k->best[r] = -1;
    }
}

/* Repeats until every component has its root. */
static cleave_status shorten(joining *k, cleave_error *err)
{
    const clv_dist_graph *g = k->g;
    for (bool changed = true; changed;) {
        for (int32_t i = 0; i < k->nopen; i++)
            k->above[i] = k->up[k->open[i]];
        CLV_TRY(clv_dist_lookup_wide(g, k->nopen, k->above, k->up, k->next, err));
        changed = false;
        for (int32_t i = 0; i < k->nopen; i++) {
            changed = changed || k->next[i] != k->above[i];
            k->up[k->open[i]] = k->next[i];
        }
        changed = clv_comm_max(&g->comm, changed) != 0;
    }
    return CLEAVE_OK;
}

static cleave_status join_ranks(joining *k, cleave_error *err)
{
    const clv_comm *comm = &k->g->comm;
    for (uint64_t round = 0;; round++) {
        clv_arrivals got;
        k->salt = clv_hash64(round);
        choose_hooks(k);
        if (!clv_comm_max(comm, deal_hooks(k) > 0))
            return CLEAVE_OK;
        CLV_TRY(clv_comm_exchange(comm, k->out, k->first, sizeof(hook), &got, err));
        take_hooks(k, &got);
        clv_arrivals_free(&got);
        CLV_TRY(shorten(k, err));
    }
}

/* ---- All -------------------------------------------------------------------------------- */

static bool allocate(joining *k, clv_ws *ws)
{
    const clv_dist_graph *g = k->g;
    int64_t all = (int64_t)g->nlocal + g->nghost;
    k->root = clv_ws_alloc(ws, g->nlocal, sizeof *k->root);
    k->up = clv_ws_alloc(ws, g->nlocal, sizeof *k->up);
    k->best = clv_ws_alloc(ws, g->nlocal, sizeof *k->best);
    k->name = clv_ws_zalloc(ws, all, sizeof *k->name);
    k->border = clv_ws_alloc(ws, g->nlocal, sizeof *k->border);
    k->first = clv_ws_alloc(ws, (int64_t)g->comm.size + 2, sizeof *k->first);
    return k->root && k->up && k->best && k->name && k->border && k->first;
}

static bool allocate_open(joining *k, clv_ws *ws)
{
    k->open = clv_ws_alloc(ws, k->nborder, sizeof *k->open);
    if (!k->open)
        return false;
    list_open(k);
    k->above = clv_ws_alloc(ws, k->nopen, sizeof *k->above);
    k->next = clv_ws_alloc(ws, k->nopen, sizeof *k->next);
    k->out = clv_ws_alloc(ws, k->nopen, sizeof *k->out);
    return k->above && k->next && k->out;
}

static cleave_status join_all(joining *k, clv_ws *ws, cleave_error *err)
{
    const clv_comm *comm = &k->g->comm;
    CLV_TRY(clv_comm_agree_memory(comm, allocate(k, ws), err));
    join_own(k);
    CLV_TRY(clv_comm_agree_memory(comm, allocate_open(k, ws), err));
    return join_ranks(k, err);
}

cleave_status clv_judge_pieces(clv_judge *j, int64_t *total, cleave_error *err)
{
    const clv_dist_graph *g = j->g;
    joining k = {.g = g, .part = j->used.part};
    clv_ws_mark mark = clv_ws_save(&j->ws);
    cleave_status status = join_all(&k, &j->ws, err);
    if (status == CLEAVE_OK) {
        int64_t own = 0;
        for (int32_t v = 0; v < g->nlocal; v++)
            own += k.root[v] == v && k.up[v] == clv_dist_global(g, v);
        *total = clv_comm_sum(&g->comm, own);
    }
    clv_ws_restore(&j->ws, mark);
    return status;
}
