/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/read_binary.c - parallel reading of a binary graph: every rank reads its own ranges.
 *
 * Ranges are cut so that vertices and arcs together take the same memory on all ranks; the
 * cuts are found by searching the ascending offsets of the file.  Predecessors of a DAG are
 * computed anew, and names are not read: for these sections only the checksum is verified.
 *
 * Unless trusted, rank 0 first verifies the checksum of the whole file.  Each rank then checks
 * the contents it reads, with the messages of formats/binary_verify.c. */
#include <string.h>

#include "formats/binary_verify.h"
#include "mpi/files.h"

typedef struct binary_reader {
    const clv_read_job *job;
    const clv_binary_header *h;
    clv_plain_file file;
    int64_t *first;
    clv_dist_rows rows;
} binary_reader;

/* ---- The whole file: rank 0 ------------------------------------------------------------- */

static cleave_status read_offset(const binary_reader *r, clv_binary_section s, int64_t v,
                                 int64_t *value, cleave_error *err)
{
    return clv_plain_read(&r->file, value, sizeof *value,
                          (int64_t)r->h->section[s].offset + v * (int64_t)sizeof *value, err);
}

/* *fit: these offsets begin with 0 and end with `last`. */
static cleave_status check_ends(const binary_reader *r, clv_binary_section s, int64_t last,
                                bool *fit, cleave_error *err)
{
    int64_t low = 0, high = last;
    if (r->h->section[s].offset) {
        CLV_TRY(read_offset(r, s, 0, &low, err));
        CLV_TRY(read_offset(r, s, r->h->nvtx, &high, err));
    }
    *fit = *fit && low == 0 && high == last;
    return CLEAVE_OK;
}

static cleave_status check_source(const binary_reader *r, bool *fit, cleave_error *err)
{
    enum { longest = 1 << 20 };
    const char *origin, *unit;
    uint64_t size = r->h->section[CLV_SOURCE].size;
    if (size > longest) {
        *fit = false;
        return CLEAVE_OK;
    }
    char *text = clv_alloc((int64_t)size, 1);
    if (!text)
        return clv_fail_memory(err);
    cleave_status status = clv_plain_read(&r->file, text, (int64_t)size,
                                          (int64_t)r->h->section[CLV_SOURCE].offset, err);
    *fit = *fit && status == CLEAVE_OK && clv_binary_read_source(text, size, &origin, &unit);
    clv_sys_free(text);
    return status;
}

static cleave_status check_name_end(const binary_reader *r, bool *fit, cleave_error *err)
{
    char last = 0;
    uint64_t size = r->h->section[CLV_NAME_TEXT].size;
    if (size > 0)
        CLV_TRY(clv_plain_read(&r->file, &last, 1,
                               (int64_t)(r->h->section[CLV_NAME_TEXT].offset + size) - 1,
                               err));
    *fit = *fit && last == 0;
    return CLEAVE_OK;
}

static cleave_status check_file(const binary_reader *r, cleave_error *err)
{
    const clv_binary_header *h = r->h;
    bool fit = true;
    CLV_TRY(clv_binary_check_size(h->start.file_size, (uint64_t)r->job->plan.size,
                                  r->job->path, err));
    if (!r->job->plan.trust) {
        uint64_t sum;
        CLV_TRY(clv_plain_sum(&r->file, sizeof *h, r->job->plan.size, &sum, err));
        if (sum != h->start.data_sum)
            return clv_binary_refuse(r->job->path, err, "is damaged: the checksum is wrong");
    }
    CLV_TRY(check_source(r, &fit, err));
    CLV_TRY(check_ends(r, CLV_XADJ, h->narc, &fit, err));
    CLV_TRY(check_ends(r, CLV_XPRED, h->narc, &fit, err));
    CLV_TRY(
        check_ends(r, CLV_NAME_OFFSETS, (int64_t)h->section[CLV_NAME_TEXT].size, &fit, err));
    CLV_TRY(check_name_end(r, &fit, err));
    if (!fit)
        return clv_binary_refuse(r->job->path, err,
                                 "is damaged: the header contradicts the contents");
    return CLEAVE_OK;
}

/* ---- Cutting ---------------------------------------------------------------------------- */

/* The first vertex with `share` of memory before it: two units per vertex and one per arc. */
static cleave_status find_cut(const binary_reader *r, int64_t share, int64_t *cut,
                              cleave_error *err)
{
    int64_t low = 0, high = r->h->nvtx;
    while (low < high) {
        int64_t middle = low + (high - low) / 2, arcs;
        CLV_TRY(read_offset(r, CLV_XADJ, middle, &arcs, err));
        if (arcs < 0 || arcs > r->h->narc) /* damaged; reported by the rank that reads it */
            arcs = 0;
        if (2 * middle + arcs < share)
            low = middle + 1;
        else
            high = middle;
    }
    *cut = low;
    return CLEAVE_OK;
}

static cleave_status cut_ranges(binary_reader *r, cleave_error *err)
{
    const clv_comm *comm = r->job->comm;
    int64_t all = 2 * (int64_t)r->h->nvtx + r->h->narc, mine = 0;
    int64_t share = all / comm->size * comm->rank + all % comm->size * comm->rank / comm->size;
    cleave_status status = comm->rank > 0 ? find_cut(r, share, &mine, err) : CLEAVE_OK;
    CLV_TRY(clv_comm_agree(comm, status, err));
    MPI_Allgather(&mine, 1, MPI_INT64_T, r->first, 1, MPI_INT64_T, comm->mpi);
    r->first[comm->size] = r->h->nvtx;
    for (int i = 1; i < comm->size; i++) /* offsets that do not ascend */
        r->first[i] = r->first[i] < r->first[i - 1] ? r->first[i - 1] : r->first[i];
    return CLEAVE_OK;
}

/* ---- Own ranges ------------------------------------------------------------------------- */

/* Items begin .. begin + count - 1 of a section, from clv_alloc. */
static cleave_status read_items(const binary_reader *r, clv_binary_section s, int64_t begin,
                                int64_t count, void **to, cleave_error *err)
{
    int64_t each = clv_binary_item_bytes(r->h, s);
    *to = NULL;
    if (!r->h->section[s].offset)
        return CLEAVE_OK;
    *to = clv_alloc(count, (size_t)each);
    if (!*to)
        return clv_fail_memory(err);
    return clv_plain_read(&r->file, *to, count * each,
                          (int64_t)r->h->section[s].offset + begin * each, err);
}

/* Checked even when trusted: the end of rows must be valid before they are read. */
static cleave_status read_offsets(binary_reader *r, int64_t first, int64_t own, void **xadj,
                                  cleave_error *err)
{
    CLV_TRY(read_items(r, CLV_XADJ, first, own + 1, xadj, err));
    clv_graph share = {.nvtx = (int32_t)own, .narc = r->h->narc, .xadj = *xadj};
    CLV_TRY(clv_binary_verify_offsets(&share, (int32_t)first, r->job->path, err));
    return share.xadj[0] >= 0 ? CLEAVE_OK
                              : clv_fail_at(err, CLEAVE_EPARSE, r->job->path, 0,
                                            "vertex %lld has neighbours that begin before 0",
                                            (long long)first);
}

static cleave_status check_range(const binary_reader *r, const int32_t *adj, int64_t narc,
                                 cleave_error *err)
{
    bool inside = true;
    for (int64_t a = 0; a < narc; a++)
        inside &= adj[a] >= 0 && adj[a] < r->h->nvtx;
    return inside ? CLEAVE_OK
                  : clv_binary_refuse(r->job->path, err,
                                      "a vertex has a neighbour that is not a vertex");
}

/* The arrays of this rank as stored in the file. */
typedef struct own_arrays {
    void *xadj, *adj, *ewgt, *vwgt, *vsize, *coords;
} own_arrays;

static cleave_status read_arrays(binary_reader *r, own_arrays *own, cleave_error *err)
{
    const clv_binary_header *h = r->h;
    int rank = r->job->comm->rank;
    int64_t first = r->first[rank], n = r->first[rank + 1] - first;
    CLV_TRY(read_offsets(r, first, n, &own->xadj, err));
    int64_t *xadj = own->xadj, base = xadj[0], narc = xadj[n] - base;
    for (int64_t v = 0; v <= n; v++)
        xadj[v] -= base;
    CLV_TRY(read_items(r, CLV_ADJ, base, narc, &own->adj, err));
    CLV_TRY(read_items(r, CLV_EWGT, base, narc, &own->ewgt, err));
    CLV_TRY(read_items(r, CLV_VWGT, first, n, &own->vwgt, err));
    CLV_TRY(read_items(r, CLV_VSIZE, first, n, &own->vsize, err));
    CLV_TRY(read_items(r, CLV_COORDS, first, n, &own->coords, err));
    if (r->job->plan.trust)
        return check_range(r, own->adj, narc, err);
    clv_graph share = {.nvtx = (int32_t)n,
                       .narc = narc,
                       .xadj = xadj,
                       .adj = own->adj,
                       .ewgt = own->ewgt,
                       .vwgt = own->vwgt,
                       .vsize = own->vsize,
                       .coords = own->coords,
                       .ncon = h->ncon,
                       .ndim = h->ndim};
    return clv_binary_verify_share(&share, (int32_t)first, h->nvtx, r->job->path, err);
}

/* Local.  rows owns the arrays afterwards, also on failure. */
static cleave_status read_own(binary_reader *r, cleave_error *err)
{
    own_arrays own = {.xadj = NULL};
    int rank = r->job->comm->rank;
    cleave_status status = read_arrays(r, &own, err);
    r->rows.xadj = own.xadj;
    r->rows.ewgt = own.ewgt;
    r->rows.vwgt = own.vwgt;
    r->rows.vsize = own.vsize;
    r->rows.coords = own.coords;
    if (status == CLEAVE_OK) {
        r->rows.adj = clv_widen(own.adj, r->rows.xadj[r->first[rank + 1] - r->first[rank]]);
        if (r->rows.adj)
            return CLEAVE_OK;
        status = clv_fail_memory(err);
    }
    clv_sys_free(own.adj);
    return status;
}

static cleave_status read_all(binary_reader *r, cleave_error *err)
{
    const clv_comm *comm = r->job->comm;
    r->first = clv_alloc(comm->size + 1, sizeof *r->first);
    r->rows.first = r->first;
    cleave_status status =
        r->first ? clv_plain_open(&r->file, r->job->path, r->job->path, false, err)
                 : clv_fail_memory(err);
    if (status == CLEAVE_OK && comm->rank == 0)
        status = check_file(r, err);
    CLV_TRY(clv_comm_agree(comm, status, err));
    CLV_TRY(cut_ranges(r, err));
    return clv_comm_agree(comm, read_own(r, err), err);
}

cleave_status clv_read_binary_shares(clv_dist_graph **out, const clv_read_job *job,
                                     cleave_error *err)
{
    const clv_binary_header *h = &job->plan.binary;
    binary_reader r = {.job = job, .h = h};
    r.rows = (clv_dist_rows){.kind = (cleave_kind)h->kind,
                             .ncon = h->ncon,
                             .ndim = h->ndim,
                             .trust = job->plan.trust};
    cleave_status status = read_all(&r, err);
    clv_plain_close(&r.file, NULL);
    if (status == CLEAVE_OK)
        status = clv_dist_graph_make(out, job->comm, &r.rows, err);
    clv_dist_rows_free(&r.rows);
    clv_sys_free(r.first);
    return status;
}
