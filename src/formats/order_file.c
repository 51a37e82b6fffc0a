/* SPDX-License-Identifier: Apache-2.0 */
/* formats/order_file.c - the text format of orders.
 *
 *     % cleave order 1 N METHOD
 *     vertex weight              for place 0, 1, ... N - 1; vertices are counted from 0
 *     % graph HASH               16 hexadecimal digits; absent: not known
 *
 * Empty lines and other lines that start with # or % are skipped. */
#include "formats/order_file.h"

#include <string.h>

#include "formats/formats.h"
#include "formats/grow.h"
#include "formats/text.h"

typedef struct reader {
    clv_text text;
    int64_t nvtx;    /* as in the first line */
    int32_t *vertex; /* by position, like those below */
    int32_t *weight;
    int64_t *line;
    int64_t count, room;
    char method[clv_order_method_room + 1];
    uint64_t hash;
} reader;

bool clv_order_method_fits(const char *name, size_t length)
{
    if (length == 0 || length > clv_order_method_room)
        return false;
    for (size_t i = 0; i < length; i++)
        if (!((name[i] >= 'a' && name[i] <= 'z') || (name[i] >= '0' && name[i] <= '9') ||
              name[i] == '-' || name[i] == '_'))
            return false;
    return true;
}

/* ---- The first line ------------------------------------------------------------------- */

static cleave_status read_first_line(reader *r)
{
    const char *word;
    size_t length;
    bool ends;
    CLV_TRY(clv_text_heading(&r->text, "order", "% cleave order 1 N METHOD"));
    CLV_TRY(clv_text_i64(&r->text, 0, INT32_MAX, "the number of vertices", &r->nvtx));
    CLV_TRY(clv_text_at_line_end(&r->text, &ends));
    if (ends)
        return clv_text_fail(&r->text, "the name of the method is missing");
    CLV_TRY(clv_text_word(&r->text, &word, &length));
    if (!clv_order_method_fits(word, length))
        return clv_text_fail(&r->text,
                             "the method is not a name of at most %d small letters, digits, "
                             "- and _",
                             (int)clv_order_method_room);
    memcpy(r->method, word, length);
    CLV_TRY(clv_text_end_line(&r->text, "the method"));
    return clv_text_skip_line(&r->text);
}

/* ---- Comments: one of them has the hash ------------------------------------------------ */

static bool read_hex(const char *word, size_t length, uint64_t *value)
{
    if (length != 16)
        return false;
    *value = 0;
    for (size_t i = 0; i < length; i++) {
        char c = clv_text_lower(word[i]);
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')))
            return false;
        *value = *value << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    return *value != 0;
}

/* The next word of the line; length 0: there is none. */
static cleave_status next_word(reader *r, const char **word, size_t *length)
{
    bool ends;
    *length = 0;
    CLV_TRY(clv_text_at_line_end(&r->text, &ends));
    return ends ? CLEAVE_OK : clv_text_word(&r->text, word, length);
}

/* Any comment other than "% graph HASH" is ignored. */
static cleave_status read_comment(reader *r)
{
    const char *word;
    size_t length;
    uint64_t hash = 0;
    CLV_TRY(next_word(r, &word, &length));
    bool found = length == 1;
    if (found) {
        CLV_TRY(next_word(r, &word, &length));
        found = length == 5 && memcmp(word, "graph", 5) == 0;
    }
    if (found) {
        CLV_TRY(next_word(r, &word, &length));
        found = read_hex(word, length, &hash);
    }
    if (found) {
        CLV_TRY(next_word(r, &word, &length));
        r->hash = length == 0 ? hash : r->hash;
    }
    return clv_text_skip_line(&r->text);
}

/* ---- Places ---------------------------------------------------------------------------- */

static cleave_status reserve(reader *r)
{
    if (r->count < r->room)
        return CLEAVE_OK;
    int64_t room = clv_next_room(r->room);
    if (!clv_grow_i32(&r->vertex, room) || !clv_grow_i32(&r->weight, room) ||
        !clv_grow_i64(&r->line, room))
        return clv_fail_memory(r->text.err);
    r->room = room;
    return CLEAVE_OK;
}

static cleave_status read_place(reader *r)
{
    int64_t vertex, weight;
    if (r->count == r->nvtx)
        return clv_text_fail(&r->text, "more places than the %lld vertices of the first line",
                             (long long)r->nvtx);
    CLV_TRY(reserve(r));
    r->line[r->count] = r->text.line;
    CLV_TRY(clv_text_i64(&r->text, 0, r->nvtx - 1, "a vertex", &vertex));
    CLV_TRY(clv_text_i64(&r->text, 0, INT32_MAX, "the weight of the vertex", &weight));
    CLV_TRY(clv_text_end_line(&r->text, "the weight of the vertex"));
    r->vertex[r->count] = (int32_t)vertex;
    r->weight[r->count++] = (int32_t)weight;
    return clv_text_skip_line(&r->text);
}

static cleave_status read_lines(reader *r)
{
    bool more;
    CLV_TRY(read_first_line(r));
    for (;;) {
        CLV_TRY(clv_text_next_content(&r->text, "#", &more));
        if (!more)
            break;
        CLV_TRY(*r->text.cur == '%' ? read_comment(r) : read_place(r));
    }
    if (r->count < r->nvtx)
        return clv_text_fail(&r->text,
                             "the file ends after %lld places, but the first line says %lld "
                             "vertices",
                             (long long)r->count, (long long)r->nvtx);
    return CLEAVE_OK;
}

/* The weights by vertex; every vertex must occur once. */
static cleave_status sort_weights(const reader *r, int32_t *by_vertex)
{
    for (int64_t v = 0; v < r->nvtx; v++)
        by_vertex[v] = -1;
    for (int64_t p = 0; p < r->nvtx; p++) {
        int32_t *at = &by_vertex[r->vertex[p]];
        if (*at >= 0)
            return clv_fail_at(r->text.err, CLEAVE_EPARSE, clv_input_path(r->text.in),
                               r->line[p], "vertex %ld has two places", (long)r->vertex[p]);
        *at = r->weight[p];
    }
    return CLEAVE_OK;
}

static cleave_status make_order(clv_order **out, const reader *r, cleave_error *err)
{
    int32_t *by_vertex = clv_alloc(r->nvtx, sizeof *by_vertex);
    if (!by_vertex)
        return clv_fail_memory(err);
    cleave_status status = sort_weights(r, by_vertex);
    if (status == CLEAVE_OK)
        status = clv_order_given(out, (int32_t)r->nvtx, r->vertex, by_vertex, err);
    clv_sys_free(by_vertex);
    if (status != CLEAVE_OK)
        return status;
    memcpy((*out)->method, r->method, sizeof r->method);
    (*out)->hash = r->hash;
    return CLEAVE_OK;
}

static cleave_status read_text(clv_order **out, clv_input *in, cleave_error *err)
{
    reader r = {.nvtx = 0};
    cleave_status status = clv_text_init(&r.text, in, err);
    if (status == CLEAVE_OK)
        status = read_lines(&r);
    if (status == CLEAVE_OK)
        status = make_order(out, &r, err);
    clv_text_free(&r.text);
    clv_sys_free(r.vertex);
    clv_sys_free(r.weight);
    clv_sys_free(r.line);
    return status;
}

cleave_status clv_order_read(clv_order **out, const char *path, bool trust, cleave_error *err)
{
    clv_input *in;
    const char *bytes;
    size_t count;
    *out = NULL;
    CLV_TRY(clv_input_open(&in, path, NULL, NULL, err));
    cleave_status status = clv_input_peek(in, &bytes, &count, err);
    if (status == CLEAVE_OK)
        status = clv_order_looks_binary(bytes, count)
                     ? clv_order_read_binary(out, in, trust, err)
                     : read_text(out, in, err);
    clv_input_close(in);
    return status;
}

/* ---- Writing --------------------------------------------------------------------------- */

static void put_hex(clv_output *to, uint64_t value)
{
    for (int shift = 60; shift >= 0; shift -= 4)
        clv_put_char(to, "0123456789abcdef"[value >> shift & 15]);
}

void clv_order_put_title(clv_output *to, int64_t nvtx, const char *method)
{
    clv_put_text(to, "% cleave order 1 ");
    clv_put_i64(to, nvtx);
    clv_put_char(to, ' ');
    clv_put_text(to, method);
    clv_put_char(to, '\n');
}

static void put_text(const clv_order *o, clv_output *to)
{
    clv_order_put_title(to, o->nvtx, o->method);
    for (int32_t p = 0; p < o->nvtx; p++) {
        clv_put_i64(to, o->vertex[p]);
        clv_put_char(to, ' ');
        clv_put_i64(to, o->before[p + 1] - o->before[p]);
        clv_put_char(to, '\n');
    }
    if (o->hash) {
        clv_put_text(to, "% graph ");
        put_hex(to, o->hash);
        clv_put_char(to, '\n');
    }
}

cleave_status clv_order_write(const clv_order *o, const char *path, cleave_error *err)
{
    clv_output *to;
    CLV_TRY(clv_output_open(&to, path, NULL, NULL, err));
    if (clv_path_has_extension(path, "clo"))
        clv_order_put_binary(o, to);
    else
        put_text(o, to);
    return clv_output_commit(to, err);
}
