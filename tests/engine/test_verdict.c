/* SPDX-License-Identifier: Apache-2.0 */
/* Units, mappings without a choice, and the verdict: every message, and on random mappings the
 * same results as slow loops over all pairs of vertices. */
#include "engine/verdict.h"

#include "base/rng.h"
#include "engine/piece_check.h"
#include "support/test.h"

static cleave_error err;
static clv_ws ws;

/* Two paths 0-1-2-3 and 4-5, as everything below uses them. */
static cleave_graph *paths(const int32_t *vwgt, int32_t ncon)
{
    static const int64_t xadj[] = {0, 1, 3, 5, 6, 7, 8};
    static const int32_t adj[] = {1, 0, 2, 1, 3, 2, 5, 4};
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    csr.nvtx = 6;
    csr.xadj = xadj;
    csr.adj = adj;
    csr.vwgt = vwgt;
    csr.ncon = ncon;
    cleave_graph *g = NULL;
    CHECK_OK(cleave_graph_create(&g, &csr, 0, &err));
    return g;
}

typedef struct question {
    const char *target;
    double eps;
    cleave_constraints c;
    const int32_t *vwgt;
    int32_t ncon;
} question;

static question ask(const char *target)
{
    question q = {.target = target, .ncon = 1};
    cleave_constraints_init(&q.c, sizeof q.c);
    return q;
}

/* "ok cut 1 volume 2 empty 0", or the sentence of the verdict. */
static const char *verdict(const question *q, const char *digits)
{
    static char shown[512];
    cleave_graph *g = paths(q->vwgt, q->ncon);
    cleave_target *t = NULL;
    clv_limits limits;
    clv_groups grouped;
    clv_verdict v;
    int32_t part[6];
    for (int i = 0; i < 6; i++)
        part[i] = digits[i] - '0';
    CHECK_OK(cleave_target_parse(&t, q->target, &err));
    CHECK_OK(clv_limits_make(&limits, g, t, &(clv_weight_demands){&q->c, q->eps}, &ws, &err));
    CHECK_OK(clv_groups_make(&grouped, 6, q->c.fixed, q->c.groups, &ws, &err));
    clv_demands d = {g, &limits, &grouped, q->c.fixed, q->c.connected != 0, NULL};
    cleave_status status = clv_verdict_reach(&v, &d, part, &(clv_context){.ws = &ws}, &err);
    if (status == CLEAVE_OK)
        sprintf(shown, "ok cut %lld volume %lld empty %d%s", (long long)v.cut,
                (long long)v.volume, (int)v.empty_parts, v.balanced ? "" : " unbalanced");
    else
        snprintf(shown, sizeof shown, "%s", err.message);
    CHECK(status == CLEAVE_OK || status == CLEAVE_EBALANCE);
    clv_ws_free(&ws);
    cleave_target_free(t);
    cleave_graph_free(g);
    return shown;
}

static void test_weights(void)
{
    static const int32_t heavy[] = {1, 1, 9, 1, 1, 1},
                         two[] = {1, 5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    static const int64_t max[] = {2, 2}, min[] = {4, -1}, both[] = {4, 4}, room[] = {6, 6};
    question q = ask("2");
    CHECK_STR(verdict(&q, "000111"), "ok cut 1 volume 2 empty 0");
    CHECK_STR(verdict(&q, "000011"), "no mapping within the bounds was found: part 0 reaches "
                                     "4, above its bound 3");
    q.eps = 0.5;
    CHECK_STR(verdict(&q, "000011"), "ok cut 0 volume 0 empty 0");
    q = ask("2");
    q.vwgt = heavy;
    CHECK_STR(verdict(&q, "001111"),
              "vertex 2 alone weighs 9: part 1 reaches 12, above its bound 7");
    q = ask("2");
    q.vwgt = two;
    q.ncon = 2;
    CHECK_STR(verdict(&q, "000111"), "no mapping within the bounds was found: weight 2 of "
                                     "part 0 reaches 7, above its bound 5");
    q = ask("2");
    q.c.max = max;
    CHECK_STR(verdict(&q, "000111"), "the bounds of all parts add up to 4, but the vertices "
                                     "weigh 6: part 0 reaches 3, above its bound 2");
    q = ask("2");
    q.c.min = min;
    q.c.max = room;
    CHECK_STR(verdict(&q, "000111"), "no mapping within the bounds was found: part 0 reaches "
                                     "3, below its bound 4");
    q.c.min = both;
    CHECK_STR(verdict(&q, "000111"),
              "the lower bounds of all parts add up to 8, but the vertices weigh 6: part 0 "
              "reaches 3, below its bound 4");
}

static void test_vertices(void)
{
    static const int32_t fixed[] = {1, -1, -1, -1, -1, 0}, groups[] = {-1, 7, 7, -1, -1, 7};
    question q = ask("2");
    q.c.fixed = fixed;
    CHECK_STR(verdict(&q, "111000"), "ok cut 1 volume 2 empty 0");
    CHECK_STR(verdict(&q, "000111"), "vertex 0 is fixed to part 1, but came to part 0");
    CHECK_STR(verdict(&q, "110001"), "vertex 5 is fixed to part 0, but came to part 1");
    q = ask("2");
    q.c.groups = groups;
    CHECK_STR(verdict(&q, "100110"), "ok cut 3 volume 6 empty 0");
    CHECK_STR(verdict(&q, "000111"),
              "vertices 1 and 5 are of the same group, but came to parts 0 and 1");
    q.eps = 0;
    q.c.max = (const int64_t[]){2, 6};
    CHECK_STR(verdict(&q, "100110"), "the group of vertex 1 alone weighs 3: part 0 reaches 3, "
                                     "above its bound 2");
}

static void test_empty(void)
{
    static const int32_t zeros[6] = {0}, there[] = {1, 1, 1, 1, 1, 1},
                         together[] = {0, 0, 0, 0, 0, 0};
    question q = ask("3");
    q.eps = 1;
    CHECK_STR(verdict(&q, "000111"),
              "part 2 is empty, as are 1 in all, though there are enough vertices");
    CHECK_STR(verdict(&q, "001122"), "ok cut 1 volume 2 empty 0");
    q = ask("9");
    q.eps = 0;
    CHECK_STR(verdict(&q, "012345"), "ok cut 4 volume 8 empty 3");
    q.eps = 1;
    CHECK_STR(verdict(&q, "001122"),
              "part 3 is empty, as are 3 in all, though there are enough vertices");
    /* A PE of speed 0 is empty, and must be, also of what weighs nothing. */
    q = ask("1,0,1");
    CHECK_STR(verdict(&q, "000222"), "ok cut 1 volume 2 empty 1");
    q.vwgt = zeros;
    CHECK_STR(verdict(&q, "000222"), "ok cut 1 volume 2 empty 1");
    CHECK_STR(verdict(&q, "000122"), "part 1 must stay empty, but vertex 3 is in it");
    /* No more can be filled than there are free vertices or groups. */
    q = ask("3");
    q.vwgt = zeros;
    q.c.fixed = there;
    CHECK_STR(verdict(&q, "111111"), "ok cut 0 volume 0 empty 2");
    q.c.fixed = NULL;
    q.c.groups = together;
    CHECK_STR(verdict(&q, "222222"), "ok cut 0 volume 0 empty 2");
}

static void test_pieces(void)
{
    question q = ask("2");
    q.eps = 0.4;
    CHECK_STR(verdict(&q, "011001"), "ok cut 3 volume 6 empty 0");
    q.c.connected = 1;
    CHECK_STR(verdict(&q, "001101"), "ok cut 2 volume 4 empty 0");
    CHECK_STR(verdict(&q, "011001"), "part 0 is not connected within the components of the "
                                     "graph: 1 piece too many");
}

static const char *groups_of(const int32_t *fixed, const int32_t *groups)
{
    static char shown[256];
    clv_groups grouped;
    if (clv_groups_make(&grouped, 6, fixed, groups, &ws, &err) != CLEAVE_OK)
        return err.message;
    char *to = shown + sprintf(shown, "%d:", (int)grouped.count);
    for (int32_t v = 0; v < 6; v++)
        to += sprintf(to, " %d", (int)clv_group_of(&grouped, v));
    for (int32_t u = 0; grouped.fixed && u < grouped.count; u++)
        to += sprintf(to, "%s%d", u ? "," : " fixed ", (int)grouped.fixed[u]);
    clv_ws_free(&ws);
    return shown;
}

static void test_units(void)
{
    static const int32_t fixed[] = {-1, 3, -1, -1, 4, -1},
                         one[] = {2147483647, 0, 2147483647, -1, 0, -1};
    static const int32_t other[] = {5, 1, 5, 1, 2, 5};
    CHECK_STR(groups_of(NULL, NULL), "6: 0 1 2 3 4 5");
    CHECK_STR(groups_of(fixed, NULL), "6: 0 1 2 3 4 5 fixed -1,3,-1,-1,4,-1");
    CHECK_STR(groups_of(NULL, one), "4: 0 1 0 2 1 3");
    CHECK_STR(groups_of(fixed, other), "3: 0 1 0 1 2 0 fixed -1,3,4");
    CHECK_STR(groups_of(fixed, one), "vertices 1 and 4 are of the same group, but fixed to "
                                     "parts 3 and 4");
}

/* The mapping when there is a part for everybody: digits. */
static const char *spread(const char *target, const int32_t *vwgt, const int32_t *fixed,
                          const int32_t *groups)
{
    static char shown[16];
    cleave_graph *g = paths(vwgt, 1);
    cleave_target *t = NULL;
    cleave_constraints c;
    clv_limits limits;
    clv_groups grouped;
    int32_t part[6], parts, count;
    cleave_constraints_init(&c, sizeof c);
    c.fixed = fixed;
    CHECK_OK(cleave_target_parse(&t, target, &err));
    CHECK_OK(clv_limits_make(&limits, g, t, &(clv_weight_demands){&c, 0}, &ws, &err));
    CHECK_OK(clv_groups_make(&grouped, 6, fixed, groups, &ws, &err));
    CHECK_OK(clv_groups_count(&grouped, &limits, &ws, &parts, &count, &err));
    CHECK(parts >= count);
    CHECK_OK(clv_groups_spread(&grouped, g, &limits, &ws, part, &err));
    for (int v = 0; v < 6; v++)
        shown[v] = (char)('0' + part[v]);
    clv_ws_free(&ws);
    cleave_target_free(t);
    cleave_graph_free(g);
    return shown;
}

static void test_spread(void)
{
    static const int32_t rising[] = {1, 2, 3, 4, 5, 6}, fixed[] = {3, -1, 3, -1, -1, 0};
    static const int32_t groups[] = {-1, 1, 1, 1, -1, -1};
    CHECK_STR(spread("6", NULL, NULL, NULL), "012345");
    CHECK_STR(spread("9", NULL, NULL, NULL), "012345");
    CHECK_STR(spread("6", rising, NULL, NULL), "543210");
    CHECK_STR(spread("6", NULL, fixed, NULL), "313240");
    CHECK_STR(spread("1,1,1,0,1,1,1", NULL, NULL, NULL), "012456");
    CHECK_STR(spread("1,1,1,1,1,8", rising, NULL, NULL), "432105");
    CHECK_STR(spread("4", NULL, NULL, groups), "100023");
}

/* Pieces of parts minus components reached, by closures over all pairs. */
static void oracle_pieces(int n, bool edge[12][12], const int32_t *part, int32_t nparts,
                          int32_t *excess)
{
    int whole[12], inside[12];
    for (int v = 0; v < n; v++)
        whole[v] = inside[v] = v;
    for (int pass = 0; pass < n; pass++)
        for (int u = 0; u < n; u++)
            for (int v = 0; v < n; v++) {
                if (edge[u][v] && whole[u] < whole[v])
                    whole[v] = whole[u];
                if (edge[u][v] && part[u] == part[v] && inside[u] < inside[v])
                    inside[v] = inside[u];
            }
    for (int p = 0; p < nparts; p++) {
        excess[p] = 0;
        for (int v = 0; v < n; v++) {
            bool first = true;
            for (int u = 0; u < v; u++)
                first = first && !(part[u] == p && whole[u] == whole[v]);
            excess[p] += part[v] == p && inside[v] == v;
            excess[p] -= part[v] == p && first;
        }
    }
}

static void test_pieces_at_random(void)
{
    clv_rng rng = clv_rng_make(9, 0, 0, 0);
    int bad = 0;
    for (int round = 0; round < 2000; round++) {
        int n = 1 + (int)clv_rng_below(&rng, 12);
        int32_t nparts = 1 + (int32_t)clv_rng_below(&rng, 4), part[12], excess[4];
        bool edge[12][12] = {{false}};
        cleave_builder *b;
        cleave_graph *g;
        REQUIRE_OK(cleave_builder_create(&b, CLEAVE_UNDIRECTED, &err));
        for (int32_t u = 0; u < n; u++) {
            part[u] = (int32_t)clv_rng_below(&rng, (uint32_t)nparts);
            for (int32_t v = 0; v < u; v++)
                if (clv_rng_below(&rng, 5) == 0) {
                    edge[u][v] = edge[v][u] = true;
                    CHECK_OK(cleave_builder_add(b, 1, &u, &v, NULL, &err));
                }
        }
        REQUIRE_OK(cleave_builder_finish(&g, b, n, NULL, &err));
        cleave_builder_free(b);
        oracle_pieces(n, edge, part, nparts, excess);
        int32_t most = 0;
        clv_piece_excess found = {-1, -1};
        for (int32_t p = 0; p < nparts; p++)
            most = excess[p] > most ? excess[p] : most;
        CHECK_OK(clv_piece_check(g, nparts, part, &ws, &found, &err));
        CHECK(found.pieces == most && (most == 0 || excess[found.part] == most));
        bad += most > 0;
        cleave_graph_free(g);
    }
    CHECK(bad > 200 && bad < 1800);
    clv_ws_free(&ws);
}

/* ---- DAGs ----------------------------------------------------------------------------- */

static cleave_status verdict_of_dag(clv_verdict *v, const char *dot, int32_t k,
                                    const int32_t *part)
{
    cleave_graph *g = NULL;
    cleave_target *t = NULL;
    clv_limits limits;
    clv_groups grouped;
    cleave_constraints c;
    cleave_constraints_init(&c, sizeof c);
    CHECK_OK(cleave_graph_read(&g, test_file("verdict.dot", dot), NULL, &err));
    CHECK_OK(cleave_target_create(&t, k, NULL, &err));
    CHECK_OK(clv_limits_make(&limits, g, t, &(clv_weight_demands){&c, 1}, &ws, &err));
    CHECK_OK(clv_groups_make(&grouped, cleave_graph_vertices(g), NULL, NULL, &ws, &err));
    clv_demands d = {g, &limits, &grouped, NULL, false, NULL};
    cleave_status status = clv_verdict_reach(v, &d, part, &(clv_context){.ws = &ws}, &err);
    clv_ws_free(&ws);
    cleave_target_free(t);
    cleave_graph_free(g);
    return status;
}

/* The example of the paper: costs 1, 1, 11 here. */
static void test_directions(void)
{
    const char *paper = "digraph { s -> u; u -> x; u -> y; u -> t; s -> v; v -> t }";
    const char *ring = "digraph { 0 -> 1; 2 -> 3; 4 -> 5 }";
    clv_verdict v;
    /* In the order of the file: s u x y t v. */
    CHECK_OK(verdict_of_dag(&v, paper, 2, (const int32_t[]){0, 0, 1, 1, 1, 0}));
    CHECK(v.acyclic == 1 && v.cut == 4 && v.critical_path == 15);
    CHECK_EQ(verdict_of_dag(&v, paper, 2, (const int32_t[]){1, 0, 0, 0, 1, 1}), CLEAVE_ECYCLE);
    CHECK_EQ(v.acyclic, 0);
    CHECK_STR(err.message,
              "internal error: the parts found form a cycle, 0 -> 1 -> 0; please report it");
    /* No two parts depend on each other, but three do. */
    CHECK_EQ(verdict_of_dag(&v, ring, 3, (const int32_t[]){0, 1, 1, 2, 2, 0}), CLEAVE_ECYCLE);
    CHECK_STR(
        err.message,
        "internal error: the parts found form a cycle, 0 -> 1 -> 2 -> 0; please report it");
    /* More parts than vertices, and no vertex at all. */
    CHECK_OK(verdict_of_dag(&v, "digraph { a -> b }", 5, (const int32_t[]){1, 0}));
    CHECK(v.acyclic == 1 && v.critical_path == 13 && v.empty_parts == 3);
    CHECK_OK(verdict_of_dag(&v, "digraph { }", 2, NULL));
    CHECK(v.acyclic == 1 && v.critical_path == 0);
}

int main(void)
{
    RUN(test_weights);
    RUN(test_vertices);
    RUN(test_empty);
    RUN(test_pieces);
    RUN(test_units);
    RUN(test_spread);
    RUN(test_pieces_at_random);
    RUN(test_directions);
    return test_end();
}
