/* SPDX-License-Identifier: Apache-2.0 */
/* PACE and DIMACS graphs; options as in fuzz_read_options, then the format to write. */
#include "fuzz/fuzz_common.h"

FUZZ_TARGET(pace)
{
    fuzz_graph_file(in, "in.gr", "pace");
}
