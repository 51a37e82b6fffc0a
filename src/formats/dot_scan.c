/* SPDX-License-Identifier: Apache-2.0 */
/* formats/dot_scan.c - the tokens of a DOT file.
 *
 * One pass over the sliding window of clv_text.  The text of an id is collected in a separate
 * buffer, because a quoted or HTML string may be longer than the window. */
#include "formats/dot_scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- Messages ---------------------------------------------------------------------- */

static cleave_status fail_in_line(const clv_dot_scan *scan, int64_t line, const char *sentence)
{
    return clv_fail_at(scan->text.err, CLEAVE_EPARSE, clv_input_path(scan->text.in), line,
                       "%s", sentence);
}

cleave_status clv_dot_fail(const clv_dot_scan *scan, const char *format, ...)
{
    char sentence[252];
    va_list args;
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    return fail_in_line(scan, scan->line, sentence);
}

cleave_status clv_dot_fail_expected(const clv_dot_scan *scan, const char *what)
{
    if (scan->token == CLV_DOT_END)
        return clv_dot_fail(scan, "the file ends where %s was expected", what);
    if (scan->token == CLV_DOT_ARROW || scan->token == CLV_DOT_LINE)
        return clv_dot_fail(scan, "expected %s, not '%s'", what,
                            scan->token == CLV_DOT_ARROW ? "->" : "--");
    if (scan->token < CLV_DOT_END)
        return clv_dot_fail(scan, "expected %s, not '%c'", what, scan->token);
    return clv_dot_fail(scan, "expected %s, not '%.40s'", what, scan->id);
}

/* ---- Bytes --------------------------------------------------------------------------- */

/* The next byte, or -1 at the end of the file and after a failed read. */
static inline int peek_byte(clv_dot_scan *scan)
{
    clv_text *text = &scan->text;
    while (CLV_UNLIKELY(text->cur == text->end)) {
        if (text->at_end || scan->status != CLEAVE_OK)
            return -1;
        scan->status = clv_text_fill(text);
    }
    return (unsigned char)*text->cur;
}

static inline int take_byte(clv_dot_scan *scan)
{
    int c = peek_byte(scan);
    if (c >= 0)
        scan->text.cur++;
    if (c == '\n')
        scan->text.line++;
    return c;
}

static cleave_status reserve(clv_dot_scan *scan, int64_t more)
{
    if (scan->id_length + more < scan->id_space)
        return CLEAVE_OK;
    int64_t space = 2 * (scan->id_length + more) + 64;
    char *larger = clv_realloc(scan->id, space, 1);
    if (!larger)
        return clv_fail_memory(scan->text.err);
    scan->id = larger;
    scan->id_space = space;
    return CLEAVE_OK;
}

static cleave_status append(clv_dot_scan *scan, const char *bytes, int64_t count)
{
    CLV_TRY(reserve(scan, count));
    memcpy(scan->id + scan->id_length, bytes, (size_t)count);
    scan->id_length += count;
    scan->id[scan->id_length] = '\0';
    return CLEAVE_OK;
}

static cleave_status append_byte(clv_dot_scan *scan, int c)
{
    /* Names are zero-terminated. */
    if (c == 0)
        return clv_text_fail(&scan->text, "a zero byte inside a string");
    char byte = (char)c;
    return append(scan, &byte, 1);
}

/* ---- White space and comments -------------------------------------------------------- */

static void skip_to_line_end(clv_dot_scan *scan)
{
    int c;
    do
        c = take_byte(scan);
    while (c >= 0 && c != '\n');
    scan->line_start = true;
}

static cleave_status skip_long_comment(clv_dot_scan *scan, int64_t begin)
{
    for (int before = 0, c; (c = take_byte(scan)) >= 0; before = c)
        if (before == '*' && c == '/')
            return CLEAVE_OK;
    return scan->status != CLEAVE_OK ? scan->status
                                     : fail_in_line(scan, begin, "this comment has no end");
}

static cleave_status skip_comment(clv_dot_scan *scan)
{
    int64_t begin = scan->text.line;
    take_byte(scan);
    int c = peek_byte(scan);
    if (c == '/') {
        skip_to_line_end(scan);
        return CLEAVE_OK;
    }
    if (c != '*')
        return fail_in_line(scan, begin, "unexpected '/'");
    take_byte(scan);
    return skip_long_comment(scan, begin);
}

static cleave_status skip_space(clv_dot_scan *scan)
{
    for (;;) {
        int c = peek_byte(scan);
        if (c == '\n' || c == '\r')
            scan->line_start = true;
        if (c == ' ' || (c >= '\t' && c <= '\r'))
            take_byte(scan);
        else if (c == '/')
            CLV_TRY(skip_comment(scan));
        else if (c == '#' && scan->line_start)
            skip_to_line_end(scan);
        else
            return scan->status;
        scan->glued = false;
    }
}

/* ---- Words --------------------------------------------------------------------------- */

static inline bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static inline bool starts_word(int c)
{
    int lower = c | 32;
    return (lower >= 'a' && lower <= 'z') || c == '_' || c >= 128;
}

/* Appends the rest of the word that starts here; digits_only: stops at the first other byte.
 */
static cleave_status append_word(clv_dot_scan *scan, bool digits_only)
{
    while (peek_byte(scan) >= 0) {
        const char *begin = scan->text.cur, *p = begin, *end = scan->text.end;
        while (p < end && (is_digit((unsigned char)*p) ||
                           (!digits_only && starts_word((unsigned char)*p))))
            p++;
        scan->text.cur = p;
        CLV_TRY(append(scan, begin, p - begin));
        if (p < end)
            break;
    }
    return scan->status;
}

static int keyword(const char *word, int64_t length)
{
    static const struct {
        const char *text;
        int token;
    } keywords[] = {{"node", CLV_DOT_NODE},       {"edge", CLV_DOT_EDGE},
                    {"graph", CLV_DOT_GRAPH},     {"strict", CLV_DOT_STRICT},
                    {"digraph", CLV_DOT_DIGRAPH}, {"subgraph", CLV_DOT_SUBGRAPH}};
    if (length < 4 || length > 8)
        return CLV_DOT_ID;
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        const char *p = keywords[i].text, *q = word;
        while (*p && (*q | 32) == *p) {
            p++;
            q++;
        }
        if (*p == '\0' && *q == '\0')
            return keywords[i].token;
    }
    return CLV_DOT_ID;
}

static cleave_status scan_word(clv_dot_scan *scan)
{
    CLV_TRY(append_word(scan, false));
    scan->token = keyword(scan->id, scan->id_length);
    scan->glued = true;
    return CLEAVE_OK;
}

/* [-](.digits | digits[.digits]); the sign has been appended. */
static cleave_status scan_numeral(clv_dot_scan *scan)
{
    CLV_TRY(append_word(scan, true));
    if (peek_byte(scan) == '.') {
        take_byte(scan);
        CLV_TRY(append(scan, ".", 1));
        CLV_TRY(append_word(scan, true));
    }
    int c = peek_byte(scan);
    if (c == '.' || starts_word(c))
        return clv_dot_fail(scan,
                            "'%.40s%c' is neither a number nor a name: put it into quotes",
                            scan->id, c < 128 ? c : '?');
    if (strpbrk(scan->id, "0123456789") == NULL)
        return clv_dot_fail(scan, "unexpected '%.40s'", scan->id);
    scan->token = CLV_DOT_ID;
    scan->glued = true;
    return scan->status;
}

/* '-' is an error unless it starts --, -> or a negative number. */
static cleave_status scan_minus(clv_dot_scan *scan)
{
    take_byte(scan);
    int c = peek_byte(scan);
    if (c == '-' || c == '>') {
        take_byte(scan);
        scan->token = c == '>' ? CLV_DOT_ARROW : CLV_DOT_LINE;
        scan->glued = false;
        return CLEAVE_OK;
    }
    if (scan->status != CLEAVE_OK)
        return scan->status;
    if (scan->glued || (!is_digit(c) && c != '.'))
        return clv_dot_fail(scan,
                            "a single '-' is not an edge: write '--' or '->', or put a name "
                            "that contains it into quotes");
    CLV_TRY(append(scan, "-", 1));
    return scan_numeral(scan);
}

/* ---- Strings ------------------------------------------------------------------------- */

/* What follows a backslash: an escaped quote or backslash, a continued line, or an escape for
 * layout programs (\n, \l, \N), which is kept as it is. */
static cleave_status append_escape(clv_dot_scan *scan)
{
    int c = peek_byte(scan);
    if (c == '\r') {
        take_byte(scan);
        if (peek_byte(scan) == '\n')
            take_byte(scan);
        return CLEAVE_OK;
    }
    if (c == '\n') {
        take_byte(scan);
        return CLEAVE_OK;
    }
    if (c == '"' || c == '\\')
        return append_byte(scan, take_byte(scan));
    return append_byte(scan, '\\');
}

static cleave_status scan_quoted(clv_dot_scan *scan)
{
    int64_t begin = scan->text.line;
    take_byte(scan);
    for (;;) {
        int c = take_byte(scan);
        if (scan->status != CLEAVE_OK)
            return scan->status;
        if (c < 0)
            return fail_in_line(scan, begin, "this quoted string has no end");
        if (c == '"')
            return CLEAVE_OK;
        CLV_TRY(c == '\\' ? append_escape(scan) : append_byte(scan, c));
    }
}

static cleave_status scan_strings(clv_dot_scan *scan)
{
    scan->token = CLV_DOT_ID;
    CLV_TRY(append(scan, "", 0)); /* terminates an empty string */
    for (;;) {
        CLV_TRY(scan_quoted(scan));
        scan->glued = true;
        scan->line_start = false;
        bool plus;
        CLV_TRY(clv_dot_follows(scan, '+', &plus));
        if (!plus)
            return CLEAVE_OK;
        take_byte(scan);
        CLV_TRY(skip_space(scan));
        if (peek_byte(scan) != '"')
            return clv_dot_fail(scan, "only quoted strings can be joined by '+'");
    }
}

static bool id_ends_in(const clv_dot_scan *scan, const char *suffix, int64_t length)
{
    return scan->id_length >= length &&
           memcmp(scan->id + scan->id_length - length, suffix, (size_t)length) == 0;
}

/* <...> with balanced brackets; those inside <!-- --> are ignored.  The outer pair stays part
 * of the name, so that <a> and a are different names. */
static cleave_status scan_html(clv_dot_scan *scan)
{
    int64_t begin = scan->text.line, depth = 0;
    bool comment = false;
    scan->token = CLV_DOT_ID;
    scan->glued = false;
    for (;;) {
        int c = take_byte(scan);
        if (scan->status != CLEAVE_OK)
            return scan->status;
        if (c < 0)
            return fail_in_line(scan, begin, "this HTML string has no end");
        CLV_TRY(append_byte(scan, c));
        if (comment) {
            comment = !id_ends_in(scan, "-->", 3);
            depth -= !comment;
        } else if (c == '<') {
            depth++;
        } else if (c == '>') {
            depth--;
        } else if (c == '-' && depth > 1) {
            comment = id_ends_in(scan, "<!--", 4);
        }
        if (depth == 0)
            return CLEAVE_OK;
    }
}

/* ---- Tokens -------------------------------------------------------------------------- */

static cleave_status scan_mark(clv_dot_scan *scan, int c)
{
    if (c > 32 && c < 127 && !strchr("{}[];,=:", c))
        return clv_dot_fail(scan, "unexpected '%c'", c);
    if (c <= 32 || c >= 127)
        return clv_dot_fail(scan, "unexpected byte 0x%02x", (unsigned)c);
    take_byte(scan);
    scan->token = c;
    scan->glued = false;
    return CLEAVE_OK;
}

cleave_status clv_dot_next(clv_dot_scan *scan)
{
    CLV_TRY(skip_space(scan));
    scan->line = scan->text.line;
    scan->line_start = false;
    scan->id_length = 0;
    int c = peek_byte(scan);
    if (starts_word(c))
        return scan_word(scan);
    if (is_digit(c) || c == '.')
        return scan_numeral(scan);
    if (c == '-')
        return scan_minus(scan);
    if (c == '"')
        return scan_strings(scan);
    if (c == '<')
        return scan_html(scan);
    if (c >= 0)
        return scan_mark(scan, c);
    scan->token = CLV_DOT_END;
    return scan->status;
}

cleave_status clv_dot_follows(clv_dot_scan *scan, char c, bool *follows)
{
    CLV_TRY(skip_space(scan));
    *follows = peek_byte(scan) == (unsigned char)c;
    return scan->status;
}

bool clv_dot_is_word(const clv_dot_scan *scan)
{
    return scan->token >= CLV_DOT_ID && scan->token <= CLV_DOT_SUBGRAPH;
}

cleave_status clv_dot_scan_init(clv_dot_scan *scan, clv_input *in, cleave_error *err)
{
    memset(scan, 0, sizeof *scan);
    scan->line_start = true;
    CLV_TRY(clv_text_init(&scan->text, in, err));
    return clv_dot_next(scan);
}

void clv_dot_scan_free(clv_dot_scan *scan)
{
    clv_text_free(&scan->text);
    clv_sys_free(scan->id);
}
