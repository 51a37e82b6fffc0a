/* SPDX-License-Identifier: Apache-2.0 */
/* engine/dagp_params.c - the variants of dagP by name (see engine/dagp.h). */
#include <string.h>

#include "base/number.h"
#include "engine/dagp.h"

enum { most_runs = 1000000 };

typedef struct piece { /* of the text */
    const char *begin, *end;
} piece;

typedef struct choice {
    const char *key;
    const char *values; /* as in "a|b|c" */
} choice;

static const choice choices[] = {
    {"order", "top|rand"},
    {"match", "rand|hem|nwhem"},
    {"initial", "ker+gp|kern|gp"},
    {"refine", "topref|acyckway"},
};
enum { nchoices = sizeof choices / sizeof choices[0] };

static bool is_word(piece p, const char *word, size_t length)
{
    return (size_t)(p.end - p.begin) == length && memcmp(p.begin, word, length) == 0;
}

/* Which of the values the piece is; -1: none. */
static int find_value(const char *values, piece p)
{
    for (int i = 0;; i++) {
        size_t length = strcspn(values, "|");
        if (is_word(p, values, length))
            return i;
        if (values[length] == '\0')
            return -1;
        values += length + 1;
    }
}

static int shown(piece p)
{
    return p.end - p.begin < 40 ? (int)(p.end - p.begin) : 40;
}

static cleave_status parse_runs(clv_dagp_params *params, piece value, cleave_error *err)
{
    int64_t runs = 0;
    bool overflow = false;
    const char *end = clv_parse_i64(value.begin, value.end, &runs, &overflow);
    if (end != value.end || overflow || runs < 1 || runs > most_runs)
        return clv_fail(err, CLEAVE_EINVAL, "runs=%.*s: must be a number from 1 to %d",
                        shown(value), value.begin, most_runs);
    params->runs = (int32_t)runs;
    return CLEAVE_OK;
}

static cleave_status set_choice(clv_dagp_params *params, int index, piece value,
                                cleave_error *err)
{
    int chosen = find_value(choices[index].values, value);
    if (chosen < 0)
        return clv_fail(err, CLEAVE_EINVAL, "%s=%.*s: there is %s", choices[index].key,
                        shown(value), value.begin, choices[index].values);
    switch (index) {
    case 0:
        params->order = (clv_dag_order)chosen;
        break;
    case 1:
        params->match = (clv_dag_match)chosen;
        break;
    case 2:
        params->initial = (clv_dagp_start)chosen;
        break;
    default:
        params->refine = (clv_dagp_refine)chosen;
        break;
    }
    return CLEAVE_OK;
}

static cleave_status parse_one(clv_dagp_params *params, piece item, cleave_error *err)
{
    const char *equals = memchr(item.begin, '=', (size_t)(item.end - item.begin));
    piece key = {item.begin, equals ? equals : item.end};
    piece value = {equals ? equals + 1 : item.end, item.end};
    if (equals && is_word(key, "runs", 4))
        return parse_runs(params, value, err);
    for (int i = 0; equals && i < nchoices; i++)
        if (is_word(key, choices[i].key, strlen(choices[i].key)))
            return set_choice(params, i, value, err);
    return clv_fail(err, CLEAVE_EINVAL,
                    "\"%.*s\" is no parameter of dagp: there is order=%s, match=%s, "
                    "initial=%s, refine=%s, runs=N",
                    shown(item), item.begin, choices[0].values, choices[1].values,
                    choices[2].values, choices[3].values);
}

cleave_status clv_dagp_parse(clv_dagp_params *params, const char *text, cleave_error *err)
{
    *params = (clv_dagp_params){0};
    if (!text || *text == '\0')
        return CLEAVE_OK;
    for (;;) {
        piece item = {text, text + strcspn(text, ",")};
        CLV_TRY(parse_one(params, item, err));
        if (*item.end == '\0')
            return CLEAVE_OK;
        text = item.end + 1;
    }
}
