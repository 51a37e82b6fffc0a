/* SPDX-License-Identifier: Apache-2.0 */
/* view/raster.c - draws pixels; the shading equals that of view/page.js. */
#include "view/raster.h"

#include <math.h>

cleave_status clv_raster_new(clv_raster *r, int32_t width, int32_t height, bool deep,
                             clv_ws *ws, cleave_error *err)
{
    int64_t pixels = (int64_t)width * height;
    *r = (clv_raster){.width = width, .height = height};
    r->rgba = clv_ws_zalloc(ws, pixels, 4);
    r->depth = deep ? clv_ws_alloc(ws, pixels, sizeof *r->depth) : NULL;
    if (!r->rgba || (deep && !r->depth))
        return clv_fail_memory(err);
    for (int64_t i = 0; deep && i < pixels; i++)
        r->depth[i] = -HUGE_VALF;
    return CLEAVE_OK;
}

double clv_raster_most_radius(const clv_raster *r, int64_t count, double areas)
{
    const double layers = 64;
    double pixels = (double)r->width * r->height;
    if (count == 0 || areas <= layers * pixels)
        return HUGE_VAL;
    return sqrt(layers * pixels / (double)count) / 2;
}

static void set_pixel(clv_raster *r, int64_t at, uint32_t rgb, double shade, double opacity)
{
    unsigned char *pixel = r->rgba + 4 * at;
    for (int c = 0; c < 3; c++) {
        double value = (rgb >> (16 - 8 * c) & 255) * shade;
        pixel[c] = (unsigned char)(value > 255 ? 255 : value);
    }
    pixel[3] = (unsigned char)(255 * opacity + 0.5);
}

static int32_t clamp(double value, int32_t hi)
{
    return value < 0 ? 0 : value > hi ? hi : (int32_t)value;
}

void clv_raster_square(clv_raster *r, double x, double y, double radius, uint32_t rgb,
                       double opacity)
{
    if (!(x > -radius && y > -radius && x < r->width + radius && y < r->height + radius))
        return;
    int32_t more = radius < 1;
    int32_t x0 = clamp(floor(x - radius + 0.5), r->width);
    int32_t x1 = clamp(floor(x + radius + 0.5) + more, r->width);
    int32_t y0 = clamp(floor(y - radius + 0.5), r->height);
    int32_t y1 = clamp(floor(y + radius + 0.5) + more, r->height);
    for (int32_t j = y0; j < y1; j++)
        for (int32_t i = x0; i < x1; i++)
            set_pixel(r, (int64_t)j * r->width + i, rgb, 1, opacity);
}

/* Intersections of the sides of the shape with a row of pixels, ascending. */
static int crossings(int count, const double *x, const double *y, double row, double *cross)
{
    int found = 0;
    for (int i = 0, j = count - 1; i < count; j = i++) {
        if ((y[i] > row) == (y[j] > row))
            continue;
        double at = x[i] + (row - y[i]) / (y[j] - y[i]) * (x[j] - x[i]);
        int k = found++;
        for (; k > 0 && cross[k - 1] > at; k--)
            cross[k] = cross[k - 1];
        cross[k] = at;
    }
    return found;
}

void clv_raster_polygon(clv_raster *r, int count, const double *x, const double *y,
                        uint32_t rgb, double opacity)
{
    enum { most = 64 };
    double top = HUGE_VAL, bottom = -HUGE_VAL, cross[most];
    if (count > most)
        return;
    for (int i = 0; i < count; i++) {
        if (!isfinite(x[i]) || !isfinite(y[i]))
            return;
        top = fmin(top, y[i]);
        bottom = fmax(bottom, y[i]);
    }
    int32_t first = clamp(ceil(top - 0.5), r->height);
    int32_t last = clamp(ceil(bottom + 0.5), r->height);
    for (int32_t row = first; row < last; row++) {
        int found = crossings(count, x, y, row + 0.5, cross);
        for (int k = 0; k + 1 < found; k += 2) {
            int32_t from = clamp(ceil(cross[k] - 0.5), r->width);
            int32_t to = clamp(ceil(cross[k + 1] - 0.5), r->width);
            for (int32_t i = from; i < to; i++)
                set_pixel(r, (int64_t)row * r->width + i, rgb, 1, opacity);
        }
    }
}

/* Narrows [*from, *to] to where start + t * step is within [0, hi] [Liang, Barsky 1984]. */
static void clip_range(double start, double step, double hi, double *from, double *to)
{
    if (step == 0) {
        if (!(start >= 0 && start <= hi))
            *to = -1;
        return;
    }
    double a = -start / step, b = (hi - start) / step;
    *from = fmax(*from, fmin(a, b));
    *to = fmin(*to, fmax(a, b));
}

void clv_raster_line(clv_raster *r, const double a[3], const double b[3], uint32_t rgb,
                     double opacity)
{
    double from = 0, to = 1, dx = b[0] - a[0], dy = b[1] - a[1];
    if (!isfinite(dx) || !isfinite(dy))
        return;
    clip_range(a[0], dx, r->width - 1, &from, &to);
    clip_range(a[1], dy, r->height - 1, &from, &to);
    if (!(from <= to))
        return;
    int steps = (int)ceil(fmax(fabs(dx), fabs(dy)) * (to - from));
    steps = steps < 1 ? 1 : steps;
    for (int s = 0; s <= steps; s++) {
        double t = from + (to - from) * s / steps;
        int32_t x = clamp(a[0] + t * dx + 0.5, r->width - 1);
        int32_t y = clamp(a[1] + t * dy + 0.5, r->height - 1);
        int64_t at = (int64_t)y * r->width + x;
        if (!r->depth || r->depth[at] <= (float)(a[2] + t * (b[2] - a[2])))
            set_pixel(r, at, rgb, 1, opacity);
    }
}

void clv_raster_ball(clv_raster *r, const double center[3], double radius, uint32_t rgb,
                     double shade)
{
    double x = center[0], y = center[1];
    if (!(x > -radius && y > -radius && x < r->width + radius && y < r->height + radius))
        return;
    int32_t x0 = clamp(ceil(x - radius), r->width), x1 = clamp(x + radius + 1, r->width);
    int32_t y0 = clamp(ceil(y - radius), r->height), y1 = clamp(y + radius + 1, r->height);
    for (int32_t j = y0; j < y1; j++)
        for (int32_t i = x0; i < x1; i++) {
            double dx = (i - x) / radius, dy = (j - y) / radius, left = 1 - dx * dx - dy * dy;
            int64_t at = (int64_t)j * r->width + i;
            if (left <= 0)
                continue;
            double up = sqrt(left), light = fmax(0, 0.78 * up - 0.38 * dx - 0.5 * dy);
            float near = (float)(center[2] + up * radius);
            if (near <= r->depth[at])
                continue;
            r->depth[at] = near;
            set_pixel(r, at, rgb, (0.6 + 0.5 * light) * shade, 1);
        }
}
