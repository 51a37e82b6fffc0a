/* SPDX-License-Identifier: Apache-2.0 */
/* evaluate/schedule_metrics.c - the metrics of a schedule. */
#include "evaluate/schedule_metrics.h"

#include <string.h>

#include "graph/topology.h"

/* All predecessors of a row and the rest of its work have equal weight; weights of tasks that
 * are not integers are rounded so that they add up to the weight of the row. */
static void split_weights(const clv_graph *g, const clv_schedule *s, int64_t *weight)
{
    int64_t taken = 0, before = 0;
    for (int32_t t = 0; t < s->ntasks; t++) {
        int32_t r = s->row[t];
        int64_t all = g->xpred[r + 1] - g->xpred[r] + 1, w = clv_graph_vwgt(g, r, 0);
        if (t == 0 || s->row[t - 1] != r)
            taken = before = 0;
        taken += s->share[t];
        bool last = t + 1 == s->ntasks || s->row[t + 1] != r;
        int64_t until = last ? w : w * taken / all;
        weight[t] = until - before;
        before = until;
    }
}

/* The weights of the rows or, if rows are split, of the tasks. */
static cleave_status task_weights(const clv_graph *g, const clv_schedule *s, clv_ws *ws,
                                  int64_t **weight, cleave_error *err)
{
    *weight = clv_ws_alloc(ws, s->ntasks, sizeof **weight);
    if (!*weight)
        return clv_fail_memory(err);
    if (s->row)
        split_weights(g, s, *weight);
    else
        for (int32_t v = 0; v < s->ntasks; v++)
            (*weight)[v] = clv_graph_vwgt(g, v, 0);
    return CLEAVE_OK;
}

static void sum_blocks(const clv_schedule *s, const int64_t *value, int64_t *sum)
{
    int64_t blocks = (int64_t)s->layers * s->threads;
    for (int64_t b = 0; b < blocks; b++) {
        sum[b] = 0;
        for (int64_t i = s->block[b]; i < s->block[b + 1]; i++)
            sum[b] += value[s->order[i]];
    }
}

cleave_status clv_evaluate_schedule_work(const clv_graph *g, const clv_schedule *s, clv_ws *ws,
                                         int64_t *work, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    int64_t *weight;
    CLV_TRY(task_weights(g, s, ws, &weight, err));
    sum_blocks(s, weight, work);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* ---- Arcs between threads ------------------------------------------------------------- */

/* reads[t]: arcs into task t from other threads.  holder[r]: the thread of row r's last task,
 * which has the row's value. */
static void count_reads(const clv_graph *g, const clv_schedule *s, const int32_t *holder,
                        int64_t *reads)
{
    int64_t next = 0; /* predecessors in the order of the rows, and of their tasks */
    for (int32_t t = 0; t < s->ntasks; t++) {
        int32_t r = s->row ? s->row[t] : t;
        int64_t end = s->row ? next + s->share[t] : g->xpred[r + 1];
        bool continues = s->row && t > 0 && s->row[t - 1] == r;
        reads[t] = continues && s->thread[t - 1] != s->thread[t];
        for (; next < end; next++)
            reads[t] += holder[g->pred[next]] != s->thread[t];
    }
}

cleave_status clv_evaluate_schedule_reads(const clv_graph *g, const clv_schedule *s,
                                          clv_ws *ws, int64_t *sum, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    int32_t *holder = clv_ws_alloc(ws, s->nrows, sizeof *holder);
    int64_t *reads = clv_ws_alloc(ws, s->ntasks, sizeof *reads);
    if (!holder || !reads)
        return clv_fail_memory(err);
    for (int32_t t = 0; t < s->ntasks; t++) /* the last task of a row stays */
        holder[s->row ? s->row[t] : t] = s->thread[t];
    count_reads(g, s, holder, reads);
    sum_blocks(s, reads, sum);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* ---- Sums over the layers ------------------------------------------------------------- */

static void add_layer(cleave_schedule_metrics *m, const clv_schedule *s,
                      const cleave_schedule_costs *costs, const int64_t *work,
                      const int64_t *reads)
{
    int64_t heaviest = 0;
    double longest = 0;
    for (int32_t t = 0; t < s->threads; t++) {
        double time = (double)work[t] + costs->read * (double)reads[t];
        longest = time > longest ? time : longest;
        heaviest = work[t] > heaviest ? work[t] : heaviest;
        m->work_total += work[t];
        m->crossing_edges += reads[t];
    }
    m->work_max += heaviest;
    m->cost += costs->sync + longest;
}

static int32_t count_used_threads(const clv_schedule *s, clv_ws *ws)
{
    char *used = clv_ws_zalloc(ws, s->threads, 1);
    int32_t count = 0;
    if (!used)
        return -1;
    for (int32_t t = 0; t < s->ntasks; t++) {
        count += !used[s->thread[t]];
        used[s->thread[t]] = 1;
    }
    return count;
}

static double ratio(double above, double below)
{
    return below > 0 ? above / below : 1;
}

static cleave_status compute_metrics(cleave_schedule_metrics *m, const clv_graph *g,
                                     const clv_schedule *s, const cleave_schedule_costs *costs,
                                     clv_ws *ws, cleave_error *err)
{
    int64_t blocks = (int64_t)s->layers * s->threads;
    int64_t *work = clv_ws_alloc(ws, blocks, sizeof *work);
    int64_t *reads = clv_ws_alloc(ws, blocks, sizeof *reads);
    int32_t *level = clv_ws_alloc(ws, g->nvtx, sizeof *level);
    m->threads_used = count_used_threads(s, ws);
    if (!work || !reads || !level || m->threads_used < 0)
        return clv_fail_memory(err);
    CLV_TRY(clv_topology_levels(g, CLEAVE_LEVELS_ALAP, ws, level, &m->levels, err));
    CLV_TRY(clv_evaluate_schedule_work(g, s, ws, work, err));
    CLV_TRY(clv_evaluate_schedule_reads(g, s, ws, reads, err));
    m->layers = s->layers;
    for (int32_t l = 0; l < s->layers; l++)
        add_layer(m, s, costs, work + (int64_t)l * s->threads,
                  reads + (int64_t)l * s->threads);
    m->cost_serial = g->nvtx > 0 ? (double)m->work_total + costs->sync : 0;
    m->predicted_speedup = ratio(m->cost_serial, m->cost);
    m->mean_parallelism = ratio((double)m->work_total, (double)m->work_max);
    return CLEAVE_OK;
}

cleave_status clv_evaluate_schedule_metrics(cleave_schedule_metrics *m, const clv_graph *g,
                                            const clv_schedule *s,
                                            const cleave_schedule_costs *costs, clv_ws *ws,
                                            cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    cleave_status status = compute_metrics(m, g, s, costs, ws, err);
    clv_ws_restore(ws, mark);
    return status;
}

cleave_status clv_evaluate_schedule(cleave_schedule_metrics *m, const clv_graph *g,
                                    const clv_schedule *s, const cleave_schedule_costs *costs,
                                    cleave_error *err)
{
    clv_ws ws = {0};
    cleave_status status = clv_evaluate_schedule_check(s, g, &ws, err);
    if (status == CLEAVE_OK)
        status = clv_evaluate_schedule_metrics(m, g, s, costs, &ws, err);
    clv_ws_free(&ws);
    return status;
}
