/* SPDX-License-Identifier: Apache-2.0 */
/* engine/tasks/partition_tasks.c - see engine/tasks/partition_tasks.h.
 *
 * Parts of an acyclic partition are clusters that can be executed one after another, so that
 * few data cross PEs.  The number of parts that is best depends on the cost of communication
 * and is found by trying powers of two. */
#include "engine/tasks/partition_tasks.h"

#include "engine/pipeline.h"
#include "tasks/list_methods.h"

/* As in the paper's experiments. */
enum { most_parts = 256 };

static cleave_status partition(const clv_tasks *x, int32_t nparts,
                               const clv_task_preset *preset, int32_t *part, clv_context *ctx,
                               cleave_error *err)
{
    clv_target equal = {
        .npes = nparts, .equal = true, .per_node = 1, .shape = &clv_shape_equal};
    clv_map_request request = {.g = x->g,
                               .t = &equal,
                               .opt = {.effort = preset->partition_effort,
                                       .imbalance = preset->partition_imbalance,
                                       .seed = ctx->seed}};
    clv_map_job job = {.request = &request, .ctx = ctx};
    return clv_pipeline_map(&job, part, err);
}

static cleave_status try_parts(const clv_tasks *x, int32_t nparts,
                               const clv_task_preset *preset, clv_task_plan *plan,
                               clv_context *ctx, cleave_error *err)
{
    clv_task_plan other;
    clv_ws *ws = &ctx->ws[0];
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *part = clv_ws_alloc(ws, x->ntasks, sizeof *part);
    if (!part)
        return clv_fail_memory(err);
    CLV_TRY(clv_task_plan_alloc(&other, x, ws, err));
    cleave_status status = partition(x, nparts, preset, part, ctx, err);
    if (status == CLEAVE_ENOMEM)
        return status;
    if (status == CLEAVE_OK) { /* else data or work exceed what a partition can count */
        CLV_TRY(clv_tasks_map_clusters(x, part, nparts, &other, ws, err));
        if (other.makespan < plan->makespan)
            clv_task_plan_copy(plan, x, &other, x);
    }
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

cleave_status clv_tasks_partition(const clv_tasks *x, const clv_task_preset *preset,
                                  clv_task_plan *plan, clv_context *ctx, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(&ctx->ws[0]);
    CLV_TRY(clv_tasks_serial(x, plan, &ctx->ws[0], err)); /* one part */
    clv_ws_restore(&ctx->ws[0], mark);
    for (int32_t k = 2; k <= most_parts && k <= x->ntasks && !clv_context_stop(ctx); k *= 2)
        CLV_TRY(try_parts(x, k, preset, plan, ctx, err));
    return CLEAVE_OK;
}
