/* SPDX-License-Identifier: Apache-2.0 */
/* A graph that all ranks make together is the one that a single machine makes; what is wrong
 * with a spec is said in the same words by all; an allocation that fails on one rank fails on
 * all of them. */
#include <cleave/cleave_mpi.h>
#include <stdbool.h>

#include "base/rng.h"
#include "generate/grid.h"
#include "mpi/dist_graph.h"
#include "support/test.h"

static int rank, ranks;

static cleave_generate_options options(uint64_t seed, int threads)
{
    cleave_generate_options opt;
    cleave_generate_options_init(&opt, sizeof opt);
    opt.seed = seed;
    opt.threads = threads;
    return opt;
}

static cleave_csr view_of(const cleave_graph *g)
{
    cleave_csr view;
    cleave_csr_init(&view, sizeof view);
    cleave_graph_view(g, &view);
    return view;
}

/* Do two arrays of n items have the same bytes?  One may be NULL if the other one is. */
static bool same(const void *a, const void *b, int64_t n, size_t each)
{
    if (!a || !b)
        return a == b || n == 0;
    return memcmp(a, b, (size_t)n * each) == 0;
}

static void compare(const cleave_graph *got, const cleave_graph *expected, const char *spec)
{
    cleave_csr a = view_of(got), b = view_of(expected);
    int before = test_failures_;
    CHECK_EQ(cleave_graph_kind(got), cleave_graph_kind(expected));
    CHECK_EQ(a.ndim, b.ndim);
    CHECK_EQ(a.nvtx, b.nvtx);
    if (a.nvtx == b.nvtx && a.ndim == b.ndim) {
        int64_t n = a.nvtx;
        bool rows = same(a.xadj, b.xadj, n + 1, sizeof *a.xadj);
        CHECK(rows);
        CHECK(rows && same(a.adj, b.adj, a.xadj[n], sizeof *a.adj));
        CHECK(same(a.coords, b.coords, n * a.ndim, sizeof *a.coords));
        CHECK(same(a.vwgt, b.vwgt, n, sizeof *a.vwgt));
        CHECK(rows && same(a.ewgt, b.ewgt, a.xadj[n], sizeof *a.ewgt));
    }
    if (test_failures_ > before)
        fprintf(stderr, "%s on %d ranks\n", spec, ranks);
}

/* What holds of every distributed graph, as far as this rank sees it. */
static void check_share(const clv_dist_graph *g)
{
    const int64_t *first = cleave_mpi_graph_vtxdist(g);
    CHECK_EQ(first[0], 0);
    CHECK_EQ(first[ranks], cleave_mpi_graph_vertices(g));
    CHECK_EQ(first[rank + 1] - first[rank], g->nlocal);
    bool good = true;
    for (int64_t a = 0; a < g->xadj[g->nlocal]; a++)
        good = good && g->adj[a] >= 0 && g->adj[a] < g->nlocal + g->nghost;
    CHECK(good);
}

static void check_spec(const char *spec, uint64_t seed, int threads)
{
    cleave_error err = {0};
    cleave_mpi_graph *g = NULL;
    cleave_generate_options opt = options(seed, threads);
    REQUIRE_OK(cleave_mpi_graph_generate(&g, MPI_COMM_WORLD, spec, &opt, &err));
    check_share(g);
    cleave_graph *whole = NULL, *expected = NULL;
    CHECK_OK(clv_dist_graph_gather(&whole, g, 0, &err));
    CHECK((whole != NULL) == (rank == 0));
    if (whole) {
        opt.threads = 1;
        CHECK_OK(cleave_graph_generate(&expected, spec, &opt, &err));
        if (expected)
            compare(whole, expected, spec);
        CHECK_EQ(cleave_mpi_graph_edges(g), cleave_graph_edges(whole));
    }
    cleave_graph_free(expected);
    cleave_graph_free(whole);
    cleave_mpi_graph_free(g);
}

static void check_specs(const char *const *spec, size_t count)
{
    for (size_t i = 0; i < count; i += TEST_STRIDE)
        for (uint64_t seed = 1; seed <= 3; seed++)
            check_spec(spec[i], seed, 1);
}
#define CHECK_SPECS(...)                                                                      \
    check_specs((const char *const[]){__VA_ARGS__},                                           \
                sizeof(const char *const[]){__VA_ARGS__} / sizeof(char *))

/* ---- The same graph --------------------------------------------------------------------- */

static void test_grids(void)
{
    CHECK_SPECS("grid2d:7x5", "grid2d:7x5:5", "grid2d:7x5:9", "grid2d:7x5:periodic",
                "grid2d:7x5:9:periodic", "grid2d:2x2:periodic", "grid2d:3x1:periodic",
                "grid2d:1x1:9:periodic", "grid2d:0x9", "grid2d:9x0:periodic", "grid2d:1x2",
                "grid2d:1x3:9", "grid2d:100x81:9", "grid2d:1x1000:periodic", "grid2d:1000x1",
                "grid3d:4x5x6", "grid3d:4x5x6:27", "grid3d:4x5x6:7:periodic",
                "grid3d:4x5x6:27:periodic", "grid3d:2x2x2:27:periodic", "grid3d:1x1x5",
                "grid3d:3x1x1:periodic", "grid3d:0x1x1", "grid3d:20x21x22:27");
}

static void test_geometric(void)
{
    CHECK_SPECS("rgg:0:5", "rgg:1:5", "rgg:2:0.5", "rgg:2:0.9:3", "rgg:3:1", "rgg:5:2",
                "rgg:6:0", "rgg:100:0:3", "rgg:100:6", "rgg:100:6:3", "rgg:1000:12:2",
                "rgg:1000:12:3", "rgg:1000:899", "rgg:300:250:3", "rgg:1000:200",
                "rgg:2000:0.1", "rgg:2000:0.001", "rgg:1000:80:3", "rgg:4096:6",
                "rgg:4097:6:3", "rgg:30000:8", "rgg:30000:14:3");
    /* more than one round of drawing on 1 to 7 ranks */
    check_spec("rgg:600000:5", 1, 1);
    check_spec("rgg:150000:7:3", 2, 1);
}

static void test_rmat(void)
{
    CHECK_SPECS("rmat:0:0", "rmat:0:5", "rmat:1:3", "rmat:2:1", "rmat:2:100", "rmat:6:0",
                "rmat:6:4", "rmat:8:0.01", "rmat:10:8", "rmat:10:8:0.25:0.25:0.25",
                "rmat:10:8:1:0:0", "rmat:10:8:0:0:0", "rmat:10:8:0:1:0", "rmat:10:8:0:0:1",
                "rmat:9:20:0.1:0.2:0.3", "rmat:9:20:0.05:0.05:0.05", "rmat:5:3000",
                "rmat:14:8", "rmat:17:2", "rmat:18:0.1");
    check_spec("rmat:15:70", 1, 1);
}

static void test_others(void)
{
    CHECK_SPECS("mesh2d:7x5", "mesh3d:4x5x6", "spiral", "tree:0", "tree:1:random", "tree:1000",
                "tree:100:random", "gnp:0:0.5", "gnp:200:0.1", "layered:5:7:3",
                "stencil:7x5:4", "stencil:7x5:0", "polybench:gemm:2x3x4");
}

static void test_threads(void)
{
    for (int threads = 0; threads <= 3; threads++) {
        check_spec("grid3d:30x30x30:27", 1, threads);
        check_spec("rgg:20000:10", 7, threads);
        check_spec("rmat:12:40", 7, threads);
        check_spec("mesh2d:30x30", 7, threads);
    }
}

/* The default options are those of a single machine. */
static void test_defaults(void)
{
    cleave_error err = {0};
    cleave_mpi_graph *g = NULL;
    cleave_graph *whole = NULL, *expected = NULL;
    REQUIRE_OK(cleave_mpi_graph_generate(&g, MPI_COMM_WORLD, "rgg:500:6", NULL, &err));
    REQUIRE_OK(clv_dist_graph_gather(&whole, g, -1, &err));
    REQUIRE_OK(cleave_graph_generate(&expected, "rgg:500:6", NULL, &err));
    compare(whole, expected, "rgg:500:6");
    cleave_graph_free(expected);
    cleave_graph_free(whole);
    cleave_mpi_graph_free(g);
}

/* ---- Shares ----------------------------------------------------------------------------- */

/* Nobody has much more than an even share of 2 * vertices + arcs. */
static void check_balance(const char *spec, double most)
{
    cleave_error err = {0};
    cleave_mpi_graph *g = NULL;
    cleave_generate_options opt = options(1, 1);
    REQUIRE_OK(cleave_mpi_graph_generate(&g, MPI_COMM_WORLD, spec, &opt, &err));
    int64_t mine = 2 * (int64_t)g->nlocal + g->narc, largest, sum;
    MPI_Allreduce(&mine, &largest, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(&mine, &sum, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    if ((double)largest > most * (double)sum / ranks)
        fprintf(stderr, "%s: %lld of %lld\n", spec, (long long)largest, (long long)sum);
    CHECK((double)largest <= most * (double)sum / ranks);
    cleave_mpi_graph_free(g);
}

static void test_balance(void)
{
    if (ranks > 16)
        return;
    check_balance("grid2d:300x300", 1.02);
    check_balance("rgg:100000:10", 1.05);
    check_balance("rgg:100000:10:3", 1.1);
    check_balance("rmat:16:8", 1.15);
}

/* Grids beyond 2^31 vertices, of which only a few rows are looked at. */
static void test_wide_grids(void)
{
    static const struct {
        const char *parameters;
        int ndim;
        int64_t nvtx;
    } table[] = {{":100000x100000", 2, INT64_C(10000000000)},
                 {":100000x100000:9:periodic", 2, INT64_C(10000000000)},
                 {":3000x2000x1000:27", 3, INT64_C(6000000000)},
                 {":3000x2000x1000:periodic", 3, INT64_C(6000000000)}};
    clv_rng rng = clv_rng_make(1, 0, 0, (uint64_t)rank);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        cleave_error err = {0};
        clv_grid g;
        clv_spec spec = clv_spec_start(table[i].parameters, 0, "form");
        REQUIRE_OK(clv_grid_read(&g, &spec, table[i].ndim, INT64_C(1) << 40, &err));
        CHECK_EQ(g.nvtx, table[i].nvtx);
        for (int trial = 0; trial < 1000; trial++) {
            int64_t v = (int64_t)(clv_rng_u64(&rng) % (uint64_t)g.nvtx), to[26], back[26];
            double here[3], there[3];
            int count = clv_grid_list(&g, v, to);
            clv_grid_place(&g, v, here);
            CHECK(here[0] == (double)(v % g.size[0]));
            for (int k = 0; k < count; k++) {
                int seen = 0, n = clv_grid_list(&g, to[k], back);
                for (int j = 0; j < n; j++)
                    seen += back[j] == v;
                CHECK_EQ(seen, 1);
                CHECK(k == 0 || to[k] > to[k - 1]);
                clv_grid_place(&g, to[k], there);
                for (int d = 0; d < g.ndim; d++) {
                    double apart =
                        here[d] > there[d] ? here[d] - there[d] : there[d] - here[d];
                    CHECK(apart <= 1 || (g.periodic && apart == g.size[d] - 1));
                }
            }
        }
    }
}

/* ---- Complaints ------------------------------------------------------------------------- */

/* The whole message is the one expected, on this rank as on all. */
static void check_complaint(const char *spec, cleave_status status, const char *message)
{
    cleave_error err = {0};
    cleave_mpi_graph *g = (cleave_mpi_graph *)&err;
    CHECK_EQ(cleave_mpi_graph_generate(&g, MPI_COMM_WORLD, spec, NULL, &err), status);
    CHECK_STR(err.message, message);
    CHECK_EQ(err.status, status);
    CHECK(g == NULL);
}

static void test_complaints(void)
{
    static const struct {
        const char *spec;
        cleave_status status;
        const char *message;
    } table[] = {
#include "generate/complaints.h"
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        /* several ranks hold larger grids than one */
        if (ranks > 1 && strncmp(table[i].spec, "grid", 4) == 0 &&
            strstr(table[i].message, "the number of vertices"))
            continue;
        check_complaint(table[i].spec, table[i].status, table[i].message);
    }
    char message[200];
    int64_t most = INT64_C(2147483646) * ranks, edges = INT64_C(1) << 40;
    snprintf(message, sizeof message,
             "'grid3d:20000x20000x20000': the number of vertices is more than %lld",
             (long long)(most < edges ? most : edges));
    check_complaint("grid3d:20000x20000x20000", CLEAVE_ERANGE, message);
}

/* One rank alone has a wrong argument. */
static void test_lonely_complaints(void)
{
    for (int wrong = 0; wrong < ranks; wrong++) {
        cleave_error err = {0};
        cleave_mpi_graph *g = (cleave_mpi_graph *)&err;
        const char *spec = rank == wrong ? NULL : "grid2d:3x3";
        CHECK_EQ(cleave_mpi_graph_generate(&g, MPI_COMM_WORLD, spec, NULL, &err),
                 CLEAVE_EINVAL);
        CHECK_STR(err.message, "spec is NULL");
        CHECK(g == NULL);
        CHECK_EQ(cleave_mpi_graph_generate(rank == wrong ? NULL : &g, MPI_COMM_WORLD,
                                           "rgg:9:3", NULL, &err),
                 CLEAVE_EINVAL);
        CHECK_STR(err.message, "out is NULL");
        cleave_generate_options opt = options(1, rank == wrong ? -1 : 1);
        CHECK_EQ(cleave_mpi_graph_generate(&g, MPI_COMM_WORLD, "rmat:4:3", &opt, &err),
                 CLEAVE_EINVAL);
        CHECK(g == NULL);
        CHECK_EQ(cleave_mpi_graph_generate(&g, MPI_COMM_WORLD,
                                           rank == wrong ? "rgg:9" : "rgg:9:2", NULL, NULL),
                 CLEAVE_EINVAL);
    }
}

/* ---- Memory ----------------------------------------------------------------------------- */

/* The n-th allocation of one rank fails: true when there were fewer. */
static bool fail_allocation(const char *spec, int victim, int64_t nth)
{
    cleave_error err = {0};
    cleave_mpi_graph *g = NULL;
    cleave_generate_options opt = options(1, 2);
    int64_t live = test_alloc_live();
    test_alloc_fail_at(rank == victim ? nth : 0);
    int status = cleave_mpi_graph_generate(&g, MPI_COMM_WORLD, spec, &opt, &err);
    int last = test_alloc_calls() < nth, agreed = status;
    test_alloc_fail_at(0);
    MPI_Bcast(&last, 1, MPI_INT, victim, MPI_COMM_WORLD);
    MPI_Bcast(&agreed, 1, MPI_INT, victim, MPI_COMM_WORLD);
    CHECK_EQ(status, agreed);
    CHECK((g != NULL) == (status == CLEAVE_OK));
    if (status != CLEAVE_OK) {
        CHECK_EQ(status, CLEAVE_ENOMEM);
        CHECK_STR(err.message, "out of memory");
        CHECK(!last);
    }
    cleave_mpi_graph_free(g);
    CHECK_EQ(test_alloc_live(), live);
    return last;
}

static void test_failing_allocations(void)
{
    static const char *const specs[] = {"grid2d:9x9",   "grid3d:3x3x3:27", "rgg:200:6",
                                        "rgg:200:6:3",  "rmat:6:4",        "tree:50",
                                        "layered:4:5:2"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i += TEST_STRIDE)
        for (int victim = 0; victim<ranks; victim += ranks> 1 ? ranks - 1 : 1) {
            int64_t nth = 1;
            while (nth < 1000 && !fail_allocation(specs[i], victim, nth))
                nth++;
            CHECK(nth > 10 && nth < 1000);
        }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    RUN(test_grids);
    RUN(test_geometric);
    RUN(test_rmat);
    RUN(test_others);
    RUN(test_threads);
    RUN(test_defaults);
    RUN(test_balance);
    RUN(test_wide_grids);
    RUN(test_complaints);
    RUN(test_lonely_complaints);
    RUN(test_failing_allocations);
    int status = test_end();
    MPI_Finalize();
    return status;
}
