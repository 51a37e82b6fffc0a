/* SPDX-License-Identifier: Apache-2.0 */
/* target/deco.h - machines given by a tree of bipartitions and by distances: Scotch's
 * "decomposition-defined" targets [Pellegrini, Lachat 2017, 2.3.1].
 *
 * Distances of PEs and domains are in tables.  Machines that are too large for tables:
 * target/deco_levels.h. */
#ifndef CLV_TARGET_DECO_H
#define CLV_TARGET_DECO_H

#include "graph/graph.h"
#include "target/bipartition_tree.h"

typedef struct clv_deco {
    clv_bipartition_tree bipartition;
    int32_t *far;       /* distances of PEs below the diagonal, row by row */
    uint32_t *twice;    /* doubled distances of domains, the same way */
    const clv_graph *g; /* source of the distances, owned; NULL: unknown */
    int64_t *edge;      /* by arc of g: the number of its edge */
} clv_deco;

/* Index of a pair of different numbers in a table below the diagonal. */
static inline int64_t clv_deco_pair(int64_t x, int64_t y)
{
    return x > y ? x * (x - 1) / 2 + y : y * (y - 1) / 2 + x;
}

static inline int64_t clv_deco_far(const clv_deco *d, int32_t p, int32_t q)
{
    return p == q ? 0 : d->far[clv_deco_pair(p, q)];
}

/* A target of npes PEs, at most clv_most_tree_pes; the caller fills `far`.  On failure *out
 * may be set, and the caller frees it. */
cleave_status clv_deco_open(clv_target **out, int32_t npes, cleave_error *err);
/* Sets the tree and the distances of the domains: the mean over their halves, bottom up, as in
 * Scotch. half: see clv_deco_make_bipartition_tree.  Speeds and far must be set; the target is
 * complete afterwards.  Memory is quadratic: 8 npes^2 bytes. */
cleave_status clv_deco_finish(clv_target *t, int32_t (*half)[2], clv_ws *ws,
                              cleave_error *err);

/* The tree in which node p < npes is PE p, and node npes + i has the two children half[i],
 * with smaller numbers; the last of the npes - 1 is the root.  Scratch from ws is released. */
cleave_status clv_deco_make_bipartition_tree(clv_bipartition_tree *h, clv_target *t,
                                             int32_t (*half)[2], clv_ws *ws,
                                             cleave_error *err);

/* Fills far with shortest paths in g, whose arcs have lengths >= 1. g is connected.
 * CLEAVE_ERANGE: a distance exceeds 2^31-1.  O(nvtx narc) without lengths, otherwise O(nvtx
 * (narc + nvtx) log nvtx) (deco_paths.c). */
cleave_status clv_deco_shortest_paths(clv_deco *d, const clv_graph *g, clv_ws *ws,
                                      cleave_error *err);

/* Bisects g recursively, as evenly as possible, cutting few and long links; far must be set.
 * half (nvtx - 1 entries) as for clv_deco_make_bipartition_tree (deco_bipartition.c). */
cleave_status clv_deco_bipartition(const clv_deco *d, const clv_graph *g, int32_t (*half)[2],
                                   clv_ws *ws, cleave_error *err);

/* Writes any target as Scotch's deco 0, with one number per pair of PEs.  Speeds that are not
 * integers are scaled until they are, or rounded to six digits.  CLEAVE_ERANGE beyond 32768
 * PEs (deco_write.c). */
cleave_status clv_target_write_deco(const clv_target *t, const char *path, cleave_error *err);

#endif
