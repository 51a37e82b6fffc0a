/* SPDX-License-Identifier: Apache-2.0 */
/* formats/part_bounds.c - lower or upper bounds on the weights of parts: line p has the bounds
 * of part p, one per constraint, -1 for none.  Empty lines and lines that start with # or %
 * are skipped. */
#include "formats/formats.h"
#include "formats/text.h"

static cleave_status read_lines(clv_text *text, int64_t *bound, int32_t nparts, int32_t ncon)
{
    bool more;
    for (int32_t p = 0; p < nparts; p++) {
        CLV_TRY(clv_text_next_content(text, "#%", &more));
        if (!more)
            return clv_text_fail(text, "the file ends after the bounds of %d of %d parts",
                                 (int)p, (int)nparts);
        for (int32_t c = 0; c < ncon; c++)
            CLV_TRY(
                clv_text_i64(text, -1, INT64_MAX, "a bound", &bound[(int64_t)p * ncon + c]));
        CLV_TRY(clv_text_end_line(text, "the bounds of a part"));
    }
    CLV_TRY(clv_text_next_content(text, "#%", &more));
    if (more)
        return clv_text_fail(text, "there are more lines than %d parts", (int)nparts);
    return CLEAVE_OK;
}

cleave_status clv_bounds_read(int64_t *bound, int32_t nparts, int32_t ncon, const char *path,
                              cleave_error *err)
{
    clv_input *in;
    CLV_TRY(clv_input_open(&in, path, NULL, NULL, err));
    clv_text text = {.window = NULL};
    cleave_status status = clv_text_init(&text, in, err);
    if (status == CLEAVE_OK)
        status = read_lines(&text, bound, nparts, ncon);
    clv_text_free(&text);
    clv_input_close(in);
    return status;
}
