/* SPDX-License-Identifier: Apache-2.0 */
/* generate/spec.c - parsing of specifications. */
#include "generate/spec.h"

#include <string.h>

#include "base/mem.h"
#include "base/number.h"

clv_spec clv_spec_start(const char *text, size_t kind, const char *form)
{
    return (clv_spec){text, form, text[kind] == ':' ? text + kind + 1 : NULL};
}

static const char *field_end(const char *field)
{
    return field + strcspn(field, ":");
}

static void next_field(clv_spec *spec)
{
    const char *end = field_end(spec->rest);
    spec->rest = *end ? end + 1 : NULL;
}

/* ---- Messages ---------------------------------------------------------------------- */

cleave_status clv_spec_fail(const clv_spec *spec, const char *sentence, cleave_error *err)
{
    return clv_fail(err, CLEAVE_EINVAL, "'%.60s': %.100s; the form is %s", spec->text,
                    sentence, spec->form);
}

static cleave_status fail_field(const clv_spec *spec, const char *what, cleave_error *err)
{
    if (!spec->rest)
        return clv_fail(err, CLEAVE_EINVAL, "'%.60s': %s is missing; the form is %s",
                        spec->text, what, spec->form);
    int length = (int)strcspn(spec->rest, ":");
    return clv_fail(err, CLEAVE_EINVAL, "'%.60s': '%.*s' is not %s; the form is %s",
                    spec->text, length < 30 ? length : 30, spec->rest, what, spec->form);
}

static cleave_status fail_size(const clv_spec *spec, const char *what, int64_t most,
                               cleave_error *err)
{
    return clv_fail(err, CLEAVE_ERANGE, "'%.60s': %s is more than %lld", spec->text, what,
                    (long long)most);
}

/* ---- Parameters -------------------------------------------------------------------- */

cleave_status clv_spec_whole(clv_spec *spec, const char *what, int64_t most, int64_t *value,
                             cleave_error *err)
{
    bool overflow = false;
    const char *end = spec->rest ? field_end(spec->rest) : NULL;
    if (!end || clv_parse_i64(spec->rest, end, value, &overflow) != end || *value < 0)
        return fail_field(spec, what, err);
    if (overflow || *value > most)
        return fail_size(spec, what, most, err);
    next_field(spec);
    return CLEAVE_OK;
}

cleave_status clv_spec_real(clv_spec *spec, const char *what, double low, double high,
                            double *value, cleave_error *err)
{
    const char *end = spec->rest ? field_end(spec->rest) : NULL;
    if (!end || clv_parse_double(spec->rest, end, value) != end ||
        !(*value >= low && *value <= high))
        return fail_field(spec, what, err);
    next_field(spec);
    return CLEAVE_OK;
}

cleave_status clv_spec_sizes(clv_spec *spec, const char *what, int least, int most,
                             int64_t *size, int *count, cleave_error *err)
{
    const char *at = spec->rest, *end = at ? field_end(at) : NULL;
    bool overflow = false;
    *count = 0;
    while (at) {
        if (*count == most)
            return fail_field(spec, what, err);
        at = clv_parse_i64(at, end, &size[*count], &overflow);
        if (!at || size[*count] < 0 || (at < end && *at != 'x'))
            return fail_field(spec, what, err);
        if (overflow || size[*count] > CLV_MOST_VERTICES)
            return fail_size(spec, "a size", CLV_MOST_VERTICES, err);
        (*count)++;
        at = at < end ? at + 1 : NULL;
    }
    if (*count < least)
        return fail_field(spec, what, err);
    next_field(spec);
    return CLEAVE_OK;
}

bool clv_spec_option(clv_spec *spec, const char *word)
{
    size_t length = strlen(word);
    if (!spec->rest || strncmp(spec->rest, word, length) != 0 ||
        field_end(spec->rest) != spec->rest + length)
        return false;
    next_field(spec);
    return true;
}

cleave_status clv_spec_end(const clv_spec *spec, cleave_error *err)
{
    return spec->rest ? fail_field(spec, "expected there", err) : CLEAVE_OK;
}

/* ---- Sizes of graphs ---------------------------------------------------------------- */

cleave_status clv_spec_product(const clv_spec *spec, const int64_t *size, int count,
                               int64_t most, int64_t *nvtx, cleave_error *err)
{
    int64_t product = 1;
    bool fits = true;
    for (int i = 0; i < count; i++) {
        if (size[i] == 0) {
            *nvtx = 0;
            return CLEAVE_OK;
        }
        fits = fits && clv_mul_i64(product, size[i], &product) && product <= most;
    }
    if (!fits)
        return fail_size(spec, "the number of vertices", most, err);
    *nvtx = product;
    return CLEAVE_OK;
}

cleave_status clv_spec_vertices(const clv_spec *spec, const int64_t *size, int count,
                                int32_t *nvtx, cleave_error *err)
{
    int64_t product;
    CLV_TRY(clv_spec_product(spec, size, count, CLV_MOST_VERTICES, &product, err));
    *nvtx = (int32_t)product;
    return CLEAVE_OK;
}

cleave_status clv_spec_edges(const clv_spec *spec, double edges, cleave_error *err)
{
    if (!(edges <= (double)CLV_MOST_EDGES))
        return fail_size(spec, "the number of edges", CLV_MOST_EDGES, err);
    return CLEAVE_OK;
}
