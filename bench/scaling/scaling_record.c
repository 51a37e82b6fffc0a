/* SPDX-License-Identifier: Apache-2.0 */
/* bench/scaling/scaling_record.c - records the parallel regions of the library.
 *
 * The library has no hook for this.  The linker puts the functions __wrap_NAME of this file in
 * the place of the library's NAME (--wrap, see bench/CMakeLists.txt), which they call as
 * __real_NAME: the four functions of a team mark regions, all others mark phases.
 *
 * CPU times do not depend on other load.  Time that a thread waits for others is not counted:
 * a chunk is measured on the thread that runs it, and the serial clock stops at the start of a
 * region and continues at its end. */
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include "base/threads.h"
#include "coarsen/cluster.h"
#include "coarsen/contract.h"
#include "coarsen/hierarchy.h"
#include "engine/multilevel/bisection.h"
#include "engine/pipeline.h"
#include "refine/balance/rebalance.h"
#include "refine/flow/flow.h"
#include "refine/fm/bipartition_fm.h"
#include "refine/fm/kway_fm.h"
#include "refine/moves/jet.h"
#include "refine/moves/label_moves.h"
#include "scaling/scaling.h"

const char *const scaling_phase_names[PHASES] = {
    "other",  "cluster", "contract", "coarsen", "initial", "rebalance",
    "labels", "jet",     "fm",       "flow",    "state",   "evaluate"};

static scaling_trace *recorded; /* NULL: nothing is recorded */
static scaling_phase phase;
static double serial_since;
/* Members of a team: only the calling thread, outside of regions, records. */
static _Thread_local bool records;

static double thread_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *with_room(void *array, int64_t wanted, int64_t *room, size_t each)
{
    if (wanted <= *room)
        return array;
    *room = 2 * wanted + 1024;
    array = realloc(array, (size_t)*room * each);
    if (!array)
        scaling_fail("out of memory for the trace");
    return array;
}

/* Ends the serial stretch; a region of `count` chunks follows.  Returns where their times go.
 */
static double *end_stretch(int64_t count)
{
    scaling_trace *t = recorded;
    t->stretch = with_room(t->stretch, t->nstretch + 1, &t->stretch_room, sizeof *t->stretch);
    t->chunk = with_room(t->chunk, t->nchunk + count, &t->chunk_room, sizeof *t->chunk);
    t->stretch[t->nstretch++] =
        (scaling_stretch){phase, thread_seconds() - serial_since, t->nchunk, count};
    double *times = t->chunk + t->nchunk;
    t->nchunk += count;
    for (int64_t i = 0; i < count; i++)
        times[i] = 0;
    records = false;
    return times;
}

static void begin_stretch(void)
{
    records = true;
    serial_since = thread_seconds();
}

void scaling_record_begin(scaling_trace *trace)
{
    *trace = (scaling_trace){0};
    recorded = trace;
    phase = PHASE_OTHER;
    begin_stretch();
}

void scaling_record_end(void)
{
    end_stretch(0);
    recorded = NULL;
}

void scaling_trace_free(scaling_trace *trace)
{
    free(trace->stretch);
    free(trace->chunk);
}

/* ---- Regions ---------------------------------------------------------------------------- */

__typeof__(clv_parallel_for) __real_clv_parallel_for, __wrap_clv_parallel_for;
__typeof__(clv_team_run) __real_clv_team_run, __wrap_clv_team_run;
__typeof__(clv_prefix_sum) __real_clv_prefix_sum, __wrap_clv_prefix_sum;

typedef struct timed_loop {
    void (*body)(void *context, int64_t begin, int64_t end, int member);
    void *context;
    int64_t grain;
    double *times;
} timed_loop;

static void time_range(void *context, int64_t begin, int64_t end, int member)
{
    timed_loop *l = context;
    double before = thread_seconds();
    l->body(l->context, begin, end, member);
    l->times[begin / l->grain] = thread_seconds() - before;
}

void __wrap_clv_parallel_for(clv_team *team, int64_t count, int64_t grain,
                             void (*body)(void *, int64_t, int64_t, int), void *context)
{
    if (!records || count <= grain || clv_team_size(team) == 1) {
        __real_clv_parallel_for(team, count, grain, body, context);
        return;
    }
    timed_loop l = {body, context, grain, end_stretch(count / grain + (count % grain != 0))};
    __real_clv_parallel_for(team, count, grain, time_range, &l);
    begin_stretch();
}

typedef struct timed_run {
    void (*work)(void *context, int member, int size);
    void *context;
    double *times;
} timed_run;

static void time_member(void *context, int member, int size)
{
    timed_run *r = context;
    double before = thread_seconds();
    r->work(r->context, member, size);
    r->times[member] = thread_seconds() - before;
}

void __wrap_clv_team_run(clv_team *team, void (*work)(void *, int, int), void *context)
{
    if (!records || clv_team_size(team) == 1) {
        __real_clv_team_run(team, work, context);
        return;
    }
    timed_run r = {work, context, end_stretch(clv_team_size(team))};
    __real_clv_team_run(team, time_member, &r);
    begin_stretch();
}

/* Two passes, separated by a barrier: measured as one pass on one thread, recorded as the two
 * passes in pieces. */
int64_t __wrap_clv_prefix_sum(clv_team *team, int64_t *values, int64_t count)
{
    enum { worth_waking = 32768, piece = 4096 };
    if (!records || clv_team_size(team) == 1 || count < worth_waking)
        return __real_clv_prefix_sum(team, values, count);
    int64_t pieces = count / piece;
    double *times = end_stretch(pieces), before = thread_seconds();
    int64_t sum = __real_clv_prefix_sum(NULL, values, count);
    for (int64_t i = 0; i < pieces; i++)
        times[i] = 2 * (thread_seconds() - before) / (double)pieces;
    begin_stretch();
    return sum;
}

static void do_nothing(void *context, int64_t begin, int64_t end, int member)
{
    (void)context, (void)begin, (void)end, (void)member;
}

static double wall_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double scaling_region_cost(void)
{
    enum { batches = 50, regions = 200 };
    clv_team *team;
    cleave_error err;
    double least = INFINITY;
    if (clv_team_create(&team, 2, &err) != CLEAVE_OK)
        scaling_fail(err.message);
    for (int b = 0; b < batches; b++) {
        double before = wall_seconds();
        for (int i = 0; i < regions; i++)
            __real_clv_parallel_for(team, 2, 1, do_nothing, NULL);
        least = fmin(least, (wall_seconds() - before) / regions);
    }
    clv_team_free(team);
    return least;
}

/* ---- Phases ----------------------------------------------------------------------------- */

/* Everything inside of the initial partition belongs to it, as levels and refiners of
 * bisections do; otherwise the innermost phase counts. */
static scaling_phase enter(scaling_phase next)
{
    scaling_phase before = phase;
    if (!records || phase == PHASE_INITIAL)
        return before;
    end_stretch(0);
    phase = next;
    begin_stretch();
    return before;
}

static void leave(scaling_phase before)
{
    if (!records || phase == before)
        return;
    end_stretch(0);
    phase = before;
    begin_stretch();
}

/* WRAP(function, phase, parameters, arguments): a function that returns a status. */
#define WRAP(function, belongs_to, parameters, arguments)                                     \
    __typeof__(function) __real_##function, __wrap_##function;                                \
    cleave_status __wrap_##function parameters                                                \
    {                                                                                         \
        scaling_phase before = enter(belongs_to);                                             \
        cleave_status status = __real_##function arguments;                                   \
        leave(before);                                                                        \
        return status;                                                                        \
    }

WRAP(clv_hierarchy_build, PHASE_COARSEN,
     (clv_hierarchy * h, const clv_graph *g, const clv_coarsening *how, clv_context *ctx,
      cleave_error *err),
     (h, g, how, ctx, err))
WRAP(clv_cluster, PHASE_CLUSTER,
     (const clv_graph *g, const clv_merge_rule *rule, clv_context *ctx, int32_t *map,
      int32_t *ncoarse, cleave_error *err),
     (g, rule, ctx, map, ncoarse, err))
WRAP(clv_contract, PHASE_CONTRACT,
     (clv_graph * *out, const clv_graph *g, clv_contraction *how, clv_context *ctx,
      cleave_error *err),
     (out, g, how, ctx, err))
WRAP(clv_recursive_bisection, PHASE_INITIAL,
     (const clv_multilevel_task *task, const clv_preset *effort, clv_context *ctx,
      int32_t *part, cleave_error *err),
     (task, effort, ctx, part, err))
WRAP(clv_rebalance, PHASE_REBALANCE,
     (clv_partition_state * s, clv_context *ctx, cleave_error *err), (s, ctx, err))
WRAP(clv_rebalance_boundary, PHASE_REBALANCE,
     (clv_partition_state * s, const clv_rebalance_hints *hints, clv_rebalance_log *log,
      clv_context *ctx, cleave_error *err),
     (s, hints, log, ctx, err))
WRAP(clv_label_moves, PHASE_LABELS,
     (clv_partition_state * s, const clv_label_params *params, clv_context *ctx,
      cleave_error *err),
     (s, params, ctx, err))
WRAP(clv_jet, PHASE_JET,
     (clv_partition_state * s, const clv_jet_params *params, clv_context *ctx,
      cleave_error *err),
     (s, params, ctx, err))
WRAP(clv_kway_fm, PHASE_FM,
     (clv_partition_state * s, const clv_kway_fm_params *params, clv_context *ctx,
      cleave_error *err),
     (s, params, ctx, err))
WRAP(clv_bipartition_fm, PHASE_FM,
     (clv_partition_state * s, const clv_bipartition_fm_params *params, clv_context *ctx,
      cleave_error *err),
     (s, params, ctx, err))
WRAP(clv_flow_refine, PHASE_FLOW,
     (clv_partition_state * s, const clv_flow_params *params, clv_context *ctx,
      cleave_error *err),
     (s, params, ctx, err))
WRAP(clv_pipeline_judge, PHASE_EVALUATE,
     (clv_map_job * job, const int32_t *part, cleave_error *err), (job, part, err))

__typeof__(clv_state_measure) __real_clv_state_measure, __wrap_clv_state_measure;
void __wrap_clv_state_measure(clv_partition_state *s, clv_context *ctx)
{
    scaling_phase before = enter(PHASE_STATE);
    __real_clv_state_measure(s, ctx);
    leave(before);
}
