/* SPDX-License-Identifier: Apache-2.0 */
/* engine/acyclic/part_order.c - topological order of the parts by strongly connected
 * components, see engine/acyclic/part_order.h.
 *
 * All fixed groups of a part are contracted into one node.  Two parts whose nodes lie in one
 * strongly connected component contradict each other.  A free group in the component of a part
 * lies on a path from that part back to it, so it belongs to that part.  Without
 * contradictions the components have a topological order, which orders the parts.  Nearly
 * linear in the graph and the number of parts.
 *
 * Most topological orders of the parts leave no room for balance, because the parts up to a
 * given one must hold all ancestors of its fixed groups.  Ties are therefore broken by the
 * mean position of these groups. */
#include "engine/acyclic/part_order.h"

#include "base/group.h"
#include "base/sort.h"
#include "engine/acyclic/part_conflict.h"
#include "graph/priority_order.h"
#include "graph/topology.h"

/* ---- Rows of what is drawn together ---------------------------------------------------- */

cleave_status clv_node_rows_make(clv_node_rows *rows, const clv_graph *g, const int32_t *node,
                                 int32_t count, clv_ws *ws, cleave_error *err)
{
    rows->count = count;
    rows->xadj = clv_ws_zalloc(ws, (int64_t)count + 1, sizeof *rows->xadj);
    rows->adj = clv_ws_alloc(ws, g->narc, sizeof *rows->adj);
    if (!rows->xadj || !rows->adj)
        return clv_fail_memory(err);
    int64_t *end = rows->xadj;
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            end[node[v]] += node[g->adj[a]] != node[v];
    clv_running_sums(end, count);
    for (int32_t v = g->nvtx; v-- > 0;)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (node[g->adj[a]] != node[v])
                rows->adj[--end[node[v]]] = node[g->adj[a]];
    return CLEAVE_OK;
}

/* Contracts the rows again by group[i] < count, in place. */
static cleave_status draw_together(clv_node_rows *rows, const int32_t *group, int32_t count,
                                   clv_ws *ws, cleave_error *err)
{
    clv_node_rows to = {.count = count,
                        .xadj = clv_ws_zalloc(ws, (int64_t)count + 1, sizeof *to.xadj),
                        .adj = clv_ws_alloc(ws, rows->xadj[rows->count], sizeof *to.adj)};
    if (!to.xadj || !to.adj)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < rows->count; i++)
        for (int64_t a = rows->xadj[i]; a < rows->xadj[i + 1]; a++)
            to.xadj[group[i]] += group[rows->adj[a]] != group[i];
    clv_running_sums(to.xadj, count);
    for (int32_t i = 0; i < rows->count; i++)
        for (int64_t a = rows->xadj[i]; a < rows->xadj[i + 1]; a++)
            if (group[rows->adj[a]] != group[i])
                to.adj[--to.xadj[group[i]]] = group[rows->adj[a]];
    *rows = to;
    return CLEAVE_OK;
}

/* ---- Fixed groups ----------------------------------------------------------------------- */

/* State while the fixed groups are ordered. */
typedef struct ordering {
    const clv_graph *g;
    clv_groups *groups;
    const clv_limits *limits;
    int32_t nparts;
    clv_ws *ws;
    int32_t *by_place, *place; /* by part: the results */
    int32_t *fixed;            /* by group */
    int32_t *first;            /* by part: one of its fixed groups, or its node; -1: none */
    int32_t *component;        /* by group */
    int32_t components;
    int32_t *part_of; /* by component: its part, or -1 */
} ordering;

static inline int32_t node_of(const ordering *o, int32_t group)
{
    int32_t p = o->groups->fixed[group];
    return p >= 0 ? o->first[p] : group;
}

static cleave_status find_components(ordering *o, clv_node_rows *rows, cleave_error *err)
{
    int32_t nvtx = o->g->nvtx, count = o->groups->count;
    o->first = clv_ws_alloc(o->ws, o->nparts, sizeof *o->first);
    o->component = clv_ws_alloc(o->ws, count, sizeof *o->component);
    int32_t *node = clv_ws_alloc(o->ws, nvtx, sizeof *node);
    if (!o->first || !o->component || !node)
        return clv_fail_memory(err);
    for (int32_t p = 0; p < o->nparts; p++)
        o->first[p] = -1;
    for (int32_t u = count; u-- > 0;)
        if (o->groups->fixed[u] >= 0)
            o->first[o->groups->fixed[u]] = u;
    for (int32_t v = 0; v < nvtx; v++)
        node[v] = node_of(o, clv_group_of(o->groups, v));
    CLV_TRY(clv_node_rows_make(rows, o->g, node, count, o->ws, err));
    return clv_topology_strong(count, rows->xadj, rows->adj, o->ws, o->component,
                               &o->components, err);
}

/* *conflict: the smallest part that shares its component with another; -1: none. */
static cleave_status place_parts(ordering *o, int32_t *conflict, cleave_error *err)
{
    *conflict = -1;
    o->part_of = clv_ws_alloc(o->ws, o->components, sizeof *o->part_of);
    if (!o->part_of)
        return clv_fail_memory(err);
    for (int32_t c = 0; c < o->components; c++)
        o->part_of[c] = -1;
    for (int32_t p = 0; p < o->nparts && *conflict < 0; p++) {
        if (o->first[p] < 0)
            continue;
        int32_t *part = &o->part_of[o->component[o->first[p]]];
        if (*part >= 0)
            *conflict = *part;
        *part = p;
    }
    return CLEAVE_OK;
}

/* Fixes groups that lie between two groups fixed to the same part. */
static void fix_between(ordering *o)
{
    for (int32_t u = 0; u < o->groups->count; u++)
        o->fixed[u] = o->part_of[o->component[node_of(o, u)]];
    o->groups->fixed = o->fixed;
}

/* ---- Where in the graph parts are ------------------------------------------------------ */

/* Adds to at[v] the share of all vertices that precede v in a topological order of the rows,
 * including half of v; counted from the end if these are rows of predecessors. */
static cleave_status add_positions(const clv_graph *g, bool backwards, clv_ws *ws, double *at,
                                   cleave_error *err)
{
    bool complete;
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *sorted = clv_ws_alloc(ws, g->nvtx, sizeof *sorted);
    if (!sorted)
        return clv_fail_memory(err);
    CLV_TRY(clv_topology_sort(g->nvtx, backwards ? g->xpred : g->xadj,
                              backwards ? g->pred : g->adj, ws, sorted, &complete, err));
    double all = 0, before = 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        all += clv_graph_vwgt(g, v, 0);
    for (int32_t i = 0; i < g->nvtx && all > 0; i++) {
        double own = clv_graph_vwgt(g, sorted[i], 0);
        double place = (before + own / 2) / all;
        at[sorted[i]] += backwards ? 1 - place : place;
        before += own;
    }
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* mean[p] of parts with fixed groups: the share of the graph before them, the mean of earliest
 * and latest position; in 0..1. */
static cleave_status locate_parts(ordering *o, double *mean, cleave_error *err)
{
    int32_t nvtx = o->g->nvtx;
    double *at = clv_ws_zalloc(o->ws, nvtx, sizeof *at);
    int32_t *count = clv_ws_zalloc(o->ws, o->nparts, sizeof *count);
    if (!at || !count)
        return clv_fail_memory(err);
    CLV_TRY(add_positions(o->g, false, o->ws, at, err));
    CLV_TRY(add_positions(o->g, true, o->ws, at, err));
    for (int32_t p = 0; p < o->nparts; p++)
        mean[p] = 0;
    for (int32_t v = 0; v < nvtx; v++) {
        int32_t p = o->groups->fixed[clv_group_of(o->groups, v)];
        if (p < 0)
            continue;
        mean[p] += at[v] / 2;
        count[p]++;
    }
    for (int32_t p = 0; p < o->nparts; p++)
        mean[p] = count[p] ? mean[p] / count[p] : 0;
    return CLEAVE_OK;
}

/* priority[c] of components: with a part, by its mean, then by its number.  Components of free
 * groups come first, so that they delay no part. */
static cleave_status prefer(ordering *o, const double *mean, int64_t *priority,
                            cleave_error *err)
{
    clv_sort_item *items = clv_ws_alloc(o->ws, 2 * (int64_t)o->nparts, sizeof *items);
    if (!items)
        return clv_fail_memory(err);
    for (int32_t p = 0; p < o->nparts; p++)
        items[p] = (clv_sort_item){.key = (int64_t)(mean[p] * 0x1p40), .with.index = p};
    const clv_sort_item *sorted = clv_sort(items, items + o->nparts, o->nparts);
    for (int32_t c = 0; c < o->components; c++)
        priority[c] = -1;
    for (int32_t i = 0; i < o->nparts; i++) {
        int32_t p = (int32_t)sorted[i].with.index;
        if (o->first[p] >= 0)
            priority[o->component[o->first[p]]] = i;
    }
    return CLEAVE_OK;
}

/* ---- The order ------------------------------------------------------------------------- */

/* The share of a part in the total. */
static double fraction(const ordering *o, int32_t p)
{
    int64_t total = o->limits->total[0];
    return total > 0
               ? o->limits->bounds.share[(int64_t)p * o->limits->bounds.ncon] / (double)total
               : 1 / (double)o->nparts;
}

/* The next part without fixed groups, from `next` on; nparts: none. */
static int32_t next_free(const ordering *o, int32_t next)
{
    while (next < o->nparts && o->first[next] >= 0)
        next++;
    return next;
}

/* Merges the sorted parts with fixed groups and the other parts.  A part with fixed groups
 * waits until enough others precede it for its midpoint to reach its mean. */
static void merge_parts(const ordering *o, const int32_t *sorted, const double *mean)
{
    int32_t other = next_free(o, 0), to = 0;
    double filled = 0;
    for (int32_t i = 0; i < o->components; i++) {
        int32_t p = o->part_of[sorted[i]];
        if (p < 0)
            continue;
        double own = fraction(o, p);
        while (other < o->nparts && filled + (fraction(o, other) + own) / 2 < mean[p]) {
            filled += fraction(o, other);
            o->by_place[to++] = other;
            other = next_free(o, other + 1);
        }
        filled += own;
        o->by_place[to++] = p;
    }
    for (; other < o->nparts; other = next_free(o, other + 1))
        o->by_place[to++] = other;
}

static cleave_status sort_parts(ordering *o, clv_node_rows *rows, cleave_error *err)
{
    bool complete;
    CLV_TRY(draw_together(rows, o->component, o->components, o->ws, err));
    double *mean = clv_ws_alloc(o->ws, o->nparts, sizeof *mean);
    int32_t *sorted = clv_ws_alloc(o->ws, o->components, sizeof *sorted);
    int64_t *priority = clv_ws_alloc(o->ws, o->components, sizeof *priority);
    if (!mean || !sorted || !priority)
        return clv_fail_memory(err);
    CLV_TRY(locate_parts(o, mean, err));
    CLV_TRY(prefer(o, mean, priority, err));
    CLV_TRY(clv_priority_order(o->components, rows->xadj, rows->adj, priority, o->ws, sorted,
                               &complete, err));
    merge_parts(o, sorted, mean);
    return CLEAVE_OK;
}

static cleave_status order_parts(ordering *o, const int32_t *fixed, cleave_error *err)
{
    clv_node_rows rows;
    int32_t conflict;
    CLV_TRY(find_components(o, &rows, err));
    CLV_TRY(place_parts(o, &conflict, err));
    if (conflict >= 0)
        return clv_part_conflict(o->g, o->groups, fixed, conflict, o->nparts, o->ws, err);
    CLV_TRY(sort_parts(o, &rows, err));
    fix_between(o);
    return CLEAVE_OK;
}

static cleave_status order_fixed(clv_part_order *order, ordering *o, const int32_t *fixed,
                                 cleave_error *err)
{
    o->by_place = clv_ws_alloc(o->ws, o->nparts, sizeof *o->by_place);
    o->place = clv_ws_alloc(o->ws, o->nparts, sizeof *o->place);
    o->fixed = clv_ws_alloc(o->ws, o->groups->count, sizeof *o->fixed);
    if (!o->by_place || !o->place || !o->fixed)
        return clv_fail_memory(err);
    clv_ws_mark mark = clv_ws_save(o->ws);
    CLV_TRY(order_parts(o, fixed, err));
    clv_ws_restore(o->ws, mark);
    bool moved = false;
    for (int32_t i = 0; i < o->nparts; i++) {
        moved = moved || o->by_place[i] != i;
        o->place[o->by_place[i]] = i;
    }
    if (moved)
        *order = (clv_part_order){o->by_place, o->place};
    return CLEAVE_OK;
}

/* ---- Groups ---------------------------------------------------------------------------- */

/* Merges the groups of each component and numbers them by their smallest vertex.  group: by
 * vertex; fixed: by group; number: one entry per component. */
static int32_t merge_groups(const clv_groups *groups, int32_t nvtx, const int32_t *component,
                            int32_t *number, int32_t *group, int32_t *fixed)
{
    int32_t count = 0;
    for (int32_t u = 0; u < groups->count; u++)
        number[u] = -1;
    for (int32_t v = 0; v < nvtx; v++) {
        int32_t *to = &number[component[groups->group[v]]];
        if (*to < 0) {
            fixed[count] = -1;
            *to = count++;
        }
        group[v] = *to;
        if (groups->fixed && groups->fixed[groups->group[v]] >= 0)
            fixed[*to] = groups->fixed[groups->group[v]];
    }
    return count;
}

/* Merges groups that reach each other.  Only groups of several vertices can. */
static cleave_status close_groups(clv_groups *groups, const clv_graph *g, clv_ws *ws,
                                  cleave_error *err)
{
    clv_node_rows rows;
    int32_t components;
    int32_t *group = clv_ws_alloc(ws, g->nvtx, sizeof *group);
    int32_t *fixed = clv_ws_alloc(ws, groups->count, sizeof *fixed);
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *component = clv_ws_alloc(ws, groups->count, sizeof *component);
    int32_t *number = clv_ws_alloc(ws, groups->count, sizeof *number);
    if (!group || !fixed || !component || !number)
        return clv_fail_memory(err);
    CLV_TRY(clv_node_rows_make(&rows, g, groups->group, groups->count, ws, err));
    CLV_TRY(clv_topology_strong(groups->count, rows.xadj, rows.adj, ws, component, &components,
                                err));
    if (components < groups->count) {
        int32_t count = merge_groups(groups, g->nvtx, component, number, group, fixed);
        *groups = (clv_groups){count, group, groups->fixed ? fixed : NULL};
    }
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

cleave_status clv_part_order_make(clv_part_order *order, const clv_graph *g,
                                  clv_groups *groups, const int32_t *fixed,
                                  const clv_limits *limits, clv_ws *ws, cleave_error *err)
{
    *order = (clv_part_order){0};
    if (groups->fixed) {
        ordering o = {.g = g,
                      .groups = groups,
                      .limits = limits,
                      .nparts = limits->bounds.nparts,
                      .ws = ws};
        CLV_TRY(order_fixed(order, &o, fixed, err));
    }
    return groups->group ? close_groups(groups, g, ws, err) : CLEAVE_OK;
}

/* ---- One part for all ------------------------------------------------------------------ */

/* The range of places that fixed groups leave to each group. */
typedef struct place_range {
    int32_t low, high;
} place_range;

static inline int32_t place_in(const clv_part_order *order, int32_t part)
{
    return order->place ? order->place[part] : part;
}

static void bound_places(const clv_node_rows *rows, const int32_t *sorted, place_range *range)
{
    for (int32_t i = 0; i < rows->count; i++) {
        int32_t u = sorted[i];
        for (int64_t a = rows->xadj[u]; a < rows->xadj[u + 1]; a++)
            if (range[rows->adj[a]].low < range[u].low)
                range[rows->adj[a]].low = range[u].low;
    }
    for (int32_t i = rows->count; i-- > 0;) {
        int32_t u = sorted[i];
        for (int64_t a = rows->xadj[u]; a < rows->xadj[u + 1]; a++)
            if (range[u].high > range[rows->adj[a]].high)
                range[u].high = range[rows->adj[a]].high;
    }
}

static cleave_status fill(const clv_part_order *order, const clv_graph *g,
                          const clv_groups *groups, int32_t p, clv_ws *ws, int32_t *part,
                          cleave_error *err)
{
    clv_node_rows rows;
    bool complete;
    int32_t *node = clv_ws_alloc(ws, g->nvtx, sizeof *node);
    int32_t *sorted = clv_ws_alloc(ws, groups->count, sizeof *sorted);
    place_range *range = clv_ws_alloc(ws, groups->count, sizeof *range);
    if (!node || !sorted || !range)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < g->nvtx; v++)
        node[v] = clv_group_of(groups, v);
    CLV_TRY(clv_node_rows_make(&rows, g, node, groups->count, ws, err));
    CLV_TRY(clv_topology_sort(rows.count, rows.xadj, rows.adj, ws, sorted, &complete, err));
    for (int32_t u = 0; u < groups->count; u++) {
        int32_t to = groups->fixed ? groups->fixed[u] : -1;
        range[u] = to < 0 ? (place_range){0, INT32_MAX}
                          : (place_range){place_in(order, to), place_in(order, to)};
    }
    bound_places(&rows, sorted, range);
    int32_t wish = place_in(order, p);
    for (int32_t v = 0; v < g->nvtx; v++) {
        place_range r = range[node[v]];
        int32_t at = wish < r.low ? r.low : wish > r.high ? r.high : wish;
        part[v] = order->by_place ? order->by_place[at] : at;
    }
    return CLEAVE_OK;
}

cleave_status clv_part_order_fill(const clv_part_order *order, const clv_graph *g,
                                  const clv_groups *groups, int32_t p, clv_ws *ws,
                                  int32_t *part, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    cleave_status status = fill(order, g, groups, p, ws, part, err);
    clv_ws_restore(ws, mark);
    return status;
}
