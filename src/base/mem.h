/* SPDX-License-Identifier: Apache-2.0 */
/* base/mem.h - memory management of the library.
 *
 * Three layers. clv_sys_*: the only callers of malloc; a program that links the static library
 * can replace these four functions (the tests do, to make the n-th call fail). clv_arena: owns
 * memory that lives as long as an object or a coarsening level, and frees it as a whole.
 * clv_ws: the scratch stack of a thread, for memory that is not needed after the function
 * returns.  The owner of the arena or workspace frees it, so that an inner `return status;`
 * never leaks. */
#ifndef CLV_BASE_MEM_H
#define CLV_BASE_MEM_H

#include <stdbool.h>

#include "base/status.h"

/* ---- The system's allocator (base/mem.c), replaceable at link time ---------------- */
void *clv_sys_alloc(size_t bytes);                /* NULL on failure; bytes > 0 */
void *clv_sys_zalloc(size_t bytes);               /* the same, zeroed */
void *clv_sys_realloc(void *block, size_t bytes); /* block may be NULL */
void clv_sys_free(void *block);                   /* NULL is fine */

/* ---- Checked arithmetic ---------------------------------------------------------- */
static inline bool clv_mul_size(size_t a, size_t b, size_t *product)
{
    return !__builtin_mul_overflow(a, b, product);
}
static inline bool clv_add_i64(int64_t a, int64_t b, int64_t *sum)
{
    return !__builtin_add_overflow(a, b, sum);
}
static inline bool clv_mul_i64(int64_t a, int64_t b, int64_t *product)
{
    return !__builtin_mul_overflow(a, b, product);
}

/* The greatest common divisor; of 0 and a number, that number. */
static inline int64_t clv_common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* count * each bytes, or NULL if that overflows or memory is exhausted; never NULL for count
 * 0. */
void *clv_alloc(int64_t count, size_t each);
void *clv_zalloc(int64_t count, size_t each);
/* Grows or shrinks an array; on failure NULL, and the old block stays valid. */
void *clv_realloc(void *block, int64_t count, size_t each);

/* ---- Arena ----------------------------------------------------------------------- */
typedef struct clv_arena_node clv_arena_node;
typedef struct clv_arena {
    clv_arena_node *blocks; /* zero-initialise: an empty arena */
} clv_arena;

/* Each call is a separate block (arrays are large), aligned for any type. */
void *clv_arena_alloc(clv_arena *arena, int64_t count, size_t each);
void *clv_arena_zalloc(clv_arena *arena, int64_t count, size_t each);
/* Transfers `block` (from clv_alloc) to the arena.  False on failure: the caller still owns
 * it. */
bool clv_arena_adopt(clv_arena *arena, void *block);
/* Transfers a file mapping to the arena, which unmaps it. */
bool clv_arena_adopt_map(clv_arena *arena, void *address, size_t length);
/* Frees one block early; it must have come from this arena (searched from the newest). */
void clv_arena_release(clv_arena *arena, void *block);
/* Transfers everything that `from` owns to `to`.  O(blocks of from). */
void clv_arena_move(clv_arena *to, clv_arena *from);
/* Frees everything and leaves an empty arena. */
void clv_arena_free(clv_arena *arena);

/* ---- Workspace ------------------------------------------------------------------- */
typedef struct clv_ws_chunk clv_ws_chunk;
typedef struct clv_ws {
    clv_ws_chunk *top; /* zero-initialise: an empty workspace */
} clv_ws;
typedef struct clv_ws_mark {
    clv_ws_chunk *chunk;
    size_t used;
} clv_ws_mark;

void *clv_ws_alloc(clv_ws *ws, int64_t count, size_t each);
void *clv_ws_zalloc(clv_ws *ws, int64_t count, size_t each);
/* Reserves one contiguous chunk for the next allocations, up to that many bytes.  If the
 * maximum height of the stack is known, its pages are thus touched only once. */
bool clv_ws_reserve(clv_ws *ws, int64_t bytes);
clv_ws_mark clv_ws_save(const clv_ws *ws);
/* Releases everything allocated since the mark; one chunk is kept for reuse. */
void clv_ws_restore(clv_ws *ws, clv_ws_mark mark);
void clv_ws_free(clv_ws *ws);

#endif
