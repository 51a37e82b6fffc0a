/* SPDX-License-Identifier: Apache-2.0 */
/* cleave/evaluate.h - metrics of mappings, orders and schedules, computed from scratch.
 *
 *     cleave_metrics metrics;
 *     cleave_metrics_init(&metrics, sizeof metrics);
 *     if (cleave_evaluate(&metrics, g, m, NULL, &err) == CLEAVE_OK)
 *         printf("cut %ld, imbalance %.3f\n", (long)metrics.cut, metrics.imbalance);
 */
#ifndef CLEAVE_EVALUATE_H
#define CLEAVE_EVALUATE_H

#include "cleave/graph.h"
#include "cleave/mapping.h"
#include "cleave/order.h"
#include "cleave/schedule.h"
#include "cleave/status.h"
#include "cleave/target.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Mappings ------------------------------------------------------------------------- */

typedef struct cleave_evaluate_options {
    size_t size;
    const double *shares; /* NULL: equal; else nparts relative part sizes, >= 0 */
    double imbalance;     /* 0.03: bound of a part is floor(1.03 * ceil(share)) */
    int64_t cost_vertex;  /* 1: cost per vertex of the critical path */
    int64_t cost_inside;  /* 1: cost per arc inside a part */
    int64_t cost_cut;     /* 11: cost per arc between parts */
} cleave_evaluate_options;
CLEAVE_API void cleave_evaluate_options_init(cleave_evaluate_options *opt, size_t size);

typedef struct cleave_metrics {
    size_t size;
    int32_t parts; /* parts of the mapping, empty ones included */
    int32_t empty_parts;
    int64_t cut;           /* weight of edges between parts */
    int64_t volume;        /* sum over vertices of vsize * other parts that read it */
    int64_t max_volume;    /* largest volume sent by one part */
    double imbalance;      /* max over parts and weights of weight / share - 1 */
    int32_t balanced;      /* 1: every part within its bound */
    int32_t pieces;        /* connected pieces over all parts; = non-empty parts if all
                              parts are connected */
    int64_t setups;        /* edges of the quotient graph */
    int32_t acyclic;       /* 1 yes, 0 no, -1 undirected */
    int32_t convex;        /* no path leaves a part and returns: 1 yes, 0 no, -1 undirected */
    int64_t critical_path; /* -1 undirected */
    int64_t min_weight, max_weight; /* smallest and largest first weight of a part */
} cleave_metrics;
CLEAVE_API void cleave_metrics_init(cleave_metrics *metrics, size_t size);
/* Computes all metrics from scratch; opt NULL: defaults.  O(narc + pieces); the convexity
 * test of a cyclic mapping takes O(narc * parts / 64). */
CLEAVE_API cleave_status cleave_evaluate(cleave_metrics *metrics, const cleave_graph *g,
                                         const cleave_mapping *m,
                                         const cleave_evaluate_options *opt,
                                         cleave_error *err);
/* Per part: first weight, volume sent, connected pieces; each array nparts long or NULL. */
CLEAVE_API cleave_status cleave_evaluate_parts(const cleave_graph *g, const cleave_mapping *m,
                                               int64_t *weight, int64_t *volume,
                                               int32_t *pieces, cleave_error *err);
/* A cycle of the quotient of a DAG: cycle[0] -> ... -> cycle[*length - 1] -> cycle[0].
 * *length is set to 0 if the mapping is acyclic.  cycle has nparts elements. */
CLEAVE_API cleave_status cleave_evaluate_cycle(const cleave_graph *g, const cleave_mapping *m,
                                               int32_t *cycle, int32_t *length,
                                               cleave_error *err);

/* ---- Mappings onto a target ----------------------------------------------------------- */

enum { CLEAVE_MOST_LEVELS = 16 };

/* Metrics of a mapping onto a target.  Each pair of PEs uses one route of the target; in an
 * undirected graph it runs from the lower PE to the higher. */
typedef struct cleave_target_metrics {
    size_t size;
    int64_t cost;             /* sum over edges of weight * distance of the PEs of its ends */
    int64_t cost_identity;    /* of the mapping v -> floor(v * PEs / nvtx) */
    int64_t cut;              /* weight of the edges between PEs */
    double average_dilation;  /* cost / cut: mean distance of cut edges; 0 without a cut */
    int64_t max_link_load;    /* largest weight routed over a link; -1: routes unknown */
    double average_link_load; /* mean over all links, idle ones included; -1 likewise */
    int64_t max_pe_traffic;   /* largest weight of the edges between one PE and all others */
    double imbalance;         /* max over PEs and weights of weight / share - 1, shares
                                 proportional to speeds */
    int32_t levels;           /* of a hierarchical target; 0: not hierarchical */
    /* The cost by level of the smallest group that contains both PEs, the lowest first; if
     * there are more levels, the last element holds the sum of the remaining ones. */
    int64_t cost_level[CLEAVE_MOST_LEVELS];
    int64_t cost_level_identity[CLEAVE_MOST_LEVELS];
} cleave_target_metrics;
CLEAVE_API void cleave_target_metrics_init(cleave_target_metrics *metrics, size_t size);
/* Computes all metrics from scratch.  m must not have more parts than t has PEs: part p is on
 * PE p.  CLEAVE_ERANGE if a cost overflows.  O(nvtx log nvtx + narc + PEs + links + length of
 * the routes). */
CLEAVE_API cleave_status cleave_evaluate_target(cleave_target_metrics *metrics,
                                                const cleave_graph *g, const cleave_mapping *m,
                                                const cleave_target *t, cleave_error *err);

/* ---- Orders of elimination ------------------------------------------------------------ */

/* The cost of a Cholesky factorisation of a symmetric matrix with the pattern of a graph and a
 * full diagonal, if the vertices are eliminated in a given order. */
typedef struct cleave_order_metrics {
    size_t size;
    int64_t fill;           /* non-zeros of the factor, its diagonal included */
    double operations;      /* sum over columns of the square of their non-zeros */
    int64_t largest_column; /* most non-zeros of a column; 0 without vertices */
    int32_t height;         /* of the elimination tree: vertices on its longest path */
} cleave_order_metrics;
CLEAVE_API void cleave_order_metrics_init(cleave_order_metrics *metrics, size_t size);
/* Computes them without building the factor.  g must be undirected.  Nearly
 * O(vertices + edges). */
CLEAVE_API cleave_status cleave_evaluate_order(cleave_order_metrics *metrics,
                                               const cleave_graph *g, const cleave_order *o,
                                               cleave_error *err);

/* ---- Schedules ------------------------------------------------------------------------ */

typedef struct cleave_schedule_metrics {
    size_t size;
    int32_t levels; /* of the DAG */
    int32_t layers;
    int32_t threads_used;   /* that have any work */
    int64_t work_total;     /* sum of the weights */
    int64_t work_max;       /* sum over layers of the largest thread's weight */
    int64_t crossing_edges; /* arcs between threads */
    double cost, cost_serial;
    double predicted_speedup; /* cost_serial / cost */
    double mean_parallelism;  /* work_total / work_max */
} cleave_schedule_metrics;
CLEAVE_API void cleave_schedule_metrics_init(cleave_schedule_metrics *m, size_t size);
CLEAVE_API cleave_status cleave_evaluate_schedule(cleave_schedule_metrics *m,
                                                  const cleave_graph *g,
                                                  const cleave_schedule *s,
                                                  const cleave_schedule_costs *costs,
                                                  cleave_error *err);
/* The weight of every thread's work in every layer, at layer * threads + thread. */
CLEAVE_API cleave_status cleave_evaluate_schedule_work(const cleave_graph *g,
                                                       const cleave_schedule *s, int64_t *work,
                                                       cleave_error *err);

#ifdef __cplusplus
}
#endif

#endif
