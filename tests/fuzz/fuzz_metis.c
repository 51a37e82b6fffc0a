/* SPDX-License-Identifier: Apache-2.0 */
/* METIS graphs; options as in fuzz_read_options, then the format to write. */
#include "fuzz/fuzz_common.h"

FUZZ_TARGET(metis)
{
    fuzz_check_blanks(in, "in.graph", "metis");
    fuzz_graph_file(in, "in.graph", "metis");
}
