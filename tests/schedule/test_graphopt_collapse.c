/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/graphopt_collapse.c against all divisions into runs of layers. */
#include "schedule/graphopt.h"

#include "base/rng.h"
#include "support/test.h"

enum { nvtx = 60, threads = 3, most_layers = 9 };

static int64_t layers_cost(const int32_t *layer, const int32_t *thread, const int32_t *weight,
                           int64_t sync)
{
    int64_t work[most_layers][threads] = {{0}}, sum = 0;
    bool used[most_layers] = {0};
    for (int32_t v = 0; v < nvtx; v++) {
        work[layer[v]][thread[v]] += weight[v];
        used[layer[v]] = true;
    }
    for (int32_t l = 0; l < most_layers; l++) {
        int64_t most = 0;
        for (int32_t t = 0; t < threads; t++)
            most = work[l][t] > most ? work[l][t] : most;
        sum += used[l] ? most + sync : 0;
    }
    return sum;
}

/* Bit l of apart: a stretch ends behind layer l.  Each stretch is left as it is, if it is one
 * layer and that is cheaper, or goes to one thread. */
static int64_t cheapest(const int32_t *layer, const int32_t *thread, const int32_t *weight,
                        int32_t count, int64_t sync)
{
    int64_t work[most_layers][threads] = {{0}}, best = INT64_MAX;
    for (int32_t v = 0; v < nvtx; v++)
        work[layer[v]][thread[v]] += weight[v];
    for (unsigned apart = 0; apart < 1u << (count - 1); apart++) {
        int64_t sum = 0;
        for (int32_t l = 0; l < count; l++) {
            int32_t first = l;
            int64_t all = 0, most = 0;
            while (l < count - 1 && !(apart >> l & 1))
                l++;
            for (int32_t k = first; k <= l; k++)
                for (int32_t t = 0; t < threads; t++) {
                    all += work[k][t];
                    most = work[k][t] > most ? work[k][t] : most;
                }
            sum += (first == l ? most : all) + sync;
        }
        best = sum < best ? sum : best;
    }
    return best;
}

static void test_all_divisions(void)
{
    int fewer = 0, same = 0;
    for (uint64_t seed = 0; seed < 400; seed += TEST_STRIDE) {
        clv_rng rng = clv_rng_make(seed, 3, 2, 1);
        int32_t layer[nvtx], thread[nvtx], weight[nvtx], before[nvtx];
        int32_t count = 1 + (int32_t)clv_rng_below(&rng, most_layers);
        int64_t votes[threads] = {0};
        uint32_t lean = 1 + clv_rng_below(&rng, threads);
        for (int32_t v = 0; v < nvtx; v++) {
            layer[v] = v < count ? v : (int32_t)clv_rng_below(&rng, (uint32_t)count);
            thread[v] = layer[v] % 2 ? 0 : (int32_t)clv_rng_below(&rng, lean);
            weight[v] = (int32_t)clv_rng_below(&rng, 10);
            before[v] = layer[v];
        }
        clv_graphopt_params params = clv_graphopt_defaults();
        params.sync = (int32_t)clv_rng_below(&rng, 40);
        clv_context ctx;
        cleave_error err = {0};
        REQUIRE_OK(clv_context_open(&ctx, 1, 1, &err));
        clv_graphopt s = {.params = &params,
                          .ctx = &ctx,
                          .nvtx = nvtx,
                          .threads = threads,
                          .weight = weight,
                          .votes = votes};
        int64_t best = cheapest(layer, thread, weight, count, params.sync), cost = -1;
        CHECK_OK(clv_graphopt_collapse(&s, count, layer, thread, &cost, &err));
        CHECK_EQ(layers_cost(layer, thread, weight, params.sync), best);
        CHECK_EQ(cost, best);
        for (int32_t v = 0; v < nvtx; v++)
            for (int32_t u = 0; u < nvtx; u++)
                if (before[u] < before[v])
                    CHECK(layer[u] < layer[v] ||
                          (layer[u] == layer[v] && thread[u] == thread[v]));
        int32_t last = 0;
        for (int32_t v = 0; v < nvtx; v++)
            last = layer[v] > last ? layer[v] : last;
        fewer += last + 1 < count;
        same += last + 1 == count;
        clv_context_close(&ctx);
    }
    CHECK(fewer * TEST_STRIDE > 100 && same * TEST_STRIDE > 50);
}

int main(void)
{
    RUN(test_all_divisions);
    return test_end();
}
