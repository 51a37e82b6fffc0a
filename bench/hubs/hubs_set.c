/* SPDX-License-Identifier: Apache-2.0 */
/* bench/hubs/hubs_set.c - families of graphs with high-degree vertices, of any size.  Random
 * numbers are splitmix64, so that a graph depends only on its family, size and seed. */
#include "hubs/hubs.h"

#include <math.h>
#include <stdlib.h>

const char *const hub_families[nhub_family] = {
    "star",        "hubs",  "double-star", "hub-mesh",   "hub-sides",
    "caterpillar", "wheel", "K50n",        "power-tree", "uneven-hubs",
};
const char *const hub_forms[nhub_form] = {"undirected", "by-number", "by-order"};

typedef struct edge_list {
    int64_t count, room;
    int32_t (*ends)[2];
    int32_t nvtx;
    uint64_t random;
} edge_list;

static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static int32_t below(edge_list *l, int64_t bound)
{
    return (int32_t)(draw(&l->random) % (uint64_t)bound);
}

static void *take(size_t count, size_t each)
{
    void *block = malloc((count + 1) * each);
    if (!block)
        bench_fail("out of memory");
    return block;
}

static void join(edge_list *l, int64_t u, int64_t v)
{
    if (l->count == l->room) {
        l->room = 2 * l->room + 1024;
        l->ends = realloc(l->ends, (size_t)l->room * sizeof *l->ends);
        if (!l->ends)
            bench_fail("out of memory");
    }
    l->ends[l->count][0] = (int32_t)u;
    l->ends[l->count++][1] = (int32_t)v;
}

/* ---- The families ----------------------------------------------------------------------- */

static void star(edge_list *l, int64_t edges)
{
    l->nvtx = (int32_t)(edges + 1);
    for (int64_t i = 1; i <= edges; i++)
        join(l, 0, i);
}

/* 200 hubs; every other vertex is adjacent to two of them. */
static void hubs(edge_list *l, int64_t edges)
{
    const int32_t count = 200;
    l->nvtx = (int32_t)(count + edges / 2);
    for (int64_t v = count; v < l->nvtx; v++) {
        int32_t a = below(l, count), b = below(l, count - 1);
        join(l, a, v);
        join(l, b + (b >= a), v);
    }
}

static void double_star(edge_list *l, int64_t edges)
{
    l->nvtx = (int32_t)(edges + 1);
    join(l, 0, 1);
    for (int64_t v = 2; v < l->nvtx; v++)
        join(l, v % 2, v);
}

/* A square grid and a vertex with an edge to every one of its vertices. */
static void hub_mesh(edge_list *l, int64_t edges)
{
    int64_t side = (int64_t)sqrt((double)edges / 3);
    l->nvtx = (int32_t)(side * side + 1);
    for (int64_t i = 0; i < side * side; i++) {
        join(l, 0, i + 1);
        if (i % side + 1 < side)
            join(l, i + 1, i + 2);
        if (i + side < side * side)
            join(l, i + 1, i + side + 1);
    }
}

/* Below count, i about 1 / i as often as 0. */
static int32_t uneven(edge_list *l, int32_t count)
{
    return (int32_t)pow(count, (double)below(l, 1 << 30) / (1 << 30)) - 1;
}

/* Bipartite: vertices of degree 4 on one side, 1000 on the other, the i-th of them about 1 / i
 * as often as the first. */
static void hub_sides(edge_list *l, int64_t edges)
{
    const int32_t count = 1000, degree = 4;
    l->nvtx = (int32_t)(count + edges / degree);
    for (int64_t v = count; v < l->nvtx; v++) {
        int32_t chosen[4];
        for (int32_t i = 0; i < degree; i++) {
            int32_t hub = uneven(l, count), j = 0;
            while (j < i && chosen[j] != hub)
                j++;
            chosen[i] = hub;
            if (j < i)
                i--; /* again */
            else
                join(l, hub, v);
        }
    }
}

/* 50 hubs, the i-th about 1 / i as often as the first; every other vertex is adjacent to two
 * of them, many to the same two. */
static void uneven_hubs(edge_list *l, int64_t edges)
{
    const int32_t count = 50;
    l->nvtx = (int32_t)(count + edges / 2);
    for (int64_t v = count; v < l->nvtx; v++) {
        int32_t a = uneven(l, count), b = a;
        while (b == a)
            b = uneven(l, count);
        join(l, a, v);
        join(l, b, v);
    }
}

/* A path of vertices with as many leaves each as the path is long. */
static void caterpillar(edge_list *l, int64_t edges)
{
    int64_t spine = (int64_t)sqrt((double)edges);
    l->nvtx = (int32_t)edges;
    for (int64_t v = 1; v < l->nvtx; v++)
        join(l, v < spine ? v - 1 : v % spine, v);
}

static void wheel(edge_list *l, int64_t edges)
{
    int64_t rim = edges / 2;
    l->nvtx = (int32_t)(rim + 1);
    for (int64_t i = 0; i < rim; i++) {
        join(l, 0, i + 1);
        join(l, i + 1, (i + 1) % rim + 1);
    }
}

static void complete_bipartite(edge_list *l, int64_t edges)
{
    const int32_t few = 50;
    l->nvtx = (int32_t)(few + edges / few);
    for (int64_t v = few; v < l->nvtx; v++)
        for (int32_t u = 0; u < few; u++)
            join(l, u, v);
}

/* Each new vertex is joined to one end of a random edge: preferential attachment [Barabasi,
 * Albert 1999]. */
static void power_tree(edge_list *l, int64_t edges)
{
    l->nvtx = (int32_t)(edges + 1);
    join(l, 0, 1);
    for (int64_t v = 2; v <= edges; v++) {
        int32_t end = below(l, 2 * l->count);
        join(l, l->ends[end / 2][end % 2], v);
    }
}

/* ---- Graphs ----------------------------------------------------------------------------- */

static int32_t *random_numbers(uint64_t *random, int32_t n)
{
    int32_t *number = take((size_t)n, sizeof *number);
    for (int32_t i = 0; i < n; i++) {
        int32_t j = (int32_t)(draw(random) % (uint64_t)(i + 1));
        number[i] = number[j];
        number[j] = i;
    }
    return number;
}

/* Every edge from the lower end to the higher: of the numbers, or of a random order. */
static void direct(edge_list *l, hub_form form)
{
    int32_t *rank = form == BY_RANDOM_ORDER ? random_numbers(&l->random, l->nvtx) : NULL;
    for (int64_t i = 0; i < l->count; i++) {
        int32_t u = l->ends[i][0], v = l->ends[i][1];
        if (rank ? rank[u] > rank[v] : u > v) {
            l->ends[i][0] = v;
            l->ends[i][1] = u;
        }
    }
    free(rank);
}

static void renumber(edge_list *l)
{
    int32_t *number = random_numbers(&l->random, l->nvtx);
    for (int64_t i = 0; i < l->count; i++)
        for (int e = 0; e < 2; e++)
            l->ends[i][e] = number[l->ends[i][e]];
    free(number);
}

static cleave_graph *build(const edge_list *l, int directed)
{
    cleave_graph *g;
    cleave_error err;
    cleave_csr csr;
    int64_t *xadj = calloc((size_t)l->nvtx + 2, sizeof *xadj);
    int32_t *adj = take(2 * (size_t)l->count, sizeof *adj);
    if (!xadj)
        bench_fail("out of memory");
    for (int64_t i = 0; i < l->count; i++)
        for (int e = 0; e < 2 - directed; e++)
            xadj[l->ends[i][e] + 2]++;
    for (int32_t v = 0; v < l->nvtx; v++)
        xadj[v + 2] += xadj[v + 1];
    for (int64_t i = 0; i < l->count; i++)
        for (int e = 0; e < 2 - directed; e++)
            adj[xadj[l->ends[i][e] + 1]++] = l->ends[i][1 - e];
    cleave_csr_init(&csr, sizeof csr);
    csr.kind = directed ? CLEAVE_DAG : CLEAVE_UNDIRECTED;
    csr.nvtx = l->nvtx;
    csr.xadj = xadj;
    csr.adj = adj;
    if (cleave_graph_create(&g, &csr, 0, &err) != CLEAVE_OK)
        bench_fail(err.message);
    free(xadj);
    free(adj);
    return g;
}

hub_graph hub_graph_make(int family, hub_form form, int64_t edges, int seed)
{
    static void (*const make[nhub_family])(edge_list *, int64_t) = {
        star,        hubs,  double_star,        hub_mesh,   hub_sides,
        caterpillar, wheel, complete_bipartite, power_tree, uneven_hubs,
    };
    edge_list l = {.random = (uint64_t)(seed + 1) / 2 * 1000003u + (uint64_t)family};
    make[family](&l, edges);
    if (form != UNDIRECTED)
        direct(&l, form);
    if (seed % 2 == 0)
        renumber(&l);
    hub_graph h = {.undirected = build(&l, 0)};
    h.g = form == UNDIRECTED ? h.undirected : build(&l, 1);
    h.m = metis_prepare(h.undirected);
    free(l.ends);
    return h;
}

void hub_graph_drop(hub_graph *h)
{
    if (h->m)
        metis_free(h->m);
    if (h->g != h->undirected)
        cleave_graph_free(h->g);
    cleave_graph_free(h->undirected);
}
