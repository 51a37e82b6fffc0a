/* SPDX-License-Identifier: Apache-2.0 */
/* order/halving_cut.h - one set of vertices cut in two by their numbers: the step that
 * order/halving.c repeats. */
#ifndef CLV_ORDER_HALVING_CUT_H
#define CLV_ORDER_HALVING_CUT_H

#include "graph/graph.h"

/* What the two sides should be. */
typedef struct clv_cut_rule {
    double first, second;           /* their weights are in this proportion; sum above 0 */
    double first_most, second_most; /* and not above these, if that can be */
    int32_t least, most;            /* vertices on the first side, whatever they weigh */
} clv_cut_rule;

/* vertex[0..count) ascends, value[i] belongs to vertex[i].  Cuts the sequence by ascending
 * value, ties by vertex, where the weights (numbers of vertices where nothing weighs
 * anything) come nearest to the rule; on return the first side's vertices come first, both
 * sides ascending, and *first counts them.  O(count). */
cleave_status clv_halving_cut(const clv_graph *g, const clv_cut_rule *rule, int32_t count,
                              int32_t *vertex, const double *value, clv_ws *ws, int32_t *first,
                              cleave_error *err);

#endif
