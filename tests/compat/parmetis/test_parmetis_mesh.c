/* SPDX-License-Identifier: Apache-2.0 */
/* The mesh functions of compat/parmetis against a slow oracle, on any number of ranks.  Built
 * for both libraries. */
#include "compat/parmetis/par_fixture.h"

enum { most_elements = 8000, most_items = 8 * most_elements };

typedef struct mesh {
    idx_t ne, nn, eptr[most_elements + 1], eind[most_items], elmwgt[3 * most_elements];
} mesh;

static mesh m;
static struct {
    idx_t own, begin, dist[most_ranks + 1], eptr[most_elements + 1], eind[most_items];
    idx_t elmwgt[3 * most_elements], part[most_elements];
} mine, before;

/* Elements of 0 .. 6 nodes that lie near each other, now and then one of them twice. */
static void random_mesh(unsigned seed)
{
    fixture_seed(seed);
    m.ne = fixture_draw(70);
    m.nn = 8 + fixture_draw(40);
    m.eptr[0] = 0;
    for (idx_t e = 0; e < m.ne; e++) {
        idx_t count = fixture_draw(7), near = fixture_draw(m.nn), at = m.eptr[e];
        for (idx_t i = 0; i < count; i++)
            m.eind[at++] = (near + fixture_draw(6)) % m.nn;
        m.eptr[e + 1] = at;
    }
}

/* side^3 cubes of 8 nodes. */
static void cube_mesh(idx_t side)
{
    idx_t line = side + 1, at = 0;
    m.ne = side * side * side;
    m.nn = line * line * line;
    for (idx_t e = 0; e < m.ne; e++) {
        idx_t corner = e % side + e / side % side * line + e / side / side * line * line;
        m.eptr[e] = at;
        for (idx_t i = 0; i < 8; i++)
            m.eind[at++] = corner + i % 2 + i / 2 % 2 * line + i / 4 * line * line;
        for (idx_t i = 0; i < 3; i++)
            m.elmwgt[3 * e + i] = 1 + (e * (i + 3)) % 4;
    }
    m.eptr[m.ne] = at;
}

/* stride: nodes are numbered with so large gaps. */
static void deal_mesh(int way, idx_t numbering, idx_t stride, idx_t ncon)
{
    fixture_ranges(m.ne, way, numbering, mine.dist);
    mine.begin = mine.dist[rank] - numbering;
    mine.own = mine.dist[rank + 1] - mine.dist[rank];
    idx_t first = m.eptr[mine.begin];
    for (idx_t e = 0; e <= mine.own; e++)
        mine.eptr[e] = m.eptr[mine.begin + e] - first + numbering;
    for (idx_t i = 0; i < m.eptr[mine.begin + mine.own] - first; i++)
        mine.eind[i] = m.eind[first + i] * stride + numbering;
    for (idx_t i = 0; i < mine.own * ncon; i++)
        mine.elmwgt[i] = m.elmwgt[mine.begin * ncon + i];
    for (idx_t e = 0; e < mine.own; e++)
        mine.part[e] = -7;
    before = mine;
}

static bool has(idx_t e, idx_t node)
{
    for (idx_t i = m.eptr[e]; i < m.eptr[e + 1]; i++)
        if (m.eind[i] == node)
            return true;
    return false;
}

static bool neighbours(idx_t a, idx_t b, idx_t common)
{
    idx_t shared = 0;
    for (idx_t v = 0; v < m.nn; v++)
        shared += has(a, v) && has(b, v);
    return a != b && shared >= common;
}

/* ---- Mesh2Dual --------------------------------------------------------------------- */

static void check_dual(idx_t common, idx_t numbering, idx_t *xadj, idx_t *adj)
{
    REQUIRE(xadj && adj);
    CHECK_EQ(xadj[0], numbering);
    for (idx_t e = 0; e < mine.own; e++) {
        idx_t at = xadj[e] - numbering;
        for (idx_t f = 0; f < m.ne; f++)
            if (neighbours(mine.begin + e, f, common)) {
                REQUIRE(at < xadj[e + 1] - numbering);
                CHECK_EQ(adj[at++], f + numbering);
            }
        CHECK_EQ(at, xadj[e + 1] - numbering);
    }
}

static void test_dual(void)
{
    for (unsigned seed = 1; seed <= 20; seed += TEST_STRIDE)
        for (idx_t common = 1; common <= 3; common++)
            for (idx_t numbering = 0; numbering <= 1; numbering++) {
                idx_t *xadj = NULL, *adj = NULL, stride = seed % 3 == 0 ? 1000003 : 1;
                random_mesh(seed);
                deal_mesh((int)seed % fixture_ways, numbering, stride, 0);
                CHECK_EQ(ParMETIS_V3_Mesh2Dual(mine.dist, mine.eptr, mine.eind, &numbering,
                                               &common, &xadj, &adj, &world),
                         METIS_OK);
                check_dual(common, numbering, xadj, adj);
                CHECK(memcmp(&before, &mine, sizeof mine) == 0);
                CHECK_EQ(METIS_Free(xadj), METIS_OK);
                free(adj); /* callers do this, too */
            }
}

/* Enough for several batches of questions; elements that share a face are known without
 * looking. */
static void test_large_dual(void)
{
    idx_t side = 20, common = 4, zero = 0, step[] = {side * side, side, 1}, *xadj, *adj;
    for (int way = 0; way < fixture_ways; way += fixture_ways - 1) {
        xadj = adj = NULL;
        cube_mesh(side);
        deal_mesh(way, 0, 1, 0);
        CHECK_EQ(ParMETIS_V3_Mesh2Dual(mine.dist, mine.eptr, mine.eind, &zero, &common, &xadj,
                                       &adj, &world),
                 METIS_OK);
        REQUIRE(xadj && adj);
        for (idx_t e = 0; e < mine.own; e++) {
            idx_t at = xadj[e], me = mine.begin + e;
            for (int d = 0; d < 3; d++)
                if (me / step[d] % side > 0)
                    CHECK(at < xadj[e + 1] && adj[at++] == me - step[d]);
            for (int d = 2; d >= 0; d--)
                if (me / step[d] % side < side - 1)
                    CHECK(at < xadj[e + 1] && adj[at++] == me + step[d]);
            CHECK_EQ(at, xadj[e + 1]);
        }
        METIS_Free(xadj);
        METIS_Free(adj);
    }
}

/* A node that all elements have, and 0 as ncommon, which means 1. */
static void test_hub(void)
{
    idx_t one = 1, zero = 0;
    for (idx_t common = 0; common <= 2; common++) {
        idx_t *xadj = NULL, *adj = NULL;
        m.ne = 300;
        m.nn = 601;
        for (idx_t e = 0; e <= m.ne; e++)
            m.eptr[e] = 3 * e;
        for (idx_t e = 0; e < m.ne; e++) {
            m.eind[3 * e] = 600;
            m.eind[3 * e + 1] = e;
            m.eind[3 * e + 2] = e + 1;
        }
        deal_mesh(2, 0, 1, 0);
        CHECK_EQ(ParMETIS_V3_Mesh2Dual(mine.dist, mine.eptr, mine.eind, &zero, &common, &xadj,
                                       &adj, &world),
                 METIS_OK);
        REQUIRE(xadj && adj);
        for (idx_t e = 0; e < mine.own; e++) {
            idx_t me = mine.begin + e, degree = xadj[e + 1] - xadj[e];
            CHECK_EQ(degree, common < 2 ? m.ne - 1 : one + (me > 0 && me < m.ne - 1));
        }
        METIS_Free(xadj);
        METIS_Free(adj);
    }
}

/* ---- PartMeshKway ------------------------------------------------------------------- */

static real_t tpwgts[3 * 64], ubvec[3];
static idx_t options[4], cut;

static int part_mesh(idx_t wgtflag, idx_t numflag, idx_t ncon, idx_t common, idx_t nparts)
{
    for (idx_t i = 0; i < ncon * nparts; i++)
        tpwgts[i] = 1 / (real_t)nparts;
    for (idx_t i = 0; i < ncon; i++)
        ubvec[i] = 1.1f;
    cut = -7;
    return ParMETIS_V3_PartMeshKway(mine.dist, mine.eptr, mine.eind, mine.elmwgt, &wgtflag,
                                    &numflag, &ncon, &common, &nparts, tpwgts, ubvec, options,
                                    &cut, mine.part, &world);
}

/* Neighbours in the cube whose parts differ, and the weights of the parts. */
static void judge_cube(idx_t side, idx_t numbering, idx_t nparts, bool weights, idx_t ncon)
{
    static idx_t all[most_elements];
    int count[most_ranks], first[most_ranks], width = sizeof(idx_t);
    int64_t found = 0, load[64] = {0}, total = 0;
    for (int r = 0; r < size; r++) {
        count[r] = (int)(mine.dist[r + 1] - mine.dist[r]) * width;
        first[r] = (int)(mine.dist[r] - numbering) * width;
    }
    MPI_Allgatherv(mine.part, count[rank], MPI_BYTE, all, count, first, MPI_BYTE, world);
    for (idx_t e = 0; e < m.ne; e++) {
        idx_t p = all[e] - numbering, weight = weights ? m.elmwgt[e * ncon] : 1;
        REQUIRE(p >= 0 && p < nparts);
        load[p] += weight;
        total += weight;
        found += e % side < side - 1 && all[e] != all[e + 1];
        found += e / side % side < side - 1 && all[e] != all[e + side];
        found += e / side / side < side - 1 && all[e] != all[e + side * side];
    }
    CHECK_EQ(cut, found);
    for (idx_t p = 0; p < nparts; p++)
        CHECK(load[p] > 0 && (double)load[p] <= 1.1 * ((double)total / (double)nparts + 1));
}

static void test_parts(void)
{
    for (int way = 0; way < fixture_ways; way++)
        for (idx_t wgtflag = 0; wgtflag <= 3; wgtflag++) {
            idx_t side = 6, numbering = (way + wgtflag) % 2, ncon = 1 + wgtflag % 2;
            cube_mesh(side);
            deal_mesh(way, numbering, 1, ncon);
            CHECK_EQ(part_mesh(wgtflag, numbering, ncon, 4, 5), METIS_OK);
            CHECK(same_everywhere(cut));
            judge_cube(side, numbering, 5, wgtflag & 2, ncon);
            memcpy(mine.part, before.part, sizeof mine.part);
            CHECK(memcmp(&before, &mine, sizeof mine) == 0);
        }
}

/* ---- What is refused ----------------------------------------------------------------- */

/* One rank has something wrong; all hear of it, and nothing is written. */
static void test_refused(void)
{
    for (int what = 0; what < 10; what++) {
        idx_t keep = 0, *xadj = &keep, *adj = &keep, common = 2, numflag = 0;
        bool wrong = rank == size - 1;
        cube_mesh(4);
        deal_mesh(0, 0, 1, 1);
        idx_t *dist = mine.dist, *eptr = mine.eptr, *eind = mine.eind, **to = &xadj;
        dist = wrong && what == 0 ? NULL : dist;
        eptr = wrong && what == 1 ? NULL : eptr;
        eind = wrong && what == 2 ? NULL : eind;
        to = wrong && what == 3 ? NULL : to;
        numflag = wrong && what == 4 ? 2 : 0;
        common = wrong && what == 5 && size > 1 ? 3 : what == 5 && size == 1 ? -1 : 2;
        if (wrong && what == 6)
            eptr[2] = eptr[1] - 1;
        if (wrong && what == 7)
            eind[3] = -1;
        if (wrong && what == 8)
            dist[0] = 1;
        if (wrong && what == 9)
            dist[size] = dist[size - 1] - 1;
        int expected = what == 5 && size == 1 ? METIS_OK : METIS_ERROR_INPUT;
        CHECK_EQ(ParMETIS_V3_Mesh2Dual(dist, eptr, eind, &numflag, &common, to, &adj, &world),
                 expected);
        if (expected == METIS_OK) {
            METIS_Free(xadj);
            METIS_Free(adj);
            continue;
        }
        CHECK(xadj == &keep && adj == &keep && keep == 0);
        if (what >= 4) /* the same arrays, another function */
            CHECK_EQ(part_mesh(0, numflag, 1, common, 3), METIS_ERROR_INPUT);
        CHECK(mine.own == 0 || (mine.part[0] == -7 && mine.part[mine.own - 1] == -7));
    }
}

static void test_arguments(void)
{
    idx_t none = 0;
    MPI_Comm null = MPI_COMM_NULL;
    cube_mesh(4);
    deal_mesh(0, 0, 1, 1);
    CHECK_EQ(part_mesh(4, 0, 1, 2, 3), METIS_ERROR_INPUT);
    CHECK_EQ(part_mesh(0, 0, 1, 2, 0), METIS_ERROR_INPUT);
    CHECK_EQ(part_mesh(0, 0, 0, 2, 3), METIS_ERROR_INPUT);
    CHECK_EQ(cut, -7);
    CHECK_EQ(
        ParMETIS_V3_Mesh2Dual(mine.dist, mine.eptr, mine.eind, &none, &none, NULL, NULL, NULL),
        METIS_ERROR_INPUT);
    CHECK_EQ(ParMETIS_V3_Mesh2Dual(mine.dist, mine.eptr, mine.eind, &none, &none, NULL, NULL,
                                   &null),
             METIS_ERROR_INPUT);
}

int main(int argc, char **argv)
{
    fixture_start(&argc, &argv);
    RUN(test_dual);
    RUN(test_large_dual);
    RUN(test_hub);
    RUN(test_parts);
    RUN(test_refused);
    RUN(test_arguments);
    return fixture_end();
}
