/* SPDX-License-Identifier: Apache-2.0 */
/* Schedules and costs as files: round trips, rejected files and their messages. */
#include "formats/schedule_file.h"

#include "formats/graph_fixture.h"
#include "schedule/schedule_fixture.h"

static cleave_error err;

/* ---- Text ----------------------------------------------------------------------------- */

/* "grow 3/3 2x2: 0@0.0 2@0.1 1@1.0" with rows, tasks, layers and threads, then task, layer,
 * thread; behind it " | 0:1 1:0" with row and share of each task.  Or the message. */
static const char *show_file(const char *path)
{
    static char shown[4096];
    clv_schedule *s;
    if (clv_schedule_read(&s, path, &err) != CLEAVE_OK) {
        CHECK(s == NULL);
        return fixture_message(&err);
    }
    char *to =
        shown + snprintf(shown, sizeof shown, "%s %d/%d %dx%d:", s->method, (int)s->nrows,
                         (int)s->ntasks, (int)s->layers, (int)s->threads);
    for (int32_t p = 0; p < s->ntasks; p++) {
        int32_t t = s->order[p];
        to += snprintf(to, 64, " %d@%d.%d", (int)t, (int)s->layer[t], (int)s->thread[t]);
    }
    if (s->row)
        to += snprintf(to, 8, " |");
    for (int32_t t = 0; s->row && t < s->ntasks; t++)
        to += snprintf(to, 64, " %d:%d", (int)s->row[t], (int)s->share[t]);
    clv_schedule_free(s);
    return shown;
}

static const char *show(const char *text)
{
    return show_file(test_file("s", text));
}

static void test_text(void)
{
    CHECK_STR(show("% cleave schedule 1 3 2 2\n0 0 0\n2 0 1\n1 1 0\n"),
              "given 3/3 2x2: 0@0.0 2@0.1 1@1.0");
    CHECK_STR(show("% cleave schedule 1 0 0 7\n"), "given 0/0 0x7:");
    CHECK_STR(show("% cleave schedule 1 0 0 1\n% rows 0"), "given 0/0 0x1: |");
    CHECK_STR(
        show("%  cleave\tschedule 1 2 1 4096\r\n\n% method my-own_1\n# c\n% x\n%\n1 0 7\n"
             "%rows 9\n 0 0 4095"),
        "my-own_1 2/2 1x4096: 1@0.7 0@0.4095");
    CHECK_STR(show("% cleave schedule 1 3 2 1\n1 0 0\n0 0 0\n2 1 0\n% rows 2\n0 0 0\n\n1 1 1\n"
                   "2 1 0\n"),
              "given 2/3 2x1: 1@0.0 0@0.0 2@1.0 | 0:0 1:1 1:0");
}

static void test_complaints(void)
{
    static const char first[] =
        "s:1: the first line is not \"% cleave schedule 1 N LAYERS THREADS\"";
    static const char method[] = "s:2: the method is not a name of at most 15 small letters, "
                                 "digits, - and _";
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", first},
        {"\n", first},
        {"0 1 2\n", first},
        {"% cleave order 1 2 x\n", first},
        {"% cleave", first},
        {"%cleave schedule 1 0 0 1\n", first},
        {"% cleave schedule", "s:1: the file ends before the version of the format"},
        {"% cleave schedule 2 1 1 1\n",
         "s:1: has version 2 of the format, this library reads version 1"},
        {"% cleave schedule 1\n", "s:1: the line ends before the number of vertices"},
        {"% cleave schedule 1 -1 0 1\n",
         "s:1: the number of vertices is -1, outside 0..2147483647"},
        {"% cleave schedule 1 3 4 1\n", "s:1: the number of layers is 4, outside 1..3"},
        {"% cleave schedule 1 3 0 1\n", "s:1: the number of layers is 0, outside 1..3"},
        {"% cleave schedule 1 3 1\n", "s:1: the line ends before the number of threads"},
        {"% cleave schedule 1 3 1 0\n", "s:1: the number of threads is 0, outside 1..4096"},
        {"% cleave schedule 1 3 1 4097\n",
         "s:1: the number of threads is 4097, outside 1..4096"},
        {"% cleave schedule 1 3 1 1 1\n", "s:1: unexpected text after the number of threads"},
        {"% cleave schedule 1 2000000 2000000 4096\n",
         "s:1: 2000000 layers of 4096 threads are too many for 2000000 vertices"},
        {"% cleave schedule 1 1 1 1\n",
         "s:2: the file ends after 0 vertices, but the first line says 1"},
        {"% cleave schedule 1 2 2 1\n0 0 0\n1 0 0\n",
         "s:4: the file ends after 1 layers, but the first line says 2"},
        {"% cleave schedule 1 1 1 1\n0 0 0\n\n0 0 0\n",
         "s:4: more lines than the 1 vertices of the first line"},
        {"% cleave schedule 1 0 0 1\n0 0 0\n",
         "s:2: more lines than the 0 vertices of the first line"},
        {"% cleave schedule 1 2 1 1\n0 0 0\n# c\n0 0 0\n", "s:4: vertex 0 is executed twice"},
        {"% cleave schedule 1 2 1 1\n0 0 0\n2 0 0\n", "s:3: a vertex is 2, outside 0..1"},
        {"% cleave schedule 1 2 1 1\n0 1 0\n", "s:2: the layer is 1, outside 0..0"},
        {"% cleave schedule 1 2 1 1\n0 0 1\n", "s:2: the thread is 1, outside 0..0"},
        {"% cleave schedule 1 2 1 1\n0 x 1\n", "s:2: the layer is \"x\", not a whole number"},
        {"% cleave schedule 1 2 1 1\n0 0\n", "s:2: the line ends before the thread"},
        {"% cleave schedule 1 2 1 1\n0 0 0 0\n", "s:2: unexpected text after the thread"},
        {"% cleave schedule 1 2 2 1\n0 1 0\n1 0 0\n", "s:2: layer 0 has no vertices"},
        {"% cleave schedule 1 3 3 1\n0 0 0\n1 2 0\n", "s:3: layer 1 has no vertices"},
        {"% cleave schedule 1 3 2 1\n0 0 0\n1 1 0\n2 0 0\n",
         "s:4: layer 0 comes after layer 1"},
        {"% cleave schedule 1 2 1 2\n0 0 1\n1 0 0\n",
         "s:3: thread 0 comes after thread 1 in layer 0"},
        {"% cleave schedule 1 0 0 1\n% method\n", "s:2: the name of the method is missing"},
        {"% cleave schedule 1 0 0 1\n% method Y\n", method},
        {"% cleave schedule 1 0 0 1\n% method abcdefghijklmnop\n", method},
        {"% cleave schedule 1 0 0 1\n% method a b\n", "s:2: unexpected text after the method"},
        {"% cleave schedule 1 1 1 1\n0 0 0\n% rows 2\n",
         "s:3: the number of rows is 2, outside 1..1"},
        {"% cleave schedule 1 1 1 1\n0 0 0\n% rows\n",
         "s:3: the line ends before the number of rows"},
        {"% cleave schedule 1 1 1 1\n0 0 0\n% rows 1 1\n",
         "s:3: unexpected text after the number of rows"},
        {"% cleave schedule 1 1 1 1\n0 0 0\n% rows 1\n% rows 1\n",
         "s:4: a second table of rows"},
        {"% cleave schedule 1 1 1 1\n0 0 0\n% rows 1\n",
         "s:4: the file ends after the rows of 0 tasks, but the first line says 1"},
        {"% cleave schedule 1 1 1 1\n% rows 1\n0 0 0\n",
         "s:4: the file ends after 0 vertices, but the first line says 1"},
        {"% cleave schedule 1 1 1 1\n0 0 0\n% rows 1\n0 0 0\n1 0 0\n",
         "s:5: more lines than the 1 tasks of the first line"},
        {"% cleave schedule 1 1 1 1\n0 0 0\n% rows 1\n1 0 0\n",
         "s:4: a task is 1, outside 0..0"},
        {"% cleave schedule 1 1 1 1\n0 0 0\n% rows 1\n0 1 0\n",
         "s:4: the row is 1, outside 0..0"},
        {"% cleave schedule 1 1 1 1\n0 0 0\n% rows 1\n0 0 -1\n",
         "s:4: the number of predecessors is -1, outside 0..2147483647"},
        {"% cleave schedule 1 1 1 1\n0 0 0\n% rows 1\n0 0 0 0\n",
         "s:4: unexpected text after the number of predecessors"},
        {"% cleave schedule 1 2 1 1\n0 0 0\n1 0 0\n% rows 2\n0 1 0\n",
         "s:5: row 1 comes after row -1"},
        {"% cleave schedule 1 2 1 1\n0 0 0\n1 0 0\n% rows 2\n0 0 0\n1 0 0\n",
         "s:7: the file ends after 1 rows, but there are to be 2"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK_STR(show(bad[i].text), bad[i].message);
        CHECK_EQ(err.status, CLEAVE_EPARSE);
    }
    clv_schedule *s;
    CHECK_EQ(clv_schedule_read(&s, fixture_path("none"), &err), CLEAVE_EIO);
    CHECK(s == NULL);
}

/* ---- Round trips ---------------------------------------------------------------------- */

static void check_same(const clv_schedule *a, const clv_schedule *b)
{
    size_t n = (size_t)a->ntasks * sizeof *a->order;
    REQUIRE(b && b->ntasks == a->ntasks && b->nrows == a->nrows && b->layers == a->layers &&
            b->threads == a->threads);
    CHECK_STR(b->method, a->method);
    CHECK(memcmp(a->order, b->order, n) == 0 && memcmp(a->layer, b->layer, n) == 0);
    CHECK(memcmp(a->thread, b->thread, n) == 0);
    CHECK(memcmp(a->block, b->block,
                 ((size_t)a->layers * (size_t)a->threads + 1) * sizeof *a->block) == 0);
    REQUIRE((a->row != NULL) == (b->row != NULL));
    CHECK(!a->row || (memcmp(a->row, b->row, n) == 0 && memcmp(a->share, b->share, n) == 0));
}

static void test_round_trips(void)
{
    static const char *const names[] = {"w.schedule", "w.gz"};
    for (uint64_t seed = 0; seed < 120; seed += TEST_STRIDE) {
        clv_graph *g = fixture_dag(seed, 60);
        clv_rng rng = clv_rng_make(seed, 4, 0, 0);
        int32_t layer[64], thread[64], row[64], share[64];
        clv_ws ws = {0};
        clv_schedule *s, *back = NULL;
        const char *path = fixture_path(names[clv_hash64(seed + 3) % 2]);
        fixture_schedule(g, 5, &rng, layer, thread);
        REQUIRE_OK(clv_schedule_new(
            &s, g,
            &(clv_schedule_spec){
                .method = "grow", .threads = 5, .layer = layer, .thread = thread},
            &ws, &err));
        if (clv_hash64(seed + 5) % 4 == 3 && s->ntasks > 0) { /* pairs of tasks are a row */
            for (int32_t t = 0; t < s->ntasks; t++) {
                row[t] = t / 2;
                share[t] = t % 3;
            }
            s->row = row;
            s->share = share;
            s->nrows = (s->ntasks + 1) / 2;
        }
        CHECK_OK(clv_schedule_write(s, path, &err));
        CHECK_OK(clv_schedule_read(&back, path, &err));
        check_same(s, back);
        clv_schedule_free(back);
        clv_schedule_free(s);
        clv_ws_free(&ws);
        clv_graph_free(g);
    }
}

/* ---- Costs ---------------------------------------------------------------------------- */

static const char *show_costs(const char *text)
{
    static char shown[100];
    cleave_schedule_costs costs = {.sync = 500, .read = 0};
    if (clv_costs_read(&costs, test_file("c", text), &err) != CLEAVE_OK) {
        CHECK(costs.sync == 500 && costs.read == 0);
        return fixture_message(&err);
    }
    snprintf(shown, sizeof shown, "%g %g", costs.sync, costs.read);
    return shown;
}

static void test_costs(void)
{
    CHECK_STR(show_costs("sync 480\nread 1.5\n"), "480 1.5");
    CHECK_STR(show_costs("# c\n%\n\n read\t0.25\r\n"), "500 0.25");
    CHECK_STR(show_costs("sync 1e3"), "1000 0");
    CHECK_STR(show_costs(""), "c:1: has neither a line \"sync\" nor a line \"read\"");
    CHECK_STR(show_costs("sync\n"), "c:1: the line ends before the cost of a synchronisation");
    CHECK_STR(show_costs("sync 1\nread x\n"),
              "c:2: the cost of a read is \"x\", not a number");
    CHECK_STR(show_costs("sync -1\n"),
              "c:1: the cost of a synchronisation is not a number >= 0");
    CHECK_STR(show_costs("read inf\n"), "c:1: the cost of a read is not a number >= 0");
    CHECK_STR(show_costs("read nan\n"), "c:1: the cost of a read is not a number >= 0");
    CHECK_STR(show_costs("sync 1 2\n"),
              "c:1: unexpected text after the cost of a synchronisation");
    CHECK_STR(show_costs("sync 1\nsync 1\n"), "c:2: a second line \"sync\"");
    CHECK_STR(show_costs("sink 1\n"),
              "c:1: the line begins neither with \"sync\" nor with \"read\"");
    cleave_schedule_costs costs = {.sync = 0.1, .read = 1e-9}, back = {0};
    CHECK_OK(clv_costs_write(&costs, fixture_path("w.costs"), &err));
    CHECK_OK(clv_costs_read(&back, fixture_path("w.costs"), &err));
    CHECK(back.sync == costs.sync && back.read == costs.read);
}

/* ---- Memory --------------------------------------------------------------------------- */

static void test_out_of_memory(void)
{
    static const char text[] = "% cleave schedule 1 3 2 1\n1 0 0\n0 0 0\n2 1 0\n% rows 2\n"
                               "0 0 0\n1 1 1\n2 1 0\n";
    static const char *const texts[] = {text, "% cleave schedule 1 0 0 1\n% rows 0\n"};
    for (int i = 0; i < 2; i++) {
        const char *path = test_file("m", texts[i]);
        for (test_oom_rounds oom = {0}; test_oom_next(&oom);) {
            clv_schedule *s = (clv_schedule *)&err;
            TEST_OOM(&oom, clv_schedule_read(&s, path, &err));
            CHECK((s == NULL) == oom.reached);
            clv_schedule_free(s);
        }
    }
}

int main(void)
{
    RUN(test_text);
    RUN(test_complaints);
    RUN(test_round_trips);
    RUN(test_costs);
    RUN(test_out_of_memory);
    return test_end();
}
