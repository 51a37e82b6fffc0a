/* SPDX-License-Identifier: Apache-2.0 */
/* Orders and splits through the public functions: invariants of every order and split, for any
 * number of threads, against slow recomputation. */
#include <math.h>

#include "api/api_support.h"
#include "support/test.h"

static cleave_error err;

static cleave_graph *generate(const char *spec)
{
    cleave_graph *g = NULL;
    CHECK_OK(cleave_graph_generate(&g, spec, NULL, &err));
    return g;
}

static cleave_order *build(const cleave_graph *g, const char *method, int threads)
{
    cleave_order *o = NULL;
    cleave_order_options opt;
    cleave_order_options_init(&opt, sizeof opt);
    opt.method = method;
    opt.threads = threads;
    CHECK_OK(cleave_order_build(&o, g, &opt, &err));
    return o;
}

static cleave_target *parse(const char *text)
{
    cleave_target *t = NULL;
    CHECK_OK(cleave_target_parse(&t, text, &err));
    return t;
}

static bool same_line(const cleave_order *a, const cleave_order *b)
{
    size_t n = (size_t)cleave_order_vertices(a);
    return cleave_order_vertices(b) == (int32_t)n &&
           memcmp(cleave_order_view(a), cleave_order_view(b), n * sizeof(int32_t)) == 0 &&
           memcmp(cleave_order_weight_before(a), cleave_order_weight_before(b),
                  (n + 1) * sizeof(int64_t)) == 0;
}

static const char *const undirected_methods[] = {"hci", "zci", "rcbi", "rsbi", "multilevel"};

/* ---- Lines ------------------------------------------------------------------------------ */

/* Edge by edge: the number of cuts that cross an edge is the distance of its ends. */
static double average_of(const cleave_graph *g, const cleave_order *o)
{
    int32_t n = cleave_order_vertices(o), *place = malloc((size_t)n * sizeof *place);
    cleave_csr view;
    double sum = 0;
    cleave_csr_init(&view, sizeof view);
    cleave_graph_view(g, &view);
    for (int32_t p = 0; p < n; p++)
        place[cleave_order_view(o)[p]] = p;
    for (int32_t v = 0; v < n; v++)
        for (int64_t a = view.xadj[v]; a < view.xadj[v + 1]; a++)
            sum +=
                (view.ewgt ? view.ewgt[a] : 1) * fabs((double)place[v] - place[view.adj[a]]);
    free(place);
    return sum / (cleave_graph_kind(g) == CLEAVE_DAG ? 1 : 2) / (n - 1);
}

static void test_average_crossing(void)
{
    cleave_graph *g = generate("mesh2d:12x9"), *dag = generate("layered:7:6:3");
    for (int i = 0; i < 5; i++) {
        cleave_order *o = build(g, undirected_methods[i], 1);
        CHECK_STR(cleave_order_method(o), undirected_methods[i]);
        CHECK(fabs(cleave_order_average_crossing(o) - average_of(g, o)) < 1e-9);
        cleave_order_free(o);
    }
    cleave_order *o = build(dag, "topo", 1);
    CHECK(fabs(cleave_order_average_crossing(o) - average_of(dag, o)) < 1e-9);
    cleave_order_free(o);
    cleave_graph_free(g);
    cleave_graph_free(dag);
}

static void test_threads_do_not_matter(void)
{
    cleave_graph *g = generate("rgg:3000:6"), *dag = generate("stencil:20x20:5");
    for (int i = 0; i < 7; i++) {
        const char *method = i < 5 ? undirected_methods[i] : i == 5 ? "topo" : "multilevel";
        const cleave_graph *of = i < 5 ? g : dag;
        cleave_order *one = build(of, method, 1), *two = build(of, method, 2);
        cleave_order *eight = build(of, method, 8);
        CHECK(same_line(one, two) && same_line(one, eight));
        cleave_order_free(one);
        cleave_order_free(two);
        cleave_order_free(eight);
    }
    cleave_graph_free(g);
    cleave_graph_free(dag);
}

/* Which method "auto" is. */
static void test_auto(void)
{
    cleave_graph *mesh = generate("mesh2d:9x9"), *bare = generate("gnp:60:0.1");
    cleave_graph *dag = generate("layered:5:5:2");
    const cleave_graph *const graphs[] = {mesh, mesh, bare, dag};
    static const cleave_effort efforts[] = {CLEAVE_EFFORT_FAST, CLEAVE_EFFORT_DEFAULT,
                                            CLEAVE_EFFORT_FAST, CLEAVE_EFFORT_FAST};
    static const char *const want[] = {"hci", "multilevel", "multilevel", "multilevel"};
    for (int i = 0; i < 4; i++) {
        cleave_order *o;
        cleave_order_options opt;
        cleave_order_options_init(&opt, sizeof opt);
        opt.effort = efforts[i];
        REQUIRE_OK(cleave_order_build(&o, graphs[i], &opt, &err));
        CHECK_STR(cleave_order_method(o), want[i]);
        cleave_order_free(o);
    }
    cleave_graph_free(mesh);
    cleave_graph_free(bare);
    cleave_graph_free(dag);
}

static int say_stop(void *payload, const cleave_progress *now)
{
    (void)now;
    ++*(int *)payload;
    return 1;
}

static void test_cancel(void)
{
    int calls = 0;
    cleave_graph *g = generate("mesh2d:40x40");
    cleave_order *o = (cleave_order *)&calls;
    cleave_order_options opt;
    cleave_order_options_init(&opt, sizeof opt);
    opt.progress = say_stop;
    opt.payload = &calls;
    CHECK_EQ(cleave_order_build(&o, g, &opt, &err), CLEAVE_ECANCEL);
    CHECK(o != NULL && calls > 0); /* the best so far */
    CHECK_EQ(cleave_order_vertices(o), cleave_graph_vertices(g));
    CHECK_OK(cleave_order_check(o, g, &err));
    cleave_order_free(o);
    cleave_graph_free(g);
}

/* There is an order for any time limit; invalid limits are refused. */
static void test_time_limit(void)
{
    static const char *const methods[] = {"multilevel", "rsbi", "nd", "mindeg", "hci", "rcbi"};
    cleave_graph *g = generate("mesh2d:60x60");
    cleave_order_options opt;
    cleave_order *o;
    cleave_order_options_init(&opt, sizeof opt);
    CHECK(opt.time_limit == 0);
    for (int i = 0; i < 6; i++) {
        opt.method = methods[i];
        opt.time_limit = 1e-9;
        CHECK_OK(cleave_order_build(&o, g, &opt, &err));
        CHECK_OK(cleave_order_check(o, g, &err));
        cleave_order_free(o);
        opt.time_limit = i % 2 ? -1 : NAN;
        CHECK_EQ(cleave_order_build(&o, g, &opt, &err), CLEAVE_EINVAL);
        CHECK(o == NULL);
    }
    cleave_graph_free(g);
}

/* The worst residual, the same on any number of threads; none where no eigenvector is. */
static void test_residual(void)
{
    cleave_graph *g = generate("rgg:6000:7");
    cleave_order *one = build(g, "rsbi", 1), *hilbert = build(g, "hci", 1), *given = NULL;
    CHECK(cleave_order_residual(one) > 0 && cleave_order_residual(one) < 0.01);
    CHECK_EQ(cleave_order_converged(one), 1);
    for (int threads = 2; threads <= 8; threads *= 4) {
        cleave_order *o = build(g, "rsbi", threads);
        CHECK(cleave_order_residual(o) == cleave_order_residual(one));
        CHECK_EQ(cleave_order_converged(o), cleave_order_converged(one));
        cleave_order_free(o);
    }
    CHECK_OK(cleave_order_create(&given, 6000, cleave_order_view(one), NULL, &err));
    CHECK(cleave_order_residual(hilbert) == -1 && cleave_order_residual(given) == -1);
    CHECK(cleave_order_converged(hilbert) == -1 && cleave_order_converged(given) == -1);
    cleave_order_free(one);
    cleave_order_free(hilbert);
    cleave_order_free(given);
    cleave_graph_free(g);
}

/* With two weights per vertex the line is that of the first. */
static void test_several_weights(void)
{
    cleave_csr csr = make_grid(CLEAVE_UNDIRECTED, 20), single = csr;
    int32_t *first = malloc((size_t)csr.nvtx * sizeof *first);
    cleave_graph *g = NULL, *simple = NULL;
    for (int32_t v = 0; v < csr.nvtx; v++)
        first[v] = csr.vwgt[v * csr.ncon];
    single.vwgt = first;
    single.ncon = 1;
    CHECK_OK(cleave_graph_create(&g, &csr, 0, &err));
    CHECK_OK(cleave_graph_create(&simple, &single, 0, &err));
    for (int i = 0; i < 5; i++) {
        cleave_order *o = build(g, undirected_methods[i], 1);
        cleave_order *same = build(simple, undirected_methods[i], 1);
        CHECK(same_line(o, same));
        CHECK_OK(cleave_order_check(o, g, &err));
        CHECK_EQ(cleave_order_check(o, simple, &err), CLEAVE_EINVAL);
        cleave_order_free(o);
        cleave_order_free(same);
    }
    free(first);
    csr_free(&csr);
    cleave_graph_free(g);
    cleave_graph_free(simple);
}

/* ---- Files ------------------------------------------------------------------------------ */

static void test_round_trip(void)
{
    static const char *const names[] = {"a.order", "a.order.gz", "a.clo", "a.clo.gz"};
    cleave_graph *g = generate("mesh2d:15x11"), *other = generate("mesh2d:11x15");
    cleave_order *o = build(g, "rsbi", 1), *again;
    for (int i = 0; i < 4; i++) {
        char path[4200];
        snprintf(path, sizeof path, "%s/%s", test_scratch(), names[i]);
        CHECK_OK(cleave_order_write(o, path, &err));
        REQUIRE_OK(cleave_order_read(&again, path, &err));
        CHECK(same_line(o, again));
        CHECK_STR(cleave_order_method(again), "rsbi");
        CHECK(cleave_order_average_crossing(again) ==
              (i < 2 ? -1 : cleave_order_average_crossing(o)));
        CHECK(cleave_order_residual(again) == -1 && cleave_order_converged(again) == -1);
        CHECK_OK(cleave_order_check(again, g, &err));
        CHECK_EQ(cleave_order_check(again, other, &err), CLEAVE_EINVAL);
        CHECK_EQ(cleave_order_complete(again, other, &err), CLEAVE_EINVAL);
        CHECK_OK(cleave_order_complete(again, g, &err));
        CHECK_STR(cleave_order_method(again), "rsbi");
        CHECK(cleave_order_average_crossing(again) == cleave_order_average_crossing(o));
        cleave_order_free(again);
    }
    cleave_order_free(o);
    cleave_graph_free(g);
    cleave_graph_free(other);
}

/* ---- Splits ----------------------------------------------------------------------------- */

static int64_t cut_of(const cleave_graph *g, const cleave_mapping *m)
{
    cleave_metrics metrics;
    cleave_metrics_init(&metrics, sizeof metrics);
    CHECK_OK(cleave_evaluate(&metrics, g, m, NULL, &err));
    CHECK(cleave_graph_kind(g) == CLEAVE_UNDIRECTED || metrics.acyclic == 1);
    return metrics.cut;
}

/* floor((1 + eps) * ceil(share)) in whole numbers: speeds are whole, eps in hundredths. */
static bool within_bounds(const cleave_order *o, const cleave_target *t, const int32_t *begin,
                          const int32_t *end, int eps)
{
    int32_t npes = cleave_target_pes(t);
    const int64_t *before = cleave_order_weight_before(o);
    int64_t speeds = 0, total = before[cleave_order_vertices(o)];
    for (int32_t pe = 0; pe < npes; pe++)
        speeds += (int64_t)cleave_target_speed(t, pe);
    for (int32_t pe = 0; pe < npes; pe++) {
        int64_t speed = (int64_t)cleave_target_speed(t, pe);
        int64_t share = (total * speed + speeds - 1) / speeds;
        if (before[end[pe]] - before[begin[pe]] > share * (100 + eps) / 100)
            return false;
    }
    return true;
}

static const char *const targets[] = {"2", "7", "3,2,2,1", "5,0,1,4", "1,1,1,1,8", "mesh:3x2"};

static void test_split(void)
{
    cleave_graph *g = generate("rgg:700:6");
    cleave_order *o = build(g, "hci", 1);
    for (int i = 0; i < 6; i++)
        for (int eps = 0; eps <= 6; eps += 3)
            for (int simple = 0; simple < 2; simple++) {
                int32_t begin[16], end[16];
                cleave_target *t = parse(targets[i]);
                cleave_split_options opt;
                cleave_split_options_init(&opt, sizeof opt);
                opt.imbalance = eps / 100.0;
                opt.grouping = simple ? "simple" : NULL;
                test_alloc_fail_at(1);
                cleave_status status = cleave_order_split(begin, end, o, t, &opt, &err);
                CHECK_EQ(test_alloc_calls(), 0);
                test_alloc_fail_at(0);
                CHECK_EQ(status,
                         within_bounds(o, t, begin, end, eps) ? CLEAVE_OK : CLEAVE_EBALANCE);
                CHECK(status == CLEAVE_OK || eps == 0);
                int32_t last = 0;
                for (int32_t pe = 0; simple && pe < cleave_target_pes(t); pe++) {
                    CHECK_EQ(begin[pe], last);
                    last = end[pe];
                }
                cleave_target_free(t);
            }
    cleave_order_free(o);
    cleave_graph_free(g);
}

/* Many PEs, equal and not: nothing is allocated either. */
static void test_split_among_many(void)
{
    enum { npes = 20000, n = 50000 };
    int32_t *begin = malloc(npes * sizeof *begin), *end = malloc(npes * sizeof *end);
    int32_t *vertex = malloc(n * sizeof *vertex);
    double *speed = malloc(npes * sizeof *speed);
    cleave_order *o = NULL;
    for (int32_t v = 0; v < n; v++)
        vertex[v] = n - 1 - v;
    for (int32_t pe = 0; pe < npes; pe++)
        speed[pe] = 1 + pe % 3;
    CHECK_OK(cleave_order_create(&o, n, vertex, NULL, &err));
    for (int equal = 0; equal < 2; equal++) {
        cleave_target *t = NULL;
        int64_t covered = 0;
        CHECK_OK(cleave_target_create(&t, npes, equal ? NULL : speed, &err));
        test_alloc_fail_at(1);
        cleave_status status = cleave_order_split(begin, end, o, t, NULL, &err);
        CHECK_EQ(test_alloc_calls(), 0);
        test_alloc_fail_at(0);
        CHECK(status == CLEAVE_OK || status == CLEAVE_EBALANCE);
        for (int32_t pe = 0; pe < npes; pe++) {
            CHECK(end[pe] > begin[pe]);
            covered += end[pe] - begin[pe];
        }
        CHECK_EQ(covered, n);
        cleave_target_free(t);
    }
    cleave_order_free(o);
    free(begin);
    free(end);
    free(vertex);
    free(speed);
}

static void test_heavy_vertex(void)
{
    static const int32_t vertex[] = {0, 1, 2, 3}, weight[] = {1, 100, 1, 1};
    int32_t begin[2], end[2];
    cleave_order *o = NULL;
    cleave_target *t = parse("2");
    CHECK_OK(cleave_order_create(&o, 4, vertex, weight, &err));
    begin[0] = begin[1] = -1;
    CHECK_EQ(cleave_order_split(begin, end, o, t, NULL, &err), CLEAVE_EBALANCE);
    CHECK(strstr(err.message, "above its bound 53") != NULL);
    CHECK(begin[0] == 0 && end[0] == begin[1] && end[1] == 4);
    cleave_order_free(o);
    cleave_target_free(t);
}

/* ---- Refined ---------------------------------------------------------------------------- */

static cleave_mapping *refine(const cleave_graph *g, const cleave_order *o,
                              const cleave_target *t, int threads, cleave_map_report *report)
{
    cleave_mapping *m = NULL;
    cleave_options opt;
    cleave_options_init(&opt, sizeof opt);
    cleave_map_report_init(report, sizeof *report);
    opt.report = report;
    opt.threads = threads;
    CHECK_OK(cleave_order_split_refine(&m, g, o, t, &opt, &err));
    return m;
}

static cleave_mapping *plain(const cleave_order *o, const cleave_target *t)
{
    int32_t begin[16], end[16];
    cleave_mapping *m = NULL;
    CHECK_OK(cleave_order_split(begin, end, o, t, NULL, &err));
    CHECK_OK(cleave_order_mapping(&m, o, cleave_target_pes(t), begin, end, &err));
    return m;
}

static void check_refined(const cleave_graph *g, const cleave_order *o, const char *target)
{
    cleave_map_report report, ignored;
    cleave_target *t = parse(target);
    cleave_mapping *before = plain(o, t), *one = refine(g, o, t, 1, &report);
    cleave_mapping *two = refine(g, o, t, 2, &ignored), *eight = refine(g, o, t, 8, &ignored);
    size_t bytes = (size_t)cleave_graph_vertices(g) * sizeof(int32_t);
    REQUIRE(before && one && two && eight);
    CHECK_EQ(report.cut, cut_of(g, one));
    CHECK_EQ(report.balanced, 1);
    if (report.cost < 0)
        CHECK(report.cut <= cut_of(g, before));
    CHECK(memcmp(cleave_mapping_parts(one), cleave_mapping_parts(two), bytes) == 0);
    CHECK(memcmp(cleave_mapping_parts(one), cleave_mapping_parts(eight), bytes) == 0);
    cleave_mapping_free(before);
    cleave_mapping_free(one);
    cleave_mapping_free(two);
    cleave_mapping_free(eight);
    cleave_target_free(t);
}

static void test_refine(void)
{
    cleave_graph *g = generate("rgg:4000:6"), *dag = generate("stencil:25x25:5");
    cleave_order *line = build(g, "zci", 1), *topo = build(dag, "topo", 1);
    cleave_order *bare = NULL; /* without crossings and hash of the graph */
    CHECK_OK(cleave_order_create(&bare, 4000, cleave_order_view(line), NULL, &err));
    for (int i = 0; i < 6; i++) {
        check_refined(g, line, targets[i]);
        check_refined(dag, topo, targets[i]);
    }
    check_refined(g, bare, "3,2,2,1");
    cleave_order_free(line);
    cleave_order_free(topo);
    cleave_order_free(bare);
    cleave_graph_free(g);
    cleave_graph_free(dag);
}

/* The parts of any split of a DAG's order are acyclic, for any speeds. */
static void test_dag_splits(void)
{
    cleave_graph *dag = generate("layered:20:12:3");
    static const char *const methods[] = {"topo", "multilevel"};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 6; j++) {
            cleave_order *o = build(dag, methods[i], 1);
            cleave_target *t = parse(targets[j]);
            cleave_mapping *m = plain(o, t);
            CHECK(cut_of(dag, m) > 0); /* which checks that it is acyclic */
            cleave_mapping_free(m);
            cleave_target_free(t);
            cleave_order_free(o);
        }
    cleave_graph_free(dag);
}

/* ---- Partitions by the same methods ----------------------------------------------------- */

static cleave_mapping *divide(const cleave_graph *g, const cleave_target *t,
                              const char *method, const char *params, int threads,
                              cleave_map_report *report)
{
    cleave_mapping *m = NULL;
    cleave_options opt;
    cleave_options_init(&opt, sizeof opt);
    cleave_map_report_init(report, sizeof *report);
    opt.report = report;
    opt.threads = threads;
    opt.method = method;
    opt.params = params;
    CHECK_OK(cleave_map(&m, g, t, &opt, &err));
    return m;
}

static void check_divided(const cleave_graph *g, const char *method, const char *target)
{
    cleave_map_report pure, refined, parallel, ignored;
    cleave_target *t = parse(target);
    cleave_mapping *one = divide(g, t, method, NULL, 1, &pure);
    cleave_mapping *two = divide(g, t, method, "grouping=binpacking,refine=0", 2, &parallel);
    cleave_mapping *better = divide(g, t, method, "refine=1", 1, &refined);
    cleave_mapping *simple = divide(g, t, method, "grouping=simple", 1, &ignored);
    size_t bytes = (size_t)cleave_graph_vertices(g) * sizeof(int32_t);
    REQUIRE(one && two && better && simple);
    CHECK_EQ(pure.cut, cut_of(g, one));
    CHECK(pure.balanced && refined.balanced);
    bool vectors = strcmp(method, "rsb") == 0;
    CHECK(vectors ? pure.residual > 0 && pure.residual < 0.01 : pure.residual == -1);
    CHECK_EQ(pure.converged, vectors ? 1 : -1);
    CHECK(refined.residual == pure.residual && parallel.residual == pure.residual);
    CHECK(memcmp(cleave_mapping_parts(one), cleave_mapping_parts(two), bytes) == 0);
    CHECK(pure.cost >= 0 ? refined.cost <= pure.cost : refined.cut < pure.cut);
    cleave_mapping_free(one);
    cleave_mapping_free(two);
    cleave_mapping_free(better);
    cleave_mapping_free(simple);
    cleave_target_free(t);
}

static void test_partition_methods(void)
{
    static const char *const methods[] = {"rcb", "zci", "hci", "rsb"};
    cleave_graph *flat = generate("rgg:1500:6"), *solid = generate("mesh3d:9x9x9");
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 6; j++) {
            check_divided(flat, methods[i], targets[j]);
            check_divided(solid, methods[i], targets[j]);
        }
    cleave_graph_free(flat);
    cleave_graph_free(solid);
}

/* Two weights per vertex: a mapping in any case, and the verdict is about both. */
static void test_partition_of_several(void)
{
    static const char *const methods[] = {"rcb", "zci", "hci", "rsb", "line"};
    cleave_csr csr = make_grid(CLEAVE_UNDIRECTED, 16);
    cleave_graph *even = NULL, *uneven = NULL;
    int32_t *weights = malloc(2 * (size_t)csr.nvtx * sizeof *weights);
    free((void *)csr.vwgt);
    csr.vwgt = weights;
    csr.ncon = 2;
    for (int32_t v = 0; v < 2 * csr.nvtx; v++)
        weights[v] = 1 + v % 2;
    CHECK_OK(cleave_graph_create(&even, &csr, 0, &err));
    for (int32_t v = 0; v < csr.nvtx; v++)
        weights[2 * v + 1] = v == 0 ? 1000 : 0;
    CHECK_OK(cleave_graph_create(&uneven, &csr, 0, &err));
    cleave_target *t = parse("4");
    for (int i = 0; i < 10; i++) {
        cleave_mapping *m = NULL;
        cleave_map_report report;
        cleave_options opt;
        const cleave_graph *g = i % 2 ? uneven : even;
        bool line = i / 2 == 4;
        cleave_order *o = line ? build(g, "hci", 1) : NULL;
        cleave_options_init(&opt, sizeof opt);
        cleave_map_report_init(&report, sizeof report);
        opt.report = &report;
        opt.method = line ? NULL : methods[i / 2];
        cleave_status status = line ? cleave_order_split_refine(&m, g, o, t, &opt, &err)
                                    : cleave_map(&m, g, t, &opt, &err);
        CHECK_EQ(status, i % 2 ? CLEAVE_EBALANCE : CLEAVE_OK);
        REQUIRE(m != NULL);
        CHECK_EQ(report.balanced, i % 2 == 0);
        CHECK_EQ(report.cut, cut_of(g, m));
        int32_t count[4] = {0};
        for (int32_t v = 0; v < csr.nvtx; v++)
            count[cleave_mapping_parts(m)[v]]++;
        for (int p = 0; p < 4; p++)
            CHECK(count[p] > 0 && count[p] <= 65);
        cleave_mapping_free(m);
        cleave_order_free(o);
    }
    cleave_target_free(t);
    csr_free(&csr);
    cleave_graph_free(even);
    cleave_graph_free(uneven);
}

/* Coordinate bisection of a grid is known: four quarters. */
static void test_quarters(void)
{
    cleave_map_report report;
    cleave_graph *g = generate("grid2d:20x20");
    cleave_target *t = parse("4");
    cleave_mapping *m = divide(g, t, "rcb", NULL, 1, &report);
    CHECK_EQ(report.cut, 40);
    CHECK(report.imbalance == 0);
    cleave_mapping_free(m);
    m = divide(g, t, "hci", NULL, 1, &report);
    CHECK_EQ(report.cut, 40);
    cleave_mapping_free(m);
    cleave_target_free(t);
    cleave_graph_free(g);
}

int main(void)
{
    test_file("scratch", "");
    RUN(test_average_crossing);
    RUN(test_threads_do_not_matter);
    RUN(test_auto);
    RUN(test_cancel);
    RUN(test_time_limit);
    RUN(test_residual);
    RUN(test_several_weights);
    RUN(test_round_trip);
    RUN(test_split);
    RUN(test_split_among_many);
    RUN(test_heavy_vertex);
    RUN(test_refine);
    RUN(test_dag_splits);
    RUN(test_partition_methods);
    RUN(test_partition_of_several);
    RUN(test_quarters);
    return test_end();
}
