/* SPDX-License-Identifier: Apache-2.0 */
/* target/switches.c - the leaves of a tree of switches that need not be regular.
 *
 * Domains are those of target/bipartition_tree.h: runs of children of one switch.  As in a
 * regular tree (target/tree.c), the switch where two domains meet is the same for all of their
 * PEs, so distances of domains are exact.
 *
 * That switch is found by climbing paths, not nodes (heavy-path decomposition): each node
 * continues the path of its child with the most leaves [Sleator, Tarjan 1983], and there are
 * at most log2(npes) paths from a leaf to the root.  Memory is linear.
 *
 * Routes go up to that switch and down again; link i - 1 is the one from node i upwards, for
 * both directions. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "target/bipartition_tree.h"
#include "target/floorplan.h"

typedef struct switches {
    clv_bipartition_tree bipartition; /* first: target/bipartition_tree.h */
    int32_t nnodes;
    int32_t *parent; /* parent of node i, smaller than i */
    int32_t *head;   /* the highest node of its path */
    int32_t *cost, *level;
    int32_t *node; /* by PE */
} switches;

static const switches *switches_of(const clv_target *t)
{
    return t->data;
}

/* The lowest common ancestor.  It cannot be on the path whose head has the larger number: the
 * other node would be below that head, on a path whose head has an even larger number. */
static int32_t meet(const switches *s, int32_t u, int32_t v)
{
    while (s->head[u] != s->head[v]) {
        if (s->head[u] > s->head[v])
            u = s->parent[s->head[u]];
        else
            v = s->parent[s->head[v]];
    }
    return u < v ? u : v;
}

static int32_t between(const clv_target *t, int32_t p, int32_t q)
{
    const switches *s = switches_of(t);
    return p == q ? 0 : s->cost[meet(s, s->node[p], s->node[q])];
}

static int32_t level(const clv_target *t, int32_t p, int32_t q)
{
    const switches *s = switches_of(t);
    return p == q ? 0 : s->level[meet(s, s->node[p], s->node[q])];
}

/* The distance of a domain from one that contains it is half of that for crossing the larger
 * one. */
static int64_t distance(const clv_target *t, clv_domain x, clv_domain y)
{
    const clv_bipartition_tree *h = &switches_of(t)->bipartition;
    if (x.a == y.a)
        return 0;
    if (!clv_bipartition_tree_overlap(h, x, y))
        return INT64_C(2) * between(t, h->pe[x.b], h->pe[y.b]);
    clv_domain larger = h->pes[x.a] > h->pes[y.a] ? x : y;
    return between(t, h->pe[larger.b], h->pe[larger.b + h->pes[larger.a] - 1]);
}

static void route(const clv_target *t, int32_t p, int32_t q, int64_t amount,
                  clv_link_loads *loads)
{
    const switches *s = switches_of(t);
    int32_t u = s->node[p], v = s->node[q];
    while (u != v) {
        /* The larger number is not an ancestor of the smaller one. */
        int32_t *lower = u > v ? &u : &v;
        clv_link_add(loads, *lower - 1, amount);
        *lower = s->parent[*lower];
    }
}

static void describe(const clv_target *t, char *text, size_t size)
{
    snprintf(text, size, "tree of %ld switches with %ld PEs on %ld level%s",
             (long)(switches_of(t)->nnodes - t->npes), (long)t->npes, (long)t->levels,
             t->levels == 1 ? "" : "s");
}

/* Places: the PEs, then the switches by number. */
static cleave_status floorplan_of(const clv_target *t, clv_floorplan *f, clv_arena *arena,
                                  cleave_error *err)
{
    const switches *s = switches_of(t);
    int32_t *place = clv_arena_alloc(arena, s->nnodes, sizeof *place), next = t->npes;
    int32_t *parent = clv_arena_alloc(arena, s->nnodes, sizeof *parent);
    int32_t *up = clv_arena_alloc(arena, s->nnodes, sizeof *up);
    int64_t *link = clv_arena_alloc(arena, s->nnodes, sizeof *link);
    if (!place || !parent || !up || !link)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < s->nnodes; v++)
        place[v] = -1;
    for (int32_t pe = 0; pe < t->npes; pe++)
        place[s->node[pe]] = pe;
    for (int32_t v = 0; v < s->nnodes; v++) {
        place[v] = place[v] < 0 ? next++ : place[v];
        parent[place[v]] = v > 0 ? place[s->parent[v]] : -1;
        up[place[v]] = s->level[v];
        link[place[v]] = v - INT64_C(1);
    }
    const clv_floorplan_tree all = {
        s->nnodes, t->levels > 0 ? t->levels : 1, parent, up, s->bipartition.pe, link};
    return clv_floorplan_hierarchy(f, t->npes, &all, arena, err);
}

static const clv_shape shape = {.name = "switches",
                                CLV_BIPARTITION_TREE_GROUPS,
                                .distance = distance,
                                .between = between,
                                .level = level,
                                .route = route,
                                .floorplan = floorplan_of,
                                .describe = describe};

/* ---- Construction ----------------------------------------------------------------------- */

static int32_t *copy_numbers(clv_arena *arena, const int32_t *numbers, int32_t count)
{
    int32_t *copy = clv_arena_alloc(arena, count, sizeof *copy);
    if (copy)
        memcpy(copy, numbers, (size_t)count * sizeof *copy);
    return copy;
}

/* Computes head from the number of leaves below each node; pes and heaviest are nnodes zeros
 * each. */
static void find_paths(switches *s, int32_t *pes, int32_t *heaviest)
{
    for (int32_t v = s->nnodes - 1; v > 0; v--) {
        int32_t up = s->parent[v];
        pes[v] += pes[v] == 0; /* no children: a leaf */
        pes[up] += pes[v];
        if (heaviest[up] == 0 || pes[v] >= pes[heaviest[up]])
            heaviest[up] = v;
    }
    s->head[0] = 0;
    for (int32_t v = 1; v < s->nnodes; v++)
        s->head[v] = heaviest[s->parent[v]] == v ? s->head[s->parent[v]] : v;
}

static cleave_status build(clv_target *t, const int32_t *pe_of, clv_ws *ws, cleave_error *err)
{
    switches *s = t->data;
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *pes = clv_ws_zalloc(ws, s->nnodes, sizeof *pes);
    int32_t *heaviest = clv_ws_zalloc(ws, s->nnodes, sizeof *heaviest);
    s->head = clv_arena_alloc(&t->arena, s->nnodes, sizeof *s->head);
    s->node = clv_arena_alloc(&t->arena, t->npes, sizeof *s->node);
    if (!pes || !heaviest || !s->head || !s->node)
        return clv_fail_memory(err);
    find_paths(s, pes, heaviest);
    clv_ws_restore(ws, mark);
    for (int32_t v = 0; v < s->nnodes; v++)
        if (pe_of[v] >= 0)
            s->node[pe_of[v]] = v;
    const clv_pe_tree tree = {t->npes, s->nnodes, 0, s->parent, pe_of};
    return clv_bipartition_tree_make(&s->bipartition, &tree, &t->arena, ws, err);
}

/* pe_of[v] becomes the PE of a leaf, -1 for others; returns the number of PEs. */
static int32_t number_leaves(int32_t nnodes, const int32_t *parent, int32_t *pe_of)
{
    int32_t npes = 0;
    for (int32_t v = 0; v < nnodes; v++)
        pe_of[v] = 0;
    for (int32_t v = 1; v < nnodes; v++) {
        assert(parent[v] >= 0 && parent[v] < v);
        pe_of[parent[v]] = -1;
    }
    for (int32_t v = 0; v < nnodes; v++)
        if (pe_of[v] == 0)
            pe_of[v] = npes++;
    return npes;
}

static cleave_status open_target(clv_target **out, int32_t nnodes, int32_t npes,
                                 cleave_error *err)
{
    if (npes > clv_most_tree_pes)
        return clv_fail(err, CLEAVE_ERANGE, "a tree of switches cannot have %ld PEs",
                        (long)npes);
    clv_target *t = *out = clv_target_open(&shape, npes);
    switches *s = t ? clv_arena_zalloc(&t->arena, 1, sizeof *s) : NULL;
    if (!s)
        return clv_fail_memory(err);
    t->data = s;
    t->links = nnodes - 1;
    s->nnodes = nnodes;
    return CLEAVE_OK;
}

static cleave_status copy_nodes(clv_target *t, const int32_t *parent, const int32_t *cost,
                                const int32_t *level_of, cleave_error *err)
{
    switches *s = t->data;
    t->levels = level_of[0];
    s->parent = copy_numbers(&t->arena, parent, s->nnodes);
    s->cost = copy_numbers(&t->arena, cost, s->nnodes);
    s->level = copy_numbers(&t->arena, level_of, s->nnodes);
    if (!s->parent || !s->cost || !s->level)
        return clv_fail_memory(err);
    s->parent[0] = -1; /* overrides the value of the caller */
    return CLEAVE_OK;
}

cleave_status clv_target_switches(clv_target **out, int32_t nnodes, const int32_t *parent,
                                  const int32_t *cost, const int32_t *level_of,
                                  cleave_error *err)
{
    clv_ws ws = {0};
    *out = NULL;
    assert(nnodes >= 1);
    int32_t *pe_of = clv_ws_alloc(&ws, nnodes, sizeof *pe_of);
    cleave_status status = pe_of ? CLEAVE_OK : clv_fail_memory(err);
    if (pe_of)
        status = open_target(out, nnodes, number_leaves(nnodes, parent, pe_of), err);
    if (status == CLEAVE_OK)
        status = copy_nodes(*out, parent, cost, level_of, err);
    if (status == CLEAVE_OK)
        status = build(*out, pe_of, &ws, err);
    clv_ws_free(&ws);
    if (status != CLEAVE_OK) {
        clv_target_free(*out);
        *out = NULL;
    }
    return status;
}
