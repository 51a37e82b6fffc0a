/* SPDX-License-Identifier: Apache-2.0 */
/* engine/limits.h - target weight (share), upper and lower bound of each part.
 *
 * Shares come from the target's speeds or from the caller.  A PE of speed 0 has no share, even
 * if the caller gives it one, and a part without a share stays empty, even if it has a bound.
 * Upper bounds come from the imbalance (graph/share.c, also used by the evaluation) or from
 * the caller; lower bounds only from the caller. */
#ifndef CLV_ENGINE_LIMITS_H
#define CLV_ENGINE_LIMITS_H

#include "evaluate/evaluate.h"
#include "graph/bounds.h"
#include "target/target.h"

typedef struct clv_limits {
    clv_bounds bounds;    /* of the first parts, at most one per vertex.  share: the target
                             weight, between the bounds; if all weights are 0, a number of
                             vertices */
    const double *shares; /* relative sizes of all PEs, `stride` apart; NULL: equal */
    int32_t npes, stride; /* stride 0: the same for every constraint */
    int64_t *total;       /* ncon: weight of the graph */
} clv_limits;

/* The constraints of a caller on the weights of parts. */
typedef struct clv_weight_demands {
    const cleave_constraints *given; /* only shares, imbalance, min and max are read */
    double imbalance;                /* of parts that these do not mention */
} clv_weight_demands;

/* Arrays are from ws; the caller restores it.  The message of CLEAVE_EINVAL names the part
 * with the invalid share or bound.  O(nvtx + nparts) * ncon. */
cleave_status clv_limits_make(clv_limits *limits, const clv_graph *g, const clv_target *t,
                              const clv_weight_demands *demands, clv_ws *ws,
                              cleave_error *err);

/* Does a PE of speed 0 have a share?  shares: npes * ncon.  Fills `to` with the shares without
 * those; CLEAVE_EINVAL: none are left. */
bool clv_shares_of_idle(const clv_target *t, const double *shares, int32_t ncon);
cleave_status clv_shares_mask(double *to, const clv_target *t, const double *shares,
                              int32_t ncon, cleave_error *err);

/* Shares and their sum for one constraint. */
clv_share_rule clv_limits_rule(const clv_limits *limits, int32_t con);

#endif
