/* SPDX-License-Identifier: Apache-2.0 */
/* See tasks/timeline.h. */
#include "tasks/timeline.h"

enum { most_gaps = 1024 };

cleave_status clv_timeline_open(clv_timeline *l, const clv_tasks *x, clv_ws *ws,
                                cleave_error *err)
{
    int32_t n = x->ntasks;
    *l = (clv_timeline){.x = x,
                        .pe = clv_ws_alloc(ws, n, sizeof *l->pe),
                        .start = clv_ws_alloc(ws, n, sizeof *l->start),
                        .finish = clv_ws_alloc(ws, n, sizeof *l->finish),
                        .end = clv_ws_zalloc(ws, x->npes, sizeof *l->end),
                        .last_gap = clv_ws_alloc(ws, x->npes, sizeof *l->last_gap),
                        .gap = clv_ws_alloc(ws, (int64_t)n + 1, sizeof *l->gap)};
    if (!l->pe || !l->start || !l->finish || !l->end || !l->last_gap || !l->gap)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < n; v++)
        l->pe[v] = -1;
    for (int32_t p = 0; p < x->npes; p++)
        l->last_gap[p] = -1;
    return CLEAVE_OK;
}

/* ---- Arrivals -------------------------------------------------------------------------- */

/* All distances are 1: the latest arrival counts on all PEs but that of its sender, on which
 * the latest one from another PE and the results computed there count.  O(degree + npes). */
static void flat_arrivals(const clv_timeline *l, int32_t v, double *at)
{
    const clv_graph *g = l->x->g;
    double first = 0, second = 0, local = 0;
    int32_t sender = -1;
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
        int32_t u = g->pred[a];
        if (l->pe[u] < 0)
            continue;
        double arrival = l->finish[u] + l->x->in[a];
        if (l->pe[u] == sender) {
            first = arrival > first ? arrival : first;
        } else if (arrival > first || sender < 0) {
            second = first;
            first = arrival;
            sender = l->pe[u];
        } else if (arrival > second) {
            second = arrival;
        }
    }
    for (int32_t p = 0; p < l->x->npes; p++)
        at[p] = first;
    if (sender < 0)
        return;
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++)
        if (l->pe[g->pred[a]] == sender && l->finish[g->pred[a]] > local)
            local = l->finish[g->pred[a]];
    at[sender] = local > second ? local : second;
}

void clv_timeline_arrivals(const clv_timeline *l, int32_t v, double *at)
{
    const clv_tasks *x = l->x;
    if (x->flat) {
        flat_arrivals(l, v, at);
        return;
    }
    for (int32_t p = 0; p < x->npes; p++)
        at[p] = 0;
    for (int64_t a = x->g->xpred[v]; a < x->g->xpred[v + 1]; a++) {
        int32_t u = x->g->pred[a];
        if (l->pe[u] < 0)
            continue;
        for (int32_t p = 0; p < x->npes; p++) {
            double arrival = l->finish[u] + clv_tasks_distance(x, l->pe[u], p) * x->in[a];
            at[p] = arrival > at[p] ? arrival : at[p];
        }
    }
}

/* ---- Slots ----------------------------------------------------------------------------- */

clv_slot clv_timeline_earliest(const clv_timeline *l, int32_t p, double ready, double work)
{
    double duration = work / l->x->speed[p];
    double after = ready > l->end[p] ? ready : l->end[p];
    clv_slot best = {p, -1, after, after + duration};
    int32_t looked = 0;
    if (ready >= l->end[p])
        return best;
    for (int32_t i = l->last_gap[p]; i >= 0 && looked < most_gaps; i = l->gap[i].prev) {
        const clv_gap *gap = &l->gap[i];
        double start = ready > gap->begin ? ready : gap->begin;
        double finish = start + duration;
        if (gap->end < ready)
            break;
        if (finish <= gap->end)
            best = (clv_slot){p, i, start, finish};
        looked++;
    }
    return best;
}

clv_slot clv_timeline_best(const clv_timeline *l, int32_t v, double *at)
{
    clv_timeline_arrivals(l, v, at);
    clv_slot best = clv_timeline_earliest(l, 0, at[0], l->x->work[v]);
    for (int32_t p = 1; p < l->x->npes; p++) {
        if (at[p] + l->x->work[v] / l->x->speed[p] >= best.finish)
            continue; /* however early there is room */
        clv_slot slot = clv_timeline_earliest(l, p, at[p], l->x->work[v]);
        if (slot.finish < best.finish)
            best = slot;
    }
    return best;
}

/* ---- Placements ------------------------------------------------------------------------ */

static void add_gap(clv_timeline *l, int32_t p, int32_t before, double begin, double end)
{
    int32_t i = l->gaps++, next = before >= 0 ? l->gap[before].next : -1;
    l->gap[i] = (clv_gap){begin, end, next, before};
    if (before >= 0)
        l->gap[before].next = i;
    if (next >= 0)
        l->gap[next].prev = i;
    else
        l->last_gap[p] = i;
}

static void unlink_gap(clv_timeline *l, int32_t p, int32_t i)
{
    clv_gap gap = l->gap[i];
    if (gap.prev >= 0)
        l->gap[gap.prev].next = gap.next;
    if (gap.next >= 0)
        l->gap[gap.next].prev = gap.prev;
    else
        l->last_gap[p] = gap.prev;
}

/* The gap keeps what is free before the task, or else what is free after it. */
static void fill_gap(clv_timeline *l, clv_slot slot)
{
    clv_gap *gap = &l->gap[slot.gap];
    bool before = gap->begin < slot.start, after = slot.finish < gap->end;
    if (before && after)
        add_gap(l, slot.pe, slot.gap, slot.finish, gap->end);
    if (before)
        gap->end = slot.start;
    else if (after)
        gap->begin = slot.finish;
    else
        unlink_gap(l, slot.pe, slot.gap);
}

clv_insertion clv_timeline_try(clv_timeline *l, int32_t v, clv_slot slot)
{
    clv_insertion placement = {.task = v, .gap = slot.gap, .gaps = l->gaps};
    placement.end = l->end[slot.pe];
    if (slot.gap >= 0) {
        placement.before = l->gap[slot.gap];
        fill_gap(l, slot);
    } else {
        if (slot.start > l->end[slot.pe])
            add_gap(l, slot.pe, l->last_gap[slot.pe], l->end[slot.pe], slot.start);
        l->end[slot.pe] = slot.finish;
    }
    l->pe[v] = slot.pe;
    l->start[v] = slot.start;
    l->finish[v] = slot.finish;
    return placement;
}

void clv_timeline_place(clv_timeline *l, int32_t v, clv_slot slot)
{
    (void)clv_timeline_try(l, v, slot);
}

void clv_timeline_undo(clv_timeline *l, clv_insertion placement)
{
    int32_t p = l->pe[placement.task], i = placement.gap;
    if (l->gaps > placement.gaps)
        unlink_gap(l, p, --l->gaps);
    if (i >= 0) {
        l->gap[i] = placement.before;
        if (l->gap[i].prev >= 0)
            l->gap[l->gap[i].prev].next = i;
        if (l->gap[i].next >= 0)
            l->gap[l->gap[i].next].prev = i;
        else
            l->last_gap[p] = i;
    }
    l->end[p] = placement.end;
    l->pe[placement.task] = -1;
}

void clv_timeline_plan(const clv_timeline *l, clv_task_plan *plan)
{
    plan->makespan = 0;
    for (int32_t v = 0; v < l->x->ntasks; v++) {
        plan->pe[v] = l->pe[v];
        plan->start[v] = l->start[v];
        if (l->finish[v] > plan->makespan)
            plan->makespan = l->finish[v];
    }
}
