/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of targets that name no file.  First character: a list of PEs is appended. */
#include <math.h>
#include <string.h>

#include "fuzz/fuzz_common.h"
#include "target/target.h"

enum { longest = 2000, most_digits = 5, most_paired = 200 };

/* Files and this machine are not for here; long numbers make machines that take memory. */
static bool harmless(const char *text)
{
    static const char *const others[] = {"graph:", "scotch:", "hwloc:", "slurm:", "machine"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strncmp(text, others[i], strlen(others[i])) == 0)
            return false;
    for (int digits = 0; *text; text++) {
        digits = *text >= '0' && *text <= '9' ? digits + 1 : 0;
        if (digits > most_digits)
            return false;
    }
    return true;
}

/* Down to single PEs, with the sizes adding up. */
static int32_t count_down(const clv_target *t, clv_domain d)
{
    clv_domain half[2];
    int32_t pes = t->shape->pes(t, d), children = clv_target_children(t, d), inside = 0;
    FUZZ_CHECK(pes >= 1 && (children == 0) == (pes == 1));
    for (int32_t i = 0; i < children; i++)
        inside += t->shape->pes(t, clv_target_child(t, d, i));
    FUZZ_CHECK(children == 0 || inside == pes);
    if (!t->shape->bipartition(t, d, half)) {
        int32_t pe = t->shape->pe(t, d);
        FUZZ_CHECK(pe >= 0 && pe < t->npes && pes == 1);
        return 1;
    }
    int32_t sum = count_down(t, half[0]) + count_down(t, half[1]);
    FUZZ_CHECK(sum == pes);
    return sum;
}

static void check_small(const clv_target *t)
{
    FUZZ_CHECK(count_down(t, t->shape->root(t)) == t->npes);
    FUZZ_CHECK(isfinite(t->shape->weight(t, t->shape->root(t))) || t->speed);
    for (int32_t p = 0; p < t->npes; p++)
        for (int32_t q = 0; q <= p; q++) {
            int32_t far = clv_target_distance(t, p, q);
            clv_domain x = t->shape->terminal(t, p), y = t->shape->terminal(t, q);
            FUZZ_CHECK(far >= 0 && (p != q || far == 0));
            FUZZ_CHECK(clv_target_distance(t, q, p) == far);
            FUZZ_CHECK(t->shape->distance(t, x, y) == 2 * (int64_t)far);
        }
}

static void check_target(const clv_target *t)
{
    char line[80];
    FUZZ_CHECK(t->npes >= 1);
    t->shape->describe(t, line, sizeof line);
    FUZZ_CHECK(strlen(line) > 0);
    FUZZ_CHECK(t->shape->pes(t, t->shape->root(t)) == t->npes);
    FUZZ_CHECK(clv_target_distance(t, 0, t->npes - 1) >= 0);
    if (t->npes <= most_paired)
        check_small(t);
}

FUZZ_TARGET(target_text)
{
    static const char *const lists[] = {"", "[0]", "[0-2]", "[2,0]", "[1,0][1]"};
    const char *list = lists[fuzz_choose(in, 0, 5)];
    char text[longest + 16];
    cleave_error err = {.status = CLEAVE_OK};
    clv_target *t;
    size_t size = in->size < longest ? in->size : longest;
    memcpy(text, in->bytes, size);
    text[size] = '\0';
    text[strcspn(text, "\n")] = '\0';
    strcat(text, list);
    if (!harmless(text))
        return;
    cleave_status status = clv_target_parse(&t, text, &err);
    if (status != CLEAVE_OK) {
        FUZZ_CHECK((status == CLEAVE_EINVAL || status == CLEAVE_ERANGE) && t == NULL);
        FUZZ_CHECK(err.status == status && strlen(err.message) > 10);
        return;
    }
    check_target(t);
    clv_target_free(t);
}
