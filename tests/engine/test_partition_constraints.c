/* SPDX-License-Identifier: Apache-2.0 */
/* Each constraint of cleave_map for all efforts on graphs of many kinds: feasible constraints
 * are met, checked by slow loops (map_fixture.h), and a call that ignored the constraint would
 * fail. */
#include "engine/map_fixture.h"
#include "support/test.h"

enum { efforts = CLEAVE_EFFORT_BEST + 1, most = 7000, most_parts = 64 };

static const char *const zoo[] = {
    "grid2d:24x24",    "rgg:900:8",    "rmat:9:6",
    "star:300",        "pieces:600",   "clique:60",
    "path:500",        "gnp:400:0.02", "rgg:700:9 vwgt ewgt vsize",
    "tree:600:random", "grid2d:70x70",
};
enum { nzoo = sizeof zoo / sizeof *zoo };

/* Maps and checks; the bounds are feasible, so they must be met. */
static void must(asked *a, facts *f)
{
    cleave_mapping *m = NULL;
    cleave_status status = ask_map_in_time(a, 0, &m);
    const char *wrong = fixture_judge(a, status, m, f);
    CHECK(!wrong);
    CHECK_EQ(status, CLEAVE_OK);
    if (wrong || status != CLEAVE_OK)
        fprintf(stderr, "  %s: %s\n", a->name, wrong ? wrong : a->err.message);
    cleave_mapping_free(m);
}

static int32_t parts_for(int i)
{
    static const int32_t some[] = {4, 2, 7, 3, 8, 5};
    return some[i % 6];
}

/* ---- Vertices --------------------------------------------------------------------------- */

static int32_t fixed[most], groups[most];

static void test_fixed(void)
{
    for (int i = 0; i < nzoo; i++)
        for (int e = 0; e < efforts; e++) {
            asked a;
            facts f;
            ask(&a, zoo[i], parts_for(i), (cleave_effort)e);
            a.thousandths = 50;
            for (int32_t v = 0; v < a.n; v++)
                fixed[v] =
                    fixture_draw(1, v, 10) == 0 ? fixture_draw(2 + (uint64_t)i, v, a.k) : -1;
            a.c.fixed = fixed;
            must(&a, &f);
            /* One vertex per part, neighbours of each other: all pull, and may not. */
            for (int32_t v = 0; v < a.n; v++)
                fixed[v] = v < a.k ? a.k - 1 - v : -1;
            must(&a, &f);
            asked_free(&a);
        }
}

/* No vertex is free, or the fixed vertices do not fit: the result is the fixed assignment. */
static void test_fixed_all(void)
{
    for (int e = 0; e < efforts; e++) {
        asked a;
        facts f;
        ask(&a, "grid2d:20x20", 4, (cleave_effort)e);
        for (int32_t v = 0; v < a.n; v++)
            fixed[v] = v % 4;
        a.c.fixed = fixed;
        must(&a, &f);
        CHECK_EQ(f.cut, 380); /* the edges along the rows */
        for (int32_t v = 0; v < a.n; v++)
            fixed[v] = v < 200 ? 2 : -1; /* the bound is 103 */
        cleave_mapping *m = NULL;
        cleave_status status = ask_map_in_time(&a, 97, &m);
        const char *wrong = fixture_judge(&a, status, m, &f);
        CHECK(!wrong);
        CHECK_EQ(status, CLEAVE_EBALANCE);
        CHECK_EQ(f.overload, 97);
        CHECK_EQ(f.empty, 0);
        if (wrong)
            fprintf(stderr, "  %s\n", wrong);
        cleave_mapping_free(m);
        asked_free(&a);
    }
}

static void test_groups(void)
{
    for (int i = 0; i < nzoo; i++)
        for (int e = 0; e < (i < nzoo - 1 ? efforts : CLEAVE_EFFORT_QUALITY); e++) {
            asked a;
            facts f;
            ask(&a, zoo[i], parts_for(i), (cleave_effort)e);
            a.thousandths = 100;
            /* Groups of about three vertices that are nowhere near each other. */
            for (int32_t v = 0; v < a.n; v++)
                groups[v] = fixture_draw(3, v, 2) ? 7 * fixture_draw(4, v, a.n / 6) : -1;
            a.c.groups = groups;
            must(&a, &f);
            for (int32_t v = 0; v < a.n; v++)
                fixed[v] = groups[v] >= 0 && groups[v] % 5 == 0 && fixture_draw(5, v, 2)
                               ? groups[v] / 7 % a.k
                               : -1;
            a.c.fixed = fixed;
            must(&a, &f);
            asked_free(&a);
        }
}

/* ---- Parts ------------------------------------------------------------------------------ */

/* Bounds on both sides, much narrower than the imbalance, at sizes the shares do not have. */
static void test_min_max(void)
{
    static int64_t min[most_parts], max[most_parts];
    for (int i = 0; i < nzoo; i++)
        for (int e = 0; e < efforts; e++) {
            asked a;
            facts f;
            ask(&a, zoo[i], 5, (cleave_effort)e);
            int64_t total = 0, left;
            for (int32_t v = 0; v < a.n; v++)
                total += a.csr.vwgt ? a.csr.vwgt[v] : 1;
            left = total;
            for (int32_t p = 0; p < 4; p++) {
                int64_t aim = total * (p + 1) / 12;
                min[p] = aim - aim / 40 - 1;
                max[p] = p == 3 ? total : aim;
                left -= aim;
            }
            min[4] = -1;
            max[4] = left + left / 4;
            a.c.min = min;
            a.c.max = max;
            must(&a, &f);
            asked_free(&a);
        }
}

/* A lower bound alone: the imbalance allows an almost empty part, which has a smaller cut. */
static void test_min(void)
{
    static int64_t min[most_parts];
    for (int i = 0; i < nzoo; i++)
        for (int e = 0; e < efforts; e++) {
            asked a;
            facts f;
            ask(&a, zoo[i], 4, (cleave_effort)e);
            a.thousandths = 500;
            int64_t total = 0;
            for (int32_t v = 0; v < a.n; v++)
                total += a.csr.vwgt ? a.csr.vwgt[v] : 1;
            for (int32_t p = 0; p < 4; p++)
                min[p] = p == 2 ? -1 : total * 97 / 400;
            a.c.min = min;
            must(&a, &f);
            asked_free(&a);
        }
}

static void test_imbalance_by_part(void)
{
    static const int32_t each[] = {20, 600, 20, 300, 20};
    for (int i = 0; i < nzoo; i++)
        for (int e = 0; e < efforts; e++) {
            asked a;
            facts f;
            ask(&a, zoo[i], 5, (cleave_effort)e);
            a.thousandths = 800;
            a.each = each;
            must(&a, &f);
            asked_free(&a);
        }
}

static void test_shares(void)
{
    static const int32_t speeds[] = {8, 1, 4, 0, 2}, shares[] = {1, 6, 2, 3, 2};
    for (int i = 0; i < nzoo; i++)
        for (int e = 0; e < efforts; e++) {
            asked a;
            facts f;
            ask(&a, zoo[i], 5, (cleave_effort)e);
            ask_speeds(&a, speeds);
            must(&a, &f);
            CHECK_EQ(f.empty, 1);
            a.shares = shares; /* in place of the speeds, but for the 0 */
            must(&a, &f);
            CHECK_EQ(f.empty, 1);
            asked_free(&a);
        }
}

/* A PE of speed 0 and a part with a share of 0 stay empty, with any other constraints. */
static void test_idle(void)
{
    enum { parts = 5, most_con = 3, kinds = 32 };
    static const int32_t speeds[] = {3, 0, 1, 2, 2}, each[] = {80, 300, 50, 60, 200};
    static const int32_t plain[] = {2, 3, 1, 2, 3}, with_0[] = {2, 3, 0, 2, 3};
    static const char *const graphs[] = {"grid2d:20x20", "rgg:500:8 vwgt", "grid2d:15x15 two",
                                         "pieces:400", "path:500 two vwgt"};
    for (int i = 0; i < (int)(sizeof graphs / sizeof *graphs); i++)
        for (int kind = 0; kind < kinds; kind++) {
            asked a;
            facts f;
            int64_t max[parts * most_con], min[parts * most_con];
            int32_t shares[parts * most_con];
            ask(&a, graphs[i], parts, CLEAVE_EFFORT_FAST);
            a.thousandths = 100;
            bool slow = kind & 1, shared = kind & 2, zero = kind & 16;
            if (slow)
                ask_speeds(&a, speeds);
            for (int32_t p = 0; p < parts; p++)
                for (int32_t c = 0; c < a.ncon; c++) {
                    bool idle = (slow && p == 1) || (shared && zero && p == 2);
                    shares[p * a.ncon + c] = zero ? with_0[p] : plain[p];
                    max[p * a.ncon + c] = INT32_MAX;
                    min[p * a.ncon + c] = idle ? 0 : 1;
                }
            a.shares = shared ? shares : NULL;
            a.c.max = kind & 4 ? max : NULL;
            a.c.min = kind & 8 ? min : NULL;
            a.each = kind & 8 ? NULL : each;
            must(&a, &f);
            CHECK(f.idle);
            CHECK_EQ(f.empty, slow + (shared && zero));
            asked_free(&a);
        }
}

/* Random vertices are fixed to parts that may hold something; idle NULL: to any. */
static void fix_some(asked *a, uint64_t seed, const bool *idle)
{
    for (int32_t v = 0; v < a->n; v++) {
        int32_t p = fixture_draw(seed, v, a->k);
        fixed[v] = fixture_draw(seed + 1, v, 12) == 0 && !(idle && idle[p]) ? p : -1;
    }
    a->c.fixed = fixed;
}

/* Groups of about three, each of which is fixed at one vertex at most. */
static void group_some(asked *a, uint64_t seed)
{
    static int32_t owner[most];
    for (int32_t i = 0; i < a->n; i++)
        owner[i] = -1;
    for (int32_t v = 0; v < a->n; v++) {
        int32_t id = fixture_draw(seed, v, a->n / 3);
        bool tied = a->c.fixed && fixed[v] >= 0;
        groups[v] = fixture_draw(seed + 1, v, 2) && !(tied && owner[id] >= 0) ? id : -1;
        if (groups[v] >= 0 && tied)
            owner[id] = v;
    }
    a->c.groups = groups;
}

/* The same with fixed vertices, groups, connected parts and a start in all combinations. Parts
 * in one piece may not be found, and vertices fixed to idle parts do not fit, nor do others
 * that make one piece of them, which is then said. */
static void test_idle_demands(void)
{
    enum { parts = 5, kinds = 32 };
    static const int32_t speeds[] = {3, 0, 1, 2, 2}, shares[] = {2, 3, 0, 2, 3};
    static const bool by_speed[] = {0, 1, 0, 0, 0}, by_both[] = {0, 1, 1, 0, 0};
    static const char *const graphs[] = {"grid2d:18x18", "rgg:400:8 vwgt", "pieces:400",
                                         "star:200", "path:300"};
    for (int i = 0; i < (int)(sizeof graphs / sizeof *graphs) * kinds; i += TEST_STRIDE) {
        asked a;
        facts f;
        int kind = i % kinds;
        bool anywhere = i % 5 == 4 && kind & 2, sure = !anywhere && !(kind & 8);
        uint64_t seed = 100 + (uint64_t)i;
        cleave_mapping *m = NULL, *start = NULL;
        static int32_t part[most];
        ask(&a, graphs[i / kinds], parts, i % 3 ? CLEAVE_EFFORT_FAST : CLEAVE_EFFORT_DEFAULT);
        a.thousandths = 300;
        ask_speeds(&a, speeds);
        a.shares = kind & 1 ? shares : NULL;
        if (kind & 2)
            fix_some(&a, seed, anywhere ? NULL : kind & 1 ? by_both : by_speed);
        if (kind & 4)
            group_some(&a, seed + 2);
        a.c.connected = (kind & 8) != 0;
        for (int32_t v = 0; v < a.n; v++) /* idle PEs are full, too */
            part[v] = fixture_draw(seed + 4, v, parts);
        CHECK_EQ(cleave_mapping_create(&start, a.n, parts, part, &a.err), CLEAVE_OK);
        a.c.start = kind & 16 ? start : NULL;
        cleave_status status = ask_map_in_time(&a, 0, &m);
        const char *wrong = fixture_judge(&a, status, m, &f);
        CHECK(!wrong);
        bool idle = f.idle || (anywhere && a.c.connected && status != CLEAVE_OK);
        CHECK(idle);
        CHECK(status == CLEAVE_OK || !sure);
        if (wrong || !idle || (status != CLEAVE_OK && sure))
            fprintf(stderr, "  kind %d of %s: %s\n", kind, a.name,
                    wrong ? wrong : a.err.message);
        cleave_mapping_free(m);
        cleave_mapping_free(start);
        asked_free(&a);
    }
}

static void test_several_weights(void)
{
    static const char *const graphs[] = {
        "grid2d:24x24 two",    "rgg:900:8 three vwgt", "rmat:9:6 two",
        "pieces:600 three",    "path:500 two vwgt",    "star:300 two",
        "tree:600:random two", "clique:120 three",     "grid2d:70x70 two vwgt ewgt",
    };
    static const int32_t shares[] = {2, 1, 3, 3, 1, 2, 1, 1, 2, 2, 1, 1};
    for (int i = 0; i < (int)(sizeof graphs / sizeof *graphs); i++)
        for (int e = 0; e < efforts; e++) {
            asked a;
            facts f;
            ask(&a, graphs[i], 4, (cleave_effort)e);
            a.thousandths = 100;
            must(&a, &f);
            if (a.ncon == 2) {
                a.shares = shares; /* different ones for the two weights */
                must(&a, &f);
            }
            asked_free(&a);
        }
}

int main(void)
{
    RUN(test_fixed);
    RUN(test_fixed_all);
    RUN(test_groups);
    RUN(test_min_max);
    RUN(test_min);
    RUN(test_imbalance_by_part);
    RUN(test_shares);
    RUN(test_idle);
    RUN(test_idle_demands);
    RUN(test_several_weights);
    return test_end();
}
