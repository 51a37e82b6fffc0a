/* SPDX-License-Identifier: Apache-2.0 */
/* engine/pipeline.h - from a request to a mapping, step by step.
 *
 *   clv_pipeline_map
 *     clv_normalise_request    limits, groups, order of the parts, machine, start
 *     clv_trivial_mapping      one part, or a PE for each vertex: done
 *     clv_partition            all else:
 *       clv_task_normalise       unit weights, parts by place, contracted groups
 *       clv_method_choose        a row of the table of methods (engine/method.c)
 *       row->partition           the search
 *       finish_parts             volume, connected parts
 *       place_parts              whole parts to the places of the machine
 *       clv_clear_idle_parts     no vertex stays in a part that must be empty
 *       clv_task_project_back    groups to vertices, places to parts
 *   clv_pipeline_judge         everything is recomputed and compared with the request
 *
 * Remapping (engine/remap/remap_pipeline.h) and improving the cuts of an order use the same
 * steps.
 */
#ifndef CLV_ENGINE_PIPELINE_H
#define CLV_ENGINE_PIPELINE_H

#include "base/context.h"
#include "engine/acyclic/part_order.h"
#include "engine/method.h"
#include "engine/verdict.h"
#include "graph/mapping.h"

/* ---- A mapping -------------------------------------------------------------------------- */

/* A validated request (api/map_arguments.h). */
typedef struct clv_map_request {
    const clv_graph *g;
    const clv_target *t;
    cleave_options opt;             /* fields beyond the caller's struct have their defaults */
    cleave_constraints constraints; /* the same; all zero when there are none */
    clv_method method;
} clv_map_request;

typedef struct clv_partition_stats {
    int32_t levels, cycles;
    double coarsen, initial, refine; /* seconds */
    clv_spectral_quality spectral;   /* of the eigenvectors, if the method uses them */
} clv_partition_stats;

/* One call; arrays are from the context's first workspace. */
typedef struct clv_map_job {
    const clv_map_request *request;
    clv_context *ctx;
    /* The request in the engine's terms, from clv_normalise_request. */
    clv_limits limits;
    clv_groups groups;
    clv_part_order order; /* of a DAG, or the places of the machine */
    clv_machine machine;  /* its places are in that order; machine.t NULL: all PEs are at
                             distance 1 */
    const int32_t *start; /* respects fixed vertices and groups; NULL: none */
    bool numbered;        /* limits and groups are those of the parts in use, numbered, and the
                             machine is not made (engine/mapping/front_mapping.h) */
    /* The result. */
    clv_partition_stats stats;
    clv_verdict verdict;
    int64_t cost, cost_identity; /* -1: no machine */
} clv_map_job;

/* Fills part.  On entry job has a request and a context; all else is zero.  CLEAVE_EINVAL,
 * CLEAVE_ECYCLE, CLEAVE_ERANGE: no mapping can satisfy the request.  If the context is
 * stopped, part is the best mapping found so far. */
cleave_status clv_pipeline_map(clv_map_job *job, int32_t *part, cleave_error *err);

/* Recomputes everything that is reported about part.  CLEAVE_OK, CLEAVE_EBALANCE or
 * CLEAVE_ECANCEL; the caller gets the mapping in all three cases. */
cleave_status clv_pipeline_judge(clv_map_job *job, const int32_t *part, cleave_error *err);

/* Does the caller get a mapping with this status? */
bool clv_status_has_mapping(cleave_status status);

/* ---- A partition ------------------------------------------------------------------------ */

typedef struct clv_partition_task {
    const clv_graph *g; /* in a DAG the parts will be acyclic */
    clv_bounds bounds;  /* at least one part */
    clv_method method;  /* must support this task */
    cleave_effort effort;
    cleave_objective objective;
    const clv_groups *groups; /* vertices that must share a part, and fixed parts */
    const int32_t *start;     /* nvtx or NULL: warm start; respects groups */
    bool connected;           /* undirected graphs only */
    clv_part_order order; /* DAG: from engine/acyclic/part_order.h, as are groups; machine: its
                             places; zero: by number */
    const clv_machine *machine; /* in that order; NULL: all parts at distance 1 */
} clv_partition_task;

/* The task of a job whose request is normalised. */
clv_partition_task clv_pipeline_task(const clv_map_job *job);

/* Fills part[0..nvtx) with a valid mapping: every vertex in 0..nparts-1, fixed vertices and
 * groups respected.  Bounds may be violated if the search finds no better mapping; the caller
 * checks.  Fails only with CLEAVE_ENOMEM.  If the context is stopped, part is the best mapping
 * found so far. */
cleave_status clv_partition(const clv_partition_task *task, clv_context *ctx, int32_t *part,
                            clv_partition_stats *stats, cleave_error *err);

#endif
