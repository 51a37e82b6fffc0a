/* SPDX-License-Identifier: Apache-2.0 */
/* view/flow_quotient.c - the quotient of a DAG from left to right.
 *
 * The level of a part is the longest path to it; parts of one level are one below the other,
 * each at about the mean height of its predecessors.  Arrows over several levels are bent in
 * proportion to their length, alternately upwards and downwards. */
#include <math.h>

#include "base/sort.h"
#include "graph/derive.h"
#include "graph/topology.h"
#include "view/flow_picture.h"

enum { most_arrows = 2000 };

typedef struct placing {
    const clv_quotient *q;
    const double *mean; /* by part */
    int32_t *order;     /* parts from left to right */
    int32_t *level;     /* by part */
    int32_t depth;
    double *place;
} placing;

/* Sorts parts by a real number, ties by the number of the part. */
static cleave_status sort_by(int32_t *order, int32_t count, const double *value, clv_ws *ws,
                             cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    clv_sort_item *item = clv_ws_alloc(ws, count, sizeof *item);
    clv_sort_item *scratch = clv_ws_alloc(ws, count, sizeof *scratch);
    if (!item || !scratch)
        return clv_fail_memory(err);
    for (int32_t i = 0; i < count; i++)
        item[i] =
            (clv_sort_item){.key = (int64_t)(value[order[i]] * 1e6), .with.index = order[i]};
    item = clv_sort(item, scratch, count);
    for (int32_t i = 0; i < count; i++)
        order[i] = (int32_t)item[i].with.index;
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

static cleave_status find_levels(placing *p, bool *acyclic, clv_ws *ws, cleave_error *err)
{
    const clv_quotient *q = p->q;
    CLV_TRY(clv_topology_sort(q->nparts, q->xadj, q->adj, ws, p->order, acyclic, err));
    for (int32_t i = 0; i < q->nparts; i++)
        p->level[i] = 0;
    if (!*acyclic) {
        for (int32_t i = 0; i < q->nparts; i++)
            p->order[i] = i;
        CLV_TRY(sort_by(p->order, q->nparts, p->mean, ws, err));
        for (int32_t i = 0; i < q->nparts; i++)
            p->level[p->order[i]] = i;
        p->depth = q->nparts;
        return CLEAVE_OK;
    }
    for (int32_t i = 0; i < q->nparts; i++) {
        int32_t from = p->order[i];
        for (int64_t a = q->xadj[from]; a < q->xadj[from + 1]; a++)
            if (p->level[q->adj[a]] <= p->level[from])
                p->level[q->adj[a]] = p->level[from] + 1;
        if (p->level[from] >= p->depth)
            p->depth = p->level[from] + 1;
    }
    return CLEAVE_OK;
}

/* Heights of the parts of each level: by mean height of predecessors, then spread around the
 * middle. */
static cleave_status find_heights(placing *p, clv_ws *ws, cleave_error *err)
{
    const clv_quotient *q = p->q;
    double *wanted = clv_ws_zalloc(ws, q->nparts, sizeof *wanted);
    double *total = clv_ws_zalloc(ws, q->nparts, sizeof *total);
    int32_t *column = clv_ws_alloc(ws, q->nparts, sizeof *column);
    if (!wanted || !total || !column)
        return clv_fail_memory(err);
    for (int32_t l = 0; l < p->depth; l++) {
        int32_t count = 0;
        for (int32_t part = 0; part < q->nparts; part++)
            if (p->level[part] == l) {
                wanted[part] = total[part] > 0 ? wanted[part] / total[part] : part;
                column[count++] = part;
            }
        CLV_TRY(sort_by(column, count, wanted, ws, err));
        for (int32_t i = 0; i < count; i++) {
            int32_t part = column[i];
            p->place[2 * (int64_t)part] = 1.5 * l;
            p->place[2 * (int64_t)part + 1] = i - (count - 1) / 2.0;
            for (int64_t a = q->xadj[part]; a < q->xadj[part + 1]; a++) {
                wanted[q->adj[a]] += p->place[2 * (int64_t)part + 1] * (double)q->cut[a];
                total[q->adj[a]] += (double)q->cut[a];
            }
        }
    }
    return CLEAVE_OK;
}

static void find_bends(const placing *p, const clv_quotient_places *out)
{
    int side = 1;
    for (int64_t i = 0; i < out->nflows; i++) {
        const clv_flow *flow = &out->flow[i];
        int32_t far = p->level[flow->to] - p->level[flow->from];
        side = far > 1 ? -side : side;
        out->bend[i] = far == 1 ? 0.04 : far <= 0 ? 0.3 : side * 0.3 / sqrt(far);
    }
}

cleave_status clv_flow_quotient(clv_quotient_places *out, const clv_graph_parts *parts,
                                const double *mean, clv_arena *arena, clv_ws *ws,
                                cleave_error *err)
{
    int32_t nparts = parts->nparts;
    clv_ws_mark mark = clv_ws_save(ws);
    clv_quotient q;
    CLV_TRY(clv_derive_quotient_rows(&q, parts->g, nparts, parts->part, ws, err));
    int64_t narc = q.xadj[nparts];
    placing p = {.q = &q, .mean = mean};
    *out = (clv_quotient_places){0};
    p.order = clv_ws_alloc(ws, nparts, sizeof *p.order);
    p.level = clv_ws_alloc(ws, nparts, sizeof *p.level);
    p.place = out->place = clv_arena_alloc(arena, 2 * (int64_t)nparts, sizeof *out->place);
    out->flow = clv_arena_alloc(arena, narc, sizeof *out->flow);
    out->bend = clv_arena_alloc(arena, narc, sizeof *out->bend);
    if (!p.order || !p.level || !p.place || !out->flow || !out->bend)
        return clv_fail_memory(err);
    CLV_TRY(find_levels(&p, &out->acyclic, ws, err));
    CLV_TRY(find_heights(&p, ws, err));
    for (int32_t from = 0; from < nparts; from++)
        for (int64_t a = q.xadj[from]; a < q.xadj[from + 1]; a++)
            if (q.cut[a] > 0)
                out->flow[out->nflows++] = (clv_flow){from, q.adj[a], q.cut[a]};
    out->left_out = out->nflows;
    CLV_TRY(clv_flow_largest(out->flow, &out->nflows, most_arrows, ws, err));
    out->left_out -= out->nflows;
    find_bends(&p, out);
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
