/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_move.c - redistribution of vertices, their rows and their data.
 *
 * A rank receives vertices in the order of the sending ranks and, from each, in the order of
 * their numbers.  That is their new order, so that only the data has to be sent. */
#include <string.h>

#include "mpi/dist_graph.h"

/* Own vertices sorted by their destination rank. */
typedef struct dealing {
    int64_t *first; /* size + 1 */
    int32_t *vertex;
} dealing;

static void deal(const clv_dist_graph *g, const int32_t *owner, dealing *d)
{
    int size = g->comm.size;
    memset(d->first, 0, (size_t)(size + 2) * sizeof *d->first);
    for (int32_t v = 0; v < g->nlocal; v++)
        d->first[owner[v] + 2]++;
    for (int r = 0; r < size; r++)
        d->first[r + 2] += d->first[r + 1];
    for (int32_t v = 0; v < g->nlocal; v++)
        d->vertex[d->first[owner[v] + 1]++] = v;
}

static cleave_status open_dealing(dealing *d, const clv_dist_graph *g, const int32_t *owner,
                                  cleave_error *err)
{
    cleave_status status = CLEAVE_OK;
    d->first = clv_alloc(g->comm.size + 2, sizeof *d->first);
    d->vertex = clv_alloc(g->nlocal, sizeof *d->vertex);
    if (!d->first || !d->vertex)
        status = clv_fail_memory(err);
    for (int32_t v = 0; status == CLEAVE_OK && v < g->nlocal; v++)
        if (owner[v] < 0 || owner[v] >= g->comm.size)
            status = clv_fail(err, CLEAVE_EINVAL,
                              "vertex %lld is to go to rank %d, but there are %d ranks",
                              (long long)clv_dist_global(g, v), (int)owner[v], g->comm.size);
    CLV_TRY(clv_comm_agree(&g->comm, status, err));
    deal(g, owner, d);
    return CLEAVE_OK;
}

static void close_dealing(dealing *d)
{
    clv_sys_free(d->first);
    clv_sys_free(d->vertex);
}

/* ---- New numbers ------------------------------------------------------------------------ */

/* number: nlocal + nghost; first: size + 1 of the new ranges. */
static cleave_status renumber(const clv_dist_graph *g, const dealing *d, int64_t *number,
                              int64_t *first, cleave_error *err)
{
    int size = g->comm.size;
    int64_t *count = clv_alloc(size, sizeof *count),
            *before = clv_zalloc(size, sizeof *before);
    cleave_status status = clv_comm_agree_memory(&g->comm, count && before, err);
    if (status == CLEAVE_OK) {
        for (int r = 0; r < size; r++)
            count[r] = d->first[r + 1] - d->first[r];
        MPI_Exscan(count, before, size, MPI_INT64_T, MPI_SUM, g->comm.mpi);
        if (g->comm.rank == 0)
            memset(before, 0, (size_t)size * sizeof *before);
        clv_comm_sum_all(&g->comm, count, size);
        first[0] = 0;
        for (int r = 0; r < size; r++)
            first[r + 1] = first[r] + count[r];
        for (int r = 0; r < size; r++)
            for (int64_t i = d->first[r]; i < d->first[r + 1]; i++)
                number[d->vertex[i]] = first[r] + before[r] + i - d->first[r];
        clv_halo_exchange(g, number, sizeof *number);
    }
    clv_sys_free(count);
    clv_sys_free(before);
    return status;
}

/* ---- Sending ---------------------------------------------------------------------------- */

/* by own vertex, `each` bytes -> by new own vertex, from clv_alloc. */
static cleave_status send_items(const clv_dist_graph *g, const dealing *d, const void *values,
                                size_t each, void **there, int64_t *got_first,
                                cleave_error *err)
{
    char *packed = clv_alloc(g->nlocal, each);
    *there = NULL;
    cleave_status status = clv_comm_agree_memory(&g->comm, packed != NULL, err);
    if (status == CLEAVE_OK) {
        for (int64_t i = 0; i < g->nlocal; i++)
            memcpy(packed + i * (int64_t)each,
                   (const char *)values + d->vertex[i] * (int64_t)each, each);
        status = clv_comm_exchange(&g->comm, packed, d->first, each, there, got_first, err);
    }
    clv_sys_free(packed);
    return status;
}

/* Offsets of the new rows from their lengths. */
static int64_t *offsets_of(int32_t *degree, int64_t count)
{
    int64_t *xadj = clv_alloc(count + 1, sizeof *xadj);
    if (!xadj)
        return NULL;
    xadj[0] = 0;
    for (int64_t v = 0; v < count; v++)
        xadj[v + 1] = xadj[v] + degree[v];
    return xadj;
}

/* Sends data of arcs in the order of rows; `fill` writes that of one vertex. */
static cleave_status send_arcs(const clv_dist_graph *g, const dealing *d, size_t each,
                               void (*fill)(const clv_dist_graph *g, const int64_t *number,
                                            int32_t v, void *to),
                               const int64_t *number, void **there, cleave_error *err)
{
    int size = g->comm.size;
    char *packed = clv_alloc(g->narc, each);
    int64_t *first = clv_alloc(size + 1, sizeof *first);
    int64_t *got_first = clv_alloc(size + 1, sizeof *got_first), at = 0;
    *there = NULL;
    cleave_status status = clv_comm_agree_memory(&g->comm, packed && first && got_first, err);
    if (status == CLEAVE_OK) {
        for (int r = 0; r < size; r++) {
            first[r] = at;
            for (int64_t i = d->first[r]; i < d->first[r + 1]; i++) {
                int32_t v = d->vertex[i];
                fill(g, number, v, packed + at * (int64_t)each);
                at += g->xadj[v + 1] - g->xadj[v];
            }
        }
        first[size] = at;
        status = clv_comm_exchange(&g->comm, packed, first, each, there, got_first, err);
    }
    clv_sys_free(packed);
    clv_sys_free(first);
    clv_sys_free(got_first);
    return status;
}

static void fill_heads(const clv_dist_graph *g, const int64_t *number, int32_t v, void *to)
{
    int64_t *head = to;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
        *head++ = number[g->adj[a]];
}

static void fill_weights(const clv_dist_graph *g, const int64_t *number, int32_t v, void *to)
{
    (void)number;
    memcpy(to, g->ewgt + g->xadj[v], (size_t)(g->xadj[v + 1] - g->xadj[v]) * sizeof *g->ewgt);
}

static void fill_wide(const clv_dist_graph *g, const int64_t *number, int32_t v, void *to)
{
    (void)number;
    memcpy(to, g->wide_ewgt + g->xadj[v],
           (size_t)(g->xadj[v + 1] - g->xadj[v]) * sizeof *g->wide_ewgt);
}

static cleave_status send_rows(const clv_dist_graph *g, const dealing *d,
                               const int64_t *number, clv_dist_rows *rows, int64_t *got_first,
                               cleave_error *err)
{
    int32_t *degree = clv_alloc(g->nlocal, sizeof *degree);
    void *got = NULL;
    for (int32_t v = 0; degree && v < g->nlocal; v++)
        degree[v] = (int32_t)(g->xadj[v + 1] - g->xadj[v]);
    cleave_status status = clv_comm_agree_memory(&g->comm, degree != NULL, err);
    if (status == CLEAVE_OK)
        status = send_items(g, d, degree, sizeof *degree, &got, got_first, err);
    clv_sys_free(degree);
    if (status == CLEAVE_OK) {
        rows->xadj = offsets_of(got, got_first[g->comm.size]);
        status = clv_comm_agree_memory(&g->comm, rows->xadj != NULL, err);
    }
    clv_sys_free(got);
    CLV_TRY(status);
    CLV_TRY(send_arcs(g, d, sizeof *rows->adj, fill_heads, number, (void **)&rows->adj, err));
    if (g->ewgt)
        CLV_TRY(
            send_arcs(g, d, sizeof *g->ewgt, fill_weights, number, (void **)&rows->ewgt, err));
    if (g->wide_ewgt)
        CLV_TRY(send_arcs(g, d, sizeof *g->wide_ewgt, fill_wide, number,
                          (void **)&rows->wide_ewgt, err));
    return CLEAVE_OK;
}

static cleave_status send_attributes(const clv_dist_graph *g, const dealing *d,
                                     clv_dist_rows *rows, int64_t *got_first,
                                     cleave_error *err)
{
    if (g->vwgt)
        CLV_TRY(send_items(g, d, g->vwgt, (size_t)g->ncon * sizeof *g->vwgt,
                           (void **)&rows->vwgt, got_first, err));
    if (g->wide_vwgt)
        CLV_TRY(send_items(g, d, g->wide_vwgt, (size_t)g->ncon * sizeof *g->wide_vwgt,
                           (void **)&rows->wide_vwgt, got_first, err));
    if (g->vsize)
        CLV_TRY(send_items(g, d, g->vsize, sizeof *g->vsize, (void **)&rows->vsize, got_first,
                           err));
    if (g->coords)
        CLV_TRY(send_items(g, d, g->coords, (size_t)g->ndim * sizeof *g->coords,
                           (void **)&rows->coords, got_first, err));
    return CLEAVE_OK;
}

static cleave_status move_all(clv_dist_graph **out, const clv_dist_graph *g, const dealing *d,
                              int64_t *number, int64_t *first, int64_t *got_first,
                              cleave_error *err)
{
    clv_dist_rows rows = {
        .kind = g->kind, .first = first, .ncon = g->ncon, .ndim = g->ndim, .trust = true};
    cleave_status status = renumber(g, d, number, first, err);
    if (status == CLEAVE_OK)
        status = send_rows(g, d, number, &rows, got_first, err);
    if (status == CLEAVE_OK)
        status = send_attributes(g, d, &rows, got_first, err);
    if (status == CLEAVE_OK)
        return clv_dist_graph_make(out, &g->comm, &rows, err);
    clv_dist_rows_free(&rows);
    return status;
}

cleave_status clv_dist_redistribute(clv_dist_graph **out, const clv_dist_graph *g,
                                    const int32_t *owner, int64_t *number, cleave_error *err)
{
    dealing d = {0};
    int64_t all = (int64_t)g->nlocal + g->nghost;
    int64_t *numbers = clv_alloc(all, sizeof *numbers);
    int64_t *first = clv_alloc(2 * (g->comm.size + 1), sizeof *first);
    *out = NULL;
    cleave_status status = clv_comm_agree_memory(&g->comm, numbers && first, err);
    if (status == CLEAVE_OK)
        status = open_dealing(&d, g, owner, err);
    if (status == CLEAVE_OK)
        status = move_all(out, g, &d, numbers, first, first + g->comm.size + 1, err);
    if (status == CLEAVE_OK && number && g->nlocal > 0)
        memcpy(number, numbers, (size_t)g->nlocal * sizeof *number);
    close_dealing(&d);
    clv_sys_free(numbers);
    clv_sys_free(first);
    return status;
}

/* ---- Data of vertices ------------------------------------------------------------------- */

/* The send and receive counts, from the new numbers. */
static cleave_status deal_by_number(dealing *d, const clv_dist_graph *g,
                                    const clv_dist_graph *to, const int64_t *number,
                                    cleave_error *err)
{
    int32_t *owner = clv_alloc(g->nlocal, sizeof *owner);
    cleave_status status = owner ? CLEAVE_OK : clv_fail_memory(err);
    for (int32_t v = 0; status == CLEAVE_OK && v < g->nlocal; v++)
        if (number[v] < 0 || number[v] >= to->nglobal)
            status =
                clv_fail(err, CLEAVE_EINVAL, "vertex %lld has the new number %lld of %lld",
                         (long long)clv_dist_global(g, v), (long long)number[v],
                         (long long)to->nglobal);
        else
            owner[v] = clv_dist_owner(to->first, to->comm.size, number[v]);
    status = clv_comm_agree(&g->comm, status, err);
    if (status == CLEAVE_OK)
        status = open_dealing(d, g, owner, err);
    clv_sys_free(owner);
    return status;
}

cleave_status clv_dist_send_values(const clv_dist_graph *g, const clv_dist_graph *to,
                                   const int64_t *number, const void *values, size_t each,
                                   void *there, cleave_error *err)
{
    dealing d = {0};
    int64_t *got_first = clv_alloc(g->comm.size + 1, sizeof *got_first);
    void *got = NULL;
    cleave_status status = clv_comm_agree_memory(&g->comm, got_first != NULL, err);
    if (status == CLEAVE_OK)
        status = deal_by_number(&d, g, to, number, err);
    if (status == CLEAVE_OK)
        status = send_items(g, &d, values, each, &got, got_first, err);
    if (status == CLEAVE_OK) {
        bool fits = got_first[g->comm.size] == to->nlocal;
        if (!fits)
            clv_fail(err, CLEAVE_EINVAL, "the new numbers are not those of this graph");
        status = clv_comm_agree(&g->comm, fits ? CLEAVE_OK : CLEAVE_EINVAL, err);
    }
    if (status == CLEAVE_OK && to->nlocal > 0)
        memcpy(there, got, (size_t)to->nlocal * each);
    clv_sys_free(got);
    clv_sys_free(got_first);
    close_dealing(&d);
    return status;
}

/* The way back: data from rank r is contiguous, and r has the order of its request. */
cleave_status clv_dist_fetch_values(const clv_dist_graph *g, const clv_dist_graph *to,
                                    const int64_t *number, const void *there, size_t each,
                                    void *values, cleave_error *err)
{
    dealing d = {0};
    int size = g->comm.size;
    int64_t *first = clv_alloc(size + 1, sizeof *first),
            *count = clv_alloc(size, sizeof *count);
    char *got = clv_alloc(g->nlocal, each);
    cleave_status status = clv_comm_agree_memory(&g->comm, first && count && got, err);
    if (status == CLEAVE_OK)
        status = deal_by_number(&d, g, to, number, err);
    if (status == CLEAVE_OK) {
        for (int r = 0; r < size; r++)
            count[r] = d.first[r + 1] - d.first[r];
        MPI_Alltoall(count, 1, MPI_INT64_T, first + 1, 1, MPI_INT64_T, g->comm.mpi);
        first[0] = 0;
        for (int r = 0; r < size; r++)
            first[r + 1] += first[r];
        clv_comm_exchange_known(&g->comm, there, first, each, got, d.first);
        for (int64_t i = 0; i < g->nlocal; i++)
            memcpy((char *)values + d.vertex[i] * (int64_t)each, got + i * (int64_t)each,
                   each);
    }
    clv_sys_free(first);
    clv_sys_free(count);
    clv_sys_free(got);
    close_dealing(&d);
    return status;
}
