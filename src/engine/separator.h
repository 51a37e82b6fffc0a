/* SPDX-License-Identifier: Apache-2.0 */
/* engine/separator.h - a light set of vertices whose removal leaves two sides of about equal
 * weight with no edge between them, by the multilevel method.
 *
 * Coarsened as for partitions; on the coarsest graph two parts are grown, a lightest cover of
 * the edges between them is the first separator, which is then refined on every level
 * [Karypis, Kumar 1998; Sanders, Schulz 2016]. */
#ifndef CLV_ENGINE_SEPARATOR_H
#define CLV_ENGINE_SEPARATOR_H

#include "engine/presets.h"
#include "graph/mapping.h"
#include "refine/separation.h"

/* Fills s->part and s->weight; s->g and s->max are set.  Sides are within the bound.  Where
 * components can be dealt out to the sides within the bound the separator is empty.
 * Deterministic for (graph, bound, effort, ctx->seed).  Fails only with CLEAVE_ENOMEM. */
cleave_status clv_separator(clv_separation *s, const clv_separator_preset *effort,
                            clv_context *ctx, cleave_error *err);

/* The same without a look at components: for graphs that are connected, nvtx > 0. */
cleave_status clv_separator_multilevel(clv_separation *s, const clv_separator_preset *effort,
                                       clv_context *ctx, cleave_error *err);

/* As cleave_separator: *out has parts 0 and 1, the sides, and 2, the separator; only the first
 * weight of a vertex is used.  weight: NULL, or their three weights in g, where vertices of
 * weight 0 count nothing.  CLEAVE_ECANCEL leaves a mapping. */
cleave_status clv_separator_mapping(clv_mapping **out, const clv_graph *g, double imbalance,
                                    cleave_effort effort, clv_context *ctx, int64_t *weight,
                                    cleave_error *err);

/* The bound of a side: floor((1 + imbalance) * ceil(total / 2)). */
int64_t clv_separator_bound(int64_t total, double imbalance);

/* Deals components out to the two sides, the heaviest first, each to the lighter side; there
 * is no separator.  *count: components; with fewer than two nothing else is done. */
cleave_status clv_separate_components(clv_separation *s, clv_ws *ws, int32_t *count,
                                      cleave_error *err);

#endif
