/* SPDX-License-Identifier: Apache-2.0 */
/* Pixels: filled and hidden ones, and no writes outside. */
#include "view/raster.h"

#include <math.h>

#include "support/test.h"

static clv_ws ws;
static cleave_error err;

static int filled(const clv_raster *r)
{
    int count = 0;
    for (int i = 0; i < r->width * r->height; i++)
        count += r->rgba[4 * i + 3] > 0;
    return count;
}

static void test_square(void)
{
    clv_raster r;
    REQUIRE_OK(clv_raster_new(&r, 20, 10, false, &ws, &err));
    CHECK_EQ(filled(&r), 0);
    clv_raster_square(&r, 5, 5, 2, 0x102030, 1);
    CHECK_EQ(filled(&r), 16);
    CHECK_EQ(r.rgba[4 * (5 * 20 + 5) + 1], 0x20);
    clv_raster_square(&r, 0, 0, 3, 0xffffff, 0.5);
    CHECK_EQ(filled(&r), 16 + 9);
    CHECK_EQ(r.rgba[3], 128);
    const double odd[] = {-50, 1e9, -1e300, NAN, INFINITY};
    for (int i = 0; i < 5; i++)
        clv_raster_square(&r, odd[i], odd[4 - i], 3, 0xffffff, 1);
    CHECK_EQ(filled(&r), 16 + 9);
}

/* A square cut in four by a point inside: every pixel once, none left out. */
/* Many large points, as the leaves of a star have them, are drawn smaller. */
static void test_most_radius(void)
{
    clv_raster r;
    const double pixels = 2000 * 1440;
    REQUIRE_OK(clv_raster_new(&r, 2000, 1440, false, &ws, &err));
    CHECK(clv_raster_most_radius(&r, 0, 0) > pixels);
    CHECK(clv_raster_most_radius(&r, 10, 10 * pixels) > pixels);
    CHECK(clv_raster_most_radius(&r, 200000, 3 * pixels) > pixels);
    for (int64_t count = 100; count < 1000000000; count *= 10) {
        double side = 2 * clv_raster_most_radius(&r, count, (double)count * pixels);
        CHECK(side > 0 && side * side * (double)count <= 65 * pixels);
    }
}

static void test_polygon(void)
{
    clv_raster r;
    static const double x[] = {2, 17, 17, 2}, y[] = {1, 1, 9, 9};
    REQUIRE_OK(clv_raster_new(&r, 20, 10, false, &ws, &err));
    int before = 0;
    for (int i = 0; i < 4; i++) {
        const double px[] = {x[i], x[(i + 1) % 4], 7.3}, py[] = {y[i], y[(i + 1) % 4], 4.1};
        clv_raster_polygon(&r, 3, px, py, 0xff0000 >> (8 * (i % 2)), 1);
        CHECK(filled(&r) > before);
        before = filled(&r);
    }
    CHECK_EQ(before, 15 * 8);
    clv_raster_polygon(&r, 3, (double[]){-1e9, 1e9, NAN}, (double[]){0, 0, 5}, 0xffffff, 1);
    CHECK_EQ(filled(&r), 15 * 8);
    clv_raster_polygon(&r, 4, (double[]){-1e9, 1e9, 1e9, -1e9},
                       (double[]){-1e9, -1e9, 1e9, 1e9}, 0xffffff, 1);
    CHECK_EQ(filled(&r), 200);
}

static void test_line(void)
{
    clv_raster r;
    REQUIRE_OK(clv_raster_new(&r, 20, 10, false, &ws, &err));
    clv_raster_line(&r, (double[3]){0, 3, 0}, (double[3]){19, 3, 0}, 0xff0000, 1);
    CHECK_EQ(filled(&r), 20);
    clv_raster_line(&r, (double[3]){-1e6, 5, 0}, (double[3]){1e6, 5, 0}, 0xff0000, 1);
    CHECK_EQ(filled(&r), 40);
    clv_raster_line(&r, (double[3]){-5, 50, 0}, (double[3]){30, 60, 0}, 0xff0000, 1);
    clv_raster_line(&r, (double[3]){NAN, 0, 0}, (double[3]){3, 3, 0}, 0xff0000, 1);
    CHECK_EQ(filled(&r), 40);
}

/* The nearer of two balls is visible, in any drawing order; lines behind one are not. */
static void test_depth(void)
{
    for (int order = 0; order < 2; order++) {
        clv_raster r;
        REQUIRE_OK(clv_raster_new(&r, 20, 20, true, &ws, &err));
        for (int i = 0; i < 2; i++)
            clv_raster_ball(&r, (double[3]){10, 10, i == order ? 5 : -5}, 4,
                            i == order ? 0xff0000 : 0x0000ff, 1);
        int64_t middle = 4 * (10 * 20 + 10);
        CHECK(r.rgba[middle] > 200 && r.rgba[middle + 2] == 0);
        clv_raster_line(&r, (double[3]){0, 10, 0}, (double[3]){19, 10, 0}, 0x00ff00, 1);
        CHECK_EQ(r.rgba[middle + 1], 0);
        CHECK_EQ(r.rgba[4 * (10 * 20) + 1], 255);
        clv_raster_line(&r, (double[3]){0, 10, 20}, (double[3]){19, 10, 20}, 0x00ff00, 1);
        CHECK_EQ(r.rgba[middle + 1], 255);
        clv_raster_ball(&r, (double[3]){-3, 1e12, 0}, 4, 0xffffff, 1);
    }
}

int main(void)
{
    RUN(test_square);
    RUN(test_most_radius);
    RUN(test_polygon);
    RUN(test_line);
    RUN(test_depth);
    clv_ws_free(&ws);
    return test_end();
}
