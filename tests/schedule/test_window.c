/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/window.c against sets: whole levels, in order, all vertices. */
#include "schedule/window.h"

#include "base/rng.h"
#include "support/test.h"

enum { largest = 300 };

/* Vertices left in whole levels, more than `wanted` or all. */
static int32_t count_slowly(const int32_t *level, const int32_t *thread, int32_t nvtx,
                            int64_t wanted)
{
    int32_t count = 0, last = -1;
    for (int32_t v = 0; v < nvtx; v++) {
        if (thread[v] >= 0)
            continue;
        if (count > wanted && level[v] != last)
            break;
        count++;
        last = level[v];
    }
    return count;
}

static void test_against_sets(void)
{
    for (uint64_t seed = 0; seed < 300; seed += TEST_STRIDE) {
        clv_rng rng = clv_rng_make(seed, 1, 1, 1);
        int32_t nvtx = (int32_t)clv_rng_below(&rng, largest), level[largest], thread[largest];
        uint32_t width = 1 + clv_rng_below(&rng, 30);
        for (int32_t v = 0; v < nvtx; v++) {
            level[v] = v == 0 ? 0 : level[v - 1] + (clv_rng_below(&rng, width) == 0);
            thread[v] = -1;
        }
        clv_ws ws = {0};
        clv_window w;
        cleave_error err = {0};
        REQUIRE_OK(clv_window_init(&w, nvtx, level, &ws, &err));
        for (int32_t left = nvtx; left > 0;) {
            int64_t wanted = clv_rng_below(&rng, 60);
            int32_t count = clv_window_count(&w, wanted);
            CHECK_EQ(clv_window_left(&w), left);
            CHECK_EQ(count, count_slowly(level, thread, nvtx, wanted));
            int32_t i = 0;
            for (int32_t v = 0; v < nvtx && i < count; v++)
                if (thread[v] < 0)
                    CHECK_EQ(clv_window_vertices(&w)[i++], v);
            for (i = 0; i < count; i++)
                if (clv_rng_below(&rng, 3) > 0) {
                    thread[clv_window_vertices(&w)[i]] = 0;
                    left--;
                }
            clv_window_advance(&w, count, thread);
        }
        CHECK_EQ(clv_window_left(&w), 0);
        CHECK_EQ(clv_window_count(&w, 5), 0);
        clv_window_restart(&w);
        CHECK_EQ(clv_window_left(&w), nvtx);
        for (int32_t v = 0; v < nvtx; v++)
            CHECK_EQ(clv_window_vertices(&w)[v], v);
        clv_ws_free(&ws);
    }
}

int main(void)
{
    RUN(test_against_sets);
    return test_end();
}
