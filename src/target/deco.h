/* SPDX-License-Identifier: Apache-2.0 */
/* target/deco.h - machines that are given by a tree of bipartitions and by distances, Scotch's
 * "decomposition-defined" targets [Pellegrini, Lachat 2017, 2.3.1].
 *
 * How far PEs and domains are from each other is in tables here.  Machines that are too large
 * for that are in target/deco_levels.h. */
#ifndef CLV_TARGET_DECO_H
#define CLV_TARGET_DECO_H

#include "graph/graph.h"
#include "target/bipartition_tree.h"

typedef struct clv_deco {
    clv_bipartition_tree bipartition;
    int32_t *far;       /* distances of PEs below the diagonal, row by row */
    uint32_t *twice;    /* doubled distances of domains, the same way */
    const clv_graph *g; /* where the distances come from, owned; NULL: not known */
    int64_t *edge;      /* by arc of g: the number of its edge */
} clv_deco;

/* The place of two different ones in a table below the diagonal. */
static inline int64_t clv_deco_pair(int64_t x, int64_t y)
{
    return x > y ? x * (x - 1) / 2 + y : y * (y - 1) / 2 + x;
}

static inline int64_t clv_deco_far(const clv_deco *d, int32_t p, int32_t q)
{
    return p == q ? 0 : d->far[clv_deco_pair(p, q)];
}

/* A target of npes PEs, at most clv_most_tree_pes, whose far is for the caller to fill.  Not
 * NULL on failure: the caller frees it. */
cleave_status clv_deco_open(clv_target **out, int32_t npes, cleave_error *err);
/* Sets the tree and the distances of the domains: the mean over their halves, from the bottom
 * up, as in Scotch.  half: see clv_deco_make_bipartition_tree.  Speeds and far are there; the
 * target is ready afterwards.  Memory is quadratic: 8 npes^2 bytes. */
cleave_status clv_deco_finish(clv_target *t, int32_t (*half)[2], clv_ws *ws,
                              cleave_error *err);

/* The tree in which node p < npes is PE p, and node npes + i is made of the two nodes half[i],
 * both smaller than it; the last of the npes - 1 is the root.  Scratch from ws, given back. */
cleave_status clv_deco_make_bipartition_tree(clv_bipartition_tree *h, clv_target *t,
                                             int32_t (*half)[2], clv_ws *ws,
                                             cleave_error *err);

/* Fills far: shortest paths in g, whose arcs have lengths >= 1.  g is connected.
 * CLEAVE_ERANGE when one exceeds 2^31-1.  O(nvtx narc) without lengths, else
 * O(nvtx (narc + nvtx) log nvtx) (deco_paths.c). */
cleave_status clv_deco_shortest_paths(clv_deco *d, const clv_graph *g, clv_ws *ws,
                                      cleave_error *err);

/* Halves g again and again, as evenly as possible, cutting few and long links; far is there.
 * half (nvtx - 1 places) as for clv_deco_make_bipartition_tree (deco_bipartition.c). */
cleave_status clv_deco_bipartition(const clv_deco *d, const clv_graph *g, int32_t (*half)[2],
                                   clv_ws *ws, cleave_error *err);

/* Writes any target as Scotch's deco 0: as many whole numbers as pairs of PEs.  Speeds that
 * are no whole numbers are multiplied until they are, or rounded to six digits.  CLEAVE_ERANGE
 * beyond 32768 PEs (deco_write.c). */
cleave_status clv_target_write_deco(const clv_target *t, const char *path, cleave_error *err);

#endif
