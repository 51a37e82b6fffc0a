/* SPDX-License-Identifier: Apache-2.0 */
/* view/palette.h - colours for parts, and for heat.
 *
 * Colours of adjacent parts must differ for all readers, including those with red-green colour
 * blindness: they are compared for normal, protanopic and deuteranopic vision. */
#ifndef CLV_VIEW_PALETTE_H
#define CLV_VIEW_PALETTE_H

#include "base/mem.h"

enum { CLV_DISTINCT_COLORS = 1024 };

/* Pairs of adjacent parts as compressed rows, both directions; xadj NULL: unknown. */
typedef struct clv_palette_pairs {
    const int64_t *xadj;
    const int32_t *adj;
} clv_palette_pairs;

/* A colour 0xRRGGBB for each of count parts.  Up to CLV_DISTINCT_COLORS parts all differ; with
 * more, parts share colours, but adjacent ones do not.  The first colours are fixed: 0 is
 * always the same blue.  O(count * (CLV_DISTINCT_COLORS + pairs per part)). */
cleave_status clv_palette_parts(uint32_t *rgb, int32_t count, clv_palette_pairs pairs,
                                clv_ws *ws, cleave_error *err);

/* count steps from cold to hot with uniform steps of lightness: for loads and traffic. */
void clv_palette_heat(uint32_t *rgb, int32_t count);

/* Difference of two colours, as the minimum over the kinds of colour vision: 0 equal, about 1
 * black and white, below 0.05 hard to see. */
double clv_palette_distance(uint32_t a, uint32_t b);

#endif
