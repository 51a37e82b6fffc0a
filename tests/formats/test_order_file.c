/* SPDX-License-Identifier: Apache-2.0 */
/* Orders as text and as binary files: round trips, rejected files and their messages. */
#include <fcntl.h>
#include <unistd.h>

#include "formats/order_file.h"

#include <sys/stat.h>

#include "formats/binary_verify.h"
#include "formats/graph_fixture.h"

static cleave_error err;

/* ---- Text ------------------------------------------------------------------------------- */

/* "hci 3 (1f): 0 2 1; 5 6 8" with vertices and sums of weights, or the message. */
static const char *show_file(const char *path)
{
    static char shown[4096];
    clv_order *o;
    if (clv_order_read(&o, path, false, &err) != CLEAVE_OK) {
        CHECK(o == NULL);
        return fixture_message(&err);
    }
    char *to = shown + snprintf(shown, sizeof shown, "%s %d (%llx):", o->method, (int)o->nvtx,
                                (unsigned long long)o->hash);
    for (int32_t p = 0; p < o->nvtx; p++)
        to += snprintf(to, 16, " %d", (int)o->vertex[p]);
    to += snprintf(to, 16, ";");
    for (int32_t p = 0; p <= o->nvtx; p++)
        to += snprintf(to, 32, " %lld", (long long)o->before[p]);
    clv_order_free(o);
    return shown;
}

static const char *show(const char *text)
{
    return show_file(test_file("o", text));
}

static void test_text(void)
{
    CHECK_STR(show("% cleave order 1 3 hci\n0 5\n2 1\n1 2\n"), "hci 3 (0): 0 2 1; 0 5 6 8");
    CHECK_STR(show("% cleave order 1 1 given\n0 0\n% graph 00000000000000AF\n"),
              "given 1 (af): 0; 0 0");
    CHECK_STR(show("% cleave order 1 0 rsbi"), "rsbi 0 (0):; 0");
    CHECK_STR(
        show("%  cleave\torder 1 2 my-own_1\r\n\n# c\n1 1\n% more\n%graph\n 0 2147483647"),
        "my-own_1 2 (0): 1 0; 0 1 2147483648");
    /* Nothing but the hash alone is the hash. */
    static const char *const comments[] = {"",
                                           " of mine",
                                           " 12",
                                           " 0000000000000000",
                                           " 000000000000000g",
                                           " 0123456789abcdef0",
                                           " 0123456789abcdef of mine",
                                           "s 0123456789abcdef"};
    for (int i = 0; i < 8; i++) {
        char text[200];
        snprintf(text, sizeof text, "%% cleave order 1 1 x\n%% graph%s\n0 1\n", comments[i]);
        CHECK_STR(show(text), "x 1 (0): 0; 0 1");
        snprintf(text, sizeof text,
                 "%% cleave order 1 1 x\n0 1\n%%  graph\t00000000000000af \n%% graph%s",
                 comments[i]);
        CHECK_STR(show(text), "x 1 (af): 0; 0 1");
    }
}

static void test_complaints(void)
{
    static const char first[] = "o:1: the first line is not \"% cleave order 1 N METHOD\"";
    static const char method[] = "o:1: the method is not a name of at most 15 small letters, "
                                 "digits, - and _";
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", first},
        {"\n", first},
        {"0 1\n", first},
        {"% cleave schedule 1 2 3 4\n", first},
        {"% cleave", first},
        {"%cleave order 1 0 x\n", first},
        {"% cleave order", "o:1: the file ends before the version of the format"},
        {"% cleave order x 1 y\n",
         "o:1: the version of the format is \"x\", not a whole number"},
        {"% cleave order 2 1 y\n",
         "o:1: has version 2 of the format, this library reads version 1"},
        {"% cleave order 1\n", "o:1: the line ends before the number of vertices"},
        {"% cleave order 1 -1 y\n",
         "o:1: the number of vertices is -1, outside 0..2147483647"},
        {"% cleave order 1 2147483648 y\n",
         "o:1: the number of vertices is 2147483648, outside 0..2147483647"},
        {"% cleave order 1 1\n", "o:1: the name of the method is missing"},
        {"% cleave order 1 1 Y\n", method},
        {"% cleave order 1 1 abcdefghijklmnop\n", method},
        {"% cleave order 1 1 y z\n", "o:1: unexpected text after the method"},
        {"% cleave order 1 1 y\n",
         "o:2: the file ends after 0 places, but the first line says "
         "1 vertices"},
        {"% cleave order 1 2000000000 y\n0 1\n",
         "o:3: the file ends after 1 places, but the first line says 2000000000 vertices"},
        {"% cleave order 1 1 y\n0 1\n\n0 1\n",
         "o:4: more places than the 1 vertices of the first line"},
        {"% cleave order 1 0 y\n0 1\n",
         "o:2: more places than the 0 vertices of the first line"},
        {"% cleave order 1 2 y\n0 1\n# c\n0 1\n", "o:4: vertex 0 has two places"},
        {"% cleave order 1 2 y\n0 1\n2 1\n", "o:3: a vertex is 2, outside 0..1"},
        {"% cleave order 1 2 y\n-1 1\n2 1\n", "o:2: a vertex is -1, outside 0..1"},
        {"% cleave order 1 2 y\nx 1\n", "o:2: a vertex is \"x\", not a whole number"},
        {"% cleave order 1 2 y\n0\n1 1\n",
         "o:2: the line ends before the weight of the vertex"},
        {"% cleave order 1 2 y\n0 -1\n1 1\n",
         "o:2: the weight of the vertex is -1, outside 0..2147483647"},
        {"% cleave order 1 2 y\n0 2147483648\n",
         "o:2: the weight of the vertex is 2147483648, outside 0..2147483647"},
        {"% cleave order 1 2 y\n0 1 1\n",
         "o:2: unexpected text after the weight of the vertex"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK_STR(show(bad[i].text), bad[i].message);
        CHECK_EQ(err.status, CLEAVE_EPARSE);
    }
    clv_order *o;
    CHECK_EQ(clv_order_read(&o, fixture_path("none"), false, &err), CLEAVE_EIO);
    CHECK(o == NULL);
}

/* ---- Round trips ------------------------------------------------------------------------ */

/* An order of a random graph, or without one. */
static clv_order *make_order(int32_t n, bool graph)
{
    clv_order *o = NULL;
    clv_ws ws = {0};
    int32_t *vertex = malloc(((size_t)n + 1) * sizeof *vertex);
    fixture_kind kind = {.kind = CLEAVE_UNDIRECTED,
                         .nvtx = n,
                         .nedge = n > 1 ? 2 * n : 0,
                         .ewgt = true,
                         .vwgt = true,
                         .ncon = 1};
    clv_graph *g = fixture_graph(&kind, 5);
    for (int32_t p = 0; p < n; p++)
        vertex[p] = (int32_t)((p * INT64_C(7919) + 3) % n);
    if (graph)
        CHECK_OK(clv_order_new(&o, g, "rcbi", vertex, &ws, &err));
    else
        CHECK_OK(clv_order_given(&o, n, vertex, g->vwgt, &err));
    clv_graph_free(g);
    clv_ws_free(&ws);
    free(vertex);
    return o;
}

static void check_same(const clv_order *a, const clv_order *b, bool crossings)
{
    size_t n = (size_t)a->nvtx;
    REQUIRE(b && b->nvtx == a->nvtx && b->hash == a->hash);
    CHECK_STR(b->method, a->method);
    CHECK(memcmp(a->vertex, b->vertex, n * sizeof *a->vertex) == 0);
    CHECK(memcmp(a->before, b->before, (n + 1) * sizeof *a->before) == 0);
    CHECK((b->crossing != NULL) == (crossings && a->crossing));
    if (b->crossing)
        CHECK(memcmp(a->crossing, b->crossing, (n + 1) * sizeof *a->crossing) == 0);
}

static void test_round_trips(void)
{
    static const char *const names[] = {"w.order", "w.order.gz", "w.clo", "w.clo.gz"};
    for (int i = 0; i < 4; i++)
        for (int32_t n = 0; n < 5000; n = n < 3 ? n + 1 : n * 10)
            for (int graph = 0; graph < 2; graph++) {
                clv_order *o = make_order(n, graph), *back = NULL;
                CHECK_OK(clv_order_write(o, fixture_path(names[i]), &err));
                CHECK_OK(clv_order_read(&back, fixture_path(names[i]), false, &err));
                check_same(o, back, i >= 2);
                clv_order_free(o);
                clv_order_free(back);
            }
}

/* A file that is replaced stays what it was for who has mapped it. */
static void test_mapped(void)
{
    clv_order *old = make_order(3000, true), *new = make_order(30, true), *back = NULL;
    const char *path = fixture_path("m.clo");
    CHECK_OK(clv_order_write(old, path, &err));
    REQUIRE_OK(clv_order_read(&back, path, true, &err));
    CHECK_OK(clv_order_write(new, path, &err));
    check_same(old, back, true);
    clv_order_free(old);
    clv_order_free(new);
    clv_order_free(back);
}

/* What has been checked is no longer the file's: it can be changed in place, or cut. */
static void test_changed_in_place(void)
{
    clv_order *old = make_order(30000, true), *back = NULL;
    const char *path = fixture_path("c.clo");
    for (int cut = 0; cut < 2; cut++) {
        CHECK_OK(clv_order_write(old, path, &err));
        REQUIRE_OK(clv_order_read(&back, path, false, &err));
        if (cut) {
            CHECK_EQ(truncate(path, 200), 0);
        } else {
            int fd = open(path, O_WRONLY);
            char lies[4096];
            memset(lies, 0x7f, sizeof lies);
            for (int i = 0; i < 100; i++)
                CHECK_EQ(write(fd, lies, sizeof lies), (ssize_t)sizeof lies);
            close(fd);
        }
        check_same(old, back, true);
        clv_order_free(back);
    }
    clv_order_free(old);
}

/* ---- Binary files that lie -------------------------------------------------------------- */

enum {
    HEADER = 128,
    AT_ORDER = 8,
    AT_VERSION = 12,
    AT_HEADER_SUM = 16,
    AT_DATA_SUM = 24,
    AT_SIZE = 32,
    AT_NVTX = 48,
    AT_CROSSINGS = 52,
    AT_METHOD = 56,
    AT_VERTEX = HEADER,      /* of 5 vertices */
    AT_BEFORE = HEADER + 64, /* 6 sums */
    AT_CROSSING = AT_BEFORE + 64,
    SIZE = AT_CROSSING + 64
};

static uint64_t sum_of(const unsigned char *bytes, size_t count)
{
    clv_binary_sum sum;
    clv_binary_sum_init(&sum);
    clv_binary_sum_add(&sum, bytes, count);
    return clv_binary_sum_value(&sum);
}

static void reseal(unsigned char *file)
{
    uint64_t sum = sum_of(file + HEADER, SIZE - HEADER);
    memcpy(file + AT_DATA_SUM, &sum, 8);
    memset(file + AT_HEADER_SUM, 0, 8);
    sum = sum_of(file, HEADER);
    memcpy(file + AT_HEADER_SUM, &sum, 8);
}

static void load(unsigned char file[SIZE + 1])
{
    clv_order *o = make_order(5, true);
    CHECK_OK(clv_order_write(o, fixture_path("five.clo"), &err));
    FILE *stream = fopen(fixture_path("five.clo"), "rb");
    REQUIRE(stream != NULL);
    CHECK_EQ(fread(file, 1, SIZE + 1, stream), SIZE);
    fclose(stream);
    clv_order_free(o);
}

static const char *complaint(const unsigned char *file, size_t count)
{
    const char *shown = show_file(test_file_bytes("x.clo", file, count));
    return strncmp(shown, "rcbi 5", 6) == 0 ? "fine" : shown;
}

static void test_lies(void)
{
    static const char self[] = "x.clo: is damaged: the header contradicts itself";
    static const char once[] = "x.clo: is damaged: not every vertex has one place";
    static const char sums[] = "x.clo: is damaged: its sums of weights make no sense";
    static const struct {
        size_t at;
        int bytes;
        int64_t value;
        const char *message;
    } lies[] = {
        {AT_ORDER, 4, 0x04030201, "x.clo: was written on a machine with another byte order"},
        {AT_VERSION, 4, 2, "x.clo: has version 2 of the format, this library reads version 1"},
        {AT_SIZE, 8, SIZE + 64, self},
        {AT_SIZE, 8, -1, self},
        {AT_NVTX, 4, -1, self},
        {AT_NVTX, 4, INT32_MAX, self},
        {AT_NVTX, 4, 20, self},
        {AT_CROSSINGS, 4, 0, self},
        {AT_CROSSINGS, 4, 2, self},
        {AT_METHOD, 4, 0, self},
        {AT_METHOD, 4, 'A', self},
        {AT_VERTEX, 4, 5, once},
        {AT_VERTEX, 4, -1, once},
        {AT_VERTEX, 4, 0, once},
        {AT_BEFORE, 8, 1, sums},
        {AT_BEFORE + 8, 8, -1, sums},
        {AT_BEFORE + 8, 8, INT64_MAX, sums},
        {AT_BEFORE + 40, 8, INT64_C(1) << 40, sums},
        {AT_BEFORE + 40, 8, INT64_MIN, sums},
        {AT_CROSSING, 8, 1, sums},
        {AT_CROSSING + 8, 8, -1, sums},
        {AT_CROSSING + 40, 8, 3, sums},
        {AT_CROSSING + 8, 8, INT64_C(1) << 57, "fine"}, /* cannot be checked */
        {AT_CROSSING + 8, 8, (INT64_C(1) << 57) + 1,
         "x.clo: edges of weight 144115188075855873 cross place 1; more than "
         "144115188075855872 cannot be added up"},
        {AT_CROSSING + 32, 8, INT64_MAX,
         "x.clo: edges of weight 9223372036854775807 cross place 4; more than "
         "144115188075855872 cannot be added up"},
    };
    unsigned char file[SIZE + 1], changed[SIZE];
    load(file);
    CHECK_STR(complaint(file, SIZE), "fine");
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        memcpy(changed, file, SIZE);
        memcpy(changed + lies[i].at, &lies[i].value, (size_t)lies[i].bytes);
        CHECK(strstr(complaint(changed, SIZE), "checksum") != NULL ||
              memcmp(changed, file, SIZE) == 0 || lies[i].at < AT_HEADER_SUM);
        reseal(changed);
        CHECK_STR(complaint(changed, SIZE), lies[i].message);
    }
}

/* Every bit that is changed, and every byte that is missing, is noticed. */
static void test_damage(void)
{
    unsigned char file[SIZE + 1] = {0};
    load(file);
    for (size_t at = 0; at < SIZE; at++)
        for (int bit = 0; bit < 8; bit += 3) {
            file[at] ^= (unsigned char)(1 << bit);
            CHECK(strcmp(complaint(file, SIZE), "fine") != 0);
            file[at] ^= (unsigned char)(1 << bit);
        }
    for (size_t count = 0; count < SIZE; count += 7)
        CHECK(strcmp(complaint(file, count), "fine") != 0);
    CHECK_STR(complaint(file, 100),
              "x.clo: the file is cut short: 100 bytes, the header has 128");
    CHECK_STR(complaint(file, 200),
              "x.clo: the file is cut short: 200 bytes, the header says 320");
    CHECK_STR(complaint(file, SIZE + 1),
              "x.clo: the file has more bytes than its header says: 321, not 320");
}

/* ---- Memory ----------------------------------------------------------------------------- */

static void test_no_memory(void)
{
    static const char *const names[] = {"n.order", "n.clo", "n.clo.gz"};
    clv_order *o = make_order(3000, true);
    for (int i = 0; i < 3; i++) {
        CHECK_OK(clv_order_write(o, fixture_path(names[i]), &err));
        for (test_oom_rounds oom = {0}; test_oom_next(&oom);) {
            clv_order *back;
            TEST_OOM(&oom, clv_order_read(&back, fixture_path(names[i]), false, &err));
            clv_order_free(back);
        }
    }
    clv_order_free(o);
}

int main(void)
{
    RUN(test_text);
    RUN(test_complaints);
    RUN(test_round_trips);
    RUN(test_mapped);
    RUN(test_changed_in_place);
    RUN(test_lies);
    RUN(test_damage);
    RUN(test_no_memory);
    return test_end();
}
