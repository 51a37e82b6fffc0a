/* SPDX-License-Identifier: Apache-2.0 */
/* engine/keep_start.c - rebalances a given mapping, see engine/keep_start.h. */
#include "engine/keep_start.h"

#include "engine/acyclic/dag_starts.h"
#include "refine/balance/acyclic_balance.h"
#include "refine/balance/rebalance.h"
#include "refine/state/ranks.h"

cleave_status clv_keep_start(const clv_method_task *task, clv_search_result *result,
                             cleave_error *err)
{
    clv_partition_state s;
    bool acyclic;
    clv_context *ctx = task->ctx;
    double before = clv_clock();
    clv_solution given = {.part = task->part};
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    CLV_TRY(clv_given_start(&task->t, ctx, &given, err));
    CLV_TRY(clv_multilevel_state(&s, &task->t, task->part, ctx, err));
    if (s.rank) {
        CLV_TRY(clv_ranks_make(&s, 0, ctx->ws, &acyclic, err));
        CLV_TRY(clv_acyclic_balance(&s, ctx, err));
    } else {
        CLV_TRY(clv_rebalance(&s, ctx, err));
    }
    *result = (clv_search_result){.runs = 1};
    result->last = (clv_multilevel_result){
        .worth = clv_state_worth(&s), .levels = 1, .refine = clv_clock() - before};
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}
