/* SPDX-License-Identifier: Apache-2.0 */
/* evaluate/task_metrics.c - is a schedule of a task graph valid, and how long is it?
 *
 * finish = start + work / speed and arrival = finish + d (L + c / B) are computed in doubles,
 * in this form, and compared exactly. */
#include "evaluate/task_metrics.h"

#include <math.h>
#include <string.h>

#include "base/sort.h"

typedef struct evaluation {
    const clv_graph *g;
    const clv_target *t;
    const clv_task_schedule *s;
    double bandwidth, latency;
    double *finish; /* by task */
} evaluation;

static cleave_status check_pes(const evaluation *e, cleave_error *err)
{
    const clv_task_schedule *s = e->s;
    if (e->g->kind != CLEAVE_DAG)
        return clv_fail(err, CLEAVE_EINVAL,
                        "a schedule is of a DAG, but the graph is undirected");
    if (s->ntasks != e->g->nvtx)
        return clv_fail(err, CLEAVE_EINVAL,
                        "the schedule has %ld tasks, but the graph has %ld vertices",
                        (long)s->ntasks, (long)e->g->nvtx);
    for (int32_t v = 0; v < s->ntasks; v++) {
        if (s->pe[v] >= e->t->npes)
            return clv_fail(err, CLEAVE_EINVAL,
                            "task %ld is on PE %ld, but the target has %ld PEs", (long)v,
                            (long)s->pe[v], (long)e->t->npes);
        if (!(clv_target_speed_of(e->t, s->pe[v]) > 0))
            return clv_fail(err, CLEAVE_EINVAL, "task %ld is on PE %ld, whose speed is 0",
                            (long)v, (long)s->pe[v]);
    }
    return CLEAVE_OK;
}

static cleave_status check_arrivals(const evaluation *e, cleave_task_metrics *m,
                                    cleave_error *err)
{
    const clv_graph *g = e->g;
    const clv_task_schedule *s = e->s;
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
            int32_t u = g->pred[a];
            double arrival = e->finish[u];
            if (s->pe[u] != s->pe[v]) {
                double delay = e->latency + (double)clv_graph_pwgt(g, a) / e->bandwidth;
                delay = clv_target_distance(e->t, s->pe[u], s->pe[v]) * delay;
                arrival += delay;
                m->sent += delay;
            }
            if (!(s->start[v] >= arrival))
                return clv_fail(err, CLEAVE_EINVAL,
                                "task %ld starts at %.17g, before the data of task %ld are "
                                "there at %.17g",
                                (long)v, s->start[v], (long)u, arrival);
        }
    return CLEAVE_OK;
}

/* The position of a time >= 0 among all doubles. */
static int64_t bits_of(double time)
{
    int64_t bits;
    time += 0.0; /* -0 becomes 0 */
    memcpy(&bits, &time, sizeof bits);
    return bits;
}

/* Stable sorts by finish, by start and by PE. */
static cleave_status check_overlaps(const evaluation *e, cleave_task_metrics *m, clv_ws *ws,
                                    cleave_error *err)
{
    int32_t n = e->g->nvtx;
    clv_sort_item *items = clv_ws_alloc(ws, n, sizeof *items);
    clv_sort_item *spare = clv_ws_alloc(ws, n, sizeof *spare);
    if (!items || !spare)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < n; v++)
        items[v] = (clv_sort_item){bits_of(e->finish[v]), {v}};
    for (int by = 0; by < 2; by++) {
        clv_sort_item *sorted = clv_sort(items, spare, n);
        for (int32_t i = 0; i < n; i++) {
            int64_t v = sorted[i].with.index;
            items[i].key = by == 0 ? bits_of(e->s->start[v]) : e->s->pe[v];
            items[i].with.index = v;
        }
    }
    const clv_sort_item *sorted = clv_sort(items, spare, n);
    for (int32_t i = 0; i < n; i++) {
        int64_t v = sorted[i].with.index;
        if (i == 0 || sorted[i].key != sorted[i - 1].key) {
            m->pes_used++;
            continue;
        }
        int64_t u = sorted[i - 1].with.index;
        if (!(e->finish[u] <= e->s->start[v]))
            return clv_fail(err, CLEAVE_EINVAL,
                            "tasks %ld and %ld overlap on PE %ld: one ends at %.17g, the "
                            "other starts at %.17g",
                            (long)u, (long)v, (long)e->s->pe[v], e->finish[u], e->s->start[v]);
    }
    return CLEAVE_OK;
}

static void find_serial(const evaluation *e, cleave_task_metrics *m)
{
    double fastest = 0;
    for (int32_t p = 0; p < e->t->npes; p++)
        fastest = fmax(fastest, clv_target_speed_of(e->t, p));
    m->serial = 0;
    for (int32_t v = 0; v < e->g->nvtx; v++)
        m->serial += (double)clv_graph_vwgt(e->g, v, 0) / fastest;
}

static cleave_status evaluate_all(evaluation *e, cleave_task_metrics *m, clv_ws *ws,
                                  cleave_error *err)
{
    CLV_TRY(check_pes(e, err));
    e->finish = clv_ws_alloc(ws, e->g->nvtx, sizeof *e->finish);
    if (!e->finish)
        return clv_fail_memory(err);
    m->makespan = m->sent = 0;
    m->pes_used = 0;
    for (int32_t v = 0; v < e->g->nvtx; v++) {
        double work = (double)clv_graph_vwgt(e->g, v, 0);
        e->finish[v] = e->s->start[v] + work / clv_target_speed_of(e->t, e->s->pe[v]);
        m->makespan = fmax(m->makespan, e->finish[v]);
    }
    CLV_TRY(check_arrivals(e, m, err));
    CLV_TRY(check_overlaps(e, m, ws, err));
    find_serial(e, m);
    return CLEAVE_OK;
}

cleave_status clv_evaluate_tasks(cleave_task_metrics *m, const clv_task_problem *problem,
                                 const clv_task_schedule *s, clv_ws *ws, cleave_error *err)
{
    evaluation e = {.g = problem->g,
                    .t = problem->t,
                    .s = s,
                    .bandwidth = problem->bandwidth,
                    .latency = problem->latency};
    clv_ws_mark mark = clv_ws_save(ws);
    cleave_status status = evaluate_all(&e, m, ws, err);
    clv_ws_restore(ws, mark);
    return status;
}
