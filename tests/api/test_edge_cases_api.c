/* SPDX-License-Identifier: Apache-2.0 */
/* The fixed list of edge cases through every public function: no vertex, one vertex,
 * disconnected graphs, stars, large weights, zero weights, maximum weights; one part, many
 * parts, more parts than vertices.  functions.sh checks that no function that can fail is
 * missing. */
#include "api/edge_case_facts.h"
#include "support/test.h"

static cleave_error err;

/* The case at hand as a matrix. */
static oracle_graph dense;

enum { room = EDGE_ROOM };

static bool is_dag(void)
{
    return edge_csr->kind == CLEAVE_DAG;
}

/* A graph that must be the one at hand; freed. */
static void check_same(cleave_graph *g)
{
    CHECK(same_graphs(g, edge_graph));
    cleave_graph_free(g);
}

/* ---- Graphs --------------------------------------------------------------------------- */

static void graph_create(void)
{
    for (unsigned flags = 0; flags < 8; flags++) {
        cleave_csr cold = frozen_csr(edge_csr);
        cleave_graph *g;
        REQUIRE_OK(cleave_graph_create(&g, &cold, flags, &err));
        CHECK_EQ(cleave_graph_vertices(g), edge_csr->nvtx);
        CHECK_EQ(cleave_graph_edges(g), edge_csr->xadj[edge_csr->nvtx] / (is_dag() ? 1 : 2));
        check_same(g);
        thaw();
    }
}

static cleave_builder *builder(void)
{
    cleave_builder *b = NULL;
    CHECK_OK(cleave_builder_create(&b, edge_csr->kind, &err));
    return b;
}

static void builder_symmetrise(void)
{
    cleave_builder *b = builder();
    CHECK_OK(cleave_builder_symmetrise(b, "max", &err));
    cleave_builder_free(b);
}

static void builder_create(void)
{
    cleave_builder_free(builder());
}

static cleave_builder *filled_builder(void)
{
    cleave_builder *b = builder();
    for (int32_t v = 0; v < edge_csr->nvtx; v++)
        for (int64_t a = edge_csr->xadj[v]; a < edge_csr->xadj[v + 1]; a++)
            if (is_dag() || edge_csr->adj[a] > v)
                CHECK_OK(cleave_builder_add(b, 1, &v, edge_csr->adj + a,
                                            edge_csr->ewgt ? edge_csr->ewgt + a : NULL, &err));
    return b;
}

static void builder_add(void)
{
    cleave_builder_free(filled_builder());
}

static void builder_finish(void)
{
    cleave_builder *b = filled_builder();
    cleave_graph *g;
    REQUIRE_OK(cleave_builder_finish(&g, b, edge_csr->nvtx, edge_csr, &err));
    check_same(g);
    cleave_builder_free(b);
}

static void graph_topological_order(void)
{
    int32_t order[room], want[room];
    cleave_status status = cleave_graph_topological_order(edge_graph, order, &err);
    CHECK_EQ(status, is_dag() ? CLEAVE_OK : CLEAVE_EINVAL);
    if (status != CLEAVE_OK)
        return;
    oracle_order(&dense, want);
    for (int32_t i = 0; i < edge_csr->nvtx; i++)
        CHECK_EQ(order[i], want[i]);
}

static void graph_levels(void)
{
    int32_t top[room], bottom[room], alap[room], want[room], depth = -1, deepest = 0;
    cleave_status status =
        cleave_graph_levels(edge_graph, CLEAVE_LEVELS_TOP, top, &depth, &err);
    CHECK_EQ(status, is_dag() ? CLEAVE_OK : CLEAVE_EINVAL);
    if (status != CLEAVE_OK)
        return;
    CHECK_OK(cleave_graph_levels(edge_graph, CLEAVE_LEVELS_BOTTOM, bottom, NULL, &err));
    CHECK_OK(cleave_graph_levels(edge_graph, CLEAVE_LEVELS_ALAP, alap, NULL, &err));
    oracle_longest(&dense, false, want);
    for (int32_t v = 0; v < edge_csr->nvtx; v++) {
        CHECK_EQ(top[v], want[v]);
        deepest = want[v] + 1 > deepest ? want[v] + 1 : deepest;
    }
    CHECK_EQ(depth, deepest);
    oracle_longest(&dense, true, want);
    for (int32_t v = 0; v < edge_csr->nvtx; v++)
        CHECK(bottom[v] == want[v] && alap[v] == depth - 1 - want[v]);
}

static void graph_components(void)
{
    int32_t component[room], want[room], count = -1;
    REQUIRE_OK(cleave_graph_components(edge_graph, component, &count, &err));
    CHECK_EQ(count, oracle_components(&dense, want));
    for (int32_t v = 0; v < edge_csr->nvtx; v++)
        CHECK_EQ(component[v], want[v]);
}

static void strong_components(void)
{
    int32_t component[room], plain[room], count = -1, nplain;
    REQUIRE_OK(cleave_strong_components(edge_csr->nvtx, edge_csr->xadj, edge_csr->adj,
                                        component, &count, &err));
    REQUIRE_OK(cleave_graph_components(edge_graph, plain, &nplain, &err));
    CHECK_EQ(count, is_dag() ? edge_csr->nvtx : nplain);
    for (int32_t v = 0; v < edge_csr->nvtx; v++)
        for (int64_t a = edge_csr->xadj[v]; a < edge_csr->xadj[v + 1]; a++)
            CHECK(is_dag() ? component[v] < component[edge_csr->adj[a]]
                           : component[v] == component[edge_csr->adj[a]]);
}

static void graph_transpose(void)
{
    cleave_graph *turned, *back;
    REQUIRE_OK(cleave_graph_transpose(&turned, edge_graph, &err));
    REQUIRE_OK(cleave_graph_transpose(&back, turned, &err));
    check_same(back);
    cleave_csr there, here;
    cleave_csr_init(&there, sizeof there);
    cleave_csr_init(&here, sizeof here);
    cleave_graph_view(turned, &there);
    cleave_graph_view_predecessors(edge_graph, &here);
    CHECK(same_csr(&there, &here));
    cleave_graph_free(turned);
}

static void graph_subgraph(void)
{
    int32_t all[room];
    cleave_graph *g;
    for (int32_t v = 0; v < edge_csr->nvtx; v++)
        all[v] = v;
    REQUIRE_OK(cleave_graph_subgraph(&g, edge_graph, edge_csr->nvtx, all, &err));
    check_same(g);
    REQUIRE_OK(cleave_graph_subgraph(&g, edge_graph, 0, NULL, &err));
    CHECK(cleave_graph_vertices(g) == 0 && cleave_graph_edges(g) == 0);
    cleave_graph_free(g);
    for (int32_t v = 0; v < edge_csr->nvtx; v++)
        all[v] = edge_csr->nvtx - 1 - v;
    if (edge_csr->nvtx == 0)
        return;
    REQUIRE_OK(cleave_graph_subgraph(&g, edge_graph, 1, all, &err));
    CHECK(cleave_graph_vertices(g) == 1 && cleave_graph_edges(g) == 0);
    cleave_graph_free(g);
}

/* ---- Files ---------------------------------------------------------------------------- */

/* DAG formats of other programs have none. */
static bool keeps_edge_weights(const char *format)
{
    static const char *const with[] = {"metis", "mtx", "edges", "dot", "binary", "scotch"};
    for (size_t i = 0; i < sizeof with / sizeof *with; i++)
        if (strcmp(with[i], format) == 0)
            return true;
    return false;
}

static void round_trip(const char *format)
{
    cleave_write_options to;
    cleave_write_options_init(&to, sizeof to);
    to.format = format;
    const char *path = edge_scratch("edge-case");
    cleave_status status = cleave_graph_write(edge_graph, path, &to, &err);
    if (status != CLEAVE_OK) { /* not every format has DAGs, or undirected graphs */
        CHECK(status == CLEAVE_EINVAL && err.message[0]);
        CHECK(strcmp(format, "binary") != 0 && strcmp(format, "dot") != 0);
        return;
    }
    if (strcmp(format, "wfcommons") == 0 && !strstr(cleave_features(), "jansson"))
        return; /* written by ourselves, read by jansson */
    cleave_read_options from;
    cleave_read_options_init(&from, sizeof from);
    from.format = format;
    from.coords = "";
    from.as = is_dag() ? "dag" : "undirected";
    bool matrix = strcmp(format, "mtx") == 0;
    from.weights = matrix && edge_csr->ewgt ? "values" : NULL;
    cleave_graph *again;
    status = cleave_graph_read(&again, path, &from, &err);
    if (status != CLEAVE_OK)
        fprintf(stderr, "format %s\n", format);
    REQUIRE_OK(status);
    CHECK(edge_same_rows(again, edge_graph, keeps_edge_weights(format)));
    if (strcmp(format, "binary") == 0)
        CHECK(same_graphs(again, edge_graph));
    cleave_graph_free(again);
}

static void graph_read(void)
{
    int can_write;
    const char *format;
    for (int i = 0; (format = cleave_format_name(i, NULL, &can_write)); i++) {
        int before = test_failures_;
        if (can_write == 1)
            round_trip(format);
        if (test_failures_ != before)
            fprintf(stderr, "format %s\n", format);
    }
}

static void graph_write(void)
{
    /* Parts are shown where the format can. */
    int32_t part[room] = {0};
    cleave_write_options opt;
    cleave_write_options_init(&opt, sizeof opt);
    opt.part = part;
    cleave_graph *again;
    REQUIRE_OK(cleave_graph_write(edge_graph, edge_scratch("parts.dot.gz"), &opt, &err));
    REQUIRE_OK(cleave_graph_read(&again, edge_scratch("parts.dot.gz"), NULL, &err));
    CHECK_EQ(cleave_graph_edges(again), cleave_graph_edges(edge_graph));
    cleave_graph_free(again);
    /* And where they can only be shown: points need coordinates. */
    static const char *const shown[] = {"parts.vtk", "parts.vtu", "cellDecomposition"};
    for (int i = 0; i < 3; i++)
        CHECK_EQ(cleave_graph_write(edge_graph, edge_scratch(shown[i]), &opt, &err),
                 edge_csr->coords || i == 2 ? CLEAVE_OK : CLEAVE_EINVAL);
}

static void graph_write_coords(void)
{
    cleave_status status =
        cleave_graph_write_coords(edge_graph, edge_scratch("edge-case.xyz"), &err);
    CHECK_EQ(status, edge_csr->coords ? CLEAVE_OK : CLEAVE_EINVAL);
    if (status != CLEAVE_OK)
        return;
    cleave_graph *again;
    cleave_read_options opt;
    cleave_read_options_init(&opt, sizeof opt);
    opt.coords = edge_scratch("edge-case.xyz");
    opt.as = is_dag() ? "dag" : NULL;
    const char *path = edge_scratch("edge-case.clv");
    REQUIRE_OK(cleave_graph_write(edge_graph, path, NULL, &err));
    REQUIRE_OK(cleave_graph_read(&again, path, &opt, &err));
    check_same(again);
}

/* ---- Mappings and their metrics ------------------------------------------------------- */

static cleave_mapping *mapping_of(int32_t nparts, const int32_t *part)
{
    cleave_mapping *m = NULL;
    CHECK_OK(cleave_mapping_create(&m, edge_csr->nvtx, nparts, part, &err));
    return m;
}

static void mapping_create(void)
{
    int32_t nparts, part[room];
    for (int i = 0; edge_mapping(i, edge_csr->nvtx, &nparts, part); i++) {
        cleave_mapping *m = mapping_of(nparts, part);
        CHECK(cleave_mapping_vertices(m) == edge_csr->nvtx &&
              cleave_mapping_nparts(m) == nparts);
        CHECK(memcmp(cleave_mapping_parts(m), part, (size_t)edge_csr->nvtx * sizeof *part) ==
              0);
        cleave_mapping_free(m);
    }
}

static void mapping_write(void)
{
    static const char *const names[] = {"edge-case.part", "edge-case.map",
                                        "edge-case.part.gz"};
    int32_t nparts, part[room];
    for (int i = 0; edge_mapping(i, edge_csr->nvtx, &nparts, part); i++)
        for (int j = 0; j < 3; j++) {
            cleave_mapping *m = mapping_of(nparts, part), *again;
            CHECK_OK(cleave_mapping_write(m, edge_scratch(names[j]), &err));
            cleave_mapping_free(m);
            REQUIRE_OK(cleave_mapping_read(&again, edge_scratch(names[j]), edge_csr->nvtx,
                                           nparts, &err));
            CHECK_EQ(cleave_mapping_nparts(again), nparts);
            CHECK(memcmp(cleave_mapping_parts(again), part,
                         (size_t)edge_csr->nvtx * sizeof *part) == 0);
            cleave_mapping_free(again);
        }
}

/* Read back without the number of vertices. */
static void mapping_read(void)
{
    int32_t nparts, part[room];
    for (int i = 0; edge_mapping(i, edge_csr->nvtx, &nparts, part); i++) {
        cleave_mapping *m = mapping_of(nparts, part), *again;
        CHECK_OK(cleave_mapping_write(m, edge_scratch("open.part"), &err));
        cleave_mapping_free(m);
        REQUIRE_OK(cleave_mapping_read(&again, edge_scratch("open.part"), -1, -1, &err));
        CHECK_EQ(cleave_mapping_vertices(again), edge_csr->nvtx);
        CHECK(cleave_mapping_nparts(again) <= nparts);
        cleave_mapping_free(again);
    }
}

static void mapping_read_for(void)
{
    int32_t nparts, part[room];
    for (int i = 0; edge_mapping(i, edge_csr->nvtx, &nparts, part); i++) {
        cleave_mapping *m = mapping_of(nparts, part), *again;
        CHECK_OK(cleave_mapping_write(m, edge_scratch("for.map"), &err));
        REQUIRE_OK(cleave_mapping_read_for(&again, edge_scratch("for.map"), edge_graph, nparts,
                                           &err));
        CHECK_EQ(cleave_mapping_vertices(again), edge_csr->nvtx);
        CHECK(memcmp(cleave_mapping_parts(again), part,
                     (size_t)edge_csr->nvtx * sizeof *part) == 0);
        cleave_mapping_free(m);
        cleave_mapping_free(again);
    }
}

static void graph_quotient(void)
{
    int32_t nparts, part[room];
    for (int i = 0; edge_mapping(i, edge_csr->nvtx, &nparts, part); i++) {
        static oracle_graph want;
        oracle_quotient(&dense, nparts, part, &want);
        cleave_mapping *m = mapping_of(nparts, part);
        cleave_graph *q = (cleave_graph *)&err;
        cleave_status status = cleave_graph_quotient(&q, edge_graph, m, &err);
        CHECK_EQ(status, edge_quotient_status(edge_csr, &want, nparts, part));
        CHECK((q != NULL) == (status == CLEAVE_OK));
        cleave_csr view;
        cleave_csr_init(&view, sizeof view);
        cleave_graph_view(q, &view);
        CHECK_EQ(cleave_graph_vertices(q), status == CLEAVE_OK ? nparts : 0);
        for (int32_t p = 0; p < view.nvtx; p++)
            for (int64_t a = view.xadj[p]; a < view.xadj[p + 1]; a++)
                CHECK(want.arc[p][view.adj[a]] && want.wgt[p][view.adj[a]] == view.ewgt[a]);
        cleave_graph_free(q);
        cleave_mapping_free(m);
    }
}

/* Sums of 64 bits always fit: only a cycle is refused. */
static cleave_quotient *quotient_of(int32_t nparts, const int32_t *part, oracle_graph *want)
{
    oracle_quotient(&dense, nparts, part, want);
    cleave_mapping *m = mapping_of(nparts, part);
    cleave_quotient *q = (cleave_quotient *)&err;
    cleave_status status = cleave_quotient_create(&q, edge_graph, m, &err);
    CHECK_EQ(status, is_dag() && !oracle_acyclic(want) ? CLEAVE_ECYCLE : CLEAVE_OK);
    CHECK((q != NULL) == (status == CLEAVE_OK));
    cleave_mapping_free(m);
    return q;
}

static void quotient_create(void)
{
    int32_t nparts, part[room];
    for (int i = 0; edge_mapping(i, edge_csr->nvtx, &nparts, part); i++) {
        static oracle_graph want;
        cleave_quotient *q = quotient_of(nparts, part, &want);
        cleave_quotient_csr view;
        cleave_quotient_csr_init(&view, sizeof view);
        cleave_quotient_view(q, &view);
        CHECK_EQ(view.nparts, q ? nparts : 0);
        int64_t total = 0, expected = 0;
        for (int32_t p = 0; p < view.nparts; p++) {
            total += view.weight[(int64_t)p * view.ncon];
            for (int64_t a = view.xadj[p]; a < view.xadj[p + 1]; a++)
                CHECK(want.arc[p][view.adj[a]] && want.wgt[p][view.adj[a]] == view.cut[a]);
        }
        for (int32_t v = 0; q && v < edge_csr->nvtx; v++)
            expected += edge_csr->vwgt ? edge_csr->vwgt[(int64_t)v * edge_csr->ncon] : 1;
        CHECK_EQ(total, expected);
        cleave_quotient_free(q);
    }
}

static void quotient_write(void)
{
    int32_t nparts, part[room];
    for (int i = 0; edge_mapping(i, edge_csr->nvtx, &nparts, part); i++) {
        static oracle_graph want;
        cleave_quotient *q = quotient_of(nparts, part, &want);
        if (q)
            CHECK_OK(cleave_quotient_write(q, edge_scratch("quotient.dot"), NULL, &err));
        cleave_quotient_free(q);
    }
}

static void evaluate(void)
{
    int32_t nparts, part[room];
    for (int i = 0; edge_mapping(i, edge_csr->nvtx, &nparts, part); i++) {
        const cleave_metrics *want = &edge_metrics(edge_graph, nparts, part)->metrics;
        cleave_mapping *m = mapping_of(nparts, part);
        cleave_metrics got;
        cleave_metrics_init(&got, sizeof got);
        CHECK_OK(cleave_evaluate(&got, edge_graph, m, NULL, &err));
        CHECK_EQ(got.parts, nparts);
        CHECK_EQ(got.empty_parts, want->empty_parts);
        CHECK_EQ(got.cut, want->cut);
        CHECK_EQ(got.volume, want->volume);
        CHECK_EQ(got.max_volume, want->max_volume);
        CHECK(got.imbalance - want->imbalance < 1e-9 &&
              want->imbalance - got.imbalance < 1e-9);
        CHECK_EQ(got.balanced, want->balanced);
        CHECK_EQ(got.pieces, want->pieces);
        CHECK_EQ(got.setups, want->setups);
        CHECK_EQ(got.acyclic, want->acyclic);
        CHECK_EQ(got.convex, want->convex);
        CHECK_EQ(got.critical_path, want->critical_path);
        CHECK(got.min_weight == want->min_weight && got.max_weight == want->max_weight);
        cleave_mapping_free(m);
    }
}

static void evaluate_parts(void)
{
    int32_t nparts, part[room], pieces[room];
    int64_t weight[room], volume[room];
    for (int i = 0; edge_mapping(i, edge_csr->nvtx, &nparts, part); i++) {
        const oracle_result *want = edge_metrics(edge_graph, nparts, part);
        cleave_mapping *m = mapping_of(nparts, part);
        CHECK_OK(cleave_evaluate_parts(edge_graph, m, weight, volume, pieces, &err));
        for (int32_t p = 0; p < nparts; p++)
            CHECK(weight[p] == want->weight[p] && volume[p] == want->volume[p] &&
                  pieces[p] == want->pieces[p]);
        cleave_mapping_free(m);
    }
}

static void evaluate_cycle(void)
{
    int32_t nparts, part[room], cycle[room], length;
    for (int i = 0; edge_mapping(i, edge_csr->nvtx, &nparts, part); i++) {
        static oracle_graph quotient;
        oracle_quotient(&dense, nparts, part, &quotient);
        cleave_mapping *m = mapping_of(nparts, part);
        cleave_status status = cleave_evaluate_cycle(edge_graph, m, cycle, &length, &err);
        cleave_mapping_free(m);
        CHECK_EQ(status, is_dag() ? CLEAVE_OK : CLEAVE_EINVAL);
        if (status != CLEAVE_OK)
            continue;
        CHECK_EQ(length == 0, oracle_acyclic(&quotient));
        for (int32_t j = 0; j < length; j++)
            CHECK(quotient.arc[cycle[j]][cycle[(j + 1) % length]]);
    }
}

/* ---- The list ------------------------------------------------------------------------- */

static const api_test functions[] = {
    {"cleave_graph_create", graph_create},
    {"cleave_builder_create", builder_create},
    {"cleave_builder_add", builder_add},
    {"cleave_builder_finish", builder_finish},
    {"cleave_builder_symmetrise", builder_symmetrise},
    {"cleave_graph_topological_order", graph_topological_order},
    {"cleave_graph_levels", graph_levels},
    {"cleave_graph_components", graph_components},
    {"cleave_strong_components", strong_components},
    {"cleave_graph_transpose", graph_transpose},
    {"cleave_graph_subgraph", graph_subgraph},
    {"cleave_graph_read", graph_read},
    {"cleave_graph_write", graph_write},
    {"cleave_graph_write_coords", graph_write_coords},
    {"cleave_mapping_create", mapping_create},
    {"cleave_mapping_write", mapping_write},
    {"cleave_mapping_read", mapping_read},
    {"cleave_mapping_read_for", mapping_read_for},
    {"cleave_graph_quotient", graph_quotient},
    {"cleave_quotient_create", quotient_create},
    {"cleave_quotient_write", quotient_write},
    {"cleave_evaluate", evaluate},
    {"cleave_evaluate_parts", evaluate_parts},
    {"cleave_evaluate_cycle", evaluate_cycle},
    {NULL, NULL},
};

static const api_test *const lists[] = {
    functions,   edge_circuits, edge_constraints, edge_matrices,
    edge_orders, edge_runs,     edge_schedules,   edge_tasks,
};
enum { nlists = sizeof lists / sizeof *lists };

static void run_functions(const edge_case *c, const api_test *list)
{
    for (; list->name; list++) {
        int failed = test_failures_;
        list->test();
        if (test_failures_ != failed)
            fprintf(stderr, "%s: %s%s\n", list->name, c->name, is_dag() ? ", DAG" : "");
    }
}

static void run_case(const edge_case *c)
{
    int before = test_failures_;
    edge_csr = &c->csr;
    edge_matrix(&dense, edge_csr);
    REQUIRE_OK(cleave_graph_create(&edge_graph, edge_csr, 0, &err));
    for (int i = 0; i < nlists; i++)
        run_functions(c, lists[i]);
    cleave_graph_free(edge_graph);
    printf("%s %s%s\n", test_failures_ == before ? "ok" : "FAILED", c->name,
           is_dag() ? ", DAG" : "");
}

int main(int argc, char **argv)
{
    bool list = false;
    for (int i = 0; i < nlists; i++)
        list = listed(argc, argv, &lists[i]->name, sizeof *lists[i]);
    if (list)
        return EXIT_SUCCESS;
    test_file("scratch", "");
    edge_case c;
    for (int i = 0; edge_case_get(i, &c); i++) {
        run_case(&c);
        csr_free(&c.csr);
    }
    return test_end();
}
