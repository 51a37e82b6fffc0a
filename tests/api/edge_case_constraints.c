/* SPDX-License-Identifier: Apache-2.0 */
/* Part of test_edge_cases_api.c: constraints, targets, mappings and charts. */
#include "api/edge_case_facts.h"

#include "support/test.h"

enum { room = EDGE_ROOM };

static cleave_error err;

/* ---- Files --------------------------------------------------------------------------- */

static const char *write_numbers(int32_t count, const int32_t *numbers)
{
    char text[16 * room] = "", *to = text;
    for (int32_t i = 0; i < count; i++)
        to += sprintf(to, "%d\n", (int)numbers[i]);
    return test_file("edge-case.numbers", text);
}

static void fixed_read(void)
{
    int32_t nparts, part[room], fixed[room];
    for (int i = 0; edge_mapping(i, edge_csr->nvtx, &nparts, part); i++) {
        const char *path = write_numbers(edge_csr->nvtx, part);
        REQUIRE_OK(cleave_fixed_read(fixed, edge_csr->nvtx, nparts, path, &err));
        CHECK(memcmp(fixed, part, (size_t)edge_csr->nvtx * sizeof *part) == 0);
    }
}

static void shares_read(void)
{
    double shares[2 * room];
    const char *path = test_file("edge-case.shares", "0 = 1\n");
    REQUIRE_OK(cleave_shares_read(shares, edge_csr->nvtx + 1, 2, path, &err));
    CHECK(shares[0] == 1 && shares[1] == 1);
    for (int32_t p = 2; p < 2 * (edge_csr->nvtx + 1); p++)
        CHECK(shares[p] == 0);
}

static void groups_read(void)
{
    int32_t nparts, part[room], group[room];
    for (int i = 0; edge_mapping(i, edge_csr->nvtx, &nparts, part); i++) {
        const char *path = write_numbers(edge_csr->nvtx, part);
        REQUIRE_OK(cleave_groups_read(group, edge_csr->nvtx, path, &err));
        CHECK(memcmp(group, part, (size_t)edge_csr->nvtx * sizeof *part) == 0);
    }
}

static void bounds_read(void)
{
    int64_t bound[room];
    int32_t numbers[room] = {0}, nparts = edge_csr->nvtx + 1;
    for (int32_t p = 0; p < nparts; p++)
        numbers[p] = p % 2 ? -1 : INT32_MAX - p;
    REQUIRE_OK(cleave_bounds_read(bound, nparts, 1, write_numbers(nparts, numbers), &err));
    for (int32_t p = 0; p < nparts; p++)
        CHECK_EQ(bound[p], numbers[p]);
}

/* ---- Targets and mapping ------------------------------------------------------------- */

/* As many PEs as vertices, none of them needs the graph. */
static void target_parse(void)
{
    char text[16];
    cleave_target *t;
    snprintf(text, sizeof text, "%d", (int)edge_csr->nvtx);
    cleave_status status = cleave_target_parse(&t, text, &err);
    CHECK_EQ(status, edge_csr->nvtx > 0 ? CLEAVE_OK : CLEAVE_EINVAL);
    CHECK_EQ(cleave_target_pes(t), edge_csr->nvtx);
    cleave_target_free(t);
}

static void target_create(void)
{
    double speeds[room];
    cleave_target *t;
    for (int32_t pe = 0; pe <= edge_csr->nvtx; pe++)
        speeds[pe] = pe;
    cleave_status status = cleave_target_create(&t, edge_csr->nvtx + 1, speeds, &err);
    CHECK_EQ(status, edge_csr->nvtx > 0 ? CLEAVE_OK : CLEAVE_EINVAL); /* all 0 */
    CHECK(cleave_target_speed(t, edge_csr->nvtx) == edge_csr->nvtx);
    cleave_target_free(t);
}

/* The contract, checked by the oracle: constraints are met, or the status reports that they
 * are not. */
static void check_mapping(cleave_status status, const cleave_mapping *m, int32_t k,
                          const cleave_map_report *report)
{
    const int32_t *part = cleave_mapping_parts(m);
    CHECK(cleave_mapping_vertices(m) == edge_csr->nvtx && cleave_mapping_nparts(m) == k);
    const cleave_metrics *want = &edge_metrics(edge_graph, k, part)->metrics;
    CHECK_EQ(report->cut, want->cut);
    CHECK_EQ(report->volume, want->volume);
    CHECK_EQ(report->empty_parts, want->empty_parts);
    CHECK(report->imbalance - want->imbalance < 1e-9 &&
          want->imbalance - report->imbalance < 1e-9);
    CHECK_EQ(report->balanced, want->balanced);
    CHECK_EQ(want->empty_parts, k > edge_csr->nvtx ? k - edge_csr->nvtx : 0);
    CHECK_EQ(report->acyclic, edge_csr->kind == CLEAVE_DAG ? 1 : -1);
    CHECK_EQ(want->acyclic, report->acyclic);
    CHECK_EQ(report->critical_path, want->critical_path);
    CHECK_EQ(status, want->balanced ? CLEAVE_OK : CLEAVE_EBALANCE);
    CHECK((status == CLEAVE_OK) == (err.message[0] == '\0'));
}

static void map_onto(int32_t k, cleave_effort effort, const char *method)
{
    cleave_target *t;
    cleave_mapping *m = (cleave_mapping *)&err;
    cleave_options opt;
    cleave_map_report report;
    cleave_options_init(&opt, sizeof opt);
    cleave_map_report_init(&report, sizeof report);
    opt.effort = effort;
    opt.method = method;
    opt.time_limit = 0.05;
    opt.report = &report;
    REQUIRE_OK(cleave_target_create(&t, k, NULL, &err));
    memset(&err, 0, sizeof err);
    cleave_status status = cleave_map(&m, edge_graph, t, &opt, &err);
    check_mapping(status, m, k, &report);
    cleave_mapping_free(m);
    cleave_target_free(t);
}

static void map(void)
{
    const int32_t counts[] = {1, 2, 3, edge_csr->nvtx > 0 ? edge_csr->nvtx : 1,
                              edge_csr->nvtx + 3};
    for (int i = 0; i < 5; i++)
        for (int way = 0; way < (edge_csr->kind == CLEAVE_DAG ? 7 : 4); way++) {
            static const char *const methods[] = {NULL,   "multilevel", "",      NULL,
                                                  "dagp", "kernighan",  "fauzia"};
            int before = test_failures_;
            map_onto(counts[i], way < 4 ? (cleave_effort)way : CLEAVE_EFFORT_DEFAULT,
                     methods[way]);
            if (test_failures_ != before)
                fprintf(stderr, "k = %d, way %d: %s\n", (int)counts[i], way, err.message);
        }
}

/* From every mapping of the list; these need not be balanced or acyclic. */
static void remap_onto(int32_t k, const cleave_mapping *old, const char *strategy,
                       double price)
{
    cleave_target *t;
    cleave_mapping *m = (cleave_mapping *)&err;
    cleave_options options;
    cleave_remap_options opt;
    cleave_remap_report report;
    cleave_map_report map;
    cleave_options_init(&options, sizeof options);
    cleave_remap_options_init(&opt, sizeof opt);
    cleave_remap_report_init(&report, sizeof report);
    cleave_map_report_init(&map, sizeof map);
    options.effort = CLEAVE_EFFORT_FAST;
    options.report = &map;
    opt.options = &options;
    opt.strategy = strategy;
    opt.migration_price = price;
    opt.report = &report;
    REQUIRE_OK(cleave_target_create(&t, k, NULL, &err));
    memset(&err, 0, sizeof err);
    cleave_status status = cleave_remap(&m, edge_graph, old, t, &opt, &err);
    check_mapping(status, m, k, &map);
    int64_t moved = 0;
    for (int32_t v = 0; v < edge_csr->nvtx; v++)
        if (cleave_mapping_parts(m)[v] != cleave_mapping_parts(old)[v])
            moved += edge_csr->vsize ? edge_csr->vsize[v] : 1;
    CHECK_EQ(report.migration, moved);
    CHECK(moved >= report.migration_bound || status != CLEAVE_OK);
    cleave_mapping_free(m);
    cleave_target_free(t);
}

static void remap(void)
{
    static const char *const strategies[] = {NULL, "diffuse", "interval", "scratch"};
    const int32_t counts[] = {1, 2, 3, edge_csr->nvtx > 0 ? edge_csr->nvtx : 1,
                              edge_csr->nvtx + 3};
    int32_t nparts, part[room];
    for (int i = 0; edge_mapping(i, edge_csr->nvtx, &nparts, part); i++) {
        cleave_mapping *old = NULL;
        REQUIRE_OK(cleave_mapping_create(&old, edge_csr->nvtx, nparts, part, &err));
        for (int way = 0; way < 20; way++)
            remap_onto(counts[way % 5], old, strategies[way / 5], (i + way) % 3 * 0.75);
        cleave_mapping_free(old);
    }
}

/* The order of the parts that the oracle finds, or a cycle. */
static void part_order(void)
{
    int32_t nparts, part[room], order[room], want[room];
    static oracle_graph dense, quotient;
    edge_matrix(&dense, edge_csr);
    for (int i = 0; edge_mapping(i, edge_csr->nvtx, &nparts, part); i++) {
        cleave_mapping *m = NULL;
        REQUIRE_OK(cleave_mapping_create(&m, edge_csr->nvtx, nparts, part, &err));
        cleave_status status = cleave_mapping_part_order(edge_graph, m, order, &err);
        cleave_mapping_free(m);
        oracle_quotient(&dense, nparts, part, &quotient);
        bool acyclic = oracle_acyclic(&quotient);
        CHECK_EQ(status, edge_csr->kind != CLEAVE_DAG ? CLEAVE_EINVAL
                         : acyclic                    ? CLEAVE_OK
                                                      : CLEAVE_ECYCLE);
        if (status != CLEAVE_OK)
            continue;
        oracle_order(&quotient, want);
        for (int32_t p = 0; p < nparts; p++)
            CHECK_EQ(order[p], want[p]);
    }
}

/* On a line of PEs the distance is the difference of their numbers. */
static void evaluate_target(void)
{
    int32_t nparts, part[room];
    for (int i = 0; edge_mapping(i, edge_csr->nvtx, &nparts, part); i++) {
        char spec[32];
        cleave_target *t = NULL;
        cleave_mapping *m = NULL;
        cleave_target_metrics got;
        int64_t cost = 0, cut = 0;
        for (int32_t v = 0; v < edge_csr->nvtx; v++)
            for (int64_t a = edge_csr->xadj[v]; a < edge_csr->xadj[v + 1]; a++) {
                int64_t w = edge_csr->ewgt ? edge_csr->ewgt[a] : 1;
                cost += w * abs(part[v] - part[edge_csr->adj[a]]);
                cut += part[v] != part[edge_csr->adj[a]] ? w : 0;
            }
        int twice = edge_csr->kind == CLEAVE_DAG ? 1 : 2;
        snprintf(spec, sizeof spec, "mesh:%d", nparts > 0 ? (int)nparts : 1);
        REQUIRE_OK(cleave_target_parse(&t, spec, &err));
        REQUIRE_OK(cleave_mapping_create(&m, edge_csr->nvtx, nparts, part, &err));
        cleave_target_metrics_init(&got, sizeof got);
        CHECK_OK(cleave_evaluate_target(&got, edge_graph, m, t, &err));
        CHECK_EQ(got.cost, cost / twice);
        CHECK_EQ(got.cut, cut / twice);
        CHECK(got.cost_identity >= 0 && got.max_link_load <= got.cut);
        CHECK(got.max_pe_traffic <= got.cut && got.levels == 0);
        cleave_mapping_free(m);
        cleave_target_free(t);
    }
}

/* Files are read back unchanged, as far as the format allows. */
static void target_write(void)
{
    char spec[32], path[4200], back[4300];
    cleave_target *t = NULL, *again = NULL;
    int32_t n = edge_csr->nvtx > 0 ? edge_csr->nvtx : 1;
    snprintf(spec, sizeof spec, "mesh:%d", (int)n);
    snprintf(path, sizeof path, "%s/edge-case.tgt", test_scratch());
    snprintf(back, sizeof back, "scotch:%s", path);
    REQUIRE_OK(cleave_target_parse(&t, spec, &err));
    CHECK_OK(cleave_target_write(t, path, &err));
    REQUIRE_OK(cleave_target_parse(&again, back, &err));
    CHECK_EQ(cleave_target_pes(again), n);
    for (int32_t p = 0; p < n; p++)
        for (int32_t q = 0; q < n; q++)
            CHECK_EQ(cleave_target_distance(again, p, q), abs(p - q));
    CHECK_EQ(remove(path), 0);
    cleave_target_free(t);
    cleave_target_free(again);
}

/* A permutation is a partition file. */
static void launch_write(void)
{
    int32_t nparts, part[room];
    const char *path = edge_scratch("edge-case.ranks");
    for (int i = 0; edge_mapping(i, edge_csr->nvtx, &nparts, part); i++) {
        cleave_target *t = NULL;
        cleave_mapping *m = NULL, *again = NULL;
        REQUIRE_OK(cleave_target_create(&t, nparts > 0 ? nparts : 1, NULL, &err));
        REQUIRE_OK(cleave_mapping_create(&m, edge_csr->nvtx, nparts, part, &err));
        CHECK_OK(cleave_launch_write(path, "permutation", m, t, NULL, &err));
        REQUIRE_OK(cleave_mapping_read(&again, path, edge_csr->nvtx, nparts, &err));
        CHECK(memcmp(cleave_mapping_parts(again), part,
                     (size_t)edge_csr->nvtx * sizeof *part) == 0);
        CHECK_EQ(remove(path), 0);
        cleave_mapping_free(m);
        cleave_mapping_free(again);
        cleave_target_free(t);
    }
}

/* ---- Charts --------------------------------------------------------------------------- */

/* A point per vertex: its number and its degree. */
static void plot_write(void)
{
    double x[room], y[room];
    char path[4200];
    cleave_series series;
    snprintf(path, sizeof path, "%s/edge-case.svg", test_scratch());
    cleave_series_init(&series, sizeof series);
    for (int32_t v = 0; v < edge_csr->nvtx; v++) {
        x[v] = v;
        y[v] = (double)(edge_csr->xadj[v + 1] - edge_csr->xadj[v]);
    }
    series.count = edge_csr->nvtx;
    series.x = x;
    series.y = y;
    CHECK_OK(cleave_plot_write(path, 1, &series, NULL, &err));
    CHECK_OK(cleave_plot_write(path, 0, NULL, NULL, &err));
    CHECK_EQ(remove(path), 0);
}

static void plot_write_profile(void)
{
    double value[room];
    const char *path = edge_scratch("edge-case.svg");
    for (int32_t v = 0; v < edge_csr->nvtx; v++)
        value[v] = v + 1;
    cleave_status status =
        cleave_plot_write_profile(path, 1, NULL, edge_csr->nvtx, value, NULL, &err);
    CHECK_EQ(status, edge_csr->nvtx > 0 ? CLEAVE_OK : CLEAVE_EINVAL);
    CHECK_EQ(remove(path), edge_csr->nvtx > 0 ? 0 : -1);
}

/* ---- Pictures -------------------------------------------------------------------------- */

/* Of every kind, with and without parts: the file is there and not empty. */
static void view_graph(void)
{
    static const char *const names[] = {"edge.svg", "edge.html", "edge.dot"};
    int32_t part[room];
    cleave_mapping *m = NULL;
    for (int32_t v = 0; v < edge_csr->nvtx; v++)
        part[v] = v % 3;
    REQUIRE_OK(
        cleave_mapping_create(&m, edge_csr->nvtx, edge_csr->nvtx > 0 ? 3 : 0, part, &err));
    for (int i = 0; i < 6; i++) {
        const char *path = edge_scratch(names[i % 3]);
        CHECK_OK(cleave_view_graph(path, edge_graph, i < 3 ? m : NULL, NULL, NULL, &err));
        FILE *file = fopen(path, "rb");
        REQUIRE(file);
        CHECK(fgetc(file) != EOF);
        fclose(file);
        CHECK_EQ(remove(path), 0);
    }
    cleave_mapping_free(m);
}

static void view_target(void)
{
    static const char *const names[] = {"edge.svg", "edge.html"};
    int32_t part[room];
    cleave_mapping *m = NULL;
    cleave_target *t = NULL;
    for (int32_t v = 0; v < edge_csr->nvtx; v++)
        part[v] = v % 3;
    REQUIRE_OK(
        cleave_mapping_create(&m, edge_csr->nvtx, edge_csr->nvtx > 0 ? 3 : 0, part, &err));
    REQUIRE_OK(cleave_target_parse(&t, "torus:3x2", &err));
    for (int i = 0; i < 4; i++) {
        const char *path = edge_scratch(names[i % 2]);
        CHECK_OK(cleave_view_target(path, t, edge_graph, m, i < 2 ? m : NULL, NULL, &err));
        CHECK_EQ(remove(path), 0);
    }
    cleave_target_free(t);
    cleave_mapping_free(m);
}

static void view_remap(void)
{
    int32_t part[2][room];
    cleave_mapping *m[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        for (int32_t v = 0; v < edge_csr->nvtx; v++)
            part[i][v] = (v + i * (v % 2)) % 3;
        REQUIRE_OK(cleave_mapping_create(&m[i], edge_csr->nvtx, edge_csr->nvtx > 0 ? 3 : 0,
                                         part[i], &err));
    }
    for (int i = 0; i < 2; i++) {
        char path[4200];
        snprintf(path, sizeof path, "%s/edge.%s", test_scratch(), i ? "html" : "svg");
        CHECK_OK(cleave_view_remap(path, edge_graph, m[0], m[1], NULL, &err));
        CHECK_EQ(remove(path), 0);
    }
    cleave_mapping_free(m[0]);
    cleave_mapping_free(m[1]);
}

const api_test edge_constraints[] = {
    {"cleave_view_remap", view_remap},
    {"cleave_fixed_read", fixed_read},
    {"cleave_groups_read", groups_read},
    {"cleave_bounds_read", bounds_read},
    {"cleave_shares_read", shares_read},
    {"cleave_target_parse", target_parse},
    {"cleave_target_create", target_create},
    {"cleave_map", map},
    {"cleave_remap", remap},
    {"cleave_mapping_part_order", part_order},
    {"cleave_evaluate_target", evaluate_target},
    {"cleave_target_write", target_write},
    {"cleave_launch_write", launch_write},
    {"cleave_view_graph", view_graph},
    {"cleave_view_target", view_target},
    {"cleave_plot_write", plot_write},
    {"cleave_plot_write_profile", plot_write_profile},
    {NULL, NULL},
};
