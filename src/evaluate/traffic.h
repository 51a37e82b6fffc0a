/* SPDX-License-Identifier: Apache-2.0 */
/* evaluate/traffic.h - the communication of a mapping on its machine.
 *
 * All of it follows from the quotient graph, whose vertices are the PEs in use: distances,
 * levels and routes are computed once per pair of communicating PEs, not once per edge.  An
 * edge between vertices on the same PE costs nothing and loads no link. */
#ifndef CLV_EVALUATE_TRAFFIC_H
#define CLV_EVALUATE_TRAFFIC_H

#include "graph/derive.h"
#include "target/target.h"

typedef struct clv_traffic {
    const clv_target *t;
    clv_quotient q;    /* rows of the PEs in use */
    const int32_t *pe; /* by vertex of q; NULL: the PE is the vertex */
    bool directed;     /* q has each pair once, from sender to reader; else in both rows */
} clv_traffic;

/* traffic.c.  part[v] is a PE of t.  Arrays from ws; the caller restores.  CLEAVE_ERANGE when
 * the weight between two PEs does not fit.  O(nvtx log nvtx + narc + PEs in use). */
cleave_status clv_traffic_make(clv_traffic *traffic, const clv_graph *g, const clv_target *t,
                               const int32_t *part, clv_ws *ws, cleave_error *err);

/* One pair of PEs that communicate. */
typedef struct clv_talk {
    int32_t from, to; /* an undirected graph: the lower PE first */
    int64_t weight;   /* of the edges between them */
} clv_talk;

/* Iterates over the pairs, each once; start with *row = 0 and *a = 0. False: there are no
 * more. */
static inline bool clv_traffic_next(const clv_traffic *traffic, int32_t *row, int64_t *a,
                                    clv_talk *talk)
{
    const clv_quotient *q = &traffic->q;
    for (; *row < q->nparts; ++*row)
        for (; *a < q->xadj[*row + 1]; ++*a) {
            int32_t to = q->adj[*a];
            if (!traffic->directed && to < *row)
                continue;
            talk->from = traffic->pe ? traffic->pe[*row] : *row;
            talk->to = traffic->pe ? traffic->pe[to] : to;
            talk->weight = q->cut[(*a)++];
            return true;
        }
    return false;
}

/* cost.c: sum of weight * distance, and the weight alone; CLEAVE_ERANGE when a sum does not
 * fit.  level, which may be NULL, has t->levels places: the cost of the pairs whose smallest
 * common group is of level 1, 2, ... */
cleave_status clv_evaluate_cost(const clv_traffic *traffic, int64_t *cost, int64_t *cut,
                                int64_t *level, cleave_error *err);

/* Adds the costs to the levels of cleave_target_metrics; costs of higher levels are added to
 * the last one. */
static inline void clv_traffic_fold_levels(int32_t levels, const int64_t *from, int64_t *to)
{
    for (int32_t i = 0; i < levels; i++)
        to[i < CLEAVE_MOST_LEVELS ? i : CLEAVE_MOST_LEVELS - 1] += from[i];
}

/* link_load.c: each pair sends all of its weight along its one route; an undirected graph's
 * from the lower PE to the higher.  The largest load of a link, and the mean over all links
 * of the machine, idle ones included; -1 both: routes are not known.  The weights of all
 * pairs together fit (clv_evaluate_cost has checked that). */
cleave_status clv_evaluate_link_load(const clv_traffic *traffic, clv_ws *ws, int64_t *largest,
                                     double *average, cleave_error *err);

/* The same for each link: t->links places, which are zeros. */
void clv_traffic_load_links(const clv_traffic *traffic, int64_t *load);

/* pe_traffic.c: the largest weight of the edges that lead to or from one PE.  The same
 * condition. */
cleave_status clv_evaluate_pe_traffic(const clv_traffic *traffic, clv_ws *ws, int64_t *largest,
                                      cleave_error *err);

/* identity.c: the mapping that follows the numbers, v -> floor(v * npes / nvtx). */
void clv_evaluate_identity(int32_t nvtx, int32_t npes, int32_t *part);
bool clv_is_identity(int32_t nvtx, int32_t npes, const int32_t *part);
/* The cost alone, of a mapping given as an array. */
cleave_status clv_evaluate_cost_of(const clv_graph *g, const clv_target *t,
                                   const int32_t *part, clv_ws *ws, int64_t *cost,
                                   cleave_error *err);
/* The cost of the identity; level as above. */
cleave_status clv_evaluate_cost_identity(const clv_graph *g, const clv_target *t, clv_ws *ws,
                                         int64_t *cost, int64_t *level, cleave_error *err);

#endif
