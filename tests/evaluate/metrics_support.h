/* SPDX-License-Identifier: Apache-2.0 */
/* tests/evaluate/metrics_support.h - small graphs from text, and helpers of the tests of the
 * metrics. */
#ifndef CLV_TESTS_METRICS_SUPPORT_H
#define CLV_TESTS_METRICS_SUPPORT_H

#include "support/test.h"

/* "0>1 1>2" style arcs (any byte between the numbers) of n vertices, with attributes. */
static inline cleave_graph *graph_of(cleave_kind kind, int32_t n, const char *arcs,
                                     const cleave_csr *attributes)
{
    cleave_error err = {0};
    cleave_builder *builder = NULL;
    cleave_graph *g = NULL;
    CHECK_OK(cleave_builder_create(&builder, kind, &err));
    int tail, head, used;
    while (sscanf(arcs, "%d%*c%d %n", &tail, &head, &used) == 2) {
        int32_t t = tail, h = head;
        CHECK_OK(cleave_builder_add(builder, 1, &t, &h, NULL, &err));
        arcs += used;
    }
    CHECK_OK(cleave_builder_finish(&g, builder, n, attributes, &err));
    cleave_builder_free(builder);
    return g;
}

static inline cleave_mapping *mapping_of(int32_t n, int32_t nparts, const int32_t *part)
{
    cleave_error err = {0};
    cleave_mapping *m = NULL;
    CHECK_OK(cleave_mapping_create(&m, n, nparts, part, &err));
    return m;
}

static inline cleave_metrics evaluate(const cleave_graph *g, int32_t nparts,
                                      const int32_t *part, const cleave_evaluate_options *opt)
{
    cleave_error err = {0};
    cleave_metrics metrics;
    cleave_metrics_init(&metrics, sizeof metrics);
    cleave_mapping *m = mapping_of(cleave_graph_vertices(g), nparts, part);
    CHECK_OK(cleave_evaluate(&metrics, g, m, opt, &err));
    cleave_mapping_free(m);
    return metrics;
}

#endif
