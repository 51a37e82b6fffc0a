/* SPDX-License-Identifier: Apache-2.0 */
/* formats/costs_file.c - the coefficients of the cost of a schedule: lines "sync 480" and
 * "read 1.5", both in multiply-adds.  Empty lines and lines that start with # or % are
 * skipped. */
#include <math.h>
#include <string.h>

#include "formats/output.h"
#include "formats/schedule_file.h"
#include "formats/text.h"

static cleave_status read_line(clv_text *text, cleave_schedule_costs *costs, bool *seen)
{
    static const char *const names[] = {"sync", "read"};
    static const char *const texts[] = {"the cost of a synchronisation", "the cost of a read"};
    double *const to[] = {&costs->sync, &costs->read};
    const char *word;
    size_t length;
    int which = 0;
    CLV_TRY(clv_text_word(text, &word, &length));
    while (which < 2 && (length != 4 || memcmp(word, names[which], 4) != 0))
        which++;
    if (which == 2)
        return clv_text_fail(text, "the line begins neither with \"sync\" nor with \"read\"");
    if (seen[which])
        return clv_text_fail(text, "a second line \"%s\"", names[which]);
    seen[which] = true;
    CLV_TRY(clv_text_double(text, texts[which], to[which]));
    if (!(*to[which] >= 0) || !isfinite(*to[which]))
        return clv_text_fail(text, "%s is not a number >= 0", texts[which]);
    CLV_TRY(clv_text_end_line(text, texts[which]));
    return clv_text_skip_line(text);
}

static cleave_status read_lines(clv_text *text, cleave_schedule_costs *costs)
{
    bool seen[2] = {false, false}, more;
    for (;;) {
        CLV_TRY(clv_text_next_content(text, "#%", &more));
        if (!more)
            break;
        CLV_TRY(read_line(text, costs, seen));
    }
    if (!seen[0] && !seen[1])
        return clv_text_fail(text, "has neither a line \"sync\" nor a line \"read\"");
    return CLEAVE_OK;
}

cleave_status clv_costs_read(cleave_schedule_costs *costs, const char *path, cleave_error *err)
{
    clv_input *in;
    clv_text text;
    cleave_schedule_costs read = *costs;
    CLV_TRY(clv_input_open(&in, path, NULL, NULL, err));
    cleave_status status = clv_text_init(&text, in, err);
    if (status == CLEAVE_OK)
        status = read_lines(&text, &read);
    clv_text_free(&text);
    clv_input_close(in);
    if (status == CLEAVE_OK)
        *costs = read;
    return status;
}

cleave_status clv_costs_write(const cleave_schedule_costs *costs, const char *path,
                              cleave_error *err)
{
    clv_output *to;
    CLV_TRY(clv_output_open(&to, path, NULL, NULL, err));
    clv_put_text(to, "% costs of a schedule, in multiply-adds\nsync ");
    clv_put_double(to, costs->sync);
    clv_put_text(to, "\nread ");
    clv_put_double(to, costs->read);
    clv_put_char(to, '\n');
    return clv_output_commit(to, err);
}
