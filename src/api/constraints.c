/* SPDX-License-Identifier: Apache-2.0 */
/* api/constraints.c - reading constraint files. */
#include "formats/formats.h"

cleave_status cleave_fixed_read(int32_t *part, int32_t nvtx, int32_t nparts, const char *path,
                                cleave_error *err)
{
    if (!path || (!part && nvtx > 0))
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", path ? "part" : "path");
    if (nvtx < 0 || nparts < 1)
        return clv_fail(err, CLEAVE_EINVAL, "%s is %d", nvtx < 0 ? "nvtx" : "nparts",
                        nvtx < 0 ? (int)nvtx : (int)nparts);
    return clv_fixed_read(part, nvtx, nparts, path, err);
}

cleave_status cleave_groups_read(int32_t *group, int32_t nvtx, const char *path,
                                 cleave_error *err)
{
    if (!path || (!group && nvtx > 0))
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", path ? "group" : "path");
    if (nvtx < 0)
        return clv_fail(err, CLEAVE_EINVAL, "nvtx is %d", (int)nvtx);
    return clv_groups_read(group, nvtx, path, err);
}

static cleave_status check_table(const void *table, const char *name, const char *path,
                                 int32_t nparts, int32_t ncon, cleave_error *err)
{
    if (!table || !path)
        return clv_fail(err, CLEAVE_EINVAL, "%s is NULL", path ? name : "path");
    if (nparts < 1 || ncon < 1)
        return clv_fail(err, CLEAVE_EINVAL, "%s is %d", nparts < 1 ? "nparts" : "ncon",
                        nparts < 1 ? (int)nparts : (int)ncon);
    return CLEAVE_OK;
}

cleave_status cleave_bounds_read(int64_t *bound, int32_t nparts, int32_t ncon,
                                 const char *path, cleave_error *err)
{
    CLV_TRY(check_table(bound, "bound", path, nparts, ncon, err));
    return clv_bounds_read(bound, nparts, ncon, path, err);
}

cleave_status cleave_shares_read(double *shares, int32_t nparts, int32_t ncon,
                                 const char *path, cleave_error *err)
{
    CLV_TRY(check_table(shares, "shares", path, nparts, ncon, err));
    return clv_shares_read(shares, nparts, ncon, path, err);
}
