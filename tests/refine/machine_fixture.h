/* SPDX-License-Identifier: Apache-2.0 */
/* tests/refine/machine_fixture.h - small machines with explicit distances, for refiners with
 * gains by cost. */
#ifndef CLV_TESTS_REFINE_MACHINE_FIXTURE_H
#define CLV_TESTS_REFINE_MACHINE_FIXTURE_H

#include "target/machine.h"

typedef enum machine_kind {
    MACHINE_FLAT,   /* 1 between any two places */
    MACHINE_LINE,   /* in a row */
    MACHINE_TREE,   /* groups of three, groups of three groups: 1, 10, 100 */
    MACHINE_RANDOM, /* 0 to 9, no metric */
    MACHINE_FAR,    /* 10 to 19 million, no metric */
    MACHINE_KINDS
} machine_kind;

typedef struct machine_fixture {
    clv_machine m;
    clv_target t;
    int32_t *distance, *places;
} machine_fixture;

/* Without a table the distances come from the shape's function, PEs numbered backwards. */
void machine_make(machine_fixture *f, machine_kind kind, int32_t npes, bool table,
                  uint64_t seed);
void machine_free(machine_fixture *f);

#endif
