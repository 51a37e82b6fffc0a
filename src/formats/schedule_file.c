/* SPDX-License-Identifier: Apache-2.0 */
/* formats/schedule_file.c - a schedule as text.
 *
 *     % cleave schedule 1 N LAYERS THREADS
 *     vertex layer thread        N lines in the order of execution, all counted from 0
 *     % method NAME              absent: unknown
 *
 * If rows are split, these lines contain tasks, and a second table follows:
 *
 *     % rows ROWS
 *     task row predecessors      N lines; tasks and rows ascend
 *
 * The tasks of a row take its predecessors in ascending order, each as many as given in its
 * line. Empty lines and other lines that start with # or % are skipped. */
#include "formats/schedule_file.h"

#include <string.h>

#include "formats/grow.h"
#include "formats/output.h"
#include "formats/text.h"

typedef struct reader {
    clv_text text;
    clv_ws *ws;
    int64_t ntasks, layers, threads; /* as in the first line */
    int64_t nrows;                   /* -1: no second table so far */
    int32_t *task;                   /* by position, like those below */
    int32_t *layer, *thread;
    int64_t *line;
    int32_t *row, *share; /* by task */
    int64_t count, room;
    int64_t row_count, row_room;
    char method[sizeof(((clv_schedule *)0)->method)];
} reader;

static cleave_status next_word(reader *r, const char *missing, const char **word,
                               size_t *length)
{
    bool ends;
    CLV_TRY(clv_text_at_line_end(&r->text, &ends));
    if (ends)
        return clv_text_fail(&r->text, "%s is missing", missing);
    return clv_text_word(&r->text, word, length);
}

/* ---- The first line ------------------------------------------------------------------- */

static cleave_status read_first_line(reader *r)
{
    CLV_TRY(clv_text_heading(&r->text, "schedule", "% cleave schedule 1 N LAYERS THREADS"));
    CLV_TRY(clv_text_i64(&r->text, 0, INT32_MAX, "the number of vertices", &r->ntasks));
    CLV_TRY(
        clv_text_i64(&r->text, r->ntasks > 0, r->ntasks, "the number of layers", &r->layers));
    CLV_TRY(clv_text_i64(&r->text, 1, clv_schedule_most_threads, "the number of threads",
                         &r->threads));
    CLV_TRY(clv_text_end_line(&r->text, "the number of threads"));
    if (!clv_schedule_is_plausible(r->ntasks, r->layers, r->threads))
        return clv_text_fail(
            &r->text, "%lld layers of %lld threads are too many for %lld vertices",
            (long long)r->layers, (long long)r->threads, (long long)r->ntasks);
    return clv_text_skip_line(&r->text);
}

/* ---- Comment lines with data ---------------------------------------------------------- */

static bool is_name(const char *word, size_t length, size_t most)
{
    for (size_t i = 0; i < length; i++)
        if (!((word[i] >= 'a' && word[i] <= 'z') || (word[i] >= '0' && word[i] <= '9') ||
              word[i] == '-' || word[i] == '_'))
            return false;
    return length <= most;
}

static cleave_status read_method(reader *r)
{
    const char *word;
    size_t length;
    CLV_TRY(next_word(r, "the name of the method", &word, &length));
    if (!is_name(word, length, sizeof r->method - 1))
        return clv_text_fail(&r->text,
                             "the method is not a name of at most %d small letters, digits, "
                             "- and _",
                             (int)sizeof r->method - 1);
    memset(r->method, 0, sizeof r->method);
    memcpy(r->method, word, length);
    return clv_text_end_line(&r->text, "the method");
}

static cleave_status begin_rows(reader *r)
{
    if (r->nrows >= 0)
        return clv_text_fail(&r->text, "a second table of rows");
    CLV_TRY(clv_text_i64(&r->text, r->ntasks > 0, r->ntasks, "the number of rows", &r->nrows));
    return clv_text_end_line(&r->text, "the number of rows");
}

static cleave_status read_comment(reader *r)
{
    const char *word;
    size_t length;
    bool ends;
    CLV_TRY(clv_text_word(&r->text, &word, &length));
    bool alone = length == 1;
    CLV_TRY(clv_text_at_line_end(&r->text, &ends));
    if (alone && !ends) {
        CLV_TRY(clv_text_word(&r->text, &word, &length));
        if (length == 6 && memcmp(word, "method", 6) == 0)
            CLV_TRY(read_method(r));
        else if (length == 4 && memcmp(word, "rows", 4) == 0)
            CLV_TRY(begin_rows(r));
    }
    return clv_text_skip_line(&r->text);
}

/* ---- The tables ----------------------------------------------------------------------- */

static cleave_status reserve(reader *r)
{
    if (r->count < r->room)
        return CLEAVE_OK;
    int64_t room = clv_next_room(r->room);
    if (!clv_grow_i32(&r->task, room) || !clv_grow_i32(&r->layer, room) ||
        !clv_grow_i32(&r->thread, room) || !clv_grow_i64(&r->line, room))
        return clv_fail_memory(r->text.err);
    r->room = room;
    return CLEAVE_OK;
}

/* The layer of a line is that of the line before or the next one; threads ascend within a
 * layer. */
static cleave_status check_sequence(const reader *r, int64_t layer, int64_t thread)
{
    int64_t layer_before = r->count > 0 ? r->layer[r->count - 1] : -1;
    if (layer < layer_before)
        return clv_text_fail(&r->text, "layer %lld comes after layer %lld", (long long)layer,
                             (long long)layer_before);
    if (layer > layer_before + 1)
        return clv_text_fail(&r->text, "layer %lld has no vertices",
                             (long long)layer_before + 1);
    if (layer == layer_before && thread < r->thread[r->count - 1])
        return clv_text_fail(&r->text, "thread %lld comes after thread %ld in layer %lld",
                             (long long)thread, (long)r->thread[r->count - 1],
                             (long long)layer);
    return CLEAVE_OK;
}

static cleave_status read_place(reader *r)
{
    int64_t task, layer, thread;
    if (r->count == r->ntasks)
        return clv_text_fail(&r->text, "more lines than the %lld vertices of the first line",
                             (long long)r->ntasks);
    CLV_TRY(reserve(r));
    r->line[r->count] = r->text.line;
    CLV_TRY(clv_text_i64(&r->text, 0, r->ntasks - 1, "a vertex", &task));
    CLV_TRY(clv_text_i64(&r->text, 0, r->layers - 1, "the layer", &layer));
    CLV_TRY(clv_text_i64(&r->text, 0, r->threads - 1, "the thread", &thread));
    CLV_TRY(clv_text_end_line(&r->text, "the thread"));
    CLV_TRY(check_sequence(r, layer, thread));
    r->task[r->count] = (int32_t)task;
    r->layer[r->count] = (int32_t)layer;
    r->thread[r->count++] = (int32_t)thread;
    return clv_text_skip_line(&r->text);
}

static cleave_status reserve_rows(reader *r)
{
    if (r->row_count < r->row_room)
        return CLEAVE_OK;
    int64_t room = clv_next_room(r->row_room);
    if (!clv_grow_i32(&r->row, room) || !clv_grow_i32(&r->share, room))
        return clv_fail_memory(r->text.err);
    r->row_room = room;
    return CLEAVE_OK;
}

static cleave_status read_row(reader *r)
{
    int64_t task, row, share, before = r->row_count > 0 ? r->row[r->row_count - 1] : -1;
    if (r->row_count == r->ntasks)
        return clv_text_fail(&r->text, "more lines than the %lld tasks of the first line",
                             (long long)r->ntasks);
    CLV_TRY(reserve_rows(r));
    CLV_TRY(clv_text_i64(&r->text, r->row_count, r->row_count, "a task", &task));
    CLV_TRY(clv_text_i64(&r->text, 0, r->nrows - 1, "the row", &row));
    CLV_TRY(clv_text_i64(&r->text, 0, INT32_MAX, "the number of predecessors", &share));
    CLV_TRY(clv_text_end_line(&r->text, "the number of predecessors"));
    if (row != before && row != before + 1)
        return clv_text_fail(&r->text, "row %lld comes after row %lld", (long long)row,
                             (long long)before);
    r->row[r->row_count] = (int32_t)row;
    r->share[r->row_count++] = (int32_t)share;
    return clv_text_skip_line(&r->text);
}

/* ---- The end -------------------------------------------------------------------------- */

static cleave_status check_complete(const reader *r)
{
    const clv_text *text = &r->text;
    if (r->count < r->ntasks)
        return clv_text_fail(text,
                             "the file ends after %lld vertices, but the first line says "
                             "%lld",
                             (long long)r->count, (long long)r->ntasks);
    int64_t layers = r->count > 0 ? r->layer[r->count - 1] + (int64_t)1 : 0;
    if (layers < r->layers)
        return clv_text_fail(text,
                             "the file ends after %lld layers, but the first line says %lld",
                             (long long)layers, (long long)r->layers);
    if (r->nrows < 0)
        return CLEAVE_OK;
    if (r->row_count < r->ntasks)
        return clv_text_fail(text,
                             "the file ends after the rows of %lld tasks, but the first line "
                             "says %lld",
                             (long long)r->row_count, (long long)r->ntasks);
    int64_t rows = r->row_count > 0 ? r->row[r->row_count - 1] + (int64_t)1 : 0;
    if (rows < r->nrows)
        return clv_text_fail(text, "the file ends after %lld rows, but there are to be %lld",
                             (long long)rows, (long long)r->nrows);
    return CLEAVE_OK;
}

static cleave_status read_lines(reader *r)
{
    bool more;
    CLV_TRY(read_first_line(r));
    for (;;) {
        CLV_TRY(clv_text_next_content(&r->text, "#", &more));
        if (!more)
            return check_complete(r);
        if (*r->text.cur == '%')
            CLV_TRY(read_comment(r));
        else
            CLV_TRY(r->nrows < 0 ? read_place(r) : read_row(r));
    }
}

/* Layer and thread by task; every task must occur once. */
static cleave_status sort_by_task(const reader *r, int32_t *layer, int32_t *thread)
{
    for (int64_t t = 0; t < r->ntasks; t++)
        layer[t] = -1;
    for (int64_t p = 0; p < r->ntasks; p++) {
        int32_t t = r->task[p];
        if (layer[t] >= 0)
            return clv_fail_at(r->text.err, CLEAVE_EPARSE, clv_input_path(r->text.in),
                               r->line[p], "vertex %ld is executed twice", (long)t);
        layer[t] = r->layer[p];
        thread[t] = r->thread[p];
    }
    return CLEAVE_OK;
}

/* The schedule takes over the table of rows. */
static cleave_status add_rows(clv_schedule *s, reader *r)
{
    int32_t **const tables[] = {&r->row, &r->share};
    const int32_t **const to[] = {&s->row, &s->share};
    for (int i = 0; i < 2; i++) {
        if (!*tables[i] && !clv_grow_i32(tables[i], 1)) /* a schedule without tasks */
            return clv_fail_memory(r->text.err);
        if (!clv_arena_adopt(&s->arena, *tables[i]))
            return clv_fail_memory(r->text.err);
        *to[i] = *tables[i];
        *tables[i] = NULL;
    }
    s->nrows = (int32_t)r->nrows;
    return CLEAVE_OK;
}

static cleave_status make_schedule(clv_schedule **out, reader *r, cleave_error *err)
{
    int32_t *layer = clv_ws_alloc(r->ws, r->ntasks, sizeof *layer);
    int32_t *thread = clv_ws_alloc(r->ws, r->ntasks, sizeof *thread);
    if (!layer || !thread)
        return clv_fail_memory(err);
    CLV_TRY(sort_by_task(r, layer, thread));
    clv_schedule_spec spec = {r->method, (int32_t)r->threads, layer, thread, r->task};
    CLV_TRY(clv_schedule_given(out, (int32_t)r->ntasks, &spec, r->ws, err));
    cleave_status status = r->nrows >= 0 ? add_rows(*out, r) : CLEAVE_OK;
    if (status != CLEAVE_OK) {
        clv_schedule_free(*out);
        *out = NULL;
    }
    return status;
}

cleave_status clv_schedule_read(clv_schedule **out, const char *path, cleave_error *err)
{
    clv_input *in;
    clv_ws ws = {0};
    reader r = {.nrows = -1, .method = "given", .ws = &ws};
    *out = NULL;
    CLV_TRY(clv_input_open(&in, path, NULL, NULL, err));
    cleave_status status = clv_text_init(&r.text, in, err);
    if (status == CLEAVE_OK)
        status = read_lines(&r);
    if (status == CLEAVE_OK)
        status = make_schedule(out, &r, err);
    clv_text_free(&r.text);
    clv_sys_free(r.task);
    clv_sys_free(r.layer);
    clv_sys_free(r.thread);
    clv_sys_free(r.line);
    clv_sys_free(r.row);
    clv_sys_free(r.share);
    clv_ws_free(&ws);
    clv_input_close(in);
    return status;
}

/* ---- Writing -------------------------------------------------------------------------- */

static void put_numbers(clv_output *to, int64_t a, int64_t b, int64_t c)
{
    clv_put_i64(to, a);
    clv_put_char(to, ' ');
    clv_put_i64(to, b);
    clv_put_char(to, ' ');
    clv_put_i64(to, c);
    clv_put_char(to, '\n');
}

cleave_status clv_schedule_write(const clv_schedule *s, const char *path, cleave_error *err)
{
    clv_output *to;
    CLV_TRY(clv_output_open(&to, path, NULL, NULL, err));
    clv_put_text(to, "% cleave schedule 1 ");
    put_numbers(to, s->ntasks, s->layers, s->threads);
    clv_put_text(to, "% method ");
    clv_put_text(to, s->method);
    clv_put_char(to, '\n');
    for (int32_t p = 0; p < s->ntasks; p++)
        put_numbers(to, s->order[p], s->layer[s->order[p]], s->thread[s->order[p]]);
    if (s->row) {
        clv_put_text(to, "% rows ");
        clv_put_i64(to, s->nrows);
        clv_put_char(to, '\n');
        for (int32_t t = 0; t < s->ntasks; t++)
            put_numbers(to, t, s->row[t], s->share[t]);
    }
    return clv_output_commit(to, err);
}
