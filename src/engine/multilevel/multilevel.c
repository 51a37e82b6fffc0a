/* SPDX-License-Identifier: Apache-2.0 */
/* engine/multilevel/multilevel.c - multilevel k-way partitioning, see
 * engine/multilevel/multilevel.h; the loop is in engine/multilevel/multilevel_cycle.c. */
#include "engine/multilevel/multilevel.h"

#include <assert.h>
#include <string.h>

#include "base/rng.h"
#include "engine/multilevel/bisection.h"
#include "engine/multilevel/fixed_classes.h"
#include "engine/multilevel/multilevel_cycle.h"
#include "engine/multilevel/refine_level.h"
#include "engine/order/line_parts.h"
#include "initial/acyclic_start.h"
#include "initial/portfolio.h"
#include "refine/balance/rebalance.h"
#include "refine/state/ranks.h"

enum { stage_order = 402, stage_first = 407 };
enum {
    worth_a_line = 20000
}; /* vertices; smaller graphs are not checked against
      intervals; not tuned */

typedef struct multilevel {
    const clv_multilevel_task *task;
    const clv_preset *effort;
    clv_context *ctx;
    clv_cycle levels;
    const int32_t *fixed[clv_most_levels]; /* by level */
    clv_partition_state s;                 /* of the current level */
    bool thinned;     /* edges of a level were dropped: cuts of coarse levels are estimates */
    bool from_line;   /* the initial partition is made of intervals of the finest level */
    bool given_up;    /* no parts were made, see no_line */
    bool approximate; /* the cut of s is inexact: a thinned level was not evaluated after
                         the stop */
} multilevel;

/* ---- Coarsening ------------------------------------------------------------------------- */

/* A given solution needs many levels to be refined on.  For the initial partition, bisection
 * coarsens further. */
static int32_t coarse_limit(const multilevel *c)
{
    const clv_coarsening_preset *e = &c->effort->coarsening;
    int64_t k = c->task->bounds.nparts;
    int64_t limit = k * (c->task->start ? e->limit_pair / 2 : e->limit_per_part);
    if (!c->task->start && limit < e->limit_least)
        limit = e->limit_least;
    return limit < INT32_MAX ? (int32_t)limit : INT32_MAX;
}

/* Fixed vertices merge only with vertices fixed to the same part. */
static cleave_status choose_classes(multilevel *c, const int32_t **merge_class,
                                    cleave_error *err)
{
    const clv_multilevel_task *t = c->task;
    *merge_class = t->merge_class ? t->merge_class : t->fixed;
    if (t->merge_class || !t->fixed || t->g->kind == CLEAVE_UNDIRECTED)
        return CLEAVE_OK;
    int32_t *classes = clv_ws_alloc(c->ctx->ws, t->g->nvtx, sizeof *classes);
    if (!classes)
        return clv_fail_memory(err);
    *merge_class = classes;
    return clv_fixed_classes(t, c->ctx->ws, classes, err);
}

static cleave_status choose_coarsening(multilevel *c, clv_coarsening *how, cleave_error *err)
{
    const clv_multilevel_task *t = c->task;
    int32_t ncon = t->g->ncon, limit = coarse_limit(c);
    int64_t *heaviest = clv_ws_zalloc(c->ctx->ws, ncon, sizeof *heaviest);
    if (!heaviest)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < ncon; i++) {
        double total = 0;
        for (int32_t p = 0; p < t->bounds.nparts; p++)
            total += t->bounds.share[(int64_t)p * ncon + i];
        heaviest[i] = (int64_t)(c->effort->coarsening.heaviest * total / (double)limit) + 1;
    }
    const int32_t *merge_class;
    CLV_TRY(choose_classes(c, &merge_class, err));
    *how = (clv_coarsening){.limit = limit,
                            .max_weight = heaviest,
                            .kind = c->effort->coarsening.merge,
                            .spare_weak = c->effort->coarsening.spare_weak,
                            .finer = c->effort->coarsening.finer,
                            .sparsify_from = c->effort->coarsening.sparsify_from,
                            .density = c->effort->coarsening.density,
                            .merge_class = merge_class};
    return CLEAVE_OK;
}

/* Projects values[v] of a level to the coarse vertices.  Returns NULL when out of memory. */
static int32_t *carry_down(const clv_level *level, int32_t ncoarse, const int32_t *values,
                           clv_ws *ws)
{
    int32_t *coarse = clv_ws_alloc(ws, ncoarse, sizeof *coarse);
    for (int32_t v = 0; coarse && v < level->g->nvtx; v++)
        coarse[level->map[v]] = values[v];
    return coarse;
}

static cleave_status carry_fixed(multilevel *c, cleave_error *err)
{
    const clv_hierarchy *h = &c->levels.h;
    c->fixed[0] = c->task->fixed;
    for (int32_t i = 1; i < h->nlevels && c->task->fixed; i++) {
        c->fixed[i] =
            carry_down(&h->level[i - 1], h->level[i].g->nvtx, c->fixed[i - 1], c->ctx->ws);
        if (!c->fixed[i])
            return clv_fail_memory(err);
    }
    return CLEAVE_OK;
}

static bool any_thinned(const clv_hierarchy *h)
{
    for (int32_t i = 1; i < h->nlevels; i++)
        if (h->level[i].thinned)
            return true;
    return false;
}

static cleave_status coarsen(void *method, int32_t *nlevels, cleave_error *err)
{
    multilevel *c = method;
    clv_coarsening how;
    CLV_TRY(choose_coarsening(c, &how, err));
    CLV_TRY(clv_hierarchy_build(&c->levels.h, c->task->g, &how, c->ctx, err));
    c->thinned = any_thinned(&c->levels.h);
    *nlevels = c->levels.h.nlevels;
    return carry_fixed(c, err);
}

/* ---- Projection ------------------------------------------------------------------------- */

typedef struct projection {
    const int32_t *map;
    const uint8_t *from;
    uint8_t *to;
} projection;

static void project_range(void *context, int64_t begin, int64_t end, int member)
{
    (void)member;
    const projection *p = context;
    for (int64_t v = begin; v < end; v++)
        p->to[v] = p->from[p->map[v]];
}

static void count_vertices(clv_partition_state *s)
{
    memset(s->count, 0, (size_t)s->bounds.nparts * sizeof *s->count);
    for (int32_t v = 0; v < s->g->nvtx; v++)
        s->count[s->part[v]]++;
}

/* After the stop, a solution within the bounds is not evaluated before it is compared with a
 * line. */
static bool is_measured_later(const multilevel *c, int32_t level)
{
    bool within = clv_bounds_overload(&c->s.bounds, c->s.weight) == 0;
    return clv_context_is_stopped(c->ctx) && (level > 0 || within);
}

/* Vertices of a coarse vertex inside its part are inside theirs: only those of the coarse
 * boundary can be boundary vertices. */
static cleave_status project(void *method, int32_t level, cleave_error *err)
{
    multilevel *c = method;
    projection p = {.map = c->levels.h.level[level].map, .from = c->s.maybe_boundary};
    CLV_TRY(clv_partition_project(&c->s, &c->levels, level, err));
    c->s.fixed = c->fixed[level];
    p.to = c->s.maybe_boundary;
    clv_parallel_for(c->ctx->team, c->s.g->nvtx, 1 << 14, project_range, &p);
    c->approximate |= c->levels.h.level[level + 1].thinned;
    if (c->approximate && !is_measured_later(c, level)) {
        clv_state_measure(&c->s, c->ctx);
        c->approximate = false;
    } else {
        count_vertices(&c->s);
    }
    clv_hierarchy_drop(&c->levels.h);
    return CLEAVE_OK;
}

/* ---- The coarsest level ----------------------------------------------------------------- */

/* Computes the topological order of the parts of a DAG. */
static cleave_status rank_parts(multilevel *c, cleave_error *err)
{
    bool acyclic = true;
    if (c->s.rank)
        CLV_TRY(clv_ranks_make(&c->s, 0, c->ctx->ws, &acyclic, err));
    assert(acyclic);
    return CLEAVE_OK;
}

static cleave_status start_from_given(multilevel *c, cleave_error *err)
{
    const clv_hierarchy *h = &c->levels.h;
    const int32_t *values = c->task->start;
    for (int32_t i = 1; i < h->nlevels; i++) {
        values = carry_down(&h->level[i - 1], h->level[i].g->nvtx, values, c->ctx->ws);
        if (!values)
            return clv_fail_memory(err);
    }
    memcpy(c->s.part, values, (size_t)c->s.g->nvtx * sizeof *values);
    clv_state_measure(&c->s, c->ctx);
    return rank_parts(c, err);
}

static cleave_status start_by_growing(multilevel *c, cleave_error *err)
{
    const clv_initial_preset *e = &c->effort->initial;
    clv_grow_params params = {e->tries, e->most_tries, 3, 50, 0};
    return clv_grow_bipartition(&c->s, &params, c->ctx, err);
}

/* The order of the parts matters if their bounds differ.  Fixed vertices require the order of
 * the numbers; without them it is random.  Returns NULL when out of memory. */
static int32_t *draw_order(const multilevel *c)
{
    int32_t k = c->s.bounds.nparts, *order = clv_ws_alloc(c->ctx->ws, k, sizeof *order);
    if (!order)
        return NULL;
    clv_rng rng = clv_rng_make(c->ctx->seed, stage_order, 0, 0);
    clv_rng_permutation(&rng, k, order);
    for (int32_t p = 0; p < k && (c->s.fixed || !c->effort->dag.any_order); p++)
        order[p] = p;
    return order;
}

/* Initial partition from slices of topological orders. */
static cleave_status start_by_slicing(multilevel *c, cleave_error *err)
{
    const clv_initial_preset *e = &c->effort->initial;
    int32_t *order = draw_order(c);
    if (!order)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < c->s.bounds.nparts; i++)
        c->s.rank[order[i]] = i;
    clv_acyclic_start_params params = {
        .tries = e->tries, .most = e->most_tries, .fm_passes = 2, .patience = 50};
    return clv_acyclic_start(&c->s, &params, c->ctx, err);
}

/* With a time limit, which may also end refinement early: the projected parts of a coarse
 * graph can be worse than intervals of the finest level.  Replacing them keeps longer limits
 * from giving worse results. */
static cleave_status offer_line(multilevel *c, bool *replaced, cleave_error *err)
{
    *replaced = false;
    if (c->task->start || c->task->no_line || c->s.rank || c->from_line ||
        c->s.g->nvtx < worth_a_line ||
        !(clv_context_is_limited(c->ctx) || clv_context_is_stopped(c->ctx)))
        return CLEAVE_OK;
    c->from_line = true; /* it is offered once */
    return clv_line_replace(c->task, c->ctx, c->s.part, replaced, err);
}

static cleave_status measure_line(multilevel *c, cleave_error *err)
{
    clv_state_measure(&c->s, c->ctx);
    c->approximate = false;
    return clv_rebalance(&c->s, c->ctx, err);
}

static cleave_status replace_by_line(multilevel *c, cleave_error *err)
{
    bool replaced;
    CLV_TRY(offer_line(c, &replaced, err));
    return replaced ? measure_line(c, err) : CLEAVE_OK;
}

/* Approximate cost of the initial partition in passes over the arcs: a constant per
 * bisection. */
static int64_t first_passes(const multilevel *c)
{
    int64_t passes = clv_passes_per_halving;
    for (int32_t parts = 2; parts < c->s.bounds.nparts; parts *= 2)
        passes += clv_passes_per_halving;
    return passes;
}

/* machine: that of the task, or NULL for a bisection that ignores it. */
static cleave_status bisect(multilevel *c, const clv_preset *effort,
                            const clv_machine *machine, cleave_error *err)
{
    int32_t *order = draw_order(c);
    if (!order)
        return clv_fail_memory(err);
    clv_multilevel_task task = {.g = c->s.g, .fixed = c->s.fixed, .machine = machine};
    CLV_TRY(clv_bounds_permute(&task.bounds, &c->s.bounds, order, c->ctx->ws, err));
    CLV_TRY(clv_recursive_bisection(&task, effort, c->ctx, c->s.part, err));
    for (int32_t v = 0; v < c->s.g->nvtx; v++)
        c->s.part[v] = order[c->s.part[v]];
    return CLEAVE_OK;
}

static cleave_status measure_bisection(multilevel *c, cleave_error *err)
{
    bool replaced = false;
    if (c->levels.h.nlevels == 1 && clv_context_is_stopped(c->ctx)) /* measured once */
        CLV_TRY(offer_line(c, &replaced, err));
    if (replaced)
        return measure_line(c, err);
    clv_state_measure(&c->s, c->ctx);
    return rank_parts(c, err);
}

/* Is the coarsest graph larger than planned, and too large for the remaining time?  Coarsening
 * ends early after its share of the time, or as soon as it cannot end in time. */
static bool is_too_large(const multilevel *c)
{
    if (!c->levels.h.cut_short || c->task->start)
        return false;
    int64_t narc = c->levels.h.level[c->levels.h.nlevels - 1].g->narc;
    int64_t arcs = first_passes(c) * narc;
    return clv_context_stop(c->ctx) ? !clv_context_afford(c->ctx, arcs)
                                    : arcs > c->ctx->credit;
}

static cleave_status open_level(multilevel *c, int32_t level, cleave_error *err)
{
    c->s.fixed = c->fixed[level];
    return clv_partition_open(&c->s, &c->levels, level, err);
}

/* After the deadline: intervals of the finest level are better than those of a coarser one. */
static cleave_status start_by_line(multilevel *c, cleave_error *err)
{
    c->from_line = true;
    c->given_up = c->task->no_line && clv_context_is_stopped(c->ctx);
    if (c->given_up)
        return CLEAVE_OK;
    while (c->levels.h.nlevels > 1)
        clv_hierarchy_drop(&c->levels.h);
    CLV_TRY(open_level(c, 0, err));
    if (!c->s.rank)
        return clv_line_parts(&c->s, c->ctx, err);
    clv_acyclic_start_params once = {.tries = 1, .most = 1, .quick = true};
    for (int32_t p = 0; p < c->s.bounds.nparts; p++)
        c->s.rank[p] = p;
    return clv_acyclic_start(&c->s, &once, c->ctx, err);
}

static cleave_status first_parts(multilevel *c, cleave_error *err)
{
    if (c->task->start)
        return start_from_given(c, err);
    if (c->effort->initial.bisections > 0) {
        CLV_TRY(bisect(c, c->effort, c->s.rank ? NULL : c->s.machine, err));
        return measure_bisection(c, err);
    }
    return c->s.rank ? start_by_slicing(c, err) : start_by_growing(c, err);
}

/* On a machine, recursive bisection has placed the parts step by step; exchanging whole parts
 * can still lower the cost. */
static cleave_status place_first_parts(multilevel *c, const clv_placement_params *params,
                                       cleave_error *err)
{
    if (!c->s.machine || params->rounds == 0 || !clv_context_afford(c->ctx, c->s.g->narc))
        return CLEAVE_OK;
    clv_placement_params placement = clv_preset_placement_on(params, c->s.machine);
    return clv_placement_kway(&c->s, &placement, c->ctx, err);
}

/* Beyond the machines with a table of distances, one solution takes long enough. */
static int32_t first_solutions(const multilevel *c)
{
    if (c->s.rank || c->task->start || c->effort->initial.bisections == 0 ||
        (c->s.machine && !c->s.machine->table))
        return 1;
    return clv_preset_first_solutions(c->effort, c->s.bounds.nparts, c->s.machine);
}

typedef struct first_parts_found {
    int32_t *part; /* of the best */
    clv_worth worth;
    bool present; /* the present state is the best one */
} first_parts_found;

/* Solution i, placed once and refined without flows. */
static cleave_status try_first_parts(multilevel *c, int32_t i, first_parts_found *best,
                                     cleave_error *err)
{
    const clv_machine *machine = i < c->effort->initial.rivals.along ? c->s.machine : NULL;
    clv_preset light = clv_preset_for_rival(c->effort, i == 0);
    clv_ws_mark mark = clv_ws_save(c->ctx->ws);
    best->present = false;
    CLV_TRY(bisect(c, &light, machine, err));
    if (i > 0 && clv_context_is_stopped(c->ctx)) {
        clv_ws_restore(c->ctx->ws, mark);
        return CLEAVE_OK;
    }
    CLV_TRY(measure_bisection(c, err));
    CLV_TRY(place_first_parts(c, &light.initial.placement, err));
    CLV_TRY(clv_refine_level(&c->s, &light, c->ctx, err));
    clv_ws_restore(c->ctx->ws, mark);
    clv_worth is = clv_state_worth(&c->s);
    best->present = i == 0 || clv_worth_better(is, best->worth);
    if (best->present) {
        best->worth = is;
        memcpy(best->part, c->s.part, (size_t)c->s.g->nvtx * sizeof *best->part);
    }
    return CLEAVE_OK;
}

/* Which solution is the cheapest depends on the graph and the machine, and is known only after
 * refinement, which is cheap on the coarsest graph.  The least bisection does not begin the
 * least partition either: a cube has an oblique bisection that cuts less than a plane, but
 * eight octants cut less than what follows from it. */
static cleave_status best_first_parts(multilevel *c, cleave_error *err)
{
    const clv_initial_preset *e = &c->effort->initial;
    uint64_t seed = c->ctx->seed;
    cleave_status status = CLEAVE_OK;
    int64_t n = c->s.g->nvtx;
    clv_ws_mark mark = clv_ws_save(c->ctx->ws);
    first_parts_found best = {.part = clv_ws_alloc(c->ctx->ws, n, sizeof *best.part)};
    if (!best.part)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < first_solutions(c) && status == CLEAVE_OK; i++) {
        clv_rng rng = clv_rng_make(seed, stage_first, 0, (uint64_t)i);
        c->ctx->seed = i == 0 ? seed : clv_rng_u64(&rng);
        if (i > 0 && !clv_context_afford(c->ctx, first_passes(c) * c->s.g->narc))
            break;
        status = try_first_parts(c, i, &best, err);
    }
    c->ctx->seed = seed;
    CLV_TRY(status);
    if (!best.present) {
        memcpy(c->s.part, best.part, (size_t)n * sizeof *best.part);
        clv_state_measure(&c->s, c->ctx);
    }
    if (e->placement.kicks > 0)
        CLV_TRY(place_first_parts(c, &e->placement, err));
    clv_ws_restore(c->ctx->ws, mark);
    return CLEAVE_OK;
}

static cleave_status solve_coarsest(void *method, int32_t *level, cleave_error *err)
{
    multilevel *c = method;
    if (is_too_large(c)) {
        *level = 0;
        return start_by_line(c, err);
    }
    CLV_TRY(open_level(c, *level, err));
    if (first_solutions(c) > 1)
        return best_first_parts(c, err);
    CLV_TRY(first_parts(c, err));
    return place_first_parts(c, &c->effort->initial.placement, err);
}

/* ---- The whole -------------------------------------------------------------------------- */

static cleave_status refine(void *method, int32_t level, cleave_error *err)
{
    multilevel *c = method;
    if (c->given_up)
        return CLEAVE_OK;
    if (level == 0 && c->levels.h.nlevels == 1)
        CLV_TRY(replace_by_line(c, err));
    clv_partition_report(&c->s, &c->levels);
    return clv_refine_level(&c->s, c->effort, c->ctx, err);
}

/* Refinement of thinned levels works on estimates and can end worse than the start: keeps the
 * better one. */
static cleave_status keep_better_start(multilevel *c, int32_t *part, cleave_error *err)
{
    clv_partition_state start;
    int64_t n = c->task->g->nvtx;
    int32_t *copy = clv_ws_alloc(c->ctx->ws, n, sizeof *copy);
    if (!copy)
        return clv_fail_memory(err);
    memcpy(copy, c->task->start, (size_t)n * sizeof *part);
    CLV_TRY(clv_multilevel_state(&start, c->task, copy, c->ctx, err));
    if (!clv_worth_better(clv_state_worth(&start), clv_state_worth(&c->s)))
        return CLEAVE_OK;
    memcpy(part, copy, (size_t)n * sizeof *part);
    start.part = part;
    c->s = start;
    return CLEAVE_OK;
}

cleave_status clv_multilevel_state(clv_partition_state *s, const clv_multilevel_task *task,
                                   int32_t *part, clv_context *ctx, cleave_error *err)
{
    CLV_TRY(clv_partition_init(s, task, ctx->ws, err));
    s->part = part;
    s->fixed = task->fixed;
    s->maybe_boundary = clv_ws_alloc(ctx->ws, task->g->nvtx, sizeof *s->maybe_boundary);
    if (!s->maybe_boundary)
        return clv_fail_memory(err);
    for (int32_t p = 0; s->rank && p < s->bounds.nparts; p++)
        s->rank[p] = p;
    clv_state_measure(s, ctx);
    return CLEAVE_OK;
}

/* Finishes the cycle on the finest level: replaces the solution by a better one, if there is
 * one, and fills the result. */
static cleave_status finish_cycle(multilevel *c, clv_multilevel_summary *summary,
                                  int32_t *part, clv_multilevel_result *result,
                                  cleave_error *err)
{
    double refined = clv_clock();
    if (summary->levels > 1)
        CLV_TRY(replace_by_line(c, err));
    if (c->approximate)
        clv_state_measure(&c->s, c->ctx);
    if (c->task->start && c->thinned)
        CLV_TRY(keep_better_start(c, part, err));
    summary->refine += clv_clock() - refined;
    clv_partition_result(&c->s, summary, result);
    if (c->given_up)
        result->worth = clv_worth_none();
    return CLEAVE_OK;
}

cleave_status clv_multilevel(const clv_multilevel_task *task, const clv_preset *effort,
                             clv_context *ctx, int32_t *part, clv_multilevel_result *result,
                             cleave_error *err)
{
    static const clv_multilevel_steps steps = {.coarsen = coarsen,
                                               .solve_coarsest = solve_coarsest,
                                               .project = project,
                                               .refine = refine,
                                               .refine_coarsest = true};
    clv_multilevel_summary summary;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    multilevel *c = clv_ws_zalloc(ctx->ws, 1, sizeof *c);
    if (!c)
        return clv_fail_memory(err);
    c->task = task;
    c->effort = effort;
    c->ctx = ctx;
    c->levels.ctx = ctx;
    c->levels.result = part;
    cleave_status status = clv_partition_init(&c->s, task, ctx->ws, err);
    if (status == CLEAVE_OK)
        status = clv_multilevel_run(&steps, c, ctx, &summary, err);
    if (status == CLEAVE_OK)
        status = finish_cycle(c, &summary, part, result, err);
    clv_hierarchy_free(&c->levels.h);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
