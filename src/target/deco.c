/* SPDX-License-Identifier: Apache-2.0 */
/* target/deco.c - see target/deco.h.
 *
 * With a table, distances of PEs and of domains are looked up.  Where the graph is known,
 * routes are shortest paths: at each step to the first neighbour from which the rest of the
 * way is as short as it should be. */
#include "target/deco.h"

#include <stdio.h>

/* ---- The tree -------------------------------------------------------------------------- */

cleave_status clv_deco_tree_init(clv_deco_tree *tree, clv_target *t, cleave_error *err)
{
    int64_t nodes = 2 * (int64_t)t->npes - 1;
    tree->npes = t->npes;
    tree->half = clv_arena_alloc(&t->arena, t->npes - 1, sizeof *tree->half);
    tree->pes = clv_arena_alloc(&t->arena, nodes, sizeof *tree->pes);
    tree->first = clv_arena_alloc(&t->arena, nodes, sizeof *tree->first);
    tree->weight = clv_arena_alloc(&t->arena, nodes, sizeof *tree->weight);
    if (!tree->half || !tree->pes || !tree->first || !tree->weight)
        return clv_fail_memory(err);
    return CLEAVE_OK;
}

void clv_deco_tree_finish(clv_deco_tree *tree, const clv_target *t)
{
    for (int32_t pe = 0; pe < tree->npes; pe++) {
        tree->pes[pe] = 1;
        tree->first[pe] = pe;
        tree->weight[pe] = clv_target_speed_of(t, pe);
    }
    for (int64_t node = tree->npes; node < clv_deco_nodes(tree); node++) {
        const int32_t *half = tree->half[node - tree->npes];
        int32_t first = tree->first[half[0]], other = tree->first[half[1]];
        tree->pes[node] = tree->pes[half[0]] + tree->pes[half[1]];
        tree->first[node] = first < other ? first : other;
        tree->weight[node] = tree->weight[half[0]] + tree->weight[half[1]];
    }
}

static const clv_deco_tree *tree_of(const clv_target *t)
{
    return t->data;
}

clv_domain clv_deco_root(const clv_target *t)
{
    return (clv_domain){(int32_t)(clv_deco_nodes(tree_of(t)) - 1), 0};
}

clv_domain clv_deco_terminal(const clv_target *t, int32_t pe)
{
    (void)t;
    return (clv_domain){pe, 0};
}

bool clv_deco_bipartition(const clv_target *t, clv_domain d, clv_domain half[2])
{
    if (d.a < t->npes)
        return false;
    const int32_t *nodes = tree_of(t)->half[d.a - t->npes];
    half[0] = (clv_domain){nodes[0], 0};
    half[1] = (clv_domain){nodes[1], 0};
    return true;
}

int32_t clv_deco_pes(const clv_target *t, clv_domain d)
{
    return tree_of(t)->pes[d.a];
}

int32_t clv_deco_pe(const clv_target *t, clv_domain d)
{
    return tree_of(t)->first[d.a];
}

double clv_deco_weight(const clv_target *t, clv_domain d)
{
    return tree_of(t)->weight[d.a];
}

/* ---- The table ------------------------------------------------------------------------- */

static int64_t distance(const clv_target *t, clv_domain x, clv_domain y)
{
    return x.a == y.a ? 0 : *clv_deco_twice(t->data, x.a, y.a);
}

static int32_t between(const clv_target *t, int32_t p, int32_t q)
{
    return (int32_t)clv_deco_between(t->data, p, q);
}

static void describe(const clv_target *t, char *text, size_t size)
{
    snprintf(text, size, "%ld PEs with a table of distances", (long)t->npes);
}

static void describe_graph(const clv_target *t, char *text, size_t size)
{
    snprintf(text, size, "graph of %ld PEs and %lld links, exact distances", (long)t->npes,
             (long long)t->links);
}

/* The arc of g by which the way from p to q begins: the first whose other end is nearer to q
 * by just its length. */
static int64_t next_arc(const clv_deco *d, int32_t p, int32_t q)
{
    const clv_graph *g = d->g;
    int64_t whole = clv_deco_between(d, p, q), a = g->xadj[p];
    while (clv_graph_ewgt(g, a) + clv_deco_between(d, g->adj[a], q) != whole)
        a++;
    return a;
}

static void route(const clv_target *t, int32_t p, int32_t q, int64_t amount, int64_t *load)
{
    const clv_deco *d = t->data;
    while (p != q) {
        int64_t a = next_arc(d, p, q);
        load[d->edge[a]] += amount;
        p = d->g->adj[a];
    }
}

#define TABLE_FUNCTIONS                                                                       \
    .root = clv_deco_root, .terminal = clv_deco_terminal,                                     \
    .bipartition = clv_deco_bipartition, .pes = clv_deco_pes, .pe = clv_deco_pe,              \
    .weight = clv_deco_weight, .distance = distance, .between = between

static const clv_shape shape_table = {.name = "deco", TABLE_FUNCTIONS, .describe = describe};
static const clv_shape shape_graph = {
    .name = "graph", TABLE_FUNCTIONS, .route = route, .describe = describe_graph};

/* ---- Making ---------------------------------------------------------------------------- */

cleave_status clv_deco_open(clv_target **out, int32_t npes, cleave_error *err)
{
    int64_t nodes = 2 * (int64_t)npes - 1;
    clv_target *t = clv_target_open(&shape_table, npes);
    clv_deco *d = t ? clv_arena_zalloc(&t->arena, 1, sizeof *d) : NULL;
    *out = t; /* the caller frees it when something goes wrong from here on */
    if (!d)
        return clv_fail_memory(err);
    t->data = d;
    CLV_TRY(clv_deco_tree_init(&d->tree, t, err));
    d->twice = clv_arena_alloc(&t->arena, nodes * (nodes - 1) / 2, sizeof *d->twice);
    return d->twice ? CLEAVE_OK : clv_fail_memory(err);
}

/* The rounded mean of the distances from the halves of x to those of y; a PE is its own and
 * only half. */
static uint32_t mean_of_halves(const clv_deco *d, int32_t x, int32_t y)
{
    int32_t npes = d->tree.npes;
    const int32_t *of_x = x < npes ? &x : d->tree.half[x - npes];
    const int32_t *of_y = y < npes ? &y : d->tree.half[y - npes];
    int32_t count_x = x < npes ? 1 : 2, count_y = y < npes ? 1 : 2;
    int64_t sum = 0, count = (int64_t)count_x * count_y;
    for (int32_t i = 0; i < count_x; i++)
        for (int32_t j = 0; j < count_y; j++)
            if (of_x[i] != of_y[j])
                sum += *clv_deco_twice(d, of_x[i], of_y[j]);
    return (uint32_t)((sum + count / 2) / count);
}

void clv_deco_finish(clv_target *t)
{
    clv_deco *d = t->data;
    clv_deco_tree_finish(&d->tree, t);
    for (int64_t x = t->npes; x < clv_deco_nodes(&d->tree); x++)
        for (int32_t y = 0; y < x; y++)
            *clv_deco_twice(d, (int32_t)x, y) = mean_of_halves(d, (int32_t)x, y);
    if (d->g)
        t->shape = &shape_graph;
}
