/* SPDX-License-Identifier: Apache-2.0 */
/* Parts by coordinates, curves and eigenvectors, and refinement on the finest level:
 * invariants for any graph. */
#include "engine/mapping/geometric_parts.h"

#include "support/test.h"
#include "target/machine.h"

static cleave_error err;

/* A graph, shares with bounds that leave 3 in 100, and room for parts. */
typedef struct subject {
    cleave_graph *g;
    clv_multilevel_task task;
    double share[16];
    int64_t max[16];
    int32_t *part, *start;
    clv_spectral_quality spectral;
} subject;

static void subject_make(subject *s, const char *spec, int32_t k)
{
    *s = (subject){0};
    CHECK_OK(cleave_graph_generate(&s->g, spec, NULL, &err));
    int32_t n = s->g->nvtx;
    double speeds = 0;
    for (int32_t p = 0; p < k; p++)
        speeds += 1 + p % 3;
    for (int32_t p = 0; p < k; p++) {
        s->share[p] = n * (1 + p % 3) / speeds;
        s->max[p] = (int64_t)(((int64_t)s->share[p] + 1) * 1.03);
    }
    s->part = calloc((size_t)n + 1, sizeof *s->part);
    s->start = calloc((size_t)n + 1, sizeof *s->start);
    s->task =
        (clv_multilevel_task){.g = s->g, .bounds = {k, s->g->ncon, s->share, s->max, NULL}};
}

static void subject_free(subject *s)
{
    cleave_graph_free(s->g);
    free(s->part);
    free(s->start);
}

/* Edge by edge; weights of parts on the way. */
static int64_t cut_of(const subject *s, const int32_t *part, int64_t *weight)
{
    int64_t cut = 0;
    const clv_graph *g = s->g;
    memset(weight, 0, 16 * sizeof *weight);
    for (int32_t v = 0; v < g->nvtx; v++) {
        CHECK(part[v] >= 0 && part[v] < s->task.bounds.nparts);
        weight[part[v]] += clv_graph_vwgt(g, v, 0);
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            cut += part[g->adj[a]] != part[v] ? clv_graph_ewgt(g, a) : 0;
    }
    return g->kind == CLEAVE_DAG ? cut : cut / 2;
}

static cleave_status divide(subject *s, clv_method_kind kind, bool refine, int threads,
                            clv_multilevel_result *result)
{
    clv_context ctx;
    clv_method method = {.kind = kind, .grouping = CLV_GROUPING_BINPACKING, .refine = refine};
    cleave_status status = clv_context_open(&ctx, threads, 1, &err);
    if (status != CLEAVE_OK)
        return status;
    clv_search_result found;
    s->spectral = (clv_spectral_quality){0};
    const clv_method_task task = {.t = s->task,
                                  .method = &method,
                                  .effort = CLEAVE_EFFORT_DEFAULT,
                                  .ctx = &ctx,
                                  .part = s->part,
                                  .spectral = &s->spectral};
    status = clv_geometric_parts(&task, &found, &err);
    *result = found.last;
    clv_context_close(&ctx);
    return status;
}

static void check_parts(subject *s, clv_method_kind kind, bool refine)
{
    clv_multilevel_result one, other;
    int64_t weight[16];
    size_t bytes = (size_t)s->g->nvtx * sizeof *s->part;
    REQUIRE_OK(divide(s, kind, refine, 1, &one));
    CHECK_EQ(one.worth.cut, cut_of(s, s->part, weight));
    CHECK_EQ(one.worth.overload, 0);
    for (int32_t p = 0; p < s->task.bounds.nparts; p++)
        CHECK(weight[p] > 0 && weight[p] <= s->max[p]);
    memcpy(s->start, s->part, bytes);
    for (int threads = 2; threads <= 8; threads *= 4) {
        REQUIRE_OK(divide(s, kind, refine, threads, &other));
        CHECK(memcmp(s->start, s->part, bytes) == 0);
    }
}

static void test_parts(void)
{
    static const char *const specs[] = {"rgg:600:6", "mesh2d:30x20", "grid3d:8x8x8"};
    for (int i = 0; i < 3; i++)
        for (int32_t k = 2; k <= 11; k += 3)
            for (int kind = CLV_METHOD_RCB; kind <= CLV_METHOD_RSB; kind++) {
                subject s;
                subject_make(&s, specs[i], k);
                check_parts(&s, (clv_method_kind)kind, false);
                check_parts(&s, (clv_method_kind)kind, true);
                subject_free(&s);
            }
}

/* A given partition never gets worse, and stripes of a grid get better. */
static void test_borders(void)
{
    for (int32_t k = 2; k <= 8; k++) {
        subject s;
        clv_multilevel_result result;
        int64_t weight[16];
        subject_make(&s, "mesh2d:40x30", k);
        for (int32_t p = 0, v = 0; p < k; p++) {
            double end = 0;
            for (int32_t q = 0; q <= p; q++)
                end += s.share[q];
            for (; v < s.g->nvtx && (v < end || p == k - 1); v++)
                s.start[v] = p;
        }
        s.task.start = s.start;
        int64_t before = cut_of(&s, s.start, weight);
        REQUIRE_OK(divide(&s, CLV_METHOD_BORDERS, false, 1, &result));
        CHECK_EQ(result.worth.cut, cut_of(&s, s.part, weight));
        CHECK(result.worth.cut < before + (k < 4) &&
              result.worth.overload == 0); /* two are straight */
        subject_free(&s);
    }
}

/* Intervals of the numbers of a DAG whose arcs run upward: their parts stay acyclic. */
static void test_borders_of_dags(void)
{
    for (int32_t k = 2; k <= 8; k++) {
        subject s;
        clv_multilevel_result result;
        int64_t weight[16], arcs[16][16] = {{0}};
        subject_make(&s, "layered:20:10:3", k);
        for (int32_t v = 0; v < s.g->nvtx; v++)
            s.start[v] = (int32_t)((int64_t)v * k / s.g->nvtx);
        for (int32_t p = 0; p < k; p++)
            s.max[p] = s.g->nvtx / k + 8;
        s.task.start = s.start;
        int64_t before = cut_of(&s, s.start, weight);
        REQUIRE_OK(divide(&s, CLV_METHOD_BORDERS, false, 1, &result));
        CHECK(cut_of(&s, s.part, weight) <= before);
        for (int32_t v = 0; v < s.g->nvtx; v++)
            for (int64_t a = s.g->xadj[v]; a < s.g->xadj[v + 1]; a++)
                arcs[s.part[v]][s.part[s.g->adj[a]]] = 1;
        for (int32_t m = 0; m < k; m++) /* Warshall */
            for (int32_t p = 0; p < k; p++)
                for (int32_t q = 0; q < k; q++)
                    arcs[p][q] |= p != m && q != m && arcs[p][m] && arcs[m][q];
        for (int32_t p = 0; p < k; p++)
            for (int32_t q = 0; q < p; q++)
                CHECK(!arcs[p][q] || !arcs[q][p]);
        subject_free(&s);
    }
}

/* Of two weights the first is minded, exactly as if there were no other; bounds of the second
 * are met or not, as reported.  Refinement considers both if possible. */
static void test_several_weights(void)
{
    for (int wide = 0; wide < 2; wide++)
        for (int kind = CLV_METHOD_RCB; kind <= CLV_METHOD_RSB; kind++) {
            subject one, two;
            clv_multilevel_result alone, with;
            double share[16];
            int64_t max[16], second[8] = {0}, total = 0, over = 0;
            subject_make(&one, "mesh2d:30x20", 8);
            subject_make(&two, "mesh2d:30x20", 8);
            int32_t n = two.g->nvtx, *weights = calloc(2 * (size_t)n, sizeof *weights);
            for (int32_t v = 0; v < n; v++) {
                weights[2 * v] = 1;
                total += weights[2 * v + 1] = v < n / 2; /* all of it on one side */
            }
            for (int32_t p = 0; p < 8; p++) {
                share[2 * p] = one.share[p];
                max[2 * p] = one.max[p];
                share[2 * p + 1] = (double)total / 8;
                max[2 * p + 1] = wide ? n : total / 8 + 2;
            }
            two.g->ncon = 2;
            two.g->vwgt = weights;
            two.task.bounds = (clv_bounds){8, 2, share, max, NULL};
            REQUIRE_OK(divide(&one, (clv_method_kind)kind, false, 1, &alone));
            REQUIRE_OK(divide(&two, (clv_method_kind)kind, false, 2, &with));
            CHECK(memcmp(one.part, two.part, (size_t)n * sizeof *one.part) == 0);
            CHECK_EQ(with.worth.cut, alone.worth.cut);
            CHECK_EQ(two.spectral.computed, kind == CLV_METHOD_RSB);
            CHECK_EQ(two.spectral.converged, kind == CLV_METHOD_RSB);
            for (int32_t v = 0; v < n; v++)
                second[two.part[v]] += weights[2 * v + 1];
            for (int32_t p = 0; p < 8; p++)
                over += second[p] > max[2 * p + 1];
            CHECK_EQ(with.worth.overload > 0, over > 0);
            CHECK_EQ(over > 0, !wide);
            REQUIRE_OK(divide(&two, (clv_method_kind)kind, true, 1, &with));
            CHECK(with.worth.overload > 0 || wide || with.worth.cut > 0);
            CHECK(!wide || (with.worth.overload == 0 && with.worth.cut <= alone.worth.cut));
            int64_t weight[8] = {0};
            for (int32_t v = 0; v < n; v++)
                weight[two.part[v]]++;
            for (int32_t p = 0; p < 8; p++) /* whatever becomes of the second */
                CHECK(weight[p] > 0 && weight[p] <= max[2 * p]);
            two.g->vwgt = NULL;
            free(weights);
            subject_free(&one);
            subject_free(&two);
        }
}

static void test_no_memory(void)
{
    for (int kind = CLV_METHOD_RCB; kind <= CLV_METHOD_RSB; kind++) {
        subject s;
        subject_make(&s, "mesh2d:20x20", 5);
        for (test_oom_rounds oom = {.lenient = true}; test_oom_next(&oom);) {
            clv_multilevel_result result;
            TEST_OOM(&oom, divide(&s, (clv_method_kind)kind, true, 1, &result));
        }
        subject_free(&s);
    }
}

int main(void)
{
    RUN(test_parts);
    RUN(test_borders);
    RUN(test_borders_of_dags);
    RUN(test_several_weights);
    RUN(test_no_memory);
    return test_end();
}
