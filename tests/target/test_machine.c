/* SPDX-License-Identifier: Apache-2.0 */
/* The machine of the engines: places, their distances, the nearest of them. */
#include "target/machine.h"

#include <math.h>

#include "target/shape_checks.h"

static cleave_error err;

static const char *const texts[] = {
    "1",           "5",         "3,2,2,1",
    "mesh:5x3",    "torus:4x5", "tree:4:3:2@1:10:100",
    "hypercube:4", "mesh:1",    "mesh:6x6[35,0,7,14,21,28,3]",
    "mesh:50x50",  "2,1[1]",    "tree:5:4@1:7[19,0-3,12]",
};
enum { ntexts = sizeof texts / sizeof *texts };

/* The PEs of a domain are neighbours in the order of the places. */
static void check_ranges(const clv_machine *m)
{
    const clv_target *t = m->t;
    clv_domain *list = calloc(2 * (size_t)t->npes, sizeof *list);
    uint8_t *set = malloc((size_t)t->npes);
    int32_t count = all_domains(t, list);
    for (int32_t i = 0; i < count; i++) {
        int32_t first = t->npes, last = -1;
        memset(set, 0, (size_t)t->npes);
        domain_set(t, list[i], set);
        for (int32_t pe = 0; pe < t->npes; pe++)
            if (set[pe]) {
                first = m->place[pe] < first ? m->place[pe] : first;
                last = m->place[pe] > last ? m->place[pe] : last;
            }
        CHECK_EQ(last - first + 1, t->shape->pes(t, list[i]));
    }
    free(list);
    free(set);
}

static void check_places(const clv_machine *m)
{
    for (int32_t p = 0; p < m->npes; p++) {
        CHECK(m->pe[p] >= 0 && m->pe[p] < m->npes && m->place[m->pe[p]] == p);
        for (int32_t q = 0; q < m->npes; q++)
            CHECK_EQ(clv_machine_distance(m, p, q),
                     clv_target_distance(m->t, m->pe[p], m->pe[q]));
    }
}

static void check_nearest(const clv_machine *m)
{
    for (int32_t p = 0; m->nearest && p < m->npes; p++) {
        const int32_t *near = m->nearest + (int64_t)p * clv_most_nearest;
        int64_t least = INT64_MAX;
        int32_t found = 0;
        for (int32_t q = 0; q < m->npes; q++)
            if (q != p && clv_machine_distance(m, p, q) < least)
                least = clv_machine_distance(m, p, q);
        for (int32_t q = 0; q < m->npes && found < clv_most_nearest; q++)
            if (q != p && clv_machine_distance(m, p, q) == least)
                CHECK_EQ(near[found++], q);
        CHECK(found == clv_most_nearest || near[found] == -1);
    }
}

static void check_means(const clv_machine *m)
{
    for (int32_t a = 0; m->sum && a < m->npes; a += 2)
        for (int32_t b = a + 1; b <= m->npes; b += 3) {
            int32_t first[2] = {a, m->npes - b}, last[2] = {b, m->npes - a};
            double sum = 0;
            for (int32_t p = first[0]; p < last[0]; p++)
                for (int32_t q = first[1]; q < last[1]; q++)
                    sum += (double)clv_machine_distance(m, p, q);
            double want = sum / ((double)(b - a) * (double)(b - a));
            CHECK(fabs(clv_machine_mean(m, first, last) - want) < 1e-9);
        }
}

static void test_halving_order(void)
{
    for (int i = 0; i < ntexts; i++) {
        clv_ws ws = {0};
        clv_machine m;
        clv_target *t = shape_of(texts[i]);
        REQUIRE_OK(clv_machine_make(&m, t, NULL, &ws, &err));
        CHECK_EQ(m.npes, t->npes);
        CHECK((m.table != NULL) == (t->npes <= clv_most_tabled));
        if (t->npes <= 100)
            check_ranges(&m);
        check_places(&m);
        check_nearest(&m);
        check_means(&m);
        clv_ws_free(&ws);
        clv_target_free(t);
    }
}

static void test_given_order(void)
{
    static const int32_t order[] = {5, 3, 1, 0, 2, 4};
    clv_ws ws = {0};
    clv_machine m;
    clv_target *t = shape_of("mesh:3x2");
    REQUIRE_OK(clv_machine_make(&m, t, order, &ws, &err));
    CHECK(memcmp(m.pe, order, sizeof order) == 0);
    check_places(&m);
    check_nearest(&m);
    clv_ws_free(&ws);
    clv_target_free(t);
}

static void test_oom(void)
{
    clv_target *t = shape_of("torus:4x5");
    for (test_oom_rounds oom = {0}; test_oom_next(&oom);) {
        clv_ws ws = {0};
        clv_machine m;
        TEST_OOM(&oom, clv_machine_make(&m, t, NULL, &ws, &err));
        clv_ws_free(&ws);
    }
    clv_target_free(t);
}

int main(void)
{
    RUN(test_halving_order);
    RUN(test_given_order);
    RUN(test_oom);
    return test_end();
}
