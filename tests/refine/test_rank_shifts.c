/* SPDX-License-Identifier: Apache-2.0 */
/* refine/state/rank_shifts.c: plans against a table of all prefix sums, ranks of empty parts
 * by their contract. */
#include "refine/dag_fixture.h"
#include "refine/state/rank_shifts.h"

enum { most_parts = 6, most_weight = 40 };

typedef struct case_ {
    int32_t k;
    int64_t weight[most_parts], min[most_parts], max[most_parts]; /* by rank */
} case_;

static int64_t distance(int64_t a, int64_t b)
{
    return a < b ? b - a : a - b;
}

/* The least sum of shifts, or -1: by dynamic programming over every prefix sum. */
static int64_t least_sum(const case_ *c)
{
    int64_t total = 0, best[most_parts + 1][most_parts * most_weight + 1];
    for (int32_t r = 0; r < c->k; r++)
        total += c->weight[r];
    memset(best, -1, sizeof best);
    best[0][0] = 0;
    int64_t prefix = 0;
    for (int32_t r = 0; r < c->k; r++) {
        prefix += c->weight[r];
        for (int64_t from = 0; from <= total; from++)
            for (int64_t add = c->min[r]; best[r][from] >= 0 && add <= c->max[r]; add++) {
                if (from + add > total)
                    break;
                int64_t sum = best[r][from] + distance(prefix, from + add);
                int64_t *there = &best[r + 1][from + add];
                if (*there < 0 || sum < *there)
                    *there = sum;
            }
    }
    return best[c->k][total];
}

static void check_plan(const case_ *c, clv_ws *ws)
{
    cleave_error err = {0};
    int32_t label[most_parts], count[most_parts];
    int64_t weight[most_parts], min[most_parts], max[most_parts], shift[most_parts];
    for (int32_t r = 0; r < c->k; r++) {
        label[r] = c->k - 1 - r;
        weight[label[r]] = c->weight[r];
        min[label[r]] = c->min[r];
        max[label[r]] = c->max[r];
        count[label[r]] = 1;
    }
    clv_graph g = {.kind = CLEAVE_DAG, .ncon = 1};
    clv_partition_state s = {
        .g = &g, .bounds = {c->k, g.ncon, NULL, max, min}, .weight = weight, .count = count};
    REQUIRE_OK(clv_rank_shifts_plan(&s, label, 0, shift, ws, &err));
    int64_t least = least_sum(c), sum = 0;
    if (least < 0)
        return;
    for (int32_t r = 0; r < c->k; r++) {
        int64_t now = c->weight[r];
        now += r > 0 ? shift[r - 1] : 0;
        now -= r < c->k - 1 ? shift[r] : 0;
        sum += r < c->k - 1 ? distance(shift[r], 0) : 0;
        CHECK(now >= c->min[r] && now <= c->max[r]);
    }
    CHECK_EQ(sum, least);
}

static void test_plans(void)
{
    clv_ws ws = {0};
    for (uint64_t seed = 0; seed < 20000; seed++) {
        clv_rng rng = clv_rng_make(seed, 21, 1, 1);
        case_ c = {.k = 1 + (int32_t)clv_rng_below(&rng, most_parts)};
        for (int32_t r = 0; r < c.k; r++) {
            c.weight[r] = clv_rng_below(&rng, 2) ? clv_rng_below(&rng, most_weight) : 10;
            c.max[r] = 1 + clv_rng_below(&rng, 30);
            /* No part may become empty, so at least 1. */
            c.min[r] = 1 + clv_rng_below(&rng, (uint32_t)c.max[r]);
            c.min[r] = seed % 2 || c.min[r] == c.max[r] ? 1 : c.min[r];
        }
        clv_ws_mark mark = clv_ws_save(&ws);
        check_plan(&c, &ws);
        clv_ws_restore(&ws, mark);
    }
    clv_ws_free(&ws);
}

/* Empty parts sit right behind parts that can fill them; the others keep their order. */
static void test_seats(void)
{
    clv_ws ws = {0};
    for (uint64_t seed = 0; seed < 500; seed++) {
        dag_fixture f;
        cleave_error err = {0};
        dag_options o = dag_any(seed, 60);
        o.nparts = 2 + (int32_t)(seed % 30);
        dag_make(&f, &o);
        dag_scatter(&f, 1 + (int32_t)(seed / 2 % (uint64_t)o.nparts), seed);
        dag_snapshot old = dag_keep(&f);
        clv_ws_mark mark = clv_ws_save(&ws);
        CHECK_OK(clv_rank_shifts_seat(&f.s, &ws, &err));
        clv_ws_restore(&ws, mark);
        const char *fault = dag_fault(&f);
        CHECK_STR(fault ? fault : "none", "none");
        for (int32_t p = 0; p < o.nparts; p++)
            for (int32_t q = 0; q < o.nparts; q++)
                if (f.count[p] > 0 && f.count[q] > 0)
                    CHECK((old.rank[p] < old.rank[q]) == (f.rank[p] < f.rank[q]));
        dag_drop(&old);
        dag_free(&f);
    }
    clv_ws_free(&ws);
}

int main(void)
{
    RUN(test_plans);
    RUN(test_seats);
    return test_end();
}
