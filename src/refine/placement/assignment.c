/* SPDX-License-Identifier: Apache-2.0 */
/* refine/placement/assignment.c - the Hungarian method by shortest augmenting paths; see
 * refine/placement/assignment.h.
 *
 * Costs are the largest value minus a value.  Rows are added one after the other; each is
 * assigned along a shortest augmenting path in reduced costs (Dijkstra on a dense matrix),
 * which stay >= 0 by the potentials of rows and columns.  Pairs that are not allowed have no
 * edge: an assignment of allowed pairs is given, so that a path always exists. */
#include "refine/placement/assignment.h"

#include "base/sort.h"

typedef struct hungarian {
    int32_t n;
    const int64_t *value;
    int64_t most;   /* the largest value, divided */
    int shift;      /* values are divided by 2^shift, so that sums of n of them fit */
    int64_t *u, *w; /* potentials of rows and columns */
    int64_t *reach; /* by column: length of the shortest path found so far */
    int32_t *row;   /* by column: its row; -1: none yet */
    int32_t *from;  /* by column: the column before it on that path; -1: the new row */
    uint8_t *done;  /* by column: the path is the shortest */
} hungarian;

static cleave_status open(hungarian *h, int32_t n, const int64_t *value, clv_ws *ws,
                          cleave_error *err)
{
    int64_t most = 0;
    *h = (hungarian){.n = n, .value = value};
    for (int64_t i = 0; i < (int64_t)n * n; i++)
        most = value[i] > most ? value[i] : most;
    while ((most >> h->shift) > (INT64_C(1) << 61) / (n > 0 ? n : 1))
        h->shift++;
    h->most = most >> h->shift;
    h->u = clv_ws_zalloc(ws, n, sizeof *h->u);
    h->w = clv_ws_zalloc(ws, n, sizeof *h->w);
    h->reach = clv_ws_alloc(ws, n, sizeof *h->reach);
    h->row = clv_ws_alloc(ws, n, sizeof *h->row);
    h->from = clv_ws_alloc(ws, n, sizeof *h->from);
    h->done = clv_ws_alloc(ws, n, sizeof *h->done);
    if (!h->u || !h->w || !h->reach || !h->row || !h->from || !h->done)
        return clv_fail_memory(err);
    for (int32_t j = 0; j < n; j++)
        h->row[j] = -1;
    return CLEAVE_OK;
}

/* Extends paths from row i, which is reached at `length` through column `last`. */
static void extend_paths(hungarian *h, int32_t i, int32_t last, int64_t length)
{
    const int64_t *value = h->value + (int64_t)i * h->n;
    for (int32_t j = 0; j < h->n; j++) {
        if (h->done[j] || value[j] < 0)
            continue;
        int64_t cost = h->most - (value[j] >> h->shift);
        int64_t reach = length + (cost - h->u[i] - h->w[j]);
        if (reach < h->reach[j]) {
            h->reach[j] = reach;
            h->from[j] = last;
        }
    }
}

static int32_t nearest_column(const hungarian *h)
{
    int32_t best = -1;
    for (int32_t j = 0; j < h->n; j++)
        if (!h->done[j] && h->reach[j] < INT64_MAX &&
            (best < 0 || h->reach[j] < h->reach[best]))
            best = j;
    return best;
}

/* Lowers the potentials of columns on finished paths by how much their path is shorter than
 * the last one, and raises those of rows: reduced costs stay >= 0, and 0 along the path. */
static void shift_potentials(hungarian *h, int32_t i, int64_t length)
{
    h->u[i] += length;
    for (int32_t j = 0; j < h->n; j++) {
        if (!h->done[j] || h->row[j] < 0)
            continue;
        h->u[h->row[j]] += length - h->reach[j];
        h->w[j] -= length - h->reach[j];
    }
}

/* Returns false when row i can have no column, whatever the others have. */
static bool bring_in(hungarian *h, int32_t i)
{
    for (int32_t j = 0; j < h->n; j++) {
        h->reach[j] = INT64_MAX;
        h->done[j] = 0;
    }
    extend_paths(h, i, -1, 0);
    int32_t last = nearest_column(h);
    for (; last >= 0 && h->row[last] >= 0; last = nearest_column(h)) {
        h->done[last] = 1;
        extend_paths(h, h->row[last], last, h->reach[last]);
    }
    if (last < 0)
        return false;
    shift_potentials(h, i, h->reach[last]);
    for (int32_t j = last; j >= 0;) {
        int32_t before = h->from[j];
        h->row[j] = before < 0 ? i : h->row[before];
        j = before;
    }
    return true;
}

cleave_status clv_assignment_solve(int32_t n, const int64_t *value, clv_ws *ws, int32_t *at,
                                   cleave_error *err)
{
    hungarian h;
    bool complete = true;
    clv_ws_mark mark = clv_ws_save(ws);
    CLV_TRY(open(&h, n, value, ws, err));
    for (int32_t i = 0; i < n && complete; i++)
        complete = bring_in(&h, i);
    for (int32_t j = 0; j < n && complete; j++)
        at[h.row[j]] = j;
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* ---- Large instances -------------------------------------------------------------------- */

/* The pairs in two orders. */
typedef struct pair_values {
    const clv_assignment_pair *pairs;
    const clv_sort_item *sorted;   /* by row, then column, for lookup */
    const clv_sort_item *by_value; /* descending */
    int64_t count;
} pair_values;

static int64_t key_of(int32_t row, int32_t column)
{
    return (int64_t)row << 31 | column;
}

static int64_t value_of(const pair_values *values, int32_t row, int32_t column)
{
    int64_t key = key_of(row, column), low = 0, high = values->count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (values->sorted[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == values->count || values->sorted[low].key != key)
        return 0;
    return values->pairs[values->sorted[low].with.index].value;
}

static clv_sort_item *sort_pairs(int64_t count, const clv_assignment_pair *pairs,
                                 clv_sort_item *items, clv_sort_item *scratch)
{
    for (int64_t i = 0; i < count; i++)
        items[i] =
            (clv_sort_item){.key = key_of(pairs[i].row, pairs[i].column), .with.index = i};
    return clv_sort(items, scratch, count);
}

static cleave_status sort_values(pair_values *values, const clv_sparse_assignment *of,
                                 clv_ws *ws, cleave_error *err)
{
    clv_sort_item *items[4];
    for (int i = 0; i < 4; i++) {
        items[i] = clv_ws_alloc(ws, of->npairs, sizeof *items[i]);
        if (!items[i])
            return clv_fail_memory(err);
    }
    *values = (pair_values){.pairs = of->pairs, .count = of->npairs};
    values->sorted = sort_pairs(of->npairs, of->pairs, items[0], items[1]);
    for (int64_t i = 0; i < of->npairs; i++) {
        int64_t pair = values->sorted[i].with.index;
        items[2][i] = (clv_sort_item){.key = -of->pairs[pair].value, .with.index = pair};
    }
    values->by_value = clv_sort(items[2], items[3], of->npairs);
    return CLEAVE_OK;
}

/* Swaps the columns of two rows if that is allowed and better.  holder: by column, its row. */
static void try_swap(const clv_sparse_assignment *of, const pair_values *values,
                     const clv_assignment_pair *pair, int32_t *at, int32_t *holder)
{
    int32_t i = pair->row, j = pair->column, old = at[i], other = holder[j];
    if (i == other || !of->allowed(of->context, i, j) || !of->allowed(of->context, other, old))
        return;
    int64_t lost = value_of(values, i, old) + value_of(values, other, j);
    if (pair->value + value_of(values, other, old) <= lost)
        return;
    at[i] = j;
    at[other] = old;
    holder[j] = i;
    holder[old] = other;
}

cleave_status clv_assignment_greedy(const clv_sparse_assignment *of, clv_ws *ws, int32_t *at,
                                    cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    pair_values values = {0};
    int32_t *holder = clv_ws_alloc(ws, of->n, sizeof *holder);
    if (!holder)
        return clv_fail_memory(err);
    CLV_TRY(sort_values(&values, of, ws, err));
    for (int32_t i = 0; i < of->n; i++)
        holder[at[i]] = i;
    for (int64_t k = 0; k < of->npairs; k++)
        try_swap(of, &values, &of->pairs[values.by_value[k].with.index], at, holder);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
