/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of node names: every form, every error message, a slow expansion for comparison,
 * failing allocations. */
#include "target/node_list.h"

#include "base/rng.h"
#include "support/test.h"

static cleave_error err;

/* "a b c", or the complaint. */
static const char *expanded(const char *text)
{
    static char shown[4096];
    clv_arena arena = {0};
    char **names = NULL;
    int32_t count = 0;
    memset(&err, 0, sizeof err);
    cleave_status status =
        clv_node_list_expand(text, strlen(text), &names, &count, &arena, &err);
    shown[0] = '\0';
    if (status != CLEAVE_OK) {
        CHECK_EQ(err.status, status);
        CHECK(strlen(err.message) < 160);
    }
    for (int32_t i = 0; status == CLEAVE_OK && i < count; i++)
        snprintf(shown + strlen(shown), sizeof shown - strlen(shown), "%s%s", i ? " " : "",
                 names[i]);
    clv_arena_free(&arena);
    return status == CLEAVE_OK ? shown : err.message;
}

static void test_forms(void)
{
    CHECK_STR(expanded("n1"), "n1");
    CHECK_STR(expanded("n[1-4,7],m3"), "n1 n2 n3 n4 n7 m3");
    CHECK_STR(expanded("n[001-003]"), "n001 n002 n003");
    CHECK_STR(expanded("n[8-11]"), "n8 n9 n10 n11");
    CHECK_STR(expanded("n[08-11,3]"), "n08 n09 n10 n11 n3");
    CHECK_STR(expanded("n[099-101]"), "n099 n100 n101");
    CHECK_STR(expanded("r[1-2]n[0-1]"), "r1n0 r1n1 r2n0 r2n1");
    CHECK_STR(expanded("r[1-2]n[0-1]-ib"), "r1n0-ib r1n1-ib r2n0-ib r2n1-ib");
    CHECK_STR(expanded("[1,3]"), "1 3");
    CHECK_STR(expanded("x[1][2]y"), "x12y");
    CHECK_STR(expanded("a,a"), "a a");
    CHECK_STR(expanded("im[0],grp[23-24]"), "im0 grp23 grp24");
    CHECK_STR(expanded("core:[0-1]"), "core:0 core:1");
    CHECK_STR(expanded("[0-1][0-1][0-1][0]"), "0000 0010 0100 0110 1000 1010 1100 1110");
}

static void test_complaints(void)
{
    CHECK_STR(expanded(""), "a name of the list is empty");
    CHECK_STR(expanded("a,"), "a name of the list is empty");
    CHECK_STR(expanded(",a"), "a name of the list is empty");
    CHECK_STR(expanded("a,,b"), "a name of the list is empty");
    CHECK_STR(expanded("n[1-"), "the brackets of \"n[1-\" do not match");
    CHECK_STR(expanded("n1]"), "the brackets of \"n1]\" do not match");
    CHECK_STR(expanded("n[]"), "a bracket of \"n[]\" is empty");
    CHECK_STR(expanded("n[1,]"), "a bracket ends in a comma");
    CHECK_STR(expanded("n[,1]"),
              "\"\" in a bracket is neither a number nor a range such as 1-4");
    CHECK_STR(expanded("n[a-b]"),
              "\"a-b\" in a bracket is neither a number nor a range such as 1-4");
    CHECK_STR(expanded("n[1-2-3]"),
              "\"1-2-3\" in a bracket is neither a number nor a range such as 1-4");
    CHECK_STR(expanded("n[1-]"),
              "\"1-\" in a bracket is neither a number nor a range such as 1-4");
    CHECK_STR(expanded("n[-1]"),
              "\"-1\" in a bracket is neither a number nor a range such as 1-4");
    CHECK_STR(expanded("n[[1]]"), "the brackets of \"n[[1]]\" do not match");
    CHECK_STR(expanded("n[1000000000000000000]"), "\"1000000000000000000\" in a bracket is "
                                                  "neither a number nor a range such as 1-4");
    CHECK_STR(expanded("n[4-1]"), "the range 4-1 goes down");
    CHECK_STR(expanded("a b"),
              "a name in \"a b\" has a blank or another byte that names cannot have");
    CHECK_STR(expanded("a=b"),
              "a name in \"a=b\" has a blank or another byte that names cannot have");
    CHECK_STR(expanded("[1][1][1][1][1][1][1][1][1]"),
              "\"[1][1][1][1][1][1][1][1][1]\" has more than 7 brackets");
    CHECK_EQ(err.status, CLEAVE_EINVAL);
}

static void test_limits(void)
{
    char text[600];
    CHECK_STR(expanded("n[1-4194305]"), "the list has more than 4194304 names");
    CHECK_EQ(err.status, CLEAVE_ERANGE);
    CHECK_STR(expanded("n[0-999999999999999999]"), "the list has more than 4194304 names");
    CHECK_STR(expanded("n[1-4194304],m"), "the list has more than 4194304 names");
    CHECK_STR(expanded("a[1-4000]b[1-4000]c[1-4000]d[1-4000]e[1-4000]f[1-4000]g[1-4000]"),
              "the list has more than 4194304 names");
    memset(text, 'x', sizeof text);
    strcpy(text + 250, "[1-4]");
    CHECK(strlen(expanded(text)) > 1000);
    strcpy(text + 250, "[1-400000]");
    CHECK_STR(expanded(text),
              "the name \"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...\" is longer than 255 bytes");
    strcpy(text + 200, "[1-400000]");
    CHECK_STR(expanded(text), "the names of the list have more than 67108864 bytes");
    clv_arena arena = {0};
    char **names;
    int32_t count;
    REQUIRE_OK(clv_node_list_expand("n[1-4194304]", 12, &names, &count, &arena, &err));
    CHECK_EQ(count, 4194304);
    CHECK_STR(names[0], "n1");
    CHECK_STR(names[4194303], "n4194304");
    clv_arena_free(&arena);
}

/* Random lists, expanded one printf at a time. */
static void test_against_slow(void)
{
    for (int round = 0; round < 2000; round++) {
        clv_rng rng = clv_rng_make(1, 2, 3, (uint64_t)round);
        char text[256] = "", want[4096] = "";
        int items = 1 + (int)clv_rng_below(&rng, 3);
        for (int i = 0; i < items; i++) {
            int first[2], last[2], width[2];
            for (int g = 0; g < 2; g++) {
                first[g] = (int)clv_rng_below(&rng, 120);
                last[g] = first[g] + (int)clv_rng_below(&rng, 4);
                width[g] = (int)clv_rng_below(&rng, 5);
            }
            sprintf(text + strlen(text), "%sr[%0*d-%0*d]n[%0*d-%0*d]", i ? "," : "", width[0],
                    first[0], width[0], last[0], width[1], first[1], width[1], last[1]);
            for (int a = first[0]; a <= last[0]; a++)
                for (int b = first[1]; b <= last[1]; b++)
                    sprintf(want + strlen(want), "%sr%0*dn%0*d", *want ? " " : "", width[0], a,
                            width[1], b);
        }
        const char *got = expanded(text);
        if (strlen(want) < 1000)
            CHECK_STR(got, want);
    }
}

static void test_memory(void)
{
    for (test_oom_rounds oom = {0}; test_oom_next(&oom);) {
        clv_arena arena = {0};
        char **names;
        int32_t count;
        TEST_OOM(&oom, clv_node_list_expand("n[1-4,7],m3", 11, &names, &count, &arena, &err));
        clv_arena_free(&arena);
    }
}

int main(void)
{
    RUN(test_forms);
    RUN(test_complaints);
    RUN(test_limits);
    RUN(test_against_slow);
    RUN(test_memory);
    return test_end();
}
