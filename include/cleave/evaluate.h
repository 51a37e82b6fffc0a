/* SPDX-License-Identifier: Apache-2.0 */
/* cleave/evaluate.h - what a mapping is worth; a part of cleave/cleave.h. */
#ifndef CLEAVE_EVALUATE_H
#define CLEAVE_EVALUATE_H

#ifndef CLEAVE_CLEAVE_H
#error "include <cleave/cleave.h>, which includes this header"
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cleave_evaluate_options {
    size_t size;
    const double *shares; /* NULL: equal; else nparts relative part sizes, >= 0 */
    double imbalance;     /* 0.03: bound of a part is floor(1.03 * ceil(share)) */
    int64_t cost_vertex;  /* 1: critical path, per vertex */
    int64_t cost_inside;  /* 1: per arc inside a part */
    int64_t cost_cut;     /* 11: per arc between parts */
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
    int32_t convex;        /* 1 yes, 0 no, -1 undirected: no path leaves a part and returns */
    int64_t critical_path; /* -1 undirected */
    int64_t min_weight, max_weight; /* of a part, first weight */
} cleave_metrics;
CLEAVE_API void cleave_metrics_init(cleave_metrics *metrics, size_t size);
/* Computes every metric from scratch; opt NULL: defaults. O(narc + pieces) and for the
 * convexity test of a cyclic mapping O(narc * parts / 64). */
CLEAVE_API cleave_status cleave_evaluate(cleave_metrics *metrics, const cleave_graph *g,
                                         const cleave_mapping *m,
                                         const cleave_evaluate_options *opt,
                                         cleave_error *err);
/* Per part: first weight, volume sent, connected pieces; each array nparts long or NULL. */
CLEAVE_API cleave_status cleave_evaluate_parts(const cleave_graph *g, const cleave_mapping *m,
                                               int64_t *weight, int64_t *volume,
                                               int32_t *pieces, cleave_error *err);
/* A cycle of the quotient of a DAG: cycle[0] -> ... -> cycle[*length - 1] -> cycle[0].
 * *length becomes 0 when the mapping is acyclic.  cycle has nparts places. */
CLEAVE_API cleave_status cleave_evaluate_cycle(const cleave_graph *g, const cleave_mapping *m,
                                               int32_t *cycle, int32_t *length,
                                               cleave_error *err);

enum { CLEAVE_MOST_LEVELS = 16 };

/* A mapping on its target.  All pairs of PEs send along one route of the target each, an
 * undirected graph's from the lower PE to the higher. */
typedef struct cleave_target_metrics {
    size_t size;
    int64_t cost;             /* sum over edges of weight * distance of the PEs of its ends */
    int64_t cost_identity;    /* of the mapping v -> floor(v * PEs / nvtx) */
    int64_t cut;              /* weight of the edges between PEs */
    double average_dilation;  /* cost / cut: mean distance of what is sent; 0 without a cut */
    int64_t max_link_load;    /* largest weight that passes a link; -1: no routes known */
    double average_link_load; /* mean over all links, idle ones included; -1 likewise */
    int64_t max_pe_traffic;   /* largest weight of the edges between one PE and all others */
    double imbalance;         /* max over PEs and weights of weight / share - 1, shares
                                 proportional to speeds */
    int32_t levels;           /* of a hierarchy; 0: it is none */
    /* The cost by level of the smallest group with both PEs, the lowest first; a hierarchy of
     * more levels has what is above in the last place. */
    int64_t cost_level[CLEAVE_MOST_LEVELS];
    int64_t cost_level_identity[CLEAVE_MOST_LEVELS];
} cleave_target_metrics;
CLEAVE_API void cleave_target_metrics_init(cleave_target_metrics *metrics, size_t size);
/* Computes every one from scratch.  m has at most as many parts as t has PEs: part p is on PE
 * p.  CLEAVE_ERANGE when a cost does not fit.  O(nvtx log nvtx + narc + PEs + links + length
 * of the routes). */
CLEAVE_API cleave_status cleave_evaluate_target(cleave_target_metrics *metrics,
                                                const cleave_graph *g, const cleave_mapping *m,
                                                const cleave_target *t, cleave_error *err);

#ifdef __cplusplus
}
#endif
#endif
