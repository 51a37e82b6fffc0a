/* SPDX-License-Identifier: Apache-2.0 */
/* run/tri_plan.c - creates and executes plans of triangular solves. */
#include "run/tri_plan.h"

#include <string.h>

#include "base/context.h"
#include "run/tri_kernels.h"
#include "run/tri_layout.h"
#include "run/tri_pack.h"

enum { line = 64 };

/* Memory aligned to, and ending on, cache lines. */
static void *alloc_lines(clv_arena *arena, int64_t count, size_t each)
{
    int64_t bytes;
    if (!clv_mul_i64(count, (int64_t)each, &bytes))
        return NULL;
    char *raw = clv_arena_alloc(arena, bytes + 2 * line, 1);
    return raw ? raw + (line - (uintptr_t)raw % line) : NULL;
}

static size_t number_size(const clv_tri_plan *plan)
{
    return plan->single ? sizeof(float) : sizeof(double);
}

static int64_t count_bytes(const clv_tri_plan *plan)
{
    int64_t bytes = (int64_t)plan->n * 3 * (int64_t)number_size(plan);
    for (int32_t p = 0; p < plan->sync.threads; p++)
        bytes += plan->stream[p].ncode * (int64_t)sizeof(int32_t) +
                 plan->stream[p].nvalue * (int64_t)number_size(plan);
    return bytes;
}

/* By step: number of entries and diagonals of its tasks. */
static cleave_status count_work(clv_tri_plan *plan, const clv_tri_tasks *tasks,
                                cleave_error *err)
{
    const clv_run_sync *sync = &plan->sync;
    const clv_schedule *s = tasks->s;
    plan->step_work =
        clv_arena_zalloc(&plan->arena, sync->xstep[sync->threads], sizeof *plan->step_work);
    if (!plan->step_work)
        return clv_fail_memory(err);
    for (int32_t t = 0; t < s->threads; t++) {
        int32_t p = sync->member[t];
        for (int64_t i = p < 0 ? 0 : sync->xstep[p]; p >= 0 && i < sync->xstep[p + 1]; i++)
            for (int32_t l = sync->step[i].first; l <= sync->step[i].last; l++) {
                int64_t block = (int64_t)l * s->threads + t;
                for (int64_t k = s->block[block]; k < s->block[block + 1]; k++) {
                    int32_t task = s->order[k];
                    plan->step_work[i] += tasks->end[task] - tasks->begin[task] +
                                          (clv_tri_carry(tasks, task) < 0);
                }
            }
    }
    return CLEAVE_OK;
}

static cleave_status build_plan(clv_tri_plan *plan, const clv_tri_rows *rows,
                                const clv_schedule *s, clv_sync sync, clv_ws *ws,
                                cleave_error *err)
{
    clv_tri_tasks tasks;
    clv_sync_reads reads;
    CLV_TRY(clv_tri_tasks_find(&tasks, rows, s, ws, err));
    CLV_TRY(clv_tri_reads_find(&reads, &tasks, ws, err));
    CLV_TRY(clv_run_sync_new(&plan->sync, &reads, sync, &plan->arena, ws, err));
    plan->ncarry = tasks.ncarry;
    plan->order = clv_arena_alloc(&plan->arena, plan->n, sizeof *plan->order);
    plan->place = clv_arena_alloc(&plan->arena, plan->n, sizeof *plan->place);
    plan->stream = clv_arena_zalloc(&plan->arena, plan->sync.threads, sizeof *plan->stream);
    plan->strand = clv_arena_zalloc(&plan->arena, plan->sync.threads, sizeof *plan->strand);
    plan->work = alloc_lines(&plan->arena, (int64_t)plan->n + 1, number_size(plan));
    plan->carry = alloc_lines(&plan->arena, plan->ncarry, number_size(plan));
    plan->many_work =
        alloc_lines(&plan->arena, ((int64_t)plan->n + 1) * clv_tri_columns, number_size(plan));
    plan->many_carry =
        alloc_lines(&plan->arena, (int64_t)plan->ncarry * clv_tri_columns, number_size(plan));
    if (!plan->order || !plan->place || !plan->stream || !plan->strand || !plan->work ||
        !plan->carry || !plan->many_work || !plan->many_carry)
        return clv_fail_memory(err);
    size_t n = (size_t)plan->n;
    memset((char *)plan->work + n * number_size(plan), 0, number_size(plan));
    memset((char *)plan->many_work + n * clv_tri_columns * number_size(plan), 0,
           clv_tri_columns * number_size(plan));
    CLV_TRY(clv_tri_layout(plan, &tasks, ws, err));
    CLV_TRY(count_work(plan, &tasks, err));
    for (int32_t p = 0; p < plan->sync.threads; p++) {
        clv_tri_stream *st = &plan->stream[p];
        st->value = alloc_lines(&plan->arena, st->nvalue, number_size(plan));
        if (!st->value)
            return clv_fail_memory(err);
    }
    plan->bytes = count_bytes(plan);
    return CLEAVE_OK;
}

cleave_status clv_tri_plan_new(clv_tri_plan **out, const clv_tri_rows *rows,
                               const clv_schedule *s, clv_sync sync, clv_ws *ws,
                               cleave_error *err)
{
    *out = NULL;
    clv_tri_plan *plan = clv_zalloc(1, sizeof *plan);
    if (!plan)
        return clv_fail_memory(err);
    plan->n = rows->n;
    plan->single = rows->single;
    plan->unit = !rows->diagonal;
    clv_ws_mark mark = clv_ws_save(ws);
    cleave_status status = build_plan(plan, rows, s, sync, ws, err);
    clv_ws_restore(ws, mark);
    if (status != CLEAVE_OK) {
        clv_tri_plan_free(plan);
        return status;
    }
    *out = plan;
    return CLEAVE_OK;
}

void clv_tri_plan_free(clv_tri_plan *plan)
{
    if (!plan)
        return;
    for (int32_t p = 0; plan->stream && p < plan->sync.threads; p++) {
        clv_sys_free(plan->stream[p].code);
        clv_sys_free(plan->stream[p].source);
    }
    clv_arena_free(&plan->arena);
    clv_sys_free(plan);
}

void clv_tri_plan_values(clv_tri_plan *plan, const void *val)
{
    for (int32_t p = 0; p < plan->sync.threads; p++) {
        clv_tri_stream *st = &plan->stream[p];
        for (int64_t i = 0; i < st->nvalue; i++) {
            uint32_t from = st->source[i];
            bool own = from >= CLV_TRI_ZERO;
            if (plan->single)
                ((float *)st->value)[i] =
                    own ? (float)(from == CLV_TRI_ONE) : ((const float *)val)[from];
            else
                ((double *)st->value)[i] =
                    own ? (double)(from == CLV_TRI_ONE) : ((const double *)val)[from];
        }
    }
}

/* ---- Running ------------------------------------------------------------------------- */

static void start_member(clv_tri_cursor *c, const clv_tri_plan *plan, int member)
{
    const clv_tri_stream *st = &plan->stream[member];
    c->code = st->code;
    c->value = st->value;
    c->place = st->first_place;
}

/* Records the time if `moment` is not NULL, which is a compile-time constant: only the traced
 * loops contain this. */
static CLV_ALWAYS_INLINE void record_time(clv_tri_moment *moment, int64_t step, int what)
{
    if (!moment)
        return;
    double now = clv_clock();
    if (what == 0)
        moment[step].wait = now;
    else if (what == 1)
        moment[step].begin = now;
    else
        moment[step].end = now;
}

/* Executes the steps of a member, with its waits. */
static CLV_ALWAYS_INLINE void run_member(const clv_tri_plan *plan, int member,
                                         clv_tri_kernel kernel, clv_tri_cursor *c,
                                         clv_tri_moment *moment)
{
    const clv_run_sync *sync = &plan->sync;
    start_member(c, plan, member);
    uint64_t base = clv_run_sync_begin(sync, member);
    for (int64_t i = sync->xstep[member]; i < sync->xstep[member + 1]; i++) {
        record_time(moment, i, 0);
        clv_run_sync_before(sync, &sync->step[i], base);
        record_time(moment, i, 1);
        kernel(c);
        record_time(moment, i, 2);
        clv_run_sync_after(sync, &sync->step[i], member, base);
    }
    clv_run_sync_end(sync, member, base);
}

/* Executes steps of a strand until it would have to wait.  Returns their number. */
static CLV_ALWAYS_INLINE int64_t run_strand(const clv_tri_plan *plan, int member,
                                            clv_tri_kernel kernel, clv_tri_moment *moment)
{
    const clv_run_sync *sync = &plan->sync;
    clv_tri_strand *strand = &plan->strand[member];
    int64_t begin = strand->step, end = sync->xstep[member + 1];
    if (begin > end)
        return 0;
    for (; strand->step < end; strand->step++) {
        const clv_sync_step *step = &sync->step[strand->step];
        if (!clv_run_sync_ready(sync, step, strand->base))
            return strand->step - begin;
        record_time(moment, strand->step, 1);
        kernel(&strand->cursor);
        record_time(moment, strand->step, 2);
        clv_run_sync_after(sync, step, member, strand->base);
    }
    clv_run_sync_post_all(sync, member, strand->base);
    return ++strand->step - begin;
}

static CLV_ALWAYS_INLINE void run_strands(const clv_tri_plan *plan, int worker, int workers,
                                          clv_tri_kernel kernel, const clv_tri_cursor *c,
                                          clv_tri_moment *moment)
{
    const clv_run_sync *sync = &plan->sync;
    int64_t left = 0;
    double since = 0;
    for (int p = worker; p < sync->threads; p += workers) {
        clv_tri_strand *strand = &plan->strand[p];
        *strand = (clv_tri_strand){*c, sync->xstep[p], clv_run_sync_begin(sync, p)};
        start_member(&strand->cursor, plan, p);
        left += sync->xstep[p + 1] - sync->xstep[p] + 1;
    }
    for (int idle = 0; left > 0;) {
        int64_t done = 0;
        for (int p = worker; p < sync->threads; p += workers)
            done += run_strand(plan, p, kernel, moment);
        left -= done;
        if (done > 0)
            since = idle = 0;
        else if (idle++ > sync->spins)
            clv_thread_wait(&since);
    }
    clv_run_sync_wait_all(sync, plan->strand[worker].base);
}

static void run_worker(const clv_tri_plan *plan, int worker, int workers, clv_tri_use use,
                       clv_tri_cursor *c)
{
    clv_tri_kernel kernel =
        clv_tri_kernel_for(plan->single, plan->unit, use, plan->any_machine);
    if (workers < plan->sync.threads)
        run_strands(plan, worker, workers, kernel, c, NULL);
    else
        run_member(plan, worker, kernel, c, NULL);
}

/* A strand waits from the end of its last step on, or from the start of the solve. */
static void note_waits(const clv_run_sync *sync, int member, double start,
                       clv_tri_moment *moment)
{
    for (int64_t i = sync->xstep[member]; i < sync->xstep[member + 1]; i++)
        moment[i].wait = i > sync->xstep[member] ? moment[i - 1].end : start;
}

static void run_traced(const clv_tri_plan *plan, int worker, int workers, clv_tri_use use,
                       clv_tri_cursor *c, clv_tri_moment *moment)
{
    clv_tri_kernel kernel =
        clv_tri_kernel_for(plan->single, plan->unit, use, plan->any_machine);
    if (workers >= plan->sync.threads) {
        run_member(plan, worker, kernel, c, moment);
        return;
    }
    double start = clv_clock();
    run_strands(plan, worker, workers, kernel, c, moment);
    for (int p = worker; p < plan->sync.threads; p += workers)
        note_waits(&plan->sync, p, start, moment);
}

static clv_tri_cursor cursor_of(const clv_tri_plan *plan, void *x, const void *b)
{
    enum { many_rows = 400000 };
    return (clv_tri_cursor){
        .x = x, .b = b, .work = plan->work, .carry = plan->carry, .far = plan->n >= many_rows};
}

void clv_tri_plan_share(clv_tri_plan *plan, int worker, int workers, void *x, const void *b)
{
    clv_tri_cursor c = cursor_of(plan, x, b);
    run_worker(plan, worker, workers, b ? CLV_TRI_PLAIN : CLV_TRI_ORDERED, &c);
}

void clv_tri_plan_trace(clv_tri_plan *plan, int worker, int workers, void *x, const void *b,
                        clv_tri_moment *moment)
{
    clv_tri_cursor c = cursor_of(plan, x, b);
    run_traced(plan, worker, workers, b ? CLV_TRI_PLAIN : CLV_TRI_ORDERED, &c, moment);
}

void clv_tri_plan_solve(clv_tri_plan *plan, int member, void *x, const void *b)
{
    clv_tri_plan_share(plan, member, plan->sync.threads, x, b);
}

/* Barrier of the workers. */
static void meet_at_gate(clv_tri_plan *plan, int workers)
{
    clv_tri_gate *gate = &plan->gate;
    if (workers == 1)
        return;
    unsigned opened = atomic_load_explicit(&gate->opened, memory_order_acquire);
    if (atomic_fetch_add_explicit(&gate->arrived, 1, memory_order_acq_rel) + 1 == workers) {
        atomic_store_explicit(&gate->arrived, 0, memory_order_relaxed);
        atomic_fetch_add_explicit(&gate->opened, 1, memory_order_release);
        return;
    }
    double since = 0;
    for (int i = 0; atomic_load_explicit(&gate->opened, memory_order_acquire) == opened; i++) {
        if (i < plan->sync.spins)
            clv_pause();
        else
            clv_thread_wait(&since);
    }
}

static void find_places(clv_tri_plan *plan)
{
    for (int32_t i = 0; i < plan->n && !plan->has_place; i++)
        plan->place[plan->order[i]] = i;
    plan->has_place = true;
}

/* At most clv_tri_columns columns at once. */
static void solve_columns(clv_tri_plan *plan, int worker, int workers,
                          const clv_tri_vectors *v)
{
    clv_tri_cursor c = {.work = plan->many_work, .carry = plan->many_carry};
    if (worker == 0)
        find_places(plan);
    meet_at_gate(plan, workers);
    clv_tri_pack(plan, worker, workers, v);
    meet_at_gate(plan, workers);
    run_worker(plan, worker, workers, CLV_TRI_MANY, &c);
    clv_tri_unpack(plan, worker, workers, v);
}

/* With fewer columns than this, solving them one by one is as fast.  That holds for any number
 * if rows are light and so many that the inner caches hold one column, but not eight. */
static int32_t least_columns(const clv_tri_plan *plan)
{
    enum { worth_many = 6, near_cache = 3 << 20, light = 6 };
    int64_t vector = (int64_t)plan->n * (int64_t)number_size(plan);
    bool streams_matter = plan->bytes - 3 * vector > light * vector;
    return streams_matter || vector * clv_tri_columns < near_cache ? worth_many
                                                                   : clv_tri_columns + 1;
}

void clv_tri_plan_solve_many(clv_tri_plan *plan, int worker, int workers,
                             const clv_tri_vectors *v)
{
    int32_t least = least_columns(plan);
    clv_tri_vectors some = *v;
    for (int32_t k = 0; k < v->nrhs; k += some.nrhs) {
        some.x = (char *)v->x + (size_t)k * (size_t)v->ldx * number_size(plan);
        some.b = (const char *)v->b + (size_t)k * (size_t)v->ldb * number_size(plan);
        some.nrhs = v->nrhs - k < clv_tri_columns ? v->nrhs - k : clv_tri_columns;
        if (some.nrhs >= least) {
            solve_columns(plan, worker, workers, &some);
        } else {
            some.nrhs = 1;
            clv_tri_plan_share(plan, worker, workers, some.x, some.b);
        }
    }
}

/* ---- Accessors ----------------------------------------------------------------------- */

int32_t clv_tri_plan_size(const clv_tri_plan *plan)
{
    return plan->n;
}

int32_t clv_tri_plan_threads(const clv_tri_plan *plan)
{
    return plan->sync.threads;
}

clv_sync clv_tri_plan_sync(const clv_tri_plan *plan)
{
    return plan->sync.kind;
}

const int32_t *clv_tri_plan_order(const clv_tri_plan *plan)
{
    return plan->order;
}

int64_t clv_tri_plan_bytes(const clv_tri_plan *plan)
{
    return plan->bytes;
}

const clv_run_sync *clv_tri_plan_steps(const clv_tri_plan *plan)
{
    return &plan->sync;
}

const int64_t *clv_tri_plan_work(const clv_tri_plan *plan)
{
    return plan->step_work;
}

int64_t clv_tri_plan_waits(const clv_tri_plan *plan)
{
    return plan->sync.waits;
}
