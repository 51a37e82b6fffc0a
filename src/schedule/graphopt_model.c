/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/graphopt_model.c - a set of vertices as an instance of the two-way model, with
 * list coarsening (S3) when it is large, and its solution.
 *
 * Arcs from earlier layers whose source is on a thread that is not one of the two sides' cross
 * in any case and are left out, as the paper says. */
#include "graph/derive.h"
#include "schedule/graphopt.h"
#include "schedule/list_coarsen.h"
#include "schedule/two_way.h"

typedef struct instance {
    clv_graphopt *s;
    clv_vertex_set set;
    clv_thread_range side[2];
    clv_pred_rows rows;        /* of the set, by place */
    int32_t *cluster;          /* by place: vertex of the model */
    int32_t nclusters, nvtx;   /* nvtx: with the weight that makes sides unequal, if any */
    int32_t *vwgt, *to, *from; /* of the model */
    int64_t narrivals;
    clv_graph g;
    int32_t *part;
} instance;

/* ---- The set as rows of its own --------------------------------------------------------- */

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

enum { too_many = 4 }; /* times as many clusters as wanted */

/* The depth and the degree threshold end clusters however small they are.  Where that leaves
 * many more of them than wanted, the thresholds are loosened. */
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

/* Drops repeated entries of rows that ascend. */
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

/* Rows of the model's predecessors, in any order and with repetitions. */
static void coarse_rows(const instance *m, int64_t *xpred, int32_t *pred)
{
    for (int32_t i = 0; i < m->set.count; i++)
        for (int64_t a = m->rows.xpred[i]; a < m->rows.xpred[i + 1]; a++)
            xpred[m->cluster[i] + 1] += m->cluster[m->rows.pred[a]] != m->cluster[i];
    for (int32_t c = 0; c < m->nvtx; c++)
        xpred[c + 1] += xpred[c];
    for (int32_t i = 0; i < m->set.count; i++) /* xpred[c] runs to the end of its row */
        for (int64_t a = m->rows.xpred[i]; a < m->rows.xpred[i + 1]; a++) {
            int32_t c = m->cluster[i], d = m->cluster[m->rows.pred[a]];
            if (c != d)
                pred[xpred[c]++] = d;
        }
    for (int32_t c = m->nvtx; c > 0; c--)
        xpred[c] = xpred[c - 1];
    xpred[0] = 0;
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
    clv_derive_transpose_rows(n, xpred, pred, NULL, xadj, adj, NULL);
    merge_parallel(n, xadj, adj);
    clv_derive_transpose_rows(n, xadj, adj, NULL, xpred, pred, NULL);
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

/* Sides for a and b > a threads want sizes as a : b.  The model knows equal sizes only: a
 * vertex without arcs, which is to lie with the smaller side and has the weight of what that
 * one is to have less, makes them equal.  How much both sides will have is not known: as large
 * a share of the set as the last layer took of its window. */
static int64_t weight_of_difference(const instance *m, int64_t total)
{
    int64_t a = m->side[0].count, b = m->side[1].count;
    int64_t difference = a > b ? a - b : b - a;
    return (int64_t)((double)total * m->s->mapped * (double)difference / (double)(a + b));
}

enum { weight_bits = 30 }; /* of the sum of all weights of a model, for any solver's sake */

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

/* Arrivals in memory for `room` of them (0: only counted).  The vertex that makes sides
 * unequal comes with some from the smaller side, to lie there. */
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
        return CLEAVE_OK; /* more than a model can say: it says nothing */
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

/* By the caller's solver or by ours; ours alone, and for so many steps per vertex and arc of
 * the model. */
static cleave_status solve(instance *m, bool ours, int32_t effort, cleave_error *err)
{
    const clv_graphopt_params *p = m->s->params;
    clv_two_way model = model_of(m);
    model.steps = effort * (m->g.nvtx + m->g.narc);
    clv_two_way_result result;
    m->part = clv_ws_alloc(m->s->ctx->ws, m->nvtx, sizeof *m->part);
    if (!m->part)
        return clv_fail_memory(err);
    return clv_two_way_call(&model, ours ? NULL : p->solver, p->solver_payload, m->s->ctx,
                            m->part, &result, err);
}

static cleave_status make_model(instance *m, clv_ws *ws, cleave_error *err)
{
    CLV_TRY(make_weights(m, ws, err));
    CLV_TRY(make_graph(m, ws, err));
    return make_arrivals(m, ws, err);
}

enum { fine_effort = 4 };

/* So many looks at the rows of the set are to come. */
static void count_arcs(const instance *m, int64_t looks)
{
    clv_context_count(m->s->ctx, looks * (m->rows.xpred[m->set.count] + m->set.count));
}

/* Clusters tie together what a solution would divide: on a wave front each one hangs on its
 * neighbour's, and the coarse graph has one source.  So the set itself is solved, too, in a
 * few steps per arc, and the better solution counts. */
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
    CLV_TRY(solve(&fine, true, fine_effort, err));
    clv_two_way model = model_of(&fine);
    bool coarse_wins =
        clv_two_way_objective(&model, projected) >= clv_two_way_objective(&model, fine.part);
    *m = fine;
    if (coarse_wins)
        m->part = projected;
    return CLEAVE_OK;
}

/* Out of time: all on one side, which is no division.  Returns whether that is so. */
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
    CLV_TRY(solve(m, false, m->s->params->effort, err));
    if (m->nclusters < m->set.count && !clv_context_stop(m->s->ctx))
        CLV_TRY(compare_fine(m, ws, err));
    /* Where the weight that makes sides unequal lies, there are fewer threads. */
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
