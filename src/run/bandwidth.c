/* SPDX-License-Identifier: Apache-2.0 */
/* run/bandwidth.c - the bandwidth of main memory by the triad of [McCalpin, STREAM 1995]. */
#include "run/bandwidth.h"

#include <math.h>

#include "base/context.h"
#include "base/threads.h"

enum { length = 1 << 23, passes = 8 };

typedef struct triad {
    double *a, *b, *c;
} triad;

static int64_t first_of(int member, int size)
{
    return (int64_t)length * member / size;
}

/* First touch: each member writes what it will read, so that the pages are in memory close to
 * it. */
static void fill_arrays(void *context, int member, int size)
{
    const triad *t = context;
    for (int64_t i = first_of(member, size); i < first_of(member + 1, size); i++) {
        t->a[i] = 0;
        t->b[i] = 1;
        t->c[i] = 2;
    }
}

static void compute_triad(void *context, int member, int size)
{
    const triad *t = context;
    double *restrict a = t->a;
    const double *restrict b = t->b, *restrict c = t->c;
    for (int64_t i = first_of(member, size), end = first_of(member + 1, size); i < end; i++)
        a[i] = b[i] + 3 * c[i];
}

static double time_passes(clv_team *team, triad *t)
{
    double best = INFINITY;
    clv_team_run(team, fill_arrays, t);
    for (int i = 0; i < passes; i++) {
        double start = clv_clock();
        clv_team_run(team, compute_triad, t);
        double seconds = clv_clock() - start;
        if (seconds < best && seconds > 0)
            best = seconds;
    }
    return (double)length * 3 * sizeof(double) / best;
}

cleave_status clv_bandwidth_measure(double *bytes_per_second, int threads, cleave_error *err)
{
    clv_team *team = NULL;
    CLV_TRY(clv_team_create(&team, threads, err));
    triad t = {clv_alloc(length, sizeof *t.a), clv_alloc(length, sizeof *t.b),
               clv_alloc(length, sizeof *t.c)};
    cleave_status status = CLEAVE_OK;
    if (t.a && t.b && t.c)
        *bytes_per_second = time_passes(team, &t);
    else
        status = clv_fail_memory(err);
    clv_sys_free(t.a);
    clv_sys_free(t.b);
    clv_sys_free(t.c);
    clv_team_free(team);
    return status;
}
