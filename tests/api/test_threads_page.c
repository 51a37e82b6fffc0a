/* SPDX-License-Identifier: Apache-2.0 */
/* The statements of docs/threads.md about sharing, callbacks, forks, signals and the library's
 * own threads, one test per row of its table.  Also for ThreadSanitizer. */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/trsv_systems.h"
#include "support/test.h"

enum { members = 4, parts = 4 };

static cleave_error err;
static cleave_graph *grid;
static cleave_target *machine;
static cleave_order *line;
static cleave_mapping *expected;
static cleave_graph *triangle;
static cleave_schedule *layers;

static cleave_options options_of(int threads)
{
    cleave_options opt;
    cleave_options_init(&opt, sizeof opt);
    opt.threads = threads;
    opt.effort = CLEAVE_EFFORT_FAST;
    return opt;
}

static bool same_parts(const cleave_mapping *a, const cleave_mapping *b)
{
    size_t n = (size_t)cleave_mapping_vertices(a);
    return a && b && (size_t)cleave_mapping_vertices(b) == n &&
           memcmp(cleave_mapping_parts(a), cleave_mapping_parts(b), n * sizeof(int32_t)) == 0;
}

/* Maps the grid and compares with what the main thread got alone. */
static bool maps(int threads)
{
    cleave_mapping *m = NULL;
    cleave_options opt = options_of(threads);
    bool same =
        cleave_map(&m, grid, machine, &opt, NULL) == CLEAVE_OK && same_parts(m, expected);
    cleave_mapping_free(m);
    return same;
}

static void run_all(void *(*work)(void *), void *argument)
{
    pthread_t thread[members];
    for (int i = 0; i < members; i++)
        CHECK_EQ(pthread_create(&thread[i], NULL, work, argument), 0);
    for (int i = 0; i < members; i++)
        pthread_join(thread[i], NULL);
}

/* ---- Handles -------------------------------------------------------------------------- */

static atomic_int wrong;

static void *use_handles(void *unused)
{
    (void)unused;
    int32_t begin[parts], end[parts];
    cleave_target_metrics on_target;
    cleave_target_metrics_init(&on_target, sizeof on_target);
    bool fine = maps(1) &&
                cleave_order_split(begin, end, line, machine, NULL, NULL) == CLEAVE_OK &&
                cleave_evaluate_target(&on_target, grid, expected, machine, NULL) == 0 &&
                cleave_target_distance(machine, 0, parts - 1) == 2 &&
                cleave_schedule_check(layers, triangle, NULL) == CLEAVE_OK;
    atomic_fetch_add(&wrong, !fine);
    return NULL;
}

static void test_shared_handles(void)
{
    atomic_store(&wrong, 0);
    run_all(use_handles, NULL);
    CHECK_EQ(atomic_load(&wrong), 0);
}

/* Each thread with objects and an error of its own. */
static void *make_own(void *unused)
{
    (void)unused;
    cleave_error own = {CLEAVE_OK, ""};
    cleave_builder *b = NULL;
    cleave_graph *g = NULL;
    cleave_target *t = NULL;
    const int32_t tail[] = {0, 1, 2}, head[] = {1, 2, 3};
    bool fine = cleave_builder_create(&b, CLEAVE_UNDIRECTED, &own) == CLEAVE_OK &&
                cleave_builder_add(b, 3, tail, head, NULL, &own) == CLEAVE_OK &&
                cleave_builder_finish(&g, b, -1, NULL, &own) == CLEAVE_OK &&
                cleave_graph_edges(g) == 3 &&
                cleave_target_parse(&t, "nowhere:7", &own) == CLEAVE_EINVAL &&
                strstr(own.message, "nowhere:7") != NULL;
    cleave_builder_free(b);
    cleave_graph_free(g);
    atomic_fetch_add(&wrong, !fine);
    return NULL;
}

static void test_own_objects(void)
{
    atomic_store(&wrong, 0);
    run_all(make_own, NULL);
    CHECK_EQ(atomic_load(&wrong), 0);
}

/* One value of each kind of options, const, for all threads: nothing is written to it. */
typedef struct all_options {
    cleave_options map;
    cleave_constraints constraints;
    cleave_remap_options remap;
    cleave_read_options read;
    cleave_write_options write;
    cleave_order_options order;
    cleave_split_options split;
    cleave_schedule_options schedule;
    cleave_schedule_costs costs;
    cleave_separator_options separator;
    cleave_evaluate_options evaluate;
    char file[4096]; /* to read */
} all_options;

static bool reads_and_writes(const all_options *all)
{
    static atomic_int count;
    char path[4200];
    cleave_graph *g = NULL;
    snprintf(path, sizeof path, "%s.%d.graph", all->file, atomic_fetch_add(&count, 1));
    bool fine = cleave_graph_read(&g, all->file, &all->read, NULL) == CLEAVE_OK &&
                cleave_graph_edges(g) == cleave_graph_edges(grid) &&
                cleave_graph_write(g, path, &all->write, NULL) == CLEAVE_OK;
    cleave_graph_free(g);
    return fine;
}

static void *use_options(void *argument)
{
    const all_options *all = argument;
    cleave_mapping *m = NULL, *again = NULL, *sides = NULL;
    cleave_order *o = NULL;
    cleave_schedule *s = NULL;
    cleave_metrics metrics;
    int32_t begin[parts], end[parts];
    cleave_metrics_init(&metrics, sizeof metrics);
    bool fine = cleave_map(&m, grid, machine, &all->map, NULL) == CLEAVE_OK &&
                same_parts(m, expected) &&
                cleave_remap(&again, grid, m, machine, &all->remap, NULL) == CLEAVE_OK &&
                cleave_order_build(&o, grid, &all->order, NULL) == CLEAVE_OK &&
                cleave_order_split(begin, end, o, machine, &all->split, NULL) == CLEAVE_OK &&
                cleave_separator(&sides, grid, &all->separator, NULL, NULL) == CLEAVE_OK &&
                cleave_schedule_build(&s, triangle, &all->schedule, NULL) == CLEAVE_OK &&
                cleave_evaluate(&metrics, grid, m, &all->evaluate, NULL) == CLEAVE_OK &&
                reads_and_writes(all);
    cleave_mapping_free(m);
    cleave_mapping_free(again);
    cleave_mapping_free(sides);
    cleave_order_free(o);
    cleave_schedule_free(s);
    atomic_fetch_add(&wrong, !fine);
    return NULL;
}

static void test_shared_options(void)
{
    static all_options all, before;
    all.map = options_of(1);
    all.map.constraints = &all.constraints;
    cleave_constraints_init(&all.constraints, sizeof all.constraints);
    cleave_remap_options_init(&all.remap, sizeof all.remap);
    all.remap.options = &all.map;
    cleave_read_options_init(&all.read, sizeof all.read);
    all.read.flags = CLEAVE_REPAIR;
    cleave_write_options_init(&all.write, sizeof all.write);
    cleave_order_options_init(&all.order, sizeof all.order);
    cleave_split_options_init(&all.split, sizeof all.split);
    cleave_schedule_costs_init(&all.costs, sizeof all.costs);
    cleave_schedule_options_init(&all.schedule, sizeof all.schedule);
    all.schedule.costs = &all.costs;
    cleave_separator_options_init(&all.separator, sizeof all.separator);
    cleave_evaluate_options_init(&all.evaluate, sizeof all.evaluate);
    snprintf(all.file, sizeof all.file, "%s/shared.graph", test_scratch());
    REQUIRE_OK(cleave_graph_write(grid, all.file, NULL, &err));
    memcpy(&before, &all, sizeof all);
    atomic_store(&wrong, 0);
    run_all(use_options, &all);
    CHECK_EQ(atomic_load(&wrong), 0);
    CHECK(memcmp(&before, &all, sizeof all) == 0);
}

/* The last thread that uses an object may free it, even if another thread created it. */
static void *free_it(void *graph)
{
    cleave_graph_free(graph);
    return NULL;
}

static void test_freed_elsewhere(void)
{
    cleave_graph *g = NULL;
    pthread_t thread;
    CHECK_OK(cleave_graph_generate(&g, "grid2d:9x9", NULL, &err));
    CHECK_EQ(pthread_create(&thread, NULL, free_it, g), 0);
    pthread_join(thread, NULL);
}

/* ---- Callbacks ------------------------------------------------------------------------- */

typedef struct watcher {
    pthread_t caller;
    int calls, elsewhere, inside; /* inside: while another call of it was running */
    int failed;
    atomic_int running;
} watcher;

static int watch(void *payload, const cleave_progress *now)
{
    watcher *w = payload;
    (void)now;
    w->calls++;
    w->elsewhere += !pthread_equal(pthread_self(), w->caller);
    w->inside += atomic_fetch_add(&w->running, 1) != 0;
    /* Other calls are welcome, also on the same objects. */
    cleave_metrics metrics;
    cleave_metrics_init(&metrics, sizeof metrics);
    w->failed += cleave_evaluate(&metrics, grid, expected, NULL, NULL) != CLEAVE_OK;
    atomic_fetch_sub(&w->running, 1);
    return 0;
}

static void test_callbacks(void)
{
    watcher w = {.caller = pthread_self()};
    cleave_mapping *m = NULL;
    cleave_options opt = options_of(members);
    opt.effort = CLEAVE_EFFORT_QUALITY;
    opt.progress = watch;
    opt.payload = &w;
    CHECK_OK(cleave_map(&m, grid, machine, &opt, &err));
    CHECK(w.calls > 0);
    CHECK_EQ(w.elsewhere, 0);
    CHECK_EQ(w.inside, 0);
    CHECK_EQ(w.failed, 0);
    cleave_mapping_free(m);
}

/* Another thread stops a call through what its callback looks at. */
static int stop_when_told(void *payload, const cleave_progress *now)
{
    (void)now;
    return atomic_load((atomic_int *)payload);
}

static void *tell(void *stop)
{
    atomic_store((atomic_int *)stop, 1);
    return NULL;
}

static void test_cancel_from_outside(void)
{
    atomic_int stop;
    atomic_init(&stop, 0);
    pthread_t thread;
    cleave_mapping *m = NULL;
    cleave_options opt = options_of(2);
    opt.effort = CLEAVE_EFFORT_BEST;
    opt.time_limit = 60; /* in case the request is ignored */
    opt.progress = stop_when_told;
    opt.payload = &stop;
    CHECK_EQ(pthread_create(&thread, NULL, tell, &stop), 0);
    CHECK_EQ(cleave_map(&m, grid, machine, &opt, &err), CLEAVE_ECANCEL);
    pthread_join(thread, NULL);
    cleave_mapping_free(m);
}

/* ---- Forks ----------------------------------------------------------------------------- */

/* ThreadSanitizer allows no threads after a fork: the child works alone. */
static void test_child_uses_objects(void)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        bool fine = maps(1);
        cleave_graph_free(grid);
        _exit(fine ? 0 : 1);
    }
    int status = -1;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(maps(2)); /* the parent still has its own */
}

/* ---- Signals --------------------------------------------------------------------------- */

static atomic_int handled;

static void count_signal(int number)
{
    (void)number;
    atomic_fetch_add(&handled, 1);
}

static struct sigaction catch_signal(int number)
{
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    action.sa_handler = count_signal; /* no SA_RESTART: calls of the system are interrupted */
    sigaction(number, &action, &before);
    return before;
}

/* Raises a signal that this thread blocks: on a thread of the library it would be handled. */
static int raise_blocked(void *payload, const cleave_progress *now)
{
    (void)payload;
    (void)now;
    kill(getpid(), SIGUSR1);
    return 0;
}

static void test_signals_stay_away(void)
{
    sigset_t set, before;
    struct sigaction old = catch_signal(SIGUSR1);
    cleave_mapping *m = NULL;
    cleave_team *asleep = NULL; /* who sleeps could answer */
    cleave_options opt = options_of(members);
    opt.progress = raise_blocked;
    atomic_store(&handled, 0);
    CHECK_OK(cleave_team_create(&asleep, members, &err));
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, &before);
    kill(getpid(), SIGUSR1);
    CHECK_OK(cleave_map(&m, grid, machine, &opt, &err));
    usleep(20000);
    CHECK_EQ(atomic_load(&handled), 0);
    sigset_t now;
    pthread_sigmask(SIG_SETMASK, NULL, &now);
    CHECK(sigismember(&now, SIGUSR1) == 1 && sigismember(&now, SIGUSR2) == 0);
    pthread_sigmask(SIG_SETMASK, &before, NULL); /* now it may come */
    for (int i = 0; i < 1000 && atomic_load(&handled) == 0; i++)
        usleep(1000);
    CHECK_EQ(atomic_load(&handled), 1);
    sigaction(SIGUSR1, &old, NULL);
    cleave_team_free(asleep);
    cleave_mapping_free(m);
}

/* A timer that interrupts reading, writing and computing all the time. */
static void test_interrupted(void)
{
    struct sigaction old = catch_signal(SIGALRM);
    struct itimerval every = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
    char path[4200];
    cleave_graph *again = NULL;
    snprintf(path, sizeof path, "%s", test_file("interrupted.graph", ""));
    atomic_store(&handled, 0);
    setitimer(ITIMER_REAL, &every, NULL);
    for (int i = 0; i < 100 && (i < 3 || atomic_load(&handled) == 0); i++) {
        CHECK_OK(cleave_graph_write(grid, path, NULL, &err));
        CHECK_OK(cleave_graph_read(&again, path, NULL, &err));
        CHECK_EQ(cleave_graph_edges(again), cleave_graph_edges(grid));
        cleave_graph_free(again);
        CHECK(maps(2));
    }
    setitimer(ITIMER_REAL, &never, NULL);
    CHECK(atomic_load(&handled) > 0);
    sigaction(SIGALRM, &old, NULL);
}

/* ---- Threads of the library ------------------------------------------------------------- */

static int threads_of_process(void)
{
    DIR *tasks = opendir("/proc/self/task");
    int count = 0;
    if (!tasks)
        return -1;
    while (readdir(tasks))
        count++;
    closedir(tasks);
    return count;
}

/* A thread that was joined may be listed for a moment. */
static bool settles_at(int count)
{
    for (int i = 0; i < 1000; i++) {
        if (threads_of_process() == count)
            return true;
        usleep(1000);
    }
    return false;
}

static void test_nothing_left_running(void)
{
    CHECK(maps(members));
    int before = threads_of_process();
    CHECK(maps(members));
    CHECK(settles_at(before));
    cleave_team *team = NULL;
    REQUIRE_OK(cleave_team_create(&team, members, &err));
    CHECK(before == -1 || settles_at(before + members - 1)); /* the caller is one of them */
    cleave_team_free(team);
    CHECK(settles_at(before));
}

static void test_affinity(void)
{
    cpu_set_t all, one;
    CPU_ZERO(&one);
    REQUIRE(sched_getaffinity(0, sizeof all, &all) == 0);
    for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; cpu++)
        if (CPU_ISSET(cpu, &all))
            CPU_SET(cpu, &one);
    REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
    cleave_team *team = NULL;
    CHECK_OK(cleave_team_create(&team, 0, &err));
    CHECK_EQ(cleave_team_size(team), 1);
    cleave_team_free(team);
    CHECK_OK(cleave_team_create(&team, 3, &err)); /* a requested number of members is
                                                     created */
    CHECK_EQ(cleave_team_size(team), 3);
    cleave_team_free(team);
    sched_setaffinity(0, sizeof all, &all);
}

/* ---- Refused threads ------------------------------------------------------------------- */

/* How many more threads the system starts; the linker puts this in the place of
 * pthread_create. */
static atomic_int startable = 1 << 30;

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*work)(void *),
                          void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*work)(void *),
                          void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*work)(void *),
                          void *argument)
{
    if (atomic_fetch_sub(&startable, 1) <= 0)
        return EAGAIN;
    return __real_pthread_create(thread, how, work, argument);
}

static const char *const methods[] = {"auto", "levels", "grow"};

static void solve_refused(const char *method, int allowed)
{
    cleave_run_options opt;
    cleave_run_options_init(&opt, sizeof opt);
    opt.method = method;
    for (int shape = 0; shape < trsv_shapes; shape++) {
        trsv_system s = trsv_system_make(shape, shape == 5 ? 400 : 1500, 0, 3);
        cleave_trsv *plan = NULL;
        atomic_store(&startable, allowed);
        CHECK_OK(cleave_trsv_create(&plan, &s.t, &opt, &err));
        CHECK(plan && trsv_solves(plan, &s, false));
        cleave_trsv_free(plan);
        trsv_system_free(&s);
    }
}

static void evaluate_refused(const char *method, int allowed)
{
    /* P(1) = 1/2; given 1: P(2) = 1/2; else 2 is false. */
    static const char text[] = "psdd 5\nL 0 0 1\nL 1 0 -1\nT 2 2 2 -0.6931471805599453\n"
                               "L 3 2 -2\nD 4 1 2 0 2 -0.6931471805599453 1 3 "
                               "-0.6931471805599453\n";
    const int8_t both[2] = {1, 1};
    double result = 7;
    cleave_circuit *c = NULL;
    cleave_circuit_plan *plan = NULL;
    cleave_run_options opt;
    cleave_run_options_init(&opt, sizeof opt);
    opt.method = method;
    REQUIRE_OK(cleave_circuit_read(&c, test_file("small.psdd", text), &err));
    atomic_store(&startable, allowed);
    CHECK_OK(cleave_circuit_plan_create(&plan, c, &opt, &err));
    CHECK_OK(cleave_circuit_evaluate(plan, NULL, 1, both, &result, &err));
    CHECK(fabs(result - log(0.25)) < 1e-12);
    cleave_circuit_plan_free(plan);
    cleave_circuit_free(c);
}

static void make_refused(int allowed)
{
    cleave_order *o = NULL;
    cleave_schedule *s = NULL;
    cleave_graph *g = NULL;
    double seconds;
    cleave_schedule_costs costs;
    cleave_schedule_costs_init(&costs, sizeof costs);
    atomic_store(&startable, allowed);
    CHECK(maps(0));
    CHECK_OK(cleave_order_build(&o, grid, NULL, &err));
    CHECK(memcmp(cleave_order_view(o), cleave_order_view(line),
                 (size_t)cleave_order_vertices(o) * sizeof(int32_t)) == 0);
    CHECK_OK(cleave_schedule_build(&s, triangle, NULL, &err));
    CHECK_EQ(cleave_schedule_layers(s), cleave_schedule_layers(layers));
    CHECK_OK(cleave_graph_generate(&g, "mesh2d:40x30", NULL, &err));
    CHECK_OK(cleave_schedule_costs_measure(&costs, &seconds, 0, &err));
    cleave_order_free(o);
    cleave_schedule_free(s);
    cleave_graph_free(g);
}

/* Threads that were not requested explicitly may be refused by the system: fewer are used,
 * with the same bits. */
static void test_refused(void)
{
    for (int allowed = 0; allowed < 3; allowed++) {
        make_refused(allowed);
        for (int i = 0; i < 3; i++) {
            solve_refused(methods[i], allowed);
            evaluate_refused(methods[i], allowed);
        }
        /* Those that somebody asked for may not. */
        cleave_team *team = NULL;
        cleave_mapping *m = NULL;
        cleave_options opt = options_of(allowed + 2);
        atomic_store(&startable, allowed);
        CHECK_EQ(cleave_team_create(&team, allowed + 2, &err), CLEAVE_ENOMEM);
        CHECK(team == NULL && strstr(err.message, "the system refused to start thread"));
        atomic_store(&startable, allowed);
        CHECK_EQ(cleave_map(&m, grid, machine, &opt, &err), CLEAVE_ENOMEM);
        CHECK(m == NULL);
    }
    atomic_store(&startable, 1 << 30);
}

static void test_same_result(void)
{
    for (int threads = 1; threads <= 8; threads *= 2)
        CHECK(maps(threads));
}

int main(void)
{
    cleave_options opt = options_of(1);
    if (cleave_graph_generate(&grid, "mesh2d:40x30", NULL, &err) != CLEAVE_OK ||
        cleave_target_parse(&machine, "mesh:2x2", &err) != CLEAVE_OK ||
        cleave_order_build(&line, grid, NULL, &err) != CLEAVE_OK ||
        cleave_graph_factor(&triangle, grid, NULL, NULL, &err) != CLEAVE_OK ||
        cleave_schedule_build(&layers, triangle, NULL, &err) != CLEAVE_OK ||
        cleave_map(&expected, grid, machine, &opt, &err) != CLEAVE_OK)
        return 1;
    RUN(test_shared_handles);
    RUN(test_own_objects);
    RUN(test_shared_options);
    RUN(test_freed_elsewhere);
    RUN(test_callbacks);
    RUN(test_cancel_from_outside);
    RUN(test_child_uses_objects);
    RUN(test_signals_stay_away);
    RUN(test_interrupted);
    RUN(test_nothing_left_running);
    RUN(test_affinity);
    RUN(test_same_result);
    RUN(test_refused);
    cleave_mapping_free(expected);
    cleave_order_free(line);
    cleave_target_free(machine);
    cleave_schedule_free(layers);
    cleave_graph_free(triangle);
    cleave_graph_free(grid);
    return test_end();
}
