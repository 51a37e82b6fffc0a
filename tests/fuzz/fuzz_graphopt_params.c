/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of method graphopt, through the options of a schedule.  First character: number
 * of threads; second: which DAG. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz_common.h"

enum { longest = 2000, most_digits = 3 };

/* More steps of the solver than can be waited for are valid, but not for here. */
static bool takes_long(const char *text)
{
    const char *effort = strstr(text, "effort=");
    return effort && strspn(effort + 7, "0123456789") > most_digits;
}

static cleave_graph *make_dag(int which)
{
    static const char *const specs[] = {"stencil:5:5", "layered:12:4:3", "stencil:1:9"};
    cleave_error err = {.status = CLEAVE_OK};
    cleave_graph *g;
    FUZZ_CHECK_OK(cleave_graph_generate(&g, specs[which], NULL, &err), err);
    return g;
}

FUZZ_TARGET(graphopt_params)
{
    static const int32_t threads[] = {2, 1, 3, 8};
    cleave_schedule_options opt;
    cleave_error err = {.status = CLEAVE_OK};
    cleave_schedule *s;
    char text[longest + 1];
    size_t size = in->size < longest ? in->size : longest;
    memcpy(text, in->bytes, size);
    text[size] = '\0';
    text[strcspn(text, "\n")] = '\0';
    if (takes_long(text))
        return;
    cleave_schedule_options_init(&opt, sizeof opt);
    opt.method = "graphopt";
    opt.params = text;
    opt.workers = 1;
    opt.threads = threads[fuzz_choose(in, 0, 4)];
    cleave_graph *g = make_dag(fuzz_choose(in, 1, 3));
    cleave_status status = cleave_schedule_build(&s, g, &opt, &err);
    if (status == CLEAVE_OK) {
        FUZZ_CHECK_OK(cleave_schedule_check(s, g, &err), err);
        FUZZ_CHECK(cleave_schedule_tasks(s) > 0);
    } else {
        FUZZ_CHECK(status == CLEAVE_EINVAL && s == NULL);
        FUZZ_CHECK(err.status == status && strlen(err.message) > 10);
    }
    cleave_schedule_free(s);
    cleave_graph_free(g);
}
