/* SPDX-License-Identifier: Apache-2.0 */
/* base/params.h - parameters of methods as text: "order=top,match=hem,runs=5". */
#ifndef CLV_BASE_PARAMS_H
#define CLV_BASE_PARAMS_H

#include <stdbool.h>
#include <string.h>

#include "base/number.h"

typedef struct clv_substring { /* of the text */
    const char *begin, *end;
} clv_substring;

typedef struct clv_param {
    clv_substring item; /* the whole parameter, for messages */
    clv_substring key;  /* the whole parameter if it has no value */
    clv_substring value;
    bool has_value;
} clv_param;

/* The parameter at *text, which moves after it and its comma; *text NULL: that was the last.
 */
static inline clv_param clv_param_next(const char **text)
{
    clv_substring item = {*text, *text + strcspn(*text, ",")};
    const char *equals =
        (const char *)memchr(item.begin, '=', (size_t)(item.end - item.begin));
    *text = *item.end ? item.end + 1 : NULL;
    return (clv_param){item,
                       {item.begin, equals ? equals : item.end},
                       {equals ? equals + 1 : item.end, item.end},
                       equals != NULL};
}

static inline bool clv_substring_is(clv_substring p, const char *word, size_t length)
{
    return (size_t)(p.end - p.begin) == length && memcmp(p.begin, word, length) == 0;
}

/* Does the parameter have a value, and this key? */
static inline bool clv_param_is(const clv_param *param, const char *key)
{
    return param->has_value && clv_substring_is(param->key, key, strlen(key));
}

/* The index of the substring among values, as in "a|b|c"; -1: none of them. */
static inline int clv_substring_find(clv_substring p, const char *values)
{
    for (int i = 0;; i++) {
        size_t length = strcspn(values, "|");
        if (clv_substring_is(p, values, length))
            return i;
        if (values[length] == '\0')
            return -1;
        values += length + 1;
    }
}

/* A whole number from low to high; false: it is not one. */
static inline bool clv_substring_integer(clv_substring p, int64_t low, int64_t high,
                                         int64_t *value)
{
    bool overflow = false;
    const char *end = clv_parse_i64(p.begin, p.end, value, &overflow);
    return end == p.end && !overflow && *value >= low && *value <= high;
}

/* Length of the part that fits into a message: printf("%.*s", clv_substring_shown(p),
 * p.begin). */
static inline int clv_substring_shown(clv_substring p)
{
    return p.end - p.begin < 40 ? (int)(p.end - p.begin) : 40;
}

#endif
