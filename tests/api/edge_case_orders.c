/* SPDX-License-Identifier: Apache-2.0 */
/* Part of test_edge_cases_api.c: orders and splits. */
#include "api/edge_case_facts.h"

#include "support/test.h"

enum { room = EDGE_ROOM };

static cleave_error err;

static int32_t weight_of(int32_t v)
{
    return edge_csr->vwgt ? edge_csr->vwgt[(int64_t)v * edge_csr->ncon] : 1;
}

/* Vertices as numbered, or of a DAG as can be. */
static cleave_order *plain_order(void)
{
    int32_t vertex[room], weight[room];
    cleave_order *o = NULL;
    for (int32_t v = 0; v < edge_csr->nvtx; v++) {
        vertex[v] = v;
        weight[v] = weight_of(v);
    }
    if (edge_csr->kind == CLEAVE_DAG)
        CHECK_OK(cleave_graph_topological_order(edge_graph, vertex, &err));
    CHECK_OK(cleave_order_create(&o, edge_csr->nvtx, vertex, weight, &err));
    return o;
}

/* Every vertex stands at one place, and of a DAG every arc runs forward. */
static void check_line(const cleave_order *o)
{
    int32_t place[room];
    const int32_t *vertex = cleave_order_view(o);
    REQUIRE(cleave_order_vertices(o) == edge_csr->nvtx);
    for (int32_t v = 0; v < edge_csr->nvtx; v++)
        place[v] = -1;
    for (int32_t p = 0; p < edge_csr->nvtx; p++) {
        REQUIRE(vertex[p] >= 0 && vertex[p] < edge_csr->nvtx && place[vertex[p]] < 0);
        place[vertex[p]] = p;
    }
    for (int32_t v = 0; v < edge_csr->nvtx && edge_csr->kind == CLEAVE_DAG; v++)
        for (int64_t a = edge_csr->xadj[v]; a < edge_csr->xadj[v + 1]; a++)
            CHECK(place[v] < place[edge_csr->adj[a]]);
}

/* An edge that counts: without one no set has an eigenvector. */
static bool ties_vertices(void)
{
    bool ties = false;
    for (int64_t a = 0; edge_csr->nvtx > 0 && a < edge_csr->xadj[edge_csr->nvtx]; a++)
        ties = ties || !edge_csr->ewgt || edge_csr->ewgt[a] > 0;
    return ties;
}

static void order_build(void)
{
    static const char *const methods[] = {"auto",  "hci",  "zci", "rcbi",   "rsbi",
                                          "rsbi*", "topo", "nd",  "mindeg", "multilevel"};
    bool dag = edge_csr->kind == CLEAVE_DAG;
    for (int i = 0; i < 10; i++) {
        char name[16];
        cleave_order_options opt;
        cleave_order_options_init(&opt, sizeof opt);
        snprintf(name, sizeof name, "%s", methods[i]);
        if (strchr(name, '*')) {
            *strchr(name, '*') = '\0';
            opt.params = "leaves=4";
        }
        opt.method = name;
        bool by_coords =
            strcmp(name, "hci") == 0 || strcmp(name, "zci") == 0 || strcmp(name, "rcbi") == 0;
        bool can =
            (!by_coords || edge_csr->ndim > 0 || edge_csr->nvtx == 0) &&
            (!dag || (!by_coords && !strchr("rn", name[0]) && strcmp(name, "mindeg") != 0)) &&
            (dag || strcmp(name, "topo") != 0);
        cleave_order *o;
        cleave_status status = cleave_order_build(&o, edge_graph, &opt, &err);
        CHECK_EQ(status, can ? CLEAVE_OK : CLEAVE_EINVAL);
        CHECK((o != NULL) == (status == CLEAVE_OK));
        if (status == CLEAVE_OK)
            check_line(o);
        bool vectors = o && strcmp(name, "rsbi") == 0 && ties_vertices();
        CHECK_EQ(cleave_order_residual(o) >= 0, vectors);
        CHECK_EQ(cleave_order_converged(o) >= 0, vectors);
        if ((status == CLEAVE_OK) != can)
            fprintf(stderr, "%s: %s\n", name, err.message);
        cleave_order_free(o);
    }
}

static void order_create(void)
{
    cleave_order *o = plain_order();
    const int64_t *before = cleave_order_weight_before(o);
    int64_t sum = 0;
    check_line(o);
    for (int32_t p = 0; p < edge_csr->nvtx; p++) {
        CHECK_EQ(before[p], sum);
        sum += weight_of(cleave_order_view(o)[p]);
    }
    CHECK_EQ(before[edge_csr->nvtx], sum);
    CHECK_STR(cleave_order_method(o), "given");
    CHECK(cleave_order_average_crossing(o) == -1);
    cleave_order_free(o);
}

static void order_check(void)
{
    cleave_order *o = plain_order(), *one = NULL;
    int32_t zero = 0;
    CHECK_OK(cleave_order_check(o, edge_graph, &err));
    CHECK_OK(cleave_order_create(&one, 1, &zero, NULL, &err));
    CHECK_EQ(cleave_order_check(one, edge_graph, &err),
             edge_csr->nvtx == 1 ? CLEAVE_OK : CLEAVE_EINVAL);
    cleave_order_free(o);
    cleave_order_free(one);
}

static void order_complete(void)
{
    cleave_order *o = plain_order();
    CHECK_OK(cleave_order_complete(o, edge_graph, &err));
    CHECK(cleave_order_average_crossing(o) >= 0);
    CHECK_OK(cleave_order_check(o, edge_graph, &err));
    cleave_order_free(o);
}

static void order_write(void)
{
    static const char *const names[] = {"edge.order", "edge.order.gz", "edge.clo",
                                        "edge.clo.gz"};
    cleave_order *o = plain_order();
    for (int i = 0; i < 4; i++) {
        char path[4200];
        cleave_order *again;
        snprintf(path, sizeof path, "%s/%s", test_scratch(), names[i]);
        CHECK_OK(cleave_order_write(o, path, &err));
        REQUIRE_OK(cleave_order_open(&again, path, CLEAVE_TRUST, &err));
        CHECK_EQ(cleave_order_vertices(again), edge_csr->nvtx);
        cleave_order_free(again);
        REQUIRE_OK(cleave_order_read(&again, path, &err));
        CHECK_EQ(cleave_order_vertices(again), edge_csr->nvtx);
        for (int32_t p = 0; p < edge_csr->nvtx; p++)
            CHECK_EQ(cleave_order_view(again)[p], cleave_order_view(o)[p]);
        for (int32_t p = 0; p <= edge_csr->nvtx; p++)
            CHECK_EQ(cleave_order_weight_before(again)[p], cleave_order_weight_before(o)[p]);
        CHECK_STR(cleave_order_method(again), "given");
        cleave_order_free(again);
        CHECK_EQ(remove(path), 0);
    }
    cleave_order_free(o);
}

/* What the intervals of one target must be; *npes PEs. */
static void check_split(const cleave_order *o, const char *target)
{
    int32_t begin[room], end[room], covered = 0, busy = 0, used = 0;
    cleave_target *t = NULL;
    REQUIRE_OK(cleave_target_parse(&t, target, &err));
    int32_t npes = cleave_target_pes(t);
    cleave_status status = cleave_order_split(begin, end, o, t, NULL, &err);
    CHECK(status == CLEAVE_OK || status == CLEAVE_EBALANCE);
    for (int32_t pe = 0; pe < npes; pe++) {
        CHECK(begin[pe] >= 0 && begin[pe] <= end[pe] && end[pe] <= edge_csr->nvtx);
        covered += end[pe] - begin[pe];
        busy += cleave_target_speed(t, pe) > 0;
        used += end[pe] > begin[pe];
        if (cleave_target_speed(t, pe) == 0)
            CHECK_EQ(begin[pe], end[pe]);
    }
    CHECK_EQ(covered, edge_csr->nvtx);
    CHECK_EQ(used, busy < edge_csr->nvtx ? busy : edge_csr->nvtx);
    cleave_mapping *m;
    REQUIRE_OK(cleave_order_mapping(&m, o, npes, begin, end, &err));
    for (int32_t pe = 0; pe < npes; pe++)
        for (int32_t p = begin[pe]; p < end[pe]; p++)
            CHECK_EQ(cleave_mapping_parts(m)[cleave_order_view(o)[p]], pe);
    cleave_mapping_free(m);
    cleave_target_free(t);
}

static void order_split(void)
{
    static const char *const targets[] = {"1", "2", "3,2,2,1", "0,1,0,5", "60", "mesh:2x2"};
    cleave_order *o = plain_order();
    for (int i = 0; i < 6; i++)
        check_split(o, targets[i]);
    cleave_order_free(o);
}

static void order_split_refine(void)
{
    static const char *const targets[] = {"1", "2", "3,2,2,1", "0,1,0,5", "60", "mesh:2x2"};
    cleave_order *o = plain_order();
    for (int i = 0; i < 6; i++) {
        cleave_target *t = NULL;
        cleave_mapping *m;
        cleave_map_report report;
        cleave_options opt;
        cleave_options_init(&opt, sizeof opt);
        cleave_map_report_init(&report, sizeof report);
        opt.report = &report;
        REQUIRE_OK(cleave_target_parse(&t, targets[i], &err));
        cleave_status status = cleave_order_split_refine(&m, edge_graph, o, t, &opt, &err);
        CHECK(status == CLEAVE_OK || status == CLEAVE_EBALANCE);
        REQUIRE(m != NULL);
        const cleave_metrics *want =
            &edge_metrics(edge_graph, cleave_target_pes(t), cleave_mapping_parts(m))->metrics;
        CHECK_EQ(report.cut, want->cut);
        CHECK_EQ(report.volume, want->volume);
        CHECK_EQ(report.empty_parts, want->empty_parts);
        CHECK(report.acyclic != 0 && report.acyclic == want->acyclic);
        CHECK(report.residual == -1 && report.converged == -1);
        cleave_mapping_free(m);
        cleave_target_free(t);
    }
    cleave_order_free(o);
}

/* The elimination game on a matrix of bits. */
static int64_t play(const int32_t *vertex)
{
    static bool is[room][room];
    int32_t place[room];
    int64_t fill = edge_csr->nvtx;
    memset(is, 0, sizeof is);
    for (int32_t p = 0; p < edge_csr->nvtx; p++)
        place[vertex[p]] = p;
    for (int32_t v = 0; v < edge_csr->nvtx; v++)
        for (int64_t a = edge_csr->xadj[v]; a < edge_csr->xadj[v + 1]; a++)
            is[place[v]][place[edge_csr->adj[a]]] = true;
    for (int32_t k = 0; k < edge_csr->nvtx; k++)
        for (int32_t i = k + 1; i < edge_csr->nvtx; i++)
            for (int32_t j = k + 1; j < edge_csr->nvtx && is[i][k]; j++)
                is[i][j] = is[i][j] || is[k][j];
    for (int32_t k = 0; k < edge_csr->nvtx; k++)
        for (int32_t i = k + 1; i < edge_csr->nvtx; i++)
            fill += is[i][k];
    return fill;
}

static void evaluate_order(void)
{
    cleave_order *o = plain_order();
    cleave_order_metrics metrics;
    cleave_order_metrics_init(&metrics, sizeof metrics);
    bool dag = edge_csr->kind == CLEAVE_DAG;
    CHECK_EQ(cleave_evaluate_order(&metrics, edge_graph, o, &err),
             dag ? CLEAVE_EINVAL : CLEAVE_OK);
    if (!dag)
        CHECK_EQ(metrics.fill, play(cleave_order_view(o)));
    cleave_order_free(o);
}

static void separator(void)
{
    cleave_mapping *m = NULL;
    int64_t weight[3], sum[3] = {0, 0, 0};
    cleave_status status = cleave_separator(&m, edge_graph, NULL, weight, &err);
    CHECK_EQ(status, edge_csr->kind == CLEAVE_DAG ? CLEAVE_EINVAL : CLEAVE_OK);
    CHECK((m != NULL) == (status == CLEAVE_OK));
    if (!m)
        return;
    const int32_t *part = cleave_mapping_parts(m);
    CHECK_EQ(cleave_mapping_nparts(m), 3);
    for (int32_t v = 0; v < edge_csr->nvtx; v++) {
        CHECK(part[v] >= 0 && part[v] <= 2);
        sum[part[v]] += weight_of(v);
        for (int64_t a = edge_csr->xadj[v]; a < edge_csr->xadj[v + 1]; a++)
            CHECK(part[v] + part[edge_csr->adj[a]] != 1);
    }
    int64_t total = sum[0] + sum[1] + sum[2];
    for (int i = 0; i < 3; i++)
        CHECK_EQ(weight[i], sum[i]);
    for (int i = 0; i < 2; i++)
        CHECK((double)sum[i] <= 1.2 * (double)((total + 1) / 2));
    cleave_mapping_free(m);
}

const api_test edge_orders[] = {
    {"cleave_evaluate_order", evaluate_order},
    {"cleave_separator", separator},
    {"cleave_order_build", order_build},
    {"cleave_order_create", order_create},
    {"cleave_order_check", order_check},
    {"cleave_order_complete", order_complete},
    {"cleave_order_write", order_write},
    {"cleave_order_read", order_write},
    {"cleave_order_open", order_write},
    {"cleave_order_split", order_split},
    {"cleave_order_mapping", order_split},
    {"cleave_order_split_refine", order_split_refine},
    {NULL, NULL},
};
