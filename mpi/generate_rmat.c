/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/generate_rmat.c - distributed R-MAT graphs (generate/rmat.h).
 *
 * The ranks draw the edges twice.  The first pass counts the ends by bucket, a range of
 * vertices with the same leading bits.  Buckets are assigned to the ranks so that all have
 * about the same amount of data, because few vertices have most of the edges.  The second pass
 * sends each arc to the owner of its tail, into its bucket.  Buckets are sorted in place
 * [McIlroy, Bostic, McIlroy 1993: Engineering radix sort], duplicates are removed, and the
 * result is the rows.  Memory is 8 bytes per arc drawn. */
#include "generate/rmat.h"

#include "mpi/generate.h"

enum { batch_blocks = 2, most_bucket_bits = 16, insertion_limit = 48, digit_bits = 8 };

typedef struct sharing {
    clv_rmat draw;
    const clv_comm *comm;
    clv_team *team;
    clv_deal deal;
    int bucket_bits;
    int64_t *count; /* by bucket: its arcs; of all ranks */
    int64_t *first; /* by rank: its first vertex; size + 1 */
    uint64_t *key;  /* of a batch, as drawn */
    uint64_t *sent; /* arcs by rank */
    /* Of this rank: buckets first_bucket .. first_bucket + nbucket - 1. */
    int64_t first_bucket, nbucket;
    int64_t *begin; /* by bucket: its first arc; nbucket + 1 */
    int64_t *kept;  /* by bucket: position of the next arc, then the number of distinct arcs */
    uint64_t *arc;  /* tail << scale | head; in the end only heads */
    int64_t *xadj;
} sharing;

static int64_t bucket_of(const sharing *s, uint64_t vertex)
{
    return (int64_t)(vertex >> (s->draw.scale - s->bucket_bits));
}

static int64_t bucket_size(const sharing *s)
{
    return INT64_C(1) << (s->draw.scale - s->bucket_bits);
}

static uint64_t tail_of(const sharing *s, uint64_t arc)
{
    return arc >> s->draw.scale;
}

static uint64_t head_of(const sharing *s, uint64_t arc)
{
    return arc & ((UINT64_C(1) << s->draw.scale) - 1);
}

/* ---- Drawing ---------------------------------------------------------------------------- */

typedef struct batch {
    const sharing *s;
    int64_t block; /* the first one */
} batch;

static void draw_blocks(void *context, int64_t begin, int64_t end, int member)
{
    const batch *b = context;
    (void)member;
    for (int64_t i = begin; i < end; i++)
        clv_rmat_draw(&b->s->draw, b->block + i, b->s->key + i * CLV_RMAT_BLOCK);
}

/* Draws this rank's edges of a round; returns their number without self-loops, which are
 * dropped. */
static int64_t draw_round(const sharing *s, int64_t round)
{
    int blocks;
    batch b = {s, clv_deal_blocks(&s->deal, round, &blocks)};
    clv_parallel_for(s->team, blocks, 1, draw_blocks, &b);
    if (blocks == 0)
        return 0;
    int64_t n = s->draw.drawn - b.block * CLV_RMAT_BLOCK, kept = 0;
    if (n > (int64_t)blocks * CLV_RMAT_BLOCK)
        n = (int64_t)blocks * CLV_RMAT_BLOCK;
    for (int64_t i = 0; i < n; i++)
        if (tail_of(s, s->key[i]) != head_of(s, s->key[i]))
            s->key[kept++] = s->key[i];
    return kept;
}

static void count_arcs(const sharing *s)
{
    for (int64_t round = 0; round < clv_deal_rounds(&s->deal); round++) {
        int64_t n = draw_round(s, round);
        for (int64_t i = 0; i < n; i++) {
            s->count[bucket_of(s, tail_of(s, s->key[i]))]++;
            s->count[bucket_of(s, head_of(s, s->key[i]))]++;
        }
    }
    clv_comm_sum_all(s->comm, s->count, INT64_C(1) << s->bucket_bits);
}

/* ---- Ownership -------------------------------------------------------------------------- */

/* A vertex takes twice the memory of an arc in the end.  The range of a rank begins with the
 * bucket nearest to its share. */
static void choose_ranges(const sharing *s)
{
    int64_t buckets = INT64_C(1) << s->bucket_bits, size = bucket_size(s), sum = 0;
    int64_t total = 2 * size * buckets;
    for (int64_t b = 0; b < buckets; b++)
        total += s->count[b];
    clv_dist_even(total, s->comm->size, s->first); /* in units of memory */
    int r = 1;
    for (int64_t b = 0; b < buckets; b++) {
        int64_t weight = 2 * size + s->count[b];
        for (; r < s->comm->size && s->first[r] <= sum + weight / 2; r++)
            s->first[r] = b * size;
        sum += weight;
    }
    for (; r <= s->comm->size; r++)
        s->first[r] = buckets * size;
}

static cleave_status allocate_arcs(sharing *s, cleave_error *err)
{
    int me = s->comm->rank;
    s->first_bucket = s->first[me] / bucket_size(s);
    s->nbucket = s->first[me + 1] / bucket_size(s) - s->first_bucket;
    s->begin = clv_alloc(s->nbucket + 1, sizeof *s->begin);
    s->kept = clv_alloc(s->nbucket, sizeof *s->kept);
    if (s->begin && s->kept) {
        s->begin[0] = 0;
        for (int64_t b = 0; b < s->nbucket; b++) {
            s->begin[b + 1] = s->begin[b] + s->count[s->first_bucket + b];
            s->kept[b] = s->begin[b];
        }
        s->arc = clv_alloc(s->begin[s->nbucket], sizeof *s->arc);
    }
    return clv_comm_agree_memory(s->comm, s->begin && s->kept && s->arc, err);
}

/* ---- Distribution ----------------------------------------------------------------------- */

static void send_to_tails(const sharing *s, int64_t n)
{
    const int64_t *first = s->first;
    int size = s->comm->size;
    clv_deal_start(&s->deal);
    for (int64_t i = 0; i < n; i++) {
        s->deal.next[clv_dist_owner(first, size, (int64_t)tail_of(s, s->key[i]))]++;
        s->deal.next[clv_dist_owner(first, size, (int64_t)head_of(s, s->key[i]))]++;
    }
    clv_deal_place(&s->deal);
    for (int64_t i = 0; i < n; i++) {
        uint64_t tail = tail_of(s, s->key[i]), head = head_of(s, s->key[i]);
        s->sent[s->deal.next[clv_dist_owner(first, size, (int64_t)tail)]++] = s->key[i];
        s->sent[s->deal.next[clv_dist_owner(first, size, (int64_t)head)]++] =
            head << s->draw.scale | tail;
    }
}

static cleave_status deal_arcs(sharing *s, cleave_error *err)
{
    for (int64_t round = 0; round < clv_deal_rounds(&s->deal); round++) {
        clv_arrivals got;
        send_to_tails(s, draw_round(s, round));
        CLV_TRY(clv_deal_send(&s->deal, s->sent, sizeof *s->sent, &got, err));
        const uint64_t *arc = got.items;
        for (int64_t i = 0; i < got.count; i++)
            s->arc[s->kept[bucket_of(s, tail_of(s, arc[i])) - s->first_bucket]++] = arc[i];
        clv_arrivals_free(&got);
    }
    return CLEAVE_OK;
}

/* ---- Rows ------------------------------------------------------------------------------- */

/* Keys differ in their low `bits` bits only.  American flag sort: every misplaced key is
 * swapped into its bucket until one arrives that belongs at this position. */
static void sort_in_place(uint64_t *key, int64_t n, int bits)
{
    enum { digits = 1 << digit_bits };
    if (bits == 0)
        return;
    if (n <= insertion_limit) {
        clv_rmat_insertion_sort(key, n);
        return;
    }
    int shift = bits > digit_bits ? bits - digit_bits : 0;
    int64_t end[digits] = {0}, next[digits], sum = 0;
    for (int64_t i = 0; i < n; i++)
        end[key[i] >> shift & (digits - 1)]++;
    for (int d = 0; d < digits; d++) {
        next[d] = sum;
        end[d] = sum += end[d];
    }
    for (int d = 0; d < digits; d++)
        while (next[d] < end[d]) {
            uint64_t k = key[next[d]];
            for (int to; (to = (int)(k >> shift & (digits - 1))) != d;) {
                uint64_t swap = key[next[to]];
                key[next[to]++] = k;
                k = swap;
            }
            key[next[d]++] = k;
        }
    for (int d = 0; d < digits; d++) {
        int64_t begin = d > 0 ? end[d - 1] : 0;
        sort_in_place(key + begin, end[d] - begin, shift);
    }
}

/* Moves the distinct arcs of a bucket to its front. */
static void sort_buckets(void *context, int64_t first, int64_t last, int member)
{
    const sharing *s = context;
    (void)member;
    for (int64_t b = first; b < last; b++) {
        uint64_t *arc = s->arc + s->begin[b];
        int64_t n = s->begin[b + 1] - s->begin[b], kept = 0;
        sort_in_place(arc, n, 2 * s->draw.scale - s->bucket_bits);
        for (int64_t i = 0; i < n; i++)
            if (kept == 0 || arc[kept - 1] != arc[i])
                arc[kept++] = arc[i];
        s->kept[b] = kept;
    }
}

/* Moves the heads of all rows to the front. */
static void close_ranks(const sharing *s, int64_t own)
{
    uint64_t v0 = (uint64_t)s->first[s->comm->rank];
    int64_t to = 0, v = 0;
    for (int64_t b = 0; b < s->nbucket; b++)
        for (int64_t i = s->begin[b]; i < s->begin[b] + s->kept[b]; i++) {
            for (; v <= (int64_t)(tail_of(s, s->arc[i]) - v0); v++)
                s->xadj[v] = to;
            s->arc[to++] = head_of(s, s->arc[i]);
        }
    for (; v <= own; v++)
        s->xadj[v] = to;
}

static cleave_status make_rows(sharing *s, cleave_error *err)
{
    int64_t own = s->first[s->comm->rank + 1] - s->first[s->comm->rank];
    clv_parallel_for(s->team, s->nbucket, 16, sort_buckets, s);
    s->xadj = clv_alloc(own + 1, sizeof *s->xadj);
    CLV_TRY(clv_comm_agree_memory(s->comm, s->xadj != NULL, err));
    close_ranks(s, own);
    uint64_t *smaller = clv_realloc(s->arc, s->xadj[own], sizeof *s->arc);
    s->arc = smaller ? smaller : s->arc;
    return CLEAVE_OK;
}

/* ---- The generator ---------------------------------------------------------------------- */

static void free_scratch(sharing *s)
{
    clv_deal_close(&s->deal);
    clv_sys_free(s->count);
    clv_sys_free(s->key);
    clv_sys_free(s->sent);
    clv_sys_free(s->begin);
    clv_sys_free(s->kept);
}

static cleave_status share_arcs(sharing *s, cleave_error *err)
{
    int64_t most = (int64_t)batch_blocks * CLV_RMAT_BLOCK;
    CLV_TRY(clv_deal_open(&s->deal, s->comm, s->draw.nblock, batch_blocks, err));
    s->count = clv_zalloc(INT64_C(1) << s->bucket_bits, sizeof *s->count);
    s->first = clv_alloc(s->comm->size + 1, sizeof *s->first);
    s->key = clv_alloc(most, sizeof *s->key);
    s->sent = clv_alloc(2 * most, sizeof *s->sent);
    bool ok = s->count && s->first && s->key && s->sent;
    CLV_TRY(clv_comm_agree_memory(s->comm, ok, err));
    count_arcs(s);
    choose_ranges(s);
    CLV_TRY(allocate_arcs(s, err));
    return deal_arcs(s, err);
}

cleave_status clv_dist_generate_rmat(clv_dist_graph **out, const clv_comm *comm,
                                     clv_spec *spec, const clv_making *how, cleave_error *err)
{
    sharing s = {.draw.seed = how->seed, .comm = comm, .team = how->team};
    CLV_TRY(clv_comm_agree(comm, clv_rmat_read(&s.draw, spec, err), err));
    s.bucket_bits = s.draw.scale < most_bucket_bits ? s.draw.scale : most_bucket_bits;
    cleave_status status = share_arcs(&s, err);
    if (status == CLEAVE_OK)
        status = make_rows(&s, err);
    free_scratch(&s);
    clv_dist_rows rows = {.kind = CLEAVE_UNDIRECTED,
                          .first = s.first,
                          .xadj = s.xadj,
                          .adj = (int64_t *)s.arc,
                          .ncon = 1,
                          .trust = true};
    if (status == CLEAVE_OK)
        status = clv_dist_graph_make(out, comm, &rows, err);
    clv_dist_rows_free(&rows);
    clv_sys_free(s.first);
    return status;
}
