/* SPDX-License-Identifier: Apache-2.0 */
/* Mappings by several ranks: the result contract of cleave_map for all ranks, ranges, kinds of
 * graphs and targets; every reported value is recomputed from the whole graph by one process.
 * "gather=0" disables gathering of small graphs. */
#include "mpi_outcome.h"

/* ---- Undirected ------------------------------------------------------------------------- */

static void test_partition(void)
{
    static const char *const spec[] = {"grid2d:60x50",    "rgg:3000:8", "rmat:10:6",
                                       "grid3d:12x12x12", "tree:2000",  "gnp:1500:0.004"};
    static const char *const k[] = {"2", "7", "16"};
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 3; j += TEST_STRIDE) {
            sample s = generated(spec[i], (i + j) % SAMPLE_SPREADS);
            cleave_options opt = defaults("gather=0");
            outcome o = map_it(&s, k[j], &opt);
            check_ok(&o);
            check_report(&s, k[j], &o);
            check_bounds(&s, atoi(k[j]), &o);
            CHECK_EQ(o.report.balanced, 1);
            CHECK(comm.size == 1 || o.report.levels > 1);
            outcome_free(&o);
            sample_free(&s);
        }
}

/* The cut is near that of one machine, though hardly anything was solved there. */
static void test_quality(void)
{
    double ratio = 1;
    static const char *const spec[] = {"grid2d:150x120", "rgg:15000:10", "mesh2d:100x100"};
    for (int i = 0; i < 3; i++) {
        cleave_error err = {0};
        sample s = generated(spec[i], 0);
        cleave_options opt = defaults("gather=4000"), alone = defaults(NULL);
        opt.effort = alone.effort = CLEAVE_EFFORT_DEFAULT;
        outcome o = map_it(&s, "8", &opt);
        cleave_map_report report;
        cleave_mapping *m = NULL;
        cleave_target *t = NULL;
        cleave_map_report_init(&report, sizeof report);
        alone.params = NULL;
        alone.report = &report;
        CHECK_OK(cleave_target_parse(&t, "8", &err));
        CHECK_OK(cleave_map(&m, s.whole, t, &alone, &err));
        ratio *= (double)o.report.cut / (double)report.cut;
        cleave_mapping_free(m);
        cleave_target_free(t);
        outcome_free(&o);
        sample_free(&s);
    }
    CHECK(ratio < 1.15 * 1.15 * 1.15);
}

/* One rank gives the result of cleave_map; several ranks give the same result every time,
 * for any number of threads. */
static void test_same(void)
{
    static const char *const spec[] = {"grid2d:70x40", "rmat:10:8"};
    for (int i = 0; i < 2; i++) {
        cleave_error err = {0};
        sample s = generated(spec[i], 0);
        cleave_options opt = defaults("gather=0");
        outcome a = map_it(&s, "mesh:4x2", &opt);
        opt.threads = 2;
        outcome b = map_it(&s, "mesh:4x2", &opt);
        CHECK(memcmp(a.parts, b.parts, (size_t)s.whole->nvtx * sizeof *a.parts) == 0);
        if (comm.size == 1) {
            cleave_mapping *m = NULL;
            cleave_target *t = NULL;
            opt.report = NULL;
            opt.params = NULL;
            CHECK_OK(cleave_target_parse(&t, "mesh:4x2", &err));
            CHECK_OK(cleave_map(&m, s.whole, t, &opt, &err));
            CHECK(memcmp(a.parts, m->part, (size_t)s.whole->nvtx * sizeof *a.parts) == 0);
            cleave_mapping_free(m);
            cleave_target_free(t);
        }
        outcome_free(&a);
        outcome_free(&b);
        sample_free(&s);
    }
}

/* Small, empty, weightless, weighty, disconnected, and more parts than vertices. */
static void test_odd_graphs(void)
{
    static const sample_spec spec[] = {
        {CLEAVE_UNDIRECTED, 0, 0, false, 1, 0, 1},  {CLEAVE_UNDIRECTED, 1, 0, false, 1, 0, 1},
        {CLEAVE_UNDIRECTED, 5, 1, false, 1, 0, 1},  {CLEAVE_UNDIRECTED, 40, 0, false, 1, 0, 1},
        {CLEAVE_UNDIRECTED, 200, 2, true, 1, 2, 9}, {CLEAVE_DAG, 0, 0, false, 1, 0, 1},
        {CLEAVE_DAG, 6, 1, false, 1, 0, 1}};
    for (int i = 0; i < 7; i++)
        for (int spread = 0; spread < SAMPLE_SPREADS; spread++) {
            sample s = sample_make(&comm, &spec[i], spread, 3);
            for (int j = 0; j < 2; j++) {
                cleave_options opt = defaults("gather=0");
                outcome o = map_it(&s, j ? "8" : "1", &opt);
                check_ok(&o);
                check_report(&s, j ? "8" : "1", &o);
                outcome_free(&o);
            }
            sample_free(&s);
        }
}

/* Several weights per vertex; weights that are all 0; a vertex too heavy for any part. */
static void test_weights(void)
{
    static const sample_spec two = {CLEAVE_UNDIRECTED, 900, 3, true, 2, 0, 5};
    cleave_options opt = defaults("gather=0");
    sample s = sample_make(&comm, &two, 0, 1);
    outcome o = map_it(&s, "4", &opt);
    check_ok(&o);
    check_bounds(&s, 4, &o);
    outcome_free(&o);
    sample_free(&s);

    s = generated("grid2d:40x40", 0);
    int32_t *zero = sample_room(s.g->nlocal, sizeof *zero);
    s.g->vwgt = zero;
    o = map_it(&s, "5", &opt);
    check_ok(&o);
    if (comm.size > 1)
        check_bounds(&s, 5, &o); /* of the whole, where vertices weigh 1 */
    outcome_free(&o);
    for (int32_t v = 0; v < s.g->nlocal; v++)
        zero[v] = clv_dist_global(s.g, v) == 700 ? 100000 : 1;
    o = map_it(&s, "5", &opt);
    CHECK_EQ(o.status, CLEAVE_EBALANCE);
    CHECK_EQ(o.report.balanced, 0);
    outcome_free(&o);
    free(zero);
    sample_free(&s);
}

/* Heavy edges but for a line between two columns of a grid that is `width` wide. */
static int32_t line_weight(int64_t v, int64_t u, int64_t width)
{
    int64_t low = v < u ? v : u, high = v < u ? u : v;
    if (high == low + 1 && low % width == width / 2 - 1)
        return 1;
    return clv_hash64((uint64_t)(low << 20 | (high - low))) % 10 < 3 ? 200000000 : 1000;
}

/* Totals beyond 31 bits: the graph is coarsened as if vertices weighed 1, and a cheap line is
 * found beside edges of 2e8. */
static void test_heavy_weights(void)
{
    cleave_options opt = defaults("gather=0");
    sample s = generated("grid2d:120x100", 0);
    outcome unit = map_it(&s, "4", &opt);
    int32_t *vwgt = sample_room(s.g->nlocal, sizeof *vwgt);
    int32_t *ewgt = sample_room(s.g->narc, sizeof *ewgt);
    for (int32_t v = 0; v < s.g->nlocal; v++) {
        vwgt[v] = 1500000000;
        for (int64_t a = s.g->xadj[v]; a < s.g->xadj[v + 1]; a++)
            ewgt[a] =
                line_weight(clv_dist_global(s.g, v), clv_dist_global(s.g, s.g->adj[a]), 120);
    }
    s.g->vwgt = vwgt;
    outcome heavy = map_it(&s, "4", &opt);
    check_ok(&heavy);
    CHECK_EQ(heavy.report.balanced, 1);
    CHECK_EQ(heavy.report.levels, unit.report.levels);
    CHECK((double)heavy.report.cut < 1.25 * (double)unit.report.cut);
    outcome_free(&heavy);
    outcome_free(&unit);
    s.g->ewgt = s.g->pwgt = ewgt;
    heavy = map_it(&s, "2", &opt);
    check_ok(&heavy);
    CHECK_EQ(heavy.report.balanced, 1);
    CHECK(heavy.report.cut < 30000);
    outcome_free(&heavy);
    free(vwgt);
    free(ewgt);
    sample_free(&s);
}

/* ---- Targets ---------------------------------------------------------------------------- */

static void test_targets(void)
{
    static const char *const target[] = {"mesh:4x2", "tree:2:4@1:10", "3,2,2,1",
                                         "2,0,1",    "torus:3x3",     "hypercube:3"};
    for (int i = 0; i < 6; i++) {
        sample s = generated(i % 2 ? "rgg:2500:8" : "grid2d:50x50", i % SAMPLE_SPREADS);
        cleave_options opt = defaults("gather=0");
        outcome o = map_it(&s, target[i], &opt);
        check_ok(&o);
        check_report(&s, target[i], &o);
        if (o.report.cost >= 0)
            CHECK(o.report.cost <= o.report.cost_identity);
        outcome_free(&o);
        sample_free(&s);
    }
}

static void test_fixed(void)
{
    sample s = generated("grid2d:50x50", 3);
    cleave_options opt = defaults("gather=0");
    cleave_constraints constraints;
    int32_t *fixed = sample_room(s.g->nlocal, sizeof *fixed);
    cleave_constraints_init(&constraints, sizeof constraints);
    for (int32_t v = 0; v < s.g->nlocal; v++)
        fixed[v] =
            clv_dist_global(s.g, v) % 97 == 0 ? (int32_t)(clv_dist_global(s.g, v) % 5) : -1;
    constraints.fixed = fixed;
    opt.constraints = &constraints;
    outcome o = map_it(&s, "5", &opt);
    check_ok(&o);
    check_bounds(&s, 5, &o);
    for (int32_t v = 0; v < s.g->nlocal; v++)
        CHECK(fixed[v] < 0 || o.part[v] == fixed[v]);
    outcome_free(&o);
    /* A rank without vertices may have no array. */
    if (s.g->nlocal == 0)
        constraints.fixed = NULL;
    o = map_it(&s, "5", &opt);
    check_ok(&o);
    outcome_free(&o);
    opt.method = "hci";
    o = map_it(&s, "5", &opt);
    CHECK_EQ(o.status, CLEAVE_EINVAL);
    outcome_free(&o);
    opt.method = NULL;
    if (s.g->nlocal > 0)
        fixed[0] = 5;
    o = map_it(&s, "5", &opt);
    CHECK_EQ(o.status, CLEAVE_EINVAL);
    outcome_free(&o);
    free(fixed);
    sample_free(&s);
}

/* A PE that may hold nothing, by its bound, stays empty, and that is no fault. */
static void test_idle(void)
{
    static const int64_t max[] = {0, -1, -1, -1};
    sample s = generated("grid2d:40x40", 0);
    cleave_options opt = defaults("gather=0");
    cleave_constraints constraints;
    cleave_constraints_init(&constraints, sizeof constraints);
    constraints.max = max;
    opt.constraints = &constraints;
    opt.imbalance = 0.6;
    outcome o = map_it(&s, "4", &opt);
    check_ok(&o);
    CHECK_EQ(o.report.empty_parts, 1);
    for (int32_t v = 0; v < s.g->nlocal; v++)
        CHECK(o.part[v] != 0);
    outcome_free(&o);
    sample_free(&s);
}

/* So do PEs of speed 0 and parts with a share of 0, also with fixed vertices and bounds. */
static void test_idle_demands(void)
{
    static const char *const spec[] = {"grid2d:40x40", "rgg:1500:8", "stencil:8x8:20"};
    static const double shares[] = {2, 3, 0, 2, 3};
    static const int64_t max[] = {-1, -1, -1, 1 << 20, -1};
    for (int i = 0; i < 3 * 8; i += 2) {
        bool shared = i / 3 & 1, fix = i / 3 & 2 && i % 3 < 2, bounds = i / 3 & 4;
        sample s = generated(spec[i % 3], i % 4 ? 3 : 0);
        cleave_options opt = defaults("gather=0");
        cleave_constraints constraints;
        int32_t *fixed = sample_room(s.g->nlocal, sizeof *fixed);
        for (int32_t v = 0; v < s.g->nlocal; v++) {
            int64_t me = clv_dist_global(s.g, v);
            fixed[v] = me % 31 == 0 ? (me % 2 ? 0 : 4) : -1;
        }
        cleave_constraints_init(&constraints, sizeof constraints);
        constraints.shares = shared ? shares : NULL;
        constraints.fixed = fix ? fixed : NULL;
        constraints.max = bounds ? max : NULL;
        opt.constraints = &constraints;
        opt.imbalance = 0.2;
        outcome o = map_it(&s, "3,0,1,2,2", &opt);
        check_ok(&o);
        CHECK_EQ(o.report.empty_parts, 1 + shared);
        for (int32_t v = 0; v < s.g->nlocal; v++) {
            CHECK(o.part[v] != 1 && !(shared && o.part[v] == 2));
            CHECK(!fix || fixed[v] < 0 || o.part[v] == fixed[v]);
        }
        outcome_free(&o);
        free(fixed);
        sample_free(&s);
    }
}

/* One vertex per PE, of any weight; more vertices than PEs are refused. */
static void test_one_to_one(void)
{
    sample s = generated("grid2d:2x2", 0);
    cleave_options opt = defaults(NULL);
    int32_t *weight = sample_room(s.g->nlocal, sizeof *weight);
    for (int32_t v = 0; v < s.g->nlocal; v++)
        weight[v] = clv_dist_global(s.g, v) == 3 ? 10 : 1;
    s.g->vwgt = weight;
    opt.one_to_one = 1;
    outcome o = map_it(&s, "mesh:2x2", &opt);
    check_ok(&o);
    CHECK_EQ(o.report.empty_parts, 0);
    outcome_free(&o);
    free(weight);
    sample_free(&s);
    s = generated("grid2d:4x3", 0);
    o = map_it(&s, "4", &opt);
    CHECK_EQ(o.status, CLEAVE_EINVAL);
    outcome_free(&o);
    sample_free(&s);
}

static int say_stop(void *payload, const cleave_progress *now)
{
    (void)payload;
    (void)now;
    return 1;
}

/* The callback of one rank ends the search of all; a mapping there is all the same. */
static void test_cancel(void)
{
    static const char *const target[] = {"8", "mesh:4x2"};
    for (int i = 0; i < 2; i++) {
        sample s = generated("grid2d:300x300", 0);
        cleave_options opt = defaults(i ? NULL : "gather=0");
        opt.effort = CLEAVE_EFFORT_BEST;
        opt.progress = comm.rank == 0 ? say_stop : NULL;
        outcome o = map_it(&s, target[i], &opt);
        CHECK_EQ(o.status, CLEAVE_ECANCEL);
        for (int32_t v = 0; v < s.g->nlocal; v++)
            CHECK(o.part[v] >= 0 && o.part[v] < 8);
        outcome_free(&o);
        sample_free(&s);
    }
}

/* Curves cut by the first weight, and what a cut cannot do single vertices must. */
static void test_curves(void)
{
    static const char *const method[] = {"hci", "zci"};
    for (int i = 0; i < 2; i++) {
        sample s = generated(i ? "rgg:3000:8" : "grid3d:11x11x11", 3);
        cleave_options opt = defaults(NULL);
        opt.method = method[i];
        outcome o = map_it(&s, "7", &opt);
        check_ok(&o);
        check_report(&s, "7", &o);
        check_bounds(&s, 7, &o);
        outcome_free(&o);
        /* Pairs of a heavy and a light neighbour: cuts between them are far from the shares.
         */
        int32_t *weight = sample_room(s.g->nlocal, sizeof *weight);
        int32_t *whole = sample_room(s.whole->nvtx, sizeof *whole);
        for (int32_t v = 0; v < s.g->nlocal; v++)
            weight[v] = clv_dist_global(s.g, v) % 100 == 0 ? 60 : 1;
        for (int32_t v = 0; v < s.whole->nvtx; v++)
            whole[v] = v % 100 == 0 ? 60 : 1;
        s.g->vwgt = weight;
        s.whole->vwgt = whole;
        o = map_it(&s, "11", &opt);
        check_ok(&o);
        check_bounds(&s, 11, &o);
        outcome_free(&o);
        free(weight);
        free(whole);
        sample_free(&s);
    }
}

/* ---- DAGs ------------------------------------------------------------------------------- */

static void test_dags(void)
{
    static const sample_spec random = {CLEAVE_DAG, 1500, 2, true, 1, 0, 5};
    for (int spread = 0; spread < SAMPLE_SPREADS; spread++) {
        cleave_options opt = defaults("gather=0");
        sample s = sample_make(&comm, &random, spread, 9 + (uint64_t)spread);
        outcome o = map_it(&s, "6", &opt);
        check_ok(&o);
        CHECK_EQ(o.report.acyclic, 1);
        check_report(&s, "6", &o);
        check_bounds(&s, 6, &o);
        outcome_free(&o);
        sample_free(&s);
        s = generated("polybench:gemver", spread);
        o = map_it(&s, "mesh:2x2", &opt);
        check_ok(&o);
        CHECK_EQ(o.report.acyclic, 1);
        check_report(&s, "mesh:2x2", &o);
        outcome_free(&o);
        sample_free(&s);
    }
}

/* ---- Refusals --------------------------------------------------------------------------- */

static void expect_refusal(const sample *s, cleave_options *opt, const char *part)
{
    outcome o = map_it(s, "4", opt);
    CHECK_EQ(o.status, CLEAVE_EINVAL);
    if (!strstr(o.err.message, part)) {
        CHECK(!"the sentence says what is wrong");
        fprintf(stderr, "'%s' does not say '%s'\n", o.err.message, part);
    }
    outcome_free(&o);
}

static void test_refusals(void)
{
    sample s = generated("grid2d:9x9", 0);
    cleave_options opt = defaults("gather=many");
    expect_refusal(&s, &opt, "gather=ARCS");
    cleave_constraints constraints;
    cleave_constraints_init(&constraints, sizeof constraints);
    if (comm.size > 1) {
        opt = defaults(NULL);
        opt.method = "rsb";
        expect_refusal(&s, &opt, "on several ranks");
        opt.method = NULL;
        constraints.connected = 1;
        opt.constraints = &constraints;
        expect_refusal(&s, &opt, "connected parts: not on several ranks");
    }
    opt = defaults(NULL);
    opt.imbalance = -1;
    expect_refusal(&s, &opt, "imbalance");
    opt = defaults(NULL);
    if (comm.rank == comm.size - 1)
        opt.imbalance = -1; /* one rank alone */
    expect_refusal(&s, &opt, "imbalance");
    sample_free(&s);
}

/* ---- Memory ----------------------------------------------------------------------------- */

static cleave_status map_once(void *context, cleave_error *err)
{
    const sample *s = context;
    cleave_options opt = defaults("gather=0");
    cleave_target *t = NULL;
    int32_t *part = sample_room(s->g->nlocal, sizeof *part);
    cleave_status status = cleave_target_parse(&t, "3", err);
    status = clv_comm_agree(&comm, status, err);
    if (status == CLEAVE_OK)
        status = cleave_mpi_map(part, s->g, t, &opt, err);
    cleave_target_free(t);
    free(part);
    return status;
}

static void test_memory(void)
{
    sample s = generated("grid2d:40x40", 0);
    sample_fail_each(&comm, (comm.size > 2 ? 37 : 11) * TEST_STRIDE, map_once, &s);
    sample_free(&s);
}

int main(int argc, char **argv)
{
    cleave_error err = {0};
    MPI_Init(&argc, &argv);
    CHECK_OK(clv_comm_open(&comm, MPI_COMM_WORLD, &err));
    RUN_ALL(&comm, test_partition);
    RUN_ALL(&comm, test_quality);
    RUN_ALL(&comm, test_same);
    RUN_ALL(&comm, test_odd_graphs);
    RUN_ALL(&comm, test_weights);
    RUN_ALL(&comm, test_heavy_weights);
    RUN_ALL(&comm, test_targets);
    RUN_ALL(&comm, test_fixed);
    RUN_ALL(&comm, test_idle);
    RUN_ALL(&comm, test_idle_demands);
    RUN_ALL(&comm, test_one_to_one);
    RUN_ALL(&comm, test_cancel);
    RUN_ALL(&comm, test_curves);
    RUN_ALL(&comm, test_dags);
    RUN_ALL(&comm, test_refusals);
    RUN_ALL(&comm, test_memory);
    int status = sample_end(&comm);
    clv_comm_close(&comm);
    MPI_Finalize();
    return status;
}
