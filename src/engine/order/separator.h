/* SPDX-License-Identifier: Apache-2.0 */
/* engine/order/separator.h - a minimum weight vertex separator: a set of vertices whose
 * removal leaves two sides of about equal weight without an edge between them, by the
 * multilevel method.
 *
 * Coarsening is that of partitions.  On the coarsest graph a bisection is computed; a minimum
 * weight vertex cover of its cut is the initial separator, which is refined on every level
 * [Karypis, Kumar 1998; Sanders, Schulz 2016]. */
#ifndef CLV_ENGINE_ORDER_SEPARATOR_H
#define CLV_ENGINE_ORDER_SEPARATOR_H

#include "engine/presets.h"
#include "graph/mapping.h"
#include "refine/state/separation.h"

/* Fills s->part and s->weight; s->g and s->max must be set.  Sides are within the bound.  If
 * components can be distributed to the sides within the bound, the separator is empty.
 * Deterministic for (graph, bound, effort, ctx->seed).  Fails only with CLEAVE_ENOMEM. */
cleave_status clv_separator(clv_separation *s, const clv_separator_preset *effort,
                            clv_context *ctx, cleave_error *err);

/* The same without testing for components: g must be connected, nvtx > 0. */
cleave_status clv_separator_multilevel(clv_separation *s, const clv_separator_preset *effort,
                                       clv_context *ctx, cleave_error *err);

/* As cleave_separator: *out has parts 0 and 1, the sides, and 2, the separator.  Only the
 * first vertex weight is used.  weight: NULL, or receives the three weights in g, in which
 * vertices of weight 0 count nothing.  With CLEAVE_ECANCEL, *out is a mapping. */
cleave_status clv_separator_mapping(clv_mapping **out, const clv_graph *g, double imbalance,
                                    cleave_effort effort, clv_context *ctx, int64_t *weight,
                                    cleave_error *err);

/* The bound of a side: floor((1 + imbalance) * ceil(total / 2)). */
int64_t clv_separator_bound(int64_t total, double imbalance);

/* Distributes components to the two sides, the heaviest first, each to the lighter side,
 * without a separator.  *count: number of components; with fewer than two nothing else is
 * done. */
cleave_status clv_separate_components(clv_separation *s, clv_ws *ws, int32_t *count,
                                      cleave_error *err);

#endif
