/* SPDX-License-Identifier: Apache-2.0 */
/* engine/multilevel/multilevel_cycle.c - the loop of the multilevel methods, see
 * engine/multilevel/multilevel_cycle.h. */
#include "engine/multilevel/multilevel_cycle.h"

/* Shares of the remaining time: docs/design/engine.md, "Time limit and Ctrl-C". */
static const double share_of_coarsening = 0.6, share_of_start = 0.6,
                    share_of_coarse_levels = 0.5;

static cleave_status uncoarsen_level(const clv_multilevel_steps *steps, void *method,
                                     int32_t level, cleave_error *err)
{
    CLV_TRY(steps->project(method, level, err));
    return steps->refine(method, level, err);
}

/* `level` is solved.  All levels but the finest, unless that is the one solved. */
static cleave_status refine_coarse_levels(const clv_multilevel_steps *steps, void *method,
                                          int32_t level, cleave_error *err)
{
    if (steps->refine_coarsest)
        CLV_TRY(steps->refine(method, level, err));
    while (--level > 0)
        CLV_TRY(uncoarsen_level(steps, method, level, err));
    return CLEAVE_OK;
}

cleave_status clv_multilevel_run(const clv_multilevel_steps *steps, void *method,
                                 clv_context *ctx, clv_multilevel_summary *summary,
                                 cleave_error *err)
{
    int32_t nlevels;
    double begin = clv_clock();
    double deadline = clv_context_narrow(ctx, share_of_coarsening);
    cleave_status status = steps->coarsen(method, &nlevels, err);
    clv_context_widen(ctx, deadline);
    CLV_TRY(status);
    double coarsened = clv_clock();
    int32_t level = nlevels - 1;
    clv_context_narrow(ctx, share_of_start);
    status = steps->solve_coarsest(method, &level, err);
    clv_context_widen(ctx, deadline);
    CLV_TRY(status);
    double solved = clv_clock();
    clv_context_narrow(ctx, level > 0 ? share_of_coarse_levels : 1);
    status = refine_coarse_levels(steps, method, level, err);
    clv_context_widen(ctx, deadline);
    CLV_TRY(status);
    if (level > 0)
        CLV_TRY(uncoarsen_level(steps, method, 0, err));
    *summary = (clv_multilevel_summary){nlevels, coarsened - begin, solved - coarsened,
                                        clv_clock() - solved};
    return CLEAVE_OK;
}

/* ---- Levels of one machine -------------------------------------------------------------- */

cleave_status clv_cycle_open(clv_cycle *c, int32_t level, cleave_error *err)
{
    int32_t nvtx = c->h.level[level].g->nvtx;
    c->part = level == 0 ? c->result : clv_ws_alloc(c->ctx->ws, nvtx, sizeof *c->part);
    return c->part ? CLEAVE_OK : clv_fail_memory(err);
}

typedef struct projection {
    const int32_t *map, *from;
    int32_t *to;
} projection;

static void project_range(void *context, int64_t begin, int64_t end, int member)
{
    (void)member;
    const projection *p = context;
    for (int64_t v = begin; v < end; v++)
        p->to[v] = p->from[p->map[v]];
}

cleave_status clv_cycle_project(clv_cycle *c, int32_t level, cleave_error *err)
{
    const clv_level *fine = &c->h.level[level];
    projection p = {.map = fine->map, .from = c->part};
    CLV_TRY(clv_cycle_open(c, level, err));
    p.to = c->part;
    clv_parallel_for(c->ctx->team, fine->g->nvtx, 1 << 14, project_range, &p);
    return CLEAVE_OK;
}

/* ---- Partitions of these levels --------------------------------------------------------- */

cleave_status clv_partition_init(clv_partition_state *s, const clv_multilevel_task *task,
                                 clv_ws *ws, cleave_error *err)
{
    bool dag = task->g->kind == CLEAVE_DAG;
    int32_t k = task->bounds.nparts;
    *s = (clv_partition_state){.g = task->g, .bounds = task->bounds, .machine = task->machine};
    s->weight = clv_ws_zalloc(ws, clv_bounds_places(&s->bounds), sizeof *s->weight);
    s->count = clv_ws_zalloc(ws, k, sizeof *s->count);
    s->rank = dag ? clv_ws_zalloc(ws, k, sizeof *s->rank) : NULL;
    return s->weight && s->count && (!dag || s->rank) ? CLEAVE_OK : clv_fail_memory(err);
}

static cleave_status set_level(clv_partition_state *s, const clv_cycle *c, int32_t level,
                               cleave_error *err)
{
    s->g = c->h.level[level].g;
    s->level = level;
    s->part = c->part;
    s->maybe_boundary = clv_ws_alloc(c->ctx->ws, s->g->nvtx, sizeof *s->maybe_boundary);
    return s->maybe_boundary ? CLEAVE_OK : clv_fail_memory(err);
}

cleave_status clv_partition_open(clv_partition_state *s, clv_cycle *c, int32_t level,
                                 cleave_error *err)
{
    CLV_TRY(clv_cycle_open(c, level, err));
    return set_level(s, c, level, err);
}

cleave_status clv_partition_project(clv_partition_state *s, clv_cycle *c, int32_t level,
                                    cleave_error *err)
{
    CLV_TRY(clv_cycle_project(c, level, err));
    return set_level(s, c, level, err);
}

void clv_partition_report(const clv_partition_state *s, clv_cycle *c)
{
    clv_context_phase(c->ctx, "refining", c->h.nlevels - s->level, c->h.nlevels);
    c->ctx->now.level = s->level;
    c->ctx->now.cut = s->cut;
    clv_context_stop(c->ctx);
}

void clv_partition_result(const clv_partition_state *s, const clv_multilevel_summary *summary,
                          clv_multilevel_result *result)
{
    result->levels = summary->levels;
    result->coarsen = summary->coarsen;
    result->initial = summary->initial;
    result->refine = summary->refine;
    result->worth = clv_state_worth(s);
}
