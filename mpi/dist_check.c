/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_check.c - see mpi/dist_check.h.
 *
 * Each rank first checks what it can check alone.  Then it sends its arcs to the owners of
 * their heads, one batch at a time, which check that the reverse arcs exist. */
#include "mpi/dist_check.h"

#include <string.h>

#include "base/rng.h"
#include "base/sort.h"

enum { batch = 1 << 18 };

static int64_t count_own(const clv_comm *comm, const clv_dist_rows *rows)
{
    return rows->first[comm->rank + 1] - rows->first[comm->rank];
}

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

/* What all ranks that own vertices must agree on. */
enum { KIND, NCON, NDIM, HAS_VWGT, HAS_VSIZE, HAS_COORDS, layout_fields };

/* Sets layout to that of the ranks that own vertices, if there are any; false: they differ. */
static bool agree_on_layout(const clv_comm *comm, bool owner, int64_t layout[layout_fields])
{
    int64_t most[2 * layout_fields]; /* of each field, then of its negative */
    for (int i = 0; i < layout_fields; i++) {
        most[i] = owner ? layout[i] : INT64_MIN;
        most[layout_fields + i] = owner ? -layout[i] : INT64_MIN;
    }
    MPI_Allreduce(MPI_IN_PLACE, most, 2 * layout_fields, MPI_INT64_T, MPI_MAX, comm->mpi);
    if (most[KIND] == INT64_MIN)
        return true;
    bool same = true;
    for (int i = 0; i < layout_fields; i++) {
        same = same && most[i] == -most[layout_fields + i];
        layout[i] = most[i];
    }
    return same;
}

/* For a rank without vertices: an empty array where other ranks have one, else NULL. */
static void *match_presence(void *array, bool present)
{
    if (present)
        return array ? array : clv_alloc(0, 1);
    clv_sys_free(array);
    return NULL;
}

static bool match_arrays(clv_dist_rows *rows, const int64_t layout[layout_fields])
{
    rows->vwgt = match_presence(rows->vwgt, layout[HAS_VWGT]);
    rows->vsize = match_presence(rows->vsize, layout[HAS_VSIZE]);
    rows->coords = match_presence(rows->coords, layout[HAS_COORDS]);
    return (rows->vwgt || !layout[HAS_VWGT]) && (rows->vsize || !layout[HAS_VSIZE]) &&
           (rows->coords || !layout[HAS_COORDS]);
}

/* Optional arrays, ncon and ndim must agree on all ranks that own vertices.  The other ranks
 * get empty arrays, so that NULL means the same on all ranks. */
static cleave_status check_layout(const clv_comm *comm, clv_dist_rows *rows, cleave_error *err)
{
    bool owner = count_own(comm, rows) > 0;
    int64_t layout[layout_fields] = {[KIND] = rows->kind,
                                     [NCON] = rows->ncon,
                                     [NDIM] = rows->ndim,
                                     [HAS_VWGT] = rows->vwgt != NULL,
                                     [HAS_VSIZE] = rows->vsize != NULL,
                                     [HAS_COORDS] = rows->coords != NULL};
    if (!agree_on_layout(comm, owner, layout))
        return clv_fail(err, CLEAVE_EINVAL,
                        "the ranks disagree about which arrays there are, or about the "
                        "number of weights or coordinates");
    rows->kind = (cleave_kind)layout[KIND];
    rows->ncon = (int32_t)layout[NCON];
    rows->ndim = (int32_t)layout[NDIM];
    return clv_comm_agree_memory(comm, owner || match_arrays(rows, layout), err);
}

/* Several weights that are all 1 need an array. */
static cleave_status fill_unit_weights(const clv_comm *comm, clv_dist_rows *rows,
                                       cleave_error *err)
{
    bool ok = true;
    if (!rows->vwgt && !rows->wide_vwgt && rows->ncon > 1) {
        int64_t count = count_own(comm, rows) * rows->ncon;
        rows->vwgt = clv_alloc(count, sizeof *rows->vwgt);
        ok = rows->vwgt != NULL;
        for (int64_t i = 0; ok && i < count; i++)
            rows->vwgt[i] = 1;
    }
    return clv_comm_agree_memory(comm, ok, err);
}

/* Edge weights must be present on all ranks that have arcs, or on none. */
static cleave_status check_edge_weights(const clv_comm *comm, clv_dist_rows *rows,
                                        cleave_error *err)
{
    if (rows->wide_ewgt) /* trusted on all ranks */
        return CLEAVE_OK;
    int64_t own = count_own(comm, rows);
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

/* Memory for sorting a row, reused for the following rows. */
typedef struct row_sorter {
    clv_sort_item *items; /* 2 * room */
    int64_t room;
} row_sorter;

static cleave_status sort_row(row_sorter *s, int64_t *adj, int32_t *ewgt, int64_t count,
                              cleave_error *err)
{
    bool ascends = true;
    for (int64_t i = 1; i < count && ascends; i++)
        ascends = adj[i - 1] <= adj[i];
    if (ascends)
        return CLEAVE_OK;
    if (s->room < count) {
        clv_sort_item *more = clv_realloc(s->items, 4 * count, sizeof *more);
        if (!more)
            return clv_fail_memory(err);
        s->items = more;
        s->room = 2 * count;
    }
    for (int64_t i = 0; i < count; i++)
        s->items[i] = (clv_sort_item){.key = adj[i], .with.index = ewgt ? ewgt[i] : 1};
    const clv_sort_item *sorted = clv_sort(s->items, s->items + count, count);
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
    int64_t begin = rows->first[comm->rank], own = count_own(comm, rows);
    row_sorter sorter = {0};
    cleave_status status = check_vertex_weights(rows, begin, own, err);
    for (int64_t v = 0; v < own && status == CLEAVE_OK; v++) {
        int64_t a = rows->xadj[v], count = rows->xadj[v + 1] - a;
        status = check_row(rows, v, begin, rows->first[comm->size], err);
        if (status == CLEAVE_OK)
            status = sort_row(&sorter, rows->adj + a, rows->ewgt ? rows->ewgt + a : NULL,
                              count, err);
        for (int64_t i = a + 1; i < a + count && status == CLEAVE_OK; i++)
            if (rows->adj[i] == rows->adj[i - 1])
                status =
                    clv_fail(err, CLEAVE_EINVAL, "vertex %lld has the neighbour %lld twice",
                             (long long)(begin + v), (long long)rows->adj[i]);
    }
    clv_sys_free(sorter.items);
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
    int64_t vertex, arc; /* next arc to be checked */
    int64_t *first;
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

static cleave_status check_reverse_arcs(asking *k, cleave_error *err)
{
    for (;;) {
        cleave_status mine = CLEAVE_OK;
        int64_t count = collect(k, &mine, err);
        bool more = k->vertex < k->own;
        clv_arrivals got;
        sort_by_owner(k, count);
        CLV_TRY(clv_comm_agree(k->comm, mine, err));
        CLV_TRY(clv_comm_exchange(k->comm, k->sorted, k->first, sizeof(question), &got, err));
        const question *q = got.items;
        for (int64_t i = 0; i < got.count && mine == CLEAVE_OK; i++)
            mine = answer(k->rows, k->begin, &q[i], err);
        clv_arrivals_free(&got);
        CLV_TRY(clv_comm_agree(k->comm, mine, err));
        if (!clv_comm_max(k->comm, more))
            return CLEAVE_OK;
    }
}

static cleave_status check_together(const clv_comm *comm, const clv_dist_rows *rows,
                                    cleave_error *err)
{
    asking k = {.comm = comm, .rows = rows, .begin = rows->first[comm->rank]};
    k.own = count_own(comm, rows);
    k.first = clv_alloc(comm->size + 1, sizeof *k.first);
    k.asked = clv_alloc(batch, sizeof *k.asked);
    k.sorted = clv_alloc(batch, sizeof *k.sorted);
    cleave_status status = clv_comm_agree_memory(comm, k.first && k.asked && k.sorted, err);
    if (status == CLEAVE_OK)
        status = check_reverse_arcs(&k, err);
    clv_sys_free(k.first);
    clv_sys_free(k.asked);
    clv_sys_free(k.sorted);
    return status;
}

/* For trusted input: checks only what is needed to stay within arrays. */
static cleave_status check_neighbours(const clv_comm *comm, const clv_dist_rows *rows,
                                      cleave_error *err)
{
    int64_t begin = rows->first[comm->rank], own = count_own(comm, rows);
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
    int64_t own = count_own(comm, rows);
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
    CLV_TRY(check_layout(comm, rows, err));
    int64_t begin = rows->first[comm->rank], own = count_own(comm, rows);
    CLV_TRY(clv_comm_agree(comm, check_offsets(rows, begin, own, err), err));
    CLV_TRY(fill_unit_weights(comm, rows, err));
    CLV_TRY(check_edge_weights(comm, rows, err));
    if (rows->trust) {
        CLV_TRY(clv_comm_agree(comm, check_neighbours(comm, rows, err), err));
        return check_sums(comm, rows, err);
    }
    CLV_TRY(clv_comm_agree(comm, check_alone(comm, rows, err), err));
    CLV_TRY(check_sums(comm, rows, err));
    return rows->kind == CLEAVE_UNDIRECTED ? check_together(comm, rows, err) : CLEAVE_OK;
}
