/* SPDX-License-Identifier: Apache-2.0 */
/* refine/connected/connected_parts.h - connected parts. */
#ifndef CLV_REFINE_CONNECTED_CONNECTED_PARTS_H
#define CLV_REFINE_CONNECTED_CONNECTED_PARTS_H

#include "refine/state/partition_state.h"

/* Makes the vertices of a part within one connected component of the graph connected, for all
 * parts and components.  Priorities, in this order: fixed vertices stay; *connected, which
 * reports whether all parts are connected (only fixed vertices that cannot be joined prevent
 * it); overload; cut.  A part that has vertices keeps some; an empty one may get some.  A
 * partition that is already connected does not get worse.  O((nvtx + narc) log nvtx) for each
 * of a bounded number of rounds, sequential; scratch about 80 bytes per vertex.  Fails only
 * with CLEAVE_ENOMEM; the state is then unchanged. */
cleave_status clv_connect_parts(clv_partition_state *s, clv_context *ctx, bool *connected,
                                cleave_error *err);

#endif
