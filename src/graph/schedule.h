/* SPDX-License-Identifier: Apache-2.0 */
/* graph/schedule.h - vertex -> (super layer, thread). */
#ifndef CLV_GRAPH_SCHEDULE_H
#define CLV_GRAPH_SCHEDULE_H

#include "graph/graph.h"

enum { clv_schedule_most_threads = 4096 };

typedef struct cleave_schedule clv_schedule;
struct cleave_schedule {
    int32_t ntasks, nrows; /* equal if no row is split */
    int32_t layers, threads;
    char method[16];
    const int32_t *layer, *thread; /* by task */
    const int32_t *order;          /* tasks in the order of execution */
    const int64_t *block;          /* layers * threads + 1: where in `order` a block starts */
    const int32_t *row;            /* by task, ascending; NULL: tasks are rows */
    const int32_t *share;          /* by task: number of predecessors of its row that it takes,
                                      after those of earlier tasks of the row; NULL likewise */
    clv_graph *tasks;              /* the DAG of the tasks, owned; NULL: tasks are rows, or the
                                      graph of the rows is unknown (schedule from a file) */
    clv_arena arena;               /* owns the arrays, not the schedule itself */
};

/* Every layer and thread has a block; an empty block takes no bytes in a file but does take
 * memory.  False: the number of blocks is out of proportion to the tasks; such schedules are
 * neither made nor read. */
static inline bool clv_schedule_is_plausible(int64_t ntasks, int64_t layers, int64_t threads)
{
    enum { harmless = 1 << 22, most_per_task = 256 };
    int64_t blocks = layers * threads;
    return blocks <= harmless || blocks / most_per_task <= ntasks;
}

/* What a schedule is made from. */
typedef struct clv_schedule_spec {
    const char *method;            /* that found it; the first 15 characters are kept */
    int32_t threads;               /* 1 .. clv_schedule_most_threads */
    const int32_t *layer, *thread; /* by task; empty layers are dropped */
    const int32_t *order;          /* tasks, block after block; NULL: not given */
} clv_schedule_spec;

static inline clv_schedule_spec clv_schedule_spec_of(const clv_schedule *s)
{
    return (clv_schedule_spec){s->method, s->threads, s->layer, s->thread, s->order};
}

/* A schedule of the vertices of g.  Blocks are sorted topologically, with the smallest number
 * first among ready vertices; spec->order is not used.  O(nvtx log nvtx + narc). */
cleave_status clv_schedule_new(clv_schedule **out, const clv_graph *g,
                               const clv_schedule_spec *spec, clv_ws *ws, cleave_error *err);
/* The same without a graph; without an order: ascending inside a block.  CLEAVE_EINVAL: a
 * layer or a thread is out of range, or there are too many blocks. */
cleave_status clv_schedule_given(clv_schedule **out, int32_t ntasks,
                                 const clv_schedule_spec *spec, clv_ws *ws, cleave_error *err);
/* Makes s, a schedule of `tasks`, one of nrows rows; on success s owns tasks. row (by task,
 * ascending) is copied. */
cleave_status clv_schedule_of_rows(clv_schedule *s, int32_t nrows, const int32_t *row,
                                   clv_graph *tasks, cleave_error *err);
void clv_schedule_free(clv_schedule *s);

#endif
