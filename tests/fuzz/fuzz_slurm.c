/* SPDX-License-Identifier: Apache-2.0 */
/* Slurm's topology.conf. */
#include <string.h>

#include "fuzz/fuzz_common.h"
#include "target/slurm.h"

/* Distances of some PEs, spread over all. */
static void check_distances(const clv_target *t)
{
    int32_t step = t->npes / 16 + 1;
    for (int32_t p = 0; p < t->npes; p += step)
        for (int32_t q = 0; q < t->npes; q += step) {
            int32_t d = clv_target_distance(t, p, q);
            FUZZ_CHECK((d == 0) == (p == q) && d <= t->levels);
            FUZZ_CHECK(d == clv_target_distance(t, q, p));
            FUZZ_CHECK(d == t->shape->level(t, p, q));
        }
}

FUZZ_TARGET(slurm)
{
    cleave_error err = {.status = CLEAVE_OK};
    clv_target *t;
    const char *path = fuzz_file("topology.conf", in->bytes, in->size);
    cleave_status status = clv_target_slurm(&t, path, &err);
    if (status != CLEAVE_OK) {
        fuzz_check_refusal(status, &err, t, path);
        return;
    }
    FUZZ_CHECK(t->npes >= 1 && t->npes <= clv_most_slurm_nodes);
    for (int32_t pe = 0; pe < t->npes; pe++)
        FUZZ_CHECK(t->name[pe][0] != '\0');
    check_distances(t);
    clv_target_free(t);
}
