/* SPDX-License-Identifier: Apache-2.0 */
/* Invalid arguments of the partitioning functions of compat/parmetis: if one rank passes them,
 * all ranks return the same code, and nothing is written or printed.  Built for both
 * libraries, run on any number of ranks. */
#include "compat/parmetis/par_fixture.h"

static whole w;
static share s, before;

typedef struct arguments {
    idx_t *vtxdist, *xadj, *adj, *vwgt, *adjwgt, *wgtflag, *numflag, *ndims, *ncon, *nparts;
    real_t *xyz, *tpwgts, *ubvec;
    idx_t *options, *edgecut, *part;
    MPI_Comm *comm;
} arguments;

static struct {
    idx_t wgtflag, numflag, ndims, ncon, nparts, options[4], cut;
    real_t tpwgts[8], ubvec[2];
} q, q_before;

static void fresh(arguments *a, idx_t ncon)
{
    whole_grid(&w, 16, 16, ncon);
    deal(&w, 0, 0, &s);
    memset(&q, 0, sizeof q);
    q.wgtflag = 3;
    q.ndims = 3;
    q.ncon = ncon;
    q.nparts = 4;
    q.cut = -7;
    for (int i = 0; i < 8; i++)
        q.tpwgts[i] = .25f;
    q.ubvec[0] = q.ubvec[1] = 1.1f;
    *a = (arguments){s.vtxdist,  s.xadj,    s.adj,   s.vwgt,    s.adjwgt, &q.wgtflag,
                     &q.numflag, &q.ndims,  &q.ncon, &q.nparts, s.xyz,    q.tpwgts,
                     q.ubvec,    q.options, &q.cut,  s.part,    &world};
}

static int call(int which, const arguments *a)
{
    static real_t itr = 100;
    before = s;
    q_before = q;
    switch (which) {
    case 0:
        return ParMETIS_V3_PartKway(a->vtxdist, a->xadj, a->adj, a->vwgt, a->adjwgt,
                                    a->wgtflag, a->numflag, a->ncon, a->nparts, a->tpwgts,
                                    a->ubvec, a->options, a->edgecut, a->part, a->comm);
    case 1:
        return ParMETIS_V3_PartGeomKway(a->vtxdist, a->xadj, a->adj, a->vwgt, a->adjwgt,
                                        a->wgtflag, a->numflag, a->ndims, a->xyz, a->ncon,
                                        a->nparts, a->tpwgts, a->ubvec, a->options, a->edgecut,
                                        a->part, a->comm);
    case 2:
        return ParMETIS_V3_AdaptiveRepart(a->vtxdist, a->xadj, a->adj, a->vwgt, NULL,
                                          a->adjwgt, a->wgtflag, a->numflag, a->ncon,
                                          a->nparts, a->tpwgts, a->ubvec, &itr, a->options,
                                          a->edgecut, a->part, a->comm);
    default:
        return ParMETIS_V3_RefineKway(a->vtxdist, a->xadj, a->adj, a->vwgt, a->adjwgt,
                                      a->wgtflag, a->numflag, a->ncon, a->nparts, a->tpwgts,
                                      a->ubvec, a->options, a->edgecut, a->part, a->comm);
    }
}

/* All ranks call; those where `wrong` is true have set something that is. */
static void refused(const arguments *a, const char *what)
{
    for (int which = 0; which < 4; which++) {
        int status = call(which, a);
        bool fine = status == METIS_ERROR_INPUT && memcmp(&before, &s, sizeof s) == 0 &&
                    memcmp(&q_before, &q, sizeof q) == 0;
        if (!fine)
            fprintf(stderr, "rank %d, function %d: %s: %d\n", rank, which, what, status);
        CHECK(fine);
    }
}

/* Pointers that may not be missing, on one rank. */
static void test_missing(void)
{
    arguments a;
    fresh(&a, 2);
    void **pointers[] = {(void **)&a.vtxdist, (void **)&a.xadj,   (void **)&a.adj,
                         (void **)&a.vwgt,    (void **)&a.adjwgt, (void **)&a.wgtflag,
                         (void **)&a.numflag, (void **)&a.ncon,   (void **)&a.nparts,
                         (void **)&a.tpwgts,  (void **)&a.ubvec,  (void **)&a.options,
                         (void **)&a.edgecut, (void **)&a.part};
    for (size_t i = 0; i < sizeof pointers / sizeof *pointers; i++) {
        void *keep = *pointers[i];
        if (rank == size - 1)
            *pointers[i] = NULL;
        refused(&a, "a missing pointer");
        *pointers[i] = keep;
    }
    if (rank == 0)
        a.xyz = NULL;
    CHECK_EQ(call(1, &a), METIS_ERROR_INPUT);
    CHECK_EQ(call(0, &a), METIS_OK);
}

static void test_communicators(void)
{
    arguments a;
    MPI_Comm null = MPI_COMM_NULL;
    fresh(&a, 1);
    a.comm = NULL;
    refused(&a, "no communicator");
    a.comm = &null;
    refused(&a, "a null communicator");
    idx_t ndims = 3;
    CHECK_EQ(ParMETIS_V3_PartGeom(s.vtxdist, &ndims, s.xyz, s.part, NULL), METIS_ERROR_INPUT);
}

/* On all ranks alike. */
static void test_values(void)
{
    arguments a;
    for (int what = 0; what < 14; what++) {
        fresh(&a, 2);
        switch (what) {
        case 0:
            q.wgtflag = 4;
            break;
        case 1:
            q.wgtflag = -1;
            break;
        case 2:
            q.numflag = 2;
            break;
        case 3:
            q.numflag = 1; /* though everything begins with 0 */
            break;
        case 4:
            q.ncon = 0;
            break;
        case 5:
            q.nparts = 0;
            break;
        case 6:
            q.nparts = -3;
            break;
        case 7:
            q.tpwgts[5] = -.25f;
            break;
        case 8:
            q.tpwgts[5] = .5f; /* more than 1 in all */
            break;
        case 9:
            q.tpwgts[0] = 0.0f / 0.0f;
            break;
        case 10:
            q.ubvec[1] = .9f;
            break;
        case 11:
            q.ubvec[0] = 1.0f / 0.0f;
            break;
        case 12:
            q.ubvec[0] = 0.0f / 0.0f;
            break;
        default:
            s.vtxdist[0] = 1;
        }
        refused(&a, "a value");
    }
}

/* On one rank, in what only it sees. */
static void test_arrays(void)
{
    arguments a;
    for (int what = 0; what < 8; what++) {
        fresh(&a, 1);
        if (rank == size / 2) {
            idx_t *const broken[] = {&s.xadj[0], &s.xadj[2],   &s.adj[1], &s.adj[1],
                                     &s.vwgt[3], &s.adjwgt[0], &s.adj[0], &s.vtxdist[size]};
            const idx_t value[] = {1, 1, w.n, -1, -1, -1, (s.begin + 99) % w.n, w.n + 5};
            *broken[what] = value[what];
        }
        refused(&a, "an array");
    }
}

/* Arguments that differ on the last rank only. */
static void differ(int what)
{
    switch (what) {
    case 0:
        q.nparts = 3;
        q.tpwgts[0] = q.tpwgts[1] = q.tpwgts[2] = 1 / 3.0f;
        break;
    case 1:
        q.wgtflag = 2;
        break;
    case 2:
        q.ubvec[0] = 1.2f;
        break;
    case 3:
        q.options[0] = 1;
        q.options[2] = 77; /* the seed */
        break;
    case 4:
        q.tpwgts[0] = .15f;
        q.tpwgts[1] = .35f;
        break;
    default:
        s.vtxdist[1]++; /* with two ranks, one vertex less of its own */
    }
}

static void test_disagreement(void)
{
    arguments a;
    for (int what = 0; what < 6; what++) {
        fresh(&a, 1);
        if (size > 1 && rank == size - 1)
            differ(what);
        if (size > 1)
            refused(&a, "a disagreement");
        else
            CHECK_EQ(call(0, &a), METIS_OK);
    }
}

/* The same seed, but on one rank part has the current partition. */
static void test_disagreement_about_ranks(void)
{
    arguments a;
    if (size == 1 || size > 8)
        return;
    fresh(&a, 1);
    q.nparts = size;
    for (int p = 0; p < size; p++)
        q.tpwgts[p] = 1 / (real_t)size;
    q.options[0] = 1;
    q.options[3] = rank == 0 ? PARMETIS_PSR_UNCOUPLED : PARMETIS_PSR_COUPLED;
    CHECK_EQ(call(2, &a), METIS_ERROR_INPUT);
    CHECK_EQ(call(3, &a), METIS_ERROR_INPUT);
    CHECK_EQ(call(0, &a), METIS_OK); /* to which that means nothing */
}

static void test_disagreement_about_points(void)
{
    arguments a;
    if (size == 1)
        return;
    fresh(&a, 1);
    q.ndims = rank == 0 ? 2 : 3;
    CHECK_EQ(call(1, &a), METIS_ERROR_INPUT);
    CHECK_EQ(ParMETIS_V3_PartGeom(s.vtxdist, &q.ndims, s.xyz, s.part, &world),
             METIS_ERROR_INPUT);
}

/* Arrays that are not needed may be anything, and ranks without vertices need none. */
static void test_not_needed(void)
{
    arguments a;
    fresh(&a, 1);
    q.wgtflag = 0;
    a.vwgt = a.adjwgt = NULL;
    CHECK_EQ(call(0, &a), METIS_OK);
    fresh(&a, 1);
    deal(&w, fixture_ways - 1, 0, &s);
    if (s.own == 0)
        a.xadj = a.adj = a.vwgt = a.adjwgt = a.part = NULL;
    if (s.own == 0)
        a.xyz = NULL;
    CHECK_EQ(call(0, &a), METIS_OK);
    CHECK_EQ(call(1, &a), METIS_OK);
    CHECK_EQ(ParMETIS_V3_PartGeom(s.vtxdist, &q.ndims, a.xyz, a.part, &world), METIS_OK);
}

static void test_points(void)
{
    arguments a;
    fresh(&a, 1);
    idx_t ndims = 3, four = 4;
    bool wrong = rank == size - 1;
    CHECK_EQ(ParMETIS_V3_PartGeom(wrong ? NULL : s.vtxdist, &ndims, s.xyz, s.part, &world),
             METIS_ERROR_INPUT);
    CHECK_EQ(ParMETIS_V3_PartGeom(s.vtxdist, wrong ? NULL : &ndims, s.xyz, s.part, &world),
             METIS_ERROR_INPUT);
    CHECK_EQ(ParMETIS_V3_PartGeom(s.vtxdist, &ndims, wrong ? NULL : s.xyz, s.part, &world),
             METIS_ERROR_INPUT);
    CHECK_EQ(ParMETIS_V3_PartGeom(s.vtxdist, &ndims, s.xyz, wrong ? NULL : s.part, &world),
             METIS_ERROR_INPUT);
    CHECK_EQ(ParMETIS_V3_PartGeom(s.vtxdist, &four, s.xyz, s.part, &world), METIS_ERROR_INPUT);
    if (wrong)
        s.xyz[4] = 0.0f / 0.0f;
    CHECK_EQ(ParMETIS_V3_PartGeom(s.vtxdist, &ndims, s.xyz, s.part, &world),
             METIS_ERROR_INPUT);
    CHECK(s.own == 0 || s.part[0] == -7);
}

int main(int argc, char **argv)
{
    fixture_start(&argc, &argv);
    RUN(test_missing);
    RUN(test_communicators);
    RUN(test_values);
    RUN(test_arrays);
    RUN(test_disagreement);
    RUN(test_disagreement_about_ranks);
    RUN(test_disagreement_about_points);
    RUN(test_not_needed);
    RUN(test_points);
    return fixture_end();
}
