/* SPDX-License-Identifier: Apache-2.0 */
/* Layouts: how well distances in the drawing fit those along edges, separate components,
 * determinism; and every allocation fails once. */
#include "order/layout.h"

#include <math.h>

#include "support/test.h"

static cleave_error err;

static double *lay_out(const cleave_graph *g, int ndim)
{
    clv_context ctx;
    double *x = calloc((size_t)g->nvtx * (size_t)ndim + 1, sizeof *x);
    CHECK_OK(clv_context_open(&ctx, 1, 1, &err));
    CHECK_OK(clv_layout(g, ndim, &ctx, x, &err));
    clv_context_close(&ctx);
    return x;
}

/* All distances along edges, by Bellman and Ford's slow method on small graphs. */
static double stress(const cleave_graph *g, int ndim, const double *x)
{
    int32_t n = g->nvtx;
    double sum = 0, pairs = 0, *d = malloc((size_t)n * sizeof *d);
    for (int32_t s = 0; s < n; s++) {
        for (int32_t v = 0; v < n; v++)
            d[v] = v == s ? 0 : 1e9;
        for (bool again = true; again;) {
            again = false;
            for (int32_t v = 0; v < n; v++)
                for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
                    if (d[g->adj[a]] > d[v] + 1) {
                        d[g->adj[a]] = d[v] + 1;
                        again = true;
                    }
        }
        for (int32_t v = 0; v < n; v++) {
            double square = 0;
            for (int c = 0; c < ndim; c++)
                square += pow(x[v * ndim + c] - x[s * ndim + c], 2);
            if (v != s && d[v] < 1e9) {
                sum += pow((sqrt(square) - d[v]) / d[v], 2);
                pairs++;
            }
        }
    }
    free(d);
    return pairs > 0 ? sum / pairs : 0;
}

static void check_fit(const char *spec, int ndim, double most)
{
    cleave_graph *g = NULL;
    REQUIRE_OK(cleave_graph_generate(&g, spec, NULL, &err));
    double *x = lay_out(g, ndim), *again = lay_out(g, ndim), fit = stress(g, ndim, x);
    if (!(fit < most))
        fprintf(stderr, "%s in %d dimensions: stress %g\n", spec, ndim, fit);
    CHECK(fit < most);
    CHECK_EQ(memcmp(x, again, (size_t)g->nvtx * (size_t)ndim * sizeof *x), 0);
    free(x);
    free(again);
    cleave_graph_free(g);
}

static void test_fit(void)
{
    check_fit("tree:40:1", 2, 0.01); /* a path */
    check_fit("grid2d:15x11", 2, 0.06);
    check_fit("grid3d:6x6x6", 3, 0.08);
    check_fit("mesh2d:14x14", 2, 0.06);
    check_fit("tree:63", 2, 0.25);
}

/* Components that are no neighbours on paper either, and no two vertices at one place. */
static void test_components(void)
{
    cleave_graph *g = NULL;
    REQUIRE_OK(cleave_graph_generate(&g, "gnp:200:0.006", NULL, &err));
    double *x = lay_out(g, 2);
    for (int32_t v = 0; v < g->nvtx; v++) {
        CHECK(isfinite(x[2 * v]) && isfinite(x[2 * v + 1]));
        for (int32_t u = 0; u < v; u++)
            CHECK(hypot(x[2 * v] - x[2 * u], x[2 * v + 1] - x[2 * u + 1]) > 1e-6);
    }
    free(x);
    cleave_graph_free(g);
}

static void test_small(void)
{
    for (int32_t n = 0; n < 4; n++) {
        static const int64_t xadj[5] = {0};
        cleave_graph *g = NULL;
        cleave_csr csr;
        cleave_csr_init(&csr, sizeof csr);
        csr.nvtx = n;
        csr.xadj = xadj;
        csr.adj = (const int32_t[]){0};
        REQUIRE_OK(cleave_graph_create(&g, &csr, 0, &err));
        double *x = lay_out(g, 3);
        for (int32_t i = 0; i < 3 * n; i++)
            CHECK(isfinite(x[i]));
        free(x);
        cleave_graph_free(g);
    }
}

static void test_oom(void)
{
    cleave_graph *g = NULL;
    double x[2 * 60];
    REQUIRE_OK(cleave_graph_generate(&g, "gnp:60:0.03", NULL, &err));
    int64_t failures = 0;
    for (test_oom_rounds oom = {0}; test_oom_next(&oom);) {
        clv_context ctx;
        REQUIRE_OK(clv_context_open(&ctx, 1, 1, &err));
        TEST_OOM(&oom, clv_layout(g, 2, &ctx, x, &err));
        clv_context_close(&ctx);
        failures++;
    }
    CHECK(failures > 0);
    cleave_graph_free(g);
}

int main(void)
{
    RUN(test_fit);
    RUN(test_components);
    RUN(test_small);
    RUN(test_oom);
    return test_end();
}
