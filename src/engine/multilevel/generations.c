/* SPDX-License-Identifier: Apache-2.0 */
/* engine/multilevel/generations.c - memetic search [Sanders, Schulz 2012], see
 * engine/multilevel/generations.h. */
#include "engine/multilevel/generations.h"

#include <string.h>

#include "base/failure.h"
#include "base/rng.h"
#include "engine/acyclic/dag_starts.h"

enum {
    stage_generations = 501,
    parallel_below = 8000000, /* arcs; larger graphs are solved one at a time by all
                                 threads; not tuned */
    stale_generations = 12    /* generations without improvement before a restart; not tuned */
};

typedef enum origin { fresh, underlying, sliced, cycled, combined } origin;

typedef struct child {
    clv_solution made;
    int32_t *merge_class;
    clv_solution start; /* DAGs: its start if `from` is underlying or sliced */
    origin from;
    int32_t a, b; /* parents */
    clv_preset effort;
    uint64_t seed;
} child;

typedef struct generations {
    const clv_multilevel_task *task;
    const clv_preset *effort;
    clv_context *ctx;
    clv_search_result *result;
    int32_t size;       /* of the population and of a generation */
    clv_solution *live; /* sorted, best first */
    int32_t nlive;
    child *children;
    clv_failure failure; /* of the child that failed */
} generations;

/* ---- Making children -------------------------------------------------------------------- */

static cleave_status make_child_from(const generations *x, child *c, clv_context *ctx,
                                     cleave_error *err)
{
    clv_multilevel_task task = *x->task;
    task.start = NULL;
    if (c->from == underlying)
        CLV_TRY(clv_underlying_start(&task, &c->effort, ctx, &c->start, err));
    if (c->from == sliced)
        CLV_TRY(clv_sliced_start(&task, &c->effort, ctx, &c->start, err));
    if (c->from == underlying && c->start.is.worth.overload == INT64_MAX)
        return CLEAVE_OK;
    const int32_t *a = c->from < cycled ? c->start.part : x->live[c->a].part;
    if (c->from != fresh)
        task = clv_search_cycle(x->task, a, c->from == combined ? x->live[c->b].part : NULL,
                                c->merge_class);
    return clv_multilevel(&task, &c->effort, ctx, c->made.part, &c->made.is, err);
}

/* After the deadline no child is made: its worth is worse than any. */
static void make_child(generations *x, int64_t i, clv_context *ctx)
{
    child *c = &x->children[i];
    c->made.is = (clv_multilevel_result){.worth = clv_worth_none()};
    if (clv_context_stop(ctx))
        return;
    cleave_error err = {.status = CLEAVE_OK};
    uint64_t seed = ctx->seed;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    ctx->seed = c->seed;
    cleave_status status = make_child_from(x, c, ctx, &err);
    if (status != CLEAVE_OK)
        clv_failure_note(&x->failure, i, status, &err);
    clv_ws_restore(ctx->ws, mark);
    ctx->seed = seed;
}

static void make_range(void *context, int64_t begin, int64_t end, int member)
{
    generations *x = context;
    clv_context ctx = clv_context_child(x->ctx, member);
    for (int64_t i = begin; i < end; i++)
        make_child(x, i, &ctx);
}

static cleave_status make_all(generations *x, int32_t count, cleave_error *err)
{
    if (x->task->g->narc < parallel_below)
        clv_parallel_for(x->ctx->team, count, 1, make_range, x);
    else
        for (int32_t i = 0; i < count; i++)
            make_child(x, i, x->ctx);
    CLV_TRY(clv_failure_result(&x->failure, err));
    for (int32_t i = 0; i < count; i++)
        clv_search_count(x->result, &x->children[i].made.is);
    return CLEAVE_OK;
}

/* ---- Choosing --------------------------------------------------------------------------- */

/* Tournament selection: the better of two random solutions.  live is sorted. */
static int32_t tournament(const generations *x, clv_rng *rng)
{
    int32_t a = (int32_t)clv_rng_below(rng, (uint32_t)x->nlive);
    int32_t b = (int32_t)clv_rng_below(rng, (uint32_t)x->nlive);
    return a < b ? a : b;
}

static void vary(const generations *x, child *c, clv_rng *rng)
{
    c->effort = clv_preset_vary(x->effort, x->task->g, c->from == fresh, rng);
}

/* Plans a child without parents.  DAGs have three kinds of start, and may be sliced into all
 * parts at once on the coarsest level. */
static void plan_fresh(const generations *x, child *c, clv_rng *rng)
{
    static const origin ways[] = {fresh, fresh, underlying, sliced};
    bool dag = x->task->g->kind == CLEAVE_DAG;
    c->from = dag ? ways[clv_rng_below(rng, 4)] : fresh;
    vary(x, c, rng);
    if (dag)
        clv_preset_vary_start(&c->effort, rng);
}

static void plan(const generations *x, int32_t generation, int32_t index, child *c)
{
    clv_rng rng =
        clv_rng_make(x->ctx->seed, stage_generations, (uint64_t)generation, (uint64_t)index);
    c->seed = clv_rng_u64(&rng);
    uint32_t lot = clv_rng_below(&rng, 8);
    c->from = generation == 0 || lot == 0 ? fresh : lot == 1 ? cycled : combined;
    if (c->from == fresh) {
        plan_fresh(x, c, &rng);
        return;
    }
    vary(x, c, &rng);
    c->a = tournament(x, &rng);
    c->b = (int32_t)clv_rng_below(&rng, (uint32_t)x->nlive);
    if (c->a == c->b)
        c->from = cycled;
    if (c->from == combined && c->b < c->a) {
        int32_t swap = c->a;
        c->a = c->b;
        c->b = swap;
    }
}

/* The solution that a child replaces: one of the same worth, so that the population does not
 * fill up with copies; otherwise the worst if the child is better; otherwise none (-1). */
static int32_t place_for(const generations *x, const clv_multilevel_result *is)
{
    for (int32_t i = 0; i < x->nlive; i++)
        if (clv_worth_same(x->live[i].is.worth, is->worth))
            return i;
    if (x->nlive < x->size)
        return x->nlive;
    return clv_worth_better(is->worth, x->live[x->nlive - 1].is.worth) ? x->nlive - 1 : -1;
}

static void admit(generations *x, child *c)
{
    int32_t i = place_for(x, &c->made.is);
    if (i < 0)
        return;
    clv_solution out = x->live[i];
    if (i == x->nlive)
        x->nlive++;
    for (; i > 0 && clv_worth_better(c->made.is.worth, x->live[i - 1].is.worth); i--)
        x->live[i] = x->live[i - 1];
    x->live[i] = c->made;
    c->made = out;
}

/* ---- The whole -------------------------------------------------------------------------- */

static bool over(const generations *x, int32_t generation)
{
    bool limited = clv_context_is_limited(x->ctx) && x->effort->search.until_limit;
    if (!limited && generation > x->effort->search.generations)
        return true;
    return clv_context_stop(x->ctx);
}

static cleave_status evolve(generations *x, cleave_error *err)
{
    int32_t stale = 0;
    for (int32_t generation = 0; !over(x, generation); generation++) {
        clv_worth before = x->live[0].is.worth;
        /* The first solution exists already. */
        int32_t count = generation == 0 ? x->size - 1 : x->size;
        for (int32_t i = 0; i < count; i++)
            plan(x, generation, i, &x->children[i]);
        CLV_TRY(make_all(x, count, err));
        for (int32_t i = 0; i < count; i++)
            admit(x, &x->children[i]);
        clv_context_phase(x->ctx, "combining", generation, 0);
        x->ctx->now.cut = x->live[0].is.worth.cut;
        stale = clv_worth_better(x->live[0].is.worth, before) ? 0 : stale + 1;
        if (stale == stale_generations) {
            /* Restart: keep the best two solutions and replace the others. */
            stale = 0;
            x->nlive = x->nlive < 2 ? x->nlive : 2;
        }
    }
    return CLEAVE_OK;
}

static cleave_status allocate_population(generations *x, cleave_error *err)
{
    clv_ws *ws = x->ctx->ws;
    int64_t n = x->task->g->nvtx;
    x->live = clv_ws_zalloc(ws, x->size, sizeof *x->live);
    x->children = clv_ws_zalloc(ws, x->size, sizeof *x->children);
    if (!x->live || !x->children)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < x->size; i++) {
        x->live[i].part = clv_ws_alloc(ws, n, sizeof *x->live[i].part);
        x->children[i].made.part = clv_ws_alloc(ws, n, sizeof *x->live[i].part);
        x->children[i].merge_class = clv_ws_alloc(ws, n, sizeof *x->children[i].merge_class);
        if (!x->live[i].part || !x->children[i].made.part || !x->children[i].merge_class)
            return clv_fail_memory(err);
        if (x->task->g->kind != CLEAVE_DAG)
            continue;
        x->children[i].start.part = clv_ws_alloc(ws, n, sizeof *x->live[i].part);
        if (!x->children[i].start.part)
            return clv_fail_memory(err);
    }
    return CLEAVE_OK;
}

cleave_status clv_generations(const clv_multilevel_task *task, const clv_preset *effort,
                              clv_context *ctx, clv_solution *best, clv_search_result *result,
                              cleave_error *err)
{
    generations x = {.task = task,
                     .effort = effort,
                     .ctx = ctx,
                     .result = result,
                     .size = effort->search.population};
    size_t bytes = (size_t)task->g->nvtx * sizeof *best->part;
    clv_failure_init(&x.failure);
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    cleave_status status = allocate_population(&x, err);
    if (status == CLEAVE_OK) {
        memcpy(x.live[0].part, best->part, bytes);
        x.live[0].is = best->is;
        x.nlive = 1;
        status = evolve(&x, err);
    }
    if (status == CLEAVE_OK) {
        memcpy(best->part, x.live[0].part, bytes);
        best->is = x.live[0].is;
    }
    clv_ws_restore(ctx->ws, mark);
    return status;
}
