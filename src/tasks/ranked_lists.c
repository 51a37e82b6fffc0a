/* SPDX-License-Identifier: Apache-2.0 */
/* tasks/ranked_lists.c - list schedulers that insert tasks into gaps.
 *
 * HEFT and CPOP [Topcuoglu, Hariri, Wu 2002], HEFT with lookahead [Bittencourt, Sakellariou,
 * Madeira 2010], PEFT [Arabnejad, Barbosa 2014].  Mean durations and delays are means over all
 * PEs and over all pairs of different PEs. */
#include <math.h>

#include "tasks/list_methods.h"
#include "tasks/timeline.h"

enum { most_children = 12 }; /* that the lookahead places */

/* ---- HEFT ------------------------------------------------------------------------------ */

/* The tasks by upward rank, and an empty timeline. */
typedef struct ranked {
    clv_timeline l;
    int32_t *list;
    double *rank, *at;
} ranked;

static cleave_status open_ranked(ranked *r, const clv_tasks *x, clv_ws *ws, cleave_error *err)
{
    r->list = clv_ws_alloc(ws, x->ntasks, sizeof *r->list);
    r->rank = clv_ws_alloc(ws, x->ntasks, sizeof *r->rank);
    r->at = clv_ws_alloc(ws, x->npes, sizeof *r->at);
    if (!r->list || !r->rank || !r->at)
        return clv_fail_memory(err);
    CLV_TRY(clv_timeline_open(&r->l, x, ws, err));
    clv_tasks_upward_rank(x, true, r->rank);
    return clv_tasks_by_rank(x, r->rank, r->list, ws, err);
}

cleave_status clv_tasks_heft(const clv_tasks *x, clv_task_plan *plan, clv_ws *ws,
                             cleave_error *err)
{
    ranked r;
    CLV_TRY(open_ranked(&r, x, ws, err));
    for (int32_t i = 0; i < x->ntasks; i++)
        clv_timeline_place(&r.l, r.list[i], clv_timeline_best(&r.l, r.list[i], r.at));
    clv_timeline_plan(&r.l, plan);
    return CLEAVE_OK;
}

cleave_status clv_tasks_serial(const clv_tasks *x, clv_task_plan *plan, clv_ws *ws,
                               cleave_error *err)
{
    int32_t fastest = 0;
    (void)ws, (void)err;
    for (int32_t p = 1; p < x->npes; p++)
        fastest = x->speed[p] > x->speed[fastest] ? p : fastest;
    plan->makespan = 0;
    for (int32_t i = 0; i < x->ntasks; i++) {
        int32_t v = x->order[i];
        plan->pe[v] = fastest;
        plan->start[v] = plan->makespan;
        plan->makespan += x->work[v] / x->speed[fastest];
    }
    return CLEAVE_OK;
}

/* ---- Lookahead ------------------------------------------------------------------------- */

/* The children of v of highest rank, in descending order; returns their number. */
static int32_t first_children(const ranked *r, int32_t v, int32_t child[most_children])
{
    const clv_graph *g = r->l.x->g;
    int32_t count = 0;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int32_t c = g->adj[a], i;
        if (r->l.pe[c] >= 0) /* only where ranks tie */
            continue;
        if (count == most_children && r->rank[c] <= r->rank[child[count - 1]])
            continue;
        i = count < most_children ? count++ : most_children - 1;
        for (; i > 0 && r->rank[child[i - 1]] < r->rank[c]; i--)
            child[i] = child[i - 1];
        child[i] = c;
    }
    return count;
}

/* The latest finish of these children if v is in the slot and HEFT places them next; where v
 * has none, the finish of v. */
static double finish_of_children(ranked *r, int32_t v, clv_slot slot, int32_t count,
                                 const int32_t *child)
{
    clv_insertion undo[most_children + 1];
    double latest = count > 0 ? 0 : slot.finish;
    undo[0] = clv_timeline_try(&r->l, v, slot);
    for (int32_t i = 0; i < count; i++) {
        clv_slot best = clv_timeline_best(&r->l, child[i], r->at);
        undo[i + 1] = clv_timeline_try(&r->l, child[i], best);
        latest = best.finish > latest ? best.finish : latest;
    }
    for (int32_t i = count; i >= 0; i--)
        clv_timeline_undo(&r->l, undo[i]);
    return latest;
}

cleave_status clv_tasks_lookahead(const clv_tasks *x, clv_task_plan *plan, clv_ws *ws,
                                  cleave_error *err)
{
    ranked r;
    double *at = clv_ws_alloc(ws, x->npes, sizeof *at);
    if (!at)
        return clv_fail_memory(err);
    CLV_TRY(open_ranked(&r, x, ws, err));
    for (int32_t i = 0; i < x->ntasks; i++) {
        int32_t child[most_children], v = r.list[i], count = first_children(&r, v, child);
        clv_slot best = {0};
        double least = INFINITY;
        clv_timeline_arrivals(&r.l, v, at);
        for (int32_t p = 0; p < x->npes; p++) {
            clv_slot slot = clv_timeline_earliest(&r.l, p, at[p], x->work[v]);
            double latest = finish_of_children(&r, v, slot, count, child);
            if (latest < least || (latest == least && slot.finish < best.finish)) {
                least = latest;
                best = slot;
            }
        }
        clv_timeline_place(&r.l, v, best);
    }
    clv_timeline_plan(&r.l, plan);
    return CLEAVE_OK;
}

/* ---- CPOP ------------------------------------------------------------------------------ */

/* Marks the tasks of one critical path: from an entry of the highest priority on, the
 * successor on a longest path. */
static void mark_critical(const clv_tasks *x, const double *up, const double *priority,
                          bool *critical)
{
    const clv_graph *g = x->g;
    int32_t v = -1;
    for (int32_t i = 0; i < x->ntasks; i++)
        if (g->xpred[i] == g->xpred[i + 1] && (v < 0 || priority[i] > priority[v]))
            v = i;
    while (v >= 0) {
        int32_t next = -1;
        double longest = -1;
        critical[v] = true;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (x->spread * x->out[a] + up[g->adj[a]] > longest) {
                longest = x->spread * x->out[a] + up[g->adj[a]];
                next = g->adj[a];
            }
        v = next;
    }
}

cleave_status clv_tasks_cpop(const clv_tasks *x, clv_task_plan *plan, clv_ws *ws,
                             cleave_error *err)
{
    clv_timeline l;
    clv_task_heap ready;
    double *up = clv_ws_alloc(ws, x->ntasks, sizeof *up);
    double *priority = clv_ws_alloc(ws, x->ntasks, sizeof *priority);
    double *at = clv_ws_alloc(ws, x->npes, sizeof *at);
    bool *critical = clv_ws_zalloc(ws, x->ntasks, sizeof *critical);
    int32_t fastest = 0;
    if (!up || !priority || !at || !critical)
        return clv_fail_memory(err);
    CLV_TRY(clv_timeline_open(&l, x, ws, err));
    clv_tasks_upward_rank(x, true, up);
    clv_tasks_downward_rank(x, priority);
    for (int32_t v = 0; v < x->ntasks; v++)
        priority[v] += up[v];
    mark_critical(x, up, priority, critical);
    for (int32_t p = 1; p < x->npes; p++)
        fastest = x->speed[p] > x->speed[fastest] ? p : fastest;
    CLV_TRY(clv_task_heap_open(&ready, x, priority, ws, err));
    while (ready.count > 0) {
        int32_t v = clv_task_heap_pop(&ready);
        clv_slot slot = clv_timeline_best(&l, v, at);
        if (critical[v])
            slot = clv_timeline_earliest(&l, fastest, at[fastest], x->work[v]);
        clv_timeline_place(&l, v, slot);
        clv_task_heap_done(&ready, x, v);
    }
    clv_timeline_plan(&l, plan);
    return CLEAVE_OK;
}

/* ---- PEFT ------------------------------------------------------------------------------ */

/* table[v * npes + p]: the optimistic cost of what follows v on p: the longest path to the end
 * if every task on it has its best PE. */
static void fill_optimistic(const clv_tasks *x, double *table, double *rank)
{
    const clv_graph *g = x->g;
    int64_t n = x->npes;
    for (int32_t i = x->ntasks - 1; i >= 0; i--) {
        int32_t v = x->order[i];
        double *row = table + v * n, sum = 0;
        for (int32_t p = 0; p < n; p++)
            row[p] = 0;
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t c = g->adj[a];
            const double *child = table + c * n;
            double elsewhere = INFINITY;
            for (int32_t p = 0; p < n; p++)
                elsewhere = fmin(elsewhere, child[p] + x->work[c] / x->speed[p]);
            elsewhere += x->spread * x->out[a];
            for (int32_t p = 0; p < n; p++) {
                double path = fmin(child[p] + x->work[c] / x->speed[p], elsewhere);
                row[p] = path > row[p] ? path : row[p];
            }
        }
        for (int32_t p = 0; p < n; p++)
            sum += row[p];
        rank[v] = sum / (double)n;
    }
}

cleave_status clv_tasks_peft(const clv_tasks *x, clv_task_plan *plan, clv_ws *ws,
                             cleave_error *err)
{
    clv_timeline l;
    clv_task_heap ready;
    double *table = clv_ws_alloc(ws, (int64_t)x->ntasks * x->npes, sizeof *table);
    double *rank = clv_ws_alloc(ws, x->ntasks, sizeof *rank);
    double *at = clv_ws_alloc(ws, x->npes, sizeof *at);
    if (!table || !rank || !at)
        return clv_fail_memory(err);
    CLV_TRY(clv_timeline_open(&l, x, ws, err));
    fill_optimistic(x, table, rank);
    CLV_TRY(clv_task_heap_open(&ready, x, rank, ws, err));
    while (ready.count > 0) {
        int32_t v = clv_task_heap_pop(&ready);
        const double *row = table + (int64_t)v * x->npes;
        clv_slot best = {0};
        double least = INFINITY;
        clv_timeline_arrivals(&l, v, at);
        for (int32_t p = 0; p < x->npes; p++) {
            clv_slot slot = clv_timeline_earliest(&l, p, at[p], x->work[v]);
            if (slot.finish + row[p] < least) {
                least = slot.finish + row[p];
                best = slot;
            }
        }
        clv_timeline_place(&l, v, best);
        clv_task_heap_done(&ready, x, v);
    }
    clv_timeline_plan(&l, plan);
    return CLEAVE_OK;
}
