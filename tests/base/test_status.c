/* SPDX-License-Identifier: Apache-2.0 */
/* base/status: names, messages, and structs of callers older or newer than the library. */
#include <errno.h>

#include "base/status.h"
#include "support/test.h"

/* ---- Names ------------------------------------------------------------------------- */

static void test_names(void)
{
    CHECK_STR(cleave_status_name(CLEAVE_OK), "CLEAVE_OK");
    CHECK_STR(cleave_status_name(CLEAVE_EBALANCE), "CLEAVE_EBALANCE");
    CHECK_STR(cleave_status_text(CLEAVE_OK), "success");
    CHECK_STR(cleave_status_text(CLEAVE_ENOMEM), "out of memory");
    CHECK_STR(cleave_status_name((cleave_status)-1000), "unknown status");
    CHECK_STR(cleave_status_text((cleave_status)1), "unknown status");
    int status = 0;
#define CHECK_ONE(name, value, text)                                                          \
    CHECK_EQ(name, status--); /* 0, -1, -2, ... without gaps */                               \
    CHECK_STR(cleave_status_name(name), #name);                                               \
    CHECK_STR(cleave_status_text(name), text);
    CLEAVE_STATUS_LIST(CHECK_ONE)
#undef CHECK_ONE
}

/* ---- Messages ---------------------------------------------------------------------- */

static void test_fail(void)
{
    cleave_error err = {0};
    CHECK_EQ(clv_fail(&err, CLEAVE_EINVAL, "%d is not %s", 7, "eight"), CLEAVE_EINVAL);
    CHECK_EQ(err.status, CLEAVE_EINVAL);
    CHECK_STR(err.message, "7 is not eight");
    CHECK_EQ(clv_fail_memory(&err), CLEAVE_ENOMEM);
    CHECK_EQ(err.status, CLEAVE_ENOMEM);
    CHECK_STR(err.message, "out of memory");
    CHECK_EQ(clv_fail(NULL, CLEAVE_EIO, "nobody listens"), CLEAVE_EIO);
    CHECK_EQ(clv_fail_memory(NULL), CLEAVE_ENOMEM);
    CHECK_EQ(clv_fail_at(NULL, CLEAVE_EPARSE, "a", 1, "nobody"), CLEAVE_EPARSE);
}

static void test_fail_at(void)
{
    cleave_error err = {0};
    CHECK_EQ(clv_fail_at(&err, CLEAVE_EPARSE, "a/b.graph", 12, "vertex %d", 3), CLEAVE_EPARSE);
    CHECK_EQ(err.status, CLEAVE_EPARSE);
    CHECK_STR(err.message, "a/b.graph:12: vertex 3");
    clv_fail_at(&err, CLEAVE_EIO, "a/b.graph", 0, "no such file");
    CHECK_STR(err.message, "a/b.graph: no such file");
    clv_fail_at(&err, CLEAVE_EPARSE, "-", 5, "odd");
    CHECK_STR(err.message, "standard input:5: odd");
    clv_fail_at(&err, CLEAVE_EPARSE, "x", INT64_MAX, "odd");
    CHECK_STR(err.message, "x:9223372036854775807: odd");
}

static void test_fail_system(void)
{
    cleave_error err = {0};
    CHECK_EQ(clv_fail_system(&err, "a/b", "open", ENOENT), CLEAVE_EIO);
    CHECK_EQ(err.status, CLEAVE_EIO);
    CHECK_STR(err.message, "a/b: cannot open: no such file or directory");
    CHECK_EQ(clv_fail_system(&err, "a/b", "write", ENOSPC), CLEAVE_EIO);
    CHECK_STR(err.message, "a/b: cannot write: no space left on the device");
    CHECK_EQ(clv_fail_system(&err, "a/b", "read", 99999), CLEAVE_EIO); /* no such errno */
    CHECK(strncmp(err.message, "a/b: cannot read: ", 18) == 0 && err.message[18]);
    CHECK_EQ(clv_fail_system(NULL, "a/b", "read", EACCES), CLEAVE_EIO);
}

static void test_long_paths(void)
{
    cleave_error err = {0};
    char path[2000], expected[2100];
    memset(path, 'd', sizeof path);
    strcpy(path + 1900, "/the_end.graph");
    clv_fail_at(&err, CLEAVE_EPARSE, path, 77, "what is wrong");
    CHECK(strncmp(err.message, "...dddd", 7) == 0);
    CHECK(strstr(err.message, "d/the_end.graph:77: what is wrong") != NULL);
    memset(path, 'e', sizeof path);
    path[120] = 0; /* the longest that is shown in full */
    clv_fail_at(&err, CLEAVE_EPARSE, path, 1, "x");
    snprintf(expected, sizeof expected, "%s:1: x", path);
    CHECK_STR(err.message, expected);
    path[120] = 'e';
    path[121] = 0;
    clv_fail_at(&err, CLEAVE_EPARSE, path, 1, "x");
    snprintf(expected, sizeof expected, "...%s:1: x", path + 4);
    CHECK_STR(err.message, expected);
}

static void test_long_messages(void)
{
    struct {
        cleave_error err;
        char behind[16];
    } box;
    memset(&box, '#', sizeof box);
    char text[1000];
    memset(text, 'y', sizeof text);
    text[999] = 0;
    clv_fail(&box.err, CLEAVE_EINVAL, "%s", text);
    CHECK_EQ(strlen(box.err.message), sizeof box.err.message - 1);
    memset(&box.err, '#', sizeof box.err);
    clv_fail_at(&box.err, CLEAVE_EINVAL, text, INT64_MAX, "%s", text);
    CHECK_EQ(strlen(box.err.message), sizeof box.err.message - 1);
    CHECK(strstr(box.err.message, "y:9223372036854775807: y") != NULL);
    for (int i = 0; i < 16; i++)
        CHECK(box.behind[i] == '#');
}

static void test_control_characters(void)
{
    cleave_error err = {0};
    clv_fail(&err, CLEAVE_EPARSE, "a\nb\tc\r\x1b[31m\x7f\x01 \xc3\xa4~");
    CHECK_STR(err.message, "a?b?c??[31m?? \xc3\xa4~"); /* UTF-8 stays */
    /* Stray bytes, controls in UTF-8, a sequence that is cut, one that is too long. */
    clv_fail(&err, CLEAVE_EPARSE,
             "\x9b"
             "31m \xc2\x9b \xff \xe2\x82 \xe2\x82\xac \xf0\x9f\x98\x80 \xc3");
    CHECK_STR(err.message, "?31m ?? ? ?? \xe2\x82\xac \xf0\x9f\x98\x80 ?");
    clv_fail_at(&err, CLEAVE_EPARSE, "a\nb", 1, "c\nd");
    CHECK_STR(err.message, "a?b:1: c?d");
}

static cleave_status try_both(cleave_status first, int *reached)
{
    CLV_TRY(first);
    ++*reached;
    return CLEAVE_ERANGE;
}

static void test_try(void)
{
    int reached = 0;
    CHECK_EQ(try_both(CLEAVE_EIO, &reached), CLEAVE_EIO);
    CHECK_EQ(reached, 0);
    CHECK_EQ(try_both(CLEAVE_OK, &reached), CLEAVE_ERANGE);
    CHECK_EQ(reached, 1);
}

/* ---- Sized structs ----------------------------------------------------------------- */

typedef struct options_old {
    size_t size;
    int64_t a;
} options_old;
typedef struct options {
    size_t size;
    int64_t a, b;
} options;
typedef struct options_new {
    size_t size;
    int64_t a, b, c;
} options_new;

static void test_sized_copy(void)
{
    cleave_error err = {0};
    options out = {sizeof out, 1, 2}, same = {sizeof same, 10, 20};
    CHECK_OK(clv_sized_copy(&out, sizeof out, &same, "options", &err));
    CHECK(out.a == 10 && out.b == 20);
    out = (options){sizeof out, 1, 2};
    options_old old = {sizeof old, 30};
    CHECK_OK(clv_sized_copy(&out, sizeof out, &old, "options", &err));
    CHECK(out.a == 30 && out.b == 2); /* the default stays */
    CHECK_EQ(out.size, sizeof out);
    options_new newer = {sizeof newer, 40, 50, 0};
    CHECK_OK(clv_sized_copy(&out, sizeof out, &newer, "options", &err));
    CHECK(out.a == 40 && out.b == 50);
    newer.c = 1; /* sets a field that the library does not have */
    CHECK_EQ(clv_sized_copy(&out, sizeof out, &newer, "options", &err), CLEAVE_EINVAL);
    CHECK(strstr(err.message, "options") && strstr(err.message, CLEAVE_VERSION));
    options only_size = {sizeof(size_t), 60, 70};
    out = (options){sizeof out, 1, 2};
    CHECK_OK(clv_sized_copy(&out, sizeof out, &only_size, "options", &err));
    CHECK(out.a == 1 && out.b == 2);
}

static void test_sized_copy_refuses(void)
{
    static const size_t bad[] = {0, 1, sizeof(size_t) - 1, 65537, SIZE_MAX};
    for (int i = 0; i < 5; i++) {
        cleave_error err = {0};
        options out = {sizeof out, 1, 2}, in = {bad[i], 3, 4};
        CHECK_EQ(clv_sized_copy(&out, sizeof out, &in, "options", &err), CLEAVE_EINVAL);
        CHECK(strncmp(err.message, "options.size is ", 16) == 0);
        CHECK(out.a == 1 && out.b == 2);
        CHECK_EQ(clv_sized_copy(&out, sizeof out, &in, "options", NULL), CLEAVE_EINVAL);
    }
}

static void test_sized_write(void)
{
    const options from = {sizeof from, 5, 6};
    options to = {sizeof to, 0, 0};
    clv_sized_write(&to, &from, sizeof from);
    CHECK(to.a == 5 && to.b == 6 && to.size == sizeof to);
    options small = {sizeof(options_old), 0, 77}; /* b is not the caller's to be written */
    clv_sized_write(&small, &from, sizeof from);
    CHECK(small.a == 5 && small.b == 77 && small.size == sizeof(options_old));
    options_new large = {sizeof large, 0, 0, 88};
    clv_sized_write(&large, &from, sizeof from);
    CHECK(large.a == 5 && large.b == 6 && large.c == 88 && large.size == sizeof large);
    options tiny = {0, 1, 2};
    clv_sized_write(&tiny, &from, sizeof from);
    CHECK(tiny.a == 1 && tiny.b == 2 && tiny.size == 0);
}

static void test_sized_init(void)
{
    options_new x;
    memset(&x, 0x55, sizeof x);
    clv_sized_init(&x, sizeof(options));
    CHECK(x.size == sizeof(options) && x.a == 0 && x.b == 0);
    CHECK(x.c == INT64_C(0x5555555555555555));
    memset(&x, 0x55, sizeof x);
    clv_sized_init(&x, 3); /* no room for the size itself */
    unsigned char bytes[4];
    memcpy(bytes, &x, 4);
    CHECK(bytes[0] == 0 && bytes[2] == 0 && bytes[3] == 0x55);
}

int main(void)
{
    RUN(test_names);
    RUN(test_fail);
    RUN(test_fail_at);
    RUN(test_fail_system);
    RUN(test_long_paths);
    RUN(test_long_messages);
    RUN(test_control_characters);
    RUN(test_try);
    RUN(test_sized_copy);
    RUN(test_sized_copy_refuses);
    RUN(test_sized_write);
    RUN(test_sized_init);
    return test_end();
}
