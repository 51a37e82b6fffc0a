/* SPDX-License-Identifier: Apache-2.0 */
/* target/equal.c - PEs of any speeds, all at distance 1 from each other.
 *
 * A domain is the range of PEs a .. b.  It is cut so that the speeds of both halves differ
 * least. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "target/pe_range.h"
#include "target/target_forms.h"

/* The last PE of the first half: the cut with the smallest difference of the speeds on both
 * sides. */
static int32_t middle(const clv_target *t, clv_domain d)
{
    int32_t last = d.a + (d.b - d.a) / 2;
    if (t->equal)
        return last;
    double half = clv_pe_range_weight(t, d) / 2, sum = 0;
    for (last = d.a; last < d.b - 1; last++) {
        sum += t->speed[last];
        if (sum + t->speed[last + 1] / 2 >= half)
            break;
    }
    return last;
}

static bool bipartition(const clv_target *t, clv_domain d, clv_domain half[2])
{
    if (d.a == d.b)
        return false;
    clv_pe_range_cut(d, middle(t, d), half);
    return true;
}

static int64_t distance(const clv_target *t, clv_domain x, clv_domain y)
{
    (void)t;
    return x.a == y.a && x.b == y.b ? 0 : 2;
}

static int32_t between(const clv_target *t, int32_t p, int32_t q)
{
    (void)t;
    return p != q;
}

static void describe(const clv_target *t, char *text, size_t size)
{
    if (t->npes == 1)
        snprintf(text, size, "a single PE");
    else
        snprintf(text, size, t->equal ? "%ld equal PEs" : "%ld PEs of different speeds",
                 (long)t->npes);
}

const clv_shape clv_shape_equal = {.name = "equal",
                                   CLV_PE_RANGES,
                                   .bipartition = bipartition,
                                   .distance = distance,
                                   .between = between,
                                   .describe = describe};

/* ---- Text forms ------------------------------------------------------------------------- */

static cleave_status parse_count(clv_target **out, const char *text, cleave_error *err)
{
    size_t length = strlen(text);
    bool overflow = false;
    int64_t count;
    if (clv_parse_i64(text, text + length, &count, &overflow) != text + length)
        return clv_fail(err, CLEAVE_EINVAL,
                        "\"" CLV_TARGET_SHOWN
                        "\" is not a number of PEs: a whole number such as 8",
                        CLV_TARGET_SHOW(text, length));
    if (overflow || count < 1 || count > INT32_MAX)
        return clv_fail(err, CLEAVE_EINVAL, "a target has 1 to %ld PEs, not " CLV_TARGET_SHOWN,
                        (long)INT32_MAX, CLV_TARGET_SHOW(text, length));
    return clv_target_new(out, (int32_t)count, NULL, err);
}

static int64_t count_fields(const char *text)
{
    int64_t count = 1;
    for (; *text; text++)
        count += *text == ',';
    return count;
}

/* Parses the speed at *p, which ends at a comma or at the end of the text; *p moves after it.
 */
static cleave_status parse_speed(const char **p, int64_t number, double *speed,
                                 cleave_error *err)
{
    size_t length = strcspn(*p, ",");
    const char *end = *p + length;
    if (!clv_target_starts_number(*p) || clv_parse_double(*p, end, speed) != end ||
        !isfinite(*speed))
        return clv_fail(err, CLEAVE_EINVAL,
                        "speed %lld is \"" CLV_TARGET_SHOWN "\", not a number >= 0",
                        (long long)number, CLV_TARGET_SHOW(*p, length));
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

const clv_target_form clv_target_form_count = {
    .prefix = "",
    .example = "8",
    .description = "equal PEs, all at distance 1 from each other",
    .parse = parse_count,
};

const clv_target_form clv_target_form_speeds = {
    .prefix = "",
    .example = "3,2,2,1",
    .description = "PEs of these relative speeds, all at distance 1 from each other",
    .parse = parse_speeds,
};
