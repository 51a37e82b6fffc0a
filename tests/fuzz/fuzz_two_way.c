/* SPDX-License-Identifier: Apache-2.0 */
/* Answers of solvers of the two-way model.  First character: expected number of vertices;
 * second: the text has no terminating zero byte. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz_common.h"
#include "schedule/two_way.h"

enum { guard = 77 };

/* The label of the last complete solution, by counting brackets and lines: the slow way. */
static bool has_solution(const char *text)
{
    bool list = false;
    for (const char *line = text; *line; line++) {
        if (strncmp(line, "PART = [", 8) == 0)
            list = true;
        if (list && strncmp(line, "----------", 10) == 0)
            return true;
        const char *end = strchr(line, '\n');
        if (!end)
            break;
        line = end;
    }
    return false;
}

FUZZ_TARGET(two_way)
{
    static const int32_t counts[] = {3, 0, 1, 9, 40};
    int32_t count = counts[fuzz_choose(in, 0, 5)], part[41];
    bool proved = true;
    cleave_error err = {.status = CLEAVE_OK};
    char *text = malloc(in->size + 1);
    FUZZ_CHECK(text);
    memcpy(text, in->bytes, in->size);
    text[in->size] = fuzz_choose(in, 1, 2) ? ']' : '\0';
    for (int i = 0; i <= 40; i++)
        part[i] = guard;
    cleave_status status =
        clv_two_way_answer(text, (int64_t)in->size, count, part, &proved, &err);
    FUZZ_CHECK(part[count] == guard);
    text[in->size] = '\0';
    bool whole = strlen(text) == in->size;
    if (status == CLEAVE_OK) {
        for (int i = 0; i < count; i++)
            FUZZ_CHECK(part[i] >= 0 && part[i] <= 2);
        FUZZ_CHECK(!whole || has_solution(text));
        FUZZ_CHECK(!proved || !whole || strstr(text, "=========="));
    } else {
        FUZZ_CHECK(status == CLEAVE_EPARSE && err.status == status);
        FUZZ_CHECK(strncmp(err.message, "answer:", 7) == 0);
        FUZZ_CHECK(!whole || has_solution(text) == !strstr(err.message, "no solution"));
    }
    free(text);
}
