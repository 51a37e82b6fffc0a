/* SPDX-License-Identifier: Apache-2.0 */
/* tests/mpi/idle_ranks.c - ranks that wait for a message sleep instead of polling.
 *
 * Preloaded into the programs of tests on several ranks.  MPI libraries poll; with
 * mpi_yield_when_idle they call sched_yield between two polls.  If other programs use the
 * processor, each poll costs such a rank a round of the scheduler, and a test exchanges many
 * small messages.  A process that sleeps is woken ahead of those that compute.  Where all
 * ranks have the same one CPU, sched_yield hands it to the rank that is waited for, and
 * nothing is faster. */
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Nanoseconds.  Short at first, for an idle machine; longer while the wait continues, so that
 * many ranks do not occupy a CPU by polling. */
enum { shortest = 20000, longest = 160000, at_once = 5000 };

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static bool one_cpu(void)
{
    cpu_set_t usable;
    return sched_getaffinity(0, sizeof usable, &usable) == 0 && CPU_COUNT(&usable) == 1;
}

__attribute__((visibility("default"))) int sched_yield(void)
{
    static _Thread_local bool asked, sleeps;
    static _Thread_local int64_t woken;
    static _Thread_local int nap;
    if (!asked) {
        asked = true;
        sleeps = !one_cpu();
        prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0); /* else each nap is 50 microseconds longer */
    }
    if (!sleeps)
        return (int)syscall(SYS_sched_yield);
    nap = now() - woken > at_once ? shortest : nap < longest ? 2 * nap : longest;
    nanosleep(&(struct timespec){.tv_nsec = nap}, NULL);
    woken = now();
    return 0;
}
