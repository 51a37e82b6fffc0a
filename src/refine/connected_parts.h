/* SPDX-License-Identifier: Apache-2.0 */
/* refine/connected_parts.h - parts in one piece each. */
#ifndef CLV_REFINE_CONNECTED_PARTS_H
#define CLV_REFINE_CONNECTED_PARTS_H

#include "refine/partition_state.h"

/* Afterwards the vertices of a part within one connected component of the graph are connected
 * among themselves, for all parts and components.  What matters, in this order: fixed
 * vertices stay; *connected, which says whether that was reached (only fixed vertices that
 * cannot be joined stand in its way); overload; cut.  A part that has vertices keeps some; an
 * empty one may get some.  A partition that is connected already does not get worse.
 * O((nvtx + narc) log nvtx) for each of a bounded number of rounds, sequential; scratch about
 * 80 bytes per vertex.  Fails only with CLEAVE_ENOMEM; the state is then as it was. */
cleave_status clv_connect_parts(clv_partition_state *s, clv_context *ctx, bool *connected,
                                cleave_error *err);

#endif
