/* SPDX-License-Identifier: Apache-2.0 */
/* tests/api/api_support.h - common parts of the tests of the public functions: read-only
 * arrays, the fixed list of edge cases, and the option that prints which functions a program
 * covers. */
#ifndef CLV_TESTS_API_SUPPORT_H
#define CLV_TESTS_API_SUPPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "cleave/cleave.h"

/* A copy that ends where memory ends: writing to it, or reading behind it, is a fault.
 * NULL stays NULL.  All copies live until thaw. */
const void *frozen(const void *array, int64_t count, size_t each);
/* csr with all of its arrays frozen. */
cleave_csr frozen_csr(const cleave_csr *csr);
void thaw(void);

/* Offsets, neighbours, weights and attributes are the same. */
bool same_csr(const cleave_csr *a, const cleave_csr *b);
bool same_names(const cleave_graph *a, const cleave_graph *b);
/* The same for two graphs, predecessors included. */
bool same_graphs(const cleave_graph *a, const cleave_graph *b);

/* A number that any change of the graph changes. */
uint64_t graph_digest(const cleave_graph *g);

/* A square grid with every attribute there is; rows ascend.  Arcs of the DAG run right and
 * down.  Freed with csr_free. */
cleave_csr make_grid(cleave_kind kind, int32_t side);
void csr_free(cleave_csr *csr);

/* The edge cases, each undirected and as a DAG: index 0, 1, ... until false. */
typedef struct edge_case {
    const char *name;
    cleave_csr csr; /* freed with csr_free */
} edge_case;
bool edge_case_get(int i, edge_case *out);

/* Tests, one per public function; the last has no name. */
typedef struct api_test {
    const char *name;
    void (*test)(void);
} api_test;

/* Prints the names, which end with NULL and are so many bytes apart, and returns true when the
 * program was called with --list. */
bool listed(int argc, char **argv, const char *const *names, size_t stride);

#endif
