/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_check.c - see mpi/dist_check.h.
 *
 * Each rank first checks what it can check alone.  Then the ranks ask each other, one batch of
 * arcs at a time, whether the reverse arcs exist. */
#include "mpi/dist_check.h"

#include <string.h>

#include "base/rng.h"
#include "base/sort.h"

enum { batch = 1 << 18 };

/* ---- Sizes ------------------------------------------------------------------------------ */

static cleave_status check_ranges(const clv_comm *comm, const clv_dist_rows *rows,
                                  cleave_error *err)
{
    int64_t hash = 0;
    bool ok = rows->first && rows->first[0] == 0;
    for (int r = 0; ok && r < comm->size; r++)
        ok = rows->first[r + 1] >= rows->first[r] &&
             rows->first[r + 1] - rows->first[r] <= INT32_MAX - 2;
    for (int r = 0; ok && r <= comm->size; r++)
        hash = (int64_t)(clv_hash64((uint64_t)hash ^ (uint64_t)rows->first[r]) >> 1);
    if (!ok)
        clv_fail(err, CLEAVE_EINVAL,
                 "the ranges of the ranks (vtxdist) do not ascend from 0, or one has 2^31 - 2 "
                 "vertices or more");
    CLV_TRY(clv_comm_agree(comm, ok ? CLEAVE_OK : CLEAVE_EINVAL, err));
    if (clv_comm_min(comm, hash) != clv_comm_max(comm, hash))
        return clv_fail(err, CLEAVE_EINVAL,
                        "the ranges of the ranks (vtxdist) are not the same on all of them");
    return CLEAVE_OK;
}

/* A rank without vertices must not have arrays that the others do not have. */
static void drop_strays(clv_dist_rows *rows, int64_t there)
{
    if (!(there & 1)) {
        clv_sys_free(rows->vwgt);
        rows->vwgt = NULL;
    }
    if (!(there & 2)) {
        clv_sys_free(rows->vsize);
        rows->vsize = NULL;
    }
    if (!(there & 4)) {
        clv_sys_free(rows->coords);
        rows->coords = NULL;
    }
}

/* Optional arrays, ncon and ndim must agree on all ranks that own vertices.  The other ranks
 * get empty arrays, so that NULL means the same on all ranks. */
static cleave_status check_presence(const clv_comm *comm, clv_dist_rows *rows,
                                    cleave_error *err)
{
    int64_t own = rows->first[comm->rank + 1] - rows->first[comm->rank];
    int64_t mine = (rows->vwgt ? 1 : 0) | (rows->vsize ? 2 : 0) | (rows->coords ? 4 : 0) |
                   (rows->kind == CLEAVE_DAG ? 8 : 0) | (int64_t)rows->ncon << 8 |
                   (int64_t)rows->ndim << 32;
    int64_t low = clv_comm_min(comm, own > 0 ? mine : INT64_MAX);
    int64_t high = clv_comm_max(comm, own > 0 ? mine : -1);
    if (own > 0 || high >= 0) {
        if (low != high)
            return clv_fail(err, CLEAVE_EINVAL,
                            "the ranks disagree about which arrays there are, or about the "
                            "number of weights or coordinates");
        rows->kind = low & 8 ? CLEAVE_DAG : CLEAVE_UNDIRECTED;
        rows->ncon = (int32_t)(low >> 8 & 0xffffff);
        rows->ndim = (int32_t)(low >> 32);
    } else {
        low = mine;
    }
    bool ok = true;
    if (own == 0)
        drop_strays(rows, low);
    if (!(low & 1) && rows->ncon > 1 &&
        !rows->wide_vwgt) { /* several weights of 1: the array is filled in */
        rows->vwgt = clv_alloc(own * rows->ncon, sizeof *rows->vwgt);
        ok = rows->vwgt != NULL;
        for (int64_t i = 0; ok && i < own * rows->ncon; i++)
            rows->vwgt[i] = 1;
    }
    if (own == 0) {
        if ((low & 1) && !rows->vwgt)
            ok &= (rows->vwgt = clv_alloc(0, 4)) != NULL;
        if ((low & 2) && !rows->vsize)
            ok &= (rows->vsize = clv_alloc(0, 4)) != NULL;
        if ((low & 4) && !rows->coords)
            ok &= (rows->coords = clv_alloc(0, 8)) != NULL;
    }
    return clv_comm_agree_memory(comm, ok, err);
}

/* Edge weights must be present on all ranks that have arcs, or on none. */
static cleave_status check_edge_weights(const clv_comm *comm, clv_dist_rows *rows,
                                        cleave_error *err)
{
    if (rows->wide_ewgt) /* trusted on all ranks */
        return CLEAVE_OK;
    int64_t own = rows->first[comm->rank + 1] - rows->first[comm->rank];
    bool arcs = own > 0 && rows->xadj[own] > 0;
    int64_t some = clv_comm_max(comm, arcs && rows->ewgt ? 1 : 0);
    int64_t none = clv_comm_max(comm, arcs && !rows->ewgt ? 1 : 0);
    if (some && none)
        return clv_fail(err, CLEAVE_EINVAL,
                        "some ranks give weights of edges and others do not");
    bool ok = true;
    if (!some && !arcs) {
        clv_sys_free(rows->ewgt);
        rows->ewgt = NULL;
    } else if (some && !rows->ewgt) {
        ok = (rows->ewgt = clv_alloc(0, 4)) != NULL;
    }
    return clv_comm_agree_memory(comm, ok, err);
}

/* ---- Checks of one rank ----------------------------------------------------------------- */

static cleave_status sort_row(int64_t *adj, int32_t *ewgt, int64_t count,
                              clv_sort_item **items, int64_t *room, cleave_error *err)
{
    bool ascends = true;
    for (int64_t i = 1; i < count && ascends; i++)
        ascends = adj[i - 1] <= adj[i];
    if (ascends)
        return CLEAVE_OK;
    if (*room < count) {
        clv_sort_item *more = clv_realloc(*items, 4 * count, sizeof *more);
        if (!more)
            return clv_fail_memory(err);
        *items = more;
        *room = 2 * count;
    }
    for (int64_t i = 0; i < count; i++)
        (*items)[i] = (clv_sort_item){.key = adj[i], .with.index = ewgt ? ewgt[i] : 1};
    const clv_sort_item *sorted = clv_sort(*items, *items + count, count);
    for (int64_t i = 0; i < count; i++) {
        adj[i] = sorted[i].key;
        if (ewgt)
            ewgt[i] = (int32_t)sorted[i].with.index;
    }
    return CLEAVE_OK;
}

static cleave_status check_row(const clv_dist_rows *rows, int64_t v, int64_t begin, int64_t n,
                               cleave_error *err)
{
    for (int64_t a = rows->xadj[v]; a < rows->xadj[v + 1]; a++) {
        long long me = begin + v, u = rows->adj[a];
        if (u < 0 || u >= n)
            return clv_fail(err, CLEAVE_EINVAL,
                            "vertex %lld has a neighbour %lld, but there are %lld vertices",
                            me, u, (long long)n);
        if (u == me)
            return clv_fail(err, CLEAVE_EINVAL, "vertex %lld is its own neighbour", me);
        if (rows->ewgt && rows->ewgt[a] < 0)
            return clv_fail(err, CLEAVE_EINVAL,
                            "the edge from vertex %lld to %lld has the negative weight %d", me,
                            u, (int)rows->ewgt[a]);
    }
    return CLEAVE_OK;
}

static cleave_status check_vertex_weights(const clv_dist_rows *rows, int64_t begin,
                                          int64_t own, cleave_error *err)
{
    for (int64_t v = 0; rows->vwgt && v < own * rows->ncon; v++)
        if (rows->vwgt[v] < 0)
            return clv_fail(err, CLEAVE_EINVAL, "vertex %lld has the negative weight %d",
                            (long long)(begin + v / rows->ncon), (int)rows->vwgt[v]);
    for (int64_t v = 0; rows->vsize && v < own; v++)
        if (rows->vsize[v] < 0)
            return clv_fail(err, CLEAVE_EINVAL, "vertex %lld has the negative size %d",
                            (long long)(begin + v), (int)rows->vsize[v]);
    return CLEAVE_OK;
}

static cleave_status check_offsets(const clv_dist_rows *rows, int64_t begin, int64_t own,
                                   cleave_error *err)
{
    if (rows->ncon < 1 || rows->ncon > 1 << 20 ||
        (rows->ndim != 0 && rows->ndim != 2 && rows->ndim != 3))
        return clv_fail(err, CLEAVE_EINVAL,
                        "%d weights per vertex or %d coordinates: weights are at least 1, "
                        "coordinates 0, 2 or 3",
                        (int)rows->ncon, (int)rows->ndim);
    if (own > 0 && (!rows->xadj || rows->xadj[0] != 0))
        return clv_fail(err, CLEAVE_EINVAL,
                        "the offsets (xadj) of a rank do not begin with 0");
    for (int64_t v = 0; v < own; v++)
        if (rows->xadj[v + 1] < rows->xadj[v])
            return clv_fail(err, CLEAVE_EINVAL,
                            "the offsets (xadj) run backwards behind vertex %lld",
                            (long long)(begin + v));
    return CLEAVE_OK;
}

static cleave_status check_alone(const clv_comm *comm, clv_dist_rows *rows, cleave_error *err)
{
    int64_t begin = rows->first[comm->rank], own = rows->first[comm->rank + 1] - begin;
    clv_sort_item *items = NULL;
    int64_t room = 0;
    cleave_status status = check_vertex_weights(rows, begin, own, err);
    for (int64_t v = 0; v < own && status == CLEAVE_OK; v++) {
        int64_t a = rows->xadj[v], count = rows->xadj[v + 1] - a;
        status = check_row(rows, v, begin, rows->first[comm->size], err);
        if (status == CLEAVE_OK)
            status = sort_row(rows->adj + a, rows->ewgt ? rows->ewgt + a : NULL, count, &items,
                              &room, err);
        for (int64_t i = a + 1; i < a + count && status == CLEAVE_OK; i++)
            if (rows->adj[i] == rows->adj[i - 1])
                status =
                    clv_fail(err, CLEAVE_EINVAL, "vertex %lld has the neighbour %lld twice",
                             (long long)(begin + v), (long long)rows->adj[i]);
    }
    clv_sys_free(items);
    return status;
}

/* ---- Checks across ranks ---------------------------------------------------------------- */

typedef struct question {
    int64_t tail, head; /* does the row of head contain tail, ... */
    int64_t weight;     /* with this weight? */
} question;

static cleave_status answer(const clv_dist_rows *rows, int64_t begin, const question *q,
                            cleave_error *err)
{
    int64_t low = rows->xadj[q->head - begin], end = rows->xadj[q->head - begin + 1];
    int64_t high = end;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (rows->adj[middle] < q->tail)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == end || rows->adj[low] != q->tail)
        return clv_fail(err, CLEAVE_EINVAL,
                        "vertex %lld has the neighbour %lld, but not the other way round",
                        (long long)q->tail, (long long)q->head);
    if (rows->ewgt && rows->ewgt[low] != q->weight)
        return clv_fail(err, CLEAVE_EINVAL,
                        "the edge between vertices %lld and %lld has the weights %lld and %d",
                        (long long)q->tail, (long long)q->head, (long long)q->weight,
                        (int)rows->ewgt[low]);
    return CLEAVE_OK;
}

typedef struct asking {
    const clv_comm *comm;
    const clv_dist_rows *rows;
    int64_t begin, own;
    int64_t vertex, arc; /* next arc to ask about */
    int64_t *first, *got_first;
    question *asked, *sorted;
} asking;

/* Fills asked with the next arcs; those to own vertices are answered at once. */
static int64_t collect(asking *k, cleave_status *status, cleave_error *err)
{
    const clv_dist_rows *rows = k->rows;
    int64_t count = 0;
    while (k->vertex < k->own && count < batch) {
        if (k->arc == rows->xadj[k->vertex + 1]) {
            k->vertex++;
            continue;
        }
        int64_t u = rows->adj[k->arc];
        question q = {k->begin + k->vertex, u, rows->ewgt ? rows->ewgt[k->arc] : 1};
        k->arc++;
        if (u < k->begin || u >= k->begin + k->own)
            k->asked[count++] = q;
        else if (*status == CLEAVE_OK)
            *status = answer(rows, k->begin, &q, err);
    }
    return count;
}

static void sort_by_owner(asking *k, int64_t count)
{
    int size = k->comm->size;
    for (int r = 0; r <= size; r++)
        k->first[r] = 0;
    for (int64_t i = 0; i < count; i++)
        k->first[clv_dist_owner(k->rows->first, size, k->asked[i].head) + 1]++;
    for (int r = 0; r < size; r++)
        k->first[r + 1] += k->first[r];
    for (int64_t i = 0; i < count; i++)
        k->sorted[k->first[clv_dist_owner(k->rows->first, size, k->asked[i].head)]++] =
            k->asked[i];
    for (int r = size; r > 0; r--)
        k->first[r] = k->first[r - 1];
    k->first[0] = 0;
}

static cleave_status ask_all(asking *k, cleave_error *err)
{
    for (;;) {
        cleave_status mine = CLEAVE_OK;
        int64_t count = collect(k, &mine, err);
        bool more = k->vertex < k->own;
        void *got = NULL;
        sort_by_owner(k, count);
        CLV_TRY(clv_comm_agree(k->comm, mine, err));
        CLV_TRY(clv_comm_exchange(k->comm, k->sorted, k->first, sizeof(question), &got,
                                  k->got_first, err));
        const question *q = got;
        for (int64_t i = 0; i < k->got_first[k->comm->size] && mine == CLEAVE_OK; i++)
            mine = answer(k->rows, k->begin, &q[i], err);
        clv_sys_free(got);
        CLV_TRY(clv_comm_agree(k->comm, mine, err));
        if (!clv_comm_max(k->comm, more))
            return CLEAVE_OK;
    }
}

static cleave_status check_together(const clv_comm *comm, const clv_dist_rows *rows,
                                    cleave_error *err)
{
    asking k = {.comm = comm, .rows = rows, .begin = rows->first[comm->rank]};
    k.own = rows->first[comm->rank + 1] - k.begin;
    k.first = clv_alloc(comm->size + 1, sizeof *k.first);
    k.got_first = clv_alloc(comm->size + 1, sizeof *k.got_first);
    k.asked = clv_alloc(batch, sizeof *k.asked);
    k.sorted = clv_alloc(batch, sizeof *k.sorted);
    cleave_status status =
        clv_comm_agree_memory(comm, k.first && k.got_first && k.asked && k.sorted, err);
    if (status == CLEAVE_OK)
        status = ask_all(&k, err);
    clv_sys_free(k.first);
    clv_sys_free(k.got_first);
    clv_sys_free(k.asked);
    clv_sys_free(k.sorted);
    return status;
}

/* Of trusted input: checks that nothing is written beyond an array. */
static cleave_status check_neighbours(const clv_comm *comm, const clv_dist_rows *rows,
                                      cleave_error *err)
{
    int64_t begin = rows->first[comm->rank], own = rows->first[comm->rank + 1] - begin;
    int64_t n = rows->first[comm->size];
    bool good = true;
    for (int64_t a = 0; a < rows->xadj[own]; a++)
        good &= rows->adj[a] >= 0 && rows->adj[a] < n;
    for (int64_t v = 0; v < own && !good; v++)
        CLV_TRY(check_row(rows, v, begin, n, err));
    return CLEAVE_OK;
}

/* ---- All checks ------------------------------------------------------------------------- */

/* Sums of weights must fit even in trusted input. */
static cleave_status check_sums(const clv_comm *comm, const clv_dist_rows *rows,
                                cleave_error *err)
{
    int64_t own = rows->first[comm->rank + 1] - rows->first[comm->rank];
    double sum = 0, largest = 0;
    for (int64_t a = 0; rows->ewgt && a < rows->xadj[own]; a++)
        sum += rows->ewgt[a];
    for (int32_t c = 0; rows->vwgt && c < rows->ncon; c++) {
        double weight = 0;
        for (int64_t v = 0; v < own; v++)
            weight += rows->vwgt[v * rows->ncon + c];
        largest = weight > largest ? weight : largest;
    }
    double mine = sum > largest ? sum : largest, all = mine;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, comm->mpi);
    if (all >= 4e18)
        return clv_fail(err, CLEAVE_ERANGE, "the sum of the weights exceeds 4 * 10^18");
    return CLEAVE_OK;
}

cleave_status clv_dist_check_rows(const clv_comm *comm, clv_dist_rows *rows, cleave_error *err)
{
    CLV_TRY(check_ranges(comm, rows, err));
    CLV_TRY(check_presence(comm, rows, err));
    int64_t begin = rows->first[comm->rank], own = rows->first[comm->rank + 1] - begin;
    CLV_TRY(clv_comm_agree(comm, check_offsets(rows, begin, own, err), err));
    CLV_TRY(check_edge_weights(comm, rows, err));
    if (rows->trust) {
        CLV_TRY(clv_comm_agree(comm, check_neighbours(comm, rows, err), err));
        return check_sums(comm, rows, err);
    }
    CLV_TRY(clv_comm_agree(comm, check_alone(comm, rows, err), err));
    CLV_TRY(check_sums(comm, rows, err));
    return rows->kind == CLEAVE_UNDIRECTED ? check_together(comm, rows, err) : CLEAVE_OK;
}
