/* SPDX-License-Identifier: Apache-2.0 */
/* engine/verdict.h - validates a mapping against the request.
 *
 * The final check before a mapping is returned: everything is recomputed from the graph and
 * the part array, independently of what the search reported. */
#ifndef CLV_ENGINE_VERDICT_H
#define CLV_ENGINE_VERDICT_H

#include "base/context.h"
#include "engine/groups.h"

typedef struct clv_demands {
    const clv_graph *g;
    const clv_limits *limits;
    const clv_groups *groups;
    const int32_t *fixed; /* by vertex, or NULL */
    bool connected;
    const int32_t *label; /* by part: its number in messages; NULL: the same */
} clv_demands;

typedef struct clv_verdict {
    int64_t cut, volume;
    double imbalance;      /* max over parts and weights of weight / share - 1 */
    bool balanced;         /* every weight between its bounds */
    int32_t empty_parts;   /* of all PEs */
    int32_t acyclic;       /* 1: the quotient of the DAG has no cycle; -1: undirected */
    int64_t critical_path; /* of a DAG, costs 1, 1, 11; -1: undirected */
} clv_verdict;

/* part[v] in 0..limits->nparts-1.  CLEAVE_OK, or CLEAVE_EBALANCE with a message that states
 * the violated bound, the weight reached and, if known, the reason; *verdict is complete in
 * both cases.  CLEAVE_ERANGE if a sum overflows.  CLEAVE_ECYCLE if the parts of a DAG form a
 * cycle; such a mapping is never returned.  O(nvtx + narc + nparts * ncon). */
cleave_status clv_verdict_reach(clv_verdict *verdict, const clv_demands *demands,
                                const int32_t *part, clv_context *ctx, cleave_error *err);

#endif
