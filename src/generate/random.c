/* SPDX-License-Identifier: Apache-2.0 */
/* generate/random.c - random graphs of Gilbert, and trees.
 *
 * gnp skips from one edge to the next by geometrically distributed steps [Batagelj, Brandes
 * 2005], row by row above the diagonal: O(N + edges).  A complete tree is numbered level by
 * level; a random tree joins each vertex to one of the vertices before it, uniformly. */
#include "base/group.h"
#include "base/rng.h"
#include "generate/assemble.h"
#include "generate/generate.h"
#include "generate/real.h"
#include "graph/rows.h"

enum { row_grain = 1024 };

/* ---- Each pair with probability p ------------------------------------------------------ */

typedef struct gnp {
    int32_t nvtx;
    uint64_t seed;
    double log_rest; /* log(1 - p) */
    bool all;        /* p is 1 */
    int64_t *xup;
    int32_t *up; /* NULL: only count */
} gnp;

/* Number of pairs before the next edge; `left` or more: no edge is left. */
static int64_t pairs_to_skip(const gnp *g, clv_rng *rng, int64_t left)
{
    if (g->all)
        return 0;
    double steps = clv_real_log(1 - clv_rng_unit(rng)) / g->log_rest;
    return steps < (double)left ? (int64_t)steps : left;
}

static void draw_rows(void *context, int64_t begin, int64_t end, int member)
{
    const gnp *g = context;
    (void)member;
    for (int64_t v = begin; v < end; v++) {
        clv_rng rng = clv_rng_make(g->seed, CLV_STAGE_GNP, 0, (uint64_t)v);
        int64_t count = 0, u = v + 1;
        for (;; u++, count++) {
            u += pairs_to_skip(g, &rng, g->nvtx - u);
            if (u >= g->nvtx)
                break;
            if (g->up)
                g->up[g->xup[v] + count] = (int32_t)u;
        }
        if (!g->up)
            g->xup[v] = count;
    }
}

static cleave_status make_gnp(clv_rows *rows, gnp *g, clv_ws *ws, clv_team *team,
                              cleave_error *err)
{
    g->xup = clv_ws_zalloc(ws, (int64_t)g->nvtx + 1, sizeof *g->xup);
    if (!g->xup)
        return clv_fail_memory(err);
    if (g->all || g->log_rest < 0)
        clv_parallel_for(team, g->nvtx, row_grain, draw_rows, g);
    g->xup[g->nvtx] = clv_prefix_sum(team, g->xup, g->nvtx);
    g->up = clv_ws_alloc(ws, g->xup[g->nvtx], sizeof *g->up);
    if (!g->up)
        return clv_fail_memory(err);
    if (g->all || g->log_rest < 0)
        clv_parallel_for(team, g->nvtx, row_grain, draw_rows, g);
    return clv_rows_mirrored(rows, g->nvtx, g->xup, g->up, err);
}

cleave_status clv_generate_gnp(clv_graph **out, clv_spec *spec, const clv_making *how,
                               cleave_error *err)
{
    int64_t n;
    double p;
    CLV_TRY(clv_spec_whole(spec, "N", CLV_MOST_VERTICES, &n, err));
    CLV_TRY(clv_spec_real(spec, "a probability P", 0, 1, &p, err));
    CLV_TRY(clv_spec_end(spec, err));
    CLV_TRY(clv_spec_edges(spec, 0.5 * p * (double)n * (double)(n - 1), err));
    gnp g = {.nvtx = (int32_t)n, .seed = how->seed, .all = p == 1};
    g.log_rest = g.all ? 0 : clv_real_log_rest(p);
    clv_ws ws = {NULL};
    clv_rows rows;
    cleave_status status = make_gnp(&rows, &g, &ws, how->team, err);
    clv_ws_free(&ws);
    CLV_TRY(status);
    return clv_assemble(out, CLEAVE_UNDIRECTED, &rows, 0, NULL, err);
}

/* ---- Trees ------------------------------------------------------------------------------ */

typedef struct tree {
    int32_t nvtx, arity; /* arity 0: random */
    uint64_t seed;
    int32_t *parent;
} tree;

static void choose_parents(void *context, int64_t begin, int64_t end, int member)
{
    const tree *t = context;
    (void)member;
    for (int64_t v = begin; v < end; v++) {
        if (t->arity || v == 0) {
            t->parent[v] = v > 0 ? (int32_t)((v - 1) / t->arity) : 0;
            continue;
        }
        clv_rng rng = clv_rng_make(t->seed, CLV_STAGE_TREE, 0, (uint64_t)v);
        t->parent[v] = (int32_t)clv_rng_below(&rng, (uint32_t)v);
    }
}

/* Row v: its parent, then its children, which ascend.  Counts as clv_rows_mirrored does. */
static void fill_tree(const clv_rows *rows, const int32_t *parent)
{
    int64_t *degree = rows->xadj + 1, *fill = degree;
    for (int32_t v = 1; v < rows->nvtx; v++) {
        degree[v]++;
        degree[parent[v]]++;
    }
    clv_group_starts(rows->xadj, rows->nvtx);
    for (int32_t v = 1; v < rows->nvtx; v++) {
        rows->adj[fill[v]++] = parent[v];
        rows->adj[fill[parent[v]]++] = v;
    }
}

cleave_status clv_generate_tree(clv_graph **out, clv_spec *spec, const clv_making *how,
                                cleave_error *err)
{
    int64_t n, arity = 2;
    CLV_TRY(clv_spec_whole(spec, "N", CLV_MOST_VERTICES, &n, err));
    bool random = clv_spec_option(spec, "random");
    if (!random && clv_spec_more(spec))
        CLV_TRY(clv_spec_whole(spec, "ARITY", CLV_MOST_VERTICES, &arity, err));
    CLV_TRY(clv_spec_end(spec, err));
    if (arity == 0)
        return clv_spec_fail(spec, "ARITY is 0", err);
    clv_rows rows = {.nvtx = (int32_t)n};
    tree t = {(int32_t)n, random ? 0 : (int32_t)arity, how->seed, NULL};
    t.parent = clv_alloc(n, sizeof *t.parent);
    rows.xadj = clv_zalloc(n + 1, sizeof *rows.xadj);
    rows.adj = clv_alloc(n > 0 ? 2 * (n - 1) : 0, sizeof *rows.adj);
    if (!t.parent || !rows.xadj || !rows.adj) {
        clv_sys_free(t.parent);
        clv_rows_free(&rows);
        return clv_fail_memory(err);
    }
    clv_parallel_for(how->team, n, 4096, choose_parents, &t);
    fill_tree(&rows, t.parent);
    clv_sys_free(t.parent);
    return clv_assemble(out, CLEAVE_UNDIRECTED, &rows, 0, NULL, err);
}
