/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/graphopt_collapse.c - runs of layers that one thread does in less time become one
 * layer of that thread.
 *
 * Not in the paper, whose schedules can be slower than one thread.  A run of layers costs the
 * work of the largest thread and a synchronisation per layer; on one thread, all its work and
 * one synchronisation.  Dynamic programming from the front finds the cheapest division: as
 * work on one thread is additive, the best start of a run that ends at a layer is the best
 * start so far.  O(nvtx + layers). */
#include "base/group.h"
#include "schedule/graphopt.h"

typedef struct stretches {
    int32_t count;   /* number of layers */
    int64_t *all;    /* by layer: its work */
    int64_t *most;   /* by layer: work of its largest thread */
    int32_t *begin;  /* by layer: start of the run that ends here; -1: none */
    int32_t *number; /* by layer: of the new layer */
    bool *alone;     /* by layer: it is in a run */
} stretches;

static cleave_status sum_layer_work(const clv_graphopt *s, const int32_t *layer,
                                    const int32_t *thread, stretches *x, cleave_error *err)
{
    clv_key_groups by;
    CLV_TRY(clv_key_groups_make(&by, s->nvtx, layer, x->count, s->ctx->ws, err));
    for (int32_t l = 0; l < x->count; l++) {
        for (int32_t i = by.first[l]; i < by.first[l + 1]; i++) {
            int32_t v = by.member[i], t = thread[v];
            s->votes[t] += s->weight[v];
            x->all[l] += s->weight[v];
            x->most[l] = s->votes[t] > x->most[l] ? s->votes[t] : x->most[l];
        }
        for (int32_t i = by.first[l]; i < by.first[l + 1]; i++)
            s->votes[thread[by.member[i]]] = 0;
    }
    return CLEAVE_OK;
}

/* Chooses the runs; returns the cost of the result. */
static int64_t choose_runs(stretches *x, int64_t sync)
{
    int64_t cost = 0, before = 0; /* cost of the layers so far; their work */
    int64_t credit = 0;           /* minimum of cost - work over all starts */
    int32_t from = 0;
    for (int32_t l = 0; l < x->count; l++) {
        if (cost - before < credit) {
            credit = cost - before;
            from = l;
        }
        before += x->all[l];
        int64_t apart = cost + x->most[l] + sync, together = credit + before + sync;
        x->begin[l] = together <= apart ? from : -1;
        cost = together <= apart ? together : apart;
    }
    for (int32_t l = x->count - 1; l >= 0; l--)
        if (x->begin[l] >= 0)
            for (int32_t first = x->begin[l];; l--) {
                x->alone[l] = true;
                if (l == first)
                    break;
                x->begin[l - 1] = first;
            }
    int32_t number = -1;
    for (int32_t l = 0; l < x->count; l++) {
        bool goes_on =
            l > 0 && x->alone[l] && x->alone[l - 1] && x->begin[l] == x->begin[l - 1];
        number += !goes_on;
        x->number[l] = number;
    }
    return cost;
}

static cleave_status collapse_runs(clv_graphopt *s, int32_t nlayers, int32_t *layer,
                                   int32_t *thread, int64_t *cost, cleave_error *err)
{
    clv_ws *ws = s->ctx->ws;
    stretches x = {.count = nlayers};
    x.all = clv_ws_zalloc(ws, nlayers, sizeof *x.all);
    x.most = clv_ws_zalloc(ws, nlayers, sizeof *x.most);
    x.begin = clv_ws_zalloc(ws, nlayers, sizeof *x.begin);
    x.number = clv_ws_zalloc(ws, nlayers, sizeof *x.number);
    x.alone = clv_ws_zalloc(ws, nlayers, sizeof *x.alone);
    if (!x.all || !x.most || !x.begin || !x.number || !x.alone)
        return clv_fail_memory(err);
    CLV_TRY(sum_layer_work(s, layer, thread, &x, err));
    *cost = choose_runs(&x, s->params->sync);
    for (int32_t v = 0; v < s->nvtx; v++) {
        thread[v] = x.alone[layer[v]] ? 0 : thread[v];
        layer[v] = x.number[layer[v]];
    }
    return CLEAVE_OK;
}

cleave_status clv_graphopt_collapse(clv_graphopt *s, int32_t nlayers, int32_t *layer,
                                    int32_t *thread, int64_t *cost, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(s->ctx->ws);
    cleave_status status = collapse_runs(s, nlayers, layer, thread, cost, err);
    clv_ws_restore(s->ctx->ws, mark);
    return status;
}
