/* SPDX-License-Identifier: Apache-2.0 */
/* target/bipartition_tree.c - see target/bipartition_tree.h. */
#include "target/bipartition_tree.h"

#include "base/group.h"

/* ---- Construction ----------------------------------------------------------------------- */

typedef struct branches {
    const int32_t *pe_of;
    int32_t *first; /* by node: where its children start in child; one more at the end */
    int32_t *child; /* ascending */
    int64_t *sum;   /* PEs of the children before this one */
} branches;

/* Adjacent children of one node. */
typedef struct run {
    int32_t begin, end; /* in branches.child */
    bool whole;         /* all children of the node */
} run;

static cleave_status list_children(branches *b, const clv_pe_tree *tree, clv_ws *ws,
                                   cleave_error *err)
{
    int32_t nnodes = tree->nnodes;
    clv_key_groups by;
    CLV_TRY(clv_key_groups_make(&by, nnodes, tree->parent, nnodes, ws, err));
    b->first = by.first;
    b->child = by.member;
    b->sum = clv_ws_zalloc(ws, nnodes + INT64_C(1), sizeof *b->sum);
    return b->sum ? CLEAVE_OK : clv_fail_memory(err);
}

/* Fills sum: visits parents before their children, then counts in reverse order. */
static cleave_status count_pes(branches *b, const clv_pe_tree *tree, clv_ws *ws,
                               cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *order = clv_ws_alloc(ws, tree->nnodes, sizeof *order);
    int32_t *pes = clv_ws_zalloc(ws, tree->nnodes, sizeof *pes);
    int32_t count = 0;
    if (!order || !pes)
        return clv_fail_memory(err);
    order[count++] = tree->root;
    for (int32_t i = 0; i < count; i++)
        for (int32_t c = b->first[order[i]]; c < b->first[order[i] + 1]; c++)
            order[count++] = b->child[c];
    for (int32_t i = count; i-- > 0;) {
        int32_t v = order[i];
        pes[v] += b->first[v] == b->first[v + 1];
        if (v != tree->root)
            pes[tree->parent[v]] += pes[v];
    }
    for (int32_t c = 0; c < b->first[tree->nnodes]; c++)
        b->sum[c + 1] = b->sum[c] + pes[b->child[c]];
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* Where to cut a run of at least two children: as evenly as possible, ties with the larger
 * first half. */
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

/* Replaces a single child by its children; *leaf: the PE if it is a leaf, otherwise -1. */
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

/* A root that is a PE has no children. */
static void single(clv_bipartition_tree *h)
{
    h->pes[0] = 1;
    h->fan[0] = h->pe[0] = h->leaf[0] = h->place[0] = 0;
}

cleave_status clv_bipartition_tree_make(clv_bipartition_tree *h, const clv_pe_tree *tree,
                                        clv_arena *arena, clv_ws *ws, cleave_error *err)
{
    branches b = {.pe_of = tree->pe_of};
    h->npes = tree->npes;
    if (!take_arrays(h, arena))
        return clv_fail_memory(err);
    if (h->npes == 1) {
        single(h);
        return CLEAVE_OK;
    }
    clv_ws_mark mark = clv_ws_save(ws);
    CLV_TRY(list_children(&b, tree, ws, err));
    CLV_TRY(count_pes(&b, tree, ws, err));
    run *stack = clv_ws_alloc(ws, h->npes + INT64_C(1), sizeof *stack);
    if (!stack)
        return clv_fail_memory(err);
    halve(h, &b, (run){b.first[tree->root], b.first[tree->root + 1], true}, stack);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* ---- Queries ---------------------------------------------------------------------------- */

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

/* Descends through the halves of the run; a half that is not part of it is one child. */
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
