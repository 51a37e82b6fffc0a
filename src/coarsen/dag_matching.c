/* SPDX-License-Identifier: Apache-2.0 */
/* coarsen/dag_matching.c - acyclic matchings of dagP [Herrmann et al. 2017], see
 * coarsen/dag_matching.h.
 *
 * Let top[v] be the length of a longest path that ends in v.  An arc u -> v may be matched if
 * top[v] = top[u] + 1, or v is the only successor of u, or u the only predecessor of v: each
 * implies that there is no other path from u to v.  Once it is matched, the other successors w
 * of u with top[w] = top[u] + 1 are never matched.
 *
 * Proof of acyclicity: take a shortest cycle among the pairs (u_i, v_i).  A pair that it
 * enters and leaves by the same end, or enters at u_i and leaves at v_i, could be split
 * without breaking the cycle; so it enters every pair at v_i and leaves it at u_i.  Then u_i
 * has another successor and v_i another predecessor, so top[v_i] = top[u_i] + 1 for all pairs,
 * and a path from u_i to v_(i+1) gives top[v_i] <= top[v_(i+1)].  Around the cycle all are
 * equal, and every path is a single arc from one level to the next.  But v_(i+1) was excluded
 * when (u_i, v_i) was matched, so every pair was matched after the next one: a
 * contradiction. */
#include "coarsen/dag_matching.h"

#include <assert.h>

#include "coarsen/dag_choice.h"
#include "graph/depth_first.h"
#include "graph/topology.h"

enum { stage = 0xda6a };

typedef struct matcher {
    const clv_graph *g;
    const clv_dag_matching *how;
    clv_rng rng;
    int32_t *top;
    int32_t *mate;
    uint8_t *excluded;
} matcher;

/* Does acyclicity allow matching the arc from u to v? */
static bool only_path(const matcher *m, int32_t u, int32_t v)
{
    const clv_graph *g = m->g;
    return m->top[v] == m->top[u] + 1 || g->xadj[u + 1] - g->xadj[u] == 1 ||
           g->xpred[v + 1] - g->xpred[v] == 1;
}

static bool light_enough(const matcher *m, int32_t u, int32_t v)
{
    const clv_graph *g = m->g;
    for (int32_t c = 0; m->how->max_weight && c < g->ncon; c++)
        if (clv_graph_vwgt(g, u, c) + clv_graph_vwgt(g, v, c) > m->how->max_weight[c])
            return false;
    return true;
}

static clv_dag_choice choose(matcher *m, int32_t u)
{
    const clv_graph *g = m->g;
    bool sized = m->how->match == CLV_DAG_MATCH_NWHEM;
    clv_dag_choice best = {.v = -1};
    for (int64_t a = g->xpred[u]; a < g->xpred[u + 1]; a++) {
        int32_t v = g->pred[a];
        if (!m->excluded[v] && only_path(m, v, u) && light_enough(m, u, v))
            clv_dag_offer(&best,
                          (clv_dag_choice){v, false, clv_graph_pwgt(g, a),
                                           sized ? clv_dag_size(g, v) : 1, 0},
                          m->how->match, &m->rng);
    }
    for (int64_t a = g->xadj[u]; a < g->xadj[u + 1]; a++) {
        int32_t v = g->adj[a];
        if (!m->excluded[v] && only_path(m, u, v) && light_enough(m, u, v))
            clv_dag_offer(&best,
                          (clv_dag_choice){v, true, clv_graph_ewgt(g, a),
                                           sized ? clv_dag_size(g, v) : 1, 0},
                          m->how->match, &m->rng);
    }
    return best;
}

static void join(matcher *m, int32_t tail, int32_t head)
{
    const clv_graph *g = m->g;
    m->mate[tail] = head;
    m->mate[head] = tail;
    m->excluded[tail] = m->excluded[head] = 1;
    for (int64_t a = g->xadj[tail]; a < g->xadj[tail + 1]; a++)
        if (m->top[g->adj[a]] == m->top[tail] + 1)
            m->excluded[g->adj[a]] = 1;
}

static int32_t number(const matcher *m, int32_t *map)
{
    int32_t count = 0;
    for (int32_t v = 0; v < m->g->nvtx; v++)
        map[v] = m->mate[v] < v ? map[m->mate[v]] : count++;
    return count;
}

static cleave_status match(matcher *m, clv_ws *ws, int32_t *map, int32_t *ncoarse,
                           cleave_error *err)
{
    const clv_graph *g = m->g;
    int32_t *order = map; /* until the coarse numbers are assigned */
    m->top = clv_ws_alloc(ws, g->nvtx, sizeof *m->top);
    m->mate = clv_ws_alloc(ws, g->nvtx, sizeof *m->mate);
    m->excluded = clv_ws_zalloc(ws, g->nvtx, sizeof *m->excluded);
    if (!m->top || !m->mate || !m->excluded)
        return clv_fail_memory(err);
    CLV_TRY(clv_topology_levels(g, CLEAVE_LEVELS_TOP, ws, m->top, NULL, err));
    if (m->how->order == CLV_DAG_ORDER_TOP)
        CLV_TRY(clv_depth_first_order(g, NULL, ws, order, err));
    else
        clv_rng_permutation(&m->rng, g->nvtx, order);
    for (int32_t v = 0; v < g->nvtx; v++)
        m->mate[v] = v;
    for (int32_t i = 0; i < g->nvtx; i++) {
        int32_t u = order[i];
        clv_dag_choice best = m->excluded[u] ? (clv_dag_choice){.v = -1} : choose(m, u);
        if (best.v >= 0)
            join(m, best.forward ? u : best.v, best.forward ? best.v : u);
    }
    *ncoarse = number(m, map);
    return CLEAVE_OK;
}

cleave_status clv_dag_match_pairs(const clv_graph *g, const clv_dag_matching *how,
                                  clv_context *ctx, int32_t *map, int32_t *ncoarse,
                                  cleave_error *err)
{
    assert(g->kind == CLEAVE_DAG);
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    matcher m = {.g = g, .how = how};
    m.rng = clv_rng_make(ctx->seed, stage, (uint64_t)how->level, 0);
    cleave_status status = match(&m, ctx->ws, map, ncoarse, err);
    clv_ws_restore(ctx->ws, mark);
    return status;
}
