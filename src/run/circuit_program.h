/* SPDX-License-Identifier: Apache-2.0 */
/* run/circuit_program.h - a circuit made ready to be computed: what every schedule of it
 * shares, and what its values are to the last bit.
 *
 * Leaves (literals, true nodes) are functions of one variable and the same one stands there
 * once; number 0 is the constant 1.  Only what the root needs is left.  A decision node of
 * more than clv_circuit_widest elements becomes a sum of sums of so many, so that it can be
 * shared out.  An element's value is (prime * sub) * weight; in logarithms
 * (prime + sub) + weight; a node's is their sum from the first to the last, in logarithms
 * m + log(sum of exp(element - m)), m the largest. */
#ifndef CLV_RUN_CIRCUIT_PROGRAM_H
#define CLV_RUN_CIRCUIT_PROGRAM_H

#include "graph/graph.h"
#include "matrix/circuit.h"

enum { clv_circuit_widest = 32 };

/* What a node computes. */
typedef enum clv_circuit_op {
    CLV_CIRCUIT_LOG_SUM,
    CLV_CIRCUIT_LINEAR_SUM,
    CLV_CIRCUIT_LOG_MAX,
    CLV_CIRCUIT_LINEAR_MAX,
    CLV_CIRCUIT_OPS
} clv_circuit_op;
static inline bool clv_circuit_is_linear(clv_circuit_op op)
{
    return op == CLV_CIRCUIT_LINEAR_SUM || op == CLV_CIRCUIT_LINEAR_MAX;
}
static inline bool clv_circuit_is_max(clv_circuit_op op)
{
    return op == CLV_CIRCUIT_LOG_MAX || op == CLV_CIRCUIT_LINEAR_MAX;
}

/* Entries of a leaf's table: where the variable is false, true, summed out, maximised out. */
enum { clv_leaf_false, clv_leaf_true, clv_leaf_sum, clv_leaf_max, clv_leaf_cases };

typedef struct clv_circuit_program {
    int32_t nvar, nleaf, nnode;
    int64_t nelement;
    const int32_t *variable;     /* by leaf, from 1; 0: the constant */
    const double *leaf[2];       /* by leaf: four cases; [0] logarithms, [1] linear */
    const int64_t *first;        /* nnode + 1; children stand before parents */
    const int32_t *left, *right; /* by element: a leaf, or nleaf + a node */
    const double *weight[2];     /* by element: [0] logarithm, [1] linear */
    int32_t root;                /* a leaf, or nleaf + a node */
    bool proper;    /* elements' weights add up to 1 at most: nothing overflows, and what
                       underflows is too small for the root to notice */
    clv_graph *dag; /* of the nodes, unweighted */
    clv_arena arena;
} clv_circuit_program;

/* CLEAVE_EINVAL: no nodes, or a true node's probability is above 1.  Zeroed on failure. */
cleave_status clv_circuit_program_new(clv_circuit_program *p, const clv_circuit *c, clv_ws *ws,
                                      cleave_error *err);
void clv_circuit_program_free(clv_circuit_program *p);

/* 0: a product, one element of weight 1; else how many elements. */
static inline int32_t clv_circuit_shape(const clv_circuit_program *p, int32_t node)
{
    int64_t e = p->first[node];
    int32_t count = (int32_t)(p->first[node + 1] - e);
    return count == 1 && p->weight[0][e] == 0 ? 0 : count;
}

/* What a node costs, in quarters of a multiply-add of a triangular solve. */
enum { clv_circuit_cost_unit = 4 };
int32_t clv_circuit_cost(const clv_circuit_program *p, int32_t node, bool exponentials);

/* The largest variable of a circuit, 0: none. */
int32_t clv_circuit_variables(const clv_circuit *c);

/* One number alone: see run/circuit_math.h. */
double clv_circuit_exp(double x);
double clv_circuit_log(double x);
/* log(1 - exp(w)), w <= 0. */
double clv_circuit_log_rest(double w);

#endif
