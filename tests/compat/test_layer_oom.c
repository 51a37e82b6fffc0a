/* SPDX-License-Identifier: Apache-2.0 */
/* Every function of compat/metis when the n-th allocation fails, of the layer or of the
 * library below: METIS_ERROR_MEMORY, and nothing leaks. */
#include "base/mem.h"
#include "compat/layer_fixture.h"

/* In the place of compat/metis/layer_memory.c. */
void *cm_alloc(int64_t count, size_t each);
void cm_free(void *block);
void *cm_alloc(int64_t count, size_t each)
{
    return count < 0 ? NULL : clv_sys_alloc((size_t)count * each + 1);
}
void cm_free(void *block)
{
    clv_sys_free(block);
}

static fixture f;
static idx_t options[METIS_NOPTIONS], vwgt[2 * fixture_vertices], one = 1, two = 2, four = 4;
static idx_t first[fixture_vertices], second[fixture_vertices], value;
static idx_t ne = 4, nn = 6, eptr[] = {0, 3, 6, 9, 12};
static idx_t eind[] = {0, 1, 2, 1, 2, 3, 2, 3, 4, 3, 4, 5};

static int call_kway(void)
{
    return METIS_PartGraphKway(&f.n, &one, f.xadj, f.adj, vwgt, NULL, NULL, &four, NULL, NULL,
                               options, &value, first);
}

static int call_recursive(void)
{
    static real_t tpwgts[] = {.25f, .3f, .75f, .7f}, ubvec[] = {1.1f, 1.2f};
    return METIS_PartGraphRecursive(&f.n, &two, f.xadj, f.adj, vwgt, NULL, NULL, &two, tpwgts,
                                    ubvec, NULL, &value, first);
}

/* A tight bound, which is reached in two steps. */
static int call_tightly(void)
{
    return METIS_PartGraphRecursive(&f.n, &one, f.xadj, f.adj, NULL, NULL, NULL, &four, NULL,
                                    NULL, NULL, &value, first);
}

/* With a self-loop, so that the graph is repaired. */
static int call_mended(void)
{
    static idx_t xadj[] = {0, 2, 4, 5}, adj[] = {0, 1, 0, 2, 1}, n = 3;
    return METIS_PartGraphKway(&n, &one, xadj, adj, NULL, NULL, NULL, &two, NULL, NULL, NULL,
                               &value, first);
}

static int call_order(void)
{
    return METIS_NodeND(&f.n, f.xadj, f.adj, NULL, NULL, first, second);
}

static int call_pieces(void)
{
    static idx_t sizes[7];
    return METIS_NodeNDP(f.n, f.xadj, f.adj, NULL, 4, NULL, first, second, sizes);
}

static int call_separator(void)
{
    return METIS_ComputeVertexSeparator(&f.n, f.xadj, f.adj, NULL, NULL, &value, first);
}

#if METIS_VER_MINOR >= 2
static int call_reordering(void)
{
    static idx_t part[fixture_vertices];
    return METIS_CacheFriendlyReordering(f.n, f.xadj, f.adj, part, first);
}
#endif

static int free_graph(int status, idx_t *xadj, idx_t *adj)
{
    CHECK((status == METIS_OK) == (xadj && adj));
    METIS_Free(xadj);
    METIS_Free(adj);
    return status;
}

static int call_dual(void)
{
    idx_t *xadj, *adj, zero = 0;
    int status = METIS_MeshToDual(&ne, &nn, eptr, eind, &two, &zero, &xadj, &adj);
    return free_graph(status, xadj, adj);
}

static int call_nodal(void)
{
    idx_t *xadj, *adj, zero = 0;
    int status = METIS_MeshToNodal(&ne, &nn, eptr, eind, &zero, &xadj, &adj);
    return free_graph(status, xadj, adj);
}

static int call_part_dual(void)
{
    return METIS_PartMeshDual(&ne, &nn, eptr, eind, NULL, NULL, &two, &two, NULL, NULL, &value,
                              first, second);
}

static int call_part_nodal(void)
{
    return METIS_PartMeshNodal(&ne, &nn, eptr, eind, NULL, NULL, &two, NULL, NULL, &value,
                               first, second);
}

/* A real number has no code for an error: 0 is no balance. */
real_t libmetis__ComputeElementBalance(idx_t ne, idx_t nparts, idx_t *where);
static int call_balance(void)
{
    static idx_t where[] = {0, 1, 1, 1};
    real_t found = libmetis__ComputeElementBalance(4, 2, where);
    CHECK(found == 0 || found == 1.5f);
    return found > 0 ? METIS_OK : METIS_ERROR_MEMORY;
}

/* If optional memory is missing, the result is the same. */
static void fail_everywhere(int (*call)(void))
{
    static idx_t kept[2][fixture_vertices];
    test_alloc_fail_at(0);
    REQUIRE(call() == METIS_OK);
    int64_t calls = test_alloc_calls(), failed = 0;
    CHECK(calls > 0);
    memcpy(kept[0], first, sizeof first);
    memcpy(kept[1], second, sizeof second);
    for (int64_t nth = 1; nth <= calls; nth += TEST_STRIDE) {
        int64_t live = test_alloc_live();
        test_alloc_fail_at(nth);
        int status = call();
        test_alloc_fail_at(0);
        CHECK_EQ(test_alloc_live(), live);
        CHECK(status == METIS_OK || status == METIS_ERROR_MEMORY);
        failed += status != METIS_OK;
        if (status == METIS_OK)
            CHECK(memcmp(kept[0], first, sizeof first) == 0 &&
                  memcmp(kept[1], second, sizeof second) == 0);
        memcpy(first, kept[0], sizeof first); /* a mesh may be filled half */
        memcpy(second, kept[1], sizeof second);
    }
    CHECK(failed * TEST_STRIDE > calls / 2);
}

static void test_oom(void)
{
    static int (*const calls[])(void) = {call_kway,      call_recursive,  call_tightly,
                                         call_mended,    call_order,      call_pieces,
                                         call_separator, call_dual,       call_nodal,
                                         call_part_dual, call_part_nodal, call_balance};
    fixture_grid(&f, 12, 12);
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_NCUTS] = 2;
    options[METIS_OPTION_MINCONN] = 1;
    fixture_weights(vwgt, 2 * f.n, 1);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        fail_everywhere(calls[i]);
#if METIS_VER_MINOR >= 2
    fail_everywhere(call_reordering);
#endif
}

int main(void)
{
    RUN(test_oom);
    return test_end();
}
