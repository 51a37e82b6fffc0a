/* SPDX-License-Identifier: Apache-2.0 */
/* cleave/order.h - orders: linear orders of the vertices, and vertex separators.
 *
 * An order is computed once and split again whenever the machine changes, in microseconds:
 *
 *     cleave_order *o = NULL;
 *     int32_t begin[3], end[3];
 *     if (cleave_order_build(&o, g, NULL, &err) == CLEAVE_OK && cleave_target_pes(t) == 3)
 *         cleave_order_split(begin, end, o, t, NULL, &err);
 *     cleave_order_free(o);
 *
 * Orders of elimination, "nd" and "mindeg", are for the factorisation of matrices. */
#ifndef CLEAVE_ORDER_H
#define CLEAVE_ORDER_H

#include "cleave/graph.h"
#include "cleave/map.h"
#include "cleave/mapping.h"
#include "cleave/status.h"
#include "cleave/target.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A linear order (permutation) of the vertices.  Each part is an interval of positions; an
 * order is computed once and can be split many times. */
typedef struct cleave_order cleave_order;

typedef struct cleave_order_options {
    size_t size;
    /* NULL, "" or "auto": chosen by the graph.  "hci" (Hilbert curve), "zci" (Morton
     * curve), "rcbi" (coordinate bisection), for graphs with coordinates; "rsbi" (spectral
     * bisection), "multilevel" (multilevel bisection); "topo" (topological order) for DAGs.
     * For a DAG only "topo" and "multilevel" are allowed: every arc then runs forward, and
     * every split is acyclic.  Fill-reducing orders for elimination, not for splitting: "nd"
     * (nested dissection) and "mindeg" (minimum degree), in the order of elimination; see
     * cleave_evaluate_order. */
    const char *method;
    const char *params;   /* NULL; "leaves=1024" of rcbi and rsbi: stop the bisection at this
                             many sets, whose vertices are in random order */
    uint64_t seed;        /* 1; every value is a seed */
    cleave_effort effort; /* CLEAVE_EFFORT_DEFAULT; of multilevel and nd */
    int threads;          /* 0: all that this process may use */
    cleave_progress_fn progress; /* NULL */
    void *payload;               /* NULL */
    double time_limit; /* seconds; 0: none.  The result is the best order found by then */
} cleave_order_options;
CLEAVE_API void cleave_order_options_init(cleave_order_options *opt, size_t size);

/* Computes an order of the vertices of a graph; opt NULL: defaults.  Only the first vertex
 * weight is used, here and when the order is split.  CLEAVE_ECANCEL also returns the best
 * order found. */
CLEAVE_API cleave_status cleave_order_build(cleave_order **out, const cleave_graph *g,
                                            const cleave_order_options *opt,
                                            cleave_error *err);
/* Creates an order from arrays: vertex[p] is the vertex at position p, every vertex once;
 * weight: nvtx vertex weights, >= 0, NULL: all 1.  Arrays are copied. */
CLEAVE_API cleave_status cleave_order_create(cleave_order **out, int32_t nvtx,
                                             const int32_t *vertex, const int32_t *weight,
                                             cleave_error *err);
CLEAVE_API void cleave_order_free(cleave_order *o);

CLEAVE_API int32_t cleave_order_vertices(const cleave_order *o);
CLEAVE_API const int32_t *cleave_order_view(const cleave_order *o); /* vertex by position */
CLEAVE_API const char *cleave_order_method(const cleave_order *o);  /* "hci"; "given" */
/* vertices + 1 prefix sums: the weight of the vertices before a position. */
CLEAVE_API const int64_t *cleave_order_weight_before(const cleave_order *o);
/* The weight of the edges that a split between two adjacent positions cuts, averaged over all
 * such splits; -1: unknown, because the order was not computed from a graph or was read from
 * a text file. */
CLEAVE_API double cleave_order_average_crossing(const cleave_order *o);
/* The largest residual of the eigenvectors that "rsbi" used, as in cleave_map_report, and
 * whether all converged (1, 0); -1: none was computed, or the order was read from a file. */
CLEAVE_API double cleave_order_residual(const cleave_order *o);
CLEAVE_API int32_t cleave_order_converged(const cleave_order *o);
/* Checks whether the order can be used for g.  CLEAVE_EINVAL if the number of vertices
 * differs, if the order was computed from another graph (when the order records its graph),
 * or if an arc of a DAG runs backward.  O(vertices + edges). */
CLEAVE_API cleave_status cleave_order_check(const cleave_order *o, const cleave_graph *g,
                                            cleave_error *err);
/* Checks the order as above and adds data from g that an order read from text lacks: the
 * vertex weights and the cut weights between positions.  Pointers obtained from the order
 * before become invalid; on failure the order is unchanged. */
CLEAVE_API cleave_status cleave_order_complete(cleave_order *o, const cleave_graph *g,
                                               cleave_error *err);

/* Reads an order, text or binary, plain or compressed; cleave_order_write writes text, or the
 * binary form if the name ends in ".clo" (or ".clo.gz").  A binary file includes the cut
 * weights between positions.  Both record which graph they were computed from. */
CLEAVE_API cleave_status cleave_order_read(cleave_order **out, const char *path,
                                           cleave_error *err);
/* The same with flags: 0, or CLEAVE_TRUST: a plain binary file is memory-mapped and only its
 * header is checked, in O(1); if the file is damaged, or changed in place while in use, the
 * process may crash. */
CLEAVE_API cleave_status cleave_order_open(cleave_order **out, const char *path,
                                           unsigned flags, cleave_error *err);
CLEAVE_API cleave_status cleave_order_write(const cleave_order *o, const char *path,
                                            cleave_error *err);

/* ---- Splits --------------------------------------------------------------------------- */

typedef struct cleave_split_options {
    size_t size;
    double imbalance; /* 0.03: a split may be shifted within this bound to a position with a
                         smaller cut; 0: as close to the shares as the weights allow */
    /* The order of the PEs along the line.  "simple": by number; "binpacking": recursively,
     * such that both halves have the same weight; NULL, "" or "auto": starts from binpacking
     * and exchanges PEs to reduce the cut.  Above 8192 PEs always by number. */
    const char *grouping;
} cleave_split_options;
CLEAVE_API void cleave_split_options_init(cleave_split_options *opt, size_t size);

/* Splits the order for the PEs of t: PE p gets positions begin[p] .. end[p] - 1, with a
 * weight proportional to its speed.  begin and end have one element per PE.  Allocates
 * nothing; O(PEs * log vertices).  CLEAVE_EBALANCE if a PE exceeds its bound because vertices
 * are too heavy; begin and end are still filled. */
CLEAVE_API cleave_status cleave_order_split(int32_t *begin, int32_t *end,
                                            const cleave_order *o, const cleave_target *t,
                                            const cleave_split_options *opt,
                                            cleave_error *err);
/* The result of cleave_order_split as a mapping onto npes PEs.  O(vertices). */
CLEAVE_API cleave_status cleave_order_mapping(cleave_mapping **out, const cleave_order *o,
                                              int32_t npes, const int32_t *begin,
                                              const int32_t *end, cleave_error *err);
/* Splits the order, then refines the boundaries on the graph; takes milliseconds.  Uses
 * imbalance, seed, threads, time_limit, report, progress and payload of opt.  Results as
 * cleave_map; with several weights per vertex as with its method "rsb". */
CLEAVE_API cleave_status cleave_order_split_refine(cleave_mapping **out, const cleave_graph *g,
                                                   const cleave_order *o,
                                                   const cleave_target *t,
                                                   const cleave_options *opt,
                                                   cleave_error *err);

/* ---- Separators ----------------------------------------------------------------------- */

typedef struct cleave_separator_options {
    size_t size;
    double imbalance;            /* 0.2: no side above floor(1.2 * ceil(half of the weight)) */
    uint64_t seed;               /* 1; every value is a seed */
    cleave_effort effort;        /* CLEAVE_EFFORT_DEFAULT */
    int threads;                 /* 0: all that this process may use */
    cleave_progress_fn progress; /* NULL */
    void *payload;               /* NULL */
    double time_limit; /* seconds; 0: none.  The result is the best separator found by then */
} cleave_separator_options;
CLEAVE_API void cleave_separator_options_init(cleave_separator_options *opt, size_t size);

/* Computes a vertex separator of small weight: parts 0 and 1 of the mapping are the two sides,
 * with no edge between them, part 2 is the separator.  weight: NULL, or set to the weights of
 * the three parts.  Only the first vertex weight is used; if all of them are 0, vertices are
 * counted.  The sides are always within the bound: vertices in excess of it are added to the
 * separator.  A side or the separator may be empty.  g must be undirected; opt NULL: defaults.
 * CLEAVE_ECANCEL also returns the best separator found. */
CLEAVE_API cleave_status cleave_separator(cleave_mapping **out, const cleave_graph *g,
                                          const cleave_separator_options *opt, int64_t *weight,
                                          cleave_error *err);

#ifdef __cplusplus
}
#endif

#endif
