/* SPDX-License-Identifier: Apache-2.0 */
/* run/tri_stream.h - the storage of a triangular solve: per thread one stream of codes and one
 * of values, read from front to back.
 *
 * The code stream is a list of runs: a clv_tri_run, then its items, each a header and columns.
 *   single    clv_tri_row_code, columns
 *   part      clv_tri_task_code, columns: a task of a split row
 *   four      clv_tri_four_code, `parameter` columns of each of the four rows interleaved. The
 *             rows do not depend on each other.  A shorter row is padded with column n, which
 *             always holds zero, and value zero: s - 0 * 0 is s, bit for bit, whatever s
 *   chain     clv_tri_chain_code, interleaved columns of the four rows, then the remaining
 *             columns row by row; these may depend on the rows before
 *   chain_part  clv_tri_chain_code, clv_tri_carry_code, the same columns: four tasks
 *   end       the end of a step
 * Interleaved columns are relative to the base, and have 16 bits if all of them fit (the kinds
 * with `near`): a solve is limited by the memory bandwidth for its streams.  The value stream
 * has the values of the columns and the diagonal, in the same order. */
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

/* ---- Headers in the code stream --------------------------------------------------------- */

typedef struct clv_tri_run {
    int32_t kind, count;
    int32_t parameter; /* of a run of fours: columns of each row; otherwise 0 */
} clv_tri_run;

typedef struct clv_tri_row_code {
    int32_t length, row;
} clv_tri_row_code;

typedef struct clv_tri_task_code {
    int32_t length, row, place;
    int32_t from; /* the sum starts with carry[from]; -1: with the right-hand side */
    int32_t to;   /* the sum is kept in carry[to]; -1: the row ends here */
} clv_tri_task_code;

typedef struct clv_tri_four_code {
    int32_t row[4], base;
} clv_tri_four_code;

typedef struct clv_tri_chain_code {
    int32_t shared;  /* interleaved columns of each row */
    int32_t rest[4]; /* by row: its remaining columns */
    int32_t row[4], base;
} clv_tri_chain_code;

typedef struct clv_tri_carry_code { /* of four tasks, as in clv_tri_task_code */
    int32_t place[4], from[4], to[4];
} clv_tri_carry_code;

/* The numbers of the code stream that a header takes. */
#define CLV_TRI_WORDS(header) ((int64_t)(sizeof(header) / sizeof(int32_t)))

/* Two of them per number of the code stream. */
#if defined(__GNUC__) || defined(__clang__)
typedef uint16_t __attribute__((may_alias)) clv_tri_short;
#endif

typedef struct clv_tri_stream {
    int32_t *code;
    int64_t ncode, code_room;
    uint32_t *source; /* by value: index in the caller's array, CLV_TRI_ONE or _ZERO */
    int64_t nvalue, value_room;
    void *value;         /* aligned to cache lines */
    int32_t first_place; /* position of the thread's first row */
} clv_tri_stream;

/* The position of a thread in its streams, and its vectors. */
typedef struct clv_tri_cursor {
    const int32_t *code;
    const void *value;
    int32_t place;
    void *x, *work, *carry;
    const void *b;
    bool far; /* x and b are larger than the inner caches */
} clv_tri_cursor;

/* The state of a member when a thread executes several. */
typedef struct clv_tri_strand {
    clv_tri_cursor cursor;
    int64_t step;
    uint64_t base;
} clv_tri_strand;

/* Barrier of the workers. */
typedef struct clv_tri_gate {
    atomic_int arrived;
    atomic_uint opened; /* number of times */
} clv_tri_gate;

struct clv_tri_plan {
    int32_t n;
    bool single, unit;
    bool any_machine; /* use the loops for any machine; for tests */
    clv_run_sync sync;
    clv_tri_stream *stream; /* by member */
    int32_t *order;         /* row by position */
    int64_t *step_work;     /* by step of sync */
    int32_t ncarry;
    clv_tri_strand *strand;       /* by member, if threads have several */
    void *work, *carry;           /* x in plan order and a zero; sums of split rows */
    void *many_work, *many_carry; /* the same for clv_tri_columns right-hand sides */
    int32_t *place;               /* position by row; computed on first use */
    bool has_place;
    clv_tri_gate gate;
    int64_t bytes;
    clv_arena arena; /* owns everything but the plan itself and the arrays of the streams */
};

/* Runs one step. */
typedef void (*clv_tri_kernel)(clv_tri_cursor *c);

#endif
