/* SPDX-License-Identifier: Apache-2.0 */
/* run/tri_pack.h - several right-hand sides side by side, in the plan's order. */
#ifndef CLV_RUN_TRI_PACK_H
#define CLV_RUN_TRI_PACK_H

#include "run/tri_stream.h"

/* A worker's part of it: `columns` columns, ldb apart, into the plan's workspace; the last one
 * again in the place of those that are missing.  And back. */
void clv_tri_pack(const clv_tri_plan *plan, int worker, int workers, int32_t columns,
                  const void *b, int64_t ldb);
void clv_tri_unpack(const clv_tri_plan *plan, int worker, int workers, int32_t columns,
                    void *x, int64_t ldx);

#endif
