/* SPDX-License-Identifier: Apache-2.0 */
/* formats/fixfile.c - one whole number per vertex: the part it is fixed to, counted from 0, or
 * -1 if it is free (the format of hMETIS); or the number of its group, -1 if it has none.
 * Empty lines and lines that start with # or % are skipped. */
#include "formats/formats.h"
#include "formats/text.h"

static cleave_status read_lines(clv_text *text, int32_t *to, int32_t nvtx, int64_t most,
                                bool groups)
{
    bool more;
    int64_t value;
    for (int32_t v = 0; v < nvtx; v++) {
        CLV_TRY(clv_text_next_content(text, "#%", &more));
        if (!more)
            return clv_text_fail(text, "the file ends after %d vertices, but the graph has %d",
                                 (int)v, (int)nvtx);
        CLV_TRY(groups ? clv_text_i64(text, -1, most, "the group of a vertex", &value)
                       : clv_text_i64(text, -1, most, "the part of a vertex", &value));
        CLV_TRY(groups ? clv_text_end_line(text, "the group")
                       : clv_text_end_line(text, "the part"));
        to[v] = (int32_t)value;
    }
    CLV_TRY(clv_text_next_content(text, "#%", &more));
    if (more)
        return clv_text_fail(text, "there are more lines than the graph's %d vertices",
                             (int)nvtx);
    return CLEAVE_OK;
}

static cleave_status read_file(int32_t *to, int32_t nvtx, int64_t most, bool groups,
                               const char *path, cleave_error *err)
{
    clv_input *in;
    CLV_TRY(clv_input_open(&in, path, NULL, NULL, err));
    clv_text text = {.window = NULL};
    cleave_status status = clv_text_init(&text, in, err);
    if (status == CLEAVE_OK)
        status = read_lines(&text, to, nvtx, most, groups);
    clv_text_free(&text);
    clv_input_close(in);
    return status;
}

cleave_status clv_fixed_read(int32_t *part, int32_t nvtx, int32_t nparts, const char *path,
                             cleave_error *err)
{
    return read_file(part, nvtx, (int64_t)nparts - 1, false, path, err);
}

cleave_status clv_groups_read(int32_t *group, int32_t nvtx, const char *path,
                              cleave_error *err)
{
    return read_file(group, nvtx, INT32_MAX, true, path, err);
}
