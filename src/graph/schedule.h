/* SPDX-License-Identifier: Apache-2.0 */
/* graph/schedule.h - vertex -> (super layer, thread). */
#ifndef CLV_GRAPH_SCHEDULE_H
#define CLV_GRAPH_SCHEDULE_H

#include "graph/graph.h"

enum { clv_schedule_most_threads = 4096 };

typedef struct cleave_schedule clv_schedule;
struct cleave_schedule {
    int32_t ntasks, nrows; /* the same where no row is split */
    int32_t layers, threads;
    char method[16];
    const int32_t *layer, *thread; /* by task */
    const int32_t *order;          /* tasks in the order of execution */
    const int64_t *block;          /* layers * threads + 1: where in `order` a block begins */
    const int32_t *row;            /* by task, ascending; NULL: tasks are rows */
    const int32_t *share;          /* by task: how many of its row's predecessors it takes,
                                      after those of the row's earlier tasks; NULL likewise */
    clv_graph *tasks;              /* the DAG of the tasks, owned; NULL: tasks are rows, or the
                                      graph of the rows has not been seen (a file) */
    clv_arena arena;               /* owns the arrays, not the schedule itself */
};

/* A block for each layer and thread: without tasks they cost nothing in a file, but do in
 * memory.  False: they are out of proportion to the tasks.  No schedule has so many, whether
 * it is made or read. */
static inline bool clv_schedule_is_plausible(int64_t ntasks, int64_t layers, int64_t threads)
{
    enum { harmless = 1 << 22, most_per_task = 256 };
    int64_t blocks = layers * threads;
    return blocks <= harmless || blocks / most_per_task <= ntasks;
}

/* From layer and thread of each vertex of g; empty layers are left out, threads is kept.  The
 * order inside a block follows the arcs, smallest number first among those that are ready.
 * O(nvtx log nvtx + narc). */
cleave_status clv_schedule_new(clv_schedule **out, const clv_graph *g, const char *method,
                               int32_t threads, const int32_t *layer, const int32_t *thread,
                               clv_ws *ws, cleave_error *err);
/* The same without a graph; order NULL: ascending inside a block, else a permutation, block
 * after block.  CLEAVE_EINVAL: a layer or a thread is out of range, or there
 * are too many of both. */
cleave_status clv_schedule_given(clv_schedule **out, int32_t ntasks, const char *method,
                                 int32_t threads, const int32_t *layer, const int32_t *thread,
                                 const int32_t *order, clv_ws *ws, cleave_error *err);
/* s, a schedule of `tasks`, becomes one of nrows rows, and owns tasks on success.  row (by
 * task, ascending) is copied. */
cleave_status clv_schedule_of_rows(clv_schedule *s, int32_t nrows, const int32_t *row,
                                   clv_graph *tasks, cleave_error *err);
void clv_schedule_free(clv_schedule *s);

#endif
