/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of cleave_map at the same time, on shared graphs and with teams of their own, give
 * what they give one after the other.  To be run under ThreadSanitizer as well. */
#include <pthread.h>
#include <stdatomic.h>

#include "engine/map_fixture.h"
#include "support/test.h"

enum { ncallers = 6, nwork = 12, most = 40000 };

static asked work[nwork];
static int32_t *expected[nwork];
static cleave_status expected_status[nwork];
static int32_t fixed[most], groups[most];
static atomic_int wrong[nwork];

static void make_work(void)
{
    static const char *const graphs[nwork] = {
        "grid2d:30x30",
        "rgg:900:8",
        "rmat:9:6",
        "star:300",
        "pieces:600",
        "clique:60",
        "rgg:700:9 vwgt ewgt",
        "tree:600:random",
        "grid2d:20x20 two",
        "path:500",
        "rgg:24000:7",
        "grid2d:70x70",
    };
    for (int32_t v = 0; v < most; v++) {
        groups[v] = v % 7 ? -1 : v / 14;
        fixed[v] = groups[v] < 0 && v % 31 == 0 ? v / 31 % 3 : -1;
    }
    for (int i = 0; i < nwork; i++) {
        asked *a = &work[i];
        ask(a, graphs[i], 3 + i % 5, (cleave_effort)(i % 3));
        a->c.fixed = i % 3 == 1 ? fixed : NULL;
        a->c.groups = i % 4 == 2 ? groups : NULL;
        a->c.connected = i % 5 == 4;
        a->opt.objective = i % 6 == 5 ? CLEAVE_OBJECTIVE_VOLUME : CLEAVE_OBJECTIVE_CUT;
        cleave_mapping *m = NULL;
        expected_status[i] = ask_map(a, &m);
        REQUIRE(m);
        expected[i] = malloc((size_t)a->n * sizeof **expected);
        memcpy(expected[i], cleave_mapping_parts(m), (size_t)a->n * sizeof **expected);
        cleave_mapping_free(m);
    }
}

/* Everyone does all the work, each beginning elsewhere; some have teams. */
static void *caller(void *argument)
{
    int member = (int)(intptr_t)argument;
    for (int i = 0; i < nwork; i++) {
        int which = (i + 2 * member) % nwork;
        asked mine = work[which]; /* its own options, report and message */
        cleave_mapping *m = NULL;
        mine.opt.threads = 1 + member % 3;
        cleave_status status = ask_map(&mine, &m);
        if (status != expected_status[which] || !m ||
            memcmp(cleave_mapping_parts(m), expected[which],
                   (size_t)mine.n * sizeof **expected) != 0)
            atomic_fetch_add(&wrong[which], 1);
        cleave_mapping_free(m);
    }
    return NULL;
}

static void test_concurrent(void)
{
    pthread_t threads[ncallers];
    make_work();
    for (int i = 0; i < ncallers; i++)
        REQUIRE(pthread_create(&threads[i], NULL, caller, (void *)(intptr_t)i) == 0);
    for (int i = 0; i < ncallers; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < nwork; i++) {
        CHECK_EQ(atomic_load(&wrong[i]), 0);
        if (atomic_load(&wrong[i]))
            fprintf(stderr, "  %s\n", work[i].name);
        asked_free(&work[i]);
        free(expected[i]);
    }
}

int main(void)
{
    RUN(test_concurrent);
    return test_end();
}
