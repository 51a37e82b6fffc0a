/* SPDX-License-Identifier: Apache-2.0 */
/* formats/vertex_ids.c - arbitrary numbers as vertices. */
#include "formats/vertex_ids.h"

#include <string.h>

#include "base/number.h"
#include "base/rng.h"
#include "base/sort.h"

/* Ids below small_limit are their own code; larger codes count the ids in the hash table.
 * Small ids are marked in bitmaps, by pages: a small number of distant ids must not take as
 * much memory as millions of consecutive ones. */
enum {
    small_limit = 1 << 28,
    most_large = 1 << 29,
    page_words = 1024,
    page_ids = 64 * page_words,
    npages = small_limit / page_ids
};

struct clv_id_page {
    uint64_t present[page_words]; /* bit: the id occurred */
    int32_t rank[page_words];     /* after finish: ids before each word */
};

static bool add_page(clv_vertex_ids *ids, int64_t number)
{
    if (!ids->page)
        ids->page = clv_zalloc(npages, sizeof(struct clv_id_page *));
    if (!ids->page)
        return false;
    ids->page[number] = clv_zalloc(1, sizeof(struct clv_id_page));
    return ids->page[number] != NULL;
}

/* The page of a small id; NULL: none of its ids occurred. */
static inline struct clv_id_page *page_of(const clv_vertex_ids *ids, int64_t id)
{
    return ids->page ? ids->page[id / page_ids] : NULL;
}

static int32_t find_slot(const clv_vertex_ids *ids, int64_t id)
{
    uint32_t mask = (uint32_t)ids->nslots - 1;
    uint32_t s = (uint32_t)clv_hash64((uint64_t)id) & mask;
    while (ids->slot[s] >= 0 && ids->large[ids->slot[s]] != id)
        s = (s + 1) & mask;
    return (int32_t)s;
}

static bool grow_table(clv_vertex_ids *ids)
{
    if (ids->nlarge >= most_large)
        return false;
    int32_t nslots = ids->nslots ? 2 * ids->nslots : 1024;
    int32_t *slot = clv_alloc(nslots, sizeof *slot);
    int64_t *large = clv_realloc(ids->large, nslots / 2, sizeof *large);
    if (large)
        ids->large = large;
    if (!slot || !large) {
        clv_sys_free(slot);
        return false;
    }
    clv_sys_free(ids->slot);
    ids->slot = slot;
    ids->nslots = nslots;
    ids->large_room = nslots / 2;
    for (int32_t s = 0; s < nslots; s++)
        slot[s] = -1;
    for (int32_t i = 0; i < ids->nlarge; i++)
        slot[find_slot(ids, ids->large[i])] = i;
    return true;
}

static bool code_large(clv_vertex_ids *ids, int64_t id, int32_t *code)
{
    if (ids->nlarge == ids->large_room && !grow_table(ids))
        return false;
    int32_t s = find_slot(ids, id);
    if (ids->slot[s] < 0) {
        ids->slot[s] = ids->nlarge;
        ids->large[ids->nlarge++] = id;
    }
    *code = small_limit + ids->slot[s];
    return true;
}

bool clv_vertex_ids_code(clv_vertex_ids *ids, int64_t id, int32_t *code)
{
    if (id < 0 || id >= small_limit)
        return code_large(ids, id, code);
    if (!page_of(ids, id) && !add_page(ids, id / page_ids))
        return false;
    page_of(ids, id)->present[id / 64 % page_words] |= (uint64_t)1 << (id % 64);
    *code = (int32_t)id;
    return true;
}

static int32_t rank_words(clv_vertex_ids *ids, int32_t first)
{
    for (int p = 0; ids->page && p < npages; p++)
        for (int w = 0; ids->page[p] && w < page_words; w++) {
            ids->page[p]->rank[w] = first;
            first += __builtin_popcountll(ids->page[p]->present[w]);
        }
    return first;
}

cleave_status clv_vertex_ids_finish(clv_vertex_ids *ids, cleave_error *err)
{
    int64_t n = ids->nlarge;
    ids->large_rank = clv_alloc(n, sizeof *ids->large_rank);
    clv_sort_item *items = clv_alloc(2 * n, sizeof *items);
    if (!ids->large_rank || !items) {
        clv_sys_free(items);
        return clv_fail_memory(err);
    }
    for (int64_t i = 0; i < n; i++)
        items[i] = (clv_sort_item){ids->large[i], {i}};
    const clv_sort_item *sorted = clv_sort(items, items + n, n);
    int32_t negative = 0;
    while (negative < n && sorted[negative].key < 0)
        negative++;
    int32_t above = rank_words(ids, negative) - negative;
    for (int32_t i = 0; i < n; i++)
        ids->large_rank[sorted[i].with.index] = i < negative ? i : above + i;
    ids->nvtx = above + ids->nlarge;
    clv_sys_free(items);
    return CLEAVE_OK;
}

int32_t clv_vertex_ids_number(const void *context, int32_t code)
{
    const clv_vertex_ids *ids = context;
    if (code >= small_limit)
        return ids->large_rank[code - small_limit];
    const struct clv_id_page *page = page_of(ids, code);
    int word = code / 64 % page_words;
    uint64_t before = page->present[word] & (((uint64_t)1 << (code % 64)) - 1);
    return page->rank[word] + __builtin_popcountll(before);
}

bool clv_vertex_ids_plain(const clv_vertex_ids *ids)
{
    if (ids->nlarge > 0)
        return false;
    if (ids->nvtx == 0)
        return true;
    int32_t last = ids->nvtx - 1; /* the ids are 0..last exactly if last is among them */
    const struct clv_id_page *page = last < small_limit ? page_of(ids, last) : NULL;
    return page && (page->present[last / 64 % page_words] >> (last % 64) & 1) &&
           clv_vertex_ids_number(ids, last) == last;
}

/* text NULL: offset[v] becomes the length of the name of v; otherwise the name is written at
 * offset[v]. */
static void lay_out_name(int64_t id, int32_t v, int64_t *offset, char *text)
{
    char digits[CLV_NUMBER_SPACE];
    size_t n = (size_t)(clv_print_i64(digits, id) - digits);
    digits[n] = '\0';
    if (text)
        memcpy(text + offset[v], digits, n + 1);
    else
        offset[v] = (int64_t)n + 1;
}

static void lay_out_page(const clv_vertex_ids *ids, int number, int64_t *offset, char *text)
{
    const struct clv_id_page *page = ids->page[number];
    for (int w = 0; page && w < page_words; w++)
        for (uint64_t bits = page->present[w]; bits; bits &= bits - 1) {
            int32_t code = number * page_ids + w * 64 + __builtin_ctzll(bits);
            lay_out_name(code, clv_vertex_ids_number(ids, code), offset, text);
        }
}

static void lay_out_names(const clv_vertex_ids *ids, int64_t *offset, char *text)
{
    for (int p = 0; ids->page && p < npages; p++)
        lay_out_page(ids, p, offset, text);
    for (int32_t i = 0; i < ids->nlarge; i++)
        lay_out_name(ids->large[i], ids->large_rank[i], offset, text);
}

cleave_status clv_vertex_ids_names(clv_names *names, const clv_vertex_ids *ids,
                                   clv_arena *arena, cleave_error *err)
{
    int64_t *offset = clv_arena_alloc(arena, (int64_t)ids->nvtx + 1, sizeof *offset);
    if (!offset)
        return clv_fail_memory(err);
    lay_out_names(ids, offset, NULL);
    int64_t total = 0;
    for (int32_t v = 0; v < ids->nvtx; v++) {
        int64_t length = offset[v];
        offset[v] = total;
        total += length;
    }
    offset[ids->nvtx] = total;
    char *text = clv_arena_alloc(arena, total, 1);
    if (!text)
        return clv_fail_memory(err);
    lay_out_names(ids, offset, text);
    *names = (clv_names){offset, text};
    return CLEAVE_OK;
}

void clv_vertex_ids_free(clv_vertex_ids *ids)
{
    for (int p = 0; ids->page && p < npages; p++)
        clv_sys_free(ids->page[p]);
    clv_sys_free(ids->page);
    clv_sys_free(ids->large);
    clv_sys_free(ids->slot);
    clv_sys_free(ids->large_rank);
    memset(ids, 0, sizeof *ids);
}
