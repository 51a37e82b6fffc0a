/* SPDX-License-Identifier: Apache-2.0 */
/* engine/acyclic/dag_starts.c - initial partitions of DAGs from the finest level, see
 * engine/acyclic/dag_starts.h. */
#include "engine/acyclic/dag_starts.h"

#include <string.h>

#include "base/rng.h"
#include "engine/multilevel/bisection.h"
#include "initial/acyclic_start.h"
#include "initial/repair.h"
#include "refine/state/ranks.h"

enum { stage_sliced = 403, stage_order = 404 };

cleave_status clv_forget_directions(clv_graph *out, const clv_graph *g, clv_ws *ws,
                                    cleave_error *err)
{
    int64_t *xadj = clv_ws_alloc(ws, (int64_t)g->nvtx + 1, sizeof *xadj);
    int32_t *adj = clv_ws_alloc(ws, 2 * g->narc, sizeof *adj);
    clv_new_weights ewgt = {0};
    bool weighted = clv_weights_any(clv_graph_ewgts(g));
    if (!xadj || !adj ||
        (weighted && !clv_weights_zalloc(&ewgt, g->wide_ewgt != NULL, 2 * g->narc, ws)))
        return clv_fail_memory(err);
    for (int32_t v = 0; v <= g->nvtx; v++)
        xadj[v] = g->xadj[v] + g->xpred[v];
    for (int32_t v = 0; v < g->nvtx; v++) {
        size_t before = (size_t)(g->xpred[v + 1] - g->xpred[v]);
        size_t after = (size_t)(g->xadj[v + 1] - g->xadj[v]);
        int64_t at = xadj[v], then = at + (int64_t)before;
        memcpy(adj + at, g->pred + g->xpred[v], before * sizeof *adj);
        memcpy(adj + then, g->adj + g->xadj[v], after * sizeof *adj);
        for (int64_t a = g->xpred[v]; weighted && a < g->xpred[v + 1]; a++)
            clv_weight_set(ewgt, at++, clv_graph_pwgt(g, a));
        for (int64_t a = g->xadj[v]; weighted && a < g->xadj[v + 1]; a++)
            clv_weight_set(ewgt, then++, clv_graph_ewgt(g, a));
    }
    *out = (clv_graph){.kind = CLEAVE_UNDIRECTED,
                       .nvtx = g->nvtx,
                       .narc = 2 * g->narc,
                       .xadj = xadj,
                       .adj = adj,
                       .xpred = xadj,
                       .pred = adj,
                       .ncon = g->ncon,
                       .vwgt = g->vwgt,
                       .wide_vwgt = g->wide_vwgt};
    clv_graph_set_ewgts(out, clv_weights_of(ewgt));
    clv_graph_set_pwgts(out, clv_weights_of(ewgt));
    return CLEAVE_OK;
}

static void note(clv_solution *start, const clv_partition_state *s)
{
    start->is = (clv_multilevel_result){.worth = clv_state_worth(s)};
}

cleave_status clv_underlying_start(const clv_multilevel_task *task, const clv_preset *effort,
                                   clv_context *ctx, clv_solution *start, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    clv_graph graph;
    CLV_TRY(clv_forget_directions(&graph, task->g, ctx->ws, err));
    clv_multilevel_task flat = *task;
    flat.g = &graph;
    flat.start = flat.merge_class = NULL;
    CLV_TRY(clv_multilevel(&flat, clv_preset_for_underlying(effort), ctx, start->part,
                           &start->is, err));
    if (clv_context_is_stopped(ctx)) {
        start->is.worth = clv_worth_none();
    } else {
        clv_partition_state s;
        CLV_TRY(clv_multilevel_state(&s, task, start->part, ctx, err));
        CLV_TRY(clv_repair(&s, effort->dag.runs == 1, ctx, err));
        note(start, &s);
    }
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}

/* The part at each place of the topological order that a start follows.  It matters if parts
 * differ in their bounds; fixed vertices require the order of the numbers.  Returns NULL when
 * out of memory. */
static int32_t *order_of_parts(const clv_multilevel_task *task, const clv_preset *effort,
                               clv_context *ctx)
{
    int32_t k = task->bounds.nparts, *order = clv_ws_alloc(ctx->ws, k, sizeof *order);
    if (!order)
        return NULL;
    clv_rng rng = clv_rng_make(ctx->seed, stage_order, 0, 0);
    clv_rng_permutation(&rng, k, order);
    for (int32_t p = 0; p < k && (task->fixed || !effort->dag.any_order); p++)
        order[p] = p;
    return order;
}

/* Renames the parts of a division and evaluates it.  Its parts are acyclic, in the order of
 * their numbers: their quotient, half as expensive as all other steps after a stop, is not
 * computed. */
static cleave_status note_division(const clv_multilevel_task *task, const int32_t *order,
                                   clv_context *ctx, clv_solution *start, cleave_error *err)
{
    clv_partition_state s;
    for (int32_t v = 0; v < task->g->nvtx; v++)
        start->part[v] = order[start->part[v]];
    CLV_TRY(clv_multilevel_state(&s, task, start->part, ctx, err));
    note(start, &s);
    return CLEAVE_OK;
}

cleave_status clv_divided_start(const clv_multilevel_task *task, const clv_preset *effort,
                                clv_context *ctx, clv_solution *start, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    clv_preset split = clv_preset_for_split(effort);
    clv_division how = {.policy = CLV_POLICY_LEVEL, .search = &split};
    clv_multilevel_task ordered = *task;
    int32_t *order = order_of_parts(task, effort, ctx);
    if (!order)
        return clv_fail_memory(err);
    CLV_TRY(clv_bounds_permute(&ordered.bounds, &task->bounds, order, ctx->ws, err));
    CLV_TRY(clv_recursive_division(&ordered, effort, &how, ctx, start->part, err));
    start->is.worth = clv_worth_none();
    if (!task->fixed ||
        !clv_context_is_stopped(ctx)) /* else blocks were cut regardless of it */
        CLV_TRY(note_division(task, order, ctx, start, err));
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}

/* Next to a recursive bisection slices win rarely, and fewer orders are enough:
 * docs/design/acyclic.md, "Recursive bisection first". */
static int32_t orders_to_slice(const clv_multilevel_task *task, const clv_dag_preset *dag)
{
    return dag->divided && task->bounds.nparts > 2 ? (dag->sliced + 1) / 2 : dag->sliced;
}

/* Only the first of several runs uses the numerical order of vertices and parts. */
cleave_status clv_sliced_start(const clv_multilevel_task *task, const clv_preset *effort,
                               clv_context *ctx, clv_solution *start, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    clv_partition_state s;
    int32_t orders = orders_to_slice(task, &effort->dag);
    clv_acyclic_start_params params = {.tries = orders,
                                       .most = orders,
                                       .index = effort->dag.any_order,
                                       .quick = effort->dag.runs == 1};
    memset(start->part, 0, (size_t)task->g->nvtx * sizeof *start->part);
    CLV_TRY(clv_multilevel_state(&s, task, start->part, ctx, err));
    clv_rng rng = clv_rng_make(ctx->seed, stage_sliced, 0, 0);
    if (effort->dag.any_order && !task->fixed)
        clv_rng_permutation(&rng, s.bounds.nparts, s.rank);
    CLV_TRY(clv_acyclic_start(&s, &params, ctx, err));
    note(start, &s);
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}

cleave_status clv_given_start(const clv_multilevel_task *task, clv_context *ctx,
                              clv_solution *start, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    clv_partition_state s;
    bool acyclic = true;
    memcpy(start->part, task->start, (size_t)task->g->nvtx * sizeof *start->part);
    CLV_TRY(clv_multilevel_state(&s, task, start->part, ctx, err));
    if (s.rank)
        CLV_TRY(clv_ranks_make(&s, 0, ctx->ws, &acyclic, err));
    if (s.rank && (!acyclic || clv_repair_beyond_balance(&s)))
        CLV_TRY(clv_repair(&s, false, ctx, err));
    note(start, &s);
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}
