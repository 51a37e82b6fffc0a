/* SPDX-License-Identifier: Apache-2.0 */
/* schedule/graphopt_split.c, graphopt_model.c and graphopt_balance.c, step by step: components
 * get threads in proportion to their weight, small ones follow their predecessors, and so do
 * the sides of a two-way model; threads are halved again while they differ too much. */
#include "schedule/graphopt.h"
#include "support/test.h"

enum { most_step = 160, step_threads = 5 };

/* A set at hand of vertices 0..count-1, and earlier vertices, by number from `count` on, whose
 * threads are given. */
typedef struct step {
    clv_graphopt_params params;
    clv_context ctx;
    clv_graphopt s;
    int64_t xpred[most_step + 1], load[step_threads], votes[step_threads];
    int32_t pred[most_step], weight[most_step], done[most_step], part[most_step];
    int32_t local[most_step], vertices[most_step], side[most_step];
    clv_vertex_set set;
    int32_t most; /* vertices of the largest model that the caller's solver saw */
    int32_t asked;
} step;

static void step_open(step *t, int32_t threads)
{
    cleave_error err = {0};
    *t = (step){.params = clv_graphopt_defaults()};
    CHECK_OK(clv_context_open(&t->ctx, 1, 1, &err));
    for (int32_t v = 0; v < most_step; v++) {
        t->weight[v] = 1;
        t->done[v] = t->part[v] = t->local[v] = -1;
        t->vertices[v] = v;
    }
    t->s = (clv_graphopt){.params = &t->params,
                          .ctx = &t->ctx,
                          .nvtx = most_step,
                          .threads = threads,
                          .xpred = t->xpred,
                          .pred = t->pred,
                          .weight = t->weight,
                          .thread = t->done,
                          .part = t->part,
                          .load = t->load,
                          .local = t->local,
                          .votes = t->votes,
                          .mapped = 1};
    t->set = (clv_vertex_set){t->vertices, 0};
}

/* A vertex more, with predecessors first .. first + count - 1. */
static void step_add(step *t, int32_t first, int32_t count)
{
    int32_t v = t->set.count++;
    int64_t at = t->xpred[v];
    for (int32_t i = 0; i < count; i++)
        t->pred[at++] = first + i;
    t->xpred[v + 1] = at;
}

/* A component of so many sources and a vertex that reads them all, each of that weight. */
static void step_fan(step *t, int32_t sources, int32_t weight)
{
    int32_t first = t->set.count;
    for (int32_t i = 0; i <= sources; i++) {
        t->weight[t->set.count] = weight;
        step_add(t, first, i == sources ? sources : 0);
    }
}

/* Sees how large a model is, and leaves it to the library. */
static int look(void *payload, const char *model, const char *data, int32_t count,
                int32_t *part)
{
    step *t = payload;
    (void)model;
    (void)data;
    (void)part;
    t->most = count > t->most ? count : t->most;
    t->asked++;
    return 1;
}

/* Puts all on one side, which is a solution. */
static int heap_up(void *payload, const char *model, const char *data, int32_t count,
                   int32_t *part)
{
    look(payload, model, data, count, part);
    for (int32_t v = 0; v < count; v++)
        part[v] = 1;
    return 0;
}

/* M1 and S2 for all threads. */
static void step_split(step *t)
{
    cleave_error err = {0};
    clv_thread_range range = {0, t->s.threads};
    for (int32_t v = t->set.count; v < most_step; v++)
        t->xpred[v + 1] = t->xpred[v];
    t->params.solver = look;
    t->params.solver_payload = t;
    CHECK_OK(clv_graphopt_split(&t->s, t->set, range, &err));
}

/* Vertices of two threads' predecessors, in turn: the model counts arcs that cross, and so
 * each vertex goes to the side of its predecessor. */
static void test_communication(void)
{
    enum { n = 12 };
    static step t;
    cleave_error err = {0};
    step_open(&t, 2);
    t.params.effort = 100000; /* enough for the optimum, and there is but one */
    for (int32_t v = 0; v < n; v++) {
        t.done[n + v] = v / 3 % 2;
        step_add(&t, n + v, 1);
    }
    CHECK_OK(clv_graphopt_two_way(&t.s, t.set, (clv_thread_range){0, 1},
                                  (clv_thread_range){1, 1}, t.side, &err));
    for (int32_t v = 0; v < n; v++)
        CHECK_EQ(t.side[v], t.done[n + v] + 1);
    clv_context_close(&t.ctx);
}

/* The first 30 vertices are on three threads, the others on two, and none has nothing. */
static void check_three_and_two(const step *t)
{
    int32_t used[step_threads] = {0};
    for (int32_t v = 0; v < t->set.count; v++)
        if (t->part[v] >= 0) {
            CHECK_EQ(t->part[v] < 3, v < 30);
            used[t->part[v]]++;
        }
    for (int32_t i = 0; i < 5; i++)
        CHECK(used[i] > 0);
}

/* Two components of weight 3 : 2 for five threads, the heavier one with fewer vertices: three
 * threads and two, and no model has vertices of both. */
static void test_components(void)
{
    static step t;
    step_open(&t, 5);
    step_fan(&t, 29, 6);
    step_fan(&t, 59, 2);
    step_split(&t);
    CHECK_EQ(t.most, 60);
    check_three_and_two(&t);
    clv_context_close(&t.ctx);
}

/* Two equal components for five threads: what the floor leaves goes to the first. */
static void test_components_rest(void)
{
    static step t;
    step_open(&t, 5);
    step_fan(&t, 29, 2);
    step_fan(&t, 29, 2);
    step_split(&t);
    check_three_and_two(&t);
    clv_context_close(&t.ctx);
}

/* Small components go to the threads of their predecessors as long as these have room, and
 * so does a set for one thread. */
static void test_small_components(void)
{
    static step t;
    for (int32_t crowd = 0; crowd < 2; crowd++) {
        step_open(&t, 5);
        for (int32_t v = 0; v < 50; v++) {
            t.done[50 + v] = crowd ? 4 : v / 10;
            step_add(&t, 50 + v, 1);
        }
        step_split(&t);
        for (int32_t v = 0; v < 50; v++)
            CHECK(crowd || t.part[v] == v / 10);
        for (int32_t i = 0; i < 5; i++)
            CHECK_EQ(t.load[i], 10);
        clv_context_close(&t.ctx);
    }
    step_open(&t, 5);
    step_add(&t, 50, 1);
    t.done[50] = 3;
    step_split(&t);
    CHECK_EQ(t.part[0], 3);
    clv_context_close(&t.ctx);
}

/* Ten vertices of 100 on thread 0, and ten of which the last weighs less on thread 1. */
static void step_balance(step *t, int32_t last, int32_t margin, cleave_two_way_fn solver)
{
    cleave_error err = {0};
    step_open(t, 2);
    for (int32_t v = 0; v < 20; v++) {
        step_add(t, 0, 0);
        t->weight[v] = v == 19 ? last : 100;
        t->part[v] = v >= 10;
        t->load[v >= 10] += t->weight[v];
    }
    t->params.margin = margin;
    t->params.solver = solver;
    t->params.solver_payload = t;
    CHECK_OK(clv_graphopt_balance(&t->s, t->set, (clv_thread_range){0, 2}, &err));
    clv_context_close(&t->ctx);
}

/* Threads of 1000 and 960 are equal enough within 5 %, but not within 1 %; and a solution that
 * makes the smaller one smaller is left alone. */
static void test_balance(void)
{
    static step t;
    step_balance(&t, 60, 5, look);
    CHECK_EQ(t.asked, 0);
    step_balance(&t, 60, 1, look);
    CHECK(t.asked > 0);
    step_balance(&t, 0, 5, heap_up);
    CHECK(t.asked > 0);
    for (int32_t v = 0; v < 20; v++)
        CHECK_EQ(t.part[v], v >= 10);
    CHECK(t.load[0] == 1000 && t.load[1] == 900);
}

int main(void)
{
    RUN(test_communication);
    RUN(test_components);
    RUN(test_components_rest);
    RUN(test_small_components);
    RUN(test_balance);
    return test_end();
}
