/* SPDX-License-Identifier: Apache-2.0 */
/* DOT: every construct of the language, every error message, failing allocations. */
#include "formats/graph_fixture.h"

static cleave_error err;

static clv_graph *read_text(const char *text, clv_as as)
{
    clv_graph *g;
    clv_read_options opt = fixture_options();
    opt.as = as;
    err.message[0] = '\0';
    fixture_read(&g, &clv_format_dot, test_file("x.dot", text), &opt, &err);
    return g;
}

static const char *show_as(const char *text, clv_as as)
{
    clv_graph *g = read_text(text, as);
    const char *shown = g ? fixture_show(g) : fixture_message(&err);
    clv_graph_free(g);
    return shown;
}

static const char *show(const char *text)
{
    return show_as(text, CLV_AS_AUTO);
}

static void test_headers(void)
{
    CHECK_STR(show("digraph G { a -> b; }"), "dag a b | a>b");
    CHECK_STR(show("graph G { a -- b; }"), "graph a b | a-b");
    CHECK_STR(show("strict digraph { a -> b a -> b }"), "dag a b | a>b");
    CHECK_STR(show("DiGraph \"my name\" { a -> b }"), "dag a b | a>b");
    CHECK_STR(show("STRICT GRAPH 12 {a--b}"), "graph a b | a-b");
    CHECK_STR(show("\xef\xbb\xbf"
                   "digraph{a->b}"),
              "dag a b | a>b");
    CHECK_STR(show("digraph <h> {}"), "dag |");
    CHECK_STR(show("graph{x}"), "graph x |");
    CHECK_STR(show("\n\n# 1 \"a.gv\"\n  # indented\n/* c */ // d\ndigraph{a}"), "dag a |");
}

static void test_statements(void)
{
    CHECK_STR(show("digraph{a->b->c}"), "dag a b c | a>b b>c");
    CHECK_STR(show("digraph{a->b c->d;;e}"), "dag a b c d e | a>b c>d");
    CHECK_STR(show("digraph{a;b;a->b}"), "dag a b | a>b");
    CHECK_STR(show("digraph{rankdir=LR; label = \"x y\" a -> b; size=\"1,2\";}"),
              "dag a b | a>b");
    CHECK_STR(show("digraph{a:p -> b:p:n; c:\"x\":_ -> a}"), "dag a b c | a>b c>a");
    CHECK_STR(show("digraph{a,b -> c, d}"), "dag a b c d | a>c a>d b>c b>d");
    CHECK_STR(show("graph{a--b--a}"), "graph a b | a-b");
    CHECK_STR(show("digraph{a//x\n->/*y*/b#z\n}"), "x.dot:2: unexpected '#'");
    CHECK_STR(show("digraph{a//x\n->/*y\n*/b\n#z\n->c}"), "dag a b c | a>b b>c");
    CHECK_STR(show("digraph{a\r\n->\r\nb\r\n}\r\n"), "dag a b | a>b");
}

static void test_ids(void)
{
    CHECK_STR(show("digraph{\"a b\" -> \"c\\\"d\"}"), "dag a b c\"d | a b>c\"d");
    CHECK_STR(show("digraph{\"a\" -> a}"), "x.dot:1: the graph has a cycle: a -> a");
    CHECK_STR(show("digraph{\"a\" + \"b\" + /* */\n \"c\" -> d}"), "dag abc d | abc>d");
    CHECK_STR(show("digraph{\"a\\\nb\" -> \"c\\\r\nd\"}"), "dag ab cd | ab>cd");
    CHECK_STR(show("digraph{\"a\\nb\"}"), "dag a\\nb |");
    CHECK_STR(show("digraph{\"a\\\\\" -> \"\"}"), "dag a\\  | a\\>");
    CHECK_STR(show("digraph{<a <b>x</b> c> -> y}"), "dag <a <b>x</b> c> y | <a <b>x</b> c>>y");
    CHECK_STR(show("digraph{<<!-- > > >--><i>z</i>>}"), "dag <<!-- > > >--><i>z</i>> |");
    CHECK_STR(show("digraph{-1.5 -> .5 -> -.25 -> 3. -> x}"),
              "dag -1.5 .5 -.25 3. x | -1.5>.5 .5>-.25 -.25>3. 3.>x");
    CHECK_STR(show("digraph{\xc3\xa9t\xc3\xa9 -> _x9}"),
              "dag \xc3\xa9t\xc3\xa9 _x9 | \xc3\xa9t\xc3\xa9>_x9");
    CHECK_STR(show("digraph{\"node\" -> \"graph\"}"), "dag node graph | node>graph");
    CHECK_STR(show("digraph{Nodes -> nod -> graphs}"),
              "dag Nodes nod graphs | Nodes>nod nod>graphs");
    CHECK_STR(show("graph{a--1}"), "graph a 1 | a-1");
    CHECK_STR(show("graph{a -- -1}"), "graph a -1 | a--1");
}

/* A string may be longer than any window of the reader. */
static void test_long_id(void)
{
    size_t length = 3000000;
    char *text = malloc(length + 100);
    strcpy(text, "digraph { a -> \"");
    size_t begin = strlen(text);
    memset(text + begin, 'x', length);
    strcpy(text + begin + length, "\" [label=b] }");
    clv_graph *g = read_text(text, CLV_AS_AUTO);
    CHECK(g != NULL);
    if (g) {
        CHECK_EQ(g->nvtx, 2);
        CHECK_EQ(strlen(clv_graph_name(g, 1)), length);
    }
    clv_graph_free(g);
    free(text);
}

static void test_numbers(void)
{
    /* 0..n-1 in any order: the numbers themselves, no names. */
    clv_graph *g = read_text("digraph{2->0; 1->2; 3 [weight=5]}", CLV_AS_AUTO);
    REQUIRE(g != NULL);
    CHECK(g->names.offset == NULL);
    CHECK_STR(fixture_show(g), "dag 0(1) 1(1) 2(1) 3(5) | 1>2 2>0");
    clv_graph_free(g);
    CHECK_STR(show("digraph{\"1\"->\"0\"}"), "dag 0 1 | 1>0");
    /* Other integers: ascending, with names. */
    CHECK_STR(show("digraph{30->-4; 7 -> 30}"), "dag -4 7 30 | 7>30 30>-4");
    CHECK_STR(show("graph{3--1[weight=4]; 2--3; 1 [weight=9]}"),
              "graph 1(9) 2(1) 3(1) | 1-3*4 2-3*1");
    CHECK_STR(show("digraph{9223372036854775807 -> -9223372036854775808}"),
              "dag -9223372036854775808 9223372036854775807 | "
              "9223372036854775807>-9223372036854775808");
    /* One that is not an integer as it would be printed: order of appearance. */
    CHECK_STR(show("digraph{1->0; 02}"), "dag 1 0 02 | 1>0");
    CHECK_STR(show("digraph{1->0; 2.0}"), "dag 1 0 2.0 | 1>0");
    CHECK_STR(show("digraph{1->0; x}"), "dag 1 0 x | 1>0");
    CHECK_STR(show("digraph{1->0; 9223372036854775808}"), "dag 1 0 9223372036854775808 | 1>0");
    CHECK_STR(show("digraph{1->0; \"-0\"}"), "dag 1 0 -0 | 1>0");
}

static void test_weights(void)
{
    CHECK_STR(show("digraph{a[weight=3]; b[color=red,weight=0]; c; a->b}"),
              "dag a(3) b(0) c(1) | a>b");
    CHECK_STR(show("digraph{a->b->c[weight=2]; a->c}"), "dag a b c | a>b*2 a>c*1 b>c*2");
    CHECK_STR(show("digraph{a->b; a->b}"), "dag a b | a>b");
    CHECK_STR(show("digraph{a->b[weight=2]; a->b[weight=5]; a->b}"), "dag a b | a>b*8");
    CHECK_STR(show("graph{a--b[weight=2]; b--a[weight=2]; b--a[weight=3]}"),
              "graph a b | a-b*7");
    CHECK_STR(show("digraph{a->b[weight=0]}"), "dag a b | a>b*0");
    /* Duplicate edges without weights are one edge, independent of other weights. */
    CHECK_STR(show("digraph{a->b; a->b; b->c}"), "dag a b c | a>b b>c");
    CHECK_STR(show("digraph{a->b; a->b; b->c[weight=3]}"), "dag a b c | a>b*1 b>c*3");
    CHECK_STR(show("graph{a--b; b--a; b--c[weight=3]}"), "graph a b c | a-b*1 b-c*3");
    CHECK_STR(show("digraph{a->b[weight=\"3.0\"]; b->c[weight=1e2]; }"),
              "x.dot:1: '1e' is neither a number nor a name: put it into quotes");
    CHECK_STR(show("digraph{a->b[weight=\"3.0\"]; b->c[weight=\"1e2\"]; }"),
              "dag a b c | a>b*3 b>c*100");
    CHECK_STR(show("digraph{a[weight=2][weight=4]; a[label=x]}"), "dag a(4) |");
    CHECK_STR(show("digraph{a[weight=2147483647]}"), "dag a(2147483647) |");
    CHECK_STR(show("digraph{a,b[weight=2]; c}"), "dag a(2) b(2) c(1) |");
    /* Several weights in one string. */
    CHECK_STR(show("digraph{x; a[weight=\"3 4\"]; b[weight=\"5, 6\"]}"),
              "dag x(1)(1) a(3)(4) b(5)(6) |");
    /* Attributes of graphs and subgraphs are not weights. */
    CHECK_STR(show("digraph{graph[weight=x]; subgraph s {a}[weight=y]; weight=z}"), "dag a |");
    CHECK_STR(show("digraph{a[Weight=3, weight]}"), "dag a |");
}

static void test_attribute_lists(void)
{
    CHECK_STR(show("digraph{a[x=1;y=2,z w=3;][][u=\"v\"]}"), "dag a |");
    CHECK_STR(show("digraph{a->b[label=<x <b>>>]}"), "x.dot:1: unexpected '>'");
    CHECK_STR(show("digraph{a->b[label=<x <b>>, node=graph, edge]}"), "dag a b | a>b");
}

static void test_defaults(void)
{
    CHECK_STR(show("digraph{a; node[weight=3]; b; a; node[weight=4] c}"),
              "dag a(1) b(3) c(4) |");
    CHECK_STR(show("digraph{edge[weight=3]; a->b; edge [color=red]; b->c; c->d[weight=9]}"),
              "dag a b c d | a>b*3 b>c*3 c>d*9");
    CHECK_STR(
        show("digraph{node[weight=2]; {node[weight=5]; a->b; {c; node[weight=6] d}; e} f}"),
        "dag a(5) b(5) c(5) d(6) e(5) f(2) | a>b");
    CHECK_STR(show("digraph{subgraph x{edge[weight=5]; a->b}; b->c}"),
              "dag a b c | a>b*5 b>c*1");
    CHECK_STR(show("digraph{node[weight=\"1 2\"]; a; b[weight=\"3 4\"]}"),
              "dag a(1)(2) b(3)(4) |");
    CHECK_STR(show("digraph{NODE[weight=2] Edge[weight=3] GRAPH[x=y] a->b}"),
              "dag a(2) b(2) | a>b*3");
}

static void test_subgraphs(void)
{
    CHECK_STR(show("digraph{{a b} -> {c d}}"), "dag a b c d | a>c a>d b>c b>d");
    CHECK_STR(show("digraph{a -> {b c} -> d}"), "dag a b c d | a>b a>c b>d c>d");
    CHECK_STR(show("digraph{subgraph cluster_x { label=x; a -> b } -> c}"),
              "dag a b c | a>b a>c b>c");
    CHECK_STR(show("digraph{subgraph { a } subgraph \"s 1\" { b } a -> b}"), "dag a b | a>b");
    CHECK_STR(show("digraph{{a {b {c}} a} -> d}"), "dag a b c d | a>d b>d c>d");
    CHECK_STR(show("digraph{a->{}->b}"), "dag a b |");
    CHECK_STR(show("digraph{{a->b->{c}} -> {d -> e}[weight=2]}"),
              "dag a b c d e | a>b*1 a>d*2 a>e*2 b>c*1 b>d*2 b>e*2 c>d*2 c>e*2 d>e*1");
    CHECK_STR(show("digraph{subgraph c {a} subgraph c {b} a->b}"), "dag a b | a>b");
    CHECK_STR(show("digraph{{a;a;a}->{b b}[weight=1]}"), "dag a b | a>b*1");
    CHECK_STR(show("graph{{a b}--{a b}}"), "graph a b | a-b");
}

static void test_kinds(void)
{
    CHECK_STR(show_as("digraph{a->b->a}", CLV_AS_UNDIRECTED), "graph a b | a-b");
    CHECK_STR(show_as("digraph{a->b[weight=2]; b->a[weight=2]}", CLV_AS_UNDIRECTED),
              "graph a b | a-b*2");
    CHECK_STR(
        show_as("digraph{a->b[weight=2]; b->a[weight=2]; b->c[weight=7]}", CLV_AS_UNDIRECTED),
        "graph a b c | a-b*2 b-c*7");
    CHECK_STR(show_as("digraph{a->b[weight=2]; b->a[weight=5]}", CLV_AS_UNDIRECTED),
              "x.dot: edge b - a has weight 5 this way and 2 the other way");
    CHECK_STR(show_as("digraph{a->b}", CLV_AS_DAG), "dag a b | a>b");
    CHECK_STR(show_as("graph{a--b}", CLV_AS_UNDIRECTED), "graph a b | a-b");
    CHECK_STR(show_as("\ngraph{a--b}", CLV_AS_DAG),
              "x.dot:2: a graph without directions cannot be read as a DAG: it would have to "
              "be a digraph");
    clv_read_options opt = fixture_options();
    opt.as = CLV_AS_UNDIRECTED;
    opt.symmetrise = CLV_SYMMETRISE_MAX;
    clv_graph *g;
    const char *unequal = test_file("m.dot", "digraph{a->b[weight=2]; b->a[weight=5]}");
    REQUIRE_OK(fixture_read(&g, &clv_format_dot, unequal, &opt, &err));
    CHECK_STR(fixture_show(g), "graph a b | a-b*5");
    clv_graph_free(g);
    opt.symmetrise = CLV_SYMMETRISE_SUM;
    REQUIRE_OK(fixture_read(&g, &clv_format_dot, unequal, &opt, &err));
    CHECK_STR(fixture_show(g), "graph a b | a-b*7");
    clv_graph_free(g);
}

static void test_cycles(void)
{
    CHECK_STR(show("digraph{x->\"b c\"->d->x; d -> y}"),
              "x.dot: the graph has a cycle: x -> b c -> d -> x");
    CHECK_EQ(err.status, CLEAVE_ECYCLE);
    CHECK_STR(show("digraph{0->1\n 1->2\n 2->1}"),
              "x.dot: the graph has a cycle: 1 -> 2 -> 1");
    CHECK_STR(show("digraph{a->b\n b\n->\nb; c->c}"),
              "x.dot:2: the graph has a cycle: b -> b");
    CHECK_EQ(err.status, CLEAVE_ECYCLE);
    CHECK_STR(show("graph{a--a}"), "graph a |");
    clv_read_options opt = fixture_options();
    opt.repair = true;
    clv_graph *g;
    REQUIRE_OK(
        fixture_read(&g, &clv_format_dot, test_file("l.dot", "digraph{a->a->b}"), &opt, &err));
    CHECK_STR(fixture_show(g), "dag a b | a>b");
    CHECK_EQ(opt.repairs->self_loops, 1);
    CHECK_EQ(opt.repairs->one_way, 0);
    clv_graph_free(g);
}

static void test_positions(void)
{
    clv_graph *g =
        read_text("graph{b[pos=\"1,2\"]; a[pos=\"-3.5 , 4e2!\"]; b--a}", CLV_AS_AUTO);
    REQUIRE(g != NULL);
    CHECK_EQ(g->ndim, 2);
    CHECK(g->ndim == 2 && g->coords[0] == 1 && g->coords[1] == 2 && g->coords[2] == -3.5 &&
          g->coords[3] == 400);
    clv_graph_free(g);
    g = read_text("graph{1[pos=\"1,2,3\"]; 0[pos=\"4,5,6\", vsize=7]}", CLV_AS_AUTO);
    REQUIRE(g != NULL);
    CHECK(g->ndim == 3 && g->coords[0] == 4 && g->coords[5] == 3);
    CHECK(g->vsize && g->vsize[0] == 7 && g->vsize[1] == 1);
    clv_graph_free(g);
    /* Incomplete, mixed or odd ones: no coordinates. */
    static const char *const without[] = {"graph{a[pos=\"1,2\"]; b}",
                                          "graph{a[pos=\"1,2\"]; b[pos=\"1,2,3\"]}",
                                          "graph{a[pos=\"1\"]}",
                                          "graph{a[pos=\"x,y\"]}",
                                          "graph{a[pos=\"1,2,3,4\"]}",
                                          "graph{a[pos=\"1,nan\"]}",
                                          "graph{a[pos=\"1,2 and more\"]}",
                                          "graph{a[pos=\"\"]}"};
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        g = read_text(without[i], CLV_AS_AUTO);
        CHECK(g && g->ndim == 0 && g->coords == NULL);
        clv_graph_free(g);
    }
}

static void test_source(void)
{
    clv_graph *g = read_text("digraph{a->b;a->b;b->c}", CLV_AS_AUTO);
    REQUIRE(g != NULL);
    CHECK_STR(g->format, "dot");
    CHECK_EQ(g->entries, 3);
    CHECK_EQ(g->narc, 2);
    clv_graph_free(g);
}

static void test_complaints(void)
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", "x.dot:1: the file ends where 'graph' or 'digraph' was expected"},
        {"12 4\n", "x.dot:1: expected 'graph' or 'digraph', not '12'"},
        {"digraph", "x.dot:1: the file ends where the '{' of the graph was expected"},
        {"digraph a b {}", "x.dot:1: expected the '{' of the graph, not 'b'"},
        {"strict {}", "x.dot:1: expected 'graph' or 'digraph', not '{'"},
        {"digraph {\na -> b;\n",
         "x.dot:3: the file ends where a statement or '}' was expected"},
        {"digraph {a ->", "x.dot:1: the file ends where a vertex or a subgraph after the edge "
                          "was expected"},
        {"digraph {a -> ;}",
         "x.dot:1: expected a vertex or a subgraph after the edge, not ';'"},
        {"digraph {a -> -> b}",
         "x.dot:1: expected a vertex or a subgraph after the edge, not '->'"},
        {"digraph {a, -> b}", "x.dot:1: expected a vertex after ',', not '->'"},
        {"digraph {a, {b}}", "x.dot:1: expected a vertex after ',', not '{'"},
        {"digraph {{a}, b}", "x.dot:1: expected a statement or '}', not ','"},
        {"digraph {a -- b}", "x.dot:1: '--' in a digraph: its edges are '->'"},
        {"graph {a\n-> b}", "x.dot:2: '->' in a graph: its edges are '--'"},
        {"digraph {a} b", "x.dot:1: expected nothing after the '}' of the graph, not 'b'"},
        {"digraph {a}\ndigraph {b}",
         "x.dot:2: expected nothing after the '}' of the graph, not 'digraph'"},
        {"digraph {]}", "x.dot:1: expected a statement or '}', not ']'"},
        {"digraph {-> a}", "x.dot:1: expected a statement or '}', not '->'"},
        {"digraph {node}", "x.dot:1: expected '[' after 'node', not '}'"},
        {"digraph {edge;}", "x.dot:1: expected '[' after 'edge', not ';'"},
        {"digraph {graph -> a}", "x.dot:1: expected '[' after 'graph', not '->'"},
        {"digraph {a [}", "x.dot:1: expected an attribute or ']', not '}'"},
        {"digraph {a [x=", "x.dot:1: the file ends where a value after '=' was expected"},
        {"digraph {a [x=;]}", "x.dot:1: expected a value after '=', not ';'"},
        {"digraph {a = }", "x.dot:1: expected a value after '=', not '}'"},
        {"digraph {a: -> b}", "x.dot:1: expected a port after ':', not '->'"},
        {"digraph {a:b:c:d}", "x.dot:1: expected a statement or '}', not ':'"},
        {"digraph {subgraph a b {}}", "x.dot:1: expected the '{' of a subgraph, not 'b'"},
        {"digraph {subgraph a;}", "x.dot:1: expected the '{' of a subgraph, not ';'"},
        {"digraph {strict}", "x.dot:1: expected a statement or '}', not 'strict'"},
        {"digraph {\n\"abc\n\n}", "x.dot:2: this quoted string has no end"},
        {"digraph {\n<abc\n\n}", "x.dot:2: this HTML string has no end"},
        {"digraph {\n/*abc\n\n}", "x.dot:2: this comment has no end"},
        {"digraph {\na / b}", "x.dot:2: unexpected '/'"},
        {"digraph {a.b}", "x.dot:1: '.b' is neither a number nor a name: put it into quotes"},
        {"digraph {a . b}", "x.dot:1: unexpected '.'"},
        {"digraph {a\n->\n\"b\" + c}", "x.dot:3: only quoted strings can be joined by '+'"},
        {"digraph {a + b}", "x.dot:1: unexpected '+'"},
        {"digraph {1a}", "x.dot:1: '1a' is neither a number nor a name: put it into quotes"},
        {"digraph {1.2.3}",
         "x.dot:1: '1.2.' is neither a number nor a name: put it into quotes"},
        {"digraph {1\xc3}",
         "x.dot:1: '1?' is neither a number nor a name: put it into quotes"},
        {"digraph {a-1}",
         "x.dot:1: a single '-' is not an edge: write '--' or '->', or put a name "
         "that contains it into quotes"},
        {"digraph {a - b}",
         "x.dot:1: a single '-' is not an edge: write '--' or '->', or put a name "
         "that contains it into quotes"},
        {"digraph {\"a\"-1}",
         "x.dot:1: a single '-' is not an edge: write '--' or '->', or put a "
         "name that contains it into quotes"},
        {"digraph {-.}", "x.dot:1: unexpected '-.'"},
        {"digraph {a @ b}", "x.dot:1: unexpected '@'"},
        {"digraph {a \x01}", "x.dot:1: unexpected byte 0x01"},
        {"digraph {a \x7f}", "x.dot:1: unexpected byte 0x7f"},
        {"digraph {a\n[weight=x]}",
         "x.dot:2: weight 'x' is not a whole number from 0 to 2147483647"},
        {"digraph {a [weight=-1]}",
         "x.dot:1: weight '-1' is not a whole number from 0 to 2147483647"},
        {"digraph {a [weight=2147483648]}",
         "x.dot:1: weight '2147483648' is not a whole number from 0 to 2147483647"},
        {"digraph {a [weight=0.5]}",
         "x.dot:1: weight '0.5' is not a whole number from 0 to 2147483647"},
        {"digraph {a [weight=nan]}",
         "x.dot:1: weight 'nan' is not a whole number from 0 to 2147483647"},
        {"digraph {a [weight=\"\"]}",
         "x.dot:1: weight '' is not a whole number from 0 to 2147483647"},
        {"digraph {a [weight=\"3x\"]}",
         "x.dot:1: weight '3x' is not a whole number from 0 to 2147483647"},
        {"digraph {a->b [weight=\"3 4\"]}",
         "x.dot:1: weight '3 4' is not a whole number from 0 to 2147483647"},
        {"digraph {edge [weight=99999999999999999999]}",
         "x.dot:1: weight '99999999999999999999' is not a whole number from 0 to 2147483647"},
        {"digraph {a [vsize=-2]}",
         "x.dot:1: vsize '-2' is not a whole number from 0 to 2147483647"},
        {"digraph {a [weight=\"3 4\"]; b [weight=5]}",
         "x.dot:1: weight '5' has 1 numbers, earlier ones have 2"},
        {"digraph {node [weight=3]; b [weight=\"5 6\"]}",
         "x.dot:1: weight '5 6' has 2 numbers, earlier ones have 1"},
        {"digraph {subgraph s {a}\nsubgraph s {b} -> c}",
         "x.dot:2: a subgraph that was opened before cannot be an end of edges here: give it "
         "another name"},
        {"digraph {subgraph s {a} c -> subgraph s {b}}",
         "x.dot:1: a subgraph that was opened before cannot be an end of edges here: give it "
         "another name"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK_STR(show(bad[i].text), bad[i].message);
        CHECK_EQ(err.status, CLEAVE_EPARSE);
    }
}

static const char *show_bytes(const char *bytes, size_t count)
{
    clv_graph *g;
    clv_read_options opt = fixture_options();
    fixture_read(&g, &clv_format_dot, test_file_bytes("x.dot", bytes, count), &opt, &err);
    const char *shown = g ? fixture_show(g) : fixture_message(&err);
    clv_graph_free(g);
    return shown;
}

static void test_zero_bytes(void)
{
    CHECK_STR(show_bytes("digraph {\"a\0b\"}", 15), "x.dot:1: a zero byte inside a string");
    CHECK_STR(show_bytes("digraph {<a\0b>}", 15), "x.dot:1: a zero byte inside a string");
    CHECK_STR(show_bytes("digraph {a \0}", 13), "x.dot:1: unexpected byte 0x00");
    CHECK_STR(show_bytes("digraph {a [weight=3\0]}", 23), "x.dot:1: unexpected byte 0x00");
}

/* The sum of duplicates must fit. */
static void test_weight_overflow(void)
{
    clv_graph *g = read_text("digraph{a->b[weight=2147483647]; a->b[weight=1]}", CLV_AS_AUTO);
    CHECK(g == NULL);
    CHECK_EQ(err.status, CLEAVE_ERANGE);
    clv_graph_free(g);
}

static void test_deep(void)
{
    char text[5000] = "digraph {";
    for (int i = 0; i < 256; i++)
        strcat(text, "{");
    strcat(text, "a->b");
    for (int i = 0; i < 256; i++)
        strcat(text, "}");
    strcat(text, "->c}");
    CHECK_STR(show(text), "dag a b c | a>b a>c b>c");
    strcpy(text, "digraph {");
    for (int i = 0; i < 257; i++)
        strcat(text, "{");
    CHECK_STR(show(text), "x.dot:1: subgraphs are nested more than 256 deep");
    /* HTML has no limit. */
    strcpy(text, "digraph {");
    for (int i = 0; i < 2000; i++)
        strcat(text, "<");
    for (int i = 0; i < 2000; i++)
        strcat(text, ">");
    strcat(text, "}");
    clv_graph *g = read_text(text, CLV_AS_AUTO);
    CHECK(g && g->nvtx == 1);
    clv_graph_free(g);
}

/* A few hundred kilobytes that describe 10^10 edges. */
static void test_too_many_pairs(void)
{
    size_t space = 4000000, used;
    char *text = malloc(space);
    used = (size_t)sprintf(text, "digraph {\n{");
    for (int i = 0; i < 100000; i++)
        used += (size_t)sprintf(text + used, "a%d ", i);
    used += (size_t)sprintf(text + used, "}\n->\n{");
    for (int i = 0; i < 100000; i++)
        used += (size_t)sprintf(text + used, "b%d ", i);
    sprintf(text + used, "}}");
    CHECK_STR(
        show(text),
        "x.dot:2: all edges between 100000 and 100000 vertices: more than 16777216 edges "
        "may not be written as pairs of subgraphs");
    free(text);
}

static void test_looks_like(void)
{
    static const struct {
        const char *text;
        int least, most;
    } cases[] = {{"digraph G {", 90, 100},
                 {"/* x */ // y\n# z\n strict Graph{", 90, 100},
                 {"graph\n", 1, 60},
                 {"graph \"a\" {}", 90, 100},
                 {"graphs {", 0, 0},
                 {"subgraph {", 0, 0},
                 {"", 0, 0},
                 {"/*", 0, 0},
                 {"4 5\n1 2\n", 0, 0},
                 {"%%MatrixMarket", 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int got = clv_format_dot.looks_like(cases[i].text, strlen(cases[i].text));
        CHECK(got >= cases[i].least && got <= cases[i].most);
    }
}

/* Names and structure that force the tables to grow; linear time. */
static void test_large(void)
{
    int32_t n = 200000;
    char *text = malloc((size_t)n * 40 + 100);
    size_t used = (size_t)sprintf(text, "digraph {\n");
    for (int32_t v = 1; v < n; v++)
        used += (size_t)sprintf(text + used, "n%d -> n%d;\n", (int)v / 2, (int)v);
    sprintf(text + used, "}\n");
    clv_graph *g = read_text(text, CLV_AS_AUTO);
    CHECK(g && g->nvtx == n && g->narc == n - 1);
    clv_graph_free(g);
    free(text);
}

static void test_no_memory(void)
{
    const char *text = "strict digraph \"g\" { node[weight=\"1 2\"]; edge[weight=3];\n"
                       "subgraph s { 5 -> 3 -> {2 1:p} [weight=2]; } -> 0 [label=<a<b>c>];\n"
                       "4 [weight=\"7 8\", vsize=3, pos=\"1,2\"]; 9 -> 5; }";
    const char *numbers = test_file("n.dot", text);
    const char *names = test_file("m.dot", "graph { a -- b [weight=2]; c [pos=\"1,2\"] "
                                           "b [pos=\"1,2\"] a [pos=\"1,2\"] a--c }");
    const char *paths[] = {numbers, names};
    for (int file = 0; file < 2; file++)
        for (test_oom_rounds oom = {.lenient = true}; test_oom_next(&oom);) {
            clv_graph *g;
            clv_read_options opt = fixture_options();
            TEST_OOM(&oom, fixture_read(&g, &clv_format_dot, paths[file], &opt, &err));
            CHECK(oom.status == CLEAVE_ENOMEM || g);
            clv_graph_free(g);
        }
}

static void test_shared_file(void)
{
    const char *path = test_shared("dag/2mm_10_20_30_40.dot.gz", 1);
    if (!path)
        return;
    clv_graph *g;
    clv_read_options opt = fixture_options();
    REQUIRE_OK(fixture_read(&g, &clv_format_dot, path, &opt, &err));
    CHECK_EQ(g->kind, CLEAVE_DAG);
    CHECK_EQ(g->nvtx, 36500);
    CHECK_EQ(g->narc, 62200);
    CHECK(g->names.offset == NULL);
    CHECK_EQ(g->adj[g->xadj[36498]], 36499);
    clv_graph_free(g);
}

int main(void)
{
    RUN(test_headers);
    RUN(test_statements);
    RUN(test_ids);
    RUN(test_long_id);
    RUN(test_numbers);
    RUN(test_weights);
    RUN(test_attribute_lists);
    RUN(test_defaults);
    RUN(test_subgraphs);
    RUN(test_kinds);
    RUN(test_cycles);
    RUN(test_positions);
    RUN(test_source);
    RUN(test_complaints);
    RUN(test_zero_bytes);
    RUN(test_weight_overflow);
    RUN(test_deep);
    RUN(test_too_many_pairs);
    RUN(test_looks_like);
    RUN(test_large);
    RUN(test_no_memory);
    RUN(test_shared_file);
    return test_end();
}
