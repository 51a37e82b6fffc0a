/* SPDX-License-Identifier: Apache-2.0 */
/* view/palette.h - colours for parts, and for heat.
 *
 * Parts beside each other must differ for everybody, also for those who do not tell red from
 * green: colours are compared as normal, as protanopic and as deuteranopic eyes see them. */
#ifndef CLV_VIEW_PALETTE_H
#define CLV_VIEW_PALETTE_H

#include "base/mem.h"

enum { CLV_DISTINCT_COLORS = 1024 };

/* Pairs of neighbours as compressed rows, both directions; NULL xadj: not known. */
typedef struct clv_palette_pairs {
    const int64_t *xadj;
    const int32_t *adj;
} clv_palette_pairs;

/* A colour 0xRRGGBB for each of count parts.  Up to CLV_DISTINCT_COLORS all differ; beyond,
 * parts share colours, neighbours not.  The order of the first few is fixed: 0 is always the
 * same blue.  O(count * (CLV_DISTINCT_COLORS + pairs per part)). */
cleave_status clv_palette_parts(uint32_t *rgb, int32_t count, clv_palette_pairs pairs,
                                clv_ws *ws, cleave_error *err);

/* count steps from cold to hot, even in lightness: for loads and traffic. */
void clv_palette_heat(uint32_t *rgb, int32_t count);

/* How different two colours look to the eyes that tell them apart least: 0 the same, about 1
 * black and white, below 0.05 hard to see. */
double clv_palette_distance(uint32_t a, uint32_t b);

#endif
