/* SPDX-License-Identifier: Apache-2.0 */
/* base/group: groups of random keys, compared with a search for every key. */
#include "base/group.h"
#include "base/rng.h"
#include "base/threads.h"
#include "support/test.h"

enum { most = 200, most_keys = 60 };

/* Members of key k among list (NULL: 0..count-1), in its order. */
static int32_t search(int32_t *found, int32_t count, const int32_t *list, const int32_t *key,
                      int32_t k)
{
    int32_t n = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t x = list ? list[i] : i;
        if (key[x] == k)
            found[n++] = x;
    }
    return n;
}

static void check_groups(int32_t count, const int32_t *list, const int32_t *key, int32_t nkeys,
                         const int32_t *first, const int32_t *member)
{
    int32_t found[most] = {0}, at = 0;
    for (int32_t k = 0; k < nkeys; k++) {
        int32_t n = search(found, count, list, key, k);
        CHECK_EQ(first[k], at);
        for (int32_t i = 0; i < n; i++)
            CHECK_EQ(member[at + i], found[i]);
        at += n;
    }
    CHECK_EQ(first[nkeys], at);
}

/* Backwards with running sums, forwards with starts: both as documented. */
static void check_steps(int32_t n, const int32_t *key, int32_t nkeys)
{
    int64_t back[most_keys + 1] = {0}, ahead[most_keys + 1] = {0};
    int32_t narrow[most_keys + 1] = {0}, all = 0;
    int32_t wide[most] = {0}, member[most] = {0}, forward[most] = {0};
    for (int32_t i = 0; i < n; i++)
        if (key[i] >= 0) {
            back[key[i]]++;
            narrow[key[i]]++;
            ahead[key[i] + 1]++;
            all++;
        }
    clv_running_sums(back, nkeys);
    clv_running_sums32(narrow, nkeys);
    CHECK_EQ(clv_group_starts(ahead, nkeys), all);
    for (int32_t k = 0; k <= nkeys; k++)
        CHECK_EQ(narrow[k], back[k]);
    for (int32_t i = n; i-- > 0;)
        if (key[i] >= 0) {
            wide[--back[key[i]]] = i;
            member[--narrow[key[i]]] = i;
        }
    for (int32_t i = 0; i < n; i++)
        if (key[i] >= 0)
            forward[ahead[key[i] + 1]++] = i;
    check_groups(n, NULL, key, nkeys, narrow, member);
    for (int32_t k = 0; k <= nkeys; k++)
        CHECK(ahead[k] == narrow[k] && back[k] == narrow[k]);
    for (int32_t i = 0; i < all; i++)
        CHECK(wide[i] == member[i] && forward[i] == member[i]);
}

static void check_all(int32_t n, const int32_t *key, int32_t nkeys, clv_rng *rng)
{
    int32_t first[most_keys + 1], member[most] = {0}, list[most] = {0}, count = 0;
    clv_ws ws = {0};
    clv_key_groups groups;
    cleave_error err;
    clv_group_by_key(n, key, nkeys, first, member);
    check_groups(n, NULL, key, nkeys, first, member);
    CHECK_OK(clv_key_groups_make(&groups, n, key, nkeys, &ws, &err));
    check_groups(n, NULL, key, nkeys, groups.first, groups.member);
    for (int32_t i = 0; i < n; i++) /* some of them, in another order, repeated */
        if (clv_rng_below(rng, 3) > 0)
            list[count++] = (int32_t)clv_rng_below(rng, (uint32_t)n);
    clv_group_list_by_key(count, list, key, nkeys, first, member);
    check_groups(count, list, key, nkeys, first, member);
    check_steps(n, key, nkeys);
    clv_ws_free(&ws);
}

static void test_random_keys(void)
{
    int32_t key[most] = {0};
    clv_rng rng = clv_rng_make(3, 0, 0, 0);
    for (int run = 0; run < 600; run++) {
        int32_t n = (int32_t)clv_rng_below(&rng, most + 1);
        int32_t nkeys = 1 + (int32_t)clv_rng_below(&rng, most_keys);
        int32_t used = 1 + (int32_t)clv_rng_below(&rng, (uint32_t)nkeys); /* others absent */
        bool outside = run % 3 == 0;                                      /* of all groups */
        for (int32_t i = 0; i < n; i++) {
            key[i] = nkeys - 1 - (int32_t)clv_rng_below(&rng, (uint32_t)used);
            if (outside && clv_rng_below(&rng, 2))
                key[i] = -1 - (int32_t)clv_rng_below(&rng, 3);
        }
        check_all(n, key, nkeys, &rng);
    }
}

static void test_special_keys(void)
{
    int32_t key[most] = {0};
    clv_rng rng = clv_rng_make(4, 0, 0, 0);
    check_all(0, key, 0, &rng);
    check_all(0, key, 5, &rng);
    for (int same = -1; same < 5; same++) { /* all equal, or all in no group */
        for (int32_t i = 0; i < most; i++)
            key[i] = same;
        check_all(most, key, 5, &rng);
        check_all(1, key, 5, &rng);
    }
    for (int32_t i = 0; i < most; i++)
        key[i] = -1;
    check_all(most, key, 0, &rng);
    for (int32_t i = 0; i < most_keys; i++) /* one of each, descending */
        key[i] = most_keys - 1 - i;
    check_all(most_keys, key, most_keys, &rng);
}

static void test_out_of_memory(void)
{
    enum { n = 60000 };
    int32_t *key = calloc(n, sizeof *key);
    int64_t failures = 0;
    REQUIRE(key);
    for (int64_t nth = 1;; nth++) {
        clv_ws ws = {0};
        clv_key_groups groups;
        cleave_error err = {0};
        test_alloc_fail_at(nth);
        /* each array is larger than a chunk */
        cleave_status status = clv_key_groups_make(&groups, n, key, n, &ws, &err);
        test_alloc_fail_at(0);
        clv_ws_free(&ws);
        CHECK_EQ(test_alloc_live(), 0);
        if (status == CLEAVE_OK)
            break;
        failures++;
        CHECK_EQ(status, CLEAVE_ENOMEM);
        REQUIRE(nth < 100);
    }
    CHECK_EQ(failures, 2);
    free(key);
}

/* With a team: groups of any length, some numbers in none. */
static void test_team(void)
{
    enum { n = 200000 };
    static int32_t key[n], first[n + 1], member[n], expected_first[n + 1], expected[n];
    cleave_error err = {0};
    clv_team *team;
    CHECK_OK(clv_team_create(&team, 3, &err));
    clv_rng rng = clv_rng_make(7, 7, 7, 7);
    for (int32_t nkeys = 1; nkeys <= n; nkeys *= 10) {
        for (int32_t i = 0; i < n; i++) {
            int32_t any = (int32_t)clv_rng_below(&rng, (uint32_t)nkeys);
            key[i] = any % 3 == 1 ? nkeys / 2 : any % 7 == 6 ? -1 : any;
        }
        clv_group_by_key(n, key, nkeys, expected_first, expected);
        clv_group_by_key_team(team, n, key, nkeys, first, member);
        CHECK(memcmp(first, expected_first, ((size_t)nkeys + 1) * sizeof *first) == 0);
        CHECK(memcmp(member, expected, (size_t)first[nkeys] * sizeof *member) == 0);
    }
    clv_team_free(team);
}

int main(void)
{
    RUN(test_random_keys);
    RUN(test_special_keys);
    RUN(test_out_of_memory);
    CHECK_EQ(test_alloc_live(), 0);
    RUN(test_team);
    return test_end();
}
