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

typedef struct redistribution {
    const clv_dist_graph *g;
    dealing own;
    int64_t *number; /* own vertices and ghosts: new global number */
    int64_t *first;  /* size + 1: new ranges */
} redistribution;

static cleave_status renumber(redistribution *k, cleave_error *err)
{
    const clv_dist_graph *g = k->g;
    const dealing *d = &k->own;
    int size = g->comm.size;
    int64_t *first = k->first;
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
                k->number[d->vertex[i]] = first[r] + before[r] + i - d->first[r];
        clv_halo_exchange(g, k->number, sizeof *k->number);
    }
    clv_sys_free(count);
    clv_sys_free(before);
    return status;
}

/* ---- Sending ---------------------------------------------------------------------------- */

/* Values by own vertex, `each` bytes, become values by new own vertex. */
static cleave_status send_items(const clv_dist_graph *g, const dealing *d, const void *values,
                                size_t each, clv_arrivals *there, cleave_error *err)
{
    char *packed = clv_alloc(g->nlocal, each);
    *there = (clv_arrivals){0};
    cleave_status status = clv_comm_agree_memory(&g->comm, packed != NULL, err);
    if (status == CLEAVE_OK) {
        for (int64_t i = 0; i < g->nlocal; i++)
            memcpy(packed + i * (int64_t)each,
                   (const char *)values + d->vertex[i] * (int64_t)each, each);
        status = clv_comm_exchange(&g->comm, packed, d->first, each, there, err);
    }
    clv_sys_free(packed);
    return status;
}

/* The same; *there is from clv_alloc. */
static cleave_status send_array(const redistribution *k, const void *values, size_t each,
                                void **there, cleave_error *err)
{
    clv_arrivals got;
    cleave_status status = send_items(k->g, &k->own, values, each, &got, err);
    *there = got.items;
    clv_sys_free(got.first);
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

/* Writes the data of the arcs of one vertex. */
typedef void fill_arcs(const redistribution *k, int32_t v, void *to);

static void fill_heads(const redistribution *k, int32_t v, void *to)
{
    int64_t *head = to;
    for (int64_t a = k->g->xadj[v]; a < k->g->xadj[v + 1]; a++)
        *head++ = k->number[k->g->adj[a]];
}

static void fill_weights(const redistribution *k, int32_t v, void *to)
{
    const clv_dist_graph *g = k->g;
    memcpy(to, g->ewgt + g->xadj[v], (size_t)(g->xadj[v + 1] - g->xadj[v]) * sizeof *g->ewgt);
}

static void fill_wide(const redistribution *k, int32_t v, void *to)
{
    const clv_dist_graph *g = k->g;
    memcpy(to, g->wide_ewgt + g->xadj[v],
           (size_t)(g->xadj[v + 1] - g->xadj[v]) * sizeof *g->wide_ewgt);
}

/* Sends data of arcs, `each` bytes, in the order of rows; *there is from clv_alloc. */
static cleave_status send_arcs(const redistribution *k, fill_arcs *fill, size_t each,
                               void **there, cleave_error *err)
{
    const clv_dist_graph *g = k->g;
    int size = g->comm.size;
    char *packed = clv_alloc(g->narc, each);
    int64_t *first = clv_alloc(size + 1, sizeof *first), at = 0;
    clv_arrivals got = {0};
    cleave_status status = clv_comm_agree_memory(&g->comm, packed && first, err);
    if (status == CLEAVE_OK) {
        for (int r = 0; r < size; r++) {
            first[r] = at;
            for (int64_t i = k->own.first[r]; i < k->own.first[r + 1]; i++) {
                int32_t v = k->own.vertex[i];
                fill(k, v, packed + at * (int64_t)each);
                at += g->xadj[v + 1] - g->xadj[v];
            }
        }
        first[size] = at;
        status = clv_comm_exchange(&g->comm, packed, first, each, &got, err);
    }
    *there = got.items;
    clv_sys_free(packed);
    clv_sys_free(first);
    clv_sys_free(got.first);
    return status;
}

static cleave_status send_offsets(const redistribution *k, int64_t **xadj, cleave_error *err)
{
    const clv_dist_graph *g = k->g;
    clv_arrivals got = {0};
    int32_t *degree = clv_alloc(g->nlocal, sizeof *degree);
    for (int32_t v = 0; degree && v < g->nlocal; v++)
        degree[v] = (int32_t)(g->xadj[v + 1] - g->xadj[v]);
    cleave_status status = clv_comm_agree_memory(&g->comm, degree != NULL, err);
    if (status == CLEAVE_OK)
        status = send_items(g, &k->own, degree, sizeof *degree, &got, err);
    clv_sys_free(degree);
    if (status == CLEAVE_OK) {
        *xadj = offsets_of(got.items, got.count);
        status = clv_comm_agree_memory(&g->comm, *xadj != NULL, err);
    }
    clv_arrivals_free(&got);
    return status;
}

static cleave_status send_rows(const redistribution *k, clv_dist_rows *rows, cleave_error *err)
{
    const clv_dist_graph *g = k->g;
    CLV_TRY(send_offsets(k, &rows->xadj, err));
    CLV_TRY(send_arcs(k, fill_heads, sizeof *rows->adj, (void **)&rows->adj, err));
    if (g->ewgt)
        CLV_TRY(send_arcs(k, fill_weights, sizeof *g->ewgt, (void **)&rows->ewgt, err));
    if (g->wide_ewgt)
        CLV_TRY(send_arcs(k, fill_wide, sizeof *g->wide_ewgt, (void **)&rows->wide_ewgt, err));
    return CLEAVE_OK;
}

static cleave_status send_attributes(const redistribution *k, clv_dist_rows *rows,
                                     cleave_error *err)
{
    const clv_dist_graph *g = k->g;
    if (g->vwgt)
        CLV_TRY(send_array(k, g->vwgt, (size_t)g->ncon * sizeof *g->vwgt, (void **)&rows->vwgt,
                           err));
    if (g->wide_vwgt)
        CLV_TRY(send_array(k, g->wide_vwgt, (size_t)g->ncon * sizeof *g->wide_vwgt,
                           (void **)&rows->wide_vwgt, err));
    if (g->vsize)
        CLV_TRY(send_array(k, g->vsize, sizeof *g->vsize, (void **)&rows->vsize, err));
    if (g->coords)
        CLV_TRY(send_array(k, g->coords, (size_t)g->ndim * sizeof *g->coords,
                           (void **)&rows->coords, err));
    return CLEAVE_OK;
}

static cleave_status move_all(clv_dist_graph **out, redistribution *k, cleave_error *err)
{
    const clv_dist_graph *g = k->g;
    clv_dist_rows rows = {
        .kind = g->kind, .first = k->first, .ncon = g->ncon, .ndim = g->ndim, .trust = true};
    cleave_status status = renumber(k, err);
    if (status == CLEAVE_OK)
        status = send_rows(k, &rows, err);
    if (status == CLEAVE_OK)
        status = send_attributes(k, &rows, err);
    if (status == CLEAVE_OK)
        return clv_dist_graph_make(out, &g->comm, &rows, err);
    clv_dist_rows_free(&rows);
    return status;
}

cleave_status clv_dist_redistribute(clv_dist_graph **out, const clv_dist_graph *g,
                                    const int32_t *owner, int64_t *number, cleave_error *err)
{
    redistribution k = {.g = g};
    k.number = clv_alloc((int64_t)g->nlocal + g->nghost, sizeof *k.number);
    k.first = clv_alloc(g->comm.size + 1, sizeof *k.first);
    *out = NULL;
    cleave_status status = clv_comm_agree_memory(&g->comm, k.number && k.first, err);
    if (status == CLEAVE_OK)
        status = open_dealing(&k.own, g, owner, err);
    if (status == CLEAVE_OK)
        status = move_all(out, &k, err);
    if (status == CLEAVE_OK && number && g->nlocal > 0)
        memcpy(number, k.number, (size_t)g->nlocal * sizeof *number);
    close_dealing(&k.own);
    clv_sys_free(k.number);
    clv_sys_free(k.first);
    return status;
}

/* ---- Data of vertices ------------------------------------------------------------------- */

/* The send and receive counts, from the new numbers. */
static cleave_status deal_by_number(dealing *d, const clv_dist_moved *moved, cleave_error *err)
{
    const clv_dist_graph *g = moved->from, *to = moved->to;
    const int64_t *number = moved->number;
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

cleave_status clv_dist_send_values(const clv_dist_moved *moved, const void *values,
                                   size_t each, void *there, cleave_error *err)
{
    const clv_dist_graph *g = moved->from, *to = moved->to;
    dealing d = {0};
    clv_arrivals got = {0};
    cleave_status status = deal_by_number(&d, moved, err);
    if (status == CLEAVE_OK)
        status = send_items(g, &d, values, each, &got, err);
    if (status == CLEAVE_OK) {
        bool fits = got.count == to->nlocal;
        if (!fits)
            clv_fail(err, CLEAVE_EINVAL, "the new numbers are not those of this graph");
        status = clv_comm_agree(&g->comm, fits ? CLEAVE_OK : CLEAVE_EINVAL, err);
    }
    if (status == CLEAVE_OK && to->nlocal > 0)
        memcpy(there, got.items, (size_t)to->nlocal * each);
    clv_arrivals_free(&got);
    close_dealing(&d);
    return status;
}

/* The way back: data from rank r is contiguous, and r has the order of its request. */
cleave_status clv_dist_fetch_values(const clv_dist_moved *moved, const void *there,
                                    size_t each, void *values, cleave_error *err)
{
    const clv_dist_graph *g = moved->from;
    dealing d = {0};
    int size = g->comm.size;
    int64_t *first = clv_alloc(size + 1, sizeof *first),
            *count = clv_alloc(size, sizeof *count);
    char *got = clv_alloc(g->nlocal, each);
    cleave_status status = clv_comm_agree_memory(&g->comm, first && count && got, err);
    if (status == CLEAVE_OK)
        status = deal_by_number(&d, moved, err);
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
