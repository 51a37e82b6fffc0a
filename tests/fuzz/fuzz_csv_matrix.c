/* SPDX-License-Identifier: Apache-2.0 */
/* Dense matrices of weights; options as in fuzz_read_options, then the format to write. */
#include "fuzz/fuzz_common.h"

FUZZ_TARGET(csv_matrix)
{
    fuzz_graph_file(in, "in.csv", "csv-matrix");
}
