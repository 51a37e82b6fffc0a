/* SPDX-License-Identifier: Apache-2.0 */
/* engine/settle.h - from blocks on a line to vertices on a line. */
#ifndef CLV_ENGINE_SETTLE_H
#define CLV_ENGINE_SETTLE_H

#include "base/context.h"
#include "graph/graph.h"

/* vertex[p] at place p: block after block, and inside of each sorted by where the neighbours
 * stand, `sweeps` times over; block[v] in 0..nblocks-1.  O(sweeps * (nvtx + narc)), in
 * parallel; the result does not depend on the number of threads. */
cleave_status clv_settle(const clv_graph *g, int32_t nblocks, const int32_t *block,
                         int32_t sweeps, clv_context *ctx, int32_t *vertex, cleave_error *err);

/* Exchanges neighbours on the line while fewer edges then cross the gap between them, at most
 * `sweeps` times along the line.  Of a DAG no arc is turned backwards. */
cleave_status clv_settle_pairs(const clv_graph *g, int32_t sweeps, clv_context *ctx,
                               int32_t *vertex, cleave_error *err);

#endif
