/* SPDX-License-Identifier: Apache-2.0 */
/* view/even_out.h - evens out the vertex density of a drawing, so that very fine and coarse
 * regions of a mesh are both visible. */
#ifndef CLV_VIEW_EVEN_OUT_H
#define CLV_VIEW_EVEN_OUT_H

#include "graph/graph.h"

/* Are most vertices in a small spot of the picture?  O(nvtx log nvtx). */
cleave_status clv_even_out_wanted(bool *wanted, int32_t nvtx, const double *position,
                                  clv_ws *ws, cleave_error *err);

/* Moves the vertices of a two-dimensional drawing along rays from its dense middle, so that
 * they cover a disc evenly: directions and the order along each ray do not change.  O(nvtx log
 * nvtx). */
cleave_status clv_even_out(double *evened, int32_t nvtx, const double *position, clv_ws *ws,
                           cleave_error *err);

#endif
