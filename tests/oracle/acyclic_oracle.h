/* SPDX-License-Identifier: Apache-2.0 */
/* tests/oracle/acyclic_oracle.h - is a partition of a DAG acyclic, and how good can one be?
 *
 * Shares nothing with src/; reads only the public CSR view.  The optimum is exact: an acyclic
 * partition is a chain of predecessor-closed sets, with one more part at each step, so dynamic
 * programming over all such sets and all sets of used parts finds the best chain.  Parts can
 * have different bounds. */
#ifndef CLV_TESTS_ACYCLIC_ORACLE_H
#define CLV_TESTS_ACYCLIC_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

#include "cleave/cleave.h"

enum { ACYCLIC_MAX_VERTICES = 16, ACYCLIC_MAX_PARTS = 4 };

/* Depth-first search over the parts, from vertex to vertex; O(nvtx + narc) time. */
bool oracle_parts_acyclic(const cleave_csr *g, int32_t nparts, const int32_t *part);

/* What a part may weigh (first weight); every part holds at least one vertex. */
typedef struct acyclic_bounds {
    int nparts;
    int64_t min[ACYCLIC_MAX_PARTS], max[ACYCLIC_MAX_PARTS];
} acyclic_bounds;

/* Number of predecessor-closed sets; what oracle_optimum takes grows with its square. */
int64_t oracle_closed_sets(const cleave_csr *g);
/* Least cut (or volume) of an acyclic partition within the bounds; -1: there is none. */
int64_t oracle_optimum(const cleave_csr *g, const acyclic_bounds *bounds,
                       cleave_objective objective);
/* The same by trying every assignment of vertices to parts. */
int64_t oracle_optimum_slow(const cleave_csr *g, const acyclic_bounds *bounds,
                            cleave_objective objective);
/* From scratch. */
int64_t oracle_cut(const cleave_csr *g, const int32_t *part);
int64_t oracle_volume(const cleave_csr *g, int32_t nparts, const int32_t *part);

#endif
