/* SPDX-License-Identifier: Apache-2.0 */
/* target/target_text.c - targets from text: "8" equal PEs, or "3,2,2,1" their speeds.
 *
 * Strict: no blanks, no signs, nothing before or behind.  A comma makes the difference: "8"
 * is eight PEs, and a single PE is "1". */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "target/target.h"

enum { most_shown = 60 }; /* characters of the text in a message */

static const char *ellipsis(size_t length)
{
    return length > most_shown ? "..." : "";
}

static bool starts_number(const char *p)
{
    return (*p >= '0' && *p <= '9') || *p == '.';
}

static cleave_status parse_count(clv_target **out, const char *text, cleave_error *err)
{
    const char *end = text + strlen(text);
    bool overflow = false;
    int64_t count;
    if (clv_parse_i64(text, end, &count, &overflow) != end)
        return clv_fail(err, CLEAVE_EINVAL,
                        "\"%.*s%s\" is not a number of PEs: a whole number such as 8",
                        (int)most_shown, text, ellipsis(strlen(text)));
    if (overflow || count < 1 || count > INT32_MAX)
        return clv_fail(err, CLEAVE_EINVAL, "a target has 1 to %ld PEs, not %.*s%s",
                        (long)INT32_MAX, (int)most_shown, text, ellipsis(strlen(text)));
    return clv_target_new(out, (int32_t)count, NULL, err);
}

static int64_t count_fields(const char *text)
{
    int64_t count = 1;
    for (; *text; text++)
        count += *text == ',';
    return count;
}

/* The byte behind the speed at p, which ends at a comma or at the end of the text. */
static cleave_status parse_speed(const char **p, int64_t number, double *speed,
                                 cleave_error *err)
{
    size_t length = strcspn(*p, ",");
    const char *end = *p + length;
    if (!starts_number(*p) || clv_parse_double(*p, end, speed) != end || !isfinite(*speed))
        return clv_fail(err, CLEAVE_EINVAL, "speed %lld is \"%.*s%s\", not a number >= 0",
                        (long long)number, length > most_shown ? (int)most_shown : (int)length,
                        *p, ellipsis(length));
    *p = *end ? end + 1 : end;
    return CLEAVE_OK;
}

static cleave_status parse_speeds(clv_target **out, const char *text, cleave_error *err)
{
    int64_t count = count_fields(text);
    if (count > INT32_MAX)
        return clv_fail(err, CLEAVE_ERANGE, "a target cannot have %lld PEs", (long long)count);
    double *speeds = clv_alloc(count, sizeof *speeds);
    cleave_status status = speeds ? CLEAVE_OK : clv_fail_memory(err);
    for (int64_t i = 0; i < count && status == CLEAVE_OK; i++)
        status = parse_speed(&text, i + 1, &speeds[i], err);
    if (status == CLEAVE_OK)
        status = clv_target_new(out, (int32_t)count, speeds, err);
    clv_sys_free(speeds);
    return status;
}

cleave_status clv_target_parse(clv_target **out, const char *text, cleave_error *err)
{
    *out = NULL;
    bool list = strchr(text, ',') != NULL;
    if (!starts_number(text) && !(list && strcspn(text, ",") == 0))
        return clv_fail(err, CLEAVE_EINVAL,
                        "\"%.*s%s\" is no target: there are numbers of equal PEs such as 8, "
                        "and relative speeds of PEs such as 3,2,2,1",
                        (int)most_shown, text, ellipsis(strlen(text)));
    return list ? parse_speeds(out, text, err) : parse_count(out, text, err);
}
