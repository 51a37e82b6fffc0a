/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments that must not be NULL, or are out of range: CLEAVE_EINVAL, a sentence, *out
 * NULL, and the same without a place for the sentence.  One function per public function
 * that can fail; functions.sh checks that none is missing. */
#include "api/api_support.h"
#include "api/null_circuit.h"
#include "api/null_map.h"
#include "api/null_matrix.h"
#include "api/null_order.h"
#include "api/null_run.h"
#include "api/null_schedule.h"
#include "api/null_target.h"
#include "api/null_view.h"
#include "api/refused.h"

static cleave_error err;
static cleave_graph *undirected, *dag, *none;
static cleave_mapping *mapping, *shorter;
static cleave_matrix *matrix;
static int32_t ints[64];
static int64_t longs[64];

static void graph_create(void)
{
    cleave_graph *g;
    cleave_csr csr = make_grid(CLEAVE_UNDIRECTED, 2), bad = csr;
    REFUSED(cleave_graph_create(NULL, &csr, 0, e), "out is NULL");
    REFUSED_OUT(cleave_graph, g, cleave_graph_create(&g, NULL, 0, e), "csr is NULL");
    bad.xadj = NULL;
    REFUSED_OUT(cleave_graph, g, cleave_graph_create(&g, &bad, 0, e), "csr.xadj is NULL");
    bad = csr;
    bad.adj = NULL;
    REFUSED_OUT(cleave_graph, g, cleave_graph_create(&g, &bad, 0, e), "csr.adj is NULL");
    bad = csr;
    bad.size = 0;
    REFUSED_OUT(cleave_graph, g, cleave_graph_create(&g, &bad, 0, e),
                "csr.size is 0; call its _init function first");
    csr_free(&csr);
}

static void builder_create(void)
{
    cleave_builder *b;
    REFUSED(cleave_builder_create(NULL, CLEAVE_DAG, e), "out is NULL");
    REFUSED_OUT(cleave_builder, b, cleave_builder_create(&b, (cleave_kind)2, e),
                "2 is not a kind of graph");
}

static void builder_add(void)
{
    cleave_builder *b;
    REQUIRE_OK(cleave_builder_create(&b, CLEAVE_DAG, &err));
    REFUSED(cleave_builder_add(NULL, 1, ints, ints, NULL, e), "builder is NULL");
    REFUSED(cleave_builder_add(b, 1, NULL, ints, NULL, e), "tail or head is NULL");
    REFUSED(cleave_builder_add(b, 1, ints, NULL, NULL, e), "tail or head is NULL");
    REFUSED(cleave_builder_add(b, -1, ints, ints, NULL, e), "count is negative");
    CHECK_OK(cleave_builder_add(b, 0, NULL, NULL, NULL, &err));
    cleave_builder_free(b);
}

static void builder_finish(void)
{
    cleave_builder *b;
    cleave_graph *g;
    REQUIRE_OK(cleave_builder_create(&b, CLEAVE_DAG, &err));
    REFUSED(cleave_builder_finish(NULL, b, -1, NULL, e), "out is NULL");
    REFUSED_OUT(cleave_graph, g, cleave_builder_finish(&g, NULL, -1, NULL, e),
                "builder is NULL");
    REFUSED_OUT(cleave_graph, g, cleave_builder_finish(&g, b, -2, NULL, e),
                "nvtx is -2, outside 0..2147483646");
    REFUSED_OUT(cleave_graph, g, cleave_builder_finish(&g, b, INT32_MAX, NULL, e),
                "nvtx is 2147483647, outside 0..2147483646");
    cleave_builder_free(b);
}

static void builder_symmetrise(void)
{
    cleave_builder *b;
    REQUIRE_OK(cleave_builder_create(&b, CLEAVE_UNDIRECTED, &err));
    REFUSED(cleave_builder_symmetrise(NULL, "sum", e), "builder is NULL");
    REFUSED(cleave_builder_symmetrise(b, "min", e),
            "symmetrise is \"min\", which is none of refuse, sum, max");
    CHECK_OK(cleave_builder_symmetrise(b, NULL, NULL));
    cleave_builder_free(b);
}

static void graph_topological_order(void)
{
    REFUSED(cleave_graph_topological_order(NULL, ints, e), "the graph is NULL");
    REFUSED(cleave_graph_topological_order(dag, NULL, e), "order is NULL");
    REFUSED(cleave_graph_topological_order(undirected, ints, e),
            "an undirected graph has no topological order");
}

static void graph_levels(void)
{
    cleave_levels top = CLEAVE_LEVELS_TOP;
    REFUSED(cleave_graph_levels(NULL, top, ints, ints, e), "the graph is NULL");
    REFUSED(cleave_graph_levels(dag, top, NULL, ints, e), "level is NULL");
    REFUSED(cleave_graph_levels(dag, (cleave_levels)3, ints, ints, e),
            "there are no levels of kind 3");
    REFUSED(cleave_graph_levels(undirected, top, ints, ints, e),
            "an undirected graph has no levels");
    CHECK_OK(cleave_graph_levels(dag, top, ints, NULL, &err));
    CHECK_OK(cleave_graph_levels(none, top, NULL, NULL, &err));
}

static void graph_components(void)
{
    REFUSED(cleave_graph_components(NULL, ints, ints, e), "the graph is NULL");
    REFUSED(cleave_graph_components(dag, NULL, ints, e), "component is NULL");
    REFUSED(cleave_graph_components(dag, ints, NULL, e), "ncomponents is NULL");
    CHECK_OK(cleave_graph_components(none, NULL, ints, &err));
}

static void strong_components(void)
{
    static const int64_t xadj[] = {0, 1}, late[] = {1, 1}, falling[] = {0, 1, 0};
    static const int32_t adj[] = {0}, far[] = {1};
    int32_t *c = ints, count;
    REFUSED(cleave_strong_components(-1, xadj, adj, c, &count, e),
            "a graph cannot have -1 vertices");
    REFUSED(cleave_strong_components(1, NULL, adj, c, &count, e), "xadj is NULL");
    REFUSED(cleave_strong_components(1, xadj, NULL, c, &count, e), "adj is NULL");
    REFUSED(cleave_strong_components(1, xadj, adj, NULL, &count, e), "component is NULL");
    REFUSED(cleave_strong_components(1, xadj, adj, c, NULL, e), "ncomponents is NULL");
    REFUSED(cleave_strong_components(1, late, adj, c, &count, e), "xadj[0] is 1, not 0");
    REFUSED(cleave_strong_components(2, falling, adj, c, &count, e),
            "xadj[2] is 0, less than xadj[1]");
    REFUSED(cleave_strong_components(1, xadj, far, c, &count, e),
            "vertex 0 has an arc to 1, but there are 1 vertices");
    CHECK_OK(cleave_strong_components(0, NULL, NULL, NULL, &count, &err));
    CHECK_EQ(count, 0);
}

static void graph_transpose(void)
{
    cleave_graph *g;
    REFUSED(cleave_graph_transpose(NULL, dag, e), "out is NULL");
    REFUSED_OUT(cleave_graph, g, cleave_graph_transpose(&g, NULL, e), "the graph is NULL");
}

static void graph_subgraph(void)
{
    static const int32_t far[] = {0, 4}, negative[] = {-1}, twice[] = {2, 1, 2};
    cleave_graph *g;
    REFUSED(cleave_graph_subgraph(NULL, dag, 1, ints, e), "out is NULL");
    REFUSED_OUT(cleave_graph, g, cleave_graph_subgraph(&g, NULL, 1, ints, e),
                "the graph is NULL");
    REFUSED_OUT(cleave_graph, g, cleave_graph_subgraph(&g, dag, 1, NULL, e),
                "vertices is NULL");
    REFUSED_OUT(cleave_graph, g, cleave_graph_subgraph(&g, dag, -1, ints, e),
                "a subgraph cannot have -1 vertices");
    g = POISON(cleave_graph);
    CHECK_EQ(cleave_graph_subgraph(&g, dag, 2, far, &err), CLEAVE_EINVAL);
    CHECK(g == NULL && strstr(err.message, "4") != NULL);
    CHECK_EQ(cleave_graph_subgraph(&g, dag, 1, negative, NULL), CLEAVE_EINVAL);
    CHECK_EQ(cleave_graph_subgraph(&g, dag, 3, twice, &err), CLEAVE_EINVAL);
    CHECK(g == NULL && strstr(err.message, "2") != NULL);
}

static void graph_read(void)
{
    cleave_graph *g;
    cleave_read_options opt;
    const char *path = test_file("null.graph", "1 0\n\n");
    REFUSED(cleave_graph_read(NULL, path, NULL, e), "out is NULL");
    REFUSED_OUT(cleave_graph, g, cleave_graph_read(&g, NULL, NULL, e), "path is NULL");
    cleave_read_options_init(&opt, sizeof opt);
    opt.size = 3;
    REFUSED_OUT(cleave_graph, g, cleave_graph_read(&g, path, &opt, e),
                "opt.size is 3; call its _init function first");
    cleave_read_options_init(&opt, sizeof opt);
    opt.threads = -1;
    REFUSED_OUT(cleave_graph, g, cleave_graph_read(&g, path, &opt, e), "threads is -1");
    cleave_read_options_init(&opt, sizeof opt);
    opt.scale = 0;
    REFUSED_OUT(cleave_graph, g, cleave_graph_read(&g, path, &opt, e),
                "scale is not a positive number");
    cleave_read_options_init(&opt, sizeof opt);
    opt.format = "papyrus";
    REFUSED_OUT(cleave_graph, g, cleave_graph_read(&g, path, &opt, e),
                "there is no format \"papyrus\"");
    cleave_read_options_init(&opt, sizeof opt);
    opt.as = "tree";
    REFUSED_OUT(cleave_graph, g, cleave_graph_read(&g, path, &opt, e),
                "as is \"tree\", which is none of auto, undirected, dag, lower, upper");
    cleave_read_options_init(&opt, sizeof opt);
    opt.symmetrise = "min";
    REFUSED_OUT(cleave_graph, g, cleave_graph_read(&g, path, &opt, e),
                "symmetrise is \"min\", which is none of refuse, sum, max");
    cleave_read_options_init(&opt, sizeof opt);
    opt.weights = "all";
    REFUSED_OUT(cleave_graph, g, cleave_graph_read(&g, path, &opt, e),
                "weights is \"all\", which is none of file, values, none");
}

static void graph_write(void)
{
    cleave_write_options opt;
    char path[4200];
    snprintf(path, sizeof path, "%s/never.graph", test_scratch());
    REFUSED(cleave_graph_write(NULL, path, NULL, e), "graph is NULL");
    REFUSED(cleave_graph_write(dag, NULL, NULL, e), "path is NULL");
    cleave_write_options_init(&opt, sizeof opt);
    opt.format = "papyrus";
    REFUSED(cleave_graph_write(dag, path, &opt, e), "there is no format \"papyrus\"");
    opt.format = "metis";
    opt.encoding = "raw";
    REFUSED(cleave_graph_write(dag, path, &opt, e),
            "place, encoding and mesh_file are for vtk and vtu, not for \"metis\"");
    opt.format = "vtk";
    opt.encoding = "base64";
    REFUSED(cleave_graph_write(dag, path, &opt, e),
            "encoding \"base64\" is for vtu, not for \"vtk\"");
    opt.encoding = "morse";
    REFUSED(cleave_graph_write(dag, path, &opt, e),
            "encoding is \"morse\", which is none of ascii, base64, raw");
    opt.encoding = NULL;
    opt.mesh = "primal";
    REFUSED(cleave_graph_write(dag, path, &opt, e),
            "mesh is \"primal\", which is none of dual, nodal");
    opt.format = "openfoam";
    opt.mesh = NULL;
    REFUSED(cleave_graph_write(dag, path, &opt, e),
            "format \"openfoam\" holds parts, and none were given");
    opt.size = 0;
    REFUSED(cleave_graph_write(dag, path, &opt, e),
            "opt.size is 0; call its _init function first");
    REFUSED(cleave_graph_write(dag, "never.papyrus", NULL, e),
            "the name \"never.papyrus\" does not tell the format to write");
    FILE *file = fopen(path, "r");
    CHECK(file == NULL);
}

static void graph_write_coords(void)
{
    REFUSED(cleave_graph_write_coords(NULL, "x", e), "graph is NULL");
    REFUSED(cleave_graph_write_coords(dag, NULL, e), "path is NULL");
    REFUSED(cleave_graph_write_coords(none, "x", e), "the graph has no coordinates");
}

static void mapping_create(void)
{
    cleave_mapping *m;
    REFUSED(cleave_mapping_create(NULL, 1, 1, ints, e), "out is NULL");
    REFUSED_OUT(cleave_mapping, m, cleave_mapping_create(&m, 1, 1, NULL, e), "part is NULL");
    REFUSED_OUT(cleave_mapping, m, cleave_mapping_create(&m, -1, 1, ints, e),
                "a mapping cannot have -1 vertices");
}

static void mapping_read(void)
{
    cleave_mapping *m;
    REFUSED(cleave_mapping_read(NULL, "x", -1, -1, e), "out is NULL");
    REFUSED_OUT(cleave_mapping, m, cleave_mapping_read(&m, NULL, -1, -1, e), "path is NULL");
}

static void mapping_read_for(void)
{
    cleave_mapping *m;
    REFUSED(cleave_mapping_read_for(NULL, "x", undirected, -1, e), "out is NULL");
    REFUSED_OUT(cleave_mapping, m, cleave_mapping_read_for(&m, NULL, undirected, -1, e),
                "path is NULL");
    REFUSED_OUT(cleave_mapping, m, cleave_mapping_read_for(&m, "x", NULL, -1, e),
                "the graph is NULL");
    REFUSED_OUT(cleave_mapping, m, cleave_mapping_read_for(&m, "x", undirected, -2, e),
                "a mapping cannot have -2 parts");
}

static void mapping_write(void)
{
    REFUSED(cleave_mapping_write(NULL, "x", e), "the mapping is NULL");
    REFUSED(cleave_mapping_write(mapping, NULL, e), "path is NULL");
}

static void graph_quotient(void)
{
    cleave_graph *g;
    REFUSED(cleave_graph_quotient(NULL, dag, mapping, e), "out is NULL");
    REFUSED_OUT(cleave_graph, g, cleave_graph_quotient(&g, NULL, mapping, e),
                "the graph is NULL");
    REFUSED_OUT(cleave_graph, g, cleave_graph_quotient(&g, dag, NULL, e),
                "the mapping is NULL");
    REFUSED_OUT(cleave_graph, g, cleave_graph_quotient(&g, dag, shorter, e),
                "the mapping is of 3 vertices, but the graph has 4");
}

static void quotient_create(void)
{
    CHECK_EQ(null_quotient_create(dag, mapping, shorter), 0);
}

static void quotient_write(void)
{
    CHECK_EQ(null_quotient_write(undirected, mapping), 0);
}

static void evaluate(void)
{
    cleave_metrics metrics;
    cleave_evaluate_options opt;
    cleave_metrics_init(&metrics, sizeof metrics);
    cleave_evaluate_options_init(&opt, sizeof opt);
    REFUSED(cleave_evaluate(NULL, dag, mapping, NULL, e),
            "metrics needs cleave_metrics_init first");
    REFUSED(cleave_evaluate(&metrics, NULL, mapping, NULL, e), "the graph is NULL");
    REFUSED(cleave_evaluate(&metrics, dag, NULL, NULL, e), "the mapping is NULL");
    REFUSED(cleave_evaluate(&metrics, dag, shorter, NULL, e),
            "the mapping has 3 vertices but the graph has 4");
    opt.imbalance = -1;
    REFUSED(cleave_evaluate(&metrics, dag, mapping, &opt, e),
            "the imbalance allowed is not a number >= 0");
    opt.size = 0;
    REFUSED(cleave_evaluate(&metrics, dag, mapping, &opt, e),
            "cleave_evaluate_options.size is 0; call its _init function first");
    metrics.size = 0;
    REFUSED(cleave_evaluate(&metrics, dag, mapping, NULL, e),
            "metrics needs cleave_metrics_init first");
}

static void evaluate_parts(void)
{
    REFUSED(cleave_evaluate_parts(NULL, mapping, longs, longs, ints, e), "the graph is NULL");
    REFUSED(cleave_evaluate_parts(dag, NULL, longs, longs, ints, e), "the mapping is NULL");
    REFUSED(cleave_evaluate_parts(dag, shorter, longs, longs, ints, e),
            "the mapping has 3 vertices but the graph has 4");
    CHECK_OK(cleave_evaluate_parts(dag, mapping, NULL, NULL, NULL, &err));
}

static void evaluate_cycle(void)
{
    int32_t length;
    REFUSED(cleave_evaluate_cycle(NULL, mapping, ints, &length, e), "the graph is NULL");
    REFUSED(cleave_evaluate_cycle(dag, NULL, ints, &length, e), "the mapping is NULL");
    REFUSED(cleave_evaluate_cycle(dag, mapping, NULL, &length, e), "cycle is NULL");
    REFUSED(cleave_evaluate_cycle(dag, mapping, ints, NULL, e), "length is NULL");
    REFUSED(cleave_evaluate_cycle(dag, shorter, ints, &length, e),
            "the mapping has 3 vertices but the graph has 4");
    REFUSED(cleave_evaluate_cycle(undirected, mapping, ints, &length, e),
            "only the mapping of a DAG can have a cycle");
}

static void fixed_read(void)
{
    CHECK_EQ(null_fixed_read(), 0);
}

static void shares_read(void)
{
    CHECK_EQ(null_shares_read(), 0);
}

static void groups_read(void)
{
    CHECK_EQ(null_groups_read(), 0);
}

static void bounds_read(void)
{
    CHECK_EQ(null_bounds_read(), 0);
}

static void view_graph(void)
{
    CHECK_EQ(null_view_graph(), 0);
}

static void view_target(void)
{
    CHECK_EQ(null_view_target(), 0);
}

static void view_schedule(void)
{
    CHECK_EQ(null_view_schedule(), 0);
}

static void view_remap(void)
{
    CHECK_EQ(null_view_remap(), 0);
}

static void plot_write(void)
{
    CHECK_EQ(null_plot_write(), 0);
}

static void plot_write_profile(void)
{
    CHECK_EQ(null_plot_write_profile(), 0);
}

static void part_order(void)
{
    CHECK_EQ(null_part_order(undirected, dag), 0);
}

static void map(void)
{
    CHECK_EQ(null_map(undirected, dag), 0);
}

static void graph_generate(void)
{
    CHECK_EQ(null_graph_generate(), 0);
}

static void graph_factor(void)
{
    CHECK_EQ(null_graph_factor(undirected, dag), 0);
}

static void matrix_factor(void)
{
    cleave_matrix *a;
    REFUSED(cleave_matrix_factor(NULL, undirected, NULL, NULL, 1, e), "out is NULL");
    REFUSED_OUT(cleave_matrix, a, cleave_matrix_factor(&a, NULL, NULL, NULL, 1, e),
                "the graph is NULL");
    REFUSED_OUT(cleave_matrix, a, cleave_matrix_factor(&a, dag, NULL, NULL, 1, e),
                "a DAG has no factor; an undirected graph has");
}

static const null_function functions[] = {
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
    {"cleave_mapping_read", mapping_read},
    {"cleave_mapping_read_for", mapping_read_for},
    {"cleave_mapping_write", mapping_write},
    {"cleave_graph_quotient", graph_quotient},
    {"cleave_quotient_create", quotient_create},
    {"cleave_quotient_write", quotient_write},
    {"cleave_evaluate", evaluate},
    {"cleave_evaluate_parts", evaluate_parts},
    {"cleave_evaluate_cycle", evaluate_cycle},
    {"cleave_fixed_read", fixed_read},
    {"cleave_groups_read", groups_read},
    {"cleave_bounds_read", bounds_read},
    {"cleave_shares_read", shares_read},
    {"cleave_map", map},
    {"cleave_mapping_part_order", part_order},
    {"cleave_view_graph", view_graph},
    {"cleave_view_target", view_target},
    {"cleave_view_schedule", view_schedule},
    {"cleave_view_remap", view_remap},
    {"cleave_plot_write", plot_write},
    {"cleave_plot_write_profile", plot_write_profile},
    {"cleave_graph_generate", graph_generate},
    {"cleave_graph_factor", graph_factor},
    {"cleave_matrix_factor", matrix_factor},
};
enum { nfunctions = sizeof functions / sizeof *functions };

/* ---- Functions that cannot fail ------------------------------------------------------- */

static void test_nothing_to_free(void)
{
    cleave_graph_free(NULL);
    cleave_builder_free(NULL);
    null_target_silent();
    null_order_silent();
    null_run_silent();
    null_circuit_silent();
    null_schedule_silent();
    cleave_mapping_free(NULL);
    cleave_matrix_free(NULL);
    CHECK_EQ(null_map_silent(), 0);
}

static void test_nothing_to_look_at(void)
{
    cleave_csr view;
    cleave_csr_init(&view, sizeof view);
    cleave_source source;
    source.size = sizeof source;
    source.format = "x";
    cleave_matrix_csr rows = {.size = sizeof rows, .nrow = 5};
    CHECK_EQ(cleave_graph_vertices(NULL), 0);
    CHECK_EQ(cleave_graph_edges(NULL), 0);
    CHECK_EQ(cleave_graph_kind(NULL), CLEAVE_UNDIRECTED);
    CHECK(cleave_graph_name(NULL, 0) == NULL);
    view.nvtx = 3;
    cleave_graph_view(NULL, &view);
    CHECK(view.nvtx == 0 && view.xadj == NULL);
    view.nvtx = 3;
    cleave_graph_view_predecessors(NULL, &view);
    CHECK(view.nvtx == 0 && view.xadj == NULL);
    cleave_graph_source(NULL, &source);
    CHECK(source.format == NULL);
    cleave_matrix_view(NULL, &rows);
    CHECK(rows.nrow == 0 && rows.xadj == NULL);
    CHECK_EQ(cleave_mapping_vertices(NULL), 0);
    CHECK_EQ(cleave_mapping_nparts(NULL), 0);
    CHECK(cleave_mapping_parts(NULL) == NULL);
}

static void test_nowhere_to_write(void)
{
    cleave_csr_init(NULL, sizeof(cleave_csr));
    cleave_repairs_init(NULL, sizeof(cleave_repairs));
    cleave_read_options_init(NULL, sizeof(cleave_read_options));
    cleave_write_options_init(NULL, sizeof(cleave_write_options));
    cleave_evaluate_options_init(NULL, sizeof(cleave_evaluate_options));
    cleave_metrics_init(NULL, sizeof(cleave_metrics));
    cleave_generate_options_init(NULL, sizeof(cleave_generate_options));
    cleave_graph_view(dag, NULL);
    cleave_graph_view_predecessors(dag, NULL);
    cleave_graph_source(dag, NULL);
    cleave_matrix_view(matrix, NULL);
    CHECK(cleave_format_name(0, NULL, NULL) != NULL);
    CHECK(cleave_generator_name(0, NULL, NULL) != NULL);
    CHECK(cleave_format_name(-1, NULL, NULL) == NULL);
    CHECK(cleave_generator_name(1000, NULL, NULL) == NULL);
}

static void make_objects(void)
{
    static const int64_t xadj[] = {0, 1};
    static const double val[] = {2.5};
    cleave_csr csr = make_grid(CLEAVE_UNDIRECTED, 2), empty = {.size = sizeof empty};
    empty.ncon = 1;
    empty.xadj = longs;
    empty.kind = CLEAVE_DAG;
    CHECK_OK(cleave_graph_create(&undirected, &csr, 0, &err));
    csr_free(&csr);
    csr = make_grid(CLEAVE_DAG, 2);
    CHECK_OK(cleave_graph_create(&dag, &csr, 0, &err));
    csr_free(&csr);
    CHECK_OK(cleave_graph_create(&none, &empty, 0, &err));
    CHECK_OK(cleave_mapping_create(&mapping, 4, 2, ints, &err));
    CHECK_OK(cleave_mapping_create(&shorter, 3, 2, ints, &err));
    cleave_matrix_csr rows = {sizeof rows, 1, 1, xadj, ints, val};
    CHECK_OK(cleave_matrix_create(&matrix, &rows, &err));
}

static void run(const null_function *list, int count)
{
    for (int i = 0; i < count; i++) {
        int before = test_failures_;
        list[i].test();
        printf("%s %s\n", test_failures_ == before ? "ok" : "FAILED", list[i].name);
    }
}

/* Those in other files. */
static const null_function *(*const others[])(int *count) = {
    null_circuit_functions, null_matrix_functions, null_target_functions,
    null_order_functions,   null_run_functions,    null_schedule_functions,
};
enum { nothers = sizeof others / sizeof *others };

int main(int argc, char **argv)
{
    int more;
    bool list = listed(argc, argv, nfunctions, &functions[0].name, sizeof functions[0]);
    for (int i = 0; i < nothers; i++) {
        const null_function *of = others[i](&more);
        listed(argc, argv, more, &of[0].name, sizeof of[0]);
    }
    if (list)
        return EXIT_SUCCESS;
    make_objects();
    run(functions, nfunctions);
    for (int i = 0; i < nothers; i++) {
        const null_function *of = others[i](&more);
        run(of, more);
    }
    RUN(test_nothing_to_free);
    RUN(test_nothing_to_look_at);
    RUN(test_nowhere_to_write);
    cleave_graph_free(undirected);
    cleave_graph_free(dag);
    cleave_graph_free(none);
    cleave_mapping_free(mapping);
    cleave_mapping_free(shorter);
    cleave_matrix_free(matrix);
    return test_end();
}
