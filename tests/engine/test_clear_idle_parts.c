/* SPDX-License-Identifier: Apache-2.0 */
/* Parts that must stay empty: which vertices leave them, and DAGs stay acyclic. */
#include "engine/clear_idle_parts.h"

#include "base/rng.h"
#include "refine/state/ranks.h"
#include "support/test.h"

enum { parts = 6, most = 400 };

static cleave_error err;

typedef struct subject {
    cleave_graph *g;
    clv_multilevel_task task;
    int64_t max[parts];
    double share[parts];
    int32_t fixed[most], before[most], part[most];
} subject;

/* Most vertices weigh nothing; a few are fixed, some parts are closed, not all.  Parts of a
 * DAG are intervals of its order. */
static void subject_make(subject *s, bool dag, uint64_t seed)
{
    clv_rng rng = clv_rng_make(seed, 1, 0, 0);
    cleave_graph *made = NULL;
    cleave_csr csr;
    int32_t weight[most], place[most], name[parts];
    *s = (subject){0};
    CHECK_OK(cleave_graph_generate(&made, dag ? "stencil:5x5:4" : "mesh2d:12x10", NULL, &err));
    cleave_csr_init(&csr, sizeof csr);
    cleave_graph_view(made, &csr);
    int32_t n = csr.nvtx;
    for (int32_t v = 0; v < n; v++)
        weight[v] = (int32_t)clv_rng_below(&rng, 8) == 0;
    csr.vwgt = weight;
    CHECK_OK(cleave_graph_create(&s->g, &csr, 0, &err));
    cleave_graph_free(made);
    for (int32_t v = 0; v < n; v++)
        place[v] = v;
    if (dag)
        CHECK_OK(cleave_graph_topological_order(s->g, place, &err));
    clv_rng_permutation(&rng, parts, name);
    for (int32_t p = 0; p < parts; p++)
        s->max[p] = clv_rng_below(&rng, 2) ? 0 : 100;
    s->max[seed % parts] = 100;
    s->max[(seed + 1) % parts] = 0;
    for (int32_t i = 0; i < n; i++)
        s->before[place[i]] = dag ? name[i * parts / n] : (int32_t)clv_rng_below(&rng, parts);
    bool heavy = clv_rng_below(&rng, 2); /* or closed parts hold nothing that weighs */
    for (int32_t v = 0; v < n; v++) {
        s->fixed[v] = heavy && clv_rng_below(&rng, 30) == 0 ? s->before[v] : -1;
        if (!heavy && s->max[s->before[v]] == 0)
            ((int32_t *)s->g->vwgt)[v] = 0;
    }
    memcpy(s->part, s->before, sizeof s->part);
    s->task = (clv_multilevel_task){
        .g = s->g, .bounds = {parts, s->g->ncon, s->share, s->max, NULL}, .fixed = s->fixed};
}

static bool stays(const subject *s, int32_t v)
{
    return s->max[s->before[v]] > 0 || s->fixed[v] >= 0 || clv_graph_vwgt(s->g, v, 0) > 0;
}

static void check_subject(subject *s, clv_context *ctx)
{
    bool dag = s->g->kind == CLEAVE_DAG, held[parts] = {false}, acyclic = false;
    int32_t wrong = 0, inside = 0;
    for (int32_t v = 0; v < s->g->nvtx; v++)
        held[s->before[v]] = held[s->before[v]] || (s->max[s->before[v]] == 0 && stays(s, v));
    bool any = false; /* of a DAG: then all of the part stay, and maybe those next to it */
    for (int32_t p = 0; p < parts; p++)
        any = any || held[p];
    for (int32_t v = 0; v < s->g->nvtx; v++) {
        wrong += stays(s, v) && s->part[v] != s->before[v];
        inside += !stays(s, v) && s->max[s->part[v]] == 0;
    }
    CHECK_EQ(wrong, 0);
    CHECK(inside == 0 || (dag && any));
    if (!dag)
        return;
    clv_partition_state k;
    clv_ws_mark mark = clv_ws_save(ctx->ws);
    CHECK_OK(clv_multilevel_state(&k, &s->task, s->part, ctx, &err));
    CHECK_OK(clv_ranks_make(&k, 0, ctx->ws, &acyclic, &err));
    CHECK(acyclic);
    clv_ws_restore(ctx->ws, mark);
}

static void test_all(void)
{
    static subject s;
    clv_context ctx;
    REQUIRE_OK(clv_context_open(&ctx, 1, 1, &err));
    for (uint64_t seed = 0; seed < 200; seed += TEST_STRIDE) {
        subject_make(&s, seed / 3 % 2, seed);
        CHECK_OK(clv_clear_idle_parts(&s.task, &ctx, s.part, &err));
        check_subject(&s, &ctx);
        cleave_graph_free(s.g);
    }
    clv_context_close(&ctx);
}

/* An empty part is filled; the others go with their neighbours. */
static void test_path(void)
{
    static const int64_t xadj[] = {0, 1, 3, 5, 7, 9, 10};
    static const int32_t adj[] = {1, 0, 2, 1, 3, 2, 4, 3, 5, 4}, vwgt[6] = {1};
    static const int64_t max[] = {1, 0, 1}, closed[3] = {0};
    static const int32_t before[] = {0, 1, 1, 1, 1, 1};
    int32_t part[6];
    clv_graph g = {.kind = CLEAVE_UNDIRECTED, .nvtx = 6, .narc = 10, .ncon = 1};
    g.xadj = xadj;
    g.adj = adj;
    g.vwgt = vwgt;
    clv_multilevel_task task = {.g = &g, .bounds = {3, g.ncon, NULL, max, NULL}};
    clv_context ctx;
    REQUIRE_OK(clv_context_open(&ctx, 1, 1, &err));
    memcpy(part, before, sizeof part);
    CHECK_OK(clv_clear_idle_parts(&task, &ctx, part, &err));
    CHECK(memcmp(part, ((int32_t[]){0, 2, 2, 2, 2, 2}), sizeof part) == 0);
    memcpy(part, before, sizeof part);
    part[5] = 2;
    CHECK_OK(clv_clear_idle_parts(&task, &ctx, part, &err));
    CHECK(memcmp(part, ((int32_t[]){0, 0, 0, 0, 0, 2}), sizeof part) == 0);
    memcpy(part, before, sizeof part);
    task.bounds.max = closed; /* no part has capacity */
    CHECK_OK(clv_clear_idle_parts(&task, &ctx, part, &err));
    CHECK(memcmp(part, before, sizeof part) == 0);
    clv_context_close(&ctx);
}

static void test_out_of_memory(void)
{
    static subject s;
    for (int dag = 0; dag < 2; dag++) {
        cleave_status status = CLEAVE_ENOMEM;
        subject_make(&s, dag, 3);
        for (int64_t nth = 1; status == CLEAVE_ENOMEM && nth < 1000; nth++) {
            clv_context ctx;
            REQUIRE_OK(clv_context_open(&ctx, 1, 1, &err));
            memcpy(s.part, s.before, sizeof s.part);
            test_alloc_fail_at(nth);
            status = clv_clear_idle_parts(&s.task, &ctx, s.part, &err);
            test_alloc_fail_at(0);
            clv_context_close(&ctx);
        }
        CHECK_EQ(status, CLEAVE_OK);
        cleave_graph_free(s.g);
    }
    CHECK_EQ(test_alloc_live(), 0);
}

int main(void)
{
    RUN(test_all);
    RUN(test_path);
    RUN(test_out_of_memory);
    return test_end();
}
