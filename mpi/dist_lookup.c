/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_lookup.c - fetching values of vertices from their owners. */
#include <string.h>

#include "mpi/dist_contract.h"

typedef struct lookup {
    int64_t *first, *got_first;
    int64_t *sorted; /* requested vertices, by owner */
    int64_t *place;  /* its position in map */
    void *asked, *answers, *heard;
} lookup;

static void close_lookup(lookup *k)
{
    clv_sys_free(k->first);
    clv_sys_free(k->got_first);
    clv_sys_free(k->sorted);
    clv_sys_free(k->place);
    clv_sys_free(k->asked);
    clv_sys_free(k->answers);
    clv_sys_free(k->heard);
}

/* Sorts requests by owner; own values are copied at once. */
static void sort_requests(const clv_dist_graph *g, int64_t count, const int64_t *map,
                          lookup *k)
{
    int size = g->comm.size;
    int64_t begin = g->first[g->comm.rank], end = begin + g->nlocal;
    memset(k->first, 0, (size_t)(size + 2) * sizeof *k->first);
    for (int64_t i = 0; i < count; i++)
        if (map[i] < begin || map[i] >= end)
            k->first[clv_dist_owner(g->first, size, map[i]) + 2]++;
    for (int r = 0; r < size; r++)
        k->first[r + 2] += k->first[r + 1];
    for (int64_t i = 0; i < count; i++) {
        if (map[i] >= begin && map[i] < end)
            continue;
        int64_t place = k->first[clv_dist_owner(g->first, size, map[i]) + 1]++;
        k->sorted[place] = map[i];
        k->place[place] = i;
    }
}

static void copy_item(void *to, int64_t i, const void *from, int64_t j, size_t each)
{
    memcpy((char *)to + i * (int64_t)each, (const char *)from + j * (int64_t)each, each);
}

static int64_t count_others(const clv_dist_graph *g, int64_t count, const int64_t *map)
{
    int64_t begin = g->first[g->comm.rank], end = begin + g->nlocal, others = 0;
    for (int64_t i = 0; i < count; i++)
        others += map[i] < begin || map[i] >= end;
    return others;
}

static cleave_status look_up(lookup *k, const clv_dist_graph *g, int64_t count,
                             const int64_t *map, const void *there, size_t each, void *values,
                             cleave_error *err)
{
    const clv_comm *comm = &g->comm;
    int64_t begin = g->first[comm->rank], others = count_others(g, count, map);
    k->first = clv_alloc(comm->size + 2, sizeof *k->first);
    k->got_first = clv_alloc(comm->size + 1, sizeof *k->got_first);
    k->sorted = clv_alloc(others, sizeof *k->sorted);
    k->place = clv_alloc(others, sizeof *k->place);
    k->heard = clv_alloc(others, each);
    bool ok = k->first && k->got_first && k->sorted && k->place && k->heard;
    CLV_TRY(clv_comm_agree_memory(comm, ok, err));
    sort_requests(g, count, map, k);
    CLV_TRY(clv_comm_exchange(comm, k->sorted, k->first, sizeof *k->sorted, &k->asked,
                              k->got_first, err));
    int64_t asked = k->got_first[comm->size];
    k->answers = clv_alloc(asked, each);
    CLV_TRY(clv_comm_agree_memory(comm, k->answers != NULL, err));
    for (int64_t i = 0; i < asked; i++)
        copy_item(k->answers, i, there, ((const int64_t *)k->asked)[i] - begin, each);
    clv_comm_exchange_known(comm, k->answers, k->got_first, each, k->heard, k->first);
    for (int64_t i = 0; i < others; i++)
        copy_item(values, k->place[i], k->heard, i, each);
    for (int64_t i = 0; i < count; i++)
        if (map[i] >= begin && map[i] < begin + g->nlocal)
            copy_item(values, i, there, map[i] - begin, each);
    return CLEAVE_OK;
}

static cleave_status look_up_items(const clv_dist_graph *g, int64_t count, const int64_t *map,
                                   const void *there, size_t each, void *values,
                                   cleave_error *err)
{
    lookup k = {0};
    cleave_status status = look_up(&k, g, count, map, there, each, values, err);
    close_lookup(&k);
    return status;
}

cleave_status clv_dist_lookup(const clv_dist_graph *g, int64_t count, const int64_t *map,
                              const int32_t *there, int32_t *values, cleave_error *err)
{
    return look_up_items(g, count, map, there, sizeof *values, values, err);
}

cleave_status clv_dist_lookup_wide(const clv_dist_graph *g, int64_t count, const int64_t *map,
                                   const int64_t *there, int64_t *values, cleave_error *err)
{
    return look_up_items(g, count, map, there, sizeof *values, values, err);
}
