/* SPDX-License-Identifier: Apache-2.0 */
/* Orders: weights and crossings by their definitions, invalid input, and the hash. */
#include "graph/order.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "graph/sample.h"
#include "support/test.h"

static cleave_error err;

/* ---- Sums ------------------------------------------------------------------------------- */

static int64_t slow_crossing(const clv_graph *g, const int32_t *vertex, int32_t place)
{
    int64_t sum = 0;
    for (int32_t p = 0; p < place; p++)
        for (int32_t q = place; q < g->nvtx; q++)
            for (int turn = 0; turn < 2; turn++) {
                int32_t v = vertex[turn ? q : p], u = vertex[turn ? p : q];
                for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
                    if (g->adj[a] == u && (g->kind == CLEAVE_DAG || turn == 0))
                        sum += clv_graph_ewgt(g, a);
            }
    return sum;
}

static void test_sums(void)
{
    for (uint64_t seed = 0; seed < 300; seed += TEST_STRIDE) {
        clv_rng rng = clv_rng_make(seed, 0, 0, 0);
        bool dag = clv_rng_below(&rng, 2);
        oracle_graph matrix;
        sample_matrix(&matrix, dag ? SAMPLE_DAG : SAMPLE_UNDIRECTED, 14, &rng);
        sample_attributes with = sample_any_attributes(&rng);
        with.ncon = with.ncon > 1 ? 1 : with.ncon;
        clv_graph *g = sample_graph(&matrix, dag ? CLEAVE_DAG : CLEAVE_UNDIRECTED, with);
        int32_t vertex[ORACLE_MAX];
        clv_rng_permutation(&rng, g->nvtx, vertex);
        clv_ws ws = {0};
        clv_order *o;
        REQUIRE_OK(clv_order_new(&o, g, "hci", vertex, &ws, &err));
        CHECK_EQ(o->nvtx, g->nvtx);
        CHECK_STR(o->method, "hci");
        CHECK_EQ(o->hash == clv_order_hash(g), 1);
        int64_t sum = 0;
        for (int32_t p = 0; p <= g->nvtx; p++) {
            CHECK_EQ(o->before[p], sum);
            CHECK_EQ(o->crossing[p], slow_crossing(g, vertex, p));
            if (p == g->nvtx)
                break;
            CHECK_EQ(o->vertex[p], vertex[p]);
            sum += clv_graph_vwgt(g, vertex[p], 0);
        }
        clv_order_free(o);
        clv_ws_free(&ws);
        clv_graph_free(g);
    }
}

/* count numbers, all the same, in the memory of a few: one file mapped again and again. */
static int32_t *same_numbers(int64_t count, int32_t value)
{
    enum { piece = 1 << 20 };
    static int32_t numbers[piece];
    FILE *file = tmpfile();
    size_t bytes = (size_t)count * sizeof(int32_t), each = sizeof numbers;
    for (int i = 0; i < piece; i++)
        numbers[i] = value;
    bool fine = file && fwrite(numbers, each, 1, file) == 1 && fflush(file) == 0;
    char *all = fine ? mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fileno(file), 0) : MAP_FAILED;
    for (size_t at = 0; all != MAP_FAILED && at < bytes; at += each)
        fine = fine && mmap(all + at, each, PROT_READ, MAP_PRIVATE | MAP_FIXED, fileno(file),
                            0) == all + at;
    if (file)
        fclose(file);
    return fine && all != MAP_FAILED ? (int32_t *)all : NULL;
}

/* So much between two vertices that some such sums would not add up: not known. */
static void test_heavy_edges(void)
{
    enum { most = 1 << 26 };
    static const int32_t vertex[] = {0, 1};
    const int64_t narc[] = {most, most + (1 << 20)};
    if (TEST_STRIDE > 1) /* that is too slow */
        return;
    int32_t *adj = same_numbers(narc[1], 1), *ewgt = same_numbers(narc[1], INT32_MAX);
    REQUIRE(adj && ewgt);
    for (int i = 0; i < 2; i++) {
        const int64_t xadj[] = {0, narc[i], narc[i]};
        clv_graph g = {.kind = CLEAVE_DAG, .nvtx = 2, .ncon = 1, .narc = narc[i]};
        g.xadj = xadj;
        g.adj = adj;
        g.ewgt = ewgt;
        clv_ws ws = {0};
        clv_order *o = NULL;
        REQUIRE_OK(clv_order_new(&o, &g, "topo", vertex, &ws, &err));
        CHECK((o->crossing != NULL) == (i == 0));
        CHECK(i == 1 || o->crossing[1] == narc[0] * INT32_MAX);
        CHECK(o->hash != 0);
        clv_order_free(o);
        clv_ws_free(&ws);
    }
    munmap(adj, (size_t)narc[1] * sizeof *adj);
    munmap(ewgt, (size_t)narc[1] * sizeof *ewgt);
}

static void test_given(void)
{
    static const int32_t vertex[] = {2, 0, 1}, weight[] = {5, 0, INT32_MAX};
    clv_order *o;
    REQUIRE_OK(clv_order_given(&o, 3, vertex, weight, &err));
    CHECK_STR(o->method, "given");
    CHECK(o->hash == 0 && o->crossing == NULL);
    CHECK(o->before[0] == 0 && o->before[1] == INT32_MAX);
    CHECK_EQ(o->before[3], (int64_t)INT32_MAX + 5);
    clv_order_free(o);
    REQUIRE_OK(clv_order_given(&o, 3, vertex, NULL, &err));
    CHECK_EQ(o->before[3], 3);
    clv_order_free(o);
    REQUIRE_OK(clv_order_given(&o, 0, NULL, NULL, &err));
    CHECK(o->nvtx == 0 && o->before[0] == 0 && o->vertex != NULL);
    clv_order_free(o);
    clv_order_free(NULL);
}

static void refused(int32_t nvtx, const int32_t *vertex, const int32_t *weight,
                    const char *text)
{
    clv_order *o = (clv_order *)&err;
    CHECK_EQ(clv_order_given(&o, nvtx, vertex, weight, &err), CLEAVE_EINVAL);
    CHECK(o == NULL);
    CHECK_STR(err.message, text);
}

static void test_refused(void)
{
    static const int32_t twice[] = {1, 2, 1}, beyond[] = {0, 3, 1}, below[] = {0, -1, 1};
    static const int32_t fine[] = {2, 1, 0}, negative[] = {4, -2, -3};
    refused(3, twice, NULL, "vertex 1 is at places 0 and 2 of the order");
    refused(3, beyond, NULL,
            "vertex 3 is at place 1 of the order, but vertices run from 0 to 2");
    refused(3, below, NULL,
            "vertex -1 is at place 1 of the order, but vertices run from 0 to 2");
    refused(3, fine, negative, "the weight of vertex 2 is -3, below 0");
    refused(-1, fine, NULL, "an order cannot have -1 vertices");
}

static void test_refused_graph(void)
{
    static const int32_t twice[] = {1, 1};
    static const int32_t tail[] = {0}, head[] = {1};
    clv_graph *g = sample_edges(CLEAVE_UNDIRECTED, 2, 1, tail, head, NULL);
    clv_ws ws = {0};
    clv_order *o = (clv_order *)&err;
    CHECK_EQ(clv_order_new(&o, g, "x", twice, &ws, &err), CLEAVE_EINVAL);
    CHECK(o == NULL);
    CHECK_STR(err.message, "vertex 1 is at places 0 and 1 of the order");
    clv_ws_free(&ws);
    clv_graph_free(g);
}

/* The first weight is measured; all of them are hashed. */
static void test_several_weights(void)
{
    static const int32_t vertex[] = {2, 0, 1}, weights[] = {3, 9, 5, 9, 7, 9};
    static const int32_t other[] = {3, 9, 5, 9, 7, 8}, tail[] = {0, 1}, head[] = {1, 2};
    clv_graph *g = sample_edges(CLEAVE_UNDIRECTED, 3, 2, tail, head, NULL), view;
    clv_ws ws = {0};
    clv_order *o;
    g->ncon = 2;
    g->vwgt = weights;
    REQUIRE_OK(clv_order_new(&o, g, "x", vertex, &ws, &err));
    CHECK_EQ(o->before[1], 7);
    CHECK_EQ(o->before[2], 10);
    CHECK_EQ(o->before[3], 15);
    CHECK(o->residual == -1 && o->converged == -1);
    CHECK(o->hash == clv_order_hash(g));
    REQUIRE_OK(clv_order_graph(&view, g, &ws, &err));
    CHECK_EQ(view.ncon, 1);
    for (int32_t v = 0; v < 3; v++)
        CHECK_EQ(view.vwgt[v], weights[2 * v]);
    CHECK(view.adj == g->adj && clv_order_hash(&view) != o->hash);
    g->vwgt = other;
    CHECK(clv_order_hash(g) != o->hash);
    g->vwgt = NULL;
    REQUIRE_OK(clv_order_graph(&view, g, &ws, &err));
    CHECK(view.ncon == 1 && view.vwgt == NULL);
    clv_order_free(o);
    clv_ws_free(&ws);
    clv_graph_free(g);
}

static void test_long_name(void)
{
    static const int32_t vertex[] = {0};
    clv_graph *g = sample_edges(CLEAVE_UNDIRECTED, 1, 0, NULL, NULL, NULL);
    clv_ws ws = {0};
    clv_order *o;
    REQUIRE_OK(clv_order_new(&o, g, "a name that is too long", vertex, &ws, &err));
    CHECK_STR(o->method, "a name that is ");
    clv_order_free(o);
    clv_ws_free(&ws);
    clv_graph_free(g);
}

/* ---- Hash ------------------------------------------------------------------------------- */

static uint64_t hash_of(cleave_kind kind, const int32_t *head, const int32_t *ewgt,
                        const int32_t *vwgt)
{
    static const int32_t tail[] = {0, 0, 1, 2};
    clv_graph *g = sample_edges(kind, 5, 4, tail, head, ewgt);
    g->vwgt = vwgt;
    uint64_t hash = clv_order_hash(g);
    clv_graph_free(g);
    return hash;
}

static void test_hash(void)
{
    static const int32_t head[] = {1, 2, 3, 4}, ones[] = {1, 1, 1, 1, 1};
    uint64_t seen[64], plain = hash_of(CLEAVE_UNDIRECTED, head, NULL, NULL);
    int count = 0;
    /* Absent weights are 1. */
    CHECK(plain == hash_of(CLEAVE_UNDIRECTED, head, ones, NULL));
    CHECK(plain == hash_of(CLEAVE_UNDIRECTED, head, NULL, ones));
    /* Everything else makes a difference. */
    seen[count++] = 0;
    seen[count++] = plain;
    seen[count++] = hash_of(CLEAVE_DAG, head, NULL, NULL);
    for (int i = 0; i < 5; i++)
        for (int32_t w = 0; w < 6; w += w == 0 ? 2 : 3) {
            int32_t changed[] = {1, 1, 1, 1, 1};
            changed[i] = w;
            seen[count++] = hash_of(CLEAVE_UNDIRECTED, head, NULL, changed);
            if (i < 4 && w > 0)
                seen[count++] = hash_of(CLEAVE_UNDIRECTED, head, changed, NULL);
        }
    for (int i = 0; i < 2; i++) {
        int32_t changed[] = {1, 2, 3, 4};
        changed[2 + i] = i ? 3 : 4;
        seen[count++] = hash_of(CLEAVE_UNDIRECTED, changed, NULL, NULL);
    }
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            CHECK(seen[i] != seen[j]);
}

/* ---- Memory ----------------------------------------------------------------------------- */

static cleave_status call_new(const void *graph, cleave_error *e)
{
    static const int32_t vertex[] = {2, 0, 3, 1, 4};
    clv_ws ws = {0};
    clv_order *o = (clv_order *)e;
    cleave_status status = clv_order_new(&o, graph, "hci", vertex, &ws, e);
    CHECK((o == NULL) == (status != CLEAVE_OK));
    clv_order_free(o);
    clv_ws_free(&ws);
    return status;
}

static cleave_status call_given(const void *vertex, cleave_error *e)
{
    clv_order *o = (clv_order *)e;
    cleave_status status = clv_order_given(&o, 3, vertex, NULL, e);
    CHECK((o == NULL) == (status != CLEAVE_OK));
    clv_order_free(o);
    return status;
}

static void test_out_of_memory(void)
{
    static const int32_t vertex[] = {2, 0, 1}, tail[] = {0, 1, 3}, head[] = {1, 2, 4};
    clv_graph *g = sample_edges(CLEAVE_UNDIRECTED, 5, 3, tail, head, NULL);
    test_oom_call(call_new, g);
    clv_graph_free(g);
    test_oom_call(call_given, vertex);
    CHECK_EQ(test_alloc_live(), 0);
}

int main(void)
{
    RUN(test_sums);
    RUN(test_heavy_edges);
    RUN(test_given);
    RUN(test_refused);
    RUN(test_refused_graph);
    RUN(test_several_weights);
    RUN(test_long_name);
    RUN(test_hash);
    RUN(test_out_of_memory);
    return test_end();
}
