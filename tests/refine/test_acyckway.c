/* SPDX-License-Identifier: Apache-2.0 */
/* refine/dagp/acyckway.c: invariants kept and never worse on any DAG; the same result as a
 * pass that recomputes every gain and searches the whole quotient graph for cycles before each
 * move. */
#include "refine/dag_pass.h"
#include "refine/dagp/acyckway.h"

static void test_promises(void)
{
    CHECK(dag_refine_any(1500, clv_acyckway, false) > 600);
}

/* ---- The pass, by its definition -------------------------------------------------------- */

typedef struct option {
    int32_t part;
    int64_t gain, room;
} option;

static int compare_options(const void *a, const void *b)
{
    const option *x = a, *y = b;
    if (x->gain != y->gain)
        return x->gain < y->gain ? 1 : -1;
    if (x->room != y->room)
        return x->room < y->room ? 1 : -1;
    return x->part - y->part;
}

static bool is_neighbour(const clv_partition_state *s, int32_t v, int32_t p)
{
    const clv_graph *g = s->g;
    for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
        if (s->part[g->adj[a]] == p)
            return true;
    for (int64_t a = g->xpred[v]; a < g->xpred[v + 1]; a++)
        if (s->part[g->pred[a]] == p)
            return true;
    return false;
}

/* All candidate parts of v, best first. */
static int list_options(const clv_partition_state *s, int32_t v, option *list)
{
    int count = 0;
    int32_t own = s->part[v];
    int64_t before = fixture_cut(s);
    for (int32_t p = 0; p < s->bounds.nparts; p++) {
        if (p == own || !is_neighbour(s, v, p))
            continue;
        s->part[v] = p;
        list[count++] = (option){p, before - fixture_cut(s), s->bounds.max[p] - s->weight[p]};
        s->part[v] = own;
    }
    qsort(list, (size_t)count, sizeof *list, compare_options);
    return count;
}

/* Makes the move if one is allowed. */
static bool try_options(clv_partition_state *s, int32_t v, const option *list, int count)
{
    int32_t own = s->part[v];
    for (int i = 0; i < count; i++) {
        if (i > 1 && list[i].gain < list[1].gain)
            return false;
        if (!clv_state_fits(s, v, list[i].part) || !clv_state_may_leave(s, v))
            continue;
        s->part[v] = list[i].part;
        bool acyclic = dag_is_acyclic(s);
        s->part[v] = own;
        if (!acyclic)
            continue;
        clv_state_move(s, v, list[i].part);
        return true;
    }
    return false;
}

static void slow_pass(dag_fixture *f, pass_best *found)
{
    clv_partition_state *s = &f->s;
    int32_t n = s->g->nvtx;
    uint8_t moved[64] = {0}, dropped[64] = {0};
    option list[64], best_list[64];
    *found = (pass_best){clv_state_overload(s), s->cut};
    for (;;) {
        int32_t best = -1;
        int best_count = 0;
        for (int32_t v = 0; v < n; v++) {
            if (moved[v] || dropped[v] || clv_state_is_fixed(s, v))
                continue;
            int count = list_options(s, v, list);
            if (count == 0 || (best >= 0 && list[0].gain <= best_list[0].gain))
                continue;
            best = v;
            best_count = count;
            memcpy(best_list, list, sizeof list);
        }
        if (best < 0)
            return;
        moved[best] = try_options(s, best, best_list, best_count);
        dropped[best] = !moved[best];
        if (!moved[best])
            continue;
        pass_free_neighbours(s->g, best, dropped);
        pass_keep_best(s, found);
    }
}

static void test_oracle(void)
{
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    int reordered = 0;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        dag_fixture f;
        cleave_error err = {0};
        dag_options o = {.shape = (dag_shape)(seed % DAG_SHAPES),
                         .nvtx = 4 + (int32_t)(seed % 17),
                         .nparts = 2 + (int32_t)(seed % 6),
                         .ncon = 1,
                         .vertex_weight = seed % 2 ? 9 : 0,
                         .edge_weight = seed % 3 ? 9 : 0,
                         .slack = 0.5,
                         .fixed = seed % 7 == 0 ? 5 : 0,
                         .seed = seed};
        o.nparts = o.nparts < o.nvtx ? o.nparts : o.nvtx;
        dag_make(&f, &o);
        dag_scatter(&f, o.nparts, seed);
        dag_snapshot start = dag_keep(&f);
        pass_best found;
        slow_pass(&f, &found);
        dag_return(&f, &start);
        CHECK_OK(clv_acyckway(&f.s, &ctx, &err));
        CHECK_EQ(clv_state_overload(&f.s), found.overload);
        CHECK_EQ(f.s.cut, found.cut);
        reordered += memcmp(start.rank, f.rank, (size_t)o.nparts * sizeof *f.rank) != 0;
        dag_drop(&start);
        dag_free(&f);
    }
    CHECK(reordered > 100);
    clv_context_close(&ctx);
}

/* More parts than the table of pairs has room for. */
static void test_many_parts(void)
{
    dag_fixture f;
    cleave_error err = {0};
    dag_options o = {.shape = DAG_LOCAL, .nvtx = 6000, .nparts = 1500, .ncon = 1, .slack = 1};
    clv_context ctx;
    fixture_context(&ctx, 1, 1);
    dag_make(&f, &o);
    int64_t cut = f.s.cut;
    CHECK_OK(clv_acyckway(&f.s, &ctx, &err));
    const char *fault = dag_fault(&f);
    CHECK_STR(fault ? fault : "none", "none");
    CHECK(f.s.cut < cut);
    clv_context_close(&ctx);
    dag_free(&f);
}

static void test_memory(void)
{
    pass_survives_failures(clv_acyckway);
}

int main(void)
{
    RUN(test_promises);
    RUN(test_oracle);
    RUN(test_many_parts);
    RUN(test_memory);
    return test_end();
}
