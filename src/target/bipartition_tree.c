/* SPDX-License-Identifier: Apache-2.0 */
/* target/bipartition_tree.c - see target/bipartition_tree.h. */
#include "target/bipartition_tree.h"

/* ---- Making them ------------------------------------------------------------------------ */

typedef struct branches {
    const int32_t *pe_of;
    int32_t *first; /* by node: where its children begin in child; one more at the end */
    int32_t *child; /* ascending */
    int64_t *sum;   /* PEs of the children before this one */
} branches;

/* Some neighbouring children of one node. */
typedef struct run {
    int32_t begin, end; /* in branches.child */
    bool whole;         /* all that the node has */
} run;

static cleave_status list_children(branches *b, int32_t nnodes, const int32_t *parent,
                                   clv_ws *ws, cleave_error *err)
{
    b->first = clv_ws_zalloc(ws, nnodes + INT64_C(2), sizeof *b->first);
    b->child = clv_ws_alloc(ws, nnodes, sizeof *b->child);
    b->sum = clv_ws_zalloc(ws, nnodes + INT64_C(1), sizeof *b->sum);
    if (!b->first || !b->child || !b->sum)
        return clv_fail_memory(err);
    int32_t *next = b->first + 1; /* becomes first[v + 1] while it fills up */
    for (int32_t v = 0; v < nnodes; v++)
        if (parent[v] >= 0)
            next[parent[v] + 1]++;
    for (int32_t v = 0; v < nnodes; v++)
        next[v + 1] += next[v];
    for (int32_t v = 0; v < nnodes; v++)
        if (parent[v] >= 0)
            b->child[next[parent[v]]++] = v;
    return CLEAVE_OK;
}

/* Fills sum: parents before their children, then counted backwards. */
static cleave_status count_pes(branches *b, int32_t nnodes, const int32_t *parent,
                               int32_t root, clv_ws *ws, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *order = clv_ws_alloc(ws, nnodes, sizeof *order);
    int32_t *pes = clv_ws_zalloc(ws, nnodes, sizeof *pes);
    int32_t count = 0;
    if (!order || !pes)
        return clv_fail_memory(err);
    order[count++] = root;
    for (int32_t i = 0; i < count; i++)
        for (int32_t c = b->first[order[i]]; c < b->first[order[i] + 1]; c++)
            order[count++] = b->child[c];
    for (int32_t i = count; i-- > 0;) {
        int32_t v = order[i];
        pes[v] += b->first[v] == b->first[v + 1];
        if (v != root)
            pes[parent[v]] += pes[v];
    }
    for (int32_t c = 0; c < b->first[nnodes]; c++)
        b->sum[c + 1] = b->sum[c] + pes[b->child[c]];
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* Where to cut a run of at least two: as even as can be, of two the larger first half. */
static int32_t middle(const branches *b, run r)
{
    int64_t twice = b->sum[r.begin] + b->sum[r.end];
    int32_t low = r.begin + 1, high = r.end - 1;
    while (low < high) {
        int32_t mid = low + (high - low) / 2;
        if (2 * b->sum[mid] >= twice)
            high = mid;
        else
            low = mid + 1;
    }
    if (low - 1 > r.begin && twice - 2 * b->sum[low - 1] < 2 * b->sum[low] - twice)
        return low - 1;
    return low;
}

/* A single child is as good as its own children; *leaf: the PE that it comes down to, or -1.
 */
static run compacted(const branches *b, run r, int32_t *leaf)
{
    *leaf = -1;
    while (r.end - r.begin == 1 && *leaf < 0) {
        int32_t v = b->child[r.begin];
        run inside = {b->first[v], b->first[v + 1], true};
        if (inside.begin == inside.end)
            *leaf = b->pe_of[v];
        else
            r = inside;
    }
    return r;
}

static void halve(clv_bipartition_tree *h, const branches *b, run all, run *stack)
{
    int32_t x = 0, place = 0, depth = 0, leaf;
    stack[depth++] = all;
    for (; depth > 0; x++) {
        run r = compacted(b, stack[--depth], &leaf);
        h->pes[x] = (int32_t)(b->sum[r.end] - b->sum[r.begin]);
        h->fan[x] = leaf >= 0 ? 0 : r.whole ? r.end - r.begin : r.begin - r.end;
        if (leaf >= 0) {
            h->pe[place] = leaf;
            h->leaf[place] = x;
            h->place[leaf] = place++;
        } else {
            int32_t cut = middle(b, r);
            stack[depth++] = (run){cut, r.end, false};
            stack[depth++] = (run){r.begin, cut, false};
        }
    }
}

static bool take_arrays(clv_bipartition_tree *h, clv_arena *arena)
{
    int64_t domains = 2 * (int64_t)h->npes - 1;
    h->pes = clv_arena_alloc(arena, domains, sizeof *h->pes);
    h->fan = clv_arena_alloc(arena, domains, sizeof *h->fan);
    h->pe = clv_arena_alloc(arena, h->npes, sizeof *h->pe);
    h->leaf = clv_arena_alloc(arena, h->npes, sizeof *h->leaf);
    h->place = clv_arena_alloc(arena, h->npes, sizeof *h->place);
    return h->pes && h->fan && h->pe && h->leaf && h->place;
}

/* A root that is a PE has no children to make a run of. */
static void single(clv_bipartition_tree *h)
{
    h->pes[0] = 1;
    h->fan[0] = h->pe[0] = h->leaf[0] = h->place[0] = 0;
}

cleave_status clv_bipartition_tree_make(clv_bipartition_tree *h, int32_t npes, int32_t nnodes,
                                        const int32_t *parent, int32_t root,
                                        const int32_t *pe_of, clv_arena *arena, clv_ws *ws,
                                        cleave_error *err)
{
    branches b = {.pe_of = pe_of};
    h->npes = npes;
    if (!take_arrays(h, arena))
        return clv_fail_memory(err);
    if (npes == 1) {
        single(h);
        return CLEAVE_OK;
    }
    clv_ws_mark mark = clv_ws_save(ws);
    CLV_TRY(list_children(&b, nnodes, parent, ws, err));
    CLV_TRY(count_pes(&b, nnodes, parent, root, ws, err));
    run *stack = clv_ws_alloc(ws, npes + INT64_C(1), sizeof *stack);
    if (!stack)
        return clv_fail_memory(err);
    halve(h, &b, (run){b.first[root], b.first[root + 1], true}, stack);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* ---- Asking them ------------------------------------------------------------------------ */

static const clv_bipartition_tree *bipartition_tree_of(const clv_target *t)
{
    return t->data;
}

static clv_domain first_half(clv_domain d)
{
    return (clv_domain){d.a + 1, d.b};
}

static clv_domain second_half(const clv_bipartition_tree *h, clv_domain d)
{
    int32_t before = h->pes[d.a + 1];
    return (clv_domain){d.a + 2 * before, d.b + before};
}

clv_domain clv_bipartition_tree_root(const clv_target *t)
{
    (void)t;
    return (clv_domain){0, 0};
}

clv_domain clv_bipartition_tree_terminal(const clv_target *t, int32_t pe)
{
    const clv_bipartition_tree *h = bipartition_tree_of(t);
    return (clv_domain){h->leaf[h->place[pe]], h->place[pe]};
}

bool clv_bipartition_tree_divide(const clv_target *t, clv_domain d, clv_domain half[2])
{
    const clv_bipartition_tree *h = bipartition_tree_of(t);
    if (h->pes[d.a] == 1)
        return false;
    half[0] = first_half(d);
    half[1] = second_half(h, d);
    return true;
}

int32_t clv_bipartition_tree_pes(const clv_target *t, clv_domain d)
{
    return bipartition_tree_of(t)->pes[d.a];
}

int32_t clv_bipartition_tree_pe(const clv_target *t, clv_domain d)
{
    return bipartition_tree_of(t)->pe[d.b];
}

double clv_bipartition_tree_weight(const clv_target *t, clv_domain d)
{
    const clv_bipartition_tree *h = bipartition_tree_of(t);
    double sum = 0;
    if (!t->speed)
        return h->pes[d.a];
    for (int32_t i = 0; i < h->pes[d.a]; i++)
        sum += t->speed[h->pe[d.b + i]];
    return sum;
}

int32_t clv_bipartition_tree_children(const clv_target *t, clv_domain d)
{
    int32_t fan = bipartition_tree_of(t)->fan[d.a];
    return fan < 0 ? -fan : fan;
}

/* Goes down the halves of the run; a half that is no part of it is one child. */
clv_domain clv_bipartition_tree_child(const clv_target *t, clv_domain d, int32_t i)
{
    const clv_bipartition_tree *h = bipartition_tree_of(t);
    for (int32_t left = clv_bipartition_tree_children(t, d); left > 1;) {
        clv_domain first = first_half(d);
        int32_t inside = h->fan[first.a] < 0 ? -h->fan[first.a] : 1;
        if (i < inside) {
            d = first;
            left = inside;
        } else {
            d = second_half(h, d);
            left -= inside;
            i -= inside;
        }
    }
    return d;
}

int32_t clv_bipartition_tree_place(const clv_target *t, int32_t pe)
{
    return bipartition_tree_of(t)->place[pe];
}
