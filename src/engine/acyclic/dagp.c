/* SPDX-License-Identifier: Apache-2.0 */
/* engine/acyclic/dagp.c - dagP [Herrmann et al. 2017, 2019], see engine/acyclic/dagp.h.
 *
 * Choices that the paper leaves open: Coarsening stops at 50 vertices per part or when a level
 * shrinks by less than 10 %.  No matched pair weighs more than the slack between share and
 * bound (or 3 % of a share, if that is more), so that every topological order of the coarsest
 * graph can be sliced within the bounds.  The coarsest level is refined as well.  An
 * unbalanced level is rebalanced before its refinement pass.  In the version of 2019 no
 * cluster weighs more than a tenth of the smaller side of a bisection. */
#include "engine/acyclic/dagp.h"

#include <assert.h>
#include <string.h>

#include "engine/acyclic/dagp_undirected.h"
#include "engine/multilevel/bisection.h"
#include "engine/multilevel/multilevel_cycle.h"
#include "initial/dagp_bisection.h"
#include "refine/balance/acyclic_balance.h"
#include "refine/dagp/acyckway.h"
#include "refine/dagp/boundary_fm.h"
#include "refine/dagp/topref.h"
#include "refine/state/ranks.h"

enum { vertices_per_part = 50, runs_alone = 6, runs_each = 3 };
static const double least_shrink = 0.9;
static const double least_heaviest = 0.03, heaviest_cluster = 0.1;

typedef struct dagp {
    const clv_multilevel_task *task;
    const clv_dagp_params *params;
    clv_cycle levels;
    clv_partition_state s; /* of the current level */
    int32_t *constraint;   /* of the finest level: an acyclic bisection; NULL: none */
    int32_t constraint_rank[2];
} dagp;

/* ---- Coarsening ------------------------------------------------------------------------- */

/* Weight bounds of a matched pair: the smallest slack of all parts that may hold vertices.
 * Returns NULL when out of memory. */
static int64_t *find_heaviest(const dagp *d, clv_ws *ws)
{
    const clv_multilevel_task *t = d->task;
    int32_t ncon = t->g->ncon;
    int64_t *heaviest = clv_ws_alloc(ws, ncon, sizeof *heaviest);
    for (int32_t i = 0; heaviest && i < ncon; i++) {
        double least = -1;
        for (int32_t p = 0; p < t->bounds.nparts; p++) {
            double share = t->bounds.share[(int64_t)p * ncon + i];
            double slack = (double)t->bounds.max[(int64_t)p * ncon + i] - share;
            if (share <= 0)
                continue;
            if (d->params->version == CLV_DAGP_2019)
                slack = heaviest_cluster * share;
            slack = slack > least_heaviest * share ? slack : least_heaviest * share;
            least = least < 0 || slack < least ? slack : least;
        }
        heaviest[i] = least < 1 ? 1 : (int64_t)least;
    }
    return heaviest;
}

/* Bisects the finest level; the result is independent of the state of the levels. */
static cleave_status make_constraint(dagp *d, cleave_error *err)
{
    clv_partition_state s;
    int32_t n = d->task->g->nvtx;
    d->constraint = clv_ws_alloc(d->levels.ctx->ws, n, sizeof *d->constraint);
    if (!d->constraint)
        return clv_fail_memory(err);
    memset(d->constraint, 0, (size_t)n * sizeof *d->constraint);
    CLV_TRY(clv_multilevel_state(&s, d->task, d->constraint, d->levels.ctx, err));
    CLV_TRY(clv_dagp_undirected(&s, d->params->runs, d->levels.ctx, err));
    memcpy(d->constraint_rank, s.rank, sizeof d->constraint_rank);
    return CLEAVE_OK;
}

static cleave_status build_levels(dagp *d, int32_t limit, cleave_error *err)
{
    const clv_dagp_params *p = d->params;
    clv_context *ctx = d->levels.ctx;
    int64_t *heaviest = find_heaviest(d, ctx->ws);
    if (!heaviest)
        return clv_fail_memory(err);
    clv_dag_matching pairs = {.order = p->order, .match = p->match};
    clv_dag_clustering clusters = {.rule = (clv_dag_rule)(p->coarsen - CLV_DAGP_COTOP),
                                   .order = p->order,
                                   .match = p->match};
    clv_coarsening how = {.limit = limit,
                          .max_weight = heaviest,
                          .merge_class = d->constraint,
                          .least_shrink = least_shrink,
                          .end_at_stop = true};
    if (p->coarsen == CLV_DAGP_MATCHING)
        how.matching = &pairs;
    else
        how.clustering = &clusters;
    return clv_hierarchy_build(&d->levels.h, d->task->g, &how, ctx, err);
}

static cleave_status coarsen(void *method, int32_t *nlevels, cleave_error *err)
{
    dagp *d = method;
    clv_context *ctx = d->levels.ctx;
    clv_hierarchy *h = &d->levels.h;
    int64_t limit = (int64_t)vertices_per_part * d->task->bounds.nparts;
    if (d->params->coarsen == CLV_DAGP_NO_COARSENING)
        limit = INT32_MAX;
    if (d->params->constrain != CLV_DAGP_UNCONSTRAINED)
        CLV_TRY(make_constraint(d, err));
    CLV_TRY(build_levels(d, limit < INT32_MAX ? (int32_t)limit : INT32_MAX, err));
    /* After the deadline, slices of the finest level have a lower cut than those of a middle
     * level. */
    bool ended = h->level[h->nlevels - 1].g->nvtx > limit && clv_context_stop(ctx);
    while (ended && h->nlevels > 1)
        clv_hierarchy_drop(h);
    *nlevels = h->nlevels;
    return CLEAVE_OK;
}

/* ---- Levels ----------------------------------------------------------------------------- */

/* The initial partition is the constraint, which clusters do not cross. */
static void take_constraint(dagp *d, int32_t level)
{
    clv_partition_state *s = &d->s;
    memcpy(s->part, d->levels.h.level[level].merge_class,
           (size_t)s->g->nvtx * sizeof *s->part);
    memcpy(s->rank, d->constraint_rank, sizeof d->constraint_rank);
    clv_state_measure(s, d->levels.ctx);
}

static cleave_status solve_coarsest(void *method, int32_t *level, cleave_error *err)
{
    dagp *d = method;
    const clv_dagp_params *params = d->params;
    int32_t alone = params->initial == CLV_DAGP_KER_GP ? runs_each : runs_alone;
    int32_t runs = params->runs > 0 ? params->runs : alone;
    CLV_TRY(clv_partition_open(&d->s, &d->levels, *level, err));
    if (params->constrain == CLV_DAGP_CLUSTERS_AND_START) {
        take_constraint(d, *level);
        return CLEAVE_OK;
    }
    if (params->initial == CLV_DAGP_UNDIRECTED)
        return clv_dagp_undirected(&d->s, params->runs, d->levels.ctx, err);
    if (params->initial == CLV_DAGP_GREEDY)
        return clv_dagp_grow(&d->s, runs, d->levels.ctx, err);
    return clv_dagp_initial(&d->s, params->initial, runs, d->levels.ctx, err);
}

static cleave_status project(void *method, int32_t level, cleave_error *err)
{
    dagp *d = method;
    CLV_TRY(clv_partition_project(&d->s, &d->levels, level, err));
    clv_state_measure(&d->s, d->levels.ctx);
    clv_hierarchy_drop(&d->levels.h);
    return CLEAVE_OK;
}

static cleave_status refine(void *method, int32_t level, cleave_error *err)
{
    (void)level;
    dagp *d = method;
    clv_context *ctx = d->levels.ctx;
    clv_partition_report(&d->s, &d->levels);
    if (d->params->refine == CLV_DAGP_FM)
        return clv_dagp_boundary_fm(&d->s, ctx, err);
    CLV_TRY(clv_acyclic_balance(&d->s, ctx, err));
    if (clv_context_stop(ctx))
        return CLEAVE_OK;
    if (d->params->refine == CLV_DAGP_ACYCKWAY)
        return clv_acyckway(&d->s, ctx, err);
    return clv_topref(&d->s, ctx, err);
}

/* ---- The methods ------------------------------------------------------------------------ */

/* Runs one of the methods that dagP is compared with: an initial partition of the whole
 * graph. */
static cleave_status run_comparator(dagp *d, clv_dagp_start kind,
                                    clv_multilevel_summary *summary, cleave_error *err)
{
    clv_context *ctx = d->levels.ctx;
    double begin = clv_clock();
    d->levels.h.nlevels = 1;
    d->levels.h.level[0].g = d->task->g;
    CLV_TRY(clv_partition_open(&d->s, &d->levels, 0, err));
    CLV_TRY(clv_dagp_initial(&d->s, kind, 1, ctx, err));
    double solved = clv_clock();
    CLV_TRY(clv_acyclic_balance(&d->s, ctx, err));
    *summary = (clv_multilevel_summary){
        .levels = 1, .initial = solved - begin, .refine = clv_clock() - solved};
    return CLEAVE_OK;
}

static cleave_status run_method(dagp *d, clv_dagp_method method, clv_multilevel_result *result,
                                cleave_error *err)
{
    static const clv_multilevel_steps steps = {.coarsen = coarsen,
                                               .solve_coarsest = solve_coarsest,
                                               .project = project,
                                               .refine = refine,
                                               .refine_coarsest = true};
    clv_multilevel_summary summary;
    CLV_TRY(clv_partition_init(&d->s, d->task, d->levels.ctx->ws, err));
    if (method == CLV_DAGP)
        CLV_TRY(clv_multilevel_run(&steps, d, d->levels.ctx, &summary, err));
    else
        CLV_TRY(run_comparator(
            d, method == CLV_DAGP_KERNIGHAN ? CLV_DAGP_KERN : CLV_DAGP_FAUZIA, &summary, err));
    clv_partition_result(&d->s, &summary, result);
    return CLEAVE_OK;
}

/* All parts of the task at once. */
static cleave_status run_at_once(const clv_multilevel_task *task, clv_dagp_method method,
                                 const clv_dagp_params *params, clv_context *ctx,
                                 int32_t *part, clv_multilevel_result *result,
                                 cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    dagp *d = clv_ws_zalloc(ctx->ws, 1, sizeof *d);
    if (!d)
        return clv_fail_memory(err);
    *result = (clv_multilevel_result){0};
    d->task = task;
    d->params = params;
    d->levels.ctx = ctx;
    d->levels.result = part;
    cleave_status status = run_method(d, method, result, err);
    clv_hierarchy_free(&d->levels.h);
    clv_ws_restore(ctx->ws, mark);
    return status;
}

/* ---- Recursive bisection ---------------------------------------------------------------- */

typedef struct dividing {
    const clv_dagp_params *params;
    const clv_graph *whole;
    clv_multilevel_result *first; /* of the first bisection */
} dividing;

static cleave_status bisect(const void *context, const clv_multilevel_task *task,
                            clv_context *ctx, int32_t *way, clv_worth *worth,
                            cleave_error *err)
{
    const dividing *how = context;
    clv_multilevel_result result;
    CLV_TRY(run_at_once(task, CLV_DAGP, how->params, ctx, way, &result, err));
    *worth = result.worth;
    if (task->g->nvtx == how->whole->nvtx)
        *how->first = result;
    return CLEAVE_OK;
}

static cleave_status run_recursively(const clv_multilevel_task *task,
                                     const clv_dagp_params *params, clv_context *ctx,
                                     int32_t *part, clv_multilevel_result *result,
                                     cleave_error *err)
{
    clv_partition_state s;
    bool acyclic = false;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    dividing halves = {.params = params, .whole = task->g, .first = result};
    clv_division how = {.policy = CLV_POLICY_LEVEL, .divider = bisect, .context = &halves};
    *result = (clv_multilevel_result){.levels = 1};
    CLV_TRY(clv_recursive_division(task, NULL, &how, ctx, part, err));
    CLV_TRY(clv_multilevel_state(&s, task, part, ctx, err));
    CLV_TRY(clv_ranks_make(&s, 0, ctx->ws, &acyclic, err));
    assert(acyclic);
    CLV_TRY(clv_acyclic_balance(&s, ctx, err));
    result->worth = clv_state_worth(&s);
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}

cleave_status clv_dagp(const clv_multilevel_task *task, clv_dagp_method method,
                       const clv_dagp_params *params, clv_context *ctx, int32_t *part,
                       clv_multilevel_result *result, cleave_error *err)
{
    assert(task->g->kind == CLEAVE_DAG && !task->fixed && !task->start && !task->merge_class &&
           !task->machine);
    if (method == CLV_DAGP && params->version == CLV_DAGP_2019)
        return run_recursively(task, params, ctx, part, result, err);
    return run_at_once(task, method, params, ctx, part, result, err);
}
