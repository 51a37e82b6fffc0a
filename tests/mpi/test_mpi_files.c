/* SPDX-License-Identifier: Apache-2.0 */
/* Graph files of all formats, read and written by many ranks, with failures on one of them.
 * (Split texts: test_mpi_text.c; parts and orders: test_mpi_results.c.) */
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "formats/binary_verify.h"
#include "mpi/mpi_file_fixture.h"

static cleave_error err;

enum { nkinds = 10 };
static const sample_spec kinds[nkinds] = {
    {CLEAVE_UNDIRECTED, 60, 3, false, 1, 0, 1}, {CLEAVE_UNDIRECTED, 41, 4, true, 1, 2, 9},
    {CLEAVE_UNDIRECTED, 37, 2, true, 3, 3, 5},  {CLEAVE_UNDIRECTED, 5, 0, false, 1, 3, 1},
    {CLEAVE_UNDIRECTED, 0, 0, false, 1, 0, 1},  {CLEAVE_UNDIRECTED, 1, 0, true, 1, 0, 1},
    {CLEAVE_DAG, 50, 3, false, 1, 0, 1},        {CLEAVE_DAG, 44, 4, true, 2, 2, 7},
    {CLEAVE_DAG, 3, 1, true, 1, 0, 2},          {CLEAVE_DAG, 0, 0, false, 1, 0, 1},
};

/* ---- Writing and reading back --------------------------------------------------------- */

/* What the ranks write is what one machine writes, byte for byte. */
static void check_writing(const sample *s, const char *name)
{
    char reference[64];
    snprintf(reference, sizeof reference, "whole-%s", name);
    const char *path = shared_path(name), *expected = shared_path(reference);
    cleave_status status = cleave_mpi_graph_write(s->g, path, &err);
    CHECK(sample_agreed(&comm, status, &err));
    CHECK_OK(status);
    if (comm.rank == 0) {
        CHECK_OK(cleave_graph_write(s->whole, expected, NULL, &err));
        CHECK(same_files(path, expected));
        CHECK_EQ(count_files(".tmp"), 0);
    }
    MPI_Barrier(comm.mpi);
    CHECK_EQ(check_reading(path, NULL, name), CLEAVE_OK);
}

static void test_binary(void)
{
    for (int k = 0; k < nkinds; k++)
        for (int spread = 0; spread < SAMPLE_SPREADS; spread++) {
            sample s = sample_make(&comm, &kinds[k], spread, (uint64_t)(k + 1));
            check_writing(&s, "g.clv");
            sample_free(&s);
        }
}

/* Also: more arcs than a buffer of the writer holds, and a row longer than it. */
static void test_large_binary(void)
{
    enum { n = 100000 };
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    int64_t *xadj = malloc((n + 1) * sizeof *xadj);
    int32_t *adj = malloc(2 * n * sizeof *adj), *ewgt = malloc(2 * n * sizeof *ewgt);
    xadj[0] = 0;
    for (int32_t v = 0, a = 0; v < n; v++) { /* a star around vertex n / 2 */
        for (int32_t u = 0; u < n; u++) {
            if (v != n / 2)
                u = n / 2;
            if (u != v) {
                ewgt[a] = 1 + (u + v) % 7;
                adj[a++] = u;
            }
            if (v != n / 2)
                break;
        }
        xadj[v + 1] = a;
    }
    csr.nvtx = n;
    csr.xadj = xadj;
    csr.adj = adj;
    csr.ewgt = ewgt;
    cleave_graph *whole;
    REQUIRE_OK(cleave_graph_create(&whole, &csr, 0, &err));
    sample s = sample_deal(&comm, whole, 0, 1);
    check_writing(&s, "star.clv");
    sample_free(&s);
    free(xadj);
    free(adj);
    free(ewgt);
}

static void test_other_formats(void)
{
    static const char *const names[] = {"g.graph", "g.mtx", "g.clv.gz", "g.graph.gz",
                                        "g.edges", "g.dot", "g.scotch"};
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 2; k++) {
            sample s = sample_make(&comm, &kinds[k], 3, 77);
            if (!(k == 1 && i == 4))
                check_writing(&s, names[i]);
            sample_free(&s);
        }
    sample s = sample_make(&comm, &kinds[6], 0, 78);
    check_writing(&s, "g.dot");
    sample_free(&s);
}

/* Vertices and arcs together are distributed evenly for any degrees. */
static void test_shares(void)
{
    cleave_mpi_graph *g;
    cleave_generate_options opt;
    cleave_generate_options_init(&opt, sizeof opt);
    cleave_graph *whole = NULL;
    const char *paths[] = {shared_path("rmat.clv"), shared_path("rmat.graph"),
                           shared_path("rmat.mtx")};
    if (comm.rank == 0)
        REQUIRE_OK(cleave_graph_generate(&whole, "rmat:13:8", &opt, &err));
    for (int i = 0; i < 3; i++) {
        if (comm.rank == 0)
            CHECK_OK(cleave_graph_write(whole, paths[i], NULL, &err));
        MPI_Barrier(comm.mpi);
        CHECK_OK(cleave_mpi_graph_read(&g, comm.mpi, paths[i], NULL, &err));
        int64_t mine = 2 * (int64_t)g->nlocal + g->narc;
        int64_t all = 2 * g->nglobal + g->narc_global;
        CHECK(mine < all / comm.size + all / 20); /* a row is not cut */
        clv_dist_graph_free(g);
    }
    cleave_graph_free(whole);
}

/* ---- Options --------------------------------------------------------------------------- */

static void test_options(void)
{
    static const char graph[] = "4 4 011\n1 2 7 3 8\n2 1 7 3 9\n3 1 8 2 9 4 1\n4 3 1\n";
    static const char one_way[] = "3 2\n2\n3\n\n";
    static const char values[] = "%%MatrixMarket matrix coordinate real symmetric\n"
                                 "3 3 3\n2 1 1.5\n3 1 -2\n3 3 9\n";
    cleave_read_options opt = read_as(NULL);
    const char *path = shared_bytes("o.graph", graph, strlen(graph));
    opt.weights = "none";
    CHECK_EQ(check_reading(path, &opt, graph), CLEAVE_OK);
    opt = read_as("lower");
    CHECK_EQ(check_reading(path, &opt, graph), CLEAVE_OK);
    opt = read_as("sideways");
    CHECK_EQ(check_reading(path, &opt, graph), CLEAVE_EINVAL);
    opt = read_as(NULL);
    opt.format = "edges";
    CHECK_EQ(check_reading(path, &opt, graph), CLEAVE_EPARSE);
    opt.format = "nothing";
    CHECK_EQ(check_reading(path, &opt, graph), CLEAVE_EINVAL);
    opt = read_as(NULL);
    opt.mesh = "dual";
    CHECK_EQ(check_reading(path, &opt, graph), CLEAVE_EINVAL);
    path = shared_bytes("one.graph", one_way, strlen(one_way));
    CHECK_EQ(check_reading(path, NULL, one_way), CLEAVE_EPARSE);
    opt = read_as(NULL);
    opt.symmetrise = "max";
    CHECK_EQ(check_reading(path, &opt, one_way), CLEAVE_OK);
    cleave_repairs repairs;
    cleave_repairs_init(&repairs, sizeof repairs);
    opt = read_as(NULL);
    opt.flags = CLEAVE_REPAIR;
    opt.repairs = &repairs;
    CHECK_EQ(check_reading(path, &opt, one_way), CLEAVE_OK);
    CHECK_EQ(repairs.one_way, 2);
    path = shared_bytes("v.mtx", values, strlen(values));
    opt = read_as(NULL);
    opt.weights = "values";
    CHECK_EQ(check_reading(path, &opt, values), CLEAVE_OK);
    opt.scale = 1e12;
    CHECK_EQ(check_reading(path, &opt, values), CLEAVE_EPARSE);
    CHECK_EQ(check_reading(shared_path("absent.graph"), NULL, ""), CLEAVE_EIO);
    CHECK_EQ(check_reading(shared_folder(), NULL, ""), CLEAVE_EIO);
    opt = read_as("dag");
    opt.condense = 1;
    path = shared_bytes("c.graph", "3 3\n2\n3\n1\n", 10);
    CHECK_EQ(check_reading(path, &opt, values), CLEAVE_OK);
}

static void test_arguments(void)
{
    cleave_mpi_graph *g;
    cleave_status status = cleave_mpi_graph_read(&g, comm.mpi, NULL, NULL, &err);
    CHECK_EQ(status, CLEAVE_EINVAL);
    CHECK(sample_agreed(&comm, status, &err));
    /* One rank alone makes the mistake. */
    status = cleave_mpi_graph_read(&g, comm.mpi, comm.rank == comm.size - 1 ? NULL : "x", NULL,
                                   &err);
    CHECK_EQ(status, CLEAVE_EINVAL);
    CHECK(sample_agreed(&comm, status, &err));
    CHECK_EQ(cleave_mpi_graph_read(&g, comm.mpi, NULL, NULL, NULL), CLEAVE_EINVAL);
    CHECK_EQ(cleave_mpi_graph_read(&g, MPI_COMM_NULL, "x", NULL, NULL), CLEAVE_EINVAL);
    CHECK_EQ(cleave_mpi_graph_write(NULL, "x", NULL), CLEAVE_EINVAL);
}

static int stop(void *payload, const cleave_progress *now)
{
    return *(int *)payload == comm.rank && now->done > 0;
}

/* A callback that stops on one rank stops all. */
static void test_cancelled(void)
{
    enum { n = 1000 };
    char graph[2 * n];
    int at = sprintf(graph, "%d 1\n2\n1\n", n);
    memset(graph + at, '\n', n - 2); /* everybody has something to read */
    const char *path = shared_bytes("p.graph", graph, (size_t)at + n - 2);
    for (int who = -1; who < comm.size; who++) {
        cleave_read_options opt = read_as(NULL);
        cleave_mpi_graph *g = NULL;
        opt.progress = stop;
        opt.payload = &who;
        cleave_status status = cleave_mpi_graph_read(&g, comm.mpi, path, &opt, &err);
        CHECK_EQ(status, who < 0 ? CLEAVE_OK : CLEAVE_ECANCEL);
        CHECK(sample_agreed(&comm, status, &err));
        clv_dist_graph_free(g);
    }
}

static void test_coordinates(void)
{
    static const char graph[] = "3 2\n2\n1 3\n2\n", good[] = "0 1\n2 3.5\n-1 1e3\n";
    static const char bad[] = "0 1\n2 x\n", few[] = "0 1\n";
    const char *path = shared_bytes("xy.graph", graph, strlen(graph));
    CHECK_EQ(check_reading(path, NULL, graph), CLEAVE_OK);
    shared_bytes("xy.coords", good, strlen(good));
    CHECK_EQ(check_reading(path, NULL, good), CLEAVE_OK);
    cleave_read_options opt = read_as(NULL);
    opt.coords = "";
    CHECK_EQ(check_reading(path, &opt, good), CLEAVE_OK);
    shared_bytes("xy.coords", few, strlen(few));
    CHECK_EQ(check_reading(path, NULL, few), CLEAVE_OK); /* the file exists but is not used */
    opt.coords = shared_bytes("xy.bad", bad, strlen(bad));
    CHECK_EQ(check_reading(path, &opt, bad), CLEAVE_EPARSE);
    opt.coords = shared_path("absent.xyz");
    CHECK_EQ(check_reading(path, &opt, ""), CLEAVE_EIO);
    opt.coords = shared_bytes("xy.good", good, strlen(good));
    CHECK_EQ(check_reading(path, &opt, good), CLEAVE_OK);
}

/* ---- Damaged binary files --------------------------------------------------------------- */

enum { header_bytes = 320, at_header_sum = 16, at_data_sum = 24 };

/* Makes both sums right again after a change. */
static void reseal(char *bytes, size_t count)
{
    clv_binary_sum sum;
    uint64_t value = 0;
    clv_binary_sum_init(&sum);
    clv_binary_sum_add(&sum, bytes + header_bytes, count - header_bytes);
    value = clv_binary_sum_value(&sum);
    memcpy(bytes + at_data_sum, &value, 8);
    memset(bytes + at_header_sum, 0, 8);
    clv_binary_sum_init(&sum);
    clv_binary_sum_add(&sum, bytes, header_bytes);
    value = clv_binary_sum_value(&sum);
    memcpy(bytes + at_header_sum, &value, 8);
}

/* The bytes of a binary file with everything but names, on all ranks. */
static char *binary_image(const sample_spec *spec, size_t *count)
{
    sample s = sample_make(&comm, spec, 0, 3);
    const char *path = shared_path("image.clv");
    if (comm.rank == 0)
        CHECK_OK(cleave_graph_write(s.whole, path, NULL, &err));
    MPI_Barrier(comm.mpi);
    char *bytes = file_bytes(path, count);
    sample_free(&s);
    return bytes;
}

static void test_damaged_binary(void)
{
    for (int k = 0; k < 2; k++) {
        size_t count;
        char *bytes = binary_image(&kinds[k == 0 ? 2 : 8], &count);
        for (size_t at = 0; at < count; at += at < header_bytes ? 7 : 97) {
            bytes[at] ^= 1;
            CHECK(check_reading(shared_bytes("d.clv", bytes, count), NULL, "") != CLEAVE_OK);
            bytes[at] ^= 1;
        }
        for (size_t cut = 0; cut < count; cut += 211)
            CHECK(check_reading(shared_bytes("d.clv", bytes, cut), NULL, "") != CLEAVE_OK);
        free(bytes);
    }
}

/* Files that lie and have the right sums: words of the sections are changed.  Of a DAG one
 * machine compares both directions, while the ranks make one anew: they see less. */
static void check_lie(const char *path, bool dag, int *statuses)
{
    cleave_read_options opt = read_as(NULL);
    for (int trust = 0; trust < 2;
         trust++) { /* trusted: the only guarantee is that it does not crash */
        cleave_mpi_graph *g = NULL;
        opt.flags = trust ? CLEAVE_TRUST : 0;
        cleave_status status = cleave_mpi_graph_read(&g, comm.mpi, path, &opt, &err);
        CHECK(sample_agreed(&comm, status, &err));
        clv_dist_graph_free(g);
    }
    if (!dag) /* which of two faults is met first may differ */
        statuses[-check_verdict(path, NULL, false, "lies")]++;
}

static void test_lying_binary(void)
{
    static const int64_t lies[] = {-1, 0, 1, 2, INT32_MAX, INT64_MIN, INT64_MAX};
    int statuses[16] = {0};
    for (int dag = 0; dag < 2; dag++) {
        size_t count;
        char *bytes = binary_image(&kinds[dag ? 8 : 2], &count), *lie = malloc(count);
        for (size_t at = header_bytes, i = 0; at + 8 <= count; at += 12, i++) {
            memcpy(lie, bytes, count);
            memcpy(lie + at, &lies[i % 7], i % 2 ? 8 : 4);
            reseal(lie, count);
            check_lie(shared_bytes("l.clv", lie, count), dag, statuses);
        }
        free(lie);
        free(bytes);
    }
    CHECK(statuses[0] > 5);
    CHECK(statuses[-CLEAVE_EPARSE] > 20);
}

static void test_trusted_binary(void)
{
    cleave_read_options opt = read_as(NULL);
    opt.flags = CLEAVE_TRUST;
    for (int k = 0; k < nkinds; k++) {
        size_t count;
        free(binary_image(&kinds[k], &count));
        CHECK_EQ(check_reading(shared_path("image.clv"), &opt, "trusted"), CLEAVE_OK);
        opt.as = kinds[k].kind == CLEAVE_DAG ? "undirected" : "dag";
        CHECK_EQ(check_reading(shared_path("image.clv"), &opt, "kind"), CLEAVE_EINVAL);
        opt.as = NULL;
    }
}

/* ---- Writing fails ---------------------------------------------------------------------- */

static void check_failure(const sample *s, const char *path, cleave_status expected)
{
    cleave_status status = cleave_mpi_graph_write(s->g, path, &err);
    CHECK_EQ(status, expected);
    CHECK(sample_agreed(&comm, status, &err));
    if (comm.rank == 0)
        CHECK_EQ(count_files(".tmp"), 0);
}

static void test_writing_refused(void)
{
    sample s = sample_make(&comm, &kinds[0], 0, 4);
    check_failure(&s, shared_path("absent/g.clv"), CLEAVE_EIO);
    check_failure(&s, shared_path("g.unknown"), CLEAVE_EINVAL);
    check_failure(&s, "/dev/full", CLEAVE_EINVAL);
    check_failure(&s, comm.rank == comm.size - 1 ? NULL : "x.clv", CLEAVE_EINVAL);
    if (comm.rank == 0) {
        char command[4300];
        snprintf(command, sizeof command, "ln -s /dev/full '%s/full.clv'", shared_folder());
        CHECK_EQ(system(command), 0);
    }
    MPI_Barrier(comm.mpi);
    check_failure(&s, shared_path("full.clv"), CLEAVE_EIO);
    sample_free(&s);
}

/* The disk is full for one rank, which the others must hear; what was there stays. */
static void test_full_disk(void)
{
    sample_spec large = kinds[1];
    large.n = 20000;
    sample s = sample_make(&comm, &large, 0, 4);
    const char *path = shared_bytes("old.clv", "old", 3);
    struct rlimit before, small;
    getrlimit(RLIMIT_FSIZE, &before);
    small = before;
    small.rlim_cur = 100000;
    signal(SIGXFSZ, SIG_IGN);
    for (int victim = 0; victim<comm.size; victim += comm.size> 1 ? comm.size - 1 : 1) {
        if (comm.rank == victim)
            setrlimit(RLIMIT_FSIZE, &small);
        check_failure(&s, path, CLEAVE_EIO);
        check_failure(&s, shared_path("new.clv"), CLEAVE_EIO);
        setrlimit(RLIMIT_FSIZE, &before);
        if (comm.rank == 0) {
            size_t count;
            char *bytes = file_bytes(path, &count);
            CHECK(bytes && count == 3 && memcmp(bytes, "old", 3) == 0);
            CHECK_EQ(count_files("new.clv"), 0);
            free(bytes);
        }
        MPI_Barrier(comm.mpi);
    }
    check_writing(&s, "old.clv");
    sample_free(&s);
}

/* ---- Memory fails on one rank ----------------------------------------------------------- */

static void starve_binary(const sample *s, int rank, bool writing)
{
    const char *path = shared_path("starve.clv");
    int64_t live = test_alloc_live(), n = 1;
    for (bool met = true; met; n += TEST_STRIDE) {
        cleave_mpi_graph *g = NULL;
        memset(&err, 0, sizeof err);
        test_alloc_fail_at(comm.rank == rank ? n : 0);
        cleave_status status = writing ? cleave_mpi_graph_write(s->g, path, &err)
                                       : cleave_mpi_graph_read(&g, comm.mpi, path, NULL, &err);
        met = clv_comm_max(&comm, comm.rank == rank ? test_alloc_calls() : 0) >= n;
        test_alloc_fail_at(0);
        CHECK(sample_agreed(&comm, status, &err));
        CHECK(status == CLEAVE_ENOMEM || (status == CLEAVE_OK && (writing || !met || n > 10)));
        clv_dist_graph_free(g);
        CHECK_EQ(test_alloc_live(), live);
    }
    CHECK(n > 5);
    if (comm.rank == 0)
        CHECK_EQ(count_files(".tmp"), 0);
}

static void test_memory_fails(void)
{
    sample s = sample_make(&comm, &kinds[7], 0, 4);
    for (int i = 0; i < 4; i++)
        starve_binary(&s, i % 2 ? 0 : comm.size - 1, i < 2);
    sample_free(&s);
}

/* ---- Real files ------------------------------------------------------------------------- */

static void test_shared_data(void)
{
    static const char *const names[] = {
        "walshaw/3elt.graph",       "walshaw/add20.graph",
        "walshaw/uk.graph",         "mtx/1138_bus.mtx",
        "mtx/bcspwr10.mtx",         "mtx/rajat01.mtx",
        "mtx/sherman3.mtx",         "mesh/3elt.grf",
        "mesh/brack2_3.graph.gz",   "irregular/wiki-Vote.txt.gz",
        "mtx/1138_bus_nobanner.mtx"};
    enum { count = sizeof names / sizeof *names };
    const char *folder = test_shared("", count);
    for (size_t i = 0; folder && i < count; i++) {
        char path[5000];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        check_reading(path, NULL, path);
        cleave_read_options opt = read_as("lower");
        check_reading(path, &opt, path);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    CHECK_OK(clv_comm_open(&comm, MPI_COMM_WORLD, &err));
    RUN_ALL(&comm, test_binary);
    RUN_ALL(&comm, test_large_binary);
    RUN_ALL(&comm, test_other_formats);
    RUN_ALL(&comm, test_shares);
    RUN_ALL(&comm, test_options);
    RUN_ALL(&comm, test_arguments);
    RUN_ALL(&comm, test_cancelled);
    RUN_ALL(&comm, test_coordinates);
    RUN_ALL(&comm, test_damaged_binary);
    RUN_ALL(&comm, test_lying_binary);
    RUN_ALL(&comm, test_trusted_binary);
    RUN_ALL(&comm, test_writing_refused);
    RUN_ALL(&comm, test_full_disk);
    RUN_ALL(&comm, test_memory_fails);
    RUN_ALL(&comm, test_shared_data);
    int status = sample_end(&comm);
    clv_comm_close(&comm);
    MPI_Finalize();
    return status;
}
