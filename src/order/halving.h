/* SPDX-License-Identifier: Apache-2.0 */
/* order/halving.h - recursive bisection by one number per vertex: the side of a cut line for
 * coordinates, the entry of an eigenvector for spectral bisection.
 *
 * A set of vertices is sorted by its numbers and cut where the weights are in proportion;
 * both sides are cut again. */
#ifndef CLV_ORDER_HALVING_H
#define CLV_ORDER_HALVING_H

#include "base/context.h"
#include "order/split.h"

/* Where the numbers come from.  values: fills value[i] for vertex[i], 0 <= i < count; count
 * >= 2; finite; vertex[] ascends.  Called by several threads at once for different sets, each
 * with its own child context, or, for a large set, with the context of the whole team: the
 * numbers must not depend on which. */
typedef struct clv_halving_source {
    cleave_status (*values)(const void *data, const clv_graph *g, int32_t count,
                            const int32_t *vertex, double *value, clv_context *ctx,
                            cleave_error *err);
    const void *data;
    bool is_cheap; /* looks at vertices alone: goes on after a stop while the credit lasts */
} clv_halving_source;

/* Parts in proportion to the speeds (NULL: all 1): groups of PEs are halved, and the vertices
 * with them.  With at least as many vertices as PEs of speed above 0 none of these is empty;
 * with fewer, none has two.  Vertices of equal weight: no part is above its share, rounded
 * up.  Deterministic on any number of threads; ties by vertex number.  CLEAVE_EINVAL: no
 * speed is above 0.  When the context says stop, sets that are not yet halved are cut along
 * their numbers; shares are then met up to a vertex of each part. */
cleave_status clv_halving_parts(const clv_graph *g, const clv_halving_source *source,
                                int32_t nparts, const double *speed, clv_grouping grouping,
                                clv_context *ctx, int32_t *part, cleave_error *err);

/* vertex[p] at place p: halves of equal weight down to single vertices, or to `leaves` sets
 * (0: all the way) whose vertices then come in random order (ctx->seed).  All the way, halves
 * are turned so that neighbours on the line are neighbours in the graph
 * (order/halving_turn.h); with leaves they are not.  When the context says stop, sets that are
 * not yet halved stay in the order of their numbers. */
cleave_status clv_halving_order(const clv_graph *g, const clv_halving_source *source,
                                int32_t leaves, clv_context *ctx, int32_t *vertex,
                                cleave_error *err);

/* ---- Sources --------------------------------------------------------------------------- */

/* order/coordinate_source.c: the coordinate along the longer side of the bounding box of the
 * set; needs g->ndim > 0. */
extern const clv_halving_source clv_source_coordinates;
/* order/spectral_source.c: the Fiedler vector of the graph that the set induces; where that
 * falls apart, component after component. */
extern const clv_halving_source clv_source_spectral;

#endif
