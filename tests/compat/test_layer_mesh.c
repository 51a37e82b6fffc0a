/* SPDX-License-Identifier: Apache-2.0 */
/* Mesh functions of compat/metis against a slow oracle.  Built for each of the four
 * libraries. */
#include <math.h>

#include "compat/layer_fixture.h"

enum { most_elements = 80, most_nodes = 60, most_items = 8 * most_elements };

typedef struct mesh {
    idx_t ne, nn, eptr[most_elements + 1], eind[most_items];
} mesh;

static mesh m;
static unsigned state;

static idx_t draw(idx_t below)
{
    state = state * 1103515245u + 12345u;
    return (idx_t)(state >> 16) % below;
}

/* Elements of 0 .. 6 nodes that lie near each other, now and then one of them twice. */
static void random_mesh(unsigned seed)
{
    state = seed;
    m.ne = 1 + draw(most_elements);
    m.nn = 8 + draw(most_nodes - 8);
    m.eptr[0] = 0;
    for (idx_t e = 0; e < m.ne; e++) {
        idx_t count = draw(7), near = draw(m.nn), at = m.eptr[e];
        for (idx_t i = 0; i < count; i++)
            m.eind[at++] = (near + draw(6)) % m.nn;
        m.eptr[e + 1] = at;
    }
}

/* width x height squares. */
static void square_mesh(idx_t width, idx_t height)
{
    idx_t at = 0;
    m.ne = width * height;
    m.nn = (width + 1) * (height + 1);
    for (idx_t e = 0; e < m.ne; e++) {
        idx_t corner = e / width * (width + 1) + e % width;
        m.eptr[e] = at;
        m.eind[at++] = corner;
        m.eind[at++] = corner + 1;
        m.eind[at++] = corner + width + 2;
        m.eind[at++] = corner + width + 1;
    }
    m.eptr[m.ne] = at;
}

static bool has(idx_t e, idx_t node)
{
    for (idx_t i = m.eptr[e]; i < m.eptr[e + 1]; i++)
        if (m.eind[i] == node)
            return true;
    return false;
}

static bool neighbours_dual(idx_t a, idx_t b, idx_t common)
{
    idx_t shared = 0, n = 0, k = 0;
    for (idx_t v = 0; v < m.nn; v++) {
        shared += has(a, v) && has(b, v);
        n += has(a, v);
        k += has(b, v);
    }
    return a != b && shared >= 1 && (shared >= common || shared >= n - 1 || shared >= k - 1);
}

static bool neighbours_nodal(idx_t a, idx_t b)
{
    for (idx_t e = 0; a != b && e < m.ne; e++)
        if (has(e, a) && has(e, b))
            return true;
    return false;
}

static void check_graph(idx_t count, idx_t common, idx_t numbering, idx_t *xadj, idx_t *adj)
{
    REQUIRE(xadj && adj);
    CHECK_EQ(xadj[0], numbering);
    for (idx_t v = 0; v < count; v++) {
        idx_t at = xadj[v] - numbering;
        for (idx_t u = 0; u < count; u++)
            if (common ? neighbours_dual(v, u, common) : neighbours_nodal(v, u)) {
                REQUIRE(at < xadj[v + 1] - numbering);
                CHECK_EQ(adj[at++], u + numbering);
            }
        CHECK_EQ(at, xadj[v + 1] - numbering);
    }
    CHECK_EQ(METIS_Free(xadj), METIS_OK);
    free(adj); /* callers do this, too */
}

static void test_graphs(void)
{
    for (unsigned seed = 1; seed <= 40; seed += TEST_STRIDE) {
        idx_t *xadj, *adj;
        for (idx_t common = 1; common <= 3; common++)
            for (idx_t numbering = 0; numbering <= 1; numbering++) {
                random_mesh(seed);
                mesh counted = m;
                for (idx_t i = 0; i < m.eptr[m.ne]; i++)
                    counted.eind[i] += numbering;
                for (idx_t e = 0; e <= m.ne; e++)
                    counted.eptr[e] += numbering;
                mesh before = counted;
                CHECK_EQ(METIS_MeshToDual(&counted.ne, &counted.nn, counted.eptr, counted.eind,
                                          &common, &numbering, &xadj, &adj),
                         METIS_OK);
                check_graph(m.ne, common, numbering, xadj, adj);
                CHECK_EQ(METIS_MeshToNodal(&counted.ne, &counted.nn, counted.eptr,
                                           counted.eind, &numbering, &xadj, &adj),
                         METIS_OK);
                check_graph(m.nn, 0, numbering, xadj, adj);
                CHECK(memcmp(&before, &counted, sizeof before) == 0);
            }
    }
}

/* Is the part of v that of one of its own? */
static bool follows(bool dual, idx_t v, const idx_t *follower, const idx_t *leader)
{
    bool any = false;
    for (idx_t u = 0; u < (dual ? m.ne : m.nn); u++)
        if (dual ? has(u, v) : has(v, u)) {
            any = true;
            if (follower[v] == leader[u])
                return true;
        }
    return !any;
}

static void test_parts(void)
{
    idx_t options[METIS_NOPTIONS], epart[most_elements], npart[most_nodes + 60], value;
    for (int way = 0; way < 8; way++) {
        bool dual = way & 1, from_one = way & 2;
        idx_t k = 4, common = 2;
        square_mesh(10, 7);
        METIS_SetDefaultOptions(options);
        options[METIS_OPTION_PTYPE] = way & 4 ? METIS_PTYPE_RB : METIS_PTYPE_KWAY;
        options[METIS_OPTION_NUMBERING] = from_one;
        mesh given = m;
        for (idx_t i = 0; from_one && i < m.eptr[m.ne]; i++)
            given.eind[i]++;
        for (idx_t e = 0; from_one && e <= m.ne; e++)
            given.eptr[e]++;
        int status =
            dual ? METIS_PartMeshDual(&given.ne, &given.nn, given.eptr, given.eind, NULL, NULL,
                                      &common, &k, NULL, options, &value, epart, npart)
                 : METIS_PartMeshNodal(&given.ne, &given.nn, given.eptr, given.eind, NULL,
                                       NULL, &k, NULL, options, &value, epart, npart);
        CHECK_EQ(status, METIS_OK);
        for (idx_t i = 0; from_one && i < m.ne; i++)
            epart[i]--;
        for (idx_t i = 0; from_one && i < m.nn; i++)
            npart[i]--;
        idx_t *leader = dual ? epart : npart, *follower = dual ? npart : epart;
        idx_t leaders = dual ? m.ne : m.nn, followers = dual ? m.nn : m.ne, cut = 0;
        CHECK_EQ(fixture_empty(m.ne, epart, k), 0);
        CHECK_EQ(fixture_empty(m.nn, npart, k), 0);
        CHECK(fixture_balanced(leaders, NULL, 1, 0, leader, k, NULL, way & 4 ? .001 : .03));
        CHECK(fixture_balanced(followers, NULL, 1, 0, follower, k, NULL, .3));
        for (idx_t v = 0; v < followers; v++)
            CHECK(follows(dual, v, follower, leader));
        for (idx_t a = 0; a < leaders; a++)
            for (idx_t b = 0; b < a; b++)
                if (leader[a] != leader[b])
                    cut += dual ? neighbours_dual(a, b, common) : neighbours_nodal(a, b);
        CHECK_EQ(value, cut);
    }
}

/* Elements without nodes, nodes without elements, more parts than elements, shares. */
static void test_odd_parts(void)
{
    idx_t epart[most_elements], npart[most_nodes], value, common = 1;
    real_t tpwgts[2] = {.25f, .75f};
    for (unsigned seed = 1; seed <= 20; seed += TEST_STRIDE)
        for (idx_t k = 1; k < 100; k = 3 * k + 1) {
            random_mesh(seed);
            CHECK_EQ(METIS_PartMeshDual(&m.ne, &m.nn, m.eptr, m.eind, NULL, NULL, &common, &k,
                                        NULL, NULL, &value, epart, npart),
                     METIS_OK);
            for (idx_t e = 0; e < m.ne; e++)
                CHECK(epart[e] >= 0 && epart[e] < k);
            for (idx_t v = 0; v < m.nn; v++)
                CHECK(npart[v] >= 0 && npart[v] < k && follows(true, v, npart, epart));
        }
    idx_t two = 2;
    square_mesh(8, 5);
    CHECK_EQ(METIS_PartMeshDual(&m.ne, &m.nn, m.eptr, m.eind, NULL, NULL, &common, &two,
                                tpwgts, NULL, &value, epart, npart),
             METIS_OK);
    CHECK(fixture_balanced(m.ne, NULL, 1, 0, epart, 2, tpwgts, .03));
}

static void test_refused(void)
{
    idx_t *xadj, *adj, common = 1, numbering = 0, k = 2, value, part[most_nodes];
    square_mesh(3, 3);
    m.eind[5] = m.nn;
    CHECK_EQ(METIS_MeshToDual(&m.ne, &m.nn, m.eptr, m.eind, &common, &numbering, &xadj, &adj),
             METIS_ERROR_INPUT);
    CHECK(!xadj && !adj);
    m.eind[5] = -1;
    CHECK_EQ(METIS_MeshToNodal(&m.ne, &m.nn, m.eptr, m.eind, &numbering, &xadj, &adj),
             METIS_ERROR_INPUT);
    square_mesh(3, 3);
    m.eptr[2] = 99;
    CHECK_EQ(METIS_PartMeshNodal(&m.ne, &m.nn, m.eptr, m.eind, NULL, NULL, &k, NULL, NULL,
                                 &value, part, part),
             METIS_ERROR_INPUT);
    square_mesh(3, 3);
    CHECK_EQ(METIS_MeshToDual(&m.ne, &m.nn, m.eptr, m.eind, NULL, &numbering, &xadj, &adj),
             METIS_ERROR_INPUT);
    m.ne = 0;
    CHECK_EQ(METIS_MeshToDual(&m.ne, &m.nn, m.eptr, m.eind, &common, NULL, &xadj, &adj),
             METIS_OK);
    check_graph(0, 1, 0, xadj, adj);
    CHECK_EQ(METIS_Free(NULL), METIS_OK);
}

/* Not in metis.h; FreeFem++ declares it like this. */
real_t libmetis__ComputeElementBalance(idx_t ne, idx_t nparts, idx_t *where);

/* The largest part, counted part by part, over the mean. */
static double slow_balance(idx_t ne, idx_t nparts, const idx_t *where)
{
    idx_t largest = 0;
    for (idx_t p = 0; p < nparts; p++) {
        idx_t size = 0;
        for (idx_t e = 0; e < ne; e++)
            size += where[e] == p;
        largest = size > largest ? size : largest;
    }
    return (double)largest / ((double)ne / (double)nparts);
}

static void test_balance(void)
{
    idx_t where[most_nodes];
    for (unsigned seed = 1; seed <= 40; seed++) {
        state = seed;
        idx_t ne = 1 + draw(most_nodes), nparts = 1 + draw(9);
        for (idx_t e = 0; e < ne; e++)
            where[e] = draw(nparts);
        double want = slow_balance(ne, nparts, where);
        double got = libmetis__ComputeElementBalance(ne, nparts, where);
        CHECK(fabs(got - want) <= 1e-6 * want);
    }
    where[0] = where[1] = where[2] = 1;
    CHECK(libmetis__ComputeElementBalance(3, 4, where) == 4); /* all in one part */
    CHECK(libmetis__ComputeElementBalance(0, 4, where) == 1);
    where[1] = -1;
    where[2] = 4; /* outside: not counted, and nothing is written there */
    CHECK(libmetis__ComputeElementBalance(3, 4, where) == 4);
}

int main(void)
{
    RUN(test_balance);
    RUN(test_graphs);
    RUN(test_parts);
    RUN(test_odd_parts);
    RUN(test_refused);
    return test_end();
}
