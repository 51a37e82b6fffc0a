/* SPDX-License-Identifier: Apache-2.0 */
/* generate/factor.c - symbolic Cholesky factorisation [Liu, SIAM J. Matrix Anal. 1990].
 *
 * The parent of column j in the elimination tree is the first row below the diagonal that
 * column j of L has.  Row i of L is what one meets climbing the tree from the entries of
 * row i of the matrix, up to i: the non-zeros are found one by one, without the numbers. */
#include "generate/factor.h"

#include <string.h>

#include "base/rng.h"
#include "generate/assemble.h"
#include "graph/rows.h"

static const int64_t most_nonzeros = INT64_C(1) << 32;

typedef struct elimination {
    const clv_graph *g;
    const int32_t *order;
    int32_t *place;  /* vertex -> place in the order */
    int32_t *parent; /* by place: in the elimination tree; -1: a root */
} elimination;

/* ---- Elimination tree ------------------------------------------------------------------ */

/* Paths to the roots found so far are shortened on the way. */
static void grow_tree(const elimination *e, int32_t *ancestor)
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

/* Arrays of e come from ws; the caller restores. */
static cleave_status make_tree(elimination *e, const clv_graph *g, const int32_t *order,
                               clv_ws *ws, cleave_error *err)
{
    e->g = g;
    e->order = order;
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

/* Children before parents, subtree after subtree; child and sibling lists as stacks. */
static void list_postorder(int32_t nvtx, const int32_t *parent, int32_t *child,
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
            child[k] = -1; /* its children are listed when we come back */
            k = down;
            continue;
        }
        post[count++] = k;
        k = sibling[k] >= 0 ? sibling[k] : parent[k];
    }
}

cleave_status clv_factor_postorder(const clv_graph *g, clv_ws *ws, int32_t *order,
                                   cleave_error *err)
{
    elimination e;
    clv_ws_mark mark = clv_ws_save(ws);
    CLV_TRY(make_tree(&e, g, order, ws, err));
    int32_t *child = clv_ws_alloc(ws, g->nvtx, sizeof *child);
    int32_t *sibling = clv_ws_alloc(ws, g->nvtx, sizeof *sibling);
    int32_t *post = clv_ws_alloc(ws, g->nvtx, sizeof *post);
    if (!child || !sibling || !post)
        return clv_fail_memory(err);
    list_postorder(g->nvtx, e.parent, child, sibling, post);
    for (int32_t k = 0; k < g->nvtx; k++)
        post[k] = order[post[k]];
    if (g->nvtx > 0)
        memcpy(order, post, (size_t)g->nvtx * sizeof *order);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* ---- Pattern ---------------------------------------------------------------------------- */

typedef struct counting {
    int32_t *post;         /* the tree in postorder */
    int32_t *first;        /* by place: number in post of its first descendant */
    int32_t *latest_first; /* by row: first[] of the latest leaf of its subtree, or -1 */
    int32_t *latest_leaf;  /* by row: that leaf, or -1 */
    int32_t *ancestor;     /* by place: some ancestor among those already left */
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

/* Row i has an entry in column j.  If j is a leaf of the subtree that row i spans, column j
 * begins a new path; where it meets the path of the leaf before, the two are one. */
static void count_entry(counting *c, int32_t j, int32_t i, int64_t *column)
{
    if (c->first[j] <= c->latest_first[i])
        return;
    int32_t before = c->latest_leaf[i];
    c->latest_first[i] = c->first[j];
    c->latest_leaf[i] = j;
    column[j]++;
    if (before >= 0)
        column[highest_ancestor(c->ancestor, before)]--;
}

/* column[j] becomes the number of non-zeros of column j below the diagonal; it starts at 0.
 * [Gilbert, Ng, Peyton, SIAM J. Matrix Anal. 1994]  Nearly O(nvtx + narc), so that a factor
 * that is too large is refused at once. */
static void count_columns(const elimination *e, counting *c, int64_t *column)
{
    const clv_graph *g = e->g;
    for (int32_t k = 0; k < g->nvtx; k++) {
        c->first[k] = c->latest_first[k] = c->latest_leaf[k] = -1;
        c->ancestor[k] = k;
    }
    for (int32_t k = 0; k < g->nvtx; k++) {
        int32_t j = c->post[k];
        column[j] += c->first[j] < 0; /* a leaf of the tree: the path of row j itself */
        for (; j >= 0 && c->first[j] < 0; j = e->parent[j])
            c->first[j] = k;
    }
    for (int32_t k = 0; k < g->nvtx; k++) {
        int32_t j = c->post[k], v = e->order[j], parent = e->parent[j];
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (e->place[g->adj[a]] > j)
                count_entry(c, j, e->place[g->adj[a]], column);
        if (parent >= 0) {
            column[parent]--;
            c->ancestor[j] = parent;
        }
    }
    for (int32_t k = 0; k < g->nvtx; k++) /* parents are larger */
        if (e->parent[k] >= 0)
            column[e->parent[k]] += column[k];
    for (int32_t k = 0; k < g->nvtx; k++)
        column[k]--; /* the diagonal */
}

static cleave_status count_in_workspace(const elimination *e, clv_ws *ws, int64_t *column,
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
    list_postorder(e->g->nvtx, e->parent, c.first, c.ancestor, c.post);
    count_columns(e, &c, column);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* Row after row; fill[j] is the next free place of column j. */
static void fill_columns(const elimination *e, int32_t *seen, int64_t *fill, int32_t *adj)
{
    const clv_graph *g = e->g;
    for (int32_t k = 0; k < g->nvtx; k++) {
        int32_t v = e->order[k];
        seen[k] = k;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            for (int32_t i = e->place[g->adj[a]]; i < k && seen[i] != k; i = e->parent[i]) {
                seen[i] = k;
                adj[fill[i]++] = k;
            }
    }
}

/* On failure rows may hold arrays. */
static cleave_status make_columns(clv_rows *rows, const elimination *e, clv_ws *ws,
                                  cleave_error *err)
{
    int64_t n = e->g->nvtx;
    rows->nvtx = e->g->nvtx;
    rows->xadj = clv_zalloc(n + 2, sizeof *rows->xadj);
    int32_t *seen = clv_ws_alloc(ws, n, sizeof *seen);
    if (!rows->xadj || !seen)
        return clv_fail_memory(err);
    int64_t *column = rows->xadj + 2; /* two places ahead, as in clv_rows_mirrored */
    CLV_TRY(count_in_workspace(e, ws, column, err));
    for (int64_t k = 1; k < n; k++)
        column[k] += column[k - 1];
    if (rows->xadj[n + 1] > most_nonzeros)
        return clv_fail(err, CLEAVE_ERANGE,
                        "the factor has %lld non-zeros, more than %lld; try the order mindeg",
                        (long long)rows->xadj[n + 1], (long long)most_nonzeros);
    rows->adj = clv_alloc(rows->xadj[n + 1], sizeof *rows->adj);
    if (!rows->adj)
        return clv_fail_memory(err);
    fill_columns(e, seen, rows->xadj + 1, rows->adj);
    return CLEAVE_OK;
}

/* ---- The DAG ---------------------------------------------------------------------------- */

/* Coordinates and names follow their vertices to their places. */
static cleave_status carry_attributes(clv_graph *dag, const clv_graph *g, const int32_t *order,
                                      clv_ws *ws, cleave_error *err)
{
    int64_t n = g->nvtx;
    double *coords = clv_ws_alloc(ws, n * g->ndim, sizeof *coords);
    const char **names = clv_ws_alloc(ws, g->names.offset ? n : 0, sizeof *names);
    if (!coords || !names)
        return clv_fail_memory(err);
    for (int64_t k = 0; k < n; k++) {
        for (int32_t d = 0; d < g->ndim; d++)
            coords[k * g->ndim + d] = g->coords[(int64_t)order[k] * g->ndim + d];
        if (g->names.offset)
            names[k] = clv_graph_name(g, order[k]);
    }
    cleave_csr csr = {.ncon = 1,
                      .ndim = g->ndim,
                      .coords = g->ndim ? coords : NULL,
                      .names = g->names.offset ? names : NULL};
    return clv_graph_set_attributes(dag, &csr, false, err);
}

cleave_status clv_factor_dag(clv_graph **out, const clv_graph *g, const int32_t *order,
                             clv_ws *ws, cleave_error *err)
{
    *out = NULL;
    elimination e;
    clv_ws_mark mark = clv_ws_save(ws);
    CLV_TRY(make_tree(&e, g, order, ws, err));
    clv_rows rows = {.nvtx = 0};
    cleave_status status = make_columns(&rows, &e, ws, err);
    if (status != CLEAVE_OK) {
        clv_rows_free(&rows);
        return status;
    }
    clv_ws_restore(ws, mark);
    CLV_TRY(clv_assemble(out, CLEAVE_DAG, &rows, 0, NULL, err));
    status = carry_attributes(*out, g, order, ws, err);
    clv_ws_restore(ws, mark);
    if (status != CLEAVE_OK) {
        clv_graph_free(*out);
        *out = NULL;
    }
    return status;
}

/* ---- The matrix ---------------------------------------------------------------------------
 */

/* Row i of the DAG's predecessors, then the diagonal; returns the place behind it. */
static int64_t fill_row(const clv_graph *dag, int32_t i, uint64_t seed, int64_t to,
                        int32_t *col, double *val)
{
    double sum = 1;
    clv_rng rng = clv_rng_make(seed, CLV_STAGE_FACTOR, 0, (uint64_t)i);
    for (int64_t a = dag->xpred[i]; a < dag->xpred[i + 1]; a++, to++) {
        double value = (1.0 + clv_rng_below(&rng, 256)) / 256;
        col[to] = dag->pred[a];
        val[to] = -value;
        sum += value;
    }
    col[to] = i;
    val[to] = sum;
    return to + 1;
}

cleave_status clv_factor_matrix(clv_matrix **out, const clv_graph *dag, uint64_t seed,
                                cleave_error *err)
{
    *out = NULL;
    int64_t n = dag->nvtx, to = 0;
    int64_t *xadj = clv_alloc(n + 1, sizeof *xadj);
    int32_t *col = clv_alloc(dag->narc + n, sizeof *col);
    double *val = clv_alloc(dag->narc + n, sizeof *val);
    if (!xadj || !col || !val) {
        clv_sys_free(xadj);
        clv_sys_free(col);
        clv_sys_free(val);
        return clv_fail_memory(err);
    }
    for (int32_t i = 0; i < dag->nvtx; i++) {
        xadj[i] = to;
        to = fill_row(dag, i, seed, to, col, val);
    }
    xadj[n] = to;
    return clv_matrix_build(out, dag->nvtx, dag->nvtx, xadj, col, val, err);
}
