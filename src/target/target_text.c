/* SPDX-License-Identifier: Apache-2.0 */
/* target/target_text.c - targets from text, one form per shape:
 *
 *   8   3,2,2,1   hypercube:10   mesh:4x2   torus:8x8x8   tree:4:8:16@1:10:100
 *   graph:FILE   scotch:FILE   machine   machine:pu   hwloc:FILE|SYNTHETIC   slurm:FILE
 *
 * and any of them followed by a [list] of PEs (target/pe_list.c).  Strict: no blanks, no
 * signs, nothing before or behind.  A comma makes the difference: "8" is eight PEs, and a
 * single PE is "1". */
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "base/number.h"
#include "target/graph_target.h"
#include "target/hwloc_target.h"
#include "target/pe_list.h"
#include "target/scotch_target.h"
#include "target/slurm.h"
#include "target/target.h"
#include "target/this_machine.h"

enum {
    most_numbers = 64, /* sides of a mesh, levels of a tree */
    most_lists = 8     /* of a list of a list ... */
};

static bool starts_number(const char *p)
{
    return (*p >= '0' && *p <= '9') || *p == '.';
}

/* ---- Numbers and speeds ----------------------------------------------------------------- */

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

/* The byte behind the speed at p, which ends at a comma or at the end of the text. */
static cleave_status parse_speed(const char **p, int64_t number, double *speed,
                                 cleave_error *err)
{
    size_t length = strcspn(*p, ",");
    const char *end = *p + length;
    if (!starts_number(*p) || clv_parse_double(*p, end, speed) != end || !isfinite(*speed))
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

/* ---- Shapes by their numbers ------------------------------------------------------------ */

/* "4x2" into number[0..*count), each low .. 2^31-1.  `what` and `form` are for people. */
static cleave_status parse_numbers(const char *text, size_t length, char separator,
                                   int32_t low, const char *what, const char *form,
                                   int32_t *number, int32_t *count, cleave_error *err)
{
    const char *p = text, *end = text + length;
    for (*count = 0; *count < most_numbers; p++) {
        bool overflow = false;
        int64_t value;
        p = p < end && *p >= '0' && *p <= '9' ? clv_parse_i64(p, end, &value, &overflow)
                                              : NULL;
        if (!p || (p < end && *p != separator))
            return clv_fail(err, CLEAVE_EINVAL,
                            "\"" CLV_TARGET_SHOWN "\" are not %s: write %s",
                            CLV_TARGET_SHOW(text, length), what, form);
        if (overflow || value < low || value > INT32_MAX)
            return clv_fail(err, CLEAVE_EINVAL,
                            "\"" CLV_TARGET_SHOWN "\" are not %s: each is %ld to %ld",
                            CLV_TARGET_SHOW(text, length), what, (long)low, (long)INT32_MAX);
        number[(*count)++] = (int32_t)value;
        if (p == end)
            return CLEAVE_OK;
    }
    return clv_fail(err, CLEAVE_EINVAL, "\"" CLV_TARGET_SHOWN "\" are more than %d numbers",
                    CLV_TARGET_SHOW(text, length), (int)most_numbers);
}

static cleave_status parse_hypercube(clv_target **out, const char *text, cleave_error *err)
{
    int32_t number[most_numbers], count;
    size_t length = strlen(text);
    if (parse_numbers(text, length, 'x', 0, "", "", number, &count, NULL) != CLEAVE_OK ||
        count != 1)
        return clv_fail(
            err, CLEAVE_EINVAL,
            "\"" CLV_TARGET_SHOWN
            "\" is not the number of dimensions of a hypercube: write hypercube:10",
            CLV_TARGET_SHOW(text, length));
    return clv_target_hypercube(out, number[0], err);
}

static cleave_status parse_mesh(clv_target **out, const char *text, cleave_error *err)
{
    int32_t side[most_numbers], count;
    CLV_TRY(parse_numbers(text, strlen(text), 'x', 1, "the sides of a mesh", "mesh:4x2", side,
                          &count, err));
    return clv_target_mesh(out, count, side, false, err);
}

static cleave_status parse_torus(clv_target **out, const char *text, cleave_error *err)
{
    int32_t side[most_numbers], count;
    CLV_TRY(parse_numbers(text, strlen(text), 'x', 1, "the sides of a torus", "torus:8x8x8",
                          side, &count, err));
    return clv_target_mesh(out, count, side, true, err);
}

static cleave_status parse_tree(clv_target **out, const char *text, cleave_error *err)
{
    static const char form[] = "tree:4:8:16@1:10:100";
    int32_t fanout[most_numbers], cost[most_numbers], levels, costs;
    size_t length = strcspn(text, "@");
    if (!text[length])
        return clv_fail(err, CLEAVE_EINVAL,
                        "the tree \"" CLV_TARGET_SHOWN
                        "\" has no distances: write one for each level, as in %s",
                        CLV_TARGET_SHOW(text, length), form);
    const char *second = text + length + 1;
    CLV_TRY(parse_numbers(text, length, ':', 1, "the numbers of children of a tree", form,
                          fanout, &levels, err));
    CLV_TRY(parse_numbers(second, strlen(second), ':', 0, "the distances of a tree", form,
                          cost, &costs, err));
    if (levels != costs)
        return clv_fail(err, CLEAVE_EINVAL,
                        "a tree of %ld level%s has %ld distance%s: write one for each level, "
                        "as in %s",
                        (long)levels, levels == 1 ? "" : "s", (long)costs,
                        costs == 1 ? "" : "s", form);
    return clv_target_tree(out, levels, fanout, cost, err);
}

/* ---- Shapes from elsewhere -------------------------------------------------------------- */

static cleave_status parse_machine(clv_target **out, const char *text, cleave_error *err)
{
    if (*text && strcmp(text, ":pu") != 0)
        return clv_fail(err, CLEAVE_EINVAL,
                        "\"machine" CLV_TARGET_SHOWN
                        "\" is not a target: write machine (its cores) or machine:pu (its "
                        "hardware threads)",
                        CLV_TARGET_SHOW(text, strlen(text)));
    return clv_target_this_machine(out, *text != 0, err);
}

/* ---- All of them ------------------------------------------------------------------------ */

typedef struct text_form {
    const char *prefix;
    bool file; /* what follows is, or may be, the path of a file */
    cleave_status (*parse)(clv_target **out, const char *text, cleave_error *err);
} text_form;

static const text_form forms[] = {
    {"hypercube:", false, parse_hypercube},  {"mesh:", false, parse_mesh},
    {"torus:", false, parse_torus},          {"tree:", false, parse_tree},
    {"graph:", true, clv_target_graph_file}, {"scotch:", true, clv_target_scotch_file},
    {"hwloc:", true, clv_target_hwloc},      {"slurm:", true, clv_target_slurm},
    {"machine", false, parse_machine},
};

static const text_form *find_form(const char *text)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strncmp(text, forms[i].prefix, strlen(forms[i].prefix)) == 0)
            return &forms[i];
    return NULL;
}

static cleave_status parse_plain(clv_target **out, const char *text, cleave_error *err)
{
    const text_form *form = find_form(text);
    bool list = strchr(text, ',') != NULL;
    if (form)
        return form->parse(out, text + strlen(form->prefix), err);
    if (starts_number(text) || (list && *text == ','))
        return list ? parse_speeds(out, text, err) : parse_count(out, text, err);
    return clv_fail(
        err, CLEAVE_EINVAL,
        "\"" CLV_TARGET_SHOWN
        "\" is not a target; known forms are 8 3,2,2,1 hypercube:10 mesh:4x2 torus:8x8x8 "
        "tree:4:8@1:10 graph:FILE scotch:FILE machine hwloc:FILE slurm:FILE",
        CLV_TARGET_SHOW(text, strlen(text)));
}

/* Where the list in brackets at the end of the text begins: at the bracket that matches the
 * last one.  NULL: there is none, or all of the text is the name of a file. */
static const char *find_list(const char *text)
{
    const text_form *form = find_form(text);
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

/* The text up to its list, and of that target the PEs that are listed. */
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
