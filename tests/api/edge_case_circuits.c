/* SPDX-License-Identifier: Apache-2.0 */
/* Every case becomes a circuit with a node per vertex: the sum, with equal weights, of the
 * squares of its neighbours with smaller numbers, or a literal if there are none.  With all
 * variables true the root is 1. */
#include "api/edge_case_facts.h"

#include <math.h>

#include "support/test.h"

enum { room = EDGE_ROOM };

static cleave_error err;

static void write_node(FILE *file, int32_t v, const int32_t *place, const bool *before)
{
    int count = 0;
    for (int32_t u = 0; u < edge_csr->nvtx; u++)
        count += before[u];
    if (count == 0) {
        fprintf(file, "L %d 0 %d\n", (int)place[v], (int)v + 1);
        return;
    }
    fprintf(file, "D %d 0 %d", (int)place[v], count);
    for (int32_t u = 0; u < edge_csr->nvtx; u++)
        if (before[u])
            fprintf(file, " %d %d %.17g", (int)place[u], (int)place[u], -log(count));
    fprintf(file, "\n");
}

static cleave_circuit *circuit_of_case(void)
{
    int32_t order[room], place[room];
    cleave_circuit *c = NULL;
    FILE *file = fopen(edge_scratch("edge.psdd"), "w");
    for (int32_t v = 0; v < edge_csr->nvtx; v++)
        order[v] = v;
    if (edge_csr->kind == CLEAVE_DAG)
        CHECK_OK(cleave_graph_topological_order(edge_graph, order, &err));
    for (int32_t p = 0; p < edge_csr->nvtx; p++)
        place[order[p]] = p;
    fprintf(file, "psdd 0\n");
    for (int32_t p = 0; p < edge_csr->nvtx; p++) {
        bool before[room] = {false};
        for (int32_t u = 0; u < edge_csr->nvtx; u++)
            for (int64_t a = edge_csr->xadj[u]; a < edge_csr->xadj[u + 1]; a++)
                if (edge_csr->adj[a] == order[p] && place[u] < p)
                    before[u] = true;
        write_node(file, order[p], place, before);
    }
    fclose(file);
    CHECK_OK(cleave_circuit_read(&c, edge_scratch("edge.psdd"), &err));
    return c;
}

static void circuit_read(void)
{
    cleave_circuit *c = circuit_of_case();
    CHECK_EQ(cleave_circuit_nodes(c), edge_csr->nvtx);
    cleave_circuit_free(c);
}

static void circuit_graph(void)
{
    cleave_circuit *c = circuit_of_case();
    cleave_graph *g = NULL;
    CHECK_OK(cleave_circuit_graph(&g, c, &err));
    CHECK_EQ(cleave_graph_vertices(g), edge_csr->nvtx);
    cleave_graph_free(g);
    cleave_circuit_free(c);
}

/* NULL: there is nothing to evaluate, and that was said. */
static cleave_circuit_plan *plan_of_case(int threads)
{
    cleave_circuit *c = circuit_of_case();
    cleave_circuit_plan *plan = NULL;
    cleave_run_options opt;
    cleave_run_options_init(&opt, sizeof opt);
    opt.threads = threads;
    opt.method = threads > 1 ? "grow" : NULL;
    cleave_status status = cleave_circuit_plan_create(&plan, c, &opt, &err);
    CHECK_EQ(status, edge_csr->nvtx > 0 ? CLEAVE_OK : CLEAVE_EINVAL);
    CHECK((plan != NULL) == (edge_csr->nvtx > 0));
    cleave_circuit_free(c);
    return plan;
}

static void plan_create(void)
{
    static const int counts[] = {1, 2, 9};
    for (int i = 0; i < 3; i++)
        cleave_circuit_plan_free(plan_of_case(counts[i]));
}

static void circuit_evaluate(void)
{
    int8_t evidence[9 * room];
    double result[9];
    cleave_circuit_plan *plan = plan_of_case(3);
    memset(evidence, 1, sizeof evidence);
    for (int count = 0; plan && count <= 9; count++) {
        CHECK_OK(cleave_circuit_evaluate(plan, NULL, count, evidence, result, &err));
        for (int i = 0; i < count; i++)
            CHECK(fabs(result[i]) < 1e-9);
    }
    cleave_circuit_plan_free(plan);
}

static void circuit_conditional(void)
{
    int8_t asked[room], given[room];
    double result = 1;
    cleave_circuit_plan *plan = plan_of_case(1);
    memset(asked, 1, sizeof asked);
    memset(given, -1, sizeof given);
    if (plan)
        CHECK_OK(cleave_circuit_conditional(plan, NULL, 1, asked, given, &result, &err));
    CHECK(!plan || fabs(result) < 1e-9);
    cleave_circuit_plan_free(plan);
}

static void circuit_most_probable(void)
{
    int8_t evidence[room], found[room];
    double value = 1, again = 2;
    cleave_circuit_plan *plan = plan_of_case(1);
    cleave_circuit_options opt;
    cleave_circuit_options_init(&opt, sizeof opt);
    opt.query = "max";
    memset(evidence, -1, sizeof evidence);
    if (plan) {
        CHECK_OK(cleave_circuit_most_probable(plan, 1, evidence, found, &value, &err));
        CHECK_OK(cleave_circuit_evaluate(plan, &opt, 1, evidence, &again, &err));
        CHECK(value == again);
    }
    cleave_circuit_plan_free(plan);
}

static void evidence_read(void)
{
    cleave_evidence *x = NULL;
    REQUIRE_OK(cleave_evidence_read(&x, test_file("edge.evidence", "# none\n\n"), 3, &err));
    CHECK_EQ(cleave_evidence_count(x), 0);
    cleave_evidence_free(x);
}

static void results_write(void)
{
    CHECK_OK(cleave_results_write(edge_scratch("edge.results"), 0, NULL, &err));
}

const api_test edge_circuits[] = {
    {"cleave_circuit_read", circuit_read},
    {"cleave_circuit_graph", circuit_graph},
    {"cleave_circuit_plan_create", plan_create},
    {"cleave_circuit_evaluate", circuit_evaluate},
    {"cleave_circuit_conditional", circuit_conditional},
    {"cleave_circuit_most_probable", circuit_most_probable},
    {"cleave_evidence_read", evidence_read},
    {"cleave_results_write", results_write},
    {NULL, NULL},
};
