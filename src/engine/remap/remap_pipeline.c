/* SPDX-License-Identifier: Apache-2.0 */
/* engine/remap/remap_pipeline.c - the steps of cleave_remap, see
 * engine/remap/remap_pipeline.h. */
#include "engine/remap/remap_pipeline.h"

#include "engine/mapping/trivial_mapping.h"
#include "engine/task_normalise.h"
#include "evaluate/evaluate.h"
#include "target/pe_match.h"

/* ---- Where vertices live ---------------------------------------------------------------- */

static cleave_status find_lives(clv_remap_job *job, cleave_error *err)
{
    const clv_mapping *old = job->old;
    clv_ws *ws = job->map.ctx->ws;
    clv_used_parts used;
    int32_t *lives = clv_ws_alloc(ws, old->nvtx, sizeof *lives);
    if (!lives)
        return clv_fail_memory(err);
    job->lives = lives;
    CLV_TRY(clv_evaluate_used_parts(old->nvtx, old->nparts, old->part, ws, &used, err));
    int32_t *pe = clv_ws_alloc(ws, used.count, sizeof *pe);
    int32_t *match = clv_ws_alloc(ws, used.count, sizeof *match);
    if (!pe || !match)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < used.count; i++)
        pe[i] = used.label ? used.label[i] : i;
    /* Empty parts may have numbers beyond the old machine. */
    int32_t count = used.count, most = job->from ? job->from->npes : INT32_MAX;
    while (count > 0 && pe[count - 1] >= most)
        count--;
    CLV_TRY(clv_pe_match(job->from, count, pe, job->map.request->t, match, err));
    for (int32_t v = 0; v < old->nvtx; v++)
        lives[v] = match[used.part[v]];
    return CLEAVE_OK;
}

/* Must all PEs stay empty?  Then vertices may be on any of them (clv_verdict_reach). */
static bool all_idle(const clv_limits *limits)
{
    int32_t idle = 0;
    while (idle < limits->bounds.nparts && clv_bounds_is_idle(&limits->bounds, idle))
        idle++;
    return idle == limits->bounds.nparts;
}

/* Only fixed vertices have their home on a PE that must stay empty. */
static cleave_status find_homes(clv_remap_job *job, cleave_error *err)
{
    const clv_groups *groups = &job->map.groups;
    int32_t n = job->old->nvtx;
    bool anywhere = all_idle(&job->map.limits);
    int32_t *home = clv_ws_alloc(job->map.ctx->ws, n, sizeof *home);
    if (!home)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < n; v++) {
        int32_t pe = job->lives[v];
        int32_t fixed = groups->fixed ? groups->fixed[clv_group_of(groups, v)] : -1;
        bool stays =
            anywhere || fixed == pe || !clv_bounds_is_idle(&job->map.limits.bounds, pe);
        home[v] = pe >= 0 && stays ? pe : -1;
    }
    job->task.home = home;
    return CLEAVE_OK;
}

/* ---- The steps -------------------------------------------------------------------------- */

static cleave_status normalise_remap(clv_remap_job *job, cleave_error *err)
{
    CLV_TRY(clv_normalise_request(&job->map, err));
    job->map.start = NULL;
    CLV_TRY(find_lives(job, err));
    CLV_TRY(find_homes(job, err));
    job->task.to = clv_pipeline_task(&job->map);
    return CLEAVE_OK;
}

cleave_status clv_pipeline_remap(clv_remap_job *job, int32_t *part, cleave_error *err)
{
    bool done;
    clv_context *ctx = job->map.ctx;
    CLV_TRY(normalise_remap(job, err));
    int32_t *made = clv_ws_alloc(ctx->ws, job->old->nvtx, sizeof *made);
    if (!made)
        return clv_fail_memory(err);
    CLV_TRY(clv_trivial_mapping(&job->map, made, &done, err));
    if (done)
        return clv_remap_trivial(&job->task, made, ctx, part, &job->result, err);
    CLV_TRY(clv_remap(&job->task, ctx, part, &job->result, err));
    job->map.stats = job->result.stats;
    return CLEAVE_OK;
}

cleave_status clv_pipeline_judge_remap(clv_remap_job *job, const int32_t *part,
                                       cleave_error *err)
{
    const clv_graph *g = job->map.request->g;
    CLV_TRY(clv_evaluate_cut(g, job->old->part, &job->cut_before, err));
    job->migration = clv_remap_migration(g, job->lives, part);
    return clv_pipeline_judge(&job->map, part, err);
}
