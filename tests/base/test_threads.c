/* SPDX-License-Identifier: Apache-2.0 */
/* base/threads: every member and every index exactly once, for teams of several sizes. */
#include <sched.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "base/rng.h"
#include "base/threads.h"
#include "support/test.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1 /* the sanitizers need more address space than a limit allows */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

static const int sizes[] = {0, 1, 2, 3, 8}; /* 0: no team at all */
enum { nsizes = sizeof sizes / sizeof sizes[0] };

static clv_team *team_of(int size)
{
    clv_team *team = NULL;
    cleave_error err;
    if (size > 0)
        CHECK_OK(clv_team_create(&team, size, &err));
    CHECK_EQ(clv_team_size(team), size > 0 ? size : 1);
    return team;
}

/* ---- Containers --------------------------------------------------------------------- */

static void put_file(const char *root, const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", root, name);
    for (char *p = path + strlen(root) + 1; (p = strchr(p, '/')) != NULL; p++) {
        *p = '\0';
        mkdir(path, 0777);
        *p = '/';
    }
    FILE *f = fopen(path, "w");
    REQUIRE(f != NULL);
    fputs(text, f);
    fclose(f);
}

typedef struct group_file {
    const char *name, *text;
} group_file;

/* A system with these files below /sys/fs/cgroup, whose process is in these groups. */
static int cpus_of(const char *groups, const group_file *files)
{
    static int count;
    char root[256], path[512];
    snprintf(root, sizeof root, "%s/system%d", test_scratch(), count++);
    mkdir(root, 0777);
    if (groups)
        put_file(root, "proc/self/cgroup", groups);
    for (; files && files->name; files++) {
        snprintf(path, sizeof path, "sys/fs/cgroup/%s", files->name);
        put_file(root, path, files->text);
    }
    return clv_cgroup_cpus(root);
}

#define CPUS(groups, ...) cpus_of(groups, (const group_file[]){__VA_ARGS__, {NULL, NULL}})

static void test_quota_version_2(void)
{
    CHECK_EQ(CPUS("0::/a\n", {"a/cpu.max", "200000 100000\n"}), 2);
    CHECK_EQ(CPUS("0::/a\n", {"a/cpu.max", "150000 100000\n"}), 2); /* rounded up */
    CHECK_EQ(CPUS("0::/a\n", {"a/cpu.max", "1000 100000\n"}), 1);
    CHECK_EQ(CPUS("0::/a\n", {"a/cpu.max", "max 100000\n"}), 0);
    CHECK_EQ(CPUS("0::/\n", {"cpu.max", "300000 100000\n"}), 3); /* a container's own root */
    /* Hybrid: version 2 beside version 1. */
    CHECK_EQ(CPUS("0::/a\n", {"unified/a/cpu.max", "400000 100000"}), 4);
    /* The tightest of all groups around counts, and only those. */
    CHECK_EQ(CPUS("0::/a/b/c\n", {"a/b/c/cpu.max", "max 100000\n"},
                  {"a/b/cpu.max", "500000 100000\n"}, {"a/cpu.max", "700000 100000\n"},
                  {"z/cpu.max", "100000 100000\n"}, {"ab/cpu.max", "100000 100000\n"}),
             5);
    CHECK_EQ(CPUS("0::/a/b\n", {"a/b/cpu.max", "800000 100000\n"},
                  {"a/cpu.max", "250000 100000\n"}),
             3);
    /* The name is the host's, the place is the container's. */
    CHECK_EQ(CPUS("0::/docker/1234\n", {"cpu.max", "200000 100000\n"}), 2);
    CHECK_EQ(CPUS("0::/../../x\n", {"cpu.max", "200000 100000\n"},
                  {"x/cpu.max", "100000 100000\n"}),
             2);
}

static void test_quota_version_1(void)
{
    const char *groups = "12:memory:/m\n4:cpu,cpuacct:/a/b\n3:cpuset:/c\n1:name=systemd:/s\n";
    CHECK_EQ(CPUS(groups, {"cpu/a/b/cpu.cfs_quota_us", "250000\n"},
                  {"cpu/a/b/cpu.cfs_period_us", "100000\n"}),
             3);
    CHECK_EQ(CPUS(groups, {"cpu,cpuacct/a/b/cpu.cfs_quota_us", "-1\n"},
                  {"cpu,cpuacct/a/b/cpu.cfs_period_us", "100000\n"},
                  {"cpu,cpuacct/a/cpu.cfs_quota_us", "20000\n"},
                  {"cpu,cpuacct/a/cpu.cfs_period_us", "10000\n"}),
             2);
    CHECK_EQ(CPUS(groups, {"cpu/cpu.cfs_quota_us", "100000\n"},
                  {"cpu/cpu.cfs_period_us", "100000\n"}),
             1);
    CHECK_EQ(CPUS(groups, {"cpu/a/b/cpu.cfs_quota_us", "-1\n"},
                  {"cpu/a/b/cpu.cfs_period_us", "100000\n"}),
             0);
    CHECK_EQ(CPUS(groups, {"cpu/a/b/cpu.cfs_quota_us", "100000\n"}), 0); /* no period */
    /* Other controllers have other groups. */
    CHECK_EQ(CPUS("3:cpuset:/a\n", {"cpu/a/cpu.cfs_quota_us", "100000\n"},
                  {"cpu/a/cpu.cfs_period_us", "100000\n"}),
             0);
}

static void test_quota_missing_or_malformed(void)
{
    static const char *const texts[] = {"",
                                        "\n",
                                        "max\n",
                                        "100000\n",
                                        "0 100000\n",
                                        "-1 1\n",
                                        "100000 0\n",
                                        "100000 x\n",
                                        "100000 100000 7\n",
                                        "x\n",
                                        "1e5 1e5",
                                        "100000  1000",
                                        "100000\t100000",
                                        "99999999999999999999 1"};
    CHECK_EQ(cpus_of(NULL, NULL), 0);
    CHECK_EQ(CPUS("0::/a\n", {"b/cpu.max", "100000 100000\n"}), 0);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        CHECK_EQ(CPUS("0::/a\n", {"a/cpu.max", texts[i]}), 0);
    static const char *const groups[] = {"", "\n", "0", "0:", "0::", "0::a\n", ":::\n", "x\n"};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        CHECK_EQ(CPUS(groups[i], {"a/cpu.max", "100000 100000\n"}), 0);
    /* Of this system; any value is valid. */
    CHECK(clv_cgroup_cpus("") >= 0);
    CHECK(clv_threads_available() >= 1 && clv_threads_available() <= clv_processors());
}

/* ---- Teams ------------------------------------------------------------------------- */

typedef struct roll_call {
    int calls[64], size;
} roll_call;

static void answer(void *context, int member, int size)
{
    roll_call *roll = context;
    roll->calls[member]++; /* a plain int: no other member may write it */
    if (member == 0)
        roll->size = size;
}

static void test_run(void)
{
    for (int s = 0; s < nsizes; s++) {
        clv_team *team = team_of(sizes[s]);
        roll_call roll = {{0}, 0};
        for (int i = 0; i < 500; i++)
            clv_team_run(team, answer, &roll);
        CHECK_EQ(roll.size, clv_team_size(team));
        for (int m = 0; m < 64; m++)
            CHECK_EQ(roll.calls[m], m < clv_team_size(team) ? 500 : 0);
        clv_team_free(team);
    }
}

static void test_run_after_sleep(void)
{
    clv_team *team = team_of(3);
    roll_call roll = {{0}, 0};
    for (int i = 0; i < 5; i++) {
        usleep(3000); /* long enough for the members to stop spinning */
        clv_team_run(team, answer, &roll);
    }
    for (int m = 0; m < 3; m++)
        CHECK_EQ(roll.calls[m], 5);
    clv_team_free(team);
}

static void test_create_and_free(void)
{
    cleave_error err;
    for (int i = 0; i < 200; i++) {
        clv_team *team = team_of(1 + i % 5);
        roll_call roll = {{0}, 0};
        if (i % 2)
            clv_team_run(team, answer, &roll);
        clv_team_free(team);
    }
    clv_team_free(NULL);
    clv_team *team = NULL;
    REQUIRE_OK(clv_team_create(&team, 0, &err));
    CHECK_EQ(clv_team_size(team), clv_threads_available());
    clv_team_free(team);
    REQUIRE_OK(clv_team_create(&team, 64, &err)); /* more than this machine has */
    roll_call roll = {{0}, 0};
    clv_team_run(team, answer, &roll);
    for (int m = 0; m < 64; m++)
        CHECK_EQ(roll.calls[m], 1);
    clv_team_free(team);
}

static void test_bad_sizes(void)
{
    static const int bad[] = {-1, 4097, INT32_MAX, INT32_MIN};
    for (int i = 0; i < 4; i++) {
        cleave_error err = {0};
        clv_team *team = (clv_team *)&err;
        CHECK_EQ(clv_team_create(&team, bad[i], &err), CLEAVE_EINVAL);
        CHECK(team == NULL && err.message[0]);
        CHECK_EQ(clv_team_create(&team, bad[i], NULL), CLEAVE_EINVAL);
    }
}

static void test_available(void)
{
    int all = clv_threads_available();
    CHECK(all >= 1 && all <= 4096);
    cpu_set_t before, one;
    REQUIRE(sched_getaffinity(0, sizeof before, &before) == 0);
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
        if (CPU_ISSET(i, &before))
            CPU_SET(i, &one);
    REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
    CHECK_EQ(clv_threads_available(), 1);
    REQUIRE(sched_setaffinity(0, sizeof before, &before) == 0);
    CHECK_EQ(clv_threads_available(), all);
}

static void test_out_of_memory(void)
{
    int64_t before = test_alloc_live();
    cleave_error err = {0};
    clv_team *team = (clv_team *)&err;
    test_alloc_fail_at(1);
    CHECK_EQ(clv_team_create(&team, 4, &err), CLEAVE_ENOMEM);
    CHECK(team == NULL);
    CHECK_STR(err.message, "out of memory");
    test_alloc_fail_at(0);
    CHECK_EQ(test_alloc_live(), before);
}

#ifndef SANITIZED
/* In a process with little address space the stacks of many threads do not fit. */
static int refused_in_child(void)
{
    struct rlimit limit = {256 << 20, 256 << 20};
    cleave_error err = {0};
    clv_team *team = NULL;
    if (setrlimit(RLIMIT_AS, &limit) != 0)
        return TEST_SKIP;
    int64_t before = test_alloc_live();
    for (int i = 0; i < 3; i++) {
        if (clv_team_create(&team, 4096, &err) != CLEAVE_ENOMEM || team)
            return 1;
        if (!strstr(err.message, "of 4096") || test_alloc_live() != before)
            return 2;
    }
    /* Without a required number, the threads that were started are used. */
    roll_call roll = {{0}, 0};
    if (clv_team_create_up_to(&team, 4096, &err) != CLEAVE_OK)
        return 4;
    int size = clv_team_size(team);
    if (size < 2 || size >= 4096)
        return 5;
    clv_team_run(team, answer, &roll);
    for (int m = 0; m < 64 && m < size; m++)
        if (roll.calls[m] != 1)
            return 6;
    clv_team_free(team);
    if (test_alloc_live() != before)
        return 7;
    /* What was started before the refusal is gone: a small team still fits. */
    if (clv_team_create(&team, 3, &err) != CLEAVE_OK)
        return 3;
    clv_team_free(team);
    return 0;
}

static void test_refused_threads(void)
{
    fflush(NULL);
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0)
        _exit(refused_in_child());
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == TEST_SKIP);
}
#endif

/* ---- Barrier ----------------------------------------------------------------------- */

enum { rounds = 200 };
typedef struct relay {
    clv_team *team;
    int value[64]; /* plain: only the barrier orders the accesses */
    atomic_int wrong;
} relay;

static void pass_on(void *context, int member, int size)
{
    relay *r = context;
    for (int i = 0; i < rounds; i++) {
        r->value[member] = i;
        clv_team_barrier(r->team);
        for (int m = 0; m < size; m++)
            if (r->value[m] != i)
                atomic_fetch_add(&r->wrong, 1);
        clv_team_barrier(r->team);
    }
}

static void test_barrier(void)
{
    for (int s = 0; s < nsizes; s++) {
        relay r = {.team = team_of(sizes[s])};
        clv_team_run(r.team, pass_on, &r);
        clv_team_run(r.team, pass_on, &r);
        CHECK_EQ(atomic_load(&r.wrong), 0);
        CHECK_EQ(r.value[clv_team_size(r.team) - 1], rounds - 1);
        clv_team_free(r.team);
    }
}

/* ---- Loop -------------------------------------------------------------------------- */

typedef struct visits {
    int64_t count, grain;
    int team_size;
    unsigned char *seen;
    int64_t last_begin[64]; /* by member */
    atomic_int wrong, calls;
} visits;

static void visit(void *context, int64_t begin, int64_t end, int member)
{
    visits *v = context;
    atomic_fetch_add(&v->calls, 1);
    bool fine = begin >= 0 && begin < end && end <= v->count && end - begin <= v->grain &&
                member >= 0 && member < v->team_size && begin > v->last_begin[member];
    if (!fine) {
        atomic_fetch_add(&v->wrong, 1);
        return;
    }
    v->last_begin[member] = begin;
    for (int64_t i = begin; i < end; i++)
        v->seen[i]++;
}

static void check_loop(clv_team *team, int64_t count, int64_t grain)
{
    visits v = {.count = count, .grain = grain, .team_size = clv_team_size(team)};
    v.seen = calloc(1, (size_t)count + 1);
    for (int m = 0; m < 64; m++)
        v.last_begin[m] = -1;
    clv_parallel_for(team, count, grain, visit, &v);
    CHECK_EQ(atomic_load(&v.wrong), 0);
    CHECK_EQ(atomic_load(&v.calls), count / grain + (count % grain != 0));
    int64_t once = 0;
    for (int64_t i = 0; i < count; i++)
        once += v.seen[i] == 1;
    CHECK_EQ(once, count);
    free(v.seen);
}

static void test_loop(void)
{
    static const int64_t counts[] = {0, 1, 2, 7, 64, 1000, 10007};
    static const int64_t grains[] = {1, 3, 64, 1000, 100000, INT64_MAX};
    for (int s = 0; s < nsizes; s++) {
        clv_team *team = team_of(sizes[s]);
        for (int c = 0; c < 7; c++)
            for (int g = 0; g < 6; g++)
                check_loop(team, counts[c], grains[g]);
        clv_team_free(team);
    }
}

static void sum_range(void *context, int64_t begin, int64_t end, int member)
{
    (void)member;
    atomic_fetch_add((atomic_llong *)context, end - begin);
}

static void test_loop_huge(void)
{
    clv_team *team = team_of(3);
    atomic_llong total = 0;
    clv_parallel_for(team, INT64_MAX, INT64_MAX / 5, sum_range, &total);
    CHECK_EQ(atomic_load(&total), INT64_MAX);
    clv_team_free(team);
}

/* ---- Prefix sum -------------------------------------------------------------------- */

static void check_prefix_sum(clv_team *team, int64_t count)
{
    int64_t *values = malloc(((size_t)count + 1) * sizeof *values);
    clv_rng rng = clv_rng_make(9, 0, 0, (uint64_t)count);
    for (int64_t i = 0; i < count; i++)
        values[i] = (int64_t)clv_rng_below(&rng, 1000000) - 1000;
    values[count] = -77;
    int64_t total = clv_prefix_sum(team, values, count), sum = 0, wrong = 0;
    rng = clv_rng_make(9, 0, 0, (uint64_t)count);
    for (int64_t i = 0; i < count; i++) {
        wrong += values[i] != sum;
        sum += (int64_t)clv_rng_below(&rng, 1000000) - 1000;
    }
    CHECK_EQ(wrong, 0);
    CHECK_EQ(total, sum);
    CHECK_EQ(values[count], -77);
    free(values);
}

static void test_prefix_sum(void)
{
    static const int64_t counts[] = {0, 1, 2, 1000, 32767, 32768, 32769, 100003};
    for (int s = 0; s < nsizes; s++) {
        clv_team *team = team_of(sizes[s]);
        for (int c = 0; c < 8; c++)
            check_prefix_sum(team, counts[c]);
        clv_team_free(team);
    }
}

/* ---- Patience and turns ---------------------------------------------------------------- */

typedef struct counter {
    clv_lock *lock;
    int64_t count; /* not atomic: the lock protects it */
} counter;

static void count_with_lock(void *context, int member, int size)
{
    counter *c = context;
    (void)member, (void)size;
    for (int i = 0; i < 50; i++) {
        clv_lock_take(c->lock);
        c->count++;
        clv_lock_give(c->lock);
    }
}

/* Members find work while they spin, when they are about to sleep, and asleep. */
static void test_patience(void)
{
    static const long pauses[] = {0, 20000, 100000, 150000, 1000000};
    cleave_error err;
    counter c = {clv_lock_new(), 0};
    REQUIRE(c.lock != NULL);
    for (int threads = 1; threads <= 3; threads++) {
        clv_team *team;
        REQUIRE_OK(clv_team_create(&team, threads, &err));
        clv_team_set_patience(team, 100e-6);
        for (int i = 0; i < 100; i++) {
            struct timespec pause = {0, pauses[i % 5]};
            c.count = 0;
            clv_team_run(team, count_with_lock, &c);
            CHECK_EQ(c.count, 50 * threads);
            if (pause.tv_nsec > 0)
                nanosleep(&pause, NULL);
        }
        clv_team_free(team);
    }
    clv_team_set_patience(NULL, 1);
    clv_lock_free(c.lock);
    clv_lock_free(NULL);
}

int main(void)
{
    RUN(test_run);
    RUN(test_run_after_sleep);
    RUN(test_create_and_free);
    RUN(test_bad_sizes);
    RUN(test_available);
    RUN(test_quota_version_2);
    RUN(test_quota_version_1);
    RUN(test_quota_missing_or_malformed);
    RUN(test_out_of_memory);
#ifndef SANITIZED
    RUN(test_refused_threads);
#endif
    RUN(test_barrier);
    RUN(test_loop);
    RUN(test_loop_huge);
    RUN(test_prefix_sum);
    RUN(test_patience);
    CHECK_EQ(test_alloc_live(), 0);
    return test_end();
}
