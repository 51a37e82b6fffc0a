/* SPDX-License-Identifier: Apache-2.0 */
/* engine/units.c - see engine/units.h. */
#include "engine/units.h"

#include "base/sort.h"

/* ---- Groups become units -------------------------------------------------------------- */

/* first[v]: the smallest vertex of v's group. */
static cleave_status find_first(int32_t nvtx, const int32_t *groups, clv_ws *ws,
                                int32_t *first, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    clv_sort_item *items = clv_ws_alloc(ws, 2 * (int64_t)nvtx, sizeof *items);
    if (!items)
        return clv_fail_memory(err);
    int64_t count = 0;
    for (int32_t v = 0; v < nvtx; v++) {
        first[v] = v;
        if (groups[v] >= 0)
            items[count++] = (clv_sort_item){.key = groups[v], .with.index = v};
    }
    const clv_sort_item *sorted = clv_sort(items, items + nvtx, count);
    for (int64_t i = 1; i < count; i++)
        if (sorted[i].key == sorted[i - 1].key)
            first[sorted[i].with.index] = first[sorted[i - 1].with.index];
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* First vertices become numbers, in place: a first vertex stands before its group. */
static int32_t number_units(int32_t nvtx, int32_t *unit)
{
    int32_t count = 0;
    for (int32_t v = 0; v < nvtx; v++)
        unit[v] = unit[v] == v ? count++ : unit[unit[v]];
    return count;
}

static cleave_status fix_units(int32_t nvtx, const int32_t *fixed, const int32_t *unit,
                               int32_t *unit_fixed, int32_t *who, cleave_error *err)
{
    for (int32_t v = 0; v < nvtx; v++) {
        int32_t u = unit[v];
        if (fixed[v] < 0)
            continue;
        if (unit_fixed[u] >= 0 && unit_fixed[u] != fixed[v])
            return clv_fail(err, CLEAVE_EINVAL,
                            "vertices %ld and %ld are of the same group, but fixed to parts "
                            "%ld and %ld",
                            (long)who[u], (long)v, (long)unit_fixed[u], (long)fixed[v]);
        unit_fixed[u] = fixed[v];
        who[u] = v;
    }
    return CLEAVE_OK;
}

cleave_status clv_units_make(clv_units *units, int32_t nvtx, const int32_t *fixed,
                             const int32_t *groups, clv_ws *ws, cleave_error *err)
{
    *units = (clv_units){nvtx, NULL, fixed};
    if (!groups)
        return CLEAVE_OK;
    int32_t *unit = clv_ws_alloc(ws, nvtx, sizeof *unit);
    if (!unit)
        return clv_fail_memory(err);
    CLV_TRY(find_first(nvtx, groups, ws, unit, err));
    units->count = number_units(nvtx, unit);
    units->unit = unit;
    if (!fixed)
        return CLEAVE_OK;
    int32_t *unit_fixed = clv_ws_alloc(ws, units->count, sizeof *unit_fixed);
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *who = clv_ws_alloc(ws, units->count, sizeof *who);
    if (!unit_fixed || !who)
        return clv_fail_memory(err);
    for (int32_t u = 0; u < units->count; u++)
        unit_fixed[u] = -1;
    units->fixed = unit_fixed;
    CLV_TRY(fix_units(nvtx, fixed, unit, unit_fixed, who, err));
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* ---- More parts than units ------------------------------------------------------------ */

/* taken[p]: a fixed unit is there.  Returns the number of units that are not fixed. */
static int32_t mark_taken(const clv_units *units, uint8_t *taken)
{
    int32_t free_units = 0;
    for (int32_t u = 0; u < units->count; u++) {
        if (units->fixed && units->fixed[u] >= 0)
            taken[units->fixed[u]] = 1;
        else
            free_units++;
    }
    return free_units;
}

cleave_status clv_units_count(const clv_units *units, const clv_limits *limits, clv_ws *ws,
                              int32_t *free_parts, int32_t *free_units, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    uint8_t *taken = clv_ws_zalloc(ws, limits->bounds.nparts, sizeof *taken);
    if (!taken)
        return clv_fail_memory(err);
    *free_units = mark_taken(units, taken);
    *free_parts = 0;
    for (int32_t p = 0; p < limits->bounds.nparts; p++)
        *free_parts += !taken[p] && !clv_bounds_is_idle(&limits->bounds, p);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* What is heavy counts relative to the total, over all weights, in 2^40ths of it. */
static int64_t relative(int64_t weight, int64_t total)
{
    return total > 0 ? (int64_t)((double)weight / (double)total * 0x1p40) : 0;
}

/* Items in descending order of their key, the smaller index first among equals. */
static const clv_sort_item *sort_heaviest_first(clv_sort_item *items, clv_sort_item *scratch,
                                                int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        items[i].key = -items[i].key;
    return clv_sort(items, scratch, count);
}

static int64_t list_units(const clv_units *units, const clv_graph *g, const clv_limits *limits,
                          int64_t *weight, clv_sort_item *items)
{
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int32_t c = 0; c < g->ncon; c++)
            weight[clv_units_of(units, v)] +=
                relative(clv_graph_vwgt(g, v, c), limits->total[c]);
    int64_t count = 0;
    for (int32_t u = 0; u < units->count; u++)
        if (!units->fixed || units->fixed[u] < 0)
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

cleave_status clv_units_spread(const clv_units *units, const clv_graph *g,
                               const clv_limits *limits, clv_ws *ws, int32_t *part,
                               cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    uint8_t *taken = clv_ws_zalloc(ws, limits->bounds.nparts, sizeof *taken);
    int64_t *weight = clv_ws_zalloc(ws, units->count, sizeof *weight);
    int32_t *place = clv_ws_alloc(ws, units->count, sizeof *place);
    clv_sort_item *of_units = clv_ws_alloc(ws, 2 * (int64_t)units->count, sizeof *of_units);
    clv_sort_item *of_parts =
        clv_ws_alloc(ws, 2 * (int64_t)limits->bounds.nparts, sizeof *of_parts);
    if (!taken || !weight || !place || !of_units || !of_parts)
        return clv_fail_memory(err);
    mark_taken(units, taken);
    int64_t nunits = list_units(units, g, limits, weight, of_units);
    int64_t nparts = list_parts(limits, taken, of_parts);
    const clv_sort_item *heavy = sort_heaviest_first(of_units, of_units + nunits, nunits);
    const clv_sort_item *roomy = sort_heaviest_first(of_parts, of_parts + nparts, nparts);
    for (int32_t u = 0; u < units->count; u++)
        place[u] = units->fixed ? units->fixed[u] : -1;
    for (int64_t i = 0; i < nunits; i++)
        place[heavy[i].with.index] = (int32_t)roomy[i].with.index;
    for (int32_t v = 0; v < g->nvtx; v++)
        part[v] = place[clv_units_of(units, v)];
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

cleave_status clv_units_obey(const clv_units *units, int32_t nvtx, int32_t *part, clv_ws *ws,
                             cleave_error *err)
{
    if (!units->unit && !units->fixed)
        return CLEAVE_OK;
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *place = clv_ws_alloc(ws, units->count, sizeof *place);
    if (!place)
        return clv_fail_memory(err);
    for (int32_t u = 0; u < units->count; u++)
        place[u] = units->fixed ? units->fixed[u] : -1;
    for (int32_t v = 0; v < nvtx; v++) {
        int32_t *at = &place[clv_units_of(units, v)];
        if (*at < 0)
            *at = part[v];
        part[v] = *at;
    }
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
