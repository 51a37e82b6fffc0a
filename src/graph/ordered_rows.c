/* SPDX-License-Identifier: Apache-2.0 */
/* graph/ordered_rows.c - rows in both directions from sorted edges.
 *
 * Row v has its neighbours below v, then those above.  One pass over the edges writes both:
 * when the edges of v come, all its neighbours below v have been written, and the cursor of
 * row v is at the start of its upper half. */
#include "graph/ordered_rows.h"

#include <string.h>

#include "base/group.h"

cleave_status clv_ordered_rows_init(clv_ordered_rows *o, int32_t nvtx, int64_t room,
                                    cleave_error *err)
{
    *o = (clv_ordered_rows){.nvtx = nvtx, .low = -1, .high = -1, .room = room};
    o->upper = clv_zalloc(nvtx, sizeof *o->upper);
    o->head = clv_alloc(room, sizeof *o->head);
    if (o->upper && o->head)
        return CLEAVE_OK;
    clv_ordered_rows_free(o);
    return clv_fail_memory(err);
}

void clv_ordered_rows_free(clv_ordered_rows *o)
{
    clv_sys_free(o->upper);
    clv_sys_free(o->head);
    memset(o, 0, sizeof *o);
}

/* In a shuffled graph accesses are scattered over memory: entries are prefetched this far
 * ahead. */
enum { far_ahead = 32, ahead = 12 };

static void count_degrees(const clv_ordered_rows *o, int64_t *xadj)
{
    const int32_t *head = o->head;
    for (int32_t v = 0; v < o->nvtx; v++)
        xadj[v + 1] = o->upper[v];
    for (int64_t i = 0; i < o->count; i++) {
        if (i + far_ahead < o->count)
            __builtin_prefetch(&xadj[head[i + far_ahead] + 1], 1);
        xadj[head[i] + 1]++;
    }
    clv_running_sums(xadj, o->nvtx);
}

/* xadj[v] is the cursor of row v; at the end it is the start of its upper half. */
static void fill_rows(const clv_ordered_rows *o, int64_t *xadj, int32_t *adj)
{
    const int32_t *head = o->head;
    int64_t i = 0;
    for (int32_t v = 0; v < o->nvtx; v++) {
        int64_t end = i + o->upper[v];
        int32_t *own = adj + xadj[v];
        for (; i < end; i++) {
            if (i + far_ahead < o->count) {
                __builtin_prefetch(&xadj[head[i + far_ahead]], 1);
                __builtin_prefetch(&adj[xadj[head[i + ahead]]], 1);
            }
            *own++ = head[i];
            adj[xadj[head[i]]++] = v;
        }
    }
}

cleave_status clv_ordered_rows_finish(clv_rows *rows, clv_ordered_rows *o, cleave_error *err)
{
    *rows = (clv_rows){.nvtx = o->nvtx, .paired = true, .known_good = true};
    rows->xadj = clv_zalloc((int64_t)o->nvtx + 1, sizeof *rows->xadj);
    rows->adj = clv_alloc(2 * o->count, sizeof *rows->adj);
    if (!rows->xadj || !rows->adj) {
        clv_rows_free(rows);
        clv_ordered_rows_free(o);
        return clv_fail_memory(err);
    }
    count_degrees(o, rows->xadj);
    fill_rows(o, rows->xadj, rows->adj);
    for (int32_t v = o->nvtx - 1; v >= 0; v--) /* restore the starts of the rows */
        rows->xadj[v + 1] = rows->xadj[v] + o->upper[v];
    rows->xadj[0] = 0;
    clv_ordered_rows_free(o);
    return CLEAVE_OK;
}

bool clv_ordered_rows_to_stream(clv_ordered_rows *o, clv_edge_stream *stream)
{
    const int32_t *head = o->head;
    bool ok = true;
    for (int32_t v = 0; ok && v < o->nvtx; v++)
        for (int32_t i = 0; ok && i < o->upper[v]; i++)
            ok = clv_edge_stream_add(stream, 1, &v, head++, NULL);
    clv_ordered_rows_free(o);
    return ok;
}
