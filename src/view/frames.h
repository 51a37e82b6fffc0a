/* SPDX-License-Identifier: Apache-2.0 */
/* view/frames.h - several figures in one SVG picture: before and after, a DAG and its
 * quotient. */
#ifndef CLV_VIEW_FRAMES_H
#define CLV_VIEW_FRAMES_H

#include "view/figure.h"

typedef struct clv_frame {
    const clv_figure *f;
    int32_t x, y; /* pixels */
    clv_picture_size size;
} clv_frame;

typedef struct clv_frames {
    const char *title;
    clv_picture_size size; /* of the whole picture */
    int count;
    const clv_frame *frame;
} clv_frames;

/* Each figure with its own title, caption and legend, in its frame. */
cleave_status clv_frames_svg(clv_svg *svg, const clv_frames *frames, clv_ws *ws,
                             cleave_error *err);

#endif
