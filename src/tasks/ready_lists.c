/* SPDX-License-Identifier: Apache-2.0 */
/* tasks/ready_lists.c - list schedulers that choose among all pairs of a ready task and a PE.
 *
 * ETF [Hwang et al. 1989]: the pair of earliest start, ties by finish and static level.  DLS
 * [Sih, Lee 1993]: the largest static level minus start, plus how much faster than the mean
 * the PE is. Min-min, max-min and sufferage [Maheswaran et al. 1999]: the task whose earliest
 * finish is least, largest, or suffers most on the second best PE.  Tasks are appended.
 *
 * The best PE of a ready task is kept until a task is placed there: times on other PEs do not
 * change, and none becomes earlier.  Of very many ready tasks, only some of the highest static
 * level are candidates, so that the work is bounded. */
#include <math.h>

#include "tasks/list_methods.h"
#include "tasks/timeline.h"

typedef enum choice { etf, dls, minmin, maxmin, sufferage } choice;

typedef struct candidate {
    int32_t task, pe, second_pe; /* pe -1: unknown */
    double least, second;        /* start for ETF, otherwise finish */
    clv_slot slot;
} candidate;

typedef struct ready_list {
    clv_timeline l;
    clv_task_heap waiting; /* ready tasks that are not candidates */
    double *level, *at;    /* static level by task; scratch by PE */
    candidate *list;
    int32_t count, room;
    choice by;
} ready_list;

/* Finds the best and the second best PE. */
static void find_best(ready_list *r, candidate *c)
{
    const clv_tasks *x = r->l.x;
    c->pe = c->second_pe = -1;
    c->least = c->second = c->slot.finish = INFINITY;
    clv_timeline_arrivals(&r->l, c->task, r->at);
    for (int32_t p = 0; p < x->npes; p++) {
        double start = r->at[p] > r->l.end[p] ? r->at[p] : r->l.end[p];
        double finish = start + x->work[c->task] / x->speed[p];
        double value = r->by == etf ? start : finish;
        if (value < c->least || (value == c->least && finish < c->slot.finish)) {
            c->second = c->least;
            c->second_pe = c->pe;
            c->least = value;
            c->pe = p;
            c->slot = (clv_slot){p, -1, start, finish};
        } else if (value < c->second) {
            c->second = value;
            c->second_pe = p;
        }
    }
}

/* The candidate of the largest key is chosen, ties by the largest level. */
static double key_of(const ready_list *r, const candidate *c)
{
    const clv_tasks *x = r->l.x;
    switch (r->by) {
    case etf:
    case minmin:
        return -c->least;
    case maxmin:
        return c->least;
    case sufferage:
        return c->second_pe < 0 ? 0 : c->second - c->least;
    default:
        return r->level[c->task] + x->work[c->task] * x->inverse - c->least;
    }
}

static int32_t choose(const ready_list *r)
{
    int32_t best = 0;
    double most = key_of(r, &r->list[0]);
    for (int32_t i = 1; i < r->count; i++) {
        double key = key_of(r, &r->list[i]);
        int32_t v = r->list[i].task, u = r->list[best].task;
        if (key < most)
            continue;
        if (key > most || (r->by == etf && r->level[v] > r->level[u]) ||
            ((r->by != etf || r->level[v] == r->level[u]) && v < u)) {
            best = i;
            most = key;
        }
    }
    return best;
}

/* Ready tasks become candidates while there is room. */
static void refill(ready_list *r)
{
    while (r->count < r->room && r->waiting.count > 0) {
        candidate *c = &r->list[r->count++];
        c->task = clv_task_heap_pop(&r->waiting);
        find_best(r, c);
    }
}

static void place_all(ready_list *r)
{
    for (refill(r); r->count > 0; refill(r)) {
        int32_t i = choose(r), v = r->list[i].task, p = r->list[i].pe;
        clv_timeline_place(&r->l, v, r->list[i].slot);
        r->list[i] = r->list[--r->count];
        clv_task_heap_done(&r->waiting, r->l.x, v);
        for (i = 0; i < r->count; i++)
            if (r->list[i].pe == p || (r->by == sufferage && r->list[i].second_pe == p))
                find_best(r, &r->list[i]);
    }
}

static int32_t candidates_for(const clv_tasks *x)
{
    int64_t room = (INT64_C(1) << 31) / ((int64_t)x->npes * (x->ntasks + 1));
    return (int32_t)(room < 8 ? 8 : room > 4096 ? 4096 : room);
}

static cleave_status list_ready(const clv_tasks *x, choice by, clv_task_plan *plan, clv_ws *ws,
                                cleave_error *err)
{
    ready_list r = {.by = by, .room = candidates_for(x)};
    r.level = clv_ws_alloc(ws, x->ntasks, sizeof *r.level);
    r.at = clv_ws_alloc(ws, x->npes, sizeof *r.at);
    r.list = clv_ws_alloc(ws, r.room, sizeof *r.list);
    if (!r.level || !r.at || !r.list)
        return clv_fail_memory(err);
    CLV_TRY(clv_timeline_open(&r.l, x, ws, err));
    clv_tasks_upward_rank(x, false, r.level);
    CLV_TRY(clv_task_heap_open(&r.waiting, x, r.level, ws, err));
    place_all(&r);
    clv_timeline_plan(&r.l, plan);
    return CLEAVE_OK;
}

cleave_status clv_tasks_etf(const clv_tasks *x, clv_task_plan *plan, clv_ws *ws,
                            cleave_error *err)
{
    return list_ready(x, etf, plan, ws, err);
}

cleave_status clv_tasks_dls(const clv_tasks *x, clv_task_plan *plan, clv_ws *ws,
                            cleave_error *err)
{
    return list_ready(x, dls, plan, ws, err);
}

cleave_status clv_tasks_minmin(const clv_tasks *x, clv_task_plan *plan, clv_ws *ws,
                               cleave_error *err)
{
    return list_ready(x, minmin, plan, ws, err);
}

cleave_status clv_tasks_maxmin(const clv_tasks *x, clv_task_plan *plan, clv_ws *ws,
                               cleave_error *err)
{
    return list_ready(x, maxmin, plan, ws, err);
}

cleave_status clv_tasks_sufferage(const clv_tasks *x, clv_task_plan *plan, clv_ws *ws,
                                  cleave_error *err)
{
    return list_ready(x, sufferage, plan, ws, err);
}
