/* SPDX-License-Identifier: Apache-2.0 */
/* Fix files (first character 0), target weights (1), groups (2) and bounds (3); second
 * character: the number of vertices or constraints, third: of parts. */
#include <math.h>

#include "fuzz/fuzz_common.h"

enum { most = 16 };

static void read_fixed(fuzz_input *in, const char *path)
{
    cleave_error err = {.status = CLEAVE_OK};
    int32_t part[most], nvtx = fuzz_choose(in, 1, most), nparts = 1 + fuzz_choose(in, 2, most);
    cleave_status status = cleave_fixed_read(part, nvtx, nparts, path, &err);
    if (status != CLEAVE_OK)
        fuzz_check_refusal(status, &err, NULL, path);
    for (int32_t v = 0; status == CLEAVE_OK && v < nvtx; v++)
        FUZZ_CHECK(part[v] >= -1 && part[v] < nparts);
}

static void read_shares(fuzz_input *in, const char *path)
{
    cleave_error err = {.status = CLEAVE_OK};
    double share[most * 3], sum = 0;
    int32_t ncon = 1 + fuzz_choose(in, 1, 3), nparts = 1 + fuzz_choose(in, 2, most);
    cleave_status status = cleave_shares_read(share, nparts, ncon, path, &err);
    if (status != CLEAVE_OK) {
        fuzz_check_refusal(status, &err, NULL, path);
        return;
    }
    for (int32_t i = 0; i < nparts * ncon; i++) {
        FUZZ_CHECK(isfinite(share[i]) && share[i] >= 0);
        sum += share[i];
    }
    FUZZ_CHECK(sum > 0);
}

static void read_groups(fuzz_input *in, const char *path)
{
    cleave_error err = {.status = CLEAVE_OK};
    int32_t group[most], nvtx = fuzz_choose(in, 1, most);
    cleave_status status = cleave_groups_read(group, nvtx, path, &err);
    if (status != CLEAVE_OK)
        fuzz_check_refusal(status, &err, NULL, path);
    for (int32_t v = 0; status == CLEAVE_OK && v < nvtx; v++)
        FUZZ_CHECK(group[v] >= -1);
}

static void read_bounds(fuzz_input *in, const char *path)
{
    cleave_error err = {.status = CLEAVE_OK};
    int64_t bound[most * 3];
    int32_t ncon = 1 + fuzz_choose(in, 1, 3), nparts = 1 + fuzz_choose(in, 2, most);
    cleave_status status = cleave_bounds_read(bound, nparts, ncon, path, &err);
    if (status != CLEAVE_OK)
        fuzz_check_refusal(status, &err, NULL, path);
    for (int32_t i = 0; status == CLEAVE_OK && i < nparts * ncon; i++)
        FUZZ_CHECK(bound[i] >= -1);
}

FUZZ_TARGET(constraints)
{
    static void (*const readers[])(fuzz_input *, const char *) = {read_fixed, read_shares,
                                                                  read_groups, read_bounds};
    int which = fuzz_choose(in, 0, 4);
    readers[which](in, fuzz_file("in.txt", in->bytes, in->size));
}
