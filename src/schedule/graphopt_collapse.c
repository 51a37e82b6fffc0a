/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/graphopt_collapse.c - stretches of layers that one thread does in less time become
 * one layer of that thread.
 *
 * Not in the paper, whose schedules can be slower than one thread.  A stretch costs the
 * largest thread's work and the synchronisation of each of its layers, or, on one thread, all
 * of its work and one synchronisation.  The cheapest division into both kinds is found by
 * dynamic programming from the front: because work on one thread adds up, the best beginning
 * of a stretch that ends at a layer is the best one so far.  O(nvtx + layers). */
#include "schedule/graphopt.h"

typedef struct stretches {
    int32_t count;   /* of layers */
    int64_t *all;    /* by layer: its work */
    int64_t *most;   /* by layer: of the thread with the most */
    int32_t *begin;  /* by layer: where the stretch begins that ends here; itself: none does */
    int32_t *number; /* by layer: of the new layer */
    bool *alone;     /* by layer: it is in a stretch */
} stretches;

/* In ws: vertices by layer, which are counted in begin[0..count]. */
static cleave_status sort_by_layer(const clv_graphopt *s, const int32_t *layer, int32_t count,
                                   int32_t **begin, int32_t **vertices, cleave_error *err)
{
    int32_t *end = clv_ws_zalloc(s->ctx->ws, (int64_t)count + 1, sizeof *end);
    *vertices = clv_ws_alloc(s->ctx->ws, s->nvtx, sizeof **vertices);
    *begin = end;
    if (!end || !*vertices)
        return clv_fail_memory(err);
    for (int32_t v = 0; v < s->nvtx; v++)
        end[layer[v] + 1]++;
    for (int32_t l = 0; l < count; l++)
        end[l + 1] += end[l];
    for (int32_t v = 0; v < s->nvtx; v++) /* end[l] runs to the end of layer l */
        (*vertices)[end[layer[v]]++] = v;
    for (int32_t l = count; l > 0; l--)
        end[l] = end[l - 1];
    end[0] = 0;
    return CLEAVE_OK;
}

static cleave_status sum_layer_work(const clv_graphopt *s, const int32_t *layer,
                                    const int32_t *thread, stretches *x, cleave_error *err)
{
    int32_t *begin, *vertices;
    CLV_TRY(sort_by_layer(s, layer, x->count, &begin, &vertices, err));
    for (int32_t l = 0; l < x->count; l++) {
        for (int32_t i = begin[l]; i < begin[l + 1]; i++) {
            int32_t v = vertices[i], t = thread[v];
            s->votes[t] += s->weight[v];
            x->all[l] += s->weight[v];
            x->most[l] = s->votes[t] > x->most[l] ? s->votes[t] : x->most[l];
        }
        for (int32_t i = begin[l]; i < begin[l + 1]; i++)
            s->votes[thread[vertices[i]]] = 0;
    }
    return CLEAVE_OK;
}

/* Returns what the layers cost in the end. */
static int64_t divide(stretches *x, int64_t sync)
{
    int64_t cost = 0, before = 0; /* of the layers so far; their work */
    int64_t credit = 0;           /* the least of cost - work, at a beginning */
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

static cleave_status collapse(clv_graphopt *s, int32_t nlayers, int32_t *layer,
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
    *cost = divide(&x, s->params->sync);
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
    cleave_status status = collapse(s, nlayers, layer, thread, cost, err);
    clv_ws_restore(s->ctx->ws, mark);
    return status;
}
