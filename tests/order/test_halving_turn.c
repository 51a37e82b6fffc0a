/* SPDX-License-Identifier: Apache-2.0 */
/* Exchanged halves: against all choices on a few sets, and invariants. */
#include "order/halving_turn.h"

#include <math.h>

#include "order/line_fixture.h"

enum { most = 2000, few_sets = 8 };
static int32_t vertex[most], home[most], before[most];
static clv_turn sets[most];

/* Cuts the line into sets of 2..largest vertices and maybe single ones between. */
static int32_t make_sets(const clv_graph *g, int32_t largest, bool singles, clv_rng *rng)
{
    int32_t count = 0, place = 0;
    clv_rng_permutation(rng, g->nvtx, vertex);
    while (place < g->nvtx) {
        int32_t left = g->nvtx - place;
        int32_t size = 2 + (int32_t)clv_rng_below(rng, (uint32_t)largest - 1);
        size = size > left ? left : size;
        if (size == 1 || (singles && clv_rng_below(rng, 4) == 0)) {
            home[vertex[place]] = place;
            place++;
            continue;
        }
        int32_t middle = place + 1 + (int32_t)clv_rng_below(rng, (uint32_t)size - 1);
        sets[count++] = (clv_turn){.begin = place, .middle = middle, .end = place + size};
        for (int32_t p = place; p < place + size; p++)
            home[vertex[p]] = p < middle ? place : middle;
        place += size;
    }
    memcpy(before, vertex, sizeof before);
    return count;
}

/* The set of a place; NULL: none. */
static const clv_turn *set_of(const clv_turn *old, int32_t count, int32_t place, int *number)
{
    for (*number = 0; *number < count; ++*number)
        if (old[*number].begin <= place && place < old[*number].end)
            return &old[*number];
    *number = -1;
    return NULL;
}

/* The sum that is made small, from its definition: edges between neighbouring sets from
 * middle to middle of the halves, others from the set's side to the home. */
static double slow_cost(const clv_graph *g, const clv_turn *old, int32_t count,
                        const int32_t *old_home, unsigned choice)
{
    double sum = 0;
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            int32_t u = g->adj[a];
            int i, j;
            const clv_turn *s = set_of(old, count, old_home[v], &i);
            const clv_turn *r = set_of(old, count, old_home[u], &j);
            if (!s || s == r)
                continue;
            int half = old_home[v] == s->middle;
            int turned = choice >> i & 1, last = half ^ turned;
            double mine = half ? s->end - s->middle : s->middle - s->begin;
            double other = s->end - s->begin - mine;
            bool beside = r && (r->end == s->begin || s->end == r->begin);
            if (beside && r->begin < s->begin)
                continue; /* counted from the other end */
            if (beside) {
                int there = old_home[u] == r->middle, first = !(there ^ (choice >> j & 1));
                double size = there ? r->end - r->middle : r->middle - r->begin;
                double behind = r->end - r->begin - size;
                sum += sqrt((mine + size) / 2 + (last ? 0 : other) + (first ? 0 : behind));
            } else {
                bool left = old_home[u] < s->begin;
                double distance = left ? s->begin - old_home[u] : old_home[u] - s->end + 1;
                bool between = left ? last : !last;
                sum += between ? sqrt(distance + other) - sqrt(distance) : 0;
            }
        }
    return sum;
}

static void test_against_all(void)
{
    int turned = 0, kept = 0;
    for (uint64_t seed = 0; seed < 200; seed += TEST_STRIDE) {
        clv_rng rng = clv_rng_make(seed, 0, 0, 0);
        int32_t nvtx = 2 + (int32_t)clv_rng_below(&rng, 30), old_home[most];
        clv_graph *g = line_graph(LINE_SPREAD, LINE_UNIT, nvtx, 2, seed);
        int32_t count = make_sets(g, 4 + nvtx / 3, clv_rng_below(&rng, 2), &rng);
        clv_turn old[most];
        memcpy(old, sets, sizeof old);
        memcpy(old_home, home, sizeof old_home);
        if (count <= few_sets) {
            double least = INFINITY;
            unsigned choice = 0;
            for (unsigned c = 0; c < 1u << count; c++)
                least = fmin(least, slow_cost(g, old, count, old_home, c));
            clv_halving_turn(g, count, sets, vertex, home, NULL);
            for (int32_t i = 0; i < count; i++) {
                choice |= (unsigned)sets[i].turned << i;
                turned += sets[i].turned;
                kept += !sets[i].turned;
            }
            CHECK(slow_cost(g, old, count, old_home, choice) <= least + 1e-9 * least);
        }
        clv_graph_free(g);
    }
    CHECK(turned > 20 && kept > 20);
}

/* Sets keep their positions; halves keep theirs or are exchanged, as recorded in homes. */
static void check_exchange(const clv_graph *g, int32_t count)
{
    int32_t wrong = 0;
    CHECK_FINE(line_fault(g->nvtx, vertex));
    for (int32_t i = 0; i < count; i++) {
        const clv_turn *s = &sets[i];
        int32_t size = s->end - s->begin, first = s->middle - s->begin;
        for (int32_t p = s->begin; p < s->end; p++) {
            int32_t from = s->turned ? s->begin + (p - s->begin + size - first) % size : p;
            wrong += vertex[p] != before[from];
            wrong += home[vertex[p]] != (p < s->middle ? s->begin : s->middle);
        }
    }
    CHECK_EQ(wrong, 0);
}

static void test_exchange(void)
{
    for (uint64_t seed = 0; seed < 30; seed++) {
        clv_rng rng = clv_rng_make(seed, 1, 0, 0);
        clv_graph *g = line_graph(LINE_SPREAD, LINE_UNIT, 300, 2, seed);
        int32_t count = make_sets(g, 2 + (int32_t)seed, seed % 2, &rng);
        clv_halving_turn(g, count, sets, vertex, home, NULL);
        check_exchange(g, count);
        clv_graph_free(g);
    }
    clv_halving_turn(NULL, 0, sets, vertex, home, NULL);
}

static void test_threads(void)
{
    static int32_t first[most];
    clv_graph *g = line_graph(LINE_SPREAD, LINE_UNIT, most, 2, 1);
    for (int t = 1; t <= 8; t = t == 1 ? 2 : 4 * t) {
        cleave_error err;
        clv_team *team;
        clv_rng rng = clv_rng_make(5, 1, 0, 0);
        REQUIRE_OK(clv_team_create(&team, t, &err));
        int32_t count = make_sets(g, 9, true, &rng);
        clv_halving_turn(g, count, sets, vertex, home, team);
        check_exchange(g, count);
        clv_team_free(team);
        if (t == 1)
            memcpy(first, vertex, sizeof first);
        CHECK(memcmp(first, vertex, sizeof first) == 0);
    }
    clv_graph_free(g);
}

int main(void)
{
    RUN(test_against_all);
    RUN(test_exchange);
    RUN(test_threads);
    return test_end();
}
