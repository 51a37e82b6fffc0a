/* SPDX-License-Identifier: Apache-2.0 */
/* view/machine_loads.c - the loads of a mapping on the PEs, links and boxes of a machine. */
#include "view/machine_picture.h"

enum { most_pairs = 20000 };

static cleave_status weigh_pes(clv_machine_loads *l, const clv_machine_mapping *m,
                               clv_arena *arena, cleave_error *err)
{
    const clv_graph *g = m->g;
    const clv_target *t = m->t;
    int64_t *work = clv_arena_zalloc(arena, t->npes, sizeof *work), total = 0;
    double *share = clv_arena_alloc(arena, t->npes, sizeof *share), speeds = 0;
    if (!work || !share)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < g->nvtx; v++) {
        work[m->part[v]] += clv_graph_vwgt(g, v, 0);
        total += clv_graph_vwgt(g, v, 0);
    }
    for (int32_t p = 0; p < t->npes; p++)
        speeds += clv_target_speed_of(t, p);
    for (int32_t p = 0; p < t->npes; p++)
        share[p] = (double)total * clv_target_speed_of(t, p) / speeds;
    l->work = work;
    l->share = share;
    return CLEAVE_OK;
}

static cleave_status load_pes(clv_machine_loads *l, const clv_traffic *traffic,
                              clv_arena *arena, cleave_error *err)
{
    int64_t *sum = clv_arena_zalloc(arena, traffic->t->npes, sizeof *sum), a = 0;
    int32_t row = 0;
    clv_talk talk;
    if (!sum)
        return clv_fail_memory(err);
    while (clv_traffic_next(traffic, &row, &a, &talk)) {
        sum[talk.from] += talk.weight;
        sum[talk.to] += talk.weight;
    }
    l->traffic = sum;
    return CLEAVE_OK;
}

static cleave_status load_links(clv_machine_loads *l, const clv_traffic *traffic,
                                clv_arena *arena, cleave_error *err)
{
    int64_t *load = clv_arena_zalloc(arena, traffic->t->links, sizeof *load);
    if (!load)
        return clv_fail_memory(err);
    clv_traffic_load_links(traffic, load);
    l->link = load;
    for (int64_t i = 0; i < traffic->t->links; i++)
        l->busiest = load[i] > l->busiest ? load[i] : l->busiest;
    return CLEAVE_OK;
}

static bool holds(const clv_floorplan_box *box, int32_t pe)
{
    return pe >= box->first && pe < box->first + box->pes;
}

/* Adds the weight to the boxes that contain `from` but not `to`, two PEs of the machine. */
static void pass_walls(const clv_floorplan *f, const int32_t *box_of, int32_t from, int32_t to,
                       int64_t weight, int64_t *across)
{
    for (int32_t b = box_of[from]; b >= 0 && !holds(&f->box[b], to); b = f->box[b].parent)
        across[b] += weight;
}

static cleave_status load_boxes(clv_machine_loads *l, const clv_traffic *traffic,
                                const clv_floorplan *f, clv_arena *arena, cleave_error *err)
{
    int64_t *across = clv_arena_zalloc(arena, f->nboxes, sizeof *across), a = 0;
    int32_t *box_of = clv_arena_alloc(arena, f->npes, sizeof *box_of), row = 0;
    int32_t *seat = clv_arena_alloc(arena, f->npes, sizeof *seat); /* by PE of the target */
    clv_talk talk;
    if (!across || !box_of || !seat)
        return clv_fail_memory(err);
    for (int32_t p = 0; p < f->npes; p++)
        if (!f->used || f->used[p] >= 0)
            seat[f->used ? f->used[p] : p] = p;
    for (int32_t b = 0; b < f->nboxes; b++)
        if (f->box[b].kind == CLV_BOX_PE)
            box_of[f->box[b].first] = b;
    while (clv_traffic_next(traffic, &row, &a, &talk)) {
        pass_walls(f, box_of, seat[talk.from], seat[talk.to], talk.weight, across);
        pass_walls(f, box_of, seat[talk.to], seat[talk.from], talk.weight, across);
    }
    for (int32_t b = 0; b < f->nboxes; b++)
        l->busiest = across[b] > l->busiest ? across[b] : l->busiest;
    l->across = across;
    return CLEAVE_OK;
}

static cleave_status list_pairs(clv_machine_loads *l, const clv_traffic *traffic,
                                clv_arena *arena, cleave_error *err)
{
    int64_t a = 0, count = 0;
    int32_t row = 0;
    clv_talk talk;
    while (clv_traffic_next(traffic, &row, &a, &talk))
        count++;
    clv_talk *pair = clv_arena_alloc(arena, count, sizeof *pair);
    if (!pair)
        return clv_fail_memory(err);
    if (count > most_pairs) /* more pairs than a picture can show */
        return CLEAVE_OK;
    for (row = 0, a = 0; clv_traffic_next(traffic, &row, &a, &talk);) {
        pair[l->npairs++] = talk;
        l->busiest = talk.weight > l->busiest ? talk.weight : l->busiest;
    }
    l->pair = pair;
    return CLEAVE_OK;
}

cleave_status clv_machine_loads_make(clv_machine_loads *l, const clv_machine_mapping *m,
                                     const clv_floorplan *floorplan, clv_arena *arena,
                                     clv_ws *ws, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    clv_traffic traffic;
    *l = (clv_machine_loads){0};
    CLV_TRY(weigh_pes(l, m, arena, err));
    CLV_TRY(clv_traffic_make(&traffic, m->g, m->t, m->part, ws, err));
    CLV_TRY(load_pes(l, &traffic, arena, err));
    if (floorplan->nboxes > 0)
        CLV_TRY(load_boxes(l, &traffic, floorplan, arena, err));
    else if (m->t->links > 0 && m->t->shape->route)
        CLV_TRY(load_links(l, &traffic, arena, err));
    else
        CLV_TRY(list_pairs(l, &traffic, arena, err));
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
