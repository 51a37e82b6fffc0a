/* SPDX-License-Identifier: Apache-2.0 */
/* generate/rmat.c - R-MAT graphs [Chakrabarti, Zhan, Faloutsos 2004]: every edge descends
 * through the quarters of the adjacency matrix, choosing them with probabilities a, b, c and d
 * = 1 - a - b - c.  Directions, duplicates and self-loops are dropped: there are fewer edges
 * than were drawn.
 *
 * An edge is a key (smaller vertex, larger vertex).  Keys are distributed to buckets by their
 * leading bits, each bucket is sorted by radix sort and its duplicates are removed; the
 * buckets, one after the other, are then the upper half of the rows.  O(edges drawn). */
#include "generate/rmat.h"

#include <string.h>

#include "base/rng.h"
#include "generate/assemble.h"
#include "generate/generate.h"

enum { most_slices = 256, digit_bits = 11, digits = 1 << digit_bits };

typedef struct rmat {
    clv_rmat draw;
    int64_t slice; /* blocks that are distributed together */
    int nslice, bucket_bits;
    uint64_t *key;   /* as drawn, later scratch */
    uint64_t *dealt; /* keys by bucket */
    int64_t *place;  /* by bucket, then slice: where the next key goes */
    int64_t *begin;  /* by bucket: its first key; one more at the end */
    int64_t *kept;   /* by bucket: number of different keys, later their prefix sums */
    int64_t *xup;    /* 2^scale + 1 */
    int32_t *up;
} rmat;

/* ---- Drawing ---------------------------------------------------------------------------- */

cleave_status clv_rmat_read(clv_rmat *r, clv_spec *spec, cleave_error *err)
{
    int64_t scale;
    double each, p[3] = {0.57, 0.19, 0.19}, sum = 0;
    CLV_TRY(clv_spec_whole(spec, "SCALE", 30, &scale, err));
    CLV_TRY(clv_spec_real(spec, "a number of EDGES_PER_VERTEX", 0, 1e300, &each, err));
    if (clv_spec_more(spec))
        for (int i = 0; i < 3; i++)
            CLV_TRY(clv_spec_real(spec, "a probability", 0, 1, &p[i], err));
    CLV_TRY(clv_spec_end(spec, err));
    CLV_TRY(clv_spec_edges(spec, each * (double)(INT64_C(1) << scale), err));
    for (int i = 0; i < 3; i++) {
        sum += p[i];
        r->bound[i] = (uint64_t)(sum * 0x1p32);
    }
    if (sum > 1 + 1e-9)
        return clv_spec_fail(spec, "A + B + C is more than 1", err);
    r->scale = (int)scale;
    r->drawn = (int64_t)(each * (double)(INT64_C(1) << scale));
    r->nblock = (r->drawn + CLV_RMAT_BLOCK - 1) / CLV_RMAT_BLOCK;
    return CLEAVE_OK;
}

static uint64_t draw_key(const clv_rmat *r, clv_rng *rng)
{
    uint64_t tail = 0, head = 0, bits = 0;
    for (int level = 0; level < r->scale; level++) {
        bits = level & 1 ? bits >> 32 : clv_rng_u64(rng);
        uint64_t x = bits & 0xffffffffu;
        unsigned quarter = (x >= r->bound[0]) + (x >= r->bound[1]) + (x >= r->bound[2]);
        tail = tail << 1 | quarter >> 1;
        head = head << 1 | (quarter & 1);
    }
    return tail < head ? tail << r->scale | head : head << r->scale | tail;
}

int32_t clv_rmat_draw(const clv_rmat *r, int64_t block, uint64_t *key)
{
    clv_rng rng = clv_rng_make(r->seed, CLV_STAGE_RMAT, 0, (uint64_t)block);
    int64_t left = r->drawn - block * CLV_RMAT_BLOCK;
    int32_t count = left < CLV_RMAT_BLOCK ? (int32_t)left : CLV_RMAT_BLOCK;
    for (int32_t i = 0; i < count; i++)
        key[i] = draw_key(r, &rng);
    return count;
}

/* ---- Distribution ----------------------------------------------------------------------- */

static int buckets(const rmat *r)
{
    return 1 << r->bucket_bits;
}

static int bucket_of(const rmat *r, uint64_t key)
{
    return (int)(key >> (2 * r->draw.scale - r->bucket_bits));
}

/* Draws the edges of the slices and counts them by bucket. */
static void draw_slices(void *context, int64_t first, int64_t last, int member)
{
    const rmat *r = context;
    int64_t nblock = r->draw.nblock;
    (void)member;
    for (int64_t s = first; s < last; s++) {
        int64_t end = (s + 1) * r->slice < nblock ? (s + 1) * r->slice : nblock;
        for (int64_t block = s * r->slice; block < end; block++) {
            uint64_t *key = r->key + block * CLV_RMAT_BLOCK;
            int32_t count = clv_rmat_draw(&r->draw, block, key);
            for (int32_t i = 0; i < count; i++)
                r->place[(int64_t)bucket_of(r, key[i]) * r->nslice + s]++;
        }
    }
}

static void deal_slices(void *context, int64_t first, int64_t last, int member)
{
    const rmat *r = context;
    int64_t each = r->slice * CLV_RMAT_BLOCK;
    (void)member;
    for (int64_t s = first; s < last; s++)
        for (int64_t i = s * each; i < (s + 1) * each && i < r->draw.drawn; i++) {
            uint64_t key = r->key[i];
            r->dealt[r->place[(int64_t)bucket_of(r, key) * r->nslice + s]++] = key;
        }
}

/* ---- Sorting ---------------------------------------------------------------------------- */

void clv_rmat_insertion_sort(uint64_t *key, int64_t n)
{
    for (int64_t i = 1; i < n; i++) {
        uint64_t k = key[i];
        int64_t j = i;
        for (; j > 0 && key[j - 1] > k; j--)
            key[j] = key[j - 1];
        key[j] = k;
    }
}

static void radix_pass(const uint64_t *from, uint64_t *to, int64_t n, int shift)
{
    int64_t count[digits] = {0}, sum = 0;
    for (int64_t i = 0; i < n; i++)
        count[from[i] >> shift & (digits - 1)]++;
    for (int d = 0; d < digits; d++) {
        int64_t c = count[d];
        count[d] = sum;
        sum += c;
    }
    for (int64_t i = 0; i < n; i++)
        to[count[from[i] >> shift & (digits - 1)]++] = from[i];
}

/* Sorts n keys that differ only in their low `bits` bits; returns the array with the result.
 */
static uint64_t *sort_keys(uint64_t *key, uint64_t *scratch, int64_t n, int bits)
{
    if (n <= 64) {
        clv_rmat_insertion_sort(key, n);
        return key;
    }
    for (int shift = 0; shift < bits; shift += digit_bits) {
        radix_pass(key, scratch, n, shift);
        uint64_t *swap = key;
        key = scratch;
        scratch = swap;
    }
    return key;
}

/* Sorts each bucket in `dealt`, and compacts it to its different keys without self-loops. */
static void sort_buckets(void *context, int64_t first, int64_t last, int member)
{
    const rmat *r = context;
    uint64_t low = (UINT64_C(1) << r->draw.scale) - 1;
    (void)member;
    for (int64_t b = first; b < last; b++) {
        int64_t begin = r->begin[b], n = r->begin[b + 1] - begin, kept = 0;
        uint64_t *to = r->dealt + begin;
        const uint64_t *key =
            sort_keys(to, r->key + begin, n, 2 * r->draw.scale - r->bucket_bits);
        for (int64_t i = 0; i < n; i++)
            if (key[i] >> r->draw.scale != (key[i] & low) &&
                (kept == 0 || to[kept - 1] != key[i]))
                to[kept++] = key[i];
        r->kept[b] = kept;
    }
}

/* A bucket contains whole rows: writes their offsets and their upper halves. */
static void emit_buckets(void *context, int64_t first, int64_t last, int member)
{
    const rmat *r = context;
    int64_t rows = INT64_C(1) << (r->draw.scale - r->bucket_bits);
    (void)member;
    for (int64_t b = first; b < last; b++) {
        const uint64_t *key = r->dealt + r->begin[b];
        int64_t i = 0, to = r->kept[b], n = r->kept[b + 1] - to;
        for (int64_t v = b * rows; v < (b + 1) * rows; v++) {
            for (; i < n && (int64_t)(key[i] >> r->draw.scale) == v; i++)
                r->up[to + i] = (int32_t)(key[i] & ((UINT64_C(1) << r->draw.scale) - 1));
            r->xup[v + 1] = to + i;
        }
    }
}

/* ---- The generator ---------------------------------------------------------------------- */

static cleave_status make_upper_half(rmat *r, clv_ws *ws, clv_team *team, cleave_error *err)
{
    int64_t places = (int64_t)buckets(r) * r->nslice;
    r->key = clv_ws_alloc(ws, r->draw.drawn, sizeof *r->key);
    r->dealt = clv_ws_alloc(ws, r->draw.drawn, sizeof *r->dealt);
    r->place = clv_ws_zalloc(ws, places, sizeof *r->place);
    r->begin = clv_ws_alloc(ws, buckets(r) + 1, sizeof *r->begin);
    r->kept = clv_ws_alloc(ws, buckets(r) + 1, sizeof *r->kept);
    if (!r->key || !r->dealt || !r->place || !r->begin || !r->kept)
        return clv_fail_memory(err);
    clv_parallel_for(team, r->nslice, 1, draw_slices, r);
    clv_prefix_sum(team, r->place, places);
    for (int b = 0; b < buckets(r); b++)
        r->begin[b] = r->nslice ? r->place[(int64_t)b * r->nslice] : 0;
    r->begin[buckets(r)] = r->draw.drawn;
    clv_parallel_for(team, r->nslice, 1, deal_slices, r);
    clv_parallel_for(team, buckets(r), 1, sort_buckets, r);
    r->kept[buckets(r)] = clv_prefix_sum(team, r->kept, buckets(r));
    r->xup = clv_ws_alloc(ws, (INT64_C(1) << r->draw.scale) + 1, sizeof *r->xup);
    r->up = clv_ws_alloc(ws, r->kept[buckets(r)], sizeof *r->up);
    if (!r->xup || !r->up)
        return clv_fail_memory(err);
    r->xup[0] = 0;
    clv_parallel_for(team, buckets(r), 1, emit_buckets, r);
    return CLEAVE_OK;
}

cleave_status clv_generate_rmat(clv_graph **out, clv_spec *spec, const clv_making *how,
                                cleave_error *err)
{
    rmat r = {.draw.seed = how->seed};
    CLV_TRY(clv_rmat_read(&r.draw, spec, err));
    int64_t nblock = r.draw.nblock;
    r.slice = (nblock + most_slices - 1) / most_slices;
    r.nslice = r.slice ? (int)((nblock + r.slice - 1) / r.slice) : 0;
    r.bucket_bits = r.draw.scale < 10 ? r.draw.scale : 10;
    clv_ws ws = {NULL};
    clv_rows rows;
    cleave_status status = make_upper_half(&r, &ws, how->team, err);
    if (status == CLEAVE_OK)
        status = clv_rows_mirrored(&rows, (int32_t)1 << r.draw.scale, r.xup, r.up, err);
    clv_ws_free(&ws);
    CLV_TRY(status);
    return clv_assemble(out, CLEAVE_UNDIRECTED, &rows, 0, NULL, err);
}
