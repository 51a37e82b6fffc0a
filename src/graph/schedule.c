/* SPDX-License-Identifier: Apache-2.0 */
/* graph/schedule.c - creating and freeing schedules: tasks sorted into blocks, one per layer
 * and thread; empty layers are dropped. */
#include "graph/schedule.h"

#include <assert.h>
#include <string.h>

#include "base/group.h"
#include "base/sort.h"
#include "graph/priority_order.h"

void clv_schedule_free(clv_schedule *s)
{
    if (!s)
        return;
    clv_graph_free(s->tasks);
    clv_arena_free(&s->arena);
    clv_sys_free(s);
}

/* ---- Renumbering of layers ------------------------------------------------------------ */

/* *largest: the number of the last layer. */
static cleave_status check_spec(const clv_schedule_spec *spec, int32_t ntasks,
                                int32_t *largest, cleave_error *err)
{
    const int32_t *layer = spec->layer, *thread = spec->thread;
    *largest = -1;
    for (int32_t t = 0; t < ntasks; t++) {
        if (layer[t] < 0)
            return clv_fail(err, CLEAVE_EINVAL, "vertex %ld is in layer %ld, below 0", (long)t,
                            (long)layer[t]);
        if (thread[t] < 0 || thread[t] >= spec->threads)
            return clv_fail(err, CLEAVE_EINVAL,
                            "vertex %ld is on thread %ld, but threads run from 0 to %ld",
                            (long)t, (long)thread[t], (long)spec->threads - 1);
        if (layer[t] > *largest)
            *largest = layer[t];
    }
    return CLEAVE_OK;
}

/* Renumbers layers with a table, if the numbers are not much larger than the number of tasks.
 */
static cleave_status squeeze_small(clv_schedule *s, int32_t largest, const int32_t *layer,
                                   int32_t *squeezed, clv_ws *ws, cleave_error *err)
{
    int32_t *number = clv_ws_zalloc(ws, (int64_t)largest + 1, sizeof *number);
    if (!number)
        return clv_fail_memory(err);
    for (int32_t t = 0; t < s->ntasks; t++)
        number[layer[t]] = 1;
    int32_t count = 0;
    for (int32_t l = 0; l <= largest; l++)
        if (number[l])
            number[l] = count++;
    for (int32_t t = 0; t < s->ntasks; t++)
        squeezed[t] = number[layer[t]];
    s->layers = count;
    return CLEAVE_OK;
}

static cleave_status squeeze_large(clv_schedule *s, const int32_t *layer, int32_t *squeezed,
                                   clv_ws *ws, cleave_error *err)
{
    int32_t ntasks = s->ntasks;
    clv_sort_item *items = clv_ws_alloc(ws, ntasks, sizeof *items);
    clv_sort_item *scratch = clv_ws_alloc(ws, ntasks, sizeof *scratch);
    if (!items || !scratch)
        return clv_fail_memory(err);
    for (int32_t t = 0; t < ntasks; t++)
        items[t] = (clv_sort_item){.key = layer[t], .with = {.index = t}};
    items = clv_sort(items, scratch, ntasks);
    int32_t count = 0;
    for (int32_t i = 0; i < ntasks; i++) {
        if (i > 0 && items[i].key != items[i - 1].key)
            count++;
        squeezed[items[i].with.index] = count;
    }
    s->layers = ntasks > 0 ? count + 1 : 0;
    return CLEAVE_OK;
}

/* ---- Blocks --------------------------------------------------------------------------- */

static int64_t block_of(const clv_schedule *s, int32_t task)
{
    return (int64_t)s->layer[task] * s->threads + s->thread[task];
}

/* Counting sort: the starts of the blocks, and the tasks of each in ascending order. */
static void fill_blocks(clv_schedule *s, int32_t *order)
{
    int64_t blocks = (int64_t)s->layers * s->threads;
    int64_t *block = (int64_t *)s->block;
    memset(block, 0, ((size_t)blocks + 1) * sizeof *block);
    for (int32_t t = 0; t < s->ntasks; t++)
        block[block_of(s, t)]++;
    clv_running_sums(block, blocks);
    for (int32_t t = s->ntasks; t-- > 0;)
        order[--block[block_of(s, t)]] = t;
}

static cleave_status make_arrays(clv_schedule *s, const clv_schedule_spec *spec,
                                 int32_t largest, clv_ws *ws, cleave_error *err)
{
    int32_t n = s->ntasks;
    int32_t *squeezed = clv_arena_alloc(&s->arena, n, sizeof *squeezed);
    int32_t *threads = clv_arena_alloc(&s->arena, n, sizeof *threads);
    if (!squeezed || !threads)
        return clv_fail_memory(err);
    if (largest / 2 < n)
        CLV_TRY(squeeze_small(s, largest, spec->layer, squeezed, ws, err));
    else
        CLV_TRY(squeeze_large(s, spec->layer, squeezed, ws, err));
    if (!clv_schedule_is_plausible(n, s->layers, s->threads))
        return clv_fail(err, CLEAVE_EINVAL,
                        "%ld layers of %ld threads are too many for %ld vertices; "
                        "with at most %d threads they are not",
                        (long)s->layers, (long)s->threads, (long)n, 256);
    if (n > 0)
        memcpy(threads, spec->thread, (size_t)n * sizeof *threads);
    s->layer = squeezed;
    s->thread = threads;
    int32_t *order = clv_arena_alloc(&s->arena, n, sizeof *order);
    s->order = order;
    s->block =
        clv_arena_alloc(&s->arena, (int64_t)s->layers * s->threads + 1, sizeof *s->block);
    if (!order || !s->block)
        return clv_fail_memory(err);
    fill_blocks(s, order);
    return CLEAVE_OK;
}

cleave_status clv_schedule_given(clv_schedule **out, int32_t ntasks,
                                 const clv_schedule_spec *spec, clv_ws *ws, cleave_error *err)
{
    int32_t largest;
    *out = NULL;
    assert(ntasks >= 0 && spec->threads >= 1 && spec->threads <= clv_schedule_most_threads);
    CLV_TRY(check_spec(spec, ntasks, &largest, err));
    clv_schedule *s = clv_zalloc(1, sizeof *s);
    if (!s)
        return clv_fail_memory(err);
    s->ntasks = s->nrows = ntasks;
    s->threads = spec->threads;
    strncpy(s->method, spec->method, sizeof s->method - 1);
    clv_ws_mark mark = clv_ws_save(ws);
    cleave_status status = make_arrays(s, spec, largest, ws, err);
    clv_ws_restore(ws, mark);
    if (status != CLEAVE_OK) {
        clv_schedule_free(s);
        return status;
    }
    if (spec->order && ntasks > 0)
        memcpy((int32_t *)s->order, spec->order, (size_t)ntasks * sizeof *spec->order);
    *out = s;
    return CLEAVE_OK;
}

/* ---- With a graph --------------------------------------------------------------------- */

/* Does an arc inside a block lead to a smaller number? */
static bool runs_backward(const clv_schedule *s, const clv_graph *g)
{
    for (int32_t v = 0; v < g->nvtx; v++) /* rows ascend */
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1] && g->adj[a] < v; a++)
            if (s->layer[g->adj[a]] == s->layer[v] && s->thread[g->adj[a]] == s->thread[v])
                return true;
    return false;
}

/* Topological order with earlier blocks first.  The arcs of a valid schedule stay inside a
 * block or lead to a later layer; some task of the earliest unfinished block is therefore
 * always ready, and blocks stay contiguous. */
static cleave_status sort_blocks(clv_schedule *s, const clv_graph *g, clv_ws *ws,
                                 cleave_error *err)
{
    int64_t *priority = clv_ws_alloc(ws, g->nvtx, sizeof *priority);
    bool complete;
    if (!priority)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < g->nvtx; v++)
        priority[v] = block_of(s, v);
    CLV_TRY(clv_priority_order(g->nvtx, g->xadj, g->adj, priority, ws, (int32_t *)s->order,
                               &complete, err));
    return complete
               ? CLEAVE_OK
               : clv_fail(err, CLEAVE_ECYCLE, "the graph was not validated and has a cycle");
}

cleave_status clv_schedule_new(clv_schedule **out, const clv_graph *g,
                               const clv_schedule_spec *spec, clv_ws *ws, cleave_error *err)
{
    clv_schedule_spec unordered = *spec;
    unordered.order = NULL;
    CLV_TRY(clv_schedule_given(out, g->nvtx, &unordered, ws, err));
    if (!runs_backward(*out, g))
        return CLEAVE_OK;
    clv_ws_mark mark = clv_ws_save(ws);
    cleave_status status = sort_blocks(*out, g, ws, err);
    clv_ws_restore(ws, mark);
    if (status != CLEAVE_OK) {
        clv_schedule_free(*out);
        *out = NULL;
    }
    return status;
}

/* ---- Split rows ----------------------------------------------------------------------- */

cleave_status clv_schedule_of_rows(clv_schedule *s, int32_t nrows, const int32_t *row,
                                   clv_graph *tasks, cleave_error *err)
{
    int32_t *mine = clv_arena_alloc(&s->arena, s->ntasks, sizeof *mine);
    int32_t *share = clv_arena_alloc(&s->arena, s->ntasks, sizeof *share);
    if (!mine || !share)
        return clv_fail_memory(err);
    for (int32_t t = 0; t < s->ntasks; t++) {
        bool continues =
            t > 0 && row[t] == row[t - 1]; /* its predecessor is the previous task */
        mine[t] = row[t];
        share[t] = (int32_t)(tasks->xpred[t + 1] - tasks->xpred[t]) - continues;
    }
    s->nrows = nrows;
    s->row = mine;
    s->share = share;
    s->tasks = tasks;
    return CLEAVE_OK;
}
