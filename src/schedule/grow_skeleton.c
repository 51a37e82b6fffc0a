/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/grow_skeleton.c - a DAG without most of the arcs that others imply.
 *
 * The arc v -> u is implied if there are v -> p and p -> u.  With the first successors of v as
 * p, this finds all such arcs in an exact factor (the successors of v are successors of its
 * parent in the elimination tree [Liu 1990], so that a tree remains, whatever the fill), many
 * in a finite element matrix, and none in a grid: a sample decides whether to search at
 * all. */
#include <string.h>

#include "base/group.h"
#include "schedule/grow_layers.h"

enum {
    most_middles = 2, /* number of successors p of a vertex that are tried */
    samples = 2048    /* number of vertices in the sample */
};

/* Are the next eight entries equal?  Rows of a supernode are, one after the other. */
static inline bool same_eight(const int32_t *a, const int32_t *b)
{
    uint64_t x[4], y[4];
    memcpy(x, a, sizeof x);
    memcpy(y, b, sizeof y);
    return ((x[0] ^ y[0]) | (x[1] ^ y[1]) | (x[2] ^ y[2]) | (x[3] ^ y[3])) == 0;
}

/* Copies the elements of list that are not in row, both ascending, to kept, which may be list;
 * returns their number. */
static int64_t leave_out(const int32_t *list, int64_t count, const int32_t *row,
                         int64_t length, int32_t *kept)
{
    int64_t i = 0, k = 0, left = 0;
    while (i < count && k < length) {
        if (list[i] == row[k]) {
            i++, k++;
            while (i + 8 <= count && k + 8 <= length && same_eight(list + i, row + k))
                i += 8, k += 8;
        } else if (list[i] < row[k]) {
            kept[left++] = list[i++];
        } else {
            k++;
        }
    }
    memmove(kept + left, list + i, (size_t)(count - i) * sizeof *kept);
    return left + count - i;
}

/* Copies the successors list[0..count) of a vertex to kept, without those that are also
 * successors of one of the first; returns how many remain. */
static int64_t thin_out(const clv_graph *g, const int32_t *list, int64_t count, int32_t *kept)
{
    if (count > 0)
        kept[0] = list[0];
    for (int64_t i = 0; i < most_middles && i + 1 < count; i++) {
        int64_t row = g->xadj[kept[i]], length = g->xadj[kept[i] + 1] - row;
        /* Searches a long row only as far as the length of the list justifies. */
        length = length > 8 * count ? 8 * count : length;
        count = i + 1 +
                leave_out((i == 0 ? list : kept) + i + 1, count - i - 1, g->adj + row, length,
                          kept + i + 1);
    }
    return count;
}

/* Is it likely that a fifth of the arcs can be dropped? */
static bool worth_it(const clv_graph *g, int32_t *scratch)
{
    int64_t arcs = 0, kept = 0;
    int32_t stride = g->nvtx / samples + 1;
    for (int64_t v = 0; v < g->nvtx; v += stride) {
        int64_t count = g->xadj[v + 1] - g->xadj[v];
        arcs += count;
        kept += thin_out(g, g->adj + g->xadj[v], count, scratch);
    }
    return kept < arcs - arcs / 5;
}

cleave_status clv_grow_skeleton(clv_graph *out, const clv_graph *g, clv_ws *ws,
                                cleave_error *err)
{
    int64_t kept = 0;
    *out = *g;
    out->ewgt = out->pwgt = NULL;
    out->arena = (clv_arena){0};
    int32_t *adj = clv_ws_alloc(ws, g->narc, sizeof *adj);
    if (!adj)
        return clv_fail_memory(err);
    if (!worth_it(g, adj))
        return CLEAVE_OK;
    int64_t *xadj = clv_ws_alloc(ws, (int64_t)g->nvtx + 1, sizeof *xadj);
    int64_t *xpred = clv_ws_alloc(ws, (int64_t)g->nvtx + 1, sizeof *xpred);
    if (!xadj || !xpred)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < g->nvtx; v++) {
        xadj[v] = kept;
        kept += thin_out(g, g->adj + g->xadj[v], g->xadj[v + 1] - g->xadj[v], adj + kept);
    }
    xadj[g->nvtx] = kept;
    memset(xpred, 0, ((size_t)g->nvtx + 1) * sizeof *xpred);
    for (int64_t a = 0; a < kept; a++)
        xpred[adj[a] + 1]++;
    clv_running_sums(xpred, g->nvtx);
    out->narc = kept;
    out->xadj = xadj;
    out->adj = adj;
    out->xpred = xpred;
    out->pred = NULL;
    return CLEAVE_OK;
}
