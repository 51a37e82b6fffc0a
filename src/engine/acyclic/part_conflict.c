/* SPDX-License-Identifier: Apache-2.0 */
/* engine/acyclic/part_conflict.c - finds a short cycle of parts forced by fixed vertices, see
 * engine/acyclic/part_conflict.h.
 *
 * Breadth-first search from the groups fixed to part p through free groups to those fixed to
 * other parts.  There it continues from all groups of that part, until it returns to p.  Each
 * group is visited at most twice: before any other part was reached, and after. */
#include "engine/acyclic/part_conflict.h"

#include <stdio.h>

#include "base/group.h"
#include "graph/topology.h"

/* One step of the cycle: group `from` of a part reaches group `to` of the next. */
typedef struct hop {
    int32_t from, to;
} hop;

typedef struct conflict_search {
    const clv_groups *groups;
    clv_node_rows rows;
    int32_t home;     /* the part to return to */
    int32_t *begin;   /* nparts + 1: first index of each part's groups in member */
    int32_t *member;  /* fixed groups by part */
    int32_t *root[2]; /* by group, before and after: the fixed group it was reached from, or
                         -1 */
    int64_t *queue;   /* 2 * group + (after) */
    int64_t queued;
    hop *entry; /* by part: how it was entered; from == -1: not yet */
    hop last;   /* the hop back into home */
} conflict_search;

static cleave_status group_members(conflict_search *s, int32_t nparts, clv_ws *ws,
                                   cleave_error *err)
{
    const clv_groups *groups = s->groups;
    s->begin = clv_ws_alloc(ws, (int64_t)nparts + 1, sizeof *s->begin);
    s->member = clv_ws_alloc(ws, groups->count, sizeof *s->member);
    s->entry = clv_ws_alloc(ws, nparts, sizeof *s->entry);
    if (!s->begin || !s->member || !s->entry)
        return clv_fail_memory(err);
    clv_group_by_key(groups->count, groups->fixed, nparts, s->begin, s->member);
    for (int32_t p = 0; p < nparts; p++)
        s->entry[p] = (hop){-1, -1};
    return CLEAVE_OK;
}

static void visit(conflict_search *s, int32_t group, int after, int32_t root)
{
    if (s->root[after][group] >= 0)
        return;
    s->root[after][group] = root;
    s->queue[s->queued++] = 2 * (int64_t)group + after;
}

static void visit_part(conflict_search *s, int32_t p, int after)
{
    for (int32_t i = s->begin[p]; i < s->begin[p + 1]; i++)
        visit(s, s->member[i], after, s->member[i]);
}

/* Returns true when the search has returned to home. */
static bool expand(conflict_search *s, int32_t group, int after)
{
    int32_t root = s->root[after][group];
    for (int64_t a = s->rows.xadj[group]; a < s->rows.xadj[group + 1]; a++) {
        int32_t u = s->rows.adj[a], p = s->groups->fixed[u];
        if (p < 0) {
            visit(s, u, after, root);
        } else if (p == s->home && after) {
            s->last = (hop){root, u};
            return true;
        } else if (p != s->home && s->entry[p].from < 0) {
            s->entry[p] = (hop){root, u};
            visit_part(s, p, 1);
        }
    }
    return false;
}

/* Finds the hops from home back to home: *count of them, in an array from ws. */
static cleave_status find_hops(conflict_search *s, int32_t nparts, clv_ws *ws, hop **hops,
                               int32_t *count, cleave_error *err)
{
    *hops = clv_ws_alloc(ws, (int64_t)nparts + 1, sizeof **hops);
    if (!*hops)
        return clv_fail_memory(err);
    visit_part(s, s->home, 0);
    for (int64_t i = 0; i < s->queued; i++)
        if (expand(s, (int32_t)(s->queue[i] / 2), (int)(s->queue[i] % 2)))
            break;
    *count = 0;
    for (hop h = s->last;;) {
        (*hops)[(*count)++] = h;
        int32_t p = s->groups->fixed[h.from];
        if (p == s->home)
            break;
        h = s->entry[p];
    }
    for (int32_t i = 0, j = *count - 1; i < j; i++, j--) {
        hop h = (*hops)[i];
        (*hops)[i] = (*hops)[j];
        (*hops)[j] = h;
    }
    return CLEAVE_OK;
}

/* ---- The sentence ---------------------------------------------------------------------- */

/* "vertex 7 in part 2"; for a group, the vertex that was fixed. */
static void name_group(const clv_graph *g, const clv_groups *groups, const int32_t *fixed,
                       int32_t group, char text[80])
{
    int32_t v = 0;
    while (clv_group_of(groups, v) != group || (fixed && fixed[v] < 0))
        v++;
    const char *name = clv_graph_name(g, v);
    if (name)
        snprintf(text, 80, "vertex %.24s in part %ld", name, (long)groups->fixed[group]);
    else
        snprintf(text, 80, "vertex %ld in part %ld", (long)v, (long)groups->fixed[group]);
}

static cleave_status report_conflict(const clv_graph *g, const conflict_search *s,
                                     const int32_t *fixed, const hop *hops, int32_t count,
                                     int32_t *parts, cleave_error *err)
{
    char a[80], b[80], c[80], d[80], cycle[64] = "", more[96] = "";
    name_group(g, s->groups, fixed, hops[0].from, a);
    name_group(g, s->groups, fixed, hops[0].to, b);
    name_group(g, s->groups, fixed, hops[1].from, c);
    name_group(g, s->groups, fixed, hops[1].to, d);
    if (count > 2) {
        for (int32_t i = 0; i < count; i++)
            parts[i] = s->groups->fixed[hops[i].from];
        clv_topology_cycle_text(parts, count, NULL, 0, cycle, sizeof cycle);
        snprintf(more, sizeof more, ", and so on: %s", cycle);
    }
    bool same = hops[0].to == hops[1].from;
    return clv_fail(
        err, CLEAVE_ECYCLE,
        "the fixed vertices force a cycle of parts: %s reaches %s, %s reaches %s%s", a, b,
        same ? "which" : c, d, more);
}

cleave_status clv_part_conflict(const clv_graph *g, const clv_groups *groups,
                                const int32_t *fixed, int32_t p, int32_t nparts, clv_ws *ws,
                                cleave_error *err)
{
    conflict_search s = {.groups = groups, .home = p};
    hop *hops;
    int32_t count = 0;
    int32_t *node = clv_ws_alloc(ws, g->nvtx, sizeof *node);
    s.root[0] = clv_ws_alloc(ws, groups->count, sizeof **s.root);
    s.root[1] = clv_ws_alloc(ws, groups->count, sizeof **s.root);
    s.queue = clv_ws_alloc(ws, 2 * (int64_t)groups->count, sizeof *s.queue);
    if (!node || !s.root[0] || !s.root[1] || !s.queue)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < g->nvtx; v++)
        node[v] = clv_group_of(groups, v);
    for (int32_t u = 0; u < groups->count; u++)
        s.root[0][u] = s.root[1][u] = -1;
    CLV_TRY(clv_node_rows_make(&s.rows, g, node, groups->count, ws, err));
    CLV_TRY(group_members(&s, nparts, ws, err));
    CLV_TRY(find_hops(&s, nparts, ws, &hops, &count, err));
    int32_t *parts = clv_ws_alloc(ws, count, sizeof *parts);
    return parts ? report_conflict(g, &s, fixed, hops, count, parts, err)
                 : clv_fail_memory(err);
}
