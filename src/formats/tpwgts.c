/* SPDX-License-Identifier: Apache-2.0 */
/* formats/tpwgts.c - the relative sizes of parts.
 *
 * METIS: lines `first[-last][:con[-lastcon]] = weight`, blanks anywhere; a later line
 * overrides an earlier one, and parts without a line share the remainder to 1.  Plain: line p
 * has the sizes of part p, one per constraint, on any scale.  An = in the first line
 * identifies the form of METIS. Empty lines and lines that start with # or % are skipped. */
#include <math.h>
#include <string.h>

#include "formats/formats.h"
#include "formats/grow.h"
#include "formats/text.h"

static const char comment_marks[] = "#%";

/* One line of the METIS form; both ranges include their ends. */
typedef struct share_line {
    int32_t first, last, first_con, last_con;
    double weight;
} share_line;

typedef struct shares_reader {
    clv_text text;
    int32_t nparts, ncon;
    double *shares; /* the caller's */
    share_line *lines;
    int64_t count, room;
    int32_t *next; /* by part: itself if it has no share yet, otherwise a later part
                      (union-find) */
} shares_reader;

static cleave_status check_share(const shares_reader *r, double share)
{
    if (!isfinite(share) || share < 0)
        return clv_text_fail(&r->text, "a share is negative or not finite");
    return CLEAVE_OK;
}

/* ---- METIS ---------------------------------------------------------------------------- */

/* The line without its blanks. */
static cleave_status gather_line(clv_text *text, char *to, size_t room, size_t *length)
{
    bool ends;
    *length = 0;
    for (;;) {
        const char *word;
        size_t count;
        CLV_TRY(clv_text_at_line_end(text, &ends));
        if (ends)
            return CLEAVE_OK;
        CLV_TRY(clv_text_word(text, &word, &count));
        if (count > room - *length)
            return clv_text_fail(text, "the line is longer than %zu characters", room);
        memcpy(to + *length, word, count);
        *length += count;
    }
}

/* `a` or `a-b` within 0..most-1; returns the byte after it, or NULL. */
static const char *parse_range(const char *p, const char *end, int32_t most, int32_t *first,
                               int32_t *last)
{
    int64_t from, to;
    bool overflow = false;
    p = clv_parse_i64(p, end, &from, &overflow);
    to = from;
    if (p && p < end && *p == '-')
        p = clv_parse_i64(p + 1, end, &to, &overflow);
    if (!p || overflow || from < 0 || to < from || to >= most)
        return NULL;
    *first = (int32_t)from;
    *last = (int32_t)to;
    return p;
}

static cleave_status parse_line(const shares_reader *r, const char *p, const char *end,
                                share_line *line)
{
    p = parse_range(p, end, r->nparts, &line->first, &line->last);
    if (!p)
        return clv_text_fail(&r->text,
                             "the line does not start with a part or a range of "
                             "parts inside 0..%d",
                             (int)r->nparts - 1);
    line->first_con = 0;
    line->last_con = r->ncon - 1;
    if (p < end && *p == ':') {
        p = parse_range(p + 1, end, r->ncon, &line->first_con, &line->last_con);
        if (!p)
            return clv_text_fail(&r->text,
                                 "no constraint or range of constraints inside "
                                 "0..%d follows the colon",
                                 (int)r->ncon - 1);
    }
    if (p == end || *p != '=')
        return clv_text_fail(&r->text, "no = follows the parts of the line");
    if (clv_parse_double(p + 1, end, &line->weight) != end)
        return clv_text_fail(&r->text, "no number follows the =");
    return check_share(r, line->weight);
}

static cleave_status read_metis_lines(shares_reader *r)
{
    for (bool more = true;;) {
        char line[256];
        size_t length;
        CLV_TRY(clv_text_next_content(&r->text, comment_marks, &more));
        if (!more)
            return CLEAVE_OK;
        if (r->count == r->room) {
            int64_t room = clv_next_room(r->room);
            share_line *larger = clv_realloc(r->lines, room, sizeof *larger);
            if (!larger)
                return clv_fail_memory(r->text.err);
            r->lines = larger;
            r->room = room;
        }
        CLV_TRY(gather_line(&r->text, line, sizeof line, &length));
        CLV_TRY(parse_line(r, line, line + length, &r->lines[r->count]));
        r->count++;
    }
}

/* The first part from p on that has no share; nparts: none. */
static int32_t next_part(int32_t *next, int32_t p)
{
    while (next[p] != p) {
        next[p] = next[next[p]];
        p = next[p];
    }
    return p;
}

/* Applies the lines from the last to the first: a part takes the first share that it finds. */
static cleave_status apply_lines(shares_reader *r, int32_t con)
{
    double sum = 0;
    int32_t left = r->nparts;
    for (int32_t p = 0; p <= r->nparts; p++)
        r->next[p] = p;
    for (int64_t i = r->count; i-- > 0;) {
        const share_line *line = &r->lines[i];
        if (con < line->first_con || con > line->last_con)
            continue;
        for (int32_t p = next_part(r->next, line->first); p <= line->last;
             p = next_part(r->next, p)) {
            r->shares[(int64_t)p * r->ncon + con] = line->weight;
            r->next[p] = p + 1;
            sum += line->weight;
            left--;
        }
    }
    int32_t p = next_part(r->next, 0);
    if (left > 0 && sum > 1 + 1e-6)
        return clv_text_fail(
            &r->text, "the shares add up to more than 1, and nothing is left for part %d",
            (int)p);
    double rest = sum < 1 ? (1 - sum) / left : 0;
    for (; p < r->nparts; p = next_part(r->next, p + 1))
        r->shares[(int64_t)p * r->ncon + con] = rest;
    return CLEAVE_OK;
}

static cleave_status read_metis(shares_reader *r)
{
    CLV_TRY(read_metis_lines(r));
    r->next = clv_alloc((int64_t)r->nparts + 1, sizeof *r->next);
    if (!r->next)
        return clv_fail_memory(r->text.err);
    for (int32_t con = 0; con < r->ncon; con++)
        CLV_TRY(apply_lines(r, con));
    return CLEAVE_OK;
}

/* ---- Plain ---------------------------------------------------------------------------- */

static cleave_status read_plain(shares_reader *r)
{
    bool more;
    for (int32_t p = 0; p < r->nparts; p++) {
        CLV_TRY(clv_text_next_content(&r->text, comment_marks, &more));
        if (!more)
            return clv_text_fail(&r->text, "the file ends after the shares of %d of %d parts",
                                 (int)p, (int)r->nparts);
        for (int32_t con = 0; con < r->ncon; con++) {
            double *share = &r->shares[(int64_t)p * r->ncon + con];
            CLV_TRY(clv_text_double(&r->text, "a share", share));
            CLV_TRY(check_share(r, *share));
        }
        CLV_TRY(clv_text_end_line(&r->text, "the shares of a part"));
    }
    CLV_TRY(clv_text_next_content(&r->text, comment_marks, &more));
    if (more)
        return clv_text_fail(&r->text, "there are more lines than %d parts", (int)r->nparts);
    return CLEAVE_OK;
}

/* ---- Reading -------------------------------------------------------------------------- */

static cleave_status check_totals(const shares_reader *r)
{
    for (int32_t con = 0; con < r->ncon; con++) {
        double sum = 0;
        for (int64_t p = 0; p < r->nparts; p++)
            sum += r->shares[p * r->ncon + con];
        if (!(sum > 0) || !isfinite(sum))
            return clv_text_fail(&r->text, "the shares of constraint %d add up to %s",
                                 (int)con, sum > 0 ? "infinity" : "0");
    }
    return CLEAVE_OK;
}

/* Does the first line with contents have an =? */
static bool looks_like_metis(const char *bytes, size_t count)
{
    const char *p = bytes, *end = bytes + count;
    while (p < end) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        const char *stop = newline ? newline : end;
        while (p < stop && (*p == ' ' || *p == '\t' || *p == '\r'))
            p++;
        if (p < stop && *p != '#' && *p != '%')
            return memchr(p, '=', (size_t)(stop - p)) != NULL;
        p = newline ? newline + 1 : end;
    }
    return false;
}

static cleave_status read_form(shares_reader *r, clv_input *in, cleave_error *err)
{
    const char *bytes;
    size_t count;
    CLV_TRY(clv_input_peek(in, &bytes, &count, err));
    bool metis = looks_like_metis(bytes, count);
    CLV_TRY(clv_text_init(&r->text, in, err));
    CLV_TRY(metis ? read_metis(r) : read_plain(r));
    return check_totals(r);
}

cleave_status clv_shares_read(double *shares, int32_t nparts, int32_t ncon, const char *path,
                              cleave_error *err)
{
    clv_input *in;
    CLV_TRY(clv_input_open(&in, path, NULL, NULL, err));
    shares_reader r = {.nparts = nparts, .ncon = ncon, .shares = shares};
    cleave_status status = read_form(&r, in, err);
    clv_text_free(&r.text);
    clv_sys_free(r.lines);
    clv_sys_free(r.next);
    clv_input_close(in);
    return status;
}
