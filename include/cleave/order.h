/* SPDX-License-Identifier: Apache-2.0 */
/* cleave/order.h - vertices on a line, cut anew when the machine changes, and mappings that
 * follow a machine which changed; a part of cleave/cleave.h. */
#ifndef CLEAVE_ORDER_H
#define CLEAVE_ORDER_H

#ifndef CLEAVE_CLEAVE_H
#error "include <cleave/cleave.h>, which includes this header"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Orders: vertex -> place on a line ----------------------------------------- */

/* Every interval of the line is a part; an order is made once and cut often. */
typedef struct cleave_order cleave_order;

typedef struct cleave_order_options {
    size_t size;
    /* NULL, "" or "auto": what suits the graph.  "hci" (Hilbert curve), "zci" (Morton
     * curve), "rcbi" (coordinate bisection), for graphs with coordinates; "rsbi" (spectral
     * bisection), "multilevel" (bisection by the engine); "topo" for DAGs.  Of a DAG only
     * "topo" and "multilevel": every arc then runs forward, and every cut is acyclic.
     * For elimination, not for cutting: "nd" (nested dissection) and "mindeg" (minimum
     * degree), the first vertex to be eliminated first; see cleave_evaluate_order. */
    const char *method;
    const char *params;   /* NULL; "leaves=1024" of rcbi and rsbi: stop at so many sets, whose
                             vertices come in random order */
    uint64_t seed;        /* 1; every value is a seed */
    cleave_effort effort; /* CLEAVE_EFFORT_DEFAULT; of multilevel and nd */
    int threads;          /* 0: all that this process may use */
    cleave_progress_fn progress; /* NULL */
    void *payload;               /* NULL */
    double time_limit; /* seconds; 0: none.  The best order so far is then the result */
} cleave_order_options;
CLEAVE_API void cleave_order_options_init(cleave_order_options *opt, size_t size);

/* Puts the vertices of a graph on a line; opt NULL: defaults.  Of several weights per vertex
 * the first is the one that the line minds and that its intervals are measured by.
 * CLEAVE_ECANCEL hands out the best order so far. */
CLEAVE_API cleave_status cleave_order_build(cleave_order **out, const cleave_graph *g,
                                            const cleave_order_options *opt,
                                            cleave_error *err);
/* An order that the caller knows: vertex[p] stands at place p, every vertex once; weight by
 * vertex, >= 0, NULL: all 1.  Arrays are copied. */
CLEAVE_API cleave_status cleave_order_create(cleave_order **out, int32_t nvtx,
                                             const int32_t *vertex, const int32_t *weight,
                                             cleave_error *err);
CLEAVE_API void cleave_order_free(cleave_order *o);

CLEAVE_API int32_t cleave_order_vertices(const cleave_order *o);
CLEAVE_API const int32_t *cleave_order_view(const cleave_order *o); /* vertex by place */
CLEAVE_API const char *cleave_order_method(const cleave_order *o);  /* "hci"; "given" */
/* vertices + 1 sums: the weight of the vertices before a place. */
CLEAVE_API const int64_t *cleave_order_weight_before(const cleave_order *o);
/* The weight of the edges that a cut between two neighbouring places cuts, averaged over all
 * such cuts; -1: not known, because the order was not made from a graph or comes from text. */
CLEAVE_API double cleave_order_average_crossing(const cleave_order *o);
/* The largest residual of the eigenvectors that "rsbi" went by, as in cleave_map_report, and
 * whether all converged (1, 0); -1: none was computed, or the order comes from a file. */
CLEAVE_API double cleave_order_residual(const cleave_order *o);
CLEAVE_API int32_t cleave_order_converged(const cleave_order *o);
/* CLEAVE_OK: the order may be used for g.  CLEAVE_EINVAL says why not: it has other vertices,
 * was made from another graph (as far as the order knows its own), or an arc of a DAG runs
 * backward in it.  O(vertices + edges). */
CLEAVE_API cleave_status cleave_order_check(const cleave_order *o, const cleave_graph *g,
                                            cleave_error *err);
/* Checks the order as above and looks up in g what it does not know, as one from text does
 * not: the weights of the vertices, and where the line is cheap to cut.  What was got from
 * the order before is no longer valid; on failure everything is as it was. */
CLEAVE_API cleave_status cleave_order_complete(cleave_order *o, const cleave_graph *g,
                                               cleave_error *err);

/* Reads an order, text or binary, plain or compressed; writes text, or the binary form when
 * the name ends in ".clo" (or ".clo.gz").  A binary file knows where the line is cheap to
 * cut.  Both know which graph they were made from. */
CLEAVE_API cleave_status cleave_order_read(cleave_order **out, const char *path,
                                           cleave_error *err);
/* The same; flags 0, or CLEAVE_TRUST: a plain binary file is mapped into memory and only its
 * header checked, in O(1); one that is damaged, or changed in place while it is in use, may
 * crash the process. */
CLEAVE_API cleave_status cleave_order_open(cleave_order **out, const char *path,
                                           unsigned flags, cleave_error *err);
CLEAVE_API cleave_status cleave_order_write(const cleave_order *o, const char *path,
                                            cleave_error *err);

typedef struct cleave_split_options {
    size_t size;
    double imbalance; /* 0.03: cuts may be shifted so far to where they are cheap; 0: as
                         near to the shares as the weights allow */
    /* Which PE comes where on the line.  "simple": by number; "binpacking": so that halves of
     * the line, and halves of halves, weigh the same; NULL, "" or "auto": from there on PEs
     * are exchanged so that cuts fall where the line is thin.  Above 8192 PEs all come by
     * number. */
    const char *grouping;
} cleave_split_options;
CLEAVE_API void cleave_split_options_init(cleave_split_options *opt, size_t size);

/* Cuts the line for the PEs of t: PE p gets places begin[p] .. end[p] - 1, its weight in
 * proportion to its speed.  begin and end have a place for each PE.  Allocates nothing;
 * O(PEs * log vertices).  CLEAVE_EBALANCE (begin and end are filled nevertheless) when a PE
 * is above its bound: vertices are too heavy. */
CLEAVE_API cleave_status cleave_order_split(int32_t *begin, int32_t *end,
                                            const cleave_order *o, const cleave_target *t,
                                            const cleave_split_options *opt,
                                            cleave_error *err);
/* What cleave_order_split said as a mapping onto npes PEs.  O(vertices). */
CLEAVE_API cleave_status cleave_order_mapping(cleave_mapping **out, const cleave_order *o,
                                              int32_t npes, const int32_t *begin,
                                              const int32_t *end, cleave_error *err);
/* Cuts the line, then improves the borders on the graph: milliseconds.  Of opt, imbalance,
 * seed, threads, time_limit, report, progress and payload count.  Results as cleave_map; with
 * several weights per vertex as of its "rsb". */
CLEAVE_API cleave_status cleave_order_split_refine(cleave_mapping **out, const cleave_graph *g,
                                                   const cleave_order *o,
                                                   const cleave_target *t,
                                                   const cleave_options *opt,
                                                   cleave_error *err);

/* ---- Elimination ------------------------------------------------------------------ */

/* What the method of Cholesky makes of a symmetric matrix with the pattern of a graph and a
 * diagonal, when the vertices are eliminated in an order. */
typedef struct cleave_order_metrics {
    size_t size;
    int64_t fill;           /* non-zeros of the factor, its diagonal included */
    double operations;      /* sum over columns of the square of their non-zeros */
    int64_t largest_column; /* non-zeros of the fullest column; 0 without vertices */
    int32_t height;         /* vertices on the longest path of the elimination tree */
} cleave_order_metrics;
CLEAVE_API void cleave_order_metrics_init(cleave_order_metrics *metrics, size_t size);
/* Counts them without making the factor.  g is undirected.  Nearly O(vertices + edges). */
CLEAVE_API cleave_status cleave_evaluate_order(cleave_order_metrics *metrics,
                                               const cleave_graph *g, const cleave_order *o,
                                               cleave_error *err);

typedef struct cleave_separator_options {
    size_t size;
    double imbalance;            /* 0.2: no side above floor(1.2 * ceil(half of the weight)) */
    uint64_t seed;               /* 1; every value is a seed */
    cleave_effort effort;        /* CLEAVE_EFFORT_DEFAULT */
    int threads;                 /* 0: all that this process may use */
    cleave_progress_fn progress; /* NULL */
    void *payload;               /* NULL */
    double time_limit; /* seconds; 0: none.  The best separator so far is then the result */
} cleave_separator_options;
CLEAVE_API void cleave_separator_options_init(cleave_separator_options *opt, size_t size);

/* A light set of vertices without which a graph falls into two sides: parts 0 and 1 of the
 * mapping are the sides, between which there is no edge, part 2 is the separator.  weight: of
 * the three parts, or NULL.  Of several weights per vertex the first counts; where none weighs
 * anything vertices are counted.  Sides are within the bound, always: the separator takes what
 * is too much.  A side or the separator may be empty.  g is undirected; opt NULL: defaults.
 * CLEAVE_ECANCEL hands out the separator that was found. */
CLEAVE_API cleave_status cleave_separator(cleave_mapping **out, const cleave_graph *g,
                                          const cleave_separator_options *opt, int64_t *weight,
                                          cleave_error *err);

/* ---- Remapping ------------------------------------------------------------------- */

/* What cleave_remap has to tell besides what options->report says. */
typedef struct cleave_remap_report {
    size_t size;
    char strategy[16];       /* that gave the mapping: "diffuse" */
    int64_t cut, cut_before; /* of the new and of the old mapping */
    int64_t migration;       /* sum of vsize (1 when absent) of the vertices that moved */
    int64_t migration_bound; /* no mapping within the bounds moves less */
} cleave_remap_report;
CLEAVE_API void cleave_remap_report_init(cleave_remap_report *report, size_t size);

typedef struct cleave_remap_options {
    size_t size;
    double migration_price;    /* 1: of one unit of migration, in units of cut; >= 0 */
    const char *strategy;      /* NULL or "auto": try all, take the cheapest by cut + price *
                                  migration; "interval", "diffuse", "scratch" */
    const cleave_target *from; /* the old machine, whose PEs are matched with those of the
                                  new one by name; NULL: by number */
    const cleave_order *order; /* for "interval"; NULL: one is made */
    const cleave_options *options; /* NULL: defaults; its method, params, one_to_one and
                                      constraints->start do not count; objective: cut or cost;
                                      its report is written */
    cleave_remap_report *report;   /* NULL, or written on return */
} cleave_remap_options;
CLEAVE_API void cleave_remap_options_init(cleave_remap_options *opt, size_t size);

/* Maps g anew because the machine changed: `old` says where every vertex is (parts are PEs of
 * opt->from), t is what there is now.  Vertices on PEs that are no more move, others where it
 * pays.  Results as cleave_map. */
CLEAVE_API cleave_status cleave_remap(cleave_mapping **out, const cleave_graph *g,
                                      const cleave_mapping *old, const cleave_target *t,
                                      const cleave_remap_options *opt, cleave_error *err);

#ifdef __cplusplus
}
#endif

#endif
