/* SPDX-License-Identifier: Apache-2.0 */
/* Warm starts for all efforts: the result is never worse than the start, a solution that no
 * search from scratch finds is kept, and fixed vertices and groups have precedence. */
#include "engine/map_fixture.h"
#include "support/test.h"

enum { efforts = CLEAVE_EFFORT_BEST + 1, most = 7000 };

static const char *const graphs[] = {
    "grid2d:24x24",     "rgg:900:8",    "rmat:9:6",        "star:300",
    "pieces:600",       "clique:60",    "path:500",        "rgg:700:9 vwgt ewgt",
    "grid2d:20x20 two", "gnp:400:0.02", "tree:600:random", "grid2d:70x70",
};
enum { ngraphs = sizeof graphs / sizeof *graphs };

static int32_t start[most], fixed[most], groups[most];

static bool worse(const facts *a, const facts *b)
{
    return a->overload != b->overload ? a->overload > b->overload : a->cut > b->cut;
}

/* Maps from `start`; before: what the start is worth. */
static void improve(asked *a, const facts *before, facts *after)
{
    cleave_mapping *given = NULL, *m = NULL;
    cleave_error err;
    REQUIRE_OK(cleave_mapping_create(&given, a->n, a->k, start, &err));
    a->c.start = given;
    cleave_status status = ask_map_in_time(a, 0, &m);
    const char *wrong = fixture_judge(a, status, m, after);
    CHECK(!wrong);
    CHECK(!worse(after, before));
    if (wrong || worse(after, before))
        fprintf(stderr, "  %s, effort %d: (%lld, %lld) became (%lld, %lld) %s\n", a->name,
                (int)a->opt.effort, (long long)before->overload, (long long)before->cut,
                (long long)after->overload, (long long)after->cut, wrong ? wrong : "");
    CHECK(memcmp(cleave_mapping_parts(given), start, (size_t)a->n * sizeof *start) == 0);
    cleave_mapping_free(given);
    cleave_mapping_free(m);
    a->c.start = NULL;
}

/* Slices, stripes, at random, all in one part, all but one vertex in the last. */
static void fill_start(const asked *a, int way)
{
    for (int32_t v = 0; v < a->n; v++) {
        int32_t ways[] = {(int32_t)((int64_t)v * a->k / a->n), v % a->k,
                          fixture_draw(11, v, a->k), 0, v ? a->k - 1 : 0};
        start[v] = ways[way];
    }
}

static void test_never_worse(void)
{
    for (int i = 0; i < ngraphs; i++)
        for (int e = 0; e < efforts; e++)
            for (int way = 0; way < 5; way++) {
                asked a;
                facts before, after;
                if ((i * efforts + e + way) % 2) /* half of them, to save time */
                    continue;
                ask(&a, graphs[i], 3 + i % 3, (cleave_effort)e);
                a.thousandths = 50;
                fill_start(&a, way);
                fixture_facts(&a, start, &before);
                improve(&a, &before, &after);
                CHECK_EQ(after.overload, 0);
                asked_free(&a);
            }
}

/* The least effort keeps and improves what the most found. */
static void test_keeps_quality(void)
{
    int64_t scratch = 0, warm = 0, given = 0;
    for (int i = 0; i < ngraphs; i++) {
        asked a;
        facts before, after, cold;
        cleave_mapping *m = NULL;
        ask(&a, graphs[i], 6, CLEAVE_EFFORT_QUALITY);
        a.thousandths = 50;
        ask_map(&a, &m);
        REQUIRE(m);
        memcpy(start, cleave_mapping_parts(m), (size_t)a.n * sizeof *start);
        fixture_facts(&a, start, &before);
        cleave_mapping_free(m);
        ask_effort(&a, CLEAVE_EFFORT_FAST);
        ask_map(&a, &m);
        REQUIRE(m);
        fixture_facts(&a, cleave_mapping_parts(m), &cold);
        cleave_mapping_free(m);
        improve(&a, &before, &after);
        given += before.cut;
        scratch += cold.cut;
        warm += after.cut;
        asked_free(&a);
    }
    CHECK(warm <= given && warm < scratch);
}

/* Blocks that are hidden too well to be found are kept, and found again from near by. */
static void test_planted(void)
{
    for (int e = 0; e < efforts; e++) {
        asked a;
        facts planted, cold, after, off;
        cleave_mapping *m = NULL;
        ask(&a, "planted:32:32:6:24", 32, (cleave_effort)e);
        for (int32_t v = 0; v < a.n; v++)
            start[v] = v / 32;
        fixture_facts(&a, start, &planted);
        CHECK_EQ(planted.overload, 0);
        ask_map(&a, &m);
        REQUIRE(m);
        fixture_facts(&a, cleave_mapping_parts(m), &cold);
        cleave_mapping_free(m);
        /* Otherwise the graph is not hard.  With a time limit, intervals of the vertices are
         * tried, and those are the planted blocks. */
        CHECK(cold.cut > planted.cut || a.opt.time_limit > 0);
        improve(&a, &planted, &after);
        CHECK(after.cut <= planted.cut);
        for (int32_t v = 0; v < a.n; v++)
            start[v] = v % 8 ? v / 32 : fixture_draw(13, v, 32);
        fixture_facts(&a, start, &off);
        improve(&a, &off, &after);
        CHECK(after.overload == 0 && after.cut < cold.cut);
        if (after.cut >= cold.cut || cold.cut <= planted.cut)
            fprintf(stderr, "  effort %d: planted %lld, from scratch %lld, near by %lld\n", e,
                    (long long)planted.cut, (long long)cold.cut, (long long)after.cut);
        asked_free(&a);
    }
}

/* A start that separates groups and moves fixed vertices is repaired first: a group goes to
 * its fixed part, otherwise to the part of its first vertex. */
static void test_with_others(void)
{
    for (int i = 0; i < ngraphs; i++)
        for (int e = 0; e < efforts - 1; e++) {
            asked a;
            facts before, after;
            if (i == ngraphs - 1 && e == CLEAVE_EFFORT_QUALITY)
                continue;
            ask(&a, graphs[i], 4, (cleave_effort)e);
            a.thousandths = 150;
            static int32_t first[most], mended[most];
            for (int32_t v = 0; v < a.n; v++) {
                groups[v] = fixture_draw(14, v, 3) ? -1 : fixture_draw(15, v, a.n / 6);
                fixed[v] = groups[v] < 0 && v % 23 == 0 ? v / 23 % 4 : -1;
                first[v] = -1;
            }
            fill_start(&a, i % 3);
            for (int32_t v = 0; v < a.n; v++) {
                int32_t *leader = groups[v] >= 0 ? &first[groups[v]] : NULL;
                if (leader && *leader < 0)
                    *leader = v;
                mended[v] = fixed[v] >= 0 ? fixed[v] : start[leader ? *leader : v];
            }
            a.c.groups = groups;
            a.c.fixed = fixed;
            fixture_facts(&a, mended, &before);
            CHECK(before.fixed && before.groups);
            improve(&a, &before, &after);
            CHECK_EQ(after.overload, 0);
            asked_free(&a);
        }
}

int main(void)
{
    RUN(test_never_worse);
    RUN(test_keeps_quality);
    RUN(test_planted);
    RUN(test_with_others);
    return test_end();
}
