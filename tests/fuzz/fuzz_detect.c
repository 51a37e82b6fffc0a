/* SPDX-License-Identifier: Apache-2.0 */
/* Any graph file under any name: detection of the format.  Options as in fuzz_read_options,
 * with the name behind the kind in the first character; then the format to write. */
#include "fuzz/fuzz_common.h"

FUZZ_TARGET(detect)
{
    static const char *const names[] = {"in",     "in.graph", "in.mtx", "in.edges", "in.csv",
                                        "in.dot", "in.clv",   "in.gz",  "in.MTX.gz"};
    int kind = fuzz_choose(in, 0, 5);
    const char *name = names[fuzz_choose(in, 0, sizeof names / sizeof *names)];
    in->choice[0] = kind;
    fuzz_graph_file(in, name, NULL);
}
