/* SPDX-License-Identifier: Apache-2.0 */
/* engine/multilevel/search.c - iterated multilevel search, see engine/multilevel/search.h.
 *
 * V-cycles [Walshaw 2004]: coarsening contracts no cut edge of a solution, which is then the
 * initial partition of the coarsest graph and is refined again on other levels.  The highest
 * effort level adds generations (engine/multilevel/generations.h). */
#include "engine/multilevel/search.h"

#include <string.h>

#include "base/rng.h"
#include "engine/acyclic/dag_starts.h"
#include "engine/acyclic/redivide.h"
#include "engine/multilevel/generations.h"

enum { stage_search = 401, stage_underlying = 405 };

/* Share of the remaining time for each start of a DAG. */
static const double share_of_start = 0.4;

typedef struct searching {
    const clv_multilevel_task *task;
    const clv_preset *effort;
    clv_context *ctx;
    int32_t *merge_class;
    clv_search_result *result;
} searching;

void clv_search_count(clv_search_result *sum, const clv_multilevel_result *run)
{
    sum->last.coarsen += run->coarsen;
    sum->last.initial += run->initial;
    sum->last.refine += run->refine;
    if (run->levels > sum->last.levels)
        sum->last.levels = run->levels;
    sum->runs++;
}

/* ---- One run ---------------------------------------------------------------------------- */

static cleave_status run_multilevel(searching *x, const clv_multilevel_task *task,
                                    int32_t number, clv_solution *out, cleave_error *err)
{
    uint64_t seed = x->ctx->seed;
    clv_rng rng = clv_rng_make(seed, stage_search, (uint64_t)number, 0);
    x->ctx->seed = clv_rng_u64(&rng);
    cleave_status status = clv_multilevel(task, x->effort, x->ctx, out->part, &out->is, err);
    x->ctx->seed = seed;
    if (status == CLEAVE_OK)
        clv_search_count(x->result, &out->is);
    return status;
}

clv_multilevel_task clv_search_cycle(const clv_multilevel_task *task, const int32_t *a,
                                     const int32_t *b, int32_t *merge_class)
{
    clv_multilevel_task cycle = *task;
    for (int32_t v = 0; v < task->g->nvtx; v++) {
        /* With very many parts a pair does not fit a class number: only the boundaries of a
         * are kept. */
        uint32_t both = (uint32_t)a[v];
        if (b && task->bounds.nparts < 32768)
            both = both * (uint32_t)task->bounds.nparts + (uint32_t)b[v];
        merge_class[v] = (int32_t)(both * 2 + (task->fixed && task->fixed[v] >= 0));
    }
    cycle.start = a;
    cycle.merge_class = merge_class;
    return cycle;
}

static void exchange(clv_solution *best, clv_solution *other)
{
    clv_solution swap = *best;
    *best = *other;
    *other = swap;
}

static void keep_better(clv_solution *best, clv_solution *other)
{
    if (clv_worth_better(other->is.worth, best->is.worth))
        exchange(best, other);
}

/* Runs a V-cycle from start, which may be best itself, and keeps the better of the result and
 * best.  After a stop, a balanced start is itself the result. */
static cleave_status v_cycle_from(searching *x, const clv_solution *start, int32_t number,
                                  clv_solution *best, clv_solution *other, cleave_error *err)
{
    if (clv_context_is_stopped(x->ctx) && start->is.worth.overload == 0) {
        memcpy(other->part, start->part, (size_t)x->task->g->nvtx * sizeof *other->part);
        other->is = start->is;
        other->is.levels = 1;
        clv_search_count(x->result, &other->is);
    } else {
        clv_multilevel_task task =
            clv_search_cycle(x->task, start->part, NULL, x->merge_class);
        CLV_TRY(run_multilevel(x, &task, number, other, err));
    }
    keep_better(best, other);
    return CLEAVE_OK;
}

/* ---- DAGs: several starts --------------------------------------------------------------- */

/* Only acyclic moves are allowed, so the result depends much on the start: a recursive
 * bisection, the initial partition of the coarsest graph, a repaired undirected partition, or
 * slices of a topological order of the whole graph. */
typedef struct waiting_start {
    clv_solution is;
    int32_t number; /* of its run */
} waiting_start;

typedef struct several_starts {
    bool divided;       /* the first start is a recursive bisection */
    clv_solution first; /* the best start, if there is one run */
    clv_solution next;
    int64_t least_cut;      /* of all starts within the bounds */
    int32_t number;         /* number of the next run */
    waiting_start *waiting; /* starts to be refined when all are made; NULL: none waits */
    int32_t nwaiting;
} several_starts;

typedef cleave_status start_maker(const clv_multilevel_task *task, const clv_preset *effort,
                                  clv_context *ctx, clv_solution *start, cleave_error *err);

static bool is_there(const searching *x, const clv_solution *best, const several_starts *z)
{
    return x->task->known_cut > 0 || best->is.worth.overload == 0 ||
           z->first.is.worth.overload == 0 || (z->waiting && z->least_cut < INT64_MAX);
}

/* Is its cut at most so many per cent of the least? */
static bool is_near(const clv_solution *start, const several_starts *z, int32_t percent)
{
    return (double)start->is.worth.cut * 100 <= (double)z->least_cut * percent;
}

/* Repaired undirected partitions gain more from refinement than recursive bisections do: one
 * that is near the best start can end below it, others do not (docs/design/acyclic.md,
 * "Recursive bisection first"). */
static bool is_promising(const searching *x, const several_starts *z)
{
    enum { near_percent = 110 };
    if (x->task->known_cut == 0 && (!z->divided || x->effort->dag.runs > 2))
        return true;
    return is_near(&z->next, z, near_percent);
}

static cleave_status put_off(searching *x, several_starts *z, cleave_error *err)
{
    z->waiting[z->nwaiting++] = (waiting_start){z->next, z->number++};
    z->next.part = clv_ws_alloc(x->ctx->ws, x->task->g->nvtx, sizeof *z->next.part);
    return z->next.part ? CLEAVE_OK : clv_fail_memory(err);
}

/* The best first.  Those far above it are dropped: docs/design/acyclic.md, "Starts of a
 * bisection". */
static cleave_status refine_waiting(searching *x, several_starts *z, clv_solution *best,
                                    clv_solution *other, cleave_error *err)
{
    for (; z->nwaiting > 0; z->nwaiting--) {
        waiting_start *next = z->waiting;
        for (waiting_start *w = next + 1; w < z->waiting + z->nwaiting; w++)
            if (clv_worth_better(w->is.is.worth, next->is.is.worth))
                next = w;
        if (clv_worth_is_none(best->is.worth) ||
            is_near(&next->is, z, x->effort->dag.near_starts))
            CLV_TRY(v_cycle_from(x, &next->is, next->number, best, other, err));
        *next = z->waiting[z->nwaiting - 1];
    }
    return CLEAVE_OK;
}

static cleave_status try_start(searching *x, start_maker *make, several_starts *z,
                               clv_solution *best, clv_solution *other, cleave_error *err)
{
    if (is_there(x, best, z) && clv_context_stop(x->ctx))
        return CLEAVE_OK;
    double deadline = clv_context_narrow(x->ctx, share_of_start);
    cleave_status status = make(x->task, x->effort, x->ctx, &z->next, err);
    clv_context_widen(x->ctx, deadline);
    CLV_TRY(status);
    if (clv_worth_is_none(z->next.is.worth) || (is_there(x, best, z) && !is_promising(x, z)))
        return CLEAVE_OK;
    if (z->next.is.worth.overload == 0 && z->next.is.worth.cut < z->least_cut)
        z->least_cut = z->next.is.worth.cut;
    if (z->waiting)
        return put_off(x, z, err);
    if (x->effort->dag.runs > 1)
        return v_cycle_from(x, &z->next, z->number++, best, other, err);
    keep_better(&z->first, &z->next);
    return CLEAVE_OK;
}

static int32_t underlying_starts(const searching *x)
{
    const clv_dag_preset *e = &x->effort->dag;
    return x->task->bounds.nparts == 2 && e->pair_starts > 1 ? e->pair_starts : 1;
}

/* Undirected partitions of different seeds become very different acyclic ones; of two parts,
 * several are tried. */
static cleave_status try_underlying(searching *x, several_starts *z, clv_solution *best,
                                    clv_solution *other, cleave_error *err)
{
    uint64_t seed = x->ctx->seed;
    for (int32_t i = 0; i < underlying_starts(x); i++) {
        clv_rng rng = clv_rng_make(seed, stage_underlying, (uint64_t)i, 0);
        x->ctx->seed = i == 0 ? seed : clv_rng_u64(&rng);
        cleave_status status = try_start(x, clv_underlying_start, z, best, other, err);
        x->ctx->seed = seed;
        CLV_TRY(status);
        if (clv_worth_is_none(z->next.is.worth)) /* out of time, so the next would be, too */
            break;
    }
    return CLEAVE_OK;
}

/* The run from scratch replaces a solution of equal worth, whenever it takes place. */
static cleave_status run_from_scratch(searching *x, const several_starts *z,
                                      clv_solution *best, clv_solution *other,
                                      cleave_error *err)
{
    if (is_there(x, best, z) && clv_context_stop(x->ctx))
        return CLEAVE_OK;
    CLV_TRY(run_multilevel(x, x->task, 0, other, err));
    if (!clv_worth_better(best->is.worth, other->is.worth))
        exchange(best, other);
    return CLEAVE_OK;
}

static cleave_status open_starts(const searching *x, several_starts *z, cleave_error *err)
{
    const clv_dag_preset *e = &x->effort->dag;
    const clv_multilevel_task *task = x->task;
    *z = (several_starts){.divided = e->divided && task->bounds.nparts > 2,
                          .first.is.worth = clv_worth_none(),
                          .least_cut = task->known_cut > 0 ? task->known_cut : INT64_MAX,
                          .number = e->runs > 2};
    z->first.part = clv_ws_alloc(x->ctx->ws, task->g->nvtx, sizeof *z->first.part);
    z->next.part = clv_ws_alloc(x->ctx->ws, task->g->nvtx, sizeof *z->next.part);
    bool wait = e->near_starts > 0 && task->bounds.nparts == 2 && task->known_cut == 0;
    if (wait) /* slices and undirected starts */
        z->waiting =
            clv_ws_alloc(x->ctx->ws, INT64_C(1) + underlying_starts(x), sizeof *z->waiting);
    bool there = z->first.part && z->next.part && (!wait || z->waiting);
    return there ? CLEAVE_OK : clv_fail_memory(err);
}

/* Slices first: they are the fastest to compute if time is short. */
static cleave_status try_starts(searching *x, clv_solution *best, clv_solution *other,
                                cleave_error *err)
{
    const clv_dag_preset *e = &x->effort->dag;
    clv_ws_mark mark = clv_ws_save(x->ctx->ws);
    several_starts z;
    CLV_TRY(open_starts(x, &z, err));
    if (z.divided)
        CLV_TRY(try_start(x, clv_divided_start, &z, best, other, err));
    if (e->sliced > 0)
        CLV_TRY(try_start(x, clv_sliced_start, &z, best, other, err));
    if (e->runs > 2)
        CLV_TRY(run_from_scratch(x, &z, best, other, err));
    if (e->underlying > 0 && (!z.divided || e->runs > 1))
        CLV_TRY(try_underlying(x, &z, best, other, err));
    CLV_TRY(refine_waiting(x, &z, best, other, err));
    if (e->runs <= 1 && !clv_worth_is_none(z.first.is.worth))
        CLV_TRY(v_cycle_from(x, &z.first, 0, best, other, err));
    clv_ws_restore(x->ctx->ws, mark);
    return CLEAVE_OK;
}

/* ---- The whole -------------------------------------------------------------------------- */

/* With a start: a V-cycle from it. */
static cleave_status cycle_from_given(searching *x, clv_solution *best, clv_solution *other,
                                      cleave_error *err)
{
    CLV_TRY(clv_given_start(x->task, x->ctx, other, err));
    clv_multilevel_task task = clv_search_cycle(x->task, other->part, NULL, x->merge_class);
    return run_multilevel(x, &task, 0, best, err);
}

static cleave_status add_cycles(searching *x, clv_solution *best, clv_solution *other,
                                cleave_error *err)
{
    int32_t cycles = x->effort->search.cycles;
    if (clv_worth_is_none(best->is.worth)) /* no start was near the known cut */
        return CLEAVE_OK;
    if (x->effort->dag.redivide_sweeps > 0 && !x->task->start) /* stay near what is given */
        CLV_TRY(clv_redivide(x->task, x->effort, x->ctx, best, err));
    if (x->task->bounds.nparts == 2)
        cycles += x->effort->dag.pair_cycles;
    if (cycles == 0 && clv_context_is_hurried(x->ctx) && x->merge_class && !x->ctx->is_child)
        cycles = 1; /* what a hurried run left out */
    for (int32_t i = 0; i < cycles && !clv_context_stop(x->ctx); i++)
        CLV_TRY(v_cycle_from(x, best, x->result->runs, best, other, err));
    if (x->effort->search.population > 0 && !clv_context_stop(x->ctx))
        CLV_TRY(clv_generations(x->task, x->effort, x->ctx, best, x->result, err));
    return CLEAVE_OK;
}

static cleave_status open_search(searching *x, clv_solution *other, cleave_error *err)
{
    int64_t n = x->task->g->nvtx;
    *x->result = (clv_search_result){0};
    if (x->effort->search.cycles == 0 && x->effort->dag.pair_cycles == 0 &&
        x->effort->dag.runs == 0 && !x->task->start && !clv_context_is_limited(x->ctx))
        return CLEAVE_OK;
    other->part = clv_ws_alloc(x->ctx->ws, n, sizeof *other->part);
    x->merge_class = clv_ws_alloc(x->ctx->ws, n, sizeof *x->merge_class);
    return other->part && x->merge_class ? CLEAVE_OK : clv_fail_memory(err);
}

cleave_status clv_search(const clv_multilevel_task *task, const clv_preset *effort,
                         clv_context *ctx, int32_t *part, clv_search_result *result,
                         cleave_error *err)
{
    searching x = {.task = task, .effort = effort, .ctx = ctx, .result = result};
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    clv_solution best = {.part = part, .is.worth = clv_worth_none()}, other = {.part = NULL};
    CLV_TRY(open_search(&x, &other, err));
    if (task->start)
        CLV_TRY(cycle_from_given(&x, &best, &other, err));
    else if (effort->dag.runs > 0)
        CLV_TRY(try_starts(&x, &best, &other, err));
    else
        CLV_TRY(run_multilevel(&x, task, 0, &best, err));
    CLV_TRY(add_cycles(&x, &best, &other, err));
    if (best.part != part)
        memcpy(part, best.part, (size_t)task->g->nvtx * sizeof *part);
    result->last.worth = best.is.worth;
    clv_ws_restore(ctx->ws, mark);
    return CLEAVE_OK;
}
