/* SPDX-License-Identifier: Apache-2.0 */
/* run/run_sync.c - waits between threads, as few as the schedule allows.
 *
 * All three kinds become lists of the form "thread q has finished so many layers".  With p2p a
 * block needs what it reads; with stale, everything up to the last layer that any block of its
 * layer reads; with a barrier, everything before its layer.  A need is dropped if the thread
 * has already waited for at least as much, or for a thread that had done so: `known` of a
 * block is how far every thread is guaranteed to be when the block starts. */
#include "run/run_sync.h"

#include <string.h>

#include "base/threads.h"

static const char *const sync_names[] = {"auto", "barrier", "p2p", "stale"};

cleave_status clv_sync_parse(clv_sync *sync, const char *name, cleave_error *err)
{
    if (!name || !*name)
        name = "auto";
    for (int i = 0; i < 4; i++)
        if (strcmp(name, sync_names[i]) == 0) {
            *sync = (clv_sync)i;
            return CLEAVE_OK;
        }
    return clv_fail(err, CLEAVE_EINVAL,
                    "sync is \"%s\"; expected one of auto, barrier, p2p, stale", name);
}

const char *clv_sync_name(clv_sync sync)
{
    return sync_names[sync];
}

void clv_run_sync_wait_long(const clv_sync_counter *c, uint64_t count, int spins)
{
    for (int i = 0; i < spins; i++) {
        if (atomic_load_explicit(&c->done, memory_order_acquire) >= count)
            return;
        clv_pause();
    }
    double since = 0;
    while (atomic_load_explicit(&c->done, memory_order_acquire) < count)
        clv_thread_wait(&since);
}

/* State while the lists are built.  Threads are numbered as members; a row of `known` has
 * `threads` entries: numbers of finished layers. */
typedef struct builder {
    const clv_schedule *s;
    const clv_sync_reads *reads;
    const int32_t *member;
    int32_t threads;
    bool history;   /* known is kept for all blocks, otherwise one row per member */
    int32_t *known; /* after the waits of the block */
    int32_t *last;  /* by layer and member: last layer + 1 up to here with work, or 0 */
    int32_t *need;  /* of the current block, by member */
    int32_t *stale; /* by layer: last layer + 1 that any of its blocks reads from */
    clv_sync_wait *wait;
    int32_t nwait;
    int32_t *wait_begin; /* by layer and member */
} builder;

static int32_t *known_at(const builder *b, int32_t layer, int32_t p)
{
    int64_t row = b->history ? (int64_t)layer * b->threads + p : p;
    return b->known + row * b->threads;
}

static void raise_to(int32_t *to, const int32_t *from, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        if (to[i] < from[i])
            to[i] = from[i];
}

/* The layers that must be finished before the block, by member, according to the kind. */
static void find_needs(builder *b, clv_sync kind, int32_t layer, int32_t thread)
{
    memset(b->need, 0, sizeof *b->need * (size_t)b->threads);
    if (kind == CLV_SYNC_P2P) {
        int64_t block = (int64_t)layer * b->s->threads + thread;
        for (int64_t r = b->reads->xread[block]; r < b->reads->xread[block + 1]; r++)
            b->need[b->member[b->reads->read[r].thread]] = b->reads->read[r].layers;
        return;
    }
    int32_t before = kind == CLV_SYNC_STALE ? b->stale[layer] : layer;
    if (before > 0)
        memcpy(b->need, b->last + (int64_t)(before - 1) * b->threads,
               sizeof *b->need * (size_t)b->threads);
}

/* Adds a wait for member q.  After it, all that q had waited for is also finished. */
static void add_wait(builder *b, int32_t *known, int32_t q)
{
    b->wait[b->nwait++] = (clv_sync_wait){q, b->need[q]};
    if (b->history)
        raise_to(known, known_at(b, b->need[q] - 1, q), b->threads);
    if (known[q] < b->need[q])
        known[q] = b->need[q];
}

/* Does a wait for another member make the one for q unnecessary? */
static bool is_implied(const builder *b, const int32_t *known, int32_t q)
{
    if (!b->history)
        return false;
    for (int32_t r = 0; r < b->threads; r++)
        if (r != q && b->need[r] > known[r] && known_at(b, b->need[r] - 1, r)[q] >= b->need[q])
            return true;
    return false;
}

static void find_waits(builder *b, clv_sync kind, int32_t layer, int32_t thread)
{
    int32_t p = b->member[thread], *known = known_at(b, layer, p);
    if (b->history && layer > 0)
        memcpy(known, known_at(b, layer - 1, p), sizeof *known * (size_t)b->threads);
    b->wait_begin[(int64_t)layer * b->threads + p] = b->nwait;
    int64_t block = (int64_t)layer * b->s->threads + thread;
    if (b->s->block[block] == b->s->block[block + 1])
        return;
    find_needs(b, kind, layer, thread);
    b->need[p] = 0;
    for (int32_t q = 0; q < b->threads; q++)
        if (b->need[q] > known[q] && !is_implied(b, known, q))
            add_wait(b, known, q);
    known[p] = layer + 1;
}

/* The waits of all blocks, layer by layer; returns their number. */
static int64_t all_waits(builder *b, clv_sync kind)
{
    int64_t blocks = (int64_t)b->s->layers * b->threads;
    memset(b->known, 0,
           sizeof *b->known * (size_t)(b->history ? blocks : b->threads) * (size_t)b->threads);
    b->nwait = 0;
    for (int32_t l = 0; l < b->s->layers; l++)
        for (int32_t t = 0; t < b->s->threads; t++)
            if (b->member[t] >= 0)
                find_waits(b, kind, l, t);
    b->wait_begin[blocks] = b->nwait;
    return b->nwait;
}

static void fill_last(builder *b)
{
    for (int32_t l = 0; l < b->s->layers; l++) {
        int32_t *row = b->last + (int64_t)l * b->threads;
        for (int32_t t = 0; t < b->s->threads; t++) {
            int64_t block = (int64_t)l * b->s->threads + t;
            bool work = b->s->block[block] < b->s->block[block + 1];
            int32_t p = b->member[t];
            if (p >= 0)
                row[p] = work ? l + 1 : l > 0 ? row[p - b->threads] : 0;
            for (int64_t r = b->reads->xread[block]; r < b->reads->xread[block + 1]; r++)
                if (b->stale[l] < b->reads->read[r].layers)
                    b->stale[l] = b->reads->read[r].layers;
        }
    }
}

/* Marks the blocks that another thread waits for. */
static void mark_posts(const builder *b, bool *post)
{
    for (int32_t w = 0; w < b->nwait; w++)
        post[(int64_t)(b->wait[w].layers - 1) * b->threads + b->wait[w].thread] = true;
}

/* Steps of one member: a block joins the step before it if it has no waits and no thread waits
 * for that step. step NULL: only counts. */
static int64_t member_steps(const builder *b, const bool *post, int32_t p, clv_sync_step *step)
{
    int64_t count = 0;
    bool open = false;
    for (int32_t l = 0; l < b->s->layers; l++) {
        int64_t at = (int64_t)l * b->threads + p;
        if (b->last[at] != l + 1)
            continue;
        int32_t begin = b->wait_begin[at], end = b->wait_begin[at + 1];
        if (!open || begin < end) {
            if (step)
                step[count] =
                    (clv_sync_step){.first = l, .wait_begin = begin, .wait_end = end};
            count++;
        }
        if (step) {
            step[count - 1].last = l;
            step[count - 1].post = post[at];
        }
        open = !post[at];
    }
    return count;
}

static cleave_status make_steps(clv_run_sync *sync, const builder *b, clv_arena *arena,
                                clv_ws *ws, cleave_error *err)
{
    bool *post = clv_ws_zalloc(ws, (int64_t)b->s->layers * b->threads, sizeof *post);
    int64_t *xstep = clv_arena_alloc(arena, b->threads + 1, sizeof *xstep);
    if (!post || !xstep)
        return clv_fail_memory(err);
    mark_posts(b, post);
    xstep[0] = 0;
    for (int32_t p = 0; p < b->threads; p++)
        xstep[p + 1] = xstep[p] + member_steps(b, post, p, NULL);
    clv_sync_step *step = clv_arena_alloc(arena, xstep[b->threads], sizeof *step);
    clv_sync_wait *wait = clv_arena_alloc(arena, b->nwait, sizeof *wait);
    if (!step || !wait)
        return clv_fail_memory(err);
    for (int32_t p = 0; p < b->threads; p++)
        member_steps(b, post, p, step + xstep[p]);
    memcpy(wait, b->wait, sizeof *wait * (size_t)b->nwait);
    sync->xstep = xstep;
    sync->step = step;
    sync->wait = wait;
    sync->waits = b->nwait;
    return CLEAVE_OK;
}

/* Numbers the threads that have work; at least one member. */
static int32_t *number_members(clv_run_sync *sync, const clv_schedule *s, clv_arena *arena)
{
    int32_t *member = clv_arena_alloc(arena, s->threads, sizeof *member);
    if (!member)
        return NULL;
    sync->threads = 0;
    for (int32_t t = 0; t < s->threads; t++) {
        member[t] = -1;
        for (int32_t l = 0; l < s->layers && member[t] < 0; l++) {
            int64_t block = (int64_t)l * s->threads + t;
            if (s->block[block] < s->block[block + 1])
                member[t] = sync->threads++;
        }
    }
    if (sync->threads == 0)
        sync->threads = 1;
    sync->member = member;
    return member;
}

static clv_sync_counter *make_counters(int32_t threads, clv_arena *arena)
{
    enum { line = 128 };
    char *raw =
        clv_arena_zalloc(arena, (int64_t)(threads + 1) * (int64_t)sizeof(clv_sync_counter), 1);
    if (!raw)
        return NULL;
    clv_sync_counter *c =
        (clv_sync_counter *)(((uintptr_t)raw + line - 1) & ~(uintptr_t)(line - 1));
    for (int32_t i = 0; i < threads; i++)
        atomic_init(&c[i].done, 0);
    return c;
}

/* Upper bound: the reads of blocks, or all other threads before each block with work. */
static int64_t most_waits(const builder *b, clv_sync kind)
{
    int64_t blocks = (int64_t)b->s->layers * b->s->threads, working = 0;
    if (kind == CLV_SYNC_P2P)
        return b->reads->xread[blocks];
    for (int64_t k = 0; k < blocks; k++)
        working += b->s->block[k] < b->s->block[k + 1];
    return working * (b->threads - 1);
}

static bool builder_open(builder *b, const clv_run_sync *sync, const clv_sync_reads *reads,
                         clv_ws *ws)
{
    enum { most_history = 1 << 23 };
    const clv_schedule *s = reads->s;
    int64_t blocks = (int64_t)s->layers * sync->threads;
    *b = (builder){.s = s, .reads = reads, .member = sync->member, .threads = sync->threads};
    b->history = blocks * sync->threads <= most_history;
    b->known = clv_ws_alloc(ws, (b->history ? blocks : sync->threads) * sync->threads,
                            sizeof *b->known);
    b->last = clv_ws_alloc(ws, blocks, sizeof *b->last);
    b->need = clv_ws_alloc(ws, sync->threads, sizeof *b->need);
    b->stale = clv_ws_zalloc(ws, s->layers, sizeof *b->stale);
    b->wait = clv_ws_alloc(ws, most_waits(b, sync->kind), sizeof *b->wait);
    b->wait_begin = clv_ws_alloc(ws, blocks + 1, sizeof *b->wait_begin);
    return b->known && b->last && b->need && b->stale && b->wait && b->wait_begin;
}

cleave_status clv_run_sync_new(clv_run_sync *sync, const clv_sync_reads *reads, clv_sync kind,
                               clv_arena *arena, clv_ws *ws, cleave_error *err)
{
    enum { many_spins = 200, few_spins = 20 };
    const clv_schedule *s = reads->s;
    clv_ws_mark mark = clv_ws_save(ws);
    builder b;
    *sync = (clv_run_sync){.kind = kind, .layers = s->layers};
    /* p2p never has more waits than the others: its needs are a subset of theirs. */
    if (kind == CLV_SYNC_AUTO)
        sync->kind = CLV_SYNC_P2P;
    if (!number_members(sync, s, arena) || !builder_open(&b, sync, reads, ws))
        return clv_fail_memory(err);
    if (most_waits(&b, sync->kind) > INT32_MAX)
        return clv_fail(err, CLEAVE_ERANGE, "%d layers on %d threads have too many waits",
                        s->layers, sync->threads);
    fill_last(&b);
    all_waits(&b, sync->kind);
    CLV_TRY(make_steps(sync, &b, arena, ws, err));
    sync->spins = sync->threads <= clv_processors() ? many_spins : few_spins;
    sync->counter = make_counters(sync->threads, arena);
    clv_ws_restore(ws, mark);
    return sync->counter ? CLEAVE_OK : clv_fail_memory(err);
}
