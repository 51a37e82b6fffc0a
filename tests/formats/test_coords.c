/* SPDX-License-Identifier: Apache-2.0 */
/* Coordinate files: three forms, every error message, and where they are searched. */
#include <unistd.h>

#include "formats/graph_fixture.h"

static cleave_error err;

/* "2: 1 2 | 3 4", or the message. */
static const char *show(const char *name, const char *text, int32_t nvtx)
{
    static char shown[4096];
    double *coords;
    int32_t ndim;
    if (clv_coords_read(&coords, &ndim, test_file(name, text), nvtx, &err) != CLEAVE_OK) {
        CHECK(coords == NULL && ndim == 0);
        return fixture_message(&err);
    }
    char *to = shown + snprintf(shown, sizeof shown, "%d:", (int)ndim);
    for (int32_t v = 0; v < nvtx; v++) {
        to += snprintf(to, 4, v ? " |" : "");
        for (int32_t d = 0; d < ndim; d++)
            to += snprintf(to, 30, " %.17g", coords[v * ndim + d]);
    }
    clv_sys_free(coords);
    return shown;
}

static void test_plain(void)
{
    CHECK_STR(show("a.coords", "1 2\n3.5 -4e1\n", 2), "2: 1 2 | 3.5 -40");
    CHECK_STR(show("a.coords", "1 2 3\n4 5 6", 2), "3: 1 2 3 | 4 5 6");
    CHECK_STR(show("a.coords", "# x\n% y\n\n  1\t2 \r\n\n# z\n3 4\r\n\n", 2), "2: 1 2 | 3 4");
    CHECK_STR(show("a.coords", "1\n2\n3\n", 3), "2: 1 0 | 2 0 | 3 0");
    CHECK_STR(show("a.coords", "", 0), "2:");
    /* Would be Scotch's, but for the name. */
    CHECK_STR(
        show("a.coords", "2\n2\n0 1 2\n1 3 4\n", 2),
        "a.coords:3: there are more lines than the coordinates of the graph's 2 vertices");
    CHECK_STR(show("a.txt", "1 2\n3 4\n", 2), "2: 1 2 | 3 4");
    CHECK_STR(show("a.txt", "2\n3\n7\n", 3), "2: 2 0 | 3 0 | 7 0");
}

static void test_scotch(void)
{
    CHECK_STR(show("a.xyz", "2\n3\n0 1 2\n1 3 4\n2 5 6\n", 3), "2: 1 2 | 3 4 | 5 6");
    CHECK_STR(show("a.xyz", "3\n2\n7\t1 2 3\n6\t4 5 6\n", 2), "3: 4 5 6 | 1 2 3");
    CHECK_STR(show("a.xyz", "2 2\n1 1 2\n2 3 4\n", 2), "2: 1 2 | 3 4");
    CHECK_STR(show("a.xyz", "1\n2\n-5 1\n-4 2\n", 2), "2: 1 0 | 2 0");
    CHECK_STR(show("a.xyz", "2\n0\n", 0), "2:");
    CHECK_STR(show("a.xyz", "# c\n2\n# d\n1\n% e\n\n0 1 2\n\n", 1),
              "a.xyz:3: the number of vertices is \"#\", not a whole number");
    CHECK_STR(show("a.xyz", "# c\n2\n1\n% e\n\n0 1 2\n\n", 1), "2: 1 2");
    /* Recognised under another name. */
    CHECK_STR(show("a.txt", "2\n3\n0 1 2\n1 3 4\n2 5 6\n", 3), "2: 1 2 | 3 4 | 5 6");
    CHECK_STR(show("a.txt", "2 \r\n1\r\n0 1 2\r\n", 1), "2: 1 2");
}

static void test_matrix(void)
{
    CHECK_STR(show("a_coord.mtx",
                   "%%MatrixMarket matrix array real general\n% c\n2 2\n1\n2\n3\n4\n", 2),
              "2: 1 3 | 2 4");
    CHECK_STR(show("a_coord.mtx",
                   "%%matrixmarket MATRIX Array Integer General\n2 3\n1\n2\n\n3\n4\n5 \n6", 2),
              "3: 1 3 5 | 2 4 6");
    CHECK_STR(show("a.txt", "%%MatrixMarket matrix array real general\n1 1\n5\n", 1),
              "2: 5 0");
    CHECK_STR(show("a.mtx", "%%MatrixMarket matrix array real general\n0 2\n", 0), "2:");
}

static void test_complaints(void)
{
    static const struct {
        const char *name, *text;
        int32_t nvtx;
        const char *message;
    } bad[] = {
        {"a.coords", "", 1,
         "a.coords:1: the file ends after the coordinates of 0 vertices, the graph has 1"},
        {"a.coords", "1 2\n3 4\n", 3,
         "a.coords:3: the file ends after the coordinates of 2 vertices, the graph has 3"},
        {"a.coords", "1 2\n\n3 4\n5 6\n", 2,
         "a.coords:4: there are more lines than the coordinates of the graph's 2 vertices"},
        {"a.coords", "1 2\n", 0,
         "a.coords:1: there are more lines than the coordinates of the graph's 0 vertices"},
        {"a.coords", "1 2\n3\n", 2, "a.coords:2: the line ends before a coordinate"},
        {"a.coords", "1 2\n3 4 5\n", 2, "a.coords:2: unexpected text after 2 coordinates"},
        {"a.coords", "1 2 3 4\n", 1, "a.coords:1: unexpected text after 3 coordinates"},
        {"a.coords", "1\n2 3\n", 2, "a.coords:2: unexpected text after 1 coordinate"},
        {"a.coords", "1 2x\n", 1, "a.coords:1: a coordinate is \"2x\", not a number"},
        {"a.coords", "1 2\n1 nan\n", 2, "a.coords:2: a coordinate is not finite"},
        {"a.coords", "1 -inf\n", 1, "a.coords:1: a coordinate is not finite"},
        {"a.coords", "1 1e400\n", 1, "a.coords:1: a coordinate is not finite"},
        {"a.xyz", "", 1, "a.xyz:1: the file ends before the number of dimensions"},
        {"a.xyz", "4\n1\n", 1, "a.xyz:1: the number of dimensions is 4, outside 1..3"},
        {"a.xyz", "2\n", 1, "a.xyz:2: the file ends before the number of vertices"},
        {"a.xyz", "2\n-1\n", 1,
         "a.xyz:2: the number of vertices is -1, outside 0..2147483647"},
        {"a.xyz", "2\n5\n", 6, "a.xyz:2: coordinates of 5 vertices, but the graph has 6"},
        {"a.xyz", "2\n1 7\n", 1, "a.xyz:2: unexpected text after the number of vertices"},
        {"a.xyz", "2\n2\n0 1 2\n", 2,
         "a.xyz:4: the file ends after the coordinates of 1 vertices, the graph has 2"},
        {"a.xyz", "2\n1\n0 1 2\n1 1 2\n", 1,
         "a.xyz:4: there are more lines than the coordinates of the graph's 1 vertices"},
        {"a.xyz", "2\n1\nx 1 2\n", 1, "a.xyz:3: a vertex label is \"x\", not a whole number"},
        {"a.xyz", "2\n1\n3000000000 1 2\n", 1,
         "a.xyz:3: a vertex label is 3000000000, outside -2147483648..2147483647"},
        {"a.xyz", "2\n3\n0 1 2\n2 1 2\n\n0 5 6\n", 3, "a.xyz:6: vertex label 0 occurs twice"},
        {"a.xyz", "2\n3\n0 1 2\n3 1 2\n1 5 6\n", 3,
         "a.xyz:4: vertex label 3 is too large: labels must be consecutive"},
        {"a.xyz", "2\n2\n-2147483648 1 2\n2147483647 1 2\n", 2,
         "a.xyz:4: vertex label 2147483647 is too large: labels must be consecutive"},
        {"a.xyz", "2\n1\n0 1\n", 1, "a.xyz:3: the line ends before a coordinate"},
        {"a.xyz", "2\n1\n0 1 2 3\n", 1, "a.xyz:3: unexpected text after 2 coordinates"},
        {"a.xyz", "2\n1\n0 1 NaN\n", 1, "a.xyz:3: a coordinate is not finite"},
        {"a.mtx", "%%MatrixMarket matrix coordinate real general\n1 2 2\n", 1,
         "a.mtx:1: coordinates are a 'matrix array real general': \"coordinate\" is not "
         "'array'"},
        {"a.mtx", "%%MatrixMarket matrix array complex general\n1 2\n", 1,
         "a.mtx:1: coordinates are a 'matrix array real general': \"complex\" is not 'real'"},
        {"a.mtx", "%%MatrixMarket matrix array real symmetric\n1 2\n", 1,
         "a.mtx:1: coordinates are a 'matrix array real general': \"symmetric\" is not "
         "'general'"},
        {"a.mtx", "%%MatrixMarket vector\n1 2\n", 1,
         "a.mtx:1: coordinates are a 'matrix array real general': \"vector\" is not 'matrix'"},
        {"a.mtx", "%%MatrixMarket", 1,
         "a.mtx:1: coordinates are a 'matrix array real general': \"\" is not 'matrix'"},
        {"a.mtx", "%%MatrixMarket matrix array real general\n", 1,
         "a.mtx:2: the file ends before the number of rows"},
        {"a.mtx", "%%MatrixMarket matrix array real general\n2 2\n", 1,
         "a.mtx:2: coordinates of 2 vertices, but the graph has 1"},
        {"a.mtx", "%%MatrixMarket matrix array real general\n1 4\n", 1,
         "a.mtx:2: the number of columns is 4, outside 1..3"},
        {"a.mtx", "%%MatrixMarket matrix array real general\n1 2 3\n", 1,
         "a.mtx:2: unexpected text after the number of columns"},
        {"a.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n", 2,
         "a.mtx:6: the file ends after 3 of 4 coordinates"},
        {"a.mtx", "%%MatrixMarket matrix array real general\n1 2\n1\n2\n3\n", 1,
         "a.mtx:5: there are more lines than the coordinates of the graph's 1 vertices"},
        {"a.mtx", "%%MatrixMarket matrix array real general\n1 2\n1\ninf\n", 1,
         "a.mtx:4: a coordinate is not finite"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK_STR(show(bad[i].name, bad[i].text, bad[i].nvtx), bad[i].message);
        CHECK_EQ(err.status, CLEAVE_EPARSE);
    }
    double *coords;
    int32_t ndim;
    CHECK_EQ(clv_coords_read(&coords, &ndim, fixture_path("none.xyz"), 1, &err), CLEAVE_EIO);
}

static void test_round_trips(void)
{
    static const char *const names[] = {"r.xyz",    "r.coords",    "r_coord.mtx",   "r.txt",
                                        "r.xyz.gz", "r.coords.gz", "r_coord.mtx.gz"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int32_t nvtx = 0; nvtx < 300; nvtx = 3 * nvtx + 1)
            for (int32_t ndim = 2; ndim <= 3; ndim++) {
                fixture_kind kind = {.nvtx = nvtx, .ncon = 1, .ndim = ndim};
                clv_graph *g = fixture_graph(&kind, 5);
                const char *path = fixture_path(names[i]);
                double *coords = NULL;
                int32_t got = 0;
                CHECK_OK(clv_coords_write(g, path, &err));
                CHECK_OK(clv_coords_read(&coords, &got, path, nvtx, &err));
                /* Without a line, the number of dimensions of plain text is unknown. */
                CHECK(got == ndim || nvtx == 0);
                CHECK(coords &&
                      memcmp(coords, g->coords, (size_t)(nvtx * ndim) * sizeof *coords) == 0);
                clv_sys_free(coords);
                clv_graph_free(g);
            }
    fixture_kind kind = {.nvtx = 2, .ncon = 1};
    clv_graph *g = fixture_graph(&kind, 1);
    CHECK_EQ(clv_coords_write(g, fixture_path("no.xyz"), &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "the graph has no coordinates to write");
    clv_graph_free(g);
}

/* The name of the file found beside the graph, or "none". */
static const char *beside(const char *graph)
{
    static char name[300];
    bool oom;
    char *found = clv_coords_beside(fixture_path(graph), &oom);
    CHECK(!oom);
    snprintf(name, sizeof name, "%s", found ? strrchr(found, '/') + 1 : "none");
    clv_sys_free(found);
    return name;
}

static void test_beside(void)
{
    test_file("p.xyz", "");
    test_file("q.coords.gz", "");
    test_file("rr_coord.mtx", "");
    test_file("s_coord.mtx.gz", "");
    test_file("t.v1.coords", "");
    test_file("u.xyz", "");
    test_file("u.coords", "");
    test_file(".h.xyz", "");
    CHECK_STR(beside("p.graph"), "p.xyz");
    CHECK_STR(beside("p.graph.gz"), "p.xyz");
    CHECK_STR(beside("p"), "p.xyz");
    CHECK_STR(beside("q.mtx.gz"), "q.coords.gz");
    CHECK_STR(beside("rr.mtx"), "rr_coord.mtx");
    CHECK_STR(beside("s.mtx"), "s_coord.mtx.gz");
    CHECK_STR(beside("t.v1.graph"), "t.v1.coords");
    CHECK_STR(beside("u.graph"), "u.xyz");
    CHECK_STR(beside(".h"), ".h.xyz");
    CHECK_STR(beside("x.graph"), "none");
    bool oom;
    CHECK(clv_coords_beside("-", &oom) == NULL && !oom);
    CHECK(clv_coords_beside("", &oom) == NULL && !oom);
    /* A dot in the folder's name is no extension. */
    CHECK(clv_coords_beside("/no/such.folder/graph", &oom) == NULL && !oom);
    test_alloc_fail_at(1);
    CHECK(clv_coords_beside("a.graph", &oom) == NULL && oom);
    test_alloc_fail_at(0);
}

static void test_no_memory(void)
{
    const char *paths[] = {
        test_file("m.coords", "1 2\n3 4\n"), test_file("m.xyz", "2\n2\n1 1 2\n0 3 4\n"),
        test_file("m.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n")};
    for (size_t i = 0; i < 3; i++)
        for (test_oom_rounds oom = {0}; test_oom_next(&oom);) {
            double *coords;
            int32_t ndim;
            TEST_OOM(&oom, clv_coords_read(&coords, &ndim, paths[i], 2, &err));
            CHECK_EQ(oom.reached, coords == NULL);
            clv_sys_free(coords);
        }
}

static void test_shared_files(void)
{
    static const struct {
        const char *name;
        int32_t nvtx, ndim;
    } files[] = {{"3elt.xyz", 4720, 2},
                 {"4elt.xyz", 15606, 2},
                 {"bump.xyz", 9800, 2},
                 {"brack2_3.coords.gz", 62631, 3}};
    enum { count = sizeof files / sizeof *files };
    const char *folder = test_shared("mesh", count);
    for (size_t i = 0; folder && i < count; i++) {
        char path[5000];
        double *coords;
        int32_t ndim;
        snprintf(path, sizeof path, "%s/%s", folder, files[i].name);
        CHECK_OK(clv_coords_read(&coords, &ndim, path, files[i].nvtx, &err));
        CHECK_EQ(ndim, files[i].ndim);
        clv_sys_free(coords);
    }
}

int main(void)
{
    RUN(test_plain);
    RUN(test_scotch);
    RUN(test_matrix);
    RUN(test_complaints);
    RUN(test_round_trips);
    RUN(test_beside);
    RUN(test_no_memory);
    RUN(test_shared_files);
    return test_end();
}
