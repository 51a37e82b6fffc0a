/* SPDX-License-Identifier: Apache-2.0 */
/* graph/share.h - relative part sizes, and the share and the upper bound of a part. */
#ifndef CLV_GRAPH_SHARE_H
#define CLV_GRAPH_SHARE_H

#include "base/mem.h"

typedef struct clv_share_rule {
    const double *shares; /* >= 0, stride apart; NULL: equal */
    int32_t nparts, stride;
    int exponent; /* sizes are scaled by 2^-exponent to at most 1, without rounding */
    double sum;   /* of the scaled sizes */
} clv_share_rule;
/* The sum of shares is above 0.  O(nparts), O(1) if they are equal. */
clv_share_rule clv_share_rule_make(const double *shares, int32_t nparts, int32_t stride);
double clv_share_of(const clv_share_rule *rule, int64_t total, int32_t p);
/* floor((1 + eps) * ceil(share)); INT64_MAX if that does not fit. */
int64_t clv_share_bound(const clv_share_rule *rule, int64_t total, int32_t p, double eps);

#endif
