/* SPDX-License-Identifier: Apache-2.0 */
/* METIS graphs larger than one window: the window ends at every byte, long rows, large
 * numbers, and random graphs against a slow independent parser. */
#include "formats/reader_fixture.h"

static cleave_error err;

/* ---- Windows -------------------------------------------------------------------------- */

static void test_borders(void)
{
    /* The first 64 KiB are looked at before reading starts; then come whole windows. */
    const size_t borders[] = {65536, 65536 + CLV_TEXT_WINDOW};
    const reader_case plain = {NULL, "6: 1 3 | 0 2 | 1 | 0 | |"};
    const reader_case rich = {NULL, "3: {11} (5) 1*70 | {0} (66) 0*70 2*8 | {9} (7) 1*8"};
    const reader_case bad = {NULL, "EPARSE @:4: neighbour 77 is outside 1..3"};
    for (int i = 0; i < 2; i++) {
        reader_check_border("metis", "graph", "", "6 3\n2 4\n1 3\n% c\n \t2\n1\r\n\n\n% end\n",
                            borders[i], &plain);
        reader_check_border("metis", "graph", "",
                            "3 2 111 1\n11 5 2 70\n0 66 1 70 3 8\n%\n9 7 2 8", borders[i],
                            &rich);
        reader_check_border("metis", "graph", "", "3 2\n2\n77 3\n2\n", borders[i], &bad);
    }
}

typedef struct text_builder {
    char *text;
    size_t used, room;
} text_builder;

static void add(text_builder *b, const char *format, ...)
{
    if (b->room - b->used < 256) {
        b->room = 2 * b->room + 4096;
        b->text = realloc(b->text, b->room);
    }
    va_list args;
    va_start(args, format);
    b->used += (size_t)vsnprintf(b->text + b->used, 256, format, args);
    va_end(args);
}

/* A star whose first row is longer than the window, moved byte by byte. */
static void check_star(int shift, bool weighted, bool descending)
{
    enum { leaves = 60000 };
    text_builder b = {NULL, 0, 0};
    add(&b, "%%%.*s\n%d %d%s\n", shift, "0123456789abcdef", leaves + 1, leaves,
        weighted ? " 1" : "");
    for (int i = 0; i < leaves; i++) {
        int u = 2 + (descending ? leaves - 1 - i : i);
        add(&b, weighted ? "%d %d " : "%d ", u, u % 1013);
    }
    add(&b, "\n");
    for (int u = 2; u <= leaves + 1; u++)
        add(&b, weighted ? "1 %d\n" : "1\n", u % 1013);
    CHECK(b.used > 2 * (size_t)CLV_TEXT_WINDOW - 100000);
    cleave_graph *g = NULL;
    CHECK_OK(cleave_graph_read(&g, test_file_bytes("star.graph", b.text, b.used), NULL, &err));
    free(b.text);
    REQUIRE(g != NULL);
    CHECK_EQ(g->narc, 2 * leaves);
    bool same = g->nvtx == leaves + 1 && g->xadj[1] == leaves && weighted == !!g->ewgt;
    for (int32_t u = 1; same && u <= leaves; u++)
        same = g->adj[u - 1] == u && g->xadj[u + 1] == leaves + u &&
               g->adj[leaves + u - 1] == 0 &&
               (!weighted || (g->ewgt[u - 1] == (u + 1) % 1013 &&
                              g->ewgt[leaves + u - 1] == (u + 1) % 1013));
    CHECK(same);
    cleave_graph_free(g);
}

static void test_long_rows(void)
{
    for (int shift = 0; shift < 8; shift++) {
        check_star(shift, false, false);
        check_star(shift, true, shift % 2);
    }
    check_star(3, false, true);
}

static void test_long_words(void)
{
    /* A line of 10 MB, and a word that is longer than the window. */
    size_t size = 10 << 20;
    char *text = malloc(size + 16);
    memset(text, ' ', size);
    memcpy(text, "2 1\n2", 5);
    memcpy(text + size, "\n1\n", 4);
    const reader_case blank = {NULL, "2: 1 | 0"};
    CHECK_STR(reader_result("metis", test_file("long.graph", text), &blank), blank.expected);
    memset(text + 5, '1', size - 5);
    const reader_case digits = {NULL, "EPARSE @:2: a word is longer than 262144 bytes"};
    CHECK_STR(reader_result("metis", test_file("long.graph", text), &digits), digits.expected);
    memset(text + 4, 'x', size - 4);
    CHECK_STR(reader_result("metis", test_file("long.graph", text), &digits), digits.expected);
    memset(text, '%', size);
    memcpy(text + size, "\n0 0\n", 6);
    const reader_case comment = {NULL, "0:"};
    CHECK_STR(reader_result("metis", test_file("long.graph", text), &comment),
              comment.expected);
    memset(text, '7', size);
    const reader_case header = {NULL, "EPARSE @:1: a word is longer than 262144 bytes"};
    CHECK_STR(reader_result("metis", test_file("long.graph", text), &header), header.expected);
    /* A number of many digits that fits the window has leading zeros only. */
    memset(text, '0', 200000);
    memcpy(text, "2 1\n", 4);
    memcpy(text + 200000, "2\n1\n", 5);
    CHECK_STR(reader_result("metis", test_file("long.graph", text), &blank), blank.expected);
    free(text);
}

/* Neighbours of eight digits need as many vertices. */
static void test_large_numbers(void)
{
    enum { n = 10000010 };
    size_t used = 0;
    char *text = malloc(n + 100);
    used += (size_t)sprintf(text, "%d 2\n%d\n", n, n);
    memset(text + used, '\n', n - 3);
    used += n - 3;
    used += (size_t)sprintf(text + used, "%d\n1 %d\n", n, n - 1);
    cleave_graph *g = NULL;
    CHECK_OK(cleave_graph_read(&g, test_file_bytes("large.graph", text, used), NULL, &err));
    free(text);
    REQUIRE(g != NULL);
    CHECK_EQ(g->nvtx, n);
    CHECK_EQ(g->narc, 4);
    CHECK(g->adj[0] == n - 1 && g->adj[1] == n - 1 && g->adj[2] == 0 && g->adj[3] == n - 2);
    CHECK(g->xadj[1] == 1 && g->xadj[n - 2] == 1 && g->xadj[n - 1] == 2 && g->xadj[n] == 4);
    cleave_graph_free(g);
}

static int compare_numbers(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

/* Every neighbour is far away, so that rows are not compared while they come in.  Vertex
 * `faulty` does not list its first neighbour. */
static cleave_status read_distant(cleave_graph **g, int faulty)
{
    enum { n = 140000, degree = 8, least = 67000 };
    text_builder b = {NULL, 0, 0};
    add(&b, "%d %d\n", n, n * degree / 2);
    for (int v = 0; v < n; v++) {
        int u[degree];
        for (int i = 0; i < degree; i++)
            u[i] = (v + (i % 2 ? least + i / 2 : n - least - i / 2)) % n + 1;
        qsort(u, degree, sizeof *u, compare_numbers);
        for (int i = v == faulty ? 1 : 0; i < degree; i++)
            add(&b, i + 1 < degree ? "%d " : "%d\n", u[i]);
    }
    const char *path = test_file_bytes("distant.graph", b.text, b.used);
    free(b.text);
    return cleave_graph_read(g, path, NULL, &err);
}

static void test_distant_neighbours(void)
{
    cleave_graph *g = NULL;
    CHECK_OK(read_distant(&g, -1));
    CHECK_EQ(cleave_graph_edges(g), 140000 * 4);
    cleave_graph_free(g);
    const int faulty[] = {0, 70000, 139999};
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(read_distant(&g, faulty[i]), CLEAVE_EPARSE);
        CHECK(g == NULL);
        char expected[64];
        snprintf(expected, sizeof expected, " lists neighbour %d, which does not list it",
                 faulty[i] + 1);
        CHECK(strstr(err.message, expected) != NULL);
    }
}

/* Arrays that grow while reading: the size of a compressed file gives no bound, or its header
 * announces too little.  Each allocation fails in turn. */
static void check_growth(const char *path, unsigned flags, int64_t nvtx, int64_t nedge)
{
    cleave_read_options opt;
    cleave_read_options_init(&opt, sizeof opt);
    opt.flags = flags;
    int64_t live = test_alloc_live(), calls = 0;
    for (int64_t n = 1; n < 1000; n++) {
        cleave_graph *g = NULL;
        test_alloc_fail_at(n);
        cleave_status status = cleave_graph_read(&g, path, &opt, &err);
        calls = test_alloc_calls();
        test_alloc_fail_at(0);
        CHECK(status == CLEAVE_OK || status == CLEAVE_ENOMEM);
        if (g)
            CHECK(cleave_graph_vertices(g) == nvtx && cleave_graph_edges(g) == nedge);
        cleave_graph_free(g);
        CHECK_EQ(test_alloc_live(), live);
        if (calls < n) {
            CHECK_EQ(status, CLEAVE_OK);
            break;
        }
    }
    CHECK(calls < 999);
}

static void test_growth(void)
{
    enum { n = 1060000, heavy = 180000, leaves = 140000 };
    text_builder b = {NULL, 0, 0};
    add(&b, "%d 0\n", n);
    for (int v = 0; v < n; v++)
        add(&b, v % 400000 ? "\n" : "%%\n \n");
    const char *packed = reader_gzip_file("rows.graph.gz", b.text, b.used);
    if (packed)
        check_growth(packed, 0, n, 0);
    b.used = 0;
    add(&b, "%d 0 110 2\n", heavy);
    for (int v = 0; v < heavy; v++)
        add(&b, "1 2 3\n");
    packed = reader_gzip_file("rows.graph.gz", b.text, b.used);
    if (packed)
        check_growth(packed, 0, heavy, 0);
    for (int weighted = 0; weighted < 2; weighted++) {
        b.used = 0;
        add(&b, "%d 0 %d\n", leaves + 1, weighted);
        for (int u = 2; u <= leaves + 1; u++)
            add(&b, weighted ? "%d 5 " : "%d ", u);
        add(&b, "\n");
        for (int u = 2; u <= leaves + 1; u++)
            add(&b, weighted ? "1 5\n" : "1\n");
        check_growth(test_file_bytes("star.graph", b.text, b.used), CLEAVE_REPAIR, leaves + 1,
                     leaves);
    }
    free(b.text);
}

/* ---- Random graphs -------------------------------------------------------------------- */

/* Reads one line of the file the slow way; false: end of file.  Comments are skipped. */
static bool slow_line(FILE *file, char **line, size_t *room)
{
    while (getline(line, room, file) >= 0)
        if ((*line)[strspn(*line, " \t")] != '%')
            return true;
    return false;
}

static int slow_compare(const void *a, const void *b)
{
    const long *x = a, *y = b;
    return (x[0] > y[0]) - (x[0] < y[0]);
}

/* One row against the graph: strtol and qsort. */
static bool slow_row(const clv_graph *g, int32_t v, const char *line, const char *fmt)
{
    char *end;
    if (fmt[0] == '1' && strtol(line, &end, 10) != (g->vsize ? g->vsize[v] : 1))
        return false;
    line = fmt[0] == '1' ? end : line;
    for (int32_t c = 0; fmt[1] == '1' && c < g->ncon; c++, line = end)
        if (strtol(line, &end, 10) != clv_graph_vwgt(g, v, c))
            return false;
    int64_t degree = g->xadj[v + 1] - g->xadj[v], n = 0;
    long(*pair)[2] = malloc(((size_t)degree + 1) * sizeof *pair);
    for (;; line = end) {
        long u = strtol(line, &end, 10);
        if (end == line || n == degree)
            break;
        pair[n][0] = u - 1;
        pair[n++][1] = fmt[2] == '1' ? strtol(end, &end, 10) : 1;
    }
    bool same = n == degree && line[strspn(line, " \t\r\n")] == '\0';
    qsort(pair, (size_t)n, sizeof *pair, slow_compare);
    for (int64_t a = 0; same && a < degree; a++)
        same = pair[a][0] == g->adj[g->xadj[v] + a] &&
               pair[a][1] == clv_graph_ewgt(g, g->xadj[v] + a);
    free(pair);
    return same;
}

/* Does the file hold this graph? */
static bool slow_metis(const char *path, const clv_graph *g)
{
    FILE *file = fopen(path, "r");
    char *line = NULL, fmt[4] = "0";
    size_t room = 0;
    long nvtx, nedge, ncon = 1;
    bool same = slow_line(file, &line, &room) &&
                sscanf(line, "%ld %ld %3s %ld", &nvtx, &nedge, fmt, &ncon) >= 2;
    char digits[8];
    snprintf(digits, sizeof digits, "%03ld", strtol(fmt, NULL, 10));
    same = same && nvtx == g->nvtx && nedge == clv_graph_edges(g) &&
           (digits[1] == '0' || ncon == g->ncon);
    for (int32_t v = 0; same && v < g->nvtx; v++)
        same = slow_line(file, &line, &room) && slow_row(g, v, line, digits);
    while (same && slow_line(file, &line, &room))
        same = line[strspn(line, " \t\r\n")] == '\0';
    free(line);
    fclose(file);
    return same;
}

static void add_blanks(text_builder *b, clv_rng *rng, bool at_least_one)
{
    static const char *const blanks[] = {" ", "\t", "  ", " \t "};
    if (at_least_one || clv_rng_below(rng, 8) == 0)
        add(b, "%s",
            at_least_one && clv_rng_below(rng, 3) ? " " : blanks[clv_rng_below(rng, 4)]);
}

static void add_number(text_builder *b, clv_rng *rng, bool *first, int64_t value)
{
    add_blanks(b, rng, !*first);
    *first = false;
    add(b, clv_rng_below(rng, 30) ? "%lld" : "%012lld", (long long)value);
}

static void end_line(text_builder *b, clv_rng *rng)
{
    add_blanks(b, rng, false);
    add(b, clv_rng_below(rng, 10) ? "\n" : "\r\n");
    if (clv_rng_below(rng, 20) == 0)
        add(b, clv_rng_below(rng, 2) ? "%% 1 2 3\n" : "  %%%%\r\n");
}

/* The graph in an unusual layout. */
static text_builder careless(const clv_graph *g, clv_rng *rng)
{
    text_builder b = {NULL, 0, 0};
    bool first = true;
    add_number(&b, rng, &first, g->nvtx);
    add_number(&b, rng, &first, clv_graph_edges(g));
    add(&b, " %d%d%d", g->vsize ? 1 : 0, g->vwgt ? 1 : 0, g->ewgt ? 1 : 0);
    if (g->ncon > 1 || clv_rng_below(rng, 2))
        add_number(&b, rng, &first, g->ncon);
    end_line(&b, rng);
    for (int32_t v = 0; v < g->nvtx; v++) {
        first = true;
        if (g->vsize)
            add_number(&b, rng, &first, g->vsize[v]);
        for (int32_t c = 0; g->vwgt && c < g->ncon; c++)
            add_number(&b, rng, &first, clv_graph_vwgt(g, v, c));
        int32_t degree = (int32_t)(g->xadj[v + 1] - g->xadj[v]);
        int32_t *order = malloc(((size_t)degree + 1) * sizeof *order);
        clv_rng_permutation(rng, degree, order);
        for (int32_t i = 0; i < degree; i++) {
            int64_t a = g->xadj[v] + order[i];
            add_number(&b, rng, &first, g->adj[a] + 1);
            if (g->ewgt)
                add_number(&b, rng, &first, g->ewgt[a]);
        }
        free(order);
        end_line(&b, rng);
    }
    return b;
}

static void check_random(const fixture_kind *kind, uint64_t seed)
{
    clv_rng rng = clv_rng_make(seed, 5, 5, 5);
    clv_graph *g = fixture_graph(kind, seed), *again = NULL;
    clv_read_options opt = fixture_options();
    opt.as = kind->kind == CLEAVE_DAG ? CLV_AS_DAG : CLV_AS_AUTO;
    const char *path = fixture_path("random.graph");
    CHECK_OK(fixture_write(g, &clv_format_metis, path, NULL, &err));
    CHECK(slow_metis(path, g));
    CHECK_OK(fixture_read(&again, &clv_format_metis, path, &opt, &err));
    CHECK(again && fixture_same(g, again));
    CHECK(again && again->entries == clv_graph_edges(g));
    clv_graph_free(again);
    text_builder b = careless(g, &rng);
    path = test_file_bytes("careless.graph", b.text, b.used);
    free(b.text);
    CHECK(slow_metis(path, g));
    CHECK_OK(fixture_read(&again, &clv_format_metis, path, &opt, &err));
    CHECK(again && fixture_same(g, again));
    clv_graph_free(again);
    clv_graph_free(g);
}

static void test_random(void)
{
    for (uint64_t seed = 0; seed < 160; seed++) {
        clv_rng rng = clv_rng_make(seed, 1, 1, 1);
        fixture_kind kind = {.kind = seed % 3 == 0 ? CLEAVE_DAG : CLEAVE_UNDIRECTED,
                             .nvtx = (int32_t)clv_rng_below(&rng, seed % 8 ? 40 : 2000),
                             .ewgt = seed & 1,
                             .vwgt = seed & 2,
                             .vsize = seed & 4,
                             .ncon = seed & 2 ? 1 + (int32_t)(seed / 8 % 4) : 1};
        kind.nedge = clv_rng_below(&rng, (uint32_t)kind.nvtx * 4 + 1);
        check_random(&kind, seed);
    }
}

/* Several windows of ordinary rows, and of rows with weights. */
static void test_random_large(void)
{
    const fixture_kind plain = {.nvtx = 30000, .nedge = 120000, .ncon = 1};
    const fixture_kind heavy = {
        .nvtx = 9000, .nedge = 50000, .ncon = 2, .ewgt = true, .vwgt = true, .vsize = true};
    const fixture_kind dag = {.kind = CLEAVE_DAG, .nvtx = 30000, .nedge = 120000, .ncon = 1};
    check_random(&plain, 1);
    check_random(&heavy, 2);
    check_random(&dag, 3);
}

int main(void)
{
    RUN(test_borders);
    RUN(test_long_rows);
    RUN(test_long_words);
    RUN(test_large_numbers);
    RUN(test_distant_neighbours);
    RUN(test_growth);
    RUN(test_random);
    RUN(test_random_large);
    return test_end();
}
