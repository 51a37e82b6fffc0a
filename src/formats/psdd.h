/* SPDX-License-Identifier: Apache-2.0 */
/* formats/psdd.h - circuits from .psdd files; the DAG is in the table of formats. */
#ifndef CLV_FORMATS_PSDD_H
#define CLV_FORMATS_PSDD_H

#include "formats/input.h"
#include "matrix/circuit.h"

/* *out is freed by clv_circuit_free; NULL on failure.  O(n log n) at worst, linear where
 * the numbers of the nodes are not too sparse. */
cleave_status clv_psdd_read_circuit(clv_circuit **out, clv_input *in, cleave_error *err);

#endif
