/* SPDX-License-Identifier: Apache-2.0 */
/* Edge lists: every feature, every error message, borders of the window, any numbers as
 * vertices, failing allocations, and round trips through the other text formats. */
#include "formats/reader_fixture.h"
#include "formats/vertex_ids.h"

static cleave_error err;

/* ---- Features ------------------------------------------------------------------------- */

static void test_layout(void)
{
    static const reader_case cases[] = {
        {"0 1\n1 2\n", "3: 1 | 0 2 | 1"},
        {"0 1\n1 2", "3: 1 | 0 2 | 1"},
        {"0,1\n1,2\n", "3: 1 | 0 2 | 1"},
        {"0;1\n1;2\n", "3: 1 | 0 2 | 1"},
        {"0\t1\n1\t2\n", "3: 1 | 0 2 | 1"},
        {"0, 1\r\n1 ;\t2 \r\n", "3: 1 | 0 2 | 1"},
        {"  0 1\n\t1 2,\n", "3: 1 | 0 2 | 1"},
        {"0\v1\n1\f2\n", "3: 1 | 0 2 | 1"},
        {"# c\n% d\n\n0 1\n  # e\n \n1 2\n#", "3: 1 | 0 2 | 1"},
        {"", "0:"},
        {"# nothing\n\n", "0:"},
        {"+0 01\n1 0000000000000000000000000002\n", "3: 1 | 0 2 | 1"},
        /* Titles: one row of words, also behind comments. */
        {"source,target\n0,1\n", "2: 1 | 0"},
        {"# c\nFrom To\n0 1\n", "2: 1 | 0"},
        {"\"a\",\"b\"\n0,1\n", "2: 1 | 0"},
        {"'a' 'b'\n0 1\n", "2: 1 | 0"},
        {"_a _b\n0 1\n", "2: 1 | 0"},
        {"a b c d e f\n", "EPARSE @:2: no edges follow the row of titles"},
        {"titles", "EPARSE @:1: no edges follow the row of titles"},
        {"\xef\xbb\xbf"
         "0 1\n",
         "2: 1 | 0"},
    };
    READER_CHECK_ALL("edges", "txt", cases);
}

static void test_weights(void)
{
    static const reader_case cases[] = {
        {"0 1 5\n1 2 0\n", "3: 1*5 | 0*5 2*0 | 1*0"},
        {"0,1,2147483647\n", "2: 1*2147483647 | 0*2147483647"},
        {"a,b,w\r\n0,1,5\r\n", "2: 1*5 | 0*5"},
        /* Given weights of one direction are summed; edges without weights are one. */
        {"0 1 5\n0 1 6\n", "2: 1*11 | 0*11"},
        {"0 1 5\n0 1 6\n1 0 11\n", "2: 1*11 | 0*11"},
        {"0 1\n1 0\n0 1\n", "2: 1 | 0"},
        {"0 1 5\n1 0 6\n", "2: 1*6 | 0*6", .symmetrise = "max"},
        {"0 1 5\n1 0 6\n", "2: 1*11 | 0*11", .symmetrise = "sum"},
        /* Both directions with equal weight are one edge, independent of other edges. */
        {"0 1 5\n1 0 5\n", "2: 1*5 | 0*5"},
        {"0 1 5\n1 0 5\n1 2 7\n", "3: 1*5 | 0*5 2*7 | 1*7"},
        {"0 1 5\n1 0 5\n1 2 7\n2 1 7\n", "3: 1*5 | 0*5 2*7 | 1*7"},
        {"0 1 5\n1 0 5\n1 2 7\n", "3: 1*10 | 0*10 2*7 | 1*7", .symmetrise = "sum"},
        {"0 1 5\n1 0 5\n1 2 7\n2 1 7\n", "3: 1*10 | 0*10 2*14 | 1*14", .symmetrise = "sum"},
        {"0 1 5\n1 0 5\n1 2 7\n", "3: 1*5 | 0*5 2*7 | 1*7", .symmetrise = "max"},
        {"0 1\n", "2: 1 | 0", .symmetrise = "max"},
        {"0 1 2.5\n1 2 -3.4\n", "3: 1*3 | 0*3 2*3 | 1*3", .weights = "values"},
        {"0 1 2.5\n1 2 1e2\n", "3: 1*25 | 0*25 2*1000 | 1*1000", .weights = "values",
         .scale = 10},
        {"0 1 2147483647.4\n", "2: 1*2147483647 | 0*2147483647", .weights = "values"},
        {"0 1\n", "2: 1 | 0", .weights = "values"},
        /* Dropped: then they may be real, and need not fit. */
        {"0 1 2.5\n1 2 -3e99\n", "3: 1 | 0 2 | 1", .weights = "none"},
        {"0 1 0\n1 0 7\n", "2: 1 | 0", .weights = "none", .scale = 1e30},
        {"0 1 x\n", "EPARSE @:1: weight \"x\" is not a number", .weights = "none"},
        {"0 1 5\n1 0 7\n1 2 7\n", "3: 1*7 | 0*7 2*7 | 1*7 unequal=1", .flags = CLEAVE_REPAIR},
        {"0 1 5\n1 0 6\n0 1 5\n", "2: 1 | 0", .weights = "none"},
    };
    READER_CHECK_ALL("edges", "txt", cases);
}

/* The line of an arc that is to blame in a plain file; elsewhere it is unknown. */
static void test_contradictions(void)
{
    static const reader_case plain[] = {
        {"0 1 5\n1 0 6\n", "EPARSE @:2: edge 1 - 0 has weight 6 this way and 5 the other way"},
        {"# list\na,b,w\n9,7,1\n7,-3,2\n\n-3,7,3\n",
         "EPARSE @:4: edge 7 - -3 has weight 2 this way and 3 the other way"},
        {"0 1 5\n0 1 1\n1 0 5\n",
         "EPARSE @:3: edge 1 - 0 has weight 5 this way and 6 the other way"},
        {"0 1 2147483647\n0 1 1\n", "ERANGE @:1: the weights of the duplicates of edge 0 - 1 "
                                    "sum to more than 2147483647"},
        {"9 5 1\n5 9 2147483647\n",
         "ERANGE @:2: the weights of edge 5 - 9 sum to more than 2147483647",
         .symmetrise = "sum"},
    };
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        CHECK_STR(reader_result("edges", test_file("both.txt", plain[i].text), &plain[i]),
                  plain[i].expected);
    const reader_case piped = {"0 1 5\n1 0 6\n", NULL};
    CHECK_STR(reader_dripped("edges", &piped, strlen(piped.text), 1),
              "EPARSE @: edge 1 - 0 has weight 6 this way and 5 the other way");
}

/* ---- The weight of a pair depends on its own lines alone ------------------------------- */

enum { pair_vertices = 5, pair_arcs = 24 };

typedef struct arc_list {
    int count;
    int32_t tail[pair_arcs], head[pair_arcs], wgt[pair_arcs];
} arc_list;

/* The weight of edge v - u by the table of docs/formats.md; -1: none, -2: refused. */
static int64_t pair_weight(const arc_list *list, int v, int u, const char *rule)
{
    int64_t weight[2] = {-1, -1};
    for (int i = 0; i < list->count; i++) {
        bool there = list->tail[i] == v && list->head[i] == u;
        bool back = list->tail[i] == u && list->head[i] == v;
        if (there || back)
            weight[back] = (weight[back] < 0 ? 0 : weight[back]) + list->wgt[i];
    }
    int64_t less = weight[0] < weight[1] ? weight[0] : weight[1];
    int64_t more = weight[0] < weight[1] ? weight[1] : weight[0];
    if (less < 0 || (less == more && strcmp(rule, "sum") != 0) || strcmp(rule, "max") == 0)
        return more;
    return strcmp(rule, "sum") == 0 ? less + more : -2;
}

static void shuffle_arcs(arc_list *list, clv_rng *rng)
{
    for (int i = list->count - 1; i > 0; i--) {
        int j = (int)clv_rng_below(rng, (uint32_t)i + 1);
        int32_t *array[] = {list->tail, list->head, list->wgt};
        for (int k = 0; k < 3; k++) {
            int32_t keep = array[k][i];
            array[k][i] = array[k][j];
            array[k][j] = keep;
        }
    }
}

static cleave_status graph_by_builder(cleave_graph **g, const arc_list *list, const char *rule)
{
    cleave_builder *b = NULL;
    cleave_status status = cleave_builder_create(&b, CLEAVE_UNDIRECTED, &err);
    if (status == CLEAVE_OK)
        status = cleave_builder_symmetrise(b, rule, &err);
    if (status == CLEAVE_OK)
        status = cleave_builder_add(b, list->count, list->tail, list->head, list->wgt, &err);
    if (status == CLEAVE_OK)
        status = cleave_builder_finish(g, b, pair_vertices, NULL, &err);
    cleave_builder_free(b);
    return status;
}

static cleave_status graph_by_file(cleave_graph **g, const arc_list *list, const char *rule)
{
    char text[pair_arcs * 40];
    int used = 0;
    for (int v = 0; v < pair_vertices; v++) /* all vertices, in any order of lines */
        used += snprintf(text + used, sizeof text - (size_t)used, "%d %d 1\n", v, v);
    for (int i = 0; i < list->count; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%d %d %d\n",
                         (int)list->tail[i], (int)list->head[i], (int)list->wgt[i]);
    cleave_read_options opt;
    cleave_read_options_init(&opt, sizeof opt);
    opt.format = "edges";
    opt.symmetrise = rule;
    return cleave_graph_read(g, test_file("pairs.txt", text), &opt, &err);
}

static void check_pairs(const cleave_graph *g, const arc_list *list, const char *rule)
{
    cleave_csr csr = {.size = sizeof csr};
    cleave_graph_view(g, &csr);
    int64_t got[pair_vertices][pair_vertices];
    memset(got, -1, sizeof got);
    for (int v = 0; v < pair_vertices; v++)
        for (int64_t a = csr.xadj[v]; a < csr.xadj[v + 1]; a++)
            got[v][csr.adj[a]] = csr.ewgt ? csr.ewgt[a] : 1;
    for (int v = 0; v < pair_vertices; v++)
        for (int u = 0; u < pair_vertices; u++)
            if (u != v)
                CHECK_EQ(got[v][u], pair_weight(list, v, u, rule));
}

static void check_list(const arc_list *list, const char *rule)
{
    bool refused = false;
    for (int v = 0; v < pair_vertices; v++)
        for (int u = 0; u < v; u++)
            refused = refused || pair_weight(list, v, u, rule) == -2;
    for (int file = 0; file < 2; file++) {
        cleave_graph *g;
        cleave_status status =
            file ? graph_by_file(&g, list, rule) : graph_by_builder(&g, list, rule);
        CHECK_EQ(status, !refused ? CLEAVE_OK : file ? CLEAVE_EPARSE : CLEAVE_EINVAL);
        if (status == CLEAVE_OK)
            check_pairs(g, list, rule);
        else
            CHECK(strstr(err.message, "this way and") != NULL);
        cleave_graph_free(g);
    }
}

static void test_pairs(void)
{
    static const char *const rules[] = {"refuse", "sum", "max"};
    for (uint64_t seed = 0; seed < 600; seed++) {
        clv_rng rng = clv_rng_make(seed, 7, 7, 7);
        arc_list list = {.count = 1 + (int)clv_rng_below(&rng, seed % 3 ? 8 : pair_arcs)};
        for (int i = 0; i < list.count; i++) {
            list.tail[i] = (int32_t)clv_rng_below(&rng, pair_vertices);
            list.head[i] =
                (list.tail[i] + 1 + (int32_t)clv_rng_below(&rng, pair_vertices - 1)) %
                pair_vertices;
            list.wgt[i] = (int32_t)clv_rng_below(&rng, 3);
        }
        for (int order = 0; order < 2; order++, shuffle_arcs(&list, &rng))
            for (int r = 0; r < 3; r++)
                check_list(&list, rules[r]);
    }
}

static void test_vertices(void)
{
    static const reader_case cases[] = {
        /* Numbers are compacted in ascending order and kept as names. */
        {"1 2\n2 3\n", "3: '1' 1 | '2' 0 2 | '3' 1"},
        {"10 30\n20 30\n", "3: '10' 2 | '20' 2 | '30' 0 1"},
        {"7 -5\n", "2: '-5' 1 | '7' 0"},
        {"0 -1\n", "2: '-1' 1 | '0' 0"},
        {"-0 1\n", "2: 1 | 0"},
        {"9223372036854775807 -9223372036854775808\n0 9223372036854775807\n",
         "3: '-9223372036854775808' 2 | '0' 2 | '9223372036854775807' 0 1"},
        {"268435455 268435456\n268435456 63\n64 63\n",
         "4: '63' 1 3 | '64' 0 | '268435455' 3 | '268435456' 0 2"},
        {"-3 -1\n-2 -1\n-3 5000000000\n", "4: '-3' 2 3 | '-2' 2 | '-1' 0 1 | '5000000000' 0"},
        {"007 +9\n", "2: '7' 1 | '9' 0"},
        /* A self-loop makes a vertex known and nothing else. */
        {"0 0\n", "1:"},
        {"2 2\n0 1\n", "3: 1 | 0 |"},
        {"5 5 1\n0 1 4\n", "3: '0' 1*4 | '1' 0*4 | '5'"},
        {"-4 -4\n", "1: '-4'"},
        /* As a DAG, and oriented along the numbers. */
        {"2 1\n1 0\n", "dag 3: | 0 | 1", .as = "dag"},
        {"2 1 4\n1 0 5\n2 1 6\n", "dag 3: | 0*5 | 1*10", .as = "dag"},
        {"2 1\n1 0\n2 1\n", "dag 3: | 0 | 1", .as = "dag"},
        {"2 1\n1 0\n", "dag 3: 1 | 2 |", .as = "lower"},
        {"20 10\n10 5\n", "dag 3: '5' | '10' 0 | '20' 1", .as = "upper"},
        {"0 1\n1 2\n2 0\n", "ECYCLE @: the graph has a cycle: 0 -> 1 -> 2 -> 0", .as = "dag"},
        {"7 -5\n-5 7\n", "ECYCLE @: the graph has a cycle: -5 -> 7 -> -5", .as = "dag"},
        {"2 1\n", "2: '1' 1 | '2' 0", .as = "undirected"},
    };
    READER_CHECK_ALL("edges", "txt", cases);
}

static void test_complaints(void)
{
    static const reader_case cases[] = {
        {"0 1\n2\n", "EPARSE @:2: the line ends before its second vertex"},
        {"# c\n\n5", "EPARSE @:3: the line ends before its second vertex"},
        {"0 1\n,;\n", "EPARSE @:2: the line ends before its second vertex"},
        {"0 1\n0 x\n", "EPARSE @:2: vertex \"x\" is not a whole number"},
        {"0 1\nx 0\n", "EPARSE @:2: vertex \"x\" is not a whole number"},
        {"a b\nc d\n", "EPARSE @:2: vertex \"c\" is not a whole number"},
        {"0 1.5\n", "EPARSE @:1: vertex \"1.5\" is not a whole number"},
        {"1x 2\n", "EPARSE @:1: vertex \"1x\" is not a whole number"},
        {"- 2\n", "EPARSE @:1: vertex \"-\" is not a whole number"},
        {"1\0 2\n", "EPARSE @:1: vertex \"1\" is not a whole number", .size = 5},
        {"0 0123456789012345678901234567890123456789012x\n",
         "EPARSE @:1: vertex \"0123456789012345678901234567890123456789\" is not a whole "
         "number"},
        {"0 9223372036854775808\n",
         "EPARSE @:1: vertex 9223372036854775808 does not fit into 64 bits"},
        {"-9223372036854775809 1\n",
         "EPARSE @:1: vertex -9223372036854775809 does not fit into 64 bits"},
        {"0 1 x\n", "EPARSE @:1: weight \"x\" is not a whole number (real ones need a scale)"},
        {"0 1 1.5\n",
         "EPARSE @:1: weight \"1.5\" is not a whole number (real ones need a scale)"},
        {"0 1 x\n", "EPARSE @:1: weight \"x\" is not a number", .weights = "values"},
        {"0 1 1.5x\n", "EPARSE @:1: weight \"1.5x\" is not a number", .weights = "values"},
        {"0 1 -1\n", "EPARSE @:1: weight -1 is outside 0..2147483647"},
        {"0 1 2147483648\n", "EPARSE @:1: weight 2147483648 is outside 0..2147483647"},
        {"0 1 99999999999999999999\n",
         "EPARSE @:1: weight 99999999999999999999 is outside 0..2147483647"},
        {"0 1 2147483647.5\n", "EPARSE @:1: weight 2147483647.5 is outside 0..2147483647",
         .weights = "values"},
        {"0 1 nan\n", "EPARSE @:1: weight nan is outside 0..2147483647", .weights = "values"},
        {"0 1 3\n", "EPARSE @:1: weight 3 is outside 0..2147483647", .weights = "values",
         .scale = 1e9},
        {"0 1\n1 2 3\n", "EPARSE @:2: the line has a weight, unlike those before it"},
        {"0 1 3\n# c\n1 2\n", "EPARSE @:3: the line has no weight, unlike those before it"},
        {"0 1 3 4\n", "EPARSE @:1: the line has more than three columns"},
        {"0 1 3 # c\n", "EPARSE @:1: the line has more than three columns"},
    };
    READER_CHECK_ALL("edges", "txt", cases);
}

/* ---- Windows -------------------------------------------------------------------------- */

static void test_borders(void)
{
    const size_t borders[] = {65536, 65536 + CLV_TEXT_WINDOW};
    const reader_case good = {NULL, "4: '-77' 2*9 | '10' 3*123 | '11' 0*9 3*45 | "
                                    "'123456789012' 1*123 2*45"};
    const reader_case bad = {NULL, "EPARSE @:3: vertex \"1z\" is not a whole number"};
    for (int i = 0; i < 2; i++) {
        reader_check_border("edges", "txt", "",
                            "10 123456789012 123\n# c\n\n 11,\t123456789012;45\r\n-77 11 9",
                            borders[i], &good);
        reader_check_border("edges", "txt", "", "10 12\n1z 13\n", borders[i], &bad);
    }
}

static void test_long_words(void)
{
    size_t size = 10 << 20;
    char *text = malloc(size + 16);
    memset(text, ',', size);
    text[0] = '0';
    strcpy(text + size, "1\n");
    const reader_case good = {NULL, "2: 1 | 0"};
    CHECK_STR(reader_result("edges", test_file("long.txt", text), &good), good.expected);
    memset(text + 2, '7', size - 2);
    const reader_case bad = {NULL, "EPARSE @:1: a word is longer than 262144 bytes"};
    CHECK_STR(reader_result("edges", test_file("long.txt", text), &bad), bad.expected);
    memset(text, 'x', size); /* a row of titles */
    strcpy(text + size, "\n0 1\n");
    CHECK_STR(reader_result("edges", test_file("long.txt", text), &good), good.expected);
    free(text);
}

/* ---- Vertex ids ------------------------------------------------------------------------ */

static int compare_ids(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int64_t random_id(clv_rng *rng, int kind)
{
    uint64_t bits = clv_rng_u64(rng);
    switch (kind) {
    case 0:
        return (int64_t)(bits % 3000);
    case 1:
        return (int64_t)bits; /* anywhere, either sign */
    case 2:
        return (int64_t)(bits % 4000) - 2000 + (1 << 28); /* around the border of small ids */
    default:
        return (int64_t)(bits % 200) << 40; /* many repetitions */
    }
}

/* Codes stay the same, numbers are ranks, names are the ids. */
static void check_ids(int kind, int count, uint64_t seed)
{
    clv_rng rng = clv_rng_make(seed, 4, 4, 4);
    int64_t *id = malloc((size_t)count * sizeof *id), *sorted = malloc((size_t)count * 8);
    int32_t *code = malloc((size_t)count * sizeof *code);
    clv_vertex_ids ids = {NULL};
    bool ok = true;
    for (int i = 0; i < count; i++) {
        id[i] = sorted[i] = random_id(&rng, kind);
        ok = ok && clv_vertex_ids_code(&ids, id[i], &code[i]) && code[i] >= 0;
    }
    CHECK(ok);
    CHECK_OK(clv_vertex_ids_finish(&ids, &err));
    qsort(sorted, (size_t)count, sizeof *sorted, compare_ids);
    int32_t distinct = 0;
    for (int i = 0; i < count; i++)
        if (i == 0 || sorted[i] != sorted[distinct - 1])
            sorted[distinct++] = sorted[i];
    CHECK_EQ(ids.nvtx, distinct);
    clv_arena arena = {NULL};
    clv_names names;
    CHECK_OK(clv_vertex_ids_names(&names, &ids, &arena, &err));
    for (int i = 0; i < count && ok; i++) {
        int64_t *found =
            bsearch(&id[i], sorted, (size_t)distinct, sizeof *sorted, compare_ids);
        int32_t again, v = clv_vertex_ids_number(&ids, code[i]);
        ok = found && v == found - sorted && clv_vertex_ids_code(&ids, id[i], &again) &&
             again == code[i] && strtoll(names.text + names.offset[v], NULL, 10) == id[i];
    }
    CHECK(ok);
    CHECK_EQ(clv_vertex_ids_plain(&ids),
             sorted[0] == 0 && sorted[distinct - 1] == distinct - 1);
    clv_arena_free(&arena);
    clv_vertex_ids_free(&ids);
    free(id);
    free(sorted);
    free(code);
}

static void test_vertex_ids(void)
{
    int64_t live = test_alloc_live();
    for (int kind = 0; kind < 4; kind++) {
        check_ids(kind, 1, 1);
        check_ids(kind, 50, 2);
        check_ids(kind, 20000, 3);
    }
    clv_vertex_ids none = {NULL};
    CHECK_OK(clv_vertex_ids_finish(&none, &err));
    CHECK_EQ(none.nvtx, 0);
    CHECK(clv_vertex_ids_plain(&none));
    clv_vertex_ids_free(&none);
    CHECK_EQ(test_alloc_live(), live);
}

/* ---- Writing and round trips ------------------------------------------------------------ */

static void check_written(const char *text, const char *as, const char *expected)
{
    cleave_graph *g = NULL;
    cleave_read_options opt;
    cleave_read_options_init(&opt, sizeof opt);
    opt.as = as;
    CHECK_OK(cleave_graph_read(&g, test_file("in.edges", text), &opt, &err));
    const char *path = fixture_path("out.edges");
    CHECK_OK(cleave_graph_write(g, path, NULL, &err));
    cleave_graph_free(g);
    char buffer[256] = "";
    FILE *file = fopen(path, "r");
    size_t n = file ? fread(buffer, 1, sizeof buffer - 1, file) : 0;
    buffer[n] = '\0';
    if (file)
        fclose(file);
    CHECK_STR(buffer, expected);
}

static void test_writing(void)
{
    check_written("", NULL, "");
    check_written("1,0\n2,1\n3 3\n", NULL, "0 1\n1 2\n3 3\n");
    check_written("1,0\n2,1\n3 3\n", "dag", "1 0\n2 1\n3 3\n");
    check_written("9 -5 4\n2 2 7\n", NULL, "-5 9 4\n2 2 0\n");
    check_written("9000000000 -5\n", "dag", "9000000000 -5\n");
}

/* Names that are no ids, or in another order, cannot stand for the vertices. */
static void test_names_in_the_way(void)
{
    static const struct {
        const char *names[2], *expected;
    } cases[] = {{{"3", "8"}, "3 8\n"},
                 {{"8", "3"}, "0 1\n"},
                 {{"3", "3"}, "0 1\n"},
                 {{"3", "x"}, "0 1\n"},
                 {{"", "4"}, "0 1\n"},
                 {{"-1", "9223372036854775808"}, "0 1\n"},
                 {{"-9223372036854775808", "0"}, "-9223372036854775808 0\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cleave_csr csr;
        cleave_csr_init(&csr, sizeof csr);
        csr.nvtx = 2;
        csr.xadj = (const int64_t[]){0, 1, 2};
        csr.adj = (const int32_t[]){1, 0};
        csr.names = cases[i].names;
        cleave_graph *g = NULL;
        CHECK_OK(cleave_graph_create(&g, &csr, 0, &err));
        const char *path = fixture_path("named.edges");
        CHECK_OK(cleave_graph_write(g, path, NULL, &err));
        cleave_graph_free(g);
        char line[128] = "";
        FILE *file = fopen(path, "r");
        CHECK(file && fgets(line, sizeof line, file));
        if (file)
            fclose(file);
        CHECK_STR(line, cases[i].expected);
    }
}

/* g -> first -> second -> third -> g, where each format holds all there is. */
static void check_through(const clv_graph *g, const clv_format *const formats[3])
{
    const clv_graph *from = g;
    clv_graph *last = NULL;
    for (int i = 0; i < 3; i++) {
        clv_read_options opt = fixture_options();
        opt.as = g->kind == CLEAVE_DAG ? CLV_AS_DAG : CLV_AS_UNDIRECTED;
        opt.weights_from_values = g->ewgt && formats[i] == &clv_format_matrix_market;
        const char *path = fixture_path("through");
        clv_graph *next = NULL;
        CHECK_OK(fixture_write(from, formats[i], path, NULL, &err));
        CHECK_OK(fixture_read(&next, formats[i], path, &opt, &err));
        clv_graph_free(last);
        last = next;
        REQUIRE(next != NULL);
        CHECK(fixture_same(g, next));
        from = next;
    }
    clv_graph_free(last);
}

static void test_round_trips(void)
{
    static const clv_format *const orders[][3] = {
        {&clv_format_edges, &clv_format_metis, &clv_format_matrix_market},
        {&clv_format_matrix_market, &clv_format_edges, &clv_format_metis},
        {&clv_format_metis, &clv_format_binary, &clv_format_edges},
    };
    for (uint64_t seed = 0; seed < 60; seed++) {
        clv_rng rng = clv_rng_make(seed, 6, 6, 6);
        fixture_kind kind = {.kind = seed % 3 == 0 ? CLEAVE_DAG : CLEAVE_UNDIRECTED,
                             .nvtx = (int32_t)clv_rng_below(&rng, seed % 8 ? 40 : 3000),
                             .ewgt = seed & 1,
                             .ncon = 1};
        kind.nedge = clv_rng_below(&rng, (uint32_t)kind.nvtx * 3 + 1);
        clv_graph *g = fixture_graph(&kind, seed);
        for (int i = 0; i < 3; i++)
            check_through(g, orders[i]);
        clv_graph_free(g);
    }
}

/* ---- Memory ---------------------------------------------------------------------------- */

static void test_memory(void)
{
    static const reader_case cases[] = {
        {"0 1\n1 2\n", "3: 1 | 0 2 | 1"},
        {"-5 9000000000 3\n7 -5 4\n9 9 1\n",
         "4: '-5' 1*4 3*3 | '7' 0*4 | '9' | '9000000000' 0*3"},
        {"-5 9000000000 3\n7 -5 4\n9 9 1\n", "dag 4: '-5' 3*3 | '7' 0*4 | '9' | '9000000000'",
         .as = "dag"},
        {"5 3\n3 4\n", "dag 3: '3' 1 2 | '4' | '5'", .as = "lower"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        reader_check_memory("edges", test_file("memory.txt", cases[i].text), &cases[i]);
    const fixture_kind kind = {.nvtx = 50, .nedge = 80, .ncon = 1, .ewgt = true};
    clv_graph *g = fixture_graph(&kind, 9);
    reader_check_write_memory(g, fixture_path("memory-out.edges"));
    reader_check_write_memory(g, fixture_path("memory-out.edges.gz"));
    clv_graph_free(g);
}

static void test_absurd_ids(void)
{
    static const reader_case cases[] = {
        {"9223372036854775807 9223372036854775806\n",
         "2: '9223372036854775806' 1 | '9223372036854775807' 0"},
        {"0 268435455\n", "2: '0' 1 | '268435455' 0"},
        {"2147483647 2147483648\n", "2: '2147483647' 1 | '2147483648' 0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        reader_check_absurd("edges", &cases[i], i == 1);
}

int main(void)
{
    RUN(test_layout);
    RUN(test_weights);
    RUN(test_contradictions);
    RUN(test_pairs);
    RUN(test_vertices);
    RUN(test_complaints);
    RUN(test_borders);
    RUN(test_long_words);
    RUN(test_vertex_ids);
    RUN(test_writing);
    RUN(test_names_in_the_way);
    RUN(test_round_trips);
    RUN(test_memory);
    RUN(test_absurd_ids);
    return test_end();
}
