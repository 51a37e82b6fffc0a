/* SPDX-License-Identifier: Apache-2.0 */
/* engine/verdict.h - does a mapping keep to what was asked for?
 *
 * The last word before a mapping is handed out: everything is recomputed from the graph and
 * the part array, nothing that an optimiser reported is believed. */
#ifndef CLV_ENGINE_VERDICT_H
#define CLV_ENGINE_VERDICT_H

#include "engine/groups.h"

typedef struct clv_demands {
    const clv_graph *g;
    const clv_limits *limits;
    const clv_groups *groups;
    const int32_t *fixed; /* by vertex, or NULL */
    bool connected;
} clv_demands;

typedef struct clv_verdict {
    int64_t cut, volume;
    double imbalance;      /* max over parts and weights of weight / share - 1 */
    bool balanced;         /* every weight between its bounds */
    int32_t empty_parts;   /* of all PEs */
    int32_t acyclic;       /* 1: the quotient of the DAG has no cycle; -1: undirected */
    int64_t critical_path; /* of a DAG, costs 1, 1, 11; -1: undirected */
} clv_verdict;

/* part[v] in 0..limits->nparts-1.  CLEAVE_OK, or CLEAVE_EBALANCE with a sentence that says
 * what is not met, what was reached and why where that is known; *verdict is complete in both
 * cases.  CLEAVE_ERANGE when a sum does not fit.  CLEAVE_ECYCLE when the parts of a DAG form
 * a cycle: nobody may get such a mapping.  O(nvtx + narc + nparts * ncon). */
cleave_status clv_verdict_reach(clv_verdict *verdict, const clv_demands *demands,
                                const int32_t *part, clv_ws *ws, cleave_error *err);

#endif
