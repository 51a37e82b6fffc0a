/* SPDX-License-Identifier: Apache-2.0 */
/* cleave/circuit.h - probabilistic circuits: evaluates batches of evidence on threads.
 *
 *     cleave_circuit_plan *plan = NULL;
 *     if (cleave_circuit_plan_create(&plan, c, NULL, &err) == CLEAVE_OK)
 *         cleave_circuit_evaluate(plan, NULL, nbatch, evidence, result, &err);
 *     cleave_circuit_plan_free(plan);
 */
#ifndef CLEAVE_CIRCUIT_H
#define CLEAVE_CIRCUIT_H

#include "cleave/graph.h"
#include "cleave/status.h"
#include "cleave/team.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Circuits ------------------------------------------------------------------ */

typedef struct cleave_circuit cleave_circuit;
/* Reads a .psdd file. */
CLEAVE_API cleave_status cleave_circuit_read(cleave_circuit **out, const char *path,
                                             cleave_error *err);
CLEAVE_API void cleave_circuit_free(cleave_circuit *c);
CLEAVE_API int32_t cleave_circuit_variables(const cleave_circuit *c); /* largest variable */
CLEAVE_API int32_t cleave_circuit_nodes(const cleave_circuit *c);
CLEAVE_API int64_t cleave_circuit_elements(const cleave_circuit *c);
/* The DAG of the circuit, as cleave_graph_read returns it for the file. */
CLEAVE_API cleave_status cleave_circuit_graph(cleave_graph **out, const cleave_circuit *c,
                                              cleave_error *err);

/* ---- Evidence ------------------------------------------------------------------ */

/* Evidence: for each instance one int8_t per variable, the first variable first: 0 (false),
 * 1 (true) or -1 (unknown: marginalised, or maximised over).
 * Files: one instance per line, 0, 1 and ? (or *, or -1) separated by commas or blanks; '%'
 * and '#' begin comments. */
typedef struct cleave_evidence cleave_evidence;
CLEAVE_API cleave_status cleave_evidence_read(cleave_evidence **out, const char *path,
                                              int32_t variables, cleave_error *err);
CLEAVE_API void cleave_evidence_free(cleave_evidence *e);
CLEAVE_API int64_t cleave_evidence_count(const cleave_evidence *e); /* instances */
CLEAVE_API const int8_t *cleave_evidence_view(const cleave_evidence *e);
/* Writes one number per line, in the shortest form that reads back exactly; "-inf" for minus
 * infinity. */
CLEAVE_API cleave_status cleave_results_write(const char *path, int64_t count,
                                              const double *result, cleave_error *err);

/* ---- Evaluation ---------------------------------------------------------------- */

/* A plan to evaluate a circuit many times; the circuit can be freed once it is created.
 * Results are bitwise equal for every method, synchronisation, number of threads, and position
 * in a batch.
 *
 * The methods "serial" and "levels" are baselines that evaluate one node after the other (with
 * a barrier after each level of the DAG); "auto" (NULL), "grow" and "graphopt" evaluate eight
 * nodes, or eight instances, at once (SIMD). */
typedef struct cleave_circuit_plan cleave_circuit_plan;
CLEAVE_API cleave_status cleave_circuit_plan_create(cleave_circuit_plan **out,
                                                    const cleave_circuit *c,
                                                    const cleave_run_options *opt,
                                                    cleave_error *err);
CLEAVE_API void cleave_circuit_plan_free(cleave_circuit_plan *plan);
/* Describes the schedule for sums of logarithms; the other three kinds of query use a second
 * schedule. */
CLEAVE_API void cleave_circuit_plan_info(const cleave_circuit_plan *plan,
                                         cleave_run_info *info);

typedef struct cleave_circuit_options {
    size_t size;
    /* NULL or "log": computes with logarithms; "linear": computes with probabilities, several
     * times as fast.  In "linear", results below 2^-900, and those of a circuit whose weights
     * add up to more than 1, are evaluated again with logarithms. */
    const char *space;
    /* NULL or "sum": the probability of the evidence; "max": the probability of the most
     * probable complete assignment consistent with it (in a deterministic circuit, as from
     * .psdd). */
    const char *query;
} cleave_circuit_options;
CLEAVE_API void cleave_circuit_options_init(cleave_circuit_options *opt, size_t size);

/* Sets result[i] to the natural logarithm of the queried probability of instance i; minus
 * infinity if it is 0.  opt NULL: defaults.  Concurrent calls on one plan are serialised. */
CLEAVE_API cleave_status cleave_circuit_evaluate(cleave_circuit_plan *plan,
                                                 const cleave_circuit_options *opt,
                                                 int64_t nbatch, const int8_t *evidence,
                                                 double *result, cleave_error *err);
/* Sets result[i] to log P(asked | given) of instance i, the difference of two evaluations:
 * minus infinity if asked and given contradict each other, NaN if the probability of given
 * is 0. */
CLEAVE_API cleave_status cleave_circuit_conditional(cleave_circuit_plan *plan,
                                                    const cleave_circuit_options *opt,
                                                    int64_t nbatch, const int8_t *asked,
                                                    const int8_t *given, double *result,
                                                    cleave_error *err);
/* The most probable complete assignment: value[i] is the result of query "max"; assignment has
 * the size of evidence and is set to 0 or 1 for every variable that the choice depends on, and
 * to the value in evidence for the others.  Ties: the first element, and 1 before 0.  If the
 * probability is 0, assignment is a copy of evidence. */
CLEAVE_API cleave_status cleave_circuit_most_probable(cleave_circuit_plan *plan,
                                                      int64_t nbatch, const int8_t *evidence,
                                                      int8_t *assignment, double *value,
                                                      cleave_error *err);

#ifdef __cplusplus
}
#endif

#endif
