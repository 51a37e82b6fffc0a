/* SPDX-License-Identifier: Apache-2.0 */
/* formats/dot_scan.h - the tokens of a DOT file.
 *
 * Skips comments (two slashes to the end of the line, slash-star, lines that start with #) and
 * white space; joins quoted strings connected by + and resolves their escapes.  Text that the
 * lexer of Graphviz splits into two tokens with a warning (1a, a-1) is an error here. */
#ifndef CLV_FORMATS_DOT_SCAN_H
#define CLV_FORMATS_DOT_SCAN_H

#include "formats/text.h"

/* A token is one of these, or the character itself: { } [ ] ; , = : */
enum {
    CLV_DOT_END = 256, /* of the file */
    CLV_DOT_ID,
    CLV_DOT_STRICT,
    CLV_DOT_GRAPH,
    CLV_DOT_DIGRAPH,
    CLV_DOT_NODE,
    CLV_DOT_EDGE,
    CLV_DOT_SUBGRAPH,
    CLV_DOT_ARROW, /* -> */
    CLV_DOT_LINE   /* -- */
};

typedef struct clv_dot_scan {
    clv_text text;
    int token;
    int64_t line; /* where the token starts */
    char *id;     /* of an ID or a keyword: its text, zero-terminated */
    int64_t id_length, id_space;
    bool line_start;      /* only blanks so far in this line */
    bool glued;           /* the last token was an id and ends here */
    cleave_status status; /* of the last refill; remains set */
} clv_dot_scan;

/* Reads the first token.  The caller frees *scan, also on failure. */
cleave_status clv_dot_scan_init(clv_dot_scan *scan, clv_input *in, cleave_error *err);
void clv_dot_scan_free(clv_dot_scan *scan);

/* Reads the next token into scan->token, and its text into scan->id. */
cleave_status clv_dot_next(clv_dot_scan *scan);
/* *follows: is c the first byte of the next token?  Keeps scan->id. */
cleave_status clv_dot_follows(clv_dot_scan *scan, char c, bool *follows);
/* Is the current token an ID, or a keyword used as an ID? */
bool clv_dot_is_word(const clv_dot_scan *scan);

/* CLEAVE_EPARSE "path:line: sentence" for the current token. */
cleave_status clv_dot_fail(const clv_dot_scan *scan, const char *format, ...) CLV_PRINTF(2, 3);
/* "expected WHAT, not TOKEN" */
cleave_status clv_dot_fail_expected(const clv_dot_scan *scan, const char *what);

#endif
