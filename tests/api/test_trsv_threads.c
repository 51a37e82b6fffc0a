/* SPDX-License-Identifier: Apache-2.0 */
/* Triangular solves and threads: shared and separate teams, concurrent callers, a caller's own
 * threads, teams created and freed, many repeated solves, a process that forks. */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/trsv_systems.h"
#include "support/test.h"

static cleave_error err;
static const cleave_schedule_costs cheap = {.size = sizeof cheap, .sync = 3};
static const char *const syncs[] = {"barrier", "p2p", "stale"};

static cleave_trsv *plan_of(const trsv_system *s, int threads, cleave_team *team,
                            const char *sync)
{
    cleave_run_options opt;
    cleave_trsv *p = NULL;
    cleave_run_options_init(&opt, sizeof opt);
    opt.method = "levels";
    opt.threads = threads;
    opt.team = team;
    opt.sync = sync;
    opt.costs = &cheap;
    CHECK_OK(cleave_trsv_create(&p, &s->t, &opt, &err));
    return p;
}

/* ---- Callers ---------------------------------------------------------------------------- */

typedef struct caller {
    pthread_t thread;
    cleave_trsv *plan;
    const trsv_system *s;
    int calls, wrong, member;
    double *x;
} caller;

static void *solve_often(void *argument)
{
    caller *c = argument;
    size_t bytes = (size_t)c->s->n * sizeof(double);
    double *x = malloc(bytes + 8);
    for (int i = 0; i < c->calls; i++) {
        c->wrong += cleave_trsv_solve(c->plan, x, c->s->b, NULL) != CLEAVE_OK;
        c->wrong += memcmp(x, c->s->x, bytes) != 0;
    }
    free(x);
    return NULL;
}

/* Two callers each, at the same time, on two plans. */
static void call_together(cleave_trsv *a, const trsv_system *of_a, cleave_trsv *b,
                          const trsv_system *of_b)
{
    caller callers[4];
    for (int i = 0; i < 4; i++) {
        callers[i] = (caller){.plan = i % 2 ? b : a, .s = i % 2 ? of_b : of_a, .calls = 25};
        CHECK_EQ(pthread_create(&callers[i].thread, NULL, solve_often, &callers[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(callers[i].thread, NULL);
        CHECK_EQ(callers[i].wrong, 0);
    }
}

static void test_concurrent_callers(void)
{
    trsv_system one = trsv_system_make(3, 200, 0, 1), two = trsv_system_make(2, 150, 8, 2);
    for (int sync = 0; sync < 3; sync++) {
        cleave_trsv *a = plan_of(&one, 2, NULL, syncs[sync]);
        cleave_trsv *b = plan_of(&two, sync + 1, NULL, syncs[sync]);
        call_together(a, &one, b, &two);
        cleave_trsv_free(a);
        cleave_trsv_free(b);
    }
    trsv_system_free(&one);
    trsv_system_free(&two);
}

static void test_shared_team(void)
{
    trsv_system one = trsv_system_make(3, 200, 0, 3), two = trsv_system_make(4, 150, 0, 4);
    cleave_team *team;
    REQUIRE_OK(cleave_team_create(&team, 3, &err));
    CHECK_EQ(cleave_team_size(team), 3);
    cleave_trsv *a = plan_of(&one, 0, team, NULL); /* all of the team */
    cleave_trsv *b = plan_of(&two, 2, team, NULL);
    call_together(a, &one, b, &two);
    cleave_run_info info;
    cleave_run_info_init(&info, sizeof info);
    cleave_trsv_info(a, &info);
    CHECK(info.threads > 1 && info.threads <= 3);
    cleave_trsv_free(a);
    cleave_trsv_free(b);
    cleave_team_free(team);
    trsv_system_free(&one);
    trsv_system_free(&two);
}

/* ---- A caller's own threads ------------------------------------------------------------- */

static void *solve_as_member(void *argument)
{
    caller *c = argument;
    size_t bytes = (size_t)c->s->n * sizeof(double);
    for (int i = 0; i < c->calls; i++) {
        /* A new array every time: a thread that is late with the last one does no harm. */
        double *x = c->x + (ptrdiff_t)i * c->s->n;
        cleave_error err = {0};
        c->wrong +=
            cleave_trsv_solve_member(c->plan, c->member, x, c->s->b, &err) != CLEAVE_OK;
        c->wrong += memcmp(x, c->s->x, bytes) != 0; /* whole on return, for every member */
    }
    return NULL;
}

static void test_own_threads(void)
{
    enum { calls = 20 };
    trsv_system s = trsv_system_make(3, 200, 0, 5);
    double *x = calloc((size_t)calls * 200, sizeof *x);
    for (int i = 0; i < 9; i++) {
        caller members[8];
        cleave_trsv *p = plan_of(&s, (int[]){1, 2, 4}[i / 3], NULL, syncs[i % 3]);
        cleave_run_info info;
        cleave_run_info_init(&info, sizeof info);
        cleave_trsv_info(p, &info);
        for (int m = 0; m < info.threads; m++) {
            members[m] = (caller){.plan = p, .s = &s, .calls = calls, .member = m, .x = x};
            if (m > 0)
                CHECK_EQ(
                    pthread_create(&members[m].thread, NULL, solve_as_member, &members[m]), 0);
        }
        solve_as_member(&members[0]);
        for (int m = 1; m < info.threads; m++)
            pthread_join(members[m].thread, NULL);
        for (int m = 0; m < info.threads; m++)
            CHECK_EQ(members[m].wrong, 0);
        CHECK(trsv_solves(p, &s, false)); /* and then by its own again */
        cleave_trsv_free(p);
    }
    free(x);
    trsv_system_free(&s);
}

/* ---- Making, freeing, forking ----------------------------------------------------------- */

static void test_make_and_free(void)
{
    trsv_system s = trsv_system_make(6, 64, 0, 6);
    for (int i = 0; i < 200; i += TEST_STRIDE) {
        cleave_team *team;
        REQUIRE_OK(cleave_team_create(&team, 1 + i % 5, &err));
        if (i % 2) {
            cleave_trsv *p = plan_of(&s, 0, team, NULL);
            if (i % 4 == 1)
                CHECK(trsv_solves(p, &s, false));
            cleave_trsv_free(p);
        }
        cleave_team_free(team);
        cleave_trsv_free(plan_of(&s, 1 + i % 3, NULL, NULL));
    }
    trsv_system_free(&s);
}

/* A child has the memory of its parent and none of its threads: it can make plans of its own.
 * ThreadSanitizer does not allow threads after a fork. */
static void test_fork(void)
{
#if !defined(__SANITIZE_THREAD__)
    trsv_system s = trsv_system_make(6, 64, 0, 7);
    cleave_trsv *p = plan_of(&s, 2, NULL, NULL);
    CHECK(trsv_solves(p, &s, false));
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        cleave_trsv *mine = plan_of(&s, 2, NULL, NULL);
        bool same = mine && trsv_solves(mine, &s, false);
        cleave_trsv_free(mine);
        cleave_trsv_free(p); /* its threads are the parent's */
        _exit(same ? 0 : 1);
    }
    int status = -1;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(trsv_solves(p, &s, false));
    cleave_trsv_free(p);
    trsv_system_free(&s);
#endif
}

/* A plan of one thread does not wake the others of its team: it solves even in a child, where
 * they are not. */
static void test_alone(void)
{
#if !defined(__SANITIZE_THREAD__)
    trsv_system s = trsv_system_make(6, 64, 0, 9);
    cleave_team *team;
    REQUIRE_OK(cleave_team_create(&team, 2, &err));
    cleave_trsv *p = plan_of(&s, 1, team, NULL);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        double b[128], x[128];
        alarm(20);
        for (int i = 0; i < 128; i++)
            b[i] = s.b[i % 64];
        bool same = cleave_trsv_solve_many(p, 2, x, 64, b, 64, NULL) == CLEAVE_OK &&
                    memcmp(x, s.x, sizeof x / 2) == 0 &&
                    memcmp(x + 64, s.x, sizeof x / 2) == 0 &&
                    cleave_trsv_solve_ordered(p, b, NULL) == CLEAVE_OK;
        _exit(same ? 0 : 1);
    }
    int status = -1;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    cleave_trsv_free(p);
    cleave_team_free(team);
    trsv_system_free(&s);
#endif
}

/* ---- Many solves ------------------------------------------------------------------------ */

static void repeat(int threads, const char *sync, int times)
{
    trsv_system s = trsv_system_make(3, 60, 0, 8);
    cleave_trsv *p = plan_of(&s, threads, NULL, sync);
    double x[60];
    int wrong = 0;
    for (int i = 0; i < times; i++) {
        wrong += cleave_trsv_solve(p, x, s.b, NULL) != CLEAVE_OK;
        wrong += memcmp(x, s.x, sizeof x) != 0;
    }
    CHECK_EQ(wrong, 0);
    cleave_trsv_free(p);
    trsv_system_free(&s);
}

static void test_many_solves(void)
{
    repeat(1, NULL, 1000000 / TEST_STRIDE);
    for (int sync = 0; sync < 3; sync++)
        repeat(2, syncs[sync], 500 / TEST_STRIDE);
    repeat(3, NULL, 100 / TEST_STRIDE);
}

int main(void)
{
    RUN(test_concurrent_callers);
    RUN(test_shared_team);
    RUN(test_own_threads);
    RUN(test_make_and_free);
    RUN(test_fork);
    RUN(test_alone);
    RUN(test_many_solves);
    return test_end();
}
