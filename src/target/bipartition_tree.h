/* SPDX-License-Identifier: Apache-2.0 */
/* target/bipartition_tree.h - a tree of bipartitions kept in memory, for shapes that have no
 * formula.
 *
 * Its domains are numbered in the order in which they are reached, so that the first half of
 * domain x is x + 1 and the second half follows the 2 * pes - 1 domains inside the first: to
 * know the tree it takes one number per domain.  PEs have `places` in the same order, and a
 * domain is a range of places.  The clv_domain of a shape that uses this is (number of the
 * domain, place of its first PE).
 *
 * The tree comes from one with any number of children anywhere, by cutting the children of a
 * node into two runs with PEs as even as possible, again and again, and leaving out nodes with
 * one child, as the seed compacts its trees of coarsening [Pellegrini, Lachat 2017].  That
 * tree is kept as well: `fan` says into how many of its children a domain divides. */
#ifndef CLV_TARGET_BIPARTITION_TREE_H
#define CLV_TARGET_BIPARTITION_TREE_H

#include "target/target.h"

typedef struct clv_bipartition_tree {
    int32_t npes;
    int32_t *pes; /* by domain, 2 * npes - 1 of them */
    /* By domain: the children of a node, all of them; below 0: of so many, not all; 0: a PE.
     */
    int32_t *fan;
    int32_t *pe;    /* by place */
    int32_t *leaf;  /* by place: its domain */
    int32_t *place; /* by PE */
} clv_bipartition_tree;

/* From parent[v] of nodes 0..nnodes-1; nodes that do not hang under the root are not looked
 * at.  Children count in the order of their numbers.  Nodes without children are PEs pe_of[v],
 * 0..npes-1 each once, npes <= clv_most_tree_pes.  Arrays from the arena; scratch from ws,
 * given back.  O(nnodes + npes log(children)). */
cleave_status clv_bipartition_tree_make(clv_bipartition_tree *h, int32_t npes, int32_t nnodes,
                                        const int32_t *parent, int32_t root,
                                        const int32_t *pe_of, clv_arena *arena, clv_ws *ws,
                                        cleave_error *err);

/* ---- The entries of clv_shape, for targets whose data begins with a clv_bipartition_tree  */
clv_domain clv_bipartition_tree_root(const clv_target *t);
clv_domain clv_bipartition_tree_terminal(const clv_target *t, int32_t pe);
bool clv_bipartition_tree_divide(const clv_target *t, clv_domain d, clv_domain half[2]);
int32_t clv_bipartition_tree_pes(const clv_target *t, clv_domain d);
int32_t clv_bipartition_tree_pe(const clv_target *t, clv_domain d);
double clv_bipartition_tree_weight(const clv_target *t, clv_domain d);
int32_t clv_bipartition_tree_children(const clv_target *t, clv_domain d);
clv_domain clv_bipartition_tree_child(const clv_target *t, clv_domain d, int32_t i);
int32_t clv_bipartition_tree_place(const clv_target *t, int32_t pe);

/* For the table of such a shape; a hierarchy divides into its groups, too. */
#define CLV_BIPARTITION_TREE_DOMAINS                                                          \
    .root = clv_bipartition_tree_root, .terminal = clv_bipartition_tree_terminal,             \
    .bipartition = clv_bipartition_tree_divide, .pes = clv_bipartition_tree_pes,              \
    .pe = clv_bipartition_tree_pe, .weight = clv_bipartition_tree_weight,                     \
    .place = clv_bipartition_tree_place
#define CLV_BIPARTITION_TREE_GROUPS                                                           \
    CLV_BIPARTITION_TREE_DOMAINS, .children = clv_bipartition_tree_children,                  \
                                  .child = clv_bipartition_tree_child

/* Does one of them have PEs of the other? */
static inline bool clv_bipartition_tree_overlap(const clv_bipartition_tree *h, clv_domain x,
                                                clv_domain y)
{
    return x.b < y.b + h->pes[y.a] && y.b < x.b + h->pes[x.a];
}

#endif
