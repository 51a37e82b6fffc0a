/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of cleave_map after its search, for all efforts on graphs of many kinds: connected
 * parts, and a smaller communication volume.  Checked by slow loops (map_fixture.h); a call
 * that ignored the option would fail. */
#include "engine/map_fixture.h"
#include "support/test.h"

enum { efforts = CLEAVE_EFFORT_BEST + 1 };

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

/* ---- Connected parts -------------------------------------------------------------------- */

static void test_connected(void)
{
    static const char *const graphs[] = {
        "grid2d:24x24",           "grid2d:24x24 ewgt", "rgg:900:14", "mesh2d:25x25 vwgt ewgt",
        "grid3d:9x9x9",           "clique:60",         "path:500",   "cycle:400 ewgt",
        "grid2d:40x20 ewgt vwgt", "mesh2d:70x70 ewgt",
    };
    for (int i = 0; i < (int)(sizeof graphs / sizeof *graphs); i++)
        for (int e = 0; e < efforts; e++) {
            asked a;
            facts f;
            ask(&a, graphs[i], i % 2 ? 9 : 6, (cleave_effort)e);
            a.thousandths = 100;
            a.c.connected = 1;
            must(&a, &f);
            asked_free(&a);
        }
}

/* Where connected parts and balance conflict, the status reports which one is missed. */
static void test_connected_truth(void)
{
    static const char *const graphs[] = {
        "rgg:900:8",           "rmat:9:6",        "star:300", "pieces:600", "gnp:400:0.02",
        "rgg:700:9 vwgt ewgt", "tree:600:random", "path:500"};
    static int32_t fixed[1000];
    for (int i = 0; i < (int)(sizeof graphs / sizeof *graphs); i++)
        for (int e = 0; e < efforts; e++) {
            asked a;
            facts f;
            ask(&a, graphs[i], 3 + i, (cleave_effort)e);
            a.c.connected = 1;
            for (int32_t v = 0; v < a.n; v++)
                fixed[v] = v % 97 == 0 && i % 2 ? v / 97 % a.k : -1;
            a.c.fixed = fixed;
            cleave_mapping *m = NULL;
            cleave_status status = ask_map(&a, &m);
            const char *wrong = fixture_judge(&a, status, m, &f);
            CHECK(!wrong);
            if (wrong)
                fprintf(stderr, "  %s\n", wrong);
            cleave_mapping_free(m);
            asked_free(&a);
        }
}

/* ---- Objectives ------------------------------------------------------------------------- */

static void test_volume(void)
{
    static const char *const graphs[] = {
        "rmat:10:8",         "rgg:900:8 vsize",       "gnp:400:0.02 vsize",
        "grid2d:24x24 ewgt", "tree:600:random vsize", "rmat:9:6 ewgt vsize",
    };
    for (int e = 0; e < CLEAVE_EFFORT_BEST; e++) { /* which ends by the clock here */
        int64_t volume = 0, other = 0, cut = 0, other_cut = 0;
        for (int i = 0; i < (int)(sizeof graphs / sizeof *graphs); i++) {
            asked a;
            facts f;
            ask(&a, graphs[i], 8, (cleave_effort)e);
            must(&a, &f);
            other += f.volume;
            cut += f.cut;
            a.opt.objective = CLEAVE_OBJECTIVE_VOLUME;
            must(&a, &f);
            volume += f.volume;
            other_cut += f.cut;
            asked_free(&a);
        }
        CHECK(volume < other);
        CHECK(cut < other_cut);
        if (volume >= other || cut >= other_cut)
            fprintf(stderr,
                    "  effort %d: volume %lld, or %lld where the cut is asked for; cut %lld, "
                    "or %lld\n",
                    e, (long long)volume, (long long)other, (long long)cut,
                    (long long)other_cut);
    }
}

int main(void)
{
    RUN(test_connected);
    RUN(test_connected_truth);
    RUN(test_volume);
    return test_end();
}
