/* SPDX-License-Identifier: Apache-2.0 */
/* Steps look at the clock by the arcs that they visit, also where a few vertices have most of
 * them, and what they do after a stop is valid.  The clock of these tests is the number of
 * looks. */
#include <stdlib.h>
#include <string.h>

#include "api/map_arguments.h"
#include "engine/map_fixture.h"
#include "engine/order/line_method.h"
#include "engine/presets.h"
#include "graph/topology.h"
#include "refine/fm/bipartition_fm.h"
#include "refine/moves/jet.h"
#include "refine/moves/volume_moves.h"
#include "support/test.h"

enum { most_vertices = 200000, plenty = 1 << 30 };

static cleave_error err;
static int32_t part[most_vertices];

/* ---- Hubs ------------------------------------------------------------------------------- */

/* Parts by number.  max: of each. */
static void open_state(clv_partition_state *s, const clv_graph *g, int32_t nparts, int64_t max,
                       clv_context *ctx)
{
    static int64_t bound[8];
    clv_multilevel_task task = {.g = g, .bounds = {.nparts = nparts, .ncon = 1, .max = bound}};
    for (int32_t p = 0; p < nparts; p++)
        bound[p] = max;
    for (int32_t v = 0; v < g->nvtx; v++)
        part[v] = (int32_t)((int64_t)v * nparts / g->nvtx);
    REQUIRE_OK(clv_multilevel_state(s, &task, part, ctx, &err));
}

/* Leaves of a star fill the queue, and none of them may leave: none is moved, all are taken
 * from the queue. */
static void test_full_parts(void)
{
    cleave_graph *g = fixture_graph("star:100001");
    clv_bipartition_fm_params params = {.passes = 1, .patience = 100};
    int64_t looks = plenty;
    clv_context ctx;
    clv_partition_state s;
    REQUIRE_OK(clv_context_open(&ctx, 1, 1, &err));
    open_state(&s, g, 2, 50001, &ctx);
    ctx.looks = &looks;
    CHECK_OK(clv_bipartition_fm(&s, &params, &ctx, &err));
    /* Arcs of the boundary, three quarters of all, and the leaves that leave the queue. */
    CHECK(plenty - looks >= (3 * (int64_t)g->nvtx / 2 + g->nvtx / 3) >> 14);
    clv_context_close(&ctx);
    cleave_graph_free(g);
}

/* A pass that begins after the stop is paid from the credit and runs to its end. */
static void test_paid_pass(void)
{
    cleave_graph *g = fixture_graph("rmat:12:20");
    clv_bipartition_fm_params params = {.passes = 1, .patience = 1 << 20};
    int64_t cut[2], looks = 1;
    for (int i = 0; i < 2; i++) {
        clv_context ctx;
        clv_partition_state s;
        REQUIRE_OK(clv_context_open(&ctx, 1, 1, &err));
        open_state(&s, g, 2, g->nvtx, &ctx);
        ctx.looks = i > 0 ? &looks : NULL;
        CHECK(clv_context_stop(&ctx) == (i > 0));
        CHECK_OK(clv_bipartition_fm(&s, &params, &ctx, &err));
        cut[i] = s.cut;
        clv_context_close(&ctx);
    }
    CHECK_EQ(cut[0], cut[1]);
    cleave_graph_free(g);
}

/* Every vertex has hundreds of neighbours: a look per some hundreds of vertices is too late.
 */
static void test_volume(void)
{
    cleave_graph *g = fixture_graph("gnp:1000:0.5");
    clv_volume_params params = {.rounds = 1, .patience = 30};
    int64_t looks = plenty;
    clv_context ctx;
    clv_partition_state s;
    REQUIRE_OK(clv_context_open(&ctx, 1, 1, &err));
    open_state(&s, g, 4, 250, &ctx); /* full: no vertex moves */
    ctx.looks = &looks;
    CHECK_OK(clv_volume_refine(&s, &params, &ctx, &err));
    CHECK(plenty - looks >= 7 * g->narc / 4 >> 14);
    clv_context_close(&ctx);
    cleave_graph_free(g);
}

/* On a machine a vertex has sixteen candidate places, each with a distance per neighbour. */
static void test_jet_on_machine(void)
{
    enum { nparts = 1024 };
    static int64_t max[nparts];
    cleave_graph *g = fixture_graph("rmat:14:60");
    cleave_target *t;
    clv_machine machine;
    clv_jet_params jet = {
        .rounds = 1, .patience = 1, .temperature = clv_preset_jet_temperature(0)};
    int64_t looks = plenty;
    clv_context ctx;
    clv_partition_state s;
    REQUIRE_OK(cleave_target_parse(&t, "mesh:32x32", &err));
    REQUIRE_OK(clv_context_open(&ctx, 1, 1, &err));
    REQUIRE_OK(clv_machine_make(&machine, t, NULL, ctx.ws, &err));
    clv_multilevel_task task = {
        .g = g, .bounds = {.nparts = nparts, .ncon = 1, .max = max}, .machine = &machine};
    for (int32_t p = 0; p < nparts; p++)
        max[p] = clv_graph_weight(g);
    for (int32_t v = 0; v < g->nvtx; v++)
        part[v] = v % nparts;
    REQUIRE_OK(clv_multilevel_state(&s, &task, part, &ctx, &err));
    ctx.looks = &looks;
    CHECK_OK(clv_jet(&s, &jet, &ctx, &err));
    CHECK(plenty - looks >= 16 * g->narc >> 18);
    clv_context_close(&ctx);
    cleave_target_free(t);
    cleave_graph_free(g);
}

/* ---- What replaces a step after the stop ------------------------------------------------ */

/* Fills part until the given look at the clock. */
static void stop_at(const asked *a, int64_t look)
{
    clv_map_request request;
    clv_context ctx;
    REQUIRE_OK(clv_map_request_check(&request, a->g, a->t, &a->opt, &err));
    request.constraints = a->c;
    REQUIRE_OK(clv_context_open(&ctx, 1, 1, &err));
    ctx.looks = &look;
    clv_map_job job = {.request = &request, .ctx = &ctx};
    REQUIRE_OK(clv_pipeline_map(&job, part, &err));
    clv_context_close(&ctx);
}

/* On a star nearly every vertex is a piece of its own. */
static void test_shattered(void)
{
    static const char *const graphs[] = {"star:20001", "tree:20001:100", "rmat:12:4"};
    for (int i = 0; i < 3; i++) {
        asked a;
        ask(&a, graphs[i], 8, CLEAVE_EFFORT_DEFAULT);
        a.c.connected = 1;
        for (int64_t first = 1; first <= 1024; first *= 4) {
            facts f;
            stop_at(&a, first);
            fixture_facts(&a, part, &f);
            CHECK(f.connected);
        }
        asked_free(&a);
    }
}

/* Stopped at any look, all arcs of a DAG point forward. */
static void test_dag_order(void)
{
    static int32_t vertex[most_vertices], place[most_vertices];
    cleave_graph *g = fixture_graph("stencil:30x30:16");
    for (int64_t first = 1; first <= 4096; first *= 2) {
        clv_line_result line = {.vertex = vertex};
        clv_line_method method;
        int64_t look = first, backward = 0;
        clv_context ctx;
        REQUIRE_OK(clv_line_method_parse(&method, "multilevel", NULL, &err));
        REQUIRE_OK(clv_context_open(&ctx, 1, 1, &err));
        ctx.looks = &look;
        CHECK_OK(clv_line_make(&line, g, &method, CLEAVE_EFFORT_DEFAULT, &ctx, &err));
        clv_context_close(&ctx);
        memset(place, 0xff, sizeof place);
        for (int32_t p = 0; p < g->nvtx; p++)
            place[vertex[p]] = p;
        for (int32_t v = 0; v < g->nvtx; v++)
            for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
                backward += place[v] < 0 || place[g->adj[a]] <= place[v];
        CHECK_EQ(backward, 0);
    }
    cleave_graph_free(g);
}

/* ---- More time is not worse ------------------------------------------------------------- */

/* n vertices with 8 neighbours each among 50 hubs. */
static cleave_graph *make_hubs(int32_t n)
{
    enum { hubs = 50, each = 8 };
    int32_t count[hubs] = {0};
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    csr.nvtx = hubs + n;
    int64_t *xadj = fixture_grab(csr.nvtx + 1, sizeof *xadj);
    int32_t *adj = fixture_grab(2 * (int64_t)each * n, sizeof *adj), *of = adj + each * n;
    for (int32_t i = 0; i < each * n;
         i++) { /* different hubs: every sixth from a random one */
        int32_t first = fixture_draw(1, i / each, hubs);
        of[i] = (first + i % each * 6) % hubs;
        count[of[i]]++;
    }
    for (int32_t h = 0; h < hubs; h++)
        xadj[h + 1] = xadj[h] + count[h];
    for (int32_t v = 0; v < n; v++)
        xadj[hubs + v + 1] = xadj[hubs + v] + each;
    for (int32_t h = 0; h < hubs; h++)
        count[h] = 0;
    for (int32_t i = 0; i < each * n; i++)
        adj[xadj[of[i]] + count[of[i]]++] = hubs + i / each;
    csr.xadj = xadj;
    csr.adj = adj;
    cleave_graph *g = fixture_create(&csr, "hubs");
    free(xadj);
    free(adj);
    return g;
}

/* Parts of leaves that share hubs have a small cut, and a volume several times that of
 * intervals, which are the result of a short limit. */
static void test_volume_of_lines(void)
{
    asked a;
    facts first, last;
    ask_graph(&a, "hubs", make_hubs(20000), 16, CLEAVE_EFFORT_FAST);
    a.opt.objective = CLEAVE_OBJECTIVE_VOLUME;
    stop_at(&a, 1);
    fixture_facts(&a, part, &first);
    stop_at(&a, plenty);
    fixture_facts(&a, part, &last);
    CHECK(last.volume <= first.volume + first.volume / 50);
    CHECK_EQ(last.overload, 0);
    asked_free(&a);
}

int main(void)
{
    RUN(test_full_parts);
    RUN(test_paid_pass);
    RUN(test_volume);
    RUN(test_jet_on_machine);
    RUN(test_shattered);
    RUN(test_dag_order);
    RUN(test_volume_of_lines);
    return test_end();
}
