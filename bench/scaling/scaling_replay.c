/* SPDX-License-Identifier: Apache-2.0 */
/* bench/scaling/scaling_replay.c - schedules a recorded trace on more threads. */
#include <math.h>

#include "scaling/scaling.h"

enum { most_threads = 4096 };

scaling_shares scaling_sum(const scaling_trace *trace)
{
    scaling_shares s = {0};
    for (int64_t i = 0; i < trace->nstretch; i++) {
        const scaling_stretch *t = &trace->stretch[i];
        double chunks = 0;
        for (int64_t c = t->first; c < t->first + t->count; c++)
            chunks += trace->chunk[c];
        s.serial += t->serial;
        s.serial_in[t->phase] += t->serial;
        s.in[t->phase] += t->serial + chunks;
        s.total += t->serial + chunks;
        s.regions += t->count > 0;
    }
    return s;
}

/* Moves the root of a heap of times down. */
static void sift_down(double *busy, int threads)
{
    int i = 0;
    double time = busy[0];
    for (int next; (next = 2 * i + 1) < threads; i = next) {
        if (next + 1 < threads && busy[next + 1] < busy[next])
            next++;
        if (time <= busy[next])
            break;
        busy[i] = busy[next];
    }
    busy[i] = time;
}

static double makespan(const double *chunk, int64_t count, int threads)
{
    double busy[most_threads], last = 0; /* a heap: the thread that is idle first */
    for (int i = 0; i < threads; i++)
        busy[i] = 0;
    for (int64_t c = 0; c < count; c++) {
        busy[0] += chunk[c];
        last = fmax(last, busy[0]);
        sift_down(busy, threads);
    }
    return last;
}

double scaling_replay(const scaling_trace *trace, int threads, double region_cost)
{
    double seconds = 0;
    if (threads < 1 || threads > most_threads)
        scaling_fail("a trace can be replayed on 1 to 4096 threads");
    for (int64_t i = 0; i < trace->nstretch; i++) {
        const scaling_stretch *t = &trace->stretch[i];
        seconds += t->serial;
        if (t->count > 0)
            seconds += makespan(trace->chunk + t->first, t->count, threads) +
                       region_cost * log2(threads);
    }
    return seconds;
}
