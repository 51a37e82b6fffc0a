/* SPDX-License-Identifier: Apache-2.0 */
/* refine/flow/maxflow.c against all cuts of small networks, while nodes become terminals one
 * after the other; and against Ford and Fulkerson on larger ones. */
#include "base/rng.h"
#include "refine/flow/maxflow.h"
#include "support/test.h"

enum { most_nodes = 120 };

typedef struct network {
    int32_t n;
    int32_t capacity[most_nodes][most_nodes];
    int32_t side[most_nodes]; /* -1: source, 1: sink, 0: free */
    int64_t weight[most_nodes];
} network;

static network net; /* large for a stack */

static void make_network(int32_t n, uint32_t density, uint32_t largest, clv_rng *rng)
{
    memset(&net, 0, sizeof net);
    net.n = n;
    for (int32_t u = 0; u < n; u++)
        for (int32_t v = 0; v < u; v++)
            if (clv_rng_below(rng, 100) < density)
                net.capacity[u][v] = net.capacity[v][u] =
                    1 + (int32_t)clv_rng_below(rng, largest);
    net.side[n - 2] = -1;
    net.side[n - 1] = 1;
    for (int32_t v = 0; v < n - 2; v++)
        net.weight[v] = (int64_t)clv_rng_below(rng, 5);
}

static void load_network(clv_maxflow *f, clv_ws *ws)
{
    cleave_error err = {0};
    int32_t arcs = 0;
    for (int32_t u = 0; u < net.n; u++)
        for (int32_t v = 0; v < net.n; v++)
            arcs += net.capacity[u][v] > 0;
    CHECK_OK(clv_maxflow_init(f, net.n, arcs + net.n, 1, ws, &err));
    int32_t at = 0;
    for (int32_t u = 0; u < net.n; u++) {
        f->first[u] = f->last[u] = at;
        for (int32_t v = 0; v < net.n; v++)
            at += net.capacity[u][v] > 0;
        at += u % 2; /* a place that stays unused */
    }
    for (int32_t u = 0; u < net.n; u++)
        for (int32_t v = 0; v < u; v++)
            if (net.capacity[u][v] > 0)
                clv_maxflow_edge(f, u, v, net.capacity[u][v]);
    clv_maxflow_start(f, net.n - 2, net.n - 1, net.weight);
}

/* The least cut, and the nodes that are on the source's side of all least cuts, and those on
 * the sink's side of all. */
static int64_t least_cut(uint32_t *source, uint32_t *sink)
{
    int64_t best = INT64_MAX;
    for (uint32_t set = 0; set < UINT32_C(1) << net.n; set++) {
        int64_t cut = 0;
        bool legal = true;
        for (int32_t u = 0; u < net.n && legal; u++) {
            bool inside = set >> u & 1;
            legal = net.side[u] == 0 || inside == (net.side[u] < 0);
            for (int32_t v = 0; v < net.n && inside; v++)
                if (!(set >> v & 1))
                    cut += net.capacity[u][v];
        }
        if (!legal || cut > best)
            continue;
        if (cut < best)
            *source = *sink = UINT32_MAX;
        best = cut;
        *source &= set;
        *sink &= ~set;
    }
    return best;
}

/* What flows is kept at every free node and fits the edges. */
static void check_flow(const clv_maxflow *f)
{
    int64_t from_source = 0;
    for (int32_t u = 0; u < net.n; u++) {
        int64_t out = 0;
        for (int32_t a = f->first[u]; a < f->last[u]; a++) {
            const clv_flow_arc *arc = &f->arc[a];
            int32_t capacity = net.capacity[u][arc->head];
            CHECK(arc->in >= 0 && arc->out >= 0 && arc->in + arc->out == 2 * capacity);
            CHECK(f->arc[arc->back].in == arc->out && f->arc[arc->back].head == u);
            out += capacity - arc->out;
        }
        if (net.side[u] == 0)
            CHECK_EQ(out, 0);
        else if (net.side[u] < 0)
            from_source += out;
    }
    CHECK_EQ(from_source, f->flow);
}

static void check_loads(const clv_maxflow *f)
{
    for (int side = 0; side < 2; side++) {
        int64_t load = 0;
        int32_t held = 0;
        for (int32_t v = 0; v < net.n - 2; v++)
            if (clv_maxflow_in(f, v, side)) {
                load += net.weight[v];
                held++;
            }
        CHECK_EQ(f->load[side][0], load);
        CHECK_EQ(f->held[side], held);
    }
}

static void check_against_cuts(const clv_maxflow *f)
{
    uint32_t source = 0, sink = 0;
    CHECK_EQ(f->flow, least_cut(&source, &sink));
    for (int32_t v = 0; v < net.n; v++) {
        CHECK_EQ(clv_maxflow_in(f, v, clv_flow_source), source >> v & 1);
        CHECK_EQ(clv_maxflow_in(f, v, clv_flow_sink), sink >> v & 1);
    }
    check_flow(f);
    check_loads(f);
}

/* A node that may become a terminal of that side, or -1. */
static int32_t any_node(const clv_maxflow *f, int side, clv_rng *rng)
{
    int32_t start = (int32_t)clv_rng_below(rng, (uint32_t)net.n);
    for (int32_t i = 0; i < net.n; i++) {
        int32_t v = (start + i) % net.n;
        if (net.side[v] == 0 && !clv_maxflow_in(f, v, side))
            return v;
    }
    return -1;
}

static void test_piercing(void)
{
    clv_rng rng = clv_rng_make(1, 2, 3, 4);
    clv_ws ws = {0};
    for (int turn = 0; turn < 150; turn++) {
        make_network(3 + (int32_t)clv_rng_below(&rng, 8), 20 + clv_rng_below(&rng, 70),
                     turn % 3 ? 4 : 1000000, &rng);
        clv_maxflow f;
        clv_ws_mark mark = clv_ws_save(&ws);
        load_network(&f, &ws);
        CHECK(clv_maxflow_run(&f, clv_maxflow_capacity));
        check_against_cuts(&f);
        for (int step = 0; step < 6; step++) {
            int side = (int)clv_rng_below(&rng, 2);
            clv_maxflow_settle(&f, side);
            for (int32_t v = 0; v < net.n; v++)
                if (clv_maxflow_in(&f, v, side))
                    net.side[v] = side == clv_flow_source ? -1 : 1;
            for (uint32_t count = 1 + clv_rng_below(&rng, 2); count > 0; count--) {
                int32_t v = any_node(&f, side, &rng);
                if (v < 0)
                    break;
                clv_maxflow_pierce(&f, v, side);
                net.side[v] = side == clv_flow_source ? -1 : 1;
            }
            CHECK(clv_maxflow_run(&f, clv_maxflow_capacity));
            check_against_cuts(&f);
        }
        clv_ws_restore(&ws, mark);
    }
    clv_ws_free(&ws);
}

/* ---- Larger networks ----------------------------------------------------------------- */

static int32_t residual[most_nodes][most_nodes];

/* Pushes one unit along any path from u; depth first. */
static bool push_unit(int32_t u, bool *seen)
{
    if (u == net.n - 1)
        return true;
    seen[u] = true;
    for (int32_t v = 0; v < net.n; v++)
        if (residual[u][v] > 0 && !seen[v] && push_unit(v, seen)) {
            residual[u][v]--;
            residual[v][u]++;
            return true;
        }
    return false;
}

static int64_t ford_fulkerson(bool *reached)
{
    memcpy(residual, net.capacity, sizeof residual);
    for (int64_t flow = 0;; flow++) {
        memset(reached, 0, most_nodes * sizeof *reached);
        if (!push_unit(net.n - 2, reached))
            return flow;
    }
}

static void test_large(void)
{
    clv_rng rng = clv_rng_make(5, 2, 3, 4);
    clv_ws ws = {0};
    for (int turn = 0; turn < 60; turn++) {
        make_network(20 + (int32_t)clv_rng_below(&rng, 100), 3 + clv_rng_below(&rng, 12), 9,
                     &rng);
        clv_maxflow f;
        clv_ws_mark mark = clv_ws_save(&ws);
        load_network(&f, &ws);
        bool reached[most_nodes];
        int64_t flow = ford_fulkerson(reached);
        CHECK(clv_maxflow_run(&f, flow));
        CHECK_EQ(f.flow, flow);
        for (int32_t v = 0; v < net.n; v++)
            CHECK_EQ(clv_maxflow_in(&f, v, clv_flow_source), reached[v]);
        check_flow(&f);
        check_loads(&f);
        if (flow > 0) {
            load_network(&f, &ws);
            CHECK(!clv_maxflow_run(&f, flow - 1));
            CHECK(f.flow >= flow);
        }
        clv_ws_restore(&ws, mark);
    }
    clv_ws_free(&ws);
}

/* A long ladder: many levels, and a flow of two. */
static void test_long(void)
{
    memset(&net, 0, sizeof net);
    net.n = most_nodes;
    int32_t half = (net.n - 2) / 2;
    for (int32_t i = 0; i < half; i++) {
        if (i + 1 < half) {
            net.capacity[i][i + 1] = net.capacity[i + 1][i] = 1;
            net.capacity[half + i][half + i + 1] = net.capacity[half + i + 1][half + i] = 1;
        }
        net.capacity[i][half + i] = net.capacity[half + i][i] = 1;
    }
    net.capacity[net.n - 2][0] = net.capacity[0][net.n - 2] = 5;
    net.capacity[net.n - 1][half - 1] = net.capacity[half - 1][net.n - 1] = 5;
    net.side[net.n - 2] = -1;
    net.side[net.n - 1] = 1;
    clv_ws ws = {0};
    clv_maxflow f;
    load_network(&f, &ws);
    CHECK(clv_maxflow_run(&f, 100));
    CHECK_EQ(f.flow, 2);
    check_flow(&f);
    clv_ws_free(&ws);
}

static void test_no_memory(void)
{
    cleave_error err = {0};
    for (int64_t nth = 1; nth <= 2; nth++) {
        clv_ws ws = {0};
        clv_maxflow f;
        test_alloc_fail_at(nth);
        cleave_status status = clv_maxflow_init(&f, 5000, 500000, 2, &ws, &err);
        test_alloc_fail_at(0);
        CHECK_EQ(status, CLEAVE_ENOMEM);
        clv_ws_free(&ws);
        CHECK_EQ(test_alloc_live(), 0);
    }
}

int main(void)
{
    RUN(test_piercing);
    RUN(test_large);
    RUN(test_long);
    RUN(test_no_memory);
    return test_end();
}
