/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/two_way_sweep.c - a linear order of the sources, cut in two.
 *
 * Sources before the cut are in part 1, the others in part 2.  A vertex is in part 1 if the
 * last of its ancestors among the sources is before the cut, in part 2 if the first is after
 * it, and later otherwise: with the first and last position of every vertex, one pass over the
 * order finds the best of all cuts, also with the parts exchanged.  The quality depends on the
 * order: sources that share descendants should be close. */
#include "schedule/two_way_instance.h"

#include <string.h>

typedef struct sweep {
    clv_two_way_instance *t;
    int32_t *first, *last; /* by vertex: first and last position of its ancestors among the
                              sources */
    int64_t *before[3];    /* by cut: worth before it, and cost there in part 1 and 2 */
    int64_t *behind[3];
    int32_t *part;
    int32_t *sources;
} sweep;

static void find_places(sweep *s, const int32_t *sources)
{
    const clv_two_way_instance *t = s->t;
    const clv_graph *g = t->g;
    for (int32_t i = 0; i < t->nsources; i++)
        s->first[sources[i]] = s->last[sources[i]] = i;
    for (int32_t i = 0; i < t->nvtx; i++) {
        int32_t v = t->order[i];
        if (g->xpred[v] == g->xpred[v + 1])
            continue;
        s->first[v] = t->nsources;
        s->last[v] = 0;
        for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++) {
            int32_t u = g->pred[a];
            s->first[v] = s->first[u] < s->first[v] ? s->first[u] : s->first[v];
            s->last[v] = s->last[u] > s->last[v] ? s->last[u] : s->last[v];
        }
    }
}

static void sum_up(sweep *s)
{
    const clv_two_way_instance *t = s->t;
    const int64_t *const what[3] = {t->worth, t->cost[1], t->cost[2]};
    for (int i = 0; i < 3; i++) {
        int64_t *before = s->before[i], *behind = s->behind[i];
        memset(before, 0, ((size_t)t->nsources + 1) * sizeof *before);
        memset(behind, 0, ((size_t)t->nsources + 1) * sizeof *behind);
        for (int32_t v = 0; v < t->nvtx; v++) {
            before[s->last[v] + 1] += what[i][v];
            behind[s->first[v]] += what[i][v];
        }
        for (int32_t cut = 1; cut <= t->nsources; cut++)
            before[cut] += before[cut - 1];
        for (int32_t cut = t->nsources - 1; cut >= 0; cut--)
            behind[cut] += behind[cut + 1];
    }
}

typedef struct chosen_cut {
    int32_t place, front; /* front: part of the sources before the cut */
    int64_t value, total;
} chosen_cut;

static chosen_cut best_cut(const sweep *s)
{
    chosen_cut best = {.value = INT64_MIN};
    for (int32_t place = 0; place <= s->t->nsources; place++) {
        int64_t left = s->before[0][place], right = s->behind[0][place];
        for (int32_t i = 1; i <= 2; i++) {
            int64_t cost = s->before[i][place] + s->behind[3 - i][place];
            int64_t value = (left < right ? left : right) - cost;
            if (value > best.value || (value == best.value && left + right > best.total))
                best = (chosen_cut){place, i, value, left + right};
        }
    }
    return best;
}

/* Stores the best cut of this order as a start, unless another start has the same value. */
static void cut_order(sweep *s, const int32_t *sources)
{
    clv_two_way_instance *t = s->t;
    uint8_t *start = t->start[t->nstarts];
    find_places(s, sources);
    sum_up(s);
    t->steps -= t->nvtx + t->g->narc;
    chosen_cut cut = best_cut(s);
    for (int i = 0; i < t->nstarts; i++)
        if (t->start_value[i] == cut.value)
            return;
    for (int32_t v = 0; v < t->nvtx; v++) {
        s->part[v] = s->last[v] < cut.place     ? cut.front
                     : s->first[v] >= cut.place ? 3 - cut.front
                                                : 0;
        start[v] = (uint8_t)s->part[v];
    }
    t->start_value[t->nstarts++] = cut.value;
    clv_two_way_offer(t, s->part);
}

/* Growth stores all descendants of all sources; it may use a quarter of the budget. */
static bool order_pays(clv_two_way_instance *t, clv_two_way_order_kind kind)
{
    enum { bytes_per_step = 4 };
    int64_t steps = (int64_t)t->nsources * t->nvtx / bytes_per_step;
    if (kind == CLV_TWO_WAY_AFFINITY)
        return t->costs;
    if (kind != CLV_TWO_WAY_GROWTH)
        return true;
    if (steps > t->steps / 4)
        return false;
    t->steps -= steps;
    return true;
}

cleave_status clv_two_way_sweep(clv_two_way_instance *t, cleave_error *err)
{
    sweep s = {.t = t};
    clv_ws *ws = t->ctx->ws;
    clv_ws_mark mark = clv_ws_save(ws);
    s.first = clv_ws_alloc(ws, t->nvtx, sizeof *s.first);
    s.last = clv_ws_alloc(ws, t->nvtx, sizeof *s.last);
    s.part = clv_ws_alloc(ws, t->nvtx, sizeof *s.part);
    s.sources = clv_ws_alloc(ws, t->nsources, sizeof *s.sources);
    bool enough = s.first && s.last && s.part && s.sources;
    for (int i = 0; i < 3; i++) {
        s.before[i] = clv_ws_alloc(ws, (int64_t)t->nsources + 1, sizeof *s.before[i]);
        s.behind[i] = clv_ws_alloc(ws, (int64_t)t->nsources + 1, sizeof *s.behind[i]);
        enough = enough && s.before[i] && s.behind[i];
    }
    cleave_status status = enough ? CLEAVE_OK : clv_fail_memory(err);
    for (int kind = 0; kind < CLV_TWO_WAY_ORDERS; kind++) {
        if (status != CLEAVE_OK || !clv_two_way_goes_on(t))
            break;
        if (!order_pays(t, (clv_two_way_order_kind)kind))
            continue;
        status = clv_two_way_order(t, (clv_two_way_order_kind)kind, s.sources, err);
        if (status == CLEAVE_OK)
            cut_order(&s, s.sources);
    }
    clv_ws_restore(ws, mark);
    return status;
}
