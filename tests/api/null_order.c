/* SPDX-License-Identifier: Apache-2.0 */
/* Part of test_null_api.c: orders and splits. */
#include <math.h>

#include "api/null_call.h"

static cleave_error err;

/* A grid of 2 x 2 with coordinates, a DAG of 4 vertices, and an order that suits both. */
static cleave_graph *grid, *dag;
static cleave_order *line;
static cleave_target *two;

static void make(void)
{
    static const int64_t xadj[] = {0, 1, 2, 3, 3};
    static const int32_t adj[] = {1, 2, 3}, vertex[] = {0, 1, 2, 3};
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    csr.kind = CLEAVE_DAG;
    csr.nvtx = 4;
    csr.xadj = xadj;
    csr.adj = adj;
    CHECK_OK(cleave_graph_create(&dag, &csr, 0, &err));
    CHECK_OK(cleave_graph_generate(&grid, "grid2d:2x2", NULL, &err));
    CHECK_OK(cleave_order_create(&line, 4, vertex, NULL, &err));
    CHECK_OK(cleave_target_create(&two, 2, NULL, &err));
}

static void drop(void)
{
    cleave_graph_free(grid);
    cleave_graph_free(dag);
    cleave_order_free(line);
    cleave_target_free(two);
}

#define BUILD_REFUSED(g, method_, params_, text)                                              \
    do {                                                                                      \
        opt.method = method_;                                                                 \
        opt.params = params_;                                                                 \
        REFUSED_OUT(cleave_order, o, cleave_order_build(&o, g, &opt, e), text);               \
    } while (0)

static void refuse_graphs(void)
{
    cleave_order *o;
    cleave_order_options opt;
    cleave_csr csr;
    cleave_graph *g = NULL;
    static const double coords[] = {0, 0, 1, NAN};
    static const int64_t xadj[] = {0, 0, 0};
    cleave_order_options_init(&opt, sizeof opt);
    cleave_csr_init(&csr, sizeof csr);
    csr.nvtx = 2;
    csr.xadj = xadj;
    CHECK_OK(cleave_graph_create(&g, &csr, 0, &err));
    BUILD_REFUSED(g, "hci", NULL,
                  "method hci needs coordinates, but the graph has none: name a file of them "
                  "(--coords FILE), put them beside the graph as NAME.xyz, or convert both to "
                  "a binary graph (.clv)");
    cleave_graph_free(g);
    csr.ndim = 2;
    csr.coords = coords;
    if (cleave_graph_create(&g, &csr, CLEAVE_TRUST, &err) == CLEAVE_OK)
        BUILD_REFUSED(g, "rcbi", NULL,
                      "method rcbi needs coordinates, but those of vertex 1 are not finite");
    cleave_graph_free(g);
}

static void order_build(void)
{
    cleave_order *o;
    cleave_order_options opt;
    cleave_order_options_init(&opt, sizeof opt);
    REFUSED(cleave_order_build(NULL, grid, NULL, e), "out is NULL");
    REFUSED_OUT(cleave_order, o, cleave_order_build(&o, NULL, NULL, e), "the graph is NULL");
    BUILD_REFUSED(grid, "metis", NULL,
                  "method is \"metis\"; expected one of auto, hci, zci, rcbi, rsbi, "
                  "multilevel, topo, nd, mindeg");
    BUILD_REFUSED(grid, "topo", NULL, "method topo is for DAGs, but the graph is undirected");
    BUILD_REFUSED(dag, "rsbi", NULL,
                  "method rsbi is for undirected graphs, but the graph is a DAG: use topo or "
                  "multilevel, or read it as \"undirected\"");
    BUILD_REFUSED(grid, "hci", "leaves=3", "params is \"leaves=3\", but method hci has none");
    BUILD_REFUSED(grid, "rcbi", "leaves=0",
                  "\"leaves=0\" is not a parameter of rcbi; known are leaves=N, N >= 1");
    BUILD_REFUSED(grid, "rsbi", "leaves=4,",
                  "\"\" is not a parameter of rsbi; known are leaves=N, N >= 1");
    BUILD_REFUSED(grid, "rsbi", "leaves",
                  "\"leaves\" is not a parameter of rsbi; known are leaves=N, N >= 1");
    opt.effort = (cleave_effort)7;
    BUILD_REFUSED(grid, NULL, NULL, "unknown effort 7");
    cleave_order_options_init(&opt, sizeof opt);
    opt.threads = -1;
    BUILD_REFUSED(grid, NULL, NULL, "threads is -1");
    opt.size = 1;
    BUILD_REFUSED(grid, NULL, NULL, "opt.size is 1; call its _init function first");
    refuse_graphs();
}

static void order_create(void)
{
    static const int32_t twice[] = {0, 1, 1}, far[] = {0, 3, 1}, good[] = {2, 0, 1};
    static const int32_t negative[] = {1, -1, 1};
    cleave_order *o;
    REFUSED(cleave_order_create(NULL, 3, good, NULL, e), "out is NULL");
    REFUSED_OUT(cleave_order, o, cleave_order_create(&o, 3, NULL, NULL, e), "vertex is NULL");
    REFUSED_OUT(cleave_order, o, cleave_order_create(&o, -1, good, NULL, e),
                "an order cannot have -1 vertices");
    REFUSED_OUT(cleave_order, o, cleave_order_create(&o, 3, twice, NULL, e),
                "vertex 1 is at places 1 and 2 of the order");
    REFUSED_OUT(cleave_order, o, cleave_order_create(&o, 3, far, NULL, e),
                "vertex 3 is at place 1 of the order, but vertices run from 0 to 2");
    REFUSED_OUT(cleave_order, o, cleave_order_create(&o, 3, good, negative, e),
                "the weight of vertex 1 is -1, below 0");
}

static void order_read(void)
{
    REFUSED_READ(cleave_order, cleave_order_read, e);
}

static void order_open(void)
{
    cleave_order *o;
    REFUSED_READ(cleave_order, cleave_order_open, 0, e);
    REFUSED_OUT(cleave_order, o, cleave_order_open(&o, "x", CLEAVE_REPAIR, e),
                "flags is 2; only CLEAVE_TRUST is for orders");
}

static void order_write(void)
{
    REFUSED_WRITE(cleave_order_write, line, "the order");
}

static void order_check(void)
{
    static const int32_t turned[] = {3, 2, 1, 0};
    cleave_order *backward = NULL, *shorter = NULL, *made = NULL;
    CHECK_OK(cleave_order_create(&backward, 4, turned, NULL, &err));
    CHECK_OK(cleave_order_create(&shorter, 3, turned + 1, NULL, &err));
    CHECK_OK(cleave_order_build(&made, grid, NULL, &err));
    REFUSED(cleave_order_check(NULL, grid, e), "the order is NULL");
    REFUSED(cleave_order_check(line, NULL, e), "the graph is NULL");
    REFUSED(cleave_order_check(shorter, grid, e),
            "the order has 3 vertices, but the graph has 4");
    REFUSED(cleave_order_check(made, dag, e),
            "the order was made from another graph: edges, weights or directions differ");
    REFUSED(cleave_order_check(backward, dag, e),
            "the arc from vertex 0 to vertex 1 runs backward in the order, so that its "
            "intervals could depend on each other in a cycle");
    CHECK_OK(cleave_order_check(backward, grid, &err));
    CHECK_OK(cleave_order_check(line, dag, &err));
    CHECK_OK(cleave_order_check(made, grid, &err));
    cleave_order_free(backward);
    cleave_order_free(shorter);
    cleave_order_free(made);
}

static void order_complete(void)
{
    static const int32_t turned[] = {3, 2, 1, 0};
    cleave_order *backward = NULL;
    CHECK_OK(cleave_order_create(&backward, 4, turned, NULL, &err));
    REFUSED(cleave_order_complete(NULL, grid, e), "the order is NULL");
    REFUSED(cleave_order_complete(line, NULL, e), "the graph is NULL");
    REFUSED(cleave_order_complete(backward, dag, e),
            "the arc from vertex 0 to vertex 1 runs backward in the order, so that its "
            "intervals could depend on each other in a cycle");
    CHECK(cleave_order_average_crossing(backward) == -1);
    CHECK_OK(cleave_order_complete(backward, grid, &err));
    CHECK_OK(cleave_order_complete(backward, grid, &err));
    CHECK(cleave_order_average_crossing(backward) == 2);
    CHECK_STR(cleave_order_method(backward), "given");
    REFUSED(cleave_order_complete(backward, dag, e),
            "the order was made from another graph: edges, weights or directions differ");
    cleave_order_free(backward);
}

static void order_split(void)
{
    static const double bad[] = {-1, INFINITY, NAN};
    int32_t begin[2], end[2];
    cleave_split_options opt;
    cleave_split_options_init(&opt, sizeof opt);
    REFUSED(cleave_order_split(NULL, end, line, two, NULL, e), "begin is NULL");
    REFUSED(cleave_order_split(begin, NULL, line, two, NULL, e), "end is NULL");
    REFUSED(cleave_order_split(begin, end, NULL, two, NULL, e), "the order is NULL");
    REFUSED(cleave_order_split(begin, end, line, NULL, NULL, e), "the target is NULL");
    for (int i = 0; i < 3; i++) {
        opt.imbalance = bad[i];
        REFUSED(cleave_order_split(begin, end, line, two, &opt, e),
                "the imbalance allowed is not a number >= 0");
    }
    cleave_split_options_init(&opt, sizeof opt);
    opt.grouping = "alphabet";
    REFUSED(cleave_order_split(begin, end, line, two, &opt, e),
            "grouping is \"alphabet\"; expected one of auto, simple, binpacking");
    opt.size = 3;
    REFUSED(cleave_order_split(begin, end, line, two, &opt, e),
            "opt.size is 3; call its _init function first");
}

static void order_mapping(void)
{
    int32_t begin[] = {0, 2}, end[] = {2, 4};
    cleave_mapping *m;
    REFUSED(cleave_order_mapping(NULL, line, 2, begin, end, e), "out is NULL");
    REFUSED_OUT(cleave_mapping, m, cleave_order_mapping(&m, NULL, 2, begin, end, e),
                "the order is NULL");
    REFUSED_OUT(cleave_mapping, m, cleave_order_mapping(&m, line, 2, NULL, end, e),
                "begin is NULL");
    REFUSED_OUT(cleave_mapping, m, cleave_order_mapping(&m, line, 2, begin, NULL, e),
                "end is NULL");
    REFUSED_OUT(cleave_mapping, m, cleave_order_mapping(&m, line, 0, begin, end, e),
                "npes is 0");
    REFUSED_OUT(cleave_mapping, m, cleave_order_mapping(&m, line, 1, begin, end, e),
                "place 2 is of no PE");
    begin[1] = 1;
    REFUSED_OUT(cleave_mapping, m, cleave_order_mapping(&m, line, 2, begin, end, e),
                "place 1 is of two PEs, 0 and 1");
    end[1] = 5;
    REFUSED_OUT(cleave_mapping, m, cleave_order_mapping(&m, line, 2, begin, end, e),
                "PE 1 has places 1 to 4, but places run from 0 to 3");
}

static void order_split_refine(void)
{
    cleave_mapping *m;
    cleave_options opt;
    cleave_options_init(&opt, sizeof opt);
    REFUSED(cleave_order_split_refine(NULL, grid, line, two, NULL, e), "out is NULL");
    REFUSED_OUT(cleave_mapping, m, cleave_order_split_refine(&m, NULL, line, two, NULL, e),
                "the graph is NULL");
    REFUSED_OUT(cleave_mapping, m, cleave_order_split_refine(&m, grid, NULL, two, NULL, e),
                "the order is NULL");
    REFUSED_OUT(cleave_mapping, m, cleave_order_split_refine(&m, grid, line, NULL, NULL, e),
                "the target is NULL");
    opt.imbalance = -1;
    REFUSED_OUT(cleave_mapping, m, cleave_order_split_refine(&m, grid, line, two, &opt, e),
                "the imbalance allowed is not a number >= 0");
    opt.size = 2;
    REFUSED_OUT(cleave_mapping, m, cleave_order_split_refine(&m, grid, line, two, &opt, e),
                "opt.size is 2; call its _init function first");
}

static void evaluate_order(void)
{
    static const int32_t vertex[] = {0, 1, 2};
    cleave_order_metrics metrics;
    cleave_order *shorter = NULL;
    cleave_order_metrics_init(&metrics, sizeof metrics);
    CHECK_OK(cleave_order_create(&shorter, 3, vertex, NULL, &err));
    REFUSED(cleave_evaluate_order(NULL, grid, line, e),
            "metrics needs cleave_order_metrics_init first");
    REFUSED(cleave_evaluate_order(&metrics, NULL, line, e), "the graph is NULL");
    REFUSED(cleave_evaluate_order(&metrics, grid, NULL, e), "the order is NULL");
    REFUSED(cleave_evaluate_order(&metrics, dag, line, e),
            "a DAG has no factor; an undirected graph has");
    REFUSED(cleave_evaluate_order(&metrics, grid, shorter, e),
            "the order has 3 vertices, but the graph has 4");
    metrics.size = 0;
    REFUSED(cleave_evaluate_order(&metrics, grid, line, e),
            "metrics needs cleave_order_metrics_init first");
    cleave_order_metrics_init(NULL, sizeof metrics);
    cleave_order_free(shorter);
}

static void separator(void)
{
    cleave_mapping *m;
    cleave_separator_options opt;
    cleave_separator_options_init(NULL, sizeof opt);
    cleave_separator_options_init(&opt, sizeof opt);
    REFUSED(cleave_separator(NULL, grid, NULL, NULL, e), "out is NULL");
    REFUSED_OUT(cleave_mapping, m, cleave_separator(&m, NULL, &opt, NULL, e),
                "the graph is NULL");
    REFUSED_OUT(cleave_mapping, m, cleave_separator(&m, dag, &opt, NULL, e),
                "separators are for undirected graphs, but the graph is a DAG: read it as "
                "\"undirected\"");
#define BAD_OPTION(field, value, text)                                                        \
    REFUSED_OPTION(cleave_mapping, m, cleave_separator_options_init, field, value,            \
                   cleave_separator(&m, grid, &opt, NULL, e), text)
    BAD_OPTION(imbalance, -1, "imbalance is negative or not a number");
    BAD_OPTION(imbalance, NAN, "imbalance is negative or not a number");
    BAD_OPTION(effort, (cleave_effort)7, "unknown effort 7");
    BAD_OPTION(threads, -1, "threads is -1");
    BAD_OPTION(time_limit, NAN, "time_limit is not a number of seconds >= 0");
    BAD_OPTION(size, 1, "opt.size is 1; call its _init function first");
#undef BAD_OPTION
}

static const api_test functions[] = {
    {"cleave_evaluate_order", evaluate_order},
    {"cleave_separator", separator},
    {"cleave_order_build", order_build},
    {"cleave_order_create", order_create},
    {"cleave_order_read", order_read},
    {"cleave_order_open", order_open},
    {"cleave_order_write", order_write},
    {"cleave_order_check", order_check},
    {"cleave_order_complete", order_complete},
    {"cleave_order_split", order_split},
    {"cleave_order_mapping", order_mapping},
    {"cleave_order_split_refine", order_split_refine},
    {NULL, NULL},
};

static void silent(void)
{
    cleave_order_options_init(NULL, sizeof(cleave_order_options));
    cleave_split_options_init(NULL, sizeof(cleave_split_options));
    cleave_order_free(NULL);
    CHECK_EQ(cleave_order_vertices(NULL), 0);
    CHECK(cleave_order_view(NULL) == NULL);
    CHECK(cleave_order_weight_before(NULL) == NULL);
    CHECK_STR(cleave_order_method(NULL), "");
    CHECK(cleave_order_average_crossing(NULL) == -1);
    CHECK(cleave_order_residual(NULL) == -1);
    CHECK_EQ(cleave_order_converged(NULL), -1);
}

const null_group null_order = {
    .functions = functions, .make = make, .drop = drop, .silent = silent};
