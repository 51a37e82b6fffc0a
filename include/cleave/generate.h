/* SPDX-License-Identifier: Apache-2.0 */
/* cleave/generate.h - generated graphs: grids, random graphs, DAGs of loop programs, factors.
 *
 *     cleave_graph *g = NULL;
 *     if (cleave_graph_generate(&g, "grid2d:100x100", NULL, &err) == CLEAVE_OK)
 *         cleave_graph_write(g, "grid.graph", NULL, &err);
 *     cleave_graph_free(g);
 */
#ifndef CLEAVE_GENERATE_H
#define CLEAVE_GENERATE_H

#include "cleave/graph.h"
#include "cleave/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cleave_generate_options {
    size_t size;
    uint64_t seed; /* 1; every value is a seed */
    int threads;   /* 0: all that this process may use; the graph does not depend on it */
} cleave_generate_options;
CLEAVE_API void cleave_generate_options_init(cleave_generate_options *opt, size_t size);
/* Generates the graph that spec describes: KIND[:PARAMETER...], such as "grid3d:40x40x40",
 * "rgg:100000:12" or "rmat:20:10"; opt NULL: defaults.  CLEAVE_EINVAL if spec is invalid; the
 * message shows the form of the kind.  CLEAVE_ERANGE if the graph is too large. */
CLEAVE_API cleave_status cleave_graph_generate(cleave_graph **out, const char *spec,
                                               const cleave_generate_options *opt,
                                               cleave_error *err);
/* The i-th kind, i = 0, 1, ...; NULL past the end.  form ("gnp:N:P") and description may
 * be NULL. */
CLEAVE_API const char *cleave_generator_name(int i, const char **form,
                                             const char **description);

/* The factor of a symbolic Cholesky factorisation of an undirected graph, as a DAG with an
 * arc from column j to row i for each non-zero of the factor below the diagonal.
 * order: "natural" or "mindeg" (minimum degree), NULL: natural.  permutation: NULL, or nvtx
 * vertices in the order of elimination; order is then NULL.  Vertex k of the factor is the
 * k-th eliminated vertex and keeps its coordinates and name.  O(non-zeros of the factor). */
CLEAVE_API cleave_status cleave_graph_factor(cleave_graph **out, const cleave_graph *g,
                                             const char *order, const int32_t *permutation,
                                             cleave_error *err);

#ifdef __cplusplus
}
#endif

#endif
