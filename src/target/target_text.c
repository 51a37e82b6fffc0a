/* SPDX-License-Identifier: Apache-2.0 */
/* target/target_text.c - targets from text: finds the form (target/target_forms.h) by its
 * prefix, and a [list] of PEs behind it (target/pe_list.c).  Strict: no blanks, no signs,
 * nothing before or behind.  A comma makes the difference: "8" is eight PEs, and a single PE
 * is "1". */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/number.h"
#include "target/pe_list.h"
#include "target/target_forms.h"

enum { most_lists = 8 }; /* of a list of a list ... */

/* ---- Numbers ---------------------------------------------------------------------------- */

cleave_status clv_target_parse_numbers(clv_target_numbers *out, const char *text,
                                       size_t length, const clv_number_form *form,
                                       cleave_error *err)
{
    const char *p = text, *end = text + length;
    for (out->count = 0; out->count < clv_most_target_numbers; p++) {
        bool overflow = false;
        int64_t value;
        p = p < end && *p >= '0' && *p <= '9' ? clv_parse_i64(p, end, &value, &overflow)
                                              : NULL;
        if (!p || (p < end && *p != form->separator))
            return clv_fail(err, CLEAVE_EINVAL,
                            "\"" CLV_TARGET_SHOWN "\" are not %s: write %s",
                            CLV_TARGET_SHOW(text, length), form->what, form->example);
        if (overflow || value < form->low || value > INT32_MAX)
            return clv_fail(
                err, CLEAVE_EINVAL, "\"" CLV_TARGET_SHOWN "\" are not %s: each is %ld to %ld",
                CLV_TARGET_SHOW(text, length), form->what, (long)form->low, (long)INT32_MAX);
        out->number[out->count++] = (int32_t)value;
        if (p == end)
            return CLEAVE_OK;
    }
    return clv_fail(err, CLEAVE_EINVAL, "\"" CLV_TARGET_SHOWN "\" are more than %d numbers",
                    CLV_TARGET_SHOW(text, length), (int)clv_most_target_numbers);
}

/* ---- Forms ------------------------------------------------------------------------------ */

#define FORM_ADDRESS(name) &clv_target_form_##name,
static const clv_target_form *const forms[] = {CLV_TARGET_FORMS(FORM_ADDRESS)};
#undef FORM_ADDRESS
enum { nforms = sizeof forms / sizeof *forms };

const clv_target_form *clv_target_form_at(int i)
{
    return i >= 0 && i < nforms ? forms[i] : NULL;
}

/* The form whose prefix the text has; else, of numbers alone, those with a comma are speeds;
 * NULL: unknown. */
static const clv_target_form *find_form(const char *text)
{
    for (int i = 0; i < nforms; i++)
        if (*forms[i]->prefix &&
            strncmp(text, forms[i]->prefix, strlen(forms[i]->prefix)) == 0)
            return forms[i];
    bool list = strchr(text, ',') != NULL;
    if (clv_target_starts_number(text) || *text == ',')
        return list ? &clv_target_form_speeds : &clv_target_form_count;
    return NULL;
}

static cleave_status refuse_unknown(const char *text, cleave_error *err)
{
    char known[sizeof err->message] = "";
    for (int i = 0; i < nforms; i++) {
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, " %s", forms[i]->example);
    }
    return clv_fail(err, CLEAVE_EINVAL,
                    "\"" CLV_TARGET_SHOWN "\" is not a target; known forms are%s",
                    CLV_TARGET_SHOW(text, strlen(text)), known);
}

static cleave_status parse_plain(clv_target **out, const char *text, cleave_error *err)
{
    const clv_target_form *form = find_form(text);
    return form ? form->parse(out, text + strlen(form->prefix), err)
                : refuse_unknown(text, err);
}

/* ---- Lists of PEs ----------------------------------------------------------------------- */

/* The start of the list in brackets at the end of the text: the bracket that matches the last
 * one.  NULL: none, or the whole text is a file name. */
static const char *find_list(const char *text)
{
    const clv_target_form *form = find_form(text);
    size_t length = strlen(text);
    struct stat info;
    int64_t open = 0;
    if (length == 0 || text[length - 1] != ']')
        return NULL;
    if (form && form->file && stat(text + strlen(form->prefix), &info) == 0)
        return NULL;
    for (const char *p = text + length; p > text; p--) {
        open += (p[-1] == ']') - (p[-1] == '[');
        if (open == 0)
            return p - 1;
    }
    return NULL;
}

static cleave_status parse_lists(clv_target **out, const char *text, int depth,
                                 cleave_error *err);

/* Parses the text before the list, and restricts the target to the listed PEs. */
static cleave_status parse_restricted(clv_target **out, const char *text, const char *list,
                                      int depth, cleave_error *err)
{
    if (depth == most_lists)
        return clv_fail(err, CLEAVE_EINVAL, "a target has at most %d lists of PEs",
                        (int)most_lists);
    int64_t before = list - text;
    char *copy = clv_alloc(before + 1, 1);
    if (!copy)
        return clv_fail_memory(err);
    memcpy(copy, text, (size_t)before);
    copy[before] = '\0';
    clv_target *whole = NULL;
    cleave_status status = parse_lists(&whole, copy, depth + 1, err);
    clv_sys_free(copy);
    CLV_TRY(status);
    return clv_target_restrict(out, whole, list + 1, strlen(list) - 2, err);
}

static cleave_status parse_lists(clv_target **out, const char *text, int depth,
                                 cleave_error *err)
{
    const char *list = find_list(text);
    return list ? parse_restricted(out, text, list, depth, err) : parse_plain(out, text, err);
}

cleave_status clv_target_parse(clv_target **out, const char *text, cleave_error *err)
{
    *out = NULL;
    return parse_lists(out, text, 0, err);
}
