/* SPDX-License-Identifier: Apache-2.0 */
/* engine/acyclic/dagp.c: every variant and comparator gives acyclic parts within the bounds;
 * the toy example of the paper has the published result; parameters are parsed or rejected
 * with a message.
 */
#include "coarsen/contract.h"
#include "engine/dagp_fixture.h"
#include "evaluate/evaluate.h"
#include "refine/balance/acyclic_balance.h"
#include "refine/dagp/acyckway.h"
#include "refine/dagp/topref.h"

/* ---- Parameters ------------------------------------------------------------------------- */

static void test_parse(void)
{
    clv_dagp_params p;
    cleave_error err = {0};
    CHECK_OK(clv_dagp_parse(&p, NULL, &err));
    CHECK(p.order == CLV_DAG_ORDER_TOP && p.match == CLV_DAG_MATCH_RAND && p.runs == 0);
    CHECK(p.initial == CLV_DAGP_KER_GP && p.refine == CLV_DAGP_TOPREF);
    CHECK_OK(clv_dagp_parse(&p, "", &err));
    CHECK_OK(
        clv_dagp_parse(&p, "order=rand,match=hem,initial=kern,refine=acyckway,runs=5", &err));
    CHECK(p.order == CLV_DAG_ORDER_RAND && p.match == CLV_DAG_MATCH_HEM && p.runs == 5);
    CHECK(p.initial == CLV_DAGP_KERN && p.refine == CLV_DAGP_ACYCKWAY);
    CHECK_OK(clv_dagp_parse(&p, "match=nwhem,initial=gp", &err));
    CHECK(p.match == CLV_DAG_MATCH_NWHEM && p.initial == CLV_DAGP_GP);
    CHECK_OK(clv_dagp_parse(&p, "initial=ker+gp,order=top,match=rand,refine=topref", &err));
    CHECK(p.initial == CLV_DAGP_KER_GP && p.order == CLV_DAG_ORDER_TOP);
}

static void test_parse_refuses(void)
{
    static const char *const cases[][2] = {
        {"order=up", "order=up: there is top|rand|breadth"},
        {"match=", "match=: there is rand|hem|nwhem"},
        {"runs=3,initial=kernel", "initial=kernel: there is ker+gp|kern|gp|greedy|undirected"},
        {"refine=topref2", "refine=topref2: there is topref|acyckway|fm"},
        {"runs=0", "runs=0: must be a number from 1 to 1000000"},
        {"runs=3x", "runs=3x: must be a number from 1 to 1000000"},
        {"runs=99999999999999999999",
         "runs=99999999999999999999: must be a number from 1 to 1000000"},
        {"speed=3", "\"speed=3\" is not a parameter of dagp; known are order, match, initial, "
                    "refine, coarsen, constrain, version, runs"},
        {"order", "\"order\" is not a parameter of dagp; known are order, match, initial, "
                  "refine, coarsen, constrain, version, runs"},
        {"order=top,", "\"\" is not a parameter of dagp; known are order, match, initial, "
                       "refine, coarsen, constrain, version, runs"},
        {"version=2018", "version=2018: there is 2017|2019"},
        {"coarsen=cot", "coarsen=cot: there is matching|cotop|cocyc|cohyb|none"},
        {"constrain=", "constrain=: there is no|clusters|start"},
        {"coarsen=cohyb,version=2017", "version=2017 has no such value of coarsen"},
        {"version=2017,order=breadth", "version=2017 has no such value of order"},
        {"version=2017,initial=greedy", "version=2017 has no such value of initial"},
        {"version=2017,refine=fm", "version=2017 has no such value of refine"},
        {"version=2017,constrain=clusters", "version=2017 has no such value of constrain"},
        {"constrain=start,initial=greedy", "constrain=start needs initial=undirected"},
        {"constrain=clusters,coarsen=matching",
         "constrain is for coarsen=cotop, cocyc and cohyb"},
        {"constrain=start,coarsen=none", "constrain is for coarsen=cotop, cocyc and cohyb"},
        {"order=breadth,coarsen=matching",
         "order=breadth is for coarsen=cotop, cocyc and cohyb"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        clv_dagp_params p;
        cleave_error err = {0};
        CHECK_EQ(clv_dagp_parse(&p, cases[i][0], &err), CLEAVE_EINVAL);
        CHECK_STR(err.message, cases[i][1]);
    }
}

/* ---- Tasks ------------------------------------------------------------------------------ */

static clv_dagp_params variant(uint64_t i)
{
    return (clv_dagp_params){.order = (clv_dag_order)(i % 2),
                             .match = (clv_dag_match)(i / 2 % 3),
                             .initial = (clv_dagp_start)(i / 6 % 3),
                             .refine = (clv_dagp_refine)(i / 18 % 2),
                             .runs = (int32_t)(i / 36 % 3)};
}

static void test_variants(void)
{
    int unmet = 0, plain = 0;
    for (uint64_t seed = 0; seed < 1080; seed++) {
        dagp_fixture d = {.params = variant(seed)};
        cleave_error err = {0};
        clv_multilevel_result result;
        dag_options o = dag_any(seed, seed % 8 ? 80 : 900);
        o.fixed = 0;
        dagp_make(&d, &o);
        d.method = seed % 7 ? CLV_DAGP : (clv_dagp_method)(seed / 7 % 3);
        CHECK_OK(solve(&d, 1, seed, &result, &err));
        check_result(&d, &result);
        /* Unit weights can always be balanced. */
        if (o.vertex_weight == 0) {
            plain++;
            unmet += result.worth.overload > 0;
        }
        dagp_free(&d);
    }
    CHECK(plain > 300);
    CHECK_EQ(unmet, 0);
}

/* Large enough for many levels; the cut is far below that of any order of the vertices. */
static void test_levels(void)
{
    for (uint64_t i = 0; i < 36; i += 5) {
        dagp_fixture d = {.params = variant(i)};
        cleave_error err = {0};
        clv_multilevel_result result, kernighan;
        dag_options o = {
            .shape = DAG_GRID, .nvtx = 2500, .nparts = 4, .ncon = 1, .slack = 0.03};
        dagp_make(&d, &o);
        CHECK_OK(solve(&d, 1, i, &result, &err));
        check_result(&d, &result);
        CHECK_EQ(result.worth.overload, 0);
        CHECK(result.levels > 3);
        d.method = CLV_DAGP_KERNIGHAN;
        CHECK_OK(solve(&d, 1, i, &kernighan, &err));
        check_result(&d, &kernighan);
        CHECK_EQ(kernighan.worth.overload, 0);
        CHECK(result.worth.cut < 2 * kernighan.worth.cut && result.worth.cut < 600);
        d.method = CLV_DAGP_FILL;
        CHECK_OK(solve(&d, 1, i, &kernighan, &err));
        check_result(&d, &kernighan);
        CHECK_EQ(kernighan.worth.overload, 0);
        dagp_free(&d);
    }
}

/* Weights beyond 31 bits in sum: coarse levels are scaled. */
static void test_heavy(void)
{
    dagp_fixture d = {.params = variant(0)};
    cleave_error err = {0};
    clv_multilevel_result result;
    dag_options o = {.shape = DAG_LOCAL, .nvtx = 900, .nparts = 3, .ncon = 1, .slack = 0.1};
    o.vertex_weight = o.edge_weight = 1000000000;
    dagp_make(&d, &o);
    CHECK_OK(solve(&d, 1, 1, &result, &err));
    check_result(&d, &result);
    CHECK_EQ(result.worth.overload, 0);
    CHECK(result.levels > 1);
    dagp_free(&d);
}

/* ---- What the parameters name is what runs ---------------------------------------------- */

/* The paper's pipeline put together from its steps: one call per level, the coarser ones
 * inside. */
static void refine_by_steps(const dagp_fixture *d, clv_partition_state *s, clv_context *ctx)
{
    cleave_error err = {0};
    clv_state_measure(s, ctx);
    CHECK_OK(clv_acyclic_balance(s, ctx, &err));
    if (d->method == CLV_DAGP)
        CHECK_OK(d->params.refine == CLV_DAGP_ACYCKWAY ? clv_acyckway(s, ctx, &err)
                                                       : clv_topref(s, ctx, &err));
}

static void solve_by_steps(const dagp_fixture *d, clv_partition_state *s, clv_context *ctx)
{
    int32_t n = s->g->nvtx, ncoarse, heaviest = (int32_t)(d->task.bounds.max[0] - d->share[0]);
    const int64_t bound = heaviest;
    cleave_error err = {0};
    clv_dagp_start kind = d->method == CLV_DAGP_KERNIGHAN ? CLV_DAGP_KERN
                          : d->method == CLV_DAGP_FILL    ? CLV_DAGP_FAUZIA
                                                          : d->params.initial;
    s->maybe_boundary = calloc((size_t)n, sizeof *s->maybe_boundary);
    if (d->method != CLV_DAGP || n <= 50 * s->bounds.nparts) {
        int32_t runs = d->method == CLV_DAGP ? d->params.runs : 1;
        CHECK_OK(clv_dagp_initial(s, kind, runs, ctx, &err));
    } else {
        int32_t *map = calloc((size_t)n, sizeof *map);
        clv_dag_matching how = {d->params.order, d->params.match, &bound, s->level};
        clv_contraction contraction = {0};
        clv_graph *coarse = NULL;
        clv_partition_state up = *s;
        CHECK_OK(clv_dag_match_pairs(s->g, &how, ctx, map, &ncoarse, &err));
        CHECK(ncoarse < 0.9 * n);
        contraction.map = map;
        contraction.ncoarse = ncoarse;
        CHECK_OK(clv_contract(&coarse, s->g, &contraction, ctx, &err));
        up.g = coarse;
        up.level++;
        up.part = calloc((size_t)ncoarse, sizeof *up.part);
        solve_by_steps(d, &up, ctx);
        for (int32_t v = 0; v < n; v++)
            s->part[v] = up.part[map[v]];
        free(up.part);
        clv_graph_free(coarse);
        free(map);
    }
    refine_by_steps(d, s, ctx);
    free(s->maybe_boundary);
}

/* Is the result of clv_dagp that of the steps that the method and its parameters name? */
static void check_steps(dagp_fixture *d, uint64_t seed)
{
    clv_multilevel_result result;
    clv_context ctx;
    cleave_error err = {0};
    int32_t n = d->f.g.nvtx, k = d->task.bounds.nparts;
    CHECK_OK(solve(d, 1, seed, &result, &err));
    clv_partition_state s = {.g = &d->f.g, .bounds = d->task.bounds};
    s.part = calloc((size_t)n, sizeof *s.part);
    s.weight = calloc((size_t)k, sizeof *s.weight);
    s.count = calloc((size_t)k, sizeof *s.count);
    s.rank = calloc((size_t)k, sizeof *s.rank);
    fixture_context(&ctx, 1, seed);
    solve_by_steps(d, &s, &ctx);
    clv_context_close(&ctx);
    CHECK(memcmp(s.part, d->part, (size_t)n * sizeof *s.part) == 0);
    free(s.part);
    free(s.weight);
    free(s.count);
    free(s.rank);
}

enum { step_vertices = 400, step_variants = 72, step_seeds = 3 };

static void step_fixture(dagp_fixture *d)
{
    *d = (dagp_fixture){.method = CLV_DAGP};
    dag_options o = {.shape = DAG_LOCAL,
                     .nvtx = step_vertices,
                     .nparts = 3,
                     .ncon = 1,
                     .edge_weight = 9,
                     .slack = 0.2};
    dagp_make(d, &o);
    /* Equal shares and bounds, so that one number bounds the pairs. */
    for (int32_t p = 0; p < 3; p++) {
        d->share[p] = step_vertices / 3.0;
        d->f.max[p] = 160;
    }
}

/* runs= 1 or 7, so that a number of its own would show. */
static clv_dagp_params step_variant(uint64_t i)
{
    clv_dagp_params params = variant(i);
    params.runs = i / 36 % 2 ? 7 : 1;
    return params;
}

static void test_steps(void)
{
    dagp_fixture d;
    step_fixture(&d);
    for (uint64_t i = 0; i < step_variants; i++)
        for (uint64_t seed = 0; seed < step_seeds; seed++) {
            d.params = step_variant(i);
            check_steps(&d, seed);
        }
    for (int method = CLV_DAGP_KERNIGHAN; method <= CLV_DAGP_FILL; method++) {
        d.method = (clv_dagp_method)method;
        check_steps(&d, 1);
    }
    dagp_free(&d);
}

/* Two values of any parameter give different parts for some seed. */
static void test_parameters_matter(void)
{
    static const clv_dagp_params other[] = {
        {.order = CLV_DAG_ORDER_RAND},
        {.match = CLV_DAG_MATCH_HEM},
        {.match = CLV_DAG_MATCH_NWHEM},
        {.initial = CLV_DAGP_KERN},
        {.initial = CLV_DAGP_GP},
        {.refine = CLV_DAGP_ACYCKWAY},
        {.runs = 1, .order = CLV_DAG_ORDER_TOP},
    };
    dagp_fixture d;
    step_fixture(&d);
    size_t bytes = step_vertices * sizeof *d.part;
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        int differ = 0;
        for (uint64_t seed = 0; seed < 8; seed++) {
            int32_t plain[step_vertices];
            clv_multilevel_result result;
            cleave_error err = {0};
            d.params = (clv_dagp_params){0};
            CHECK_OK(solve(&d, 1, seed, &result, &err));
            memcpy(plain, d.part, bytes);
            d.params = other[i];
            CHECK_OK(solve(&d, 1, seed, &result, &err));
            differ += memcmp(plain, d.part, bytes) != 0;
        }
        CHECK(differ > 0);
    }
    dagp_free(&d);
}

/* ---- Figure 1 of the paper -------------------------------------------------------------- */

enum { s_, u_, v_, x_, y_, t_ }; /* s>u u>x u>y u>t s>v v>t */

static const clv_graph *figure_1(void)
{
    static const int64_t xadj[] = {0, 2, 5, 6, 6, 6, 6}, xpred[] = {0, 0, 1, 2, 3, 4, 6};
    static const int32_t adj[] = {u_, v_, x_, y_, t_, t_};
    static const int32_t pred[] = {s_, s_, u_, u_, u_, v_};
    static const clv_graph g = {.kind = CLEAVE_DAG,
                                .nvtx = 6,
                                .narc = 6,
                                .xadj = xadj,
                                .adj = adj,
                                .xpred = xpred,
                                .pred = pred,
                                .ncon = 1};
    return &g;
}

static int64_t latency(const int32_t *part)
{
    clv_ws ws = {0};
    int64_t length = -1;
    cleave_error err = {0};
    clv_path_costs cost = {.vertex = 1, .inside = 4, .cut = 36};
    CHECK_OK(clv_evaluate_critical_path(figure_1(), part, &cost, &ws, &length, &err));
    clv_ws_free(&ws);
    return length;
}

/* The lightest cuts of all 3/3 splits, with and without cycles, and the shortest latencies
 * that go with them. */
static void test_figure_1_optimum(void)
{
    int64_t cut[2] = {99, 99}, path[2] = {999, 999};
    for (int32_t set = 0; set < 64; set++) {
        int32_t part[6], size = 0;
        for (int32_t v = 0; v < 6; v++)
            size += part[v] = set >> v & 1;
        clv_partition_state s = {
            .g = figure_1(), .bounds = {2, 1, NULL, NULL, NULL}, .part = part};
        if (size != 3)
            continue;
        int64_t here = fixture_cut(&s), length = latency(part);
        for (int acyclic = 0; acyclic <= dag_is_acyclic(&s); acyclic++) {
            if (here < cut[acyclic] || (here == cut[acyclic] && length < path[acyclic])) {
                cut[acyclic] = here;
                path[acyclic] = length;
            }
        }
    }
    CHECK_EQ(cut[0], 2);
    CHECK_EQ(path[0], 75);
    CHECK_EQ(cut[1], 3);
    CHECK_EQ(path[1], 43);
}

static void test_figure_1(void)
{
    for (uint64_t i = 0; i < 36; i++) {
        double share[] = {3, 3};
        int64_t max[] = {3, 3};
        int32_t part[6];
        clv_multilevel_task task = {.g = figure_1(), .bounds = {2, 1, share, max, NULL}};
        clv_dagp_params params = variant(i);
        clv_multilevel_result result;
        clv_context ctx;
        cleave_error err = {0};
        params.runs = 50; /* so that every topological order is among them */
        fixture_context(&ctx, 1, i);
        CHECK_OK(clv_dagp(&task, CLV_DAGP, &params, &ctx, part, &result, &err));
        clv_context_close(&ctx);
        clv_partition_state s = {
            .g = figure_1(), .bounds = {2, 1, NULL, NULL, NULL}, .part = part};
        CHECK(dag_is_acyclic(&s));
        CHECK_EQ(result.worth.overload, 0);
        CHECK_EQ(result.worth.cut, fixture_cut(&s));
        CHECK(result.worth.cut == 3 || params.initial == CLV_DAGP_GP);
        CHECK(result.worth.cut > 3 || latency(part) == 43);
    }
}

/* ---- Determinism and memory ------------------------------------------------------------- */

static void test_threads(void)
{
    for (uint64_t i = 0; i < 36; i += 7) {
        dagp_fixture d = {.params = variant(i)};
        cleave_error err = {0};
        clv_multilevel_result result;
        dag_options o = {
            .shape = DAG_LOCAL, .nvtx = 3000, .nparts = 5, .ncon = 1, .slack = 0.03};
        dagp_make(&d, &o);
        size_t bytes = (size_t)o.nvtx * sizeof *d.part;
        int32_t *first = malloc(bytes);
        CHECK_OK(solve(&d, 1, 3, &result, &err));
        memcpy(first, d.part, bytes);
        CHECK_OK(solve(&d, 4, 3, &result, &err));
        CHECK(memcmp(first, d.part, bytes) == 0);
        CHECK_OK(solve(&d, 1, 4, &result, &err));
        CHECK(memcmp(first, d.part, bytes) != 0);
        free(first);
        dagp_free(&d);
    }
}

static void test_memory(void)
{
    for (int method = 0; method < 4; method++) {
        dagp_fixture d = {.params = variant(method == 3 ? 18 : 0)};
        dag_options o = {
            .shape = DAG_LOCAL, .nvtx = 400, .nparts = 3, .ncon = 1, .slack = 0.03};
        dagp_make(&d, &o);
        d.method = method == 3 ? CLV_DAGP : (clv_dagp_method)method;
        int64_t failures = 0;
        test_oom_rounds oom = {.lenient = true};
        while (test_oom_next(&oom)) {
            clv_context ctx;
            cleave_error err = {0};
            clv_multilevel_result result;
            fixture_context(&ctx, 1, 3);
            cleave_status status = TEST_OOM(
                &oom, clv_dagp(&d.task, d.method, &d.params, &ctx, d.part, &result, &err));
            /* The checks of debug builds can do without memory. */
            failures += status == CLEAVE_ENOMEM;
            clv_context_close(&ctx);
        }
        CHECK(failures > 0 && oom.nth < 5000);
        dagp_free(&d);
    }
}

int main(void)
{
    RUN(test_parse);
    RUN(test_parse_refuses);
    RUN(test_variants);
    RUN(test_levels);
    RUN(test_heavy);
    RUN(test_steps);
    RUN(test_parameters_matter);
    RUN(test_figure_1_optimum);
    RUN(test_figure_1);
    RUN(test_threads);
    RUN(test_memory);
    return test_end();
}
