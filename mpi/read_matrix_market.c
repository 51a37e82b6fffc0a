/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/read_matrix_market.c - parallel reading of a Matrix Market file as the pattern of a
 * graph.
 *
 * Entries are in any order, so that arcs are sent to the owners of their tails, a batch at a
 * time.  The text is read twice: first for the degrees, which give ranges of equal size and
 * the offset of every row; then for the arcs, which go directly into their rows.  Self-loops
 * are dropped and duplicates merged, as in formats/matrix_market.c. */
#include <string.h>

#include "base/rng.h"
#include "graph/rows.h"
#include "mpi/text_share.h"

enum { batch_entries = 1 << 16, batch_arcs = 2 * batch_entries };

typedef struct arc {
    int32_t tail, head;
} arc;

typedef struct matrix_reader {
    const clv_read_job *job;
    const clv_comm *comm;
    clv_text_share share;
    mm_reader entries;    /* holds the text of the share during a pass */
    int64_t limit;        /* number of the entry after the last one of this rank */
    cleave_status status; /* of this pass and rank; a rank that failed continues without
                             entries */
    uint64_t print;       /* fingerprint of the tails: both passes must have the same */
    arc *batch, *sorted;
    int64_t *send_first;   /* by rank: its first arc of a batch; size + 1 */
    int64_t *even, *first; /* ranges: even ones for counting, and those of the graph */
    int64_t *xadj;
    int32_t *adj; /* global numbers, already checked */
} matrix_reader;

/* ---- Entries ---------------------------------------------------------------------------- */

static int put_arc(arc *to, int32_t tail, int32_t head)
{
    *to = (arc){tail, head};
    return 1;
}

/* The arcs of an entry without self-loops; returns their number. */
static int entry_arcs(const matrix_reader *r, const mm_entry *e, arc *to)
{
    clv_as as = r->job->plan.as;
    int32_t tail = e->col, head = e->row;
    if (e->row == e->col)
        return 0;
    if (as == CLV_AS_LOWER || as == CLV_AS_UPPER) {
        bool mirrored = r->job->plan.matrix.symmetry != MM_GENERAL;
        return clv_mm_triangle_arc(e, as == CLV_AS_LOWER, mirrored, &tail, &head)
                   ? put_arc(to, tail, head)
                   : 0;
    }
    put_arc(to, tail, head);
    return as == CLV_AS_DAG ? 1 : 1 + put_arc(to + 1, head, tail);
}

/* Reads up to a batch of entries; *more: entries are left. */
static cleave_status read_batch(matrix_reader *r, int64_t *count, bool *more)
{
    mm_reader *m = &r->entries;
    *count = 0;
    *more = false;
    for (int i = 0; i < batch_entries && m->seen < r->limit; i++) {
        mm_entry entry;
        CLV_TRY(clv_mm_next(m, &entry));
        *count += entry_arcs(r, &entry, r->batch + *count);
    }
    for (int64_t i = 0; i < *count; i++)
        r->print += clv_hash64((uint64_t)r->batch[i].tail);
    *more = m->seen < r->limit;
    return *more ? CLEAVE_OK : clv_mm_expect_end(m);
}

/* Sorts the batch by the owners of the tails. */
static void sort_batch(matrix_reader *r, int64_t count, const int64_t *first)
{
    int size = r->comm->size;
    int64_t *place = r->send_first;
    memset(place, 0, (size_t)(size + 1) * sizeof *place);
    for (int64_t i = 0; i < count; i++)
        place[clv_dist_owner(first, size, r->batch[i].tail) + 1]++;
    for (int p = 0; p < size; p++)
        place[p + 1] += place[p];
    for (int64_t i = 0; i < count; i++)
        r->sorted[place[clv_dist_owner(first, size, r->batch[i].tail)]++] = r->batch[i];
    memmove(place + 1, place, (size_t)size * sizeof *place);
    place[0] = 0;
}

/* ---- Passes ----------------------------------------------------------------------------- */

static void count_arcs(matrix_reader *r, const clv_arrivals *got)
{
    const arc *arcs = got->items;
    int64_t begin = r->even[r->comm->rank];
    for (int64_t i = 0; i < got->count; i++)
        r->xadj[arcs[i].tail - begin + 1]++;
}

/* xadj[v + 1] is the position of the next arc of v, and in the end the end of its row. */
static void place_arcs(matrix_reader *r, const clv_arrivals *got)
{
    const arc *arcs = got->items;
    int64_t begin = r->first[r->comm->rank], narc = r->xadj[0];
    for (int64_t i = 0; i < got->count; i++) {
        int64_t at = r->xadj[arcs[i].tail - begin + 1]++;
        if (at < narc) /* else the file has changed, which the fingerprints show */
            r->adj[at] = arcs[i].head;
    }
}

static cleave_status start_pass(matrix_reader *r, cleave_error *err)
{
    const clv_read_plan *plan = &r->job->plan;
    CLV_TRY(clv_text_share_start(&r->share, err));
    r->entries = (mm_reader){.text = r->share.text,
                             .pattern = plan->matrix.pattern,
                             .symmetry = plan->matrix.symmetry,
                             .nrow = plan->matrix.nvtx,
                             .ncol = plan->matrix.nvtx,
                             .nnz = plan->matrix.nnz,
                             .seen = r->share.first};
    r->limit = r->share.first + clv_text_share_reads(&r->share, plan->matrix.nnz);
    return CLEAVE_OK;
}

/* Reads the text of all ranks; arcs go to `take` on the owner of their tail.  The first error
 * in the order of the file is reported, not the first in time: ranks that fail stay in the
 * loop. */
static cleave_status pass(matrix_reader *r, const int64_t *first,
                          void (*take)(matrix_reader *r, const clv_arrivals *got),
                          cleave_error *err)
{
    r->print = 0;
    r->status = start_pass(r, err);
    bool more = r->status == CLEAVE_OK;
    while (clv_comm_max(r->comm, more)) {
        int64_t count = 0;
        clv_arrivals got;
        if (more)
            r->status = read_batch(r, &count, &more);
        more = more && r->status == CLEAVE_OK;
        sort_batch(r, r->status == CLEAVE_OK ? count : 0, first);
        CLV_TRY(clv_comm_exchange(r->comm, r->sorted, r->send_first, sizeof(arc), &got, err));
        take(r, &got);
        clv_arrivals_free(&got);
    }
    return clv_comm_agree(r->comm, r->status, err);
}

/* ---- Ranges ----------------------------------------------------------------------------- */

/* Ranges of equal memory (two units per vertex, one per arc), from the degrees of the vertices
 * of the even ranges in xadj[1 ..]. */
static void cut_ranges(matrix_reader *r)
{
    const clv_comm *comm = r->comm;
    int size = comm->size;
    int64_t begin = r->even[comm->rank], own = r->even[comm->rank + 1] - begin, sum = 0;
    for (int64_t v = 0; v < own; v++)
        sum += 2 + r->xadj[v + 1];
    int64_t before = clv_comm_before(comm, sum), all = clv_comm_sum(comm, sum);
    int next = 0;
    for (int p = 0; p <= size; p++)
        r->first[p] = r->even[size];
    for (int64_t v = 0; v <= own; v++) { /* the cuts at or before vertex v of this rank */
        for (; next < size && all / size * next + all % size * next / size <= before; next++)
            r->first[next] = begin + v;
        before += v < own ? 2 + r->xadj[v + 1] : 0;
    }
    /* A cut before this range is overestimated here: the lower rank has the correct value. */
    MPI_Allreduce(MPI_IN_PLACE, r->first, size + 1, MPI_INT64_T, MPI_MIN, comm->mpi);
}

/* Sends the degrees to the new owners of the vertices: xadj becomes that of the ranges. */
static cleave_status move_degrees(matrix_reader *r, cleave_error *err)
{
    const clv_comm *comm = r->comm;
    int64_t begin = r->even[comm->rank], own = r->even[comm->rank + 1] - begin;
    for (int p = 0; p <= comm->size; p++) {
        int64_t at = r->first[p] - begin;
        r->send_first[p] = at < 0 ? 0 : at > own ? own : at;
    }
    clv_arrivals got;
    CLV_TRY(clv_comm_exchange(comm, r->xadj + 1, r->send_first, sizeof *r->xadj, &got, err));
    int64_t mine = got.count, *degree = got.items, narc = 0;
    int64_t *xadj = clv_realloc(r->xadj, mine + 1, sizeof *xadj);
    if (xadj)
        r->xadj = xadj;
    for (int64_t v = 0; xadj && v < mine; v++) {
        xadj[v + 1] = narc;
        narc += degree[v];
    }
    clv_arrivals_free(&got);
    r->adj = xadj ? clv_alloc(narc, sizeof *r->adj) : NULL;
    if (xadj)
        xadj[0] = narc; /* until the rows are full */
    return clv_comm_agree_memory(comm, r->adj != NULL, err);
}

/* ---- Rows ------------------------------------------------------------------------------- */

/* Sorts rows; equal neighbours are adjacent. */
static void drop_duplicates(clv_rows *rows)
{
    int64_t to = 0, a = 0;
    for (int32_t v = 0; v < rows->nvtx; v++) {
        int64_t start = to, end = rows->xadj[v + 1];
        for (; a < end; a++)
            if (to == start || rows->adj[to - 1] != rows->adj[a])
                rows->adj[to++] = rows->adj[a];
        rows->xadj[v] = start;
    }
    rows->xadj[rows->nvtx] = to;
}

/* Local. */
static cleave_status finish_rows(matrix_reader *r, clv_dist_rows *out, cleave_error *err)
{
    int rank = r->comm->rank;
    clv_rows rows = {.nvtx = (int32_t)(r->first[rank + 1] - r->first[rank]),
                     .xadj = r->xadj,
                     .adj = r->adj};
    clv_ws ws = {NULL};
    rows.xadj[0] = 0;
    cleave_status status = clv_rows_sort(&rows, &ws, err);
    clv_ws_free(&ws);
    CLV_TRY(status);
    drop_duplicates(&rows);
    out->adj = clv_widen(r->adj, rows.xadj[rows.nvtx]);
    if (!out->adj)
        return clv_fail_memory(err);
    out->xadj = r->xadj;
    r->adj = NULL;
    r->xadj = NULL;
    return CLEAVE_OK;
}

static cleave_status read_rows(matrix_reader *r, clv_dist_rows *rows, cleave_error *err)
{
    CLV_TRY(pass(r, r->even, count_arcs, err));
    uint64_t print = r->print;
    cut_ranges(r);
    CLV_TRY(move_degrees(r, err));
    CLV_TRY(pass(r, r->first, place_arcs, err));
    cleave_status status = r->print == print
                               ? CLEAVE_OK
                               : clv_fail_at(err, CLEAVE_EIO, r->job->path, 0,
                                             "the file changed while it was read");
    if (status == CLEAVE_OK)
        status = finish_rows(r, rows, err);
    return clv_comm_agree(r->comm, status, err);
}

static cleave_status allocate(matrix_reader *r, cleave_error *err)
{
    int size = r->comm->size;
    r->batch = clv_alloc(batch_arcs, sizeof *r->batch);
    r->sorted = clv_alloc(batch_arcs, sizeof *r->sorted);
    r->send_first = clv_alloc(size + 1, sizeof *r->send_first);
    r->even = clv_alloc(size + 1, sizeof *r->even);
    r->first = clv_alloc(size + 1, sizeof *r->first);
    bool ok = r->batch && r->sorted && r->send_first && r->even && r->first;
    if (ok) {
        clv_dist_even(r->job->plan.matrix.nvtx, size, r->even);
        r->xadj = clv_zalloc(r->even[r->comm->rank + 1] - r->even[r->comm->rank] + 1,
                             sizeof *r->xadj);
    }
    return clv_comm_agree_memory(r->comm, ok && r->xadj, err);
}

cleave_status clv_read_matrix_shares(clv_dist_graph **out, const clv_read_job *job,
                                     cleave_error *err)
{
    clv_as as = job->plan.as;
    bool directed = as != CLV_AS_AUTO && as != CLV_AS_UNDIRECTED;
    matrix_reader r = {.job = job, .comm = job->comm};
    clv_dist_rows rows = {.kind = directed ? CLEAVE_DAG : CLEAVE_UNDIRECTED, .ncon = 1};
    /* A triangle has no cycles, and edges were inserted from both sides. */
    rows.trust = as != CLV_AS_DAG;
    cleave_status status = clv_text_share_open(&r.share, job, false, err);
    if (status == CLEAVE_OK)
        status = allocate(&r, err);
    rows.first = r.first;
    if (status == CLEAVE_OK)
        status = read_rows(&r, &rows, err);
    clv_text_share_close(&r.share);
    clv_sys_free(r.batch);
    clv_sys_free(r.sorted);
    if (status == CLEAVE_OK)
        status = clv_dist_graph_make(out, job->comm, &rows, err);
    clv_dist_rows_free(&rows);
    clv_sys_free(r.send_first);
    clv_sys_free(r.even);
    clv_sys_free(r.first);
    clv_sys_free(r.xadj);
    clv_sys_free(r.adj);
    return status;
}
