/* SPDX-License-Identifier: Apache-2.0 */
/* DAGs of dagP; options as in fuzz_read_options, then the format to write. */
#include "fuzz/fuzz_common.h"

FUZZ_TARGET(dgraph)
{
    fuzz_graph_file(in, "in.dgraph", "dgraph");
}
