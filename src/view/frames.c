/* SPDX-License-Identifier: Apache-2.0 */
/* view/frames.c - figures inside a picture, each an SVG document. */
#include "view/frames.h"

static void put_frame(clv_svg *svg, const clv_frame *frame, const clv_svg *inner)
{
    clv_buffer_text(svg, "<g class=\"frame\" transform=\"translate(");
    clv_buffer_int(svg, frame->x);
    clv_buffer_text(svg, " ");
    clv_buffer_int(svg, frame->y);
    clv_buffer_text(svg, ")\">\n");
    clv_buffer_bytes(svg, inner->text, (size_t)inner->used);
    clv_buffer_text(svg, "</g>\n");
}

cleave_status clv_frames_svg(clv_svg *svg, const clv_frames *frames, clv_ws *ws,
                             cleave_error *err)
{
    const clv_picture_size size = frames->size;
    cleave_status status = CLEAVE_OK;
    clv_svg_open(svg, size.width, size.height, frames->title, clv_figure_style);
    clv_svg_rect(svg, "paper", (clv_rect){0, 0, size.width, size.height}, 0);
    for (int i = 0; i < frames->count && status == CLEAVE_OK; i++) {
        const clv_frame *frame = &frames->frame[i];
        clv_svg inner = {0};
        status = clv_figure_svg(&inner, frame->f, frame->size, ws, err);
        if (status == CLEAVE_OK)
            put_frame(svg, frame, &inner);
        clv_svg_free(&inner);
    }
    return status == CLEAVE_OK ? clv_svg_close(svg, err) : status;
}
