/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_halo.c - see mpi/dist_halo.h.
 *
 * Each rank sends the list of its ghosts to their owners once.  From then on only peers
 * communicate, and messages contain values only: both sides have the same order. */
#include "mpi/dist_halo.h"

#include <string.h>

enum { tag_halo = 12, largest = 8 };

/* first_ghost[r]: the first ghost that rank r or a later one owns. */
static void find_owners(const clv_dist_graph *g, int64_t *first_ghost)
{
    int64_t at = 0;
    for (int r = 0; r < g->comm.size; r++) {
        first_ghost[r] = at;
        while (at < g->nghost && g->ghost[at] < g->first[r + 1])
            at++;
    }
    first_ghost[g->comm.size] = at;
}

/* want_at: the ghosts of each rank; wanted: the own vertices that are ghosts elsewhere. */
static cleave_status fill_peers(clv_dist_graph *g, const int64_t *want_at,
                                const clv_arrivals *wanted, cleave_error *err)
{
    clv_halo *h = &g->halo;
    const int64_t *vertex = wanted->items, *wanted_at = wanted->first;
    int64_t begin = g->first[g->comm.rank], count = wanted->count;
    for (int r = 0; r < g->comm.size; r++)
        h->npeers += want_at[r + 1] > want_at[r] || wanted_at[r + 1] > wanted_at[r];
    h->peer = clv_arena_alloc(&g->arena, h->npeers, sizeof *h->peer);
    h->send_at = clv_arena_zalloc(&g->arena, h->npeers + 1, sizeof *h->send_at);
    h->recv_at = clv_arena_zalloc(&g->arena, h->npeers + 1, sizeof *h->recv_at);
    h->send = clv_arena_alloc(&g->arena, count, sizeof *h->send);
    h->request = clv_arena_alloc(&g->arena, 2 * (int64_t)h->npeers, sizeof *h->request);
    h->buffer = clv_arena_alloc(&g->arena, count, largest);
    if (!h->peer || !h->send_at || !h->recv_at || !h->send || !h->request || !h->buffer)
        return clv_fail_memory(err);
    int32_t i = 0;
    for (int r = 0; r < g->comm.size; r++) {
        if (want_at[r + 1] == want_at[r] && wanted_at[r + 1] == wanted_at[r])
            continue;
        h->peer[i++] = r;
        h->send_at[i] = wanted_at[r + 1];
        h->recv_at[i] = want_at[r + 1];
    }
    for (int64_t j = 0; j < count; j++)
        h->send[j] = (int32_t)(vertex[j] - begin);
    return CLEAVE_OK;
}

cleave_status clv_dist_make_halo(clv_dist_graph *g, cleave_error *err)
{
    const clv_comm *comm = &g->comm;
    int64_t *want_at = clv_alloc(comm->size + 1, sizeof *want_at);
    clv_arrivals wanted = {0};
    cleave_status status = clv_comm_agree_memory(comm, want_at != NULL, err);
    if (status == CLEAVE_OK) {
        find_owners(g, want_at);
        status = clv_comm_exchange(comm, g->ghost, want_at, sizeof *g->ghost, &wanted, err);
    }
    if (status == CLEAVE_OK)
        status = clv_comm_agree(comm, fill_peers(g, want_at, &wanted, err), err);
    clv_sys_free(want_at);
    clv_arrivals_free(&wanted);
    return status;
}

/* ---- Exchange --------------------------------------------------------------------------- */

static void pack(const clv_halo *h, const char *values, size_t each)
{
    int64_t count = h->send_at[h->npeers];
    if (each == 4) {
        int32_t *to = h->buffer;
        for (int64_t i = 0; i < count; i++)
            memcpy(to + i, values + (int64_t)h->send[i] * 4, 4);
    } else {
        char *to = h->buffer;
        for (int64_t i = 0; i < count; i++)
            memcpy(to + i * (int64_t)each, values + h->send[i] * (int64_t)each, each);
    }
}

/* A message counted in items always fits an int. */
static MPI_Datatype type_of(size_t each)
{
    switch (each) {
    case 1:
        return MPI_INT8_T;
    case 2:
        return MPI_INT16_T;
    case 4:
        return MPI_INT32_T;
    default:
        return MPI_INT64_T;
    }
}

void clv_halo_exchange(const clv_dist_graph *g, void *values, size_t each)
{
    const clv_halo *h = &g->halo;
    MPI_Datatype type = type_of(each);
    char *ghosts = (char *)values + g->nlocal * (int64_t)each, *buffer = h->buffer;
    int32_t requests = 0;
    pack(h, values, each);
    clv_comm_count_bytes(&g->comm, h->send_at[h->npeers] * (int64_t)each);
    for (int32_t i = 0; i < h->npeers; i++)
        if (h->recv_at[i + 1] > h->recv_at[i])
            MPI_Irecv(ghosts + h->recv_at[i] * (int64_t)each,
                      (int)(h->recv_at[i + 1] - h->recv_at[i]), type, h->peer[i], tag_halo,
                      g->comm.mpi, &h->request[requests++]);
    for (int32_t i = 0; i < h->npeers; i++)
        if (h->send_at[i + 1] > h->send_at[i])
            MPI_Isend(buffer + h->send_at[i] * (int64_t)each,
                      (int)(h->send_at[i + 1] - h->send_at[i]), type, h->peer[i], tag_halo,
                      g->comm.mpi, &h->request[requests++]);
    MPI_Waitall(requests, h->request, MPI_STATUSES_IGNORE);
}
