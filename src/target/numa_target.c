/* SPDX-License-Identifier: Apache-2.0 */
/* target/numa_target.c - see target/numa_target.h.
 *
 * Domains, levels and routes are those of the tree; only distances are looked up.  Latencies
 * need not agree with the tree (eight sockets on a ring or a cube), so the distance of two
 * domains is the mean over some PEs of each, taken at equal intervals. */
#include "target/numa_target.h"

#include <stdio.h>
#include <string.h>

#include "target/bipartition_tree.h"

enum {
    largest_latency = 1 << 20, /* larger latencies are scaled down */
    most_levels = 1 << 10,     /* limit, so that products fit */
    most_sampled = 8           /* PEs of a domain */
};

typedef struct computer {
    clv_bipartition_tree bipartition; /* first: target/bipartition_tree.h */
    clv_target tree;                  /* its memory is in the arena of the target */
    const char *words;
    const clv_nest *nest;  /* may be NULL */
    int32_t nodes, levels; /* nodes 0: distances are those of the tree */
    int32_t *node_of;      /* by PE */
    int32_t *across;       /* nodes * nodes */
    int32_t *inside;       /* nodes * (levels + 1): by level of the tree */
} computer;

static const computer *computer_of(const clv_target *t)
{
    return t->data;
}

static int32_t level(const clv_target *t, int32_t p, int32_t q)
{
    const clv_target *tree = &computer_of(t)->tree;
    return tree->shape->level(tree, p, q);
}

static int32_t between(const clv_target *t, int32_t p, int32_t q)
{
    const computer *c = computer_of(t);
    if (c->nodes == 0)
        return c->tree.shape->between(&c->tree, p, q);
    int64_t a = c->node_of[p], b = c->node_of[q];
    if (a != b)
        return c->across[a * c->nodes + b];
    return p == q ? 0 : c->inside[a * (c->levels + 1) + level(t, p, q)];
}

static int64_t distance(const clv_target *t, clv_domain x, clv_domain y)
{
    const computer *c = computer_of(t);
    const clv_bipartition_tree *h = &c->bipartition;
    if (c->nodes == 0)
        return c->tree.shape->distance(&c->tree, x, y);
    if (x.a == y.a)
        return 0;
    int64_t nx = h->pes[x.a], ny = h->pes[y.a], sum = 0;
    int64_t cx = nx < most_sampled ? nx : most_sampled;
    int64_t cy = ny < most_sampled ? ny : most_sampled;
    for (int64_t i = 0; i < cx; i++)
        for (int64_t j = 0; j < cy; j++)
            sum += between(t, h->pe[x.b + (2 * i + 1) * nx / (2 * cx)],
                           h->pe[y.b + (2 * j + 1) * ny / (2 * cy)]);
    return (2 * sum + cx * cy / 2) / (cx * cy);
}

static void route(const clv_target *t, int32_t p, int32_t q, int64_t amount,
                  clv_link_loads *loads)
{
    const clv_target *tree = &computer_of(t)->tree;
    tree->shape->route(tree, p, q, amount, loads);
}

static void describe(const clv_target *t, char *text, size_t size)
{
    snprintf(text, size, "%s", computer_of(t)->words);
}

static cleave_status floorplan_of(const clv_target *t, clv_floorplan *f, clv_arena *arena,
                                  cleave_error *err)
{
    const computer *c = computer_of(t);
    if (c->nest)
        return clv_floorplan_nest(f, t->npes, c->nest, arena, err);
    return clv_target_floorplan(f, &c->tree, arena, err);
}

static const clv_shape shape = {.name = "computer",
                                CLV_BIPARTITION_TREE_GROUPS,
                                .distance = distance,
                                .between = between,
                                .level = level,
                                .route = route,
                                .floorplan = floorplan_of,
                                .describe = describe};

/* ---- Construction ----------------------------------------------------------------------- */

/* across: symmetric integers >= 1 (0 from a node to itself only if it was 0). */
static void scale_latencies(computer *c, const uint64_t *latency)
{
    int64_t n = c->nodes;
    uint64_t most = 0;
    for (int64_t i = 0; i < n * n; i++)
        most = latency[i] > most ? latency[i] : most;
    uint64_t unit = most / largest_latency + 1;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            uint64_t there = latency[i * n + j] / unit, back = latency[j * n + i] / unit;
            int32_t mean = (int32_t)((there + back + 1) / 2);
            c->across[i * n + j] = mean > 0 || i == j ? mean : 1;
        }
}

/* The latency from a node to itself; if it is unknown, half of the smallest other. */
static int32_t local_latency(const computer *c, int64_t node)
{
    int32_t nearest = 2;
    for (int64_t j = 0; j < c->nodes; j++) {
        int32_t far = c->across[node * c->nodes + j];
        if (j != node && (nearest == 2 || far < nearest))
            nearest = far;
    }
    int32_t local = c->across[node * c->nodes + node];
    return local > 0 ? local : nearest > 1 ? nearest / 2 : 1;
}

/* The highest level at which two PEs of one node meet, at least 1. */
static int32_t levels_inside(const clv_target *t, clv_ws *ws, int32_t *highest)
{
    const computer *c = computer_of(t);
    int32_t *first = clv_ws_alloc(ws, c->nodes, sizeof *first);
    if (!first)
        return 0;
    *highest = 1;
    for (int32_t i = 0; i < c->nodes; i++)
        first[i] = -1;
    for (int32_t pe = 0; pe < t->npes; pe++) {
        int32_t *f = &first[c->node_of[pe]];
        *f = *f < 0 ? pe : *f;
        int32_t meet = *f == pe ? 0 : level(t, *f, pe);
        *highest = meet > *highest ? meet : *highest;
    }
    *highest = *highest < most_levels ? *highest : most_levels;
    return *highest;
}

static void reduce(int32_t *values, int64_t count, int32_t divisor)
{
    for (int64_t i = 0; i < count; i++)
        values[i] /= divisor;
}

/* Computes `inside`, and makes all distances integers: multiplies by the number of levels in a
 * node, then divides by the greatest common divisor. */
static void fill_inside(computer *c, int32_t highest)
{
    int64_t n = c->nodes, across = n * n, inside = n * (c->levels + INT64_C(1));
    for (int64_t node = 0; node < n; node++) {
        int64_t local = local_latency(c, node);
        int32_t *row = c->inside + node * (c->levels + 1);
        for (int32_t l = 1; l <= c->levels; l++)
            row[l] = (int32_t)(local * (l < highest ? l : highest));
    }
    for (int64_t i = 0; i < across; i++)
        c->across[i] *= i % (n + 1) == 0 ? 0 : highest;
    int32_t divisor = 0;
    for (int64_t i = 0; i < across; i++)
        divisor = (int32_t)clv_common_divisor(c->across[i], divisor);
    for (int64_t i = 0; i < inside; i++)
        divisor = (int32_t)clv_common_divisor(c->inside[i], divisor);
    if (divisor > 1) {
        reduce(c->across, across, divisor);
        reduce(c->inside, inside, divisor);
    }
}

static cleave_status add_latencies(clv_target *t, const clv_numa *numa, clv_ws *ws,
                                   cleave_error *err)
{
    computer *c = t->data;
    int64_t n = numa->nodes;
    int32_t highest = 1;
    c->levels = t->levels;
    c->node_of = clv_arena_alloc(&t->arena, t->npes, sizeof *c->node_of);
    c->across = clv_arena_alloc(&t->arena, n * n, sizeof *c->across);
    c->inside = clv_arena_zalloc(&t->arena, n * (t->levels + INT64_C(1)), sizeof *c->inside);
    if (!c->node_of || !c->across || !c->inside)
        return clv_fail_memory(err);
    memcpy(c->node_of, numa->node_of, (size_t)t->npes * sizeof *c->node_of);
    c->nodes = numa->nodes;
    if (!levels_inside(t, ws, &highest))
        return clv_fail_memory(err);
    scale_latencies(c, numa->latency);
    fill_inside(c, highest);
    return CLEAVE_OK;
}

static cleave_status fill(clv_target *t, clv_target *tree, const char *words,
                          cleave_error *err)
{
    computer *c = clv_arena_zalloc(&t->arena, 1, sizeof *c);
    size_t length = strlen(words) + 1;
    char *copy = clv_arena_alloc(&t->arena, (int64_t)length, 1);
    if (!c || !copy)
        return clv_fail_memory(err);
    memcpy(copy, words, length);
    t->data = c;
    t->equal = tree->equal;
    t->speed = tree->speed;
    t->name = tree->name;
    t->levels = tree->levels;
    t->links = tree->links;
    t->per_node = tree->per_node;
    t->seat = tree->seat;
    c->words = copy;
    c->bipartition = *(const clv_bipartition_tree *)tree->data;
    clv_arena_move(&t->arena, &tree->arena);
    c->tree = *tree;
    return CLEAVE_OK;
}

cleave_status clv_target_numa(clv_target **out, clv_target *tree, const clv_numa *numa,
                              const char *words, cleave_error *err)
{
    clv_ws ws = {0};
    clv_target *t = clv_target_open(&shape, tree->npes);
    cleave_status status = t ? fill(t, tree, words, err) : clv_fail_memory(err);
    if (status == CLEAVE_OK && numa->nodes > 0)
        status = add_latencies(t, numa, &ws, err);
    if (status == CLEAVE_OK)
        ((computer *)t->data)->nest = numa->nest;
    clv_ws_free(&ws);
    clv_target_free(tree);
    if (status != CLEAVE_OK) {
        clv_target_free(t);
        t = NULL;
    }
    *out = t;
    return status;
}
