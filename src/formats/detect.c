/* SPDX-License-Identifier: Apache-2.0 */
/* formats/detect.c - format detection by contents and name.
 *
 * A banner, magic bytes or a keyword identify most formats.  A file of plain numbers could be
 * of several: the format is then chosen by the extension and, if that is unknown, the shape of
 * the first lines. */
#include <string.h>

#include "formats/formats.h"
#include "formats/openfoam.h"
#include "formats/text.h"

#define FORMAT_ADDRESS(name) &clv_format_##name,
const clv_format *const clv_formats[] = {CLV_FORMATS(FORMAT_ADDRESS) NULL};
#undef FORMAT_ADDRESS

const clv_format *clv_format_by_name(const char *name)
{
    for (int i = 0; clv_formats[i]; i++)
        if (strcmp(clv_formats[i]->name, name) == 0)
            return clv_formats[i];
    return NULL;
}

/* ---- Names ---------------------------------------------------------------------------- */

static bool same_word(const char *a, const char *b, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (clv_text_lower(a[i]) != clv_text_lower(b[i]))
            return false;
    return true;
}

/* The extension of the file name without ".gz": it starts at *begin; returns its length. */
static size_t extension_of(const char *path, const char **begin)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t length = strlen(name);
    if (length > 3 && same_word(name + length - 3, ".gz", 3))
        length -= 3;
    size_t dot = length;
    while (dot > 0 && name[dot - 1] != '.')
        dot--;
    *begin = name + dot;
    return dot == 0 ? 0 : length - dot;
}

bool clv_path_has_extension(const char *path, const char *extension)
{
    const char *begin;
    size_t length = extension_of(path, &begin);
    return length == strlen(extension) && same_word(begin, extension, length);
}

/* Is the extension one of the blank-separated words? */
static bool word_in_list(const char *words, const char *extension, size_t length)
{
    for (const char *word = words; *word;) {
        size_t n = strcspn(word, " ");
        if (n == length && same_word(word, extension, length))
            return true;
        word += n;
        word += *word == ' ';
    }
    return false;
}

const clv_format *clv_format_by_path(const char *path)
{
    const char *extension;
    size_t length = extension_of(path, &extension);
    if (clv_path_is_openfoam(path))
        return &clv_format_openfoam;
    for (int i = 0; length > 0 && clv_formats[i]; i++)
        if (word_in_list(clv_formats[i]->extensions, extension, length))
            return clv_formats[i];
    return NULL;
}

/* ---- Lines of numbers ----------------------------------------------------------------- */

/* Words of the next line that is not a comment.  -1: it contains something other than numbers;
 * -2: there is no such line.  Without `whole`, a line without newline is incomplete and does
 * not count.  Moves *p to the next line. */
static int count_numbers(const char **p, const char *end, bool whole)
{
    while (*p < end) {
        const char *q = *p, *newline = memchr(q, '\n', (size_t)(end - q));
        if (!newline && !whole)
            return -2;
        newline = newline ? newline : end;
        *p = newline < end ? newline + 1 : end;
        if (*q == '%' || *q == '#')
            continue;
        int words = 0;
        bool inside = false;
        for (; q < newline; q++) {
            bool blank = *q == ' ' || *q == '\t' || *q == ',' || *q == ';' || *q == '\r';
            if (!blank && (*q < '0' || *q > '9') && !strchr("+-.eE", *q))
                return -1;
            words += !blank && !inside;
            inside = !blank;
        }
        return words;
    }
    return -2;
}

/* Is the first line the header of a METIS graph without weights whose counts agree with the
 * other lines? */
static bool counts_fit(const char *bytes, const char *end, int64_t rows, int64_t numbers)
{
    int64_t nvtx, nedge;
    bool overflow = false;
    while (bytes < end && (*bytes == '%' || *bytes == '#')) {
        const char *newline = memchr(bytes, '\n', (size_t)(end - bytes));
        bytes = newline ? newline + 1 : end;
    }
    while (bytes < end && (*bytes == ' ' || *bytes == '\t'))
        bytes++;
    const char *p = clv_parse_i64(bytes, end, &nvtx, &overflow);
    while (p && p < end && (*p == ' ' || *p == '\t'))
        p++;
    p = p ? clv_parse_i64(p, end, &nedge, &overflow) : NULL;
    return p && !overflow && nvtx == rows && numbers % 2 == 0 && nedge == numbers / 2;
}

/* Lines of two numbers each, or of three numbers each, are an edge list.  A header of two to
 * five numbers followed by lines of varying length is a METIS graph; so is a file that looks
 * like an edge list with two columns, if it is seen as a whole and the counts of its first
 * line agree with the others. */
static const clv_format *guess_numbers(const char *bytes, size_t count)
{
    bool whole = count < CLV_INPUT_PEEK;
    const char *p = bytes, *end = bytes + count;
    int header = count_numbers(&p, end, whole), words;
    if (header < 2 || header > 5)
        return NULL;
    bool uniform = header <= 3;
    int64_t rows = 0, numbers = 0;
    while ((words = count_numbers(&p, end, whole)) >= 0) {
        uniform = uniform && words == header;
        rows++;
        numbers += words;
    }
    if (words == -1)
        return NULL;
    if (uniform && header == 2 && whole && rows > 0 && counts_fit(bytes, end, rows, numbers))
        uniform = false;
    return uniform ? &clv_format_edges : &clv_format_metis;
}

const clv_format *clv_format_detect(const char *path, const char *bytes, size_t count)
{
    enum { sure = 90, likely = 50 };
    const clv_format *best = NULL, *named = clv_format_by_path(path);
    if (named && !named->read)
        named = NULL;
    if (count >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) {
        bytes += 3; /* as clv_text_init does */
        count -= 3;
    }
    int confidence = 0;
    for (int i = 0; clv_formats[i]; i++) {
        int c = clv_formats[i]->looks_like ? clv_formats[i]->looks_like(bytes, count) : 0;
        if (c > confidence || (c == confidence && c > 0 && clv_formats[i] == named)) {
            best = clv_formats[i];
            confidence = c;
        }
    }
    if (confidence >= sure || (!named && confidence >= likely))
        return best;
    return named ? named : guess_numbers(bytes, count);
}

/* ---- Rules ---------------------------------------------------------------------------- */

clv_build_rules clv_rules_collapsing(const clv_read_options *opt, bool weighted)
{
    clv_build_rules rules = {
        .one_way = true, .drop_loops = true, .merge_duplicates = true, .cycles = opt->cycles};
    rules.symmetrise = weighted && !opt->no_weights ? opt->symmetrise : CLV_SYMMETRISE_PATTERN;
    if (opt->repair && rules.symmetrise == CLV_SYMMETRISE_REFUSE)
        rules.symmetrise = CLV_SYMMETRISE_MAX;
    rules.repairs = opt->repairs;
    return rules;
}

clv_build_rules clv_rules_strict(const clv_read_options *opt, bool weighted)
{
    clv_build_rules rules = {.symmetrise = opt->symmetrise,
                             .drop_loops = opt->repair,
                             .merge_duplicates = opt->repair,
                             .repairs = opt->repairs,
                             .cycles = opt->cycles};
    if (opt->repair && rules.symmetrise == CLV_SYMMETRISE_REFUSE)
        rules.symmetrise = weighted ? CLV_SYMMETRISE_MAX : CLV_SYMMETRISE_PATTERN;
    return rules;
}

clv_build_rules clv_rules_both_ways(const clv_read_options *opt)
{
    clv_build_rules rules = clv_rules_strict(opt, true);
    rules.drop_loops = rules.merge_duplicates = true;
    return rules;
}
