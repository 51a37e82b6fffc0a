/* SPDX-License-Identifier: Apache-2.0 */
/* Distributed graphs: the arrays of the ranks are preserved, all ranks report the same errors,
 * and vertices and their data move to their new ranks. */
#include <cleave/cleave_mpi.h>

#include "mpi/dist_levels.h"
#include "mpi_samples.h"

static clv_comm comm;

/* ---- Arrays of a range of a whole graph ------------------------------------------------- */

typedef struct share {
    cleave_mpi_csr csr;
    int64_t *first, *xadj, *adj;
} share;

static share share_of(const cleave_graph *whole, int spread, uint64_t seed)
{
    share s;
    cleave_csr view;
    cleave_csr_init(&view, sizeof view);
    cleave_graph_view(whole, &view);
    s.first = sample_room(comm.size + 1, sizeof *s.first);
    sample_spread(view.nvtx, comm.size, spread, seed, s.first);
    int64_t begin = s.first[comm.rank], own = s.first[comm.rank + 1] - begin;
    int64_t base = view.xadj[begin], narc = view.xadj[begin + own] - base;
    s.xadj = sample_room(own + 1, sizeof *s.xadj);
    s.adj = sample_room(narc, sizeof *s.adj);
    for (int64_t v = 0; v <= own; v++)
        s.xadj[v] = view.xadj[begin + v] - base;
    for (int64_t a = 0; a < narc; a++)
        s.adj[a] = view.adj[base + a];
    cleave_mpi_csr_init(&s.csr, sizeof s.csr);
    s.csr.kind = cleave_graph_kind(whole);
    s.csr.vtxdist = s.first;
    s.csr.xadj = s.xadj;
    s.csr.adj = s.adj;
    s.csr.ncon = view.ncon;
    s.csr.ndim = view.ndim;
    s.csr.vwgt = view.vwgt ? view.vwgt + begin * view.ncon : NULL;
    s.csr.ewgt = view.ewgt ? view.ewgt + base : NULL;
    s.csr.vsize = view.vsize ? view.vsize + begin : NULL;
    s.csr.coords = view.coords ? view.coords + begin * view.ndim : NULL;
    return s;
}

static void share_free(share *s)
{
    free(s->first);
    free(s->xadj);
    free(s->adj);
}

static bool same_bytes(const void *a, const void *b, int64_t count, size_t each)
{
    return (!a && !b) || (a && b && memcmp(a, b, (size_t)count * each) == 0);
}

static void check_equal(const cleave_graph *a, const cleave_graph *b)
{
    cleave_csr x, y;
    cleave_csr_init(&x, sizeof x);
    cleave_csr_init(&y, sizeof y);
    cleave_graph_view(a, &x);
    cleave_graph_view(b, &y);
    REQUIRE(x.nvtx == y.nvtx && x.ncon == y.ncon && x.ndim == y.ndim);
    int64_t n = x.nvtx, m = x.xadj[n];
    REQUIRE(same_bytes(x.xadj, y.xadj, n + 1, sizeof *x.xadj));
    CHECK(same_bytes(x.adj, y.adj, m, sizeof *x.adj));
    CHECK(same_bytes(x.ewgt, y.ewgt, m, sizeof *x.ewgt));
    CHECK(same_bytes(x.vwgt, y.vwgt, n * x.ncon, sizeof *x.vwgt));
    CHECK(same_bytes(x.vsize, y.vsize, n, sizeof *x.vsize));
    CHECK(same_bytes(x.coords, y.coords, n * x.ndim, sizeof *x.coords));
}

static const sample_spec specs[] = {
    {CLEAVE_UNDIRECTED, 60, 3, false, 1, 0, 1}, {CLEAVE_UNDIRECTED, 41, 2, true, 2, 3, 9},
    {CLEAVE_UNDIRECTED, 5, 0, true, 1, 2, 1},   {CLEAVE_UNDIRECTED, 0, 0, false, 1, 0, 1},
    {CLEAVE_UNDIRECTED, 1, 0, false, 1, 0, 1},  {CLEAVE_DAG, 50, 3, false, 1, 0, 1},
    {CLEAVE_DAG, 33, 2, true, 1, 2, 7}};
enum { nspecs = sizeof specs / sizeof *specs };

/* ---- Making ----------------------------------------------------------------------------- */

static void check_created(const sample_spec *spec, int spread, unsigned flags)
{
    cleave_error err = {0};
    cleave_graph *whole = sample_whole(spec, 7), *again = NULL;
    cleave_mpi_graph *g = NULL;
    share s = share_of(whole, spread, 7);
    REQUIRE_OK(cleave_mpi_graph_create(&g, MPI_COMM_WORLD, &s.csr, flags, &err));
    CHECK_EQ(cleave_mpi_graph_vertices(g), cleave_graph_vertices(whole));
    CHECK_EQ(cleave_mpi_graph_edges(g), cleave_graph_edges(whole));
    CHECK_EQ(cleave_mpi_graph_kind(g), spec->kind);
    CHECK_OK(clv_dist_graph_gather(&again, g, -1, &err));
    if (again)
        check_equal(again, whole);
    cleave_graph_free(again);
    cleave_mpi_graph_free(g);
    cleave_graph_free(whole);
    share_free(&s);
}

static void test_create(void)
{
    for (int i = 0; i < nspecs; i++)
        for (int spread = 0; spread < SAMPLE_SPREADS; spread++) {
            check_created(&specs[i], spread, 0);
            check_created(&specs[i], spread, CLEAVE_TRUST);
        }
}

/* Ghosts, local numbers and messages between peers. */
static void test_halo(void)
{
    for (int i = 0; i < nspecs; i++) {
        sample s = sample_make(&comm, &specs[i], 3, 11 + (uint64_t)i);
        const clv_dist_graph *g = s.g;
        int64_t all = (int64_t)g->nlocal + g->nghost;
        int64_t *wide = sample_room(all, sizeof *wide);
        int8_t *narrow = sample_room(all, sizeof *narrow);
        cleave_error err = {0};
        for (int32_t v = 0; v < g->nlocal; v++) {
            wide[v] = 3 * clv_dist_global(g, v) + 1;
            narrow[v] = (int8_t)(clv_dist_global(g, v) % 101);
        }
        CHECK_OK(cleave_mpi_exchange(g, wide, sizeof *wide, &err));
        CHECK_OK(cleave_mpi_exchange(g, narrow, sizeof *narrow, &err));
        for (int32_t v = 0; v < all; v++) {
            CHECK_EQ(wide[v], 3 * clv_dist_global(g, v) + 1);
            CHECK_EQ(narrow[v], clv_dist_global(g, v) % 101);
            CHECK_EQ(clv_dist_local(g, clv_dist_global(g, v)), v);
        }
        CHECK_EQ(cleave_mpi_exchange(g, wide, 3, &err), CLEAVE_EINVAL);
        free(wide);
        free(narrow);
        sample_free(&s);
    }
}

/* Every graph counts its own messages. */
static void test_bytes_sent(void)
{
    cleave_graph *whole = sample_whole(&specs[1], 3);
    share s = share_of(whole, 0, 3);
    cleave_mpi_graph *g = NULL, *other = NULL;
    cleave_error err = {0};
    CHECK_OK(cleave_mpi_graph_create(&g, MPI_COMM_WORLD, &s.csr, 0, &err));
    CHECK_OK(cleave_mpi_graph_create(&other, MPI_COMM_WORLD, &s.csr, 0, &err));
    int64_t before = cleave_mpi_bytes_sent(g);
    CHECK_EQ(before, cleave_mpi_bytes_sent(other));
    CHECK((before > 0) == (comm.size > 1));
    int16_t *values = sample_room((int64_t)g->nlocal + g->nghost, sizeof *values);
    memset(values, 0, (size_t)g->nlocal * sizeof *values);
    CHECK_OK(cleave_mpi_exchange(g, values, sizeof *values, &err));
    CHECK_EQ(cleave_mpi_bytes_sent(g),
             before + g->halo.send_at[g->halo.npeers] * (int64_t)sizeof *values);
    CHECK_EQ(cleave_mpi_bytes_sent(other), before);
    CHECK_EQ(cleave_mpi_bytes_sent(NULL), 0);
    free(values);
    cleave_mpi_graph_free(other);
    cleave_mpi_graph_free(g);
    share_free(&s);
    cleave_graph_free(whole);
}

/* ---- What is wrong ---------------------------------------------------------------------- */

/* Damage is done by the rank that owns it; the sentence must hold `part` on all ranks. */
static void check_refused(share *s, cleave_status expected, const char *part)
{
    cleave_error err = {0};
    cleave_mpi_graph *g = NULL;
    cleave_status status = cleave_mpi_graph_create(&g, MPI_COMM_WORLD, &s->csr, 0, &err);
    CHECK_EQ(status, expected);
    CHECK(g == NULL);
    CHECK(sample_agreed(&comm, status, &err));
    if (!strstr(err.message, part)) {
        CHECK(!"the sentence names what is wrong");
        fprintf(stderr, "'%s' does not say '%s'\n", err.message, part);
    }
}

/* A path 0 - 1 - ... - n-1. */
static cleave_graph *path(int32_t n, cleave_kind kind, int32_t weight)
{
    cleave_error err = {0};
    cleave_builder *b = NULL;
    cleave_graph *g = NULL;
    CHECK_OK(cleave_builder_create(&b, kind, &err));
    for (int32_t v = 0; v + 1 < n; v++) {
        int32_t u = v + 1;
        CHECK_OK(cleave_builder_add(b, 1, &v, &u, weight ? &weight : NULL, &err));
    }
    CHECK_OK(cleave_builder_finish(&g, b, n, NULL, &err));
    cleave_builder_free(b);
    return g;
}

/* The arcs of vertex v, if it is ours. */
static int64_t *row_of(share *s, int64_t v, int64_t *at)
{
    int64_t begin = s->first[comm.rank];
    if (v < begin || v >= s->first[comm.rank + 1])
        return NULL;
    *at = s->xadj[v - begin];
    return s->adj + *at;
}

static void test_refusals(void)
{
    cleave_graph *g = path(20, CLEAVE_UNDIRECTED, 5);
    int64_t at, *row;
    share s = share_of(g, 0, 1);
    if ((row = row_of(&s, 19, &at)))
        row[0] = 20;
    check_refused(&s, CLEAVE_EINVAL, "vertex 19 has a neighbour 20, but there are 20");
    if (row)
        row[0] = 19;
    check_refused(&s, CLEAVE_EINVAL, "vertex 19 is its own neighbour");
    if (row)
        row[0] = 3;
    check_refused(&s, CLEAVE_EINVAL, "but not the other way round");
    if (row)
        row[0] = 18;
    if ((row = row_of(&s, 7, &at)))
        row[0] = row[1] = 8;
    check_refused(&s, CLEAVE_EINVAL, "vertex 7 has the neighbour 8 twice");
    if (row)
        row[0] = 6;
    int32_t *weight = sample_room(64, sizeof *weight);
    const int32_t *good = s.csr.ewgt;
    for (int64_t a = 0; a < s.xadj[s.first[comm.rank + 1] - s.first[comm.rank]]; a++)
        weight[a] = good[a];
    s.csr.ewgt = weight;
    if ((row = row_of(&s, 12, &at)))
        weight[at] = 4;
    check_refused(&s, CLEAVE_EINVAL, "the edge between vertices");
    if (row)
        weight[at] = -4;
    check_refused(&s, CLEAVE_EINVAL, "negative weight");
    if (row)
        weight[at] = 5;
    if (comm.rank == comm.size - 1)
        s.first[comm.size]--;
    if (comm.size > 1)
        check_refused(&s, CLEAVE_EINVAL, "vtxdist");
    free(weight);
    share_free(&s);
    cleave_graph_free(g);
}

/* Weights and sizes of vertices, and offsets, of vertex 12. */
static void test_refused_vertices(void)
{
    cleave_graph *g = path(20, CLEAVE_UNDIRECTED, 5);
    share s = share_of(g, 0, 1);
    int64_t at, own = 12 - s.first[comm.rank];
    bool ours = row_of(&s, 12, &at) != NULL;
    int32_t bad[20];
    for (int32_t v = 0; v < 20; v++)
        bad[v] = ours && v == own ? -3 : 1;
    s.csr.vwgt = bad;
    check_refused(&s, CLEAVE_EINVAL, "vertex 12 has the negative weight -3");
    s.csr.vwgt = NULL;
    s.csr.vsize = bad;
    check_refused(&s, CLEAVE_EINVAL, "vertex 12 has the negative size -3");
    s.csr.vsize = NULL;
    if (ours)
        s.xadj[own + 1] = s.xadj[own] - 1;
    check_refused(&s, CLEAVE_EINVAL, "run backwards behind vertex 12");
    share_free(&s);
    cleave_graph_free(g);
}

static void test_disagreements(void)
{
    cleave_graph *g = path(30, CLEAVE_UNDIRECTED, 5);
    share s = share_of(g, 0, 1);
    if (comm.size > 1) {
        const int32_t *weights = s.csr.ewgt, one[30] = {1};
        if (comm.rank == 1)
            s.csr.ewgt = NULL;
        check_refused(&s, CLEAVE_EINVAL, "some ranks give weights of edges");
        s.csr.ewgt = weights;
        if (comm.rank == 0)
            s.csr.vwgt = one;
        check_refused(&s, CLEAVE_EINVAL, "disagree");
        s.csr.vwgt = NULL;
        if (comm.rank == 0)
            s.csr.adj = NULL;
        check_refused(&s, CLEAVE_EINVAL, "xadj or adj is NULL");
    }
    share_free(&s);
    cleave_graph_free(g);
}

/* A rank without vertices can pass NULL for all weights. */
static void test_ignorant(void)
{
    static const sample_spec spec[] = {{CLEAVE_UNDIRECTED, 40, 3, true, 2, 2, 9},
                                       {CLEAVE_DAG, 40, 3, false, 1, 0, 1}};
    if (comm.size == 1)
        return;
    for (int i = 0; i < 2; i++) {
        cleave_error err = {0};
        cleave_graph *whole = sample_whole(&spec[i], 4), *again = NULL;
        cleave_mpi_graph *g = NULL;
        share s = share_of(whole, 1, 4); /* all on the first rank */
        int32_t stray[2] = {1, 1};
        if (comm.rank > 0) {
            cleave_mpi_csr_init(&s.csr, sizeof s.csr);
            s.csr.vtxdist = s.first;
            s.csr.vwgt = s.csr.vsize = i ? stray : NULL;
        }
        CHECK_OK(cleave_mpi_graph_create(&g, MPI_COMM_WORLD, &s.csr, 0, &err));
        if (g) {
            CHECK_EQ(g->kind, spec[i].kind);
            CHECK_EQ(g->ncon, spec[i].ncon);
            CHECK((g->vwgt != NULL) == spec[i].weighted);
            CHECK_OK(clv_dist_graph_gather(&again, g, -1, &err));
        }
        if (again)
            check_equal(again, whole);
        cleave_graph_free(again);
        cleave_mpi_graph_free(g);
        cleave_graph_free(whole);
        share_free(&s);
    }
}

static void test_trusted_range(void)
{
    cleave_error err = {0};
    cleave_graph *whole = path(20, CLEAVE_UNDIRECTED, 0);
    cleave_mpi_graph *g = NULL;
    int64_t at, *row;
    share s = share_of(whole, 0, 1);
    if ((row = row_of(&s, 19, &at)))
        row[0] = 1000000000000;
    cleave_status status =
        cleave_mpi_graph_create(&g, MPI_COMM_WORLD, &s.csr, CLEAVE_TRUST, &err);
    CHECK_EQ(status, CLEAVE_EINVAL);
    CHECK(sample_agreed(&comm, status, &err));
    share_free(&s);
    cleave_graph_free(whole);
}

static void test_cycles(void)
{
    cleave_graph *g = path(20, CLEAVE_DAG, 0);
    int64_t at, *row;
    share s = share_of(g, 0, 1);
    if ((row = row_of(&s, 14, &at)))
        row[0] = 2;
    check_refused(&s, CLEAVE_ECYCLE, "a cycle of 13 vertices");
    if (row)
        row[0] = 12;
    check_refused(&s, CLEAVE_ECYCLE, "13 -> 14 -> 12 -> 13");
    share_free(&s);
    cleave_graph_free(g);
}

/* ---- Levels ----------------------------------------------------------------------------- */

static void test_levels(void)
{
    for (int spread = 0; spread < SAMPLE_SPREADS; spread++) {
        cleave_error err = {0};
        sample s = sample_make(&comm, &specs[5], spread, 3 + (uint64_t)spread);
        int32_t n = s.whole->nvtx, *expected = sample_room(n, sizeof *expected);
        int32_t *level = sample_room(s.g->nlocal, sizeof *level);
        bool cyclic = true;
        CHECK_OK(cleave_graph_levels(s.whole, CLEAVE_LEVELS_TOP, expected, NULL, &err));
        CHECK_OK(clv_dist_levels(s.g, level, &cyclic, &err));
        CHECK(!cyclic);
        for (int32_t v = 0; v < s.g->nlocal; v++)
            CHECK_EQ(level[v], sample_own(&s, expected)[v]);
        free(expected);
        free(level);
        sample_free(&s);
    }
}

/* ---- Moving ----------------------------------------------------------------------------- */

/* Where everybody went, and what with them: seen from the whole. */
static void check_moved(const sample *s, const cleave_mpi_graph *moved, const int32_t *owner,
                        const int64_t *number)
{
    cleave_error err = {0};
    cleave_graph *there = NULL, *expected = NULL;
    clv_arrivals all = {0};
    int32_t n = s->whole->nvtx, *vertex = sample_room(n, sizeof *vertex);
    for (int32_t v = 0; v < s->g->nlocal; v++)
        CHECK_EQ(clv_dist_owner(moved->first, comm.size, number[v]), owner[v]);
    CHECK_OK(clv_comm_gather_all(&comm, number, s->g->nlocal, sizeof *number, &all, &err));
    const int64_t *numbers = all.items;
    for (int32_t v = 0; v < n; v++)
        vertex[numbers[v]] = v;
    CHECK_OK(clv_dist_graph_gather(&there, moved, -1, &err));
    CHECK_OK(cleave_graph_subgraph(&expected, s->whole, n, vertex, &err));
    if (there && expected)
        check_equal(there, expected);
    cleave_graph_free(there);
    cleave_graph_free(expected);
    clv_arrivals_free(&all);
    free(vertex);
}

static void check_values(const sample *s, const cleave_mpi_graph *moved, const int64_t *number)
{
    cleave_error err = {0};
    int64_t *old = sample_room(s->g->nlocal, sizeof *old);
    int64_t *back = sample_room(s->g->nlocal, sizeof *back);
    int64_t *there = sample_room(moved->nlocal, sizeof *there);
    for (int32_t v = 0; v < s->g->nlocal; v++)
        old[v] = number[v] * 7;
    CHECK_OK(cleave_mpi_migrate(s->g, moved, number, old, sizeof *old, there, &err));
    for (int32_t v = 0; v < moved->nlocal; v++)
        CHECK_EQ(there[v], 7 * clv_dist_global(moved, v));
    clv_dist_moved done = {.from = s->g, .to = moved, .number = number};
    CHECK_OK(clv_dist_fetch_values(&done, there, sizeof *there, back, &err));
    CHECK(s->g->nlocal == 0 || memcmp(old, back, (size_t)s->g->nlocal * sizeof *old) == 0);
    free(old);
    free(back);
    free(there);
}

static void test_redistribute(void)
{
    for (int i = 0; i < nspecs; i++)
        for (int spread = 0; spread < SAMPLE_SPREADS; spread++) {
            cleave_error err = {0};
            sample s = sample_make(&comm, &specs[i], spread, 19);
            clv_rng rng = clv_rng_make(5, 1, (uint64_t)comm.rank, (uint64_t)spread);
            int32_t *owner = sample_room(s.g->nlocal, sizeof *owner);
            int64_t *number = sample_room(s.g->nlocal, sizeof *number);
            cleave_mpi_graph *moved = NULL;
            for (int32_t v = 0; v < s.g->nlocal; v++)
                owner[v] = (int32_t)clv_rng_below(&rng, (uint32_t)comm.size);
            CHECK_OK(cleave_mpi_redistribute(&moved, s.g, owner, number, &err));
            if (moved) {
                check_moved(&s, moved, owner, number);
                check_values(&s, moved, number);
            }
            cleave_mpi_graph_free(moved);
            if (s.g->nlocal > 0)
                owner[0] = comm.size;
            if (s.g->nglobal > 0)
                CHECK_EQ(cleave_mpi_redistribute(&moved, s.g, owner, number, &err),
                         CLEAVE_EINVAL);
            free(owner);
            free(number);
            sample_free(&s);
        }
}

/* ---- Memory ----------------------------------------------------------------------------- */

typedef struct failing {
    share s;
    cleave_graph *whole;
} failing;

static cleave_status make_and_move(void *context, cleave_error *err)
{
    failing *f = context;
    cleave_mpi_graph *g = NULL, *moved = NULL;
    cleave_status status = cleave_mpi_graph_create(&g, MPI_COMM_WORLD, &f->s.csr, 0, err);
    if (status == CLEAVE_OK) {
        int32_t *owner = sample_room(g->nlocal, sizeof *owner);
        for (int32_t v = 0; v < g->nlocal; v++)
            owner[v] = v % comm.size;
        status = cleave_mpi_redistribute(&moved, g, owner, NULL, err);
        free(owner);
    }
    cleave_mpi_graph_free(moved);
    cleave_mpi_graph_free(g);
    return status;
}

static void test_memory(void)
{
    for (int i = 1; i < nspecs; i += 5) {
        failing f = {.whole = sample_whole(&specs[i], 3)};
        f.s = share_of(f.whole, 0, 3);
        sample_fail_each(&comm, 1, make_and_move, &f);
        share_free(&f.s);
        cleave_graph_free(f.whole);
    }
}

int main(int argc, char **argv)
{
    cleave_error err = {0};
    MPI_Init(&argc, &argv);
    CHECK_OK(clv_comm_open(&comm, MPI_COMM_WORLD, &err));
    RUN_ALL(&comm, test_create);
    RUN_ALL(&comm, test_halo);
    RUN_ALL(&comm, test_bytes_sent);
    RUN_ALL(&comm, test_refusals);
    RUN_ALL(&comm, test_refused_vertices);
    RUN_ALL(&comm, test_disagreements);
    RUN_ALL(&comm, test_ignorant);
    RUN_ALL(&comm, test_trusted_range);
    RUN_ALL(&comm, test_cycles);
    RUN_ALL(&comm, test_levels);
    RUN_ALL(&comm, test_redistribute);
    RUN_ALL(&comm, test_memory);
    int status = sample_end(&comm);
    clv_comm_close(&comm);
    MPI_Finalize();
    return status;
}
