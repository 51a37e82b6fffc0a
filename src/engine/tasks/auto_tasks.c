/* SPDX-License-Identifier: Apache-2.0 */
/* engine/tasks/auto_tasks.c - what `auto` does for task graphs.
 *
 * fast: the list schedulers, HEFT on the k fastest PEs for several k (data that are sent
 * nowhere need no time), and a short local search from the best.  default: also the slower
 * schedulers, the faster ones on fewer PEs, acyclic partitions of small graphs, and long local
 * searches.  quality, best: acyclic partitions, more searches from the best so far.  A
 * scheduler whose work is out of proportion to the graph is left out, except HEFT. */
#include "engine/tasks/auto_tasks.h"

#include <math.h>

#include "engine/tasks/partition_tasks.h"
#include "tasks/anneal.h"
#include "tasks/list_methods.h"

/* Tasks and arcs up to which acyclic partitions take less time than the local search. */
enum { few_entries = 1000 };

typedef struct choosing {
    const clv_tasks *x;
    double bound;
    int32_t ready;            /* count_ready */
    clv_task_plan *best, own; /* own: scratch for one schedule */
    clv_context *ctx;
} choosing;

/* How the work of a scheduler grows. */
typedef enum growth { per_pair, per_arc_pair, per_child_pair, per_arc } growth;

typedef struct candidate {
    clv_task_method_fn schedule;
    growth work;
    int stage;       /* the first stage that tries it */
    int fewer_stage; /* the stage that also tries it on the k fastest PEs; -1: none */
} candidate;

static const candidate candidates[] = {
    {clv_tasks_heft, per_pair, 0, 0},
    {clv_tasks_peft, per_arc_pair, 0, 1},
    {clv_tasks_cpop, per_pair, 0, -1},
    {clv_tasks_dls, per_arc_pair, 0, -1},
    {clv_tasks_dsc, per_arc, 0, -1},
    {clv_tasks_etf, per_arc_pair, 0, -1},
    {clv_tasks_minmin, per_arc_pair, 0, -1},
    {clv_tasks_maxmin, per_arc_pair, 1, -1},
    {clv_tasks_sufferage, per_arc_pair, 1, -1},
    {clv_tasks_lookahead, per_child_pair, 1, 1},
};
enum { ncandidates = sizeof candidates / sizeof candidates[0] };

static bool is_done(const choosing *c)
{
    return c->best->makespan <= c->bound || clv_context_stop(c->ctx);
}

/* A lower bound on the largest number of tasks that are ready at the same time. */
static int32_t count_ready(const clv_graph *g)
{
    int32_t sources = 0;
    int64_t children = 0;
    for (int32_t v = 0; v < g->nvtx; v++) {
        sources += g->xpred[v] == g->xpred[v + 1];
        if (g->xadj[v + 1] - g->xadj[v] > children)
            children = g->xadj[v + 1] - g->xadj[v];
    }
    return sources > children ? sources : (int32_t)children;
}

/* Is the work in proportion to the graph?  About a tenth of a second is always allowed.
 * Schedulers that choose among the ready tasks look at all of them again for each task. */
static bool is_affordable(const choosing *c, growth work)
{
    const clv_tasks *x = c->x;
    double n = x->ntasks, m = (double)x->g->narc, p = x->npes;
    double steps = work == per_pair       ? (n + m) * p
                   : work == per_arc_pair ? (8 * (n + m) + n * c->ready) * p
                   : work == per_arc      ? 8 * (n + m)
                                          : (n + m) * p * (8 + p);
    return steps <= 3e7;
}

static cleave_status try_schedule(choosing *c, const clv_tasks *x, clv_task_method_fn schedule,
                                  cleave_error *err)
{
    clv_ws *ws = c->ctx->ws;
    clv_ws_mark mark = clv_ws_save(ws);
    cleave_status status = schedule(x, &c->own, ws, err);
    clv_ws_restore(ws, mark);
    if (status == CLEAVE_OK && c->own.makespan < c->best->makespan)
        clv_task_plan_copy(c->best, c->x, &c->own, x);
    return status;
}

/* The next smaller number of PEs that is tried: all up to 8, then in steps of about a third.
 */
static int32_t fewer_pes(int32_t count)
{
    return count <= 8 ? count - 1 : count - (count + 2) / 4;
}

static cleave_status try_on_fewer(choosing *c, const candidate *one, cleave_error *err)
{
    clv_ws *ws = c->ctx->ws;
    cleave_status status = CLEAVE_OK;
    int32_t first = is_affordable(c, one->work) ? fewer_pes(c->x->npes) : c->x->npes / 8;
    for (int32_t k = first; k > 1 && status == CLEAVE_OK && !is_done(c); k = fewer_pes(k)) {
        clv_tasks part;
        clv_ws_mark mark = clv_ws_save(ws);
        status = clv_tasks_on_fastest(&part, c->x, k, ws, err);
        if (status == CLEAVE_OK)
            status = try_schedule(c, &part, one->schedule, err);
        clv_ws_restore(ws, mark);
    }
    return status;
}

static cleave_status try_candidates(choosing *c, int stage, cleave_error *err)
{
    for (int i = 0; i < ncandidates; i++) {
        const candidate *one = &candidates[i];
        if (i > 0 && (is_done(c) || !is_affordable(c, one->work)))
            continue;
        if (one->stage == stage)
            CLV_TRY(try_schedule(c, c->x, one->schedule, err));
        if (one->fewer_stage == stage)
            CLV_TRY(try_on_fewer(c, one, err));
    }
    return CLEAVE_OK;
}

/* ---- Local search ----------------------------------------------------------------------- */

static double fewest(double a, double b)
{
    return a < b ? a : b;
}

static cleave_status anneal(choosing *c, uint64_t number, double heat, double steps,
                            cleave_error *err)
{
    const clv_anneal how = {
        .steps = (int64_t)steps, .heat = heat, .number = number, .bound = c->bound};
    if (is_done(c))
        return CLEAVE_OK;
    return clv_tasks_anneal(c->x, &how, c->best, c->ctx, err);
}

/* Takes c->own if it is better. */
static void keep_better(choosing *c)
{
    if (c->own.makespan < c->best->makespan)
        clv_task_plan_copy(c->best, c->x, &c->own, c->x);
}

/* From all tasks on one PE: where communication is expensive, few PEs are used, and a list
 * schedule on many is far from that. */
static cleave_status anneal_serial(choosing *c, double steps, cleave_error *err)
{
    const clv_anneal how = {
        .steps = (int64_t)steps, .heat = 0.05, .number = 1000, .bound = c->bound};
    if (is_done(c))
        return CLEAVE_OK;
    CLV_TRY(clv_tasks_serial(c->x, &c->own, c->ctx->ws, err));
    CLV_TRY(clv_tasks_anneal(c->x, &how, &c->own, c->ctx, err));
    keep_better(c);
    return CLEAVE_OK;
}

static cleave_status try_partitions(choosing *c, const clv_task_preset *preset,
                                    cleave_error *err)
{
    if (is_done(c))
        return CLEAVE_OK;
    CLV_TRY(clv_tasks_partition(c->x, preset, &c->own, c->ctx, err));
    keep_better(c);
    return CLEAVE_OK;
}

cleave_status clv_tasks_auto(const clv_tasks *x, const clv_task_preset *preset, double bound,
                             clv_task_plan *plan, clv_context *ctx, cleave_error *err)
{
    choosing c = {
        .x = x, .bound = bound, .ready = count_ready(x->g), .best = plan, .ctx = ctx};
    double size = x->ntasks + (double)x->g->narc;
    /* A move changes the makespan of a small graph by about one task. */
    double hot = x->ntasks < 100 ? 1.0 / (x->ntasks + 1) : 0.01;
    CLV_TRY(clv_task_plan_alloc(&c.own, x, ctx->ws, err));
    CLV_TRY(try_schedule(&c, x, clv_tasks_serial, err));
    CLV_TRY(try_candidates(&c, 0, err));
    CLV_TRY(anneal(&c, 0, 0.002, fewest(100 * size, 1e8), err));
    if (preset->stages < 2)
        return CLEAVE_OK;
    CLV_TRY(try_candidates(&c, 1, err));
    double steps =
        fewest(3e6 + 1e3 * size, 2.5e8); /* docs/design/tasks.md, "What auto does" */
    if (size <= few_entries)
        CLV_TRY(try_partitions(&c, preset, err));
    CLV_TRY(anneal_serial(&c, steps, err));
    CLV_TRY(anneal(&c, 1, hot, steps, err));
    /* After what the lower effort does, so that this is never worse. */
    if (size > few_entries && preset->anneals > 0)
        CLV_TRY(try_partitions(&c, preset, err));
    for (int32_t i = 0; i < preset->anneals; i++)
        CLV_TRY(anneal(&c, 2 + (uint64_t)i, i % 2 == 0 ? 0.02 : 0.005, fewest(2e4 * size, 2e9),
                       err));
    return CLEAVE_OK;
}
