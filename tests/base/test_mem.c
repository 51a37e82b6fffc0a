/* SPDX-License-Identifier: Apache-2.0 */
/* base/mem: checked sizes, arenas and workspaces, with memory and without. */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/rng.h"
#include "support/test.h"

static bool all_zero(const void *block, size_t bytes)
{
    const unsigned char *p = block;
    for (size_t i = 0; i < bytes; i++)
        if (p[i] != 0)
            return false;
    return true;
}

/* ---- Arithmetic and arrays ---------------------------------------------------------- */

static void test_checked_arithmetic(void)
{
    size_t product = 0;
    CHECK(clv_mul_size(0, SIZE_MAX, &product) && product == 0);
    CHECK(clv_mul_size(SIZE_MAX, 1, &product) && product == SIZE_MAX);
    CHECK(!clv_mul_size(SIZE_MAX / 2 + 1, 2, &product));
    int64_t result = 0;
    CHECK(clv_add_i64(INT64_MAX - 1, 1, &result) && result == INT64_MAX);
    CHECK(!clv_add_i64(INT64_MAX, 1, &result));
    CHECK(!clv_add_i64(INT64_MIN, -1, &result));
    CHECK(clv_add_i64(INT64_MIN, INT64_MAX, &result) && result == -1);
    CHECK(clv_mul_i64(INT64_C(1) << 31, INT64_C(1) << 31, &result));
    CHECK(result == INT64_C(1) << 62);
    CHECK(!clv_mul_i64(INT64_C(1) << 32, INT64_C(1) << 31, &result));
    CHECK(clv_mul_i64(INT64_C(1) << 32, -(INT64_C(1) << 31), &result) && result == INT64_MIN);
    CHECK(!clv_mul_i64(INT64_MIN, -1, &result));
}

static void test_arrays(void)
{
    int64_t *a = clv_alloc(10, sizeof *a);
    REQUIRE(a != NULL);
    for (int i = 0; i < 10; i++)
        a[i] = i * i;
    int64_t *more = clv_realloc(a, 10000, sizeof *a);
    REQUIRE(more != NULL);
    for (int i = 0; i < 10; i++)
        CHECK_EQ(more[i], i * i);
    clv_sys_free(more);
    char *zero = clv_zalloc(5000, 3);
    CHECK(zero && all_zero(zero, 15000));
    clv_sys_free(zero);
    void *none = clv_alloc(0, 8), *zeroed_none = clv_zalloc(0, 8),
         *grown = clv_realloc(NULL, 0, 8);
    CHECK(none && zeroed_none && grown); /* NULL would mean failure */
    clv_sys_free(none);
    clv_sys_free(zeroed_none);
    clv_sys_free(grown);
    clv_sys_free(NULL);
}

static void test_absurd_sizes(void)
{
    static const struct {
        int64_t count;
        size_t each;
    } bad[] = {
        {-1, 1},           {INT64_MIN, 8},
        {INT64_MAX, 8},    {INT64_MAX, SIZE_MAX},
        {3, SIZE_MAX / 2}, {(INT64_C(1) << 61) + 1, 8}}; /* 8 bytes, if that overflowed */
    clv_arena arena = {0};
    clv_ws ws = {0};
    char *block = clv_alloc(4, 1);
    REQUIRE(block != NULL);
    memcpy(block, "abc", 4);
    int64_t before = test_alloc_live();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK(!clv_alloc(bad[i].count, bad[i].each));
        CHECK(!clv_zalloc(bad[i].count, bad[i].each));
        CHECK(!clv_realloc(block, bad[i].count, bad[i].each));
        CHECK(!clv_arena_alloc(&arena, bad[i].count, bad[i].each));
        CHECK(!clv_arena_zalloc(&arena, bad[i].count, bad[i].each));
        CHECK(!clv_ws_alloc(&ws, bad[i].count, bad[i].each));
        CHECK(!clv_ws_zalloc(&ws, bad[i].count, bad[i].each));
    }
    CHECK_STR(block, "abc");
    CHECK(!arena.blocks && !ws.top);
    CHECK_EQ(test_alloc_live(), before);
    clv_sys_free(block);
}

/* ---- Arena ------------------------------------------------------------------------- */

static void test_arena(void)
{
    clv_arena arena = {0};
    clv_arena_free(&arena); /* empty */
    int32_t *blocks[100];
    for (int i = 0; i < 100; i++) {
        blocks[i] = i % 2 ? clv_arena_alloc(&arena, i, 4) : clv_arena_zalloc(&arena, i, 4);
        REQUIRE(blocks[i] != NULL);
        CHECK((uintptr_t)blocks[i] % _Alignof(max_align_t) == 0);
        CHECK(i % 2 || all_zero(blocks[i], (size_t)i * 4));
        for (int j = 0; j < i; j++)
            blocks[i][j] = i;
    }
    for (int i = 0; i < 100; i++)
        for (int j = 0; j < i; j++)
            CHECK_EQ(blocks[i][j], i);
    int64_t before = test_alloc_live();
    clv_arena_release(&arena, blocks[50]); /* from the middle, the newest, the oldest */
    clv_arena_release(&arena, blocks[99]);
    clv_arena_release(&arena, blocks[0]);
    CHECK(test_alloc_live() < before);
    CHECK_EQ(blocks[98][97], 98);
    before = test_alloc_live();
    clv_arena_release(&arena, &before); /* not of this arena */
    CHECK_EQ(test_alloc_live(), before);
    clv_arena_free(&arena);
    CHECK(arena.blocks == NULL);
    CHECK_EQ(test_alloc_live(), 0);
}

static void test_arena_inside_itself(void)
{
    clv_arena start = {0};
    clv_arena *inside = clv_arena_zalloc(&start, 1, sizeof *inside);
    REQUIRE(inside != NULL);
    *inside = start;
    CHECK(clv_arena_alloc(inside, 1000, 8) != NULL);
    clv_arena_free(inside);
    CHECK_EQ(test_alloc_live(), 0);
}

static void test_arena_moves(void)
{
    clv_arena to = {0}, from = {0};
    clv_arena_move(&to, &from);
    CHECK(!to.blocks && !from.blocks);
    int32_t *kept = clv_arena_alloc(&to, 10, 4);
    int32_t *first = clv_arena_alloc(&from, 10, 4), *second = clv_arena_alloc(&from, 10, 4);
    REQUIRE(kept && first && second);
    clv_arena_move(&to, &from);
    CHECK(from.blocks == NULL);
    clv_arena_move(&to, &from); /* nothing more to take */
    first[9] = 7;
    clv_arena_free(&from);
    CHECK_EQ(first[9], 7);
    int64_t before = test_alloc_live();
    clv_arena_release(&to, first);
    clv_arena_release(&to, kept);
    CHECK(test_alloc_live() < before);
    clv_arena_move(&from, &to); /* into an empty one */
    CHECK(to.blocks == NULL && from.blocks != NULL);
    clv_arena_free(&from);
    CHECK_EQ(test_alloc_live(), 0);
}

static void test_arena_adopts(void)
{
    clv_arena arena = {0};
    void *block = clv_alloc(7, 7);
    REQUIRE(block != NULL);
    CHECK(clv_arena_adopt(&arena, block));
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    void *map = mmap(NULL, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(map != MAP_FAILED);
    CHECK(clv_arena_adopt_map(&arena, map, page));
    unsigned char resident;
    CHECK_EQ(mincore(map, page, &resident), 0);
    clv_arena_free(&arena);
    CHECK(mincore(map, page, &resident) == -1 && errno == ENOMEM); /* no longer mapped */
    CHECK_EQ(test_alloc_live(), 0);
}

static void test_arena_out_of_memory(void)
{
    for (int64_t nth = 1; nth <= 4; nth++) {
        clv_arena arena = {0};
        test_alloc_fail_at(nth);
        void *first = clv_arena_alloc(&arena, 10, 8);
        void *second = clv_arena_zalloc(&arena, 10, 8);
        test_alloc_fail_at(0);
        CHECK_EQ(first != NULL, nth > 2); /* two allocations each */
        CHECK_EQ(second != NULL, nth <= 2);
        clv_arena_free(&arena);
        CHECK_EQ(test_alloc_live(), 0);
    }
    clv_arena arena = {0};
    void *block = clv_alloc(1, 1);
    test_alloc_fail_at(1);
    CHECK(!clv_arena_adopt(&arena, block)); /* still ours */
    test_alloc_fail_at(1);
    CHECK(!clv_arena_adopt_map(&arena, block, 1));
    test_alloc_fail_at(0);
    clv_sys_free(block);
    clv_arena_free(&arena);
    CHECK_EQ(test_alloc_live(), 0);
}

/* ---- Workspace --------------------------------------------------------------------- */

typedef struct piece {
    unsigned char *data;
    size_t size;
    clv_ws_mark mark; /* before it was allocated */
} piece;

static bool piece_intact(const piece *p, int number)
{
    for (size_t i = 0; i < p->size; i++)
        if (p->data[i] != (unsigned char)number)
            return false;
    return true;
}

/* Pushes and pops at random; what is below the top must stay as it was written. */
static void test_workspace_random(void)
{
    enum { deepest = 60 };
    static piece stack[deepest];
    clv_ws ws = {0};
    clv_rng rng = clv_rng_make(3, 0, 0, 0);
    int depth = 0;
    for (int step = 0; step < 3000; step++) {
        if (depth < deepest && clv_rng_below(&rng, 5) < 3) {
            piece *p = &stack[depth];
            p->size = clv_rng_below(&rng, 4) ? clv_rng_below(&rng, 2000)
                                             : clv_rng_below(&rng, 200000);
            p->mark = clv_ws_save(&ws);
            bool zeroed = step % 2;
            p->data = zeroed ? clv_ws_zalloc(&ws, (int64_t)p->size, 1)
                             : clv_ws_alloc(&ws, (int64_t)p->size, 1);
            REQUIRE(p->data != NULL);
            CHECK((uintptr_t)p->data % 64 == 0);
            CHECK(!zeroed || all_zero(p->data, p->size));
            memset(p->data, depth++, p->size);
        } else if (depth > 0) {
            int keep = (int)clv_rng_below(&rng, (uint32_t)depth);
            if (clv_rng_below(&rng, 3))
                keep = depth - 1;
            for (int i = keep; i < depth; i++)
                CHECK(piece_intact(&stack[i], i));
            clv_ws_restore(&ws, stack[keep].mark);
            depth = keep;
        }
    }
    for (int i = 0; i < depth; i++)
        CHECK(piece_intact(&stack[i], i));
    clv_ws_free(&ws);
    CHECK_EQ(test_alloc_live(), 0);
}

static void test_workspace_keeps_a_chunk(void)
{
    clv_ws ws = {0};
    clv_ws_mark empty = clv_ws_save(&ws);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 5; i++)
            CHECK(clv_ws_alloc(&ws, 100000, 1) != NULL);
        clv_ws_restore(&ws, empty);
        CHECK_EQ(test_alloc_live(), 1);
    }
    /* The chunk that is kept is used again. */
    test_alloc_fail_at(1);
    CHECK(clv_ws_alloc(&ws, 100000, 1) != NULL);
    CHECK_EQ(test_alloc_calls(), 0);
    test_alloc_fail_at(0);
    clv_ws_free(&ws);
    CHECK(ws.top == NULL);
    CHECK_EQ(test_alloc_live(), 0);
    clv_ws_free(&ws);
}

/* What was reserved comes without a further call, also after something else, and again. */
static void test_workspace_reserves(void)
{
    clv_ws ws = {0};
    REQUIRE(clv_ws_alloc(&ws, 1000, 1) != NULL);
    clv_ws_mark mark = clv_ws_save(&ws);
    REQUIRE(clv_ws_reserve(&ws, 1 << 20));
    CHECK_EQ(test_alloc_live(), 2);
    clv_ws_mark inner = clv_ws_save(&ws);
    test_alloc_fail_at(1);
    for (int round = 0; round < 3; round++) {
        CHECK(clv_ws_reserve(&ws, 1 << 20));
        for (int i = 0; i < 16; i++)
            CHECK(clv_ws_alloc(&ws, 1 << 16, 1) != NULL);
        CHECK(!clv_ws_reserve(&ws, 4 << 20));
        test_alloc_fail_at(1);
        clv_ws_restore(&ws, inner);
    }
    test_alloc_fail_at(0);
    CHECK(!clv_ws_reserve(&ws, INT64_MAX));
    CHECK(!clv_ws_reserve(&ws, -1));
    clv_ws_restore(&ws, mark);
    CHECK_EQ(test_alloc_live(), 1);
    clv_ws_free(&ws);
    CHECK_EQ(test_alloc_live(), 0);
}

static void test_workspace_out_of_memory(void)
{
    clv_ws ws = {0};
    test_alloc_fail_at(1);
    CHECK(!clv_ws_alloc(&ws, 1, 1));
    test_alloc_fail_at(0);
    char *first = clv_ws_zalloc(&ws, 100, 1);
    REQUIRE(first != NULL);
    clv_ws_mark mark = clv_ws_save(&ws);
    test_alloc_fail_at(1);
    CHECK(!clv_ws_alloc(&ws, 1 << 20, 1));
    CHECK(clv_ws_alloc(&ws, 100, 1) != NULL); /* fits into the chunk at hand */
    test_alloc_fail_at(0);
    clv_ws_restore(&ws, mark);
    CHECK(all_zero(first, 100));
    clv_ws_free(&ws);
    CHECK_EQ(test_alloc_live(), 0);
}

int main(void)
{
    RUN(test_checked_arithmetic);
    RUN(test_arrays);
    RUN(test_absurd_sizes);
    RUN(test_arena);
    RUN(test_arena_inside_itself);
    RUN(test_arena_moves);
    RUN(test_arena_adopts);
    RUN(test_arena_out_of_memory);
    RUN(test_workspace_random);
    RUN(test_workspace_keeps_a_chunk);
    RUN(test_workspace_reserves);
    RUN(test_workspace_out_of_memory);
    CHECK_EQ(test_alloc_live(), 0);
    return test_end();
}
