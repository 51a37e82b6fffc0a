/* SPDX-License-Identifier: Apache-2.0 */
/* Every allocation of the public metrics fails once: CLEAVE_ENOMEM, nothing leaked,
 * nothing written. */
#include "evaluate/metrics_support.h"

enum { side = 120, n = side * side, k = n + 5 };

/* A grid whose arcs run right and down, large enough that the scratch takes several
 * chunks; parts in a checkerboard make every metric do all of its work. */
static cleave_graph *make_grid(cleave_kind kind)
{
    cleave_error err = {0};
    cleave_builder *builder = NULL;
    cleave_graph *g = NULL;
    CHECK_OK(cleave_builder_create(&builder, kind, &err));
    for (int32_t v = 0; v < n; v++) {
        int32_t tail[2] = {v, v}, head[2] = {v + 1, v + side};
        if (v % side < side - 1)
            CHECK_OK(cleave_builder_add(builder, 1, tail, head, NULL, &err));
        if (v < n - side)
            CHECK_OK(cleave_builder_add(builder, 1, tail + 1, head + 1, NULL, &err));
    }
    CHECK_OK(cleave_builder_finish(&g, builder, n, NULL, &err));
    cleave_builder_free(builder);
    return g;
}

static cleave_mapping *make_mapping(int32_t nparts)
{
    static int32_t part[n];
    for (int32_t v = 0; v < n; v++)
        part[v] = (v / side + v % side) % 3;
    return mapping_of(n, nparts, part);
}

typedef struct call {
    const cleave_graph *g;
    const cleave_mapping *m;
    cleave_metrics metrics;
    int64_t weight[k], volume[k];
    int32_t pieces[k], cycle[k], length;
} call;

static cleave_status call_evaluate(call *c, cleave_error *err)
{
    cleave_metrics_init(&c->metrics, sizeof c->metrics);
    cleave_status status = cleave_evaluate(&c->metrics, c->g, c->m, NULL, err);
    CHECK_EQ(c->metrics.cut != 0, status == CLEAVE_OK);
    return status;
}

static cleave_status call_parts(call *c, cleave_error *err)
{
    return cleave_evaluate_parts(c->g, c->m, c->weight, c->volume, c->pieces, err);
}

static cleave_status call_cycle(call *c, cleave_error *err)
{
    cleave_status status = cleave_evaluate_cycle(c->g, c->m, c->cycle, &c->length, err);
    CHECK_EQ(c->length > 0, status == CLEAVE_OK);
    return status;
}

static void fail_every_allocation(cleave_status (*function)(call *, cleave_error *),
                                  cleave_kind kind, int32_t nparts)
{
    static call c;
    c.g = make_grid(kind);
    c.m = make_mapping(nparts);
    int64_t live = test_alloc_live(), nth = 1;
    for (; nth < 1000; nth++) {
        cleave_error err = {0};
        test_alloc_fail_at(nth);
        cleave_status status = function(&c, &err);
        int64_t calls = test_alloc_calls();
        test_alloc_fail_at(0);
        CHECK_EQ(test_alloc_live(), live);
        if (calls < nth) {
            CHECK_EQ(status, CLEAVE_OK);
            break;
        }
        CHECK_EQ(status, CLEAVE_ENOMEM);
        CHECK_STR(err.message, "out of memory");
    }
    CHECK(nth > 1 && nth < 1000);
    cleave_graph_free((cleave_graph *)c.g);
    cleave_mapping_free((cleave_mapping *)c.m);
}

static void test_evaluate(void)
{
    fail_every_allocation(call_evaluate, CLEAVE_UNDIRECTED, 3);
    fail_every_allocation(call_evaluate, CLEAVE_UNDIRECTED, k);
    fail_every_allocation(call_evaluate, CLEAVE_DAG, 3);
    fail_every_allocation(call_evaluate, CLEAVE_DAG, n);
    fail_every_allocation(call_evaluate, CLEAVE_DAG, k);
}

static void test_parts(void)
{
    fail_every_allocation(call_parts, CLEAVE_UNDIRECTED, 3);
    fail_every_allocation(call_parts, CLEAVE_DAG, k);
}

static void test_cycle(void)
{
    fail_every_allocation(call_cycle, CLEAVE_DAG, 3);
    fail_every_allocation(call_cycle, CLEAVE_DAG, n);
    fail_every_allocation(call_cycle, CLEAVE_DAG, k);
}

int main(void)
{
    RUN(test_evaluate);
    RUN(test_parts);
    RUN(test_cycle);
    return test_end();
}
