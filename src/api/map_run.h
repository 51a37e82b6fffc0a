/* SPDX-License-Identifier: Apache-2.0 */
/* api/map_run.h - what the calls that make a mapping have in common: the demands prepared for
 * the engine, the mapping judged from scratch, the report. */
#ifndef CLV_API_MAP_RUN_H
#define CLV_API_MAP_RUN_H

#include "api/map_arguments.h"
#include "engine/partition.h"
#include "engine/verdict.h"

/* Everything that one call works on; arrays are from the context's first workspace. */
typedef struct clv_map_run {
    const clv_map_request *request;
    clv_context *ctx;
    clv_limits limits;
    clv_units units;
    clv_part_order order; /* of a DAG, or the places of the machine */
    clv_machine machine;  /* its places are in that order; machine.t NULL: all PEs are at
                             distance 1 */
    const int32_t *start; /* consistent with fixed vertices and groups; NULL: none */
    clv_partition_stats stats;
    clv_verdict verdict;
    int64_t cost, cost_identity; /* -1: without a machine */
} clv_map_run;

/* Threads for the context of a call: small graphs are done before a second has started. */
int clv_map_run_threads(const clv_map_request *request);

/* Fills a run of which request and ctx are set and all else is zero (api/map_prepare.c).
 * CLEAVE_EINVAL, CLEAVE_ECYCLE, CLEAVE_ERANGE: no mapping can keep to what is asked for. */
cleave_status clv_map_run_prepare(clv_map_run *run, cleave_error *err);

/* A start that agrees with fixed vertices and groups: a unit starts where it is fixed, or else
 * where its first vertex does.  *out is `given` itself where nothing is in its way. */
cleave_status clv_map_run_start(const clv_map_run *run, const int32_t *given,
                                const int32_t **out, cleave_error *err);

/* What the engine is asked for: everything in run, its start included. */
clv_partition_task clv_map_run_task(const clv_map_run *run);

/* Fills part: by the engine where there is a choice (api/map.c). */
cleave_status clv_map_run_search(clv_map_run *run, int32_t *part, cleave_error *err);
/* Fills part where there is little choice: one part, or as many as vertices that are not
 * fixed.  *done false: the engine is needed. */
cleave_status clv_map_run_few(clv_map_run *run, int32_t *part, bool *done, cleave_error *err);

/* Are there so many more PEs than vertices that a domain of the machine is enough, and is
 * nothing demanded of single PEs (api/map_compact.c)? */
bool clv_map_run_is_sparse(const clv_map_run *run);
/* Fills part with a PE of its own for each vertex, all in one domain.  Time and memory by the
 * size of the graph, not of the machine. */
cleave_status clv_map_run_compact(clv_map_run *run, int32_t *part, cleave_error *err);

/* Judges part, from scratch.  CLEAVE_OK, or CLEAVE_EBALANCE or CLEAVE_ECANCEL with a mapping
 * all the same (api/map_result.c). */
cleave_status clv_map_run_judge(clv_map_run *run, const int32_t *part, cleave_error *err);
bool clv_map_run_hands_out(cleave_status status);

/* What there is to say about a mapping that was judged; report is initialised. */
void clv_map_run_report(const clv_map_run *run, double seconds, cleave_map_report *report);
/* The same into the report of the caller's options, if there is one. */
void clv_map_run_hand_report(const clv_map_run *run, double seconds);

#endif
