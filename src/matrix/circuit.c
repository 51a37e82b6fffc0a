/* SPDX-License-Identifier: Apache-2.0 */
/* matrix/circuit.c - probabilistic circuits. */
#include "matrix/circuit.h"

clv_circuit *clv_circuit_new(void)
{
    clv_arena arena = {NULL};
    clv_circuit *circuit = clv_arena_zalloc(&arena, 1, sizeof *circuit);
    if (circuit)
        circuit->arena = arena;
    return circuit;
}

void clv_circuit_free(clv_circuit *circuit)
{
    if (!circuit)
        return;
    clv_arena arena = circuit->arena; /* the struct is in the arena */
    clv_arena_free(&arena);
}
