/* SPDX-License-Identifier: Apache-2.0 */
/* tests/schedule/row_split_fixture.h - triangular patterns to split, and slow checkers of the
 * invariants of the tasks. */
#ifndef CLV_TESTS_SCHEDULE_ROW_SPLIT_FIXTURE_H
#define CLV_TESTS_SCHEDULE_ROW_SPLIT_FIXTURE_H

#include "base/rng.h"
#include "graph/graph.h"
#include "support/test.h"

typedef enum split_shape {
    SPLIT_TRIANGLE,
    SPLIT_BORDER,
    SPLIT_SPARSE,
    SPLIT_BAND,
    SPLIT_TREE,
    SPLIT_SHAPES
} split_shape;

typedef struct split_sample {
    clv_graph g;
    int64_t *xpred, *xadj;
    int32_t *pred, *pwgt, *adj, *ewgt, *vwgt;
} split_sample;

void *split_must(void *block);

/* Weights 0: non-zeros of the rows; 1: three times that or nothing; 2: any; 3: none given.
 * renamed: the numbers do not follow the arcs; arcs: they have weights. */
void split_make(split_sample *s, split_shape kind, int32_t n, int weights, bool renamed,
                bool arcs, uint64_t seed);
void split_drop(split_sample *s);

/* Kahn's algorithm, last in first out; how many were ordered. */
int32_t split_order(const clv_graph *g, int32_t *order);
/* NULL, or which promise is broken: tasks read what rows read, once, in order, and solve a
 * triangular system to the same bits. */
const char *split_tasks_fault(const clv_graph *g, const clv_graph *tasks, const int32_t *row);
const char *split_layers_fault(const clv_graph *tasks, int32_t threads, const int32_t *layer,
                               const int32_t *thread);

#endif
