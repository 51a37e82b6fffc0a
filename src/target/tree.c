/* SPDX-License-Identifier: Apache-2.0 */
/* target/tree.c - the leaves of a regular tree of switches.
 *
 * A domain is the range of leaves a .. b: adjacent children of one switch.  The switch where
 * two disjoint domains meet is the same for all of their leaves, so distances of domains are
 * exact.
 *
 * Routes go up to that switch and down again.  Every node but the root has one link, upwards,
 * used in both directions; leaves come first, then the lowest switches, and so on. */
#include <stdio.h>
#include <string.h>

#include "target/divisor.h"
#include "target/floorplan.h"
#include "target/pe_range.h"
#include "target/target_forms.h"

enum { most_levels = 31 }; /* with more than one child each: 2^31 leaves exceed the limit */

typedef struct tree {
    int32_t levels;
    int32_t size[most_levels + 1]; /* leaves under a node of that level; level 0: a leaf */
    clv_divisor by_size[most_levels + 1];
    int32_t cost[most_levels + 1]; /* of meeting there; 0 for level 0 */
    int64_t link[most_levels + 1]; /* number of the first link up from that level */
} tree;

static const tree *tree_of(const clv_target *t)
{
    return t->data;
}

/* The ancestor of a leaf at level l. */
static int32_t node_above(const tree *tr, int32_t leaf, int32_t l)
{
    return clv_divisor_quotient(leaf, tr->by_size[l]);
}

static int32_t level(const clv_target *t, int32_t p, int32_t q)
{
    const tree *tr = tree_of(t);
    int32_t l = 0;
    if (p == q)
        return 0;
    do
        l++;
    while (node_above(tr, p, l) != node_above(tr, q, l));
    return l;
}

/* Number of leaves of a child of the lowest switch that contains all of d, which is not a
 * single leaf. */
static int32_t child_size(const clv_target *t, clv_domain d)
{
    return tree_of(t)->size[level(t, d.a, d.b) - 1];
}

static bool bipartition(const clv_target *t, clv_domain d, clv_domain half[2])
{
    if (d.a == d.b)
        return false;
    int32_t each = child_size(t, d), count = clv_pe_range_pes(t, d) / each;
    clv_pe_range_cut(d, d.a + (count - count / 2) * each - 1, half);
    return true;
}

static int32_t children(const clv_target *t, clv_domain d)
{
    return d.a == d.b ? 0 : clv_pe_range_pes(t, d) / child_size(t, d);
}

static clv_domain child(const clv_target *t, clv_domain d, int32_t i)
{
    int32_t each = child_size(t, d), first = d.a + i * each;
    return (clv_domain){first, first + (each - 1)};
}

/* The distance of a domain from one that contains it is half of that for crossing the larger
 * one. */
static int64_t distance(const clv_target *t, clv_domain x, clv_domain y)
{
    const tree *tr = tree_of(t);
    if (x.b < y.a || y.b < x.a)
        return INT64_C(2) * tr->cost[level(t, x.a, y.a)];
    if (x.a == y.a && x.b == y.b)
        return 0;
    clv_domain larger = clv_pe_range_pes(t, x) > clv_pe_range_pes(t, y) ? x : y;
    return tr->cost[level(t, larger.a, larger.b)];
}

static int32_t between(const clv_target *t, int32_t p, int32_t q)
{
    return tree_of(t)->cost[level(t, p, q)];
}

static void route(const clv_target *t, int32_t p, int32_t q, int64_t amount,
                  clv_link_loads *loads)
{
    const tree *tr = tree_of(t);
    for (int32_t l = 0; node_above(tr, p, l) != node_above(tr, q, l); l++) {
        clv_link_add(loads, tr->link[l] + node_above(tr, p, l), amount);
        clv_link_add(loads, tr->link[l] + node_above(tr, q, l), amount);
    }
}

static int32_t place(const clv_target *t, int32_t p)
{
    (void)t;
    return p;
}

/* Places: the leaves, the lowest switches, and so on up to the root; links are numbered in the
 * same way. */
static cleave_status floorplan_of(const clv_target *t, clv_floorplan *f, clv_arena *arena,
                                  cleave_error *err)
{
    const tree *tr = tree_of(t);
    int64_t places = tr->link[tr->levels] + 1;
    int32_t *parent = clv_arena_alloc(arena, places, sizeof *parent);
    int32_t *up = clv_arena_alloc(arena, places, sizeof *up);
    int32_t *order = clv_arena_alloc(arena, t->npes, sizeof *order);
    int64_t *link = clv_arena_alloc(arena, places, sizeof *link);
    if (!parent || !up || !order || !link)
        return clv_fail_memory(err);
    for (int32_t l = 0, v = 0; l <= tr->levels; l++)
        for (int32_t i = 0; i < t->npes / tr->size[l]; i++, v++) {
            up[v] = l;
            link[v] = v;
            parent[v] = l < tr->levels
                            ? (int32_t)tr->link[l + 1] + i / (tr->size[l + 1] / tr->size[l])
                            : -1;
        }
    for (int32_t i = 0; i < t->npes; i++)
        order[i] = i;
    const clv_floorplan_tree all = {(int32_t)places, tr->levels, parent, up, order, link};
    return clv_floorplan_hierarchy(f, t->npes, &all, arena, err);
}

/* Appends "4 x 8" or "1, 10" at *to as far as there is room. */
static void append(char **to, char *end, const char *before, int32_t number)
{
    int length = snprintf(*to, (size_t)(end - *to), "%s%ld", before, (long)number);
    *to = length < end - *to ? *to + length : end - 1;
}

static void describe(const clv_target *t, char *text, size_t size)
{
    const tree *tr = tree_of(t);
    char *to = text, *end = text + size;
    for (int32_t l = 1; l <= tr->levels; l++)
        append(&to, end, l == 1 ? "tree of " : " x ", tr->size[l] / tr->size[l - 1]);
    for (int32_t l = 1; l <= tr->levels; l++)
        append(&to, end, l == 1 ? " PEs at distance " : ", ", tr->cost[l]);
}

static const clv_shape shape = {.name = "tree",
                                CLV_PE_RANGES,
                                .bipartition = bipartition,
                                .distance = distance,
                                .between = between,
                                .children = children,
                                .child = child,
                                .level = level,
                                .route = route,
                                .place = place,
                                .floorplan = floorplan_of,
                                .describe = describe};

static cleave_status fill(tree *tr, int32_t levels, const int32_t *fanout, const int32_t *cost,
                          cleave_error *err)
{
    tr->levels = levels;
    tr->size[0] = 1;
    for (int32_t l = 1; l <= levels; l++) {
        if (fanout[l - 1] < 1 || cost[l - 1] < 0)
            return clv_fail(err, CLEAVE_EINVAL, "level %ld of a tree has %s %ld, not %s",
                            (long)l, fanout[l - 1] < 1 ? "fanout" : "cost",
                            (long)(fanout[l - 1] < 1 ? fanout[l - 1] : cost[l - 1]),
                            fanout[l - 1] < 1 ? "1 or more" : "0 or more");
        int64_t leaves = (int64_t)tr->size[l - 1] * fanout[l - 1];
        if (leaves > INT32_MAX)
            return clv_fail(err, CLEAVE_ERANGE, "a tree cannot have more than %ld leaves",
                            (long)INT32_MAX);
        tr->size[l] = (int32_t)leaves;
        tr->by_size[l] = clv_divisor_make(tr->size[l]);
        tr->cost[l] = cost[l - 1];
    }
    for (int32_t l = 0; l < levels; l++)
        tr->link[l + 1] = tr->link[l] + tr->size[levels] / tr->size[l];
    return CLEAVE_OK;
}

cleave_status clv_target_tree(clv_target **out, int32_t levels, const int32_t *fanout,
                              const int32_t *cost, cleave_error *err)
{
    tree shaped = {0};
    *out = NULL;
    if (levels < 1 || levels > most_levels)
        return clv_fail(err, CLEAVE_EINVAL, "a tree has 1 to %d levels, not %ld",
                        (int)most_levels, (long)levels);
    CLV_TRY(fill(&shaped, levels, fanout, cost, err));
    clv_target *t = clv_target_open(&shape, shaped.size[levels]);
    tree *copy = t ? clv_arena_alloc(&t->arena, 1, sizeof *copy) : NULL;
    if (!copy) {
        clv_target_free(t);
        return clv_fail_memory(err);
    }
    *copy = shaped;
    t->data = copy;
    t->levels = levels;
    t->per_node = fanout[0];
    t->links = shaped.link[levels];
    *out = t;
    return CLEAVE_OK;
}

/* ---- Text form -------------------------------------------------------------------------- */

static cleave_status parse_tree(clv_target **out, const char *text, cleave_error *err)
{
    static const char example[] = "tree:4:8:16@1:10:100";
    static const clv_number_form children = {':', 1, "the numbers of children of a tree",
                                             example};
    static const clv_number_form distances = {':', 0, "the distances of a tree", example};
    clv_target_numbers fanout, cost;
    size_t length = strcspn(text, "@");
    if (!text[length])
        return clv_fail(err, CLEAVE_EINVAL,
                        "the tree \"" CLV_TARGET_SHOWN
                        "\" has no distances: write one for each level, as in %s",
                        CLV_TARGET_SHOW(text, length), example);
    const char *second = text + length + 1;
    CLV_TRY(clv_target_parse_numbers(&fanout, text, length, &children, err));
    CLV_TRY(clv_target_parse_numbers(&cost, second, strlen(second), &distances, err));
    if (fanout.count != cost.count)
        return clv_fail(err, CLEAVE_EINVAL,
                        "a tree of %ld level%s has %ld distance%s: write one for each level, "
                        "as in %s",
                        (long)fanout.count, fanout.count == 1 ? "" : "s", (long)cost.count,
                        cost.count == 1 ? "" : "s", example);
    return clv_target_tree(out, fanout.count, fanout.number, cost.number, err);
}

const clv_target_form clv_target_form_tree = {
    .prefix = "tree:",
    .example = "tree:4:8@1:10",
    .description = "groups of 4 PEs at distance 1, 8 such groups at distance 10, and so on",
    .parse = parse_tree,
};
