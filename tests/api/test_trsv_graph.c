/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of cleave_triangle_of_graph: systems whose pattern is a graph and whose values are an
 * array beside it, against substitution along the arcs. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cleave/cleave.h"
#include "support/test.h"

static cleave_error err;

typedef struct system {
    cleave_graph *g;
    cleave_csr view;
    int64_t arcs;
    double *val; /* by arc, then the diagonal */
    double *b, *want, *x;
} system_of_graph;

/* Vertices depend on `reach` others each, drawn among the neighbours in number. */
static cleave_graph *make_dag(int32_t n, int reach, bool descending, uint64_t seed)
{
    cleave_graph *g = NULL;
    cleave_builder *builder;
    CHECK_OK(cleave_builder_create(&builder, CLEAVE_DAG, &err));
    for (int32_t v = 1; v < n; v++)
        for (int i = 0; i < reach; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            int32_t u = v - 1 - (int32_t)((seed >> 33) % (uint64_t)(v < 40 ? v : 40));
            int32_t from = descending ? n - 1 - u : u, to = descending ? n - 1 - v : v;
            CHECK_OK(cleave_builder_add(builder, 1, &from, &to, NULL, &err));
        }
    CHECK_OK(cleave_builder_finish(&g, builder, n, NULL, &err));
    cleave_builder_free(builder);
    return g;
}

static cleave_graph *make_grid(const char *spec)
{
    cleave_graph *g = NULL;
    CHECK_OK(cleave_graph_generate(&g, spec, NULL, &err));
    return g;
}

static system_of_graph make_system(cleave_graph *g)
{
    system_of_graph s = {.g = g};
    cleave_csr_init(&s.view, sizeof s.view);
    cleave_graph_view(g, &s.view);
    size_t n = (size_t)s.view.nvtx;
    s.arcs = s.view.xadj[n];
    s.val = malloc(((size_t)s.arcs + n + 1) * sizeof *s.val);
    s.b = malloc((3 * n + 1) * sizeof *s.b);
    if (!s.val || !s.b)
        abort();
    s.want = s.b + n;
    s.x = s.want + n;
    for (int64_t k = 0; k < s.arcs; k++)
        s.val[k] = 0.25 / (double)(1 + k % 7);
    for (size_t i = 0; i < n; i++) {
        s.val[s.arcs + (int64_t)i] = 1 + (double)(i % 5) / 3;
        s.b[i] = 1 + (double)(i % 11) / 8;
    }
    return s;
}

static void free_system(system_of_graph *s)
{
    cleave_graph_free(s->g);
    free(s->val);
    free(s->b);
}

/* The entry of row v in column u; NULL: none. */
static const double *entry(const system_of_graph *s, int32_t u, int32_t v)
{
    for (int64_t k = s->view.xadj[u]; k < s->view.xadj[u + 1]; k++)
        if (s->view.adj[k] == v)
            return &s->val[k];
    return NULL;
}

/* Row by row, columns ascending, every pair of vertices looked up. */
static void substitute(system_of_graph *s, bool upper, bool unit)
{
    int32_t n = s->view.nvtx;
    for (int32_t step = 0; step < n; step++) {
        int32_t v = upper ? n - 1 - step : step;
        double sum = s->b[v];
        for (int32_t u = upper ? v + 1 : 0; u < (upper ? n : v); u++) {
            const double *a = entry(s, u, v);
            if (a)
                sum -= *a * s->want[u];
        }
        s->want[v] = unit ? sum : sum / s->val[s->arcs + v];
    }
}

static bool solves(system_of_graph *s, cleave_trsv *plan)
{
    size_t bytes = (size_t)s->view.nvtx * sizeof *s->x;
    memset(s->x, 0, bytes);
    CHECK_OK(cleave_trsv_solve(plan, s->x, s->b, &err));
    return memcmp(s->x, s->want, bytes) == 0;
}

static void check_system(cleave_graph *g, bool upper)
{
    system_of_graph s = make_system(g);
    cleave_triangle t;
    cleave_run_options opt;
    cleave_trsv *plan;
    cleave_run_options_init(&opt, sizeof opt);
    opt.threads = 2;
    opt.method = "levels";
    for (int unit = 0; unit < 2; unit++) {
        cleave_triangle_of_graph(&t, sizeof t, g);
        CHECK_EQ(t.upper != 0, upper);
        t.val = s.val;
        t.unit = unit;
        CHECK_OK(cleave_trsv_create(&plan, &t, &opt, &err));
        substitute(&s, upper, unit);
        CHECK(solves(&s, plan));
        for (int64_t k = 0; k < s.arcs + s.view.nvtx; k++)
            s.val[k] *= 1.5;
        CHECK_OK(cleave_trsv_update_values(plan, s.val, &err));
        substitute(&s, upper, unit);
        CHECK(solves(&s, plan));
        cleave_trsv_free(plan);
    }
    free_system(&s);
}

static void test_graphs(void)
{
    check_system(make_dag(0, 2, false, 1), false);
    check_system(make_dag(1, 2, false, 1), false);
    check_system(make_dag(300, 0, false, 1), false);
    check_system(make_dag(400, 3, false, 2), false);
    check_system(make_dag(400, 3, true, 3), true);
    check_system(make_grid("grid2d:17x19"), false);
}

#define REFUSED(sentence)                                                                     \
    do {                                                                                      \
        CHECK_EQ(cleave_trsv_create(&plan, &t, NULL, &err), CLEAVE_EINVAL);                   \
        CHECK_STR(err.message, sentence);                                                     \
    } while (0)

static void test_errors(void)
{
    static const int64_t one[] = {0, 1, 1}, loop[] = {0, 1, 2};
    static const int32_t down[] = {1}, onto[] = {0, 1};
    double val[] = {1, 1, 1, 1};
    cleave_triangle t;
    cleave_trsv *plan;
    cleave_graph *g = make_dag(3, 0, false, 1);
    cleave_triangle_of_graph(&t, sizeof t, g);
    REFUSED("val and val32 are both NULL");
    t.val = val;
    val[1] = NAN;
    REFUSED("the diagonal of row 1 is not a finite number");
    val[1] = 0;
    REFUSED("row 1 has a zero on the diagonal");
    cleave_graph_free(g);

    cleave_triangle_init(&t, sizeof t);
    t = (cleave_triangle){.size = sizeof t, .n = 2, .xadj = loop, .idx = onto, .val = val};
    t.diagonal_apart = 1;
    REFUSED("row 0 has an entry on the diagonal, which is apart");
    t.xadj = one;
    t.idx = down;
    REFUSED("row 0 has an entry in column 1, which is not in the lower triangle");
    cleave_triangle_of_graph(&t, sizeof t, NULL);
    CHECK_OK(cleave_trsv_create(&plan, &t, NULL, &err)); /* no rows at all */
    cleave_trsv_free(plan);
}

int main(void)
{
    test_graphs();
    test_errors();
    return test_end();
}
