/* SPDX-License-Identifier: Apache-2.0 */
/* tests/oracle/circuit_oracle.h - circuits by recursion over the nodes of the file, in long
 * double, with the C library's functions. */
#ifndef CLV_TESTS_CIRCUIT_ORACLE_H
#define CLV_TESTS_CIRCUIT_ORACLE_H

#include "matrix/circuit.h"

/* The logarithm of the root's value; max: the largest element instead of their sum. */
long double oracle_circuit(const clv_circuit *c, const int8_t *evidence, bool max);

/* A random circuit as the text of a file, from malloc.  Some have a node of many elements,
 * some are a single leaf. */
char *oracle_circuit_text(uint64_t seed);

#endif
