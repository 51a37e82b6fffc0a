/* SPDX-License-Identifier: Apache-2.0 */
/* engine/tasks/build_tasks.c - the pipeline of cleave_task_schedule_build: checks the graph,
 * calls the method, and validates its result. */
#include "engine/tasks/build_tasks.h"

#include <string.h>

#include "engine/tasks/auto_tasks.h"
#include "engine/tasks/partition_tasks.h"
#include "tasks/list_methods.h"

struct clv_task_method {
    const char *name;
    clv_task_method_fn schedule; /* NULL: the engine's */
};
static const clv_task_method methods[] = {
    {"auto", NULL},
    {"partition", NULL},
    {"heft", clv_tasks_heft},
    {"lookahead", clv_tasks_lookahead},
    {"cpop", clv_tasks_cpop},
    {"peft", clv_tasks_peft},
    {"etf", clv_tasks_etf},
    {"dls", clv_tasks_dls},
    {"minmin", clv_tasks_minmin},
    {"maxmin", clv_tasks_maxmin},
    {"sufferage", clv_tasks_sufferage},
    {"dsc", clv_tasks_dsc},
    {"serial", clv_tasks_serial},
};

const clv_task_method *clv_task_method_find(const char *name)
{
    if (!name || !*name)
        return &methods[0];
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        if (strcmp(name, methods[i].name) == 0)
            return &methods[i];
    return NULL;
}

cleave_status clv_task_graph_check(const clv_graph *g, cleave_error *err)
{
    if (g->kind != CLEAVE_DAG)
        return clv_fail(err, CLEAVE_EINVAL,
                        "only a DAG can be scheduled, but the graph is undirected");
    if (g->ncon != 1)
        return clv_fail(err, CLEAVE_EINVAL,
                        "a schedule is for graphs with one weight per vertex, but this one "
                        "has %ld",
                        (long)g->ncon);
    return CLEAVE_OK;
}

/* ---- Building ----------------------------------------------------------------------------
 */

typedef struct job {
    const clv_task_request *request;
    clv_task_problem problem;
    clv_context *ctx;
} job;

static cleave_status find_plan(const job *j, const clv_tasks *x, clv_task_plan *plan,
                               cleave_error *err)
{
    cleave_task_metrics m;
    const clv_task_preset preset = clv_preset_for_tasks(j->request->opt.effort);
    if (j->request->method->schedule)
        return j->request->method->schedule(x, plan, j->ctx->ws, err);
    if (j->request->method != &methods[0])
        return clv_tasks_partition(x, &preset, plan, j->ctx, err);
    CLV_TRY(clv_evaluate_task_bounds(&m, &j->problem, j->ctx->ws, err));
    return clv_tasks_auto(x, &preset, m.bound, plan, j->ctx, err);
}

static cleave_status make_schedule(clv_task_schedule **out, const job *j, cleave_error *err)
{
    clv_tasks x;
    clv_task_plan plan;
    clv_ws *ws = j->ctx->ws;
    CLV_TRY(clv_tasks_open(&x, &j->problem, ws, err));
    CLV_TRY(clv_task_plan_alloc(&plan, &x, ws, err));
    clv_context_phase(j->ctx, "scheduling", 0, 0);
    CLV_TRY(find_plan(j, &x, &plan, err));
    CLV_TRY(clv_task_schedule_new(out, x.ntasks, j->request->method->name, err));
    for (int32_t v = 0; v < x.ntasks; v++) {
        (*out)->pe[v] = x.pe[plan.pe[v]];
        (*out)->start[v] = plan.start[v];
    }
    return CLEAVE_OK;
}

static cleave_status build_checked(clv_task_schedule **out, const job *j, cleave_error *err)
{
    cleave_task_metrics m;
    cleave_status status = make_schedule(out, j, err);
    if (status == CLEAVE_OK)
        status = clv_evaluate_tasks(&m, &j->problem, *out, j->ctx->ws, err);
    if (status != CLEAVE_OK) {
        clv_task_schedule_free(*out);
        *out = NULL;
        return status;
    }
    clv_context_stop(j->ctx);
    return clv_context_cancelled(j->ctx)
               ? clv_fail(err, CLEAVE_ECANCEL,
                          "stopped by the progress callback; the schedule is the best so far")
               : CLEAVE_OK;
}

cleave_status clv_task_schedule_build(clv_task_schedule **out, const clv_task_request *request,
                                      const clv_graph *g, const clv_target *t,
                                      clv_context *ctx, cleave_error *err)
{
    const job j = {.request = request,
                   .problem = {g, t, request->opt.bandwidth, request->opt.latency},
                   .ctx = ctx};
    *out = NULL;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status = build_checked(out, &j, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
