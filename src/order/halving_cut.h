/* SPDX-License-Identifier: Apache-2.0 */
/* order/halving_cut.h - cuts one set of vertices in two by their values: the step of
 * order/halving.c. */
#ifndef CLV_ORDER_HALVING_CUT_H
#define CLV_ORDER_HALVING_CUT_H

#include "order/halving.h"

/* Targets and limits of the two sides. */
typedef struct clv_cut_rule {
    double first, second;           /* proportion of their weights; positive sum */
    double first_most, second_most; /* upper bounds of the weights, if they can be met */
    int32_t least, most;            /* number of vertices on the first side, whatever their
                                       weight */
} clv_cut_rule;

/* value[i] belongs to set->vertex[i].  Cuts the sequence by ascending value, ties by vertex,
 * where the weights (if all are 0, the numbers of vertices) are nearest to the rule.  On
 * return the first side's vertices come first, both sides ascend, and *first is their number.
 * O(set->count). */
cleave_status clv_halving_cut(const clv_subset *set, const clv_cut_rule *rule,
                              const double *value, clv_ws *ws, int32_t *first,
                              cleave_error *err);

#endif
