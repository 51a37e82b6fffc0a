/* SPDX-License-Identifier: Apache-2.0 */
/* Partition files.  First character: the expected number of vertices (0: any), second: of
 * parts (0: any), third: whether the name ends in .map. */
#include "fuzz/fuzz_common.h"

FUZZ_TARGET(partition)
{
    cleave_error err = {.status = CLEAVE_OK};
    cleave_mapping *m;
    int32_t nvtx = fuzz_choose(in, 0, 64) - 1, nparts = fuzz_choose(in, 1, 64) - 1;
    const char *path =
        fuzz_file(fuzz_choose(in, 2, 2) ? "in.map" : "in.part", in->bytes, in->size);
    cleave_status status = cleave_mapping_read(&m, path, nvtx, nparts, &err);
    if (status != CLEAVE_OK) {
        fuzz_check_refusal(status, &err, m, path);
        return;
    }
    int32_t n = cleave_mapping_vertices(m), k = cleave_mapping_nparts(m);
    FUZZ_CHECK(nvtx < 0 || n == nvtx);
    FUZZ_CHECK(nparts < 0 || k == nparts);
    for (int32_t v = 0; v < n; v++)
        FUZZ_CHECK(cleave_mapping_parts(m)[v] >= 0 && cleave_mapping_parts(m)[v] < k);
    fuzz_check_mapping_file(m, "again.part");
    fuzz_check_mapping_file(m, "again.map");
    fuzz_check_mapping_file(m, "again.map.gz");
    fuzz_check_mapping_file(m, "cellDecomposition");
    cleave_mapping_free(m);
}
