/* SPDX-License-Identifier: Apache-2.0 */
/* Every function of compat/parmetis when the n-th allocation of ONE rank fails, of the layer
 * or of the library below: METIS_ERROR_MEMORY on all ranks, without deadlocks or leaks. */
#include "base/mem.h"
#include "compat/parmetis/par_fixture.h"

/* In the place of compat/parmetis/parlayer_memory.c. */
void *cp_alloc(int64_t count, size_t each);
void *cp_realloc(void *old, int64_t count, size_t each);
void cp_free(void *block);
void *cp_alloc(int64_t count, size_t each)
{
    return count < 0 ? NULL : clv_sys_alloc((size_t)count * each + 1);
}
void *cp_realloc(void *old, int64_t count, size_t each)
{
    return count < 0 ? NULL : clv_sys_realloc(old, (size_t)count * each + 1);
}
void cp_free(void *block)
{
    clv_sys_free(block);
}

enum { most_tries = 40 }; /* of each function on each rank that fails */

static whole w;
static share s;
static idx_t one = 1, two = 2, zero = 0, three = 3, ndims = 3, options[4], cut;
static real_t tpwgts[6], ubvec[2];
static idx_t elmdist[most_ranks + 1], eptr[most_vertices], eind[most_arcs];

static int call_kway(void)
{
    return ParMETIS_V3_PartKway(s.vtxdist, s.xadj, s.adj, s.vwgt, s.adjwgt, &three, &one, &two,
                                &three, tpwgts, ubvec, options, &cut, s.part, &world);
}

static int call_geomkway(void)
{
    return ParMETIS_V3_PartGeomKway(s.vtxdist, s.xadj, s.adj, NULL, NULL, &zero, &one, &ndims,
                                    s.xyz, &one, &three, tpwgts, ubvec, options, &cut, s.part,
                                    &world);
}

static int call_geom(void)
{
    return ParMETIS_V3_PartGeom(s.vtxdist, &ndims, s.xyz, s.part, &world);
}

static int call_adapt(void)
{
    static real_t itr = 10;
    for (idx_t v = 0; v < s.own; v++)
        s.part[v] = 1 + (s.begin + v) * 3 / w.n;
    return ParMETIS_V3_AdaptiveRepart(s.vtxdist, s.xadj, s.adj, s.vwgt, s.vsize, s.adjwgt,
                                      &three, &one, &two, &three, tpwgts, ubvec, &itr, options,
                                      &cut, s.part, &world);
}

/* With a loop at every vertex, so that the graph is mended. */
static int call_mended(void)
{
    static idx_t vtxdist[most_ranks + 1], xadj[most_vertices + 1], adj[most_arcs];
    idx_t m = 0;
    for (idx_t v = 0; v < s.own; v++) {
        xadj[v] = m;
        adj[m++] = s.begin + v;
        for (idx_t i = s.xadj[v] - 1; i < s.xadj[v + 1] - 1; i++)
            adj[m++] = s.adj[i] - 1;
    }
    xadj[s.own] = m;
    for (int r = 0; r <= size; r++)
        vtxdist[r] = s.vtxdist[r] - 1;
    return ParMETIS_V3_PartKway(vtxdist, xadj, adj, NULL, NULL, &zero, &zero, &one, &three,
                                tpwgts, ubvec, options, &cut, s.part, &world);
}

static int call_dual(void)
{
    idx_t *xadj = NULL, *adj = NULL;
    int status = ParMETIS_V3_Mesh2Dual(elmdist, eptr, eind, &zero, &two, &xadj, &adj, &world);
    CHECK((status == METIS_OK) == (xadj && adj));
    METIS_Free(xadj);
    METIS_Free(adj);
    return status;
}

static int call_mesh(void)
{
    return ParMETIS_V3_PartMeshKway(elmdist, eptr, eind, NULL, &zero, &zero, &one, &two,
                                    &three, tpwgts, ubvec, options, &cut, s.part, &world);
}

/* If optional memory is missing, the result is the same. */
static void fail_on(int which, int (*call)(void))
{
    static idx_t kept[most_vertices];
    test_alloc_fail_at(0);
    CHECK_EQ(call(), METIS_OK);
    int64_t calls = test_alloc_calls(), failed = 0, tried = 0;
    memcpy(kept, s.part, sizeof kept);
    MPI_Bcast(&calls, 1, MPI_INT64_T, which, world);
    int64_t step = 1 + calls / most_tries;
    for (int64_t nth = 1; nth <= calls; nth += step * TEST_STRIDE, tried++) {
        int64_t live = test_alloc_live();
        test_alloc_fail_at(rank == which ? nth : 0);
        int status = call();
        test_alloc_fail_at(0);
        CHECK_EQ(test_alloc_live(), live);
        CHECK(same_everywhere(status));
        CHECK(status == METIS_OK || status == METIS_ERROR_MEMORY);
        failed += status != METIS_OK;
        if (status == METIS_OK)
            CHECK(memcmp(kept, s.part, sizeof kept) == 0);
        memcpy(s.part, kept, sizeof kept);
    }
    CHECK(failed > tried / 2);
}

static void fail_everywhere(int (*call)(void))
{
    fail_on(0, call);
    if (size > 1)
        fail_on(size - 1, call);
}

/* Squares, 6 x as many as ranks, in stripes. */
static void make_mesh(void)
{
    idx_t width = 6, m = 0;
    fixture_ranges(width * (size + 1), 0, 0, elmdist);
    for (idx_t e = elmdist[rank]; e < elmdist[rank + 1]; e++) {
        idx_t corner = e / width * (width + 1) + e % width;
        eptr[e - elmdist[rank]] = m;
        eind[m++] = corner;
        eind[m++] = corner + 1;
        eind[m++] = corner + width + 1;
        eind[m++] = corner + width + 2;
    }
    eptr[elmdist[rank + 1] - elmdist[rank]] = m;
}

static void test_oom(void)
{
    static int (*const calls[])(void) = {call_kway,   call_geomkway, call_geom, call_adapt,
                                         call_mended, call_dual,     call_mesh};
    whole_grid(&w, 12, 12, 2);
    deal(&w, 0, 1, &s);
    make_mesh();
    for (int i = 0; i < 6; i++) /* of one weight and of two the sums are near 1 */
        tpwgts[i] = 1 / 3.0f + (i == 0 ? .003f : i == 2 ? -.003f : 0);
    ubvec[0] = 1.2f;
    ubvec[1] = 1.3f;
    options[0] = 1;
    options[3] = PARMETIS_PSR_UNCOUPLED;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        fail_everywhere(calls[i]);
}

int main(int argc, char **argv)
{
    fixture_start(&argc, &argv);
    RUN(test_oom);
    return fixture_end();
}
