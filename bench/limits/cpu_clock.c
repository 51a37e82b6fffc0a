/* SPDX-License-Identifier: Apache-2.0 */
/* bench/limits/cpu_clock.c - preloaded by `bench/run limits --cpu`: the monotonic clock is the
 * CPU time of the process, so that time limits do not include the time of other processes. */
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *now)
{
    clock = clock == CLOCK_MONOTONIC ? CLOCK_PROCESS_CPUTIME_ID : clock;
    return (int)syscall(SYS_clock_gettime, clock, now);
}
