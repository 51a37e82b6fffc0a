/* SPDX-License-Identifier: Apache-2.0 */
/* bench/solve/solve.c - triangular solves and circuits: the speed of schedules on this
 * machine.
 *
 *   bench_solve FOLDER [--graphs bodyy5.tri,1138_bus.ic0] [--quick] [--threads 2]
 *                      [--budget 1.0] [--circuits] [--matrices] [--shared DIR]
 *
 * The 17 recorded triangles, incomplete and exact factors, Laplacians: plain rows on one
 * thread, the storage of cleave on one thread, auto and levels on --threads, CXSparse and
 * UMFPACK if they are installed; then circuits, alone and in batches of 64.  All methods for a
 * triangle are interleaved for --budget seconds, and the minimum time of each is used.
 * --circuits or --matrices: only those.  Exit status 1: a bit differs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solve/solve.h"

const char bench_name[] = "bench_solve";

typedef struct gathered {
    solve_row *rows;
    int count, room, threads;
    double budget;
} gathered;

static void measure_triangle(void *payload, const triangle *t)
{
    gathered *all = payload;
    all->rows = lines_grow(all->rows, all->count, &all->room, sizeof *all->rows);
    solve_row *r = &all->rows[all->count++];
    memset(r, 0, sizeof *r);
    solve_measure(r, t, all->threads, all->budget);
    fprintf(stderr, "%-22s plain %10.2f us, one thread %.3f, auto %.3f\n", r->name,
            1e6 * r->seconds[PLAIN], r->seconds[PLAIN] / r->seconds[OURS_ONE],
            r->seconds[PLAIN] / r->seconds[OURS]);
}

int main(int count, char **arguments)
{
    static settings s = {.repeat = 1};
    choices said = {0};
    gathered all = {.threads = 2, .budget = 1};
    int circuits = 1, matrices = 1, wrong = 0;
    if (count < 2)
        bench_fail("usage: bench_solve FOLDER [OPTIONS]; bench/solve/solve.c lists them");
    s.folder = arguments[1];
    bench_shared(&s);
    for (int i = 2; i < count; i++) {
        if (strcmp(arguments[i], "--budget") == 0)
            all.budget = strtod(bench_value(count, arguments, &i), NULL);
        else if (strcmp(arguments[i], "--circuits") == 0)
            matrices = 0;
        else if (strcmp(arguments[i], "--matrices") == 0)
            circuits = 0;
        else if (!bench_option(&said, &s, count, arguments, &i)) {
            fprintf(stderr, "bench_solve: there is no option %s\n", arguments[i]);
            return 2;
        }
    }
    if (said.threads)
        all.threads = atoi(said.threads);
    bench_tag(&s);
    printf("library %s, %d threads\n", s.tag, all.threads);
    if (matrices) {
        solve_triangles(&s, said.quick, said.graphs, measure_triangle, &all);
        solve_print(all.rows, all.count);
        wrong += solve_bars(all.rows, all.count, all.threads);
    }
    if (circuits)
        wrong += solve_circuits(&s, said.quick, all.threads, all.budget);
    free(all.rows);
    return wrong > 0;
}
