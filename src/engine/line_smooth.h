/* SPDX-License-Identifier: Apache-2.0 */
/* engine/line_smooth.h - from blocks on a line to vertices on a line. */
#ifndef CLV_ENGINE_LINE_SMOOTH_H
#define CLV_ENGINE_LINE_SMOOTH_H

#include "base/context.h"
#include "graph/graph.h"

/* vertex[p] at place p: block after block, and inside of each sorted by where the neighbours
 * stand, `sweeps` times over; block[v] in 0..nblocks-1.  O(sweeps * (nvtx + narc)), in
 * parallel; the result does not depend on the number of threads. */
cleave_status clv_line_smooth(const clv_graph *g, int32_t nblocks, const int32_t *block,
                              int32_t sweeps, clv_context *ctx, int32_t *vertex,
                              cleave_error *err);

/* Carries vertices along the line, each up to `most` places, to where the sum of what crosses
 * all gaps is least, at most `sweeps` times forth or back; with most = 1, and sweeps enough,
 * no gap is crossed by less when the vertices beside it change places.  Of a DAG no arc is
 * turned backwards.  O(sweeps * most * narc). */
cleave_status clv_line_carry(const clv_graph *g, int32_t sweeps, int32_t most,
                             clv_context *ctx, int32_t *vertex, cleave_error *err);

#endif
