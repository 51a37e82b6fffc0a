/* SPDX-License-Identifier: Apache-2.0 */
/* Memory by number of threads: scratch of a thread is bounded, so that 64 threads need little
 * more than one.  An array by vertex for each of 64 threads would need several times as much.
 */
#include <stdbool.h>

#include "support/test.h"

enum { threads = 64 };

/* Peak of the bytes allocated during a call. */
static double peak_of(const cleave_graph *g, int parts, cleave_effort effort, int nthreads)
{
    cleave_target *t;
    cleave_mapping *m = NULL;
    cleave_options opt;
    cleave_error err;
    cleave_options_init(&opt, sizeof opt);
    opt.threads = nthreads;
    opt.effort = effort;
    CHECK_EQ(cleave_target_create(&t, parts, NULL, &err), CLEAVE_OK);
    int64_t before = test_alloc_bytes();
    test_alloc_forget_peak();
    CHECK_EQ(cleave_map(&m, g, t, &opt, &err), CLEAVE_OK);
    double peak = (double)(test_alloc_peak() - before);
    cleave_mapping_free(m);
    cleave_target_free(t);
    return peak;
}

static void check_graph(const char *spec, int parts, cleave_effort effort)
{
    const double slack = 1.3, per_thread = 128 << 10;
    cleave_graph *g;
    cleave_error err;
    CHECK_EQ(cleave_graph_generate(&g, spec, NULL, &err), CLEAVE_OK);
    double one = peak_of(g, parts, effort, 1), many = peak_of(g, parts, effort, threads);
    bool bounded = many <= slack * one + per_thread * threads;
    CHECK(bounded);
    if (!bounded)
        fprintf(stderr, "%s: %.0f bytes on one thread, %.0f on %d\n", spec, one, many,
                threads);
    cleave_graph_free(g);
}

int main(void)
{
    check_graph("grid2d:500x500", 64, CLEAVE_EFFORT_FAST);
    check_graph("grid2d:300x300", 64, CLEAVE_EFFORT_QUALITY); /* with flows */
    check_graph("layered:40:5000:4", 16, CLEAVE_EFFORT_FAST); /* a DAG */
    return test_end();
}
