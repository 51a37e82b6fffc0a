/* SPDX-License-Identifier: Apache-2.0 */
/* evaluate/evaluate.h - every metric, each in its own small file, each recomputed from the
 * graph and the part array alone. part[v] is in 0..nparts-1 (checked by the caller).  Scratch
 * comes from ws and is released. */
#ifndef CLV_EVALUATE_EVALUATE_H
#define CLV_EVALUATE_EVALUATE_H

#include "base/context.h"
#include "graph/graph.h"
#include "graph/share.h"

/* A graph and its partition. */
typedef struct clv_parted_graph {
    const clv_graph *g;
    int32_t nparts;
    const int32_t *part; /* by vertex */
} clv_parted_graph;

/* used_parts.c: the mapping itself or, if it has more parts than vertices, the same with the
 * parts in use numbered 0..count-1, ascending: the size of arrays by part then depends on the
 * graph, not on the largest part. */
typedef struct clv_used_parts {
    int32_t count;        /* parts in this numbering */
    const int32_t *part;  /* by vertex, 0..count-1 */
    const int32_t *label; /* by new number: the part in the caller's numbering; NULL: the
                             same */
} clv_used_parts;
/* Arrays from ws; the caller restores.  O(nvtx log nvtx) at most. */
cleave_status clv_evaluate_used_parts(int32_t nvtx, int32_t nparts, const int32_t *part,
                                      clv_ws *ws, clv_used_parts *used, cleave_error *err);

/* cut.c: weight of the edges between parts; CLEAVE_ERANGE when the sum does not fit. */
cleave_status clv_evaluate_cut(const clv_graph *g, const int32_t *part, int64_t *cut,
                               cleave_error *err);

/* volume.c: sent[p] (may be NULL) = sum over v in p of vsize[v] * number of other parts
 * among v's neighbours (successors of a DAG). */
cleave_status clv_evaluate_volume(const clv_parted_graph *p, clv_ws *ws, int64_t *total,
                                  int64_t *largest, int64_t *sent, cleave_error *err);

/* cut_volume.c: cut and total volume in one pass, on the threads of ctx. */
cleave_status clv_evaluate_cut_and_volume(const clv_parted_graph *p, clv_context *ctx,
                                          int64_t *cut, int64_t *volume, cleave_error *err);

/* balance.c */
typedef struct clv_balance {
    double imbalance;               /* max over parts and constraints of weight / share - 1 */
    bool balanced;                  /* every weight within floor((1 + eps) * ceil(share)) */
    int32_t empty_parts;            /* without vertices */
    int64_t min_weight, max_weight; /* first constraint */
} clv_balance;
/* shares NULL: equal; relative sizes otherwise, sum > 0.  If a part of share 0 has weight, the
 * imbalance is infinite; without any weight it is 0. */
cleave_status clv_evaluate_balance(const clv_parted_graph *p, const double *shares, double eps,
                                   clv_ws *ws, clv_balance *balance, cleave_error *err);
/* The weights alone, nparts * ncon, and the parts without vertices: for bounds of the caller's
 * own.  team NULL: on the calling thread. */
cleave_status clv_evaluate_part_weights(const clv_parted_graph *p, clv_team *team, clv_ws *ws,
                                        int64_t *weight, int32_t *empty_parts,
                                        cleave_error *err);
/* As clv_evaluate_balance, from the weights of the parts, used->count * ncon.  Does not set
 * empty_parts, which does not follow from weights; used->part is not read. */
void clv_evaluate_weights(const clv_share_rule *rule, const clv_used_parts *used, int32_t ncon,
                          const int64_t *weight, double eps, clv_balance *balance);
/* Writes the balance and the number of parts into the public struct. */
void clv_balance_report(const clv_balance *balance, int32_t nparts, cleave_metrics *out);

/* pieces.c: connected pieces of each part (directions ignored); pieces: nparts or NULL. */
cleave_status clv_evaluate_pieces(const clv_parted_graph *p, clv_ws *ws, int32_t *total,
                                  int32_t *pieces, cleave_error *err);

/* setups.c: edges of the quotient graph (pairs of adjacent parts; ordered pairs of a
 * DAG), and for a DAG whether it is acyclic: *length > 0 gives a cycle of parts in
 * `cycle` (nparts places, may be NULL).  *length is 0 for an undirected graph. */
cleave_status clv_evaluate_quotient(const clv_parted_graph *p, clv_ws *ws, int64_t *setups,
                                    int32_t *cycle, int32_t *length, cleave_error *err);

/* convex.c: does no path of the DAG leave a part and return to it? O(narc) when the quotient
 * is acyclic, else O(narc * nparts / 64). */
cleave_status clv_evaluate_convex(const clv_parted_graph *p, clv_ws *ws, bool *convex,
                                  cleave_error *err);

/* critical_path.c: longest path of the DAG with constant costs per vertex, arc inside a
 * part, and cut arc, each >= 0; 0 without vertices.  CLEAVE_ERANGE when it does not fit. */
typedef struct clv_path_costs {
    int64_t vertex, inside, cut;
} clv_path_costs;
cleave_status clv_evaluate_critical_path(const clv_graph *g, const int32_t *part,
                                         const clv_path_costs *cost, clv_ws *ws,
                                         int64_t *length, cleave_error *err);

/* fill.c: the Cholesky factor of a symmetric matrix with the pattern of g, eliminated in the
 * order vertex[0], vertex[1], ... */
typedef struct clv_fill {
    int64_t fill;      /* non-zeros of the factor, the diagonal included */
    double operations; /* sum over columns of the square of their non-zeros */
    int64_t largest;   /* non-zeros of the fullest column */
    int32_t height;    /* vertices on the longest path of the elimination tree */
} clv_fill;
/* Directions of a DAG are ignored.  Nearly O(nvtx + narc). */
cleave_status clv_evaluate_fill(const clv_graph *g, const int32_t *vertex, clv_ws *ws,
                                clv_fill *fill, cleave_error *err);

#endif
