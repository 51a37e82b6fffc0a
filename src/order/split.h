/* SPDX-License-Identifier: Apache-2.0 */
/* order/split.h - cuts an order into intervals for processors of unequal speed [Kaddoura, Ou,
 * Ranka 1995]. */
#ifndef CLV_ORDER_SPLIT_H
#define CLV_ORDER_SPLIT_H

#include "graph/order.h"

typedef enum clv_grouping {
    CLV_GROUPING_SIMPLE,    /* by number: the first y whose sum is at least half */
    CLV_GROUPING_BINPACKING /* two groups of nearly equal sums */
} clv_grouping;

/* Divides parts[0..count) (numbers of PEs) into two groups by speed (by PE, NULL: all 1).
 * Reorders parts so that the first group comes first, keeping the order within each, and
 * returns its size, 1..count-1 (count >= 2).  scratch: count entries. O(count log count), no
 * allocation. */
int32_t clv_grouping_halve(clv_grouping grouping, const double *speed, int32_t count,
                           int32_t *parts, int32_t *scratch);

/* The sequence of the PEs along the order, by recursive halving as above.  sequence and
 * scratch: npes entries.  SIMPLE: 0, 1, 2, ... */
void clv_grouping_sequence(clv_grouping grouping, const double *speed, int32_t npes,
                           int32_t *sequence, int32_t *scratch);

/* Exchanges PEs of the sequence so that fewer edges cross the cuts.  Does nothing if the order
 * has no crossings or all speeds are equal (NULL).  Reads a bounded number of places, no
 * allocation. */
void clv_split_arrange(const clv_order *o, int32_t npes, const double *speed,
                       int32_t *sequence);

/* Parameters of a split. */
typedef struct clv_split_rule {
    int32_t npes;
    const double *speed; /* by PE; NULL: all 1 */
    double imbalance;
    clv_grouping grouping; /* chooses the sequence of the PEs */
    bool arranged;         /* also exchange PEs for cheaper cuts */
} clv_split_rule;

/* PE sequence[i] (NULL: i) gets the i-th interval: places begin[pe] .. end[pe] - 1.  With at
 * least as many vertices as PEs of positive speed, none of these is empty; PEs of speed 0 are.
 * Cuts are as near to the shares as possible; with slack (imbalance > 0) and crossings, each
 * is moved to the cheapest place that floor((1 + imbalance) * ceil(share)) allows.  No
 * allocation; sequence must not overlap begin or end. */
void clv_split(const clv_order *o, const clv_split_rule *rule, const int32_t *sequence,
               int32_t *begin, int32_t *end);

/* order/split_line.c. */
/* Chooses the sequence of the PEs, then calls clv_split. */
void clv_split_line(const clv_order *o, const clv_split_rule *rule, int32_t *begin,
                    int32_t *end);
/* The message of CLEAVE_EBALANCE names the first PE above its bound. */
cleave_status clv_split_check(const clv_order *o, const clv_split_rule *rule,
                              const int32_t *begin, const int32_t *end, cleave_error *err);

#endif
