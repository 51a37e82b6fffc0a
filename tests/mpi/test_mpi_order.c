/* SPDX-License-Identifier: Apache-2.0 */
/* Distributed orders other than curves: permutations, nearly as good as those of one machine,
 * topological for DAGs; and rejected arguments. */
#include "graph/order.h"
#include "mpi/mpi_lines.h"

static clv_comm comm;
static cleave_error err;

/* ---- Multilevel ------------------------------------------------------------------------- */

static double crossing_of(const clv_graph *g, const int32_t *vertex)
{
    clv_ws ws = {0};
    clv_order *order = NULL;
    CHECK_OK(clv_order_new(&order, g, "given", vertex, &ws, &err));
    double crossing = cleave_order_average_crossing(order);
    clv_order_free(order);
    clv_ws_free(&ws);
    return crossing;
}

/* What one machine makes of it, which is no work for all of them at once. */
static double crossing_alone(const clv_graph *g, const cleave_order_options *opt,
                             const int32_t *vertex)
{
    double crossing = 0;
    if (comm.rank == 0) {
        cleave_order *one = NULL;
        CHECK_OK(cleave_order_build(&one, g, opt, &err));
        crossing = cleave_order_average_crossing(one);
        for (int32_t p = 0; comm.size == 1 && p < g->nvtx; p++)
            CHECK_EQ(vertex[p], cleave_order_view(one)[p]);
        cleave_order_free(one);
    }
    MPI_Bcast(&crossing, 1, MPI_DOUBLE, 0, comm.mpi);
    return crossing;
}

/* Takes whole over. */
static void check_multilevel(cleave_graph *whole, const char *name, double factor)
{
    cleave_order_options opt = options_for("multilevel");
    sample s = sample_deal(&comm, whole, 0, 1);
    REQUIRE(s.g);
    int32_t *vertex = order_all(&s, &opt);
    REQUIRE(vertex);
    double mine = crossing_of(whole, vertex), best = crossing_alone(whole, &opt, vertex);
    if (comm.rank == 0)
        printf("# %s: average crossing %.1f, on one machine %.1f: %.3f\n", name, mine, best,
               mine / best);
    CHECK(mine <= factor * best);
    free(vertex);
    sample_free(&s);
}

static void test_multilevel(void)
{
    static const char *const specs[] = {"grid2d:60x50", "mesh2d:45x50", "grid3d:12x12x12"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        cleave_graph *whole = NULL;
        REQUIRE_OK(cleave_graph_generate(&whole, specs[i], NULL, &err));
        check_multilevel(whole, specs[i], 1.3);
    }
}

/* Through a strip there is but one good way, and pieces that are the wrong way round cost
 * twice as much as those that are not. */
static void test_pieces_are_turned(void)
{
    cleave_graph *whole = NULL;
    REQUIRE_OK(cleave_graph_generate(&whole, "grid2d:1500x2", NULL, &err));
    check_multilevel(whole, "grid2d:1500x2", comm.size == 1 ? 1 : 0.8);
}

static void test_multilevel_files(void)
{
    static const char *const names[] = {"3elt", "crack", "data"};
    enum { count = sizeof names / sizeof *names };
    const char *folder = test_shared("walshaw", count);
    for (size_t i = 0; folder && i < count; i++) {
        char path[5000];
        cleave_graph *whole = NULL;
        snprintf(path, sizeof path, "%s/%s.graph", folder, names[i]);
        REQUIRE_OK(cleave_graph_read(&whole, path, NULL, &err));
        check_multilevel(whole, names[i], 1.4); /* one seed each */
    }
}

/* Small ones of every kind, also more ranks than vertices. */
static void test_multilevel_small(void)
{
    static const int32_t sizes[] = {0, 1, 2, 5, 40};
    cleave_order_options opt = options_for("multilevel");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int spread = 0; spread < SAMPLE_SPREADS; spread++) {
            sample_spec spec = {CLEAVE_UNDIRECTED, sizes[i], 2, spread % 2 == 0, 2, 0, 9};
            sample s = sample_make(&comm, &spec, spread, i);
            REQUIRE(s.g);
            int32_t *once = order_all(&s, &opt), *twice = order_all(&s, &opt);
            REQUIRE(once && twice);
            CHECK(memcmp(once, twice, (size_t)sizes[i] * sizeof *once) == 0);
            free(once);
            free(twice);
            sample_free(&s);
        }
}

/* ---- DAGs ------------------------------------------------------------------------------- */

static int64_t count_backward(const clv_graph *g, const int32_t *vertex)
{
    int32_t *place = sample_room(g->nvtx, sizeof *place);
    int64_t backward = 0;
    for (int32_t p = 0; p < g->nvtx; p++)
        place[vertex[p]] = p;
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++)
            backward += place[g->adj[a]] < place[v];
    free(place);
    return backward;
}

static void check_dag(const sample *s, const char *method)
{
    cleave_order_options opt = options_for(method);
    int32_t *vertex = order_all(s, &opt);
    REQUIRE(vertex);
    CHECK_EQ(count_backward(s->whole, vertex), 0);
    free(vertex);
}

static void test_dags(void)
{
    static const int32_t sizes[] = {0, 1, 2, 5, 40, 300};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int spread = 0; spread < SAMPLE_SPREADS; spread++) {
            sample_spec spec = {CLEAVE_DAG, sizes[i], 2, spread % 2 == 0, 2, 0, 9};
            sample s = sample_make(&comm, &spec, spread, i);
            REQUIRE(s.g);
            check_dag(&s, "topo");
            check_dag(&s, "multilevel");
            check_dag(&s, "auto");
            sample_free(&s);
        }
}

static void test_cycles(void)
{
    static const char *const methods[] = {"topo", "multilevel"};
    sample s = sample_deal(&comm, sample_circle(30), 0, 1);
    int64_t place[30];
    REQUIRE(s.g);
    for (int i = 0; i < 2; i++) {
        cleave_order_options opt = options_for(methods[i]);
        cleave_status status = cleave_mpi_order(place, s.g, &opt, &err);
        CHECK_EQ(status, CLEAVE_ECYCLE);
        CHECK(sample_agreed(&comm, status, &err));
    }
    sample_free(&s);
}

/* ---- What auto means, and what is refused ----------------------------------------------- */

static void test_auto(void)
{
    sample s = points(&comm, 200, 2, SHAPE_RANDOM, 0, false);
    cleave_order_options quick = options_for(NULL), curve = options_for("hci");
    REQUIRE(s.g);
    quick.effort = CLEAVE_EFFORT_FAST;
    int32_t *a = order_all(&s, &quick), *b = order_all(&s, &curve);
    REQUIRE(a && b);
    CHECK(memcmp(a, b, 200 * sizeof *a) == 0);
    free(a);
    free(b);
    sample_free(&s);
}

/* As on one machine, but with the same words on all ranks. */
static void refuse(const sample *s, const char *method, const char *sentence)
{
    cleave_order_options opt = options_for(method);
    int64_t *place = sample_room(s->g->nlocal, sizeof *place);
    cleave_error said = {0};
    cleave_order *order = NULL;
    cleave_status status = cleave_mpi_order(place, s->g, &opt, &said);
    CHECK_EQ(status, CLEAVE_EINVAL);
    CHECK(sample_agreed(&comm, status, &said));
    if (sentence) {
        CHECK_STR(said.message, sentence);
    } else {
        CHECK_EQ(cleave_order_build(&order, s->whole, &opt, &err), CLEAVE_EINVAL);
        CHECK_STR(said.message, err.message);
    }
    free(place);
}

static void test_refused(void)
{
    sample_spec dag = {CLEAVE_DAG, 20, 1, false, 1, 2, 9};
    sample_spec bare = {CLEAVE_UNDIRECTED, 20, 1, false, 1, 0, 9};
    sample d = sample_make(&comm, &dag, 0, 1), u = sample_make(&comm, &bare, 0, 1);
    sample p = points(&comm, 20, 2, SHAPE_RANDOM, 0, false);
    REQUIRE(d.g && u.g && p.g);
    refuse(&u, "hci", NULL);
    refuse(&u, "topo", NULL);
    refuse(&u, "hilbert", NULL);
    refuse(&d, "zci", NULL);
    if (comm.size > 1)
        refuse(&p, "nd",
               "method nd works on one rank alone; on several there are hci and zci by "
               "coordinates, multilevel, and topo for DAGs");
    sample_free(&d);
    sample_free(&u);
    sample_free(&p);
}

static void test_not_finite(void)
{
    sample_spec spec = {CLEAVE_UNDIRECTED, 20, 1, false, 1, 2, 9};
    cleave_graph *whole = sample_whole(&spec, 1);
    ((double *)whole->coords)[2 * 17 + 1] = NAN;
    ((double *)whole->coords)[2 * 19] = INFINITY;
    sample s = sample_deal(&comm, whole, 0, 1);
    REQUIRE(s.g);
    /* On one rank the error occurs when the graph is assembled. */
    refuse(&s, "zci",
           comm.size == 1
               ? "a coordinate of vertex 17 is not finite"
               : "method zci needs coordinates, but those of vertex 17 are not finite");
    sample_free(&s);
}

static void test_null(void)
{
    sample s = points(&comm, 20, 2, SHAPE_RANDOM, 0, false);
    cleave_order_options opt = options_for("hci");
    int64_t place[20];
    REQUIRE(s.g);
    CHECK_EQ(cleave_mpi_order(place, NULL, &opt, &err), CLEAVE_EINVAL);
    /* One rank alone. */
    cleave_status status =
        cleave_mpi_order(comm.rank == comm.size - 1 ? NULL : place, s.g, &opt, &err);
    CHECK_EQ(status, CLEAVE_EINVAL);
    CHECK(sample_agreed(&comm, status, &err));
    sample_free(&s);
}

/* ---- Memory ----------------------------------------------------------------------------- */

typedef struct wish {
    const sample *s;
    const char *method;
    int64_t *place;
} wish;

static cleave_status grant(void *context, cleave_error *said)
{
    const wish *w = context;
    cleave_order_options opt = options_for(w->method);
    return cleave_mpi_order(w->place, w->s->g, &opt, said);
}

static void test_out_of_memory(void)
{
    sample_spec dag = {CLEAVE_DAG, 50, 2, true, 2, 0, 9};
    sample s = points(&comm, 50, 3, SHAPE_CELLS, 0, true), d = sample_make(&comm, &dag, 0, 1);
    int64_t place[50];
    REQUIRE(s.g && d.g);
    sample_fail_each(&comm, 1, grant, &(wish){&s, "hci", place});
    sample_fail_each(&comm, 1, grant, &(wish){&d, "topo", place});
    sample_fail_each(&comm, 7, grant, &(wish){&s, "multilevel", place});
    sample_fail_each(&comm, 7, grant, &(wish){&d, "multilevel", place});
    sample_free(&s);
    sample_free(&d);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    CHECK_OK(clv_comm_open(&comm, MPI_COMM_WORLD, &err));
    RUN_ALL(&comm, test_auto);
    RUN_ALL(&comm, test_refused);
    RUN_ALL(&comm, test_not_finite);
    RUN_ALL(&comm, test_null);
    RUN_ALL(&comm, test_multilevel_small);
    RUN_ALL(&comm, test_dags);
    RUN_ALL(&comm, test_cycles);
    RUN_ALL(&comm, test_multilevel);
    RUN_ALL(&comm, test_pieces_are_turned);
    RUN_ALL(&comm, test_multilevel_files);
    RUN_ALL(&comm, test_out_of_memory);
    int status = sample_end(&comm);
    clv_comm_close(&comm);
    MPI_Finalize();
    return status;
}
