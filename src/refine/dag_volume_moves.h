/* SPDX-License-Identifier: Apache-2.0 */
/* refine/dag_volume_moves.h - moves of the vertices of a DAG, and what they do to the
 * communication volume: the tables and gains of refine/acyclic_volume.c. */
#ifndef CLV_REFINE_DAG_VOLUME_MOVES_H
#define CLV_REFINE_DAG_VOLUME_MOVES_H

#include "base/queue.h"
#include "refine/part_table.h"
#include "refine/partition_state.h"

typedef struct clv_dag_moves {
    clv_partition_state *s;
    clv_context *ctx;
    clv_part_table table; /* S(u); credit is the sum of the successors' numbers: when there is
                             one, it is that one */
    clv_heap queue;
    int32_t *label; /* nparts: rank -> part */
    /* While a vertex is looked at: parts to go to, and what its predecessors would keep there.
     */
    int64_t *credit;   /* nparts */
    uint32_t *offered; /* nparts: by which look */
    uint32_t look;
    int32_t *offer; /* nparts */
    int32_t noffer;
    uint8_t *moved; /* nvtx: in this round, or fixed */
    int32_t *stale; /* vertices whose gains may have risen with the last moves */
    int32_t nstale;
    uint32_t *stamp; /* nvtx: the last moves that put it into stale */
    uint32_t now;
    int32_t *trail, *from; /* nvtx: the moves of this round */
    int32_t count;
    int64_t volume;
    int64_t hub;  /* readers that are told at most */
    int64_t work; /* arcs looked at */
} clv_dag_moves;

typedef struct clv_dag_move {
    int32_t to; /* -1: none */
    int64_t volume, cut;
} clv_dag_move;

/* For a state with valid ranks; the queue is empty, and nothing may move before
 * clv_dag_moves_unlock.  Memory comes from ctx->ws and goes with the caller's restore. */
cleave_status clv_dag_moves_init(clv_dag_moves *x, clv_partition_state *s, clv_context *ctx,
                                 cleave_error *err);

/* All but the fixed vertices may move (again). */
void clv_dag_moves_unlock(clv_dag_moves *x);

/* Measures x->volume; list has room for all vertices.  *whole: false when the context said
 * stop before.  False: out of memory, as below. */
bool clv_dag_moves_measure(clv_dag_moves *x, int32_t *list, bool *whole);

/* The best allowed move of v. */
bool clv_dag_moves_best(clv_dag_moves *x, int32_t v, clv_dag_move *best);

/* Puts v into the queue, or brings its key up to date, unless v has moved. */
bool clv_dag_moves_consider(clv_dag_moves *x, int32_t v);
int64_t clv_dag_move_key(const clv_dag_move *m);

/* Makes a move that clv_dag_moves_best has just found, as far as there is room, with the
 * inputs that come along: `trail`, `volume` and the cut of s tell what was done, `stale` lists
 * the vertices to consider again. */
void clv_dag_moves_move(clv_dag_moves *x, int32_t v, int32_t to);

/* Takes back all but the first moves of the trail; `maybe_boundary` is right afterwards. */
void clv_dag_moves_undo(clv_dag_moves *x, int32_t keep);

#endif
