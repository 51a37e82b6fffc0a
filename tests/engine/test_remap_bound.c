/* SPDX-License-Identifier: Apache-2.0 */
/* The lower bound on migration against all mappings of tiny graphs, and limits on meshes. */
#include "base/rng.h"
#include "engine/map_fixture.h"
#include "engine/remap_fixture.h"
#include "support/test.h"

static cleave_error err;

enum { most_vertices = 8, most_pes = 4 };

typedef struct tiny {
    int32_t n, k, speed[most_pes], weight[most_vertices], size[most_vertices];
    int32_t old[most_vertices], fixed[most_vertices];
} tiny;

static void draw(tiny *x, clv_rng *rng)
{
    bool weights = clv_rng_below(rng, 2), sizes = clv_rng_below(rng, 2);
    x->n = 1 + (int32_t)clv_rng_below(rng, most_vertices);
    x->k = 1 + (int32_t)clv_rng_below(rng, most_pes);
    for (int32_t p = 0; p < x->k; p++)
        x->speed[p] = (int32_t)clv_rng_below(rng, 4);
    x->speed[clv_rng_below(rng, (uint32_t)x->k)] = 2;
    for (int32_t v = 0; v < x->n; v++) {
        x->weight[v] = weights ? (int32_t)clv_rng_below(rng, 6) : 1;
        x->size[v] = sizes ? (int32_t)clv_rng_below(rng, 6) : 1;
        x->old[v] = (int32_t)clv_rng_below(rng, most_pes); /* PEs from k on are lost */
        x->fixed[v] = clv_rng_below(rng, 8) ? -1 : (int32_t)clv_rng_below(rng, (uint32_t)x->k);
    }
}

/* floor(1.25 * ceil(share)) in whole numbers. */
static int64_t bound_of(const tiny *x, int32_t p)
{
    int64_t total = 0, speeds = 0;
    for (int32_t v = 0; v < x->n; v++)
        total += x->weight[v];
    for (int32_t q = 0; q < x->k; q++)
        speeds += x->speed[q];
    int64_t share = (total * x->speed[p] + speeds - 1) / speeds;
    return share * 5 / 4;
}

/* The least that moves over all mappings within the bounds; -1: there is none. */
static int64_t least_of_all(const tiny *x)
{
    int64_t best = -1, all = 1;
    for (int32_t v = 0; v < x->n; v++)
        all *= x->k;
    for (int64_t code = 0; code < all; code++) {
        int64_t weight[most_pes] = {0}, moved = 0, rest = code;
        bool good = true;
        for (int32_t v = 0; v < x->n; v++, rest /= x->k) {
            int32_t p = (int32_t)(rest % x->k);
            weight[p] += x->weight[v];
            moved += p == x->old[v] ? 0 : x->size[v];
            good = good && x->speed[p] > 0 && (x->fixed[v] < 0 || x->fixed[v] == p);
        }
        for (int32_t p = 0; p < x->k; p++)
            good = good && weight[p] <= bound_of(x, p);
        if (good && (best < 0 || moved < best))
            best = moved;
    }
    return best;
}

/* What moves in any case: from PEs that are lost, and to where it is fixed. */
static int64_t sure_to_move(const tiny *x)
{
    int64_t sum = 0;
    for (int32_t v = 0; v < x->n; v++) {
        bool away = x->fixed[v] >= 0 && x->fixed[v] != x->old[v];
        sum += x->old[v] >= x->k || away ? x->size[v] : 0;
    }
    return sum;
}

/* The bound that cleave_remap reports. */
static cleave_status ask_bound(const tiny *x, int64_t *bound)
{
    double speeds[most_pes];
    int64_t xadj[most_vertices + 1] = {0};
    cleave_csr csr;
    cleave_graph *g = NULL;
    cleave_mapping *old = NULL, *m = NULL;
    cleave_target *t = NULL;
    cleave_constraints constraints;
    cleave_options options;
    cleave_remap_options opt;
    cleave_remap_report report;
    cleave_csr_init(&csr, sizeof csr);
    cleave_constraints_init(&constraints, sizeof constraints);
    cleave_options_init(&options, sizeof options);
    cleave_remap_options_init(&opt, sizeof opt);
    cleave_remap_report_init(&report, sizeof report);
    csr.nvtx = x->n;
    csr.xadj = xadj;
    csr.vwgt = x->weight;
    csr.vsize = x->size;
    csr.adj = x->old; /* not empty, not read */
    for (int32_t p = 0; p < x->k; p++)
        speeds[p] = x->speed[p];
    constraints.fixed = x->fixed;
    options.constraints = &constraints;
    options.imbalance = 0.25;
    options.effort = CLEAVE_EFFORT_FAST;
    opt.options = &options;
    opt.report = &report;
    opt.strategy = "diffuse";
    opt.migration_price = 1000;
    CHECK_OK(cleave_graph_create(&g, &csr, 0, &err));
    CHECK_OK(cleave_mapping_create(&old, x->n, most_pes, x->old, &err));
    CHECK_OK(cleave_target_create(&t, x->k, speeds, &err));
    cleave_status status = cleave_remap(&m, g, old, t, &opt, &err);
    *bound = report.migration_bound;
    cleave_graph_free(g);
    cleave_mapping_free(old);
    cleave_mapping_free(m);
    cleave_target_free(t);
    return status;
}

static void test_all_mappings(void)
{
    int tight = 0, positive = 0, feasible = 0;
    for (uint64_t seed = 0; seed < 600; seed += TEST_STRIDE) {
        clv_rng rng = clv_rng_make(seed, 7, 7, 7);
        tiny x;
        draw(&x, &rng);
        int64_t least = least_of_all(&x), bound;
        cleave_status status = ask_bound(&x, &bound);
        CHECK(status == CLEAVE_OK || status == CLEAVE_EBALANCE);
        if (least < 0)
            continue;
        feasible++;
        CHECK(bound <= least && bound >= sure_to_move(&x));
        positive += bound > 0;
        tight += bound == least && bound > 0;
    }
    CHECK(positive * 2 > feasible && tight * 2 > positive);
}

/* ---- Meshes ----------------------------------------------------------------------------- */

typedef struct mesh_cuts {
    int64_t scratch, dear; /* from scratch, and with a high migration cost */
} mesh_cuts;

static void remap_mesh(const char *path, const char *target, uint64_t seed, mesh_cuts *sum)
{
    remap_case c;
    cleave_mapping *m = NULL, *scratch = NULL;
    cleave_map_report report;
    remap_case_make(&c, "path:20", "20", target, true);
    cleave_graph_free(c.g);
    cleave_mapping_free(c.old);
    c.g = NULL;
    c.old = NULL;
    c.options.effort = CLEAVE_EFFORT_DEFAULT;
    c.options.seed = seed;
    cleave_map_report_init(&report, sizeof report);
    c.options.report = &report;
    REQUIRE_OK(cleave_graph_read(&c.g, path, NULL, &err));
    REQUIRE_OK(cleave_map(&c.old, c.g, c.from, &c.options, &err));
    REQUIRE_OK(cleave_map(&scratch, c.g, c.t, &c.options, &err));
    sum->scratch += report.cut;
    c.opt.migration_price = 0;
    REQUIRE_OK(remap_case_run(&c, &m, &err));
    CHECK(c.report.cut * 100 <= report.cut * 105);
    cleave_mapping_free(m);
    c.opt.migration_price = 1000;
    REQUIRE_OK(remap_case_run(&c, &m, &err));
    CHECK(c.report.migration * 100 <= c.report.migration_bound * 125);
    sum->dear += c.report.cut;
    cleave_mapping_free(m);
    cleave_mapping_free(scratch);
    remap_case_free(&c);
}

/* 20 PEs, then 18 of them, then other speeds, at no price and at a high one; cuts at the high
 * one in the mean over a few seeds. */
static void test_mesh(void)
{
    static const char *const targets[] = {"20[0-4,6-12,14-19]",
                                          "4,1,1,2,1,1,3,1,1,4,1,1,2,1,1,1,1,3,1,2"};
    mesh_cuts sum = {0, 0};
    const char *path = test_shared("walshaw/3elt.graph", 8);
    if (!path)
        return;
    for (uint64_t seed = 1; seed <= 4; seed++)
        for (int i = 0; i < 2; i++)
            remap_mesh(path, targets[i], seed, &sum);
    CHECK(sum.scratch > 0 && sum.dear * 100 <= sum.scratch * 125);
}

int main(void)
{
    RUN(test_all_mappings);
    RUN(test_mesh);
    return test_end();
}
