/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/list_coarsen.c against Algorithm 5 as published (with its gaps closed), and the
 * invariants of its clusters. */
#include "schedule/list_coarsen.h"

#include "base/rng.h"
#include "support/test.h"

enum { largest = 400 };

/* A DAG in topological numbers: predecessors of random vertices, or of a shape's. */
typedef struct dag {
    clv_pred_rows rows;
    int64_t xpred[largest + 1];
    int32_t *pred;
} dag;

static void make_dag(dag *d, int32_t nvtx, uint64_t seed)
{
    clv_rng rng = clv_rng_make(seed, 5, 6, 7);
    uint32_t kind = clv_rng_below(&rng, 4);
    int64_t count = 0;
    d->pred = malloc((size_t)nvtx * (size_t)nvtx * sizeof *d->pred + 1);
    for (int32_t v = 0; v < nvtx; v++) {
        d->xpred[v] = count;
        for (int32_t u = 0; u < v; u++) {
            bool arc = kind == 0   ? clv_rng_below(&rng, (uint32_t)nvtx) < 3
                       : kind == 1 ? u == v - 1
                       : kind == 2 ? u == v - 1 || u == v - 20
                                   : u == (v - 1) / 15;
            if (arc)
                d->pred[count++] = u;
        }
    }
    d->xpred[nvtx] = count;
    d->rows = (clv_pred_rows){nvtx, d->xpred, d->pred};
}

/* ---- The algorithm as printed ----------------------------------------------------------- */

typedef struct printed {
    int32_t list[largest], difference[largest], count;
} printed;

static void list_vertices(const dag *d, printed *p)
{
    int32_t n = d->rows.nvtx, out[largest] = {0}, looks = 0;
    bool done[largest] = {0};
    int32_t *stack =
        malloc(((size_t)d->xpred[n] + (size_t)n + 1) * (size_t)(n + 1) * sizeof *stack);
    p->count = 0;
    for (int64_t a = 0; a < d->xpred[n]; a++)
        out[d->pred[a]]++;
    for (int32_t root = 0; root < n; root++) {
        if (out[root] > 0)
            continue;
        int64_t height = 0;
        stack[height++] = root;
        while (height > 0) {
            int32_t v = stack[height - 1];
            if (done[v]) {
                height--;
                continue;
            }
            int64_t before = height;
            for (int64_t a = d->xpred[v]; a < d->xpred[v + 1]; a++)
                if (!done[d->pred[a]])
                    stack[height++] = d->pred[a];
            looks++;
            if (height > before)
                continue;
            done[v] = true;
            p->list[p->count] = v;
            p->difference[p->count++] = looks - 1;
            looks = 0;
            height--;
        }
    }
    free(stack);
}

static int32_t cut_printed(const dag *d, const printed *p, const clv_list_limits *limits,
                           int32_t *cluster)
{
    int32_t n = d->rows.nvtx, out[largest] = {0}, current = 0, size = 0;
    int32_t most = n / limits->coarse, log = 0;
    while ((2 << log) <= most)
        log++;
    for (int64_t a = 0; a < d->xpred[n]; a++)
        out[d->pred[a]]++;
    for (int32_t i = 0; i < n; i++) {
        if (size > 0 &&
            (size > most || p->difference[i] > (limits->depth > 0 ? limits->depth : log) ||
             out[p->list[i]] > limits->degree)) {
            current++;
            size = 0;
        }
        cluster[p->list[i]] = current;
        size++;
    }
    return n > 0 ? current + 1 : 0;
}

static void test_as_printed(void)
{
    static printed p;
    int32_t cluster[largest], expected[largest];
    int coarse = 0;
    for (uint64_t seed = 0; seed < 400; seed += TEST_STRIDE) {
        clv_rng rng = clv_rng_make(seed, 8, 9, 10);
        int32_t nvtx = (int32_t)clv_rng_below(&rng, 150), count = -1;
        clv_list_limits limits = {1 + (int32_t)clv_rng_below(&rng, 40),
                                  (int32_t)clv_rng_below(&rng, 4),
                                  1 + (int32_t)clv_rng_below(&rng, 12)};
        dag d;
        clv_ws ws = {0};
        cleave_error err = {0};
        make_dag(&d, nvtx, seed);
        CHECK_OK(clv_list_coarsen(&d.rows, &limits, &ws, cluster, &count, &err));
        list_vertices(&d, &p);
        CHECK_EQ(p.count, nvtx);
        CHECK_EQ(count, cut_printed(&d, &p, &limits, expected));
        CHECK(memcmp(cluster, expected, (size_t)nvtx * sizeof *cluster) == 0);
        coarse += count < nvtx;
        free(d.pred);
        clv_ws_free(&ws);
    }
    CHECK(coarse * TEST_STRIDE > 200);
}

/* Arcs never lead back, clusters are not larger than wanted and none is empty. */
static void test_promises(void)
{
    for (uint64_t seed = 0; seed < 100; seed += TEST_STRIDE) {
        int32_t nvtx = largest - (int32_t)(seed % 7), count = -1;
        int32_t cluster[largest], size[largest] = {0};
        clv_list_limits limits = {1 + (int32_t)seed, 0, 10};
        dag d;
        clv_ws ws = {0};
        cleave_error err = {0};
        make_dag(&d, nvtx, seed);
        CHECK_OK(clv_list_coarsen(&d.rows, &limits, &ws, cluster, &count, &err));
        for (int32_t v = 0; v < nvtx; v++) {
            REQUIRE(cluster[v] >= 0 && cluster[v] < count);
            size[cluster[v]]++;
            for (int64_t a = d.xpred[v]; a < d.xpred[v + 1]; a++)
                CHECK(cluster[d.pred[a]] <= cluster[v]);
        }
        for (int32_t c = 0; c < count; c++)
            CHECK(size[c] > 0 && size[c] <= nvtx / limits.coarse + 1);
        free(d.pred);
        clv_ws_free(&ws);
    }
}

/* A chain goes into stretches of the size threshold, and a hub begins a cluster. */
static void test_known(void)
{
    int64_t xpred[13] = {0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    int32_t pred[11] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, cluster[12], count = 0;
    clv_pred_rows chain = {12, xpred, pred};
    clv_list_limits limits = {4, 0, 10};
    clv_ws ws = {0};
    cleave_error err = {0};
    CHECK_OK(clv_list_coarsen(&chain, &limits, &ws, cluster, &count, &err));
    CHECK_EQ(count, 3); /* 12 / 4 vertices, and the one that exceeds them */
    for (int32_t v = 0; v < 12; v++)
        CHECK_EQ(cluster[v], v / 4);
    limits.degree = 0; /* every vertex but the last has more */
    CHECK_OK(clv_list_coarsen(&chain, &limits, &ws, cluster, &count, &err));
    CHECK_EQ(count, 11);
    CHECK_EQ(cluster[11], 10);
    clv_ws_free(&ws);
}

static void test_out_of_memory(void)
{
    dag d;
    make_dag(&d, 300, 2);
    int32_t cluster[largest], count;
    clv_list_limits limits = {20, 0, 10};
    test_oom_rounds oom = {0};
    while (test_oom_next(&oom)) {
        clv_ws ws = {0};
        cleave_error err = {0};
        TEST_OOM(&oom, clv_list_coarsen(&d.rows, &limits, &ws, cluster, &count, &err));
        clv_ws_free(&ws);
    }
    CHECK(oom.nth > 2 && oom.nth < 50);
    free(d.pred);
}

int main(void)
{
    RUN(test_as_printed);
    RUN(test_promises);
    RUN(test_known);
    RUN(test_out_of_memory);
    return test_end();
}
