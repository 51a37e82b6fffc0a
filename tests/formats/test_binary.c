/* SPDX-License-Identifier: Apache-2.0 */
/* The binary format: round trips, every flipped bit, every truncation, graphs whose
 * checksums are right but whose contents are not. */
#include <sys/stat.h>
#include <unistd.h>

#include "formats/binary_verify.h"
#include "formats/graph_fixture.h"

static cleave_error err;

typedef struct image {
    unsigned char *bytes;
    size_t count;
} image;

static image load(const char *path)
{
    image file = {NULL, 0};
    struct stat info;
    FILE *stream = fopen(path, "rb");
    if (!stream || fstat(fileno(stream), &info) != 0)
        abort();
    file.count = (size_t)info.st_size;
    file.bytes = malloc(file.count + 64);
    if (fread(file.bytes, 1, file.count, stream) != file.count)
        abort();
    fclose(stream);
    return file;
}

static image image_of(const clv_graph *g)
{
    const char *path = fixture_path("image.clv");
    if (fixture_write(g, &clv_format_binary, path, NULL, &err) != CLEAVE_OK)
        abort();
    return load(path);
}

static cleave_status read_bytes(clv_graph **g, const unsigned char *bytes, size_t count,
                                bool trust)
{
    clv_read_options opt = fixture_options();
    opt.trust = trust;
    return fixture_read(g, &clv_format_binary, test_file_bytes("x.clv", bytes, count), &opt,
                        &err);
}

/* The message, or "fine". */
static const char *complaint(const image *file, bool trust)
{
    clv_graph *g;
    cleave_status status = read_bytes(&g, file->bytes, file->count, trust);
    clv_graph_free(g);
    return status == CLEAVE_OK ? "fine" : fixture_message(&err);
}

/* ---- The layout, told independently --------------------------------------------------- */

enum {
    AT_ORDER = 8,
    AT_VERSION = 12,
    AT_HEADER_SUM = 16,
    AT_DATA_SUM = 24,
    AT_FILE_SIZE = 32,
    AT_KIND = 40,
    AT_NVTX = 44,
    AT_NCON = 48,
    AT_NDIM = 52,
    AT_NARC = 56,
    AT_ENTRIES = 64,
    AT_SECTIONS = 72,
    HEADER = 320
};
enum { XADJ, ADJ, EWGT, XPRED, PRED, PWGT, VWGT, VSIZE, COORDS, OFFSETS, TEXT, SOURCE };

static uint64_t get64(const image *file, size_t at)
{
    uint64_t value;
    memcpy(&value, file->bytes + at, 8);
    return value;
}

static void set64(image *file, size_t at, uint64_t value)
{
    memcpy(file->bytes + at, &value, 8);
}

static void set32(image *file, size_t at, int32_t value)
{
    memcpy(file->bytes + at, &value, 4);
}

/* Where a section begins. */
static size_t section(const image *file, int s)
{
    return (size_t)get64(file, AT_SECTIONS + 16 * (size_t)s);
}

/* Makes both sums right again after a change. */
static void reseal(image *file)
{
    clv_binary_sum sum;
    clv_binary_sum_init(&sum);
    clv_binary_sum_add(&sum, file->bytes + HEADER, file->count - HEADER);
    set64(file, AT_DATA_SUM, clv_binary_sum_value(&sum));
    set64(file, AT_HEADER_SUM, 0);
    clv_binary_sum_init(&sum);
    clv_binary_sum_add(&sum, file->bytes, HEADER);
    set64(file, AT_HEADER_SUM, clv_binary_sum_value(&sum));
}

/* ---- Tests ----------------------------------------------------------------------------- */

static void round_trip(const fixture_kind *kind, const char *name, bool trust, uint64_t seed)
{
    clv_graph *g = fixture_graph(kind, seed), *back = NULL;
    g->format = "metis";
    g->entries = 12345;
    g->unit = seed % 2 ? "KiB" : NULL;
    const char *path = fixture_path(name);
    clv_read_options opt = fixture_options();
    opt.trust = trust;
    REQUIRE_OK(fixture_write(g, &clv_format_binary, path, NULL, &err));
    CHECK_OK(fixture_read(&back, &clv_format_binary, path, &opt, &err));
    CHECK(back && fixture_same(g, back));
    if (back) {
        CHECK_STR(back->format, "metis");
        CHECK_EQ(back->entries, 12345);
        CHECK(seed % 2 ? back->unit && strcmp(back->unit, "KiB") == 0 : back->unit == NULL);
        CHECK(!back->ewgt == !g->ewgt && !back->vwgt == !g->vwgt && !back->vsize == !g->vsize);
        CHECK_EQ((uintptr_t)back->xadj % 8, 0);
    }
    clv_graph_free(back);
    clv_graph_free(g);
}

static void test_round_trips(void)
{
    static const int32_t sizes[] = {0, 1, 2, 15, 16, 17, 1000};
    for (unsigned mask = 0; mask < 32; mask++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            fixture_kind kind = {.kind = mask & 1 ? CLEAVE_DAG : CLEAVE_UNDIRECTED,
                                 .nvtx = sizes[s],
                                 .nedge = 3 * sizes[s],
                                 .ewgt = mask & 2,
                                 .vwgt = mask & 4,
                                 .vsize = mask & 8,
                                 .names = mask & 16,
                                 .ncon = mask & 4 && mask & 8 ? 3 : 1,
                                 .ndim = mask % 3 == 0 ? 0 : (int32_t)(mask % 3) + 1};
            round_trip(&kind, "r.clv", false, mask);
            round_trip(&kind, "r.clv", true, mask);
            round_trip(&kind, "r.clv.gz", mask & 1, mask);
        }
}

/* A graph that never was in a file. */
static void test_no_source(void)
{
    fixture_kind kind = {.nvtx = 10, .nedge = 30, .ncon = 1};
    clv_graph *g = fixture_graph(&kind, 3), *back;
    image file = image_of(g);
    REQUIRE_OK(read_bytes(&back, file.bytes, file.count, false));
    CHECK_STR(back->format, "binary");
    CHECK_EQ(back->entries, clv_graph_edges(g));
    CHECK(back->unit == NULL);
    clv_graph_free(back);
    clv_graph_free(g);
    free(file.bytes);
}

static clv_graph *small_graph(cleave_kind kind_of_graph)
{
    fixture_kind kind = {.kind = kind_of_graph,
                         .nvtx = 5,
                         .nedge = 9,
                         .ewgt = true,
                         .vwgt = true,
                         .vsize = true,
                         .names = true,
                         .ncon = 2,
                         .ndim = 3};
    clv_graph *g = fixture_graph(&kind, 11);
    g->format = "dot";
    g->unit = "ms";
    g->entries = 9;
    return g;
}

/* Without the file system in between, to try many. */
static void test_flips(void)
{
    for (int kind = 0; kind < 2; kind++) {
        clv_graph *g = small_graph((cleave_kind)kind), *back;
        image file = image_of(g);
        CHECK_OK(read_bytes(&back, file.bytes, file.count, false));
        clv_graph_free(back);
        size_t missed = 0;
        for (size_t bit = 0; bit < 8 * file.count; bit++) {
            file.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
            cleave_status status = read_bytes(&back, file.bytes, file.count, false);
            missed += status != CLEAVE_EPARSE || back != NULL;
            clv_graph_free(back);
            /* With trust a damaged header is still noticed. */
            if (bit < 8 * HEADER) {
                status = read_bytes(&back, file.bytes, file.count, true);
                missed += status != CLEAVE_EPARSE || back != NULL;
                clv_graph_free(back);
            }
            file.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        }
        CHECK_EQ(missed, 0);
        free(file.bytes);
        clv_graph_free(g);
    }
}

static void test_truncations(void)
{
    clv_graph *g = small_graph(CLEAVE_DAG), *back;
    image file = image_of(g);
    for (size_t count = 0; count < file.count; count++)
        for (int trust = 0; trust < 2; trust++) {
            CHECK_EQ(read_bytes(&back, file.bytes, count, trust), CLEAVE_EPARSE);
            CHECK(back == NULL);
            char expected[200];
            const char *text = "x.clv: is not a binary graph of cleave";
            if (count >= 8) {
                text = expected;
                snprintf(expected, sizeof expected,
                         count < HEADER
                             ? "x.clv: the file is cut short: %zu bytes, the header has 320"
                             : "x.clv: the file is cut short: %zu bytes, the header says %zu",
                         count, file.count);
            }
            CHECK_STR(fixture_message(&err), text);
        }
    memset(file.bytes + file.count, 0, 64);
    file.count += 1;
    char expected[200];
    snprintf(expected, sizeof expected,
             "x.clv: the file has more bytes than its header says: %zu, not %zu", file.count,
             file.count - 1);
    CHECK_STR(complaint(&file, false), expected);
    CHECK_STR(complaint(&file, true), expected);
    free(file.bytes);
    clv_graph_free(g);
}

/* The same through a pipe, where the size is not known beforehand. */
static cleave_status read_pipe(clv_graph **g, const image *file, size_t count)
{
    char path[64];
    int ends[2];
    *g = NULL;
    if (pipe(ends) != 0 || write(ends[1], file->bytes, count) != (ssize_t)count)
        abort();
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    clv_read_options opt = fixture_options();
    cleave_status status = fixture_read(g, &clv_format_binary, path, &opt, &err);
    close(ends[0]);
    return status;
}

static void test_pipe(void)
{
    clv_graph *g = small_graph(CLEAVE_UNDIRECTED), *back;
    image file = image_of(g);
    CHECK_OK(read_pipe(&back, &file, file.count));
    CHECK(back && fixture_same(g, back));
    clv_graph_free(back);
    for (size_t count = 0; count < file.count; count += 37) {
        CHECK_EQ(read_pipe(&back, &file, count), CLEAVE_EPARSE);
        CHECK(back == NULL);
    }
    memset(file.bytes + file.count, 0, 64);
    CHECK_EQ(read_pipe(&back, &file, file.count + 64), CLEAVE_EPARSE);
    CHECK(strstr(err.message, "the file has more bytes than its header says") != NULL);
    free(file.bytes);
    clv_graph_free(g);
}

/* Headers with correct sums that nobody would write. */
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

/* The path 0 - 1 - 2 (or 0 -> 1 -> 2) with every attribute. */
static clv_graph *path_graph(cleave_kind kind)
{
    static const int64_t both[] = {0, 1, 3, 4}, forward[] = {0, 1, 2, 2};
    static const int32_t both_adj[] = {1, 0, 2, 1}, forward_adj[] = {1, 2};
    static const int32_t weights[] = {5, 5, 6, 6}, ones[] = {1, 1, 1};
    static const double coords[6];
    static const char *const names[] = {"a", "bb", "c"};
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    csr.kind = kind;
    csr.nvtx = 3;
    csr.xadj = kind == CLEAVE_DAG ? forward : both;
    csr.adj = kind == CLEAVE_DAG ? forward_adj : both_adj;
    csr.ewgt = weights;
    csr.vwgt = csr.vsize = ones;
    csr.ndim = 2;
    csr.coords = coords;
    csr.names = names;
    cleave_graph *g;
    if (cleave_graph_create(&g, &csr, 0, &err) != CLEAVE_OK)
        abort();
    return g;
}

static void test_broken_promises(void)
{
    static const struct {
        int kind, section;
        int32_t index;
        int bytes;
        int64_t value;
        bool trusted; /* not noticed with trust */
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
        {0, ADJ, 0, 4, 3, true, "x.clv: vertex 0 has a neighbour that is no vertex"},
        {0, ADJ, 0, 4, -1, true, "x.clv: vertex 0 has a neighbour that is no vertex"},
        {1, PRED, 1, 4, 99, true, "x.clv: vertex 2 has a neighbour that is no vertex"},
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

static void test_kinds(void)
{
    clv_graph *g = path_graph(CLEAVE_DAG), *back;
    const char *path = fixture_path("k.clv");
    REQUIRE_OK(fixture_write(g, &clv_format_binary, path, NULL, &err));
    clv_read_options opt = fixture_options();
    opt.as = CLV_AS_UNDIRECTED;
    CHECK_EQ(fixture_read(&back, &clv_format_binary, path, &opt, &err), CLEAVE_EINVAL);
    CHECK_STR(fixture_message(&err),
              "k.clv: holds a DAG, and a binary graph cannot be read as another kind");
    opt.as = CLV_AS_DAG;
    CHECK_OK(fixture_read(&back, &clv_format_binary, path, &opt, &err));
    clv_graph_free(back);
    clv_graph_free(g);
    g = path_graph(CLEAVE_UNDIRECTED);
    REQUIRE_OK(fixture_write(g, &clv_format_binary, path, NULL, &err));
    CHECK_EQ(fixture_read(&back, &clv_format_binary, path, &opt, &err), CLEAVE_EINVAL);
    CHECK_STR(fixture_message(&err), "k.clv: holds an undirected graph, and a binary graph "
                                     "cannot be read as another kind");
    clv_graph_free(g);
}

/* Replacing the file does not disturb a graph that is open. */
static void test_replaced_file(void)
{
    clv_graph *g = path_graph(CLEAVE_DAG), *other = small_graph(CLEAVE_DAG), *back;
    const char *path = fixture_path("replaced.clv");
    clv_read_options opt = fixture_options();
    REQUIRE_OK(fixture_write(g, &clv_format_binary, path, NULL, &err));
    REQUIRE_OK(fixture_read(&back, &clv_format_binary, path, &opt, &err));
    REQUIRE_OK(fixture_write(other, &clv_format_binary, path, NULL, &err));
    CHECK(fixture_same(g, back));
    clv_graph_free(back);
    clv_graph_free(other);
    clv_graph_free(g);
}

static void test_looks_like(void)
{
    clv_graph *g = path_graph(CLEAVE_DAG);
    image file = image_of(g);
    CHECK_EQ(clv_format_binary.looks_like((const char *)file.bytes, file.count), 100);
    CHECK_EQ(clv_format_binary.looks_like((const char *)file.bytes, 7), 0);
    CHECK_EQ(clv_format_binary.looks_like("digraph { }", 11), 0);
    free(file.bytes);
    clv_graph_free(g);
}

/* The sum notices moved and swapped words as well. */
static void test_sum(void)
{
    enum { count = 1024 };
    unsigned char bytes[count];
    uint64_t seen[count / 8 + 1];
    memset(bytes, 0, sizeof bytes);
    for (int i = 0; i <= count / 8; i++) {
        clv_binary_sum sum;
        if (i < count / 8)
            bytes[8 * i] = 1;
        clv_binary_sum_init(&sum);
        clv_binary_sum_add(&sum, bytes, count);
        seen[i] = clv_binary_sum_value(&sum);
        bytes[8 * i < count ? 8 * i : 0] = 0;
        for (int j = 0; j < i; j++)
            CHECK(seen[i] != seen[j]);
        /* In pieces it is the same. */
        if (i == count / 8) {
            clv_binary_sum_init(&sum);
            clv_binary_sum_add(&sum, bytes, 64);
            clv_binary_sum_add(&sum, bytes + 64, count - 64);
            CHECK(clv_binary_sum_value(&sum) == seen[i]);
        }
    }
}

static void test_no_memory(void)
{
    clv_graph *g = small_graph(CLEAVE_DAG);
    static const char *const names[] = {"m.clv", "m.clv.gz"};
    for (int i = 0; i < 2; i++) {
        const char *path = fixture_path(names[i]);
        for (int64_t nth = 1;; nth++) {
            int64_t live = test_alloc_live();
            test_alloc_fail_at(nth);
            cleave_status status = fixture_write(g, &clv_format_binary, path, NULL, &err);
            bool failed = test_alloc_calls() >= nth;
            test_alloc_fail_at(0);
            CHECK_EQ(status, failed ? CLEAVE_ENOMEM : CLEAVE_OK);
            CHECK_EQ(test_alloc_live(), live);
            if (!failed)
                break;
        }
        for (int64_t nth = 1;; nth++) {
            clv_graph *back;
            clv_read_options opt = fixture_options();
            int64_t live = test_alloc_live();
            test_alloc_fail_at(nth);
            cleave_status status = fixture_read(&back, &clv_format_binary, path, &opt, &err);
            bool failed = test_alloc_calls() >= nth;
            test_alloc_fail_at(0);
            CHECK_EQ(status, failed ? CLEAVE_ENOMEM : CLEAVE_OK);
            clv_graph_free(back);
            CHECK_EQ(test_alloc_live(), live);
            if (!failed)
                break;
        }
    }
    clv_graph_free(g);
}

int main(void)
{
    RUN(test_round_trips);
    RUN(test_no_source);
    RUN(test_flips);
    RUN(test_truncations);
    RUN(test_pipe);
    RUN(test_absurd_headers);
    RUN(test_huge_promise);
    RUN(test_broken_promises);
    RUN(test_negative_edge);
    RUN(test_cycle);
    RUN(test_kinds);
    RUN(test_replaced_file);
    RUN(test_looks_like);
    RUN(test_sum);
    RUN(test_no_memory);
    return test_end();
}
