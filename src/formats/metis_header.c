/* SPDX-License-Identifier: Apache-2.0 */
/* formats/metis_header.c - the first line of a METIS graph file: vertices, edges, up to three
 * digits that say which weights are present, and the number of weights per vertex. */
#include "formats/metis_rows.h"

static cleave_status read_format_digits(clv_metis_header *h, clv_text *text)
{
    const char *word;
    size_t length;
    CLV_TRY(clv_text_word(text, &word, &length));
    bool digits = length <= 3;
    for (size_t i = 0; digits && i < length; i++)
        digits = word[i] == '0' || word[i] == '1';
    if (!digits)
        return clv_text_fail(text, "the format \"%.*s\" is not up to three digits 0 or 1",
                             length < 20 ? (int)length : 20, word);
    h->has_ewgt = word[length - 1] == '1';
    h->has_vwgt = length > 1 && word[length - 2] == '1';
    h->has_vsize = length > 2 && word[length - 3] == '1';
    return CLEAVE_OK;
}

cleave_status clv_metis_read_header(clv_metis_header *h, clv_text *text)
{
    bool more, ends;
    CLV_TRY(clv_text_next_content(text, "%", &more));
    if (!more)
        return clv_text_fail(text, "the file has no header line");
    h->line = text->line;
    CLV_TRY(clv_text_i64(text, 0, INT32_MAX - 1, "the number of vertices", &h->nvtx));
    CLV_TRY(clv_text_i64(text, 0, INT64_MAX / 4, "the number of edges", &h->nedge));
    int64_t ncon = 1;
    CLV_TRY(clv_text_at_line_end(text, &ends));
    if (!ends)
        CLV_TRY(read_format_digits(h, text));
    CLV_TRY(clv_text_at_line_end(text, &ends));
    if (!ends)
        CLV_TRY(clv_text_i64(text, 0, 1024, "the number of weights per vertex", &ncon));
    CLV_TRY(clv_text_at_line_end(text, &ends));
    if (!ends) { /* some Chaco files have a fifth number, 0 */
        int64_t fifth;
        CLV_TRY(clv_text_i64(text, 0, 0, "the fifth header number", &fifth));
        CLV_TRY(clv_text_at_line_end(text, &ends));
    }
    if (!ends)
        return clv_text_fail(text, "the header has more than five numbers");
    if (h->has_vwgt && ncon == 0)
        return clv_text_fail(text, "the format has vertex weights, but 0 per vertex");
    h->ncon = h->has_vwgt ? (int32_t)ncon : 1;
    return clv_text_skip_line(text);
}
