/* SPDX-License-Identifier: Apache-2.0 */
/* METIS meshes.  First character: 0: nodal, else that many common nodes; then the format
 * to write. */
#include "fuzz/fuzz_common.h"

FUZZ_TARGET(mesh)
{
    cleave_error err = {.status = CLEAVE_OK};
    cleave_read_options opt;
    cleave_graph *g;
    cleave_read_options_init(&opt, sizeof opt);
    int common = fuzz_choose(in, 0, 5);
    opt.format = "mesh";
    opt.mesh = common ? "dual" : "nodal";
    opt.common = common ? common : 1;
    opt.coords = "";
    const char *path = fuzz_file("in.mesh", in->bytes, in->size);
    cleave_status status = cleave_graph_read(&g, path, &opt, &err);
    if (status != CLEAVE_OK) {
        fuzz_check_refusal(status, &err, g, path);
        return;
    }
    fuzz_check_graph(g);
    fuzz_check_round_trip(g, in->choice[1]);
    cleave_graph_free(g);
}
