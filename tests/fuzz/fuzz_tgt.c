/* SPDX-License-Identifier: Apache-2.0 */
/* Scotch's target files.  A small target is written as deco 0 and read back; of a large one
 * some distances are computed. */
#include "fuzz/fuzz_common.h"
#include "target/scotch_target.h"

enum { most_compared = 64 };

static void check_halves(const cleave_target *t)
{
    clv_domain d = t->shape->root(t), half[2];
    FUZZ_CHECK(t->shape->pes(t, d) == t->npes);
    while (t->shape->bipartition(t, d, half)) {
        FUZZ_CHECK(t->shape->pes(t, half[0]) + t->shape->pes(t, half[1]) ==
                   t->shape->pes(t, d));
        FUZZ_CHECK(t->shape->distance(t, half[0], half[1]) >= 0);
        d = half[t->shape->pes(t, half[1]) > t->shape->pes(t, half[0])];
    }
    int32_t pe = t->shape->pe(t, d);
    FUZZ_CHECK(pe >= 0 && pe < t->npes);
}

FUZZ_TARGET(tgt)
{
    cleave_error err = {.status = CLEAVE_OK};
    cleave_target *t;
    const char *path = fuzz_file("in.tgt", in->bytes, in->size);
    cleave_status status = clv_target_scotch_file(&t, path, &err);
    if (status != CLEAVE_OK) {
        fuzz_check_refusal(status, &err, t, path);
        return;
    }
    FUZZ_CHECK(t->npes >= 1);
    FUZZ_CHECK(clv_target_distance(t, 0, t->npes - 1) ==
               clv_target_distance(t, t->npes - 1, 0));
    check_halves(t);
    if (t->npes <= most_compared)
        fuzz_check_target_file(t, "again.tgt");
    clv_target_free(t);
}
