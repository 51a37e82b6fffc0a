/* SPDX-License-Identifier: Apache-2.0 */
/* matrix/circuit.h - probabilistic circuits: sums of products over literals.
 *
 * Children precede their parents, so that one pass over the nodes evaluates the circuit; the
 * last node is the root.  Weights are natural logarithms. */
#ifndef CLV_MATRIX_CIRCUIT_H
#define CLV_MATRIX_CIRCUIT_H

#include "base/mem.h"

typedef enum clv_node_kind {
    CLV_NODE_LITERAL,  /* 1 if the literal is true, otherwise 0 */
    CLV_NODE_TRUE,     /* a variable: exp(weight) if it is true, otherwise 1 - exp(weight) */
    CLV_NODE_DECISION, /* the sum over its elements of prime * sub * exp(weight) */
} clv_node_kind;

typedef struct cleave_circuit clv_circuit;
struct cleave_circuit {
    int32_t nnode;
    int64_t nelement;
    const uint8_t *kind;        /* by node: a clv_node_kind */
    const int64_t *id;          /* by node: its number in the file */
    const int32_t *vtree;       /* by node: the vtree node that it is normalised for */
    const int32_t *literal;     /* by node: the variable, negative for a negated literal; 0 */
    const double *node_weight;  /* by node: of a TRUE node; else 0 */
    const int64_t *first;       /* nnode + 1: the elements of each node */
    const int32_t *prime, *sub; /* by element: nodes before the one it belongs to */
    const double *weight;       /* by element */
    clv_arena arena;            /* owns the arrays and this struct */
};

/* An empty circuit in its own arena. */
clv_circuit *clv_circuit_new(void);
void clv_circuit_free(clv_circuit *circuit); /* NULL is fine */

/* The cost of evaluating a node: two operations per element, one for a leaf. */
static inline int64_t clv_circuit_work(const clv_circuit *c, int32_t node)
{
    return c->kind[node] == CLV_NODE_DECISION ? 2 * (c->first[node + 1] - c->first[node]) : 1;
}

#endif
