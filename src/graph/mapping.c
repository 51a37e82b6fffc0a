/* SPDX-License-Identifier: Apache-2.0 */
/* graph/mapping.c - creating and freeing mappings; validates parts. */
#include "graph/mapping.h"

#include <string.h>

static cleave_status check_sizes(int32_t nvtx, int32_t nparts, cleave_error *err)
{
    if (nvtx < 0)
        return clv_fail(err, CLEAVE_EINVAL, "a mapping cannot have %ld vertices", (long)nvtx);
    if (nparts < -1)
        return clv_fail(err, CLEAVE_EINVAL, "a mapping cannot have %ld parts", (long)nparts);
    return CLEAVE_OK;
}

/* Checks the parts against *nparts; if that is negative, sets it to the largest part + 1. */
static cleave_status check_parts(int32_t nvtx, int32_t *nparts, const int32_t *part,
                                 cleave_error *err)
{
    /* At most INT32_MAX parts: part 2^31-1 is out of range. */
    int32_t limit = *nparts < 0 ? INT32_MAX : *nparts;
    int32_t largest = -1;
    for (int32_t v = 0; v < nvtx; v++) {
        int32_t p = part ? part[v] : 0;
        if (p < 0 || p >= limit)
            return clv_fail(err, CLEAVE_EINVAL,
                            "vertex %ld is in part %ld, but parts run from 0 to %ld", (long)v,
                            (long)p, (long)limit - 1);
        if (p > largest)
            largest = p;
    }
    if (*nparts < 0)
        *nparts = largest + 1;
    return CLEAVE_OK;
}

cleave_status clv_mapping_new(clv_mapping **out, int32_t nvtx, int32_t nparts,
                              const int32_t *part, cleave_error *err)
{
    *out = NULL;
    CLV_TRY(check_sizes(nvtx, nparts, err));
    if (nparts == 0 && nvtx > 0)
        return clv_fail(err, CLEAVE_EINVAL, "%ld vertices cannot be in 0 parts", (long)nvtx);
    CLV_TRY(check_parts(nvtx, &nparts, part, err));
    int64_t bytes = (int64_t)sizeof(clv_mapping) + (int64_t)nvtx * (int64_t)sizeof *part;
    clv_mapping *m = clv_zalloc(bytes, 1);
    if (!m)
        return clv_fail_memory(err);
    m->nvtx = nvtx;
    m->nparts = nparts;
    if (part && nvtx > 0)
        memcpy(m->part, part, (size_t)nvtx * sizeof *part);
    *out = m;
    return CLEAVE_OK;
}

void clv_mapping_free(clv_mapping *m)
{
    clv_sys_free(m);
}
