/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules through the public interface: views, older callers, solvers of the caller,
 * cancelling, and the same schedule for all names of a method. */
#include <stddef.h>

#include "oracle/schedule_oracle.h"
#include "support/test.h"

static cleave_error err;

/* Rows weigh their non-zeros. */
static cleave_graph *make_factor(const char *spec)
{
    cleave_graph *grid = NULL, *factor = NULL, *weighted = NULL;
    cleave_csr csr, before;
    CHECK_OK(cleave_graph_generate(&grid, spec, NULL, &err));
    CHECK_OK(cleave_graph_factor(&factor, grid, "mindeg", NULL, &err));
    cleave_csr_init(&csr, sizeof csr);
    cleave_csr_init(&before, sizeof before);
    cleave_graph_view(factor, &csr);
    cleave_graph_view_predecessors(factor, &before);
    int32_t *weight = malloc((size_t)csr.nvtx * sizeof *weight);
    for (int32_t v = 0; v < csr.nvtx; v++)
        weight[v] = (int32_t)(before.xadj[v + 1] - before.xadj[v]) + 1;
    csr.vwgt = weight;
    CHECK_OK(cleave_graph_create(&weighted, &csr, 0, &err));
    free(weight);
    cleave_graph_free(grid);
    cleave_graph_free(factor);
    return weighted;
}

static bool is_same(const cleave_schedule *a, const cleave_schedule *b)
{
    size_t bytes = (size_t)cleave_schedule_tasks(a) * sizeof(int32_t);
    return cleave_schedule_tasks(a) == cleave_schedule_tasks(b) &&
           memcmp(cleave_schedule_layer(a), cleave_schedule_layer(b), bytes) == 0 &&
           memcmp(cleave_schedule_order(a), cleave_schedule_order(b), bytes) == 0 &&
           memcmp(cleave_schedule_thread(a), cleave_schedule_thread(b), bytes) == 0;
}

/* ---- Looking ---------------------------------------------------------------------------- */

static void test_given(void)
{
    static const int32_t layer[] = {7, 2, 7, 2}, thread[] = {0, 1, 2, 1};
    static const int64_t block[] = {0, 0, 2, 2, 3, 3, 4};
    static const int32_t order[] = {1, 3, 0, 2};
    cleave_schedule *s;
    REQUIRE_OK(cleave_schedule_create(&s, 4, layer, thread, &err));
    CHECK(cleave_schedule_tasks(s) == 4 && cleave_schedule_rows(s) == 4);
    CHECK(cleave_schedule_layers(s) == 2 && cleave_schedule_threads(s) == 3);
    CHECK_STR(cleave_schedule_method(s), "given");
    CHECK(!cleave_schedule_row(s) && !cleave_schedule_share(s) && !cleave_schedule_graph(s));
    for (int i = 0; i < 4; i++) {
        CHECK_EQ(cleave_schedule_order(s)[i], order[i]);
        CHECK_EQ(cleave_schedule_layer(s)[i], layer[i] == 7);
        CHECK_EQ(cleave_schedule_thread(s)[i], thread[i]);
    }
    for (int b = 0; b <= 6; b++)
        CHECK_EQ(cleave_schedule_blocks(s)[b], block[b]);
    cleave_schedule_free(s);
}

/* A dense factor has rows that are split; the DAG of the tasks follows from row and share.
 */
static void test_split(void)
{
    cleave_graph *g = make_factor("grid2d:30x30");
    cleave_schedule_options opt;
    cleave_schedule *s, *back;
    cleave_schedule_metrics m, again;
    char path[4200];
    cleave_schedule_options_init(&opt, sizeof opt);
    cleave_schedule_metrics_init(&m, sizeof m);
    cleave_schedule_metrics_init(&again, sizeof again);
    opt.threads = 4;
    opt.split_rows = 1;
    cleave_schedule_costs costs;
    cleave_schedule_costs_init(&costs, sizeof costs);
    costs.sync = 1; /* otherwise rows of so small a factor are not split */
    opt.costs = &costs;
    REQUIRE_OK(cleave_schedule_build(&s, g, &opt, &err));
    CHECK_STR(oracle_schedule(s, g, NULL).fault, "");
    REQUIRE(cleave_schedule_row(s) != NULL && cleave_schedule_graph(s) != NULL);
    CHECK(cleave_schedule_tasks(s) > cleave_schedule_rows(s));
    CHECK_EQ(cleave_graph_vertices(cleave_schedule_graph(s)), cleave_schedule_tasks(s));
    REQUIRE_OK(cleave_evaluate_schedule(&m, g, s, NULL, &err));
    cleave_csr tasks;
    cleave_csr_init(&tasks, sizeof tasks);
    cleave_graph_view(cleave_schedule_graph(s), &tasks);
    int64_t sum = 0;
    for (int32_t t = 0; t < tasks.nvtx; t++)
        sum += tasks.vwgt ? tasks.vwgt[t] : 1;
    CHECK_EQ(m.work_total, sum);
    snprintf(path, sizeof path, "%s/split.schedule", test_scratch());
    REQUIRE_OK(cleave_schedule_write(s, path, &err));
    REQUIRE_OK(cleave_schedule_read(&back, path, &err));
    CHECK(is_same(s, back) && cleave_schedule_graph(back) == NULL);
    REQUIRE_OK(cleave_evaluate_schedule(&again, g, back, NULL, &err));
    CHECK(memcmp(&m, &again, sizeof m) == 0);
    cleave_schedule_free(back);
    cleave_schedule_free(s);
    cleave_graph_free(g);
}

static double cost_of(const cleave_graph *g, int32_t threads, double sync, int split)
{
    cleave_schedule_options opt;
    cleave_schedule_costs costs;
    cleave_schedule *s;
    cleave_schedule_metrics m;
    cleave_schedule_options_init(&opt, sizeof opt);
    cleave_schedule_costs_init(&costs, sizeof costs);
    cleave_schedule_metrics_init(&m, sizeof m);
    costs.sync = sync;
    opt.threads = threads;
    opt.split_rows = split;
    opt.costs = &costs;
    CHECK_OK(cleave_schedule_build(&s, g, &opt, &err));
    CHECK_STR(oracle_schedule(s, g, NULL).fault, "");
    CHECK_OK(cleave_evaluate_schedule(&m, g, s, &costs, &err));
    cleave_schedule_free(s);
    return m.cost;
}

/* Split rows are taken where they pay, and only there. */
static void test_split_or_whole(void)
{
    static const double syncs[] = {1, 5, 20, 80, 200, 500};
    static const char *const specs[] = {"grid2d:24x24", "grid3d:8x8x8"};
    int split_won = 0, equal = 0;
    for (int i = 0; i < 2; i++) {
        cleave_graph *g = make_factor(specs[i]);
        for (int k = 0; k < 6; k++)
            for (int32_t threads = 2; threads <= 8; threads += 3) {
                double whole = cost_of(g, threads, syncs[k], 0);
                double split = cost_of(g, threads, syncs[k], 1);
                CHECK(split <= whole);
                split_won += split < whole;
                equal += split == whole;
            }
        cleave_graph_free(g);
    }
    CHECK(split_won > 0 && equal > 0);
}

/* ---- Callers ---------------------------------------------------------------------------- */

/* Split rows and whole ones are searched side by side. */
static void test_split_workers(void)
{
    cleave_graph *g = make_factor("grid2d:25x25");
    for (int32_t threads = 2; threads <= 5; threads += 3) {
        cleave_schedule_options opt;
        cleave_schedule *first, *s;
        cleave_schedule_options_init(&opt, sizeof opt);
        opt.threads = threads;
        opt.split_rows = 1;
        opt.workers = 1;
        REQUIRE_OK(cleave_schedule_build(&first, g, &opt, &err));
        CHECK(cleave_schedule_row(first) != NULL);
        for (opt.workers = 2; opt.workers <= 8; opt.workers *= 2) {
            REQUIRE_OK(cleave_schedule_build(&s, g, &opt, &err));
            CHECK(is_same(first, s));
            cleave_schedule_free(s);
        }
        cleave_schedule_free(first);
    }
    cleave_graph_free(g);
}

static void test_defaults(void)
{
    cleave_graph *g = make_factor("grid2d:20x20");
    cleave_schedule *plain, *other;
    cleave_schedule_options opt;
    REQUIRE_OK(cleave_schedule_build(&plain, g, NULL, &err));
    CHECK_EQ(cleave_schedule_threads(plain), 2);
    static const char *const names[] = {NULL, "", "auto"};
    for (int i = 0; i < 3; i++) {
        cleave_schedule_options_init(&opt, sizeof opt);
        opt.method = names[i];
        REQUIRE_OK(cleave_schedule_build(&other, g, &opt, &err));
        CHECK(is_same(plain, other));
        cleave_schedule_free(other);
    }
    cleave_schedule_free(plain);
    cleave_graph_free(g);
}

/* A caller compiled with shorter structs: memory after them is not read. */
static void test_older_caller(void)
{
    cleave_graph *g = make_factor("grid2d:9x9");
    cleave_schedule *s;
    cleave_schedule_options opt;
    cleave_schedule_metrics m;
    memset(&opt, 0x55, sizeof opt);
    cleave_schedule_options_init(&opt, offsetof(cleave_schedule_options, seed));
    opt.method = "levels";
    REQUIRE_OK(cleave_schedule_build(&s, g, &opt, &err));
    memset(&m, 0x55, sizeof m);
    cleave_schedule_metrics_init(&m, offsetof(cleave_schedule_metrics, work_total));
    REQUIRE_OK(cleave_evaluate_schedule(&m, g, s, NULL, &err));
    CHECK_EQ(m.layers, cleave_schedule_layers(s));
    CHECK_EQ(m.work_total, 0x5555555555555555);
    cleave_schedule_free(s);
    cleave_graph_free(g);
}

static int stop(void *payload, const cleave_progress *now)
{
    (void)now;
    ++*(int *)payload;
    return 1;
}

/* There is a schedule after any kind of stop. */
static void test_cancel(void)
{
    static const char *const methods[] = {"auto", "graphopt", "grow", "levels", "serial"};
    cleave_graph *g = make_factor("grid2d:60x60");
    for (int i = 0; i < 20; i++) {
        int reports = 0;
        cleave_schedule *s = NULL;
        cleave_schedule_options opt;
        cleave_schedule_options_init(&opt, sizeof opt);
        opt.threads = 4;
        opt.method = methods[i % 5];
        opt.split_rows = i >= 10;
        opt.time_limit = i / 5 % 2 ? 1e-9 : 0;
        opt.progress = i / 5 % 2 ? NULL : stop;
        opt.payload = &reports;
        cleave_status status = cleave_schedule_build(&s, g, &opt, &err);
        CHECK_EQ(status, i / 5 % 2 ? CLEAVE_OK : CLEAVE_ECANCEL);
        CHECK(i / 5 % 2 || reports == 1);
        REQUIRE(s != NULL);
        CHECK_OK(cleave_schedule_check(s, g, &err));
        cleave_schedule_free(s);
    }
    cleave_graph_free(g);
}

/* ---- Solvers of the caller -------------------------------------------------------------- */

typedef struct solver_log {
    int calls, answer;
    bool fine;
} solver_log;

/* Everything later but the first vertex without predecessors: poor, and allowed, for 0. */
static int solve(void *payload, const char *model, const char *data, int32_t count,
                 int32_t *part)
{
    solver_log *log = payload;
    log->calls++;
    log->fine = log->fine && strstr(model, "maximize") && data[0] && count > 0;
    for (int32_t v = 0; v < count; v++)
        part[v] = log->answer == 7 ? 3 : 0;
    return log->answer == 7 ? 0 : log->answer;
}

static void test_solver(void)
{
    cleave_graph *g = make_factor("grid2d:20x20");
    cleave_schedule *own, *s;
    cleave_schedule_options opt;
    cleave_schedule_options_init(&opt, sizeof opt);
    opt.method = "graphopt";
    REQUIRE_OK(cleave_schedule_build(&own, g, &opt, &err));
    static const int answers[] = {0, 1, -1, 7};
    for (int i = 0; i < 4; i++) {
        solver_log log = {.answer = answers[i], .fine = true};
        opt.solver = solve;
        opt.solver_payload = &log;
        cleave_status status = cleave_schedule_build(&s, g, &opt, &err);
        CHECK(log.calls > 0 && log.fine);
        CHECK_EQ(status, answers[i] < 0    ? CLEAVE_EIO
                         : answers[i] == 7 ? CLEAVE_EINVAL
                                           : CLEAVE_OK);
        CHECK((s != NULL) == (status == CLEAVE_OK));
        if (s)
            CHECK_STR(oracle_schedule(s, g, NULL).fault, "");
        if (s && answers[i] == 1) /* the library's own solver finds one */
            CHECK(is_same(s, own));
        cleave_schedule_free(s);
    }
    cleave_schedule_free(own);
    cleave_graph_free(g);
}

/* ---- Costs ------------------------------------------------------------------------------ */

static cleave_schedule *build_graphopt(const cleave_graph *g, double sync, const char *params)
{
    cleave_schedule_options opt;
    cleave_schedule_costs costs;
    cleave_schedule *s = NULL;
    cleave_schedule_options_init(&opt, sizeof opt);
    cleave_schedule_costs_init(&costs, sizeof costs);
    opt.method = "graphopt";
    opt.threads = 4;
    opt.params = params;
    if (sync >= 0) {
        costs.sync = sync;
        opt.costs = &costs;
    }
    CHECK_OK(cleave_schedule_build(&s, g, &opt, &err));
    return s;
}

/* graphopt takes the cost of a layer from the costs, unless its params name one. */
static void test_graphopt_costs(void)
{
    static const struct {
        double sync; /* -1: no costs */
        const char *params;
        double as_sync;
        const char *as_params;
    } same[] = {
        {-1, NULL, -1, "sync=500"},
        {20, NULL, -1, "sync=20"},
        {20.4, "", -1, "sync=20"},
        {20.6, "ws=10", -1, "sync=21"},
        {3, "sync=20", -1, "sync=20"},
        {0, NULL, -1, "sync=0"},
        {1e300, NULL, -1, "sync=1000000000"},
    };
    cleave_graph *grid = NULL;
    REQUIRE_OK(cleave_graph_generate(&grid, "stencil:60:60", NULL, &err));
    cleave_schedule *plain = build_graphopt(grid, -1, NULL);
    cleave_schedule *cheap = build_graphopt(grid, 20, NULL);
    REQUIRE(plain && cheap);
    CHECK(cleave_schedule_layers(plain) < cleave_schedule_layers(cheap));
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        cleave_schedule *a = build_graphopt(grid, same[i].sync, same[i].params);
        cleave_schedule *b = build_graphopt(grid, same[i].as_sync, same[i].as_params);
        REQUIRE(a && b);
        CHECK(is_same(a, b));
        cleave_schedule_free(a);
        cleave_schedule_free(b);
    }
    cleave_schedule_free(plain);
    cleave_schedule_free(cheap);
    cleave_graph_free(grid);
}

/* ---- Many blocks ------------------------------------------------------------------------ */

/* True: there is a schedule, and it comes back from a file; false: it is refused. */
static bool comes_back(const cleave_graph *g, const char *method, int32_t threads)
{
    char path[1100];
    cleave_schedule_options opt;
    cleave_schedule *s, *back;
    cleave_schedule_options_init(&opt, sizeof opt);
    opt.method = method;
    opt.threads = threads;
    cleave_status status = cleave_schedule_build(&s, g, &opt, &err);
    if (status != CLEAVE_OK) {
        CHECK(status == CLEAVE_EINVAL && s == NULL);
        return false;
    }
    CHECK(cleave_schedule_threads(s) == threads);
    snprintf(path, sizeof path, "%s/many.schedule", test_scratch());
    CHECK_OK(cleave_schedule_write(s, path, &err));
    CHECK_OK(cleave_schedule_read(&back, path, &err));
    CHECK(back && is_same(s, back) && cleave_schedule_threads(back) == threads);
    cleave_schedule_free(s);
    cleave_schedule_free(back);
    return true;
}

/* A long chain for many threads has too many blocks: schedules that are made can be read back,
 * others are refused. */
static void test_many_blocks(void)
{
    enum { nvtx = 20000 };
    static int64_t xadj[nvtx + 1];
    static int32_t adj[nvtx], layer[nvtx], thread[nvtx];
    cleave_graph *chain;
    cleave_schedule *s;
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    for (int32_t v = 0; v < nvtx; v++) {
        xadj[v] = v;
        adj[v] = v + 1;
        layer[v] = v;
    }
    xadj[nvtx] = nvtx - 1;
    csr.kind = CLEAVE_DAG;
    csr.nvtx = nvtx;
    csr.xadj = xadj;
    csr.adj = adj;
    REQUIRE_OK(cleave_graph_create(&chain, &csr, 0, &err));
    CHECK(!comes_back(chain, "levels", 4096));
    CHECK_STR(err.message,
              "20000 layers of 4096 threads are too many for 20000 vertices; with "
              "at most 256 threads they are not");
    CHECK(!comes_back(chain, "levels", 257));
    CHECK(comes_back(chain, "levels", 256));
    CHECK(comes_back(chain, "auto", 4096));
    CHECK(comes_back(chain, "graphopt", 4096));
    CHECK(comes_back(chain, "grow", 4096));
    CHECK(comes_back(chain, "serial", 4096));
    thread[nvtx / 2] = 4095;
    CHECK_EQ(cleave_schedule_create(&s, nvtx, layer, thread, &err), CLEAVE_EINVAL);
    CHECK(s == NULL);
    cleave_graph_free(chain);
}

/* Layers without a price and three wide: so many of them that 4096 threads do not go with
 * them.  Methods that choose their number of threads use fewer. */
static void test_fewer_threads(void)
{
    enum { width = 3, depth = 3000, nvtx = width * depth };
    static int64_t xadj[nvtx + 1];
    static int32_t adj[width * nvtx];
    static const char *const methods[] = {"grow", "auto", "levels"};
    cleave_graph *g;
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    for (int32_t v = 0; v < nvtx; v++) {
        xadj[v + 1] = xadj[v];
        for (int32_t u = v / width * width + width; u < nvtx && u < v / width * width + 6; u++)
            adj[xadj[v + 1]++] = u;
    }
    csr.kind = CLEAVE_DAG;
    csr.nvtx = nvtx;
    csr.xadj = xadj;
    csr.adj = adj;
    REQUIRE_OK(cleave_graph_create(&g, &csr, 0, &err));
    for (int i = 0; i < 3; i++) {
        cleave_schedule_options opt;
        cleave_schedule_costs costs;
        cleave_schedule *s;
        cleave_schedule_options_init(&opt, sizeof opt);
        cleave_schedule_costs_init(&costs, sizeof costs);
        costs.sync = 0;
        opt.costs = &costs;
        opt.method = methods[i];
        opt.threads = 4096;
        cleave_status status = cleave_schedule_build(&s, g, &opt, &err);
        CHECK_EQ(status, i < 2 ? CLEAVE_OK : CLEAVE_EINVAL);
        if (!s)
            continue;
        CHECK_STR(oracle_schedule(s, g, NULL).fault, "");
        CHECK(cleave_schedule_layers(s) >= depth);
        CHECK(cleave_schedule_threads(s) >= 2 && cleave_schedule_threads(s) <= 256);
        cleave_schedule_free(s);
    }
    cleave_graph_free(g);
}

/* A graph created with CLEAVE_TRUST: every method reports the cycle, with split rows or
 * without. */
static void test_cycle(void)
{
    static const char *const methods[] = {"auto", "graphopt", "grow", "levels", "serial"};
    static const int64_t xadj[] = {0, 1, 2, 4, 4};
    static const int32_t adj[] = {1, 2, 0, 3};
    cleave_graph *g;
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    csr.kind = CLEAVE_DAG;
    csr.nvtx = 4;
    csr.xadj = xadj;
    csr.adj = adj;
    REQUIRE_OK(cleave_graph_create(&g, &csr, CLEAVE_TRUST, &err));
    for (int i = 0; i < 10; i++) {
        cleave_schedule_options opt;
        cleave_schedule *s;
        cleave_schedule_options_init(&opt, sizeof opt);
        opt.method = methods[i / 2];
        opt.split_rows = i % 2;
        CHECK_EQ(cleave_schedule_build(&s, g, &opt, &err), CLEAVE_ECYCLE);
        CHECK(s == NULL && strstr(err.message, "cycle") != NULL);
    }
    cleave_graph_free(g);
}

int main(void)
{
    RUN(test_given);
    RUN(test_split);
    RUN(test_split_or_whole);
    RUN(test_split_workers);
    RUN(test_defaults);
    RUN(test_older_caller);
    RUN(test_cancel);
    RUN(test_solver);
    RUN(test_graphopt_costs);
    RUN(test_many_blocks);
    RUN(test_fewer_threads);
    RUN(test_cycle);
    return test_end();
}
