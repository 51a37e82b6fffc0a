/* SPDX-License-Identifier: Apache-2.0 */
/* The binary format: round trips, every flipped bit, every truncation, failing allocations. */
#include <fcntl.h>

#include "formats/binary_fixture.h"

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
        CHECK_STR(back->origin, "metis");
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
    CHECK(back->origin == NULL);
    CHECK_EQ(back->entries, clv_graph_edges(g));
    CHECK(back->unit == NULL);
    clv_graph_free(back);
    clv_graph_free(g);
    free(file.bytes);
}

static cleave_status read_path(clv_graph **g, const char *path, bool trust)
{
    clv_read_options opt = fixture_options();
    opt.trust = trust;
    return fixture_read(g, &clv_format_binary, path, &opt, &err);
}

/* Is the damaged file refused, as damaged? */
static bool is_refused(const char *path, bool trust)
{
    clv_graph *g;
    bool refused = read_path(&g, path, trust) == CLEAVE_EPARSE && g == NULL;
    clv_graph_free(g);
    return refused;
}

/* The file is changed in place: writing it anew each time would wait for the disk. */
static void test_flips(void)
{
    for (int kind = 0; kind < 2; kind++) {
        clv_graph *g = small_graph((cleave_kind)kind), *back;
        image file = image_of(g);
        const char *path = test_file_bytes("flip.clv", file.bytes, file.count);
        int fd = open(path, O_WRONLY);
        CHECK_OK(read_path(&back, path, false));
        clv_graph_free(back);
        size_t missed = 0;
        for (size_t bit = 0; bit < 8 * file.count; bit++) {
            unsigned char byte = file.bytes[bit / 8] ^ (unsigned char)(1u << bit % 8);
            REQUIRE(pwrite(fd, &byte, 1, (off_t)(bit / 8)) == 1);
            missed += !is_refused(path, false);
            /* With CLEAVE_TRUST a damaged header is still detected. */
            missed += bit < 8 * HEADER && !is_refused(path, true);
            REQUIRE(pwrite(fd, file.bytes + bit / 8, 1, (off_t)(bit / 8)) == 1);
        }
        CHECK_EQ(missed, 0);
        CHECK_OK(read_path(&back, path, false));
        clv_graph_free(back);
        close(fd);
        free(file.bytes);
        clv_graph_free(g);
    }
}

static void test_truncations(void)
{
    clv_graph *g = small_graph(CLEAVE_DAG);
    image file = image_of(g);
    const char *path = test_file_bytes("x.clv", file.bytes, file.count);
    char expected[200];
    for (size_t count = file.count; count-- > 0;) {
        REQUIRE(truncate(path, (off_t)count) == 0);
        const char *format = "x.clv: is not a binary graph of cleave";
        if (count >= 8)
            format = "x.clv: the file is cut short: %zu bytes, the header has 320";
        if (count >= HEADER)
            format = "x.clv: the file is cut short: %zu bytes, the header says %zu";
        snprintf(expected, sizeof expected, format, count, file.count);
        for (int trust = 0; trust < 2; trust++) {
            CHECK(is_refused(path, trust));
            CHECK_STR(fixture_message(&err), expected);
        }
    }
    memset(file.bytes + file.count, 0, 64);
    file.count += 1;
    snprintf(expected, sizeof expected,
             "x.clv: the file has more bytes than its header says: %zu, not %zu", file.count,
             file.count - 1);
    CHECK_STR(complaint(&file, false), expected);
    CHECK_STR(complaint(&file, true), expected);
    free(file.bytes);
    clv_graph_free(g);
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

/* The checksum detects moved and swapped words as well. */
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
        for (test_oom_rounds oom = {0}; test_oom_next(&oom);) {
            TEST_OOM(&oom, fixture_write(g, &clv_format_binary, path, NULL, &err));
        }
        for (test_oom_rounds oom = {0}; test_oom_next(&oom);) {
            clv_graph *back;
            clv_read_options opt = fixture_options();
            TEST_OOM(&oom, fixture_read(&back, &clv_format_binary, path, &opt, &err));
            clv_graph_free(back);
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
    RUN(test_kinds);
    RUN(test_replaced_file);
    RUN(test_looks_like);
    RUN(test_sum);
    RUN(test_no_memory);
    return test_end();
}
