/* SPDX-License-Identifier: Apache-2.0 */
/* refine/fm/node_fm.c and refine/flow/vertex_cut.c: no edge between the sides, never worse,
 * vertex covers and cuts of minimum weight. */
#include "refine/state/separation.h"

#include "refine/kway_fixture.h"
#include "refine/merge_parallel.h"

static cleave_error err;

typedef struct case_ {
    fixture f;
    clv_separation s;
} case_;

/* One weight per vertex; part: two sides, at random or as the fixture hid them. */
static void make(case_ *c, uint64_t seed, int32_t largest)
{
    fixture_options o = fixture_any(seed, largest);
    o.ncon = 1;
    o.nparts = 2;
    o.fixed = 0;
    if (o.nvtx < 2)
        o.nvtx = 2;
    fixture_make(&c->f, &o);
    merge_parallel(&c->f.g);
    c->s = (clv_separation){.g = &c->f.g, .part = c->f.part};
    clv_rng rng = clv_rng_make(seed, 3, 3, 3);
    for (int32_t v = 0; v < c->f.g.nvtx; v++)
        c->s.part[v] = seed % 3 ? c->f.hidden[v] : (int32_t)clv_rng_below(&rng, 2);
    clv_separation_measure(&c->s);
    int64_t total = c->s.weight[0] + c->s.weight[1];
    c->s.max = total - total / 3;
}

/* NULL, or what is wrong. */
static const char *fault(const clv_separation *s)
{
    int64_t weight[3] = {0, 0, 0};
    for (int32_t v = 0; v < s->g->nvtx; v++) {
        if (s->part[v] < 0 || s->part[v] > 2)
            return "a part is out of range";
        weight[s->part[v]] += clv_graph_vwgt(s->g, v, 0);
        for (int64_t a = s->g->xadj[v]; a < s->g->xadj[v + 1]; a++)
            if (s->part[v] + s->part[s->g->adj[a]] == 1)
                return "an edge joins the two sides";
    }
    return memcmp(weight, s->weight, sizeof weight) == 0 ? NULL : "weights are wrong";
}

/* ---- Covers ----------------------------------------------------------------------------- */

/* The lightest cover of the edges between the sides, over all sets of vertices. */
static int64_t lightest_cover(const clv_graph *g, const int32_t *part)
{
    int64_t best = INT64_MAX;
    for (uint32_t set = 0; set < 1u << g->nvtx; set++) {
        int64_t weight = 0;
        bool covers = true;
        for (int32_t v = 0; v < g->nvtx && covers; v++) {
            weight += set >> v & 1 ? clv_graph_vwgt(g, v, 0) : 0;
            for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
                covers = covers && (part[v] == part[g->adj[a]] || (set >> v & 1) ||
                                    (set >> g->adj[a] & 1));
        }
        if (covers && weight < best)
            best = weight;
    }
    return best;
}

static void test_cover(void)
{
    for (uint64_t seed = 0; seed < 200; seed += TEST_STRIDE) {
        case_ c;
        clv_ws ws = {NULL};
        make(&c, seed, 11);
        int64_t want = lightest_cover(&c.f.g, c.s.part);
        CHECK_OK(clv_vertex_cover(&c.s, NULL, &ws, &err));
        CHECK_FINE(fault(&c.s));
        CHECK_EQ(c.s.weight[2], want);
        clv_ws_free(&ws);
        fixture_free(&c.f);
    }
}

/* ---- Cuts ------------------------------------------------------------------------------- */

static void test_cut(void)
{
    int32_t gains = 0;
    for (uint64_t seed = 0; seed < 200; seed += TEST_STRIDE) {
        case_ c;
        clv_ws ws = {NULL};
        bool better;
        make(&c, seed, 60);
        CHECK_OK(clv_vertex_cover(&c.s, NULL, &ws, &err));
        clv_separation_worth before = clv_separation_judge(&c.s);
        CHECK_OK(clv_vertex_cut(&c.s, 1 + (int32_t)(seed % 5), NULL, &ws, &better, &err));
        clv_separation_worth after = clv_separation_judge(&c.s);
        CHECK_FINE(fault(&c.s));
        CHECK_EQ(clv_separation_better(&after, &before), better);
        CHECK(!clv_separation_better(&before, &after));
        gains += better;
        clv_ws_free(&ws);
        fixture_free(&c.f);
    }
    CHECK(gains > 5);
}

/* Two squares joined by a path: its middle is the lightest separator, wherever the band finds
 * it. */
static void test_waist(void)
{
    enum { n = 21, half = 9 };
    static int32_t adj[n * n], part[n];
    static int64_t xadj[n + 1];
    for (int32_t v = 0; v < n; v++) {
        xadj[v + 1] = xadj[v];
        for (int32_t u = 0; u < n; u++) {
            bool left = v < half && u < half, right = v >= n - half && u >= n - half;
            if (u != v && (left || right || u == v + 1 || u == v - 1))
                adj[xadj[v + 1]++] = u;
        }
        part[v] = v < half - 1 ? 0 : v < half + 2 ? 2 : 1;
    }
    clv_graph g = {.nvtx = n, .narc = xadj[n], .xadj = xadj, .adj = adj, .ncon = 1};
    clv_separation s = {.g = &g, .part = part, .max = 14};
    clv_ws ws = {NULL};
    bool better;
    clv_separation_measure(&s);
    CHECK_OK(clv_vertex_cut(&s, 2, NULL, &ws, &better, &err));
    CHECK(better);
    CHECK_EQ(s.weight[2], 1);
    CHECK_FINE(fault(&s));
    clv_ws_free(&ws);
}

/* ---- FM --------------------------------------------------------------------------------- */

static void test_moves(void)
{
    int32_t gains = 0;
    for (uint64_t seed = 0; seed < 300; seed += TEST_STRIDE) {
        case_ c;
        clv_context ctx;
        clv_node_fm_params params = {1 + (int32_t)(seed % 9), 1 + (int32_t)(seed * 7 % 90)};
        make(&c, seed, 150);
        fixture_context(&ctx, 1, seed);
        CHECK_OK(clv_vertex_cover(&c.s, &ctx, ctx.ws, &err));
        if (seed % 4 == 0) /* a poor start: all of a side's neighbours */
            for (int32_t v = 0; v < c.f.g.nvtx; v++)
                c.s.part[v] = v % 3 ? clv_separator_part : c.s.part[v];
        clv_separation_measure(&c.s);
        clv_separation_worth before = clv_separation_judge(&c.s);
        CHECK_OK(clv_node_fm(&c.s, &params, &ctx, &err));
        clv_separation_worth after = clv_separation_judge(&c.s);
        CHECK_FINE(fault(&c.s));
        CHECK(!clv_separation_better(&before, &after));
        gains += clv_separation_better(&after, &before);
        clv_context_close(&ctx);
        fixture_free(&c.f);
    }
    CHECK(gains > 20);
}

/* ---- Memory ----------------------------------------------------------------------------- */

static cleave_status all_of_it(clv_separation *s, clv_context *ctx)
{
    bool better;
    clv_node_fm_params params = {4, 50};
    CLV_TRY(clv_vertex_cover(s, ctx, ctx->ws, &err));
    CLV_TRY(clv_node_fm(s, &params, ctx, &err));
    return clv_vertex_cut(s, 3, ctx, ctx->ws, &better, &err);
}

static void test_out_of_memory(void)
{
    test_oom_rounds oom = {0};
    while (test_oom_next(&oom)) {
        case_ c;
        clv_context ctx;
        make(&c, 5, 150);
        fixture_context(&ctx, 1, 1);
        TEST_OOM(&oom, all_of_it(&c.s, &ctx));
        clv_context_close(&ctx);
        fixture_free(&c.f);
    }
    CHECK(oom.nth > 2);
}

int main(void)
{
    RUN(test_cover);
    RUN(test_cut);
    RUN(test_waist);
    RUN(test_moves);
    RUN(test_out_of_memory);
    return test_end();
}
