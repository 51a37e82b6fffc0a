/* SPDX-License-Identifier: Apache-2.0 */
/* The list after a target: numbers, ranges and names; every error message; failing
 * allocations. */
#include "target/pe_list.h"

#include "target/shape_checks.h"

static cleave_error err;

/* ---- Speeds and names ------------------------------------------------------------------- */

static clv_target *named_tree(void)
{
    static const int32_t parent[] = {-1, 0, 0, 1, 1, 1, 2, 2};
    static const int32_t cost[] = {9, 1, 1, 0, 0, 0, 0, 0}, level[] = {2, 1, 1, 0, 0, 0, 0, 0};
    static const double speeds[] = {1, 2, 3, 4, 5};
    static char *const names[] = {"n1", "n2", "n10", "3", "7-8"};
    clv_target *t = NULL;
    CHECK_OK(clv_target_switches(&t, 8, parent, cost, level, &err));
    CHECK_OK(clv_target_set_speeds(t, speeds, &err));
    t->name = names;
    return t;
}

/* "n1*1 3*4" or the complaint. */
static const char *restricted(clv_target *t, const char *list)
{
    static char shown[256];
    clv_target *sub = (clv_target *)shown;
    cleave_status status = clv_target_restrict(&sub, t, list, strlen(list), &err);
    CHECK((sub != NULL) == (status == CLEAVE_OK));
    if (status != CLEAVE_OK)
        return err.message;
    char *to = shown;
    for (int32_t pe = 0; pe < sub->npes; pe++)
        to += sprintf(to, "%s%s*%g", pe ? " " : "", sub->name ? sub->name[pe] : "?",
                      clv_target_speed_of(sub, pe));
    check_domains(sub);
    clv_target_free(sub);
    return shown;
}

static void test_names(void)
{
    CHECK_STR(restricted(named_tree(), "n10,n1"), "n10*3 n1*1");
    CHECK_STR(restricted(named_tree(), "0-2,4"), "n1*1 n2*2 n10*3 7-8*5");
    CHECK_STR(restricted(named_tree(), "3"), "3*4"); /* a name before a number */
    CHECK_STR(restricted(named_tree(), "7-8,0"), "7-8*5 n1*1");
    CHECK_STR(restricted(named_tree(), "1,2,0"), "n2*2 n10*3 n1*1");
    CHECK_STR(restricted(named_tree(), "n1,0"), "PE 0 is in the list twice");
    CHECK_STR(restricted(named_tree(), "1,1"), "PE 1 is in the list twice");
    CHECK_STR(restricted(named_tree(), "n1,n3"), "no PE of the target is called \"n3\"");
    CHECK_STR(restricted(named_tree(), "n1,5"),
              "PE 5 of the list does not exist: the target has PEs 0 to 4");
}

static void test_speeds(void)
{
    CHECK_STR(restricted(shape_of("3,2,0,1"), "3,0"), "?*1 ?*3");
    CHECK_STR(restricted(shape_of("3,2,0,1"), "2"), "the speeds of all PEs are 0");
    clv_target *t = shape_of("mesh:2x2"), *sub = NULL;
    static const double speeds[] = {4, 3, 2, 1};
    static const int32_t list[] = {3, 1};
    REQUIRE_OK(clv_target_set_speeds(t, speeds, &err));
    check_domains(t);
    REQUIRE_OK(clv_target_sub(&sub, t, 2, list, &err));
    CHECK(sub->speed[0] == 1 && sub->speed[1] == 3 && !sub->equal);
    check_domains(sub);
    clv_target_free(sub);
}

/* ---- Complaints ------------------------------------------------------------------------- */

static const char *refused(const char *text)
{
    clv_target *t = (clv_target *)&err;
    CHECK(clv_target_parse(&t, text, &err) != CLEAVE_OK && t == NULL);
    return err.message;
}

static void test_refused(void)
{
    CHECK_STR(refused("mesh:4x2[]"), "the list of PEs is empty");
    CHECK_STR(refused("mesh:4x2[8]"),
              "PE 8 of the list does not exist: the target has PEs 0 to 7");
    CHECK_STR(refused("mesh:4x2[0-8]"),
              "PE 8 of the list does not exist: the target has PEs 0 to 7");
    CHECK_STR(refused("8[99999999999999999999]"),
              "PE 9223372036854775807 of the list does not "
              "exist: the target has PEs 0 to 7");
    CHECK_STR(refused("mesh:4x2[0,3,0]"), "PE 0 is in the list twice");
    CHECK_STR(refused("8[0-3,2-5]"), "PE 2 is in the list twice");
    CHECK_STR(refused("8[5-3]"), "the range 5-3 of PEs runs backwards");
    CHECK_STR(refused("2000000000[0-1073741824]"), "a list cannot have 1073741825 PEs");
    CHECK_STR(refused("8[0,]"), "an item of the list of PEs is empty");
    CHECK_STR(refused("8[,]"), "an item of the list of PEs is empty");
    CHECK_STR(refused("8[a]"),
              "\"a\" is not a list of PEs: numbers and ranges such as 0,4,5-7");
    CHECK_STR(refused("8[1-]"),
              "\"1-\" is not a list of PEs: numbers and ranges such as 0,4,5-7");
    CHECK_STR(refused("8[-1]"),
              "\"-1\" is not a list of PEs: numbers and ranges such as 0,4,5-7");
    CHECK_STR(refused("8[+1]"),
              "\"+1\" is not a list of PEs: numbers and ranges such as 0,4,5-7");
    CHECK_STR(refused("8[1--2]"),
              "\"1--2\" is not a list of PEs: numbers and ranges such as 0,4,5-7");
    CHECK_STR(refused("8[a[1,2]]"),
              "\"a[1,2]\" is not a list of PEs: numbers and ranges such as 0,4,5-7");
    CHECK(strstr(refused("[0]"), "\"\" is not a target") == err.message);
    CHECK_STR(refused("8]"), "\"8]\" is not a number of PEs: a whole number such as 8");
    CHECK_STR(refused("8[0"), "\"8[0\" is not a number of PEs: a whole number such as 8");
    CHECK_STR(refused("8[0][0][0][0][0][0][0][0][0]"), "a target has at most 8 lists of PEs");
    int32_t none = 0;
    clv_target *t;
    CHECK_EQ(clv_target_sub(&t, shape_of("8"), 0, &none, &err), CLEAVE_EINVAL);
    none = -1;
    CHECK_EQ(clv_target_sub(&t, shape_of("8"), 1, &none, &err), CLEAVE_EINVAL);
    none = 8;
    CHECK_EQ(clv_target_sub(&t, shape_of("8"), 1, &none, &err), CLEAVE_EINVAL);
    CHECK(t == NULL);
}

static void test_oom(void)
{
    static const char *const texts[] = {"mesh:4x2[0,4,5,1,7]", "tree:4:2@1:2[7,0-2]",
                                        "3,2,1[2,0]", "hypercube:3[0-3][1,2]"};
    for (int i = 0; i < 6; i++)
        for (test_oom_rounds oom = {0}; test_oom_next(&oom);) {
            clv_target *t = NULL, *whole = i >= 4 ? named_tree() : NULL;
            clv_shape shape;
            if (i == 5) { /* the walk */
                shape = *whole->shape;
                shape.place = NULL;
                whole->shape = &shape;
            }
            cleave_status status =
                TEST_OOM(&oom, i < 4 ? clv_target_parse(&t, texts[i], &err)
                                     : clv_target_restrict(&t, whole, "n10,0,3", 7, &err));
            CHECK((t != NULL) == (status == CLEAVE_OK));
            clv_target_free(t);
        }
}

int main(void)
{
    RUN(test_names);
    RUN(test_speeds);
    RUN(test_refused);
    RUN(test_oom);
    return test_end();
}
