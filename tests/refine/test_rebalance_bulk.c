/* SPDX-License-Identifier: Apache-2.0 */
/* refine/balance/rebalance_bulk.c: the same moves on any number of threads, an exact state, no
 * part filled beyond its bound, and a loss like that of one move after the other. */
#include "refine/balance/rebalance_bulk.h"

#include <string.h>

#include "refine/kway_fixture.h"
#include "refine/moves/jet.h"

enum { KNOWN = 1, CHANGED = 2, MOVING = 4, MARKED = 8 };

typedef struct hinted {
    clv_rebalance_hints hints;
    clv_bulk_balance arrays;
} hinted;

/* The gain of the best move of v to any part. */
static int64_t best_gain(const clv_partition_state *s, int32_t v, int64_t *sum)
{
    int64_t most = 0;
    for (int64_t a = s->g->xadj[v]; a < s->g->xadj[v + 1]; a++)
        sum[s->part[s->g->adj[a]]] += clv_graph_ewgt(s->g, a);
    int64_t own = sum[s->part[v]];
    sum[s->part[v]] = 0;
    for (int32_t p = 0; p < s->bounds.nparts; p++) {
        most = sum[p] > most ? sum[p] : most;
        sum[p] = 0;
    }
    return most - own;
}

/* Hints for all vertices, from ws[0]. */
static bool make_hints(hinted *h, const clv_partition_state *s, clv_context *ctx)
{
    clv_ws *ws = &ctx->ws[0];
    int32_t n = s->g->nvtx;
    int32_t *list = clv_ws_alloc(ws, n, sizeof *list);
    int64_t *sum = clv_ws_zalloc(ws, s->bounds.nparts, sizeof *sum);
    h->hints = (clv_rebalance_hints){
        list,  n,      clv_ws_alloc(ws, n, sizeof(int64_t)), clv_ws_zalloc(ws, n, 1),
        KNOWN, CHANGED};
    h->arrays = (clv_bulk_balance){clv_ws_alloc(ws, n, sizeof(int32_t)), MOVING, MARKED,
                                   clv_ws_alloc(ws, s->bounds.nparts, sizeof(int32_t))};
    if (!list || !sum || !h->hints.gain || !h->hints.flags || !h->arrays.to ||
        !h->arrays.leaving)
        return false;
    for (int32_t v = 0; v < n; v++) {
        list[v] = v;
        h->hints.flags[v] = KNOWN;
        h->hints.gain[v] = best_gain(s, v, sum);
    }
    return true;
}

/* What the log and the flags promise; `before`: the parts at first. */
static const char *log_fault(const clv_partition_state *s, const hinted *h,
                             const clv_rebalance_log *log, int32_t *before)
{
    const clv_graph *g = s->g;
    for (int32_t i = 0; i < log->count; i++) {
        int32_t v = log->move[2 * (int64_t)i];
        if (log->move[2 * (int64_t)i + 1] < 0 || clv_state_is_fixed(s, v))
            return "a fixed vertex moved";
        before[v] = s->part[v];
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            if (!(h->hints.flags[g->adj[a]] & MARKED))
                return "a neighbour is not marked";
    }
    for (int32_t v = 0; v < g->nvtx; v++) {
        if (before[v] != s->part[v])
            return "a move is not in the log";
        if (h->hints.flags[v] & MOVING)
            return "a vertex is still moving";
    }
    return NULL;
}

/* Parts within their bounds stay so. */
static const char *weight_fault(const clv_partition_state *s, const int64_t *weight)
{
    for (int32_t p = 0; p < s->bounds.nparts; p++) {
        int64_t most = weight[p] > s->bounds.max[p] ? weight[p] : s->bounds.max[p];
        if (s->weight[p] > most)
            return "a part is filled beyond its bound";
    }
    return NULL;
}

static const char *fault_of_bulk;

static cleave_status rebalance(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(&ctx->ws[0]);
    clv_rebalance_log log = {0};
    hinted h;
    int32_t n = s->g->nvtx, *before = clv_ws_alloc(&ctx->ws[0], n, sizeof *before);
    int64_t *weight = clv_ws_alloc(&ctx->ws[0], s->bounds.nparts, sizeof *weight);
    cleave_status status = CLEAVE_ENOMEM;
    if (before && weight && make_hints(&h, s, ctx)) {
        memcpy(before, s->part, (size_t)n * sizeof *before);
        memcpy(weight, s->weight, (size_t)s->bounds.nparts * sizeof *weight);
        status = clv_rebalance_bulk(s, &h.hints, &h.arrays, &log, ctx, err);
        if (status == CLEAVE_OK && !fault_of_bulk)
            fault_of_bulk = log_fault(s, &h, &log, before);
        if (status == CLEAVE_OK && !fault_of_bulk)
            fault_of_bulk = weight_fault(s, weight);
    } else {
        status = clv_fail_memory(err);
    }
    clv_ws_restore(&ctx->ws[0], mark);
    return status;
}

static const fixture_options plain = {.nvtx = 20000,
                                      .nparts = 9,
                                      .ncon = 1,
                                      .slack = 0.04,
                                      .simple = true,
                                      .fixed = 13,
                                      .seed = 4};

static void test_threads(void)
{
    for (int shape = 0; shape < FIXTURE_SHAPES; shape++)
        for (int weighted = 0; weighted < 2; weighted++) {
            fixture f;
            fixture_options o = plain;
            o.shape = (fixture_shape)shape;
            o.vertex_weight = o.edge_weight = weighted ? 6 : 0;
            o.lower = weighted;
            fixture_make(&f, &o);
            fixture_scatter(&f, 6, 2);
            int64_t overload = clv_state_overload(&f.s);
            fault_of_bulk = NULL;
            CHECK_FINE(fixture_fault_threads(&f, rebalance));
            CHECK_FINE(fault_of_bulk);
            CHECK(clv_state_overload(&f.s) < overload);
            fixture_free(&f);
        }
}

/* Nearly all of the overload goes, and where one move after the other is possible, the loss is
 * of the same size. */
static void test_loss(void)
{
    fixture_options o = plain;
    o.shape = FIXTURE_GRID;
    o.fixed = 0;
    fixture f;
    clv_context ctx;
    cleave_error err = {0};
    fixture_context(&ctx, 2, 1);
    int64_t cut[2];
    for (int bulk = 0; bulk < 2; bulk++) {
        fixture_make(&f, &o);
        for (int32_t v = 0; v < o.nvtx; v++) /* one part takes half of another */
            if (f.part[v] == 3 && v % 2)
                f.part[v] = 4;
        fixture_scatter(&f, 0, 0);
        int64_t overload = clv_state_overload(&f.s);
        if (bulk) {
            fault_of_bulk = NULL;
            CHECK_OK(rebalance(&f.s, &ctx, &err));
            CHECK_FINE(fault_of_bulk);
            CHECK(clv_state_overload(&f.s) < overload / 2);
        }
        CHECK_OK(clv_rebalance(&f.s, &ctx, &err));
        CHECK_EQ(clv_state_overload(&f.s), 0);
        cut[bulk] = f.s.cut;
        fixture_free(&f);
    }
    CHECK(cut[1] * 10 <= cut[0] * 11);
    clv_context_close(&ctx);
}

/* Jet with so many vertices that overloads go in batches. */
static cleave_status refine(clv_partition_state *s, clv_context *ctx, cleave_error *err)
{
    clv_jet_params params = {.rounds = 6, .patience = 6, .temperature = 768};
    return clv_jet(s, &params, ctx, err);
}

static void test_jet(void)
{
    fixture_options o = plain;
    o.shape = FIXTURE_RANDOM;
    fixture f;
    fixture_make(&f, &o);
    fixture_scatter(&f, 9, 2);
    CHECK_FINE(fixture_fault_threads(&f, refine));
    fixture_free(&f);
}

static void test_out_of_memory(void)
{
    fixture_options o = plain;
    o.nvtx = 10000;
    CHECK_FINE(fixture_fault_memory_of(&o, 5, rebalance, fixture_no_worse));
}

int main(void)
{
    RUN(test_threads);
    RUN(test_loss);
    RUN(test_jet);
    RUN(test_out_of_memory);
    return test_end();
}
