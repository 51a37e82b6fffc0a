/* SPDX-License-Identifier: Apache-2.0 */
/* run/tri_pack.h - several right-hand sides, interleaved by row, in the plan's order. */
#ifndef CLV_RUN_TRI_PACK_H
#define CLV_RUN_TRI_PACK_H

#include "run/tri_stream.h"

/* The share of a worker: copies at most clv_tri_columns columns of b, interleaved by row and
 * in plan order, to the workspace.  The last column fills missing ones.  unpack copies the
 * solutions to x. */
void clv_tri_pack(const clv_tri_plan *plan, int worker, int workers, const clv_tri_vectors *v);
void clv_tri_unpack(const clv_tri_plan *plan, int worker, int workers,
                    const clv_tri_vectors *v);

#endif
