/* SPDX-License-Identifier: Apache-2.0 */
/* compat/parmetis/parlayer_mend.c - graphs that ParMETIS tolerates and cleave rejects.
 *
 * Self-loops are dropped and duplicates become one edge with the sum of their weights, as in
 * METIS: every rank repairs its own rows.  Where the weights of the two directions differ the
 * larger one is used, which the owners exchange.  An edge that is stored in one direction only
 * is an error. */
#include "parlayer.h"

/* ---- Own rows --------------------------------------------------------------------- */

static int32_t add_up(int64_t a, int64_t b)
{
    return (int32_t)(a + b > INT32_MAX ? INT32_MAX : a + b);
}

static void sort_row(int64_t *adj, int32_t *ewgt, int64_t count)
{
    for (int64_t gap = count / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11)
        for (int64_t i = gap; i < count; i++) {
            int64_t u = adj[i], j = i;
            int32_t weight = ewgt[i];
            for (; j >= gap && adj[j - gap] > u; j -= gap) {
                adj[j] = adj[j - gap];
                ewgt[j] = ewgt[j - gap];
            }
            adj[j] = u;
            ewgt[j] = weight;
        }
}

/* In place: the remaining row never moves past its beginning. */
static void merge_rows(cp_rows *rows)
{
    int64_t to = 0, from = rows->xadj[0];
    for (int64_t v = 0; v < rows->own; v++) {
        int64_t end = rows->xadj[v + 1], start = to;
        sort_row(rows->adj + from, rows->ewgt + from, end - from);
        for (; from < end; from++) {
            if (rows->adj[from] == rows->begin + v)
                continue;
            if (to > start && rows->adj[to - 1] == rows->adj[from]) {
                rows->ewgt[to - 1] = add_up(rows->ewgt[to - 1], rows->ewgt[from]);
            } else {
                rows->adj[to] = rows->adj[from];
                rows->ewgt[to++] = rows->ewgt[from];
            }
        }
        rows->xadj[v + 1] = to;
    }
}

/* Writable copies of the arrays. */
static bool own_rows(cp_rows *rows)
{
    const cleave_mpi_csr *csr = &rows->csr;
    int64_t narc = rows->own > 0 ? csr->xadj[rows->own] : 0;
    int64_t *xadj = cp_alloc(rows->own + 1, sizeof *xadj);
    int64_t *adj = cp_alloc(narc, sizeof *adj);
    int32_t *ewgt = cp_alloc(narc, sizeof *ewgt);
    bool room = xadj && adj && ewgt;
    if (room)
        xadj[0] = 0;
    for (int64_t v = 0; room && v < rows->own; v++)
        xadj[v + 1] = csr->xadj[v + 1];
    for (int64_t i = 0; room && i < narc; i++) {
        adj[i] = csr->adj[i];
        ewgt[i] = csr->ewgt ? csr->ewgt[i] : 1;
    }
    cp_free(rows->xadj);
    cp_free(rows->adj);
    cp_free(rows->ewgt);
    rows->xadj = xadj;
    rows->adj = adj;
    rows->ewgt = ewgt;
    rows->csr.xadj = xadj;
    rows->csr.adj = adj;
    return room;
}

/* A negative weight could disappear in a sum. */
static bool weights_valid(const cp_rows *rows)
{
    int64_t narc = rows->own > 0 ? rows->csr.xadj[rows->own] : 0;
    for (int64_t i = 0; rows->csr.ewgt && i < narc; i++)
        if (rows->csr.ewgt[i] < 0)
            return false;
    return true;
}

/* ---- Weights of both directions ---------------------------------------------------- */

/* The row of head must have at least this weight to tail. */
typedef struct wish {
    int64_t head, tail, weight;
} wish;

static void grant(cp_rows *rows, const wish *w)
{
    int64_t low = rows->xadj[w->head - rows->begin];
    int64_t high = rows->xadj[w->head - rows->begin + 1] - 1; /* present: the graph is
                                                                 symmetric */
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (rows->adj[middle] < w->tail)
            low = middle + 1;
        else
            high = middle;
    }
    if (rows->ewgt[low] < w->weight)
        rows->ewgt[low] = (int32_t)w->weight;
}

static int owner_of(const int64_t *vtxdist, int size, int64_t v)
{
    int low = 0, high = size - 1; /* the last rank whose range begins at or before it */
    while (low < high) {
        int middle = low + (high - low + 1) / 2;
        if (vtxdist[middle] <= v)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Sorts requests by the rank that owns their heads: offsets and, unless NULL, the requests. */
static void sort_wishes(const cp_rows *rows, int size, int64_t *first, wish *to)
{
    for (int r = 0; !to && r <= size; r++)
        first[r] = 0;
    for (int64_t v = 0; v < rows->own; v++)
        for (int64_t i = rows->xadj[v]; i < rows->xadj[v + 1]; i++) {
            int owner = owner_of(rows->vtxdist, size, rows->adj[i]);
            if (to)
                to[first[owner]++] = (wish){rows->adj[i], rows->begin + v, rows->ewgt[i]};
            else
                first[owner + 1]++;
        }
    for (int r = 0; !to && r < size; r++)
        first[r + 1] += first[r];
    for (int r = size; to && r > 0; r--) /* back to the beginnings */
        first[r] = first[r - 1];
    if (to)
        first[0] = 0;
}

static int settle_weights(cp_rows *rows, const cp_ranks *ranks)
{
    int64_t *first = cp_alloc((int64_t)ranks->size + 1, sizeof *first);
    int64_t *got_first = cp_alloc((int64_t)ranks->size + 1, sizeof *got_first);
    wish *wishes = cp_alloc(rows->own > 0 ? rows->xadj[rows->own] : 0, sizeof *wishes);
    wish *got = NULL;
    int status = cp_agree(ranks, first && got_first && wishes ? METIS_OK : METIS_ERROR_MEMORY);
    if (status == METIS_OK) {
        sort_wishes(rows, ranks->size, first, NULL);
        sort_wishes(rows, ranks->size, first, wishes);
        cp_tell_counts(ranks, first, got_first);
        got = cp_alloc(got_first[ranks->size], sizeof *got);
        status = cp_agree(ranks, got ? METIS_OK : METIS_ERROR_MEMORY);
    }
    if (status == METIS_OK) {
        cp_exchange(ranks, wishes, first, got, got_first, sizeof *got);
        for (int64_t i = 0; i < got_first[ranks->size]; i++)
            grant(rows, &got[i]);
    }
    cp_free(first);
    cp_free(got_first);
    cp_free(wishes);
    cp_free(got);
    return status;
}

/* First without weights: a graph that is then rejected has edges stored in one direction, or
 * worse. */
int cp_rows_mend(cp_rows *rows, cp_graph *graph, const cp_ranks *ranks)
{
    int status = weights_valid(rows) ? METIS_OK : METIS_ERROR_INPUT;
    if (status == METIS_OK && !own_rows(rows))
        status = METIS_ERROR_MEMORY;
    status = cp_agree(ranks, status);
    if (status != METIS_OK)
        return status;
    merge_rows(rows);
    rows->csr.ewgt = NULL;
    cleave_status made = cleave_mpi_graph_create(&graph->g, ranks->comm, &rows->csr, 0, NULL);
    cp_graph_close(graph);
    if (made != CLEAVE_OK)
        return cp_status(made);
    status = settle_weights(rows, ranks);
    if (status != METIS_OK)
        return status;
    rows->csr.ewgt = rows->ewgt;
    return cp_status(cleave_mpi_graph_create(&graph->g, ranks->comm, &rows->csr, 0, NULL));
}
