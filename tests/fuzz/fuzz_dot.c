/* SPDX-License-Identifier: Apache-2.0 */
/* DOT; options as in fuzz_read_options, then the format to write. */
#include "fuzz/fuzz_common.h"

FUZZ_TARGET(dot)
{
    fuzz_graph_file(in, "in.dot", "dot");
}
