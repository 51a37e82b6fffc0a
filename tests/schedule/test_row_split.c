/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/row_split*.c: the tasks are a DAG that reads the predecessors of the rows, once and
 * in the same order; a triangular solve over tasks gives the same bits; the schedule found
 * while splitting is valid; paths become short in dense factors, with few additional tasks. */
#include "schedule/row_split.h"
#include "schedule/row_split_fixture.h"

/* ---- Tests ------------------------------------------------------------------------------ */

static cleave_status run(clv_split_rows *s, const clv_graph *g, int32_t threads, double sync,
                         int workers, cleave_error *err)
{
    clv_context ctx;
    clv_schedule_costs costs = {.sync = sync, .read = 0};
    CLV_TRY(clv_context_open(&ctx, workers, 1, err));
    cleave_status status = clv_row_split(s, g, threads, &costs, &ctx, err);
    clv_context_close(&ctx);
    return status;
}

/* And what auto makes of it. */
static cleave_status run_auto(clv_split_rows *s, const clv_graph *g, int32_t threads,
                              double sync, cleave_error *err)
{
    clv_context ctx;
    clv_schedule_costs costs = {.sync = sync, .read = 0};
    CLV_TRY(clv_context_open(&ctx, 1, 1, err));
    cleave_status status = clv_row_split(s, g, threads, &costs, &ctx, err);
    if (status == CLEAVE_OK) {
        status = clv_row_split_auto(s->tasks, &costs, &ctx, &s->layers, err);
        if (status != CLEAVE_OK)
            clv_graph_free(s->tasks);
    }
    clv_context_close(&ctx);
    return status;
}

static void test_any(void)
{
    static const int32_t threads[] = {1, 2, 3, 7, 18};
    static const double syncs[] = {0, 3, 40, 500, 1e30};
    cleave_error err = {0};
    int cut = 0, longer = 0;
    for (uint64_t seed = 0; seed < 400; seed += TEST_STRIDE) {
        split_sample s;
        clv_split_rows r;
        int32_t n = (int32_t)(seed * 37 % 211), p = threads[seed / 2 % 5];
        split_make(&s, (split_shape)(seed % SPLIT_SHAPES), n, (int)(seed / 3 % 4),
                   seed / 7 % 2, seed / 11 % 2, seed);
        REQUIRE_OK(run(&r, &s.g, p, syncs[seed / 5 % 5], 1, &err));
        const char *fault = split_tasks_fault(&s.g, r.tasks, r.row);
        if (!fault && r.layers.layer)
            fault = split_layers_fault(r.tasks, p, r.layers.layer, r.layers.thread);
        CHECK_STR(fault ? fault : "none", "none");
        CHECK(r.layers.layer || r.tasks->nvtx == n);
        CHECK(p > 1 || r.tasks->nvtx == n);
        cut += r.tasks->nvtx > n;
        longer += r.tasks->nvtx > 2 * n;
        clv_graph_free(r.tasks);
        split_drop(&s);
    }
    CHECK(cut >= 60 / TEST_STRIDE);
    CHECK(longer >= 4 / TEST_STRIDE);
}

/* The builder alone: cuts anywhere, and as many as there can be. */
static void test_build(void)
{
    cleave_error err = {0};
    for (uint64_t seed = 0; seed < 300; seed += TEST_STRIDE) {
        clv_rng rng = clv_rng_make(seed, 2, 0, 0);
        split_sample s;
        int32_t n = (int32_t)(seed % 61), *row;
        clv_graph *tasks;
        split_make(&s, (split_shape)(seed % SPLIT_SHAPES), n, (int)(seed / 3 % 4),
                   seed / 2 % 2, seed / 4 % 2, seed);
        int64_t *xcut = split_must(calloc((size_t)n + 1, sizeof *xcut)), count = 0;
        int32_t *cut = split_must(calloc((size_t)s.g.narc + 1, sizeof *cut));
        uint32_t rare = 1 + (uint32_t)(seed % 6);
        for (int32_t v = 0; v < n; v++) {
            for (int32_t c = 1; c < s.xpred[v + 1] - s.xpred[v]; c++)
                if (clv_rng_below(&rng, rare) == 0)
                    cut[count++] = c;
            xcut[v + 1] = count;
        }
        clv_row_cuts cuts = {.count = count, .xcut = xcut, .cut = cut};
        REQUIRE_OK(clv_row_split_build(&tasks, &row, &s.g, &cuts, &err));
        CHECK_EQ(tasks->nvtx, n + count);
        const char *fault = split_tasks_fault(&s.g, tasks, row);
        CHECK_STR(fault ? fault : "none", "none");
        clv_graph_free(tasks);
        free(xcut);
        free(cut);
        split_drop(&s);
    }
}

static int64_t longest_path(const clv_graph *g)
{
    int64_t *end = split_must(calloc((size_t)g->nvtx + 1, sizeof *end)), longest = 0;
    int32_t *order = split_must(calloc((size_t)g->nvtx + 1, sizeof *order));
    split_order(g, order);
    for (int32_t i = 0; i < g->nvtx; i++) {
        int32_t v = order[i];
        for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++)
            end[v] = end[g->pred[a]] > end[v] ? end[g->pred[a]] : end[v];
        end[v] += clv_graph_vwgt(g, v, 0);
        longest = end[v] > longest ? end[v] : longest;
    }
    free(end);
    free(order);
    return longest;
}

/* Sum over layers of the largest load, and 500. */
static double cost_of(const clv_split_rows *s, int32_t threads)
{
    int32_t layers = 0;
    double cost = 0;
    for (int32_t t = 0; t < s->tasks->nvtx; t++)
        layers = s->layers.layer[t] >= layers ? s->layers.layer[t] + 1 : layers;
    int64_t *load = split_must(calloc((size_t)layers * (size_t)threads, sizeof *load));
    for (int32_t t = 0; t < s->tasks->nvtx; t++)
        load[s->layers.layer[t] * threads + s->layers.thread[t]] += s->tasks->vwgt[t];
    for (int32_t l = 0; l < layers; l++) {
        int64_t most = 0;
        for (int32_t p = 0; p < threads; p++)
            most = load[l * threads + p] > most ? load[l * threads + p] : most;
        cost += (double)most + 500;
    }
    free(load);
    return cost;
}

/* A dense triangle of 1500 rows is one chain; cut, it is nearly as fast as threads allow. */
static void test_dense(void)
{
    static const struct {
        int32_t threads;
        double speed_up;
        int32_t tasks; /* of a row, at most */
    } least[] = {{2, 1.9, 2}, {8, 6.5, 6}, {18, 9, 20}};
    cleave_error err = {0};
    split_sample s;
    split_make(&s, SPLIT_TRIANGLE, 1500, 0, false, false, 1);
    double work = 1500.0 * 1501 / 2;
    CHECK_EQ(longest_path(&s.g), (int64_t)work);
    for (int i = 0; i < 3; i++) {
        clv_split_rows r;
        REQUIRE_OK(run(&r, &s.g, least[i].threads, 500, 1, &err));
        REQUIRE(r.layers.layer);
        double path = (double)longest_path(r.tasks), cost = cost_of(&r, least[i].threads);
        CHECK(work / path > least[i].speed_up);
        CHECK(work / cost > least[i].speed_up);
        CHECK(r.tasks->nvtx < least[i].tasks * 1500);
        clv_graph_free(r.tasks);
    }
    split_drop(&s);
}

/* Short paths, light rows or one thread: nothing is cut. */
static void test_not_needed(void)
{
    cleave_error err = {0};
    split_sample s;
    clv_split_rows r;
    split_make(&s, SPLIT_SPARSE, 100, 0, false, false, 1); /* rows of a dozen */
    REQUIRE_OK(run(&r, &s.g, 8, 500, 1, &err));
    CHECK_EQ(r.tasks->nvtx, 100);
    CHECK(!r.layers.layer && !r.layers.thread);
    clv_graph_free(r.tasks);
    split_drop(&s);
    split_make(&s, SPLIT_TRIANGLE, 200, 3, false, false, 1); /* all rows weigh 1 */
    REQUIRE_OK(run(&r, &s.g, 8, 500, 1, &err));
    CHECK_EQ(r.tasks->nvtx, 200);
    clv_graph_free(r.tasks);
    split_drop(&s);
    split_make(&s, SPLIT_TRIANGLE, 200, 0, false, false, 1);
    REQUIRE_OK(run(&r, &s.g, 1, 500, 1, &err));
    CHECK_EQ(r.tasks->nvtx, 200);
    clv_graph_free(r.tasks);
    split_drop(&s);
}

/* Weights near the limit, two predecessors a row. */
static void test_heavy(void)
{
    cleave_error err = {0};
    split_sample s;
    clv_split_rows r;
    split_make(&s, SPLIT_BAND, 90, 0, false, false, 1);
    for (int32_t v = 0; v < 90; v++)
        s.vwgt[v] = INT32_MAX - v;
    REQUIRE_OK(run(&r, &s.g, 4, 500, 1, &err));
    const char *fault = split_tasks_fault(&s.g, r.tasks, r.row);
    CHECK_STR(fault ? fault : "none", "none");
    CHECK(r.tasks->nvtx > 90);
    clv_graph_free(r.tasks);
    split_drop(&s);
}

static int say_stop(void *payload, const cleave_progress *now)
{
    (void)payload, (void)now;
    return 1;
}

static void test_cancelled(void)
{
    cleave_error err = {0};
    clv_schedule_costs costs = {.sync = 1, .read = 0};
    clv_context ctx;
    split_sample s;
    clv_split_rows r;
    split_make(&s, SPLIT_TRIANGLE, 200, 0, false, false, 1);
    REQUIRE_OK(clv_context_open(&ctx, 1, 1, &err));
    clv_context_watch(&ctx, 0, say_stop, NULL);
    CHECK_OK(clv_row_split(&r, &s.g, 4, &costs, &ctx, &err));
    CHECK(r.tasks && r.tasks->nvtx == s.g.nvtx); /* rows stay whole */
    clv_graph_free(r.tasks);
    clv_context_close(&ctx);
    split_drop(&s);
}

/* A graph created with CLEAVE_TRUST: 0 -> 1 -> 2 -> 0, and 3 -> all of them. */
static void test_cycle(void)
{
    cleave_error err = {0};
    const int64_t xadj[] = {0, 1, 2, 3, 6}, xpred[] = {0, 2, 4, 6, 6};
    const int32_t adj[] = {1, 2, 0, 0, 1, 2}, pred[] = {2, 3, 0, 3, 1, 3};
    const int32_t vwgt[] = {100, 100, 100, 1};
    const clv_graph g = {.kind = CLEAVE_DAG,
                         .nvtx = 4,
                         .narc = 6,
                         .xadj = xadj,
                         .adj = adj,
                         .xpred = xpred,
                         .pred = pred,
                         .ncon = 1,
                         .vwgt = vwgt};
    clv_split_rows r;
    CHECK_EQ(run(&r, &g, 4, 1, 1, &err), CLEAVE_ECYCLE);
}

static double cost_now(const clv_split_rows *s, clv_context *ctx)
{
    clv_schedule_costs costs = {.sync = 500, .read = 0};
    clv_schedule_spec spec = clv_layering_spec(&s->layers);
    return clv_schedule_cost(s->tasks, &spec, &costs, ctx->ws, NULL, NULL);
}

/* The schedule found on the way gets cheaper or stays; where it is bad another one wins. */
static void test_auto(void)
{
    cleave_error err = {0};
    clv_schedule_costs costs = {.sync = 500, .read = 0};
    clv_context ctx;
    int count = 0;
    REQUIRE_OK(clv_context_open(&ctx, 1, 1, &err));
    for (int kind = 0; kind < SPLIT_SHAPES; kind++)
        for (int32_t p = 2; p <= 18; p += 8) {
            split_sample s;
            clv_split_rows r;
            split_make(&s, (split_shape)kind, 400, 0, kind == SPLIT_BAND, false, 1);
            REQUIRE_OK(run(&r, &s.g, p, 500, 1, &err));
            if (!r.layers.layer) {
                clv_graph_free(r.tasks);
                split_drop(&s);
                continue;
            }
            count++;
            double before = cost_now(&r, &ctx);
            for (int worse = 0; worse < 2; worse++) {
                for (int32_t t = 0; t < r.tasks->nvtx && worse; t++)
                    r.layers.thread[t] = 0, r.layers.layer[t] = 7 * t;
                CHECK_OK(clv_row_split_auto(r.tasks, &costs, &ctx, &r.layers, &err));
                const char *fault =
                    split_layers_fault(r.tasks, p, r.layers.layer, r.layers.thread);
                CHECK_STR(fault ? fault : "none", "none");
                CHECK(worse || cost_now(&r, &ctx) <= before);
                CHECK(cost_now(&r, &ctx) <= (double)s.g.narc + 400 + 500);
                const char *method = r.layers.method;
                CHECK(strcmp(method, "grow") == 0 || strcmp(method, "serial") == 0 ||
                      strcmp(method, "graphopt") == 0);
            }
            clv_graph_free(r.tasks);
            split_drop(&s);
        }
    CHECK(count >= 10);
    clv_context_close(&ctx);
}

static void test_workers(void)
{
    cleave_error err = {0};
    split_sample s;
    clv_split_rows one, many;
    split_make(&s, SPLIT_TREE, 300, 0, false, false, 1);
    REQUIRE_OK(run(&one, &s.g, 5, 100, 1, &err));
    CHECK(one.layers.layer != NULL);
    for (int workers = 2; workers <= 8; workers *= 4) {
        REQUIRE_OK(run(&many, &s.g, 5, 100, workers, &err));
        REQUIRE(many.tasks->nvtx == one.tasks->nvtx);
        size_t bytes = (size_t)one.tasks->nvtx * sizeof(int32_t);
        CHECK(memcmp(many.row, one.row, bytes) == 0);
        CHECK(memcmp(many.layers.layer, one.layers.layer, bytes) == 0);
        CHECK(memcmp(many.layers.thread, one.layers.thread, bytes) == 0);
        clv_graph_free(many.tasks);
    }
    clv_graph_free(one.tasks);
    split_drop(&s);
}

static void test_memory(void)
{
    cleave_error err = {0};
    for (int renamed = 0; renamed < 2; renamed++) {
        split_sample s;
        split_make(&s, SPLIT_TREE, 120, 0, renamed, renamed, 1);
        int64_t live = test_alloc_live();
        int failed = 0;
        for (int64_t n = 1;; n++) {
            clv_split_rows r;
            test_alloc_fail_at(n);
            cleave_status status = run_auto(&r, &s.g, 4, 50, &err);
            test_alloc_fail_at(0);
            if (status == CLEAVE_OK) {
                clv_graph_free(r.tasks);
                break;
            }
            CHECK_EQ(status, CLEAVE_ENOMEM);
            CHECK_EQ(test_alloc_live(), live);
            failed++;
        }
        CHECK_EQ(test_alloc_live(), live);
        CHECK(failed > 5);
        split_drop(&s);
    }
}

int main(void)
{
    RUN(test_any);
    RUN(test_build);
    RUN(test_dense);
    RUN(test_not_needed);
    RUN(test_heavy);
    RUN(test_cancelled);
    RUN(test_cycle);
    RUN(test_auto);
    RUN(test_workers);
    RUN(test_memory);
    return test_end();
}
