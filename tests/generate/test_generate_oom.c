/* SPDX-License-Identifier: Apache-2.0 */
/* Every allocation of the generators and factors fails once: CLEAVE_ENOMEM, nothing leaked,
 * no result. */
#include <stdbool.h>

#include "generate/generate_support.h"

typedef struct call {
    const char *spec;
    const cleave_graph *g;
    const int32_t *permutation;
} call;

static cleave_status call_generate(const call *c, void **out, cleave_error *err)
{
    cleave_generate_options opt;
    cleave_generate_options_init(&opt, sizeof opt);
    opt.threads = 2;
    return cleave_graph_generate((cleave_graph **)out, c->spec, &opt, err);
}

static cleave_status call_factor(const call *c, void **out, cleave_error *err)
{
    const char *order = c->permutation ? NULL : "mindeg";
    return cleave_graph_factor((cleave_graph **)out, c->g, order, c->permutation, err);
}

static cleave_status call_matrix(const call *c, void **out, cleave_error *err)
{
    return cleave_matrix_factor((cleave_matrix **)out, c->g, "mindeg", NULL, 1, err);
}

static void fail_every_allocation(cleave_status (*function)(const call *, void **,
                                                            cleave_error *),
                                  const call *c, bool matrix)
{
    int64_t live = test_alloc_live(), nth = 1;
    for (; nth < 1000; nth++) {
        cleave_error err = {0};
        void *out = &err;
        test_alloc_fail_at(nth);
        cleave_status status = function(c, &out, &err);
        int64_t calls = test_alloc_calls();
        test_alloc_fail_at(0);
        if (status == CLEAVE_OK) {
            if (matrix)
                cleave_matrix_free(out);
            else
                cleave_graph_free(out);
        } else {
            CHECK_EQ(status, CLEAVE_ENOMEM);
            CHECK_STR(err.message, "out of memory");
            CHECK(out == NULL);
        }
        CHECK_EQ(test_alloc_live(), live);
        if (calls < nth) {
            CHECK_EQ(status, CLEAVE_OK);
            break;
        }
    }
    CHECK(nth > 3 && nth < 1000);
}

static void test_generators(void)
{
    static const char *const specs[] = {
        "grid2d:20x20",        "grid3d:5x5x5:27", "mesh2d:20x20",
        "mesh3d:5x5x5",        "spiral",          "rgg:500:6",
        "rgg:500:6:3",         "rmat:8:4",        "gnp:500:0.02",
        "tree:500:random",     "layered:10:40:3", "stencil:5x5:5",
        "polybench:gemm:4x4x4"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        call c = {specs[i], NULL, NULL};
        fail_every_allocation(call_generate, &c, false);
    }
}

static void test_factors(void)
{
    cleave_error err = {0};
    cleave_graph *plain = generate("rgg:400:6", 1, 1), *g = NULL;
    cleave_csr view = view_of(plain);
    static const char *names[400];
    static int32_t permutation[400];
    for (int32_t v = 0; v < 400; v++) {
        names[v] = "same";
        permutation[v] = 399 - v;
    }
    view.names = names;
    REQUIRE_OK(cleave_graph_create(&g, &view, 0, &err));
    call c = {NULL, g, NULL};
    fail_every_allocation(call_factor, &c, false);
    fail_every_allocation(call_matrix, &c, true);
    c.permutation = permutation;
    fail_every_allocation(call_factor, &c, false);
    cleave_graph_free(g);
    cleave_graph_free(plain);
}

int main(void)
{
    RUN(test_generators);
    RUN(test_factors);
    return test_end();
}
