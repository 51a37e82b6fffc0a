/* SPDX-License-Identifier: Apache-2.0 */
/* Space-filling curves over all ranks: the order exactly as on one machine, and the curve cut
 * into parts as on one machine or better. */
#include "graph/order.h"
#include "graph/share.h"
#include "mpi/curve.h"
#include "mpi/mpi_lines.h"
#include "order/split.h"

static clv_comm comm;
static cleave_error err;

/* ---- Curves ----------------------------------------------------------------------------- */

static void check_curve(const sample *s, const char *method)
{
    cleave_order_options opt = options_for(method);
    cleave_order *whole = NULL;
    int32_t *vertex = order_all(s, &opt), differ = 0;
    REQUIRE_OK(cleave_order_build(&whole, s->whole, &opt, &err));
    REQUIRE(vertex);
    for (int32_t p = 0; p < s->whole->nvtx; p++)
        differ += vertex[p] != cleave_order_view(whole)[p];
    CHECK_EQ(differ, 0);
    cleave_order_free(whole);
    free(vertex);
}

static void test_curves(void)
{
    static const int32_t sizes[] = {0, 1, 3, 40, 700};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int32_t ndim = 2; ndim <= 3; ndim++)
            for (int shape = 0; shape < SHAPES; shape++)
                for (int spread = 0; spread < SAMPLE_SPREADS; spread++) {
                    sample s = points(&comm, sizes[i], ndim, shape, spread, false);
                    REQUIRE(s.g);
                    check_curve(&s, "hci");
                    check_curve(&s, "zci");
                    sample_free(&s);
                }
}

/* No rank gets more than an even share of the line. */
static void test_shares_of_the_line(void)
{
    for (int shape = 0; shape < SHAPES; shape++)
        for (int spread = 0; spread < SAMPLE_SPREADS; spread++) {
            sample s = points(&comm, 101, 2, shape, spread, false);
            clv_dist_line line;
            REQUIRE(s.g);
            REQUIRE_OK(clv_dist_curve_line(&line, s.g, CLV_CURVE_MORTON, &err));
            CHECK(line.count <= 101 / comm.size + 1);
            CHECK_EQ(clv_comm_sum(&comm, line.count), 101);
            clv_dist_line_free(&line);
            sample_free(&s);
        }
}

/* ---- Parts ------------------------------------------------------------------------------ */

typedef struct cuts {
    int32_t npes;
    int32_t *part, *expected; /* by vertex of the whole */
    int64_t *load, *members, *bound;
} cuts;

static void weigh_parts(const sample *s, const clv_target *t, double imbalance, cuts *c)
{
    const clv_graph *g = s->whole;
    int64_t total = clv_graph_weight(g);
    clv_share_rule rule = clv_share_rule_make(clv_target_shares(t), t->npes, 1);
    for (int32_t v = 0; v < g->nvtx; v++) {
        c->members[c->part[v]]++;
        c->load[c->part[v]] += clv_graph_vwgt(g, v, 0);
    }
    for (int32_t pe = 0; pe < t->npes; pe++)
        c->bound[pe] = clv_share_bound(&rule, total, pe, imbalance);
}

/* The single machine's cuts, as the methods hci and zci begin, and whether they are within the
 * bounds; and whether any cuts of the line in that sequence are. */
static bool cut_whole(const sample *s, const clv_target *t, double imbalance, cuts *c,
                      bool *possible)
{
    const clv_graph *g = s->whole;
    cleave_order_options opt = options_for("hci");
    cleave_split_options split;
    cleave_order *line = NULL;
    int64_t total = clv_graph_weight(g);
    clv_share_rule rule = clv_share_rule_make(clv_target_shares(t), t->npes, 1);
    double *share = sample_room(t->npes, sizeof *share);
    int32_t *room = sample_room(4 * (int64_t)t->npes, sizeof *room);
    int32_t *sequence = room, *begin = room + t->npes, *end = room + 2 * t->npes;
    bool within = true;
    CHECK_OK(cleave_order_build(&line, g, &opt, &err));
    for (int32_t pe = 0; pe < t->npes; pe++)
        share[pe] = clv_share_of(&rule, total > 0 ? total : g->nvtx > 0 ? g->nvtx : 1, pe);
    clv_grouping_sequence(CLV_GROUPING_BINPACKING, share, t->npes, sequence, begin);
    clv_split(line, &(clv_split_rule){.npes = t->npes, .speed = share}, sequence, begin, end);
    for (int32_t pe = 0; pe < t->npes; pe++) {
        for (int32_t p = begin[pe]; p < end[pe]; p++)
            c->expected[line->vertex[p]] = pe;
        within = within && (total == 0 || line->before[end[pe]] - line->before[begin[pe]] <=
                                              clv_share_bound(&rule, total, pe, imbalance));
    }
    cleave_split_options_init(&split, sizeof split);
    split.imbalance = imbalance;
    split.grouping = "binpacking";
    *possible = cleave_order_split(begin, end, line, t, &split, &err) == CLEAVE_OK;
    cleave_order_free(line);
    free(share);
    free(room);
    return within;
}

static int64_t exact_cuts, mended_cuts, hopeless_cuts;

static void compare_parts(const sample *s, const clv_target *t, double imbalance, cuts *c)
{
    const clv_graph *g = s->whole;
    bool possible, within = cut_whole(s, t, imbalance, c, &possible);
    int64_t above = 0, empty = 0, idle = 0, busy = 0, differ = 0;
    weigh_parts(s, t, imbalance, c);
    for (int32_t v = 0; v < g->nvtx; v++)
        differ += c->part[v] != c->expected[v];
    for (int32_t pe = 0; pe < t->npes; pe++) {
        bool is_busy = clv_target_speed_of(t, pe) > 0;
        busy += is_busy;
        above += c->load[pe] > c->bound[pe];
        empty += is_busy && c->members[pe] == 0;
        idle += !is_busy && c->members[pe] > 0;
    }
    CHECK_EQ(idle, 0);
    CHECK(empty == 0 || g->nvtx < busy);
    if (within)
        CHECK_EQ(differ, 0);
    if (possible)
        CHECK_EQ(above, 0);
    exact_cuts += within;
    mended_cuts += possible && !within;
    hopeless_cuts += !possible;
}

static void try_parts(const sample *s, const clv_target *t, double imbalance)
{
    int32_t n = s->whole->nvtx, *own = sample_room(s->g->nlocal, sizeof *own);
    cuts c = {.npes = t->npes,
              .part = sample_room(n, sizeof *c.part),
              .expected = sample_room(n, sizeof *c.expected),
              .load = sample_room(t->npes, sizeof *c.load),
              .members = sample_room(t->npes, sizeof *c.members),
              .bound = sample_room(t->npes, sizeof *c.bound)};
    CHECK_OK(clv_dist_curve_parts(s->g, CLV_CURVE_HILBERT, t, imbalance, own, &err));
    int64_t *wide = sample_room(s->g->nlocal, sizeof *wide);
    for (int32_t v = 0; v < s->g->nlocal; v++)
        wide[v] = own[v];
    int64_t *all = gather_places(s->g, wide);
    for (int32_t v = 0; v < n; v++)
        c.part[v] = (int32_t)all[v];
    compare_parts(s, t, imbalance, &c);
    free(own);
    free(wide);
    free(all);
    free(c.part);
    free(c.expected);
    free(c.load);
    free(c.members);
    free(c.bound);
}

static void try_target(const char *text, double imbalance)
{
    static const int32_t sizes[] = {0, 1, 4, 30, 400};
    cleave_target *t = NULL;
    REQUIRE_OK(cleave_target_parse(&t, text, &err));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int spread = 0; spread < SAMPLE_SPREADS; spread++)
            for (int weighted = 0; weighted < 2; weighted++) {
                sample s = points(&comm, sizes[i], 2, spread % 2 ? SHAPE_RANDOM : SHAPE_CELLS,
                                  spread, weighted == 1);
                REQUIRE(s.g);
                try_parts(&s, t, imbalance);
                sample_free(&s);
            }
    cleave_target_free(t);
}

static void test_parts(void)
{
    static const char *const texts[] = {"1", "2", "7", "5,1,0,3", "0,0,1,2", "29"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        try_target(texts[i], 0.03);
        try_target(texts[i], 0.4);
    }
}

/* Heavy vertices between light ones, so that cuts have to step aside. */
static void test_parts_of_heavy_vertices(void)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        sample_spec spec = {CLEAVE_UNDIRECTED, 60, 1, true, 1, 2, 9};
        cleave_graph *whole = sample_whole(&spec, seed);
        clv_rng rng = clv_rng_make(seed, 9, 0, 0);
        int32_t *vwgt = (int32_t *)whole->vwgt;
        for (int32_t v = 0; v < 60; v++)
            vwgt[v] = clv_rng_below(&rng, 6) == 0 ? 20 + (int32_t)clv_rng_below(&rng, 30)
                                                  : (int32_t)clv_rng_below(&rng, 3);
        sample s = sample_deal(&comm, whole, (int)(seed % SAMPLE_SPREADS), seed);
        clv_target *t = NULL;
        REQUIRE(s.g);
        REQUIRE_OK(clv_target_parse(&t, seed % 3 ? "5" : "3,1,0,2,2", &err));
        for (double imbalance = 0; imbalance < 0.5; imbalance += 0.05)
            try_parts(&s, t, imbalance);
        clv_target_free(t);
        sample_free(&s);
    }
}

static void test_all_kinds_of_cuts_came_up(void)
{
    CHECK(exact_cuts > 50);
    CHECK(mended_cuts > 10);
    CHECK(hopeless_cuts > 10);
}

/* Where nothing weighs anything vertices are counted. */
static void test_parts_of_weightless_vertices(void)
{
    for (int spread = 0; spread < SAMPLE_SPREADS; spread++) {
        sample_spec spec = {CLEAVE_UNDIRECTED, 60, 1, true, 1, 2, 9};
        cleave_graph *whole = sample_whole(&spec, 1);
        clv_target *t = NULL;
        memset((int32_t *)whole->vwgt, 0, 60 * sizeof *whole->vwgt);
        sample s = sample_deal(&comm, whole, spread, 1);
        REQUIRE(s.g);
        REQUIRE_OK(clv_target_parse(&t, "3,1,0,2,2", &err));
        try_parts(&s, t, 0.03);
        clv_target_free(t);
        sample_free(&s);
    }
}

/* On a machine with distances: the bounds, and no PE is empty. */
static void test_parts_on_machines(void)
{
    static const char *const texts[] = {"mesh:4x3", "torus:3x3", "tree:2:3@1:10",
                                        "hypercube:3"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        clv_target *t = NULL;
        REQUIRE_OK(clv_target_parse(&t, texts[i], &err));
        sample s = points(&comm, 400, 2, SHAPE_RANDOM, 3, false);
        REQUIRE(s.g);
        int32_t *part = sample_room(s.g->nlocal, sizeof *part);
        CHECK_OK(clv_dist_curve_parts(s.g, CLV_CURVE_HILBERT, t, 0.03, part, &err));
        cleave_metrics m;
        cleave_metrics_init(&m, sizeof m);
        CHECK_OK(cleave_mpi_evaluate(&m, s.g, t->npes, part, NULL, &err));
        CHECK_EQ(m.balanced, 1);
        CHECK_EQ(m.empty_parts, 0);
        free(part);
        clv_target_free(t);
        sample_free(&s);
    }
}

/* ---- Memory ----------------------------------------------------------------------------- */

typedef struct wish {
    const sample *s;
    const clv_target *t; /* NULL: an order */
    int64_t *place;
    int32_t *part;
} wish;

static cleave_status grant(void *context, cleave_error *said)
{
    const wish *w = context;
    if (w->t)
        return clv_dist_curve_parts(w->s->g, CLV_CURVE_HILBERT, w->t, 0.03, w->part, said);
    return clv_dist_curve_order(w->s->g, CLV_CURVE_MORTON, w->place, said);
}

static void test_out_of_memory(void)
{
    sample s = points(&comm, 50, 3, SHAPE_CELLS, 0, true);
    int64_t place[50];
    int32_t part[50];
    clv_target *t = NULL;
    REQUIRE(s.g);
    REQUIRE_OK(clv_target_parse(&t, "mesh:2x2", &err));
    sample_fail_each(&comm, 1, grant, &(wish){&s, NULL, place, part});
    sample_fail_each(&comm, 1, grant, &(wish){&s, t, place, part});
    clv_target_free(t);
    sample_free(&s);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    CHECK_OK(clv_comm_open(&comm, MPI_COMM_WORLD, &err));
    RUN_ALL(&comm, test_curves);
    RUN_ALL(&comm, test_shares_of_the_line);
    RUN_ALL(&comm, test_parts);
    RUN_ALL(&comm, test_parts_of_heavy_vertices);
    RUN_ALL(&comm, test_all_kinds_of_cuts_came_up);
    RUN_ALL(&comm, test_parts_of_weightless_vertices);
    RUN_ALL(&comm, test_parts_on_machines);
    RUN_ALL(&comm, test_out_of_memory);
    int status = sample_end(&comm);
    clv_comm_close(&comm);
    MPI_Finalize();
    return status;
}
