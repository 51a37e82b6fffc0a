/* SPDX-License-Identifier: Apache-2.0 */
/* Part of test_null_api.c: mappings with constraints, charts, and generated graphs. */
#include <math.h>

#include "api/null_call.h"

static cleave_error err;

static void fixed_read(void)
{
    int32_t ints[3];
    REFUSED(cleave_fixed_read(NULL, 3, 2, "x", e), "part is NULL");
    REFUSED(cleave_fixed_read(ints, 3, 2, NULL, e), "path is NULL");
    REFUSED(cleave_fixed_read(ints, -1, 2, "x", e), "nvtx is -1");
    REFUSED(cleave_fixed_read(ints, 3, 0, "x", e), "nparts is 0");
}

/* Of a function (array, nparts, ncon, const char *path, error). */
#define REFUSED_PARTS_READ(function, array)                                                   \
    do {                                                                                      \
        REFUSED(function(NULL, 2, 1, "x", e), #array " is NULL");                             \
        REFUSED(function(array, 2, 1, NULL, e), "path is NULL");                              \
        REFUSED(function(array, 0, 1, "x", e), "nparts is 0");                                \
        REFUSED(function(array, 2, 0, "x", e), "ncon is 0");                                  \
    } while (0)

static void shares_read(void)
{
    double shares[4];
    REFUSED_PARTS_READ(cleave_shares_read, shares);
}

static void graph_factor(void)
{
    static const int32_t far[] = {0, 1, 2, 4}, twice[] = {0, 1, 2, 1};
    cleave_graph *g;
    REFUSED(cleave_graph_factor(NULL, null_grid, NULL, NULL, e), "out is NULL");
    REFUSED_OUT(cleave_graph, g, cleave_graph_factor(&g, NULL, NULL, NULL, e),
                "the graph is NULL");
    REFUSED_OUT(cleave_graph, g, cleave_graph_factor(&g, null_dag, NULL, NULL, e),
                "a DAG has no factor; an undirected graph has");
    REFUSED_OUT(cleave_graph, g, cleave_graph_factor(&g, null_grid, "nested", NULL, e),
                "order is \"nested\"; expected natural or mindeg");
    REFUSED_OUT(cleave_graph, g, cleave_graph_factor(&g, null_grid, "mindeg", far, e),
                "order must be NULL when a permutation is given");
    REFUSED_OUT(cleave_graph, g, cleave_graph_factor(&g, null_grid, NULL, far, e),
                "permutation[3] is 4, outside 0..3");
    REFUSED_OUT(cleave_graph, g, cleave_graph_factor(&g, null_grid, NULL, twice, e),
                "the permutation names vertex 1 twice");
}

static void quotient_create(void)
{
    REFUSED_QUOTIENT(cleave_quotient, cleave_quotient_create);
    cleave_quotient_csr view;
    cleave_quotient_csr_init(&view, sizeof view);
    cleave_quotient_view(NULL, &view);
    CHECK(view.nparts == 0 && view.xadj == NULL);
    cleave_quotient_free(NULL);
}

static void quotient_write(void)
{
    cleave_quotient *q = NULL;
    CHECK_OK(cleave_quotient_create(&q, null_grid, null_mapping, &err));
    REFUSED(cleave_quotient_write(NULL, "x.dot", NULL, e), "quotient is NULL");
    REFUSED(cleave_quotient_write(q, NULL, NULL, e), "path is NULL");
    cleave_quotient_free(q);
}

static void groups_read(void)
{
    int32_t group[3];
    REFUSED(cleave_groups_read(NULL, 3, "x", e), "group is NULL");
    REFUSED(cleave_groups_read(group, 3, NULL, e), "path is NULL");
    REFUSED(cleave_groups_read(group, -1, "x", e), "nvtx is -1");
}

static void bounds_read(void)
{
    int64_t bound[4];
    REFUSED_PARTS_READ(cleave_bounds_read, bound);
}

static void graph_generate(void)
{
    cleave_graph *g;
    cleave_generate_options opt;
    cleave_generate_options_init(&opt, sizeof opt);
    REFUSED(cleave_graph_generate(NULL, "tree:3", NULL, e), "out is NULL");
    REFUSED_OUT(cleave_graph, g, cleave_graph_generate(&g, NULL, NULL, e), "spec is NULL");
    opt.threads = -1;
    g = POISON(cleave_graph);
    CHECK_EQ(cleave_graph_generate(&g, "tree:3", &opt, &err), CLEAVE_EINVAL);
    CHECK(g == NULL && strstr(err.message, "-1") != NULL);
    opt.size = 0;
    REFUSED_OUT(cleave_graph, g, cleave_graph_generate(&g, "tree:3", &opt, e),
                "options.size is 0; call its _init function first");
    g = POISON(cleave_graph);
    CHECK_EQ(cleave_graph_generate(&g, "oak:3", NULL, &err), CLEAVE_EINVAL);
    CHECK(g == NULL && strstr(err.message, "oak") != NULL);
}

/* ---- cleave_map ----------------------------------------------------------------------- */

static const cleave_graph *g;
static cleave_target *two;
static cleave_options opt;
static cleave_constraints con;
static cleave_mapping *m;

static void reset(void)
{
    cleave_options_init(&opt, sizeof opt);
    cleave_constraints_init(&con, sizeof con);
    opt.constraints = &con;
}

#define MAP_REFUSED(text)                                                                     \
    do {                                                                                      \
        REFUSED_OUT(cleave_mapping, m, cleave_map(&m, g, two, &opt, e), text);                \
        reset();                                                                              \
    } while (0)

static void refuse_options(void)
{
    static const double bad[] = {-1, -1e-300, INFINITY, NAN};
    for (int i = 0; i < 4; i++) {
        opt.imbalance = bad[i];
        MAP_REFUSED("the imbalance allowed is not a number >= 0");
        opt.time_limit = bad[i];
        MAP_REFUSED("the time limit is not a number of seconds >= 0");
    }
    opt.effort = (cleave_effort)4;
    MAP_REFUSED("unknown effort 4");
    opt.effort = (cleave_effort)-1;
    MAP_REFUSED("unknown effort -1");
    opt.objective = (cleave_objective)4;
    MAP_REFUSED("unknown objective 4");
    opt.objective = CLEAVE_OBJECTIVE_CONGESTION;
    MAP_REFUSED("congestion is for targets whose routes are known, such as meshes, tori, "
                "hypercubes and trees");
    opt.one_to_one = 1;
    MAP_REFUSED("one vertex per PE was requested, but there are 4 vertices and 2 PEs");
    opt.threads = -1;
    MAP_REFUSED("threads is -1");
    opt.threads = 5000;
    m = POISON(cleave_mapping);
    CHECK_EQ(cleave_map(&m, g, two, &opt, &err), CLEAVE_EINVAL);
    CHECK(m == NULL && strstr(err.message, "5000") != NULL);
    reset();
    opt.size = 0;
    MAP_REFUSED("opt.size is 0; call its _init function first");
    con.size = 3;
    MAP_REFUSED("opt.constraints.size is 3; call its _init function first");
    cleave_map_report report = {0};
    opt.report = &report;
    MAP_REFUSED("opt.report needs cleave_map_report_init first");
}

static void refuse_vertices(void)
{
    static const int32_t far[] = {-1, 2, 0, 0}, negative[] = {-1, -1, -1, -2};
    static const int32_t apart[] = {0, -1, -1, 1}, ends[] = {3, -1, -1, 3};
    con.fixed = far;
    MAP_REFUSED("vertex 1 is fixed to part 2, but parts run from 0 to 1, and -1 is for any");
    con.fixed = negative;
    MAP_REFUSED("vertex 3 is fixed to part -2, but parts run from 0 to 1, and -1 is for any");
    con.groups = negative;
    MAP_REFUSED("vertex 3 is in group -2, but groups are numbered from 0, and -1 is for none");
    con.fixed = apart;
    con.groups = ends;
    MAP_REFUSED("vertices 0 and 3 are of the same group, but fixed to parts 0 and 1");
}

/* The graph has two weights per vertex. */
static void refuse_parts(void)
{
    static const double bad[] = {1, 1, NAN, 1}, none[] = {1, 0, 1, 0}, uneven[] = {0.1, -1};
    static const int64_t negative[] = {0, 0, -2, 0}, five[] = {5, -1, -1, -1};
    static const int64_t four[] = {4, -1, -1, -1}, much[] = {-1, -1, -1, 1000};
    con.shares = bad;
    MAP_REFUSED("the share of part 1 is not a number >= 0");
    con.shares = none;
    MAP_REFUSED("the shares of weight 2 are all 0");
    con.imbalance = uneven;
    MAP_REFUSED("the imbalance allowed for part 1 is not a number >= 0");
    con.min = negative;
    MAP_REFUSED("min of part 1 is -2, which is not a valid weight");
    con.max = negative;
    MAP_REFUSED("max of part 1 is -2, which is not a valid weight");
    con.min = five;
    con.max = four;
    MAP_REFUSED("part 0 must weigh at least 5, but may weigh at most 4");
    con.min = much;
    MAP_REFUSED("part 1 must weigh at least 1000, but may weigh at most 4");
}

static void refuse_start(void)
{
    static const int32_t part[] = {0, 0, 1, 1};
    cleave_mapping *shorter = NULL, *wider = NULL;
    CHECK_OK(cleave_mapping_create(&shorter, 3, 2, part, &err));
    CHECK_OK(cleave_mapping_create(&wider, 4, 3, part, &err));
    con.start = shorter;
    MAP_REFUSED("the mapping to start from has 3 vertices, but the graph has 4");
    con.start = wider;
    MAP_REFUSED("the mapping to start from has 3 parts, but the target has 2 PEs");
    cleave_mapping_free(shorter);
    cleave_mapping_free(wider);
}

static void refuse_methods(void)
{
    opt.method = "metis";
    MAP_REFUSED("method is \"metis\"; expected one of auto, multilevel, kway, drb, "
                "multisection, dagp, kernighan, fauzia, rcb, zci, hci, rsb");
    opt.method = "dagp";
    MAP_REFUSED("method dagp is for DAGs, but the graph is undirected");
    opt.params = "runs=1";
    MAP_REFUSED("params is \"runs=1\", but method multilevel has none");
    opt.method = "multilevel";
    opt.params = "x";
    MAP_REFUSED("params is \"x\", but method multilevel has none");
}

/* The graph has coordinates and two weights per vertex. */
static void refuse_geometric(void)
{
    static const int32_t part[] = {0, 0, 1, 1};
    cleave_mapping *start = NULL;
    CHECK_OK(cleave_mapping_create(&start, 4, 2, part, &err));
    opt.method = "hci";
    con.fixed = part;
    MAP_REFUSED("method hci does not support fixed vertices");
    opt.method = "zci";
    con.groups = part;
    MAP_REFUSED("method zci does not support groups");
    opt.method = "rsb";
    con.start = start;
    MAP_REFUSED("method rsb does not support a mapping to start from");
    opt.method = "rsb";
    con.connected = 1;
    MAP_REFUSED("method rsb does not support connected parts");
    opt.method = "rcb";
    opt.objective = CLEAVE_OBJECTIVE_VOLUME;
    MAP_REFUSED("method rcb does not support the volume");
    opt.method = "rcb";
    opt.params = "refine=2";
    MAP_REFUSED(
        "\"refine=2\" is not a parameter of rcb; known are grouping=simple|binpacking, "
        "refine=0|1");
    opt.method = "hci";
    opt.params = "grouping=simple,x";
    MAP_REFUSED("\"x\" is not a parameter of hci; known are grouping=simple|binpacking, "
                "refine=0|1");
    cleave_mapping_free(start);
}

static void refuse_params(const char *params, const char *text)
{
    opt.method = "dagp";
    opt.params = params;
    MAP_REFUSED(text);
}

static void refuse_for_dag(void)
{
    static const int32_t part[] = {0, 0, 1, 1};
    static const char known[] =
        " is not a parameter of dagp; known are order, match, initial, "
        "refine, coarsen, constrain, version, runs";
    static const char *const garbage[] = {",", "=", "order", "Order=top", "order=top,"};
    static const char *const shown[] = {"", "=", "order", "Order=top", ""};
    cleave_mapping *start = NULL;
    CHECK_OK(cleave_mapping_create(&start, 4, 2, part, &err));
    con.connected = 1;
    MAP_REFUSED("connected parts are not possible for a DAG; read it as \"undirected\"");
    opt.method = "fauzia";
    opt.params = "runs=5";
    MAP_REFUSED("params is \"runs=5\", but method fauzia has none");
    opt.method = "dagp";
    con.fixed = part;
    MAP_REFUSED("method dagp does not support fixed vertices");
    opt.method = "kernighan";
    con.start = start;
    MAP_REFUSED("method kernighan does not support a mapping to start from");
    opt.method = "fauzia";
    opt.objective = CLEAVE_OBJECTIVE_VOLUME;
    MAP_REFUSED("method fauzia minimises the cut only");
    for (int i = 0; i < 5; i++) {
        char text[252];
        snprintf(text, sizeof text, "\"%s\"%s", shown[i], known);
        refuse_params(garbage[i], text);
    }
    refuse_params("order=up", "order=up: there is top|rand|breadth");
    refuse_params("runs=0", "runs=0: must be a number from 1 to 1000000");
    refuse_params("match=hem,runs=5x", "runs=5x: must be a number from 1 to 1000000");
    cleave_mapping_free(start);
}

static void part_order(void)
{
    int32_t part[4] = {0, 1, 0, 1}, order[2];
    cleave_mapping *good = NULL, *shorter = NULL;
    CHECK_OK(cleave_mapping_create(&good, 4, 2, part, &err));
    CHECK_OK(cleave_mapping_create(&shorter, 3, 2, part, &err));
    REFUSED(cleave_mapping_part_order(NULL, good, order, e), "the graph is NULL");
    REFUSED(cleave_mapping_part_order(null_dag, NULL, order, e), "the mapping is NULL");
    REFUSED(cleave_mapping_part_order(null_dag, good, NULL, e), "order is NULL");
    REFUSED(cleave_mapping_part_order(null_dag, shorter, order, e),
            "the mapping is of 3 vertices, but the graph has 4");
    REFUSED(cleave_mapping_part_order(null_grid, good, order, e),
            "an undirected graph has no order of its parts");
    cleave_mapping_free(good);
    cleave_mapping_free(shorter);
}

static void map(void)
{
    g = null_grid;
    CHECK_OK(cleave_target_create(&two, 2, NULL, &err));
    REFUSED(cleave_map(NULL, g, two, NULL, e), "out is NULL");
    REFUSED_OUT(cleave_mapping, m, cleave_map(&m, NULL, two, NULL, e), "the graph is NULL");
    REFUSED_OUT(cleave_mapping, m, cleave_map(&m, g, NULL, NULL, e), "the target is NULL");
    reset();
    refuse_options();
    refuse_vertices();
    refuse_parts();
    refuse_start();
    refuse_methods();
    refuse_geometric();
    g = null_dag;
    opt.method = "rsb";
    MAP_REFUSED("method rsb is for undirected graphs, but the graph is a DAG, which can be "
                "read as \"undirected\"");
    refuse_for_dag();
    cleave_target_free(two);
}

/* ---- Charts --------------------------------------------------------------------------- */

static void plot_write(void)
{
    static const double x[] = {1, 2};
    cleave_series series;
    cleave_plot_options plot;
    cleave_series_init(&series, sizeof series);
    cleave_plot_options_init(&plot, sizeof plot);
    REFUSED(cleave_plot_write(NULL, 1, &series, NULL, e), "path is NULL");
    REFUSED(cleave_plot_write("x", 1, NULL, NULL, e), "series is NULL");
    REFUSED(cleave_plot_write("x", -1, &series, NULL, e), "nseries is -1");
    series.count = 2;
    series.x = x;
    REFUSED(cleave_plot_write("x", 1, &series, NULL, e),
            "series[0] has 2 points but no arrays");
    plot.width = 1;
    REFUSED(cleave_plot_write("x", 1, &series, &plot, e),
            "1 x 480 pixels: each must be from 200 to 4000");
    plot.size = 2;
    REFUSED(cleave_plot_write("x", 1, &series, &plot, e),
            "options.size is 2; call its _init function first");
    series.size = 1;
    REFUSED(cleave_plot_write("x", 1, &series, NULL, e),
            "series.size is 1; call its _init function first");
}

static void plot_write_profile(void)
{
    static const char *const names[] = {"one", "two"};
    static const double value[] = {1, 2};
    REFUSED(cleave_plot_write_profile(NULL, 2, names, 1, value, NULL, e), "path is NULL");
    REFUSED(cleave_plot_write_profile("x", 2, names, 1, NULL, NULL, e), "value is NULL");
    REFUSED(cleave_plot_write_profile("x", 0, names, 1, value, NULL, e), "ntool is 0");
    REFUSED(cleave_plot_write_profile("x", 2, names, 0, value, NULL, e), "ncase is 0");
}

static const api_test functions[] = {
    {"cleave_quotient_create", quotient_create},
    {"cleave_quotient_write", quotient_write},
    {"cleave_fixed_read", fixed_read},
    {"cleave_groups_read", groups_read},
    {"cleave_bounds_read", bounds_read},
    {"cleave_shares_read", shares_read},
    {"cleave_map", map},
    {"cleave_mapping_part_order", part_order},
    {"cleave_plot_write", plot_write},
    {"cleave_plot_write_profile", plot_write_profile},
    {"cleave_graph_generate", graph_generate},
    {"cleave_graph_factor", graph_factor},
    {NULL, NULL},
};

static void silent(void)
{
    cleave_options_init(NULL, sizeof(cleave_options));
    cleave_constraints_init(NULL, sizeof(cleave_constraints));
    cleave_map_report_init(NULL, sizeof(cleave_map_report));
    cleave_remap_options_init(NULL, sizeof(cleave_remap_options));
    cleave_remap_report_init(NULL, sizeof(cleave_remap_report));
    cleave_series_init(NULL, sizeof(cleave_series));
    cleave_plot_options_init(NULL, sizeof(cleave_plot_options));
}

const null_group null_map = {.functions = functions, .silent = silent};
