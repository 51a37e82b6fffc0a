/* SPDX-License-Identifier: Apache-2.0 */
/* run/tri_stream.h - the storage of a triangular solve: per thread one stream of numbers and
 * one of values, read from front to back.
 *
 * The code stream is a list of runs, each a kind, a count and a parameter, then the items:
 *   single    len, row, columns
 *   part      len, row, place, from, to, columns: a task of a split row.  from -1: the sum
 *             starts with b, else with carry[from]; to -1: the row ends here, else carry[to]
 *             keeps the sum
 *   four      four rows of `parameter` columns that do not depend on each other: 4 rows, base,
 *             columns of the four rows side by side.  Where a row has fewer, the column is
 *             place n, which always holds zero, and so is the value: s - 0 * 0 is s, bit for
 *             bit, whatever s is
 *   chain     four rows: len, 4 lengths, 4 rows, base, len columns of each side by side, then
 *             the remaining columns row by row; these may depend on the rows before
 *   chain_part  the same of tasks: 4 places, 4 from, 4 to after the base
 * Columns side by side count from the base, and where all of them fit they have 16 bits (the
 * kinds with `near`): a solve is as fast as memory delivers its streams.  A run ends with a
 * whole number.
 * and a run of kind `end` after each step.  The value stream has the values of the columns
 * and the diagonal, in the same order. */
#ifndef CLV_RUN_TRI_STREAM_H
#define CLV_RUN_TRI_STREAM_H

#include "run/tri_plan.h"

enum {
    clv_tri_end,
    clv_tri_single,
    clv_tri_part,
    clv_tri_four,
    clv_tri_four_near,
    clv_tri_chain,
    clv_tri_chain_near,
    clv_tri_chain_part,
    clv_tri_chain_part_near
};

/* Two of them in a number of the code stream. */
#if defined(__GNUC__) || defined(__clang__)
typedef uint16_t __attribute__((may_alias)) clv_tri_short;
#endif

typedef struct clv_tri_stream {
    int32_t *code;
    int64_t ncode, code_room;
    uint32_t *source; /* by value: its place in the caller's array, CLV_TRI_ONE or _ZERO */
    int64_t nvalue, value_room;
    void *value;         /* aligned to cache lines */
    int32_t first_place; /* of the thread's rows */
} clv_tri_stream;

/* Where a thread stands in its streams, and what it works on. */
typedef struct clv_tri_cursor {
    const int32_t *code;
    const void *value;
    int32_t place;
    void *x, *work, *carry;
    const void *b;
    bool far; /* x and b are too large for the caches near the processor */
} clv_tri_cursor;

/* A member among several of one thread. */
typedef struct clv_tri_strand {
    clv_tri_cursor cursor;
    int64_t step;
    uint64_t base;
} clv_tri_strand;

/* Where workers wait for each other. */
typedef struct clv_tri_gate {
    atomic_int arrived;
    atomic_uint opened; /* so often */
} clv_tri_gate;

struct clv_tri_plan {
    int32_t n;
    bool single, unit;
    bool any_machine; /* run the loops for any machine; tests set it */
    clv_run_sync sync;
    clv_tri_stream *stream; /* by member */
    int32_t *order;         /* row at place */
    int64_t *step_work;     /* by step of sync */
    int32_t ncarry;
    clv_tri_strand *strand;       /* by member, where threads have several */
    void *work, *carry;           /* x in plan order and a zero; sums of split rows */
    void *many_work, *many_carry; /* the same for clv_tri_columns right-hand sides */
    int32_t *place;               /* by row; made when it is needed first */
    bool has_place;
    clv_tri_gate gate;
    int64_t bytes;
    clv_arena arena; /* owns everything but the plan itself and the streams' arrays */
};

/* Runs one step. */
typedef void (*clv_tri_kernel)(clv_tri_cursor *c);

#endif
