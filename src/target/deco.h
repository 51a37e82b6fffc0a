/* SPDX-License-Identifier: Apache-2.0 */
/* target/deco.h - machines that are given by a tree of halves and by distances, Scotch's
 * "decomposition-defined" targets [Pellegrini, Lachat 2017, 2.3.1].
 *
 * Nodes of the tree are numbered: node p is PE p alone; the others, from npes on, are made of
 * two nodes that come before them; the last is the whole machine.  A domain is such a node
 * (its b is 0).  How far nodes are from each other is either in a table (this file) or found
 * by search in a family of ever coarser graphs (target/deco_levels.h). */
#ifndef CLV_TARGET_DECO_H
#define CLV_TARGET_DECO_H

#include "graph/graph.h"
#include "target/target.h"

/* The first member of the data of every target here. */
typedef struct clv_deco_tree {
    int32_t npes;       /* at most clv_most_deco_pes */
    int32_t (*half)[2]; /* by node - npes */
    int32_t *pes;       /* by node: how many */
    int32_t *first;     /* by node: the smallest PE */
    double *weight;     /* by node: sum of the speeds */
} clv_deco_tree;

enum { clv_most_deco_pes = 1 << 30 }; /* so that nodes can be counted in 32 bits */

static inline int64_t clv_deco_nodes(const clv_deco_tree *tree)
{
    return 2 * (int64_t)tree->npes - 1;
}

/* Arrays from the arena of t; half is for the caller to fill. */
cleave_status clv_deco_tree_init(clv_deco_tree *tree, clv_target *t, cleave_error *err);
/* The rest, once half and the speeds of t are there. */
void clv_deco_tree_finish(clv_deco_tree *tree, const clv_target *t);

/* Functions of a clv_shape whose data start with a tree. */
clv_domain clv_deco_root(const clv_target *t);
clv_domain clv_deco_terminal(const clv_target *t, int32_t pe);
bool clv_deco_bipartition(const clv_target *t, clv_domain d, clv_domain half[2]);
int32_t clv_deco_pes(const clv_target *t, clv_domain d);
int32_t clv_deco_pe(const clv_target *t, clv_domain d);
double clv_deco_weight(const clv_target *t, clv_domain d);

/* ---- With a table of distances (deco.c) ----------------------------------------------- */

typedef struct clv_deco {
    clv_deco_tree tree;
    uint32_t *twice;    /* doubled distances below the diagonal, row by row: PEs, then nodes */
    const clv_graph *g; /* where the distances come from, owned; NULL: not known */
    int64_t *edge;      /* by arc of g: the number of its edge */
} clv_deco;

/* Where in twice the distance of two different nodes is. */
static inline uint32_t *clv_deco_twice(const clv_deco *d, int32_t x, int32_t y)
{
    int64_t high = x > y ? x : y, low = x > y ? y : x;
    return &d->twice[high * (high - 1) / 2 + low];
}

static inline int64_t clv_deco_between(const clv_deco *d, int32_t x, int32_t y)
{
    return x == y ? 0 : *clv_deco_twice(d, x, y) / 2;
}

/* A target of npes PEs whose tree and distances of PEs are for the caller to fill.  Memory is
 * quadratic: 8 npes^2 bytes. */
cleave_status clv_deco_open(clv_target **out, int32_t npes, cleave_error *err);
/* Distances of the domains from those of the PEs: the mean over their halves, from the bottom
 * up, as in Scotch.  Afterwards the target is ready. */
void clv_deco_finish(clv_target *t);

/* Fills the distances of the PEs: shortest paths in g, whose arcs have lengths >= 1.  g is
 * connected.  CLEAVE_ERANGE when one exceeds 2^31-1.  O(nvtx narc) without lengths, else
 * O(nvtx (narc + nvtx) log nvtx) (deco_paths.c). */
cleave_status clv_deco_shortest_paths(clv_deco *d, const clv_graph *g, cleave_error *err);

/* Fills the tree by halving g again and again, as evenly as possible and cutting few and long
 * links; the distances of the PEs are there (deco_halves.c). */
cleave_status clv_deco_halve(clv_deco *d, const clv_graph *g, cleave_error *err);

/* Writes any target as Scotch's deco 0: as many whole numbers as pairs of PEs.  Speeds that
 * are no whole numbers are multiplied until they are, or rounded to six digits.  CLEAVE_ERANGE
 * beyond 32768 PEs (deco_write.c). */
cleave_status clv_target_write_deco(const clv_target *t, const char *path, cleave_error *err);

#endif
