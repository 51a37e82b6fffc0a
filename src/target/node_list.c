/* SPDX-License-Identifier: Apache-2.0 */
/* target/node_list.c - Slurm's compact lists of names, see target/node_list.h.
 *
 * An item of the list is divided into pieces: literal text, followed by a bracket or by
 * nothing.  The names of an item are counted from the pieces, and written by iterating over
 * the brackets like the wheels of a counter. */
#include "target/node_list.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"

enum { most_brackets = 8, longest_name = 255, most_digits = 18, most_shown = 60 };

typedef struct piece {
    const char *text, *text_end;
    const char *ranges, *ranges_end; /* inside the bracket; equal: no bracket follows */
} piece;

typedef struct range {
    int64_t first, last;
    int digits; /* minimum width: that of the first number */
} range;

static int shown(const char *begin, const char *end)
{
    return end - begin < most_shown ? (int)(end - begin) : (int)most_shown;
}

/* Is this a byte that a name cannot contain? */
static bool is_foreign(char c)
{
    return (unsigned char)c <= ' ' || c == 127 || c == '"' || c == '\'' || c == '=' ||
           c == '#';
}

static const char *parse_digits(const char *p, const char *end, int64_t *value)
{
    const char *begin = p;
    *value = 0;
    for (; p < end && *p >= '0' && *p <= '9' && p - begin < most_digits; p++)
        *value = 10 * *value + (*p - '0');
    return p == begin || (p < end && *p >= '0' && *p <= '9') ? NULL : p;
}

/* The range at *p, which advances to the next range or to the end. */
static cleave_status next_range(const char **p, const char *end, range *r, cleave_error *err)
{
    const char *stop = memchr(*p, ',', (size_t)(end - *p)), *q;
    stop = stop ? stop : end;
    q = parse_digits(*p, stop, &r->first);
    r->digits = q ? (int)(q - *p) : 0;
    r->last = r->first;
    if (q && q < stop && *q == '-')
        q = parse_digits(q + 1, stop, &r->last);
    if (q != stop)
        return clv_fail(err, CLEAVE_EINVAL,
                        "\"%.*s\" in a bracket is neither a number nor a range such as 1-4",
                        shown(*p, stop), *p);
    if (r->last < r->first)
        return clv_fail(err, CLEAVE_EINVAL, "the range %.*s goes down", shown(*p, stop), *p);
    *p = stop < end ? stop + 1 : end;
    if (stop < end && *p == end)
        return clv_fail(err, CLEAVE_EINVAL, "a bracket ends in a comma");
    return CLEAVE_OK;
}

/* The number of names in the bracket, and the width of its widest number. */
static cleave_status count_names(const piece *part, int64_t *count, int *widest,
                                 cleave_error *err)
{
    const char *p = part->ranges;
    *count = 0;
    *widest = 0;
    while (p < part->ranges_end) {
        range r;
        char digits[CLV_NUMBER_SPACE];
        CLV_TRY(next_range(&p, part->ranges_end, &r, err));
        int width = (int)(clv_print_i64(digits, r.last) - digits);
        width = width > r.digits ? width : r.digits;
        *widest = width > *widest ? width : *widest;
        *count += r.last - r.first + 1;
        if (r.last - r.first >= clv_most_node_names || *count > clv_most_node_names)
            return clv_fail(err, CLEAVE_ERANGE, "the list has more than %d names",
                            (int)clv_most_node_names);
    }
    return CLEAVE_OK;
}

/* One item: pieces[0 ..  *npieces); *p moves after it. */
static cleave_status cut_item(const char **p, const char *end, piece *pieces, int *npieces,
                              cleave_error *err)
{
    const char *begin = *p, *q = begin;
    *npieces = 0;
    while (q < end && *q != ',') {
        if (*npieces == most_brackets)
            return clv_fail(err, CLEAVE_EINVAL, "\"%.*s\" has more than %d brackets",
                            shown(begin, end), begin, (int)most_brackets - 1);
        piece *part = &pieces[(*npieces)++];
        for (part->text = q; q < end && *q != ',' && *q != '[' && *q != ']'; q++)
            if (is_foreign(*q))
                return clv_fail(err, CLEAVE_EINVAL,
                                "a name in \"%.*s\" has a blank or another byte that names "
                                "cannot have",
                                shown(begin, end), begin);
        part->text_end = part->ranges = part->ranges_end = q;
        if (q == end || *q == ',')
            break;
        part->ranges = q + 1;
        part->ranges_end = *q == '[' ? memchr(q, ']', (size_t)(end - q)) : NULL;
        if (!part->ranges_end)
            return clv_fail(err, CLEAVE_EINVAL, "the brackets of \"%.*s\" do not match",
                            shown(begin, end), begin);
        if (part->ranges == part->ranges_end)
            return clv_fail(err, CLEAVE_EINVAL, "a bracket of \"%.*s\" is empty",
                            shown(begin, end), begin);
        q = part->ranges_end + 1;
    }
    if (q == begin)
        return clv_fail(err, CLEAVE_EINVAL, "a name of the list is empty");
    *p = q;
    return CLEAVE_OK;
}

static cleave_status count_item(const char *begin, const piece *pieces, int npieces,
                                int64_t *count, int64_t *bytes, cleave_error *err)
{
    int64_t names = 1, longest = 0;
    for (int i = 0; i < npieces; i++) {
        int64_t choices = 1;
        int widest = 0;
        if (pieces[i].ranges < pieces[i].ranges_end)
            CLV_TRY(count_names(&pieces[i], &choices, &widest, err));
        names *= choices; /* each at most 2^22 */
        longest += pieces[i].text_end - pieces[i].text + widest;
        if (names > clv_most_node_names)
            break;
    }
    if (longest > longest_name)
        return clv_fail(err, CLEAVE_ERANGE, "the name \"%.*s...\" is longer than %d bytes",
                        (int)most_shown / 2, begin, (int)longest_name);
    *count += names;
    *bytes += names * (longest + 1);
    if (*count > clv_most_node_names)
        return clv_fail(err, CLEAVE_ERANGE, "the list has more than %d names",
                        (int)clv_most_node_names);
    if (*bytes > clv_most_node_bytes)
        return clv_fail(err, CLEAVE_ERANGE, "the names of the list have more than %d bytes",
                        (int)clv_most_node_bytes);
    return CLEAVE_OK;
}

cleave_status clv_node_list_count(const char *text, size_t length, int32_t *count,
                                  int64_t *bytes, cleave_error *err)
{
    const char *p = text, *end = text + length;
    int64_t names = 0;
    *bytes = 0;
    for (;; p++) {
        piece pieces[most_brackets];
        int npieces;
        const char *begin = p;
        CLV_TRY(cut_item(&p, end, pieces, &npieces, err));
        CLV_TRY(count_item(begin, pieces, npieces, &names, bytes, err));
        if (p == end)
            break;
    }
    *count = (int32_t)names;
    return CLEAVE_OK;
}

typedef struct writer {
    char **name; /* where the next pointer goes */
    char *to;    /* where the next name goes */
    char so_far[longest_name + 1];
} writer;

static char *put_digits(char *to, int64_t value, int width)
{
    char digits[CLV_NUMBER_SPACE];
    int count = (int)(clv_print_i64(digits, value) - digits);
    for (; width > count; width--)
        *to++ = '0';
    memcpy(to, digits, (size_t)count);
    return to + count;
}

/* Writes all names that start with so_far[0 .. used) and continue with these pieces; the depth
 * is at most most_brackets.  The list is known to be valid. */
static void write_names(writer *w, int64_t used, const piece *pieces, int npieces)
{
    char *at = w->so_far + used;
    if (npieces == 0) {
        memcpy(w->to, w->so_far, (size_t)used);
        *w->name++ = w->to;
        w->to += used;
        *w->to++ = '\0';
        return;
    }
    memcpy(at, pieces->text, (size_t)(pieces->text_end - pieces->text));
    at += pieces->text_end - pieces->text;
    if (pieces->ranges == pieces->ranges_end)
        write_names(w, at - w->so_far, pieces + 1, npieces - 1);
    for (const char *p = pieces->ranges; p < pieces->ranges_end;) {
        range r = {0};
        if (next_range(&p, pieces->ranges_end, &r, NULL) != CLEAVE_OK)
            return;
        for (int64_t i = r.first; i <= r.last; i++)
            write_names(w, put_digits(at, i, r.digits) - w->so_far, pieces + 1, npieces - 1);
    }
}

cleave_status clv_node_list_expand(const char *text, size_t length, char ***names,
                                   int32_t *count, clv_arena *arena, cleave_error *err)
{
    const char *p = text, *end = text + length;
    int64_t bytes;
    CLV_TRY(clv_node_list_count(text, length, count, &bytes, err));
    writer w = {.name = clv_arena_alloc(arena, *count, sizeof *w.name),
                .to = clv_arena_alloc(arena, bytes, 1)};
    if (!w.name || !w.to)
        return clv_fail_memory(err);
    *names = w.name;
    for (;; p++) {
        piece pieces[most_brackets];
        int npieces;
        CLV_TRY(cut_item(&p, end, pieces, &npieces, err));
        write_names(&w, 0, pieces, npieces);
        if (p == end)
            return CLEAVE_OK;
    }
}
