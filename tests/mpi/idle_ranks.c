/* SPDX-License-Identifier: Apache-2.0 */
/* tests/mpi/idle_ranks.c - ranks that wait for a message sleep instead of polling.
 *
 * Preloaded into the programs of tests on several ranks.  MPI libraries poll; told to be kind
 * (mpi_yield_when_idle) they call sched_yield between two looks.  Where others compute, that
 * costs a rank its turn, and each of the many small messages of a test a round of the
 * scheduler.  A process that sleeps instead is woken ahead of those that compute. */
#include <sys/prctl.h>
#include <time.h>

/* Short enough for a machine that has nothing else to do, long enough for one that has. */
enum { nap = 20000 }; /* nanoseconds */

__attribute__((visibility("default"))) int sched_yield(void)
{
    static _Thread_local int punctual;
    if (!punctual) /* else the kernel adds 50 microseconds to each */
        punctual = prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0) == 0 ? 1 : -1;
    return nanosleep(&(struct timespec){.tv_nsec = nap}, NULL);
}
