/* SPDX-License-Identifier: Apache-2.0 */
/* engine/bisection.h - many parts from repeated division: of the graph, and of the machine. */
#ifndef CLV_ENGINE_BISECTION_H
#define CLV_ENGINE_BISECTION_H

#include "engine/multilevel.h"

/* Estimated cost of a halving, in passes over the arcs of its block.  Taste. */
enum { clv_passes_per_halving = 20 };

/* Which block is divided next.  It matters with a machine, where neighbours that are already
 * placed pull [Pellegrini, Roman 1996]. */
typedef enum clv_policy {
    CLV_POLICY_LEVEL, /* all of one depth at once, on different threads */
    CLV_POLICY_DEPTH,
    CLV_POLICY_BREADTH,
    CLV_POLICY_SIZE /* the one with the most vertices */
} clv_policy;

typedef struct clv_division {
    clv_policy policy;
    bool groups; /* into the machine's own groups, not into halves, each division with the
                    whole effort: multisection [Schulz, Traeff 2017; Schulz, Woydt 2025] */
    const int32_t *done; /* NULL, or by vertex which of so many domains of halving it is in: */
    int32_t ndone;       /* a power of two, and one block after the other is divided */
} clv_division;

/* Recursive bisection: the parts are halved, the graph is cut in two by the multilevel engine
 * in proportion, and so on for the two subgraphs.  Of the slack between share and bound each
 * bisection may use so much that the ones below it still have theirs.  O(narc log nparts).
 *
 * With a machine (undirected graphs) the halves are those of its domains, and vertices are
 * pulled towards neighbours outside: dual recursive bipartitioning. */
cleave_status clv_recursive_bisection(const clv_multilevel_task *task,
                                      const clv_preset *effort, clv_context *ctx,
                                      int32_t *part, cleave_error *err);

/* The same with a choice; how is for tasks with a machine. */
cleave_status clv_recursive_division(const clv_multilevel_task *task, const clv_preset *effort,
                                     const clv_division *how, clv_context *ctx, int32_t *part,
                                     cleave_error *err);

#endif
