/* SPDX-License-Identifier: Apache-2.0 */
/* Targets: every text form, every error message, invalid speeds, failing allocations. */
#include "target/target.h"

#include <math.h>

#include "support/test.h"

static cleave_error err;

/* "4: 3 2 2 1", "8 equal", or the complaint. */
static const char *parsed(const char *text)
{
    static char shown[512];
    cleave_target *t = (cleave_target *)shown;
    memset(&err, 0, sizeof err);
    cleave_status status = cleave_target_parse(&t, text, &err);
    CHECK((t != NULL) == (status == CLEAVE_OK));
    if (status != CLEAVE_OK) {
        CHECK_EQ(err.status, status);
        return err.message;
    }
    int32_t count = cleave_target_pes(t);
    char *to = shown + sprintf(shown, "%d%s", (int)count, t->equal ? " equal" : ":");
    for (int32_t pe = 0; t->speed && pe < count && pe < 16; pe++)
        to += sprintf(to, " %g", cleave_target_speed(t, pe));
    cleave_target_free(t);
    return shown;
}

static void test_counts(void)
{
    CHECK_STR(parsed("1"), "1 equal");
    CHECK_STR(parsed("8"), "8 equal");
    CHECK_STR(parsed("0008"), "8 equal");
    CHECK_STR(parsed("2147483647"), "2147483647 equal");
    CHECK_STR(parsed("0"), "a target has 1 to 2147483647 PEs, not 0");
    CHECK_STR(parsed("2147483648"), "a target has 1 to 2147483647 PEs, not 2147483648");
    CHECK_STR(parsed("99999999999999999999999"),
              "a target has 1 to 2147483647 PEs, not 99999999999999999999999");
    CHECK_STR(parsed("1.5"), "\"1.5\" is not a number of PEs: a whole number such as 8");
    CHECK_STR(parsed("8 "), "\"8 \" is not a number of PEs: a whole number such as 8");
    CHECK_STR(parsed("1e3"), "\"1e3\" is not a number of PEs: a whole number such as 8");
    CHECK_STR(parsed("8x"), "\"8x\" is not a number of PEs: a whole number such as 8");
}

static void test_speeds(void)
{
    CHECK_STR(parsed("3,2,2,1"), "4: 3 2 2 1");
    CHECK_STR(parsed("2,2,2"), "3 equal 2 2 2");
    CHECK_STR(parsed("0,1"), "2: 0 1");
    CHECK_STR(parsed(".5,1e-3"), "2: 0.5 0.001");
    CHECK_STR(parsed("1e308,1e308"), "2 equal 1e+308 1e+308");
    CHECK_STR(parsed("0,0"), "the speeds of all PEs are 0");
    CHECK_STR(parsed("1,-1"), "speed 2 is \"-1\", not a number >= 0");
    CHECK_STR(parsed("1,+1"), "speed 2 is \"+1\", not a number >= 0");
    CHECK_STR(parsed("1,inf"), "speed 2 is \"inf\", not a number >= 0");
    CHECK_STR(parsed("1,nan"), "speed 2 is \"nan\", not a number >= 0");
    CHECK_STR(parsed("1,1e999"), "speed 2 is \"1e999\", not a number >= 0");
    CHECK_STR(parsed("1,"), "speed 2 is \"\", not a number >= 0");
    CHECK_STR(parsed(",1"), "speed 1 is \"\", not a number >= 0");
    CHECK_STR(parsed(","), "speed 1 is \"\", not a number >= 0");
    CHECK_STR(parsed("1,,2"), "speed 2 is \"\", not a number >= 0");
    CHECK_STR(parsed("1, 2"), "speed 2 is \" 2\", not a number >= 0");
    CHECK_STR(parsed("1,2 "), "speed 2 is \"2 \", not a number >= 0");
    CHECK_STR(parsed("1,2;3"), "speed 2 is \"2;3\", not a number >= 0");
}

/* Nonsense: one sentence lists what there is. */
static void test_unknown(void)
{
    static const char *const texts[] = {"",   "x",        "-3",     "+3",
                                        " 8", "Mesh:4x2", "ring:8", "tree"};
    char forms[256] = "";
    const char *form;
    for (int i = 0; (form = cleave_target_form(i, NULL)); i++) {
        size_t used = strlen(forms);
        snprintf(forms + used, sizeof forms - used, " %s", form);
    }
    CHECK(strstr(forms, " 8 3,2,2,1 hypercube:10 mesh:4x2") == forms);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char want[320];
        snprintf(want, sizeof want, "\"%s\" is not a target; known forms are%s", texts[i],
                 forms);
        CHECK_STR(parsed(texts[i]), want);
        CHECK_EQ(err.status, CLEAVE_EINVAL);
    }
}

/* The list of forms: every example that needs no file is a target. */
static void test_forms(void)
{
    int count = 0;
    const char *form, *description = NULL;
    for (; (form = cleave_target_form(count, &description)); count++) {
        cleave_target *t = NULL;
        CHECK(description && description[0]);
        CHECK_STR(cleave_target_form(count, NULL), form);
        if (strstr(form, "FILE"))
            continue;
        CHECK_OK(cleave_target_parse(&t, form, &err));
        cleave_target_free(t);
    }
    CHECK(count >= 11);
    CHECK(cleave_target_form(-1, &description) == NULL);
}

/* A long text is cut in the message, not in the parsing. */
static void test_long(void)
{
    enum { count = 5000 };
    static char text[2 * count + 100];
    for (int i = 0; i < count; i++)
        memcpy(text + 2 * i, i % 2 ? "2," : "1,", 2);
    text[2 * count - 1] = '\0';
    cleave_target *t;
    REQUIRE_OK(cleave_target_parse(&t, text, &err));
    CHECK_EQ(cleave_target_pes(t), count);
    CHECK(cleave_target_speed(t, count - 1) == 2 && cleave_target_speed(t, count - 2) == 1);
    cleave_target_free(t);
    memset(text, '9', 300);
    text[300] = '\0';
    CHECK(strlen(parsed(text)) < 150 && strstr(err.message, "999...") != NULL);
    text[150] = ',';
    text[299] = 'x';
    CHECK(strlen(parsed(text)) < 150 && strstr(err.message, "999...") != NULL);
    memset(text, 'a', 300);
    CHECK(strlen(parsed(text)) < 250 && strstr(err.message, "aaa...") != NULL);
}

static void test_create(void)
{
    double speeds[] = {1, 0, 0.5};
    cleave_target *t;
    REQUIRE_OK(cleave_target_create(&t, 3, speeds, &err));
    speeds[0] = 7; /* it has a copy */
    CHECK(cleave_target_speed(t, 0) == 1 && cleave_target_speed(t, 1) == 0);
    CHECK(cleave_target_speed(t, 2) == 0.5 && clv_target_shares(t) == t->speed);
    CHECK(cleave_target_speed(t, -1) == 0 && cleave_target_speed(t, 3) == 0);
    cleave_target_free(t);
    REQUIRE_OK(cleave_target_create(&t, 5, NULL, &err));
    CHECK(cleave_target_pes(t) == 5 && cleave_target_speed(t, 4) == 1);
    CHECK(clv_target_shares(t) == NULL);
    cleave_target_free(t);
}

static void test_refused(void)
{
    static const double bad[] = {-1, INFINITY, NAN, -INFINITY};
    for (int i = 0; i < 4; i++) {
        double speeds[] = {1, bad[i]};
        cleave_target *t = (cleave_target *)speeds;
        CHECK_EQ(cleave_target_create(&t, 2, speeds, &err), CLEAVE_EINVAL);
        CHECK(t == NULL);
        CHECK_STR(err.message, "the speed of PE 1 is not a number >= 0");
    }
}

static void test_oom(void)
{
    static const char *const texts[] = {"8", "3,2,2,1"};
    for (int i = 0; i < 2; i++)
        for (test_oom_rounds oom = {0}; test_oom_next(&oom);) {
            cleave_target *t;
            TEST_OOM(&oom, cleave_target_parse(&t, texts[i], &err));
            cleave_target_free(t);
        }
}

int main(void)
{
    RUN(test_counts);
    RUN(test_speeds);
    RUN(test_unknown);
    RUN(test_forms);
    RUN(test_long);
    RUN(test_create);
    RUN(test_refused);
    RUN(test_oom);
    return test_end();
}
