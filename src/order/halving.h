/* SPDX-License-Identifier: Apache-2.0 */
/* order/halving.h - recursive bisection by one value per vertex: a coordinate for coordinate
 * bisection, the entry of an eigenvector for spectral bisection.
 *
 * A set of vertices is sorted by value and cut where the weights are in proportion; both sides
 * are cut again. */
#ifndef CLV_ORDER_HALVING_H
#define CLV_ORDER_HALVING_H

#include "base/context.h"
#include "order/split.h"

/* A set of vertices of a graph. */
typedef struct clv_subset {
    const clv_graph *g;
    int32_t count;
    int32_t *vertex; /* ascending */
} clv_subset;

/* The source of the values.  values: fills value[i] for set->vertex[i], 0 <= i < set->count,
 * which is at least 2; finite; does not write the set.  Several threads call it concurrently
 * for different sets, each with its own child context.  For a large set it is called with the
 * context of the whole team.  The values must not depend on which. */
typedef struct clv_halving_source {
    cleave_status (*values)(const void *data, const clv_subset *set, double *value,
                            clv_context *ctx, cleave_error *err);
    const void *data;
    bool is_cheap; /* reads vertices only: continues after a stop while the credit lasts */
} clv_halving_source;

/* Parts in proportion to the speeds: PEs, by rule->grouping, and vertices are bisected
 * together.  rule->imbalance and arranged are not used.
 * With at least as many vertices as PEs of positive speed, none of these is empty; with fewer,
 * none has two.  With equal vertex weights no part exceeds its share, rounded up.
 * Deterministic on any number of threads; ties by vertex number.  CLEAVE_EINVAL: no speed is
 * positive.  If the context is stopped, remaining sets are cut in numerical order; parts then
 * meet their shares up to one vertex. */
cleave_status clv_halving_parts(const clv_graph *g, const clv_halving_source *source,
                                const clv_split_rule *rule, clv_context *ctx, int32_t *part,
                                cleave_error *err);

/* vertex[p] becomes the vertex at place p: halves of equal weight down to single vertices, or
 * to `leaves` sets (0: single vertices) whose vertices are in random order (ctx->seed).  Down
 * to single vertices, halves are exchanged so that neighbours in the order are neighbours in
 * the graph (order/halving_turn.h); with leaves they are not.  If the context is stopped,
 * remaining sets stay in numerical order. */
cleave_status clv_halving_order(const clv_graph *g, const clv_halving_source *source,
                                int32_t leaves, clv_context *ctx, int32_t *vertex,
                                cleave_error *err);

/* ---- Sources --------------------------------------------------------------------------- */

/* order/coordinate_source.c: the coordinate along the longest side of the bounding box of the
 * set; needs g->ndim > 0. */
extern const clv_halving_source clv_source_coordinates;
/* order/spectral_source.c: the Fiedler vector of the subgraph induced by the set; if that is
 * disconnected, component by component. */
extern const clv_halving_source clv_source_spectral;

#endif
