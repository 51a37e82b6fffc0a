/* SPDX-License-Identifier: Apache-2.0 */
/* TARGET[list]: the trees against a step-by-step coarsening, distances against their
 * definition, inherited attributes, a hundred thousand PEs. */
#include <math.h>
#include <time.h>

#include "base/rng.h"
#include "target/shape_checks.h"

static cleave_error err;

/* ---- Families of sets ------------------------------------------------------------------- */

/* Sets of at most 64 PEs of a list, each once, sorted: what a tree consists of. */
enum { most_sets = 1024 };
typedef struct family {
    int32_t count;
    uint64_t set[most_sets];
} family;

static void include(family *f, uint64_t set)
{
    int32_t at = f->count;
    for (int32_t i = 0; i < f->count; i++)
        if (f->set[i] == set)
            return;
    for (; at > 0 && f->set[at - 1] > set; at--)
        f->set[at] = f->set[at - 1];
    f->set[at] = set;
    f->count++;
}

static bool same_family(const family *a, const family *b)
{
    return a->count == b->count &&
           memcmp(a->set, b->set, (size_t)a->count * sizeof *a->set) == 0;
}

static uint64_t bits_of(const clv_target *t, clv_domain d)
{
    uint8_t set[64] = {0};
    uint64_t bits = 0;
    domain_set(t, d, set);
    for (int32_t pe = 0; pe < t->npes; pe++)
        bits |= (uint64_t)set[pe] << pe;
    return bits;
}

static void include_domains(family *f, const clv_target *t)
{
    clv_domain list[128];
    int32_t count = all_domains(t, list);
    for (int32_t i = 0; i < count; i++)
        include(f, bits_of(t, list[i]));
}

/* The sets of PEs whose cells are equal. */
static void include_cells(family *f, int32_t count, const int64_t *cell)
{
    for (int32_t i = 0; i < count; i++) {
        uint64_t set = 0;
        for (int32_t j = 0; j < count; j++)
            set |= (uint64_t)(cell[j] == cell[i]) << j;
        include(f, set);
    }
}

/* ---- Coarsening, step by step ----------------------------------------------------------- */

typedef struct line {
    int32_t low, length;
    bool from_end;
} line;

/* Pairs of neighbours along a line, one left over when the length is odd. */
static void match_line(line *l, int32_t *cell_of)
{
    int32_t cells = 0, c = 0;
    bool odd = l->length % 2;
    if (odd && l->from_end)
        cell_of[c++] = cells++;
    for (; c + 1 < l->length; c += 2, cells++)
        cell_of[c] = cell_of[c + 1] = cells;
    if (c < l->length)
        cell_of[c] = cells++;
    if (odd)
        l->from_end = !l->from_end;
    l->length = cells;
}

static void coarsen_box(family *f, int32_t dimensions, const int32_t *side, int32_t count,
                        const int32_t *list)
{
    int32_t at[64][4], cell_of[64];
    int64_t cell[64];
    line lines[4];
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = 0, pe = list[i]; k < dimensions; pe /= side[k++])
            at[i][k] = pe % side[k];
    for (int32_t k = 0; k < dimensions; k++) {
        int32_t low = side[k], high = 0;
        for (int32_t i = 0; i < count; i++) {
            low = at[i][k] < low ? at[i][k] : low;
            high = at[i][k] > high ? at[i][k] : high;
        }
        lines[k] = (line){low, high - low + 1, false};
        for (int32_t i = 0; i < count; i++)
            at[i][k] -= low;
    }
    for (int32_t step = 0; step < 40; step++) {
        line *l = &lines[step % dimensions];
        for (int32_t i = 0; i < count; i++) {
            cell[i] = 0;
            for (int32_t k = 0; k < dimensions; k++)
                cell[i] = cell[i] * 64 + at[i][k];
        }
        include_cells(f, count, cell);
        if (l->length > 1) {
            match_line(l, cell_of);
            for (int32_t i = 0; i < count; i++)
                at[i][step % dimensions] = cell_of[at[i][step % dimensions]];
        }
    }
}

/* A random list; many PEs of few, and few of many. */
static int32_t draw(clv_rng *rng, int32_t npes, int32_t most, int32_t *list)
{
    int32_t *order = malloc((size_t)npes * sizeof *order);
    int32_t count = 1 + (int32_t)clv_rng_below(rng, (uint32_t)(most < npes ? most : npes));
    clv_rng_permutation(rng, npes, order);
    memcpy(list, order, (size_t)count * sizeof *list);
    free(order);
    return count;
}

static clv_target *sub_of_text(const char *text, int32_t count, const int32_t *list)
{
    clv_target *t = NULL;
    CHECK_OK(clv_target_sub(&t, shape_of(text), count, list, &err));
    return t;
}

/* ---- Distances -------------------------------------------------------------------------- */

/* The mean over the halves, rounded to half a unit at every step, as it is defined. */
static int64_t defined_distance(const clv_target *t, clv_domain x, clv_domain y)
{
    clv_domain xs[2] = {x, x}, ys[2] = {y, y};
    if (x.a == y.a)
        return 0;
    int nx = t->shape->bipartition(t, x, xs) ? 2 : 1;
    int ny = t->shape->bipartition(t, y, ys) ? 2 : 1;
    int64_t sum = 0;
    if (nx == 1 && ny == 1)
        return 2 * (int64_t)clv_target_distance(t, t->shape->pe(t, x), t->shape->pe(t, y));
    for (int i = 0; i < nx; i++)
        for (int j = 0; j < ny; j++)
            sum += defined_distance(t, xs[i], ys[j]);
    return (sum + nx * ny / 2) / (nx * ny);
}

static void check_sub(const clv_target *t, const clv_target *whole, const int32_t *list)
{
    clv_domain domains[128];
    int32_t count = all_domains(t, domains);
    check_domains(t);
    check_pes(t);
    for (int32_t i = 0; i < count && t->npes <= 12; i++)
        for (int32_t j = 0; j < count; j++)
            CHECK_EQ(t->shape->distance(t, domains[i], domains[j]),
                     defined_distance(t, domains[i], domains[j]));
    for (int32_t p = 0; p < t->npes; p++)
        for (int32_t q = 0; q < t->npes; q++) {
            CHECK_EQ(clv_target_distance(t, p, q),
                     clv_target_distance(whole, list[p], list[q]));
            if (whole->levels)
                CHECK_EQ(t->shape->level(t, p, q),
                         whole->shape->level(whole, list[p], list[q]));
        }
    CHECK_EQ(t->levels, whole->levels);
    CHECK_EQ(t->links, whole->links);
}

static void check_route(const clv_target *t, const clv_target *whole, const int32_t *list)
{
    int64_t *a = calloc((size_t)t->links + 1, sizeof *a);
    int64_t *b = calloc((size_t)t->links + 1, sizeof *b);
    for (int32_t p = 0; p < t->npes; p++) {
        clv_target_route(t, p, t->npes - 1 - p, p + 1, a);
        clv_target_route(whole, list[p], list[t->npes - 1 - p], p + 1, b);
    }
    CHECK(memcmp(a, b, (size_t)t->links * sizeof *a) == 0);
    free(a);
    free(b);
}

/* ---- Shapes ----------------------------------------------------------------------------- */

/* The seed's grid of 4 x 2, of which five PEs are there: the one alone comes off first. */
static void test_paper(void)
{
    clv_target *t = shape_of("mesh:4x2[0,4,5,1,7]");
    clv_domain half[2], quarter[2];
    CHECK_EQ(t->npes, 5);
    CHECK(t->shape->bipartition(t, t->shape->root(t), half));
    CHECK_EQ(bits_of(t, half[0]), 0x0f);
    CHECK_EQ(bits_of(t, half[1]), 0x10);
    CHECK(t->shape->bipartition(t, half[0], quarter));
    CHECK_EQ(bits_of(t, quarter[0]), 0x09); /* 0 and 1, places 0 and 3 of the list */
    CHECK_EQ(bits_of(t, quarter[1]), 0x06); /* 4 and 5 */
    CHECK_EQ(clv_target_distance(t, 0, 4), 4);
    CHECK_EQ(clv_target_distance(t, 1, 2), 1);
    CHECK_EQ(t->shape->distance(t, quarter[0], quarter[1]), 3); /* 1 2 2 1, twice the mean */
    clv_target_free(t);
}

static void test_boxes(void)
{
    static const struct {
        const char *text;
        int32_t dimensions, side[4];
    } meshes[] = {
        {"mesh:4x2", 2, {4, 2}},        {"mesh:50", 1, {50}},
        {"mesh:7x9", 2, {7, 9}},        {"mesh:5x3x5", 3, {5, 3, 5}},
        {"mesh:40x1x3", 3, {40, 1, 3}}, {"mesh:3x3x3x3", 4, {3, 3, 3, 3}},
    };
    clv_rng rng = clv_rng_make(3, 0, 0, 0);
    for (int round = 0; round < 60; round++) {
        int32_t which = round % 6, list[64];
        clv_target *whole = shape_of(meshes[which].text);
        int32_t count = draw(&rng, whole->npes, round % 7 == 0 ? 6 : 40, list);
        clv_target *t = sub_of_text(meshes[which].text, count, list);
        family want = {0}, got = {0};
        coarsen_box(&want, meshes[which].dimensions, meshes[which].side, count, list);
        include_domains(&got, t);
        CHECK(same_family(&want, &got));
        check_sub(t, whole, list);
        check_route(t, whole, list);
        CHECK(t->shape->level == NULL && t->shape->children == NULL);
        clv_target_free(whole);
        clv_target_free(t);
    }
}

static void test_hypercube(void)
{
    clv_rng rng = clv_rng_make(4, 0, 0, 0);
    clv_target *whole = shape_of("hypercube:7");
    for (int round = 0; round < 30; round++) {
        int32_t list[64], count = draw(&rng, 128, round % 5 == 0 ? 5 : 50, list);
        int64_t cell[64];
        family want = {0}, got = {0};
        clv_target *t = sub_of_text("hypercube:7", count, list);
        for (int32_t bits = 0; bits <= 7; bits++) {
            for (int32_t i = 0; i < count; i++)
                cell[i] = list[i] >> bits;
            include_cells(&want, count, cell);
        }
        include_domains(&got, t);
        CHECK(same_family(&want, &got));
        check_sub(t, whole, list);
        check_route(t, whole, list);
        clv_target_free(t);
    }
    clv_target_free(whole);
}

/* The sets of the hierarchy itself, by children of children. */
static void include_groups(family *f, const clv_target *t, clv_domain d)
{
    include(f, bits_of(t, d));
    for (int32_t i = 0; i < clv_target_children(t, d); i++)
        include_groups(f, t, clv_target_child(t, d, i));
}

static void check_groups(const clv_target *t, const int32_t *list, const int32_t *size,
                         int32_t levels)
{
    int64_t cell[64];
    family want = {0}, got = {0};
    for (int32_t l = 0; l <= levels; l++) {
        for (int32_t i = 0; i < t->npes; i++)
            cell[i] = list[i] / size[l];
        include_cells(&want, t->npes, cell);
    }
    include_groups(&got, t, t->shape->root(t));
    CHECK(same_family(&want, &got));
}

static void test_tree(void)
{
    static const int32_t size[] = {1, 5, 20, 60};
    static const char text[] = "tree:5:4:3@1:10:100";
    clv_rng rng = clv_rng_make(5, 0, 0, 0);
    clv_target *whole = shape_of(text);
    for (int round = 0; round < 30; round++) {
        int32_t list[64], count = draw(&rng, 60, round % 5 == 0 ? 5 : 60, list);
        clv_target *t = sub_of_text(text, count, list);
        check_groups(t, list, size, 3);
        check_sub(t, whole, list);
        check_route(t, whole, list);
        /* A shape without a function for its order is traversed, with the same result. */
        clv_target *blind = shape_of(text);
        clv_shape shape = *blind->shape;
        shape.place = NULL;
        blind->shape = &shape;
        clv_target *walked = NULL;
        REQUIRE_OK(clv_target_sub(&walked, blind, count, list, &err));
        family a = {0}, b = {0};
        include_domains(&a, t);
        include_domains(&b, walked);
        CHECK(same_family(&a, &b));
        check_groups(walked, list, size, 3);
        clv_target_free(walked);
        clv_target_free(t);
    }
    clv_target_free(whole);
}

/* A shape with halves only: they are restricted to the list. */
static void test_walk(void)
{
    clv_rng rng = clv_rng_make(6, 0, 0, 0);
    for (int round = 0; round < 20; round++) {
        clv_target *whole = shape_of("torus:6x10"), *t = NULL;
        int32_t list[64], count = draw(&rng, 60, 30, list);
        clv_shape shape = *whole->shape;
        clv_domain domains[128];
        family want = {0}, got = {0};
        int32_t ndomains = all_domains(whole, domains);
        for (int32_t d = 0; d < ndomains; d++) {
            uint8_t set[64] = {0};
            uint64_t bits = 0;
            domain_set(whole, domains[d], set);
            for (int32_t i = 0; i < count; i++)
                bits |= (uint64_t)set[list[i]] << i;
            if (bits)
                include(&want, bits);
        }
        shape.trace = NULL;
        whole->shape = &shape;
        REQUIRE_OK(clv_target_sub(&t, whole, count, list, &err));
        include_domains(&got, t);
        CHECK(same_family(&want, &got));
        check_domains(t);
        clv_target_free(t);
    }
}

/* PEs on both sides of the wrap-around are neighbours. */
static void test_ring(void)
{
    clv_target *t = shape_of("torus:10x10[99,4,0,9,5]");
    clv_domain half[2];
    CHECK(t->shape->bipartition(t, t->shape->root(t), half));
    uint64_t first = bits_of(t, half[0]);
    CHECK(first == 0x0d || first == 0x12); /* 99 0 9 and 4 5 */
    check_domains(t);
    clv_target_free(t);
}

/* A sub-target of a sub-target is one of the whole; equal PEs stay equal PEs. */
static void test_nested(void)
{
    clv_target *a = shape_of("mesh:6x6[35,0,7,14,21,28,3][2,0,6,5]");
    clv_target *b = shape_of("mesh:6x6[7,35,3,28]");
    family fa = {0}, fb = {0};
    include_domains(&fa, a);
    include_domains(&fb, b);
    CHECK(same_family(&fa, &fb));
    for (int32_t p = 0; p < 4; p++)
        for (int32_t q = 0; q < 4; q++)
            CHECK_EQ(clv_target_distance(a, p, q), clv_target_distance(b, p, q));
    clv_target_free(a);
    clv_target_free(b);
    a = shape_of("3,2,5,1[2,0][1]");
    CHECK(clv_target_is_flat(a) && a->npes == 1 && a->speed[0] == 3);
    clv_target_free(a);
}

/* ---- Many PEs --------------------------------------------------------------------------- */

static int depth_of(const clv_target *t, clv_domain d)
{
    clv_domain half[2];
    if (!t->shape->bipartition(t, d, half))
        return 0;
    int a = depth_of(t, half[0]), b = depth_of(t, half[1]);
    return 1 + (a > b ? a : b);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Far domains without a table: near the mean of what they have. */
static void check_samples(const clv_target *t)
{
    clv_domain d[64];
    int32_t count = 1;
    d[0] = t->shape->root(t);
    for (int32_t i = 0; i < 31; i++) {
        CHECK(t->shape->bipartition(t, d[i], d + count));
        count += 2;
    }
    for (int32_t i = 31; i < 63; i += 5)
        for (int32_t j = i + 3; j < 63; j += 7) {
            int64_t sum = 0, many = 200;
            clv_rng rng = clv_rng_make(1, 2, (uint64_t)i, (uint64_t)j);
            for (int64_t k = 0; k < many; k++) {
                clv_domain x = d[i], y = d[j], half[2];
                while (t->shape->bipartition(t, x, half))
                    x = half[clv_rng_below(&rng, 2)];
                while (t->shape->bipartition(t, y, half))
                    y = half[clv_rng_below(&rng, 2)];
                sum += clv_target_distance(t, t->shape->pe(t, x), t->shape->pe(t, y));
            }
            double mean = 2 * (double)sum / (double)many;
            double got = (double)t->shape->distance(t, d[i], d[j]);
            CHECK(fabs(got - mean) <= 0.25 * mean);
            CHECK_EQ(t->shape->distance(t, d[j], d[i]), t->shape->distance(t, d[i], d[j]));
        }
}

static void test_many(void)
{
    enum { count = 100000, npes = 1000000 };
    static const char *const texts[] = {"torus:100x100x100", "tree:100:100:100@1:10:100",
                                        "hypercube:20"};
    int32_t *list = malloc(npes * sizeof *list);
    for (int i = 0; i < 3; i++) {
        clv_rng rng = clv_rng_make(9, 0, 0, 0);
        clv_target *whole = shape_of(texts[i]), *t = NULL;
        clv_rng_permutation(&rng, npes, list);
        double before = seconds();
        REQUIRE_OK(clv_target_sub(&t, whole, count, list, &err));
        double taken = seconds() - before;
        printf("%s: %d of %d PEs in %.3f s\n", texts[i], (int)count, (int)npes, taken);
        CHECK(taken < 1.0 * TEST_STRIDE * TEST_STRIDE);
        CHECK(depth_of(t, t->shape->root(t)) <= 30);
        for (int32_t pe = 0; pe < count; pe += 997) {
            clv_domain d = t->shape->terminal(t, pe);
            CHECK(t->shape->pes(t, d) == 1 && t->shape->pe(t, d) == pe);
        }
        check_samples(t);
        clv_target_free(t);
    }
    free(list);
}

/* ---- Searches --------------------------------------------------------------------------- */

static clv_shape counting;
static int32_t (*counted)(const clv_target *t, int32_t p, int32_t q);
static int64_t calls;

static int32_t count_between(const clv_target *t, int32_t p, int32_t q)
{
    calls++;
    return counted(t, p, q);
}

/* Of a machine whose distances are searches, the distance of two domains takes at most four of
 * them. */
static void test_searched(void)
{
    enum { count = 3000 };
    int32_t *list = malloc(count * sizeof *list);
    clv_target *whole = shape_of("mesh:100x100"), *t = NULL;
    counting = *whole->shape;
    counted = counting.between;
    counting.between = count_between;
    counting.searched = true;
    whole->shape = &counting;
    for (int32_t i = 0; i < count; i++)
        list[i] = 3 * i;
    REQUIRE_OK(clv_target_sub(&t, whole, count, list, &err));
    CHECK(t->shape->searched);
    clv_domain half[2];
    CHECK(t->shape->bipartition(t, t->shape->root(t), half));
    calls = 0;
    CHECK(t->shape->distance(t, half[0], half[1]) > 0);
    CHECK(calls >= 1 && calls <= 4);
    clv_target_free(t);
    free(list);
}

int main(void)
{
    RUN(test_paper);
    RUN(test_boxes);
    RUN(test_hypercube);
    RUN(test_tree);
    RUN(test_walk);
    RUN(test_ring);
    RUN(test_nested);
    RUN(test_many);
    RUN(test_searched);
    return test_end();
}
