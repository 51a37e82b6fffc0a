/* SPDX-License-Identifier: Apache-2.0 */
/* tasks/instance.h - task graphs on machines: when do tasks run, and on which PE?
 *
 * The model has no contention: task v on PE p takes work / speed, one task at a time per PE,
 * without interruption.  The data of an arc arrive at distance d after d (L + c / B): L is the
 * latency, B the bandwidth, c the weight of the arc.  Times are doubles; every function
 * computes finish = start + work / speed and arrival = finish + d * delay in this form, so
 * that a schedule is valid to the last bit wherever it is checked. */
#ifndef CLV_TASKS_INSTANCE_H
#define CLV_TASKS_INSTANCE_H

#include "target/task_problem.h"

typedef struct clv_tasks {
    const clv_graph *g;
    const clv_target *t;
    int32_t ntasks, npes; /* PEs that may be used; they are numbered from 0 here */
    const int32_t *pe;    /* npes, ascending: numbers in the target; none has speed 0 */
    const double *speed;  /* npes */
    const double *work;   /* ntasks */
    const double *in;     /* by entry of g->pred: delay at distance 1, L + c / B */
    const double *out;    /* the same by entry of g->adj */
    const int32_t *order; /* ntasks, a topological order */
    const int32_t *table; /* t->npes * t->npes distances, or NULL */
    bool flat;            /* all distances are 1 */
    double inverse;       /* mean of 1 / speed */
    double spread;        /* mean distance of two different PEs */
} clv_tasks;

/* A schedule in the making; arrays of ntasks entries. */
typedef struct clv_task_plan {
    int32_t *pe; /* as numbered in the instance */
    double *start;
    double makespan;
} clv_task_plan;

/* All PEs of t whose speed is not 0; arrays from ws.
 * CLEAVE_ERANGE: times might exceed the range of a double. */
cleave_status clv_tasks_open(clv_tasks *x, const clv_task_problem *problem, clv_ws *ws,
                             cleave_error *err);
/* The same tasks on the `count` fastest PEs, among equal ones those of lowest number. */
cleave_status clv_tasks_on_fastest(clv_tasks *x, const clv_tasks *all, int32_t count,
                                   clv_ws *ws, cleave_error *err);

static inline int32_t clv_tasks_distance(const clv_tasks *x, int32_t p, int32_t q)
{
    if (p == q)
        return 0;
    if (x->flat)
        return 1;
    if (x->table)
        return x->table[(int64_t)x->pe[p] * x->t->npes + x->pe[q]];
    return clv_target_distance(x->t, x->pe[p], x->pe[q]);
}

cleave_status clv_task_plan_alloc(clv_task_plan *plan, const clv_tasks *x, clv_ws *ws,
                                  cleave_error *err);
/* Copies a plan for x into one for the instance `all` that x is a part of. */
void clv_task_plan_copy(clv_task_plan *to, const clv_tasks *all, const clv_task_plan *from,
                        const clv_tasks *x);

/* rank[v]: longest path from the beginning of v to the end, with mean durations and, if
 * `data`, mean delays [the upward rank of Topcuoglu et al. 2002]. */
void clv_tasks_upward_rank(const clv_tasks *x, bool data, double *rank);
/* rank[v]: longest path to the beginning of v, in the same way. */
void clv_tasks_downward_rank(const clv_tasks *x, double *rank);
/* list: the tasks by descending rank, ties in topological order; it is a topological order
 * where ranks do not ascend along arcs. */
cleave_status clv_tasks_by_rank(const clv_tasks *x, const double *rank, int32_t *list,
                                clv_ws *ws, cleave_error *err);

/* ---- Ready tasks ------------------------------------------------------------------------ */

/* A heap of tasks with the largest key first; ties: the smallest number. */
typedef struct clv_task_heap {
    const double *key; /* by task */
    int32_t *item;     /* ntasks */
    int32_t count;
    int32_t *waiting; /* by task: predecessors that are not done */
} clv_task_heap;

/* The tasks without predecessors are in it. */
cleave_status clv_task_heap_open(clv_task_heap *h, const clv_tasks *x, const double *key,
                                 clv_ws *ws, cleave_error *err);
/* Removes the first task; count must not be 0. */
int32_t clv_task_heap_pop(clv_task_heap *h);
/* Adds the successors of v all of whose predecessors are done. */
void clv_task_heap_done(clv_task_heap *h, const clv_tasks *x, int32_t v);

#endif
