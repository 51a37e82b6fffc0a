/* SPDX-License-Identifier: Apache-2.0 */
/* Scotch graphs; options as in fuzz_read_options, then the format to write. */
#include "fuzz/fuzz_common.h"

FUZZ_TARGET(scotch)
{
    fuzz_graph_file(in, "in.grf", "scotch");
}
