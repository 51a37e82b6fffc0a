/* SPDX-License-Identifier: Apache-2.0 */
/* tests/compat/layer_fixture.h - graphs in METIS's arrays and slow checkers of what it
 * returns.
 */
#ifndef CLV_TESTS_LAYER_FIXTURE_H
#define CLV_TESTS_LAYER_FIXTURE_H

#include <stdbool.h>

#include "metis.h"
#include "support/test.h"

enum { fixture_vertices = 1024, fixture_arcs = 8 * fixture_vertices };

typedef struct fixture {
    idx_t n, xadj[fixture_vertices + 1], adj[fixture_arcs];
} fixture;

/* width x height, four neighbours each. */
void fixture_grid(fixture *f, idx_t width, idx_t height);
/* Adds 1 to all numbers. */
void fixture_from_one(fixture *f);
/* Weights 0 .. 4 that look random. */
void fixture_weights(idx_t *weight, idx_t count, unsigned seed);

/* wgt NULL: 1 each. */
int64_t fixture_cut(const fixture *f, const idx_t *wgt, const idx_t *part);
int64_t fixture_volume(const fixture *f, const idx_t *vsize, const idx_t *part);
idx_t fixture_empty(idx_t n, const idx_t *part, idx_t nparts);
/* No part above floor((1 + eps) * ceil(share)); share NULL: equal; of one of ncon weights. */
bool fixture_balanced(idx_t n, const idx_t *vwgt, idx_t ncon, idx_t con, const idx_t *part,
                      idx_t nparts, const real_t *share, double eps);
/* Connected pieces over all parts. */
idx_t fixture_pieces(const fixture *f, const idx_t *part);
/* Neighbours of the part that has the most. */
idx_t fixture_neighbours(const fixture *f, const idx_t *part, idx_t nparts);
/* Non-zeros of the factor when order[0] is eliminated first; n <= 256. */
int64_t fixture_fill(const fixture *f, const idx_t *order);
bool fixture_inverse(idx_t n, const idx_t *perm, const idx_t *iperm, idx_t numbering);

#endif
