/* SPDX-License-Identifier: Apache-2.0 */
/* tests/support/test.h - the whole test framework.
 *
 * A test program has functions `static void test_x(void)`, and a main that calls RUN(test_x)
 * for each and returns test_end().  A failed CHECK is reported with file and line, and the
 * test continues; REQUIRE returns from the function. */
#ifndef CLV_TESTS_SUPPORT_TEST_H
#define CLV_TESTS_SUPPORT_TEST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cleave/cleave.h"

enum { TEST_SKIP = 77 };

/* Only every TEST_STRIDE-th case of a long list is run, because programs under a sanitizer
 * are slow. */
#if defined(__SANITIZE_THREAD__)
enum { TEST_STRIDE = 8 };
#elif defined(__SANITIZE_ADDRESS__)
enum { TEST_STRIDE = 3 };
#else
enum { TEST_STRIDE = 1 };
#endif

/* State of the whole program, whose tests may be in several files (support/test_files.c). */
extern int test_failures_, test_checks_;

#define CHECK(condition)                                                                      \
    do {                                                                                      \
        test_checks_++;                                                                       \
        if (!(condition)) {                                                                   \
            test_failures_++;                                                                 \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);           \
        }                                                                                     \
    } while (0)
#define REQUIRE(condition)                                                                    \
    do {                                                                                      \
        test_checks_++;                                                                       \
        if (!(condition)) {                                                                   \
            test_failures_++;                                                                 \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);           \
            return;                                                                           \
        }                                                                                     \
    } while (0)
#define CHECK_EQ(actual, expected)                                                            \
    do {                                                                                      \
        long long actual_ = (long long)(actual), expected_ = (long long)(expected);           \
        test_checks_++;                                                                       \
        if (actual_ != expected_) {                                                           \
            test_failures_++;                                                                 \
            fprintf(stderr, "%s:%d: failed: %s is %lld, not %lld\n", __FILE__, __LINE__,      \
                    #actual, actual_, expected_);                                             \
        }                                                                                     \
    } while (0)
#define CHECK_STR(actual, expected)                                                           \
    do {                                                                                      \
        const char *actual_ = (actual), *expected_ = (expected);                              \
        test_checks_++;                                                                       \
        if (!actual_ || strcmp(actual_, expected_) != 0) {                                    \
            test_failures_++;                                                                 \
            fprintf(stderr, "%s:%d: failed: %s is\n  \"%s\", not\n  \"%s\"\n", __FILE__,      \
                    __LINE__, #actual, actual_ ? actual_ : "(null)", expected_);              \
        }                                                                                     \
    } while (0)
/* call has `err` (a cleave_error in scope) as its last argument. */
#define CHECK_OK(call)                                                                        \
    do {                                                                                      \
        cleave_status status_ = (call);                                                       \
        test_checks_++;                                                                       \
        if (status_ != CLEAVE_OK) {                                                           \
            test_failures_++;                                                                 \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__,                            \
                    cleave_status_name(status_), err.message);                                \
        }                                                                                     \
    } while (0)
#define REQUIRE_OK(call)                                                                      \
    do {                                                                                      \
        cleave_status status_ = (call);                                                       \
        test_checks_++;                                                                       \
        if (status_ != CLEAVE_OK) {                                                           \
            test_failures_++;                                                                 \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__,                            \
                    cleave_status_name(status_), err.message);                                \
            return;                                                                           \
        }                                                                                     \
    } while (0)
#define RUN(test)                                                                             \
    do {                                                                                      \
        int before_ = test_failures_;                                                         \
        test();                                                                               \
        printf("%s %s\n", test_failures_ == before_ ? "ok" : "FAILED", #test);                \
        fflush(stdout);                                                                       \
    } while (0)

static inline int test_end(void)
{
    printf("%d checks, %d failed\n", test_checks_, test_failures_);
    return test_failures_ || test_checks_ == 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Path of a file or folder of the shared data (CLEAVE_SHARED, default ../shared beside the
 * source tree); static string, 4 deep.  If it is missing, prints the number of skipped cases
 * and returns NULL: no test is skipped silently. */
const char *test_shared(const char *name, int cases);
/* A separate directory for the files of this test, emptied at the start; static string. */
const char *test_scratch(void);
/* Path of a file below tests/data; static string, overwritten by the next call. */
const char *test_data(const char *name);
/* Writes text to a file of the scratch folder and returns its path (static, 16 deep). */
const char *test_file(const char *name, const char *text);
/* The same with a byte count. */
const char *test_file_bytes(const char *name, const void *bytes, size_t count);

/* ---- The failing allocator (tests/support/failing_alloc.c) ------------------------------ */
/* Only in programs that link test_support_oom. */
void test_alloc_fail_at(int64_t nth); /* the nth call from now on fails; 0: none */
int64_t test_alloc_calls(void);       /* since the last test_alloc_fail_at */
int64_t test_alloc_live(void);        /* blocks allocated and not freed */
int64_t test_alloc_bytes(void);       /* of these blocks */
int64_t test_alloc_peak(void);        /* maximum number of bytes since
                                         test_alloc_forget_peak */
void test_alloc_forget_peak(void);

/* Lets every allocation of a call fail once:
 *
 *     for (test_oom_rounds oom = {0}; test_oom_next(&oom);) {
 *         thing *t;
 *         TEST_OOM(&oom, thing_create(&t, &err));
 *         thing_free(t);
 *     }
 *
 * In the nth round the nth allocation of the call fails, and no allocation outside of it.
 * Each round checks that the call returned CLEAVE_ENOMEM if that allocation was made,
 * otherwise CLEAVE_OK, and that no memory is leaked.  The last round is the first in which
 * nothing failed. */
typedef struct test_oom_rounds {
    int64_t nth;          /* round */
    int64_t failures;     /* calls that returned CLEAVE_ENOMEM */
    bool lenient;         /* the call may return CLEAVE_OK without the memory */
    bool reached;         /* was the allocation of this round made? */
    int64_t live;         /* before the round */
    cleave_status status; /* of the call */
} test_oom_rounds;
#define TEST_OOM(oom, call) (test_oom_begin(oom), test_oom_end(oom, call))
bool test_oom_next(test_oom_rounds *oom);
void test_oom_begin(const test_oom_rounds *oom);
cleave_status test_oom_end(test_oom_rounds *oom, cleave_status status); /* returns status */
/* The same for a call that frees its results; a failure must set a message in err. */
void test_oom_call(cleave_status (*call)(const void *context, cleave_error *err),
                   const void *context);

#endif
