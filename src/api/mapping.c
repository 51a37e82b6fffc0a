/* SPDX-License-Identifier: Apache-2.0 */
/* api/mapping.c - public mappings: creation, reading, writing, accessors. */
#include "graph/mapping.h"

#include "formats/formats.h"

cleave_status cleave_mapping_create(cleave_mapping **out, int32_t nvtx, int32_t nparts,
                                    const int32_t *part, cleave_error *err)
{
    if (!out)
        return clv_fail(err, CLEAVE_EINVAL, "out is NULL");
    *out = NULL;
    if (!part && nvtx > 0)
        return clv_fail(err, CLEAVE_EINVAL, "part is NULL");
    return clv_mapping_new(out, nvtx, nparts, part, err);
}

cleave_status cleave_mapping_read(cleave_mapping **out, const char *path, int32_t nvtx,
                                  int32_t nparts, cleave_error *err)
{
    if (!out)
        return clv_fail(err, CLEAVE_EINVAL, "out is NULL");
    *out = NULL;
    if (!path)
        return clv_fail(err, CLEAVE_EINVAL, "path is NULL");
    if (nvtx < -1)
        return clv_fail(err, CLEAVE_EINVAL, "a mapping cannot have %ld vertices", (long)nvtx);
    if (nparts < -1)
        return clv_fail(err, CLEAVE_EINVAL, "a mapping cannot have %ld parts", (long)nparts);
    return clv_partition_read(out, path, NULL, nvtx, nparts, err);
}

cleave_status cleave_mapping_read_for(cleave_mapping **out, const char *path,
                                      const cleave_graph *g, int32_t nparts, cleave_error *err)
{
    if (!out)
        return clv_fail(err, CLEAVE_EINVAL, "out is NULL");
    *out = NULL;
    if (!path)
        return clv_fail(err, CLEAVE_EINVAL, "path is NULL");
    if (!g)
        return clv_fail(err, CLEAVE_EINVAL, "the graph is NULL");
    if (nparts < -1)
        return clv_fail(err, CLEAVE_EINVAL, "a mapping cannot have %ld parts", (long)nparts);
    return clv_partition_read(out, path, g, g->nvtx, nparts, err);
}

cleave_status cleave_mapping_write(const cleave_mapping *m, const char *path,
                                   cleave_error *err)
{
    if (!m)
        return clv_fail(err, CLEAVE_EINVAL, "the mapping is NULL");
    if (!path)
        return clv_fail(err, CLEAVE_EINVAL, "path is NULL");
    return clv_partition_write(m, path, err);
}

int32_t cleave_mapping_vertices(const cleave_mapping *m)
{
    return m ? m->nvtx : 0;
}

int32_t cleave_mapping_nparts(const cleave_mapping *m)
{
    return m ? m->nparts : 0;
}

const int32_t *cleave_mapping_parts(const cleave_mapping *m)
{
    return m ? m->part : NULL;
}

void cleave_mapping_free(cleave_mapping *m)
{
    clv_mapping_free(m);
}
