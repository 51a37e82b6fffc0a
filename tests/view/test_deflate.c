/* SPDX-License-Identifier: Apache-2.0 */
/* Streams and PNG files, read back by zlib itself. */
#include "view/deflate.h"

#include "support/test.h"

#ifdef CLEAVE_HAVE_ZLIB
#include <zlib.h>

static void round_trip(int64_t count, int pattern)
{
    unsigned char *bytes = malloc((size_t)count + 1), *back = malloc((size_t)count + 1);
    uLongf length = (uLongf)count;
    clv_buffer b = {0};
    for (int64_t i = 0; i < count; i++)
        bytes[i] = (unsigned char)(pattern ? i * 2654435761u >> 7 : 7);
    clv_deflate(&b, bytes, count);
    CHECK(!b.failed);
    CHECK_EQ(uncompress(back, &length, (const Bytef *)b.text, (uLong)b.used), Z_OK);
    CHECK_EQ(length, count);
    CHECK_EQ(memcmp(bytes, back, (size_t)count), 0);
    clv_buffer_free(&b);
    free(bytes);
    free(back);
}

static void test_streams(void)
{
    static const int64_t sizes[] = {0, 1, 2, 1000, 65535, 65536, 200001};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int pattern = 0; pattern < 2; pattern++)
            round_trip(sizes[i], pattern);
}

static uint32_t u32(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* The chunk at p is called so, and its sum is right; the next chunk. */
static const unsigned char *chunk(const unsigned char *p, const char *name)
{
    uint32_t length = u32(p);
    CHECK_EQ(memcmp(p + 4, name, 4), 0);
    CHECK_EQ(u32(p + 8 + length), crc32(crc32(0, NULL, 0), p + 4, length + 4));
    return p + 12 + length;
}

static void test_png(void)
{
    enum { width = 5, height = 3 };
    unsigned char rgba[4 * width * height], rows[(4 * width + 1) * height];
    uLongf length = sizeof rows;
    clv_buffer b = {0};
    for (size_t i = 0; i < sizeof rgba; i++)
        rgba[i] = (unsigned char)(i * 37);
    clv_png(&b, width, height, rgba);
    REQUIRE(!b.failed);
    const unsigned char *p = (const unsigned char *)b.text;
    CHECK_EQ(memcmp(p, "\x89PNG\r\n\x1a\n", 8), 0);
    CHECK_EQ(u32(p + 16), width);
    CHECK_EQ(u32(p + 20), height);
    const unsigned char *data = chunk(p + 8, "IHDR");
    CHECK_EQ(uncompress(rows, &length, data + 8, u32(data)), Z_OK);
    CHECK_EQ(length, sizeof rows);
    for (int y = 0; y < height; y++) {
        CHECK_EQ(rows[y * (4 * width + 1)], 0);
        CHECK_EQ(memcmp(rows + y * (4 * width + 1) + 1, rgba + y * 4 * width, 4 * width), 0);
    }
    const unsigned char *end = chunk(chunk(data, "IDAT"), "IEND");
    CHECK_EQ(end - p, b.used);
    clv_buffer_free(&b);
}

int main(void)
{
    RUN(test_streams);
    RUN(test_png);
    return test_end();
}

#else

int main(void)
{
    fprintf(stderr, "no zlib to read with\n");
    return TEST_SKIP;
}

#endif
