/* SPDX-License-Identifier: Apache-2.0 */
/* tests/api/trsv_systems.h - random triangular systems, stored in all ways that
 * cleave_triangle allows, and textbook substitution. */
#ifndef CLV_TESTS_TRSV_SYSTEMS_H
#define CLV_TESTS_TRSV_SYSTEMS_H

#include <stdbool.h>
#include <stdint.h>

#include "cleave/cleave.h"

typedef struct trsv_system {
    cleave_triangle t;
    int32_t n;
    bool single;
    /* The arrays of t, and right-hand sides, to be freed. */
    int64_t *xadj;
    int32_t *idx;
    double *val, *b, *x;
    float *val32, *b32, *x32;
} trsv_system;

enum { trsv_shapes = 7 }; /* diagonal, chain, banded, random, arrow, dense, grid */
/* Ways to store: by_columns, upper, unit, transpose, part, shuffled, single: bits 0 to 6. */
enum { trsv_ways = 128 };

/* A system of that shape, size and storage; x is its solution by the textbook. */
trsv_system trsv_system_make(int shape, int32_t n, int way, uint64_t seed);
/* Other values at the same places, and the solution for them. */
void trsv_system_renew(trsv_system *s, uint64_t seed);
void trsv_system_free(trsv_system *s);

/* x of op(A) x = b row by row from what t holds, columns ascending. */
void trsv_textbook(const cleave_triangle *t, double *x, const double *b);
void trsv_textbook_f(const cleave_triangle *t, float *x, const float *b);

/* Solves by the plan, in place or not; is every bit the same? */
bool trsv_solves(cleave_trsv *plan, const trsv_system *s, bool in_place);

#endif
