/* SPDX-License-Identifier: Apache-2.0 */
/* bench/map/map_scotch.c - runs Scotch's gmap (Debian package scotch) on one thread in a
 * separate process, and writes targets in its format.
 *
 * Its time is the mapping alone, as it reports.  That is wall time; with --cpu it is the same
 * share of the CPU time of the process as of its wall time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "map/map.h"

enum { max_levels = 16 };

scotch_files scotch_names(const settings *s)
{
    scotch_files f;
    snprintf(f.graph, sizeof f.graph, "%s/map-%ld.grf", s->folder, (long)getpid());
    snprintf(f.target, sizeof f.target, "%s/map-%ld.tgt", s->folder, (long)getpid());
    snprintf(f.mapping, sizeof f.mapping, "%s/map-%ld.map", s->folder, (long)getpid());
    return f;
}

void scotch_remove(const scotch_files *f)
{
    remove(f->graph);
    remove(f->target);
    remove(f->mapping);
}

/* ---- Targets ---------------------------------------------------------------------------- */

/* Numbers of text with one of `between` after each but the last; *text advances past them. */
static int read_numbers(const char **text, char between, long *number)
{
    int count = 0;
    char *end;
    do {
        number[count++] = strtol(*text, &end, 10);
        *text = end + (*end == between);
    } while (*end == between && count < max_levels);
    return count;
}

/* Scotch counts from the root, and each level's cost on top of those below it. */
static void write_tree(FILE *file, const char *text)
{
    long size[max_levels], cost[max_levels];
    int count = read_numbers(&text, ':', size);
    text += *text == '@';
    if (read_numbers(&text, ':', cost) != count)
        bench_fail("a tree has a cost for each level");
    fprintf(file, "tleaf %d", count);
    for (int i = count - 1; i >= 0; i--)
        fprintf(file, " %ld %ld", size[i], cost[i] - (i > 0 ? cost[i - 1] : 0));
    fprintf(file, "\n");
}

static void write_box(FILE *file, const char *kind, const char *text)
{
    long size[max_levels];
    int count = read_numbers(&text, 'x', size);
    if (count == 2 || count == 3)
        fprintf(file, "%s%dD", kind, count);
    else
        fprintf(file, "%sXD %d", kind, count);
    for (int i = 0; i < count; i++)
        fprintf(file, " %ld", size[i]);
    fprintf(file, "\n");
}

static void write_list(FILE *file, const char *text)
{
    int count = 1;
    for (const char *c = text; *c && *c != ']'; c++)
        count += *c == ',';
    fprintf(file, "sub %d ", count);
    for (const char *c = text; *c && *c != ']'; c++)
        fputc(*c == ',' ? ' ' : *c, file);
    fputc(' ', file);
}

void scotch_write_target(const scotch_files *f, const char *spec)
{
    FILE *file = fopen(f->target, "w");
    const char *list = strchr(spec, '['), *colon = strchr(spec, ':');
    if (!file || !colon)
        bench_fail(f->target);
    if (list)
        write_list(file, list + 1);
    if (strncmp(spec, "tree:", 5) == 0)
        write_tree(file, colon + 1);
    else if (strncmp(spec, "mesh:", 5) == 0)
        write_box(file, "mesh", colon + 1);
    else if (strncmp(spec, "torus:", 6) == 0)
        write_box(file, "torus", colon + 1);
    else if (strncmp(spec, "hypercube:", 10) == 0)
        fprintf(file, "hcub %s\n", colon + 1);
    else
        bench_fail("Scotch is not told of targets of this shape");
    if (fclose(file) != 0)
        bench_fail(f->target);
}

/* ---- Runs ------------------------------------------------------------------------------- */

/* *output gets both outputs. */
static pid_t start(char *const *arguments, FILE **output)
{
    int ends[2];
    if (pipe(ends) != 0)
        bench_fail("cannot make a pipe");
    pid_t child = fork();
    if (child < 0)
        bench_fail("cannot start a process");
    if (child == 0) {
        dup2(ends[1], 1);
        dup2(ends[1], 2);
        close(ends[0]);
        close(ends[1]);
        setenv("SCOTCH_PTHREAD_NUMBER", "1", 1);
        execvp(arguments[0], arguments);
        _exit(127);
    }
    close(ends[1]);
    *output = fdopen(ends[0], "r");
    if (!*output)
        bench_fail("cannot read from a pipe");
    return child;
}

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

/* Exit status 0; CPU time in *cpu. */
static int finish(pid_t child, double *cpu)
{
    struct rusage usage;
    int status;
    if (wait4(child, &status, 0, &usage) != child)
        bench_fail("cannot wait for a process");
    *cpu = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int scotch_available(void)
{
    char *arguments[] = {"scotch_gmap", "-V", NULL};
    char line[300];
    FILE *output;
    double cpu;
    pid_t child = start(arguments, &output);
    while (fgets(line, sizeof line, output))
        ;
    fclose(output);
    return finish(child, &cpu);
}

scotch_run scotch_map(const scotch_files *f, double imbalance, int judged)
{
    char bound[40], line[300], graph[500], target[500], mapping[500];
    double wall = 0, total = 0, cpu;
    scotch_run run = {0, -1};
    FILE *output;
    snprintf(bound, sizeof bound, "-b%g", imbalance);
    snprintf(graph, sizeof graph, "%s", f->graph);
    snprintf(target, sizeof target, "%s", f->target);
    snprintf(mapping, sizeof mapping, "%s", f->mapping);
    char *arguments[] = {"scotch_gmap",           bound, graph, target, mapping,
                         judged ? "-vmt" : "-vt", NULL};
    pid_t child = start(arguments, &output);
    while (fgets(line, sizeof line, output)) {
        sscanf(line, "T Mapping %lf", &wall);
        sscanf(line, "T Total %lf", &total);
        sscanf(line, "M CommExpan=%*f (%lld)", &run.cost);
    }
    fclose(output);
    if (!finish(child, &cpu) || wall <= 0)
        bench_fail("scotch_gmap failed");
    run.seconds = bench_in_cpu() && cpu < total ? cpu * wall / total : wall;
    return run;
}
