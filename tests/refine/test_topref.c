/* SPDX-License-Identifier: Apache-2.0 */
/* refine/dagp/topref.c: invariants kept and never worse on any DAG; every step of a pass is
 * the best one by the definition of the paper, by an oracle that recomputes everything.
 */
#include "refine/dag_pass.h"
#include "refine/dagp/topref.h"

static void test_promises(void)
{
    CHECK(dag_refine_any(1500, clv_topref, false) > 600);
}

/* ---- The pass, by its definition -------------------------------------------------------- */

typedef struct step {
    int32_t to; /* -1: may not move */
    int64_t gain;
} step;

static int64_t gain_of(const clv_partition_state *s, int32_t v, int32_t to)
{
    int64_t before = fixture_cut(s), after;
    int32_t own = s->part[v];
    s->part[v] = to;
    after = fixture_cut(s);
    s->part[v] = own;
    return before - after;
}

/* Algorithm 5 of the paper, misprints corrected. */
static step step_of(const clv_partition_state *s, int32_t v, const int32_t *at)
{
    const clv_graph *g = s->g;
    int32_t own = s->rank[s->part[v]], max = -1, min = s->bounds.nparts;
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++)
        if (s->rank[s->part[g->pred[a]]] > max)
            max = s->rank[s->part[g->pred[a]]];
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
        if (s->rank[s->part[g->adj[a]]] < min)
            min = s->rank[s->part[g->adj[a]]];
    if (max < 0)
        max = own > 0 ? own - 1 : 0;
    if (min == s->bounds.nparts)
        min = own + 1 < s->bounds.nparts ? own + 1 : own;
    if (max == own && min == own)
        return (step){-1, 0};
    int64_t down = max != own ? gain_of(s, v, at[max]) : INT64_MIN;
    int64_t up = min != own ? gain_of(s, v, at[min]) : INT64_MIN;
    return up > down ? (step){at[min], up} : (step){at[max], down};
}

static int64_t largest_after(clv_partition_state *s, int32_t v, int32_t to)
{
    int32_t own = s->part[v];
    int64_t largest = INT64_MIN;
    clv_state_move(s, v, to);
    for (int64_t i = 0; i < (int64_t)s->bounds.nparts * s->g->ncon; i++)
        if (s->weight[i] - s->bounds.max[i] > largest)
            largest = s->weight[i] - s->bounds.max[i];
    clv_state_move(s, v, own);
    return largest;
}

/* What a slow pass finds.  False when there was a choice that the definition leaves open:
 * moves of one gain out of one part, or such that make the largest part equally large. */
static bool slow_pass(dag_fixture *f, pass_best *found)
{
    clv_partition_state *s = &f->s;
    int32_t n = s->g->nvtx;
    uint8_t *moved = calloc((size_t)n, 1), *dropped = calloc((size_t)n, 1);
    int32_t *at = calloc((size_t)s->bounds.nparts, sizeof *at);
    bool unique = true;
    if (!moved || !dropped || !at)
        abort();
    for (int32_t p = 0; p < s->bounds.nparts; p++)
        at[s->rank[p]] = p;
    *found = (pass_best){clv_state_overload(s), s->cut};
    for (;;) {
        int32_t best = -1;
        step chosen = {-1, 0};
        for (int32_t v = 0; v < n; v++) {
            step now = moved[v] || dropped[v] ? (step){-1, 0} : step_of(s, v, at);
            if (now.to < 0 || clv_state_is_fixed(s, v))
                continue;
            int64_t order = best < 0 ? 1 : now.gain - chosen.gain;
            if (order == 0 && s->part[best] == s->part[v])
                unique = false;
            else if (order == 0)
                order = largest_after(s, best, chosen.to) - largest_after(s, v, now.to);
            if (order == 0)
                unique = false;
            if (order > 0) {
                best = v;
                chosen = now;
            }
        }
        if (best < 0)
            break;
        if (!clv_state_fits(s, best, chosen.to) || !clv_state_may_leave(s, best)) {
            dropped[best] = 1;
            continue;
        }
        clv_state_move(s, best, chosen.to);
        moved[best] = 1;
        pass_free_neighbours(s->g, best, dropped);
        pass_keep_best(s, found);
    }
    free(moved);
    free(dropped);
    free(at);
    return unique;
}

static void test_oracle(void)
{
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    int compared = 0;
    for (uint64_t seed = 0; seed < 3000; seed++) {
        dag_fixture f;
        cleave_error err = {0};
        dag_options o = {.shape = (dag_shape)(seed % DAG_SHAPES),
                         .nvtx = 4 + (int32_t)(seed % 9),
                         .nparts = 2 + (int32_t)(seed % 3),
                         .ncon = 1,
                         .vertex_weight = 9,
                         .edge_weight = 100000,
                         .slack = 0.5,
                         .seed = seed};
        dag_make(&f, &o);
        dag_scatter(&f, o.nparts, seed);
        dag_snapshot start = dag_keep(&f);
        pass_best found;
        if (slow_pass(&f, &found)) {
            dag_return(&f, &start);
            CHECK_OK(clv_topref(&f.s, &ctx, &err));
            CHECK_EQ(clv_state_overload(&f.s), found.overload);
            CHECK_EQ(f.s.cut, found.cut);
            compared++;
        }
        dag_drop(&start);
        dag_free(&f);
    }
    CHECK(compared > 300);
    clv_context_close(&ctx);
}

/* Two chains, each half in one part: a pass takes one half home though only its last move
 * pays. */
static void test_climbs(void)
{
    dag_fixture f;
    cleave_error err = {0};
    dag_options o = {.shape = DAG_CHAINS, .nvtx = 20, .nparts = 2, .ncon = 1, .slack = 1};
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    dag_make(&f, &o);
    for (int32_t i = 0; i < 20; i++)
        f.part[f.order[i]] = f.s.rank[0] == (i % 10 >= 5) ? 0 : 1;
    dag_scatter(&f, 0, 0);
    CHECK_EQ(f.s.cut, 2);
    CHECK_OK(clv_topref(&f.s, &ctx, &err));
    CHECK_EQ(f.s.cut, 0);
    clv_context_close(&ctx);
    dag_free(&f);
}

static void test_memory(void)
{
    pass_survives_failures(clv_topref);
}

int main(void)
{
    RUN(test_promises);
    RUN(test_oracle);
    RUN(test_climbs);
    RUN(test_memory);
    return test_end();
}
