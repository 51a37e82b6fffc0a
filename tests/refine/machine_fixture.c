/* SPDX-License-Identifier: Apache-2.0 */
#include "refine/machine_fixture.h"

#include <stdlib.h>

#include "base/rng.h"

static int32_t between(const clv_target *t, int32_t p, int32_t q)
{
    return ((const int32_t *)t->data)[(int64_t)p * t->npes + q];
}

static const clv_shape explicit_shape = {.name = "explicit", .between = between};

static int32_t distance_of(machine_kind kind, int32_t p, int32_t q, clv_rng *rng)
{
    switch (kind) {
    case MACHINE_FLAT:
        return 1;
    case MACHINE_LINE:
        return abs(p - q);
    case MACHINE_TREE:
        return p / 3 == q / 3 ? 1 : p / 9 == q / 9 ? 10 : 100;
    case MACHINE_RANDOM:
        return (int32_t)clv_rng_below(rng, 10);
    default:
        return 10000000 + (int32_t)clv_rng_below(rng, 10000000);
    }
}

void machine_make(machine_fixture *f, machine_kind kind, int32_t npes, bool table,
                  uint64_t seed)
{
    clv_rng rng = clv_rng_make(seed, 3, 1, 4);
    int64_t n = npes;
    *f = (machine_fixture){.distance = calloc((size_t)(n * n), sizeof *f->distance),
                           .places = calloc((size_t)(2 * n), sizeof *f->places)};
    if (!f->distance || !f->places)
        abort();
    for (int32_t p = 0; p < npes; p++) {
        f->places[p] = f->places[n + p] = table ? p : npes - 1 - p;
        for (int32_t q = 0; q < p; q++)
            f->distance[p * n + q] = f->distance[q * n + p] = distance_of(kind, p, q, &rng);
    }
    f->t = (clv_target){
        .npes = npes, .equal = true, .shape = &explicit_shape, .data = f->distance};
    f->m = (clv_machine){.t = &f->t,
                         .npes = npes,
                         .pe = f->places,
                         .place = f->places + n,
                         .table = table ? f->distance : NULL};
}

void machine_free(machine_fixture *f)
{
    free(f->distance);
    free(f->places);
}
