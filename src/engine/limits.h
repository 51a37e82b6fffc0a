/* SPDX-License-Identifier: Apache-2.0 */
/* engine/limits.h - how much each part should, may and must weigh.
 *
 * Shares come from the target's speeds or from the caller; a PE of speed 0 has none, whoever
 * gave it one, and a part without a share stays empty, whoever gave it a bound.  Upper bounds
 * from the imbalance (graph/share.c, the same function that judges) or from the caller; lower
 * bounds from the caller alone. */
#ifndef CLV_ENGINE_LIMITS_H
#define CLV_ENGINE_LIMITS_H

#include "evaluate/evaluate.h"
#include "graph/bounds.h"
#include "target/target.h"

typedef struct clv_limits {
    clv_bounds bounds;    /* of the first parts, enough for every vertex.  share: what to aim
                             at, between the bounds; where nothing weighs anything, numbers
                             of vertices */
    const double *shares; /* relative sizes of all PEs, `stride` apart; NULL: equal */
    int32_t npes, stride; /* stride 0: the same for every constraint */
    int64_t *total;       /* ncon: weight of the graph */
} clv_limits;

/* Of constraints (never NULL) only shares, imbalance, min and max are read; eps is for parts
 * that those do not mention.  Arrays are from ws; the caller restores.  CLEAVE_EINVAL names
 * the part whose share or bound makes no sense.  O(nvtx + nparts) * ncon. */
cleave_status clv_limits_make(clv_limits *limits, const clv_graph *g, const clv_target *t,
                              const cleave_constraints *constraints, double eps, clv_ws *ws,
                              cleave_error *err);

/* Does a PE of speed 0 have a share?  shares: npes * ncon.  And the shares without those, in
 * `to`; CLEAVE_EINVAL: there are no others. */
bool clv_shares_of_idle(const clv_target *t, const double *shares, int32_t ncon);
cleave_status clv_shares_mask(double *to, const clv_target *t, const double *shares,
                              int32_t ncon, cleave_error *err);

/* Shares and their sum for one constraint. */
clv_share_rule clv_limits_rule(const clv_limits *limits, int32_t con);

#endif
