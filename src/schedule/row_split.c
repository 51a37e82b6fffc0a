/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/row_split.c - the DAG of the tasks that rows are split into.
 *
 * A row of a triangular matrix adds up its columns in ascending order.  If early columns are
 * known long before the last one, a separate task can add them up, and the next task continues
 * with that sum: the same additions in the same order, so the result has the same bits.  Only
 * the last task is then on the path from the last column to the rows that depend on this one.
 *
 * A row's value comes from its last task.  Tasks are numbered along the rows, so ascending
 * rows give ascending tasks, and every list of predecessors stays sorted; the preceding task
 * of the row is merged in. */
#include "schedule/row_split.h"

#include <assert.h>
#include <string.h>

#include "graph/derive.h"

typedef struct builder {
    const clv_graph *g;
    const clv_row_cuts *cuts;
    const int64_t *first; /* nvtx + 1: first task of each row */
    clv_graph *out;
    int64_t *xpred;
    int32_t *pred, *pwgt, *vwgt, *row;
} builder;

static int64_t last_task(const builder *b, int32_t v)
{
    return b->first[v + 1] - 1;
}

/* One task: predecessors [from, to) of row v, and the task before it, if there is one. */
static void add_task(builder *b, int32_t v, int64_t task, int64_t from, int64_t to)
{
    const clv_graph *g = b->g;
    int64_t at = b->xpred[task], begin = g->xpred[v];
    bool chained = task > b->first[v];
    for (int64_t a = begin + from; a < begin + to; a++) {
        int64_t source = last_task(b, g->pred[a]);
        if (chained && source > task) {
            b->pred[at] = (int32_t)(task - 1);
            if (b->pwgt)
                b->pwgt[at] = 1;
            at++;
            chained = false;
        }
        b->pred[at] = (int32_t)source;
        if (b->pwgt)
            b->pwgt[at] = g->pwgt[a];
        at++;
    }
    if (chained) {
        b->pred[at] = (int32_t)(task - 1);
        if (b->pwgt)
            b->pwgt[at] = 1;
        at++;
    }
    b->xpred[task + 1] = at;
    b->row[task] = v;
    b->vwgt[task] = (int32_t)clv_row_part(g, v, from, to);
}

static void add_row(builder *b, int32_t v)
{
    int64_t task = b->first[v], from = 0;
    for (int64_t i = b->cuts->xcut[v]; i < b->cuts->xcut[v + 1]; i++) {
        assert(b->cuts->cut[i] > from);
        add_task(b, v, task++, from, b->cuts->cut[i]);
        from = b->cuts->cut[i];
    }
    add_task(b, v, task, from, b->g->xpred[v + 1] - b->g->xpred[v]);
}

/* Fills the arrays of b->out, which are allocated; first is scratch of nvtx + 1. */
static cleave_status fill_arrays(builder *b, int64_t *first, cleave_error *err)
{
    const clv_graph *g = b->g;
    clv_graph *out = b->out;
    clv_arena *arena = &out->arena;
    int64_t ntask = g->nvtx + b->cuts->count, narc = g->narc + b->cuts->count;
    int64_t *xadj = clv_arena_alloc(arena, ntask + 1, sizeof *xadj);
    int32_t *adj = clv_arena_alloc(arena, narc, sizeof *adj);
    int32_t *ewgt = g->ewgt ? clv_arena_alloc(arena, narc, sizeof *ewgt) : NULL;
    b->xpred = clv_arena_alloc(arena, ntask + 1, sizeof *b->xpred);
    b->pred = clv_arena_alloc(arena, narc, sizeof *b->pred);
    b->pwgt = g->ewgt ? clv_arena_alloc(arena, narc, sizeof *b->pwgt) : NULL;
    b->vwgt = clv_arena_alloc(arena, ntask, sizeof *b->vwgt);
    b->row = clv_arena_alloc(arena, ntask, sizeof *b->row);
    if (!xadj || !adj || !b->xpred || !b->pred || !b->vwgt || !b->row ||
        (g->ewgt && (!ewgt || !b->pwgt)))
        return clv_fail_memory(err);
    for (int32_t v = 0; v <= g->nvtx; v++)
        first[v] = v + b->cuts->xcut[v];
    b->first = first;
    b->xpred[0] = 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        add_row(b, v);
    clv_derive_transpose_rows((int32_t)ntask,
                              (clv_csr){b->xpred, b->pred, {.narrow = b->pwgt}},
                              (clv_csr_space){xadj, adj, ewgt, NULL});
    out->kind = CLEAVE_DAG;
    out->nvtx = (int32_t)ntask;
    out->narc = narc;
    out->xadj = xadj;
    out->adj = adj;
    out->ewgt = ewgt;
    out->xpred = b->xpred;
    out->pred = b->pred;
    out->pwgt = b->pwgt;
    out->ncon = 1;
    out->vwgt = b->vwgt;
    return CLEAVE_OK;
}

cleave_status clv_row_split_build(clv_graph **out, int32_t **row, const clv_graph *g,
                                  const clv_row_cuts *cuts, cleave_error *err)
{
    assert(g->kind == CLEAVE_DAG && g->ncon == 1);
    *out = NULL;
    *row = NULL;
    if (g->nvtx + cuts->count > INT32_MAX)
        return clv_fail(err, CLEAVE_ERANGE, "the rows have too many tasks; split fewer rows");
    int64_t *first = clv_alloc((int64_t)g->nvtx + 1, sizeof *first);
    clv_graph *made = clv_graph_new();
    builder b = {.g = g, .cuts = cuts, .out = made};
    cleave_status status = first && made ? fill_arrays(&b, first, err) : clv_fail_memory(err);
    clv_sys_free(first);
    if (status != CLEAVE_OK) {
        clv_graph_free(made);
        return status;
    }
    *out = made;
    *row = b.row;
    return CLEAVE_OK;
}

static int32_t *copy_to_arena(clv_graph *owner, const int32_t *from)
{
    int32_t *to = clv_arena_alloc(&owner->arena, owner->nvtx, sizeof *to);
    if (to && owner->nvtx > 0)
        memcpy(to, from, (size_t)owner->nvtx * sizeof *to);
    return to;
}

static cleave_status split_rows(clv_split_rows *out, const clv_graph *g,
                                const clv_row_cuts *cuts, cleave_error *err)
{
    CLV_TRY(clv_row_split_build(&out->tasks, &out->row, g, cuts, err));
    if (!cuts->layer)
        return CLEAVE_OK;
    out->layers.layer = copy_to_arena(out->tasks, cuts->layer);
    out->layers.thread = copy_to_arena(out->tasks, cuts->thread);
    if (out->layers.layer && out->layers.thread)
        return CLEAVE_OK;
    clv_graph_free(out->tasks);
    out->tasks = NULL;
    return clv_fail_memory(err);
}

cleave_status clv_row_split(clv_split_rows *out, const clv_graph *g, int32_t threads,
                            const clv_schedule_costs *costs, clv_context *ctx,
                            cleave_error *err)
{
    clv_ws *ws = &ctx->ws[0];
    clv_ws_mark mark = clv_ws_save(ws);
    clv_row_cuts cuts = {0};
    *out = (clv_split_rows){.layers = {.threads = threads}};
    cleave_status status = clv_row_cuts_find(&cuts, g, threads, costs, ctx, err);
    if (status == CLEAVE_OK)
        status = split_rows(out, g, &cuts, err);
    clv_ws_restore(ws, mark);
    return status;
}
