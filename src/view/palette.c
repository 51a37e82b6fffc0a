/* SPDX-License-Identifier: Apache-2.0 */
/* view/palette.c - choosing colours.
 *
 * A list of candidates: the base colours, then mixtures of them with a neighbour in hue and
 * with white or black.  Parts choose greedily, in order: the unused candidate that differs
 * most from the colours of the neighbours.
 *
 * Colour differences are measured in Oklab [Ottosson 2020]; protanopia and deuteranopia are
 * simulated by the matrices of Vienot, Brettel and Mollon [1999].  The base colours follow
 * Okabe and Ito [2002]. */
#include "view/palette.h"

#include <math.h>

enum { bases = 10, most_candidates = 2 * CLV_DISTINCT_COLORS };

/* For each kind of colour vision, any two differ by at least 0.15. */
static const uint32_t base_color[bases] = {0x4067c6, 0xe59f15, 0x68c3af, 0x8f2200, 0x4ea4fc,
                                           0xc9ee87, 0x4c486d, 0xc55f00, 0x8df0ff, 0x16938a};

typedef struct lab {
    float at[3][3]; /* L, a, b for each kind of colour vision */
} lab;

/* ---- Colour vision ---------------------------------------------------------------------- */

static double linear(double value)
{
    value /= 255;
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

static void oklab(const double rgb[3], float out[3])
{
    double l = cbrt(0.4122214708 * rgb[0] + 0.5363325363 * rgb[1] + 0.0514459929 * rgb[2]);
    double m = cbrt(0.2119034982 * rgb[0] + 0.6806995451 * rgb[1] + 0.1073969566 * rgb[2]);
    double s = cbrt(0.0883024619 * rgb[0] + 0.2817188376 * rgb[1] + 0.6299787005 * rgb[2]);
    out[0] = (float)(0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s);
    out[1] = (float)(1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s);
    out[2] = (float)(0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s);
}

static lab simulate_vision(uint32_t color)
{
    double rgb[3], seen[3];
    lab out;
    for (int c = 0; c < 3; c++)
        rgb[c] = linear(color >> (16 - 8 * c) & 255);
    oklab(rgb, out.at[0]);
    seen[0] = seen[1] = 0.11238 * rgb[0] + 0.88762 * rgb[1];
    seen[2] = 0.00401 * rgb[0] - 0.00401 * rgb[1] + rgb[2];
    oklab(seen, out.at[1]);
    seen[0] = seen[1] = 0.29275 * rgb[0] + 0.70725 * rgb[1];
    seen[2] = -0.02234 * rgb[0] + 0.02234 * rgb[1] + rgb[2];
    oklab(seen, out.at[2]);
    return out;
}

static double difference(const lab *a, const lab *b)
{
    double least = HUGE_VAL;
    for (int eyes = 0; eyes < 3; eyes++) {
        double sum = 0;
        for (int c = 0; c < 3; c++) {
            double d = a->at[eyes][c] - b->at[eyes][c];
            sum += d * d;
        }
        least = fmin(least, sum);
    }
    return sqrt(least);
}

double clv_palette_distance(uint32_t a, uint32_t b)
{
    lab x = simulate_vision(a), y = simulate_vision(b);
    return difference(&x, &y);
}

/* ---- Candidates ------------------------------------------------------------------------- */

static uint32_t mix(uint32_t a, uint32_t b, double share)
{
    uint32_t out = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
        double value = (a >> shift & 255) * (1 - share) + (b >> shift & 255) * share;
        out |= (uint32_t)(value + 0.5) << shift;
    }
    return out;
}

/* Variant 0 of every base colour, then variant 1, ...: gradually further from the base
 * colours. */
static uint32_t candidate(int32_t i)
{
    static const double lightness[] = {0,     0.34, -0.30, 0.17,  -0.16, 0.45,  -0.42,
                                       0.08,  0.26, -0.08, -0.23, 0.40,  -0.36, 0.21,
                                       -0.12, 0.04, 0.30,  -0.20, 0.12,  -0.27, 0.37};
    enum { steps = sizeof lightness / sizeof *lightness };
    int32_t base = i % bases, variant = i / bases;
    double light = lightness[variant % steps], hue = 0.06 * (variant / steps);
    uint32_t color = mix(base_color[base], base_color[(base + 3) % bases], hue);
    return light < 0 ? mix(color, 0x101418, -light) : mix(color, 0xffffff, light);
}

/* ---- Colours of parts ------------------------------------------------------------------- */

typedef struct choosing {
    int32_t count, ncandidates;
    clv_palette_pairs pairs;
    uint32_t color[most_candidates];
    lab look[most_candidates];
    bool taken[most_candidates];
} choosing;

static void find_candidates(choosing *c, int32_t wanted)
{
    for (int32_t i = 0; c->ncandidates < wanted; i++) {
        uint32_t color = candidate(i);
        bool known = false;
        for (int32_t k = 0; k < c->ncandidates && !known; k++)
            known = c->color[k] == color;
        if (known)
            continue;
        c->color[c->ncandidates] = color;
        c->look[c->ncandidates++] = simulate_vision(color);
    }
}

/* The smallest difference between a candidate and the colours of the neighbours; if there are
 * very many, of some of them. */
static double least_difference(const choosing *c, const int32_t *chosen, int32_t part,
                               int32_t candidate_color)
{
    double least = HUGE_VAL;
    int64_t from = c->pairs.xadj[part], to = c->pairs.xadj[part + 1];
    to = to > from + 64 ? from + 64 : to;
    for (int64_t a = from; a < to; a++) {
        int32_t other = chosen[c->pairs.adj[a]];
        if (other >= 0)
            least = fmin(least, difference(&c->look[candidate_color], &c->look[other]));
    }
    return least;
}

/* From this difference on, colours are distinguishable, and the first such candidate is taken.
 */
static const double clear_enough = 0.15;

static int32_t choose_color(choosing *c, const int32_t *chosen, int32_t part)
{
    bool reuse = c->count > CLV_DISTINCT_COLORS;
    int32_t best = -1;
    double most = -1;
    for (int32_t tried = 0; tried < c->ncandidates; tried++) {
        int32_t i = reuse ? (part + tried) % c->ncandidates : tried;
        if (c->taken[i] && !reuse)
            continue;
        double clear = least_difference(c, chosen, part, i);
        if (clear > most) {
            best = i;
            most = clear;
        }
        if (clear >= clear_enough)
            break;
    }
    c->taken[best] = true;
    return best;
}

static cleave_status choose_all(choosing *c, uint32_t *rgb, clv_ws *ws, cleave_error *err)
{
    int32_t *chosen = clv_ws_alloc(ws, c->count, sizeof *chosen);
    if (!chosen)
        return clv_fail_memory(err);
    for (int32_t p = 0; p < c->count; p++)
        chosen[p] = -1;
    for (int32_t p = 0; p < c->count; p++) {
        chosen[p] = choose_color(c, chosen, p);
        rgb[p] = c->color[chosen[p]];
    }
    return CLEAVE_OK;
}

cleave_status clv_palette_parts(uint32_t *rgb, int32_t count, clv_palette_pairs pairs,
                                clv_ws *ws, cleave_error *err)
{
    clv_ws_mark mark = clv_ws_save(ws);
    if (count <= bases || !pairs.xadj) { /* base colours differ from each other in any order */
        for (int32_t p = 0; p < count; p++)
            rgb[p] = candidate(p % most_candidates);
        return CLEAVE_OK;
    }
    choosing *c = clv_ws_zalloc(ws, 1, sizeof *c);
    if (!c)
        return clv_fail_memory(err);
    c->count = count;
    c->pairs = pairs;
    /* Twice as many as needed, so that the last part also has a choice. */
    find_candidates(c, count < 20                    ? 40
                       : count < CLV_DISTINCT_COLORS ? 2 * count
                                                     : most_candidates);
    CLV_TRY(choose_all(c, rgb, ws, err));
    clv_ws_restore(ws, mark);
    return CLEAVE_OK;
}

/* ---- Heat ------------------------------------------------------------------------------- */

void clv_palette_heat(uint32_t *rgb, int32_t count)
{
    static const uint32_t stop[] = {0x31538f, 0x3f8fb5, 0x9cc9a3,
                                    0xf2d26b, 0xe8833a, 0xb3202c};
    enum { stops = sizeof stop / sizeof *stop };
    for (int32_t i = 0; i < count; i++) {
        double at = count > 1 ? (double)i * (stops - 1) / (count - 1) : 0;
        int k = (int)at < stops - 2 ? (int)at : stops - 2;
        rgb[i] = mix(stop[k], stop[k + 1], at - k);
    }
}
