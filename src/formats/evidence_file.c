/* SPDX-License-Identifier: Apache-2.0 */
/* formats/evidence_file.c - evidence: one line per instance with 0, 1 or ?  (or *, or -1) for
 * each variable, separated by commas, semicolons or blanks.  Empty lines and lines that start
 * with # or % are skipped.  Results: one number per line. */
#include "formats/evidence_file.h"

#include <string.h>

#include "formats/output.h"
#include "formats/text.h"

typedef struct evidence_reader {
    clv_text text;
    cleave_evidence *e;
    int32_t variables;
    int64_t space; /* capacity in instances */
} evidence_reader;

static cleave_status read_value(const clv_text *text, const char *word, size_t length,
                                int8_t *value)
{
    if (length == 1 && (*word == '0' || *word == '1'))
        *value = (int8_t)(*word - '0');
    else if ((length == 1 && (*word == '?' || *word == '*')) ||
             (length == 2 && memcmp(word, "-1", 2) == 0))
        *value = -1;
    else
        return clv_text_fail(text, "\"%.*s\" is not 0, 1 or ?", length < 40 ? (int)length : 40,
                             word);
    return CLEAVE_OK;
}

static cleave_status make_room(evidence_reader *r)
{
    if (r->e->count < r->space)
        return CLEAVE_OK;
    int64_t space = 2 * r->space + (r->variables < 1 << 16 ? 16 : 1), bytes;
    int8_t *value =
        clv_mul_i64(space, r->variables, &bytes) ? clv_realloc(r->e->value, bytes, 1) : NULL;
    if (!value)
        return clv_fail_memory(r->text.err);
    r->e->value = value;
    r->space = space;
    return CLEAVE_OK;
}

/* One line: as many values as the circuit has variables, in their order. */
static cleave_status read_instance(evidence_reader *r)
{
    int32_t count = 0;
    CLV_TRY(make_room(r));
    int8_t *to = r->e->value + r->e->count * r->variables;
    for (;;) {
        const char *word;
        size_t length;
        CLV_TRY(clv_text_field(&r->text, &word, &length));
        if (length == 0)
            break;
        if (count == r->variables)
            return clv_text_fail(&r->text, "the line has more values than the circuit's %d",
                                 (int)r->variables);
        CLV_TRY(read_value(&r->text, word, length, &to[count++]));
    }
    if (count < r->variables)
        return clv_text_fail(&r->text, "the line has %d of %d values", (int)count,
                             (int)r->variables);
    r->e->count++;
    return clv_text_skip_line(&r->text);
}

static cleave_status read_instances(evidence_reader *r)
{
    for (;;) {
        bool more;
        CLV_TRY(clv_text_next_content(&r->text, "#%", &more));
        if (!more)
            return CLEAVE_OK;
        CLV_TRY(read_instance(r));
    }
}

static cleave_status read_file(evidence_reader *r, const char *path, cleave_error *err)
{
    clv_input *in;
    CLV_TRY(clv_input_open(&in, path, NULL, NULL, err));
    cleave_status status = clv_text_init(&r->text, in, err);
    if (status == CLEAVE_OK)
        status = read_instances(r);
    clv_text_free(&r->text);
    clv_input_close(in);
    return status;
}

cleave_status clv_evidence_read(cleave_evidence **out, const char *path, int32_t variables,
                                cleave_error *err)
{
    *out = NULL;
    cleave_evidence *e = clv_zalloc(1, sizeof *e);
    if (!e)
        return clv_fail_memory(err);
    evidence_reader r = {.e = e, .variables = variables};
    cleave_status status = read_file(&r, path, err);
    if (status == CLEAVE_OK)
        *out = e;
    else
        clv_evidence_free(e);
    return status;
}

void clv_evidence_free(cleave_evidence *e)
{
    if (!e)
        return;
    clv_sys_free(e->value);
    clv_sys_free(e);
}

cleave_status clv_results_write(const char *path, int64_t count, const double *result,
                                cleave_error *err)
{
    clv_output *to;
    CLV_TRY(clv_output_open(&to, path, NULL, NULL, err));
    for (int64_t i = 0; i < count; i++) {
        clv_put_double(to, result[i]);
        clv_put_char(to, '\n');
    }
    return clv_output_commit(to, err);
}
