/* SPDX-License-Identifier: Apache-2.0 */
/* base/status.c - messages and sized structs. */
#include "base/status.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *cleave_status_name(cleave_status status)
{
    switch (status) {
#define CASE_NAME(name, value, text)                                                          \
    case name:                                                                                \
        return #name;
        CLEAVE_STATUS_LIST(CASE_NAME)
#undef CASE_NAME
    default:
        return "unknown status";
    }
}

const char *cleave_status_text(cleave_status status)
{
    switch (status) {
#define CASE_TEXT(name, value, text)                                                          \
    case name:                                                                                \
        return text;
        CLEAVE_STATUS_LIST(CASE_TEXT)
#undef CASE_TEXT
    default:
        return "unknown status";
    }
}

/* Length of the printable UTF-8 sequence at text; 0 for control characters and invalid bytes.
 */
static int printable_length(const unsigned char *text)
{
    if (text[0] < 0x80)
        return text[0] >= 32 && text[0] != 127;
    int length = text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : 2;
    if (text[0] < 0xc2 || text[0] > 0xf4 || (text[0] == 0xc2 && text[1] < 0xa0))
        return 0;
    for (int i = 1; i < length; i++)
        if (text[i] < 0x80 || text[i] > 0xbf)
            return 0;
    return length;
}

/* A message may contain bytes of a file, and may have been cut in the middle of a character:
 * makes it one line that can be printed anywhere. */
static void make_printable(char *text)
{
    while (*text) {
        int length = printable_length((const unsigned char *)text);
        if (length == 0)
            *text = '?';
        text += length ? length : 1;
    }
}

cleave_status clv_fail(cleave_error *err, cleave_status status, const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        vsnprintf(err->message, sizeof err->message, format, args);
        va_end(args);
        make_printable(err->message);
        err->status = status;
    }
    return status;
}

cleave_status clv_fail_at(cleave_error *err, cleave_status status, const char *path,
                          int64_t line, const char *format, ...)
{
    if (!err)
        return status;
    enum { longest_path = 120 };
    size_t length = strlen(path);
    const char *dots = length > longest_path ? "..." : "";
    const char *tail = length > longest_path ? path + length - (longest_path - 3) : path;
    if (strcmp(path, "-") == 0)
        tail = "standard input";
    int used;
    if (line > 0)
        used = snprintf(err->message, sizeof err->message, "%s%s:%lld: ", dots, tail,
                        (long long)line);
    else
        used = snprintf(err->message, sizeof err->message, "%s%s: ", dots, tail);
    if (used >= 0 && (size_t)used < sizeof err->message) {
        va_list args;
        va_start(args, format);
        vsnprintf(err->message + used, sizeof err->message - (size_t)used, format, args);
        va_end(args);
    }
    make_printable(err->message);
    err->status = status;
    return status;
}

static const char *system_text(int code)
{
    switch (code) {
    case ENOENT:
        return "no such file or directory";
    case EACCES:
    case EPERM:
        return "permission denied";
    case EBADF:
        return "it is not open";
    case EISDIR:
        return "it is a directory";
    case ENOTDIR:
        return "a part of its path is not a directory";
    case ENOSPC:
        return "no space left on the device";
    case EDQUOT:
        return "the disk quota is used up";
    case EROFS:
        return "the file system is read-only";
    case EPIPE:
        return "no process reads the other end of the pipe";
    case EMFILE:
    case ENFILE:
        return "too many open files";
    case ENAMETOOLONG:
        return "its name is too long";
    case ELOOP:
        return "too many symbolic links";
    case EFBIG:
        return "the file grew too large";
    case EIO:
        return "the device reports an error";
    default:
        return NULL;
    }
}

cleave_status clv_fail_system(cleave_error *err, const char *path, const char *what, int code)
{
    const char *text = system_text(code);
    if (text)
        return clv_fail_at(err, CLEAVE_EIO, path, 0, "cannot %s: %s", what, text);
    return clv_fail_at(err, CLEAVE_EIO, path, 0, "cannot %s: system error %d", what, code);
}

cleave_status clv_fail_memory(cleave_error *err)
{
    return clv_fail(err, CLEAVE_ENOMEM, "out of memory");
}

cleave_status clv_sized_copy(void *out, size_t known, const void *in, const char *what,
                             cleave_error *err)
{
    size_t size;
    memcpy(&size, in, sizeof size);
    if (size < sizeof size || size > 65536)
        return clv_fail(err, CLEAVE_EINVAL, "%s.size is %llu; call its _init function first",
                        what, (unsigned long long)size);
    size_t common = size < known ? size : known;
    memcpy((char *)out + sizeof size, (const char *)in + sizeof size, common - sizeof size);
    /* The struct of a newer caller may have set fields that this library does not have. */
    for (size_t i = common; i < size; i++)
        if (((const unsigned char *)in)[i] != 0)
            return clv_fail(err, CLEAVE_EINVAL,
                            "%s sets an option that library version %s does not have", what,
                            CLEAVE_VERSION);
    return CLEAVE_OK;
}

void clv_sized_write(void *to, const void *from, size_t known)
{
    size_t size;
    if (!to)
        return;
    memcpy(&size, to, sizeof size);
    size_t common = size < known ? size : known;
    if (common > sizeof size)
        memcpy((char *)to + sizeof size, (const char *)from + sizeof size,
               common - sizeof size);
}

void clv_sized_init(void *object, size_t size)
{
    if (!object)
        return;
    memset(object, 0, size);
    if (size >= sizeof size)
        memcpy(object, &size, sizeof size);
}
