/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/measure_costs.c - measures a synchronisation and a read from another thread on this
 * machine, in multiply-adds of a triangular solve.
 *
 * The unit is measured by forward substitution with the lower triangle of a grid; a
 * synchronisation by a barrier on which threads spin, and yield if there are more threads than
 * processors; a read by adding up what another thread has just written, minus the time for
 * adding up own values.  Each value is the minimum of several repeats, because every
 * disturbance only adds time.  After a time limit no more repeats are started. */
#include <sched.h>
#include <stdatomic.h>

#include "base/compare.h"
#include "base/context.h"
#include "schedule/schedulers.h"

enum {
    side = 24,  /* of the grid */
    solves = 3, /* per repeat */
    barriers = 20,
    batches = 400,
    values = 1 << 12, /* doubles per thread */
    repeats = 40,
    line = 64 /* bytes: distance between variables written by different threads */
};

/* ---- A multiply-add ------------------------------------------------------------------- */

/* Lower triangle by rows, the diagonal last in each row. */
typedef struct triangle {
    int32_t nrows;
    int32_t *first; /* nrows + 1 */
    int32_t *column;
    double *value, *x;
} triangle;

/* The matrix of a 7-point grid in natural order. */
static void make_triangle(triangle *t)
{
    int32_t count = 0;
    for (int32_t i = 0; i < t->nrows; i++) {
        const int32_t back[] = {side * side, side, 1};
        const bool has[] = {i >= side * side, i / side % side > 0, i % side > 0};
        t->first[i] = count;
        for (int k = 0; k < 3; k++)
            if (has[k]) {
                t->column[count] = i - back[k];
                t->value[count++] = -1;
            }
        t->column[count] = i;
        t->value[count++] = 4;
    }
    t->first[t->nrows] = count;
}

static void solve_once(const triangle *t)
{
    for (int32_t i = 0; i < t->nrows; i++) {
        double sum = 1;
        int32_t diagonal = t->first[i + 1] - 1;
        for (int32_t a = t->first[i]; a < diagonal; a++)
            sum -= t->value[a] * t->x[t->column[a]];
        t->x[i] = sum / t->value[diagonal];
    }
}

static cleave_status measure_unit(clv_ws *ws, double *seconds, cleave_error *err)
{
    triangle t = {.nrows = side * side * side};
    t.first = clv_ws_alloc(ws, (int64_t)t.nrows + 1, sizeof *t.first);
    t.column = clv_ws_alloc(ws, (int64_t)t.nrows * 4, sizeof *t.column);
    t.value = clv_ws_alloc(ws, (int64_t)t.nrows * 4, sizeof *t.value);
    t.x = clv_ws_zalloc(ws, t.nrows, sizeof *t.x);
    if (!t.first || !t.column || !t.value || !t.x)
        return clv_fail_memory(err);
    make_triangle(&t);
    double best = 1;
    for (int r = 0; r < repeats; r++) {
        double start = clv_clock();
        for (int i = 0; i < solves; i++)
            solve_once(&t);
        best = clv_smaller_real(best, clv_clock() - start);
    }
    *seconds = best / ((double)solves * t.first[t.nrows]);
    return CLEAVE_OK;
}

/* ---- A barrier ------------------------------------------------------------------------ */

typedef struct meeting {
    _Alignas(line) atomic_int arrived;
    _Alignas(line) atomic_int round;
    int size;
    bool late;           /* no more batches; written by member 0 */
    double *value;       /* `values` per member */
    double sync, remote; /* seconds; written by member 0 */
    double own;
    double
        *sum; /* by member, a cache line apart; keeps the compiler from dropping the loops */
} meeting;

static void pause_or_yield(int turns)
{
    enum { spins = 2000 };
    if (turns > spins)
        sched_yield();
}

static void meet_at_barrier(meeting *m)
{
    int round = atomic_load_explicit(&m->round, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&m->arrived, 1, memory_order_acq_rel) == m->size - 1) {
        atomic_store_explicit(&m->arrived, 0, memory_order_relaxed);
        atomic_store_explicit(&m->round, round + 1, memory_order_release);
        return;
    }
    for (int turns = 0; atomic_load_explicit(&m->round, memory_order_acquire) == round;
         turns++)
        pause_or_yield(turns);
}

static const double patience = 0.25; /* seconds: many threads on few processors are slow */

/* Barrier; returns whether there is time for another batch.  There is another barrier before
 * the next call, so that all members have read `late` by then. */
static bool begin_batch(meeting *m, int member, double end)
{
    if (member == 0)
        m->late = clv_clock() > end;
    meet_at_barrier(m);
    return !m->late;
}

static void time_barriers(meeting *m, int member)
{
    double end = clv_clock() + patience;
    for (int r = 0; r < batches && (begin_batch(m, member, end) || r == 0); r++) {
        double start = clv_clock();
        for (int i = 0; i < barriers; i++)
            meet_at_barrier(m);
        if (member == 0)
            m->sync = clv_smaller_real(m->sync, (clv_clock() - start) / barriers);
    }
}

/* ---- A read --------------------------------------------------------------------------- */

/* Reads every value once, but not in order: like the gathers of a solve. */
static double add_up(const double *value)
{
    enum { stride = 1027 };
    double sum = 0;
    for (int i = 0; i < values; i++)
        sum += value[i * stride % values];
    return sum;
}

static void time_reads(meeting *m, int member)
{
    double *mine = m->value + (int64_t)member * values;
    double *others = m->value + (int64_t)((member + 1) % m->size) * values;
    double *sum = &m->sum[member * (line / (int)sizeof *m->sum)];
    double end = clv_clock() + patience;
    for (int r = 0; r < repeats && (begin_batch(m, member, end) || r == 0); r++) {
        for (int i = 0; i < values; i++)
            mine[i] = r + i;
        meet_at_barrier(m);
        double start = clv_clock();
        *sum += add_up(others);
        double middle = clv_clock();
        *sum += add_up(mine);
        double stop = clv_clock();
        if (member == 0) {
            m->remote = clv_smaller_real(m->remote, (middle - start) / values);
            m->own = clv_smaller_real(m->own, (stop - middle) / values);
        }
        meet_at_barrier(m);
    }
}

static void measure_member(void *context, int member, int size)
{
    meeting *m = context;
    (void)size;
    time_barriers(m, member);
    meet_at_barrier(m);
    time_reads(m, member);
}

static cleave_status measure_together(clv_team *team, clv_ws *ws, meeting *m,
                                      cleave_error *err)
{
    m->size = clv_team_size(team);
    m->value = clv_ws_zalloc(ws, (int64_t)m->size * values, sizeof *m->value);
    m->sum = clv_ws_zalloc(ws, (int64_t)m->size * line, 1);
    m->sync = m->remote = m->own = 1;
    if (!m->value || !m->sum)
        return clv_fail_memory(err);
    clv_team_run(team, measure_member, m);
    return CLEAVE_OK;
}

static cleave_status measure_coefficients(clv_team *team, clv_ws *ws,
                                          clv_schedule_costs *costs, double *seconds,
                                          cleave_error *err)
{
    meeting m = {0};
    CLV_TRY(measure_unit(ws, seconds, err));
    CLV_TRY(measure_together(team, ws, &m, err));
    double remote = m.remote - m.own;
    costs->sync = m.sync / *seconds;
    costs->read = remote > 0 ? remote / *seconds : 0;
    return CLEAVE_OK;
}

cleave_status clv_measure_costs(clv_schedule_costs *costs, double *seconds, int threads,
                                cleave_error *err)
{
    clv_team *team;
    clv_ws ws = {0};
    int available = clv_threads_available();
    if (threads == 0)
        CLV_TRY(clv_team_create_up_to(&team, available > 2 ? available : 2, err));
    else
        CLV_TRY(clv_team_create(&team, threads, err));
    cleave_status status = measure_coefficients(team, &ws, costs, seconds, err);
    clv_ws_free(&ws);
    clv_team_free(team);
    return status;
}
