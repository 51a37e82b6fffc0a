/* SPDX-License-Identifier: Apache-2.0 */
/* graph/edge_stream.c - collects edges in any order and builds rows.
 *
 * Blocks of 32-bit words.  A negative word  t starts a run of edges with tail t; each head
 * follows, in a weighted stream with its weight after it.  Sorted lists thus take one word per
 * edge, unsorted ones two. */
#include <assert.h>
#include <string.h>

#include "base/group.h"
#include "graph/build.h"

enum { first_words = 1 << 14, most_words = 1 << 20, longest_entry = 3 };

struct clv_edge_block {
    struct clv_edge_block *next;
    int32_t used, room; /* in words */
    int32_t word[];
};

void clv_edge_stream_init(clv_edge_stream *stream, bool weighted)
{
    *stream = (clv_edge_stream){.tail = -1, .max_vertex = -1, .weighted = weighted};
}

static bool add_block(clv_edge_stream *stream)
{
    int32_t room = stream->last ? 2 * stream->last->room : first_words;
    if (room > most_words)
        room = most_words;
    struct clv_edge_block *block =
        clv_alloc(1, sizeof *block + (size_t)room * sizeof block->word[0]);
    if (!block)
        return false;
    block->next = NULL;
    block->used = 0;
    block->room = room;
    if (stream->last)
        stream->last->next = block;
    else
        stream->first = block;
    stream->last = block;
    stream->tail = -1; /* every block starts with a new run */
    return true;
}

bool clv_edge_stream_add(clv_edge_stream *stream, int64_t count, const int32_t *tail,
                         const int32_t *head, const int32_t *weight)
{
    for (int64_t i = 0; i < count; i++) {
        int32_t t = tail[i], h = head[i];
        assert(t >= 0 && h >= 0);
        int32_t larger = t > h ? t : h;
        if (larger > stream->max_vertex)
            stream->max_vertex = larger;
        if (t == h) {
            stream->loops++;
            continue;
        }
        struct clv_edge_block *block = stream->last;
        if (!block || block->used > block->room - longest_entry) {
            if (!add_block(stream))
                return false;
            block = stream->last;
        }
        if (t != stream->tail) {
            block->word[block->used++] = ~t;
            stream->tail = t;
        }
        block->word[block->used++] = h;
        if (stream->weighted)
            block->word[block->used++] = weight[i];
        stream->count++;
    }
    return true;
}

void clv_edge_stream_renumber(clv_edge_stream *stream,
                              int32_t (*number)(const void *context, int32_t v),
                              const void *context)
{
    stream->max_vertex = -1;
    for (struct clv_edge_block *block = stream->first; block; block = block->next) {
        for (int32_t i = 0; i < block->used;) {
            int32_t *word = &block->word[i];
            bool starts_run = *word < 0;
            int32_t v = number(context, starts_run ? ~*word : *word);
            *word = starts_run ? ~v : v;
            if (v > stream->max_vertex)
                stream->max_vertex = v;
            i += starts_run || !stream->weighted ? 1 : 2;
        }
    }
    if (stream->tail >= 0)
        stream->tail = number(context, stream->tail);
}

static void free_first_block(clv_edge_stream *stream)
{
    struct clv_edge_block *block = stream->first;
    stream->first = block->next;
    if (!stream->first)
        stream->last = NULL;
    clv_sys_free(block);
}

void clv_edge_stream_free(clv_edge_stream *stream)
{
    while (stream->first)
        free_first_block(stream);
    clv_edge_stream_init(stream, stream->weighted);
}

/* In a shuffled graph accesses are scattered over memory: words are prefetched this far ahead.
 */
enum { ahead = 24 };

static inline int32_t vertex_of(int32_t word)
{
    return word < 0 ? ~word : word;
}

/* Adds the degrees of a block to degree. */
static void count_block(const struct clv_edge_block *block, int step, bool both,
                        int64_t *degree)
{
    int32_t tail = 0;
    for (int32_t i = 0; i < block->used;) {
        int32_t word = block->word[i];
        if (both && i + ahead < block->used)
            __builtin_prefetch(&degree[vertex_of(block->word[i + ahead])], 1);
        if (word < 0) {
            tail = ~word;
            i++;
            continue;
        }
        degree[tail]++;
        if (both)
            degree[word]++;
        i += step;
    }
}

/* Stores the edges of a block in the rows; fill[t] is the next free entry of row t. */
static void scatter_block(const struct clv_edge_block *block, bool both, int64_t *fill,
                          clv_rows *rows)
{
    int32_t *adj = rows->adj, *ewgt = rows->ewgt;
    int32_t tail = 0;
    for (int32_t i = 0; i < block->used;) {
        int32_t word = block->word[i++];
        if (word < 0) {
            tail = ~word;
            continue;
        }
        int32_t weight = ewgt ? block->word[i++] : 0;
        int64_t place = fill[tail]++;
        adj[place] = word;
        if (ewgt)
            ewgt[place] = weight;
        if (!both)
            continue;
        place = fill[word]++;
        adj[place] = tail;
        if (ewgt)
            ewgt[place] = weight;
    }
}

static cleave_status stream_rows(clv_rows *rows, clv_edge_stream *stream, bool both,
                                 cleave_error *err)
{
    /* Degrees are counted one entry ahead: xadj[t + 1] becomes the start of row t, and filling
     * the row moves it to the end of the row: the start of row t + 1. */
    int32_t nvtx = rows->nvtx;
    int64_t narc = both ? 2 * stream->count : stream->count;
    rows->xadj = clv_zalloc((int64_t)nvtx + 1, sizeof *rows->xadj);
    rows->adj = clv_alloc(narc, sizeof *rows->adj);
    if (stream->weighted)
        rows->ewgt = clv_alloc(narc, sizeof *rows->ewgt);
    if (!rows->xadj || !rows->adj || (stream->weighted && !rows->ewgt))
        return clv_fail_memory(err);
    for (struct clv_edge_block *block = stream->first; block; block = block->next)
        count_block(block, stream->weighted ? 2 : 1, both, rows->xadj + 1);
    clv_group_starts(rows->xadj, nvtx);
    while (stream->first) {
        scatter_block(stream->first, both, rows->xadj + 1, rows);
        free_first_block(stream);
    }
    rows->paired = both;
    return CLEAVE_OK;
}

cleave_status clv_edge_stream_rows(clv_rows *rows, clv_edge_stream *stream, int32_t nvtx,
                                   bool both, cleave_error *err)
{
    assert(nvtx > stream->max_vertex);
    memset(rows, 0, sizeof *rows);
    rows->nvtx = nvtx;
    cleave_status status = stream_rows(rows, stream, both, err);
    clv_edge_stream_free(stream);
    if (status != CLEAVE_OK)
        clv_rows_free(rows);
    return status;
}

cleave_status clv_edge_stream_graph(clv_graph **out, clv_edge_stream *stream, cleave_kind kind,
                                    clv_symmetrise symmetrise, int32_t nvtx,
                                    const cleave_csr *attributes, cleave_error *err)
{
    clv_build_rules rules = {.one_way = true, .drop_loops = true, .merge_duplicates = true};
    rules.symmetrise = stream->weighted ? symmetrise : CLV_SYMMETRISE_PATTERN;
    clv_rows rows;
    CLV_TRY(clv_edge_stream_rows(&rows, stream, nvtx, false, err));
    CLV_TRY(clv_build_graph(out, kind, &rows, &rules, NULL, err));
    return attributes ? clv_graph_set_attributes(*out, attributes, false, err) : CLEAVE_OK;
}
