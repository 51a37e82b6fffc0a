/* SPDX-License-Identifier: Apache-2.0 */
/* run/circuit_program.h - a circuit prepared for evaluation: the part that all its schedules
 * share, and the exact definition of its values.
 *
 * Leaves (literals, true nodes) are functions of one variable, and equal leaves are stored
 * once; number 0 is the constant 1.  Only nodes reachable from the root are kept.  A decision
 * node with more than clv_circuit_widest elements becomes a tree of sums, so that its work can
 * be distributed.  The value of an element is (prime * sub) * weight, in logarithms (prime +
 * sub) + weight; the value of a node is their sum from first to last, in logarithms m +
 * log(sum of exp(element - m)) with m the largest. */
#ifndef CLV_RUN_CIRCUIT_PROGRAM_H
#define CLV_RUN_CIRCUIT_PROGRAM_H

#include "graph/graph.h"
#include "matrix/circuit.h"

enum { clv_circuit_widest = 32 };

/* The operation of a node. */
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

/* Entries of a leaf's table: variable false, true, summed out, maximised out. */
enum { clv_leaf_false, clv_leaf_true, clv_leaf_sum, clv_leaf_max, clv_leaf_cases };

typedef struct clv_circuit_program {
    int32_t nvar, nleaf, nnode;
    int64_t nelement;
    const int32_t *variable;     /* by leaf, from 1; 0: the constant */
    const double *leaf[2];       /* by leaf: four cases; [0] logarithms, [1] linear */
    const int64_t *first;        /* nnode + 1; children precede parents */
    const int32_t *left, *right; /* by element: a leaf, or nleaf + a node */
    const double *weight[2];     /* by element: [0] logarithm, [1] linear */
    int32_t root;                /* a leaf, or nleaf + a node */
    bool proper;    /* the weights of a node's elements sum to at most 1: nothing overflows,
                       and what underflows is too small to change the root */
    clv_graph *dag; /* of the nodes, unweighted */
    clv_arena arena;
} clv_circuit_program;

/* CLEAVE_EINVAL: no nodes, or the probability of a true node is above 1.  *p is zeroed on
 * failure. */
cleave_status clv_circuit_program_new(clv_circuit_program *p, const clv_circuit *c, clv_ws *ws,
                                      cleave_error *err);
void clv_circuit_program_free(clv_circuit_program *p);

/* 0: a product, one element of weight 1; otherwise the number of elements. */
static inline int32_t clv_circuit_shape(const clv_circuit_program *p, int32_t node)
{
    int64_t e = p->first[node];
    int32_t count = (int32_t)(p->first[node + 1] - e);
    return count == 1 && p->weight[0][e] == 0 ? 0 : count;
}

/* The cost of a node in quarters of a multiply-add of a triangular solve. */
enum { clv_circuit_cost_unit = 4 };
int32_t clv_circuit_cost(const clv_circuit_program *p, int32_t node, bool exponentials);

/* The largest variable of a circuit; 0: none. */
int32_t clv_circuit_variables(const clv_circuit *c);

/* Scalar versions: see run/circuit_math.h. */
double clv_circuit_exp(double x);
double clv_circuit_log(double x);
/* log(1 - exp(w)), w <= 0. */
double clv_circuit_log_rest(double w);

#endif
