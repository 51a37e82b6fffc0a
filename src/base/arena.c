/* SPDX-License-Identifier: Apache-2.0 */
/* base/arena.c - checked arrays, arenas and workspaces on top of clv_sys_*. */
#include <string.h>
#include <sys/mman.h>

#include "base/mem.h"

static bool array_bytes(int64_t count, size_t each, size_t *bytes)
{
    if (count < 0 || (uint64_t)count > SIZE_MAX || !clv_mul_size((size_t)count, each, bytes))
        return false;
    if (*bytes == 0)
        *bytes = 1; /* so that NULL always means failure */
    return *bytes <= PTRDIFF_MAX;
}

void *clv_alloc(int64_t count, size_t each)
{
    size_t bytes;
    return array_bytes(count, each, &bytes) ? clv_sys_alloc(bytes) : NULL;
}

void *clv_zalloc(int64_t count, size_t each)
{
    size_t bytes;
    return array_bytes(count, each, &bytes) ? clv_sys_zalloc(bytes) : NULL;
}

void *clv_realloc(void *block, int64_t count, size_t each)
{
    size_t bytes;
    return array_bytes(count, each, &bytes) ? clv_sys_realloc(block, bytes) : NULL;
}

/* ---- Arena ----------------------------------------------------------------------- */

struct clv_arena_node {
    clv_arena_node *next;
    void *block;
    size_t mapped; /* bytes of a file mapping; 0: a block of clv_alloc */
};

static bool add_node(clv_arena *arena, void *block, size_t mapped)
{
    clv_arena_node *node = clv_alloc(1, sizeof *node);
    if (!node)
        return false;
    *node = (clv_arena_node){arena->blocks, block, mapped};
    arena->blocks = node;
    return true;
}

static void free_node(clv_arena_node *node)
{
    if (node->mapped)
        munmap(node->block, node->mapped);
    else
        clv_sys_free(node->block);
    clv_sys_free(node);
}

static void *adopt_or_free(clv_arena *arena, void *block)
{
    if (block && !add_node(arena, block, 0)) {
        clv_sys_free(block);
        return NULL;
    }
    return block;
}

void *clv_arena_alloc(clv_arena *arena, int64_t count, size_t each)
{
    return adopt_or_free(arena, clv_alloc(count, each));
}

void *clv_arena_zalloc(clv_arena *arena, int64_t count, size_t each)
{
    return adopt_or_free(arena, clv_zalloc(count, each));
}

bool clv_arena_adopt(clv_arena *arena, void *block)
{
    return add_node(arena, block, 0);
}

bool clv_arena_adopt_map(clv_arena *arena, void *address, size_t length)
{
    return add_node(arena, address, length);
}

void clv_arena_release(clv_arena *arena, void *block)
{
    for (clv_arena_node **link = &arena->blocks; *link; link = &(*link)->next) {
        if ((*link)->block == block) {
            clv_arena_node *node = *link;
            *link = node->next;
            free_node(node);
            return;
        }
    }
}

void clv_arena_move(clv_arena *to, clv_arena *from)
{
    clv_arena_node **end = &from->blocks;
    while (*end)
        end = &(*end)->next;
    *end = to->blocks;
    to->blocks = from->blocks;
    from->blocks = NULL;
}

void clv_arena_free(clv_arena *arena)
{
    /* The struct `arena` itself may be in one of its blocks. */
    clv_arena_node *node = arena->blocks;
    arena->blocks = NULL;
    while (node) {
        clv_arena_node *next = node->next;
        free_node(node);
        node = next;
    }
}

/* ---- Workspace ------------------------------------------------------------------- */

enum { ws_first_chunk = 64 * 1024, ws_align = 64 };

struct clv_ws_chunk {
    clv_ws_chunk *below;
    size_t size, used;
    char *data; /* aligned to a cache line */
};

static bool push_chunk(clv_ws *ws, size_t at_least)
{
    size_t size = ws->top ? 2 * ws->top->size : ws_first_chunk;
    if (size < at_least)
        size = at_least;
    if (size > PTRDIFF_MAX - 2 * ws_align)
        return false;
    clv_ws_chunk *chunk = clv_sys_alloc(sizeof *chunk + size + ws_align);
    if (!chunk)
        return false;
    uintptr_t data = (uintptr_t)(chunk + 1);
    data = (data + ws_align - 1) & ~(uintptr_t)(ws_align - 1);
    *chunk = (clv_ws_chunk){ws->top, size, 0, (char *)data};
    ws->top = chunk;
    return true;
}

void *clv_ws_alloc(clv_ws *ws, int64_t count, size_t each)
{
    size_t bytes;
    if (!array_bytes(count, each, &bytes))
        return NULL;
    bytes = (bytes + ws_align - 1) & ~(size_t)(ws_align - 1);
    if (!ws->top || ws->top->size - ws->top->used < bytes)
        if (!push_chunk(ws, bytes))
            return NULL;
    void *block = ws->top->data + ws->top->used;
    ws->top->used += bytes;
    return block;
}

void *clv_ws_zalloc(clv_ws *ws, int64_t count, size_t each)
{
    void *block = clv_ws_alloc(ws, count, each);
    if (block)
        memset(block, 0, (size_t)count * each);
    return block;
}

bool clv_ws_reserve(clv_ws *ws, int64_t bytes)
{
    size_t size;
    if (!array_bytes(bytes, 1, &size))
        return false;
    return (ws->top && ws->top->size - ws->top->used >= size) || push_chunk(ws, size);
}

clv_ws_mark clv_ws_save(const clv_ws *ws)
{
    return (clv_ws_mark){ws->top, ws->top ? ws->top->used : 0};
}

void clv_ws_restore(clv_ws *ws, clv_ws_mark mark)
{
    /* When the workspace becomes empty, the newest chunk is kept: it is the largest. */
    while (ws->top != mark.chunk) {
        clv_ws_chunk *chunk = ws->top;
        if (!mark.chunk && !chunk->below) {
            chunk->used = 0;
            return;
        }
        if (!mark.chunk && chunk->below) {
            clv_ws_chunk *below = chunk->below;
            chunk->below = below->below;
            clv_sys_free(below);
            continue;
        }
        ws->top = chunk->below;
        clv_sys_free(chunk);
    }
    if (ws->top)
        ws->top->used = mark.used;
}

void clv_ws_free(clv_ws *ws)
{
    while (ws->top) {
        clv_ws_chunk *below = ws->top->below;
        clv_sys_free(ws->top);
        ws->top = below;
    }
}
