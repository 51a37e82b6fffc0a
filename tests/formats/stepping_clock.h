/* SPDX-License-Identifier: Apache-2.0 */
/* tests/formats/stepping_clock.h - a clock that the test advances, instead of the system's,
 * for actions of the library at fixed intervals.  For one source file of a program: it defines
 * clock_gettime, which the library then calls. */
#ifndef CLV_TESTS_STEPPING_CLOCK_H
#define CLV_TESTS_STEPPING_CLOCK_H

#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Nanoseconds that pass from one look at the clock to the next; 0: those of the system. */
static int64_t clock_step;
static _Atomic int64_t clock_looks; /* since somebody set it */

int clock_gettime(clockid_t which, struct timespec *now)
{
    int64_t looks = ++clock_looks;
    if (clock_step == 0)
        return (int)syscall(SYS_clock_gettime, which, now);
    int64_t time = 1000000000 + looks * clock_step;
    *now = (struct timespec){(time_t)(time / 1000000000), (long)(time % 1000000000)};
    return 0;
}

#endif
