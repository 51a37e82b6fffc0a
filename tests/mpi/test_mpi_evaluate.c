/* SPDX-License-Identifier: Apache-2.0 */
/* The distributed metrics against those of one machine: random graphs and parts, with several
 * distributions over the ranks. */
#include <math.h>

#include "cleave/cleave_mpi.h"
#include "graph/topology.h"
#include "mpi/judge.h"
#include "mpi/mpi_samples.h"
#include "target/target.h"

static clv_comm comm;
static cleave_error err;

/* How often the interesting cases came up. */
static int64_t cyclic, acyclic, convex_and_cyclic, torn, unbalanced;

static void check_same(const cleave_metrics *a, const cleave_metrics *b)
{
    CHECK_EQ(a->parts, b->parts);
    CHECK_EQ(a->empty_parts, b->empty_parts);
    CHECK_EQ(a->cut, b->cut);
    CHECK_EQ(a->volume, b->volume);
    CHECK_EQ(a->max_volume, b->max_volume);
    CHECK(a->imbalance == b->imbalance);
    CHECK_EQ(a->balanced, b->balanced);
    CHECK_EQ(a->pieces, b->pieces);
    CHECK_EQ(a->setups, b->setups);
    CHECK_EQ(a->acyclic, b->acyclic);
    CHECK_EQ(a->convex, b->convex);
    CHECK_EQ(a->critical_path, b->critical_path);
    CHECK_EQ(a->min_weight, b->min_weight);
    CHECK_EQ(a->max_weight, b->max_weight);
}

static void compare(const sample *s, int32_t nparts, const int32_t *part,
                    const cleave_evaluate_options *opt)
{
    cleave_metrics here, whole;
    cleave_mapping *m = NULL;
    cleave_metrics_init(&here, sizeof here);
    cleave_metrics_init(&whole, sizeof whole);
    REQUIRE_OK(cleave_mapping_create(&m, cleave_graph_vertices(s->whole), nparts, part, &err));
    CHECK_OK(cleave_evaluate(&whole, s->whole, m, opt, &err));
    CHECK_OK(cleave_mpi_evaluate(&here, s->g, nparts, sample_own(s, part), opt, &err));
    check_same(&here, &whole);
    cyclic += whole.acyclic == 0;
    acyclic += whole.acyclic == 1;
    convex_and_cyclic += whole.acyclic == 0 && whole.convex == 1;
    torn += whole.pieces > whole.parts;
    unbalanced += !whole.balanced;
    cleave_mapping_free(m);
}

/* ---- Parts ------------------------------------------------------------------------------ */

enum { PARTS_RANDOM, PARTS_RANGES, PARTS_LEVELS, PARTS_MOSTLY, PARTS_KINDS };

static void fill_parts(const sample *s, int32_t nparts, int kind, uint64_t seed, int32_t *part)
{
    int32_t n = cleave_graph_vertices(s->whole);
    clv_rng rng = clv_rng_make(seed, 3, 0, 0);
    int32_t *level = sample_room(n, sizeof *level), depth = 1;
    if (kind == PARTS_LEVELS && s->whole->kind == CLEAVE_DAG) {
        clv_ws ws = {0};
        CHECK_OK(clv_topology_levels(s->whole, CLEAVE_LEVELS_TOP, &ws, level, &depth, &err));
        clv_ws_free(&ws);
    }
    for (int32_t v = 0; v < n; v++) {
        part[v] = (int32_t)clv_rng_below(&rng, (uint32_t)nparts);
        if (kind == PARTS_RANGES)
            part[v] = (int32_t)((int64_t)v * nparts / n);
        if (kind == PARTS_LEVELS)
            part[v] = (int32_t)((int64_t)level[v] * nparts / depth);
        if (kind == PARTS_MOSTLY && part[v] > 0)
            part[v] = (int32_t)clv_rng_below(&rng, (uint32_t)nparts) / 2;
    }
    free(level);
}

static void try_parts(const sample *s, uint64_t seed)
{
    static const int32_t numbers[] = {1, 2, 3, 8, 70, 1000};
    int32_t n = cleave_graph_vertices(s->whole), *part = sample_room(n, sizeof *part);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        for (int kind = 0; kind < PARTS_KINDS; kind++) {
            cleave_evaluate_options opt;
            int32_t nparts = numbers[i];
            double *shares = sample_room(nparts, sizeof *shares);
            clv_rng rng = clv_rng_make(seed, 4, i, (uint64_t)kind);
            cleave_evaluate_options_init(&opt, sizeof opt);
            for (int32_t p = 0; p < nparts; p++)
                shares[p] = clv_rng_unit(&rng) + (p == 0);
            if (kind == PARTS_RANDOM)
                opt.shares = shares;
            opt.imbalance = clv_rng_unit(&rng);
            opt.cost_vertex = clv_rng_below(&rng, 3);
            opt.cost_cut = clv_rng_below(&rng, 30);
            fill_parts(s, nparts, kind, seed + i, part);
            compare(s, nparts, part, kind % 2 ? NULL : &opt);
            free(shares);
        }
    free(part);
}

static void try_graphs(cleave_kind kind, double degree)
{
    static const int32_t sizes[] = {0, 1, 2, 5, 30, 150};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int spread = 0; spread < SAMPLE_SPREADS; spread++)
            for (int weighted = 0; weighted < 2; weighted++) {
                uint64_t seed = i * 100 + (uint64_t)spread * 10 + (uint64_t)weighted;
                sample_spec spec = {kind, sizes[i], degree, weighted == 1, 2, 0, 9};
                sample s = sample_make(&comm, &spec, spread, seed);
                if (s.g)
                    try_parts(&s, seed);
                sample_free(&s);
            }
}

static void test_undirected(void)
{
    try_graphs(CLEAVE_UNDIRECTED, 0.7);
    try_graphs(CLEAVE_UNDIRECTED, 2.5);
}

static void test_dags(void)
{
    try_graphs(CLEAVE_DAG, 0.8);
    try_graphs(CLEAVE_DAG, 2.5);
}

static void test_cases_came_up(void)
{
    CHECK(cyclic > 50);
    CHECK(acyclic > 50);
    CHECK(convex_and_cyclic > 0);
    CHECK(torn > 50);
    CHECK(unbalanced > 50);
}

/* ---- Long ways round -------------------------------------------------------------------- */

/* A path whose vertices lie on all ranks in turn, so that every edge leads to another rank. */
static cleave_graph *zigzag(cleave_kind kind, int32_t n, int size)
{
    cleave_builder *b = NULL;
    cleave_graph *g = NULL;
    int32_t last = -1;
    CHECK_OK(cleave_builder_create(&b, kind, &err));
    for (int32_t i = 0; i < n / size; i++)
        for (int r = 0; r < size; r++) {
            int32_t v = (int32_t)((int64_t)n / size * r + i);
            if (last >= 0)
                CHECK_OK(cleave_builder_add(b, 1, &last, &v, NULL, &err));
            last = v;
        }
    CHECK_OK(cleave_builder_finish(&g, b, n, NULL, &err));
    cleave_builder_free(b);
    return g;
}

static void test_zigzag(void)
{
    int32_t n = 300 * comm.size, *part = sample_room(n, sizeof *part);
    for (int kind = CLEAVE_UNDIRECTED; kind <= CLEAVE_DAG; kind++) {
        sample s = sample_deal(&comm, zigzag((cleave_kind)kind, n, comm.size), 0, 1);
        REQUIRE(s.g);
        memset(part, 0, (size_t)n * sizeof *part);
        compare(&s, 1, part, NULL);
        for (int32_t v = 0; v < n; v++)
            part[v] = v % (n / comm.size) / 100;
        compare(&s, 3, part, NULL);
        sample_free(&s);
    }
    free(part);
}

/* ---- One return among many parts -------------------------------------------------------- */

static void add_arc(cleave_builder *b, int32_t tail, int32_t head)
{
    CHECK_OK(cleave_builder_add(b, 1, &tail, &head, NULL, &err));
}

enum { MANY = 140 };

/* Neighbouring parts have arcs both ways, but no path is longer than one arc: the quotient is
 * one cycle of cycles, and convex.  A path leaves part q (-1: none) and returns. */
static cleave_graph *many_parts(int32_t q, int32_t *part)
{
    cleave_builder *b = NULL;
    cleave_graph *g = NULL;
    int32_t v = 0;
    CHECK_OK(cleave_builder_create(&b, CLEAVE_DAG, &err));
    for (int32_t p = 0; p + 1 < MANY; p++, v += 4) {
        part[v] = part[v + 3] = p;
        part[v + 1] = part[v + 2] = p + 1;
        add_arc(b, v, v + 1);
        add_arc(b, v + 2, v + 3);
        if (p == q)
            add_arc(b, v + 1, v + 3);
    }
    CHECK_OK(cleave_builder_finish(&g, b, v, NULL, &err));
    cleave_builder_free(b);
    return g;
}

static void test_one_return(void)
{
    static const int32_t returning[] = {-1, 0, 31, 62, 63, 64, 65, 127, 128, MANY - 2};
    int32_t part[4 * MANY];
    for (size_t i = 0; i < sizeof returning / sizeof *returning; i++) {
        sample s = sample_deal(&comm, many_parts(returning[i], part), 3, i);
        REQUIRE(s.g);
        compare(&s, MANY, part, NULL);
        sample_free(&s);
    }
}

/* ---- Larger ones ------------------------------------------------------------------------ */

static void test_generated(void)
{
    static const char *const specs[] = {"grid2d:40x37", "rmat:10:8", "layered:30:20:2"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        cleave_graph *whole = NULL;
        REQUIRE_OK(cleave_graph_generate(&whole, specs[i], NULL, &err));
        sample s = sample_deal(&comm, whole, 3, 5);
        if (s.g)
            try_parts(&s, 7);
        sample_free(&s);
    }
}

/* ---- What is refused -------------------------------------------------------------------- */

static void refuse(const sample *s, int32_t nparts, const int32_t *part,
                   const cleave_evaluate_options *opt, cleave_status expected,
                   const char *sentence)
{
    cleave_metrics m;
    cleave_metrics_init(&m, sizeof m);
    cleave_error said = {0};
    cleave_status status = cleave_mpi_evaluate(&m, s->g, nparts, part, opt, &said);
    CHECK_EQ(status, expected);
    CHECK_STR(said.message, sentence);
    CHECK(sample_agreed(&comm, status, &said));
    CHECK_EQ(m.cut, 0);
}

static void test_refused(void)
{
    sample_spec spec = {CLEAVE_UNDIRECTED, 40, 2, true, 1, 0, 9};
    sample s = sample_make(&comm, &spec, 0, 3);
    int32_t part[40] = {0};
    cleave_evaluate_options opt;
    cleave_evaluate_options_init(&opt, sizeof opt);
    REQUIRE(s.g);
    part[38] = 5;
    refuse(&s, 5, sample_own(&s, part), NULL, CLEAVE_EINVAL,
           "vertex 38 is in part 5, but parts run from 0 to 4");
    part[38] = -1;
    refuse(&s, 5, sample_own(&s, part), NULL, CLEAVE_EINVAL,
           "vertex 38 is in part -1, but parts run from 0 to 4");
    refuse(&s, 0, sample_own(&s, part), NULL, CLEAVE_EINVAL,
           "40 vertices cannot be in 0 parts");
    refuse(&s, -3, sample_own(&s, part), NULL, CLEAVE_EINVAL,
           "a mapping cannot have -3 parts");
    part[38] = 0;
    opt.imbalance = NAN;
    refuse(&s, 5, sample_own(&s, part), &opt, CLEAVE_EINVAL,
           "the imbalance allowed is not a number >= 0");
    if (comm.rank == comm.size - 1) /* one rank alone */
        refuse(&s, 5, NULL, NULL, CLEAVE_EINVAL, "part is NULL");
    else
        refuse(&s, 5, sample_own(&s, part), NULL, CLEAVE_EINVAL, "part is NULL");
    if (comm.size > 1)
        refuse(&s, comm.rank == 0 ? 4 : 5, sample_own(&s, part), NULL, CLEAVE_EINVAL,
               "the ranks disagree about the number of parts");
    CHECK_EQ(cleave_mpi_evaluate(NULL, s.g, 5, sample_own(&s, part), NULL, &err),
             CLEAVE_EINVAL);
    CHECK_EQ(cleave_mpi_evaluate(NULL, NULL, 5, NULL, NULL, &err), CLEAVE_EINVAL);
    sample_free(&s);
}

/* A graph created with CLEAVE_TRUST. */
static void test_cycles(void)
{
    sample s = sample_deal(&comm, sample_circle(30), 0, 1);
    int32_t part[30];
    REQUIRE(s.g);
    for (int32_t v = 0; v < 30; v++)
        part[v] = v % 3;
    refuse(&s, 3, sample_own(&s, part), NULL, CLEAVE_ECYCLE,
           "the graph has a cycle, so no convex parts");
    memset(part, 0, sizeof part);
    refuse(&s, 1, sample_own(&s, part), NULL, CLEAVE_ECYCLE,
           "the graph has a cycle, so no longest path");
    sample_free(&s);
}

/* Sums beyond 2^63 - 1: volumes of vertices that all others read, and costs of paths. */
static void test_sums_that_do_not_fit(void)
{
    enum { n = 12 };
    int32_t part[n], size[n];
    cleave_builder *b = NULL;
    cleave_graph *whole = NULL;
    cleave_evaluate_options opt;
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    cleave_evaluate_options_init(&opt, sizeof opt);
    REQUIRE_OK(cleave_builder_create(&b, CLEAVE_DAG, &err));
    for (int32_t v = 0; v + 1 < n; v++) {
        int32_t next = v + 1;
        CHECK_OK(cleave_builder_add(b, 1, &v, &next, NULL, &err));
    }
    for (int32_t v = 0; v < n; v++) {
        part[v] = v;
        size[v] = INT32_MAX;
    }
    csr.vsize = size;
    REQUIRE_OK(cleave_builder_finish(&whole, b, n, &csr, &err));
    cleave_builder_free(b);
    sample s = sample_deal(&comm, whole, 0, 1);
    REQUIRE(s.g);
    compare(&s, n, part, NULL);
    opt.cost_cut = INT64_MAX / 11;
    opt.cost_vertex = 0;
    compare(&s, n, part, &opt);
    opt.cost_cut = INT64_MAX / 11 + 1;
    refuse(&s, n, sample_own(&s, part), &opt, CLEAVE_ERANGE,
           "the length of the critical path exceeds 2^63-1");
    sample_free(&s);
}

static void test_sums(void)
{
    int64_t part = INT64_MAX / comm.size, rest = INT64_MAX % comm.size, sum = -1;
    int64_t mine = part + (comm.rank == 0 ? rest : 0);
    CHECK_OK(clv_judge_sum(&comm, true, mine, &sum, "it", &err));
    CHECK(sum == INT64_MAX);
    CHECK_OK(clv_judge_sum(&comm, true, 0xffffffff, &sum, "it", &err));
    CHECK(sum == INT64_C(0xffffffff) * comm.size);
    CHECK_EQ(clv_judge_sum(&comm, comm.rank < comm.size - 1, 1, &sum, "it", &err),
             CLEAVE_ERANGE);
    CHECK_STR(err.message, "it exceeds 2^63-1");
    if (comm.size > 1)
        CHECK_EQ(
            clv_judge_sum(&comm, true, mine + (comm.rank == comm.size - 1), &sum, "it", &err),
            CLEAVE_ERANGE);
}

/* ---- Memory ----------------------------------------------------------------------------- */

typedef struct question {
    const sample *s;
    int32_t nparts;
    const int32_t *part;
    const clv_target *t; /* NULL: without one */
} question;

static cleave_status ask(void *context, cleave_error *said)
{
    const question *q = context;
    cleave_metrics m;
    cleave_target_metrics tm;
    cleave_metrics_init(&m, sizeof m);
    cleave_target_metrics_init(&tm, sizeof tm);
    if (q->t)
        return cleave_mpi_evaluate_target(&tm, q->s->g, q->part, q->t, said);
    return cleave_mpi_evaluate(&m, q->s->g, q->nparts, q->part, NULL, said);
}

static void test_out_of_memory(void)
{
    clv_target *t = NULL;
    int32_t *part = sample_room(60, sizeof *part);
    REQUIRE_OK(clv_target_parse(&t, "mesh:3x3", &err));
    for (int kind = CLEAVE_UNDIRECTED; kind <= CLEAVE_DAG; kind++) {
        sample_spec spec = {(cleave_kind)kind, 60, 2, true, 2, 0, 9};
        sample s = sample_make(&comm, &spec, 0, 5);
        REQUIRE(s.g);
        fill_parts(&s, 9, PARTS_RANDOM, 1, part);
        const int32_t *own = sample_own(&s, part);
        sample_fail_each(&comm, 1, ask, &(question){&s, 9, own, NULL});
        sample_fail_each(&comm, 1, ask, &(question){&s, 100, own, NULL});
        sample_fail_each(&comm, 1, ask, &(question){&s, 9, own, t});
        sample_free(&s);
    }
    clv_target_free(t);
    free(part);
}

/* ---- Targets ---------------------------------------------------------------------------- */

static void check_same_target(const cleave_target_metrics *a, const cleave_target_metrics *b)
{
    CHECK_EQ(a->cost, b->cost);
    CHECK_EQ(a->cost_identity, b->cost_identity);
    CHECK_EQ(a->cut, b->cut);
    CHECK(a->average_dilation == b->average_dilation);
    CHECK_EQ(a->max_link_load, b->max_link_load);
    CHECK(a->average_link_load == b->average_link_load);
    CHECK_EQ(a->max_pe_traffic, b->max_pe_traffic);
    CHECK(a->imbalance == b->imbalance);
    CHECK_EQ(a->levels, b->levels);
    CHECK(memcmp(a->cost_level, b->cost_level, sizeof a->cost_level) == 0);
    CHECK(memcmp(a->cost_level_identity, b->cost_level_identity, sizeof a->cost_level) == 0);
}

static void compare_target(const sample *s, const cleave_target *t, uint64_t seed)
{
    int32_t n = cleave_graph_vertices(s->whole), npes = cleave_target_pes(t);
    int32_t *part = sample_room(n, sizeof *part);
    cleave_target_metrics here, whole;
    cleave_mapping *m = NULL;
    for (int kind = 0; kind < PARTS_KINDS; kind++) {
        fill_parts(s, npes, kind, seed, part);
        cleave_target_metrics_init(&here, sizeof here);
        cleave_target_metrics_init(&whole, sizeof whole);
        REQUIRE_OK(cleave_mapping_create(&m, n, npes, part, &err));
        CHECK_OK(cleave_evaluate_target(&whole, s->whole, m, t, &err));
        CHECK_OK(cleave_mpi_evaluate_target(&here, s->g, sample_own(s, part), t, &err));
        check_same_target(&here, &whole);
        cleave_mapping_free(m);
    }
    free(part);
}

static void try_target(const char *text)
{
    static const int32_t sizes[] = {0, 1, 9, 120};
    cleave_target *t = NULL;
    REQUIRE_OK(cleave_target_parse(&t, text, &err));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int spread = 0; spread < SAMPLE_SPREADS; spread++)
            for (int kind = CLEAVE_UNDIRECTED; kind <= CLEAVE_DAG; kind++) {
                sample_spec spec = {(cleave_kind)kind, sizes[i], 2, spread % 2 == 0, 2, 0, 9};
                sample s = sample_make(&comm, &spec, spread, i);
                if (s.g)
                    compare_target(&s, t, i);
                sample_free(&s);
            }
    cleave_target_free(t);
}

static void test_targets(void)
{
    static const char *const texts[] = {
        "1",           "8",           "3,2,2,1,0",           "mesh:4x3",
        "torus:3x3x2", "hypercube:4", "tree:2:3:2@1:10:100", "300"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        try_target(texts[i]);
}

static void test_targets_refused(void)
{
    sample_spec spec = {CLEAVE_UNDIRECTED, 20, 2, true, 1, 0, 9};
    sample s = sample_make(&comm, &spec, 0, 3);
    int32_t part[20] = {0};
    cleave_target *t = NULL;
    cleave_target_metrics m;
    cleave_error said = {0};
    cleave_target_metrics_init(&m, sizeof m);
    REQUIRE(s.g);
    REQUIRE_OK(cleave_target_parse(&t, "4", &err));
    part[19] = 4;
    cleave_status status = cleave_mpi_evaluate_target(&m, s.g, sample_own(&s, part), t, &said);
    CHECK_EQ(status, CLEAVE_EINVAL);
    CHECK_STR(said.message, "vertex 19 is in part 4, but parts run from 0 to 3");
    CHECK(sample_agreed(&comm, status, &said));
    status = cleave_mpi_evaluate_target(&m, s.g, sample_own(&s, part),
                                        comm.rank == comm.size - 1 ? NULL : t, &said);
    CHECK_EQ(status, CLEAVE_EINVAL);
    CHECK(sample_agreed(&comm, status, &said));
    cleave_target_free(t);
    sample_free(&s);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    CHECK_OK(clv_comm_open(&comm, MPI_COMM_WORLD, &err));
    RUN_ALL(&comm, test_undirected);
    RUN_ALL(&comm, test_dags);
    RUN_ALL(&comm, test_zigzag);
    RUN_ALL(&comm, test_one_return);
    RUN_ALL(&comm, test_cases_came_up);
    RUN_ALL(&comm, test_generated);
    RUN_ALL(&comm, test_refused);
    RUN_ALL(&comm, test_cycles);
    RUN_ALL(&comm, test_sums_that_do_not_fit);
    RUN_ALL(&comm, test_sums);
    RUN_ALL(&comm, test_out_of_memory);
    RUN_ALL(&comm, test_targets);
    RUN_ALL(&comm, test_targets_refused);
    int status = sample_end(&comm);
    clv_comm_close(&comm);
    MPI_Finalize();
    return status;
}
