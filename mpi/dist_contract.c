/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_contract.c - see mpi/dist_contract.h.
 *
 * Own vertices are sorted into buckets by (rank that will own their coarse vertex, batch),
 * where a batch is a subrange of that rank's range.  In each batch every rank sends the arcs
 * of one bucket to each rank, which merges them at once.  Rows are completed in order, and
 * only one batch is in transit at a time. */
#include "mpi/dist_contract.h"

#include <string.h>

#include "base/rng.h"
#include "coarsen/sparsify.h"
#include "mpi/dist_arcs.h"

enum {
    least_batch = 1 << 16,
    most_batch = 1 << 18,
    batches_wanted = 16,
    sampled = 32,
    most_bins = 1 << 16
};

typedef struct contraction {
    const clv_dist_graph *g;
    clv_dist_contraction *how;
    clv_dist_coarse *out;
    int64_t *map;    /* own and ghosts: coarse vertex */
    int64_t *cfirst; /* size + 1: ranges of the coarse graph */
    int32_t ncoarse; /* of this rank */
    int64_t *before; /* nbins + 1: arcs of the fine vertices of all coarse vertices before a
                        bin */
    int64_t nbins;
    int nbatches;
    int64_t *cut;   /* size * nbatches + 1: the first coarse vertex of a bucket */
    int64_t *start; /* size * nbatches + 1: offsets into order */
    int32_t *order; /* own vertices by bucket */
    int64_t *first; /* size + 1: of the items to be sent, by rank */
    /* The rows merged so far. */
    int64_t *xadj, *adj, narc, room;
    clv_new_weights ewgt, vwgt;
    bool wide_edges, wide_vertices; /* the same on all ranks */
    clv_dist_merger merger;
    int64_t *row_at; /* of a batch */
    int64_t threshold;
    clv_weight_histogram histogram;
} contraction;

/* ---- Numbers of coarse vertices --------------------------------------------------------- */

/* The first coarse vertex of a bin. */
static int64_t bin_begin(const contraction *k, int64_t ncoarse, int64_t bin)
{
    return (int64_t)((double)bin * (double)ncoarse / (double)k->nbins + 0.5);
}

/* Counts arcs by bin of coarse vertices: two for each fine vertex, plus its degree. */
static cleave_status count_bins(contraction *k, int64_t ncoarse, cleave_error *err)
{
    const clv_dist_graph *g = k->g;
    k->nbins = ncoarse < most_bins ? (ncoarse > 0 ? ncoarse : 1) : most_bins;
    k->before = clv_zalloc(k->nbins + 2, sizeof *k->before);
    CLV_TRY(clv_comm_agree_memory(&g->comm, k->before != NULL, err));
    for (int32_t v = 0; v < g->nlocal; v++) {
        int64_t bin = (int64_t)((double)k->map[v] * (double)k->nbins / (double)ncoarse);
        while (bin > 0 && bin_begin(k, ncoarse, bin) > k->map[v])
            bin--;
        while (bin + 1 < k->nbins && bin_begin(k, ncoarse, bin + 1) <= k->map[v])
            bin++;
        k->before[bin + 1] += g->xadj[v + 1] - g->xadj[v] + 2;
    }
    clv_comm_sum_all(&g->comm, k->before, k->nbins + 1);
    for (int64_t b = 0; b < k->nbins; b++)
        k->before[b + 1] += k->before[b];
    return CLEAVE_OK;
}

/* The first bin with at least so many arcs before it. */
static int64_t bin_after(const contraction *k, double arcs)
{
    int64_t low = 0, high = k->nbins;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if ((double)k->before[middle] < arcs)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Balances arcs: with equal numbers of vertices one rank could get all high-degree
 * vertices. */
static void deal_evenly(contraction *k, int64_t ncoarse)
{
    int size = k->g->comm.size;
    for (int r = 0; r < size; r++)
        k->cfirst[r] =
            bin_begin(k, ncoarse, bin_after(k, (double)k->before[k->nbins] * r / size));
    k->cfirst[size] = ncoarse;
}

/* Vertices of a DAG stay on their rank: no arc may lead to a lower rank. */
static cleave_status deal_coarse(contraction *k, int64_t count, cleave_error *err)
{
    const clv_comm *comm = &k->g->comm;
    int64_t ncoarse = clv_comm_sum(comm, count);
    CLV_TRY(count_bins(k, ncoarse, err));
    if (k->g->kind == CLEAVE_UNDIRECTED) {
        deal_evenly(k, ncoarse);
        return CLEAVE_OK;
    }
    MPI_Allgather(&count, 1, MPI_INT64_T, k->cfirst + 1, 1, MPI_INT64_T, comm->mpi);
    k->cfirst[0] = 0;
    for (int r = 0; r < comm->size; r++)
        k->cfirst[r + 1] += k->cfirst[r];
    return CLEAVE_OK;
}

static cleave_status number_leaders(contraction *k, cleave_error *err)
{
    const clv_dist_graph *g = k->g;
    const clv_comm *comm = &g->comm;
    int64_t begin = g->first[comm->rank], count = 0;
    const int64_t *leader = k->how->leader;
    for (int32_t v = 0; v < g->nlocal; v++)
        count += leader[v] == begin + v;
    int64_t next = clv_comm_before(comm, count);
    for (int32_t v = 0; v < g->nlocal; v++)
        if (leader[v] == begin + v)
            k->map[v] = next++;
    int64_t *number = clv_alloc(g->nlocal, sizeof *number);
    cleave_status status = clv_comm_agree_memory(comm, number != NULL, err);
    if (status == CLEAVE_OK && g->nlocal > 0)
        memcpy(number, k->map, (size_t)g->nlocal * sizeof *number);
    if (status == CLEAVE_OK)
        status = clv_dist_lookup_wide(g, g->nlocal, leader, number, k->map, err);
    clv_sys_free(number);
    CLV_TRY(status);
    clv_halo_exchange(g, k->map, sizeof *k->map);
    CLV_TRY(deal_coarse(k, count, err));
    k->ncoarse = (int32_t)(k->cfirst[comm->rank + 1] - k->cfirst[comm->rank]);
    return CLEAVE_OK;
}

/* ---- Buckets ---------------------------------------------------------------------------- */

/* The last bucket that begins at or before a coarse vertex. */
static int64_t bucket_of(const contraction *k, int64_t coarse)
{
    int64_t low = 0, high = (int64_t)k->g->comm.size * k->nbatches - 1;
    while (low < high) {
        int64_t middle = low + (high - low + 1) / 2;
        if (k->cut[middle] <= coarse)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Splits the range of rank r into batches of about equal numbers of arcs; some may be
 * empty. */
static void cut_range(contraction *k, int r)
{
    int64_t begin = k->cfirst[r], end = k->cfirst[r + 1];
    int64_t ncoarse = k->cfirst[k->g->comm.size], *cut = k->cut + (int64_t)r * k->nbatches;
    int64_t bin = 0, last;
    while (bin < k->nbins && bin_begin(k, ncoarse, bin) < begin)
        bin++;
    for (last = bin; last < k->nbins && bin_begin(k, ncoarse, last) < end;)
        last++;
    double arcs = (double)(k->before[last] - k->before[bin]);
    for (int b = 0; b < k->nbatches; b++) {
        int64_t at = bin_begin(k, ncoarse,
                               bin_after(k, (double)k->before[bin] + arcs * b / k->nbatches));
        cut[b] = b == 0 || at < begin ? begin : at > end ? end : at;
    }
}

static cleave_status sort_into_buckets(contraction *k, cleave_error *err)
{
    const clv_dist_graph *g = k->g;
    int64_t most = clv_comm_max(&g->comm, g->narc), batch = most / batches_wanted;
    batch = batch < least_batch ? least_batch : batch > most_batch ? most_batch : batch;
    k->nbatches = (int)(most / batch + 1);
    int64_t buckets = (int64_t)g->comm.size * k->nbatches;
    k->cut = clv_alloc(buckets + 1, sizeof *k->cut);
    k->start = clv_zalloc(buckets + 2, sizeof *k->start);
    k->order = clv_alloc(g->nlocal, sizeof *k->order);
    CLV_TRY(clv_comm_agree_memory(&g->comm, k->cut && k->start && k->order, err));
    for (int r = 0; r < g->comm.size; r++)
        cut_range(k, r);
    k->cut[buckets] = k->cfirst[g->comm.size];
    for (int32_t v = 0; v < g->nlocal; v++)
        k->start[bucket_of(k, k->map[v]) + 2]++;
    for (int64_t b = 0; b < buckets; b++)
        k->start[b + 2] += k->start[b + 1];
    for (int32_t v = 0; v < g->nlocal; v++)
        k->order[k->start[bucket_of(k, k->map[v]) + 1]++] = v;
    return CLEAVE_OK;
}

/* The first own coarse vertex of a batch. */
static int32_t batch_begin(const contraction *k, int batch)
{
    int64_t mine = (int64_t)k->g->comm.rank * k->nbatches;
    int64_t at = batch < k->nbatches ? k->cut[mine + batch] : k->cfirst[k->g->comm.rank + 1];
    return (int32_t)(at - k->cfirst[k->g->comm.rank]);
}

/* ---- Arcs ------------------------------------------------------------------------------- */

static bool is_sampled(const contraction *k, int64_t coarse)
{
    return clv_hash64(k->how->salt ^ (uint64_t)coarse) % sampled == 0;
}

/* Writes the arcs of v between coarse vertices to `to` from `at` on; only counts when `to` is
 * NULL. */
static int64_t list_arcs(const contraction *k, int32_t v, int64_t range_begin, void *to,
                         int64_t at)
{
    const clv_dist_graph *g = k->g;
    int64_t mine = k->map[v], count = 0;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
        int64_t other = k->map[g->adj[a]];
        if (other == mine)
            continue;
        if (to) {
            clv_dist_arc *next = clv_dist_arc_at(k->wide_edges, to, at + count);
            *next = (clv_dist_arc){.row = (int32_t)(mine - range_begin), .head = other};
            clv_dist_arc_set(k->wide_edges, next, clv_dist_ewgt(g, a));
        }
        count++;
    }
    return count;
}

/* Collects the arcs of a batch by rank, or those of sampled coarse vertices (batch -1). */
static int64_t collect_arcs(const contraction *k, int batch, void *to)
{
    const clv_comm *comm = &k->g->comm;
    int64_t count = 0;
    for (int r = 0; r < comm->size; r++) {
        int64_t from = (int64_t)r * k->nbatches + (batch < 0 ? 0 : batch);
        int64_t until = batch < 0 ? (int64_t)(r + 1) * k->nbatches : from + 1;
        k->first[r] = count;
        for (int64_t i = k->start[from]; i < k->start[until]; i++) {
            int32_t v = k->order[i];
            if (batch >= 0 || is_sampled(k, k->map[v]))
                count += list_arcs(k, v, k->cfirst[r], to, count);
        }
    }
    k->first[comm->size] = count;
    return count;
}

static cleave_status swap_arcs(const contraction *k, int batch, clv_arrivals *got,
                               cleave_error *err)
{
    const clv_comm *comm = &k->g->comm;
    size_t each = clv_dist_arc_bytes(k->wide_edges);
    void *send = clv_alloc(collect_arcs(k, batch, NULL), each);
    cleave_status status = clv_comm_agree_memory(comm, send != NULL, err);
    if (status == CLEAVE_OK) {
        collect_arcs(k, batch, send);
        status = clv_comm_exchange(comm, send, k->first, each, got, err);
    }
    clv_sys_free(send);
    return status;
}

/* Sorts arcs by row, low <= row < high; fills row_at with offsets. */
static void sort_by_row(contraction *k, const clv_arrivals *got, int32_t low, int32_t high,
                        void *sorted)
{
    int64_t *at = k->row_at;
    memset(at, 0, (size_t)(high - low + 2) * sizeof *at);
    for (int64_t i = 0; i < got->count; i++)
        at[clv_dist_arc_at(k->wide_edges, got->items, i)->row - low + 2]++;
    for (int32_t r = 0; r < high - low; r++)
        at[r + 2] += at[r + 1];
    for (int64_t i = 0; i < got->count; i++) {
        const clv_dist_arc *a = clv_dist_arc_at(k->wide_edges, got->items, i);
        memcpy(clv_dist_arc_at(k->wide_edges, sorted, at[a->row - low + 1]++), a,
               clv_dist_arc_bytes(k->wide_edges));
    }
}

static int64_t longest_of(const int64_t *at, int32_t rows)
{
    int64_t longest = 0;
    for (int32_t r = 0; r < rows; r++)
        longest = at[r + 1] - at[r] > longest ? at[r + 1] - at[r] : longest;
    return longest;
}

static bool keeps(const contraction *k, int64_t mine, const clv_dist_arc *a)
{
    uint64_t low = (uint64_t)(mine < a->head ? mine : a->head);
    uint64_t high = (uint64_t)(mine < a->head ? a->head : mine);
    uint64_t lot = clv_hash64(clv_hash64(k->how->salt ^ high) ^ low) >> 33;
    __extension__ typedef unsigned __int128 uint128;
    return (uint128)lot * (uint64_t)k->threshold <
           (uint128)(uint64_t)clv_dist_arc_weight(k->wide_edges, a) << 31;
}

static bool make_room(contraction *k, int64_t count)
{
    int64_t room = k->room + k->room / 4 + count + 1024;
    if (k->narc + count <= k->room)
        return true;
    int64_t *adj = clv_realloc(k->adj, room, sizeof *adj);
    if (adj)
        k->adj = adj;
    void *ewgt = k->wide_edges ? (void *)k->ewgt.wide : (void *)k->ewgt.narrow;
    ewgt = clv_realloc(ewgt, room, k->wide_edges ? sizeof(int64_t) : sizeof(int32_t));
    if (ewgt && k->wide_edges)
        k->ewgt.wide = ewgt;
    else if (ewgt)
        k->ewgt.narrow = ewgt;
    if (!adj || !ewgt)
        return false;
    k->room = room;
    return true;
}

static bool append_row(contraction *k, int32_t row, void *arcs, int64_t count)
{
    int64_t mine = k->cfirst[k->g->comm.rank] + row;
    if (!make_room(k, count))
        return false;
    for (int64_t i = 0; i < count; i++) {
        const clv_dist_arc *a = clv_dist_arc_at(k->wide_edges, arcs, i);
        int64_t w = clv_dist_arc_weight(k->wide_edges, a);
        if (k->threshold > 1 && !keeps(k, mine, a))
            continue;
        k->adj[k->narc] = a->head;
        clv_weight_set(k->ewgt, k->narc++,
                       k->threshold > 1 && w < k->threshold ? k->threshold : w);
    }
    k->xadj[row + 1] = k->narc;
    return true;
}

/* Merges the arcs received for rows low .. high - 1, and appends or counts them. */
static bool take_rows(contraction *k, const clv_arrivals *got, int32_t low, int32_t high,
                      bool counting)
{
    void *sorted = clv_alloc(got->count, clv_dist_arc_bytes(k->wide_edges));
    k->row_at = clv_alloc((int64_t)high - low + 2, sizeof *k->row_at);
    bool ok = sorted && k->row_at;
    if (ok) {
        sort_by_row(k, got, low, high, sorted);
        ok = clv_dist_merger_reserve(&k->merger, longest_of(k->row_at, high - low));
    }
    for (int32_t r = 0; ok && r < high - low; r++) {
        void *row = clv_dist_arc_at(k->wide_edges, sorted, k->row_at[r]);
        int64_t kept = clv_dist_merge_row(&k->merger, k->wide_edges, row,
                                          k->row_at[r + 1] - k->row_at[r]);
        if (!counting)
            ok = append_row(k, low + r, row, kept);
        for (int64_t i = 0; counting && i < kept; i++)
            k->histogram.count[clv_weight_bin(clv_dist_arc_weight(
                k->wide_edges, clv_dist_arc_at(k->wide_edges, row, i)))] += sampled;
    }
    clv_sys_free(sorted);
    clv_sys_free(k->row_at);
    k->row_at = NULL;
    return ok;
}

/* Estimates the number of light edges to drop from a sample of the rows. */
static cleave_status choose_threshold(contraction *k, cleave_error *err)
{
    const clv_comm *comm = &k->g->comm;
    clv_arrivals got;
    double left = (double)k->cfirst[comm->size] / (double)k->g->nglobal;
    double density = k->how->density > 1.25 * left ? k->how->density : 1.25 * left;
    k->threshold = 1;
    if (k->how->density <= 0 || density >= 1 || k->g->kind == CLEAVE_DAG)
        return CLEAVE_OK;
    CLV_TRY(swap_arcs(k, -1, &got, err));
    bool ok = take_rows(k, &got, 0, k->ncoarse, true);
    clv_arrivals_free(&got);
    CLV_TRY(clv_comm_agree_memory(comm, ok, err));
    clv_comm_sum_all(comm, k->histogram.count, clv_sparsify_bins);
    k->threshold = clv_sparsify_threshold(&k->histogram, density * (double)k->g->narc_global);
    k->out->thinned = k->threshold > 1;
    return CLEAVE_OK;
}

/* ---- Vertices --------------------------------------------------------------------------- */

/* A vertex in transit: row, class, two words of size, weights, with two words each where sums
 * may exceed 31 bits. */
static cleave_status swap_vertices(contraction *k, cleave_error *err)
{
    const clv_dist_graph *g = k->g;
    const clv_dist_attributes *from = &k->how->carried, *to = &k->out->carried;
    int each = k->wide_vertices ? 2 : 1, words = 4 + each * g->ncon;
    int32_t *send = clv_alloc(g->nlocal, (size_t)words * sizeof *send);
    clv_arrivals got = {0};
    cleave_status status = clv_comm_agree_memory(&g->comm, send != NULL, err);
    if (status == CLEAVE_OK) {
        for (int r = 0; r <= g->comm.size; r++)
            k->first[r] = k->start[(int64_t)r * k->nbatches];
        for (int r = 0; r < g->comm.size; r++)
            for (int64_t i = k->first[r]; i < k->first[r + 1]; i++) {
                int32_t v = k->order[i], *item = send + i * words;
                item[0] = (int32_t)(k->map[v] - k->cfirst[r]);
                item[1] = from->merge_class ? from->merge_class[v] : 0;
                int64_t size = from->size ? from->size[v] : 0;
                memcpy(item + 2, &size, sizeof size);
                for (int32_t c = 0; c < g->ncon; c++) {
                    int64_t w = clv_dist_vwgt(g, v, c);
                    int32_t narrow = (int32_t)w;
                    memcpy(item + 4 + each * c, each == 2 ? (void *)&w : (void *)&narrow,
                           (size_t)each * sizeof *item);
                }
            }
        status = clv_comm_exchange(&g->comm, send, k->first, (size_t)words * sizeof *send,
                                   &got, err);
    }
    clv_sys_free(send);
    for (int64_t i = 0; i < got.count; i++) {
        const int32_t *item = (const int32_t *)got.items + i * words;
        int64_t row = item[0];
        if (to->merge_class)
            to->merge_class[row] = item[1];
        int64_t size;
        memcpy(&size, item + 2, sizeof size);
        if (to->size)
            to->size[row] += size;
        for (int32_t c = 0; c < g->ncon; c++) {
            int64_t w = item[4 + each * c], at = row * g->ncon + c;
            if (each == 2)
                memcpy(&w, item + 4 + each * c, sizeof w);
            clv_weight_set(k->vwgt, at, clv_weight_at(clv_weights_of(k->vwgt), at) + w);
        }
    }
    clv_arrivals_free(&got);
    return status;
}

/* ---- Contraction ------------------------------------------------------------------------ */

static cleave_status allocate(contraction *k, cleave_error *err)
{
    const clv_dist_graph *g = k->g;
    int64_t all = (int64_t)g->nlocal + g->nghost;
    k->map = clv_alloc(all, sizeof *k->map);
    k->cfirst = clv_alloc(g->comm.size + 1, sizeof *k->cfirst);
    k->first = clv_alloc(g->comm.size + 1, sizeof *k->first);
    return clv_comm_agree_memory(&g->comm, k->map && k->cfirst && k->first, err);
}

/* As in coarsen/contract.c, summed over all ranks. */
static void choose_widths(contraction *k)
{
    const clv_dist_graph *g = k->g;
    int64_t sum = 0;
    for (int64_t a = 0; a < g->narc; a++)
        sum += clv_dist_ewgt(g, a);
    sum = clv_comm_sum(&g->comm, sum);
    k->wide_edges = sum / (g->kind == CLEAVE_UNDIRECTED ? 2 : 1) > INT32_MAX;
    for (int32_t c = 0; c < g->ncon; c++) {
        sum = 0;
        for (int32_t v = 0; v < g->nlocal; v++)
            sum += clv_dist_vwgt(g, v, c);
        k->wide_vertices |= clv_comm_sum(&g->comm, sum) > INT32_MAX;
    }
}

static cleave_status allocate_coarse(contraction *k, cleave_error *err)
{
    const clv_dist_attributes *from = &k->how->carried;
    clv_dist_attributes *to = &k->out->carried;
    bool ok = true;
    k->xadj = clv_zalloc((int64_t)k->ncoarse + 1, sizeof *k->xadj);
    int64_t weights = (int64_t)k->ncoarse * k->g->ncon;
    if (k->wide_vertices)
        k->vwgt.wide = clv_zalloc(weights, sizeof *k->vwgt.wide);
    else
        k->vwgt.narrow = clv_zalloc(weights, sizeof *k->vwgt.narrow);
    k->adj = clv_alloc(0, sizeof *k->adj);
    if (k->wide_edges)
        k->ewgt.wide = clv_alloc(0, sizeof *k->ewgt.wide);
    else
        k->ewgt.narrow = clv_alloc(0, sizeof *k->ewgt.narrow);
    ok &= (k->vwgt.wide || k->vwgt.narrow) && (k->ewgt.wide || k->ewgt.narrow);
    if (from->merge_class)
        ok &= (to->merge_class = clv_alloc(k->ncoarse, sizeof *to->merge_class)) != NULL;
    if (from->size)
        ok &= (to->size = clv_zalloc(k->ncoarse, sizeof *to->size)) != NULL;
    return clv_comm_agree_memory(&k->g->comm, ok && k->xadj && k->adj, err);
}

static cleave_status contract(contraction *k, cleave_error *err)
{
    const clv_comm *comm = &k->g->comm;
    CLV_TRY(allocate(k, err));
    CLV_TRY(number_leaders(k, err));
    clv_sys_free(k->how->leader);
    k->how->leader = NULL;
    CLV_TRY(sort_into_buckets(k, err));
    choose_widths(k);
    CLV_TRY(allocate_coarse(k, err));
    CLV_TRY(swap_vertices(k, err));
    CLV_TRY(choose_threshold(k, err));
    for (int b = 0; b < k->nbatches; b++) {
        clv_arrivals got;
        CLV_TRY(swap_arcs(k, b, &got, err));
        bool ok = take_rows(k, &got, batch_begin(k, b), batch_begin(k, b + 1), false);
        clv_arrivals_free(&got);
        CLV_TRY(clv_comm_agree_memory(comm, ok, err));
    }
    return CLEAVE_OK;
}

static cleave_status make_coarse(contraction *k, cleave_error *err)
{
    clv_dist_rows rows = {.kind = k->g->kind,
                          .first = k->cfirst,
                          .xadj = k->xadj,
                          .adj = k->adj,
                          .ewgt = k->ewgt.narrow,
                          .wide_ewgt = k->ewgt.wide,
                          .ncon = k->g->ncon,
                          .vwgt = k->vwgt.narrow,
                          .wide_vwgt = k->vwgt.wide,
                          .trust = true};
    k->xadj = k->adj = NULL;
    k->ewgt = k->vwgt = (clv_new_weights){0};
    return clv_dist_graph_make(&k->out->g, &k->g->comm, &rows, err);
}

static void close_contraction(contraction *k)
{
    clv_sys_free(k->map);
    clv_sys_free(k->cfirst);
    clv_sys_free(k->before);
    clv_sys_free(k->cut);
    clv_sys_free(k->start);
    clv_sys_free(k->order);
    clv_sys_free(k->first);
    clv_sys_free(k->xadj);
    clv_sys_free(k->adj);
    clv_sys_free(k->ewgt.narrow);
    clv_sys_free(k->ewgt.wide);
    clv_sys_free(k->vwgt.narrow);
    clv_sys_free(k->vwgt.wide);
    clv_sys_free(k->merger.slot);
}

cleave_status clv_dist_contract(clv_dist_coarse *out, const clv_dist_graph *g,
                                clv_dist_contraction *how, cleave_error *err)
{
    contraction k = {.g = g, .how = how, .out = out};
    *out = (clv_dist_coarse){0};
    cleave_status status = contract(&k, err);
    clv_sys_free(how->leader);
    how->leader = NULL;
    clv_sys_free(k.merger.slot); /* freed before the graph is made, which needs memory
                                    itself */
    clv_sys_free(k.order);
    k.merger.slot = NULL;
    k.order = NULL;
    if (status == CLEAVE_OK)
        status = make_coarse(&k, err);
    if (status == CLEAVE_OK) {
        int64_t *map = clv_realloc(k.map, g->nlocal, sizeof *map);
        out->map = map ? map : k.map;
        k.map = NULL;
    } else {
        clv_dist_coarse_free(out);
    }
    close_contraction(&k);
    return status;
}

void clv_dist_coarse_free(clv_dist_coarse *c)
{
    clv_dist_graph_free(c->g);
    clv_sys_free(c->map);
    clv_sys_free(c->carried.merge_class);
    clv_sys_free(c->carried.size);
    *c = (clv_dist_coarse){0};
}
