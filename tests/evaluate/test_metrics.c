/* SPDX-License-Identifier: Apache-2.0 */
/* Every metric on thousands of small random graphs and DAGs against the slow oracle. */
#include <math.h>

#include "base/rng.h"
#include "evaluate/evaluate.h"
#include "evaluate/metrics_support.h"
#include "oracle/oracle_metrics.h"

enum { max_n = 20, max_k = 24 };

/* How often the interesting cases came up: a property that never has both answers
 * proves little. */
static struct {
    int balanced, unbalanced, infinite, acyclic, cyclic, convex_cyclic, not_convex, empty;
} seen;

typedef struct sample {
    cleave_kind kind;
    int32_t n, k, ncon;
    int64_t xadj[max_n + 1];
    int32_t adj[max_n * max_n], ewgt[max_n * max_n];
    int32_t vwgt[max_n * 3], vsize[max_n], part[max_n];
    char name_text[max_n][16];
    const char *names[max_n];
    double shares[max_k];
    int64_t share_units[max_k];
    cleave_evaluate_options opt;
    oracle_rules rules;
} sample;

static int32_t random_weight(clv_rng *rng, int flavour)
{
    switch (flavour) {
    case 0:
        return 0;
    case 1:
        return (int32_t)clv_rng_below(rng, 3);
    case 2:
        return (int32_t)clv_rng_below(rng, 100);
    default:
        return INT32_MAX - (int32_t)clv_rng_below(rng, 3);
    }
}

static void draw_rows(sample *s, clv_rng *rng)
{
    int32_t weight[max_n][max_n], place[max_n];
    uint32_t density = 1 + clv_rng_below(rng, 60); /* per cent */
    int flavour = (int)clv_rng_below(rng, 4);
    memset(weight, -1, sizeof weight);
    clv_rng_permutation(rng, s->n, place);
    for (int32_t u = 0; u < s->n; u++)
        for (int32_t v = 0; v < u; v++) {
            if (clv_rng_below(rng, 100) >= density)
                continue;
            int32_t w = random_weight(rng, flavour);
            if (s->kind == CLEAVE_UNDIRECTED)
                weight[u][v] = weight[v][u] = w;
            else if (place[u] < place[v])
                weight[u][v] = w;
            else
                weight[v][u] = w;
        }
    int32_t narc = 0;
    for (int32_t u = 0; u < s->n; u++) {
        s->xadj[u] = narc;
        for (int32_t v = 0; v < s->n; v++)
            if (weight[u][v] >= 0) {
                s->adj[narc] = v;
                s->ewgt[narc++] = weight[u][v];
            }
    }
    s->xadj[s->n] = narc;
}

static void draw_attributes(sample *s, clv_rng *rng)
{
    int weight = (int)clv_rng_below(rng, 4), size = (int)clv_rng_below(rng, 4);
    s->ncon = 1 + (int32_t)clv_rng_below(rng, 3);
    for (int32_t i = 0; i < s->n * s->ncon; i++)
        s->vwgt[i] = random_weight(rng, weight);
    for (int32_t v = 0; v < s->n; v++) {
        s->vsize[v] = random_weight(rng, size);
        snprintf(s->name_text[v], sizeof s->name_text[v], "v%d", (int)v);
        s->names[v] = s->name_text[v];
    }
}

static void draw_parts(sample *s, clv_rng *rng)
{
    uint32_t range = s->k ? (uint32_t)s->k : 1;
    uint32_t how = clv_rng_below(rng, 3);
    for (int32_t v = 0; v < s->n; v++) {
        uint32_t p = clv_rng_below(rng, range);
        if (how == 1) /* few parts in use */
            p = clv_rng_below(rng, 2) % range;
        if (how == 2) /* close to balanced */
            p = (uint32_t)v % range;
        s->part[v] = (int32_t)p;
    }
}

static void draw_options(sample *s, clv_rng *rng)
{
    /* Decimal fractions, thirds and extreme scales have no exact doubles. */
    static const double unit[] = {1, 0.1, 1.0 / 3, 0.001, 1e-300, 1e290, 7e20};
    double scale = unit[clv_rng_below(rng, 7)];
    int64_t sum = 0;
    for (int32_t p = 0; p < s->k; p++) {
        s->share_units[p] = clv_rng_below(rng, 10);
        s->shares[p] = (double)s->share_units[p] * scale;
        sum += s->share_units[p];
    }
    int use_shares = sum > 0 && clv_rng_below(rng, 2);
    int64_t eps = clv_rng_below(rng, 3) ? clv_rng_below(rng, 300) : 0;
    cleave_evaluate_options_init(&s->opt, sizeof s->opt);
    s->opt.shares = use_shares ? s->shares : NULL;
    s->opt.imbalance = (double)eps / 1000;
    s->opt.cost_vertex = clv_rng_below(rng, 5);
    s->opt.cost_inside = clv_rng_below(rng, 5);
    s->opt.cost_cut = clv_rng_below(rng, 40);
    s->rules = (oracle_rules){use_shares ? s->share_units : NULL, eps, s->opt.cost_vertex,
                              s->opt.cost_inside, s->opt.cost_cut};
}

static cleave_graph *draw(sample *s, clv_rng *rng, cleave_kind kind)
{
    cleave_error err = {0};
    cleave_graph *g = NULL;
    memset(s, 0, sizeof *s);
    s->kind = kind;
    s->n = (int32_t)clv_rng_below(rng, clv_rng_below(rng, 2) ? 8 : max_n + 1);
    s->k = (int32_t)clv_rng_below(rng, clv_rng_below(rng, 2) ? 5 : (uint32_t)s->n + 5);
    if (s->n > 0 && s->k == 0)
        s->k = 1;
    draw_rows(s, rng);
    draw_attributes(s, rng);
    draw_parts(s, rng);
    draw_options(s, rng);
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    csr.kind = kind;
    csr.nvtx = s->n;
    csr.xadj = s->xadj;
    csr.adj = s->adj;
    csr.ewgt = clv_rng_below(rng, 2) ? s->ewgt : NULL;
    csr.vsize = clv_rng_below(rng, 2) ? s->vsize : NULL;
    csr.names = clv_rng_below(rng, 2) ? s->names : NULL;
    csr.ncon = s->ncon;
    csr.vwgt = s->ncon > 1 || clv_rng_below(rng, 2) ? s->vwgt : NULL;
    CHECK_OK(cleave_graph_create(&g, &csr, 0, &err));
    return g;
}

static void compare_metrics(const cleave_metrics *a, const cleave_metrics *b)
{
    CHECK_EQ(a->parts, b->parts);
    CHECK_EQ(a->empty_parts, b->empty_parts);
    CHECK_EQ(a->cut, b->cut);
    CHECK_EQ(a->volume, b->volume);
    CHECK_EQ(a->max_volume, b->max_volume);
    CHECK_EQ(a->balanced, b->balanced);
    CHECK_EQ(a->pieces, b->pieces);
    CHECK_EQ(a->setups, b->setups);
    CHECK_EQ(a->acyclic, b->acyclic);
    CHECK_EQ(a->convex, b->convex);
    CHECK_EQ(a->critical_path, b->critical_path);
    CHECK_EQ(a->min_weight, b->min_weight);
    CHECK_EQ(a->max_weight, b->max_weight);
    CHECK(a->imbalance == b->imbalance || fabs(a->imbalance - b->imbalance) < 1e-12);
}

/* The pass that computes two metrics at once. */
static void compare_both(const cleave_graph *g, const sample *s, const oracle_result *slow)
{
    cleave_error err = {0};
    clv_ws ws = {NULL};
    int64_t cut = -1, volume = -1;
    clv_parted_graph parted = {g, s->k, s->part};
    clv_context ctx = {.ws = &ws};
    CHECK_OK(clv_evaluate_cut_and_volume(&parted, &ctx, &cut, &volume, &err));
    CHECK_EQ(cut, slow->metrics.cut);
    CHECK_EQ(volume, slow->metrics.volume);
    clv_ws_free(&ws);
}

static void compare_parts(const cleave_graph *g, const cleave_mapping *m,
                          const oracle_result *slow)
{
    cleave_error err = {0};
    int64_t weight[max_k], volume[max_k];
    int32_t pieces[max_k];
    CHECK_OK(cleave_evaluate_parts(g, m, weight, volume, pieces, &err));
    for (int32_t p = 0; p < cleave_mapping_nparts(m); p++) {
        CHECK_EQ(weight[p], slow->weight[p]);
        CHECK_EQ(volume[p], slow->volume[p]);
        CHECK_EQ(pieces[p], slow->pieces[p]);
    }
    CHECK_OK(cleave_evaluate_parts(g, m, NULL, NULL, NULL, &err));
}

/* The cycle is one: distinct parts, each with an arc to the next. */
static void check_cycle(const cleave_graph *g, const cleave_mapping *m,
                        const oracle_result *slow)
{
    cleave_error err = {0};
    int32_t cycle[max_k], length = -1, used[max_k] = {0};
    REQUIRE_OK(cleave_evaluate_cycle(g, m, cycle, &length, &err));
    CHECK_EQ(length > 0, !slow->metrics.acyclic);
    REQUIRE(length <= cleave_mapping_nparts(m));
    for (int32_t i = 0; i < length; i++) {
        REQUIRE(cycle[i] >= 0 && cycle[i] < cleave_mapping_nparts(m));
        CHECK_EQ(used[cycle[i]]++, 0);
        CHECK(slow->adjacent[cycle[i]][cycle[(i + 1) % length]]);
    }
}

/* The same mapping with its parts renamed to numbers all over 0..2^31-2: only what
 * counts empty parts may change. */
static void check_wide(const cleave_graph *g, const sample *s, const cleave_metrics *narrow,
                       clv_rng *rng)
{
    int32_t label[max_k], part[max_n];
    for (int32_t p = 0; p < s->k; p++) /* distinct: p is in the low bits */
        label[p] = (int32_t)(clv_rng_below(rng, INT32_MAX / 32) * 32 + (uint32_t)p);
    for (int32_t v = 0; v < s->n; v++)
        part[v] = label[s->part[v]];
    cleave_evaluate_options opt = s->opt;
    opt.shares = NULL;
    cleave_metrics wide = evaluate(g, INT32_MAX, part, &opt);
    CHECK_EQ(wide.parts, INT32_MAX);
    CHECK_EQ(wide.empty_parts, INT32_MAX - (narrow->parts - narrow->empty_parts));
    CHECK_EQ(wide.min_weight, 0);
    cleave_metrics expected = *narrow;
    expected.parts = INT32_MAX;
    expected.empty_parts = wide.empty_parts;
    expected.min_weight = 0;
    expected.balanced = wide.balanced;
    expected.imbalance = wide.imbalance;
    compare_metrics(&wide, &expected);
}

static void count_cases(const cleave_metrics *m)
{
    seen.balanced += m->balanced;
    seen.unbalanced += !m->balanced;
    seen.infinite += isinf(m->imbalance) != 0;
    seen.acyclic += m->acyclic == 1;
    seen.cyclic += m->acyclic == 0;
    seen.convex_cyclic += m->acyclic == 0 && m->convex == 1;
    seen.not_convex += m->convex == 0;
    seen.empty += m->empty_parts > 0;
}

static void check_sample(clv_rng *rng, cleave_kind kind)
{
    static sample s;
    static oracle_result slow;
    cleave_error err = {0};
    cleave_csr view;
    cleave_metrics fast;
    cleave_graph *g = draw(&s, rng, kind);
    REQUIRE(g);
    cleave_mapping *m = mapping_of(s.n, s.k, s.part);
    cleave_csr_init(&view, sizeof view);
    cleave_graph_view(g, &view);
    oracle_metrics(&slow, &view, s.k, s.part, &s.rules);
    cleave_metrics_init(&fast, sizeof fast);
    CHECK_OK(cleave_evaluate(&fast, g, m, &s.opt, &err));
    compare_metrics(&fast, &slow.metrics);
    compare_parts(g, m, &slow);
    compare_both(g, &s, &slow);
    if (kind == CLEAVE_DAG)
        check_cycle(g, m, &slow);
    check_wide(g, &s, &fast, rng);
    count_cases(&slow.metrics);
    cleave_mapping_free(m);
    cleave_graph_free(g);
}

static void test_random_undirected(void)
{
    for (uint64_t i = 0; i < 4000; i++) {
        clv_rng rng = clv_rng_make(1, 0, 0, i);
        int before = test_failures_;
        check_sample(&rng, CLEAVE_UNDIRECTED);
        if (test_failures_ != before) {
            fprintf(stderr, "undirected sample %d\n", (int)i);
            return;
        }
    }
}

static void test_random_dags(void)
{
    for (uint64_t i = 0; i < 6000; i++) {
        clv_rng rng = clv_rng_make(2, 0, 0, i);
        int before = test_failures_;
        check_sample(&rng, CLEAVE_DAG);
        if (test_failures_ != before) {
            fprintf(stderr, "DAG sample %d\n", (int)i);
            return;
        }
    }
}

static void test_cases_came_up(void)
{
    CHECK(seen.balanced > 500 && seen.unbalanced > 500);
    CHECK(seen.infinite > 50);
    CHECK(seen.acyclic > 500 && seen.cyclic > 500);
    CHECK(seen.convex_cyclic > 50 && seen.not_convex > 500);
    CHECK(seen.empty > 500);
}

/* Two vertices, two parts: one weight on, just below and just above its bound. */
static void check_bound(clv_rng *rng)
{
    static const double unit[] = {1, 0.1, 1.0 / 7, 0.01, 1e-5, 1e-300, 3e300};
    double scale = unit[clv_rng_below(rng, 7)];
    int64_t units[2] = {1 + clv_rng_below(rng, 99), 1 + clv_rng_below(rng, 99)};
    double shares[2] = {(double)units[0] * scale, (double)units[1] * scale};
    int64_t total = 1 + clv_rng_below(rng, clv_rng_below(rng, 2) ? 300 : 1u << 30);
    int64_t eps = clv_rng_below(rng, 200);
    int use_shares = clv_rng_below(rng, 4) > 0;
    int64_t rest = use_shares ? units[0] + units[1] : 2, own = use_shares ? units[0] : 1;
    int64_t bound = (total * own + rest - 1) / rest * (1000 + eps) / 1000;
    int32_t part[2] = {0, 1};
    cleave_csr attributes;
    cleave_evaluate_options opt;
    cleave_evaluate_options_init(&opt, sizeof opt);
    opt.imbalance = (double)eps / 1000;
    opt.shares = use_shares ? shares : NULL;
    for (int64_t w = bound - 1; w <= bound + 1; w++) {
        if (w < 0 || w > total)
            continue;
        int32_t weights[2] = {(int32_t)w, (int32_t)(total - w)};
        cleave_csr_init(&attributes, sizeof attributes);
        attributes.vwgt = weights;
        cleave_graph *g = graph_of(CLEAVE_UNDIRECTED, 2, "", &attributes);
        cleave_metrics m = evaluate(g, 2, part, &opt);
        int64_t other = (total * (rest - own) + rest - 1) / rest * (1000 + eps) / 1000;
        CHECK_EQ(m.balanced, w <= bound && total - w <= other);
        cleave_graph_free(g);
    }
}

static void test_bounds_are_exact(void)
{
    for (uint64_t i = 0; i < 3000; i++) {
        clv_rng rng = clv_rng_make(3, 0, 0, i);
        int before = test_failures_;
        check_bound(&rng);
        if (test_failures_ != before) {
            fprintf(stderr, "bound sample %d\n", (int)i);
            return;
        }
    }
}

int main(void)
{
    RUN(test_random_undirected);
    RUN(test_random_dags);
    RUN(test_cases_came_up);
    RUN(test_bounds_are_exact);
    return test_end();
}
