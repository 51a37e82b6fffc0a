/* SPDX-License-Identifier: Apache-2.0 */
/* base/threads.c - a team of pthreads.
 *
 * Threads wait at a gate: they spin for a moment, because the next parallel loop usually
 * follows immediately, and then sleep.  A gate counts its openings; a waiter reads the count
 * while the gate is certainly still closed, so that it never misses an opening and never
 * counts one twice.  A thread registers as a sleeper and checks the count again before it
 * sleeps; opening increments the count, then checks for sleepers.  Without sleepers, opening a
 * gate is one atomic addition. */
#include "base/threads.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "base/cgroup.h"

enum { most_threads = 4096, spins = 1000, cache_line = 64 };

typedef struct gate {
    atomic_uint openings;
    atomic_uint sleepers; /* changed under the mutex */
    char apart[cache_line];
    pthread_mutex_t mutex;
    pthread_cond_t opened;
} gate;

typedef struct member {
    pthread_t thread;
    clv_team *team;
    int64_t sum; /* of the member's piece, for clv_prefix_sum */
} member;

struct clv_team {
    int size, spins;
    pid_t process;       /* the process that the threads belong to */
    atomic_int patience; /* additional nanoseconds of spinning while there is no work */
    char before[cache_line];
    int gates; /* how many of the three gates below are initialised */
    gate start, done, barrier;
    atomic_int working; /* members that have not finished the current work */
    char apart[cache_line];
    atomic_int missing; /* members that have not reached the barrier */
    /* Written before `start` opens; work NULL: the thread ends. */
    void (*work)(void *context, int member, int size);
    void *context;
    member members[]; /* number 0 is the caller: its thread is not set */
};

/* ---- Gates ------------------------------------------------------------------------- */

static bool gate_init(gate *g)
{
    atomic_init(&g->openings, 0);
    atomic_init(&g->sleepers, 0);
    if (pthread_mutex_init(&g->mutex, NULL) != 0)
        return false;
    if (pthread_cond_init(&g->opened, NULL) != 0) {
        pthread_mutex_destroy(&g->mutex);
        return false;
    }
    return true;
}

static void gate_destroy(gate *g)
{
    pthread_cond_destroy(&g->opened);
    pthread_mutex_destroy(&g->mutex);
}

static unsigned gate_openings(gate *g)
{
    return atomic_load_explicit(&g->openings, memory_order_acquire);
}

static void gate_open(gate *g)
{
    atomic_fetch_add(&g->openings, 1);
    if (atomic_load(&g->sleepers) == 0)
        return;
    /* With the mutex, every registered sleeper waits or has seen the new count. */
    pthread_mutex_lock(&g->mutex);
    pthread_cond_broadcast(&g->opened);
    pthread_mutex_unlock(&g->mutex);
}

static bool gate_spin(gate *g, unsigned seen, int spins_left)
{
    for (; spins_left > 0; spins_left--) {
        if (gate_openings(g) != seen)
            return true;
        clv_pause();
    }
    return false;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Returns when the gate has opened since gate_openings returned `seen`. */
static void gate_wait(gate *g, unsigned seen, int patience)
{
    if (gate_spin(g, seen, patience))
        return;
    pthread_mutex_lock(&g->mutex);
    atomic_fetch_add(&g->sleepers, 1);
    while (atomic_load(&g->openings) == seen)
        pthread_cond_wait(&g->opened, &g->mutex);
    atomic_fetch_sub(&g->sleepers, 1);
    pthread_mutex_unlock(&g->mutex);
}

/* The same, spinning for the patience of the team. */
static void gate_wait_long(gate *g, unsigned seen, clv_team *team)
{
    if (gate_spin(g, seen, team->spins))
        return;
    int patience = atomic_load_explicit(&team->patience, memory_order_relaxed);
    /* Yields, because another process may need the processor of the thread that opens the
     * gate. */
    for (double end = patience > 0 ? now() + 1e-9 * patience : 0; end > 0 && now() < end;) {
        if (gate_spin(g, seen, 32))
            return;
        sched_yield();
    }
    gate_wait(g, seen, 0);
}

void clv_thread_wait(double *since)
{
    /* Yielding takes longer than `wanted` only if another thread gets the processor. */
    const double wanted = 10e-6, long_wait = 1e-3;
    double before = now();
    if (*since == 0)
        *since = before;
    if (before - *since > long_wait) {
        nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
        return;
    }
    sched_yield();
    if (now() - before > wanted)
        *since = before - 2 * long_wait;
}

/* ---- Team -------------------------------------------------------------------------- */

int clv_processors(void)
{
    long count = 0;
#ifdef CPU_COUNT_S
    /* The kernel refuses masks shorter than its own; this one has 65536 bits. */
    cpu_set_t mask[65536 / CPU_SETSIZE];
    if (sched_getaffinity(0, sizeof mask, mask) == 0)
        count = CPU_COUNT_S(sizeof mask, mask);
#endif
    if (count < 1)
        count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > most_threads ? most_threads : (int)count;
}

int clv_threads_available(void)
{
    int processors = clv_processors();
    int quota = processors > 1 ? clv_cgroup_cpus("") : 0;
    return quota > 0 && quota < processors ? quota : processors;
}

static void finish_work(clv_team *team)
{
    if (atomic_fetch_sub_explicit(&team->working, 1, memory_order_acq_rel) == 1)
        gate_open(&team->done);
}

static void *member_main(void *argument)
{
    member *me = argument;
    clv_team *team = me->team;
    int number = (int)(me - team->members);
    for (unsigned seen = 0;; seen++) {
        gate_wait_long(&team->start, seen, team);
        if (!team->work)
            return NULL;
        team->work(team->context, number, team->size);
        finish_work(team);
    }
}

/* Ends the threads of members 1..started-1 and frees the team.  The child of a fork has none
 * of its parent's threads, so there is nothing to join. */
static void end_team(clv_team *team, int started)
{
    if (getpid() != team->process) {
        clv_sys_free(team);
        return;
    }
    team->work = NULL;
    if (started > 1)
        gate_open(&team->start);
    for (int i = 1; i < started; i++)
        pthread_join(team->members[i].thread, NULL);
    gate *gates[] = {&team->start, &team->done, &team->barrier};
    for (int i = 0; i < team->gates; i++)
        gate_destroy(gates[i]);
    clv_sys_free(team);
}

static clv_team *make_team(int threads)
{
    clv_team *team = clv_zalloc(1, sizeof *team + (size_t)threads * sizeof team->members[0]);
    if (!team)
        return NULL;
    team->size = threads;
    team->process = getpid();
    /* With more members than processors, a spinning thread keeps another one from working. */
    team->spins = threads <= clv_processors() ? spins : 0;
    atomic_init(&team->working, 0);
    atomic_init(&team->missing, threads);
    atomic_init(&team->patience, 0);
    gate *gates[] = {&team->start, &team->done, &team->barrier};
    for (; team->gates < 3; team->gates++) {
        if (!gate_init(gates[team->gates])) {
            end_team(team, 0);
            return NULL;
        }
    }
    return team;
}

/* Threads of the library block signals, because they inherit the mask: the caller's handlers
 * should not run on threads that the caller did not create.  Faults must be handled on the
 * thread where they occur, and profilers need their signal. */
static void block_signals(sigset_t *before)
{
    static const int open[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGPROF};
    sigset_t all;
    sigfillset(&all);
    for (size_t i = 0; i < sizeof open / sizeof *open; i++)
        sigdelset(&all, open[i]);
    pthread_sigmask(SIG_SETMASK, &all, before);
}

/* Starts threads for up to team->size members; returns the number of members, the caller
 * included. */
static int start_members(clv_team *team)
{
    sigset_t before;
    int started = 1;
    block_signals(&before);
    for (; started < team->size; started++) {
        member *m = &team->members[started];
        m->team = team;
        if (pthread_create(&m->thread, NULL, member_main, m) != 0)
            break;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

static cleave_status create_team(clv_team **out, int threads, bool insist, cleave_error *err)
{
    *out = NULL;
    clv_team *team = make_team(threads);
    if (!team)
        return clv_fail_memory(err);
    int started = start_members(team);
    if (started < threads && insist) {
        end_team(team, started);
        return clv_fail(err, CLEAVE_ENOMEM,
                        "the system refused to start thread %d of %d; request fewer",
                        started + 1, threads);
    }
    /* Members read these only once they have work. */
    team->size = started;
    atomic_store(&team->missing, started);
    *out = team;
    return CLEAVE_OK;
}

cleave_status clv_team_create(clv_team **out, int threads, cleave_error *err)
{
    *out = NULL;
    if (threads < 0 || threads > most_threads)
        return clv_fail(err, CLEAVE_EINVAL, "%d threads requested; 0 to %d are possible",
                        threads, (int)most_threads);
    if (threads == 0)
        return clv_team_create_up_to(out, clv_threads_available(), err);
    return create_team(out, threads, true, err);
}

cleave_status clv_team_create_up_to(clv_team **out, int threads, cleave_error *err)
{
    assert(threads >= 1 && threads <= most_threads);
    return create_team(out, threads, false, err);
}

void clv_team_free(clv_team *team)
{
    if (team)
        end_team(team, team->size);
}

int clv_team_size(const clv_team *team)
{
    return team ? team->size : 1;
}

void clv_team_set_patience(clv_team *team, double seconds)
{
    if (team && team->spins > 0)
        atomic_store_explicit(&team->patience, (int)(1e9 * seconds), memory_order_relaxed);
}

void clv_team_run(clv_team *team, void (*work)(void *context, int member, int size),
                  void *context)
{
    if (clv_team_size(team) == 1) {
        work(context, 0, 1);
        return;
    }
    assert(atomic_load(&team->working) == 0); /* no nested calls */
    unsigned seen = gate_openings(&team->done);
    team->work = work;
    team->context = context;
    atomic_store_explicit(&team->working, team->size, memory_order_relaxed);
    gate_open(&team->start);
    work(context, 0, team->size);
    finish_work(team);
    gate_wait_long(&team->done, seen, team);
}

void clv_team_barrier(clv_team *team)
{
    if (clv_team_size(team) == 1)
        return;
    unsigned seen = gate_openings(&team->barrier);
    if (atomic_fetch_sub_explicit(&team->missing, 1, memory_order_acq_rel) == 1) {
        atomic_store_explicit(&team->missing, team->size, memory_order_relaxed);
        gate_open(&team->barrier);
    } else {
        gate_wait(&team->barrier, seen, team->spins);
    }
}

/* ---- Parallel loop ------------------------------------------------------------------ */

typedef struct loop {
    int64_t count, grain, chunks;
    void (*body)(void *context, int64_t begin, int64_t end, int member);
    void *context;
    char apart[cache_line];
    atomic_int_least64_t next; /* next chunk */
} loop;

static void run_chunks(void *context, int member_number, int size)
{
    loop *l = context;
    (void)size;
    for (;;) {
        int64_t chunk = atomic_fetch_add_explicit(&l->next, 1, memory_order_relaxed);
        if (chunk >= l->chunks)
            return;
        int64_t begin = chunk * l->grain, left = l->count - begin;
        l->body(l->context, begin, begin + (left < l->grain ? left : l->grain), member_number);
    }
}

void clv_parallel_for(clv_team *team, int64_t count, int64_t grain,
                      void (*body)(void *context, int64_t begin, int64_t end, int member),
                      void *context)
{
    assert(grain > 0);
    if (count <= 0)
        return;
    loop l = {.count = count, .grain = grain, .body = body, .context = context};
    l.chunks = count / grain + (count % grain != 0);
    atomic_init(&l.next, 0);
    clv_team_run(l.chunks > 1 ? team : NULL, run_chunks, &l);
}

/* ---- Prefix sum -------------------------------------------------------------------- */

typedef struct summation {
    clv_team *team;
    int64_t *values, count;
} summation;

static int64_t sum_before(int64_t *values, int64_t begin, int64_t end, int64_t sum)
{
    for (int64_t i = begin; i < end; i++) {
        int64_t value = values[i];
        values[i] = sum;
        sum += value;
    }
    return sum;
}

/* Each member sums its piece, then computes prefix sums from the total of the pieces before.
 */
static void sum_piece(void *context, int number, int size)
{
    summation *s = context;
    member *members = s->team->members;
    int64_t piece = s->count / size, extra = s->count % size;
    int64_t begin = piece * number + (number < extra ? number : extra);
    int64_t end = begin + piece + (number < extra);
    int64_t sum = 0;
    for (int64_t i = begin; i < end; i++)
        sum += s->values[i];
    members[number].sum = sum;
    clv_team_barrier(s->team);
    sum = 0;
    for (int i = 0; i < number; i++)
        sum += members[i].sum;
    sum_before(s->values, begin, end, sum);
}

int64_t clv_prefix_sum(clv_team *team, int64_t *values, int64_t count)
{
    enum { worth_waking = 32768 }; /* below this size one thread is faster */
    if (clv_team_size(team) == 1 || count < worth_waking)
        return sum_before(values, 0, count, 0);
    summation s = {team, values, count};
    clv_team_run(team, sum_piece, &s);
    int64_t total = 0;
    for (int i = 0; i < team->size; i++)
        total += team->members[i].sum;
    return total;
}

/* ---- Taking turns ------------------------------------------------------------------ */

struct clv_lock {
    pthread_mutex_t mutex;
};

clv_lock *clv_lock_new(void)
{
    clv_lock *lock = clv_alloc(1, sizeof *lock);
    if (lock && pthread_mutex_init(&lock->mutex, NULL) != 0) {
        clv_sys_free(lock);
        return NULL;
    }
    return lock;
}

void clv_lock_free(clv_lock *lock)
{
    if (lock)
        pthread_mutex_destroy(&lock->mutex);
    clv_sys_free(lock);
}

void clv_lock_take(clv_lock *lock)
{
    pthread_mutex_lock(&lock->mutex);
}

void clv_lock_give(clv_lock *lock)
{
    pthread_mutex_unlock(&lock->mutex);
}
