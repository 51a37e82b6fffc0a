/* SPDX-License-Identifier: Apache-2.0 */
/* tests/run/tri_fixture.h - random triangular systems, random schedules of them, and the
 * reference: row by row, columns ascending. */
#ifndef CLV_TESTS_RUN_TRI_FIXTURE_H
#define CLV_TESTS_RUN_TRI_FIXTURE_H

#include "base/rng.h"
#include "run/tri_plan.h"

typedef struct tri_system {
    int32_t n;
    bool upper, unit;
    int64_t *xadj; /* without the diagonal */
    int32_t *col;
    uint32_t *source; /* into val, in no order at all, like: */
    int64_t *diagonal;
    int64_t nval;
    double *val;
    float *val32;
} tri_system;

/* Sparse, banded, grids, dense blocks along the diagonal, arrows, empty. */
tri_system tri_random(uint64_t seed, int32_t largest);
void tri_free(tri_system *t);
clv_tri_rows tri_rows(const tri_system *t);

void tri_reference(const tri_system *t, double *x, const double *b);
void tri_reference32(const tri_system *t, float *x, const float *b);

/* Random layers and threads that respect the arcs; split: rows become several tasks.  Frees
 * with tri_schedule_free. */
clv_schedule *tri_schedule(const tri_system *t, int32_t threads, bool split, clv_rng *rng);
void tri_schedule_free(clv_schedule *s);
/* The DAG of the rows, weights their entries and the diagonal. */
cleave_graph *tri_graph(const tri_system *t);

#endif
