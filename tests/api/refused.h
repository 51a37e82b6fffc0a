/* SPDX-License-Identifier: Apache-2.0 */
/* tests/api/refused.h - checks that a call is refused, for test_null_api.c. */
#ifndef CLV_TESTS_REFUSED_H
#define CLV_TESTS_REFUSED_H

#include "support/test.h"

static int64_t refused_poison_[1];
#define POISON(type)                                                                          \
    ((type *)refused_poison_) /* what *out holds, to be cleared by the call                   \
                               */

/* The call, whose last argument is e, fails, says why, and fails in the same way without a
 * place for the sentence; a cleave_error err is in scope. */
#define REFUSED(call, text)                                                                   \
    do {                                                                                      \
        cleave_error *e = &err;                                                               \
        memset(&err, 0, sizeof err);                                                          \
        CHECK_EQ(call, CLEAVE_EINVAL);                                                        \
        CHECK_EQ(err.status, CLEAVE_EINVAL);                                                  \
        CHECK_STR(err.message, text);                                                         \
        e = NULL;                                                                             \
        CHECK_EQ(call, CLEAVE_EINVAL);                                                        \
    } while (0)
#define REFUSED_OUT(type, out, call, text)                                                    \
    do {                                                                                      \
        (out) = POISON(type);                                                                 \
        REFUSED(call, text);                                                                  \
        CHECK((out) == NULL);                                                                 \
    } while (0)

#endif
