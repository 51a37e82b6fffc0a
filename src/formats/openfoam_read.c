/* SPDX-License-Identifier: Apache-2.0 */
/* formats/openfoam_read.c - reads the parts of OpenFOAM's cellDecomposition word by word.
 *
 * Comments as in C and C++, `FoamFile { key value; ...  }` with class labelList and format
 * ascii, then the list: `count ( value ...  )` on one line or several, or `count { value }` if
 * all values are equal.  Brackets, braces and semicolons are separate words. */
#include <string.h>

#include "base/number.h"
#include "formats/openfoam.h"

typedef struct foam_word {
    char text[64]; /* truncated if longer; "" at the end of the input */
    size_t length;
} foam_word;

/* The next byte, without consuming it; -1 at the end. */
static cleave_status peek_byte(clv_text *t, int *c)
{
    while (t->cur == t->end && !t->at_end)
        CLV_TRY(clv_text_fill(t));
    *c = t->cur == t->end ? -1 : (unsigned char)*t->cur;
    return CLEAVE_OK;
}

static void take_byte(clv_text *t)
{
    t->line += *t->cur == '\n';
    t->cur++;
}

/* Skips the rest of a comment whose first slash has been read. */
static cleave_status skip_comment(clv_text *t)
{
    int c, before = 0;
    CLV_TRY(peek_byte(t, &c));
    if (c != '/' && c != '*')
        return clv_text_fail(t, "a slash that begins no comment");
    bool block = c == '*';
    take_byte(t);
    for (;; before = c) {
        CLV_TRY(peek_byte(t, &c));
        if (c < 0 && block)
            return clv_text_fail(t, "the file ends inside a comment");
        if (c < 0 || (c == '\n' && !block))
            return CLEAVE_OK;
        take_byte(t);
        if (block && before == '*' && c == '/')
            return CLEAVE_OK;
    }
}

static bool is_blank(int c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static bool stands_alone(int c)
{
    return c == '(' || c == ')' || c == '{' || c == '}' || c == ';';
}

static cleave_status skip_space(clv_text *t, int *c)
{
    for (;;) {
        CLV_TRY(peek_byte(t, c));
        if (*c == '/') {
            take_byte(t);
            CLV_TRY(skip_comment(t));
        } else if (is_blank(*c)) {
            take_byte(t);
        } else {
            return CLEAVE_OK;
        }
    }
}

static cleave_status next_word(clv_text *t, foam_word *word)
{
    int c;
    *word = (foam_word){.length = 0};
    CLV_TRY(skip_space(t, &c));
    while (c >= 0 && !is_blank(c) && c != '/' && !(stands_alone(c) && word->length > 0)) {
        if (word->length < sizeof word->text - 1)
            word->text[word->length] = (char)c;
        word->length++;
        take_byte(t);
        if (stands_alone(c))
            break;
        CLV_TRY(peek_byte(t, &c));
    }
    return CLEAVE_OK;
}

static bool word_is(const foam_word *word, const char *text)
{
    return strcmp(word->text, text) == 0;
}

static cleave_status expect(clv_text *t, const char *wanted)
{
    foam_word word;
    CLV_TRY(next_word(t, &word));
    return word_is(&word, wanted)
               ? CLEAVE_OK
               : clv_text_fail(t, "\"%.40s\" where '%s' is expected", word.text, wanted);
}

static cleave_status to_number(clv_text *t, const foam_word *word, int64_t *value)
{
    bool overflow = false;
    const char *end = word->text + strlen(word->text);
    if (word->length < sizeof word->text && word->length > 0 &&
        clv_parse_i64(word->text, end, value, &overflow) == end && !overflow)
        return CLEAVE_OK;
    return clv_text_fail(t, "\"%.40s\" in a list of labels is not a whole number", word->text);
}

/* Reads up to the closing brace; keys that do not concern the list are ignored. */
static cleave_status read_header(clv_text *t)
{
    foam_word key, value;
    CLV_TRY(expect(t, "FoamFile"));
    CLV_TRY(expect(t, "{"));
    for (;;) {
        CLV_TRY(next_word(t, &key));
        if (word_is(&key, "}"))
            return CLEAVE_OK;
        CLV_TRY(next_word(t, &value));
        if (value.length == 0)
            return clv_text_fail(t, "the file ends inside its header FoamFile");
        if (word_is(&key, "format") && !word_is(&value, "ascii"))
            return clv_text_fail(t, "the format of the list is \"%.40s\", not ascii",
                                 value.text);
        if (word_is(&key, "class") && !word_is(&value, "labelList"))
            return clv_text_fail(t, "the class of the file is \"%.40s\", not labelList",
                                 value.text);
        while (!word_is(&value, ";") && value.length > 0)
            CLV_TRY(next_word(t, &value));
    }
}

bool clv_openfoam_looks_like(const char *bytes, size_t count)
{
    return (count >= 2 && bytes[0] == '/' && (bytes[1] == '*' || bytes[1] == '/')) ||
           (count >= 8 && memcmp(bytes, "FoamFile", 8) == 0);
}

cleave_status clv_openfoam_begin(clv_text *t, int64_t *count, bool *uniform)
{
    foam_word word;
    CLV_TRY(read_header(t));
    CLV_TRY(next_word(t, &word));
    CLV_TRY(to_number(t, &word, count));
    CLV_TRY(next_word(t, &word));
    *uniform = word_is(&word, "{");
    return *uniform || word_is(&word, "(")
               ? CLEAVE_OK
               : clv_text_fail(t, "\"%.40s\" where '%s' is expected", word.text, "(");
}

cleave_status clv_openfoam_next(clv_text *t, int64_t *value, bool *ends)
{
    foam_word word;
    CLV_TRY(next_word(t, &word));
    *ends = word_is(&word, ")") || word_is(&word, "}");
    if (*ends)
        return CLEAVE_OK;
    if (word.length == 0)
        return clv_text_fail(t, "the file ends inside the list of labels");
    return to_number(t, &word, value);
}
