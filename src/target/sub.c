/* SPDX-License-Identifier: Apache-2.0 */
/* target/sub.c - TARGET[list]: any PEs of any other target, in the order of the list,
 * connected or not.
 *
 * Scotch coarsens the machine step by step, merging what is close, omits what contains no PE
 * of the list, and compacts the resulting tree into one of bipartitions [Pellegrini, Lachat
 * 2017, section 3.2].  Only the step in which two PEs meet matters.  In the order of the
 * leaves of that tree, it is enough to know it for consecutive PEs (target/sub_tree.c), so the
 * steps need not be executed.
 *
 * Distances of PEs are those of the whole machine.  The distance of two domains is the mean
 * over their halves, down to the PEs: from a table if it is small; otherwise the mean over
 * some PEs of each, taken at equal intervals: fewer if each distance is a search. */
#include "target/sub_tree.h"

#include <stdio.h>
#include <string.h>

#include "base/sort.h"
#include "target/floorplan.h"

enum {
    most_tabled = 512, /* PEs: 4 MB */
    most_sampled = 8,  /* PEs of a domain without a table */
    most_searched = 2  /* the same if each distance is a search */
};

typedef struct sub {
    clv_bipartition_tree bipartition; /* first: target/bipartition_tree.h */
    clv_shape shape;                  /* entries that the whole target lacks are NULL */
    clv_target whole;                 /* its memory is in the arena of this target */
    int32_t *list;                    /* by PE: its number in the whole target */
    uint32_t *table;                  /* doubled distances of all domains; NULL: too many */
} sub;

static const sub *sub_of(const clv_target *t)
{
    return t->data;
}

static cleave_status table(const clv_target *t, int32_t count, const int32_t *list,
                           int32_t *distances, clv_ws *ws, cleave_error *err)
{
    const sub *s = t->data;
    int64_t all = (int64_t)count * count;
    if (!s->whole.shape->table) {
        memset(distances, 0xff, (size_t)all * sizeof *distances);
        return CLEAVE_OK;
    }
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *there = clv_ws_alloc(ws, count, sizeof *there);
    if (!there)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < count; i++)
        there[i] = s->list[list[i]];
    CLV_TRY(s->whole.shape->table(&s->whole, count, there, distances, ws, err));
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

static int32_t between(const clv_target *t, int32_t p, int32_t q)
{
    const sub *s = sub_of(t);
    return s->whole.shape->between(&s->whole, s->list[p], s->list[q]);
}

static int32_t level(const clv_target *t, int32_t p, int32_t q)
{
    const sub *s = sub_of(t);
    return s->whole.shape->level(&s->whole, s->list[p], s->list[q]);
}

static void route(const clv_target *t, int32_t p, int32_t q, int64_t amount,
                  clv_link_loads *loads)
{
    const sub *s = sub_of(t);
    s->whole.shape->route(&s->whole, s->list[p], s->list[q], amount, loads);
}

static int64_t sampled_distance(const clv_target *t, clv_domain x, clv_domain y)
{
    const clv_bipartition_tree *h = &sub_of(t)->bipartition;
    int64_t nx = h->pes[x.a], ny = h->pes[y.a], sum = 0;
    int64_t most = t->shape->searched ? most_searched : most_sampled;
    int64_t cx = nx < most ? nx : most, cy = ny < most ? ny : most;
    for (int64_t i = 0; i < cx; i++)
        for (int64_t j = 0; j < cy; j++)
            sum += between(t, h->pe[x.b + (2 * i + 1) * nx / (2 * cx)],
                           h->pe[y.b + (2 * j + 1) * ny / (2 * cy)]);
    return (2 * sum + cx * cy / 2) / (cx * cy);
}

static int64_t distance(const clv_target *t, clv_domain x, clv_domain y)
{
    const sub *s = sub_of(t);
    if (x.a == y.a)
        return 0;
    if (s->table)
        return s->table[(int64_t)x.a * (2 * s->bipartition.npes - 1) + y.a];
    return sampled_distance(t, x, y);
}

/* The floor plan of the whole machine, and which of its PEs are in this target. */
static cleave_status floorplan_of(const clv_target *t, clv_floorplan *f, clv_arena *arena,
                                  cleave_error *err)
{
    const sub *s = sub_of(t);
    CLV_TRY(clv_target_floorplan(f, &s->whole, arena, err));
    int32_t *used = clv_arena_alloc(arena, f->npes, sizeof *used);
    if (!used)
        return clv_fail_memory(err);
    for (int32_t p = 0; p < f->npes; p++)
        used[p] = -1;
    for (int32_t i = 0; i < t->npes; i++)
        used[s->list[i]] = i;
    f->used = used;
    return CLEAVE_OK;
}

static void describe(const clv_target *t, char *text, size_t size)
{
    const sub *s = sub_of(t);
    char whole[256];
    s->whole.shape->describe(&s->whole, whole, sizeof whole);
    snprintf(text, size, "%ld PEs out of: %s", (long)t->npes, whole);
}

static const clv_shape all_entries = {.name = "sub",
                                      CLV_BIPARTITION_TREE_GROUPS,
                                      .distance = distance,
                                      .between = between,
                                      .table = table,
                                      .level = level,
                                      .route = route,
                                      .floorplan = floorplan_of,
                                      .describe = describe};

/* ---- The table -------------------------------------------------------------------------- */

/* The halves of a domain, or the PE itself; returns their number. */
static int32_t parts_of(const clv_bipartition_tree *h, int32_t x, int32_t part[2])
{
    part[0] = h->pes[x] == 1 ? x : x + 1;
    part[1] = h->pes[x] == 1 ? x : x + 2 * h->pes[x + 1];
    return h->pes[x] == 1 ? 1 : 2;
}

static uint32_t mean_of_parts(const sub *s, int64_t n, int32_t x, int32_t y)
{
    int32_t xs[2], ys[2], nx = parts_of(&s->bipartition, x, xs),
                          ny = parts_of(&s->bipartition, y, ys);
    int64_t sum = 0, count = (int64_t)nx * ny;
    for (int32_t i = 0; i < nx; i++)
        for (int32_t j = 0; j < ny; j++)
            sum += s->table[xs[i] * n + ys[j]];
    return (uint32_t)((sum + count / 2) / count);
}

/* Halves have larger numbers than their domain: the table is filled in descending order. */
static cleave_status fill_table(clv_target *t, cleave_error *err)
{
    sub *s = t->data;
    const clv_bipartition_tree *h = &s->bipartition;
    int64_t n = 2 * (int64_t)h->npes - 1, place = h->npes;
    s->table = clv_arena_zalloc(&t->arena, n * n, sizeof *s->table);
    if (!s->table)
        return clv_fail_memory(err);
    for (int32_t x = (int32_t)n - 1; x >= 0; x--) {
        int32_t other = h->npes;
        place -= h->pes[x] == 1;
        for (int32_t y = (int32_t)n - 1; y > x; y--) {
            other -= h->pes[y] == 1;
            uint32_t d = h->pes[x] == 1 && h->pes[y] == 1
                             ? 2 * (uint32_t)between(t, h->pe[place], h->pe[other])
                             : mean_of_parts(s, n, x, y);
            s->table[x * n + y] = s->table[y * n + x] = d;
        }
    }
    return CLEAVE_OK;
}

/* ---- Construction ----------------------------------------------------------------------- */

static cleave_status check_list(const clv_target *t, int32_t count, const int32_t *list,
                                clv_ws *ws, cleave_error *err)
{
    if (count < 1)
        return clv_fail(err, CLEAVE_EINVAL, "the list of PEs is empty");
    if (count > clv_most_tree_pes)
        return clv_fail(err, CLEAVE_ERANGE, "a list cannot have %ld PEs", (long)count);
    clv_ws_mark mark = clv_ws_save(ws);
    clv_sort_item *items = clv_ws_alloc(ws, count, sizeof *items);
    clv_sort_item *scratch = clv_ws_alloc(ws, count, sizeof *items);
    if (!items || !scratch)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < count; i++) {
        if (list[i] < 0 || list[i] >= t->npes)
            return clv_fail(err, CLEAVE_EINVAL,
                            "PE %ld of the list does not exist: the target has PEs 0 to %ld",
                            (long)list[i], (long)t->npes - 1);
        items[i] = (clv_sort_item){.key = list[i], .with.index = i};
    }
    items = clv_sort(items, scratch, count);
    for (int32_t i = 1; i < count; i++)
        if (items[i].key == items[i - 1].key)
            return clv_fail(err, CLEAVE_EINVAL, "PE %ld is in the list twice",
                            (long)items[i].key);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

static cleave_status carry_speeds(clv_target *to, const clv_target *from, const int32_t *list,
                                  clv_ws *ws, cleave_error *err)
{
    if (!from->speed)
        return CLEAVE_OK;
    clv_ws_mark mark = clv_ws_save(ws);
    double *speeds = clv_ws_alloc(ws, to->npes, sizeof *speeds);
    if (!speeds)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < to->npes; i++)
        speeds[i] = from->speed[list[i]];
    cleave_status status = clv_target_set_speeds(to, speeds, err);
    clv_ws_restore(ws, mark);
    return status;
}

/* The names and numbers of the PEs in the whole target.  The texts are not copied, because
 * their memory is taken over. */
static cleave_status carry_names(clv_target *to, const clv_target *from, const int32_t *list,
                                 cleave_error *err)
{
    int32_t *numbers = clv_arena_alloc(&to->arena, to->npes, sizeof *numbers);
    if (!numbers)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < to->npes; i++)
        numbers[i] = from->number ? from->number[list[i]] : list[i];
    to->number = numbers;
    if (!from->name)
        return CLEAVE_OK;
    char **names = clv_arena_alloc(&to->arena, to->npes, sizeof *names);
    if (!names)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < to->npes; i++)
        names[i] = from->name[list[i]];
    to->name = names;
    return CLEAVE_OK;
}

static cleave_status carry_seats(clv_target *to, const clv_target *from, const int32_t *list,
                                 cleave_error *err)
{
    to->per_node = from->per_node;
    if (to->per_node == 1)
        return CLEAVE_OK;
    clv_seat *seats = clv_arena_alloc(&to->arena, to->npes, sizeof *seats);
    if (!seats)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < to->npes; i++)
        seats[i] = clv_target_seat(from, list[i]);
    to->seat = seats;
    return CLEAVE_OK;
}

/* A list of a list becomes a list of the first target, whose coarsening is better. */
static cleave_status take_whole(clv_target *to, const clv_target *t, const int32_t *list,
                                cleave_error *err)
{
    sub *s = clv_arena_zalloc(&to->arena, 1, sizeof *s);
    int32_t *own = clv_arena_alloc(&to->arena, to->npes, sizeof *own);
    const sub *inner = t->shape->describe == describe ? sub_of(t) : NULL;
    if (!s || !own)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < to->npes; i++)
        own[i] = inner ? inner->list[list[i]] : list[i];
    s->list = own;
    s->whole = inner ? inner->whole : *t;
    s->whole.arena = (clv_arena){0};
    s->shape = all_entries;
    s->shape.searched = s->whole.shape->searched;
    if (!t->levels || !t->shape->level) {
        s->shape.level = NULL;
        s->shape.children = NULL;
        s->shape.child = NULL;
    }
    if (!t->shape->route)
        s->shape.route = NULL;
    to->levels = t->levels;
    to->links = t->links;
    to->data = s;
    to->shape = &s->shape;
    return CLEAVE_OK;
}

static cleave_status make(clv_target **out, const clv_target *t, int32_t count,
                          const int32_t *list, clv_ws *ws, cleave_error *err)
{
    CLV_TRY(check_list(t, count, list, ws, err));
    clv_target *to = *out = clv_target_open(&clv_shape_equal, count);
    if (!to)
        return clv_fail_memory(err);
    CLV_TRY(carry_speeds(to, t, list, ws, err));
    CLV_TRY(carry_names(to, t, list, err));
    CLV_TRY(carry_seats(to, t, list, err));
    if (clv_target_is_flat(t))
        return CLEAVE_OK;
    CLV_TRY(take_whole(to, t, list, err));
    sub *s = to->data;
    clv_pe_tree tree;
    clv_ws_mark mark = clv_ws_save(ws);
    CLV_TRY(clv_sub_tree(&tree, &s->whole, count, s->list, ws, err));
    CLV_TRY(clv_bipartition_tree_make(&s->bipartition, &tree, &to->arena, ws, err));
    clv_ws_restore(ws, mark);
    return count <= most_tabled ? fill_table(to, err) : CLEAVE_OK;
}

cleave_status clv_target_sub(clv_target **out, clv_target *t, int32_t count,
                             const int32_t *list, cleave_error *err)
{
    clv_ws ws = {0};
    *out = NULL;
    cleave_status status = make(out, t, count, list, &ws, err);
    clv_ws_free(&ws);
    if (status != CLEAVE_OK) {
        clv_target_free(*out);
        clv_target_free(t);
        *out = NULL;
        return status;
    }
    clv_arena_move(&(*out)->arena, &t->arena);
    clv_target_free(t);
    return CLEAVE_OK;
}
