/* SPDX-License-Identifier: Apache-2.0 */
/* tests/schedule/schedule_fixture.h - random DAGs of many shapes, and schedules of them. */
#ifndef CLV_TESTS_SCHEDULE_FIXTURE_H
#define CLV_TESTS_SCHEDULE_FIXTURE_H

#include "base/rng.h"
#include "graph/graph.h"

/* Up to `largest` vertices: sparse and dense, chains, trees, stars, layers, grids, many
 * components, lower and upper triangles, arcs in any direction; weights absent, the non-zeros
 * of rows, small with zeros, one heavy, or all as large as can be. */
clv_graph *fixture_dag(uint64_t seed, int32_t largest);

/* Layer and thread of each vertex such that the promise holds, drawn from rng. */
void fixture_schedule(const clv_graph *g, int32_t threads, clv_rng *rng, int32_t *layer,
                      int32_t *thread);

#endif
