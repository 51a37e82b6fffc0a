/* SPDX-License-Identifier: Apache-2.0 */
/* ParMETIS_V3_PartKway, PartGeomKway and PartGeom of compat/parmetis: weights, numbering,
 * distributions, shares and bounds, odd graphs, determinism, names for Fortran.  Built for
 * both libraries, run on any number of ranks. */
#include "compat/parmetis/par_fixture.h"

static whole w;
static share s, before;
static idx_t all[most_vertices], again[most_vertices];

/* What most tests change a little. */
static struct {
    idx_t wgtflag, numflag, ncon, nparts, ndims, options[4], cut;
    real_t tpwgts[most_kinds * 64], ubvec[most_kinds];
} q;

static void fresh(idx_t width, idx_t height, idx_t ncon, idx_t nparts)
{
    whole_grid(&w, width, height, ncon);
    memset(&q, 0, sizeof q);
    q.ncon = ncon;
    q.nparts = nparts;
    q.ndims = 3;
    for (idx_t i = 0; i < ncon * nparts; i++)
        q.tpwgts[i] = 1 / (real_t)nparts;
    for (idx_t c = 0; c < ncon; c++)
        q.ubvec[c] = 1.05f;
    q.cut = -7;
}

static int kway(void)
{
    before = s;
    return ParMETIS_V3_PartKway(s.vtxdist, s.xadj, s.adj, s.vwgt, s.adjwgt, &q.wgtflag,
                                &q.numflag, &q.ncon, &q.nparts, q.tpwgts, q.ubvec, q.options,
                                &q.cut, s.part, &world);
}

static int geomkway(void)
{
    before = s;
    return ParMETIS_V3_PartGeomKway(s.vtxdist, s.xadj, s.adj, s.vwgt, s.adjwgt, &q.wgtflag,
                                    &q.numflag, &q.ndims, s.xyz, &q.ncon, &q.nparts, q.tpwgts,
                                    q.ubvec, q.options, &q.cut, s.part, &world);
}

/* Of the caller's arrays only part was written. */
static bool untouched(void)
{
    memcpy(before.part, s.part, sizeof s.part);
    return memcmp(&before, &s, sizeof s) == 0;
}

static void judge(int status, double eps)
{
    CHECK_EQ(status, METIS_OK);
    CHECK(untouched());
    CHECK(same_everywhere(q.cut));
    if (!gather_parts(&w, &s, q.nparts, all)) {
        CHECK(!"a part is out of range");
        return;
    }
    CHECK_EQ(q.cut, whole_cut(&w, q.wgtflag & 1, all));
    CHECK_EQ(whole_empty(&w, all, q.nparts), w.n < q.nparts ? q.nparts - w.n : 0);
    for (idx_t c = 0; c < q.ncon; c++)
        CHECK(whole_balanced(&w, q.wgtflag & 2, c, all, q.nparts, q.tpwgts, eps));
}

/* ---- Weights, numbering, distributions --------------------------------------------- */

static void test_header(void)
{
#if PARMETIS_MAJOR_VERSION != 4 || PARMETIS_MINOR_VERSION != 0 || IDXTYPEWIDTH % 32 != 0
#error "the header cannot be used in #if"
#endif
    CHECK_EQ(PARMETIS_PSR_COUPLED, 1);
    CHECK_EQ(PARMETIS_PSR_UNCOUPLED, 2);
    CHECK_EQ(METIS_OK, 1);
    CHECK_EQ(METIS_ERROR, -4);
    CHECK_EQ(sizeof(idx_t) * 8, IDXTYPEWIDTH);
    CHECK_EQ(sizeof(real_t), 4);
}

static void test_kway(void)
{
    for (int way = 0; way < fixture_ways; way++)
        for (idx_t wgtflag = 0; wgtflag <= 3; wgtflag++)
            for (idx_t numflag = 0; numflag <= 1; numflag++) {
                fresh(24, 20, 1, 4);
                q.wgtflag = wgtflag;
                q.numflag = numflag;
                deal(&w, way, numflag, &s);
                judge(kway(), 0.05);
                /* Straight cuts are 44; of edges with weights another one is best. */
                CHECK(whole_cut(&w, false, all) <= (wgtflag & 1 ? 120 : 60));
            }
}

static void test_several_weights(void)
{
    for (int way = 0; way < fixture_ways; way++)
        for (idx_t ncon = 2; ncon <= 3; ncon++) {
            fresh(24, 20, ncon, 3);
            q.wgtflag = 2 + way % 2;
            for (idx_t c = 0; c < ncon; c++)
                q.ubvec[c] = 1.15f;
            deal(&w, way, 0, &s);
            judge(kway(), 0.15);
        }
}

static void test_geomkway(void)
{
    for (int way = 0; way < fixture_ways; way++) {
        fresh(24, 20, 1, 4);
        q.wgtflag = 3;
        q.numflag = way % 2;
        q.ndims = 1 + way % 3; /* what is in xyz does not matter */
        deal(&w, way, q.numflag, &s);
        judge(geomkway(), 0.05);
    }
    for (idx_t ndims = 0; ndims <= 4; ndims += 4) {
        q.ndims = ndims;
        CHECK_EQ(geomkway(), METIS_ERROR_INPUT);
    }
}

/* ---- Shares and bounds --------------------------------------------------------------- */

static void test_shares(void)
{
    static const real_t some[] = {.5f, .25f, .15f, .1f};
    fresh(24, 20, 1, 4);
    memcpy(q.tpwgts, some, sizeof some);
    q.wgtflag = 2;
    deal(&w, 0, 0, &s);
    judge(kway(), 0.05);
    q.tpwgts[3] = 0; /* the part stays empty */
    q.tpwgts[2] = .25f;
    CHECK_EQ(kway(), METIS_OK);
    CHECK(gather_parts(&w, &s, 4, all));
    CHECK_EQ(whole_empty(&w, all, 4), 1);
    CHECK(whole_balanced(&w, true, 0, all, 4, q.tpwgts, 0.05));
}

/* The bound of each kind of weight is its own. */
static void test_bounds(void)
{
    for (idx_t tight = 0; tight <= 1; tight++) {
        fresh(24, 20, 2, 4);
        for (idx_t v = 0; v < w.n; v++) /* one kind is at the top, the other everywhere */
            w.vwgt[2 * v + tight] = v < w.n / 3 ? 9 : 1;
        q.wgtflag = 2;
        q.ubvec[tight] = 1.08f;
        q.ubvec[1 - tight] = 3;
        deal(&w, 2, 0, &s);
        CHECK_EQ(kway(), METIS_OK);
        CHECK(gather_parts(&w, &s, 4, all));
        CHECK(whole_balanced(&w, true, tight, all, 4, NULL, 0.08));
        CHECK(whole_balanced(&w, true, 1 - tight, all, 4, NULL, 2));
        CHECK(!whole_balanced(&w, true, 1 - tight, all, 4, NULL, 0.08)); /* for a small cut */
    }
}

/* ---- Odd graphs ----------------------------------------------------------------------- */

static void test_odd(void)
{
    for (int way = 0; way < fixture_ways; way++) {
        fresh(24, 20, 1, 1);
        deal(&w, way, 1, &s);
        q.numflag = 1;
        judge(kway(), 0.05);
        CHECK_EQ(q.cut, 0);
        fresh(2, 2, 1, 9); /* more parts than vertices, and maybe more ranks */
        deal(&w, way, 0, &s);
        judge(kway(), 0.05);
        fresh(1, 1, 1, 2);
        deal(&w, way, 0, &s);
        judge(kway(), 0.05);
    }
    fresh(0, 0, 1, 3); /* nothing at all */
    deal(&w, 0, 0, &s);
    judge(kway(), 0.05);
    CHECK_EQ(q.cut, 0);
}

/* Leaves the edges among the first vertices. */
static void isolate(idx_t first)
{
    idx_t m = 0, from = 0;
    for (idx_t v = 0; v < w.n; v++) {
        for (; from < w.xadj[v + 1]; from++)
            if (v < first && w.adj[from] < first) {
                w.adjwgt[m] = w.adjwgt[from];
                w.adj[m++] = w.adj[from];
            }
        w.xadj[v + 1] = m;
    }
}

static void test_isolated(void)
{
    for (int way = 0; way < fixture_ways; way++) {
        fresh(24, 20, 1, 5);
        isolate(0);
        deal(&w, way, 0, &s);
        q.wgtflag = way % 4;
        judge(kway(), 0.05);
        CHECK_EQ(q.cut, 0);
        fresh(24, 20, 1, 5);
        isolate(300);
        deal(&w, way, 0, &s);
        q.wgtflag = 3 - way % 4;
        judge(kway(), 0.05);
    }
}

static void test_weightless(void)
{
    fresh(24, 20, 1, 4);
    memset(w.vwgt, 0, sizeof w.vwgt);
    q.wgtflag = 2;
    deal(&w, 0, 0, &s);
    CHECK_EQ(kway(), METIS_OK);
    CHECK(gather_parts(&w, &s, 4, all));
    CHECK(whole_balanced(&w, false, 0, all, 4, NULL, 0.05));
    fresh(24, 20, 2, 4); /* only one kind weighs nothing */
    for (idx_t v = 0; v < w.n; v++)
        w.vwgt[2 * v] = 0;
    q.wgtflag = 2;
    deal(&w, 2, 0, &s);
    judge(kway(), 0.05);
}

/* A loop at every vertex, one neighbour twice, and weights that are lower one way. */
static void test_tolerated(void)
{
    static whole plain;
    fresh(20, 20, 1, 4);
    plain = w;
    idx_t m = 0;
    for (idx_t v = 0; v < w.n; v++) {
        w.xadj[v] = m;
        w.adj[m] = v;
        w.adjwgt[m++] = 9;
        for (idx_t i = plain.xadj[v]; i < plain.xadj[v + 1]; i++) {
            idx_t u = plain.adj[i];
            w.adj[m] = u;
            w.adjwgt[m++] = u > v ? 1 : 2;
            if ((u + v) % 3 == 0) { /* both directions; adds up to 3, or 5 */
                w.adj[m] = u;
                w.adjwgt[m++] = u > v ? 2 : 3;
            }
            plain.adjwgt[i] = (u + v) % 3 == 0 ? 5 : 2;
        }
    }
    w.xadj[w.n] = m;
    for (int way = 0; way < fixture_ways; way++) {
        deal(&w, way, 1, &s);
        q.wgtflag = 1;
        q.numflag = 1;
        CHECK_EQ(kway(), METIS_OK);
        CHECK(untouched());
        CHECK(gather_parts(&w, &s, 4, all));
        CHECK_EQ(q.cut, whole_cut(&plain, true, all));
        CHECK(whole_balanced(&w, false, 0, all, 4, NULL, 0.05));
    }
}

#if IDXTYPEWIDTH == 64
/* Divided for the search, but the cut is in the caller's weights. */
static void test_wide_weights(void)
{
    fresh(24, 20, 2, 4);
    for (idx_t i = 0; i < w.xadj[w.n]; i++)
        w.adjwgt[i] = w.adjwgt[i] * ((idx_t)1 << 40) + 1;
    for (idx_t v = 0; v < w.n; v++)
        w.vwgt[2 * v + 1] *= (idx_t)1 << 35;
    q.wgtflag = 3;
    q.ubvec[0] = q.ubvec[1] = 1.15f;
    for (int way = 0; way < fixture_ways; way++) {
        deal(&w, way, way % 2, &s);
        q.numflag = way % 2;
        judge(kway(), 0.15);
        CHECK(q.cut > (idx_t)1 << 40);
    }
    w.vwgt[0] = -1;
    deal(&w, 0, 0, &s);
    q.numflag = 0;
    CHECK_EQ(kway(), METIS_ERROR_INPUT);
}
#endif

/* ---- Points ----------------------------------------------------------------------------- */

static void judge_points(idx_t first)
{
    s.numbering = 0; /* of parts */
    for (int r = 0; r <= size; r++)
        s.vtxdist[r] -= first;
    CHECK(gather_parts(&w, &s, size, all));
    CHECK_EQ(whole_empty(&w, all, size), w.n < size ? size - w.n : 0);
    CHECK(whole_balanced(&w, false, 0, all, size, NULL, 0.03));
}

static void test_geom(void)
{
    for (int way = 0; way < fixture_ways; way++)
        for (idx_t ndims = 1; ndims <= 3; ndims++) {
            idx_t first = way % 2;
            fresh(24, 20, 1, 4);
            deal(&w, way, first, &s);
            for (idx_t v = 0; v < s.own; v++) {
                for (idx_t d = 0; d < ndims; d++)
                    s.xyz[v * ndims + d] = w.xyz[3 * (s.begin + v) + d];
                if (ndims == 1) /* along the rows */
                    s.xyz[v] = (real_t)(s.begin + v);
            }
            before = s;
            CHECK_EQ(ParMETIS_V3_PartGeom(s.vtxdist, &ndims, s.xyz, s.part, &world), METIS_OK);
            CHECK(untouched());
            judge_points(first);
            /* Pieces of a curve are compact, a random split would cut most of the 916. */
            CHECK(whole_cut(&w, false, all) <= (ndims == 1 ? 25 : 30) * size);
        }
    fresh(2, 1, 1, 1); /* ranks without a point, now and then */
    deal(&w, 0, 0, &s);
    CHECK_EQ(ParMETIS_V3_PartGeom(s.vtxdist, &q.ndims, s.xyz, s.part, &world), METIS_OK);
    judge_points(0);
}

/* ---- Where vertices are --------------------------------------------------------------- */

static idx_t count_here(void)
{
    idx_t here = 0;
    for (idx_t v = 0, r = 0; v < w.n; v++) {
        while (v >= s.vtxdist[r + 1])
            r++;
        here += all[v] == r;
    }
    return here;
}

/* As many parts as ranks: numbers are such that most need not move. */
static void test_names(void)
{
    fresh(6, 20 * (idx_t)size, 1, size); /* each rank has 20 rows of 6 */
    deal(&w, 0, 0, &s);
    judge(kway(), 0.05);
    CHECK(count_here() >= w.n * 4 / 5);
    CHECK_EQ(ParMETIS_V3_PartGeom(s.vtxdist, &q.ndims, s.xyz, s.part, &world), METIS_OK);
    judge_points(0);
    CHECK(count_here() >= w.n / 2);
}

/* Two groups of ranks, in reverse order, each with a graph of its own at the same time. */
static void test_groups(void)
{
    MPI_Comm everybody = world;
    MPI_Comm_split(everybody, rank % 2, -rank, &world);
    int half = rank % 2;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);
    fresh(20 + half, 24, 1, 3 + half);
    q.wgtflag = 3;
    deal(&w, 0, 0, &s);
    judge(kway(), 0.05);
    judge(geomkway(), 0.05);
    MPI_Comm_free(&world);
    world = everybody;
    MPI_Comm_rank(world, &rank);
    MPI_Comm_size(world, &size);
}

/* ---- Again, and in Fortran ------------------------------------------------------------- */

static void test_determinism(void)
{
    fresh(30, 30, 1, 6);
    q.options[0] = 1;
    q.options[2] = 42;
    deal(&w, 2, 0, &s);
    judge(kway(), 0.05);
    memcpy(again, all, sizeof all);
    idx_t cut = q.cut;
    judge(kway(), 0.05);
    CHECK(memcmp(again, all, (size_t)w.n * sizeof *all) == 0);
    CHECK_EQ(cut, q.cut);
    q.options[0] = 0; /* the rest of options is not looked at */
    q.options[1] = 127;
    judge(kway(), 0.05);
}

typedef int fortran_kway(idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, idx_t *,
                         idx_t *, idx_t *, real_t *, real_t *, idx_t *, idx_t *, idx_t *,
                         MPI_Fint *);
fortran_kway PARMETIS_V3_PARTKWAY, parmetis_v3_partkway, parmetis_v3_partkway_,
    parmetis_v3_partkway__;
int parmetis_v3_partgeom_(idx_t *, idx_t *, real_t *, idx_t *, MPI_Fint *);
int metis_free_(void *);

static void test_fortran(void)
{
    fortran_kway *names[] = {PARMETIS_V3_PARTKWAY, parmetis_v3_partkway, parmetis_v3_partkway_,
                             parmetis_v3_partkway__};
    MPI_Fint comm = MPI_Comm_c2f(world);
    fresh(24, 20, 1, 4);
    q.numflag = 1;
    q.wgtflag = 3;
    deal(&w, 0, 1, &s);
    judge(kway(), 0.05);
    memcpy(again, all, sizeof all);
    for (int i = 0; i < 4; i++) {
        q.cut = -7;
        int status =
            names[i](s.vtxdist, s.xadj, s.adj, s.vwgt, s.adjwgt, &q.wgtflag, &q.numflag,
                     &q.ncon, &q.nparts, q.tpwgts, q.ubvec, q.options, &q.cut, s.part, &comm);
        judge(status, 0.05);
        CHECK(memcmp(again, all, (size_t)w.n * sizeof *all) == 0);
    }
    CHECK_EQ(parmetis_v3_partgeom_(s.vtxdist, &q.ndims, s.xyz, s.part, &comm), METIS_OK);
    CHECK_EQ(parmetis_v3_partgeom_(s.vtxdist, &q.ndims, s.xyz, s.part, NULL),
             METIS_ERROR_INPUT);
    CHECK_EQ(metis_free_(NULL), METIS_OK);
}

int main(int argc, char **argv)
{
    fixture_start(&argc, &argv);
    RUN(test_header);
    RUN(test_kway);
    RUN(test_several_weights);
    RUN(test_geomkway);
    RUN(test_shares);
    RUN(test_bounds);
    RUN(test_odd);
    RUN(test_isolated);
    RUN(test_weightless);
    RUN(test_tolerated);
#if IDXTYPEWIDTH == 64
    RUN(test_wide_weights);
#endif
    RUN(test_geom);
    RUN(test_names);
    RUN(test_groups);
    RUN(test_determinism);
    RUN(test_fortran);
    return fixture_end();
}
