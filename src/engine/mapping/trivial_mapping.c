/* SPDX-License-Identifier: Apache-2.0 */
/* engine/mapping/trivial_mapping.c - mappings to one part or with one vertex per PE, see
 * engine/mapping/trivial_mapping.h.
 *
 * If the machine has many times as many PEs as vertices, see engine/mapping/front_mapping.h.
 */
#include "engine/mapping/trivial_mapping.h"

#include <string.h>

#include "engine/mapping/front_mapping.h"
#include "evaluate/traffic.h"

/* ---- One part --------------------------------------------------------------------------- */

/* The only part that may hold vertices; -1: there are several, or none. */
static int32_t only_part(const clv_limits *limits)
{
    int32_t only = -1;
    for (int32_t p = 0; p < limits->bounds.nparts; p++) {
        if (limits->bounds.nparts > 1 && clv_bounds_is_idle(&limits->bounds, p))
            continue;
        if (only >= 0)
            return -1;
        only = p;
    }
    return only;
}

static cleave_status fill_part(const clv_map_job *job, int32_t p, int32_t *part,
                               cleave_error *err)
{
    const clv_graph *g = job->request->g;
    const int32_t *fixed = job->groups.fixed;
    if (fixed && g->kind == CLEAVE_DAG)
        return clv_part_order_fill(&job->order, g, &job->groups, p, job->ctx->ws, part, err);
    for (int32_t v = 0; v < g->nvtx; v++) {
        int32_t u = clv_group_of(&job->groups, v);
        part[v] = fixed && fixed[u] >= 0 ? fixed[u] : p;
    }
    return CLEAVE_OK;
}

/* ---- One vertex per PE ------------------------------------------------------------------ */

cleave_status clv_is_spread(const clv_map_job *job, const int32_t *part, bool useful,
                            bool *yes, cleave_error *err)
{
    clv_ws *ws = &job->ctx->ws[0];
    const clv_limits *limits = &job->limits;
    clv_ws_mark mark = clv_ws_save(ws);
    uint8_t *taken = clv_ws_zalloc(ws, limits->bounds.nparts, sizeof *taken);
    if (!taken)
        return clv_fail_memory(err);
    *yes = true;
    for (int32_t v = 0; v < job->request->g->nvtx; v++) {
        int32_t p = part[v];
        *yes = *yes && p < limits->bounds.nparts && !taken[p] &&
               !(useful && clv_bounds_is_idle(&limits->bounds, p));
        if (*yes)
            taken[p] = 1;
    }
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* Assigns each vertex its own PE; a search improves the assignment if distances differ.
 * Without fixed vertices and with equal speeds, the search starts from the mapping by vertex
 * number, so that the result is no worse. */
static cleave_status spread_vertices(clv_map_job *job, int32_t *part, cleave_error *err)
{
    const clv_graph *g = job->request->g;
    const clv_target *t = job->request->t;
    clv_ws *ws = &job->ctx->ws[0];
    if (clv_front_applies(job->request))
        return clv_front_search(job, part, err);
    CLV_TRY(clv_groups_spread(&job->groups, g, &job->limits, ws, part, err));
    if (!job->machine.t || job->groups.group)
        return CLEAVE_OK;
    int32_t *start = clv_ws_alloc(ws, g->nvtx, sizeof *start);
    if (!start)
        return clv_fail_memory(err);
    memcpy(start, part, (size_t)g->nvtx * sizeof *start);
    bool given = false;
    if (job->start)
        CLV_TRY(clv_is_spread(job, job->start, true, &given, err));
    if (given)
        memcpy(start, job->start, (size_t)g->nvtx * sizeof *start);
    else if (!job->groups.fixed && !job->limits.shares)
        clv_evaluate_identity(g->nvtx, t->npes, start);
    job->start = start;
    clv_partition_task task = clv_pipeline_task(job);
    task.method = clv_method_of(CLV_METHOD_SPREAD);
    return clv_partition(&task, job->ctx, part, &job->stats, err);
}

/* ---- Both ------------------------------------------------------------------------------- */

cleave_status clv_trivial_mapping(clv_map_job *job, int32_t *part, bool *done,
                                  cleave_error *err)
{
    clv_ws *ws = &job->ctx->ws[0];
    int32_t only = only_part(&job->limits), free_parts, free_groups;
    job->stats.levels = 1;
    *done = true;
    CLV_TRY(clv_groups_count(&job->groups, &job->limits, ws, &free_parts, &free_groups, err));
    if (job->request->opt.one_to_one && job->limits.bounds.nparts > 1 &&
        free_parts < free_groups)
        return clv_fail(err, CLEAVE_EINVAL,
                        "one vertex per PE was requested, but only %ld PEs are left for %ld "
                        "vertices",
                        (long)free_parts, (long)free_groups);
    if (only >= 0)
        return fill_part(job, only, part, err);
    if (free_parts >= free_groups)
        return spread_vertices(job, part, err);
    *done = false;
    return CLEAVE_OK;
}
