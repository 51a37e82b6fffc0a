/* SPDX-License-Identifier: Apache-2.0 */
/* tests/generate/generate_support.h - generating graphs, checking the invariants of a graph,
 * and a checksum of a graph. */
#ifndef CLV_TESTS_GENERATE_SUPPORT_H
#define CLV_TESTS_GENERATE_SUPPORT_H

#include "support/test.h"

static inline cleave_csr view_of(const cleave_graph *g)
{
    cleave_csr view;
    cleave_csr_init(&view, sizeof view);
    cleave_graph_view(g, &view);
    return view;
}

/* The builder with full validation must accept the arrays unchanged. */
static inline void check_valid(const cleave_graph *g, const char *spec)
{
    cleave_error err = {0};
    cleave_graph *copy = NULL;
    cleave_csr view = view_of(g);
    cleave_status status = cleave_graph_create(&copy, &view, 0, &err);
    if (status != CLEAVE_OK)
        fprintf(stderr, "%s: %s\n", spec, err.message);
    CHECK_EQ(status, CLEAVE_OK);
    cleave_graph_free(copy);
}

static inline cleave_graph *generate(const char *spec, uint64_t seed, int threads)
{
    cleave_error err = {0};
    cleave_graph *g = NULL;
    cleave_generate_options opt;
    cleave_generate_options_init(&opt, sizeof opt);
    opt.seed = seed;
    opt.threads = threads;
    CHECK_OK(cleave_graph_generate(&g, spec, &opt, &err));
    if (g)
        check_valid(g, spec);
    return g;
}

/* FNV-1a. */
static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ b[i]) * 0x100000001b3u;
    return hash;
}

static inline uint64_t checksum(const cleave_graph *g)
{
    cleave_csr view = view_of(g);
    size_t n = (size_t)view.nvtx;
    uint64_t hash = hash_bytes(0xcbf29ce484222325u, view.xadj, (n + 1) * sizeof *view.xadj);
    hash = hash_bytes(hash, view.adj, (size_t)view.xadj[n] * sizeof *view.adj);
    return hash_bytes(hash, view.coords, n * (size_t)view.ndim * sizeof *view.coords);
}

static inline int64_t degree_of(const cleave_csr *view, int32_t v)
{
    return view->xadj[v + 1] - view->xadj[v];
}

static inline int has_edge(const cleave_csr *view, int32_t v, int32_t u)
{
    for (int64_t a = view->xadj[v]; a < view->xadj[v + 1]; a++)
        if (view->adj[a] == u)
            return 1;
    return 0;
}

#endif
