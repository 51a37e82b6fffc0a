/* SPDX-License-Identifier: Apache-2.0 */
/* refine/moves/dag_volume_moves.h - moves on a DAG and their gains in communication volume:
 * the tables of refine/moves/acyclic_volume.c. */
#ifndef CLV_REFINE_MOVES_DAG_VOLUME_MOVES_H
#define CLV_REFINE_MOVES_DAG_VOLUME_MOVES_H

#include "base/queue.h"
#include "refine/state/part_table.h"
#include "refine/state/partition_state.h"

typedef struct clv_dag_moves {
    clv_partition_state *s;
    clv_context *ctx;
    clv_part_table table; /* S(u); credit is the sum of the successors' numbers: with one
                             successor, it is that one */
    clv_heap queue;
    int32_t *label; /* nparts: rank -> part */
    /* While a vertex is evaluated: candidate parts, and what its predecessors would save
     * there. */
    int64_t *credit;   /* nparts */
    uint32_t *offered; /* nparts: stamp of the evaluation */
    uint32_t look;
    int32_t *offer; /* nparts */
    int32_t noffer;
    uint8_t *moved; /* nvtx: in this round, or fixed */
    int32_t *stale; /* vertices whose gains may have risen by the last moves */
    int32_t nstale;
    uint32_t *stamp; /* nvtx: the last moves that added it to stale */
    uint32_t now;
    int32_t *trail, *from; /* nvtx: the moves of this round */
    int32_t count;
    int64_t volume;
    int64_t hub;  /* limit on the readers that are updated */
    int64_t work; /* arcs scanned */
} clv_dag_moves;

typedef struct clv_dag_move {
    int32_t to; /* -1: none */
    int64_t volume, cut;
} clv_dag_move;

/* For a state with valid ranks.  The queue is empty, and nothing can move before
 * clv_dag_moves_unlock.  Memory comes from ctx->ws; the caller restores it. */
cleave_status clv_dag_moves_init(clv_dag_moves *x, clv_partition_state *s, clv_context *ctx,
                                 cleave_error *err);

/* Unlocks all but the fixed vertices. */
void clv_dag_moves_unlock(clv_dag_moves *x);

/* Computes x->volume; list has capacity for all vertices.  *whole: false when the context
 * stopped it.  False: out of memory, as below. */
bool clv_dag_moves_measure(clv_dag_moves *x, int32_t *list, bool *whole);

/* The best allowed move of v. */
bool clv_dag_moves_best(clv_dag_moves *x, int32_t v, clv_dag_move *best);

/* Inserts v into the queue, or updates its key, unless v has moved. */
bool clv_dag_moves_consider(clv_dag_moves *x, int32_t v);
int64_t clv_dag_move_key(const clv_dag_move *m);

/* Makes a move that clv_dag_moves_best has just found, as far as capacity allows, with the
 * inputs that move along.  `trail`, `volume` and the cut of s record the moves, `stale` lists
 * the vertices to evaluate again. */
void clv_dag_moves_move(clv_dag_moves *x, int32_t v, int32_t to);

/* Rolls back all but the first moves of the trail; `maybe_boundary` is valid afterwards. */
void clv_dag_moves_undo(clv_dag_moves *x, int32_t keep);

#endif
