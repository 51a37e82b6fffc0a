/* SPDX-License-Identifier: Apache-2.0 */
/* cleave/mapping.h - mappings: vertex -> part (or PE), and the quotient graph of the parts.
 *
 * A partition is a mapping onto equal parts.  cleave_map (map.h) computes mappings; they can
 * also be created from arrays and files:
 *
 *     cleave_mapping *m = NULL;
 *     if (cleave_mapping_read_for(&m, "mesh.part.8", g, 8, &err) == CLEAVE_OK)
 *         printf("vertex 0 is in part %d\n", (int)cleave_mapping_parts(m)[0]);
 *     cleave_mapping_free(m);
 */
#ifndef CLEAVE_MAPPING_H
#define CLEAVE_MAPPING_H

#include "cleave/graph.h"
#include "cleave/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Copies part; nparts -1: one more than the largest part number. */
CLEAVE_API cleave_status cleave_mapping_create(cleave_mapping **out, int32_t nvtx,
                                               int32_t nparts, const int32_t *part,
                                               cleave_error *err);
/* Reads a METIS partition (one 0-based part per line) or a Scotch .map file.
 * nvtx -1: as many as the file has; nparts -1: one more than the largest part. */
CLEAVE_API cleave_status cleave_mapping_read(cleave_mapping **out, const char *path,
                                             int32_t nvtx, int32_t nparts, cleave_error *err);

/* As cleave_mapping_read for the vertices of g.  If the labels of a Scotch .map file do not
 * number the vertices from 0 or 1, they are looked up in the vertex names of g, which must
 * be distinct numbers, as in a labelled Scotch graph. */
CLEAVE_API cleave_status cleave_mapping_read_for(cleave_mapping **out, const char *path,
                                                 const cleave_graph *g, int32_t nparts,
                                                 cleave_error *err);

/* Writes the METIS form; Scotch's if the name ends in .map or .map.gz; the input of
 * OpenFOAM's method "manual" if the file is named cellDecomposition. */
CLEAVE_API cleave_status cleave_mapping_write(const cleave_mapping *m, const char *path,
                                              cleave_error *err);
CLEAVE_API int32_t cleave_mapping_vertices(const cleave_mapping *m);
CLEAVE_API int32_t cleave_mapping_nparts(const cleave_mapping *m);
CLEAVE_API const int32_t *cleave_mapping_parts(const cleave_mapping *m); /* nvtx */
CLEAVE_API void cleave_mapping_free(cleave_mapping *m);

/* A topological order of the parts of a mapping of a DAG; among the parts that are ready, the
 * smallest number comes first.  order has nparts elements.  CLEAVE_ECYCLE if the parts form a
 * cycle; the message names one.
 * O(nvtx + narc + nparts log nparts). */
CLEAVE_API cleave_status cleave_mapping_part_order(const cleave_graph *g,
                                                   const cleave_mapping *m, int32_t *order,
                                                   cleave_error *err);

/* ---- Quotient graphs ------------------------------------------------------------------ */

/* The quotient graph: a vertex per part, with the weight of the part; an edge per pair of
 * adjacent parts, with the weight of the cut between them.  Weights are sums and have 64
 * bits. */
typedef struct cleave_quotient cleave_quotient;
typedef struct cleave_quotient_csr {
    size_t size;
    cleave_kind kind; /* of the partitioned graph */
    int32_t nparts;
    int32_t ncon;          /* weights per part */
    const int64_t *xadj;   /* nparts + 1 offsets into adj */
    const int32_t *adj;    /* ascending; undirected: both directions; DAG: successors */
    const int64_t *weight; /* nparts * ncon, a part's weights side by side */
    const int64_t *cut;    /* one per entry of adj */
} cleave_quotient_csr;
CLEAVE_API void cleave_quotient_csr_init(cleave_quotient_csr *csr, size_t size);
/* CLEAVE_ECYCLE if the quotient of a DAG has a cycle; the message names the parts of one.
 * O(nvtx + narc + nparts). */
CLEAVE_API cleave_status cleave_quotient_create(cleave_quotient **out, const cleave_graph *g,
                                                const cleave_mapping *m, cleave_error *err);
/* The quotient's own arrays; valid until it is freed.  view->size as for cleave_graph_view. */
CLEAVE_API void cleave_quotient_view(const cleave_quotient *q, cleave_quotient_csr *view);
/* Writes it as a graph file; opt as for cleave_graph_write, opt->part has nparts elements.
 * DOT, METIS, Matrix Market and edge lists hold 64-bit numbers; in other formats a weight
 * above 2^31-1 is CLEAVE_ERANGE. */
CLEAVE_API cleave_status cleave_quotient_write(const cleave_quotient *q, const char *path,
                                               const cleave_write_options *opt,
                                               cleave_error *err);
CLEAVE_API void cleave_quotient_free(cleave_quotient *q);

/* The quotient as a graph, which can be partitioned or mapped itself.  Weights of a graph have
 * 32 bits: CLEAVE_ERANGE if a sum exceeds 2^31-1; the message names the parts. */
CLEAVE_API cleave_status cleave_graph_quotient(cleave_graph **out, const cleave_graph *g,
                                               const cleave_mapping *m, cleave_error *err);

#ifdef __cplusplus
}
#endif

#endif
