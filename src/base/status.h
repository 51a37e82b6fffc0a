/* SPDX-License-Identifier: Apache-2.0 */
/* base/status.h - error reporting of the library.
 *
 * A failing function returns clv_fail(err, STATUS, "one sentence", ...), or passes on the
 * status of the function that failed: the message is written once, where the reason is
 * known. */
#ifndef CLV_BASE_STATUS_H
#define CLV_BASE_STATUS_H

#include "cleave/cleave.h"

#if defined(__GNUC__) || defined(__clang__)
#define CLV_PRINTF(string, first) __attribute__((format(printf, string, first)))
#define CLV_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define CLV_ALWAYS_INLINE inline __attribute__((always_inline))
#define CLV_NOINLINE __attribute__((noinline))
#define CLV_LIKELY(x) __builtin_expect(!!(x), 1)
#else
#define CLV_PRINTF(string, first)
#define CLV_UNLIKELY(x) (x)
#define CLV_ALWAYS_INLINE inline
#define CLV_NOINLINE
#define CLV_LIKELY(x) (x)
#endif

/* Returns from the calling function if `call` fails. */
#define CLV_TRY(call)                                                                         \
    do {                                                                                      \
        cleave_status clv_try_status_ = (call);                                               \
        if (CLV_UNLIKELY(clv_try_status_ != CLEAVE_OK))                                       \
            return clv_try_status_;                                                           \
    } while (0)

/* Fills err (may be NULL) and returns status.  Do not use floating-point conversions: their
 * decimal point depends on the locale. */
cleave_status clv_fail(cleave_error *err, cleave_status status, const char *format, ...)
    CLV_PRINTF(3, 4);

/* The same with "path:line: " in front; a long path is cut at its start. line 0: no line. */
cleave_status clv_fail_at(cleave_error *err, cleave_status status, const char *path,
                          int64_t line, const char *format, ...) CLV_PRINTF(5, 6);

/* CLEAVE_EIO "path: cannot WHAT: reason" from an errno value, without the locale. */
cleave_status clv_fail_system(cleave_error *err, const char *path, const char *what, int code);

/* CLEAVE_ENOMEM with its message. */
cleave_status clv_fail_memory(cleave_error *err);

/* Reads a sized struct of a caller that may be older or newer than the library: copies `known`
 * bytes to *out as far as the size of *in allows; the rest keeps its defaults.  Fails if the
 * size is not plausible. */
cleave_status clv_sized_copy(void *out, size_t known, const void *in, const char *what,
                             cleave_error *err);

/* Writes `known` bytes of *from to *to as far as to->size allows, and keeps to->size.  In this
 * function and the next, NULL has no effect. */
void clv_sized_write(void *to, const void *from, size_t known);

/* Zeroes `size` bytes and sets the leading size field. */
void clv_sized_init(void *object, size_t size);

#endif
