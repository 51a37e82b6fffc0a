/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments that must not be NULL or are out of range: CLEAVE_EINVAL, a message, *out NULL,
 * and the same with err NULL.  One function per public function that can fail; functions.sh
 * checks that none is missing. */
#include "api/null_call.h"

cleave_graph *null_grid, *null_dag;
cleave_mapping *null_mapping, *null_shorter;
int64_t null_poison;

static cleave_error err;
static cleave_graph *none;
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
            "symmetrise is \"min\"; expected one of refuse, sum, max");
    CHECK_OK(cleave_builder_symmetrise(b, NULL, NULL));
    cleave_builder_free(b);
}

static void graph_topological_order(void)
{
    REFUSED(cleave_graph_topological_order(NULL, ints, e), "the graph is NULL");
    REFUSED(cleave_graph_topological_order(null_dag, NULL, e), "order is NULL");
    REFUSED(cleave_graph_topological_order(null_grid, ints, e),
            "an undirected graph has no topological order");
}

static void graph_levels(void)
{
    cleave_levels top = CLEAVE_LEVELS_TOP;
    REFUSED(cleave_graph_levels(NULL, top, ints, ints, e), "the graph is NULL");
    REFUSED(cleave_graph_levels(null_dag, top, NULL, ints, e), "level is NULL");
    REFUSED(cleave_graph_levels(null_dag, (cleave_levels)3, ints, ints, e),
            "unknown kind of levels 3");
    REFUSED(cleave_graph_levels(null_grid, top, ints, ints, e),
            "an undirected graph has no levels");
    CHECK_OK(cleave_graph_levels(null_dag, top, ints, NULL, &err));
    CHECK_OK(cleave_graph_levels(none, top, NULL, NULL, &err));
}

static void graph_components(void)
{
    REFUSED(cleave_graph_components(NULL, ints, ints, e), "the graph is NULL");
    REFUSED(cleave_graph_components(null_dag, NULL, ints, e), "component is NULL");
    REFUSED(cleave_graph_components(null_dag, ints, NULL, e), "ncomponents is NULL");
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
    REFUSED(cleave_graph_transpose(NULL, null_dag, e), "out is NULL");
    REFUSED_OUT(cleave_graph, g, cleave_graph_transpose(&g, NULL, e), "the graph is NULL");
}

static void graph_subgraph(void)
{
    static const int32_t far[] = {0, 4}, negative[] = {-1}, twice[] = {2, 1, 2};
    cleave_graph *g;
    REFUSED(cleave_graph_subgraph(NULL, null_dag, 1, ints, e), "out is NULL");
    REFUSED_OUT(cleave_graph, g, cleave_graph_subgraph(&g, NULL, 1, ints, e),
                "the graph is NULL");
    REFUSED_OUT(cleave_graph, g, cleave_graph_subgraph(&g, null_dag, 1, NULL, e),
                "vertices is NULL");
    REFUSED_OUT(cleave_graph, g, cleave_graph_subgraph(&g, null_dag, -1, ints, e),
                "a subgraph cannot have -1 vertices");
    g = POISON(cleave_graph);
    CHECK_EQ(cleave_graph_subgraph(&g, null_dag, 2, far, &err), CLEAVE_EINVAL);
    CHECK(g == NULL && strstr(err.message, "4") != NULL);
    CHECK_EQ(cleave_graph_subgraph(&g, null_dag, 1, negative, NULL), CLEAVE_EINVAL);
    CHECK_EQ(cleave_graph_subgraph(&g, null_dag, 3, twice, &err), CLEAVE_EINVAL);
    CHECK(g == NULL && strstr(err.message, "2") != NULL);
}

static void graph_read(void)
{
    cleave_graph *g;
    cleave_read_options opt;
    const char *path = test_file("null.graph", "1 0\n\n");
    REFUSED(cleave_graph_read(NULL, path, NULL, e), "out is NULL");
    REFUSED_OUT(cleave_graph, g, cleave_graph_read(&g, NULL, NULL, e), "path is NULL");
#define BAD_OPTION(field, value, text)                                                        \
    REFUSED_OPTION(cleave_graph, g, cleave_read_options_init, field, value,                   \
                   cleave_graph_read(&g, path, &opt, e), text)
    BAD_OPTION(size, 3, "opt.size is 3; call its _init function first");
    BAD_OPTION(threads, -1, "threads is -1");
    BAD_OPTION(scale, 0, "scale is not a positive number");
    BAD_OPTION(format, "papyrus", "unknown format \"papyrus\"");
    BAD_OPTION(as, "tree",
               "as is \"tree\"; expected one of auto, undirected, dag, lower, upper");
    BAD_OPTION(symmetrise, "min", "symmetrise is \"min\"; expected one of refuse, sum, max");
    BAD_OPTION(weights, "all", "weights is \"all\"; expected one of file, values, none");
#undef BAD_OPTION
}

static void graph_write(void)
{
    cleave_write_options opt;
    char path[4200];
    snprintf(path, sizeof path, "%s/never.graph", test_scratch());
    REFUSED(cleave_graph_write(NULL, path, NULL, e), "graph is NULL");
    REFUSED(cleave_graph_write(null_dag, NULL, NULL, e), "path is NULL");
    cleave_write_options_init(&opt, sizeof opt);
    opt.format = "papyrus";
    REFUSED(cleave_graph_write(null_dag, path, &opt, e), "unknown format \"papyrus\"");
    opt.format = "metis";
    opt.encoding = "raw";
    REFUSED(cleave_graph_write(null_dag, path, &opt, e),
            "place, encoding and mesh_file are for vtk and vtu, not for \"metis\"");
    opt.format = "vtk";
    opt.encoding = "base64";
    REFUSED(cleave_graph_write(null_dag, path, &opt, e),
            "encoding \"base64\" is for vtu, not for \"vtk\"");
    opt.encoding = "morse";
    REFUSED(cleave_graph_write(null_dag, path, &opt, e),
            "encoding is \"morse\"; expected one of ascii, base64, raw");
    opt.encoding = NULL;
    opt.mesh = "primal";
    REFUSED(cleave_graph_write(null_dag, path, &opt, e),
            "mesh is \"primal\"; expected one of dual, nodal");
    opt.format = "openfoam";
    opt.mesh = NULL;
    REFUSED(cleave_graph_write(null_dag, path, &opt, e),
            "format \"openfoam\" holds parts, and none were given");
    opt.size = 0;
    REFUSED(cleave_graph_write(null_dag, path, &opt, e),
            "opt.size is 0; call its _init function first");
    REFUSED(cleave_graph_write(null_dag, "never.papyrus", NULL, e),
            "the name \"never.papyrus\" does not determine the output format");
    FILE *file = fopen(path, "r");
    CHECK(file == NULL);
}

static void graph_write_coords(void)
{
    REFUSED(cleave_graph_write_coords(NULL, "x", e), "graph is NULL");
    REFUSED(cleave_graph_write_coords(null_dag, NULL, e), "path is NULL");
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
    REFUSED_READ(cleave_mapping, cleave_mapping_read, -1, -1, e);
}

static void mapping_read_for(void)
{
    cleave_mapping *m;
    REFUSED_READ(cleave_mapping, cleave_mapping_read_for, null_grid, -1, e);
    REFUSED_OUT(cleave_mapping, m, cleave_mapping_read_for(&m, "x", NULL, -1, e),
                "the graph is NULL");
    REFUSED_OUT(cleave_mapping, m, cleave_mapping_read_for(&m, "x", null_grid, -2, e),
                "a mapping cannot have -2 parts");
}

static void mapping_write(void)
{
    REFUSED_WRITE(cleave_mapping_write, null_mapping, "the mapping");
}

static void graph_quotient(void)
{
    REFUSED_QUOTIENT(cleave_graph, cleave_graph_quotient);
}

static void evaluate(void)
{
    cleave_metrics metrics;
    cleave_evaluate_options opt;
    cleave_metrics_init(&metrics, sizeof metrics);
    cleave_evaluate_options_init(&opt, sizeof opt);
    REFUSED(cleave_evaluate(NULL, null_dag, null_mapping, NULL, e),
            "metrics needs cleave_metrics_init first");
    REFUSED(cleave_evaluate(&metrics, NULL, null_mapping, NULL, e), "the graph is NULL");
    REFUSED(cleave_evaluate(&metrics, null_dag, NULL, NULL, e), "the mapping is NULL");
    REFUSED(cleave_evaluate(&metrics, null_dag, null_shorter, NULL, e),
            "the mapping has 3 vertices but the graph has 4");
    opt.imbalance = -1;
    REFUSED(cleave_evaluate(&metrics, null_dag, null_mapping, &opt, e),
            "the imbalance allowed is not a number >= 0");
    opt.size = 0;
    REFUSED(cleave_evaluate(&metrics, null_dag, null_mapping, &opt, e),
            "cleave_evaluate_options.size is 0; call its _init function first");
    metrics.size = 0;
    REFUSED(cleave_evaluate(&metrics, null_dag, null_mapping, NULL, e),
            "metrics needs cleave_metrics_init first");
}

static void evaluate_parts(void)
{
    REFUSED(cleave_evaluate_parts(NULL, null_mapping, longs, longs, ints, e),
            "the graph is NULL");
    REFUSED(cleave_evaluate_parts(null_dag, NULL, longs, longs, ints, e),
            "the mapping is NULL");
    REFUSED(cleave_evaluate_parts(null_dag, null_shorter, longs, longs, ints, e),
            "the mapping has 3 vertices but the graph has 4");
    CHECK_OK(cleave_evaluate_parts(null_dag, null_mapping, NULL, NULL, NULL, &err));
}

static void evaluate_cycle(void)
{
    int32_t length;
    REFUSED(cleave_evaluate_cycle(NULL, null_mapping, ints, &length, e), "the graph is NULL");
    REFUSED(cleave_evaluate_cycle(null_dag, NULL, ints, &length, e), "the mapping is NULL");
    REFUSED(cleave_evaluate_cycle(null_dag, null_mapping, NULL, &length, e), "cycle is NULL");
    REFUSED(cleave_evaluate_cycle(null_dag, null_mapping, ints, NULL, e), "length is NULL");
    REFUSED(cleave_evaluate_cycle(null_dag, null_shorter, ints, &length, e),
            "the mapping has 3 vertices but the graph has 4");
    REFUSED(cleave_evaluate_cycle(null_grid, null_mapping, ints, &length, e),
            "only the mapping of a DAG can have a cycle");
}

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
    {"cleave_mapping_read", mapping_read},
    {"cleave_mapping_read_for", mapping_read_for},
    {"cleave_mapping_write", mapping_write},
    {"cleave_graph_quotient", graph_quotient},
    {"cleave_evaluate", evaluate},
    {"cleave_evaluate_parts", evaluate_parts},
    {"cleave_evaluate_cycle", evaluate_cycle},
    {NULL, NULL},
};

/* ---- Functions that cannot fail ------------------------------------------------------- */

static void test_nothing_to_free(void)
{
    cleave_graph_free(NULL);
    cleave_builder_free(NULL);
    cleave_mapping_free(NULL);
    cleave_matrix_free(NULL);
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
    cleave_graph_view(null_dag, NULL);
    cleave_graph_view_predecessors(null_dag, NULL);
    cleave_graph_source(null_dag, NULL);
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
    CHECK_OK(cleave_graph_create(&null_grid, &csr, 0, &err));
    csr_free(&csr);
    csr = make_grid(CLEAVE_DAG, 2);
    CHECK_OK(cleave_graph_create(&null_dag, &csr, 0, &err));
    csr_free(&csr);
    CHECK_OK(cleave_graph_create(&none, &empty, 0, &err));
    CHECK_OK(cleave_mapping_create(&null_mapping, 4, 2, ints, &err));
    CHECK_OK(cleave_mapping_create(&null_shorter, 3, 2, ints, &err));
    cleave_matrix_csr rows = {sizeof rows, 1, 1, xadj, ints, val};
    CHECK_OK(cleave_matrix_create(&matrix, &rows, &err));
}

static void drop_objects(void)
{
    cleave_graph_free(null_grid);
    cleave_graph_free(null_dag);
    cleave_graph_free(none);
    cleave_mapping_free(null_mapping);
    cleave_mapping_free(null_shorter);
    cleave_matrix_free(matrix);
}

static void run(const null_group *group)
{
    for (const api_test *f = group->functions; f->name; f++) {
        int before = test_failures_;
        if (group->make)
            group->make();
        f->test();
        if (group->drop)
            group->drop();
        printf("%s %s\n", test_failures_ == before ? "ok" : "FAILED", f->name);
    }
    if (group->silent)
        group->silent();
}

static const null_group own = {.functions = functions};
static const null_group *const groups[] = {
    &own,      &null_circuit,  &null_map,    &null_matrix, &null_order, &null_remap,
    &null_run, &null_schedule, &null_target, &null_tasks,  &null_view,
};
enum { ngroups = sizeof groups / sizeof *groups };

int main(int argc, char **argv)
{
    bool list = false;
    for (int i = 0; i < ngroups; i++)
        list = listed(argc, argv, &groups[i]->functions[0].name, sizeof(api_test));
    if (list)
        return EXIT_SUCCESS;
    make_objects();
    for (int i = 0; i < ngroups; i++)
        run(groups[i]);
    RUN(test_nothing_to_free);
    RUN(test_nothing_to_look_at);
    RUN(test_nowhere_to_write);
    drop_objects();
    return test_end();
}
