/* SPDX-License-Identifier: Apache-2.0 */
/* slices GRAPH PARTS - read a graph, cut it into slices of consecutive vertices, and print
 * what such a mapping costs.  Any format that cleave reads will do. */
#include <stdio.h>
#include <stdlib.h>

#include <cleave/cleave.h>

static int fail(const char *what, const cleave_error *err)
{
    fprintf(stderr, "slices: %s: %s\n", what, err->message);
    return EXIT_FAILURE;
}

/* Slice p holds the vertices v with floor(v * nparts / nvtx) == p. */
static cleave_status cut_into_slices(cleave_mapping **out, const cleave_graph *g,
                                     int32_t nparts, cleave_error *err)
{
    int32_t nvtx = cleave_graph_vertices(g);
    int32_t *part = malloc(((size_t)nvtx + 1) * sizeof *part);
    if (!part)
        return CLEAVE_ENOMEM;
    for (int32_t v = 0; v < nvtx; v++)
        part[v] = (int32_t)((int64_t)v * nparts / nvtx);
    cleave_status status = cleave_mapping_create(out, nvtx, nparts, part, err);
    free(part);
    return status;
}

int main(int argc, char **argv)
{
    int32_t nparts = argc == 3 ? (int32_t)atoi(argv[2]) : 0;
    if (nparts < 1) {
        fprintf(stderr, "usage: slices GRAPH PARTS\n");
        return EXIT_FAILURE;
    }

    cleave_error err = {CLEAVE_OK, ""};
    cleave_graph *g = NULL;
    cleave_mapping *m = NULL;
    cleave_metrics metrics;
    cleave_metrics_init(&metrics, sizeof metrics);

    int result = EXIT_SUCCESS;
    if (cleave_graph_read(&g, argv[1], NULL, &err) != CLEAVE_OK) {
        result = fail("reading", &err);
    } else if (cut_into_slices(&m, g, nparts, &err) != CLEAVE_OK) {
        result = fail("slicing", &err);
    } else if (cleave_evaluate(&metrics, g, m, NULL, &err) != CLEAVE_OK) {
        result = fail("evaluating", &err);
    } else {
        printf("vertices %ld, edges %lld\n", (long)cleave_graph_vertices(g),
               (long long)cleave_graph_edges(g));
        printf("cut %lld, volume %lld, imbalance %.3f\n", (long long)metrics.cut,
               (long long)metrics.volume, metrics.imbalance);
    }
    cleave_mapping_free(m);
    cleave_graph_free(g);
    return result;
}
