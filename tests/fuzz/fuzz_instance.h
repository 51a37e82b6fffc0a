/* SPDX-License-Identifier: Apache-2.0 */
/* tests/fuzz/fuzz_instance.h - graphs, machines, constraints and options from bytes.
 *
 * The targets fuzz_api_*.c and fuzz_roundtrip.c share this decoder: the same bytes, whether
 * libFuzzer, the mutator or the campaign (campaign_instances.c) makes them, give the same
 * instance.  A byte b stands for b - '0', so that corpus files can be written by hand; past
 * the end all numbers are 0. Speeds, bounds and distances are also computed by plain formulas
 * that share nothing with src/. */
#ifndef CLV_TESTS_FUZZ_INSTANCE_H
#define CLV_TESTS_FUZZ_INSTANCE_H

#include "engine/map_fixture.h"
#include "fuzz/fuzz_common.h"

enum { FUZZ_MOST_VERTICES = 320, FUZZ_MOST_PES = 32, FUZZ_MOST_CON = 3 };

/* ---- Bytes ------------------------------------------------------------------------- */

/* A number in 0..below-1 from the next byte, or the next two when below > 256. */
int fuzz_take(fuzz_input *in, int below);
/* 1 with a chance of one in `odds`. */
bool fuzz_chance(fuzz_input *in, int odds);

/* Numbers that follow from a seed of two bytes: for what is larger than the input. */
typedef struct fuzz_draws {
    uint64_t seed;
    int64_t next;
} fuzz_draws;
fuzz_draws fuzz_take_draws(fuzz_input *in);
int32_t fuzz_draw(fuzz_draws *draws, int32_t below);

/* ---- Graphs ------------------------------------------------------------------------ */

typedef enum fuzz_kinds { FUZZ_ANY_KIND, FUZZ_UNDIRECTED_ONLY, FUZZ_DAG_ONLY } fuzz_kinds;

/* Arrays as cleave_graph_create takes them; rows in any order. */
typedef struct fuzz_arrays {
    cleave_csr csr;
    int64_t xadj[FUZZ_MOST_VERTICES + 1];
    int32_t *adj, *ewgt; /* malloc */
    int32_t vwgt[FUZZ_MOST_VERTICES * FUZZ_MOST_CON], vsize[FUZZ_MOST_VERTICES];
    double coords[FUZZ_MOST_VERTICES * 3];
} fuzz_arrays;
void fuzz_take_arrays(fuzz_input *in, fuzz_kinds kinds, fuzz_arrays *arrays);
void fuzz_arrays_free(fuzz_arrays *arrays);
/* The same as a graph; never NULL. */
cleave_graph *fuzz_take_graph(fuzz_input *in, fuzz_kinds kinds);

/* ---- Targets ----------------------------------------------------------------------- */

typedef struct fuzz_machine {
    char text[400]; /* as cleave_target_parse takes it */
    cleave_target *t;
    int32_t npes;
    bool unequal;
    int32_t speeds[FUZZ_MOST_PES];                  /* all 1 unless unequal */
    int32_t number[FUZZ_MOST_PES];                  /* of each PE in the whole machine */
    int32_t distance[FUZZ_MOST_PES][FUZZ_MOST_PES]; /* by formula or [Floyd 1962] */
} fuzz_machine;
/* Creates it and compares the library's data of its PEs. */
void fuzz_take_machine(fuzz_input *in, fuzz_machine *machine);
void fuzz_machine_free(fuzz_machine *machine);
/* sum over edges of weight * distance. */
int64_t fuzz_cost(const fuzz_machine *machine, const cleave_csr *g, const int32_t *part);
/* Are all PEs equally far from each other? */
bool fuzz_machine_is_flat(const fuzz_machine *machine);

/* ---- Instances --------------------------------------------------------------------- */

/* A progress callback that stops at call `until` (0: never). */
typedef struct fuzz_stop {
    int calls, until;
} fuzz_stop;
int fuzz_progress(void *payload, const cleave_progress *now);
void fuzz_take_stop(fuzz_input *in, fuzz_stop *stop);

typedef struct fuzz_instance {
    asked a; /* the request, in the terms of the slow checker */
    fuzz_machine machine;
    int32_t fixed[FUZZ_MOST_VERTICES], groups[FUZZ_MOST_VERTICES];
    int32_t shares[FUZZ_MOST_PES * FUZZ_MOST_CON], each[FUZZ_MOST_PES];
    int64_t min[FUZZ_MOST_PES * FUZZ_MOST_CON], max[FUZZ_MOST_PES * FUZZ_MOST_CON];
    cleave_mapping *start;
    fuzz_stop stop;
    char wrong[80]; /* why the call must be refused with CLEAVE_EINVAL; "": it must not be */
} fuzz_instance;
/* A graph, a machine, and what the call may be told besides: constraints and options of
 * cleave_map, those that count for cleave_remap, or imbalance, seed, threads, limits alone for
 * cleave_order_split_refine.  Now and then one of them makes no sense. */
typedef enum fuzz_verb { FUZZ_FOR_MAP, FUZZ_FOR_REMAP, FUZZ_FOR_SPLIT } fuzz_verb;
void fuzz_take_instance(fuzz_input *in, fuzz_kinds kinds, fuzz_verb verb,
                        fuzz_instance *instance);
void fuzz_instance_free(fuzz_instance *instance);
/* An effort, and a time limit that is always there with the highest. */
void fuzz_take_effort(fuzz_input *in, cleave_effort *effort, double *time_limit);
/* A mapping of nvtx vertices onto nparts parts; never NULL. */
cleave_mapping *fuzz_take_mapping(fuzz_input *in, int32_t nvtx, int32_t nparts);

/* ---- Judging (fuzz_judge.c) ---------------------------------------------------------- */

/* Puts vertex 0 in another part if fuzz_spoils(what). */
void fuzz_spoil_mapping(const char *what, cleave_mapping **m);
/* Must fixed vertices and groups of this DAG put two parts on a cycle?  By the transitive
 * closure of its groups [Warshall 1962]. */
bool fuzz_must_cycle(const fuzz_instance *instance);
/* A refusal: the status is one that this instance may be refused with, *out is NULL and there
 * is a sentence.  True when the call handed out a mapping instead. */
bool fuzz_check_status(const fuzz_instance *instance, cleave_status status,
                       const cleave_mapping *m);
/* Everything that cleave_map promises of m and the report instance->a.report. */
void fuzz_check_mapping(fuzz_instance *instance, cleave_status status,
                        const cleave_mapping *m);
/* The public evaluations of m against those of tests/oracle. */
void fuzz_check_evaluation(const fuzz_instance *instance, const cleave_mapping *m);

#endif
