/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/measure_costs.c - what a synchronisation and a read from another thread cost on
 * this machine, in multiply-adds of a triangular solve.
 *
 * The unit is measured by forward substitution with the lower triangle of a grid; a
 * synchronisation by a barrier on which threads spin, and give way when there are more threads
 * than processors; a read by adding up what another thread has just written, and subtracting
 * what adding up one's own takes.  Each is the least of several repeats: all that disturbs
 * makes it longer.  No more repeats begin after a while. */
#include <sched.h>
#include <stdatomic.h>

#include "base/context.h"
#include "schedule/schedulers.h"

enum {
    side = 24,  /* of the grid */
    solves = 3, /* per repeat */
    barriers = 20,
    batches = 400,
    values = 1 << 12, /* doubles per thread */
    repeats = 40,
    line = 64 /* bytes; what threads write stands so far apart */
};

/* ---- A multiply-add ------------------------------------------------------------------- */

/* Lower triangle by rows, the diagonal last in each. */
typedef struct triangle {
    int32_t nrows;
    int32_t *first; /* nrows + 1 */
    int32_t *column;
    double *value, *x;
} triangle;

/* Of a 7-point grid in natural order. */
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

static double least(double a, double b)
{
    return b < a ? b : a;
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
        best = least(best, clv_clock() - start);
    }
    *seconds = best / ((double)solves * t.first[t.nrows]);
    return CLEAVE_OK;
}

/* ---- A barrier ------------------------------------------------------------------------ */

typedef struct meeting {
    _Alignas(line) atomic_int arrived;
    _Alignas(line) atomic_int round;
    int size;
    bool late;           /* no more batches; member 0 writes it */
    double *value;       /* values per member */
    double sync, remote; /* seconds; member 0 writes them */
    double own;
    double *sum; /* by member, a line apart: so that nothing is optimised away */
} meeting;

static void pause_or_yield(int turns)
{
    enum { spins = 2000 };
    if (turns > spins)
        sched_yield();
}

static void meet(meeting *m)
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

/* Meets; is there time for another batch?  All meet again before the next call, so that
 * everybody has read `late` by then. */
static bool begin_batch(meeting *m, int member, double end)
{
    if (member == 0)
        m->late = clv_clock() > end;
    meet(m);
    return !m->late;
}

static void time_barriers(meeting *m, int member)
{
    double end = clv_clock() + patience;
    for (int r = 0; r < batches && (begin_batch(m, member, end) || r == 0); r++) {
        double start = clv_clock();
        for (int i = 0; i < barriers; i++)
            meet(m);
        if (member == 0)
            m->sync = least(m->sync, (clv_clock() - start) / barriers);
    }
}

/* ---- A read --------------------------------------------------------------------------- */

/* Every value once, but not the neighbour next: as a solve gathers them. */
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
        meet(m);
        double start = clv_clock();
        *sum += add_up(others);
        double middle = clv_clock();
        *sum += add_up(mine);
        double stop = clv_clock();
        if (member == 0) {
            m->remote = least(m->remote, (middle - start) / values);
            m->own = least(m->own, (stop - middle) / values);
        }
        meet(m);
    }
}

static void measure_member(void *context, int member, int size)
{
    meeting *m = context;
    (void)size;
    time_barriers(m, member);
    meet(m);
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
