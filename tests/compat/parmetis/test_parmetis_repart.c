/* SPDX-License-Identifier: Apache-2.0 */
/* ParMETIS_V3_AdaptiveRepart and RefineKway of compat/parmetis: the current partition,
 * migration and its cost.  Built for both libraries, run on any number of ranks. */
#include "compat/parmetis/par_fixture.h"

static whole w;
static share s, before;
static idx_t old[most_vertices], all[most_vertices];

static struct {
    idx_t wgtflag, numflag, ncon, nparts, options[4], cut;
    real_t tpwgts[most_kinds * 64], ubvec[most_kinds], itr;
} q;

/* Stripes along the rows, one per part, and a load that is heavier at the upper end. */
static void fresh(idx_t width, idx_t height, idx_t nparts)
{
    whole_grid(&w, width, height, 1);
    memset(&q, 0, sizeof q);
    q.ncon = 1;
    q.nparts = nparts;
    q.wgtflag = 2;
    q.itr = 1000;
    for (idx_t p = 0; p < nparts; p++)
        q.tpwgts[p] = 1 / (real_t)nparts;
    q.ubvec[0] = 1.05f;
    q.cut = -7;
    for (idx_t v = 0; v < w.n; v++) {
        old[v] = (idx_t)((int64_t)v * nparts / w.n);
        w.vwgt[v] = v / width < height / 3 ? 4 : 1;
    }
}

/* numbering: of the parts that are put in. */
static void place(idx_t numbering)
{
    for (idx_t v = 0; v < s.own; v++)
        s.part[v] = old[s.begin + v] + numbering;
    before = s;
}

static int adapt(bool sizes)
{
    return ParMETIS_V3_AdaptiveRepart(s.vtxdist, s.xadj, s.adj, s.vwgt, sizes ? s.vsize : NULL,
                                      s.adjwgt, &q.wgtflag, &q.numflag, &q.ncon, &q.nparts,
                                      q.tpwgts, q.ubvec, &q.itr, q.options, &q.cut, s.part,
                                      &world);
}

static int refine(void)
{
    return ParMETIS_V3_RefineKway(s.vtxdist, s.xadj, s.adj, s.vwgt, s.adjwgt, &q.wgtflag,
                                  &q.numflag, &q.ncon, &q.nparts, q.tpwgts, q.ubvec, q.options,
                                  &q.cut, s.part, &world);
}

static void judge(int status)
{
    CHECK_EQ(status, METIS_OK);
    memcpy(before.part, s.part, sizeof s.part);
    CHECK(memcmp(&before, &s, sizeof s) == 0);
    CHECK(same_everywhere(q.cut));
    if (!gather_parts(&w, &s, q.nparts, all)) {
        CHECK(!"a part is out of range");
        return;
    }
    CHECK_EQ(q.cut, whole_cut(&w, q.wgtflag & 1, all));
    CHECK_EQ(whole_empty(&w, all, q.nparts), 0);
    CHECK(whole_balanced(&w, q.wgtflag & 2, 0, all, q.nparts, NULL, 0.05));
}

static void uncouple(void)
{
    q.options[0] = 1;
    q.options[2] = 3;
    q.options[3] = PARMETIS_PSR_UNCOUPLED;
}

/* ---- AdaptiveRepart ------------------------------------------------------------------ */

/* From where part says; for any number of ranks. */
static void test_uncoupled(void)
{
    for (int way = 0; way < fixture_ways; way++)
        for (idx_t wgtflag = 0; wgtflag <= 3; wgtflag++) {
            fresh(24, 20, 5);
            uncouple();
            q.wgtflag = wgtflag;
            q.numflag = (way + wgtflag) % 2;
            q.itr = 0.1f;
            deal(&w, way, q.numflag, &s);
            place(q.numflag);
            judge(adapt(way % 2));
            int64_t moved = whole_moved(&w, false, old, all);
            CHECK(moved <
                  (wgtflag & 2 ? w.n * 4 / 5 : w.n / 10)); /* balanced without: stays */
            CHECK(moved > 0 || !(wgtflag & 2));
        }
}

/* From the ranks that own the vertices; part is not looked at. */
static void test_coupled(void)
{
    for (idx_t numflag = 0; numflag <= 1; numflag++)
        for (int given = 0; given <= 1; given++) {
            fresh(24, 20, size);
            q.options[0] = given;
            q.options[3] = PARMETIS_PSR_COUPLED;
            q.numflag = numflag;
            q.itr = 0.01f;
            deal(&w, 0, numflag, &s);
            before = s;
            for (idx_t v = 0; v < s.own; v++)
                s.part[v] = -9;
            judge(adapt(false));
            for (idx_t v = 0, r = 0; v < w.n; v++) {
                while (v >= s.vtxdist[r + 1] - numflag)
                    r++;
                old[v] = r;
            }
            /* Most stay where they are. */
            CHECK(whole_moved(&w, false, old, all) < w.n * 4 / 5 + (size == 1));
        }
}

/* As many parts as ranks, but they are elsewhere. */
static void test_elsewhere(void)
{
    fresh(24, 20, size);
    uncouple();
    q.wgtflag = 0;
    q.itr = 0.001f;
    for (idx_t v = 0; v < w.n; v++)
        old[v] = size - 1 - old[v];
    deal(&w, 0, 0, &s);
    place(0);
    judge(adapt(false));
    CHECK(whole_moved(&w, false, old, all) < w.n / 10);
}

/* If the number of parts is not that of the ranks, part is read for all options. */
static void test_other_parts(void)
{
    fresh(24, 20, (idx_t)size + 2);
    q.options[0] = 1;
    q.options[3] = PARMETIS_PSR_COUPLED;
    q.wgtflag = 0;
    deal(&w, 0, 0, &s);
    place(0);
    q.itr = 0.001f;
    judge(adapt(false));
    CHECK(whole_moved(&w, false, old, all) < w.n / 10);
}

/* The less a cut costs, the less moves; the more it costs, the less is cut. */
static void test_ratio(void)
{
    int64_t moved[2], cut[2];
    for (int i = 0; i < 2; i++) {
        fresh(30, 30, 6);
        uncouple();
        q.itr = i ? 1e6f : 1e-4f;
        deal(&w, 0, 0, &s);
        place(0);
        judge(adapt(true));
        moved[i] = whole_moved(&w, true, old, all);
        cut[i] = q.cut;
    }
    CHECK(moved[0] < moved[1]);
    CHECK(cut[1] < cut[0]);
}

/* Parts that are no more: their vertices go elsewhere, others mostly stay. */
static void test_fewer_parts(void)
{
    fresh(24, 20, 4);
    uncouple();
    q.wgtflag = 0;
    q.itr = 0.001f;
    for (idx_t v = 0; v < w.n; v++)
        old[v] = (idx_t)((int64_t)v * 5 / w.n);
    deal(&w, 0, 0, &s);
    place(0);
    judge(adapt(false));
    int64_t moved = whole_moved(&w, false, old, all);
    CHECK(moved >= w.n / 5 && moved <= w.n / 2);
}

/* ParMETIS counts from 0 in what is put in even if it counts from 1 in what comes out. */
static void test_both_numberings(void)
{
    idx_t first[most_vertices];
    for (idx_t base = 0; base <= 1; base++) {
        fresh(24, 20, 5);
        uncouple();
        q.numflag = 1;
        deal(&w, 0, 1, &s);
        place(base);
        judge(adapt(false));
        if (base == 0)
            memcpy(first, all, sizeof first);
    }
    CHECK(memcmp(first, all, (size_t)w.n * sizeof *all) == 0);
}

static void test_refused(void)
{
    const real_t odd[] = {0, -1, 1.0f / 0.0f, 0.0f / 0.0f};
    for (int i = 0; i < 6; i++) {
        fresh(24, 20, 5);
        uncouple();
        deal(&w, 0, 0, &s);
        place(0);
        if (i < 4)
            q.itr = odd[i];
        if (i == 4 && rank == size - 1)
            s.part[0] = -1;
        if (i == 5 && rank == size - 1)
            s.vsize[1] = -1;
        before = s;
        CHECK_EQ(adapt(true), METIS_ERROR_INPUT);
        CHECK(memcmp(&before, &s, sizeof s) == 0);
        CHECK_EQ(q.cut, -7);
    }
    CHECK_EQ(ParMETIS_V3_AdaptiveRepart(s.vtxdist, s.xadj, s.adj, s.vwgt, NULL, s.adjwgt,
                                        &q.wgtflag, &q.numflag, &q.ncon, &q.nparts, q.tpwgts,
                                        q.ubvec, NULL, q.options, &q.cut, s.part, &world),
             METIS_ERROR_INPUT);
    /* Some ranks give sizes and others do not. */
    fresh(24, 20, 5);
    uncouple();
    deal(&w, 0, 0, &s);
    place(0);
    CHECK_EQ(adapt(rank == 0), size == 1 ? METIS_OK : METIS_ERROR_INPUT);
}

/* ---- RefineKway ---------------------------------------------------------------------- */

static void test_refine(void)
{
    for (int way = 0; way < fixture_ways; way++) {
        fresh(24, 24, 4);
        uncouple();
        q.wgtflag = way % 4;
        q.numflag = way % 2;
        for (idx_t v = 0; v < w.n; v++) /* stripes of 6, each a part: 552 of 1104 cut */
            old[v] = v / 24 / 2 % 4;
        int64_t cut = whole_cut(&w, q.wgtflag & 1, old);
        deal(&w, way, q.numflag, &s);
        place(q.numflag);
        judge(refine());
        CHECK(q.cut < cut / 2);
        /* What is good already mostly stays. */
        memcpy(old, all, sizeof old);
        cut = q.cut;
        place(q.numflag);
        judge(refine());
        CHECK(q.cut <= cut);
        CHECK(whole_moved(&w, false, old, all) < w.n / 3);
    }
}

static void test_refine_coupled(void)
{
    fresh(24, 24, size);
    deal(&w, 0, 0, &s);
    before = s;
    q.wgtflag = 0;
    judge(refine());
}

int main(int argc, char **argv)
{
    fixture_start(&argc, &argv);
    RUN(test_uncoupled);
    RUN(test_coupled);
    RUN(test_elsewhere);
    RUN(test_other_parts);
    RUN(test_ratio);
    RUN(test_fewer_parts);
    RUN(test_both_numberings);
    RUN(test_refused);
    RUN(test_refine);
    RUN(test_refine_coupled);
    return fixture_end();
}
