/* SPDX-License-Identifier: Apache-2.0 */
#include "api/api_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- Memory that cannot be written -------------------------------------------------- */

static struct {
    void *address;
    size_t length;
} maps[256];
static int nmaps;

static void need(bool good, const char *what)
{
    if (!good) {
        fprintf(stderr, "cannot %s\n", what);
        abort();
    }
}

const void *frozen(const void *array, int64_t count, size_t each)
{
    if (!array)
        return NULL;
    size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = (size_t)count * each;
    size_t body = (bytes + page - 1) / page * page;
    char *map =
        mmap(NULL, body + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    need(map != MAP_FAILED && nmaps < 256, "map memory");
    if (bytes > 0)
        memcpy(map + body - bytes, array, bytes);
    need(body == 0 || mprotect(map, body, PROT_READ) == 0, "protect memory");
    need(mprotect(map + body, page, PROT_NONE) == 0, "protect memory");
    maps[nmaps].address = map;
    maps[nmaps++].length = body + page;
    return map + body - bytes;
}

cleave_csr frozen_csr(const cleave_csr *csr)
{
    cleave_csr cold = *csr;
    int64_t n = csr->nvtx, narc = csr->xadj[n];
    cold.xadj = frozen(csr->xadj, n + 1, sizeof *csr->xadj);
    cold.adj = frozen(csr->adj, narc, sizeof *csr->adj);
    cold.ewgt = frozen(csr->ewgt, narc, sizeof *csr->ewgt);
    cold.vwgt = frozen(csr->vwgt, n * csr->ncon, sizeof *csr->vwgt);
    cold.vsize = frozen(csr->vsize, n, sizeof *csr->vsize);
    cold.coords = frozen(csr->coords, n * csr->ndim, sizeof *csr->coords);
    cold.names = frozen(csr->names, n, sizeof *csr->names);
    return cold;
}

void thaw(void)
{
    while (nmaps > 0) {
        nmaps--;
        munmap(maps[nmaps].address, maps[nmaps].length);
    }
}

/* ---- Comparing ---------------------------------------------------------------------- */

static bool same_array(const void *a, const void *b, int64_t count, size_t each)
{
    if (!a || !b)
        return a == b || count == 0;
    return memcmp(a, b, (size_t)count * each) == 0;
}

bool same_csr(const cleave_csr *a, const cleave_csr *b)
{
    if (a->kind != b->kind || a->nvtx != b->nvtx || a->ncon != b->ncon || a->ndim != b->ndim)
        return false;
    int64_t n = a->nvtx;
    if (!same_array(a->xadj, b->xadj, n + 1, sizeof *a->xadj))
        return false;
    int64_t narc = a->xadj[n];
    return same_array(a->adj, b->adj, narc, sizeof *a->adj) &&
           same_array(a->ewgt, b->ewgt, narc, sizeof *a->ewgt) &&
           same_array(a->vwgt, b->vwgt, n * a->ncon, sizeof *a->vwgt) &&
           same_array(a->vsize, b->vsize, n, sizeof *a->vsize) &&
           same_array(a->coords, b->coords, n * a->ndim, sizeof *a->coords);
}

bool same_names(const cleave_graph *a, const cleave_graph *b)
{
    for (int32_t v = 0; v < cleave_graph_vertices(a); v++) {
        const char *x = cleave_graph_name(a, v), *y = cleave_graph_name(b, v);
        if (!x != !y || (x && strcmp(x, y) != 0))
            return false;
    }
    return true;
}

bool same_graphs(const cleave_graph *a, const cleave_graph *b)
{
    cleave_csr x, y;
    cleave_csr_init(&x, sizeof x);
    cleave_csr_init(&y, sizeof y);
    cleave_graph_view(a, &x);
    cleave_graph_view(b, &y);
    if (!same_csr(&x, &y))
        return false;
    cleave_graph_view_predecessors(a, &x);
    cleave_graph_view_predecessors(b, &y);
    return same_csr(&x, &y) && same_names(a, b);
}

static uint64_t mix(uint64_t sum, const void *bytes, size_t count)
{
    const unsigned char *p = bytes;
    for (size_t i = 0; p && i < count; i++)
        sum = (sum ^ p[i]) * 0x100000001b3u;
    return sum * 0x100000001b3u + (p != NULL);
}

static uint64_t mix_csr(uint64_t sum, const cleave_csr *csr)
{
    size_t n = (size_t)csr->nvtx, narc = (size_t)csr->xadj[n];
    sum = mix(sum, csr->xadj, (n + 1) * sizeof *csr->xadj);
    sum = mix(sum, csr->adj, narc * sizeof *csr->adj);
    sum = mix(sum, csr->ewgt, narc * sizeof *csr->ewgt);
    sum = mix(sum, csr->vwgt, n * (size_t)csr->ncon * sizeof *csr->vwgt);
    sum = mix(sum, csr->vsize, n * sizeof *csr->vsize);
    return mix(sum, csr->coords, n * (size_t)csr->ndim * sizeof *csr->coords);
}

uint64_t graph_digest(const cleave_graph *g)
{
    cleave_csr view;
    cleave_csr_init(&view, sizeof view);
    cleave_graph_view(g, &view);
    uint64_t sum = mix_csr(0xcbf29ce484222325u, &view);
    cleave_graph_view_predecessors(g, &view);
    sum = mix_csr(sum, &view);
    for (int32_t v = 0; v < view.nvtx; v++) {
        const char *name = cleave_graph_name(g, v);
        sum = mix(sum, name, name ? strlen(name) : 0);
    }
    return sum;
}

/* ---- Making ------------------------------------------------------------------------- */

static void *make_array(int64_t count, size_t each)
{
    void *array = calloc((size_t)count + 1, each);
    need(array != NULL, "allocate");
    return array;
}

/* Rows from edges u < v, given by a function; the matrix of small n is enough. */
typedef int32_t (*edge_rule)(int32_t n, int32_t u, int32_t v); /* 0: no edge */

static cleave_csr csr_by_rule(cleave_kind kind, int32_t n, edge_rule rule)
{
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    int64_t *xadj = make_array((int64_t)n + 1, sizeof *xadj);
    int32_t *adj = make_array((int64_t)n * n, sizeof *adj);
    int64_t count = 0;
    for (int32_t v = 0; v < n; v++) {
        for (int32_t u = kind == CLEAVE_DAG ? v + 1 : 0; u < n; u++)
            if (u != v && rule && rule(n, u < v ? u : v, u < v ? v : u))
                adj[count++] = u;
        xadj[v + 1] = count;
    }
    csr.kind = kind;
    csr.nvtx = n;
    csr.xadj = xadj;
    csr.adj = adj;
    return csr;
}

static void put_names(cleave_csr *csr)
{
    const char **names = make_array(csr->nvtx, sizeof *names);
    for (int32_t v = 0; v < csr->nvtx; v++) {
        char *name = make_array(24, 1);
        snprintf(name, 24, "v%d%s", (int)v, v % 3 ? "" : " x");
        names[v] = name;
    }
    csr->names = names;
}

static void put_attributes(cleave_csr *csr)
{
    int64_t n = csr->nvtx;
    int32_t *vwgt = make_array(2 * n, sizeof *vwgt), *vsize = make_array(n, sizeof *vsize);
    double *coords = make_array(3 * n, sizeof *coords);
    for (int64_t v = 0; v < n; v++) {
        vwgt[2 * v] = (int32_t)(v % 7);
        vwgt[2 * v + 1] = (int32_t)(1 + v % 3);
        vsize[v] = (int32_t)(v % 5);
        for (int64_t axis = 0; axis < 3; axis++)
            coords[3 * v + axis] = (double)(v * (axis + 1)) / 8;
    }
    csr->vwgt = vwgt;
    csr->ncon = 2;
    csr->vsize = vsize;
    csr->coords = coords;
    csr->ndim = 3;
    put_names(csr);
}

static void put_edge_weights(cleave_csr *csr, int32_t wgt)
{
    int32_t *ewgt = make_array(csr->xadj[csr->nvtx], sizeof *ewgt);
    for (int64_t a = 0; a < csr->xadj[csr->nvtx]; a++)
        ewgt[a] = wgt;
    csr->ewgt = ewgt;
}

static void put_vertex_weights(cleave_csr *csr, int32_t ncon, int32_t wgt)
{
    int32_t *vwgt = make_array((int64_t)csr->nvtx * ncon, sizeof *vwgt);
    for (int64_t i = 0; i < (int64_t)csr->nvtx * ncon; i++)
        vwgt[i] = wgt;
    csr->vwgt = vwgt;
    csr->ncon = ncon;
}

cleave_csr make_grid(cleave_kind kind, int32_t side)
{
    int32_t n = side * side;
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    int64_t *xadj = make_array((int64_t)n + 1, sizeof *xadj), count = 0;
    int32_t *adj = make_array(4 * (int64_t)n, sizeof *adj);
    int32_t *ewgt = make_array(4 * (int64_t)n, sizeof *ewgt);
    for (int32_t v = 0; v < n; v++) {
        int32_t near[] = {v - side, v % side ? v - 1 : -1, (v + 1) % side ? v + 1 : -1,
                          v + side};
        for (int i = kind == CLEAVE_DAG ? 2 : 0; i < 4; i++)
            if (near[i] >= 0 && near[i] < n) {
                ewgt[count] = 1 + (v + near[i]) % 9;
                adj[count++] = near[i];
            }
        xadj[v + 1] = count;
    }
    csr.kind = kind;
    csr.nvtx = n;
    csr.xadj = xadj;
    csr.adj = adj;
    csr.ewgt = ewgt;
    put_attributes(&csr);
    return csr;
}

void csr_free(cleave_csr *csr)
{
    for (int32_t v = 0; csr->names && v < csr->nvtx; v++)
        free((void *)csr->names[v]);
    free((void *)csr->names);
    free((void *)csr->xadj);
    free((void *)csr->adj);
    free((void *)csr->ewgt);
    free((void *)csr->vwgt);
    free((void *)csr->vsize);
    free((void *)csr->coords);
    memset(csr, 0, sizeof *csr);
}

/* ---- The edge cases ----------------------------------------------------------------- */

static int32_t all_pairs(int32_t n, int32_t u, int32_t v)
{
    return n > 0 && u < v;
}
static int32_t path(int32_t n, int32_t u, int32_t v)
{
    return n > 0 && v == u + 1;
}
static int32_t star(int32_t n, int32_t u, int32_t v)
{
    return n > 0 && u == 0 && v > 0;
}
static int32_t star_of_the_last(int32_t n, int32_t u, int32_t v)
{
    return u < v && v == n - 1;
}
/* Triangles of three vertices, and a smaller piece if n is not a multiple of three. */
static int32_t triangles(int32_t n, int32_t u, int32_t v)
{
    return v / 3 == u / 3 && v / 3 < n / 3;
}

static void one_heavy_vertex(cleave_csr *csr)
{
    put_vertex_weights(csr, 1, 1);
    ((int32_t *)csr->vwgt)[csr->nvtx / 2] = 1000000000;
}
static void zero_vertex_weights(cleave_csr *csr)
{
    put_vertex_weights(csr, 1, 0);
}
static void zero_edge_weights(cleave_csr *csr)
{
    put_edge_weights(csr, 0);
}
static void largest_weights(cleave_csr *csr)
{
    put_vertex_weights(csr, 3, INT32_MAX);
    put_edge_weights(csr, INT32_MAX);
    int32_t *vsize = make_array(csr->nvtx, sizeof *vsize);
    for (int32_t v = 0; v < csr->nvtx; v++)
        vsize[v] = INT32_MAX;
    csr->vsize = vsize;
}
static void everything(cleave_csr *csr)
{
    put_attributes(csr);
    put_edge_weights(csr, 7);
}

bool edge_case_get(int i, edge_case *out)
{
    static const struct {
        const char *name;
        int32_t n;
        edge_rule rule;
        void (*attributes)(cleave_csr *csr);
    } cases[] = {
        {"no vertex", 0, NULL, NULL},
        {"no vertex, all attributes", 0, NULL, everything},
        {"one vertex", 1, NULL, NULL},
        {"one vertex, all attributes", 1, NULL, everything},
        {"two apart", 2, NULL, NULL},
        {"one edge", 2, path, NULL},
        {"disconnected", 8, triangles, NULL},
        {"star", 40, star, NULL},
        {"star of the last", 40, star_of_the_last, NULL},
        {"one heavy vertex", 9, path, one_heavy_vertex},
        {"zero vertex weights", 6, all_pairs, zero_vertex_weights},
        {"zero edge weights", 6, all_pairs, zero_edge_weights},
        {"largest weights", 12, all_pairs, largest_weights},
        {"all attributes", 10, triangles, everything},
    };
    int count = (int)(sizeof cases / sizeof *cases);
    if (i >= 2 * count)
        return false;
    out->name = cases[i / 2].name;
    out->csr =
        csr_by_rule(i % 2 ? CLEAVE_DAG : CLEAVE_UNDIRECTED, cases[i / 2].n, cases[i / 2].rule);
    if (cases[i / 2].attributes)
        cases[i / 2].attributes(&out->csr);
    return true;
}

/* ---- Coverage ----------------------------------------------------------------------- */

bool listed(int argc, char **argv, const char *const *names, size_t stride)
{
    if (argc < 2 || strcmp(argv[1], "--list") != 0)
        return false;
    for (; *names; names = (const char *const *)((const char *)names + stride))
        puts(*names);
    return true;
}
