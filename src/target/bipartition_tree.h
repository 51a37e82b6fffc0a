/* SPDX-License-Identifier: Apache-2.0 */
/* target/bipartition_tree.h - a tree of bipartitions in memory, for shapes without a formula.
 *
 * Its domains are numbered in depth-first order: the first half of domain x is x + 1, and the
 * second half follows the 2 * pes - 1 domains of the first, so that one number per domain
 * describes the tree.  PEs have `places` in the same order, and a domain is a range of places.
 * The clv_domain of a shape that uses this is (number of the domain, place of its first PE).
 *
 * The tree is made from a tree with any number of children, by recursively cutting the
 * children of a node into two runs with PE counts as even as possible, and omitting nodes with
 * one child, as Scotch compacts its coarsening trees [Pellegrini, Lachat 2017].  The original
 * tree is kept in `fan`: the number of its children that a domain divides into. */
#ifndef CLV_TARGET_BIPARTITION_TREE_H
#define CLV_TARGET_BIPARTITION_TREE_H

#include "target/target.h"

typedef struct clv_bipartition_tree {
    int32_t npes;
    int32_t *pes; /* by domain, 2 * npes - 1 of them */
    /* By domain: the number of children of a node, if it has all of them; -(their number) if
     * it has only some; 0: a PE. */
    int32_t *fan;
    int32_t *pe;    /* by place */
    int32_t *leaf;  /* by place: its domain */
    int32_t *place; /* by PE */
} clv_bipartition_tree;

/* A tree whose nodes have any number of children and whose leaves are PEs. */
typedef struct clv_pe_tree {
    int32_t npes;
    int32_t nnodes; /* nodes that are not below the root are ignored */
    int32_t root;
    const int32_t *parent; /* by node */
    const int32_t *pe_of;  /* by leaf: 0..npes-1 once each */
} clv_pe_tree;

/* Makes the tree of bipartitions; children are in the order of their numbers, npes <=
 * clv_most_tree_pes.  Arrays from the arena; scratch from ws is released.  O(nnodes + npes
 * log(children)). */
cleave_status clv_bipartition_tree_make(clv_bipartition_tree *h, const clv_pe_tree *tree,
                                        clv_arena *arena, clv_ws *ws, cleave_error *err);

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

/* Entries in the function table of such a shape; a hierarchy also divides into its groups. */
#define CLV_BIPARTITION_TREE_DOMAINS                                                          \
    .root = clv_bipartition_tree_root, .terminal = clv_bipartition_tree_terminal,             \
    .bipartition = clv_bipartition_tree_divide, .pes = clv_bipartition_tree_pes,              \
    .pe = clv_bipartition_tree_pe, .weight = clv_bipartition_tree_weight,                     \
    .place = clv_bipartition_tree_place
#define CLV_BIPARTITION_TREE_GROUPS                                                           \
    CLV_BIPARTITION_TREE_DOMAINS, .children = clv_bipartition_tree_children,                  \
                                  .child = clv_bipartition_tree_child

/* Do the domains have a PE in common? */
static inline bool clv_bipartition_tree_overlap(const clv_bipartition_tree *h, clv_domain x,
                                                clv_domain y)
{
    return x.b < y.b + h->pes[y.a] && y.b < x.b + h->pes[x.a];
}

#endif
