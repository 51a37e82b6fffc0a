/* SPDX-License-Identifier: Apache-2.0 */
/* graph/elimination.c - see graph/elimination.h. */
#include "graph/elimination.h"

#include <string.h>

/* ---- Elimination tree ------------------------------------------------------------------ */

/* Path compression: paths to the current roots are shortened on the way. */
static void grow_tree(const clv_elimination *e, int32_t *ancestor)
{
    const clv_graph *g = e->g;
    for (int32_t k = 0; k < g->nvtx; k++) {
        int32_t v = e->order[k];
        e->parent[k] = ancestor[k] = -1;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t i = e->place[g->adj[a]];
            while (i >= 0 && i < k) {
                int32_t up = ancestor[i];
                ancestor[i] = k;
                if (up < 0)
                    e->parent[i] = k;
                i = up;
            }
        }
    }
}

cleave_status clv_elimination_make(clv_elimination *e, const clv_graph *g,
                                   const int32_t *order, clv_ws *ws, cleave_error *err)
{
    e->g = g;
    e->order = order;
    e->copies = NULL;
    e->place = clv_ws_alloc(ws, g->nvtx, sizeof *e->place);
    e->parent = clv_ws_alloc(ws, g->nvtx, sizeof *e->parent);
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *ancestor = clv_ws_alloc(ws, g->nvtx, sizeof *ancestor);
    if (!e->place || !e->parent || !ancestor)
        return clv_fail_memory(err);
    for (int32_t k = 0; k < g->nvtx; k++)
        e->place[order[k]] = k;
    grow_tree(e, ancestor);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* child and sibling are used as linked lists of children, consumed during the traversal. */
void clv_elimination_postorder(int32_t nvtx, const int32_t *parent, int32_t *child,
                               int32_t *sibling, int32_t *post)
{
    int32_t root = -1, count = 0;
    for (int32_t k = 0; k < nvtx; k++)
        child[k] = -1;
    for (int32_t k = nvtx - 1; k >= 0; k--) {
        int32_t *first = parent[k] < 0 ? &root : &child[parent[k]];
        sibling[k] = *first;
        *first = k;
    }
    for (int32_t k = root; k >= 0;) {
        if (child[k] >= 0) {
            int32_t down = child[k];
            child[k] = -1; /* its children follow when the traversal returns */
            k = down;
            continue;
        }
        post[count++] = k;
        k = sibling[k] >= 0 ? sibling[k] : parent[k];
    }
}

/* ---- Columns ---------------------------------------------------------------------------- */

typedef struct counting {
    int32_t *post;         /* the tree in postorder */
    int32_t *first;        /* by position: number in post of its first descendant */
    int32_t *latest_first; /* by row: first[] of the latest leaf of its subtree, or -1 */
    int32_t *latest_leaf;  /* by row: that leaf, or -1 */
    int32_t *ancestor;     /* by position: union-find forest over the columns that were visited
                              before */
} counting;

static int32_t highest_ancestor(int32_t *ancestor, int32_t i)
{
    int32_t top = i;
    while (ancestor[top] != top)
        top = ancestor[top];
    while (i != top) {
        int32_t up = ancestor[i];
        ancestor[i] = top;
        i = up;
    }
    return top;
}

/* Row i has an entry in column j.  If j is a leaf of the row subtree of i, column j starts a
 * new path; the path of the previous leaf joins it at their least common ancestor, where the
 * row would be counted twice. */
static void count_entry(counting *c, int32_t j, int32_t i, int32_t weight, int64_t *column)
{
    if (c->first[j] <= c->latest_first[i])
        return;
    int32_t before = c->latest_leaf[i];
    c->latest_first[i] = c->first[j];
    c->latest_leaf[i] = j;
    column[j] += weight;
    if (before >= 0)
        column[highest_ancestor(c->ancestor, before)] -= weight;
}

static int32_t weight_at(const clv_elimination *e, int32_t k)
{
    return e->copies ? e->copies[e->order[k]] : 1;
}

static void count_columns(const clv_elimination *e, counting *c, int64_t *column)
{
    const clv_graph *g = e->g;
    for (int32_t k = 0; k < g->nvtx; k++) {
        c->first[k] = c->latest_first[k] = c->latest_leaf[k] = -1;
        c->ancestor[k] = k;
    }
    for (int32_t k = 0; k < g->nvtx; k++) {
        int32_t j = c->post[k];
        /* A leaf of the elimination tree starts with the entry of row j itself. */
        column[j] = c->first[j] < 0 ? weight_at(e, j) : 0;
        for (; j >= 0 && c->first[j] < 0; j = e->parent[j])
            c->first[j] = k;
    }
    for (int32_t k = 0; k < g->nvtx; k++) {
        int32_t j = c->post[k], v = e->order[j], parent = e->parent[j];
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (e->place[g->adj[a]] > j)
                count_entry(c, j, e->place[g->adj[a]], weight_at(e, e->place[g->adj[a]]),
                            column);
        if (parent >= 0) {
            column[parent] -= weight_at(e, j);
            c->ancestor[j] = parent;
        }
    }
    for (int32_t k = 0; k < g->nvtx; k++) /* parents have larger numbers */
        if (e->parent[k] >= 0)
            column[e->parent[k]] += column[k];
    for (int32_t k = 0; k < g->nvtx; k++)
        column[k] -= weight_at(e, k); /* the diagonal */
}

cleave_status clv_elimination_columns(const clv_elimination *e, clv_ws *ws, int64_t *column,
                                      cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    counting c;
    int32_t **arrays[] = {&c.post, &c.first, &c.latest_first, &c.latest_leaf, &c.ancestor};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        *arrays[i] = clv_ws_alloc(ws, e->g->nvtx, sizeof **arrays[i]);
        if (!*arrays[i])
            return clv_fail_memory(err);
    }
    clv_elimination_postorder(e->g->nvtx, e->parent, c.first, c.ancestor, c.post);
    count_columns(e, &c, column);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
