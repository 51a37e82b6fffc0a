/* SPDX-License-Identifier: Apache-2.0 */
/* tests/api/oom_objects.h - graphs, mappings, matrices and files for test_oom_api.c, created
 * once before allocations fail. */
#ifndef CLV_TESTS_OOM_OBJECTS_H
#define CLV_TESTS_OOM_OBJECTS_H

#include "api/api_support.h"

enum { side = 60, n = side * side, k = 5 }; /* vertices, parts of most mappings */

extern cleave_csr undirected_csr, dag_csr;  /* grids; rows ascend */
extern cleave_csr unsorted_csr, faulty_csr; /* rows descend; and loops, duplicates, ... */
extern cleave_graph *undirected, *dag;
extern cleave_mapping *slices;   /* acyclic */
extern cleave_mapping *checkers; /* cyclic */
extern cleave_mapping *many;     /* a part per vertex, and parts to spare */
extern cleave_matrix *matrix;    /* unsymmetric */
/* Of a solve by two threads.  Recorded once: what a picture of it allocates depends on its
 * times, which another recording would not have, least of all where threads share a CPU. */
extern cleave_trace *solve_trace;
/* Places for results, enough for one per arc. */
extern int32_t *ints, *more_ints;
extern int64_t *longs, *more_longs;

/* Also writes files in every format, which oom_input finds; false: something failed. */
bool oom_objects_make(void);
void oom_objects_free(void);

/* The path of the file that the first word of detail names; static, like the next. */
const char *oom_input(const char *detail);
const char *oom_scratch(const char *name);

uint64_t bytes_digest(const void *bytes, size_t count);
/* Is there an object exactly when the call succeeded?  Digested, freed; returns status. */
cleave_status graph_result(cleave_status status, cleave_graph *g, uint64_t *result);
cleave_status mapping_result(cleave_status status, cleave_mapping *m, uint64_t *result);

/* A chart of three points, or the profile of one tool. */
cleave_status oom_write_plot(const char *path, bool profile, cleave_error *e);

/* Gives a graph of make_grid weights near 2^30, so that sums of two do not fit 31 bits. */
void oom_make_wide(cleave_csr *csr);

/* A graph, a target and options that cleave_map can meet; detail has the words fast, quality,
 * dag, threads, fixed, groups, start, connected, volume, speeds, bounds, several, wide or
 * many, or ends in "method NAME". */
typedef struct oom_demands {
    cleave_graph *g;
    cleave_target *t;
    cleave_options opt;
    cleave_constraints constraints;
    cleave_mapping *start;
} oom_demands;
void oom_demands_make(oom_demands *d, const char *detail);
void oom_demands_free(oom_demands *d);

#endif
