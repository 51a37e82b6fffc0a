/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_lookup.c - fetching values of vertices from their owners. */
#include <string.h>

#include "mpi/dist_contract.h"

typedef struct lookup {
    const clv_dist_graph *g;
    const int64_t *map; /* the vertices whose values are wanted */
    int64_t count;
    size_t each; /* bytes of a value */
    /* Vertices of other ranks, sorted by owner: */
    int64_t nothers;
    int64_t *first;  /* by rank: its first vertex; size + 2 */
    int64_t *sorted; /* the vertices */
    int64_t *place;  /* their positions in map */
    void *answers;   /* their values */
} lookup;

static void close_lookup(lookup *k)
{
    clv_sys_free(k->first);
    clv_sys_free(k->sorted);
    clv_sys_free(k->place);
    clv_sys_free(k->answers);
}

static bool is_own(const lookup *k, int64_t vertex)
{
    int64_t begin = k->g->first[k->g->comm.rank];
    return vertex >= begin && vertex < begin + k->g->nlocal;
}

static void count_others(lookup *k)
{
    for (int64_t i = 0; i < k->count; i++)
        k->nothers += !is_own(k, k->map[i]);
}

static void sort_by_owner(lookup *k)
{
    const clv_dist_graph *g = k->g;
    int size = g->comm.size;
    memset(k->first, 0, (size_t)(size + 2) * sizeof *k->first);
    for (int64_t i = 0; i < k->count; i++)
        if (!is_own(k, k->map[i]))
            k->first[clv_dist_owner(g->first, size, k->map[i]) + 2]++;
    for (int r = 0; r < size; r++)
        k->first[r + 2] += k->first[r + 1];
    for (int64_t i = 0; i < k->count; i++) {
        if (is_own(k, k->map[i]))
            continue;
        int64_t place = k->first[clv_dist_owner(g->first, size, k->map[i]) + 1]++;
        k->sorted[place] = k->map[i];
        k->place[place] = i;
    }
}

/* to[i] = from[j] */
static void copy_value(const lookup *k, void *to, int64_t i, const void *from, int64_t j)
{
    int64_t each = (int64_t)k->each;
    memcpy((char *)to + i * each, (const char *)from + j * each, k->each);
}

/* Requests the values from the owners, and sends those of `there` that other ranks request. */
static cleave_status request_values(lookup *k, const void *there, cleave_error *err)
{
    const clv_comm *comm = &k->g->comm;
    clv_arrivals asked;
    CLV_TRY(clv_comm_exchange(comm, k->sorted, k->first, sizeof *k->sorted, &asked, err));
    const int64_t *vertex = asked.items, begin = k->g->first[comm->rank];
    void *values = clv_alloc(asked.count, k->each);
    cleave_status status = clv_comm_agree_memory(comm, values != NULL, err);
    if (status == CLEAVE_OK) {
        for (int64_t i = 0; i < asked.count; i++)
            copy_value(k, values, i, there, vertex[i] - begin);
        clv_comm_exchange_known(comm, values, asked.first, k->each, k->answers, k->first);
    }
    clv_sys_free(values);
    clv_arrivals_free(&asked);
    return status;
}

static cleave_status look_up(lookup *k, const void *there, void *values, cleave_error *err)
{
    const clv_dist_graph *g = k->g;
    count_others(k);
    k->first = clv_alloc(g->comm.size + 2, sizeof *k->first);
    k->sorted = clv_alloc(k->nothers, sizeof *k->sorted);
    k->place = clv_alloc(k->nothers, sizeof *k->place);
    k->answers = clv_alloc(k->nothers, k->each);
    bool ok = k->first && k->sorted && k->place && k->answers;
    cleave_status status = clv_comm_agree_memory(&g->comm, ok, err);
    if (status == CLEAVE_OK) {
        sort_by_owner(k);
        status = request_values(k, there, err);
    }
    if (status == CLEAVE_OK) {
        for (int64_t i = 0; i < k->nothers; i++)
            copy_value(k, values, k->place[i], k->answers, i);
        for (int64_t i = 0; i < k->count; i++)
            if (is_own(k, k->map[i]))
                copy_value(k, values, i, there, k->map[i] - g->first[g->comm.rank]);
    }
    close_lookup(k);
    return status;
}

cleave_status clv_dist_lookup(const clv_dist_graph *g, int64_t count, const int64_t *map,
                              const int32_t *there, int32_t *values, cleave_error *err)
{
    lookup k = {.g = g, .map = map, .count = count, .each = sizeof *values};
    return look_up(&k, there, values, err);
}

cleave_status clv_dist_lookup_wide(const clv_dist_graph *g, int64_t count, const int64_t *map,
                                   const int64_t *there, int64_t *values, cleave_error *err)
{
    lookup k = {.g = g, .map = map, .count = count, .each = sizeof *values};
    return look_up(&k, there, values, err);
}
