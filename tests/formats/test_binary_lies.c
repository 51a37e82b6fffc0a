/* SPDX-License-Identifier: Apache-2.0 */
/* Binary files whose checksums are right but whose headers or contents are not. */
#include "formats/binary_fixture.h"

/* Inconsistent headers with correct checksums. */
static void test_absurd_headers(void)
{
    static const struct {
        size_t at;
        int bytes;
        int64_t value;
        const char *message;
    } absurd[] = {
        {AT_ORDER, 4, 0x04030201, "x.clv: was written on a machine with another byte order"},
        {AT_VERSION, 4, 2, "x.clv: has version 2 of the format, this library reads version 1"},
        {AT_KIND, 4, 7, "x.clv: is damaged: the header contradicts itself"},
        {AT_KIND, 4, CLEAVE_DAG, "x.clv: is damaged: the header contradicts itself"},
        {AT_NVTX, 4, INT32_MAX, "x.clv: is damaged: the header contradicts itself"},
        {AT_NVTX, 4, -1, "x.clv: is damaged: the header contradicts itself"},
        {AT_NCON, 4, INT32_MAX, "x.clv: is damaged: the header contradicts itself"},
        {AT_NCON, 4, 0, "x.clv: is damaged: the header contradicts itself"},
        {AT_NDIM, 4, 0, "x.clv: is damaged: the header contradicts itself"},
        {AT_NDIM, 4, 1, "x.clv: is damaged: the header contradicts itself"},
        {AT_NARC, 8, INT64_MAX - 1, "x.clv: is damaged: the header contradicts itself"},
        {AT_NARC, 8, (int64_t)1 << 62, "x.clv: is damaged: the header contradicts itself"},
        {AT_NARC, 8, -2, "x.clv: is damaged: the header contradicts itself"},
        {AT_NARC, 8, 3, "x.clv: is damaged: the header contradicts itself"},
        {AT_ENTRIES, 8, -1, "x.clv: is damaged: the header contradicts itself"},
        {AT_FILE_SIZE, 8, -64, "x.clv: is damaged: the header contradicts itself"},
        {AT_FILE_SIZE, 8, (int64_t)1 << 50,
         "x.clv: is damaged: the header contradicts itself"},
        {AT_SECTIONS, 8, 0, "x.clv: is damaged: the header contradicts itself"},
        {AT_SECTIONS, 8, HEADER + 8, "x.clv: is damaged: the header contradicts itself"},
        {AT_SECTIONS + 8, 8, -8, "x.clv: is damaged: the header contradicts itself"},
        {AT_SECTIONS + 16 * TEXT + 8, 8, -1,
         "x.clv: is damaged: the header contradicts itself"},
        {AT_SECTIONS + 16 * TEXT, 8, 0, "x.clv: is damaged: the header contradicts itself"},
        {AT_SECTIONS + 16 * SOURCE, 8, 0, "x.clv: is damaged: the header contradicts itself"},
        {AT_SECTIONS + 16 * PRED, 8, HEADER,
         "x.clv: is damaged: the header contradicts itself"},
        {0, 4, 0, "x.clv: is not a binary graph of cleave"},
    };
    clv_graph *g = small_graph(CLEAVE_UNDIRECTED);
    image file = image_of(g);
    for (size_t i = 0; i < sizeof absurd / sizeof *absurd; i++) {
        image changed = {malloc(file.count), file.count};
        memcpy(changed.bytes, file.bytes, file.count);
        if (absurd[i].bytes == 4)
            set32(&changed, absurd[i].at, (int32_t)absurd[i].value);
        else
            set64(&changed, absurd[i].at, (uint64_t)absurd[i].value);
        reseal(&changed);
        CHECK_STR(complaint(&changed, false), absurd[i].message);
        CHECK_STR(complaint(&changed, true), absurd[i].message);
        free(changed.bytes);
    }
    free(file.bytes);
    clv_graph_free(g);
}

/* A consistent header of a petabyte with nothing behind it, from a pipe. */
static void test_huge_promise(void)
{
    image file = {calloc(1, HEADER + 64), HEADER};
    fixture_kind kind = {.nvtx = 0, .ncon = 1};
    clv_graph *g = fixture_graph(&kind, 1), *back;
    image real = image_of(g);
    memcpy(file.bytes, real.bytes, HEADER);
    /* xadj of 0 vertices: 8 bytes, padded to 64; adj: narc * 4. */
    uint64_t narc = (uint64_t)1 << 48, end = HEADER + 64 + 4 * narc;
    set64(&file, AT_NARC, narc);
    set64(&file, AT_SECTIONS + 16 * ADJ + 8, 4 * narc);
    set64(&file, AT_SECTIONS + 16 * SOURCE, end);
    set64(&file, AT_FILE_SIZE, end + 64);
    reseal(&file);
    CHECK_EQ(read_pipe(&back, &file, file.count), CLEAVE_EPARSE);
    CHECK(strstr(err.message, "cut short: 320 bytes, the header says 1125899906843072") !=
          NULL);
    CHECK_STR(complaint(&file, true),
              "x.clv: the file is cut short: 320 bytes, the header says 1125899906843072");
    free(file.bytes);
    free(real.bytes);
    clv_graph_free(g);
}

/* Contents that break the promises of a graph, under correct sums. */
static image changed_image(const clv_graph *g, int s, int32_t index, int bytes, int64_t value)
{
    image file = image_of(g);
    size_t at = section(&file, s) + (size_t)index * (size_t)bytes;
    if (bytes == 8)
        set64(&file, at, (uint64_t)value);
    else if (bytes == 4)
        set32(&file, at, (int32_t)value);
    else
        file.bytes[at] = (unsigned char)value;
    reseal(&file);
    return file;
}

static void test_broken_promises(void)
{
    static const struct {
        int kind, section;
        int32_t index;
        int bytes;
        int64_t value;
        bool trusted; /* not detected with CLEAVE_TRUST */
        const char *message;
    } broken[] = {
        {0, XADJ, 0, 8, 1, false, "x.clv: is damaged: the header contradicts the contents"},
        {0, XADJ, 3, 8, 3, false, "x.clv: is damaged: the header contradicts the contents"},
        {1, XPRED, 3, 8, 1, false, "x.clv: is damaged: the header contradicts the contents"},
        {0, XADJ, 2, 8, 0, true, "x.clv: vertex 1 has neighbours that end before they begin"},
        {0, XADJ, 1, 8, 9, true, "x.clv: vertex 0 has neighbours that end before they begin"},
        {0, XADJ, 1, 8, INT64_MIN, true,
         "x.clv: vertex 0 has neighbours that end before they begin"},
        {1, XPRED, 1, 8, -1, true,
         "x.clv: vertex 0 has neighbours that end before they begin"},
        {0, ADJ, 0, 4, 3, true, "x.clv: vertex 0 has a neighbour that is not a vertex"},
        {0, ADJ, 0, 4, -1, true, "x.clv: vertex 0 has a neighbour that is not a vertex"},
        {1, PRED, 1, 4, 99, true, "x.clv: vertex 2 has a neighbour that is not a vertex"},
        {0, ADJ, 2, 4, 0, true, "x.clv: vertex 1 has neighbours that do not ascend"},
        {0, ADJ, 0, 4, 0, true, "x.clv: vertex 0 is its own neighbour"},
        {0, ADJ, 0, 4, 2, true,
         "x.clv: vertex 0 has an edge whose other direction is missing"},
        {1, PRED, 1, 4, 0, true,
         "x.clv: vertex 1 has an edge whose other direction is missing"},
        {0, EWGT, 0, 4, 7, true, "x.clv: vertex 0 has an edge with two weights"},
        {1, PWGT, 1, 4, 7, true, "x.clv: vertex 1 has an edge with two weights"},
        {0, VWGT, 1, 4, -1, true, "x.clv: vertex 1 has a negative weight"},
        {0, VSIZE, 2, 4, INT32_MIN, true, "x.clv: vertex 2 has a negative size"},
        {0, COORDS, 3, 8, 0x7ff8000000000000, true,
         "x.clv: vertex 1 has a coordinate that is not finite"},
        {0, OFFSETS, 0, 8, 1, false, "x.clv: is damaged: the header contradicts the contents"},
        {0, OFFSETS, 3, 8, 8, false, "x.clv: is damaged: the header contradicts the contents"},
        {0, OFFSETS, 1, 8, 0, true, "x.clv: vertex 0 has a name that ends before it begins"},
        {0, OFFSETS, 1, 8, 100, true, "x.clv: vertex 0 has a name that ends before it begins"},
        {0, OFFSETS, 1, 8, 3, true,
         "x.clv: vertex 0 has a name that does not end in a zero byte"},
        {0, TEXT, 1, 1, 'x', true,
         "x.clv: vertex 0 has a name that does not end in a zero byte"},
        {0, TEXT, 6, 1, 'x', false, "x.clv: is damaged: the header contradicts the contents"},
        {0, SOURCE, 1, 1, 'x', false,
         "x.clv: is damaged: the header contradicts the contents"},
    };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        clv_graph *g = path_graph((cleave_kind)broken[i].kind);
        image file = changed_image(g, broken[i].section, broken[i].index, broken[i].bytes,
                                   broken[i].value);
        CHECK_STR(complaint(&file, false), broken[i].message);
        CHECK_STR(complaint(&file, true), broken[i].trusted ? "fine" : broken[i].message);
        free(file.bytes);
        clv_graph_free(g);
    }
}

static void test_negative_edge(void)
{
    clv_graph *g = path_graph(CLEAVE_UNDIRECTED);
    image file = changed_image(g, EWGT, 0, 4, -5);
    set32(&file, section(&file, EWGT) + 4, -5);
    reseal(&file);
    CHECK_STR(complaint(&file, false), "x.clv: vertex 0 has an edge of negative weight");
    free(file.bytes);
    clv_graph_free(g);
}

/* 0 -> 1 -> 0, with the predecessors to match. */
static void test_cycle(void)
{
    clv_graph *g = path_graph(CLEAVE_DAG);
    image file = changed_image(g, ADJ, 1, 4, 0);
    size_t xpred = section(&file, XPRED), pred = section(&file, PRED);
    set64(&file, xpred + 8, 1);
    set64(&file, xpred + 16, 2);
    set32(&file, pred, 1);
    set32(&file, pred + 4, 0);
    set32(&file, section(&file, PWGT), 5);
    set32(&file, section(&file, PWGT) + 4, 5);
    reseal(&file);
    CHECK_STR(complaint(&file, false), "x.clv: the graph has a cycle: a -> bb -> a");
    CHECK_EQ(err.status, CLEAVE_ECYCLE);
    CHECK_STR(complaint(&file, true), "fine");
    free(file.bytes);
    clv_graph_free(g);
}

int main(void)
{
    RUN(test_absurd_headers);
    RUN(test_huge_promise);
    RUN(test_broken_promises);
    RUN(test_negative_edge);
    RUN(test_cycle);
    return test_end();
}
