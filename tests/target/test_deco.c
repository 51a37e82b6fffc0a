/* SPDX-License-Identifier: Apache-2.0 */
/* Targets written as deco 0: round trips; Debian's Scotch programs read them, and their files
 * are read. */
#include "target/deco.h"

#include <unistd.h>

#include "target/distance_oracle.h"
#include "target/graph_target.h"
#include "target/scotch_target.h"

static cleave_error err;

/* A path in the scratch folder; static, four deep. */
static const char *scratch(const char *name)
{
    static char path[4][600];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", test_scratch(), name);
    return path[next];
}

static bool have(const char *program)
{
    char command[200];
    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", program);
    return system(command) == 0;
}

static void check_same(const cleave_target *a, const cleave_target *b, double factor)
{
    CHECK_EQ(a->npes, b->npes);
    for (int32_t p = 0; p < a->npes && p < b->npes; p++) {
        double x = clv_target_speed_of(a, p) * factor, y = clv_target_speed_of(b, p);
        CHECK(x - y <= 1e-6 * x && y - x <= 1e-6 * x);
        for (int32_t q = 0; q < a->npes && q < b->npes; q++)
            CHECK_EQ(clv_target_distance(a, p, q), clv_target_distance(b, p, q));
    }
}

/* Written and read; factor: how much larger the speeds become.  keeps: the halves as well. */
static void check_round_trip(cleave_target *t, double factor, bool keeps)
{
    cleave_target *again;
    const char *path = scratch("round.tgt");
    REQUIRE_OK(clv_target_write_deco(t, path, &err));
    REQUIRE_OK(clv_target_scotch_file(&again, path, &err));
    check_same(t, again, factor);
    check_tree(again);
    for (int32_t pe = 0; t->name && pe < t->npes; pe++)
        CHECK(!again->name || strcmp(again->name[pe], t->name[pe]) == 0);
    for (int32_t pe = 0; keeps && t->shape->place && pe < t->npes; pe++)
        for (int32_t q = 0; q < t->npes; q++)
            CHECK_EQ(again->shape->place(again, pe) < again->shape->place(again, q),
                     t->shape->place(t, pe) < t->shape->place(t, q));
    if (have("atst")) {
        char command[1300];
        snprintf(command, sizeof command, "atst %s | grep -q 'nbr=%d$'", path, (int)t->npes);
        CHECK_EQ(system(command), 0);
    }
    clv_target_free(again);
    clv_target_free(t);
}

static cleave_target *parsed(const char *text)
{
    cleave_target *t = NULL;
    CHECK_OK(clv_target_parse(&t, text, &err));
    return t;
}

static cleave_target *from_text(const char *text)
{
    cleave_target *t = NULL;
    CHECK_OK(clv_target_scotch_file(&t, test_file("from.tgt", text), &err));
    return t;
}

static void test_round_trips(void)
{
    static const int32_t fanout[] = {4, 3, 2}, cost[] = {1, 10, 100};
    cleave_target *t;
    check_round_trip(parsed("1"), 1, true);
    check_round_trip(parsed("7"), 1, true);
    check_round_trip(parsed("3,2,0,1"), 1, true);
    check_round_trip(parsed("0.5,2.25,1"), 100, true);
    check_round_trip(parsed("0.0078125,1"), 1e7, true);
    check_round_trip(parsed("1e300,2e300"), 1e6 / 2e300, true);
    check_round_trip(parsed("3000000000,1500000000,0"), 1e6 / 3e9, true);
    check_round_trip(from_text("mesh2D 5 7"), 1, true);
    check_round_trip(from_text("torus3D 3 4 2"), 1, true);
    check_round_trip(from_text("hcub 5"), 1, true);
    check_round_trip(from_text("sub 5 0 4 5 1 7 mesh2D 4 2"), 1, true);
    check_round_trip(from_text("sub 3 6 2 5 cmpltw 7 9 8 7 6 5 4 3"), 1, true);
    check_round_trip(from_text("deco 0 3 7 4 1 2 9 2 6 30 1 7 1 2 3"), 1, true);
    REQUIRE_OK(clv_target_tree(&t, 3, fanout, cost, &err));
    check_round_trip(t, 1, true);
    REQUIRE_OK(clv_target_graph_file(&t, test_data("target/weighted.grf"), &err));
    check_round_trip(t, 1, true);
    REQUIRE_OK(clv_target_graph_file(
        &t, test_file("names.dot", "graph { a -- b; b -- c; c -- d [weight=3] }"), &err));
    check_round_trip(t, 1, true);
}

/* A tree that is a chain is written with even halves: Scotch's numbers would not fit. */
static void test_deep_tree(void)
{
    char text[2000], *to = text;
    cleave_target *t, *again;
    to += sprintf(to, "deco 0 40 %lld\n", (1LL << 40) - 1);
    for (int i = 0; i < 40; i++)
        to += sprintf(to, "%d 1 %lld\n", i, i < 39 ? (4LL << i) - 2 : (1LL << 40) - 1);
    FILE *f = fopen(test_file("deep.tgt", text), "a");
    REQUIRE(f != NULL);
    for (int i = 1; i < 40; i++)
        for (int j = 0; j < i; j++)
            fprintf(f, "%d ", i - j);
    fclose(f);
    REQUIRE_OK(clv_target_scotch_file(&t, scratch("deep.tgt"), &err));
    REQUIRE_OK(clv_target_write_deco(t, scratch("flat.tgt"), &err));
    REQUIRE_OK(clv_target_scotch_file(&again, scratch("flat.tgt"), &err));
    check_same(t, again, 1);
    int npes, largest;
    f = fopen(scratch("flat.tgt"), "r");
    REQUIRE(f && fscanf(f, "deco 0 %d %d", &npes, &largest) == 2);
    CHECK(npes == 40 && largest < 128);
    fclose(f);
    clv_target_free(again);
    check_round_trip(t, 1, false);
}

static void test_refusals(void)
{
    cleave_target *t = parsed("40000");
    CHECK_EQ(clv_target_write_deco(t, scratch("large.tgt"), &err), CLEAVE_ERANGE);
    CHECK_STR(err.message,
              "a table of the distances of 40000 PEs is too large to write; 32768 "
              "PEs are the most");
    clv_target_free(t);
    t = parsed("4");
    CHECK_EQ(clv_target_write_deco(t, "/nowhere/x.tgt", &err), CLEAVE_EIO);
    test_oom_rounds oom = {.lenient = true};
    while (test_oom_next(&oom))
        TEST_OOM(&oom, clv_target_write_deco(t, scratch("memory.tgt"), &err));
    CHECK(oom.nth - 1 > 2);
    clv_target_free(t);
}

/* ---- Debian's programs ------------------------------------------------------------------ */

/* command writes the file of the %s in it; what it makes is read and has so many PEs. */
static cleave_target *made_by(const char *command, int32_t npes)
{
    char line[1300];
    cleave_target *t = NULL;
    const char *path = scratch("made.tgt");
    snprintf(line, sizeof line, command, path);
    CHECK_EQ(system(line), 0);
    CHECK_OK(clv_target_scotch_file(&t, path, &err));
    CHECK_EQ(t ? t->npes : 0, npes);
    if (t)
        check_tree(t);
    return t;
}

static void test_made_by_scotch(void)
{
    if (!have("amk_grf") || !have("gmk_ub2") || !have("acpl"))
        return;
    clv_target_free(made_by("amk_ccc 3 %s", 24));
    clv_target_free(made_by("amk_fft2 2 %s", 12));
    clv_target_free(made_by("amk_p2 3 4 %s", 2));
    cleave_target *hy = made_by("amk_hy 4 %s", 16), *cube = from_text("hcub 4");
    check_same(hy, cube, 1);
    clv_target_free(hy);
    clv_target_free(cube);
    cleave_target *m2 = made_by("amk_m2 4 3 %s", 12), *mesh = from_text("mesh2D 4 3");
    check_same(m2, mesh, 1);
    clv_target_free(m2);
    clv_target_free(mesh);
    clv_target_free(made_by("amk_m2 4 3 | acpl - %s", 12));
    cleave_target *one = made_by("gmk_ub2 5 | amk_grf - %s", 32);
    cleave_target *two = made_by("gmk_ub2 5 | amk_grf -2 - %s", 32);
    check_same(one, two, 1);
    clv_target_free(one);
    clv_target_free(two);
}

/* What we write, Scotch compiles; the distances of its domains are ours. */
static void test_compiled_by_scotch(void)
{
    if (!have("acpl"))
        return;
    cleave_target *t = from_text("sub 9 0 4 5 1 7 8 10 11 14 mesh2D 4 4"), *again = NULL;
    char line[1300];
    REQUIRE_OK(clv_target_write_deco(t, scratch("ours.tgt"), &err));
    snprintf(line, sizeof line, "acpl %s %s", scratch("ours.tgt"), scratch("compiled.tgt"));
    REQUIRE(system(line) == 0);
    REQUIRE_OK(clv_target_scotch_file(&again, scratch("compiled.tgt"), &err));
    check_same(t, again, 1);
    clv_target_free(again);
    clv_target_free(t);
}

int main(void)
{
    RUN(test_round_trips);
    RUN(test_deep_tree);
    RUN(test_refusals);
    RUN(test_made_by_scotch);
    RUN(test_compiled_by_scotch);
    return test_end();
}
