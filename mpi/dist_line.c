/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_line.c - see mpi/dist_line.h.
 *
 * A histogram sort [Kale, Krishnan 1993] with exact splitters.  The key at each cut between
 * ranks is found by bisection: every rank counts its keys that are not above the candidate.
 * Equal keys are then distributed in the order of ranks, which is the order of global numbers.
 * Only keys are sent: the origin of a vertex follows from the order of arrival. */
#include "mpi/dist_line.h"

#include <string.h>

#include "mpi/dist_graph.h"

/* Own keys, ascending, and the search for the splitters. */
typedef struct splitting {
    const clv_comm *comm;
    const int64_t *key;
    int64_t n;
    const int64_t *first; /* cut c has first[c] keys before it, 0 < c < size */
    int64_t *low, *high;  /* by cut: bounds on the key at it */
    int64_t *count;       /* by cut */
    int64_t *before;      /* by cut: ties on lower ranks */
} splitting;

/* The number of own keys below the key or, with ties, not above it. */
static int64_t count_below(const splitting *s, int64_t key, bool ties)
{
    int64_t low = 0, high = s->n;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (s->key[middle] < key || (ties && s->key[middle] == key))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int64_t middle_key(int64_t low, int64_t high)
{
    return (int64_t)((uint64_t)low + ((uint64_t)high - (uint64_t)low) / 2);
}

/* Finds the smallest key such that at least first[c] keys are not above it: low[c] ==
 * high[c]. */
static void find_keys(const splitting *s)
{
    int64_t least = s->n > 0 ? s->key[0] : INT64_MAX;
    int64_t most = s->n > 0 ? s->key[s->n - 1] : INT64_MIN;
    least = clv_comm_min(s->comm, least);
    most = clv_comm_max(s->comm, most);
    for (int c = 0; c < s->comm->size; c++) {
        s->low[c] = least;
        s->high[c] = most;
    }
    for (bool open = least < most; open;) {
        open = false;
        for (int c = 1; c < s->comm->size; c++)
            s->count[c] = count_below(s, middle_key(s->low[c], s->high[c]), true);
        s->count[0] = 0;
        clv_comm_sum_all(s->comm, s->count, s->comm->size);
        for (int c = 1; c < s->comm->size; c++) {
            int64_t middle = middle_key(s->low[c], s->high[c]);
            if (s->low[c] == s->high[c])
                continue;
            if (s->count[c] >= s->first[c])
                s->high[c] = middle;
            else
                s->low[c] = middle + 1;
            open = open || s->low[c] < s->high[c];
        }
    }
}

/* cut[c]: the number of own keys before cut c. */
static void find_cuts(const splitting *s, int64_t *cut)
{
    int size = s->comm->size;
    find_keys(s);
    for (int c = 0; c < size; c++) {
        cut[c] = count_below(s, s->low[c], false);
        s->count[c] = count_below(s, s->low[c], true) - cut[c];
        s->high[c] = cut[c];
    }
    MPI_Exscan(s->count, s->before, size, MPI_INT64_T, MPI_SUM, s->comm->mpi);
    if (s->comm->rank == 0)
        memset(s->before, 0, (size_t)size * sizeof *s->before);
    clv_comm_sum_all(s->comm, s->high, size);
    for (int c = 1; c < size; c++) {
        int64_t mine = s->first[c] - s->high[c] - s->before[c];
        cut[c] += mine < 0 ? 0 : mine < s->count[c] ? mine : s->count[c];
    }
    cut[0] = 0;
    cut[size] = s->n;
}

static cleave_status split(clv_dist_line *line, const int64_t *key, cleave_error *err)
{
    int64_t size = line->comm->size;
    int64_t *scratch = clv_alloc(4 * size, sizeof *scratch);
    cleave_status status = clv_comm_agree_memory(line->comm, scratch != NULL, err);
    splitting s = {.comm = line->comm, .key = key, .n = line->nlocal, .first = line->first};
    if (status == CLEAVE_OK) {
        s.low = scratch;
        s.high = scratch + size;
        s.count = scratch + 2 * size;
        s.before = scratch + 3 * size;
        find_cuts(&s, line->send_at);
    }
    clv_sys_free(scratch);
    return status;
}

/* ---- Construction ----------------------------------------------------------------------- */

/* Sorts the items and replaces them by their keys. */
static int64_t *sort_own(clv_dist_line *line, clv_sort_item *items, clv_sort_item *scratch)
{
    clv_sort_team(NULL, items, scratch, line->nlocal);
    int64_t *key = (int64_t *)items;
    for (int32_t i = 0; i < line->nlocal; i++) {
        clv_sort_item item = items[i];
        line->sent[i] = (int32_t)item.with.index;
        memcpy(key + i, &item.key, sizeof item.key);
    }
    return key;
}

/* The received keys are sorted runs; runs of lower ranks have lower numbers, and the sort is
 * stable. */
static cleave_status sort_arrivals(clv_dist_line *line, const int64_t *key, cleave_error *err)
{
    int32_t count = line->count;
    clv_sort_item *items = clv_alloc(count, sizeof *items);
    clv_sort_item *scratch = clv_alloc(count, sizeof *scratch);
    line->arrival = clv_alloc(count, sizeof *line->arrival);
    bool ok = items && scratch && line->arrival;
    for (int32_t i = 0; ok && i < count; i++)
        items[i] = (clv_sort_item){key[i], {i}};
    if (ok)
        clv_sort_team(NULL, items, scratch, count);
    for (int32_t i = 0; ok && i < count; i++)
        line->arrival[i] = (int32_t)items[i].with.index;
    clv_sys_free(items);
    clv_sys_free(scratch);
    return ok ? CLEAVE_OK : clv_fail_memory(err);
}

static bool allocate(clv_dist_line *line)
{
    int64_t size = line->comm->size;
    line->first = clv_alloc(size + 1, sizeof *line->first);
    line->send_at = clv_alloc(size + 1, sizeof *line->send_at);
    line->sent = clv_alloc(line->nlocal, sizeof *line->sent);
    return line->first && line->send_at && line->sent;
}

/* Consumes items; *got: the keys received. */
static cleave_status exchange_keys(clv_dist_line *line, clv_sort_item *items, void **got,
                                   cleave_error *err)
{
    const clv_comm *comm = line->comm;
    clv_arrivals keys = {0};
    clv_sort_item *scratch = clv_alloc(line->nlocal, sizeof *scratch);
    bool ok = allocate(line) && scratch;
    int64_t *key = ok ? sort_own(line, items, scratch) : NULL;
    clv_sys_free(scratch);
    cleave_status status = clv_comm_agree_memory(comm, ok, err);
    if (status == CLEAVE_OK) {
        clv_dist_even(clv_comm_sum(comm, line->nlocal), comm->size, line->first);
        line->count = (int32_t)(line->first[comm->rank + 1] - line->first[comm->rank]);
        status = split(line, key, err);
    }
    if (status == CLEAVE_OK)
        status = clv_comm_exchange(comm, key, line->send_at, sizeof *key, &keys, err);
    *got = keys.items;
    line->got_at = keys.first;
    clv_sys_free(items);
    return status;
}

cleave_status clv_dist_line_make(clv_dist_line *line, const clv_comm *comm, int32_t nlocal,
                                 clv_sort_item *items, cleave_error *err)
{
    void *got;
    *line = (clv_dist_line){.comm = comm, .nlocal = nlocal};
    cleave_status status = exchange_keys(line, items, &got, err);
    if (status == CLEAVE_OK)
        status = clv_comm_agree(comm, sort_arrivals(line, got, err), err);
    clv_sys_free(got);
    if (status != CLEAVE_OK)
        clv_dist_line_free(line);
    return status;
}

void clv_dist_line_free(clv_dist_line *line)
{
    clv_sys_free(line->first);
    clv_sys_free(line->send_at);
    clv_sys_free(line->got_at);
    clv_sys_free(line->sent);
    clv_sys_free(line->arrival);
    *line = (clv_dist_line){0};
}

/* ---- Values ----------------------------------------------------------------------------- */

/* to[i] = from[index[i]], or to[index[i]] = from[i]. */
static void pick(void *to, const void *from, const int32_t *index, int64_t count, size_t each)
{
    for (int64_t i = 0; i < count; i++)
        memcpy((char *)to + i * (int64_t)each, (const char *)from + index[i] * (int64_t)each,
               each);
}

static void put(void *to, const void *from, const int32_t *index, int64_t count, size_t each)
{
    for (int64_t i = 0; i < count; i++)
        memcpy((char *)to + index[i] * (int64_t)each, (const char *)from + i * (int64_t)each,
               each);
}

cleave_status clv_dist_line_send(const clv_dist_line *line, const void *values, size_t each,
                                 void *placed, cleave_error *err)
{
    char *out = clv_alloc(line->nlocal, each), *got = clv_alloc(line->count, each);
    cleave_status status = clv_comm_agree_memory(line->comm, out && got, err);
    if (status == CLEAVE_OK) {
        pick(out, values, line->sent, line->nlocal, each);
        clv_comm_exchange_known(line->comm, out, line->send_at, each, got, line->got_at);
        pick(placed, got, line->arrival, line->count, each);
    }
    clv_sys_free(out);
    clv_sys_free(got);
    return status;
}

cleave_status clv_dist_line_fetch(const clv_dist_line *line, const void *placed, size_t each,
                                  void *values, cleave_error *err)
{
    char *out = clv_alloc(line->count, each), *got = clv_alloc(line->nlocal, each);
    cleave_status status = clv_comm_agree_memory(line->comm, out && got, err);
    if (status == CLEAVE_OK) {
        put(out, placed, line->arrival, line->count, each);
        clv_comm_exchange_known(line->comm, out, line->got_at, each, got, line->send_at);
        put(values, got, line->sent, line->nlocal, each);
    }
    clv_sys_free(out);
    clv_sys_free(got);
    return status;
}

cleave_status clv_dist_line_places(const clv_dist_line *line, int64_t *place,
                                   cleave_error *err)
{
    int64_t *numbers = clv_alloc(line->count, sizeof *numbers);
    cleave_status status = clv_comm_agree_memory(line->comm, numbers != NULL, err);
    if (status == CLEAVE_OK) {
        for (int32_t i = 0; i < line->count; i++)
            numbers[i] = line->first[line->comm->rank] + i;
        status = clv_dist_line_fetch(line, numbers, sizeof *numbers, place, err);
    }
    clv_sys_free(numbers);
    return status;
}
