/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that grow: numbers, JSON, base64 (vectors of RFC 4648). */
#include "view/buffer.h"

#include <math.h>

#include "support/test.h"

static const char *text_of(clv_buffer *b)
{
    clv_buffer_bytes(b, "", 1);
    return b->failed ? "" : b->text;
}

static void test_base64(void)
{
    static const char *const pairs[][2] = {{"", ""},
                                           {"f", "Zg=="},
                                           {"fo", "Zm8="},
                                           {"foo", "Zm9v"},
                                           {"foob", "Zm9vYg=="},
                                           {"foobar", "Zm9vYmFy"},
                                           {"\xff\xfe\xfd", "//79"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        clv_buffer b = {0};
        clv_buffer_base64(&b, pairs[i][0], (int64_t)strlen(pairs[i][0]));
        CHECK_STR(text_of(&b), pairs[i][1]);
        clv_buffer_free(&b);
    }
}

static void test_json(void)
{
    clv_buffer b = {0};
    clv_buffer_json(&b, "a\"b\\c</script>&\n\xc3\xa9\xff");
    clv_buffer_json(&b, NULL);
    CHECK_STR(text_of(&b), "\"a\\u0022b\\u005cc\\u003c/script\\u003e\\u0026\\u000a\xc3\xa9"
                           "\\ufffd\"null");
    clv_buffer_free(&b);
}

static void test_numbers(void)
{
    clv_buffer b = {0};
    clv_buffer_int(&b, INT64_MIN);
    clv_buffer_text(&b, " ");
    clv_buffer_number(&b, -1.005);
    clv_buffer_text(&b, " ");
    clv_buffer_number(&b, NAN);
    clv_buffer_text(&b, " ");
    clv_buffer_real(&b, 0.1);
    clv_buffer_text(&b, " ");
    clv_buffer_real(&b, INFINITY);
    CHECK_STR(text_of(&b), "-9223372036854775808 -1 0 0.1 null");
    clv_buffer_free(&b);
}

static void test_align(void)
{
    clv_buffer b = {0};
    clv_buffer_align(&b, 8);
    CHECK_EQ(b.used, 0);
    clv_buffer_text(&b, "abc");
    clv_buffer_align(&b, 8);
    CHECK_EQ(b.used, 8);
    CHECK_EQ(memcmp(b.text, "abc\0\0\0\0\0", 8), 0);
    clv_buffer_free(&b);
}

int main(void)
{
    RUN(test_base64);
    RUN(test_json);
    RUN(test_numbers);
    RUN(test_align);
    return test_end();
}
