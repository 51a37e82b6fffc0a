/* SPDX-License-Identifier: Apache-2.0 */
/* A mapping on its target: every metric of random graphs, DAGs and mappings on small machines
 * against a slow oracle that visits every edge and follows every route. */
#include <math.h>
#include <stdbool.h>

#include "base/rng.h"
#include "evaluate/metrics_support.h"
#include "evaluate/traffic.h"

enum { most_n = 30, most_pes = 24 };

static cleave_error err;

typedef struct machine {
    const char *spec;
    int pes, dimensions, side[3]; /* 0 dimensions: no grid */
    int levels, size[4], cost[4]; /* of a tree: PEs under a switch of level 0, 1, ... */
    int links;                    /* 0: routes are not known */
    double speed[4];              /* 0: all 1 */
} machine;

static const machine machines[] = {
    {.spec = "7", .pes = 7},
    {.spec = "3,0,2,1", .pes = 4, .speed = {3, 0, 2, 1}},
    {.spec = "mesh:5", .pes = 5, .dimensions = 1, .side = {5}, .links = 4},
    {.spec = "mesh:4x3", .pes = 12, .dimensions = 2, .side = {4, 3}, .links = 17},
    {.spec = "mesh:2x3x4", .pes = 24, .dimensions = 3, .side = {2, 3, 4}, .links = 46},
    {.spec = "hypercube:3", .pes = 8, .dimensions = 3, .side = {2, 2, 2}, .links = 12},
    {.spec = "hypercube:0", .pes = 1},
    {.spec = "tree:3:4@2:7",
     .pes = 12,
     .levels = 2,
     .size = {1, 3, 12},
     .cost = {0, 2, 7},
     .links = 16},
    {.spec = "tree:2:3:2@1:10:100",
     .pes = 12,
     .levels = 3,
     .size = {1, 2, 6, 12},
     .cost = {0, 1, 10, 100},
     .links = 20},
};
enum { nmachines = sizeof machines / sizeof *machines };

/* ---- The oracle ---------------------------------------------------------------------- */

typedef struct judgement {
    int64_t cost, cut, level[4], link[most_pes][most_pes], most_load, most_traffic;
    double loads;
} judgement;

static int level_of(const machine *m, int p, int q)
{
    int level = 0;
    while (p / m->size[level] != q / m->size[level])
        level++;
    return level;
}

/* One dimension after the other, one PE at a time. */
static int walk_grid(const machine *m, int p, int q, int64_t amount, judgement *j)
{
    int steps = 0, stride = 1;
    for (int d = 0; d < m->dimensions; stride *= m->side[d++])
        while (p / stride % m->side[d] != q / stride % m->side[d]) {
            int next =
                p / stride % m->side[d] < q / stride % m->side[d] ? p + stride : p - stride;
            j->link[p < next ? p : next][p < next ? next : p] += amount;
            p = next;
            steps++;
        }
    CHECK_EQ(p, q);
    return steps;
}

/* Up and down; the link above group g of level l is noted as link[l][g]. */
static int walk_tree(const machine *m, int p, int q, int64_t amount, judgement *j)
{
    int top = level_of(m, p, q);
    for (int l = 0; l < top; l++) {
        j->link[l][p / m->size[l]] += amount;
        j->link[l][q / m->size[l]] += amount;
    }
    j->level[top - 1] += amount * m->cost[top];
    return m->cost[top];
}

static void send(const machine *m, int p, int q, int64_t amount, judgement *j)
{
    int distance = 1;
    if (m->dimensions)
        distance = walk_grid(m, p, q, amount, j);
    if (m->levels)
        distance = walk_tree(m, p, q, amount, j);
    j->cut += amount;
    j->cost += amount * distance;
}

static judgement judge(const machine *m, const cleave_csr *g, const int32_t *part)
{
    judgement j = {0};
    int64_t traffic[most_pes] = {0};
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t u = g->adj[a], p = part[v], q = part[u];
            int64_t w = g->ewgt ? g->ewgt[a] : 1;
            if (p == q || (g->kind == CLEAVE_UNDIRECTED && u < v))
                continue;
            bool turn = g->kind == CLEAVE_UNDIRECTED && q < p;
            send(m, turn ? q : p, turn ? p : q, w, &j);
            traffic[p] += w;
            traffic[q] += w;
        }
    for (int p = 0; p < most_pes; p++) {
        j.most_traffic = traffic[p] > j.most_traffic ? traffic[p] : j.most_traffic;
        for (int q = 0; q < most_pes; q++) {
            j.most_load = j.link[p][q] > j.most_load ? j.link[p][q] : j.most_load;
            j.loads += (double)j.link[p][q];
        }
    }
    return j;
}

static double imbalance(const machine *m, const cleave_csr *g, const int32_t *part)
{
    double weight[most_pes] = {0}, total = 0, speeds = 0, worst = 0;
    for (int32_t v = 0; v < g->nvtx; v++) {
        weight[part[v]] += g->vwgt ? g->vwgt[v] : 1;
        total += g->vwgt ? g->vwgt[v] : 1;
    }
    for (int p = 0; p < m->pes; p++)
        speeds += m->speed[0] > 0 ? m->speed[p] : 1;
    for (int p = 0; p < m->pes && total > 0; p++) {
        double share = total * (m->speed[0] > 0 ? m->speed[p] : 1) / speeds;
        double over = weight[p] == 0 ? 0 : weight[p] / share - 1;
        worst = over > worst ? over : worst;
    }
    return worst;
}

/* ---- Random graphs ------------------------------------------------------------------- */

static cleave_graph *draw_graph(clv_rng *rng, cleave_kind kind, int32_t n)
{
    static int32_t vwgt[most_n];
    cleave_builder *b = NULL;
    cleave_graph *g = NULL;
    cleave_csr attributes;
    uint32_t density = 5 + clv_rng_below(rng, 50), heavy = clv_rng_below(rng, 2);
    CHECK_OK(cleave_builder_create(&b, kind, &err));
    for (int32_t v = 0; v < n; v++) {
        vwgt[v] = 1 + (int32_t)clv_rng_below(rng, 5);
        for (int32_t u = v + 1; u < n; u++) {
            int32_t w = (int32_t)clv_rng_below(rng, heavy ? INT32_MAX : 4);
            if (clv_rng_below(rng, 100) < density)
                CHECK_OK(cleave_builder_add(b, 1, &v, &u, &w, &err));
        }
    }
    cleave_csr_init(&attributes, sizeof attributes);
    attributes.nvtx = n;
    attributes.vwgt = vwgt;
    attributes.ncon = 1;
    CHECK_OK(cleave_builder_finish(&g, b, n, &attributes, &err));
    cleave_builder_free(b);
    return g;
}

static int seen_loaded, seen_apart, seen_dags, seen_spare;

static void compare(const machine *m, const cleave_target *t, const cleave_graph *g,
                    const cleave_mapping *mapping)
{
    int32_t identity[most_n];
    cleave_csr view;
    cleave_target_metrics got;
    cleave_csr_init(&view, sizeof view);
    cleave_graph_view(g, &view);
    for (int32_t v = 0; v < view.nvtx; v++)
        identity[v] = v * m->pes / view.nvtx;
    CHECK(clv_is_identity(view.nvtx, m->pes, identity));
    if (view.nvtx > 0) {
        identity[view.nvtx - 1] ^= 1;
        CHECK(!clv_is_identity(view.nvtx, m->pes, identity));
        identity[view.nvtx - 1] ^= 1;
    }
    judgement want = judge(m, &view, cleave_mapping_parts(mapping));
    judgement before = judge(m, &view, identity);
    double uneven = imbalance(m, &view, cleave_mapping_parts(mapping));
    cleave_target_metrics_init(&got, sizeof got);
    REQUIRE_OK(cleave_evaluate_target(&got, g, mapping, t, &err));
    CHECK_EQ(got.cost, want.cost);
    CHECK_EQ(got.cut, want.cut);
    CHECK_EQ(got.cost_identity, before.cost);
    CHECK(got.average_dilation == (want.cut ? (double)want.cost / (double)want.cut : 0));
    CHECK_EQ(got.max_link_load, m->links ? want.most_load : -1);
    double mean = m->links ? want.loads / m->links : -1;
    CHECK(fabs(got.average_link_load - mean) <= 1e-9 * fabs(mean));
    CHECK_EQ(got.max_pe_traffic, want.most_traffic);
    CHECK(got.imbalance == uneven || fabs(got.imbalance - uneven) < 1e-9);
    CHECK_EQ(got.levels, m->levels);
    for (int i = 0; i < CLEAVE_MOST_LEVELS; i++) {
        CHECK_EQ(got.cost_level[i], i < m->levels ? want.level[i] : 0);
        CHECK_EQ(got.cost_level_identity[i], i < m->levels ? before.level[i] : 0);
    }
    seen_loaded += got.max_link_load > 0;
    seen_apart += got.cost > 2 * got.cut && got.cut > 0;
    seen_dags += view.kind == CLEAVE_DAG && got.cut > 0;
    seen_spare += view.nvtx < m->pes && got.cut > 0;
}

static void try_machine(const machine *m, uint64_t seed)
{
    cleave_target *t;
    int32_t part[most_n];
    REQUIRE_OK(cleave_target_parse(&t, m->spec, &err));
    CHECK_EQ(cleave_target_pes(t), m->pes);
    CHECK_EQ(cleave_target_links(t), m->links);
    for (uint64_t i = 0; i < 60 / TEST_STRIDE; i++) {
        clv_rng rng = clv_rng_make(seed, 7, 0, i);
        int32_t n = (int32_t)clv_rng_below(&rng, most_n);
        cleave_graph *g = draw_graph(&rng, i % 2 ? CLEAVE_DAG : CLEAVE_UNDIRECTED, n);
        for (int32_t v = 0; v < n; v++)
            part[v] = (int32_t)clv_rng_below(&rng, (uint32_t)m->pes);
        /* A mapping may be of fewer parts than there are PEs. */
        cleave_mapping *mapping = mapping_of(n, i % 3 ? m->pes : -1, part);
        compare(m, t, g, mapping);
        cleave_mapping_free(mapping);
        cleave_graph_free(g);
    }
    cleave_target_free(t);
}

static void test_random(void)
{
    for (int i = 0; i < nmachines; i++)
        try_machine(&machines[i], (uint64_t)i + 1);
    CHECK(seen_loaded > 20 && seen_apart > 20 && seen_dags > 20 && seen_spare > 5);
}

/* ---- By hand ------------------------------------------------------------------------- */

/* Four ranks in a ring on a 2 x 2 mesh: round it, or crossing over. */
static void test_ring(void)
{
    static const int32_t crossed[] = {0, 3, 1, 2}, round[] = {0, 1, 3, 2};
    cleave_target *t;
    cleave_target_metrics got;
    cleave_graph *g = graph_of(CLEAVE_UNDIRECTED, 4, "0-1 1-2 2-3 3-0", NULL);
    cleave_mapping *m = mapping_of(4, 4, crossed), *better = mapping_of(4, 4, round);
    REQUIRE_OK(cleave_target_parse(&t, "mesh:2x2", &err));
    cleave_target_metrics_init(&got, sizeof got);
    CHECK_OK(cleave_evaluate_target(&got, g, m, t, &err));
    CHECK(got.cost == 6 && got.cut == 4 && got.average_dilation == 1.5);
    CHECK(got.cost_identity == 6 && got.max_pe_traffic == 2 && got.imbalance == 0);
    CHECK(got.max_link_load == 2 && got.average_link_load == 1.5);
    CHECK_OK(cleave_evaluate_target(&got, g, better, t, &err));
    CHECK(got.cost == 4 && got.average_dilation == 1 && got.max_link_load == 1);
    cleave_mapping_free(m);
    cleave_mapping_free(better);
    cleave_graph_free(g);
    cleave_target_free(t);
}

/* Weights and distances are at most 2^31-1 each: two edges fit, three do not. */
static void test_too_much(void)
{
    static const int32_t part[] = {0, 1, 0, 1}, w[] = {INT32_MAX, INT32_MAX, INT32_MAX};
    static const int32_t tail[] = {0, 1, 2}, head[] = {1, 2, 3};
    cleave_target *t;
    cleave_target_metrics got;
    cleave_mapping *m = mapping_of(4, 2, part);
    REQUIRE_OK(cleave_target_parse(&t, "tree:2@2147483647", &err));
    for (int count = 2; count <= 3; count++) {
        cleave_builder *b;
        cleave_graph *g = NULL;
        REQUIRE_OK(cleave_builder_create(&b, CLEAVE_UNDIRECTED, &err));
        CHECK_OK(cleave_builder_add(b, count, tail, head, w, &err));
        CHECK_OK(cleave_builder_finish(&g, b, 4, NULL, &err));
        cleave_target_metrics_init(&got, sizeof got);
        cleave_status status = cleave_evaluate_target(&got, g, m, t, &err);
        CHECK_EQ(status, count == 2 ? CLEAVE_OK : CLEAVE_ERANGE);
        if (count == 2)
            CHECK_EQ(got.cost, 2 * (INT64_C(2147483647) * 2147483647));
        else
            CHECK_STR(err.message, "the cost of the mapping exceeds 2^63-1");
        cleave_builder_free(b);
        cleave_graph_free(g);
    }
    cleave_mapping_free(m);
    cleave_target_free(t);
}

/* Twenty levels: the costs above the sixteenth are added to it. */
static void test_many_levels(void)
{
    static const int32_t part[] = {0, 1, 1 << 15, 1 << 19};
    char spec[512];
    int used = snprintf(spec, sizeof spec, "tree:2");
    for (int i = 1; i < 20; i++)
        used += snprintf(spec + used, sizeof spec - (size_t)used, ":2");
    used += snprintf(spec + used, sizeof spec - (size_t)used, "@1");
    for (int i = 1; i < 20; i++)
        used += snprintf(spec + used, sizeof spec - (size_t)used, ":%d", i + 1);
    cleave_target *t;
    cleave_target_metrics got;
    REQUIRE_OK(cleave_target_parse(&t, spec, &err));
    cleave_graph *g = graph_of(CLEAVE_UNDIRECTED, 4, "0-1 0-2 0-3", NULL);
    cleave_mapping *m = mapping_of(4, 1 << 20, part);
    cleave_target_metrics_init(&got, sizeof got);
    CHECK_OK(cleave_evaluate_target(&got, g, m, t, &err));
    CHECK_EQ(got.levels, 20);
    CHECK(got.cost == 1 + 16 + 20 && got.cost_level[0] == 1 && got.cost_level[15] == 36);
    cleave_mapping_free(m);
    cleave_graph_free(g);
    cleave_target_free(t);
}

int main(void)
{
    RUN(test_random);
    RUN(test_ring);
    RUN(test_too_much);
    RUN(test_many_levels);
    return test_end();
}
