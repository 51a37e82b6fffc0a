/* SPDX-License-Identifier: Apache-2.0 */
/* From rows to a finished graph: thousands of small inputs with every kind of fault, under
 * every rule, against dense matrices; and rows from streams of edges. */
#include "graph/build.h"

#include "graph/sample.h"
#include "oracle/oracle_rows.h"
#include "support/test.h"

static cleave_error err;

/* ---- Random rows -------------------------------------------------------------------- */

typedef struct input {
    int n;
    bool weighted;
    int count;
    int32_t tail[512], head[512], wgt[512];
} input;

static int32_t random_weight(clv_rng *rng, bool heavy)
{
    if (heavy && clv_rng_below(rng, 3) == 0)
        return INT32_MAX - (int32_t)clv_rng_below(rng, 3);
    return (int32_t)clv_rng_below(rng, heavy ? 1u << 30 : 4);
}

static void put(input *in, int32_t tail, int32_t head, int32_t wgt)
{
    if (in->count < 512) {
        in->tail[in->count] = tail;
        in->head[in->count] = head;
        in->wgt[in->count++] = wgt;
    }
}

/* Every kind of fault is in some inputs and absent from others. */
static void random_input(input *in, clv_rng *rng)
{
    bool heavy = clv_rng_below(rng, 6) == 0, dag = clv_rng_below(rng, 3) == 0;
    bool loops = clv_rng_below(rng, 4) == 0, copies = clv_rng_below(rng, 4) == 0;
    bool one_way = clv_rng_below(rng, 3) == 0, unequal = clv_rng_below(rng, 4) == 0;
    in->n = (int)clv_rng_below(rng, 13);
    in->weighted = clv_rng_below(rng, 2);
    in->count = 0;
    int edges = in->n ? (int)clv_rng_below(rng, 3 * (uint32_t)in->n) : 0;
    for (int i = 0; i < edges; i++) {
        int32_t u = (int32_t)clv_rng_below(rng, (uint32_t)in->n);
        int32_t v = (int32_t)clv_rng_below(rng, (uint32_t)in->n);
        int32_t wgt = random_weight(rng, heavy);
        bool known = false;
        for (int j = 0; j < in->count; j++)
            known |= in->tail[j] == u && in->head[j] == v;
        if ((u == v && !loops) || (known && !copies))
            continue;
        if (dag && u > v) {
            int32_t kept = u;
            u = v;
            v = kept;
        }
        put(in, u, v, wgt);
        if (dag || (one_way && clv_rng_below(rng, 3) == 0))
            continue;
        put(in, v, u, unequal && clv_rng_below(rng, 3) == 0 ? wgt / 2 : wgt);
    }
}

/* Rows in the order of the list. */
static clv_rows rows_of(const input *in)
{
    clv_rows rows = {.nvtx = in->n,
                     .xadj = clv_zalloc(in->n + 1, sizeof *rows.xadj),
                     .adj = clv_alloc(in->count, sizeof *rows.adj),
                     .ewgt = in->weighted ? clv_alloc(in->count, sizeof *rows.ewgt) : NULL};
    int64_t place = 0;
    for (int32_t v = 0; v < in->n; v++) {
        for (int i = 0; i < in->count; i++)
            if (in->tail[i] == v) {
                rows.adj[place] = in->head[i];
                if (in->weighted)
                    rows.ewgt[place] = in->wgt[i];
                place++;
            }
        rows.xadj[v + 1] = place;
    }
    return rows;
}

static void matrix_of(oracle_rows *matrix, const input *in)
{
    oracle_rows_clear(matrix, in->n, in->weighted);
    for (int i = 0; i < in->count; i++)
        oracle_rows_add(matrix, in->tail[i], in->head[i], in->wgt[i]);
}

/* ---- Comparing ---------------------------------------------------------------------- */

static bool same_graph(const clv_graph *g, const oracle_graph *o, bool weighted)
{
    int64_t narc = 0;
    if (g->nvtx != o->n || (g->ewgt != NULL) != weighted)
        return false;
    for (int v = 0; v < o->n; v++) {
        int64_t a = g->xadj[v];
        for (int u = 0; u < o->n; u++) {
            if (!o->arc[v][u])
                continue;
            narc++;
            if (a >= g->xadj[v + 1] || g->adj[a] != u || clv_graph_ewgt(g, a) != o->wgt[v][u])
                return false;
            a++;
        }
    }
    return g->narc == narc;
}

/* Does the complaint name an edge that deserves it? */
static bool true_asymmetry(const oracle_graph *o, const char *message)
{
    int v, u, end = 0;
    long there, back;
    char text[200];
    if (sscanf(message, "vertex %d lists neighbour %d,%n", &v, &u, &end) == 2 && end > 0) {
        snprintf(text, sizeof text, "vertex %d lists neighbour %d, which does not list it", v,
                 u);
        return strcmp(text, message) == 0 && oracle_one_way(o, v, u);
    }
    if (sscanf(message, "edge %d - %d has weight %ld this way and %ld the", &v, &u, &there,
               &back) != 4)
        return false;
    snprintf(text, sizeof text, "edge %d - %d has weight %ld this way and %ld the other way",
             v, u, there, back);
    return strcmp(text, message) == 0 && oracle_unequal(o, v, u) && o->wgt[v][u] == there &&
           o->wgt[u][v] == back;
}

static bool true_cycle(const oracle_graph *o, const char *message)
{
    static const char start[] = "the graph has a cycle: ";
    int first, v, used, length = 0;
    if (strncmp(message, start, sizeof start - 1) != 0 ||
        sscanf(message += sizeof start - 1, "%d%n", &first, &used) != 1)
        return false;
    int before = first;
    while (sscanf(message += used, " -> %d%n", &v, &used) == 1) {
        if (!o->arc[before][v])
            return false;
        before = v;
        length++;
    }
    return before == first && length > 0 && length == oracle_girth(o) && *message == '\0';
}

static void expected_text(const oracle_outcome *want, char text[200])
{
    static const char *const forms[] = {
        [ORACLE_LOOP] = "vertex %d is its own neighbour",
        [ORACLE_DUPLICATE] = "vertex %d lists neighbour %d twice",
        [ORACLE_DUPLICATE_SUM] =
            "the weights of the duplicates of edge %d - %d sum to more than 2147483647",
        [ORACLE_BOTH_WAYS_SUM] = "the weights of edge %d - %d sum to more than 2147483647",
    };
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(text, 200, forms[want->fault], want->v, want->u);
#pragma GCC diagnostic pop
}

static cleave_status expected_status(oracle_fault fault)
{
    switch (fault) {
    case ORACLE_FINE:
        return CLEAVE_OK;
    case ORACLE_DUPLICATE_SUM:
    case ORACLE_BOTH_WAYS_SUM:
        return CLEAVE_ERANGE;
    case ORACLE_CYCLE:
        return CLEAVE_ECYCLE;
    default:
        return CLEAVE_EINVAL;
    }
}

static bool true_complaint(const oracle_outcome *want)
{
    if (want->fault == ORACLE_ASYMMETRY)
        return true_asymmetry(&want->graph, err.message);
    if (want->fault == ORACLE_CYCLE)
        return true_cycle(&want->graph, err.message);
    char text[200];
    expected_text(want, text);
    return strcmp(text, err.message) == 0;
}

/* Where edges may stand in one direction or several times, that is no fault. */
static bool same_repairs(const cleave_repairs *got, const oracle_outcome *want, bool one_way)
{
    return got->self_loops == (one_way ? 0 : want->loops) &&
           got->duplicates == (one_way ? 0 : want->duplicates) &&
           got->one_way == (one_way ? 0 : want->one_way) && got->unequal == want->unequal &&
           got->counts == 0;
}

/* ---- Every rule --------------------------------------------------------------------- */

static clv_build_rules random_rules(clv_rng *rng, bool weighted)
{
    clv_build_rules rules = {.drop_loops = clv_rng_below(rng, 3) > 0,
                             .merge_duplicates = clv_rng_below(rng, 3) > 0,
                             .one_way = clv_rng_below(rng, 2) == 0,
                             .trust = clv_rng_below(rng, 8) == 0};
    /* PATTERN: no weights were given. */
    rules.symmetrise = (clv_symmetrise)clv_rng_below(rng, weighted ? 3 : 4);
    return rules;
}

static oracle_rows_rules oracle_rules_of(const clv_build_rules *rules, cleave_kind kind)
{
    static const oracle_how how[] = {
        [CLV_SYMMETRISE_REFUSE] = ORACLE_REFUSE,
        [CLV_SYMMETRISE_SUM] = ORACLE_SUM,
        [CLV_SYMMETRISE_MAX] = ORACLE_LARGER,
        [CLV_SYMMETRISE_PATTERN] = ORACLE_LARGER,
    };
    return (oracle_rows_rules){kind == CLEAVE_DAG,      rules->drop_loops,
                               rules->merge_duplicates, rules->trust,
                               how[rules->symmetrise],  rules->one_way};
}

static bool build_agrees(const input *in, cleave_kind kind, clv_build_rules rules,
                         oracle_outcome *want)
{
    static oracle_rows matrix;
    cleave_repairs repairs = {.size = sizeof repairs};
    oracle_rows_rules slow_rules = oracle_rules_of(&rules, kind);
    matrix_of(&matrix, in);
    oracle_rows_build(want, &matrix, &slow_rules);
    rules.repairs = &repairs;
    clv_rows rows = rows_of(in);
    clv_graph *g = (clv_graph *)&err;
    cleave_status status = clv_build_graph(&g, kind, &rows, &rules, NULL, &err);
    if (rows.xadj || rows.adj || rows.ewgt || status != expected_status(want->fault))
        return false;
    if (status != CLEAVE_OK)
        return g == NULL && err.status == status && true_complaint(want);
    /* A graph created with CLEAVE_TRUST may break the invariants of symmetry and order. */
    bool good = same_graph(g, &want->graph, in->weighted) &&
                same_repairs(&repairs, want, rules.one_way) && g->kind == kind &&
                (rules.trust || !sample_fault(g));
    clv_graph_free(g);
    return good;
}

static void test_random_rows(void)
{
    int seen[ORACLE_CYCLE + 1] = {0};
    for (uint64_t seed = 0; seed < 12000; seed++) {
        static input in;
        static oracle_outcome want;
        clv_rng rng = clv_rng_make(seed, 1, 0, 0);
        random_input(&in, &rng);
        cleave_kind kind = clv_rng_below(&rng, 3) == 0 ? CLEAVE_DAG : CLEAVE_UNDIRECTED;
        if (!build_agrees(&in, kind, random_rules(&rng, in.weighted), &want)) {
            fprintf(stderr, "seed %llu: \"%s\", expected fault %d of %d - %d\n",
                    (unsigned long long)seed, err.message, (int)want.fault, want.v, want.u);
            CHECK(!"as the oracle says");
            return;
        }
        seen[want.fault]++;
    }
    for (int fault = 0; fault <= ORACLE_CYCLE; fault++)
        CHECK(seen[fault] > 20); /* the inputs are good for something */
    CHECK_EQ(test_alloc_live(), 0);
}

/* ---- Streams of edges --------------------------------------------------------------- */

static int32_t backwards(const void *context, int32_t v)
{
    return *(const int32_t *)context - 1 - v;
}

/* Adds the input in pieces. */
static void stream_of(clv_edge_stream *stream, const input *in, clv_rng *rng)
{
    clv_edge_stream_init(stream, in->weighted);
    for (int64_t i = 0, now; i < in->count; i += now) {
        now = 1 + clv_rng_below(rng, (uint32_t)(in->count - i));
        CHECK(clv_edge_stream_add(stream, now, in->tail + i, in->head + i,
                                  in->weighted ? in->wgt + i : NULL));
    }
}

/* A stream put into rows in both directions is symmetric: the result must be that of the
 * oracle for the doubled list. */
static bool stream_agrees(const input *in, bool both, bool turn, clv_rng *rng)
{
    static oracle_rows matrix;
    static oracle_outcome want;
    oracle_rows_clear(&matrix, in->n, in->weighted);
    int32_t n = in->n;
    int64_t loops = 0;
    for (int i = 0; i < in->count; i++) {
        int t = turn ? n - 1 - in->tail[i] : in->tail[i];
        int h = turn ? n - 1 - in->head[i] : in->head[i];
        loops += t == h;
        if (t != h)
            oracle_rows_add(&matrix, t, h, in->wgt[i]);
        if (t != h && both)
            oracle_rows_add(&matrix, h, t, in->wgt[i]);
    }
    /* Edges that are put into both rows are there once: nothing is summed. */
    oracle_rows_rules slow = {.merge_duplicates = true,
                              .how = both ? ORACLE_LARGER : ORACLE_SUM};
    oracle_rows_build(&want, &matrix, &slow);
    clv_edge_stream stream;
    stream_of(&stream, in, rng);
    CHECK(stream.loops == loops && stream.count == in->count - loops);
    CHECK(stream.max_vertex < n);
    if (turn)
        clv_edge_stream_renumber(&stream, backwards, &n);
    clv_rows rows;
    if (clv_edge_stream_rows(&rows, &stream, n, both, &err) != CLEAVE_OK)
        return false;
    CHECK(stream.first == NULL && stream.count == 0 && rows.paired == both);
    clv_build_rules rules = {.symmetrise = CLV_SYMMETRISE_SUM, .merge_duplicates = true};
    clv_graph *g;
    cleave_status status = clv_build_graph(&g, CLEAVE_UNDIRECTED, &rows, &rules, NULL, &err);
    if (status != CLEAVE_OK)
        return status == expected_status(want.fault) && true_complaint(&want);
    bool good = want.fault == ORACLE_FINE && !sample_fault(g) &&
                same_graph(g, &want.graph, in->weighted);
    clv_graph_free(g);
    return good;
}

static void test_random_streams(void)
{
    for (uint64_t seed = 0; seed < 4000; seed++) {
        static input in;
        clv_rng rng = clv_rng_make(seed, 2, 0, 0);
        random_input(&in, &rng);
        bool both = clv_rng_below(&rng, 2), turn = clv_rng_below(&rng, 2);
        if (!stream_agrees(&in, both, turn, &rng)) {
            fprintf(stderr, "seed %llu: \"%s\"\n", (unsigned long long)seed, err.message);
            CHECK(!"as the oracle says");
            return;
        }
    }
    CHECK_EQ(test_alloc_live(), 0);
}

/* Blocks fill up at every place of a run: no edge is lost or doubled where they meet. */
static void long_stream(bool weighted, int32_t run)
{
    enum { edges = 100000 };
    clv_edge_stream stream;
    clv_edge_stream_init(&stream, weighted);
    for (int32_t i = 0; i < edges; i++) {
        int32_t tail = i / run, head = edges + i;
        CHECK(clv_edge_stream_add(&stream, 1, &tail, &head, &i));
    }
    CHECK_EQ(stream.count, edges);
    CHECK_EQ(stream.max_vertex, 2 * edges - 1);
    clv_rows rows;
    REQUIRE_OK(clv_edge_stream_rows(&rows, &stream, 2 * edges, true, &err));
    bool good = rows.xadj[2 * edges] == 2 * edges;
    for (int32_t i = 0; i < edges && good; i++) {
        int64_t there = rows.xadj[i / run] + i % run, back = rows.xadj[edges + i];
        good = rows.adj[there] == edges + i && rows.adj[back] == i / run;
        if (weighted)
            good = good && rows.ewgt[there] == i && rows.ewgt[back] == i;
    }
    CHECK(good);
    clv_rows_free(&rows);
}

static void test_long_streams(void)
{
    long_stream(false, 1);
    long_stream(false, 3);
    long_stream(false, 100000);
    long_stream(true, 1);
    long_stream(true, 2);
    long_stream(true, 100000);
    CHECK_EQ(test_alloc_live(), 0);
}

/* ---- The smallest ------------------------------------------------------------------- */

static void test_empty(void)
{
    static const cleave_kind kinds[] = {CLEAVE_UNDIRECTED, CLEAVE_DAG};
    for (int k = 0; k < 2; k++)
        for (int n = 0; n < 3; n++)
            for (int how = 0; how < 4; how++) {
                clv_edge_stream stream;
                clv_edge_stream_init(&stream, how == 1);
                clv_rows rows;
                REQUIRE_OK(clv_edge_stream_rows(&rows, &stream, n, how == 2, &err));
                clv_build_rules rules = {.symmetrise = (clv_symmetrise)how};
                clv_graph *g;
                REQUIRE_OK(clv_build_graph(&g, kinds[k], &rows, &rules, NULL, &err));
                CHECK(g->nvtx == n && g->narc == 0 && !sample_fault(g));
                CHECK(g->adj && g->xadj && g->pred && g->xpred);
                clv_graph_free(g);
            }
}

/* ---- Out of memory ------------------------------------------------------------------ */

static cleave_status call_stream(const void *context, cleave_error *e)
{
    const bool *weighted = context;
    clv_edge_stream stream;
    clv_edge_stream_init(&stream, *weighted);
    bool ok = true;
    for (int32_t i = 0; ok && i < 20000; i++) {
        int32_t head = i + 1;
        ok = clv_edge_stream_add(&stream, 1, &i, &head, &i);
    }
    clv_rows rows = {0};
    cleave_status status = ok ? clv_edge_stream_rows(&rows, &stream, 20001, true, e)
                              : clv_fail(e, CLEAVE_ENOMEM, "the stream");
    CHECK(status == CLEAVE_OK || !rows.xadj);
    clv_edge_stream_free(&stream);
    clv_rows_free(&rows);
    return status;
}

static void test_out_of_memory(void)
{
    static const bool no = false, yes = true;
    test_oom_call(call_stream, &no);
    test_oom_call(call_stream, &yes);
}

int main(void)
{
    RUN(test_random_rows);
    RUN(test_random_streams);
    RUN(test_long_streams);
    RUN(test_empty);
    RUN(test_out_of_memory);
    CHECK_EQ(test_alloc_live(), 0);
    return test_end();
}
