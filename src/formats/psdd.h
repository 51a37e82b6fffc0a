/* SPDX-License-Identifier: Apache-2.0 */
/* formats/psdd.h - circuits from .psdd files; as DAGs they are in the table of formats. */
#ifndef CLV_FORMATS_PSDD_H
#define CLV_FORMATS_PSDD_H

#include "formats/formats.h"
#include "matrix/circuit.h"

/* The caller frees *out with clv_circuit_free; NULL on failure.  O(n log n), or O(n) if the
 * ids are not too sparse. */
cleave_status clv_psdd_read_circuit(clv_circuit **out, clv_input *in, cleave_error *err);

/* The circuit as the table of formats gives it: a vertex per node. */
cleave_status clv_psdd_graph(clv_graph **out, const clv_circuit *c, cleave_error *err);

/* The circuit as a DAG of operations with two inputs (psdd_binary.c): per element a product of
 * weight 2 (its own weight is a constant factor), added up by a balanced tree of vertices of
 * weight 1.  Leaves and the last vertices of nodes are in the order of the nodes. */
cleave_status clv_psdd_binary_graph(clv_graph **out, const clv_circuit *c,
                                    const clv_read_options *opt, const char *path,
                                    cleave_error *err);

#endif
