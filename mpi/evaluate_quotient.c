/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/evaluate_quotient.c - the quotient graph of a distributed graph.
 *
 * Each rank builds the quotient of its own rows.  The pairs are distributed by a hash, so that
 * equal pairs meet on one rank, which sums them. */
#include <string.h>

#include "base/rng.h"
#include "graph/topology.h"
#include "mpi/judge.h"

/* ---- Construction ----------------------------------------------------------------------- */

static int owner_of(int64_t key, int size)
{
    return (int)(clv_hash64((uint64_t)key) % (uint64_t)size);
}

static int64_t key_of(const clv_quotient *q, int32_t p, int64_t a)
{
    return (int64_t)p * q->nparts + q->adj[a];
}

/* first: size + 1 entries, and one more for counting. */
static void deal(const clv_quotient *q, int size, int64_t *first, clv_sort_item *out)
{
    memset(first, 0, (size_t)(size + 2) * sizeof *first);
    for (int32_t p = 0; p < q->nparts; p++)
        for (int64_t a = q->xadj[p]; a < q->xadj[p + 1]; a++)
            first[owner_of(key_of(q, p, a), size) + 2]++;
    for (int r = 0; r < size; r++)
        first[r + 2] += first[r + 1];
    for (int32_t p = 0; p < q->nparts; p++)
        for (int64_t a = q->xadj[p]; a < q->xadj[p + 1]; a++) {
            int64_t key = key_of(q, p, a);
            out[first[owner_of(key, size) + 1]++] = (clv_sort_item){key, {q->cut[a]}};
        }
}

/* Arrays of the local quotient are from the workspace, which the caller restores. */
static cleave_status deal_local(clv_judge *j, clv_sort_item **out, int64_t **first,
                                cleave_error *err)
{
    clv_quotient q;
    int size = j->g->comm.size;
    CLV_TRY(clv_derive_quotient_rows(&q, &j->view, j->used.count, j->used.part, &j->ws, err));
    *first = clv_ws_alloc(&j->ws, (int64_t)size + 2, sizeof **first);
    *out = clv_ws_alloc(&j->ws, q.xadj[q.nparts], sizeof **out);
    if (!*first || !*out)
        return clv_fail_memory(err);
    deal(&q, size, *first, *out);
    return CLEAVE_OK;
}

/* Merges pairs of the same key. */
static cleave_status merge(clv_judge_quotient *q, cleave_error *err)
{
    clv_sort_item *scratch = clv_alloc(q->count, sizeof *scratch);
    int64_t kept = 0;
    if (!scratch)
        return clv_fail_memory(err);
    clv_sort_team(NULL, q->pair, scratch, q->count);
    clv_sys_free(scratch);
    for (int64_t i = 0; i < q->count; i++) {
        clv_sort_item *last = kept > 0 ? &q->pair[kept - 1] : NULL;
        if (!last || last->key != q->pair[i].key)
            q->pair[kept++] = q->pair[i];
        else if (!clv_add_i64(last->with.index, q->pair[i].with.index, &last->with.index))
            return clv_fail(err, CLEAVE_ERANGE, "the cut between two parts exceeds 2^63-1");
    }
    q->count = kept;
    return CLEAVE_OK;
}

cleave_status clv_judge_quotient_make(clv_judge_quotient *q, clv_judge *j, cleave_error *err)
{
    const clv_comm *comm = &j->g->comm;
    clv_ws_mark mark = clv_ws_save(&j->ws);
    clv_sort_item *out = NULL;
    int64_t *first = NULL;
    clv_arrivals got = {0};
    cleave_status status = clv_comm_agree(comm, deal_local(j, &out, &first, err), err);
    if (status == CLEAVE_OK)
        status = clv_comm_exchange(comm, out, first, sizeof *out, &got, err);
    *q = (clv_judge_quotient){got.count, got.items};
    clv_sys_free(got.first);
    clv_ws_restore(&j->ws, mark);
    if (status == CLEAVE_OK)
        status = clv_comm_agree(comm, merge(q, err), err);
    if (status != CLEAVE_OK)
        clv_judge_quotient_free(q);
    return status;
}

void clv_judge_quotient_free(clv_judge_quotient *q)
{
    clv_sys_free(q->pair);
    *q = (clv_judge_quotient){0};
}

cleave_status clv_judge_quotient_rows(clv_quotient *rows, int32_t nparts,
                                      const clv_judge_quotient *q, clv_ws *ws,
                                      cleave_error *err)
{
    rows->nparts = nparts;
    rows->xadj = clv_ws_zalloc(ws, (int64_t)nparts + 1, sizeof *rows->xadj);
    rows->adj = clv_ws_alloc(ws, q->count, sizeof *rows->adj);
    rows->cut = clv_ws_alloc(ws, q->count, sizeof *rows->cut);
    if (!rows->xadj || !rows->adj || !rows->cut)
        return clv_fail_memory(err);
    for (int64_t i = 0; i < q->count; i++) {
        rows->xadj[q->pair[i].key / nparts + 1]++;
        rows->adj[i] = (int32_t)(q->pair[i].key % nparts);
        rows->cut[i] = q->pair[i].with.index;
    }
    for (int32_t p = 0; p < nparts; p++)
        rows->xadj[p + 1] += rows->xadj[p];
    return CLEAVE_OK;
}

/* ---- Components ------------------------------------------------------------------------- */

static cleave_status find_strong(clv_judge_quotient *whole, clv_judge *j, int32_t *component,
                                 int32_t *ncomponents, cleave_error *err)
{
    clv_quotient rows;
    int32_t count = j->used.count;
    CLV_TRY(merge(whole, err));
    CLV_TRY(clv_judge_quotient_rows(&rows, count, whole, &j->ws, err));
    return clv_topology_strong(count, rows.xadj, rows.adj, &j->ws, component, ncomponents,
                               err);
}

cleave_status clv_judge_strong(const clv_judge_quotient *q, clv_judge *j, int32_t *component,
                               int32_t *ncomponents, cleave_error *err)
{
    const clv_comm *comm = &j->g->comm;
    clv_ws_mark mark = clv_ws_save(&j->ws);
    int64_t size = comm->size;
    int64_t *first = clv_ws_alloc(&j->ws, size + 1, sizeof *first);
    clv_arrivals got = {0};
    cleave_status status = clv_comm_agree_memory(comm, first != NULL, err);
    if (status == CLEAVE_OK) {
        first[0] = 0;
        for (int64_t r = 1; r <= size; r++)
            first[r] = q->count;
        status = clv_comm_exchange(comm, q->pair, first, sizeof *q->pair, &got, err);
    }
    if (status == CLEAVE_OK) {
        clv_judge_quotient whole = {got.count, got.items};
        if (comm->rank == 0)
            status = find_strong(&whole, j, component, ncomponents, err);
        status = clv_comm_agree(comm, status, err);
    }
    clv_arrivals_free(&got);
    clv_ws_restore(&j->ws, mark);
    if (status == CLEAVE_OK) {
        clv_comm_broadcast(comm, ncomponents, sizeof *ncomponents, 0);
        clv_comm_broadcast(comm, component, j->used.count * (int64_t)sizeof *component, 0);
    }
    return status;
}
