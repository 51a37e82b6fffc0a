/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/graphopt_model.c - a set of vertices as an instance of the two-way model, coarsened
 * (S3) if it is large, and its solution.
 *
 * Arcs from earlier layers whose source is on a thread of neither side cross in any case and
 * are left out, as in the paper. */
#include "base/group.h"
#include "graph/derive.h"
#include "schedule/graphopt.h"
#include "schedule/list_coarsen.h"
#include "schedule/two_way.h"

typedef struct instance {
    clv_graphopt *s;
    clv_vertex_set set;
    clv_thread_range side[2];
    clv_pred_rows rows;        /* of the set, by index */
    int32_t *cluster;          /* by index: vertex of the model */
    int32_t nclusters, nvtx;   /* nvtx: with the additional vertex for unequal sides, if there
                                  is one */
    int32_t *vwgt, *to, *from; /* of the model */
    int64_t narrivals;
    clv_graph g;
    int32_t *part;
} instance;

/* ---- Rows of the set -------------------------------------------------------------------- */

static cleave_status take_rows(instance *m, clv_ws *ws, cleave_error *err)
{
    clv_graphopt *s = m->s;
    int64_t narc = 0;
    for (int32_t i = 0; i < m->set.count; i++) {
        int32_t v = m->set.v[i];
        narc += s->xpred[v + 1] - s->xpred[v];
    }
    int64_t *xpred = clv_ws_alloc(ws, (int64_t)m->set.count + 1, sizeof *xpred);
    int32_t *pred = clv_ws_alloc(ws, narc, sizeof *pred);
    if (!xpred || !pred)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < m->set.count; i++)
        s->local[m->set.v[i]] = i;
    int64_t count = 0;
    for (int32_t i = 0; i < m->set.count; i++) {
        int32_t v = m->set.v[i];
        xpred[i] = count;
        for (int64_t a = s->xpred[v]; a < s->xpred[v + 1]; a++)
            if (s->local[s->pred[a]] >= 0)
                pred[count++] = s->local[s->pred[a]];
    }
    xpred[m->set.count] = count;
    for (int32_t i = 0; i < m->set.count; i++)
        s->local[m->set.v[i]] = -1;
    m->rows = (clv_pred_rows){m->set.count, xpred, pred};
    return CLEAVE_OK;
}

/* ---- S3 --------------------------------------------------------------------------------- */

enum { too_many = 4 }; /* accepted ratio of clusters to the number wanted */

/* The thresholds of depth and degree can end clusters early.  If that gives far more clusters
 * than wanted, the thresholds are loosened. */
static cleave_status make_clusters(instance *m, clv_ws *ws, cleave_error *err)
{
    const clv_graphopt_params *p = m->s->params;
    m->cluster = clv_ws_alloc(ws, m->set.count, sizeof *m->cluster);
    if (!m->cluster)
        return clv_fail_memory(err);
    m->nclusters = m->set.count;
    if (!p->coarsening || m->set.count <= p->threshold) {
        for (int32_t i = 0; i < m->set.count; i++)
            m->cluster[i] = i;
        return CLEAVE_OK;
    }
    clv_list_limits limits = {p->coarse, p->depth, p->degree};
    CLV_TRY(clv_list_coarsen(&m->rows, &limits, ws, m->cluster, &m->nclusters, err));
    if (m->nclusters / too_many >= p->coarse) {
        limits.depth = limits.degree = INT32_MAX;
        CLV_TRY(clv_list_coarsen(&m->rows, &limits, ws, m->cluster, &m->nclusters, err));
    }
    return CLEAVE_OK;
}

/* Removes duplicates from ascending rows. */
static void merge_parallel(int32_t nvtx, int64_t *xadj, int32_t *adj)
{
    int64_t to = 0, begin = 0;
    for (int32_t v = 0; v < nvtx; v++) {
        int64_t end = xadj[v + 1], first = to;
        for (int64_t a = begin; a < end; a++)
            if (to == first || adj[to - 1] != adj[a])
                adj[to++] = adj[a];
        begin = end;
        xadj[v + 1] = to;
    }
}

/* Rows of predecessors in the model, unsorted and with duplicates. */
static void coarse_rows(const instance *m, int64_t *xpred, int32_t *pred)
{
    for (int32_t i = 0; i < m->set.count; i++)
        for (int64_t a = m->rows.xpred[i]; a < m->rows.xpred[i + 1]; a++)
            xpred[m->cluster[i] + 1] += m->cluster[m->rows.pred[a]] != m->cluster[i];
    clv_group_starts(xpred, m->nvtx);
    for (int32_t i = 0; i < m->set.count; i++)
        for (int64_t a = m->rows.xpred[i]; a < m->rows.xpred[i + 1]; a++) {
            int32_t c = m->cluster[i], d = m->cluster[m->rows.pred[a]];
            if (c != d)
                pred[xpred[c + 1]++] = d;
        }
}

static cleave_status make_graph(instance *m, clv_ws *ws, cleave_error *err)
{
    int32_t n = m->nvtx;
    int64_t narc = m->rows.xpred[m->set.count];
    int64_t *xpred = clv_ws_zalloc(ws, (int64_t)n + 1, sizeof *xpred);
    int64_t *xadj = clv_ws_alloc(ws, (int64_t)n + 1, sizeof *xadj);
    int32_t *pred = clv_ws_alloc(ws, narc, sizeof *pred);
    int32_t *adj = clv_ws_alloc(ws, narc, sizeof *adj);
    if (!xpred || !xadj || !pred || !adj)
        return clv_fail_memory(err);
    coarse_rows(m, xpred, pred);
    clv_derive_transpose_rows(n, (clv_csr){.xadj = xpred, .adj = pred},
                              (clv_csr_space){.xadj = xadj, .adj = adj});
    merge_parallel(n, xadj, adj);
    clv_derive_transpose_rows(n, (clv_csr){.xadj = xadj, .adj = adj},
                              (clv_csr_space){.xadj = xpred, .adj = pred});
    m->g = (clv_graph){.kind = CLEAVE_DAG,
                       .nvtx = n,
                       .narc = xadj[n],
                       .xadj = xadj,
                       .adj = adj,
                       .xpred = xpred,
                       .pred = pred,
                       .ncon = 1,
                       .vwgt = m->vwgt};
    return CLEAVE_OK;
}

/* ---- Weights ---------------------------------------------------------------------------- */

/* If the sides have a and b > a threads, their sizes should be in the ratio a : b. The model
 * only balances equal sizes; therefore a vertex without arcs, whose weight is the wanted
 * difference, is added and tied to the side with fewer threads.  The final sizes are unknown;
 * they are estimated by the fraction that the last layer took of its window. */
static int64_t weight_of_difference(const instance *m, int64_t total)
{
    int64_t a = m->side[0].count, b = m->side[1].count;
    int64_t difference = a > b ? a - b : b - a;
    return (int64_t)((double)total * m->s->mapped * (double)difference / (double)(a + b));
}

enum {
    weight_bits = 30
}; /* for the sum of all weights of a model, so that any solver can
      handle it */

static cleave_status make_weights(instance *m, clv_ws *ws, cleave_error *err)
{
    m->nvtx = m->nclusters + (m->side[0].count != m->side[1].count);
    m->vwgt = clv_ws_zalloc(ws, m->nvtx, sizeof *m->vwgt);
    int64_t *sum = clv_ws_zalloc(ws, m->nvtx, sizeof *sum);
    if (!m->vwgt || !sum)
        return clv_fail_memory(err);
    int64_t total = 0;
    for (int32_t i = 0; i < m->set.count; i++) {
        sum[m->cluster[i]] += m->s->weight[m->set.v[i]];
        total += m->s->weight[m->set.v[i]];
    }
    if (m->nvtx > m->nclusters)
        sum[m->nclusters] = weight_of_difference(m, total);
    int shift = 0;
    while (total >> shift >> (weight_bits - 1))
        shift++;
    for (int32_t c = 0; c < m->nvtx; c++)
        m->vwgt[c] = (int32_t)(sum[c] >> shift);
    return CLEAVE_OK;
}

/* ---- Arcs from earlier layers ----------------------------------------------------------- */

static int32_t side_of(const instance *m, int32_t thread)
{
    for (int32_t i = 0; i < 2; i++)
        if (thread >= m->side[i].begin && thread < m->side[i].begin + m->side[i].count)
            return i + 1;
    return 0;
}

enum { tie_arrivals = 100 };

/* Lists arrivals, arcs from earlier layers; m->to NULL: only counts them.  The additional
 * vertex gets arrivals from the side with fewer threads, so that it is assigned there. */
static int64_t list_arrivals(instance *m)
{
    const clv_graphopt *s = m->s;
    int64_t count = 0;
    for (int32_t i = 0; i < m->set.count; i++)
        for (int64_t a = s->xpred[m->set.v[i]]; a < s->xpred[m->set.v[i] + 1]; a++) {
            int32_t t = s->thread[s->pred[a]];
            int32_t side = t >= 0 ? side_of(m, t) : 0;
            if (side == 0)
                continue;
            if (m->to) {
                m->to[count] = m->cluster[i];
                m->from[count] = side;
            }
            count++;
        }
    if (m->nvtx == m->nclusters)
        return count;
    for (int32_t i = 0; i < tie_arrivals; i++, count++)
        if (m->to) {
            m->to[count] = m->nclusters;
            m->from[count] = m->side[0].count < m->side[1].count ? 1 : 2;
        }
    return count;
}

static cleave_status make_arrivals(instance *m, clv_ws *ws, cleave_error *err)
{
    if (m->s->params->wc == 0)
        return CLEAVE_OK;
    int64_t room = list_arrivals(m);
    if (room > INT32_MAX)
        return CLEAVE_OK; /* too many for a model: leave them all out */
    m->to = clv_ws_alloc(ws, room, sizeof *m->to);
    m->from = clv_ws_alloc(ws, room, sizeof *m->from);
    if (!m->to || !m->from)
        return clv_fail_memory(err);
    m->narrivals = list_arrivals(m);
    return CLEAVE_OK;
}

/* ---- Solving ---------------------------------------------------------------------------- */

static clv_two_way model_of(const instance *m)
{
    return (clv_two_way){.g = &m->g,
                         .ws = m->s->params->ws,
                         .wc = m->s->params->wc,
                         .narrivals = (int32_t)m->narrivals,
                         .to = m->to,
                         .from = m->from};
}

/* Solves with the caller's solver or the built-in one.  `ours` forces the latter. effort:
 * steps per vertex and arc of the model. */
static cleave_status solve_model(instance *m, bool ours, int32_t effort, cleave_error *err)
{
    const clv_graphopt_params *p = m->s->params;
    clv_two_way model = model_of(m);
    model.steps = effort * (m->g.nvtx + m->g.narc);
    clv_two_way_result result;
    m->part = clv_ws_alloc(m->s->ctx->ws, m->nvtx, sizeof *m->part);
    if (!m->part)
        return clv_fail_memory(err);
    clv_two_way_solver solver = {ours ? NULL : p->solver, p->solver_payload};
    return clv_two_way_call(&model, solver, m->s->ctx, m->part, &result, err);
}

static cleave_status make_model(instance *m, clv_ws *ws, cleave_error *err)
{
    CLV_TRY(make_weights(m, ws, err));
    CLV_TRY(make_graph(m, ws, err));
    return make_arrivals(m, ws, err);
}

enum { fine_effort = 4 };

/* For progress: `looks` passes over the rows of the set follow. */
static void count_arcs(const instance *m, int64_t looks)
{
    clv_context_count(m->s->ctx, looks * (m->rows.xpred[m->set.count] + m->set.count));
}

/* Clusters join vertices that a good solution separates: on a wavefront each cluster depends
 * on its neighbour's, and the coarse graph has a single source.  Therefore the uncoarsened set
 * is also solved, with a few steps per arc, and the better solution is taken. */
static cleave_status compare_fine(instance *m, clv_ws *ws, cleave_error *err)
{
    instance fine = {.s = m->s, .set = m->set, .rows = m->rows, .nclusters = m->set.count};
    fine.side[0] = m->side[0];
    fine.side[1] = m->side[1];
    fine.cluster = clv_ws_alloc(ws, m->set.count, sizeof *fine.cluster);
    int32_t *projected = clv_ws_alloc(ws, (int64_t)m->set.count + 1, sizeof *projected);
    if (!fine.cluster || !projected)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < m->set.count; i++) {
        fine.cluster[i] = i;
        projected[i] = m->part[m->cluster[i]];
    }
    if (m->nvtx > m->nclusters)
        projected[m->set.count] = m->part[m->nclusters];
    count_arcs(m, 8);
    CLV_TRY(make_model(&fine, ws, err));
    CLV_TRY(solve_model(&fine, true, fine_effort, err));
    clv_two_way model = model_of(&fine);
    bool coarse_wins =
        clv_two_way_objective(&model, projected) >= clv_two_way_objective(&model, fine.part);
    *m = fine;
    if (coarse_wins)
        m->part = projected;
    return CLEAVE_OK;
}

/* After a timeout: puts all vertices on one side, so that the set is not divided.  Returns
 * whether that happened. */
static bool give_up(const instance *m, int32_t *side)
{
    if (!clv_context_stop(m->s->ctx))
        return false;
    for (int32_t i = 0; i < m->set.count; i++)
        side[i] = 1;
    return true;
}

static cleave_status make_and_solve(instance *m, clv_ws *ws, int32_t *side, cleave_error *err)
{
    if (give_up(m, side))
        return CLEAVE_OK;
    CLV_TRY(take_rows(m, ws, err));
    count_arcs(m, 4);
    CLV_TRY(make_clusters(m, ws, err));
    if (give_up(m, side))
        return CLEAVE_OK;
    CLV_TRY(make_model(m, ws, err));
    CLV_TRY(solve_model(m, false, m->s->params->effort, err));
    if (m->nclusters < m->set.count && !clv_context_stop(m->s->ctx))
        CLV_TRY(compare_fine(m, ws, err));
    /* The additional vertex belongs to the side with fewer threads: exchange the sides if it
     * is on the other. */
    bool turned = m->nvtx > m->nclusters && m->part[m->nclusters] != 0 &&
                  m->part[m->nclusters] != (m->side[0].count < m->side[1].count ? 1 : 2);
    for (int32_t i = 0; i < m->set.count; i++) {
        int32_t p = m->part[m->cluster[i]];
        side[i] = turned && p != 0 ? 3 - p : p;
    }
    return CLEAVE_OK;
}

cleave_status clv_graphopt_two_way(clv_graphopt *s, clv_vertex_set set, clv_thread_range first,
                                   clv_thread_range second, int32_t *side, cleave_error *err)
{
    clv_ws *ws = s->ctx->ws;
    clv_ws_mark mark = clv_ws_save(ws);
    instance m = {.s = s, .set = set, .side = {first, second}};
    cleave_status status = make_and_solve(&m, ws, side, err);
    clv_ws_restore(ws, mark);
    return status;
}
