/* SPDX-License-Identifier: Apache-2.0 */
/* refine/state/part_line.c - see refine/state/part_line.h. */
#include "refine/state/part_line.h"

#include <assert.h>
#include <string.h>

cleave_status clv_part_line_open(clv_part_line *line, clv_partition_state *s,
                                 clv_quotient_arcs arcs, int64_t work, clv_ws *ws,
                                 cleave_error *err)
{
    int32_t k = s->bounds.nparts;
    *line = (clv_part_line){.nparts = k, .rank = s->rank, .arcs = arcs, .work = work};
    line->at = clv_ws_alloc(ws, 4 * (int64_t)k, sizeof *line->at);
    if (!line->at)
        return clv_fail_memory(err);
    line->mate = line->at + k;
    line->mark = line->mate + k;
    line->later = line->mark + k;
    for (int32_t p = 0; p < k; p++)
        line->at[s->rank[p]] = p;
    memset(line->mate, -1, (size_t)k * sizeof *line->mate);
    memset(line->mark, 0, (size_t)k * sizeof *line->mark);
    return CLEAVE_OK;
}

static void mark_next(clv_part_line *line, int32_t p)
{
    const int32_t *first = line->arcs.first;
    for (int32_t a = first[p]; a < first[p + 1]; a++)
        line->mark[line->arcs.head[a]] = line->turn;
    line->work -= first[p + 1] - first[p] + 1;
}

/* Marks the parts between p and q that p reaches, with their mates; false when one of them
 * reaches q. */
static bool mark_between(clv_part_line *line, int32_t p, int32_t q)
{
    int32_t mark = ++line->turn;
    mark_next(line, p);
    line->mark[q] = 0;
    for (int32_t i = line->rank[p] + 1; i < line->rank[q]; i++) {
        int32_t x = line->at[i], mate = line->mate[x];
        line->work--;
        if (line->mark[x] != mark && (mate < 0 || line->mark[mate] != mark))
            continue;
        line->mark[x] = mark;
        if (mate >= 0)
            line->mark[mate] = mark;
        mark_next(line, x);
        if (line->mark[q] == mark)
            return false;
    }
    return true;
}

bool clv_part_line_join(clv_part_line *line, int32_t p, int32_t q)
{
    int32_t begin = line->rank[p], end = line->rank[q], place = begin, nlater = 0;
    assert(begin < end);
    if (line->mate[p] >= 0 || line->mate[q] >= 0)
        return false;
    if (begin + 1 < end) {
        if (line->work <= 0 || !mark_between(line, p, q))
            return false;
        for (int32_t i = begin + 1; i < end; i++) {
            int32_t x = line->at[i];
            if (line->mark[x] == line->turn)
                line->later[nlater++] = x;
            else
                line->at[place++] = x;
        }
        line->at[place++] = p;
        line->at[place++] = q;
        memcpy(line->at + place, line->later, (size_t)nlater * sizeof *line->later);
        for (int32_t i = begin; i <= end; i++)
            line->rank[line->at[i]] = i;
    }
    line->mate[p] = q;
    line->mate[q] = p;
    return true;
}
