/* SPDX-License-Identifier: Apache-2.0 */
/* engine/partition.h - a graph into parts: the pipeline from constraints to a checked result.
 *
 * Order of the steps: parts of a DAG are numbered as their fixed vertices demand; groups
 * become one vertex each; the multilevel engine runs once or more often (engine/search.h);
 * then, where asked for, the communication volume is lowered and parts are made connected;
 * vertices without weight leave parts that shall stay empty.  Where nothing weighs anything,
 * vertices are counted (engine/counted.h).
 * The caller recomputes everything that it reports. */
#ifndef CLV_ENGINE_PARTITION_H
#define CLV_ENGINE_PARTITION_H

#include "base/context.h"
#include "engine/method.h"
#include "engine/part_order.h"

typedef struct clv_partition_task {
    const clv_graph *g; /* of a DAG the parts will be acyclic */
    clv_bounds bounds;  /* of one part at least */
    clv_method method;  /* those of engine/dagp.h: no fixed vertices, no start */
    cleave_effort effort;
    cleave_objective objective;
    const clv_units *units; /* vertices that stay together, and where they are fixed */
    const int32_t *start;   /* nvtx or NULL: warm start; agrees with units */
    bool connected;         /* undirected graphs only */
    clv_part_order order;   /* of a DAG: see there, as for units and fixed; of a machine: its
                               places; zero: as numbered */
    const clv_machine *machine; /* in that order; NULL: all parts at distance 1 */
    bool spread; /* with a machine: start, which is given, has a part for each vertex, which
                    is all that is wanted; find better ones */
    bool keep;   /* start, which is given, is brought within the bounds, and no more */
} clv_partition_task;

typedef struct clv_partition_stats {
    int32_t levels, cycles;
    double coarsen, initial, refine; /* seconds */
    clv_spectral_quality spectral;   /* of the eigenvectors, where the method goes by them */
} clv_partition_stats;

/* Fills part[0..nvtx) with a valid mapping: every vertex in 0..nparts-1, fixed vertices and
 * groups respected.  Bounds are met where the search could; the caller checks.  Fails only
 * with CLEAVE_ENOMEM.  When the context says stop, the best so far is in part. */
cleave_status clv_partition(const clv_partition_task *task, clv_context *ctx, int32_t *part,
                            clv_partition_stats *stats, cleave_error *err);

#endif
