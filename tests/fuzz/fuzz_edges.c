/* SPDX-License-Identifier: Apache-2.0 */
/* Edge lists; options as in fuzz_read_options, then the format to write. */
#include "fuzz/fuzz_common.h"

FUZZ_TARGET(edges)
{
    fuzz_check_blanks(in, "in.edges", "edges");
    fuzz_graph_file(in, "in.edges", "edges");
}
