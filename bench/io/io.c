/* SPDX-License-Identifier: Apache-2.0 */
/* bench/io/io.c - the speed of reading graph files.
 *
 * Three graphs of three million edges (a mesh in natural order, the same mesh with shuffled
 * vertices, a graph of very uneven degrees) are written as METIS and Matrix Market text and in
 * the binary format.  Each is read in a fresh process by cleave, by a loop of fscanf, and by
 * gpmetis, alternately; the minimum CPU time of each is used (gpmetis reports CPU time itself:
 * its I/O line, for the METIS file).  Ratios are of bytes per second.  Memory is the peak of
 * the reading process minus its memory before reading, over the bytes of the finished arrays.
 *
 *   bench_io FOLDER [ROUNDS]          the whole table
 *   bench_io --cleave FILE THREADS    one measurement: CPU s, wall s, memory ratio
 *   bench_io --fscanf FILE            the same for the loop */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "cleave/cleave.h"

typedef struct measurement {
    double cpu, wall, memory;
} measurement;

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double peak_bytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return 1024.0 * (double)usage.ru_maxrss;
}

static void fail(const char *what)
{
    fprintf(stderr, "bench_io: %s\n", what);
    exit(1);
}

/* ---- One measurement, in a process of its own ------------------------------------------ */

static double csr_bytes(const cleave_graph *g)
{
    cleave_csr view;
    cleave_csr_init(&view, sizeof view);
    cleave_graph_view(g, &view);
    double arcs = (double)view.xadj[view.nvtx];
    return 8.0 * (view.nvtx + 1.0) + 4.0 * arcs + (view.ewgt ? 4.0 * arcs : 0.0);
}

static int measure_cleave(const char *path, int threads)
{
    cleave_read_options options;
    cleave_read_options_init(&options, sizeof options);
    options.threads = threads;
    options.coords = "";
    cleave_graph *g;
    cleave_error err;
    double before = peak_bytes();
    double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    if (cleave_graph_read(&g, path, &options, &err) != CLEAVE_OK)
        fail(err.message);
    cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    wall = seconds(CLOCK_MONOTONIC) - wall;
    printf("%.6f %.6f %.3f\n", cpu, wall, (peak_bytes() - before) / csr_bytes(g));
    cleave_graph_free(g);
    return 0;
}

/* A simple reader: numbers into an array, one fscanf each. */
static int measure_fscanf(const char *path)
{
    double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    FILE *file = fopen(path, "r");
    if (!file)
        fail(path);
    char line[256], *banner = fgets(line, sizeof line, file);
    int matrix = banner && strncmp(banner, "%%MatrixMarket", 14) == 0;
    int values = matrix && strstr(banner, "pattern") == NULL, count = 0, room = 1 << 20;
    int *number = malloc((size_t)room * sizeof *number), got = 1;
    if (!number || (matrix && !fgets(line, sizeof line, file)))
        fail("no memory or no file");
    while (got > 0) {
        if (count + 2 > room)
            number = realloc(number, (size_t)(room *= 2) * sizeof *number);
        if (!number)
            fail("out of memory");
        double value = 0;
        got = !matrix ? fscanf(file, "%d", &number[count])
              : !values
                  ? fscanf(file, "%d %d", &number[count], &number[count + 1])
                  : fscanf(file, "%d %d %lf", &number[count], &number[count + 1], &value);
        count += matrix ? 2 : 1;
    }
    fclose(file);
    free(number);
    printf("%.6f %.6f 0\n", seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu,
           seconds(CLOCK_MONOTONIC) - wall);
    return 0;
}

/* ---- The graphs ------------------------------------------------------------------------ */

static uint64_t random_state = 1;

static uint32_t random_below(uint32_t bound)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 33) % bound);
}

static void add_edge(cleave_builder *b, int32_t tail, int32_t head)
{
    cleave_error err;
    if (cleave_builder_add(b, 1, &tail, &head, NULL, &err) != CLEAVE_OK)
        fail(err.message);
}

/* A triangulated square of side x side vertices, renumbered by `number`. */
static void add_mesh(cleave_builder *b, int side, const int32_t *number)
{
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            int32_t v = number[y * side + x];
            if (x + 1 < side)
                add_edge(b, v, number[y * side + x + 1]);
            if (y + 1 < side)
                add_edge(b, v, number[(y + 1) * side + x]);
            if (x + 1 < side && y + 1 < side)
                add_edge(b, v, number[(y + 1) * side + x + 1]);
        }
}

/* Products of uniform numbers: a few vertices have very many neighbours. */
static void add_uneven(cleave_builder *b, int32_t nvtx, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        double u = random_below(1u << 30) / (double)(1 << 30);
        add_edge(b, (int32_t)(u * u * u * nvtx), (int32_t)random_below((uint32_t)nvtx));
    }
}

static cleave_graph *make_graph(int which, int side)
{
    cleave_error err;
    cleave_builder *b;
    cleave_graph *g;
    int32_t n = side * side, *number = malloc((size_t)n * sizeof *number);
    if (!number || cleave_builder_create(&b, CLEAVE_UNDIRECTED, &err) != CLEAVE_OK)
        fail("out of memory");
    for (int32_t i = 0; i < n; i++) {
        int32_t j = which == 1 ? (int32_t)random_below((uint32_t)i + 1) : i;
        number[i] = number[j];
        number[j] = i;
    }
    if (which == 2)
        add_uneven(b, n, 3 * (int64_t)n);
    else
        add_mesh(b, side, number);
    if (cleave_builder_finish(&g, b, n, NULL, &err) != CLEAVE_OK)
        fail(err.message);
    cleave_builder_free(b);
    free(number);
    return g;
}

static int exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

/* The pattern file again with a value of seventeen digits behind every entry. */
static void add_values(const char *pattern, const char *real)
{
    FILE *from = fopen(pattern, "r"), *to = fopen(real, "w");
    char line[256];
    if (!from || !to)
        fail(real);
    for (int i = 0; fgets(line, sizeof line, from); i++) {
        line[strcspn(line, "\n")] = '\0';
        if (i == 0)
            fprintf(to, "%%%%MatrixMarket matrix coordinate real symmetric\n");
        else if (i == 1)
            fprintf(to, "%s\n", line);
        else
            fprintf(to, "%s %.16e\n", line, -1.0 / (i + 3));
    }
    fclose(from);
    if (fclose(to) != 0)
        fail(real);
}

static const char *const graph_names[] = {"mesh", "shuffled", "uneven"};

static void make_files(const char *folder)
{
    for (int which = 0; which < 3; which++) {
        char path[3][512];
        static const char *const extensions[] = {"graph", "mtx", "clv"};
        int missing = 0;
        for (int i = 0; i < 3; i++) {
            snprintf(path[i], sizeof path[i], "%s/%s.%s", folder, graph_names[which],
                     extensions[i]);
            missing |= !exists(path[i]);
        }
        char real[512];
        snprintf(real, sizeof real, "%s/%s-values.mtx", folder, graph_names[which]);
        if (!missing && exists(real))
            continue;
        cleave_graph *g = make_graph(which, 1000);
        cleave_error err;
        for (int i = 0; i < 3; i++)
            if (cleave_graph_write(g, path[i], NULL, &err) != CLEAVE_OK)
                fail(err.message);
        cleave_graph_free(g);
        add_values(path[1], real);
    }
}

/* ---- The table ------------------------------------------------------------------------- */

static measurement measure_command(const char *command)
{
    measurement m = {1e9, 1e9, 0};
    FILE *pipe = popen(command, "r");
    if (!pipe || fscanf(pipe, "%lf %lf %lf", &m.cpu, &m.wall, &m.memory) != 3)
        m.cpu = m.wall = 1e9;
    if (pipe)
        pclose(pipe);
    return m;
}

/* gpmetis prints "I/O: 0.175 sec"; 1e9 when it is not installed. */
static measurement run_gpmetis(const char *path)
{
    char command[1200], line[256];
    measurement m = {1e9, 1e9, 0};
    snprintf(command, sizeof command, "gpmetis -nooutput -ptype=kway '%s' 2 2>/dev/null",
             path);
    FILE *pipe = popen(command, "r");
    while (pipe && fgets(line, sizeof line, pipe)) {
        char *at = strstr(line, "I/O:");
        if (at)
            m.cpu = m.wall = strtod(at + 4, NULL);
    }
    if (pipe)
        pclose(pipe);
    return m;
}

static void keep_least(measurement *best, measurement now)
{
    best->cpu = now.cpu < best->cpu ? now.cpu : best->cpu;
    best->wall = now.wall < best->wall ? now.wall : best->wall;
    best->memory = now.memory > best->memory ? now.memory : best->memory;
}

/* The ratio of bytes per second to those of another reader, which may have read another
 * file. */
static void print_ratio(measurement rival, double rival_mb, double ours, double mb)
{
    if (rival.cpu < 1e8)
        printf(" %9.1f %6.2fx", 1e3 * rival.cpu, mb / ours / (rival_mb / rival.cpu));
    else
        printf(" %9s %7s", "-", "-");
}

static double megabytes(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 ? 1e-6 * (double)info.st_size : 0;
}

static void measure_file(const char *self, const char *folder, const char *name,
                         const char *graph, int rounds)
{
    char path[600], metis[600], command[1500];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    snprintf(metis, sizeof metis, "%s/%s.graph", folder, graph);
    measurement none = {1e9, 1e9, 0}, one = none, two = none, loop = none, gpmetis = none;
    int text = strstr(name, ".clv") == NULL;
    for (int round = 0; round < rounds; round++) {
        snprintf(command, sizeof command, "'%s' --cleave '%s' 1", self, path);
        keep_least(&one, measure_command(command));
        snprintf(command, sizeof command, "'%s' --cleave '%s' 2", self, path);
        keep_least(&two, measure_command(command));
        snprintf(command, sizeof command, "'%s' --fscanf '%s'", self, path);
        if (text && round < 3)
            keep_least(&loop, measure_command(command));
        if (round < 3)
            keep_least(&gpmetis, run_gpmetis(metis));
    }
    double mb = megabytes(path);
    double memory = one.memory > two.memory ? one.memory : two.memory;
    printf("%-20s %6.1f %8.1f %7.0f %6.1f %6.1f %6.2f", name, mb, 1e3 * one.cpu, mb / one.cpu,
           1e3 * one.wall, 1e3 * two.wall, memory);
    print_ratio(gpmetis, megabytes(metis), one.cpu, mb);
    print_ratio(loop, mb, one.cpu, mb);
    printf("\n");
    fflush(stdout);
}

int main(int count, char **arguments)
{
    if (count == 4 && strcmp(arguments[1], "--cleave") == 0)
        return measure_cleave(arguments[2], atoi(arguments[3]));
    if (count == 3 && strcmp(arguments[1], "--fscanf") == 0)
        return measure_fscanf(arguments[2]);
    if (count < 2)
        fail("usage: bench_io FOLDER [ROUNDS]");
    const char *folder = arguments[1];
    int rounds = count > 2 ? atoi(arguments[2]) : 7;
    make_files(folder);
    printf("%-20s %6s %8s %7s %13s %6s %17s %17s\n", "", "", "1 thread", "", "wall ms",
           "peak /", "gpmetis I/O", "fscanf loop");
    printf("%-20s %6s %8s %7s %6s %6s %6s %9s %7s %9s %7s\n", "file", "MB", "CPU ms", "MB/s",
           "1 thr.", "2 thr.", "CSR", "CPU ms", "ratio", "CPU ms", "ratio");
    for (int which = 0; which < 3; which++) {
        static const char *const forms[] = {"%s.graph", "%s.mtx", "%s-values.mtx", "%s.clv"};
        for (int i = 0; i < 4; i++) {
            char name[64];
            snprintf(name, sizeof name, forms[i], graph_names[which]);
            measure_file(arguments[0], folder, name, graph_names[which], rounds);
        }
    }
    return 0;
}
