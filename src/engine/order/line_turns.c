/* SPDX-License-Identifier: Apache-2.0 */
/* engine/order/line_turns.c - reverses and exchanges runs of blocks, see
 * engine/order/line_turns.h. */
#include "engine/order/line_turns.h"

#include <string.h>

#include "graph/derive.h"

enum {
    most_rounds = 6,
    pieces = 16
}; /* runs are exchanged in multiples of 1/16 of the
      line; not tuned */

typedef struct turning {
    clv_quotient q;
    const int32_t *cost;
    int32_t *at;    /* by block: its place */
    int32_t *block; /* by place */
    int32_t *next;  /* by block: its place after the change being evaluated */
} turning;

static int64_t cost_between(const turning *t, int32_t p, int32_t q)
{
    return t->cost[p < q ? q - p : p - q];
}

/* Change of the cost if the blocks at places first .. last move to t->next. */
static int64_t change(const turning *t, int32_t first, int32_t last)
{
    int64_t more = 0;
    for (int32_t p = first; p <= last; p++) {
        int32_t b = t->block[p];
        for (int64_t a = t->q.xadj[b]; a < t->q.xadj[b + 1]; a++) {
            int32_t c = t->q.adj[a], there = t->at[c];
            bool inside = there >= first && there <= last;
            if (inside && c < b)
                continue; /* counted once */
            int64_t then = cost_between(t, t->next[b], inside ? t->next[c] : there);
            more += t->q.cut[a] * (then - cost_between(t, p, there));
        }
    }
    return more;
}

/* Keeps the change if it lowers the cost. */
static bool decide(turning *t, int32_t first, int32_t last)
{
    if (change(t, first, last) >= 0)
        return false;
    for (int32_t p = first; p <= last; p++)
        t->at[t->block[p]] = t->next[t->block[p]];
    for (int32_t b = 0; b < t->q.nparts; b++)
        t->block[t->at[b]] = b;
    return true;
}

static bool turn_around(turning *t, int32_t first, int32_t last)
{
    for (int32_t p = first; p <= last; p++)
        t->next[t->block[p]] = first + last - p;
    return decide(t, first, last);
}

/* Exchanges the run [first, middle) with [middle, last]; the bits of turned select which of
 * the two are reversed. */
static bool exchange_runs(turning *t, int32_t first, int32_t middle, int32_t last, int turned)
{
    int32_t behind = last + 1 - middle;
    for (int32_t p = first; p < middle; p++)
        t->next[t->block[p]] = behind + (turned & 1 ? first + middle - 1 - p : p);
    for (int32_t p = middle; p <= last; p++)
        t->next[t->block[p]] = first + (turned & 2 ? last - p : p - middle);
    return decide(t, first, last);
}

static bool turn_all(turning *t)
{
    bool better = false;
    for (int32_t length = t->q.nparts; length >= 2; length--)
        for (int32_t first = 0; first + length <= t->q.nparts; first++)
            better = turn_around(t, first, first + length - 1) || better;
    return better;
}

static bool exchange_all(turning *t)
{
    int32_t n = t->q.nparts, step = n > pieces ? n / pieces : 1;
    bool better = false;
    for (int32_t first = 0; first < n; first += step)
        for (int32_t middle = first + step; middle < n; middle += step)
            for (int32_t last = middle + step - 1; last < n; last += step)
                for (int turned = 0; turned < 4; turned++)
                    better = exchange_runs(t, first, middle, last, turned) || better;
    return better;
}

cleave_status clv_line_turns(const clv_graph *g, int32_t nblocks, const int32_t *cost,
                             clv_context *ctx, int32_t *block, cleave_error *err)
{
    clv_ws *ws = ctx->ws;
    if (clv_context_stop(ctx))
        return CLEAVE_OK;
    clv_ws_mark mark = clv_ws_save(ws);
    turning t = {.cost = cost};
    clv_context_count(ctx, g->narc);
    CLV_TRY(clv_derive_quotient_rows(&t.q, g, nblocks, block, ws, err));
    t.at = clv_ws_alloc(ws, nblocks, sizeof *t.at);
    t.block = clv_ws_alloc(ws, nblocks, sizeof *t.block);
    t.next = clv_ws_alloc(ws, nblocks, sizeof *t.next);
    if (!t.at || !t.block || !t.next)
        return clv_fail_memory(err);
    for (int32_t b = 0; b < nblocks; b++)
        t.at[b] = t.block[b] = b;
    bool better = true;
    for (int round = 0; round < most_rounds && better && !clv_context_stop(ctx); round++) {
        better = turn_all(&t);
        better = exchange_all(&t) || better;
    }
    for (int32_t v = 0; v < g->nvtx; v++)
        block[v] = t.at[block[v]];
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}
