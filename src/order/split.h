/* SPDX-License-Identifier: Apache-2.0 */
/* order/split.h - an order cut into intervals for processors of unequal speed.
 *
 * Source: Kaddoura, Ou, Ranka 1995. */
#ifndef CLV_ORDER_SPLIT_H
#define CLV_ORDER_SPLIT_H

#include "graph/order.h"

typedef enum clv_grouping {
    CLV_GROUPING_SIMPLE,    /* as numbered: the first y whose sum is at least half */
    CLV_GROUPING_BINPACKING /* two groups of nearly equal sums */
} clv_grouping;

/* Divides parts[0..count) (numbers of PEs) into two groups by speed (by PE, NULL: all 1):
 * reorders parts so that the first group comes first, keeping the order inside of each, and
 * returns its size, 1..count-1 (count >= 2).  scratch: count places.
 * O(count log count), no allocation. */
int32_t clv_grouping_halve(clv_grouping grouping, const double *speed, int32_t count,
                           int32_t *parts, int32_t *scratch);

/* The sequence of the PEs along the line: halves of halves as above.  sequence and scratch:
 * npes places.  SIMPLE: 0, 1, 2, ... */
void clv_grouping_sequence(clv_grouping grouping, const double *speed, int32_t npes,
                           int32_t *sequence, int32_t *scratch);

/* PE sequence[i] (NULL: i) gets the i-th interval: places begin[pe] .. end[pe] - 1.  With at
 * least as many vertices as PEs of speed above 0 none of these is empty; PEs of speed 0 are.
 * Cuts are as near to the shares as can be; with slack (eps > 0) and crossings, each is
 * shifted to where it is cheapest within what floor((1 + eps) * ceil(share)) allows on both
 * sides. No allocation; sequence may not overlap begin or end. */
void clv_split(const clv_order *o, int32_t npes, const double *speed, const int32_t *sequence,
               double eps, int32_t *begin, int32_t *end);

/* The same in the sequence of a grouping.  Equal PEs (speed NULL) need none, and for more PEs
 * than fit on the stack, 8192, it does not matter any more: these come as numbered. */
void clv_split_grouped(const clv_order *o, int32_t npes, const double *speed,
                       clv_grouping grouping, double eps, int32_t *begin, int32_t *end);
/* The same in a sequence whose cuts are cheap (order/cheapest.c); by BINPACKING where
 * crossings are not known, or for more than 64 PEs. */
void clv_split_cheapest(const clv_order *o, int32_t npes, const double *speed, double eps,
                        int32_t *begin, int32_t *end);

#endif
