/* SPDX-License-Identifier: Apache-2.0 */
/* What is written is what can be read: numbers around the end of the buffer, and
 * compressed files of every size. */
#include <sys/stat.h>

#include "formats/input_fixture.h"

enum { buffer_size = 256 * 1024 };

/* Everything the put functions offer, around the end of the buffer. */
static void check_puts(const char *path, size_t before)
{
    clv_output *out = NULL;
    CHECK_OK(clv_output_open(&out, path, NULL, NULL, &err));
    REQUIRE(out != NULL);
    char *expected = malloc(before + 1000), *to = expected + before;
    memset(expected, '.', before);
    clv_put_bytes(out, expected, before);
    clv_put_i64(out, INT64_MIN);
    clv_put_char(out, ' ');
    clv_put_double(out, -1.7976931348623157e308);
    clv_put_text(out, " text ");
    clv_put_i64(out, 0);
    clv_put_bytes(out, "\0\n", 2);
    clv_put_double(out, 0.1);
    to += sprintf(to, "%lld -1.7976931348623157e308 text 0", (long long)INT64_MIN);
    memcpy(to, "\0\n0.1", 5);
    to += 5;
    CHECK_OK(clv_output_commit(out, &err));
    size_t count;
    char *bytes = read_all(path, 1 << 16, &count, NULL, NULL);
    bool same =
        bytes && count == (size_t)(to - expected) && memcmp(bytes, expected, count) == 0;
    CHECK(same);
    free(bytes);
    free(expected);
}

static void test_contents(void)
{
    const char *path = fixture_path("contents");
    for (size_t before = 0; before <= 80; before++) {
        check_puts(path, buffer_size - before);
        if (before % 9 == 0)
            check_puts(path, 2 * buffer_size - before);
    }
    check_puts(path, 0);
    check_puts(path, 10 * buffer_size + 17);
}

static void test_compressed(void)
{
    const char *path = fixture_path("a.gz");
    const size_t sizes[] = {
        0, 1, 1000, buffer_size - 1, buffer_size, 300000, buffer_size + 1, 5 * buffer_size};
    clv_rng rng = clv_rng_make(7, 7, 7, 7);
    char *text = malloc(5 * buffer_size);
    for (int noise = 0; noise < 2; noise++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            for (size_t k = 0; k < sizes[i]; k++)
                text[k] = noise ? (char)clv_rng_u64(&rng) : (char)('0' + k / 7 % 10);
            clv_output *out = NULL;
            CHECK_OK(clv_output_open(&out, path, NULL, NULL, &err));
            clv_put_bytes(out, text, sizes[i]);
            CHECK_OK(clv_output_commit(out, &err));
            struct stat info;
            CHECK(stat(path, &info) == 0 && info.st_size >= 18);
            CHECK(noise || sizes[i] < 1000 || (size_t)info.st_size < sizes[i] / 10);
            char magic[2] = "";
            FILE *file = fopen(path, "rb");
            CHECK(file && fread(magic, 1, 2, file) == 2 && memcmp(magic, "\x1f\x8b", 2) == 0);
            fclose(file);
            size_t count;
            char *bytes = read_all(path, 100000, &count, NULL, NULL);
            CHECK(bytes && count == sizes[i] && memcmp(bytes, text, count) == 0);
            free(bytes);
        }
    /* gzip itself understands it. */
    char command[4500];
    snprintf(command, sizeof command, "gzip -t '%s' 2>/dev/null", path);
    if (system("command -v gzip >/dev/null") == 0)
        CHECK_EQ(system(command), 0);
    free(text);
}

int main(void)
{
    RUN(test_contents);
    if (has_zlib())
        RUN(test_compressed);
    return test_end();
}
