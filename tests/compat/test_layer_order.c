/* SPDX-License-Identifier: Apache-2.0 */
/* Elimination orders and separators of compat/metis.  Built for each of the four libraries. */
#include "compat/layer_fixture.h"

static fixture f;
static idx_t perm[fixture_vertices], iperm[fixture_vertices], options[METIS_NOPTIONS];

static void test_order(void)
{
    idx_t natural[fixture_vertices];
    fixture_grid(&f, 15, 15);
    for (idx_t v = 0; v < f.n; v++)
        natural[v] = v;
    CHECK_EQ(METIS_NodeND(&f.n, f.xadj, f.adj, NULL, NULL, perm, iperm), METIS_OK);
    CHECK(fixture_inverse(f.n, perm, iperm, 0));
    /* perm, not iperm, is the elimination order. */
    int64_t fill = fixture_fill(&f, perm);
    CHECK(fill < fixture_fill(&f, natural) * 2 / 3);
    CHECK(fill < fixture_fill(&f, iperm));
}

static void test_order_numbering(void)
{
    idx_t first[fixture_vertices];
    static fixture before;
    fixture_grid(&f, 11, 7);
    CHECK_EQ(METIS_NodeND(&f.n, f.xadj, f.adj, NULL, NULL, first, iperm), METIS_OK);
    fixture_from_one(&f);
    before = f;
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_NUMBERING] = 1;
    CHECK_EQ(METIS_NodeND(&f.n, f.xadj, f.adj, NULL, options, perm, iperm), METIS_OK);
    CHECK(memcmp(&before, &f, sizeof f) == 0);
    CHECK(fixture_inverse(f.n, perm, iperm, 1));
    for (idx_t v = 0; v < f.n; v++)
        CHECK_EQ(perm[v], first[v] + 1);
}

static void test_order_options(void)
{
    static const struct {
        int slot;
        idx_t value;
        int status;
    } cases[] = {{METIS_OPTION_OBJTYPE, 9, -2},  {METIS_OPTION_CTYPE, 9, -2},
                 {METIS_OPTION_IPTYPE, 9, -2},   {METIS_OPTION_RTYPE, 9, -2},
                 {METIS_OPTION_RTYPE, 3, 1},     {METIS_OPTION_NITER, 9, 1},
                 {METIS_OPTION_SEED, 9, 1},      {METIS_OPTION_COMPRESS, 9, -2},
                 {METIS_OPTION_COMPRESS, 0, 1},  {METIS_OPTION_CCORDER, 9, -2},
                 {METIS_OPTION_CCORDER, 1, 1},   {METIS_OPTION_PFACTOR, 60, 1},
                 {METIS_OPTION_NSEPS, 9, 1},     {METIS_OPTION_UFACTOR, 100, 1},
                 {METIS_OPTION_NUMBERING, 9, -2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fixture_grid(&f, 6, 6);
        METIS_SetDefaultOptions(options);
        options[cases[i].slot] = cases[i].value;
        CHECK_EQ(METIS_NodeND(&f.n, f.xadj, f.adj, NULL, options, perm, iperm),
                 cases[i].status);
        CHECK(cases[i].status != METIS_OK || fixture_inverse(f.n, perm, iperm, 0));
    }
}

static void test_order_edges(void)
{
    idx_t none = 0, one = 1, zeros[2] = {0, 0}, loop[2] = {0, 1};
    CHECK_EQ(METIS_NodeND(&none, zeros, NULL, NULL, NULL, NULL, NULL), METIS_OK);
    CHECK_EQ(METIS_NodeND(&one, zeros, NULL, NULL, NULL, perm, iperm), METIS_OK);
    CHECK_EQ(perm[0], 0);
    CHECK_EQ(METIS_NodeND(&one, loop, zeros, NULL, NULL, perm, iperm), METIS_OK);
    CHECK_EQ(METIS_NodeND(NULL, zeros, NULL, NULL, NULL, perm, iperm), METIS_ERROR_INPUT);
    CHECK_EQ(METIS_NodeND(&one, NULL, NULL, NULL, NULL, perm, iperm), METIS_ERROR_INPUT);
    fixture_grid(&f, 4, 4);
    f.adj[0] = 9;
    CHECK_EQ(METIS_NodeND(&f.n, f.xadj, f.adj, NULL, NULL, perm, iperm), METIS_ERROR_INPUT);
}

/* No edge between the sides; the weight is that of part 2, and no side is above 1.2 halves. */
static void check_separator(const idx_t *vwgt, const idx_t *part, idx_t weight)
{
    int64_t sum[3] = {0}, total = 0;
    for (idx_t v = 0; v < f.n; v++) {
        REQUIRE(part[v] >= 0 && part[v] <= 2);
        sum[part[v]] += vwgt ? vwgt[v] : 1;
        total += vwgt ? vwgt[v] : 1;
        for (idx_t i = f.xadj[v]; i < f.xadj[v + 1]; i++)
            CHECK(part[v] == 2 || part[f.adj[i]] == 2 || part[v] == part[f.adj[i]]);
    }
    CHECK_EQ(sum[2], weight);
    CHECK((double)sum[0] <= 1.2 * (double)((total + 1) / 2));
    CHECK((double)sum[1] <= 1.2 * (double)((total + 1) / 2));
}

static void test_separator(void)
{
    idx_t weight = -1, vwgt[fixture_vertices], part[fixture_vertices], none = 0, zero = 0;
    fixture_grid(&f, 30, 10);
    CHECK_EQ(METIS_ComputeVertexSeparator(&f.n, f.xadj, f.adj, NULL, NULL, &weight, part),
             METIS_OK);
    check_separator(NULL, part, weight);
    CHECK_EQ(weight, 10);
    fixture_weights(vwgt, f.n, 5);
    CHECK_EQ(METIS_ComputeVertexSeparator(&f.n, f.xadj, f.adj, vwgt, NULL, &weight, part),
             METIS_OK);
    check_separator(vwgt, part, weight);
    CHECK_EQ(METIS_ComputeVertexSeparator(&none, &zero, NULL, NULL, NULL, &weight, NULL),
             METIS_OK);
    CHECK_EQ(weight, 0);
    CHECK_EQ(METIS_ComputeVertexSeparator(&f.n, f.xadj, f.adj, NULL, NULL, NULL, part),
             METIS_ERROR_INPUT);
}

/* NUMBERING has no effect on functions whose arrays count from 0; METIS ignores it. */
static void test_separator_numbering(void)
{
    idx_t weight, part[fixture_vertices], sizes[3];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_NUMBERING] = 1;
    fixture_grid(&f, 30, 10);
    CHECK_EQ(METIS_ComputeVertexSeparator(&f.n, f.xadj, f.adj, NULL, options, &weight, part),
             METIS_OK);
    check_separator(NULL, part, weight);
    CHECK_EQ(METIS_NodeNDP(f.n, f.xadj, f.adj, NULL, 2, options, perm, iperm, sizes),
             METIS_OK);
    CHECK(fixture_inverse(f.n, perm, iperm, 0));
    fixture_from_one(&f);
    CHECK_EQ(METIS_NodeNDP(f.n, f.xadj, f.adj, NULL, 2, options, perm, iperm, sizes),
             METIS_OK);
    CHECK(fixture_inverse(f.n, perm, iperm, 1));
    CHECK_EQ(METIS_ComputeVertexSeparator(&f.n, f.xadj, f.adj, NULL, options, &weight, part),
             METIS_OK);
    fixture_grid(&f, 30, 10);
    check_separator(NULL, part, weight);
}

/* Places of node c of the tree: after those of its halves.  Returns where it ends. */
static idx_t mark_node(idx_t c, idx_t npes, const idx_t *sizes, idx_t at, idx_t *node)
{
    if (c < npes - 1) {
        at = mark_node(2 * c + 1, npes, sizes, at, node);
        at = mark_node(2 * c + 2, npes, sizes, at, node);
    }
    for (idx_t i = 0; i < sizes[2 * npes - 2 - c]; i++)
        node[at++] = c;
    return at;
}

static bool above(idx_t a, idx_t b) /* a is b or one of those that it is half of */
{
    while (b > a)
        b = (b - 1) / 2;
    return a == b;
}

static void test_pieces(void)
{
    idx_t sizes[15], node[fixture_vertices];
    for (idx_t npes = 1; npes <= 8; npes++) {
        fixture_grid(&f, 24, 20);
        REQUIRE(METIS_NodeNDP(f.n, f.xadj, f.adj, NULL, npes, NULL, perm, iperm, sizes) ==
                METIS_OK);
        CHECK(fixture_inverse(f.n, perm, iperm, 0));
        CHECK_EQ(mark_node(0, npes, sizes, 0, node), f.n);
        for (idx_t v = 0; v < f.n; v++)
            for (idx_t i = f.xadj[v]; i < f.xadj[v + 1]; i++) {
                idx_t a = node[iperm[v]], b = node[iperm[f.adj[i]]];
                CHECK(above(a, b) || above(b, a));
            }
    }
    CHECK_EQ(METIS_NodeNDP(f.n, f.xadj, f.adj, NULL, 0, NULL, perm, iperm, sizes),
             METIS_ERROR_INPUT);
}

static void test_refine(void)
{
    idx_t part[fixture_vertices], weight;
    fixture_grid(&f, 12, 12);
    CHECK_EQ(METIS_ComputeVertexSeparator(&f.n, f.xadj, f.adj, NULL, NULL, &weight, part),
             METIS_OK);
    CHECK_EQ(METIS_NodeRefine(f.n, f.xadj, NULL, f.adj, part, NULL, 1.2f), METIS_OK);
    check_separator(NULL, part, weight);
}

#if METIS_VER_MINOR >= 2
static int64_t distance(const idx_t *number)
{
    int64_t sum = 0;
    for (idx_t v = 0; v < f.n; v++)
        for (idx_t i = f.xadj[v]; i < f.xadj[v + 1]; i++)
            sum += number ? llabs((long long)number[v] - number[f.adj[i]])
                          : llabs((long long)v - f.adj[i]);
    return sum;
}

/* Numbers are given once each, part after part, and neighbours get near each other. */
static void test_reordering(void)
{
    enum { width = 400, height = 2 };
    idx_t part[fixture_vertices], number[fixture_vertices], at[fixture_vertices], none = 0;
    fixture_grid(&f, width, height);
    for (idx_t v = 0; v < f.n; v++)
        part[v] = v % width * 3 / width == 1 ? 4 : v % width * 3 / width; /* 0, 4, 2 */
    REQUIRE(METIS_CacheFriendlyReordering(f.n, f.xadj, f.adj, part, number) == METIS_OK);
    for (idx_t i = 0; i < f.n; i++)
        at[i] = -1;
    for (idx_t v = 0; v < f.n; v++) {
        REQUIRE(number[v] >= 0 && number[v] < f.n && at[number[v]] == -1);
        at[number[v]] = v;
    }
    for (idx_t i = 1; i < f.n; i++)
        CHECK(part[at[i - 1]] <= part[at[i]]);
    CHECK(distance(number) < distance(NULL) / 10);
    CHECK_EQ(METIS_CacheFriendlyReordering(0, &none, NULL, NULL, NULL), METIS_OK);
    part[7] = -1;
    CHECK_EQ(METIS_CacheFriendlyReordering(f.n, f.xadj, f.adj, part, number),
             METIS_ERROR_INPUT);
    part[7] = 0;
    f.adj[3] = f.n;
    CHECK_EQ(METIS_CacheFriendlyReordering(f.n, f.xadj, f.adj, part, number),
             METIS_ERROR_INPUT);
    CHECK_EQ(METIS_CacheFriendlyReordering(f.n, NULL, f.adj, part, number), METIS_ERROR_INPUT);
}
#endif

int main(void)
{
    RUN(test_order);
    RUN(test_order_numbering);
    RUN(test_order_options);
    RUN(test_order_edges);
    RUN(test_separator);
    RUN(test_separator_numbering);
    RUN(test_pieces);
    RUN(test_refine);
#if METIS_VER_MINOR >= 2
    RUN(test_reordering);
#endif
    return test_end();
}
