/* SPDX-License-Identifier: Apache-2.0 */
/* The metrics on graphs small enough to check by hand, on edge cases, and on wrong
 * arguments. */
#include <math.h>

#include "evaluate/metrics_support.h"
#include "oracle/oracle_metrics.h"

/* Figure 1 of the acyclic partitioning paper: s>u u>x u>y u>t s>v v>t, three vertices on
 * each side.  Best undirected cut 2 ({u,x,y} against the rest), which is cyclic: s>u and
 * u>t cross in both directions, latency 3*1 + 2*36 = 75.  Best acyclic cut 3, for example
 * {s,u,x} first: s>u inside, u>t cut, latency 3*1 + 4 + 36 = 43. */
enum { S, U, X, Y, V, T };
static const char figure_arcs[] = "0>1 1>2 1>3 1>5 0>4 4>5";

static cleave_metrics evaluate_split(const cleave_graph *g, unsigned second_part)
{
    cleave_evaluate_options opt;
    cleave_evaluate_options_init(&opt, sizeof opt);
    opt.imbalance = 0;
    opt.cost_inside = 4;
    opt.cost_cut = 36;
    int32_t part[6];
    for (int v = 0; v < 6; v++)
        part[v] = second_part >> v & 1;
    return evaluate(g, 2, part, &opt);
}

static void test_figure(void)
{
    cleave_graph *g = graph_of(CLEAVE_DAG, 6, figure_arcs, NULL);
    int64_t best = INT64_MAX, best_acyclic = INT64_MAX;
    int64_t latency = INT64_MAX, latency_acyclic = INT64_MAX;
    REQUIRE(g);
    for (unsigned split = 0; split < 64; split++) {
        cleave_metrics m = evaluate_split(g, split);
        CHECK_EQ(m.balanced, __builtin_popcount(split) == 3);
        if (!m.balanced)
            continue;
        if (m.cut < best) {
            best = m.cut;
            latency = m.critical_path;
        }
        if (m.acyclic && m.cut <= best_acyclic) {
            if (m.cut < best_acyclic || m.critical_path < latency_acyclic)
                latency_acyclic = m.critical_path;
            best_acyclic = m.cut;
        }
    }
    CHECK_EQ(best, 2);
    CHECK_EQ(latency, 75);
    CHECK_EQ(best_acyclic, 3);
    CHECK_EQ(latency_acyclic, 43);
    cleave_metrics undirected = evaluate_split(g, 1u << U | 1u << X | 1u << Y);
    CHECK_EQ(undirected.cut, 2);
    CHECK_EQ(undirected.volume, 2);
    CHECK_EQ(undirected.acyclic, 0);
    CHECK_EQ(undirected.convex, 0);
    CHECK_EQ(undirected.setups, 2);
    CHECK_EQ(undirected.critical_path, 75);
    cleave_metrics acyclic = evaluate_split(g, 1u << Y | 1u << V | 1u << T);
    CHECK_EQ(acyclic.cut, 3);
    CHECK_EQ(acyclic.volume, 2); /* u is read once, by y and t together */
    CHECK_EQ(acyclic.acyclic, 1);
    CHECK_EQ(acyclic.convex, 1);
    CHECK_EQ(acyclic.setups, 1);
    CHECK_EQ(acyclic.pieces, 3); /* {s,u,x}, {y}, {v,t} */
    CHECK_EQ(acyclic.critical_path, 43);
    cleave_graph_free(g);
}

/* A 4 x 2 grid in two columns and two single vertices; all numbers counted by hand. */
static void test_grid(void)
{
    int32_t part[8] = {0, 0, 1, 2, 0, 0, 1, 0};
    int32_t vwgt[8] = {1, 2, 3, 4, 5, 6, 7, 8}, vsize[8] = {1, 1, 10, 100, 1, 1, 1, 1000};
    int64_t weight[3], volume[3];
    int32_t pieces[3];
    cleave_error err = {0};
    cleave_csr attributes;
    cleave_csr_init(&attributes, sizeof attributes);
    attributes.vwgt = vwgt;
    attributes.vsize = vsize;
    cleave_graph *g =
        graph_of(CLEAVE_UNDIRECTED, 8, "0-1 1-2 2-3 4-5 5-6 6-7 0-4 1-5 2-6 3-7", &attributes);
    cleave_mapping *map = mapping_of(8, 3, part);
    cleave_metrics m = evaluate(g, 3, part, NULL);
    CHECK_EQ(m.cut, 5);           /* 1-2 2-3 5-6 6-7 3-7 */
    CHECK_EQ(m.volume, 2223);     /* 1:1 2:10*2 3:100*2 5:1 6:1 7:1000*2 */
    CHECK_EQ(m.max_volume, 2002); /* part 0: 1 + 1 + 2000 */
    CHECK_EQ(m.pieces, 4);        /* part 0 is in two */
    CHECK_EQ(m.setups, 3);
    CHECK_EQ(m.min_weight, 4);
    CHECK_EQ(m.max_weight, 22);
    CHECK(fabs(m.imbalance - (22 / 12.0 - 1)) < 1e-15);
    CHECK_EQ(m.balanced, 0);
    CHECK_EQ(m.acyclic, -1);
    CHECK_EQ(m.convex, -1);
    CHECK_EQ(m.critical_path, -1);
    CHECK_OK(cleave_evaluate_parts(g, map, weight, volume, pieces, &err));
    CHECK_EQ(weight[0], 22);
    CHECK_EQ(weight[1], 10);
    CHECK_EQ(weight[2], 4);
    CHECK_EQ(volume[0], 2002);
    CHECK_EQ(volume[1], 21);
    CHECK_EQ(volume[2], 200);
    CHECK_EQ(pieces[0], 2);
    CHECK_EQ(pieces[1], 1);
    CHECK_EQ(pieces[2], 1);
    cleave_mapping_free(map);
    cleave_graph_free(g);
}

/* Two isolated vertices with the given weights, one part each. */
static int is_balanced(int32_t first, int32_t second, double eps, const double *shares)
{
    int32_t vwgt[2] = {first, second}, part[2] = {0, 1};
    cleave_csr attributes;
    cleave_evaluate_options opt;
    cleave_csr_init(&attributes, sizeof attributes);
    attributes.vwgt = vwgt;
    cleave_graph *g = graph_of(CLEAVE_UNDIRECTED, 2, "", &attributes);
    cleave_evaluate_options_init(&opt, sizeof opt);
    opt.imbalance = eps;
    opt.shares = shares;
    cleave_metrics m = evaluate(g, 2, part, &opt);
    cleave_graph_free(g);
    return m.balanced;
}

static void test_bounds(void)
{
    CHECK_EQ(is_balanced(103, 97, 0.03, NULL), 1);
    CHECK_EQ(is_balanced(104, 96, 0.03, NULL), 0);
    /* 0.29 * 100 is 28.999999999999996, 1.1 * 10 is 11.000000000000002 in doubles */
    CHECK_EQ(is_balanced(129, 71, 0.29, NULL), 1);
    CHECK_EQ(is_balanced(130, 70, 0.29, NULL), 0);
    CHECK_EQ(is_balanced(11, 9, 0.1, NULL), 1);
    CHECK_EQ(is_balanced(12, 8, 0.1, NULL), 0);
    /* ceil: 7 units on two parts */
    CHECK_EQ(is_balanced(4, 3, 0, NULL), 1);
    CHECK_EQ(is_balanced(5, 2, 0, NULL), 0);
    const double tenths[2] = {0.7, 0.3}, lopsided[2] = {0, 1}, tiny[2] = {5e-324, 1e308};
    CHECK_EQ(is_balanced(70, 30, 0, tenths), 1);
    CHECK_EQ(is_balanced(71, 29, 0, tenths), 0);
    CHECK_EQ(is_balanced(69, 31, 0, tenths), 0);
    CHECK_EQ(is_balanced(0, 10, 0, lopsided), 1);
    CHECK_EQ(is_balanced(1, 9, 0.5, lopsided), 0);
    CHECK_EQ(is_balanced(1, 9, 0, tiny), 1);
    CHECK_EQ(is_balanced(2, 8, 0, tiny), 0);
    CHECK_EQ(is_balanced(0, 0, 0, NULL), 1);
    CHECK_EQ(is_balanced(INT32_MAX, INT32_MAX, 0, NULL), 1);
    CHECK_EQ(is_balanced(INT32_MAX, INT32_MAX - 2, 0, NULL), 0);
    CHECK_EQ(is_balanced(INT32_MAX, 0, 1e300, NULL), 1);
}

static void test_shares_and_imbalance(void)
{
    int32_t part[6] = {0, 0, 0, 1, 1, 2};
    double speeds[3] = {3, 2, 1}, idle[3] = {1, 1, 0};
    cleave_graph *g = graph_of(CLEAVE_UNDIRECTED, 6, "0-1", NULL);
    cleave_evaluate_options opt;
    cleave_evaluate_options_init(&opt, sizeof opt);
    opt.imbalance = 0;
    opt.shares = speeds;
    cleave_metrics m = evaluate(g, 3, part, &opt);
    CHECK(m.imbalance == 0);
    CHECK_EQ(m.balanced, 1);
    opt.shares = idle;
    m = evaluate(g, 3, part, &opt);
    CHECK(isinf(m.imbalance) && m.imbalance > 0);
    CHECK_EQ(m.balanced, 0);
    part[5] = 1;
    m = evaluate(g, 3, part, &opt);
    CHECK(m.imbalance == 0);
    CHECK_EQ(m.balanced, 1);
    CHECK_EQ(m.empty_parts, 1);
    m = evaluate(g, 3, part, NULL);
    CHECK(m.imbalance == 0.5);
    cleave_graph_free(g);
}

static void check_hollow(cleave_kind kind, int32_t nparts)
{
    cleave_graph *g = graph_of(kind, 0, "", NULL);
    cleave_metrics m = evaluate(g, nparts, NULL, NULL);
    int dag = kind == CLEAVE_DAG;
    CHECK_EQ(m.parts, nparts);
    CHECK_EQ(m.empty_parts, nparts);
    CHECK_EQ(m.cut + m.volume + m.max_volume + m.setups + m.pieces, 0);
    CHECK_EQ(m.min_weight, 0);
    CHECK_EQ(m.max_weight, 0);
    CHECK(m.imbalance == 0);
    CHECK_EQ(m.balanced, 1);
    CHECK_EQ(m.acyclic, dag ? 1 : -1);
    CHECK_EQ(m.convex, dag ? 1 : -1);
    CHECK_EQ(m.critical_path, dag ? 0 : -1);
    cleave_graph_free(g);
}

static void test_hollow_graphs(void)
{
    check_hollow(CLEAVE_UNDIRECTED, 0);
    check_hollow(CLEAVE_DAG, 0);
    check_hollow(CLEAVE_UNDIRECTED, 3);
    check_hollow(CLEAVE_DAG, 3);
}

/* Far more parts than vertices: scratch must follow the graph, or this needs 50 GB. */
static void test_more_parts_than_vertices(void)
{
    int32_t part[4] = {INT32_MAX - 1, 0, 1000000000, INT32_MAX - 1};
    cleave_error err = {0};
    int32_t cycle[2], length;
    cleave_graph *g = graph_of(CLEAVE_DAG, 4, "0>1 1>3 1>2", NULL);
    cleave_metrics m = evaluate(g, INT32_MAX, part, NULL);
    CHECK_EQ(m.parts, INT32_MAX);
    CHECK_EQ(m.empty_parts, INT32_MAX - 3);
    CHECK_EQ(m.cut, 3);
    CHECK_EQ(m.volume, 3);
    CHECK_EQ(m.max_volume, 2);
    CHECK_EQ(m.pieces, 4);
    CHECK_EQ(m.setups, 3);
    CHECK_EQ(m.acyclic, 0);
    CHECK_EQ(m.convex, 0);
    CHECK_EQ(m.critical_path, 3 + 22);
    CHECK_EQ(m.min_weight, 0);
    CHECK_EQ(m.max_weight, 2);
    CHECK_EQ(m.balanced, 0); /* bound 1 */
    CHECK(fabs(m.imbalance - (2.0 * INT32_MAX / 4 - 1)) < 1);
    cleave_mapping *map = mapping_of(4, INT32_MAX, part);
    CHECK_OK(cleave_evaluate_cycle(g, map, cycle, &length, &err));
    REQUIRE(length == 2);
    CHECK_EQ((int64_t)cycle[0] + cycle[1], INT32_MAX - 1);
    cleave_mapping_free(map);
    int32_t singles[4] = {3, 9, 7, 5};
    m = evaluate(g, 10, singles, NULL);
    CHECK_EQ(m.empty_parts, 6);
    CHECK_EQ(m.balanced, 1);
    CHECK_EQ(m.acyclic, 1);
    CHECK_EQ(m.pieces, 4);
    cleave_graph_free(g);
}

static void test_one_part_and_star(void)
{
    int32_t one[5] = {0}, leaves[5] = {4, 0, 1, 2, 3};
    cleave_graph *g = graph_of(CLEAVE_UNDIRECTED, 5, "0-1 0-2 0-3 0-4", NULL);
    cleave_metrics m = evaluate(g, 1, one, NULL);
    CHECK_EQ(m.cut + m.volume + m.setups, 0);
    CHECK_EQ(m.pieces, 1);
    CHECK_EQ(m.balanced, 1);
    m = evaluate(g, 5, leaves, NULL);
    CHECK_EQ(m.cut, 4);
    CHECK_EQ(m.volume, 8);
    CHECK_EQ(m.max_volume, 4);
    CHECK_EQ(m.setups, 4);
    CHECK_EQ(m.pieces, 5);
    cleave_graph_free(g);
}

/* 100000 vertices of the largest weight: sums far beyond 32 bits, bounds still exact. */
static void test_totals_near_the_limit(void)
{
    enum { n = 100000 };
    int32_t *vwgt = malloc(n * sizeof *vwgt), *part = malloc(n * sizeof *part);
    cleave_csr attributes;
    cleave_evaluate_options opt;
    cleave_evaluate_options_init(&opt, sizeof opt);
    opt.imbalance = 0;
    for (int v = 0; v < n; v++) {
        vwgt[v] = INT32_MAX;
        part[v] = v % 2;
    }
    cleave_csr_init(&attributes, sizeof attributes);
    attributes.vwgt = vwgt;
    cleave_graph *g = graph_of(CLEAVE_UNDIRECTED, n, "", &attributes);
    cleave_metrics m = evaluate(g, 2, part, &opt);
    CHECK_EQ(m.max_weight, (int64_t)INT32_MAX * (n / 2));
    CHECK_EQ(m.min_weight, m.max_weight);
    CHECK_EQ(m.balanced, 1);
    CHECK(m.imbalance == 0);
    CHECK_EQ(m.pieces, n);
    cleave_graph_free(g);
    vwgt[1] -= 2; /* part 0 is now one above the ceiling of its share */
    g = graph_of(CLEAVE_UNDIRECTED, n, "", &attributes);
    m = evaluate(g, 2, part, &opt);
    CHECK_EQ(m.balanced, 0);
    CHECK(m.imbalance > 0 && m.imbalance < 1e-13);
    cleave_graph_free(g);
    free(vwgt);
    free(part);
}

/* Parts {source i, sink i}, arcs only from sources to sinks: paths of one arc never
 * return, however cyclic the quotient.  One more vertex between source a and sink a is a
 * way back.  75 candidate parts take two words. */
static void check_way_back(int a)
{
    enum { k = 75, n = 2 * k + 1 };
    static char arcs[k * 60];
    int32_t part[n];
    size_t used = 0;
    for (int i = 0; i < k; i++) {
        part[i] = part[k + i] = i;
        used += (size_t)snprintf(arcs + used, sizeof arcs - used, "%d>%d %d>%d ", i,
                                 k + (i + 1) % k, i, k + (i + 7) % k);
    }
    part[2 * k] = k;
    if (a >= 0)
        snprintf(arcs + used, sizeof arcs - used, "%d>%d %d>%d", a, 2 * k, 2 * k, k + a);
    cleave_graph *g = graph_of(CLEAVE_DAG, n, arcs, NULL);
    cleave_metrics m = evaluate(g, k + 1, part, NULL);
    static oracle_result slow;
    oracle_rules rules = {NULL, 30, 1, 1, 11};
    cleave_csr view;
    cleave_csr_init(&view, sizeof view);
    cleave_graph_view(g, &view);
    oracle_metrics(&slow, &view, k + 1, part, &rules);
    CHECK_EQ(m.acyclic, 0);
    CHECK_EQ(m.convex, a < 0);
    CHECK_EQ(slow.metrics.convex, a < 0);
    CHECK_EQ(m.critical_path, slow.metrics.critical_path);
    CHECK_EQ(m.setups, slow.metrics.setups);
    cleave_graph_free(g);
}

static void test_convex_but_cyclic(void)
{
    check_way_back(-1);
    for (int a = 0; a < 75; a += a < 60 ? 20 : 1)
        check_way_back(a);
}

static void test_critical_path_costs(void)
{
    int32_t part[3] = {0, 0, 1};
    cleave_error err = {0};
    cleave_metrics m;
    cleave_evaluate_options opt;
    cleave_evaluate_options_init(&opt, sizeof opt);
    cleave_graph *g = graph_of(CLEAVE_DAG, 3, "0>1 1>2", NULL);
    cleave_mapping *map = mapping_of(3, 2, part);
    m = evaluate(g, 2, part, NULL);
    CHECK_EQ(m.critical_path, 3 + 1 + 11);
    opt.cost_vertex = 0;
    opt.cost_inside = 1;
    opt.cost_cut = INT64_MAX - 1;
    m = evaluate(g, 2, part, &opt);
    CHECK_EQ(m.critical_path, INT64_MAX);
    opt.cost_vertex = 1;
    cleave_metrics_init(&m, sizeof m);
    CHECK_EQ(cleave_evaluate(&m, g, map, &opt, &err), CLEAVE_ERANGE);
    CHECK(strstr(err.message, "critical path") != NULL);
    CHECK_EQ(m.parts, 0); /* nothing is written on failure */
    cleave_mapping_free(map);
    cleave_graph_free(g);
}

static void check_refused(const cleave_graph *g, const cleave_mapping *map,
                          const cleave_evaluate_options *opt, const char *why)
{
    cleave_error err = {0};
    cleave_metrics m;
    cleave_metrics_init(&m, sizeof m);
    CHECK_EQ(cleave_evaluate(&m, g, map, opt, &err), CLEAVE_EINVAL);
    CHECK_EQ(err.status, CLEAVE_EINVAL);
    CHECK_STR(err.message, why);
    CHECK_EQ(cleave_evaluate(&m, g, map, opt, NULL), CLEAVE_EINVAL);
}

static void test_wrong_options(void)
{
    int32_t part[2] = {0, 1};
    cleave_graph *g = graph_of(CLEAVE_UNDIRECTED, 2, "0-1", NULL);
    cleave_mapping *map = mapping_of(2, 2, part);
    static const double wrong_shares[][2] = {{1, -1}, {1, NAN}, {1, INFINITY}};
    static const double zero_shares[2] = {0, 0};
    static const double wrong_eps[] = {-0.01, NAN, INFINITY};
    cleave_evaluate_options opt;
    for (int i = 0; i < 3; i++) {
        cleave_evaluate_options_init(&opt, sizeof opt);
        opt.shares = wrong_shares[i];
        check_refused(g, map, &opt, "the share of part 1 is not a number >= 0");
        cleave_evaluate_options_init(&opt, sizeof opt);
        opt.imbalance = wrong_eps[i];
        check_refused(g, map, &opt, "the imbalance allowed is not a number >= 0");
        cleave_evaluate_options_init(&opt, sizeof opt);
        *(i == 0 ? &opt.cost_vertex : i == 1 ? &opt.cost_inside : &opt.cost_cut) = -1;
        check_refused(g, map, &opt, "a cost of the critical path is negative");
    }
    cleave_evaluate_options_init(&opt, sizeof opt);
    opt.shares = zero_shares;
    check_refused(g, map, &opt, "the shares of all parts are 0");
    opt.size = 0;
    cleave_metrics m;
    cleave_metrics_init(&m, sizeof m);
    CHECK_EQ(cleave_evaluate(&m, g, map, &opt, NULL), CLEAVE_EINVAL);
    cleave_mapping_free(map);
    cleave_graph_free(g);
}

static void test_wrong_arguments(void)
{
    int32_t part[3] = {0, 1, 0}, cycle[2], length;
    cleave_error err = {0};
    cleave_graph *g = graph_of(CLEAVE_UNDIRECTED, 2, "0-1", NULL);
    cleave_mapping *map = mapping_of(2, 2, part), *longer = mapping_of(3, 2, part);
    check_refused(NULL, map, NULL, "the graph is NULL");
    check_refused(g, NULL, NULL, "the mapping is NULL");
    check_refused(g, longer, NULL, "the mapping has 3 vertices but the graph has 2");
    CHECK_EQ(cleave_evaluate(NULL, g, map, NULL, &err), CLEAVE_EINVAL);
    cleave_metrics m = {.size = 0};
    CHECK_EQ(cleave_evaluate(&m, g, map, NULL, &err), CLEAVE_EINVAL);
    CHECK_EQ(cleave_evaluate_parts(g, longer, NULL, NULL, NULL, &err), CLEAVE_EINVAL);
    CHECK_EQ(cleave_evaluate_parts(NULL, map, NULL, NULL, NULL, &err), CLEAVE_EINVAL);
    CHECK_EQ(cleave_evaluate_cycle(g, longer, cycle, &length, &err), CLEAVE_EINVAL);
    CHECK_EQ(cleave_evaluate_cycle(g, map, cycle, &length, &err), CLEAVE_EINVAL);
    CHECK_EQ(cleave_evaluate_cycle(g, map, NULL, &length, &err), CLEAVE_EINVAL);
    CHECK_EQ(cleave_evaluate_cycle(g, map, cycle, NULL, &err), CLEAVE_EINVAL);
    cleave_mapping_free(map);
    cleave_mapping_free(longer);
    cleave_graph_free(g);
}

/* A caller compiled with a shorter struct gets only the fields of that struct. */
static void test_older_caller(void)
{
    int32_t part[2] = {0, 1};
    cleave_error err = {0};
    cleave_graph *g = graph_of(CLEAVE_UNDIRECTED, 2, "0-1", NULL);
    cleave_mapping *map = mapping_of(2, 2, part);
    cleave_metrics m;
    memset(&m, 0x5a, sizeof m);
    cleave_metrics_init(&m, offsetof(cleave_metrics, volume));
    CHECK_OK(cleave_evaluate(&m, g, map, NULL, &err));
    CHECK_EQ(m.cut, 1);
    CHECK_EQ(m.volume, 0x5a5a5a5a5a5a5a5a);
    CHECK_EQ(m.size, offsetof(cleave_metrics, volume));
    cleave_mapping_free(map);
    cleave_graph_free(g);
}

int main(void)
{
    RUN(test_figure);
    RUN(test_grid);
    RUN(test_bounds);
    RUN(test_shares_and_imbalance);
    RUN(test_hollow_graphs);
    RUN(test_more_parts_than_vertices);
    RUN(test_one_part_and_star);
    RUN(test_totals_near_the_limit);
    RUN(test_convex_but_cyclic);
    RUN(test_critical_path_costs);
    RUN(test_wrong_options);
    RUN(test_wrong_arguments);
    RUN(test_older_caller);
    return test_end();
}
