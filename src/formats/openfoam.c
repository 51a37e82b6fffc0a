/* SPDX-License-Identifier: Apache-2.0 */
/* formats/openfoam.c - partitions for OpenFOAM's decomposePar, method manual: a labelList with
 * the processor of each cell, ASCII, as decomposePar -cellDist writes it. */
#include "formats/openfoam.h"

#include <string.h>

bool clv_path_is_openfoam(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return strcmp(name, "cellDecomposition") == 0 || strcmp(name, "cellDecomposition.gz") == 0;
}

void clv_openfoam_put_begin(clv_output *out, int64_t count)
{
    clv_put_text(out, "FoamFile\n{\n    version     2.0;\n    format      ascii;\n"
                      "    class       labelList;\n    location    \"constant\";\n"
                      "    object      cellDecomposition;\n}\n\n");
    clv_put_i64(out, count);
    clv_put_text(out, "\n(\n");
}

void clv_openfoam_put_end(clv_output *out)
{
    clv_put_text(out, ")\n");
}

void clv_openfoam_put(clv_output *out, int32_t count, const int32_t *part)
{
    clv_openfoam_put_begin(out, count);
    for (int32_t v = 0; v < count; v++) {
        clv_put_i64(out, part[v]);
        clv_put_char(out, '\n');
    }
    clv_openfoam_put_end(out);
}

/* The format holds parts only, not the graph. */
static cleave_status write_parts(const clv_graph *g, clv_output *out, const int32_t *part,
                                 cleave_error *err)
{
    if (!part)
        return clv_fail(err, CLEAVE_EINVAL,
                        "format \"openfoam\" holds parts, and none were given");
    clv_openfoam_put(out, g->nvtx, part);
    return CLEAVE_OK;
}

const clv_format clv_format_openfoam = {
    .name = "openfoam",
    .description = "OpenFOAM's cellDecomposition, parts for its method manual",
    .extensions = "",
    .write = write_parts,
    .holds = CLEAVE_HOLDS_PARTS,
};
