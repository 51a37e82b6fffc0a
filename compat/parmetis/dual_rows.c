/* SPDX-License-Identifier: Apache-2.0 */
/* compat/parmetis/dual_rows.c - the dual graph of a mesh: elements that share nodes.
 *
 * A rank processes its elements in batches.  It requests the element lists of the batch's
 * nodes from their owners, counts in a hash table how often each other element occurs in the
 * lists of one element's nodes, and keeps those that occur often enough.  Batches are a small
 * part of a rank's elements, and owners answer one rank after the other: where nodes have up
 * to a few dozen elements the lists take no more than the rank's share of the mesh, even if
 * the elements of a rank are scattered. */
#include "parlayer.h"

enum { batches = 16, least_batch = 1 << 10 };

typedef struct batch {
    int64_t begin, end; /* elements */
    /* The requests of this rank: nodes by owner and ascending, each once. */
    int64_t *want_first;
    idx_t *want, *want_length;
    int64_t *list_first; /* by requested node, and the end */
    idx_t *list;
    int64_t *at; /* by node of an element: its index among the requested ones */
    /* The requests to this rank. */
    int64_t *asked_first;
    idx_t *asked, *asked_length;
    idx_t *answer;
} batch;

typedef struct dual {
    const cp_ranks *ranks;
    const cp_mesh *mesh;
    cp_elements elements;
    cp_nodes nodes;
    /* Hash table, empty between elements; slots is a power of two. */
    int64_t slots;
    idx_t *key, *count;
    int64_t *used;
    /* The graph. */
    idx_t *xadj, *adjncy;
    int64_t narc, room;
} dual;

/* ---- A batch ----------------------------------------------------------------------- */

/* Frees the data of a batch; the offsets by rank stay. */
static void batch_clear(batch *b)
{
    cp_free(b->want);
    cp_free(b->want_length);
    cp_free(b->list_first);
    cp_free(b->list);
    cp_free(b->at);
    cp_free(b->asked);
    cp_free(b->asked_length);
    cp_free(b->answer);
    b->want = b->want_length = b->list = NULL;
    b->asked = b->asked_length = b->answer = NULL;
    b->list_first = b->at = NULL;
}

static void choose_end(const dual *d, batch *b)
{
    int64_t count = d->elements.count / batches;
    count = count < least_batch ? least_batch : count;
    b->begin = b->end;
    b->end = b->end + count < d->elements.count ? b->end + count : d->elements.count;
}

/* Sorts the nodes of each owner and drops duplicates. */
static void drop_duplicates(batch *b, int size)
{
    int64_t to = 0, begin = 0;
    for (int r = 0; r < size; r++) {
        int64_t end = b->want_first[r + 1], start = to;
        cp_sort(b->want + begin, end - begin);
        for (int64_t i = begin; i < end; i++)
            if (to == start || b->want[to - 1] != b->want[i])
                b->want[to++] = b->want[i];
        b->want_first[r] = start;
        begin = end;
    }
    b->want_first[size] = to;
}

static int fill_wants(const dual *d, batch *b)
{
    const idx_t *node = d->elements.node;
    int64_t begin = d->elements.first[b->begin], end = d->elements.first[b->end];
    int size = d->ranks->size;
    int64_t *first = b->want_first;
    b->want = cp_alloc(end - begin, sizeof *b->want);
    b->want_length = cp_alloc(end - begin, sizeof *b->want_length);
    b->list_first = cp_alloc(end - begin + 1, sizeof *b->list_first);
    b->at = cp_alloc(end - begin, sizeof *b->at);
    if (!b->want || !b->want_length || !b->list_first || !b->at)
        return METIS_ERROR_MEMORY;
    for (int r = 0; r <= size; r++)
        first[r] = 0;
    for (int64_t i = begin; i < end; i++)
        first[cp_node_owner(node[i], size) + 1]++;
    for (int r = 0; r < size; r++)
        first[r + 1] += first[r];
    for (int64_t i = begin; i < end; i++)
        b->want[first[cp_node_owner(node[i], size)]++] = node[i];
    for (int r = size; r > 0; r--)
        first[r] = first[r - 1];
    first[0] = 0;
    drop_duplicates(b, size);
    return METIS_OK;
}

/* ---- Requests and replies ----------------------------------------------------------- */

static int64_t length_at(const cp_nodes *nodes, int64_t n)
{
    return nodes->first[n + 1] - nodes->first[n];
}

/* Sends the requested nodes; asked becomes the positions of their lists. */
static int request_lengths(const dual *d, batch *b)
{
    const cp_ranks *ranks = d->ranks;
    cp_tell_counts(ranks, b->want_first, b->asked_first);
    int64_t count = b->asked_first[ranks->size];
    b->asked = cp_alloc(count, sizeof *b->asked);
    b->asked_length = cp_alloc(count, sizeof *b->asked_length);
    int status = cp_agree(ranks, b->asked && b->asked_length ? METIS_OK : METIS_ERROR_MEMORY);
    if (status != METIS_OK)
        return status;
    cp_exchange(ranks, b->want, b->want_first, b->asked, b->asked_first, sizeof *b->want);
    for (int64_t i = 0; i < count; i++) {
        int64_t n = cp_nodes_find(&d->nodes, b->asked[i]);
        b->asked[i] = (idx_t)n;
        b->asked_length[i] = (idx_t)length_at(&d->nodes, n);
    }
    cp_exchange(ranks, b->asked_length, b->asked_first, b->want_length, b->want_first,
                sizeof *b->want_length);
    return METIS_OK;
}

static int64_t answer_length(const batch *b, int rank)
{
    int64_t length = 0;
    for (int64_t i = b->asked_first[rank]; i < b->asked_first[rank + 1]; i++)
        length += b->asked_length[i];
    return length;
}

static int make_room(const dual *d, batch *b)
{
    int size = d->ranks->size;
    int64_t longest = 0;
    b->list_first[0] = 0;
    for (int64_t i = 0; i < b->want_first[size]; i++)
        b->list_first[i + 1] = b->list_first[i] + b->want_length[i];
    for (int r = 0; r < size; r++) {
        int64_t length = answer_length(b, r);
        longest = length > longest ? length : longest;
    }
    b->list = cp_alloc(b->list_first[b->want_first[size]], sizeof *b->list);
    b->answer = cp_alloc(longest, sizeof *b->answer);
    return cp_agree(d->ranks, b->list && b->answer ? METIS_OK : METIS_ERROR_MEMORY);
}

static int64_t write_answer(const dual *d, const batch *b, int rank)
{
    int64_t to = 0;
    for (int64_t i = b->asked_first[rank]; i < b->asked_first[rank + 1]; i++) {
        int64_t n = b->asked[i];
        for (int64_t j = d->nodes.first[n]; j < d->nodes.first[n + 1]; j++)
            b->answer[to++] = d->nodes.element[j];
    }
    return to;
}

static void answer(const dual *d, batch *b)
{
    const cp_ranks *ranks = d->ranks;
    int64_t width = sizeof *b->list;
    for (int step = 0; step < ranks->size; step++) {
        int to = cp_receiver(ranks, step), from = cp_sender(ranks, step);
        int64_t begin = b->list_first[b->want_first[from]];
        int64_t end = b->list_first[b->want_first[from + 1]];
        cp_swap(ranks, step, b->answer, write_answer(d, b, to) * width, b->list + begin,
                (end - begin) * width);
    }
}

/* ---- Counting ----------------------------------------------------------------------- */

/* Reserves an empty table that is at most half full with so many different elements. */
static bool make_table(dual *d, int64_t elements)
{
    if (2 * elements <= d->slots)
        return true;
    int64_t slots = 64;
    while (slots < 2 * elements)
        slots *= 2;
    cp_free(d->key);
    cp_free(d->count);
    cp_free(d->used);
    d->slots = 0;
    d->key = cp_alloc(slots, sizeof *d->key);
    d->count = cp_alloc(slots, sizeof *d->count);
    d->used = cp_alloc(slots / 2, sizeof *d->used);
    if (!d->key || !d->count || !d->used)
        return false;
    d->slots = slots;
    for (int64_t i = 0; i < slots; i++)
        d->count[i] = 0;
    return true;
}

static int64_t slot_of(const dual *d, idx_t element)
{
    uint64_t mixed = (uint64_t)element * UINT64_C(0x9e3779b97f4a7c15);
    int64_t slot = (int64_t)(mixed >> 20 & (uint64_t)(d->slots - 1));
    while (d->count[slot] > 0 && d->key[slot] != element)
        slot = (slot + 1) & (d->slots - 1);
    return slot;
}

static int64_t wanted_at(const batch *b, idx_t node, int size)
{
    int owner = cp_node_owner(node, size);
    int64_t low = b->want_first[owner], high = b->want_first[owner + 1] - 1;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (b->want[middle] < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The positions of the lists of an element's nodes; returns their total length. */
static int64_t find_lists(const dual *d, batch *b, int64_t e)
{
    int64_t length = 0;
    for (int64_t i = d->elements.first[e]; i < d->elements.first[e + 1]; i++) {
        int64_t at = wanted_at(b, d->elements.node[i], d->ranks->size);
        b->at[i - d->elements.first[b->begin]] = at;
        length += b->list_first[at + 1] - b->list_first[at];
    }
    return length;
}

/* The number of different elements in the lists. */
static int64_t count_shared(dual *d, const batch *b, int64_t e)
{
    int64_t used = 0, base = d->elements.first[b->begin];
    for (int64_t i = d->elements.first[e]; i < d->elements.first[e + 1]; i++) {
        int64_t at = b->at[i - base];
        for (int64_t j = b->list_first[at]; j < b->list_first[at + 1]; j++) {
            int64_t slot = slot_of(d, b->list[j]);
            if (d->count[slot]++ == 0) {
                d->key[slot] = b->list[j];
                d->used[used++] = slot;
            }
        }
    }
    return used;
}

static bool reserve(dual *d, int64_t more)
{
    if (d->narc + more <= d->room)
        return true;
    int64_t room = d->narc + more + d->room / 2;
    idx_t *larger = cp_realloc(d->adjncy, room, sizeof *larger);
    if (!larger)
        return false;
    d->adjncy = larger;
    d->room = room;
    return true;
}

/* The row of an element, ascending.  Always leaves the table empty. */
static bool add_row(dual *d, batch *b, int64_t e)
{
    if (!make_table(d, find_lists(d, b, e)))
        return false;
    int64_t used = count_shared(d, b, e), begin = d->narc;
    bool ok = reserve(d, used);
    for (int64_t i = 0; i < used; i++) {
        int64_t slot = d->used[i];
        if (ok && d->count[slot] >= d->mesh->ncommon && d->key[slot] != d->mesh->begin + e)
            d->adjncy[d->narc++] = d->key[slot];
        d->count[slot] = 0;
    }
    if (!ok || d->narc >= IDX_MAX)
        return false; /* out of memory, or too many for idx_t */
    cp_sort(d->adjncy + begin, d->narc - begin);
    d->xadj[e + 1] = (idx_t)d->narc;
    return true;
}

static int add_rows(dual *d, batch *b)
{
    for (int64_t e = b->begin; e < b->end; e++)
        if (!add_row(d, b, e))
            return METIS_ERROR_MEMORY;
    return METIS_OK;
}

/* ---- All of it ----------------------------------------------------------------------- */

/* Ranks that are done continue to answer. */
static int all_batches(dual *d, batch *b)
{
    int status = METIS_OK;
    for (;;) {
        bool more = b->end < d->elements.count;
        choose_end(d, b);
        if (status == METIS_OK)
            status = fill_wants(d, b);
        status = cp_agree(d->ranks, status);
        if (status != METIS_OK || !cp_max(d->ranks, more))
            return status;
        status = request_lengths(d, b);
        if (status == METIS_OK)
            status = make_room(d, b);
        if (status != METIS_OK)
            return status;
        answer(d, b);
        status = add_rows(d, b);
        batch_clear(b);
    }
}

static int start(dual *d, batch *b)
{
    d->xadj = cp_alloc(d->elements.count + 1, sizeof *d->xadj);
    d->adjncy = cp_alloc(0, sizeof *d->adjncy);
    b->want_first = cp_alloc((int64_t)d->ranks->size + 1, sizeof *b->want_first);
    b->asked_first = cp_alloc((int64_t)d->ranks->size + 1, sizeof *b->asked_first);
    if (!d->xadj || !d->adjncy || !b->want_first || !b->asked_first)
        return METIS_ERROR_MEMORY;
    d->xadj[0] = 0;
    return METIS_OK;
}

int cp_mesh_dual(const cp_mesh *mesh, const cp_ranks *ranks, idx_t **xadj, idx_t **adjncy)
{
    dual d = {.ranks = ranks, .mesh = mesh};
    batch b = {0};
    int status = cp_nodes_open(&d.nodes, &d.elements, mesh, ranks);
    if (status == METIS_OK)
        status = cp_agree(ranks, start(&d, &b));
    if (status == METIS_OK)
        status = all_batches(&d, &b);
    if (status == METIS_OK) {
        idx_t *exact = cp_realloc(d.adjncy, d.narc, sizeof *exact);
        *xadj = d.xadj;
        *adjncy = exact ? exact : d.adjncy;
    } else {
        cp_free(d.xadj);
        cp_free(d.adjncy);
    }
    batch_clear(&b);
    cp_free(b.want_first);
    cp_free(b.asked_first);
    cp_free(d.key);
    cp_free(d.count);
    cp_free(d.used);
    cp_nodes_close(&d.nodes, &d.elements);
    return status;
}
