/* SPDX-License-Identifier: Apache-2.0 */
/* engine/groups.c - groups of vertices that must share a part, see engine/groups.h. */
#include "engine/groups.h"

#include "base/sort.h"

/* ---- The groups of vertices ------------------------------------------------------------- */

/* first[v]: the smallest vertex of v's group. */
static cleave_status find_first(int32_t nvtx, const int32_t *given, clv_ws *ws, int32_t *first,
                                cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    clv_sort_item *items = clv_ws_alloc(ws, 2 * (int64_t)nvtx, sizeof *items);
    if (!items)
        return clv_fail_memory(err);
    int64_t count = 0;
    for (int32_t v = 0; v < nvtx; v++) {
        first[v] = v;
        if (given[v] >= 0)
            items[count++] = (clv_sort_item){.key = given[v], .with.index = v};
    }
    const clv_sort_item *sorted = clv_sort(items, items + nvtx, count);
    for (int64_t i = 1; i < count; i++)
        if (sorted[i].key == sorted[i - 1].key)
            first[sorted[i].with.index] = first[sorted[i - 1].with.index];
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* Replaces first vertices by group numbers, in place: the first vertex precedes its group. */
static int32_t number_groups(int32_t nvtx, int32_t *group)
{
    int32_t count = 0;
    for (int32_t v = 0; v < nvtx; v++)
        group[v] = group[v] == v ? count++ : group[group[v]];
    return count;
}

static cleave_status fix_groups(int32_t nvtx, const int32_t *fixed, const int32_t *group,
                                int32_t *group_fixed, int32_t *who, cleave_error *err)
{
    for (int32_t v = 0; v < nvtx; v++) {
        int32_t u = group[v];
        if (fixed[v] < 0)
            continue;
        if (group_fixed[u] >= 0 && group_fixed[u] != fixed[v])
            return clv_fail(err, CLEAVE_EINVAL,
                            "vertices %ld and %ld are of the same group, but fixed to parts "
                            "%ld and %ld",
                            (long)who[u], (long)v, (long)group_fixed[u], (long)fixed[v]);
        group_fixed[u] = fixed[v];
        who[u] = v;
    }
    return CLEAVE_OK;
}

cleave_status clv_groups_make(clv_groups *groups, int32_t nvtx, const int32_t *fixed,
                              const int32_t *given, clv_ws *ws, cleave_error *err)
{
    *groups = (clv_groups){nvtx, NULL, fixed};
    if (!given)
        return CLEAVE_OK;
    int32_t *group = clv_ws_alloc(ws, nvtx, sizeof *group);
    if (!group)
        return clv_fail_memory(err);
    CLV_TRY(find_first(nvtx, given, ws, group, err));
    groups->count = number_groups(nvtx, group);
    groups->group = group;
    if (!fixed)
        return CLEAVE_OK;
    int32_t *group_fixed = clv_ws_alloc(ws, groups->count, sizeof *group_fixed);
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *who = clv_ws_alloc(ws, groups->count, sizeof *who);
    if (!group_fixed || !who)
        return clv_fail_memory(err);
    for (int32_t u = 0; u < groups->count; u++)
        group_fixed[u] = -1;
    groups->fixed = group_fixed;
    CLV_TRY(fix_groups(nvtx, fixed, group, group_fixed, who, err));
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* ---- More parts than groups ------------------------------------------------------------ */

/* taken[p] becomes 1 if a fixed group is in p.  Returns the number of free groups. */
static int32_t mark_taken(const clv_groups *groups, uint8_t *taken)
{
    int32_t free_groups = 0;
    for (int32_t u = 0; u < groups->count; u++) {
        if (groups->fixed && groups->fixed[u] >= 0)
            taken[groups->fixed[u]] = 1;
        else
            free_groups++;
    }
    return free_groups;
}

cleave_status clv_groups_count(const clv_groups *groups, const clv_limits *limits, clv_ws *ws,
                               int32_t *free_parts, int32_t *free_groups, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    uint8_t *taken = clv_ws_zalloc(ws, limits->bounds.nparts, sizeof *taken);
    if (!taken)
        return clv_fail_memory(err);
    *free_groups = mark_taken(groups, taken);
    *free_parts = 0;
    for (int32_t p = 0; p < limits->bounds.nparts; p++)
        *free_parts += !taken[p] && !clv_bounds_is_idle(&limits->bounds, p);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* A weight relative to the total, in units of 2^-40, so that all constraints can be added. */
static int64_t relative(int64_t weight, int64_t total)
{
    return total > 0 ? (int64_t)((double)weight / (double)total * 0x1p40) : 0;
}

/* Sorts items by descending key; ties by the smaller index. */
static const clv_sort_item *sort_heaviest_first(clv_sort_item *items, clv_sort_item *scratch,
                                                int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        items[i].key = -items[i].key;
    return clv_sort(items, scratch, count);
}

static int64_t list_groups(const clv_groups *groups, const clv_graph *g,
                           const clv_limits *limits, int64_t *weight, clv_sort_item *items)
{
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int32_t c = 0; c < g->ncon; c++)
            weight[clv_group_of(groups, v)] +=
                relative(clv_graph_vwgt(g, v, c), limits->total[c]);
    int64_t count = 0;
    for (int32_t u = 0; u < groups->count; u++)
        if (!groups->fixed || groups->fixed[u] < 0)
            items[count++] = (clv_sort_item){.key = weight[u], .with.index = u};
    return count;
}

static int64_t list_parts(const clv_limits *limits, const uint8_t *taken, clv_sort_item *items)
{
    int64_t count = 0;
    for (int32_t p = 0; p < limits->bounds.nparts; p++) {
        int64_t room = 0;
        if (taken[p] || clv_bounds_is_idle(&limits->bounds, p))
            continue;
        for (int32_t c = 0; c < limits->bounds.ncon; c++) {
            int64_t max = limits->bounds.max[(int64_t)p * limits->bounds.ncon + c],
                    total = limits->total[c];
            room += relative(max < total ? max : total, total);
        }
        items[count++] = (clv_sort_item){.key = room, .with.index = p};
    }
    return count;
}

cleave_status clv_groups_spread(const clv_groups *groups, const clv_graph *g,
                                const clv_limits *limits, clv_ws *ws, int32_t *part,
                                cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    uint8_t *taken = clv_ws_zalloc(ws, limits->bounds.nparts, sizeof *taken);
    int64_t *weight = clv_ws_zalloc(ws, groups->count, sizeof *weight);
    int32_t *place = clv_ws_alloc(ws, groups->count, sizeof *place);
    clv_sort_item *of_groups = clv_ws_alloc(ws, 2 * (int64_t)groups->count, sizeof *of_groups);
    clv_sort_item *of_parts =
        clv_ws_alloc(ws, 2 * (int64_t)limits->bounds.nparts, sizeof *of_parts);
    if (!taken || !weight || !place || !of_groups || !of_parts)
        return clv_fail_memory(err);
    mark_taken(groups, taken);
    int64_t ngroups = list_groups(groups, g, limits, weight, of_groups);
    int64_t nparts = list_parts(limits, taken, of_parts);
    const clv_sort_item *heavy = sort_heaviest_first(of_groups, of_groups + ngroups, ngroups);
    const clv_sort_item *roomy = sort_heaviest_first(of_parts, of_parts + nparts, nparts);
    for (int32_t u = 0; u < groups->count; u++)
        place[u] = groups->fixed ? groups->fixed[u] : -1;
    for (int64_t i = 0; i < ngroups; i++)
        place[heavy[i].with.index] = (int32_t)roomy[i].with.index;
    for (int32_t v = 0; v < g->nvtx; v++)
        part[v] = place[clv_group_of(groups, v)];
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

cleave_status clv_groups_obey(const clv_groups *groups, int32_t nvtx, int32_t *part,
                              clv_ws *ws, cleave_error *err)
{
    if (!groups->group && !groups->fixed)
        return CLEAVE_OK;
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *place = clv_ws_alloc(ws, groups->count, sizeof *place);
    if (!place)
        return clv_fail_memory(err);
    for (int32_t u = 0; u < groups->count; u++)
        place[u] = groups->fixed ? groups->fixed[u] : -1;
    for (int32_t v = 0; v < nvtx; v++) {
        int32_t *at = &place[clv_group_of(groups, v)];
        if (*at < 0)
            *at = part[v];
        part[v] = *at;
    }
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
