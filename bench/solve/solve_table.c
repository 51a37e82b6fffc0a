/* SPDX-License-Identifier: Apache-2.0 */
/* bench/solve/solve_table.c - a line for each triangle, means, and the goals. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "solve/solve.h"

enum { large = 10000 }; /* non-zeros from which the bars for other libraries apply */

static double ratio(const solve_row *r, solver which)
{
    return r->seconds[which] > 0 ? r->seconds[PLAIN] / r->seconds[which] : 0;
}

static void print_heading(solve_group group)
{
    printf("\n%s: speed-up over plain rows on one thread\n", solve_groups[group]);
    printf("  %-22s %9s %10s %10s", "", "rows", "non-zeros", "plain, us");
    for (int i = PLAIN + 1; i < nsolver; i++)
        printf(" %12s", solver_names[i]);
    printf("  %-8s %-8s %7s %7s %6s %9s\n", "method", "sync", "threads", "layers", "GB/s",
           "analysis");
}

static void print_row(const solve_row *r)
{
    printf("  %-22s %9lld %10lld %10.2f", r->name, r->rows, r->nonzeros,
           1e6 * r->seconds[PLAIN]);
    for (int i = PLAIN + 1; i < nsolver; i++)
        if (r->seconds[i] > 0)
            printf(" %12.3f", ratio(r, (solver)i));
        else
            printf(" %12s", "-");
    printf("  %-8s %-8s %7d %7d %6.2f %9.1f%s\n", r->method, r->sync, r->threads, r->layers,
           1e-9 * r->bytes / r->seconds[OURS], r->analysis / r->seconds[PLAIN],
           r->wrong ? "  WRONG BITS" : "");
}

/* Geometric mean over a group; count: of measured triangles. */
static double mean(const solve_row *rows, int count, solve_group group, solver which, int *of)
{
    double sum = 0;
    *of = 0;
    for (int i = 0; i < count; i++)
        if (rows[i].group == group && rows[i].seconds[which] > 0) {
            sum += log(ratio(&rows[i], which));
            (*of)++;
        }
    return *of ? exp(sum / *of) : 0;
}

static double mean_analysis(const solve_row *rows, int count, solve_group group)
{
    double sum = 0;
    int of = 0;
    for (int i = 0; i < count; i++)
        if (rows[i].group == group) {
            sum += log(rows[i].analysis / rows[i].seconds[PLAIN]);
            of++;
        }
    return of ? exp(sum / of) : 0;
}

void solve_print(const solve_row *rows, int count)
{
    for (int group = 0; group < nsolve_group; group++) {
        int of = 0;
        for (int i = 0; i < count; i++)
            if (rows[i].group == (solve_group)group) {
                if (of++ == 0)
                    print_heading((solve_group)group);
                print_row(&rows[i]);
            }
        if (of == 0)
            continue;
        printf("  %-22s %9s %10d %10s", "geometric mean", "", of, "");
        for (int i = PLAIN + 1; i < nsolver; i++)
            printf(" %12.3f", mean(rows, count, (solve_group)group, (solver)i, &of));
        printf("  %41s %9.1f\n", "", mean_analysis(rows, count, (solve_group)group));
    }
}

/* The worst ratio of one method's time to the best time of some others. */
static void print_worst(const char *what, const solve_row *rows, int count, solver ours,
                        const solver *others, int nothers, double bar, long long least)
{
    double worst = 0;
    const char *where = "-";
    int above = 0, of = 0;
    for (int i = 0; i < count; i++) {
        double best = 0;
        for (int k = 0; k < nothers; k++) {
            double seconds = rows[i].seconds[others[k]];
            if (seconds > 0 && (best == 0 || seconds < best))
                best = seconds;
        }
        if (best == 0 || rows[i].nonzeros < least)
            continue;
        double now = rows[i].seconds[ours] / best;
        of++;
        above += now > bar;
        if (now > worst) {
            worst = now;
            where = rows[i].name;
        }
    }
    printf("  %-58s %8.3f %8.2f %s (%s; %d of %d above)\n", what, worst, bar,
           above ? "MISSED" : "met", where, above, of);
}

static void print_mean(const char *what, const solve_row *rows, int count, solver which,
                       double bar)
{
    int of;
    double reached = mean(rows, count, ANCHORS, which, &of);
    printf("  %-58s %8.3f %8.2f %s (%d)\n", what, reached, bar,
           reached >= bar ? "met" : "MISSED", of);
}

int solve_bars(const solve_row *rows, int count, int threads)
{
    static const solver serial[] = {PLAIN, OURS_ONE, WITH_CXSPARSE, WITH_UMFPACK};
    static const solver rivals[] = {WITH_CXSPARSE, WITH_UMFPACK};
    static const solver straight[] = {PLAIN};
    int wrong = 0;
    printf("\nbars%-56s %8s %8s\n", "", "reached", "bar");
    print_mean("recorded matrices, auto, all threads (land)", rows, count, OURS, 1.65);
    print_mean("recorded matrices, auto, all threads (goal)", rows, count, OURS, 1.85);
    print_mean("recorded matrices, one thread (goal)", rows, count, OURS_ONE, 1.2);
    print_worst("one thread: time over plain rows, worst", rows, count, OURS_ONE, straight, 1,
                1.0, 0);
    print_worst("auto: time over the best serial code, worst", rows, count, OURS, serial, 4,
                1.05, 0);
    print_worst("auto: time over CXSparse and UMFPACK, worst, from 10^4", rows, count, OURS,
                rivals, 2, 1.0, large);
    print_worst("one thread: the same", rows, count, OURS_ONE, rivals, 2, 1.0, large);
    for (int i = 0; i < count; i++)
        wrong += rows[i].wrong;
    printf("  %d triangles, %d threads: %d solutions differ in a bit from plain rows\n", count,
           threads, wrong);
    return wrong;
}
