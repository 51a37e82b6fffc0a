/* SPDX-License-Identifier: Apache-2.0 */
/* Random triangular systems, stored in every way, solved by every method, synchronisation and
 * number of threads: bit for bit the result of textbook substitution. */
#include "api/trsv_systems.h"
#include "support/test.h"

static cleave_error err;

static const char *const methods[] = {"auto", "grow", "graphopt", "levels", "serial"};
static const char *const syncs[] = {"auto", "barrier", "p2p", "stale"};
static const int thread_counts[] = {1, 2, 3, 8};
/* Else systems as small as these would all be solved by one thread. */
static const cleave_schedule_costs cheap = {.size = sizeof cheap, .sync = 3};

/* The options of case number i: every pair of values comes up. */
static cleave_run_options options_of(int i)
{
    cleave_run_options opt;
    cleave_run_options_init(&opt, sizeof opt);
    opt.method = methods[i % 5];
    opt.sync = syncs[i / 5 % 4];
    opt.threads = thread_counts[i / 20 % 4];
    opt.split_rows = i / 80 % 3 - 1;
    opt.costs = i % 7 ? &cheap : NULL;
    opt.pair = i % 11 == 0;
    return opt;
}

static void check_case(int i)
{
    static const int32_t sizes[] = {0, 1, 2, 3, 5, 17, 64, 100, 211, 300};
    cleave_run_options opt = options_of(i);
    trsv_system s = trsv_system_make(i % trsv_shapes, sizes[i * 7 / 3 % 10], i * 5 % trsv_ways,
                                     (uint64_t)i);
    cleave_trsv *plan;
    REQUIRE_OK(cleave_trsv_create(&plan, &s.t, &opt, &err));
    bool same = trsv_solves(plan, &s, false) && trsv_solves(plan, &s, true);
    trsv_system_renew(&s, (uint64_t)i + 77);
    CHECK_OK(s.single ? cleave_trsv_update_values_f(plan, s.val32, &err)
                      : cleave_trsv_update_values(plan, s.val, &err));
    same = same && trsv_solves(plan, &s, i % 2);
    CHECK(same);
    if (!same)
        fprintf(stderr, "case %d: %s, %s, %d threads\n", i, opt.method, opt.sync, opt.threads);
    cleave_trsv_free(plan);
    trsv_system_free(&s);
}

static void test_random_systems(void)
{
    for (int i = 0; i < 1680; i += TEST_STRIDE)
        check_case(i);
}

int main(void)
{
    RUN(test_random_systems);
    return test_end();
}
