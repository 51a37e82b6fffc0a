/* SPDX-License-Identifier: Apache-2.0 */
/* bench/scaling/scaling.c - how much of a partitioning call is serial, and the speed-up that
 * this allows.
 *
 * For each graph and effort:
 *   serial     CPU time outside of parallel regions over all CPU time, for the call and for
 *              each phase (a region is a parallel loop of at least two chunks)
 *   predicted  the recorded regions, replayed on P threads: each chunk goes to the thread
 *              that is idle first, and a region costs log2(P) times an empty region on 2
 *              threads
 *   wall       minimum wall time on 1 and on 2 threads, interleaved
 * Predictions ignore memory bandwidth and frequencies: they are upper bounds.
 *
 *   bench_scaling FOLDER [--graphs rgg,mesh2d,grid3d,rmat] [--edges 5] [--k 16]
 *                 [--efforts fast,default,quality] [--record 64] [--repeat 3] [--no-wall]
 *                 [--phases]
 *
 * --edges M: about so many million edges, up to 20; --record: threads of the recorded call,
 * any number on any machine, because CPU times are recorded; --repeat: pairs of wall times
 * (one pair if a call takes more than 20 s); --phases: also a table of the phases. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "scaling/scaling.h"

enum { max_items = 16, slow_call = 20 /* seconds */ };
static const int replayed[] = {2, 4, 8, 16, 32, 64};
enum { nreplayed = sizeof replayed / sizeof *replayed };
static const char *const effort_names[] = {"fast", "default", "quality", "best"};

typedef struct choice {
    const char *graphs, *efforts;
    double edges; /* millions */
    int k, record, repeat, wall, phases;
} choice;

void scaling_fail(const char *what)
{
    fprintf(stderr, "bench_scaling: %s\n", what);
    exit(1);
}

static double wall_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- One call --------------------------------------------------------------------------- */

/* Returns the seconds and adds the parts to *hash. */
static double partition_once(const cleave_graph *g, const choice *c, int effort, int threads,
                             uint64_t *hash)
{
    cleave_options opt;
    cleave_target *t;
    cleave_mapping *m = NULL;
    cleave_error err;
    cleave_options_init(&opt, sizeof opt);
    opt.effort = (cleave_effort)effort;
    opt.threads = threads;
    if (cleave_target_create(&t, c->k, NULL, &err) != CLEAVE_OK)
        scaling_fail(err.message);
    double before = wall_clock();
    cleave_map(&m, g, t, &opt, &err);
    double seconds = wall_clock() - before;
    if (!m)
        scaling_fail(err.message);
    *hash = 14695981039346656037u;
    for (int32_t v = 0; v < cleave_graph_vertices(g); v++)
        *hash = (*hash ^ (uint64_t)(uint32_t)cleave_mapping_parts(m)[v]) * 1099511628211u;
    cleave_mapping_free(m);
    cleave_target_free(t);
    return seconds;
}

typedef struct walls {
    double one, two; /* seconds; 0: not measured */
} walls;

static walls time_pairs(const cleave_graph *g, const choice *c, int effort, uint64_t expected)
{
    walls w = {INFINITY, INFINITY};
    for (int i = 0; i < c->repeat && (i == 0 || w.one < slow_call); i++) {
        uint64_t hash[2];
        w.one = fmin(w.one, partition_once(g, c, effort, 1, &hash[0]));
        w.two = fmin(w.two, partition_once(g, c, effort, 2, &hash[1]));
        if (hash[0] != expected || hash[1] != expected)
            scaling_fail("the parts depend on the number of threads");
    }
    return w;
}

/* ---- Tables ----------------------------------------------------------------------------- */

static void print_phases(const scaling_shares *s)
{
    for (int p = 0; p < PHASES; p++)
        if (s->in[p] > 0)
            printf(
                "    %-10s %5.1f %% of the time, serial %5.3f, %5.1f %% of all serial time\n",
                scaling_phase_names[p], 100 * s->in[p] / s->total, s->serial_in[p] / s->in[p],
                100 * s->serial_in[p] / s->serial);
}

static void measure_case(const char *name, const cleave_graph *g, const choice *c, int effort,
                         double region_cost)
{
    scaling_trace trace;
    uint64_t hash;
    scaling_record_begin(&trace);
    partition_once(g, c, effort, c->record, &hash);
    scaling_record_end();
    scaling_shares s = scaling_sum(&trace);
    printf("%-22s %-8s %8.2f %7.3f %8ld", name, effort_names[effort], s.total,
           s.serial / s.total, (long)s.regions);
    for (int i = 0; i < nreplayed; i++)
        printf(" %6.2f", s.total / scaling_replay(&trace, replayed[i], region_cost));
    fflush(stdout);
    scaling_trace_free(&trace);
    if (c->wall) {
        walls w = time_pairs(g, c, effort, hash);
        printf(" %8.2f %8.2f %6.2f", w.one, w.two, w.one / w.two);
    }
    printf("\n");
    if (c->phases)
        print_phases(&s);
    fflush(stdout);
}

/* ---- Graphs ----------------------------------------------------------------------------- */

/* The generator of a graph with about so many million edges. */
static void make_spec(char *spec, size_t size, const char *name, double millions)
{
    double edges = 1e6 * millions;
    if (strcmp(name, "rgg") == 0) {
        snprintf(spec, size, "rgg:%.0f:12", edges / 6);
    } else if (strcmp(name, "mesh2d") == 0) {
        int side = (int)sqrt(edges / 3);
        snprintf(spec, size, "mesh2d:%dx%d", side, side);
    } else if (strcmp(name, "grid3d") == 0) {
        int side = (int)cbrt(edges / 3);
        snprintf(spec, size, "grid3d:%dx%dx%d", side, side, side);
    } else if (strcmp(name, "rmat") == 0) {
        int scale = 16;
        while (edges / (double)(1 << scale) > 11)
            scale++;
        snprintf(spec, size, "rmat:%d:%.0f", scale, edges / (double)(1 << scale) + 1);
    } else {
        scaling_fail("the graphs are rgg, mesh2d, grid3d and rmat");
    }
}

static int split(const char *text, char item[][24])
{
    int count = 0;
    for (; *text && count < max_items; text += strcspn(text, ","), text += *text == ',')
        snprintf(item[count++], 24, "%.*s", (int)strcspn(text, ","), text);
    return count;
}

static int effort_of(const char *name)
{
    for (int e = 0; e < 4; e++)
        if (strcmp(effort_names[e], name) == 0)
            return e;
    scaling_fail("the efforts are fast, default, quality and best");
    return 0;
}

static void measure_graph(const char *name, const choice *c, double region_cost)
{
    char spec[64], effort[max_items][24];
    cleave_graph *g;
    cleave_error err;
    make_spec(spec, sizeof spec, name, c->edges);
    if (cleave_graph_generate(&g, spec, NULL, &err) != CLEAVE_OK)
        scaling_fail(err.message);
    int nefforts = split(c->efforts, effort);
    for (int i = 0; i < nefforts; i++)
        measure_case(spec, g, c, effort_of(effort[i]), region_cost);
    cleave_graph_free(g);
}

/* ---- Options ---------------------------------------------------------------------------- */

static choice read_options(int count, char **arguments)
{
    choice c = {"rgg,mesh2d,grid3d,rmat", "fast,default,quality", 5, 16, 64, 3, 1, 0};
    for (int i = 2; i < count; i++) {
        const char *name = arguments[i];
        if (strcmp(name, "--no-wall") == 0) {
            c.wall = 0;
            continue;
        }
        if (strcmp(name, "--phases") == 0) {
            c.phases = 1;
            continue;
        }
        if (++i == count)
            scaling_fail("an option is unknown or lacks its value");
        if (strcmp(name, "--graphs") == 0)
            c.graphs = arguments[i];
        else if (strcmp(name, "--efforts") == 0)
            c.efforts = arguments[i];
        else if (strcmp(name, "--edges") == 0)
            c.edges = strtod(arguments[i], NULL);
        else if (strcmp(name, "--k") == 0)
            c.k = atoi(arguments[i]);
        else if (strcmp(name, "--record") == 0)
            c.record = atoi(arguments[i]);
        else if (strcmp(name, "--repeat") == 0)
            c.repeat = atoi(arguments[i]);
        else
            scaling_fail("the options are --graphs, --edges, --k, --efforts, --record, "
                         "--repeat, --no-wall and --phases");
    }
    if (!(c.edges > 0 && c.edges <= 20) || c.k < 1 || c.repeat < 1 || c.record < 2)
        scaling_fail(
            "--edges is in 0 to 20, --k and --repeat at least 1, --record at least 2");
    return c;
}

int main(int count, char **arguments)
{
    choice c = read_options(count, arguments);
    char graph[max_items][24];
    int ngraphs = split(c.graphs, graph);
    double region_cost = scaling_region_cost();
    printf("%d parts; an empty region on 2 threads takes %.1f us\n", c.k, 1e6 * region_cost);
    printf("%-22s %-8s %8s %7s %8s", "graph", "effort", "CPU s", "serial", "regions");
    for (int i = 0; i < nreplayed; i++)
        printf(" %4s%2d", "P =", replayed[i]);
    printf(c.wall ? " %8s %8s %6s\n" : "\n", "1 thread", "2", "ratio");
    for (int i = 0; i < ngraphs; i++)
        measure_graph(graph[i], &c, region_cost);
    return 0;
}
