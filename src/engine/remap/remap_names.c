/* SPDX-License-Identifier: Apache-2.0 */
/* engine/remap/remap_names.c - relabels parts to minimise migration: a maximum weight matching
 * of parts and PEs by the size that is already there; see engine/remap/remap.h. */
#include "base/sort.h"
#include "engine/remap/remap.h"
#include "refine/placement/assignment.h"

enum {
    most_exact = 512
}; /* PEs; an exact matching takes n^3 steps and n^2 memory; not
      tuned */

typedef struct naming {
    const clv_remap_task *task;
    const int32_t *part;
    int64_t *weight; /* nparts * ncon */
    int32_t *count;  /* vertices */
    uint8_t *fixed;  /* holds a fixed vertex */
    clv_assignment_pair *pairs;
    int64_t npairs;
} naming;

/* ---- What may be ------------------------------------------------------------------------ */

/* May part i be relabelled j?  Its own label is always allowed. */
static bool may_be(const void *context, int32_t i, int32_t j)
{
    const naming *x = context;
    const clv_partition_task *to = &x->task->to;
    if (i == j)
        return true;
    if (x->fixed[i] || x->fixed[j] || (x->count[i] > 0 && clv_bounds_is_idle(&to->bounds, j)))
        return false;
    for (int32_t c = 0; c < to->g->ncon; c++) {
        int64_t w = x->weight[(int64_t)i * to->g->ncon + c];
        int64_t at = (int64_t)j * to->g->ncon + c;
        if (w > to->bounds.max[at] || (to->bounds.min && w < to->bounds.min[at]))
            return false;
    }
    return true;
}

static cleave_status weigh_parts(naming *x, clv_ws *ws, cleave_error *err)
{
    const clv_partition_task *to = &x->task->to;
    int64_t k = to->bounds.nparts;
    x->weight = clv_ws_zalloc(ws, k * to->g->ncon, sizeof *x->weight);
    x->count = clv_ws_zalloc(ws, k, sizeof *x->count);
    x->fixed = clv_ws_zalloc(ws, k, sizeof *x->fixed);
    if (!x->weight || !x->count || !x->fixed)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < to->g->nvtx; v++) {
        int32_t p = x->part[v];
        x->count[p]++;
        for (int32_t c = 0; c < to->g->ncon; c++)
            x->weight[(int64_t)p * to->g->ncon + c] += clv_graph_vwgt(to->g, v, c);
        if (to->groups->fixed && to->groups->fixed[clv_group_of(to->groups, v)] >= 0)
            x->fixed[p] = 1;
    }
    return CLEAVE_OK;
}

/* ---- What it is worth ------------------------------------------------------------------- */

/* Counts the overlaps in a table of all pairs. */
static cleave_status count_in_table(naming *x, clv_ws *ws, cleave_error *err)
{
    const clv_graph *g = x->task->to.g;
    int32_t k = x->task->to.bounds.nparts;
    int64_t *size = clv_ws_zalloc(ws, (int64_t)k * k, sizeof *size);
    x->pairs = clv_ws_alloc(ws, (int64_t)k * k, sizeof *x->pairs);
    if (!size || !x->pairs)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < g->nvtx; v++)
        if (x->task->home[v] >= 0)
            size[(int64_t)x->part[v] * k + x->task->home[v]] += clv_graph_vsize(g, v);
    for (int32_t i = 0; i < k; i++)
        for (int32_t j = 0; j < k; j++)
            if (size[(int64_t)i * k + j] > 0)
                x->pairs[x->npairs++] = (clv_assignment_pair){i, j, size[(int64_t)i * k + j]};
    return CLEAVE_OK;
}

/* Lists the pairs of a part and a PE with residents in it, with their size. */
static cleave_status count_overlaps(naming *x, clv_ws *ws, cleave_error *err)
{
    const clv_graph *g = x->task->to.g;
    int64_t count = 0, k = x->task->to.bounds.nparts;
    if (k * k <= g->nvtx)
        return count_in_table(x, ws, err);
    clv_sort_item *items = clv_ws_alloc(ws, g->nvtx, sizeof *items);
    clv_sort_item *scratch = clv_ws_alloc(ws, g->nvtx, sizeof *scratch);
    x->pairs = clv_ws_alloc(ws, g->nvtx, sizeof *x->pairs);
    if (!items || !scratch || !x->pairs)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < g->nvtx; v++)
        if (x->task->home[v] >= 0 && clv_graph_vsize(g, v) > 0)
            items[count++] = (clv_sort_item){.key = x->part[v] * k + x->task->home[v],
                                             .with.index = clv_graph_vsize(g, v)};
    const clv_sort_item *sorted = clv_sort(items, scratch, count);
    for (int64_t i = 0; i < count; i++) {
        if (i == 0 || sorted[i].key != sorted[i - 1].key)
            x->pairs[x->npairs++] = (clv_assignment_pair){(int32_t)(sorted[i].key / k),
                                                          (int32_t)(sorted[i].key % k), 0};
        x->pairs[x->npairs - 1].value += sorted[i].with.index;
    }
    return CLEAVE_OK;
}

static cleave_status solve_exactly(const naming *x, clv_ws *ws, int32_t *name,
                                   cleave_error *err)
{
    int32_t k = x->task->to.bounds.nparts;
    int64_t *value = clv_ws_alloc(ws, (int64_t)k * k, sizeof *value);
    if (!value)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < k; i++)
        for (int32_t j = 0; j < k; j++)
            value[(int64_t)i * k + j] = may_be(x, i, j) ? 0 : -1;
    for (int64_t a = 0; a < x->npairs; a++) {
        int64_t *at = &value[(int64_t)x->pairs[a].row * k + x->pairs[a].column];
        if (*at >= 0)
            *at = x->pairs[a].value;
    }
    return clv_assignment_solve(k, value, ws, name, err);
}

cleave_status clv_remap_rename(const clv_remap_task *task, clv_ws *ws, int32_t *part,
                               cleave_error *err)
{
    int32_t k = task->to.bounds.nparts;
    naming x = {.task = task, .part = part};
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *name = clv_ws_alloc(ws, k, sizeof *name);
    if (!name)
        return clv_fail_memory(err);
    for (int32_t p = 0; p < k; p++)
        name[p] = p;
    CLV_TRY(weigh_parts(&x, ws, err));
    CLV_TRY(count_overlaps(&x, ws, err));
    const clv_sparse_assignment large = {k, x.npairs, x.pairs, may_be, &x};
    if (k <= most_exact)
        CLV_TRY(solve_exactly(&x, ws, name, err));
    else
        CLV_TRY(clv_assignment_greedy(&large, ws, name, err));
    for (int32_t v = 0; v < task->to.g->nvtx; v++)
        part[v] = name[part[v]];
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
