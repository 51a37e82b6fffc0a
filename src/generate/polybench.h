/* SPDX-License-Identifier: Apache-2.0 */
/* generate/polybench.h - the DAGs of 23 PolyBench kernels, one vertex per arithmetic
 * operation and per input element.  docs/design/polybench.md has the tracing rule. */
#ifndef CLV_GENERATE_POLYBENCH_H
#define CLV_GENERATE_POLYBENCH_H

#include "graph/graph.h"

/* The DAG of kernel `name` ("gemm"). sizes: the kernel's parameters in the order of
 * clv_generate_polybench_parameter, each >= 1; NULL: those of the published table.
 * CLEAVE_EINVAL: the message lists the valid names or parameters; CLEAVE_ERANGE: the number of
 * vertices does not fit 31 bits. */
cleave_status clv_generate_polybench(clv_graph **out, const char *name, const int *sizes,
                                     int nsizes, cleave_error *err);

/* The name of kernel i = 0, 1, ...; NULL past the end. */
const char *clv_generate_polybench_name(int i);
/* The name of its parameter p = 0, 1, ... ("NI") and, where `size` is not NULL, its value
 * in the published table; NULL past the end. */
const char *clv_generate_polybench_parameter(int i, int p, int *size);

#endif
