/* SPDX-License-Identifier: Apache-2.0 */
/* cleave/circuit.h - probabilistic circuits: probabilities of evidence, many at a time, on
 * threads; a part of cleave/cleave.h. */
#ifndef CLEAVE_CIRCUIT_H
#define CLEAVE_CIRCUIT_H

#ifndef CLEAVE_CLEAVE_H
#error "include <cleave/cleave.h>, which includes this header"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Circuits ------------------------------------------------------------------ */

typedef struct cleave_circuit cleave_circuit;
/* A .psdd file. */
CLEAVE_API cleave_status cleave_circuit_read(cleave_circuit **out, const char *path,
                                             cleave_error *err);
CLEAVE_API void cleave_circuit_free(cleave_circuit *c);
CLEAVE_API int32_t cleave_circuit_variables(const cleave_circuit *c); /* the largest number */
CLEAVE_API int32_t cleave_circuit_nodes(const cleave_circuit *c);
CLEAVE_API int64_t cleave_circuit_elements(const cleave_circuit *c);
/* Its DAG, as cleave_graph_read gives it for the file. */
CLEAVE_API cleave_status cleave_circuit_graph(cleave_graph **out, const cleave_circuit *c,
                                              cleave_error *err);

/* ---- Evidence ------------------------------------------------------------------ */

/* What is known of the variables: for each instance one int8_t per variable, the first
 * variable first: 0 (false), 1 (true) or -1 (not known: summed, or maximised, out).
 * Files: one instance per line, 0, 1 and ? (or *, or -1) between commas or blanks; '%' and '#'
 * begin comments. */
typedef struct cleave_evidence cleave_evidence;
CLEAVE_API cleave_status cleave_evidence_read(cleave_evidence **out, const char *path,
                                              int32_t variables, cleave_error *err);
CLEAVE_API void cleave_evidence_free(cleave_evidence *e);
CLEAVE_API int64_t cleave_evidence_count(const cleave_evidence *e); /* instances */
CLEAVE_API const int8_t *cleave_evidence_view(const cleave_evidence *e);
/* Numbers, one per line, shortest form that reads back the same; "-inf". */
CLEAVE_API cleave_status cleave_results_write(const char *path, int64_t count,
                                              const double *result, cleave_error *err);

/* ---- Evaluation ---------------------------------------------------------------- */

/* A plan to evaluate a circuit many times; does not need the circuit any more.  Results have
 * the same bits for every method, synchronisation, number of threads, and place in a batch.
 *
 * Of the options the methods "serial" and "levels" are the simple program, one node after the
 * other (and a wait after each level of the DAG), to compare with; "auto" (NULL), "grow" and
 * "graphopt" evaluate eight nodes, or eight instances, side by side. */
typedef struct cleave_circuit_plan cleave_circuit_plan;
CLEAVE_API cleave_status cleave_circuit_plan_create(cleave_circuit_plan **out,
                                                    const cleave_circuit *c,
                                                    const cleave_run_options *opt,
                                                    cleave_error *err);
CLEAVE_API void cleave_circuit_plan_free(cleave_circuit_plan *plan);
/* Of the schedule for sums of logarithms; for the other three kinds of query there is one
 * more. */
CLEAVE_API void cleave_circuit_plan_info(const cleave_circuit_plan *plan,
                                         cleave_run_info *info);

typedef struct cleave_circuit_options {
    size_t size;
    /* NULL or "log": with logarithms throughout; "linear": with probabilities, several times
     * as fast.  What is below 2^-900 there, or in a circuit whose weights add up to more than
     * 1, is evaluated again with logarithms. */
    const char *space;
    /* NULL or "sum": the probability of the evidence; "max": that of the most probable
     * complete assignment that agrees with it (in a deterministic circuit, as from .psdd). */
    const char *query;
} cleave_circuit_options;
CLEAVE_API void cleave_circuit_options_init(cleave_circuit_options *opt, size_t size);

/* result[i] becomes the natural logarithm of what is asked about instance i: minus infinity
 * for the impossible.  opt NULL: defaults.  Calls on one plan take turns. */
CLEAVE_API cleave_status cleave_circuit_evaluate(cleave_circuit_plan *plan,
                                                 const cleave_circuit_options *opt,
                                                 int64_t nbatch, const int8_t *evidence,
                                                 double *result, cleave_error *err);
/* result[i] becomes log P(asked | given) of instance i, the difference of two evaluations:
 * minus infinity where both contradict each other, not a number where what is given is
 * impossible. */
CLEAVE_API cleave_status cleave_circuit_conditional(cleave_circuit_plan *plan,
                                                    const cleave_circuit_options *opt,
                                                    int64_t nbatch, const int8_t *asked,
                                                    const int8_t *given, double *result,
                                                    cleave_error *err);
/* The most probable complete assignment: value[i] as query "max" gives it, and in assignment,
 * of the size of evidence, 0 or 1 for every variable that the choice depends on, else what
 * evidence says.  Ties: the element that stands first, and 1 before 0.  Where nothing is
 * possible, assignment is evidence. */
CLEAVE_API cleave_status cleave_circuit_most_probable(cleave_circuit_plan *plan,
                                                      int64_t nbatch, const int8_t *evidence,
                                                      int8_t *assignment, double *value,
                                                      cleave_error *err);

#ifdef __cplusplus
}
#endif

#endif
