/* SPDX-License-Identifier: Apache-2.0 */
/* Files of parts and orders: many ranks write and read the same as one process, errors
 * included. */
#include "mpi/mpi_file_fixture.h"

static cleave_error err;

/* ---- Parts ------------------------------------------------------------------------------ */

static int32_t *some_parts(int64_t n, int32_t nparts)
{
    clv_rng rng = clv_rng_make(3, 3, 3, (uint64_t)n);
    int32_t *part = sample_room(n, sizeof *part);
    for (int64_t v = 0; v < n; v++)
        part[v] = (int32_t)clv_rng_below(&rng, (uint32_t)nparts);
    return part;
}

static void check_parts(int32_t n, int32_t nparts, const char *name, int spread)
{
    sample_spec spec = {CLEAVE_UNDIRECTED, n, 1, false, 1, 0, 1};
    sample s = sample_make(&comm, &spec, spread, 8);
    int32_t *part = some_parts(n, nparts), *mine = sample_room(s.g->nlocal, sizeof *mine);
    const char *path = shared_path(name);
    cleave_status status = cleave_mpi_parts_write(path, s.g, sample_own(&s, part), &err);
    CHECK(sample_agreed(&comm, status, &err));
    CHECK_OK(status);
    if (comm.rank == 0 && !strstr(name, ".gz")) {
        cleave_mapping *m;
        const char *expected = shared_path("expected");
        CHECK_EQ(rename(path, expected), 0); /* the name makes the form */
        CHECK_OK(cleave_mapping_create(&m, n, nparts, part, &err));
        CHECK_OK(cleave_mapping_write(m, path, &err));
        CHECK(same_files(path, expected));
        CHECK_EQ(count_files(".tmp"), 0);
        cleave_mapping_free(m);
    }
    MPI_Barrier(comm.mpi);
    int32_t found = -1, given = nparts;
    CHECK_OK(cleave_mpi_parts_read(mine, &found, s.g, path, &err));
    CHECK_EQ(memcmp(mine, sample_own(&s, part), (size_t)s.g->nlocal * 4), 0);
    int32_t largest = -1;
    for (int32_t v = 0; v < n; v++)
        largest = part[v] > largest ? part[v] : largest;
    CHECK_EQ(found, largest + 1);
    memset(mine, 0, (size_t)s.g->nlocal * 4);
    CHECK_OK(cleave_mpi_parts_read(mine, &given, s.g, path, &err));
    CHECK_EQ(given, nparts);
    CHECK_EQ(memcmp(mine, sample_own(&s, part), (size_t)s.g->nlocal * 4), 0);
    free(part);
    free(mine);
    sample_free(&s);
}

static void test_parts(void)
{
    for (int spread = 0; spread < SAMPLE_SPREADS; spread++) {
        check_parts(100, 7, "a.part.7", spread);
        check_parts(100, 7, "a.map", spread);
        check_parts(100, 7, "a.part.gz", spread);
        check_parts(0, 3, "b.part", spread);
        check_parts(1, 1, "c.part", spread);
        check_parts(300000, 1000, "large.part", spread);
    }
    check_parts(100, 7, "cellDecomposition", 0);
}

/* The same verdict and words as on one machine. */
static void check_parts_text(const sample *s, const char *name, const char *text,
                             int32_t nparts)
{
    int32_t *mine = sample_room(s->g->nlocal, sizeof *mine), ours = nparts;
    const char *path = shared_bytes(name, text, strlen(text));
    memset(&err, 0, sizeof err);
    cleave_status status = cleave_mpi_parts_read(mine, &ours, s->g, path, &err);
    CHECK(sample_agreed(&comm, status, &err));
    if (comm.rank == 0) {
        cleave_error expected = {0};
        cleave_mapping *m;
        CHECK_EQ(status, cleave_mapping_read(&m, path, cleave_graph_vertices(s->whole), nparts,
                                             &expected));
        CHECK_STR(err.message, expected.message);
        if (m)
            CHECK_EQ(ours, cleave_mapping_nparts(m));
        cleave_mapping_free(m);
    }
    free(mine);
    MPI_Barrier(comm.mpi);
}

static void test_bad_parts(void)
{
    static const char *const texts[] = {"0\n1\n2\n0\n1\n2\n0\n",
                                        "0\n1\n2\n0\n1\n2\n0\n1\n",
                                        "0\n1\n2\n0\n1\n2\n",
                                        "% c\n0\n\n1\n2\n0\n1\n2\n#\n0",
                                        "0\n1\n3\n0\n1\n2\n0\n",
                                        "0\n1\n2\n0\n1\n2\n-1\n",
                                        "0\n1\n2\n0\n1 2\n2\n0\n",
                                        "0\nx\n",
                                        "",
                                        "7\n0 1\n1 1\n2 0\n6 2\n5 1\n4 0\n3 2\n",
                                        "7\n0 1\n1 1\n2 0\n6 2\n5 1\n4 0\n3\n",
                                        "6\n0 1\n1 1\n",
                                        "0\n1\n99999999999999999999\n"};
    sample_spec spec = {CLEAVE_UNDIRECTED, 7, 1, false, 1, 0, 1};
    for (int spread = 0; spread < SAMPLE_SPREADS; spread++) {
        sample s = sample_make(&comm, &spec, spread, 8);
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
            for (int32_t nparts = -1; nparts <= 3; nparts += 2)
                check_parts_text(&s, "t.part", texts[i], nparts);
        sample_free(&s);
    }
}

static void test_parts_refused(void)
{
    sample_spec spec = {CLEAVE_UNDIRECTED, 30, 1, false, 1, 0, 1};
    sample s = sample_make(&comm, &spec, 0, 8);
    int32_t *part = some_parts(30, 2), nparts = -2;
    const char *bad[] = {shared_path("absent/a.part"), shared_path("a.vtk"),
                         comm.rank == comm.size - 1 ? NULL : shared_path("x.part")};
    const cleave_status expected[] = {CLEAVE_EIO, CLEAVE_EINVAL, CLEAVE_EINVAL};
    for (int i = 0; i < 3; i++) {
        cleave_status status = cleave_mpi_parts_write(bad[i], s.g, part, &err);
        CHECK_EQ(status, expected[i]);
        CHECK(sample_agreed(&comm, status, &err));
    }
    CHECK_EQ(cleave_mpi_parts_write("/dev/full", s.g, part, &err), CLEAVE_EIO);
    CHECK_EQ(cleave_mpi_parts_read(part, &nparts, s.g, "x", &err), CLEAVE_EINVAL);
    CHECK_EQ(cleave_mpi_parts_read(part, NULL, s.g, "x", &err), CLEAVE_EINVAL);
    nparts = -1;
    CHECK_EQ(cleave_mpi_parts_read(part, &nparts, s.g, shared_path("absent"), &err),
             CLEAVE_EIO);
    CHECK_EQ(cleave_mpi_parts_read(part, &nparts, NULL, "x", &err), CLEAVE_EINVAL);
    if (comm.rank == 0)
        CHECK_EQ(count_files(".tmp"), 0);
    free(part);
    sample_free(&s);
}

/* ---- Orders ----------------------------------------------------------------------------- */

static void check_order(const sample *s, const int32_t *vertex, const int64_t *place,
                        const char *name)
{
    int32_t n = cleave_graph_vertices(s->whole);
    const char *path = shared_path(name), *expected = shared_path("expected.order");
    cleave_status status =
        cleave_mpi_order_write(path, s->g, place + s->g->first[comm.rank], "given", &err);
    CHECK(sample_agreed(&comm, status, &err));
    CHECK_OK(status);
    if (comm.rank != 0 || status != CLEAVE_OK)
        return;
    cleave_order *o;
    int32_t *weight = sample_room(n, sizeof *weight);
    for (int32_t v = 0; v < n; v++)
        weight[v] = clv_graph_vwgt(s->whole, v, 0);
    CHECK_OK(cleave_order_create(&o, n, vertex, weight, &err));
    if (comm.size > 1 && !strstr(name, ".gz")) {
        CHECK_OK(cleave_order_write(o, expected, &err));
        CHECK(same_files(path, expected));
    }
    cleave_order *back = NULL;
    CHECK_OK(cleave_order_read(&back, path, &err));
    CHECK(back && cleave_order_vertices(back) == n);
    for (int32_t p = 0; back && p < n; p++)
        CHECK_EQ(cleave_order_view(back)[p], vertex[p]);
    for (int32_t p = 0; back && p <= n; p++)
        CHECK_EQ(cleave_order_weight_before(back)[p], cleave_order_weight_before(o)[p]);
    CHECK_EQ(count_files(".tmp"), 0);
    cleave_order_free(back);
    cleave_order_free(o);
    free(weight);
}

static void test_orders(void)
{
    static const int32_t sizes[] = {0, 1, 2, 50, 200000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int spread = 0; spread < SAMPLE_SPREADS; spread++) {
            sample_spec spec = {CLEAVE_UNDIRECTED, sizes[i], 1, spread % 2 == 1, 2, 0, 3};
            sample s = sample_make(&comm, &spec, spread, 21);
            clv_rng rng = clv_rng_make(5, 5, 5, i);
            int32_t *vertex = sample_room(sizes[i], sizeof *vertex);
            int64_t *place = sample_room(sizes[i], sizeof *place);
            clv_rng_permutation(&rng, sizes[i], vertex);
            for (int32_t p = 0; p < sizes[i]; p++)
                place[vertex[p]] = p;
            check_order(&s, vertex, place, spread == 0 ? "a.order.gz" : "a.order");
            free(vertex);
            free(place);
            sample_free(&s);
        }
}

/* One rank writes the very file of one machine, in both forms. */
static void test_order_alone(void)
{
    if (comm.size > 1)
        return;
    sample_spec spec = {CLEAVE_UNDIRECTED, 80, 3, true, 1, 2, 3};
    sample s = sample_make(&comm, &spec, 0, 22);
    static const char *const names[] = {"alone.order", "alone.clo"};
    cleave_order_options opt;
    cleave_order_options_init(&opt, sizeof opt);
    cleave_order *o;
    int64_t place[80];
    opt.method = "hci";
    REQUIRE_OK(cleave_order_build(&o, s.whole, &opt, &err));
    for (int32_t p = 0; p < 80; p++)
        place[cleave_order_view(o)[p]] = p;
    for (int i = 0; i < 2; i++) {
        char expected[64];
        snprintf(expected, sizeof expected, "whole-%s", names[i]);
        const char *path = shared_path(names[i]), *other = shared_path(expected);
        CHECK_OK(cleave_mpi_order_write(path, s.g, place, cleave_order_method(o), &err));
        CHECK_OK(cleave_order_write(o, other, &err));
        CHECK(same_files(path, other));
    }
    place[3] = place[4];
    CHECK_EQ(cleave_mpi_order_write(shared_path("bad.order"), s.g, place, "hci", &err),
             CLEAVE_EINVAL);
    CHECK_EQ(count_files("bad.order"), 0);
    cleave_order_free(o);
    sample_free(&s);
}

static void refuse_order(const sample *s, const int64_t *place, const char *name,
                         const char *method, cleave_status expected)
{
    cleave_status status = cleave_mpi_order_write(
        name ? shared_path(name) : NULL, s->g, place + s->g->first[comm.rank], method, &err);
    CHECK_EQ(status, expected);
    CHECK(sample_agreed(&comm, status, &err));
    if (comm.rank == 0 && name)
        CHECK_EQ(count_files(name), 0);
    MPI_Barrier(comm.mpi);
}

static void test_orders_refused(void)
{
    enum { n = 40 };
    sample_spec spec = {CLEAVE_UNDIRECTED, n, 1, false, 1, 0, 1};
    sample s = sample_make(&comm, &spec, 0, 23);
    int64_t place[n];
    for (int32_t v = 0; v < n; v++)
        place[v] = v;
    refuse_order(&s, place, "r.order", "UPPER", CLEAVE_EINVAL);
    refuse_order(&s, place, "r.order", NULL, CLEAVE_EINVAL);
    refuse_order(&s, place, NULL, "hci", CLEAVE_EINVAL);
    if (comm.size > 1)
        refuse_order(&s, place, "r.clo", "hci", CLEAVE_EINVAL);
    place[n - 1] = 0; /* two at one place, none at another */
    refuse_order(&s, place, "r.order", "hci", CLEAVE_EINVAL);
    place[n - 1] = n;
    refuse_order(&s, place, "r.order", "hci", CLEAVE_EINVAL);
    CHECK_EQ(cleave_mpi_order_write("x", NULL, place, "hci", &err), CLEAVE_EINVAL);
    sample_free(&s);
}

/* ---- Memory ----------------------------------------------------------------------------- */

enum { PARTS_WRITE, PARTS_READ, ORDER_WRITE, nactions };

static cleave_status act(int action, const sample *s, int32_t *part, const int64_t *place)
{
    int32_t nparts = -1;
    if (action == PARTS_WRITE)
        return cleave_mpi_parts_write(shared_path("m.part"), s->g, part, &err);
    if (action == PARTS_READ)
        return cleave_mpi_parts_read(part, &nparts, s->g, shared_path("m.part"), &err);
    return cleave_mpi_order_write(shared_path("m.order"), s->g, place, "hci", &err);
}

static void starve(int action, const sample *s, int32_t *part, const int64_t *place, int rank)
{
    int64_t live = test_alloc_live(), n = 1;
    for (bool met = true; met; n++) {
        memset(&err, 0, sizeof err);
        test_alloc_fail_at(comm.rank == rank ? n : 0);
        cleave_status status = act(action, s, part, place);
        met = clv_comm_max(&comm, comm.rank == rank ? test_alloc_calls() : 0) >= n;
        test_alloc_fail_at(0);
        CHECK(sample_agreed(&comm, status, &err));
        /* On one rank the graph is gathered, which can do without giving memory back. */
        CHECK(status == CLEAVE_ENOMEM || (status == CLEAVE_OK && (!met || comm.size == 1)));
        CHECK_EQ(test_alloc_live(), live);
    }
    if (comm.rank == 0)
        CHECK_EQ(count_files(".tmp"), 0);
    MPI_Barrier(comm.mpi);
}

static void test_memory_fails(void)
{
    enum { n = 40 };
    sample_spec spec = {CLEAVE_UNDIRECTED, n, 1, false, 1, 0, 1};
    sample s = sample_make(&comm, &spec, 0, 23);
    int32_t part[n] = {0};
    int64_t place[n];
    for (int32_t v = 0; v < n; v++)
        place[v] = n - 1 - (s.g->first[comm.rank] + v);
    for (int action = 0; action < nactions; action++)
        for (int rank = 0; rank<comm.size; rank += comm.size> 1 ? comm.size - 1 : 1)
            starve(action, &s, part, place, rank);
    sample_free(&s);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    CHECK_OK(clv_comm_open(&comm, MPI_COMM_WORLD, &err));
    RUN_ALL(&comm, test_parts);
    RUN_ALL(&comm, test_bad_parts);
    RUN_ALL(&comm, test_parts_refused);
    RUN_ALL(&comm, test_orders);
    RUN_ALL(&comm, test_order_alone);
    RUN_ALL(&comm, test_orders_refused);
    RUN_ALL(&comm, test_memory_fails);
    int status = sample_end(&comm);
    clv_comm_close(&comm);
    MPI_Finalize();
    return status;
}
