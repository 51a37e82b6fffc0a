/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/two_way_text.c: input and output of MiniZinc, solvers of the caller, failing
 * allocations of the whole solver. */
#include "graph/sample.h"
#include "schedule/two_way_fixture.h"

static cleave_error err;

/* ---- Data ------------------------------------------------------------------------------- */

static void test_figure_6(void)
{
    static const char expected[] =
        "w_s = 10;\nw_c = 1;\nn_V = 9;\nmax_node_w = 1;\n"
        "node_w = [ 1, 1, 1, 1, 1, 1, 1, 1, 1 ];\n"
        "n_E = 8;\nE = array2d(1..n_E, 1..2, [ 1, 5, 2, 5, 3, 6, 4, 6, 5, 7, 6, 8, 7, 9, 8, "
        "9 ]);\n"
        "n_Vin = 2;\nPARTin = [ 1, 2 ];\n"
        "n_Ein = 9;\nEin = array2d(1..n_Ein, 1..2, [ 1, 1, 1, 4, 1, 7, 1, 1, 1, 2, 1, 8, 2, "
        "2, 2, 8, 2, 4 ]);\n";
    two_way_fixture f;
    clv_arena arena = {0};
    char *text = NULL;
    two_way_figure_6(&f);
    CHECK_OK(clv_two_way_data_text(&f.model, &arena, &text, &err));
    CHECK_STR(text, expected);
    clv_arena_free(&arena);
    two_way_free(&f);
}

/* The next number in the text behind the word. */
static long long number_behind(const char **text, const char *word)
{
    const char *at = strstr(*text, word);
    char *end = NULL;
    if (!at)
        return -1;
    at += strlen(word);
    long long value = strtoll(at + strspn(at, ", \n["), &end, 10);
    *text = end;
    return value;
}

/* Lists that go over many lines, and numbers of all lengths: read back. */
static void test_long(void)
{
    two_way_options o = {
        .shape = TWO_WAY_LOCAL, .nvtx = 900, .weight = 8, .narrivals = 700, .ws = 10, .wc = 1};
    two_way_fixture f;
    clv_arena arena = {0};
    char *text = NULL;
    two_way_make(&f, &o);
    f.model.ws = INT32_MAX;
    REQUIRE_OK(clv_two_way_data_text(&f.model, &arena, &text, &err));
    const char *p = text;
    CHECK_EQ(number_behind(&p, "w_s ="), INT32_MAX);
    CHECK_EQ(number_behind(&p, "w_c ="), 1);
    CHECK_EQ(number_behind(&p, "n_V ="), o.nvtx);
    CHECK_EQ(number_behind(&p, "max_node_w ="), 8);
    p = strstr(p, "node_w = [");
    for (int32_t v = 0; v < o.nvtx && p; v++)
        CHECK_EQ(number_behind(&p, v == 0 ? "[" : ","), f.g->vwgt[v]);
    CHECK_EQ(number_behind(&p, "n_E ="), f.g->narc);
    p = strstr(p, "1..2, [");
    for (int32_t v = 0; v < o.nvtx && p; v++)
        for (int64_t a = f.g->xadj[v]; a < f.g->xadj[v + 1] && p; a++) {
            CHECK_EQ(number_behind(&p, a == 0 ? "[" : ","), v + 1);
            CHECK_EQ(number_behind(&p, ","), f.g->adj[a] + 1);
        }
    CHECK_EQ(number_behind(&p, "n_Ein ="), o.narrivals);
    p = strstr(p, "1..2, [");
    for (int32_t a = 0; a < o.narrivals && p; a++) {
        CHECK_EQ(number_behind(&p, a == 0 ? "[" : ","), f.from[a]);
        CHECK_EQ(number_behind(&p, ","), f.to[a] + 1);
    }
    CHECK(p && strcmp(p, " ]);\n") == 0);
    clv_arena_free(&arena);
    two_way_free(&f);
}

/* Every name that the model declares is in the data. */
static void test_names(void)
{
    static const char *const names[] = {"w_s",    "w_c",   "n_V", "max_node_w",
                                        "node_w", "n_E",   "E",   "n_Vin",
                                        "PARTin", "n_Ein", "Ein"};
    const char *model = clv_two_way_model_text();
    two_way_fixture f;
    clv_arena arena = {0};
    char *text = NULL, line[64];
    two_way_figure_6(&f);
    REQUIRE_OK(clv_two_way_data_text(&f.model, &arena, &text, &err));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(line, sizeof line, ": %s;\n", names[i]);
        CHECK(strstr(model, line));
        snprintf(line, sizeof line, "\n%s = ", names[i]);
        CHECK(strstr(text, line + (i == 0)));
    }
    clv_arena_free(&arena);
    two_way_free(&f);
}

/* ---- Answers ---------------------------------------------------------------------------- */

static void test_answers(void)
{
    static const struct {
        const char *text;
        int32_t count;
        int proved;
        const char *said; /* NULL: the parts are 0, 1, 2 from the beginning */
    } cases[] = {
        {"PART = [0, 1, 2];\n----------\n==========\n", 3, 1, NULL},
        {"PART = [0, 1, 2];\n----------\n", 3, 0, NULL},
        {"PART = [0, 1, 2];\r\n----------\r\n==========\r\n", 3, 1, NULL},
        {"% a comment\nPART = [1];\n----------\nPART = [0,1 , 2 ];\n----------\n", 3, 0, NULL},
        {"PART = [0, 1, 2];\n----------\nPART = [0, 1", 3, 0, NULL},
        {"PART = [0, 1, 2];\n----------\nPART = [0, 1, 1];\n", 3, 0, NULL},
        {"PART = [0,\n 1,\n 2\n];\n----------\n", 3, 0, NULL},
        {"PART = [];\n----------\n==========\n", 0, 1, NULL},
        {"", 3, 0, "answer:1: the solver has found no solution"},
        {"=====UNKNOWN=====\n", 3, 0, "answer:2: the solver has found no solution"},
        {"PART = [0, 1, 2];\n", 3, 0, "answer:2: the solver has found no solution"},
        {"----------\nPART = [0, 1, 2];\n", 3, 0,
         "answer:3: the solver has found no solution"},
        {"==========\n", 3, 0, "answer:2: the solver has found no solution"},
        {"PART = [0, 1];\n----------\n", 3, 0,
         "answer:1: PART must be 3 numbers, each 0, 1 or 2"},
        {"PART = [0, 1, 2, 0];\n----------\n", 3, 0,
         "answer:1: PART must be 3 numbers, each 0, 1 or 2"},
        {"PART = [0,\n 1, 3];\n----------\n", 3, 0,
         "answer:2: PART must be 3 numbers, each 0, 1 or 2"},
        {"PART = [0, -1, 2];\n----------\n", 3, 0,
         "answer:1: PART must be 3 numbers, each 0, 1 or 2"},
        {"PART = [0, 99999999999999999999, 2];\n----------\n", 3, 0,
         "answer:1: PART must be 3 numbers, each 0, 1 or 2"},
        {"PART = [0; 1; 2];\n----------\n", 3, 0,
         "answer:1: PART must be 3 numbers, each 0, 1 or 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int32_t part[4] = {-1, -1, -1, -1};
        int proved = -1;
        cleave_status status =
            cleave_two_way_answer(part, cases[i].count, cases[i].text, &proved, &err);
        CHECK_EQ(status, cases[i].said ? CLEAVE_EPARSE : CLEAVE_OK);
        CHECK_EQ(proved, cases[i].proved);
        for (int32_t v = 0; v < cases[i].count && !cases[i].said; v++)
            CHECK_EQ(part[v], v);
        if (cases[i].said)
            CHECK_STR(err.message, cases[i].said);
    }
}

static void test_arguments(void)
{
    int32_t part[1];
    CHECK_EQ(cleave_two_way_answer(NULL, 1, "", NULL, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "part is NULL");
    CHECK_EQ(cleave_two_way_answer(part, 1, NULL, NULL, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "text is NULL");
    CHECK_EQ(cleave_two_way_answer(part, -1, "", NULL, &err), CLEAVE_EINVAL);
    CHECK_STR(err.message, "count is -1");
    CHECK_OK(cleave_two_way_answer(part, 1, "PART = [2];\n----------\n", NULL, &err));
    CHECK_EQ(part[0], 2);
}

/* ---- Solvers of the caller's ------------------------------------------------------------ */

typedef struct pretender {
    int answer, calls;
    const int32_t *part;
    bool texts; /* were right */
} pretender;

static int pretend(void *payload, const char *model, const char *data, int32_t count,
                   int32_t *part)
{
    pretender *p = payload;
    p->calls++;
    p->texts = strcmp(model, clv_two_way_model_text()) == 0 && strstr(data, "n_V = 9;\n");
    for (int32_t v = 0; v < count; v++)
        part[v] = p->part[v];
    return p->answer;
}

static void test_call(void)
{
    static const int32_t good[] = {1, 0, 2, 2, 0, 2, 0, 0, 0},
                         mixed[] = {1, 2, 1, 1, 1, 0, 0, 0, 0},
                         skipped[] = {1, 1, 2, 2, 0, 2, 1, 0, 0},
                         unknown[] = {0, 0, 0, 3, 0, 0, 0, 0, 0};
    static const struct {
        const int32_t *part;
        int answer;
        cleave_status status;
        const char *said;
        int64_t objective;
    } cases[] = {
        {good, 0, CLEAVE_OK, NULL, 9},
        {good, 1, CLEAVE_OK, NULL, 37},
        {unknown, 1, CLEAVE_OK, NULL, 37},
        {good, -1, CLEAVE_EIO, "the solver of the two-way model failed", 0},
        {mixed, 0, CLEAVE_EINVAL,
         "the solver puts vertex 1 in part 2 and vertex 4, which needs it, in part 1", 0},
        {skipped, 0, CLEAVE_EINVAL,
         "the solver puts vertex 4 in part 0 and vertex 6, which needs it, in part 1", 0},
        {unknown, 0, CLEAVE_EINVAL, "the solver puts vertex 3 in part 3", 0},
    };
    two_way_fixture f;
    clv_context ctx;
    two_way_figure_6(&f);
    two_way_open(&ctx, 1, 1, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pretender p = {.answer = cases[i].answer, .part = cases[i].part};
        int32_t part[9];
        clv_two_way_result result = {0};
        CHECK_EQ(clv_two_way_call(&f.model, (clv_two_way_solver){pretend, &p}, &ctx, part,
                                  &result, &err),
                 cases[i].status);
        CHECK(p.calls == 1 && p.texts);
        if (cases[i].said)
            CHECK_STR(err.message, cases[i].said);
        else
            CHECK_EQ(result.objective, cases[i].objective);
        CHECK_EQ(result.proved, cases[i].answer > 0);
    }
    int32_t part[9];
    clv_two_way_result result = {0};
    CHECK_OK(clv_two_way_call(&f.model, (clv_two_way_solver){NULL, NULL}, &ctx, part, &result,
                              &err));
    CHECK(result.objective == 37 && result.proved);
    clv_context_close(&ctx);
    two_way_free(&f);
}

/* ---- Memory ----------------------------------------------------------------------------- */

static cleave_status call_solver(const void *context, cleave_error *error)
{
    const clv_two_way *model = context;
    static int32_t parts[200];
    pretender p = {.answer = 1, .part = parts};
    clv_ws ws = {0};
    atomic_int stopped = 0;
    clv_context ctx = {.ws = &ws, .seed = 1, .stopped = &stopped};
    static int32_t part[200];
    clv_two_way_result result;
    cleave_status status =
        clv_two_way_call(model, (clv_two_way_solver){pretend, &p}, &ctx, part, &result, error);
    clv_ws_free(&ws);
    return status;
}

static void test_out_of_memory(void)
{
    for (int32_t nvtx = 10; nvtx <= 200; nvtx += 95) {
        two_way_options o = {.shape = TWO_WAY_GRID,
                             .nvtx = nvtx,
                             .narrivals = nvtx,
                             .ws = 10,
                             .wc = 1,
                             .seed = 4};
        two_way_fixture f;
        two_way_make(&f, &o);
        f.model.steps = 20000;
        test_oom_call(call_solver, &f.model);
        two_way_free(&f);
    }
}

int main(void)
{
    RUN(test_figure_6);
    RUN(test_long);
    RUN(test_names);
    RUN(test_answers);
    RUN(test_arguments);
    RUN(test_call);
    RUN(test_out_of_memory);
    return test_end();
}
