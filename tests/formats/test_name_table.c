/* SPDX-License-Identifier: Apache-2.0 */
/* The table of names: numbers in order of appearance, growth, colliding names. */
#include "base/rng.h"
#include "formats/name_table.h"
#include "support/test.h"

static cleave_error err;

static int32_t add(clv_name_table *table, const char *name, bool *added)
{
    int32_t number = -1;
    CHECK_OK(clv_name_table_add(table, name, (int64_t)strlen(name), &number, added, &err));
    return number;
}

static void test_numbers(void)
{
    static const char *const names[] = {"b",        "a",         "",       "ab",
                                        "abcdefgh", "abcdefghi", "abcdefg"};
    clv_name_table table = {0};
    bool added;
    for (int round = 0; round < 2; round++)
        for (int32_t i = 0; i < 7; i++) {
            CHECK_EQ(add(&table, names[i], &added), i);
            CHECK_EQ(added, round == 0);
            CHECK_STR(clv_name_table_name(&table, i), names[i]);
        }
    CHECK_EQ(table.count, 7);
    CHECK_EQ(table.offset[7], 1 + 1 + 0 + 2 + 8 + 9 + 7 + 7);
    clv_name_table_freeze(&table);
    CHECK_STR(clv_name_table_name(&table, 5), "abcdefghi");
    clv_name_table_free(&table);
    clv_name_table_free(&table);
}

static void test_growth(void)
{
    clv_name_table table = {0};
    bool added;
    char name[32];
    for (int round = 0; round < 2; round++)
        for (int32_t i = 0; i < 50000; i++) {
            snprintf(name, sizeof name, "name %d", (int)i * 3);
            if (add(&table, name, &added) != i || added != (round == 0))
                CHECK(!"a name got another number");
        }
    CHECK_EQ(table.count, 50000);
    CHECK_EQ(table.seed, 0);
    clv_name_table_free(&table);
}

/* The first place of a short name in the table while its seed is 0. */
static uint64_t first_place(const char *name)
{
    uint64_t word = 0, length = strlen(name);
    memcpy(&word, name, length);
    return clv_hash64(clv_hash64(length << 32) ^ word);
}

static void test_collisions(void)
{
    enum { wanted = 600, mask = 2047 };
    static char names[wanted][16];
    int32_t found = 0;
    for (int i = 0; found < wanted; i++) {
        snprintf(names[found], sizeof names[found], "%d", i);
        found += (first_place(names[found]) & mask) == 7;
    }
    clv_name_table table = {0};
    bool added;
    for (int round = 0; round < 2; round++)
        for (int32_t i = 0; i < wanted; i++)
            CHECK_EQ(add(&table, names[i], &added), i);
    /* Another seed was chosen, and that was the end of it. */
    CHECK(table.seed >= 1 && table.seed <= 2);
    clv_name_table_free(&table);
}

static void test_no_memory(void)
{
    for (int64_t nth = 1; nth < 40; nth++) {
        clv_name_table table = {0};
        int64_t live = test_alloc_live();
        test_alloc_fail_at(nth);
        cleave_status status = CLEAVE_OK;
        char name[16];
        for (int i = 0; i < 1000 && status == CLEAVE_OK; i++) {
            int32_t number;
            bool added;
            int length = snprintf(name, sizeof name, "%d", i);
            status = clv_name_table_add(&table, name, length, &number, &added, &err);
        }
        CHECK_EQ(status, test_alloc_calls() >= nth ? CLEAVE_ENOMEM : CLEAVE_OK);
        test_alloc_fail_at(0);
        clv_name_table_free(&table);
        CHECK_EQ(test_alloc_live(), live);
    }
}

int main(void)
{
    RUN(test_numbers);
    RUN(test_growth);
    RUN(test_collisions);
    RUN(test_no_memory);
    return test_end();
}
