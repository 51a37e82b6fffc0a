/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/read_metis.c - parallel reading of a METIS file.
 *
 * A row is a line: the rank that reads a line owns the vertex, so that nothing is sent, and
 * equal ranges of bytes have nearly equal numbers of arcs.  Lines are parsed by
 * formats/metis.c. */
#include <string.h>

#include "mpi/text_share.h"

int64_t *clv_widen(int32_t *numbers, int64_t count)
{
    int64_t *wide = clv_realloc(numbers, count, sizeof *wide);
    const char *narrow = (const char *)wide;
    for (int64_t i = wide ? count - 1 : -1; i >= 0; i--) { /* widening in place: no number is
                                                              overwritten before it is read */
        int32_t number;
        memcpy(&number, narrow + i * 4, sizeof number);
        int64_t value = number;
        memcpy(&wide[i], &value, sizeof value);
    }
    return wide;
}

/* Transfers the arrays; the caller frees those that are not taken. */
static cleave_status take_share(clv_dist_rows *rows, clv_metis_share *mine, cleave_error *err)
{
    int64_t *adj = clv_widen(mine->rows.adj, mine->rows.xadj[mine->count]);
    if (!adj)
        return clv_fail_memory(err);
    mine->rows.adj = NULL;
    rows->adj = adj;
    rows->xadj = mine->rows.xadj;
    mine->rows.xadj = NULL;
    rows->ewgt = mine->rows.ewgt;
    mine->rows.ewgt = NULL;
    rows->vwgt = mine->vwgt;
    rows->vsize = mine->vsize;
    mine->vwgt = mine->vsize = NULL;
    return CLEAVE_OK;
}

/* Local: the rows of this rank. */
static cleave_status read_share(clv_dist_rows *rows, clv_text_share *share,
                                const clv_metis_header *head, cleave_error *err)
{
    clv_metis_share mine = {.first = share->first,
                            .count = clv_text_share_reads(share, head->nvtx)};
    CLV_TRY(clv_text_share_start(share, err));
    cleave_status status = clv_metis_read_share(&mine, head, &share->text);
    if (status == CLEAVE_OK)
        status = take_share(rows, &mine, err);
    clv_rows_free(&mine.rows);
    clv_sys_free(mine.vwgt);
    clv_sys_free(mine.vsize);
    return status;
}

/* The rank that reads the line owns the vertex. */
static void set_ranges(int64_t *first, const clv_text_share *share, const clv_comm *comm,
                       int64_t nvtx)
{
    int64_t mine = share->first < nvtx ? share->first : nvtx;
    MPI_Allgather(&mine, 1, MPI_INT64_T, first, 1, MPI_INT64_T, comm->mpi);
    first[comm->size] = nvtx;
}

static cleave_status read_rows(clv_dist_rows *rows, int64_t *first, const clv_read_job *job,
                               cleave_error *err)
{
    const clv_metis_header *head = &job->plan.metis;
    clv_text_share share;
    cleave_status status = clv_text_share_open(&share, job, true, err);
    if (status == CLEAVE_OK)
        status = clv_comm_agree(job->comm, read_share(rows, &share, head, err), err);
    if (status == CLEAVE_OK)
        set_ranges(first, &share, job->comm, head->nvtx);
    clv_text_share_close(&share);
    return status;
}

cleave_status clv_read_metis_shares(clv_dist_graph **out, const clv_read_job *job,
                                    cleave_error *err)
{
    const clv_metis_header *head = &job->plan.metis;
    int64_t *first = clv_alloc(job->comm->size + 1, sizeof *first);
    clv_dist_rows rows = {.kind = job->plan.as == CLV_AS_DAG ? CLEAVE_DAG : CLEAVE_UNDIRECTED,
                          .first = first,
                          .ncon = head->ncon};
    cleave_status status = clv_comm_agree_memory(job->comm, first != NULL, err);
    if (status == CLEAVE_OK)
        status = read_rows(&rows, first, job, err);
    if (status == CLEAVE_OK)
        status = clv_dist_graph_make(out, job->comm, &rows, err);
    clv_dist_rows_free(&rows);
    clv_sys_free(first);
    if (status == CLEAVE_OK && clv_dist_edges(*out) != head->nedge) {
        status = clv_metis_fail_count(head, clv_dist_edges(*out), job->path, err);
        clv_dist_graph_free(*out);
        *out = NULL;
    }
    return status;
}
