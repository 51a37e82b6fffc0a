/* SPDX-License-Identifier: Apache-2.0 */
/* bench/scale/scale.c - growth of time with the number of edges, and of memory with the size
 * of the graph.
 *
 * Power-law (rmat) and geometric (rgg) graphs of 1 to 20 million edges into 64 parts at
 * effort default, on 1 and 2 threads, and by METIS; each in a fresh process.  Memory is the
 * peak of the process during the call, minus its memory besides the graph, over the bytes of
 * the graph's offsets and neighbours: 1 means that the call needs no memory of its own.
 *
 *   bench_scale FOLDER [--edges 1,2,5,10,20] [--effort default] [--threads 1,2] [--k 64]
 *   bench_scale --one SPEC EFFORT THREADS K     one measurement; threads 0: METIS */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cleave/cleave.h"
#ifdef BENCH_METIS
#include <metis.h>
#endif

static void fail(const char *what)
{
    fprintf(stderr, "bench_scale: %s\n", what);
    exit(1);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Bytes of a line of /proc/self/status: "VmRSS:" now, "VmHWM:" at most. */
static double memory(const char *line)
{
    char text[256];
    double kilobytes = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(text, sizeof text, file))
        if (strncmp(text, line, strlen(line)) == 0)
            kilobytes = strtod(text + strlen(line), NULL);
    if (file)
        fclose(file);
    return 1024 * kilobytes;
}

/* Resets the peak, and returns freed memory of the allocator to the system. */
static void forget_peak(void)
{
    malloc_trim(0);
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (!file || fputs("5", file) < 0 || fclose(file) != 0)
        fail("cannot reset the peak of memory through /proc/self/clear_refs");
}

/* ---- One measurement -------------------------------------------------------------------- */

typedef struct outcome {
    double edges, csr, seconds, peak, cut;
    int balanced;
} outcome;

static void judge(outcome *o, const cleave_graph *g, int k, const int32_t *part)
{
    cleave_metrics metrics;
    cleave_mapping *m;
    cleave_error err;
    cleave_metrics_init(&metrics, sizeof metrics);
    if (cleave_mapping_create(&m, cleave_graph_vertices(g), k, part, &err) != CLEAVE_OK ||
        cleave_evaluate(&metrics, g, m, NULL, &err) != CLEAVE_OK)
        fail(err.message);
    o->cut = (double)metrics.cut;
    o->balanced = metrics.balanced && metrics.empty_parts == 0;
    cleave_mapping_free(m);
}

static void run_ours(outcome *o, const cleave_graph *g, int effort, int threads, int k)
{
    cleave_options opt;
    cleave_target *t;
    cleave_mapping *m = NULL;
    cleave_error err;
    cleave_options_init(&opt, sizeof opt);
    opt.effort = (cleave_effort)effort;
    opt.threads = threads;
    if (cleave_target_create(&t, k, NULL, &err) != CLEAVE_OK)
        fail(err.message);
    double before = memory("VmRSS:"), start = now();
    cleave_map(&m, g, t, &opt, &err);
    o->seconds = now() - start;
    o->peak = memory("VmHWM:") - before + o->csr;
    if (!m)
        fail(err.message);
    judge(o, g, k, cleave_mapping_parts(m));
    cleave_mapping_free(m);
    cleave_target_free(t);
}

#ifdef BENCH_METIS
static void run_metis(outcome *o, const cleave_graph *g, int k)
{
    cleave_csr view;
    cleave_csr_init(&view, sizeof view);
    cleave_graph_view(g, &view);
    idx_t *xadj = malloc(((size_t)view.nvtx + 1) * sizeof *xadj);
    idx_t *part = malloc(((size_t)view.nvtx + 1) * sizeof *part);
    idx_t options[METIS_NOPTIONS], n = view.nvtx, ncon = 1, parts = k, cut;
    if (!xadj || !part)
        fail("out of memory");
    for (int32_t v = 0; v <= view.nvtx; v++)
        xadj[v] = (idx_t)view.xadj[v];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_UFACTOR] = 30;
    double before = memory("VmRSS:"), start = now();
    if (METIS_PartGraphKway(&n, &ncon, xadj, (idx_t *)view.adj, NULL, NULL, NULL, &parts, NULL,
                            NULL, options, &cut, part) != METIS_OK)
        fail("METIS_PartGraphKway failed");
    o->seconds = now() - start;
    o->peak = memory("VmHWM:") - before + o->csr;
    judge(o, g, k, part);
    free(part);
    free(xadj);
}
#else
static void run_metis(outcome *o, const cleave_graph *g, int k)
{
    (void)g, (void)k;
    memset(o, 0, sizeof *o);
}
#endif

static int measure_one(const char *spec, int effort, int threads, int k)
{
    cleave_graph *g;
    cleave_csr view;
    cleave_error err;
    outcome o = {0};
    if (cleave_graph_generate(&g, spec, NULL, &err) != CLEAVE_OK)
        fail(err.message);
    cleave_csr_init(&view, sizeof view);
    cleave_graph_view(g, &view);
    o.edges = (double)cleave_graph_edges(g);
    o.csr = 8.0 * (view.nvtx + 1.0) + 4.0 * (double)view.xadj[view.nvtx];
    forget_peak();
    if (threads > 0)
        run_ours(&o, g, effort, threads, k);
    else
        run_metis(&o, g, k);
    printf("%.0f %.0f %.6f %.0f %.0f %d\n", o.edges, o.csr, o.seconds, o.peak, o.cut,
           o.balanced);
    cleave_graph_free(g);
    return 0;
}

/* ---- The table -------------------------------------------------------------------------- */

static outcome measure_in_child(const char *self, const char *spec, int effort, int threads,
                                int k)
{
    char command[1200];
    outcome o = {0};
    snprintf(command, sizeof command, "'%s' --one '%s' %d %d %d", self, spec, effort, threads,
             k);
    FILE *pipe = popen(command, "r");
    if (!pipe || fscanf(pipe, "%lf %lf %lf %lf %lf %d", &o.edges, &o.csr, &o.seconds, &o.peak,
                        &o.cut, &o.balanced) != 6)
        memset(&o, 0, sizeof o);
    if (pipe)
        pclose(pipe);
    return o;
}

static void print_outcome(const char *spec, const char *who, outcome o)
{
    if (o.seconds <= 0) {
        printf("%-18s %-10s could not be measured\n", spec, who);
        return;
    }
    printf("%-18s %-10s %8.2f %9.2f %9.3f %9.0f %9.2f %12.0f  %s\n", spec, who, 1e-6 * o.edges,
           o.seconds, 1e6 * o.seconds / o.edges, 1e-6 * o.csr, o.peak / o.csr, o.cut,
           o.balanced ? "" : "beyond the bound");
    fflush(stdout);
}

/* About so many million edges: rmat doubles its vertices, and the degree is adjusted. */
static void make_spec(char *spec, size_t size, int kind, double millions)
{
    if (kind == 0) {
        int scale = 16;
        while (millions * 1e6 / (double)(1 << scale) > 11)
            scale++;
        snprintf(spec, size, "rmat:%d:%.0f", scale, millions * 1e6 / (double)(1 << scale) + 1);
    } else {
        snprintf(spec, size, "rgg:%.0f:12", millions * 1e6 / 6);
    }
}

int main(int count, char **arguments)
{
    const char *edges = "1,2,5,10,20", *effort = "default", *threads = "1,2";
    static const char *const names[] = {"fast", "default", "quality", "best"};
    int k = 64, e = 0;
    if (count == 6 && strcmp(arguments[1], "--one") == 0)
        return measure_one(arguments[2], atoi(arguments[3]), atoi(arguments[4]),
                           atoi(arguments[5]));
    for (int i = 2; i + 1 < count; i += 2)
        if (strcmp(arguments[i], "--edges") == 0)
            edges = arguments[i + 1];
        else if (strcmp(arguments[i], "--effort") == 0)
            effort = arguments[i + 1];
        else if (strcmp(arguments[i], "--threads") == 0)
            threads = arguments[i + 1];
        else if (strcmp(arguments[i], "--k") == 0)
            k = atoi(arguments[i + 1]);
        else
            fail("usage: bench_scale FOLDER [--edges 1,2] [--effort E] [--threads 1,2] [--k "
                 "K]");
    while (e < 4 && strcmp(names[e], effort) != 0)
        e++;
    if (e == 4 || k < 1)
        fail("the efforts are fast, default, quality and best; k is at least 1");
    printf("%d parts, effort %s\n%-18s %-10s %8s %9s %9s %9s %9s %12s\n", k, effort, "graph",
           "", "M edges", "seconds", "s/M edges", "CSR MB", "peak/CSR", "cut");
    for (int kind = 0; kind < 2; kind++)
        for (const char *p = edges; *p; p += strcspn(p, ","), p += *p == ',') {
            char spec[64], who[32];
            make_spec(spec, sizeof spec, kind, strtod(p, NULL));
            print_outcome(spec, "METIS", measure_in_child(arguments[0], spec, e, 0, k));
            for (const char *t = threads; *t; t += strcspn(t, ","), t += *t == ',') {
                snprintf(who, sizeof who, "%d thread%s", atoi(t), atoi(t) == 1 ? "" : "s");
                print_outcome(spec, who, measure_in_child(arguments[0], spec, e, atoi(t), k));
            }
        }
    return 0;
}
