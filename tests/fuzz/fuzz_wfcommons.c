/* SPDX-License-Identifier: Apache-2.0 */
/* WfCommons workflows; options as in fuzz_read_options, then the format to write. */
#include "fuzz/fuzz_common.h"

FUZZ_TARGET(wfcommons)
{
    fuzz_graph_file(in, "in.json", "wfcommons");
}
