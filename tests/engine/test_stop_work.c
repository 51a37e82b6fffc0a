/* SPDX-License-Identifier: Apache-2.0 */
/* How much work a call does once its context has said stop, counted in arcs, not timed: a few
 * passes over the graph whenever it stops, and what comes out is valid.  The context says stop
 * at its n-th look, for n = 1, 4, 16, ... */
#include <string.h>

#include "api/map_run.h"
#include "engine/line_method.h"
#include "engine/map_fixture.h"
#include "support/test.h"

/* Passes over arcs and vertices: two of credit, one for a line and four to measure with. */
enum { most_passes = 8, most_vertices = 200000 };

static cleave_error err;

/* ---- Mappings --------------------------------------------------------------------------- */

/* Stops at the given look; *late: arcs since. */
static void map_until(const asked *a, int64_t look, int32_t *part, int64_t *late)
{
    clv_map_request request;
    clv_context ctx;
    REQUIRE_OK(clv_map_request_check(&request, a->g, a->t, &a->opt, &err));
    request.constraints = a->c;
    REQUIRE_OK(clv_context_open(&ctx, 1, 1, 0, NULL, NULL, &err));
    ctx.looks = &look;
    clv_map_run run = {.request = &request, .ctx = &ctx};
    REQUIRE_OK(clv_map_run_prepare(&run, &err));
    REQUIRE_OK(clv_map_run_search(&run, part, &err));
    CHECK(look > 0 || clv_context_is_stopped(&ctx)); /* looks count down */
    *late = atomic_load(ctx.late);
    clv_context_close(&ctx);
}

static void check_mapping(const asked *a, int64_t look)
{
    static int32_t part[most_vertices];
    int64_t late, pass = a->g->narc + a->g->nvtx;
    facts f;
    map_until(a, look, part, &late);
    fixture_facts(a, part, &f);
    bool good = late <= most_passes * pass && f.empty == 0 && f.balanced;
    CHECK(good);
    if (!good)
        fprintf(stderr, "  %s into %d, %s, effort %d, look %lld: %.1f passes, %d empty%s\n",
                a->name, a->k, a->opt.method ? a->opt.method : "auto", (int)a->opt.effort,
                (long long)look, (double)late / (double)pass, (int)f.empty,
                f.balanced ? "" : ", beyond the bounds");
}

static void check_looks(const asked *a)
{
    for (int64_t look = 1; look <= 256; look *= 4)
        check_mapping(a, look);
}

static void test_partition(void)
{
    static const char *const graphs[] = {"grid2d:160x160", "rmat:11:12", "rgg:21000:9 vwgt"};
    static const int32_t parts[] = {2, 16, 3000};
    for (int i = 0; i < 3; i++)
        for (int e = CLEAVE_EFFORT_FAST; e <= CLEAVE_EFFORT_DEFAULT; e++)
            for (int k = 0; k < 3; k++) {
                asked a;
                if (i == 1 && k == 2)
                    continue;
                ask(&a, graphs[i], parts[k], (cleave_effort)e);
                if (a.csr.vwgt)
                    a.thousandths = k == 2 ? 1500 : 100;
                a.opt.imbalance = a.thousandths / 1000.0;
                a.opt.objective = e == CLEAVE_EFFORT_FAST && k == 1 ? CLEAVE_OBJECTIVE_VOLUME
                                                                    : CLEAVE_OBJECTIVE_CUT;
                check_looks(&a);
                asked_free(&a);
            }
}

static void test_spectral(void)
{
    asked a;
    ask(&a, "grid2d:200x200", 16, CLEAVE_EFFORT_DEFAULT);
    a.opt.method = "rsb";
    check_looks(&a);
    asked_free(&a);
}

static void test_dag(void)
{
    for (int e = CLEAVE_EFFORT_FAST; e <= CLEAVE_EFFORT_QUALITY; e++)
        for (int volume = 0; volume <= 1; volume++) {
            asked a;
            ask(&a, "stencil:40x40:20", 8, (cleave_effort)e);
            if (volume)
                a.opt.objective = CLEAVE_OBJECTIVE_VOLUME;
            for (int64_t look = 1; look <= 1024; look *= 4)
                check_mapping(&a, look);
            asked_free(&a);
        }
}

/* Published methods for DAGs: the same way out. */
static void test_dag_methods(void)
{
    static const char *const methods[] = {"dagp", "kernighan", "fauzia"};
    for (int i = 0; i < 3; i++) {
        asked a;
        ask(&a, "stencil:40x40:20", 8, CLEAVE_EFFORT_DEFAULT);
        a.opt.method = methods[i];
        for (int64_t look = 1; look <= 256; look *= 2)
            check_mapping(&a, look);
        asked_free(&a);
    }
}

/* Fixed vertices stay, and parts that have a share of 0 stay empty. */
static void test_constraints(void)
{
    static int32_t fixed[most_vertices];
    static const int32_t speeds[] = {3, 0, 1, 2, 2};
    asked a;
    ask(&a, "grid2d:180x180", 5, CLEAVE_EFFORT_DEFAULT);
    ask_speeds(&a, speeds);
    for (int32_t v = 0; v < a.n; v++)
        fixed[v] = v % 7 == 0 ? v % 5 == 1 ? 0 : v % 5 : -1;
    a.c.fixed = fixed;
    for (int64_t look = 1; look <= 256; look *= 4) {
        static int32_t part[most_vertices];
        int64_t late;
        facts f;
        map_until(&a, look, part, &late);
        fixture_facts(&a, part, &f);
        CHECK(f.fixed && f.idle && f.balanced);
        CHECK(late <= most_passes * (a.g->narc + a.g->nvtx));
    }
    asked_free(&a);
}

/* ---- Orders ----------------------------------------------------------------------------- */

static bool is_permutation(const int32_t *vertex, int32_t n)
{
    static uint8_t seen[most_vertices];
    memset(seen, 0, sizeof seen);
    for (int32_t p = 0; p < n; p++)
        if (vertex[p] < 0 || vertex[p] >= n || seen[vertex[p]]++)
            return false;
    return true;
}

static void check_order(const clv_graph *g, const char *name, int64_t look)
{
    static int32_t vertex[most_vertices];
    clv_line_method method;
    clv_spectral_quality spectral;
    clv_context ctx;
    REQUIRE_OK(clv_line_method_parse(&method, name, NULL, &err));
    REQUIRE_OK(clv_context_open(&ctx, 1, 1, 0, NULL, NULL, &err));
    clv_context_lend(&ctx, g->narc + g->nvtx);
    ctx.looks = &look;
    CHECK_OK(clv_line_make(g, &method, CLEAVE_EFFORT_DEFAULT, &ctx, vertex, &spectral, &err));
    CHECK(is_permutation(vertex, g->nvtx));
    double passes = (double)atomic_load(ctx.late) / (double)(g->narc + g->nvtx);
    CHECK(passes <= most_passes);
    if (passes > most_passes)
        fprintf(stderr, "  %s: %.1f passes\n", name, passes);
    clv_context_close(&ctx);
}

static void test_orders(void)
{
    static const char *const methods[] = {"multilevel", "rsbi", "nd", "mindeg", "rcbi"};
    cleave_graph *g = fixture_graph("grid2d:150x150");
    for (int i = 0; i < 5; i++)
        for (int64_t look = 1; look <= 4096; look *= 4)
            check_order(g, methods[i], look);
    cleave_graph_free(g);
}

int main(void)
{
    RUN(test_partition);
    RUN(test_spectral);
    RUN(test_dag);
    RUN(test_dag_methods);
    RUN(test_constraints);
    RUN(test_orders);
    return test_end();
}
