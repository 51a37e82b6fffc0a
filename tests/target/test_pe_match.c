/* SPDX-License-Identifier: Apache-2.0 */
/* Matching of PEs by name and by number. */
#include "support/test.h"
#include "target/pe_match.h"

static cleave_error err;

static clv_target *parse(const char *text)
{
    clv_target *t = NULL;
    if (text)
        CHECK_OK(clv_target_parse(&t, text, &err));
    return t;
}

/* Names for the first PEs of a flat target. */
static void name_all(clv_target *t, const char *const *names)
{
    char **copy = clv_arena_alloc(&t->arena, t->npes, sizeof *copy);
    REQUIRE(copy != NULL);
    for (int32_t i = 0; i < t->npes; i++)
        copy[i] = (char *)(uintptr_t)names[i];
    t->name = copy;
}

/* matches: what PEs 0, 1, ... of before are now, as text; "-" for none. */
static void check(const clv_target *before, const clv_target *now, int32_t count,
                  const char *matches)
{
    int32_t old[32] = {0}, match[32];
    char text[256] = "";
    for (int32_t i = 0; i < count; i++)
        old[i] = i;
    CHECK_OK(clv_pe_match(before, count, old, now, match, &err));
    for (int32_t i = 0; i < count; i++) {
        char one[16] = "-";
        if (match[i] >= 0)
            snprintf(one, sizeof one, "%d", (int)match[i]);
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i ? " " : "", one);
    }
    CHECK_STR(text, matches);
}

static void check_texts(const char *before, const char *now, int32_t count,
                        const char *matches)
{
    clv_target *a = parse(before), *b = parse(now);
    check(a, b, count, matches);
    clv_target_free(a);
    clv_target_free(b);
}

static void test_numbers(void)
{
    check_texts("4", "4", 4, "0 1 2 3");
    check_texts("4", "1,2,3,4", 4, "0 1 2 3");
    check_texts(NULL, "2", 4, "0 1 - -");
    check_texts(NULL, "6", 4, "0 1 2 3");
    check_texts("4", "4[0,2,3]", 4, "0 - 1 2");
    check_texts(NULL, "mesh:2x2[3,1]", 4, "- 1 - 0");
    check_texts("8[7,5,3]", "8[3-6]", 3, "- 2 0");
    check_texts("8[7,5,3]", "8", 3, "7 5 3");
    check_texts("8[4-7][1,3]", "8[5,6,7][2,0]", 2, "1 0");
    check_texts("torus:4x4[12-15]", "3,2,2,1", 4, "- - - -");
    check_texts(NULL, "3", 0, "");
}

static void test_names(void)
{
    static const char *const old[] = {"alpha", "beta", "gamma", "2"};
    static const char *const now[] = {"gamma", "2", "delta", "alpha"};
    static const char *const same[] = {"n", "n", "m", "n"};
    clv_target *a = parse("4"), *b = parse("1,2,3,4"), *c = parse("4"), *d = parse("3");
    name_all(a, old);
    name_all(b, now);
    name_all(c, same);
    check(a, b, 4, "3 - 0 1");
    check(b, a, 4, "2 3 - 0");
    check(NULL, a, 4, "- - 3 -"); /* a name may look like a number */
    check(a, d, 4, "- - - 2");
    check(c, c, 4, "0 1 2 3");
    name_all(d, same);
    check(c, d, 4, "0 1 2 -"); /* one n less */
    clv_target_free(a);
    clv_target_free(b);
    clv_target_free(c);
    clv_target_free(d);
}

/* Few of very many old PEs. */
static void test_far_numbers(void)
{
    int32_t old[] = {3, 2000000000}, match[2];
    clv_target *now = parse("8[3-5]");
    CHECK_OK(clv_pe_match(NULL, 2, old, now, match, &err));
    CHECK(match[0] == 0 && match[1] == -1);
    clv_target_free(now);
}

static void test_memory(void)
{
    clv_target *a = parse("20"), *b = parse("20[0-4,6-19]");
    int32_t old[20], match[20];
    for (int32_t i = 0; i < 20; i++)
        old[i] = i;
    for (test_oom_rounds oom = {0}; test_oom_next(&oom);)
        TEST_OOM(&oom, clv_pe_match(a, 20, old, b, match, &err));
    clv_target_free(a);
    clv_target_free(b);
}

int main(void)
{
    RUN(test_numbers);
    RUN(test_names);
    RUN(test_far_numbers);
    RUN(test_memory);
    return test_end();
}
