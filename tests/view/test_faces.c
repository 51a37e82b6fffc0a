/* SPDX-License-Identifier: Apache-2.0 */
/* Faces of meshes whose number and area are known; none where edges cross; and every
 * allocation fails once. */
#include "view/faces.h"

#include "support/test.h"

static cleave_error err;

typedef struct found {
    clv_arena arena;
    clv_faces faces;
} found;

static found faces_of(const cleave_graph *g, const double *position)
{
    found f = {0};
    clv_ws ws = {0};
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    cleave_graph_view(g, &csr);
    CHECK_OK(
        clv_faces_find(&f.faces, g, position ? position : csr.coords, &f.arena, &ws, &err));
    clv_ws_free(&ws);
    return f;
}

static double area_of(const clv_faces *f, const double *x)
{
    double sum = 0;
    for (int64_t i = 0; i < f->count; i++)
        for (int64_t k = f->offset[i]; k < f->offset[i + 1]; k++) {
            int64_t next = k + 1 < f->offset[i + 1] ? k + 1 : f->offset[i];
            const double *a = x + 2 * f->corner[k], *b = x + 2 * f->corner[next];
            sum += (a[0] * b[1] - a[1] * b[0]) / 2;
        }
    return sum;
}

static void test_grid(void)
{
    cleave_graph *g = NULL;
    REQUIRE_OK(cleave_graph_generate(&g, "grid2d:7x5", NULL, &err));
    found f = faces_of(g, NULL);
    CHECK_EQ(f.faces.count, 6 * 4);
    for (int64_t i = 0; i < f.faces.count; i++)
        CHECK_EQ(f.faces.offset[i + 1] - f.faces.offset[i], 4);
    CHECK(area_of(&f.faces, g->coords) == 24);
    clv_arena_free(&f.arena);
    cleave_graph_free(g);
    REQUIRE_OK(cleave_graph_generate(&g, "mesh2d:30x20", NULL, &err));
    f = faces_of(g, NULL);
    CHECK_EQ(f.faces.count, 2 * 29 * 19);
    CHECK_EQ(f.faces.offset[f.faces.count], 3 * f.faces.count);
    clv_arena_free(&f.arena);
    cleave_graph_free(g);
}

static cleave_graph *from_edges(int count, const int32_t *tail, const int32_t *head, int n)
{
    cleave_graph *g = NULL;
    cleave_builder *b = NULL;
    CHECK_OK(cleave_builder_create(&b, CLEAVE_UNDIRECTED, &err));
    CHECK_OK(cleave_builder_add(b, count, tail, head, NULL, &err));
    CHECK_OK(cleave_builder_finish(&g, b, n, NULL, &err));
    cleave_builder_free(b);
    return g;
}

/* Diagonals of a square that cross, two squares apart, a ring of 13 around nothing. */
static void test_special(void)
{
    static const int32_t tail[] = {0, 1, 2, 3, 0, 1}, head[] = {1, 2, 3, 0, 2, 3};
    static const int32_t tail2[] = {0, 1, 2, 3, 4, 5, 6, 7},
                         head2[] = {1, 2, 3, 0, 5, 6, 7, 4};
    static const double square[] = {0, 0, 1, 0, 1, 1, 0, 1, 5, 0, 6, 0, 6, 1, 5, 1, 9, 9};
    cleave_graph *g = from_edges(6, tail, head, 4);
    found f = faces_of(g, square);
    CHECK_EQ(f.faces.count, 0);
    clv_arena_free(&f.arena);
    cleave_graph_free(g);
    g = from_edges(8, tail2, head2, 9); /* and a lonely vertex */
    f = faces_of(g, square);
    CHECK_EQ(f.faces.count, 2);
    CHECK(area_of(&f.faces, square) == 2);
    clv_arena_free(&f.arena);
    cleave_graph_free(g);
    int32_t from[13], to[13];
    double ring[26];
    for (int i = 0; i < 13; i++) {
        from[i] = i;
        to[i] = (i + 1) % 13;
        ring[2 * i] = i < 7 ? i : 12.5 - i;
        ring[2 * i + 1] = i < 7 ? 0.1 * i * i : 9;
    }
    g = from_edges(13, from, to, 13);
    f = faces_of(g, ring);
    CHECK_EQ(f.faces.count, 0);
    clv_arena_free(&f.arena);
    cleave_graph_free(g);
}

static void test_small(void)
{
    static const double x[4] = {0};
    for (int n = 0; n < 2; n++) {
        cleave_graph *g = from_edges(0, NULL, NULL, n);
        found f = faces_of(g, x);
        CHECK_EQ(f.faces.count, 0);
        clv_arena_free(&f.arena);
        cleave_graph_free(g);
    }
}

static void test_oom(void)
{
    cleave_graph *g = NULL;
    REQUIRE_OK(cleave_graph_generate(&g, "mesh2d:6x6", NULL, &err));
    for (test_oom_rounds oom = {0}; test_oom_next(&oom);) {
        found f = {0};
        clv_ws ws = {0};
        TEST_OOM(&oom, clv_faces_find(&f.faces, g, g->coords, &f.arena, &ws, &err));
        clv_arena_free(&f.arena);
        clv_ws_free(&ws);
    }
    cleave_graph_free(g);
}

int main(void)
{
    RUN(test_grid);
    RUN(test_special);
    RUN(test_small);
    RUN(test_oom);
    return test_end();
}
