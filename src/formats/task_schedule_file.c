/* SPDX-License-Identifier: Apache-2.0 */
/* formats/task_schedule_file.c - a schedule of a task graph as text: a line "pe start" for
 * each task, in the order of their numbers, without a heading.  Starts are written so that
 * they read back the same.  Empty lines and lines that start with # or % are skipped. */
#include "formats/task_schedule_file.h"

#include <math.h>
#include <string.h>

#include "formats/grow.h"
#include "formats/output.h"
#include "formats/text.h"

typedef struct reader {
    clv_text text;
    int32_t *pe;
    double *start;
    int64_t count, room;
} reader;

static cleave_status reserve(reader *r)
{
    if (r->count < r->room)
        return CLEAVE_OK;
    int64_t room = clv_next_room(r->room);
    double *start = clv_realloc(r->start, room, sizeof *start);
    if (!start)
        return clv_fail_memory(r->text.err);
    r->start = start;
    if (!clv_grow_i32(&r->pe, room))
        return clv_fail_memory(r->text.err);
    r->room = room;
    return CLEAVE_OK;
}

static cleave_status read_line(reader *r)
{
    int64_t pe;
    double start;
    if (r->count == INT32_MAX)
        return clv_text_fail(&r->text, "a schedule has at most %d tasks", INT32_MAX);
    CLV_TRY(reserve(r));
    CLV_TRY(clv_text_i64(&r->text, 0, INT32_MAX - 1, "the PE", &pe));
    CLV_TRY(clv_text_double(&r->text, "the start", &start));
    CLV_TRY(clv_text_end_line(&r->text, "the start"));
    if (!(start >= 0) || !isfinite(start))
        return clv_text_fail(&r->text, "the start is not a time >= 0");
    r->pe[r->count] = (int32_t)pe;
    r->start[r->count++] = start;
    return clv_text_skip_line(&r->text);
}

static cleave_status read_lines(reader *r)
{
    for (;;) {
        bool more;
        CLV_TRY(clv_text_next_content(&r->text, "#%", &more));
        if (!more)
            return CLEAVE_OK;
        CLV_TRY(read_line(r));
    }
}

static cleave_status make_schedule(clv_task_schedule **out, const reader *r, cleave_error *err)
{
    CLV_TRY(clv_task_schedule_new(out, (int32_t)r->count, "given", err));
    if (r->count > 0) {
        memcpy((*out)->pe, r->pe, (size_t)r->count * sizeof *r->pe);
        memcpy((*out)->start, r->start, (size_t)r->count * sizeof *r->start);
    }
    return CLEAVE_OK;
}

cleave_status clv_task_schedule_read(clv_task_schedule **out, const char *path,
                                     cleave_error *err)
{
    clv_input *in;
    reader r = {0};
    *out = NULL;
    CLV_TRY(clv_input_open(&in, path, NULL, NULL, err));
    cleave_status status = clv_text_init(&r.text, in, err);
    if (status == CLEAVE_OK)
        status = read_lines(&r);
    if (status == CLEAVE_OK)
        status = make_schedule(out, &r, err);
    clv_text_free(&r.text);
    clv_sys_free(r.pe);
    clv_sys_free(r.start);
    clv_input_close(in);
    return status;
}

cleave_status clv_task_schedule_write(const clv_task_schedule *s, const char *path,
                                      cleave_error *err)
{
    clv_output *to;
    CLV_TRY(clv_output_open(&to, path, NULL, NULL, err));
    for (int32_t v = 0; v < s->ntasks; v++) {
        clv_put_i64(to, s->pe[v]);
        clv_put_char(to, ' ');
        clv_put_double(to, s->start[v]);
        clv_put_char(to, '\n');
    }
    return clv_output_commit(to, err);
}
