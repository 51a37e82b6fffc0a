/* SPDX-License-Identifier: Apache-2.0 */
/* graph/rows.c - sorting of adjacency lists. */
#include "graph/rows.h"

#include <string.h>

#include "base/sort.h"

enum { short_row = 24 };

void clv_rows_free(clv_rows *rows)
{
    clv_sys_free(rows->xadj);
    clv_sys_free(rows->adj);
    clv_sys_free(rows->ewgt);
    memset(rows, 0, sizeof *rows);
}

/* Counts the numbers that are not above the number before them.  Branch-free, so that the
 * compiler vectorises. */
static int64_t count_falls(const int32_t *adj, int64_t count)
{
    enum { at_once = 1 << 20 }; /* this many fit into a 32-bit count */
    int64_t falls = 0;
    for (int64_t begin = 1; begin < count; begin += at_once) {
        int64_t end = count - begin < at_once ? count : begin + at_once;
        int32_t some = 0;
        for (int64_t a = begin; a < end; a++)
            some += adj[a] <= adj[a - 1];
        falls += some;
    }
    return falls;
}

/* Rows ascend exactly if all falls are at the starts of rows. */
bool clv_rows_ascend(const clv_rows *rows)
{
    const int64_t *xadj = rows->xadj;
    int64_t falls = count_falls(rows->adj, xadj[rows->nvtx]);
    for (int32_t v = 0; v < rows->nvtx; v++)
        if (xadj[v] > 0 && xadj[v] < xadj[v + 1])
            falls -= rows->adj[xadj[v]] <= rows->adj[xadj[v] - 1];
    return falls == 0;
}

bool clv_rows_strict(const clv_rows *rows)
{
    for (int32_t v = 0; v < rows->nvtx; v++) {
        int32_t before = -1;
        bool strict = true;
        for (int64_t a = rows->xadj[v]; a < rows->xadj[v + 1]; a++) {
            strict &= rows->adj[a] > before && rows->adj[a] != v;
            before = rows->adj[a];
        }
        if (!strict)
            return false;
    }
    return true;
}

static bool ascends(const int32_t *adj, int64_t count)
{
    for (int64_t i = 1; i < count; i++)
        if (adj[i - 1] > adj[i])
            return false;
    return true;
}

static void insertion_sort(int32_t *adj, int32_t *ewgt, int64_t count)
{
    for (int64_t i = 1; i < count; i++) {
        int32_t key = adj[i], value = ewgt ? ewgt[i] : 0;
        int64_t j = i;
        for (; j > 0 && adj[j - 1] > key; j--) {
            adj[j] = adj[j - 1];
            if (ewgt)
                ewgt[j] = ewgt[j - 1];
        }
        adj[j] = key;
        if (ewgt)
            ewgt[j] = value;
    }
}

static cleave_status sort_long_row(int32_t *adj, int32_t *ewgt, int64_t n, clv_ws *ws,
                                   cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    clv_sort_item *items = clv_ws_alloc(ws, n, sizeof *items);
    clv_sort_item *scratch = clv_ws_alloc(ws, n, sizeof *scratch);
    if (!items || !scratch)
        return clv_fail_memory(err);
    for (int64_t i = 0; i < n; i++)
        items[i] = (clv_sort_item){adj[i], {ewgt ? ewgt[i] : 0}};
    const clv_sort_item *sorted = clv_sort(items, scratch, n);
    for (int64_t i = 0; i < n; i++) {
        adj[i] = (int32_t)sorted[i].key;
        if (ewgt)
            ewgt[i] = (int32_t)sorted[i].with.index;
    }
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

cleave_status clv_rows_sort(clv_rows *rows, clv_ws *ws, cleave_error *err)
{
    for (int32_t v = 0; v < rows->nvtx; v++) {
        int64_t begin = rows->xadj[v], count = rows->xadj[v + 1] - begin;
        if (count < 2) /* without arcs, adj may be NULL */
            continue;
        int32_t *adj = rows->adj + begin, *ewgt = rows->ewgt ? rows->ewgt + begin : NULL;
        if (ascends(adj, count))
            continue;
        if (count <= short_row)
            insertion_sort(adj, ewgt, count);
        else
            CLV_TRY(sort_long_row(adj, ewgt, count, ws, err));
    }
    return CLEAVE_OK;
}

clv_row_faults clv_rows_faults(const clv_rows *rows)
{
    clv_row_faults faults = {0, 0, -1, -1, -1};
    for (int32_t v = 0; v < rows->nvtx; v++) {
        for (int64_t a = rows->xadj[v]; a < rows->xadj[v + 1]; a++) {
            int32_t u = rows->adj[a];
            if (u == v) {
                if (faults.loops++ == 0)
                    faults.loop_vertex = v;
            } else if (a > rows->xadj[v] && u == rows->adj[a - 1]) {
                if (faults.duplicates++ == 0) {
                    faults.duplicate_vertex = v;
                    faults.duplicate_neighbour = u;
                }
            }
        }
    }
    return faults;
}

bool clv_rows_clean(clv_rows *rows, int32_t edge[2])
{
    int64_t to = 0, a = 0;
    for (int32_t v = 0; v < rows->nvtx; v++) {
        int64_t start = to, end = rows->xadj[v + 1];
        for (; a < end; a++) {
            int32_t u = rows->adj[a];
            if (u == v)
                continue;
            bool again = to > start && rows->adj[to - 1] == u;
            if (!again) {
                rows->adj[to] = u;
                if (rows->ewgt)
                    rows->ewgt[to] = rows->ewgt[a];
                to++;
            } else if (rows->ewgt) {
                int64_t sum = (int64_t)rows->ewgt[to - 1] + rows->ewgt[a];
                if (sum > INT32_MAX) {
                    edge[0] = v;
                    edge[1] = u;
                    return false;
                }
                rows->ewgt[to - 1] = (int32_t)sum;
            }
        }
        rows->xadj[v] = start;
    }
    rows->xadj[rows->nvtx] = to;
    return true;
}
