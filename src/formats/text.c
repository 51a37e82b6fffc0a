/* SPDX-License-Identifier: Apache-2.0 */
/* formats/text.c - words and lines of a text input. */
#include "formats/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Readers that process several bytes at once may read up to `padding` bytes past the window.
 */
enum { window_size = CLV_TEXT_WINDOW, padding = 16 };

/* Some editors write a byte order mark first; it is skipped. */
static cleave_status skip_byte_order_mark(clv_text *text)
{
    enum { mark_size = 3 };
    while (text->end - text->cur < mark_size && !text->at_end)
        CLV_TRY(clv_text_fill(text));
    if (text->end - text->cur >= mark_size &&
        memcmp(text->cur, "\xef\xbb\xbf", mark_size) == 0)
        text->cur += mark_size;
    return CLEAVE_OK;
}

cleave_status clv_text_resume(clv_text *text, clv_input *in, int64_t line, cleave_error *err)
{
    memset(text, 0, sizeof *text);
    text->in = in;
    text->err = err;
    text->line = line;
    text->window = clv_zalloc(window_size + padding, 1);
    if (!text->window)
        return clv_fail_memory(err);
    text->cur = text->end = text->window;
    text->window[0] = '\n';
    return clv_text_fill(text);
}

cleave_status clv_text_init(clv_text *text, clv_input *in, cleave_error *err)
{
    CLV_TRY(clv_text_resume(text, in, 1, err));
    return skip_byte_order_mark(text);
}

void clv_text_free(clv_text *text)
{
    clv_sys_free(text->window);
    text->window = NULL;
}

cleave_status clv_text_fill(clv_text *text)
{
    if (text->at_end)
        return CLEAVE_OK;
    size_t kept = (size_t)(text->end - text->cur);
    if (kept == window_size)
        return clv_text_fail(text, "a word is longer than %d bytes", window_size);
    memmove(text->window, text->cur, kept);
    size_t count = 0;
    CLV_TRY(
        clv_input_read(text->in, text->window + kept, window_size - kept, &count, text->err));
    text->at_end = count == 0;
    text->cur = text->window;
    text->end = text->window + kept + count;
    text->window[kept + count] = '\n';
    return CLEAVE_OK;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

cleave_status clv_text_skip_blanks(clv_text *text)
{
    for (;;) {
        while (is_blank(*text->cur))
            text->cur++;
        if (text->cur != text->end || text->at_end)
            return CLEAVE_OK;
        CLV_TRY(clv_text_fill(text));
    }
}

cleave_status clv_text_skip_line(clv_text *text)
{
    for (;;) {
        const char *newline =
            memchr(text->cur, '\n', (size_t)(text->end - text->cur) + 1); /* the sentinel */
        text->cur = newline;
        if (newline != text->end) {
            text->cur++;
            text->line++;
            return CLEAVE_OK;
        }
        if (text->at_end)
            return CLEAVE_OK;
        CLV_TRY(clv_text_fill(text));
    }
}

cleave_status clv_text_at_line_end(clv_text *text, bool *ends)
{
    CLV_TRY(clv_text_skip_blanks(text));
    *ends = *text->cur == '\n';
    return CLEAVE_OK;
}

cleave_status clv_text_next_content(clv_text *text, const char *comment, bool *more)
{
    *more = true;
    for (;;) {
        CLV_TRY(clv_text_skip_blanks(text));
        if (text->cur == text->end) { /* skip_blanks stops here only at the end of the input */
            *more = false;
            return CLEAVE_OK;
        }
        if (*text->cur != '\n' && (*text->cur == '\0' || !strchr(comment, *text->cur)))
            return CLEAVE_OK;
        CLV_TRY(clv_text_skip_line(text));
    }
}

cleave_status clv_text_word(clv_text *text, const char **word, size_t *length)
{
    const char *p = text->cur;
    for (;;) {
        while (*p != '\n' && !is_blank(*p))
            p++;
        if (p != text->end || text->at_end)
            break;
        size_t so_far = (size_t)(p - text->cur);
        CLV_TRY(clv_text_fill(text));
        p = text->cur + so_far;
    }
    *word = text->cur;
    *length = (size_t)(p - text->cur);
    text->cur = p;
    return CLEAVE_OK;
}

/* The next word of this line; the error message names what is missing. */
static cleave_status expected_word(clv_text *text, const char *what, const char **word,
                                   size_t *length)
{
    *word = NULL;
    *length = 0;
    CLV_TRY(clv_text_skip_blanks(text));
    if (*text->cur == '\n') {
        if (text->cur == text->end)
            return clv_text_fail(text, "the file ends before %s", what);
        return clv_text_fail(text, "the line ends before %s", what);
    }
    return clv_text_word(text, word, length);
}

static int shown_length(size_t length)
{
    return length < 40 ? (int)length : 40;
}

cleave_status clv_text_i64(clv_text *text, int64_t low, int64_t high, const char *what,
                           int64_t *value)
{
    const char *word = NULL;
    size_t length = 0;
    CLV_TRY(expected_word(text, what, &word, &length));
    bool overflow = false;
    const char *end = clv_parse_i64(word, word + length, value, &overflow);
    if (end != word + length)
        return clv_text_fail(text, "%s is \"%.*s\", not a whole number", what,
                             shown_length(length), word);
    if (overflow || *value < low || *value > high)
        return clv_text_fail(text, "%s is %.*s, outside %lld..%lld", what,
                             shown_length(length), word, (long long)low, (long long)high);
    return CLEAVE_OK;
}

cleave_status clv_text_double(clv_text *text, const char *what, double *value)
{
    const char *word = NULL;
    size_t length = 0;
    CLV_TRY(expected_word(text, what, &word, &length));
    if (clv_parse_double(word, word + length, value) != word + length)
        return clv_text_fail(text, "%s is \"%.*s\", not a number", what, shown_length(length),
                             word);
    return CLEAVE_OK;
}

cleave_status clv_text_next_i64(clv_text *text, int64_t low, int64_t high, const char *what,
                                int64_t *value)
{
    const char *p = text->cur;
    for (; is_blank(*p) || (*p == '\n' && p != text->end); p++)
        text->line += *p == '\n';
    text->cur = p;
    if (CLV_LIKELY((unsigned char)(*p - '0') < 10)) { /* most numbers are short and plain */
        uint64_t digits;
        const char *behind = clv_text_digits(p, &digits);
        bool ends = behind < text->end && (is_blank(*behind) || *behind == '\n');
        if (CLV_LIKELY(ends && digits < 10000000000000000u && (int64_t)digits >= low &&
                       (int64_t)digits <= high)) {
            text->cur = behind;
            *value = (int64_t)digits;
            return CLEAVE_OK;
        }
    }
    bool more;
    CLV_TRY(clv_text_next_content(text, "", &more));
    if (!more)
        return clv_text_fail(text, "the file ends before %s", what);
    return clv_text_i64(text, low, high, what, value);
}

cleave_status clv_text_end_line(clv_text *text, const char *what)
{
    bool ends;
    CLV_TRY(clv_text_at_line_end(text, &ends));
    return ends ? CLEAVE_OK : clv_text_fail(text, "unexpected text after %s", what);
}

cleave_status clv_text_fail(const clv_text *text, const char *format, ...)
{
    char sentence[252];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    return clv_fail_at(text->err, CLEAVE_EPARSE, clv_input_path(text->in), text->line, "%s",
                       sentence);
}

/* ---- Tables ---------------------------------------------------------------------------- */

cleave_status clv_text_field(clv_text *text, const char **word, size_t *length)
{
    const char *p = text->cur;
    for (;;) {
        while (clv_text_separates(*p))
            p++;
        text->cur = p;
        while (*p != '\n' && !clv_text_separates(*p))
            p++;
        if (p != text->end || text->at_end)
            break;
        CLV_TRY(clv_text_fill(text));
        p = text->cur;
    }
    *word = text->cur;
    *length = (size_t)(p - text->cur);
    text->cur = p;
    return CLEAVE_OK;
}

cleave_status clv_text_skip_titles(clv_text *text, bool *titles)
{
    bool more;
    CLV_TRY(clv_text_next_content(text, "#%", &more));
    char c = more ? *text->cur : '0';
    *titles =
        c == '"' || c == '\'' || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return *titles ? clv_text_skip_line(text) : CLEAVE_OK;
}

cleave_status clv_text_word_is(clv_text *text, const char *expected, bool *is)
{
    CLV_TRY(clv_text_skip_blanks(text));
    const char *word;
    size_t length;
    CLV_TRY(clv_text_word(text, &word, &length));
    *is = length == strlen(expected);
    for (size_t i = 0; *is && i < length; i++)
        *is = clv_text_lower(word[i]) == expected[i];
    if (!*is)
        text->cur = word;
    return CLEAVE_OK;
}

/* ---- Files of our own ---------------------------------------------------------------- */

static cleave_status expect_words(clv_text *text, const char *kind, const char *line)
{
    const char *const words[] = {"%", "cleave", kind};
    for (int i = 0; i < 3; i++) {
        const char *word = "";
        size_t length = 0;
        bool ends;
        CLV_TRY(clv_text_at_line_end(text, &ends));
        if (!ends)
            CLV_TRY(clv_text_word(text, &word, &length));
        if (length != strlen(words[i]) || memcmp(word, words[i], length) != 0)
            return clv_text_fail(text, "the first line is not \"%s\"", line);
    }
    return CLEAVE_OK;
}

cleave_status clv_text_heading(clv_text *text, const char *kind, const char *line)
{
    int64_t version;
    CLV_TRY(expect_words(text, kind, line));
    CLV_TRY(clv_text_i64(text, 0, INT64_MAX, "the version of the format", &version));
    if (version != 1)
        return clv_text_fail(text,
                             "has version %lld of the format, this library reads version %d",
                             (long long)version, 1);
    return CLEAVE_OK;
}
