/* SPDX-License-Identifier: Apache-2.0 */
/* Colours of parts: all different, those of neighbours clearly. */
#include "view/palette.h"

#include "support/test.h"

enum { most = 3000 };

static int64_t xadj[most + 1];
static int32_t adj[8 * most];
static uint32_t rgb[most];

/* Parts in rows, each beside up to eight others. */
static clv_palette_pairs make_pairs(int32_t count)
{
    int32_t width = 1, used = 0;
    while (width * width < count)
        width++;
    for (int32_t p = 0; p < count; p++) {
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                int32_t x = p % width + dx, y = p / width + dy;
                if ((dx || dy) && x >= 0 && x < width && y >= 0 && y * width + x < count)
                    adj[used++] = y * width + x;
            }
        xadj[p + 1] = used;
    }
    return (clv_palette_pairs){xadj, adj};
}

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void check(int32_t count, bool paired)
{
    cleave_error err;
    clv_ws ws = {0};
    clv_palette_pairs pairs = make_pairs(count);
    double least = 1;
    CHECK_OK(
        clv_palette_parts(rgb, count, paired ? pairs : (clv_palette_pairs){0}, &ws, &err));
    for (int32_t p = 0; p < count && paired; p++)
        for (int64_t a = xadj[p]; a < xadj[p + 1]; a++) {
            double d = clv_palette_distance(rgb[p], rgb[adj[a]]);
            least = d < least ? d : least;
        }
    if (least <= 0.11)
        fprintf(stderr, "%d parts: neighbours differ by %g\n", (int)count, least);
    CHECK(least > 0.11);
    int same = 0;
    qsort(rgb, (size_t)count, sizeof *rgb, compare);
    for (int32_t p = 1; p < count; p++)
        same += rgb[p] == rgb[p - 1];
    CHECK(same == 0 || count > CLV_DISTINCT_COLORS);
    clv_ws_free(&ws);
}

static void test_parts(void)
{
    for (int32_t count = 1; count <= most; count = count < 40 ? count + 1 : count * 5 / 4)
        check(count, true);
    check(1000, true);
    check(CLV_DISTINCT_COLORS, true);
    check(1000, false);
    check(0, true);
}

static void test_distance(void)
{
    CHECK(clv_palette_distance(0x123456, 0x123456) == 0);
    CHECK(clv_palette_distance(0x000000, 0xffffff) > 0.99);
    /* A red and a green of one lightness, which look the same with colour blindness. */
    CHECK(clv_palette_distance(0xb06a50, 0x7a8a4c) < 0.08);
    CHECK(clv_palette_distance(0x0000ff, 0xffff00) > 0.4);
}

static void test_heat(void)
{
    uint32_t heat[256];
    clv_palette_heat(heat, 256);
    CHECK_EQ(heat[0], 0x31538f);
    CHECK_EQ(heat[255], 0xb3202c);
    for (int i = 1; i < 256; i++)
        CHECK(clv_palette_distance(heat[i - 1], heat[i]) < 0.03);
    clv_palette_heat(heat, 1);
    CHECK_EQ(heat[0], 0x31538f);
}

int main(void)
{
    RUN(test_parts);
    RUN(test_distance);
    RUN(test_heat);
    return test_end();
}
