/* SPDX-License-Identifier: Apache-2.0 */
/* Distances of large target graphs: exact where near, within bounds elsewhere, and a table of
 * their errors by level. */
#include "target/deco_levels.h"

#include "base/context.h"
#include "evaluate/traffic.h"
#include "target/deco_paths.h"
#include "target/distance_oracle.h"
#include "target/graph_target.h"
#include "target/machine.h"

static cleave_error err;

static cleave_target *levels_of(const cleave_graph *g)
{
    clv_ws ws = {0};
    cleave_target *t = NULL;
    cleave_status status = clv_deco_levels_make(&t, g, &ws, &err);
    clv_ws_free(&ws);
    CHECK_OK(status);
    return t;
}

/* ---- Coarse levels, from their definitions ---------------------------------------------- */

static double length_at(const clv_deco_level *level, int64_t a)
{
    return level->length ? level->length[a] : level->exact ? level->exact[a] : 1;
}

static double cost_at(const clv_deco_level *level, int32_t v)
{
    return level->cost ? level->cost[v] : 0;
}

static bool is_near(double actual, double expected)
{
    double error = actual - expected;
    return (error < 0 ? -error : error) <= 1e-5 * (1 + expected);
}

/* By vertex, as a matrix: the sum and the number of the arcs between coarse vertices. */
static void sum_lengths(const clv_deco_level *fine, int32_t ncoarse, double *sum, int *count)
{
    for (int32_t v = 0; v < fine->nvtx; v++)
        for (int64_t a = fine->xadj[v]; a < fine->xadj[v + 1]; a++) {
            int64_t at = (int64_t)fine->up[v] * ncoarse + fine->up[fine->adj[a]];
            sum[at] += length_at(fine, a);
            count[at]++;
        }
}

/* How far the two of a pair are: their arc, or twice the mean of the arcs of the first. */
static double apart(const clv_deco_level *fine, int32_t v, int32_t u)
{
    double sum = 0, arc = -1;
    for (int64_t a = fine->xadj[v]; a < fine->xadj[v + 1]; a++) {
        sum += length_at(fine, a);
        arc = fine->adj[a] == u ? length_at(fine, a) : arc;
    }
    return arc >= 0 ? arc : 2 * sum / (double)(fine->xadj[v + 1] - fine->xadj[v]);
}

/* A coarse arc has the mean length of those that became one; a way through a pair crosses
 * either of the two, or both and what is between them. */
static void check_coarsening(const clv_deco_level *fine, const clv_deco_level *coarse)
{
    int64_t n = coarse->nvtx;
    double *sum = calloc((size_t)(n * n), sizeof *sum);
    int *count = calloc((size_t)(n * n), sizeof *count), wrong = 0;
    sum_lengths(fine, coarse->nvtx, sum, count);
    for (int32_t x = 0; x < n; x++) {
        int32_t member[2] = {-1, -1}, size = 0;
        for (int64_t a = coarse->xadj[x]; a < coarse->xadj[x + 1]; a++) {
            int64_t at = x * n + coarse->adj[a];
            wrong += !is_near(coarse->length[a], sum[at] / count[at]);
        }
        for (int32_t v = 0; v < fine->nvtx; v++)
            if (fine->up[v] == x && size < 2)
                member[size++] = v;
        REQUIRE(size > 0);
        double cost = cost_at(fine, member[0]);
        if (size == 2) {
            double other = cost_at(fine, member[1]), way = apart(fine, member[0], member[1]);
            cost = (cost + other + (cost + other + way) + (cost + other + way)) / 4;
        }
        wrong += !is_near(coarse->cost[x], cost);
    }
    CHECK_EQ(wrong, 0);
    free(sum);
    free(count);
}

/* What a search finds is the shortest way, by Floyd and Warshall. */
static void check_search(const clv_deco_level *level)
{
    int64_t n = level->nvtx;
    int wrong = 0;
    double *far = malloc((size_t)(n * n) * sizeof *far);
    for (int64_t i = 0; i < n * n; i++)
        far[i] = i % (n + 1) == 0 ? 0 : 1e300;
    for (int32_t v = 0; v < n; v++)
        for (int64_t a = level->xadj[v]; a < level->xadj[v + 1]; a++)
            far[v * n + level->adj[a]] =
                length_at(level, a) + (cost_at(level, v) + cost_at(level, level->adj[a])) / 2;
    for (int64_t k = 0; k < n; k++)
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++)
                if (far[i * n + k] + far[k * n + j] < far[i * n + j])
                    far[i * n + j] = far[i * n + k] + far[k * n + j];
    for (int32_t x = 0; x < n; x++)
        for (int32_t y = 0; y < n; y++) {
            double found = x == y ? -1 : clv_deco_search(level, x, y);
            wrong += found >= 0 && !is_near(found, far[x * n + y]);
        }
    CHECK_EQ(wrong, 0);
    free(far);
}

static void check_each_level(const clv_deco_levels *d)
{
    for (int32_t l = 0; l < d->nlevels; l++) {
        if (d->level[l].nvtx <= 150)
            check_search(&d->level[l]);
        if (l > 0 && d->level[l].nvtx <= 400)
            check_coarsening(&d->level[l - 1], &d->level[l]);
    }
}

/* ---- Distances -------------------------------------------------------------------------- */

/* For any graph: a tree of bipartitions, symmetric distances, exact ones on level 0, and all
 * within the bounds of the landmarks. */
static void check_levels(const cleave_graph *g)
{
    int64_t n = g->nvtx, *d = floyd_warshall(g);
    cleave_target *t = levels_of(g);
    REQUIRE(t != NULL);
    const clv_deco_levels *levels = t->data;
    if (n <= 60) /* all pairs of domains */
        check_tree(t);
    check_each_level(levels);
    for (int32_t p = 0; p < n; p++)
        for (int32_t q = 0; q < p; q++) {
            int32_t level, far = clv_deco_levels_between(levels, p, q, &level);
            double low, high;
            CHECK_EQ(far, clv_target_distance(t, q, p));
            CHECK(far >= 1);
            if (level == 0)
                CHECK_EQ(far, d[p * n + q]);
            clv_deco_bound(levels, p, q, &low, &high);
            CHECK(low <= (double)d[p * n + q] && (double)d[p * n + q] <= high);
            CHECK(far >= low && far <= high);
            CHECK_EQ(t->shape->distance(t, t->shape->terminal(t, p), t->shape->terminal(t, q)),
                     2 * far);
        }
    for (int32_t p = 0; p < n; p++)
        for (int64_t a = g->xadj[p]; a < g->xadj[p + 1]; a++)
            CHECK(clv_target_distance(t, p, g->adj[a]) <= clv_graph_ewgt(g, a));
    CHECK_EQ(levels->level[levels->nlevels - 1].nvtx, 1);
    clv_target_free(t);
    free(d);
}

static void test_random_graphs(void)
{
    random_numbers r = {5};
    for (int i = 0; i < 30; i += TEST_STRIDE) {
        int32_t n = 2 + (int32_t)random_below(&r, i < 5 ? 4 : i < 20 ? 55 : 150);
        cleave_graph *g = random_graph(&r, n, (int32_t)random_below(&r, 300),
                                       i % 3 ? 1 + (int32_t)random_below(&r, 1000) : 0);
        REQUIRE(g != NULL);
        check_levels(g);
        cleave_graph_free(g);
    }
}

/* n vertices; from 1 on, vertex i is tied to tie(i). */
static cleave_graph *tied(int32_t n, int32_t (*tie)(int32_t i), int32_t length)
{
    cleave_builder *b;
    cleave_graph *g = NULL;
    CHECK_OK(cleave_builder_create(&b, CLEAVE_UNDIRECTED, &err));
    for (int32_t i = 1; i < n; i++) {
        int32_t other = tie(i);
        CHECK_OK(cleave_builder_add(b, 1, &i, &other, &length, &err));
    }
    CHECK_OK(cleave_builder_finish(&g, b, n, NULL, &err));
    cleave_builder_free(b);
    return g;
}

static int32_t to_centre(int32_t i)
{
    (void)i;
    return 0;
}

static int32_t to_last(int32_t i)
{
    return i - 1;
}

static void test_star_and_path(void)
{
    cleave_graph *g = tied(700, to_centre, 3);
    cleave_target *t = levels_of(g);
    /* The hub has more arcs than a search looks at, and is a landmark. */
    CHECK(clv_target_distance(t, 0, 5) == 3 && clv_target_distance(t, 5, 600) <= 6);
    check_levels(g);
    clv_target_free(t);
    cleave_graph_free(g);
    g = tied(500, to_last, 7);
    check_levels(g);
    t = levels_of(g);
    /* The ends of a path are landmarks: there is nothing left to estimate. */
    for (int32_t p = 0; p < 500; p++)
        CHECK_EQ(clv_target_distance(t, p, 499 - p), 7 * abs(499 - 2 * p));
    clv_target_free(t);
    cleave_graph_free(g);
    g = tied(2100, to_last, INT32_MAX); /* distances end at 2^31-1 */
    REQUIRE_OK(clv_target_graph(&t, g, &err));
    CHECK_EQ(clv_target_distance(t, 0, 1), INT32_MAX);
    CHECK_EQ(clv_target_distance(t, 0, 2099), INT32_MAX);
    clv_domain half[2];
    REQUIRE(t->shape->bipartition(t, t->shape->root(t), half));
    CHECK(t->shape->distance(t, half[0], half[1]) <= 2 * (int64_t)INT32_MAX);
    clv_target_free(t);
}

/* ---- How far from the truth ------------------------------------------------------------- */

typedef struct deviation {
    int64_t pairs;
    double distance, error, worst; /* sums, and the largest relative error */
} deviation;

static void compare_from(const clv_deco_levels *d, clv_paths *paths, int32_t source,
                         deviation *of_level)
{
    clv_paths_from(paths, source);
    for (int64_t i = 1; i < paths->g->nvtx; i += 1 + i / 20) {
        int32_t q = paths->order[i], level;
        double exact = (double)paths->far[q];
        double error = (clv_deco_levels_between(d, source, q, &level) - exact) / exact;
        deviation *v = &of_level[level];
        error = error < 0 ? -error : error;
        v->pairs++;
        v->distance += exact;
        v->error += error;
        v->worst = error > v->worst ? error : v->worst;
    }
}

static void print_deviations(const char *name, const clv_deco_levels *d, const deviation *of)
{
    printf("%s\n  level  vertices  pairs  mean distance  mean error %%  worst error %%\n",
           name);
    for (int32_t l = 0; l < d->nlevels; l++)
        if (of[l].pairs > 0)
            printf("  %5d  %8d  %5lld  %13.1f  %12.1f  %13.1f\n", (int)l,
                   (int)d->level[l].nvtx, (long long)of[l].pairs,
                   of[l].distance / (double)of[l].pairs,
                   100 * of[l].error / (double)of[l].pairs, 100 * of[l].worst);
}

/* Mean and worst error over all pairs stay below these. */
static void check_deviation(const char *name, cleave_graph *g, double mean, double worst)
{
    deviation of_level[clv_deco_most_levels] = {{0}};
    clv_paths paths = {0};
    clv_ws ws = {0};
    cleave_target *t;
    double sum = 0;
    int64_t pairs = 0;
    double begin = clv_clock();
    REQUIRE_OK(clv_target_graph(&t, g, &err));
    double seconds = clv_clock() - begin;
    REQUIRE_OK(clv_paths_open(&paths, g, &ws, &err));
    for (int32_t i = 0; i < 6; i++)
        compare_from(t->data, &paths, (int32_t)((uint32_t)i * 2654435761u % (uint32_t)g->nvtx),
                     of_level);
    print_deviations(name, t->data, of_level);
    printf("  made in %.2f s\n", seconds);
    CHECK(of_level[0].pairs > 0 && of_level[0].error == 0);
    for (int l = 0; l < clv_deco_most_levels; l++) {
        sum += of_level[l].error;
        pairs += of_level[l].pairs;
        CHECK(of_level[l].worst < worst);
    }
    CHECK(sum / (double)pairs < mean);
    clv_ws_free(&ws);
    clv_target_free(t);
}

/* Lengths 1..longest, the same in both directions. */
static void give_lengths(cleave_graph *g, int32_t longest)
{
    int32_t *length = clv_arena_alloc(&g->arena, g->narc, sizeof *length);
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            uint64_t low = (uint64_t)(v < g->adj[a] ? v : g->adj[a]);
            uint64_t hash = low * 0x9e3779b97f4a7c15u + (uint64_t)(v ^ g->adj[a]);
            hash = (hash ^ (hash >> 29)) * 0xbf58476d1ce4e5b9u;
            length[a] = 1 + (int32_t)((hash >> 33) % (uint64_t)longest);
        }
    g->ewgt = g->pwgt = length;
}

static void test_table(void)
{
    static const struct {
        const char *spec;
        int32_t longest;
        double mean, worst;
    } list[] = {{"grid2d:100x100", 1, 0.005, 0.4},
                {"grid2d:100x100", 20, 0.06, 0.7},
                {"grid2d:64x64:5:periodic", 1, 0.03, 0.5},
                {"grid3d:24x24x24", 1, 0.03, 0.8},
                {"rgg:8000:12", 1, 0.06, 0.5},
                {"tree:8000", 1, 0.02, 0.35}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        cleave_graph *g;
        char name[80];
        REQUIRE_OK(cleave_graph_generate(&g, list[i].spec, NULL, &err));
        if (list[i].longest > 1)
            give_lengths(g, list[i].longest);
        snprintf(name, sizeof name, "%s, lengths 1..%d", list[i].spec, (int)list[i].longest);
        check_deviation(name, g, list[i].mean, list[i].worst);
    }
}

/* ---- Many PEs --------------------------------------------------------------------------- */

/* The table of a machine: distances that were searched for from each PE are exact, those left
 * to estimates are those of the target.  Takes t over. */
static void check_machine(cleave_target *t, const cleave_graph *g, const int32_t *list,
                          int32_t count, bool close)
{
    const clv_deco_levels *d = t->data;
    clv_ws ws = {0};
    clv_machine m;
    clv_target *part = NULL;
    clv_paths paths = {0};
    int wrong = 0, estimates = 0;
    REQUIRE_OK(clv_target_sub(&part, t, count, list, &err));
    int64_t searched = atomic_load(&d->memo->searched);
    REQUIRE_OK(clv_machine_make(&m, part, NULL, &ws, &err));
    searched = atomic_load(&d->memo->searched) - searched;
    REQUIRE_OK(clv_paths_open(&paths, g, &ws, &err));
    for (int32_t p = 0; p < count; p += 7) {
        clv_paths_from(&paths, list[m.pe[p]]);
        for (int32_t q = 0; q < count; q++) {
            int32_t far = m.table[(int64_t)p * count + q];
            bool exact = far == paths.far[list[m.pe[q]]];
            estimates += !exact;
            wrong += far != m.table[(int64_t)q * count + p];
            wrong += !exact && far != clv_target_distance(part, m.pe[p], m.pe[q]);
        }
    }
    CHECK_EQ(wrong, 0);
    if (close) { /* few arcs per PE find all of them */
        CHECK_EQ(estimates, 0);
        CHECK_EQ(searched, 0);
    }
    clv_target_free(part);
    clv_ws_free(&ws);
}

static void test_many_pes(void)
{
    enum { count = 600, side = 80 };
    for (int i = 0; i < 4; i++) {
        int32_t list[count];
        cleave_graph *g;
        REQUIRE_OK(cleave_graph_generate(&g, "grid2d:80x80", NULL, &err));
        if (i & 1)
            give_lengths(g, 20);
        cleave_target *t = levels_of(g);
        for (int32_t p = 0; p < count; p++)
            list[p] = i < 2 ? (20 + p / 30) * side + 30 + p % 30 : p * (side * side / count);
        check_machine(t, g, list, count, i < 2);
        cleave_graph_free(g);
    }
}

/* A mapping that is evaluated again uses stored distances. */
static void test_measured_again(void)
{
    cleave_graph *g, *machine;
    cleave_target *t;
    clv_ws ws = {0};
    int64_t cost[2], searched[2];
    REQUIRE_OK(cleave_graph_generate(&g, "grid2d:100x100", NULL, &err));
    REQUIRE_OK(cleave_graph_generate(&machine, "grid2d:60x60", NULL, &err));
    REQUIRE_OK(clv_target_graph(&t, machine, &err));
    const clv_deco_levels *d = t->data;
    for (int i = 0; i < 2; i++) {
        int64_t before = atomic_load(&d->memo->searched);
        CHECK_OK(clv_evaluate_cost_identity(g, t, &ws, &cost[i], NULL, &err));
        searched[i] = atomic_load(&d->memo->searched) - before;
    }
    printf("  searched for %lld distances, then %lld\n", (long long)searched[0],
           (long long)searched[1]);
    CHECK_EQ(cost[0], cost[1]);
    CHECK(searched[0] > 0 && searched[0] <= g->narc / 2);
    CHECK(searched[1] < searched[0] / 8);
    clv_ws_free(&ws);
    clv_target_free(t);
    cleave_graph_free(g);
}

static cleave_status make_from(cleave_target **out, const char *unused, cleave_error *problem)
{
    clv_ws ws = {0};
    static cleave_graph *g; /* of the test's own allocations, made once */
    (void)unused;
    if (!out) {
        cleave_graph_free(g);
        g = NULL;
        return CLEAVE_OK;
    }
    if (!g) {
        random_numbers r = {3};
        g = random_graph(&r, 40, 60, 9);
        return clv_fail_memory(problem);
    }
    cleave_status status = clv_deco_levels_make(out, g, &ws, problem);
    clv_ws_free(&ws);
    if (status != CLEAVE_OK) {
        clv_target_free(*out);
        *out = NULL;
    }
    return status;
}

static void test_memory(void)
{
    cleave_target *t = NULL;
    CHECK_EQ(make_from(&t, NULL, &err), CLEAVE_ENOMEM);
    CHECK(refusals_without_memory(make_from, "") > 40);
    make_from(NULL, NULL, NULL);
}

int main(void)
{
    RUN(test_random_graphs);
    RUN(test_star_and_path);
    RUN(test_table);
    RUN(test_many_pes);
    RUN(test_measured_again);
    RUN(test_memory);
    return test_end();
}
