/* SPDX-License-Identifier: Apache-2.0 */
/* engine/multilevel/bisection.h - recursive bisection of the graph, and of the machine with it
 * (dual recursive bipartitioning). */
#ifndef CLV_ENGINE_MULTILEVEL_BISECTION_H
#define CLV_ENGINE_MULTILEVEL_BISECTION_H

#include "engine/multilevel/multilevel.h"

/* Estimated cost of a bisection, in passes over the arcs of its block.  Not tuned. */
enum { clv_passes_per_halving = 20 };

/* Which block is divided next.  This matters with a machine, where neighbours that already
 * have a place attract vertices [Pellegrini, Roman 1996]. */
typedef enum clv_policy {
    CLV_POLICY_LEVEL, /* all of one depth in parallel */
    CLV_POLICY_DEPTH,
    CLV_POLICY_BREADTH,
    CLV_POLICY_SIZE /* the block with the most vertices */
} clv_policy;

/* Divides the graph of a task into its parts: fills `way` and *worth, which is
 * clv_worth_none() if the time was too short.  `context` is shared by divisions that run at
 * the same time; ctx->seed is the division's own. */
typedef cleave_status clv_divider(const void *context, const clv_multilevel_task *task,
                                  clv_context *ctx, int32_t *way, clv_worth *worth,
                                  cleave_error *err);

typedef struct clv_division {
    clv_policy policy;
    clv_divider *divider; /* makes each division; NULL: the engine, by the fields below */
    const void *context;  /* of divider */
    bool groups; /* divide into the machine's own groups instead of halves, each division
                    with the full preset: multisection [Schulz, Traeff 2017; Schulz, Woydt
                    2025] */
    const clv_preset *search; /* each division is a search with this preset; NULL: a plain
                                 bisection, or, with groups, a search with the preset of the
                                 whole */
    const int32_t *done;      /* NULL, or by vertex its domain in an earlier halving: */
    int32_t ndone;            /* the number of these domains, a power of two; blocks are then
                                 divided sequentially */
} clv_division;

/* Recursive bisection: halves the set of parts, bisects the graph in proportion with the
 * multilevel method, and recurses into both subgraphs.  Each bisection uses only a part of the
 * slack between share and bound, so that the bisections below it have slack as well. O(narc
 * log nparts).
 *
 * With a machine (undirected graphs only) the halves are those of its domains, and vertices
 * are attracted by neighbours outside the block: dual recursive bipartitioning. */
cleave_status clv_recursive_bisection(const clv_multilevel_task *task,
                                      const clv_preset *effort, clv_context *ctx,
                                      int32_t *part, cleave_error *err);

/* Recursive bisection with a given policy.  `how` applies to tasks with a machine.  effort is
 * not used with a divider. */
cleave_status clv_recursive_division(const clv_multilevel_task *task, const clv_preset *effort,
                                     const clv_division *how, clv_context *ctx, int32_t *part,
                                     cleave_error *err);

#endif
