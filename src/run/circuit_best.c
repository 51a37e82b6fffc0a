/* SPDX-License-Identifier: Apache-2.0 */
/* run/circuit_best.c - an upward pass computes the largest values, a downward pass from the
 * root follows the elements that gave them. */
#include "run/circuit_best.h"

#include <math.h>
#include <string.h>

static double element_value(const clv_circuit_program *p, const double *value, int64_t e)
{
    return value[p->left[e]] + value[p->right[e]] + p->weight[0][e];
}

static void compute_maxima(const clv_circuit_program *p, const int8_t *evidence, double *value)
{
    value[0] = 0;
    for (int32_t leaf = 1; leaf < p->nleaf; leaf++) {
        int8_t e = evidence[p->variable[leaf] - 1];
        value[leaf] = p->leaf[0][(int64_t)leaf * clv_leaf_cases + (e < 0 ? clv_leaf_max : e)];
    }
    for (int32_t v = 0; v < p->nnode; v++) {
        double most = -INFINITY;
        for (int64_t e = p->first[v]; e < p->first[v + 1]; e++) {
            double t = element_value(p, value, e);
            most = t > most ? t : most;
        }
        value[p->nleaf + v] = most;
    }
}

static void choose_operand(const clv_circuit_program *p, int32_t operand, bool *chosen,
                           int8_t *assignment)
{
    if (operand >= p->nleaf) {
        chosen[operand - p->nleaf] = true;
    } else if (operand > 0 && assignment[p->variable[operand] - 1] < 0) {
        const double *table = p->leaf[0] + (int64_t)operand * clv_leaf_cases;
        assignment[p->variable[operand] - 1] = table[clv_leaf_true] >= table[clv_leaf_false];
    }
}

double clv_circuit_best(const clv_circuit_program *p, const int8_t *evidence, double *value,
                        bool *chosen, int8_t *assignment)
{
    memmove(assignment, evidence, (size_t)p->nvar);
    compute_maxima(p, evidence, value);
    if (value[p->root] == -INFINITY)
        return -INFINITY;
    choose_operand(p, p->root, chosen, assignment);
    for (int32_t v = p->nnode; v-- > 0;) {
        if (!chosen[v])
            continue;
        int64_t e = p->first[v];
        while (element_value(p, value, e) != value[p->nleaf + v])
            e++;
        chosen[v] = false;
        choose_operand(p, p->left[e], chosen, assignment);
        choose_operand(p, p->right[e], chosen, assignment);
    }
    return value[p->root];
}
