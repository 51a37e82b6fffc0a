/* SPDX-License-Identifier: Apache-2.0 */
/* Coordinate files, for a graph without edges.  First character: its number of vertices;
 * second: times 256; third: the name. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats/formats.h"
#include "fuzz/fuzz_common.h"

static cleave_graph *graph_with(int32_t nvtx, int32_t ndim, const double *coords)
{
    cleave_csr csr;
    cleave_error err;
    cleave_graph *g;
    cleave_csr_init(&csr, sizeof csr);
    int64_t *xadj = calloc((size_t)nvtx + 1, sizeof *xadj);
    int32_t none = 0;
    csr.nvtx = nvtx;
    csr.xadj = xadj;
    csr.adj = &none;
    csr.ndim = ndim;
    csr.coords = coords;
    FUZZ_CHECK_OK(cleave_graph_create(&g, &csr, 0, &err), err);
    free(xadj);
    return g;
}

FUZZ_TARGET(coords)
{
    static const char *const names[] = {"in.xyz", "in.coords", "in_coord.mtx", "in"};
    int32_t nvtx = in->choice[0] + 256 * (in->choice[1] % 16), ndim;
    cleave_error err = {.status = CLEAVE_OK};
    double *coords;
    const char *path = fuzz_file(names[fuzz_choose(in, 2, 4)], in->bytes, in->size);
    cleave_status status = clv_coords_read(&coords, &ndim, path, nvtx, &err);
    if (status != CLEAVE_OK) {
        fuzz_check_refusal(status, &err, coords, path);
        return;
    }
    FUZZ_CHECK(ndim == 2 || ndim == 3);
    for (int64_t i = 0; i < (int64_t)nvtx * ndim; i++)
        FUZZ_CHECK(isfinite(coords[i]));
    cleave_graph *g = graph_with(nvtx, ndim, coords);
    fuzz_check_coords_file(g, "again.xyz");
    fuzz_check_coords_file(g, "again.coords");
    fuzz_check_coords_file(g, "again_coord.mtx.gz");
    cleave_graph_free(g);
    clv_sys_free(coords);
}
