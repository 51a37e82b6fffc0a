/* SPDX-License-Identifier: Apache-2.0 */
/* bench/fill/fill.c - Cholesky fill of our elimination orders compared with METIS_NodeND and,
 * if installed, AMD.
 *
 * The symmetric, or symmetrised, matrices of ../shared/data/mtx and grids.  Every order is
 * evaluated by cleave_evaluate_order.  Times are CPU times of one thread, the minimum of
 * several.
 *
 *   bench_fill FOLDER [--efforts fast,default] [--graphs PART_OF_NAME] [--seeds N] [--quick]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cleave/cleave.h"

#ifdef BENCH_METIS
#include <metis.h>
#endif
#ifdef BENCH_AMD
#include <amd.h>
#endif

static const char *const sources[] = {
    "1138_bus.mtx",     "OPF_6000.mtx.gz",    "bayer10.mtx.gz",        "bcspwr10.mtx",
    "bcsstk13.mtx.gz",  "bcsstk25.mtx.gz",    "bodyy5.mtx.gz",         "c-62.mtx.gz",
    "cage10.mtx.gz",    "chipcool0_L.mtx.gz", "finance256.mtx.gz",     "lap3d_40.mtx.gz",
    "rajat01.mtx",      "sherman3.mtx",       "shallow_water1.mtx.gz", "xenon1.mtx.gz",
    "grid2d:100x100",   "grid2d:300x300",     "grid3d:20x20x20",       "grid3d:40x40x40",
    "grid2d:1000x1000", /* the last: not with --quick */
};
enum { nsources = sizeof sources / sizeof *sources };

typedef struct outcome {
    int there;
    double fill, operations, seconds;
} outcome;

typedef struct means { /* sums of logarithms of ratios to METIS */
    double fill, operations, seconds;
    int count;
} means;

/* ours by effort, minimum degree, AMD */
enum { mindeg = 4, amd = 5, nrivals = 6 };
static const char *const names[nrivals] = {"fast", "default", "quality",
                                           "best", "mindeg",  "AMD"};

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void fail(const char *what, const cleave_error *err)
{
    fprintf(stderr, "bench_fill: %s: %s\n", what, err ? err->message : "out of memory");
    exit(1);
}

static cleave_graph *open_graph(const char *name)
{
    cleave_error err = {0};
    cleave_graph *g = NULL;
    cleave_read_options opt;
    char path[600];
    const char *shared = getenv("CLEAVE_SHARED");
    if (strchr(name, ':')) {
        if (cleave_graph_generate(&g, name, NULL, &err) != CLEAVE_OK)
            fail(name, &err);
        return g;
    }
    snprintf(path, sizeof path, "%s/data/mtx/%s", shared ? shared : "../shared", name);
    cleave_read_options_init(&opt, sizeof opt);
    opt.symmetrise = "max";
    if (cleave_graph_read(&g, path, &opt, &err) != CLEAVE_OK)
        fprintf(stderr, "bench_fill: left out: %s\n", err.message);
    return g;
}

static outcome judge(const cleave_graph *g, const cleave_order *o, double seconds)
{
    cleave_error err = {0};
    cleave_order_metrics m;
    cleave_order_metrics_init(&m, sizeof m);
    if (cleave_evaluate_order(&m, g, o, &err) != CLEAVE_OK)
        fail("cleave_evaluate_order", &err);
    return (outcome){1, (double)m.fill, m.operations, seconds};
}

/* An order of another library. */
static outcome judge_given(const cleave_graph *g, const int32_t *vertex, double seconds)
{
    cleave_error err = {0};
    cleave_order *o = NULL;
    if (cleave_order_create(&o, cleave_graph_vertices(g), vertex, NULL, &err) != CLEAVE_OK)
        fail("cleave_order_create", &err);
    outcome is = judge(g, o, seconds);
    cleave_order_free(o);
    return is;
}

static outcome run_ours(const cleave_graph *g, int which, int seed)
{
    cleave_error err = {0};
    cleave_order *o = NULL;
    cleave_order_options opt;
    double least = 1e9, all = 0;
    cleave_order_options_init(&opt, sizeof opt);
    opt.method = which == mindeg ? "mindeg" : "nd";
    opt.effort = which == mindeg ? CLEAVE_EFFORT_DEFAULT : (cleave_effort)which;
    opt.seed = (uint64_t)seed;
    opt.threads = 1;
    for (int i = 0; i < 5 && (i == 0 || all < 0.5); i++) {
        cleave_order_free(o);
        double start = seconds_now();
        if (cleave_order_build(&o, g, &opt, &err) != CLEAVE_OK)
            fail("cleave_order_build", &err);
        double taken = seconds_now() - start;
        least = taken < least ? taken : least;
        all += taken;
    }
    outcome is = judge(g, o, least);
    cleave_order_free(o);
    return is;
}

#if defined(BENCH_METIS) || defined(BENCH_AMD)
static int32_t *offsets(const cleave_csr *view)
{
    int32_t *xadj = malloc(((size_t)view->nvtx + 1) * sizeof *xadj);
    if (!xadj)
        fail("offsets", NULL);
    for (int32_t v = 0; v <= view->nvtx; v++)
        xadj[v] = (int32_t)view->xadj[v];
    return xadj;
}
#endif

static outcome run_metis(const cleave_graph *g, int seed)
{
    outcome is = {0, 0, 0, 0};
#ifdef BENCH_METIS
    cleave_csr view;
    cleave_csr_init(&view, sizeof view);
    cleave_graph_view(g, &view);
    idx_t n = view.nvtx, options[METIS_NOPTIONS], *xadj = offsets(&view);
    idx_t *perm = malloc((size_t)n * sizeof *perm), *place = malloc((size_t)n * sizeof *place);
    double least = 1e9, all = 0;
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = seed;
    for (int i = 0; i < 5 && (i == 0 || all < 0.5); i++) {
        double start = seconds_now();
        METIS_NodeND(&n, xadj, (idx_t *)view.adj, NULL, options, perm, place);
        double taken = seconds_now() - start;
        least = taken < least ? taken : least;
        all += taken;
    }
    is = judge_given(g, perm, least);
    free(xadj);
    free(perm);
    free(place);
#else
    (void)g, (void)seed;
#endif
    return is;
}

static outcome run_amd(const cleave_graph *g)
{
    outcome is = {0, 0, 0, 0};
#ifdef BENCH_AMD
    cleave_csr view;
    cleave_csr_init(&view, sizeof view);
    cleave_graph_view(g, &view);
    int32_t *xadj = offsets(&view), *perm = malloc((size_t)view.nvtx * sizeof *perm);
    double start = seconds_now();
    amd_order(view.nvtx, xadj, view.adj, perm, NULL, NULL);
    is = judge_given(g, perm, seconds_now() - start);
    free(xadj);
    free(perm);
#else
    (void)g;
#endif
    return is;
}

static void add(means *m, const outcome *is, const outcome *than)
{
    if (!is->there || !than->there)
        return;
    m->fill += log(is->fill / than->fill);
    m->operations += log(is->operations / than->operations);
    m->seconds += log(is->seconds / than->seconds);
    m->count++;
}

static void compare(const char *name, const int *wanted, int seeds, means *all)
{
    cleave_graph *g = open_graph(name);
    for (int seed = 1; g && seed <= seeds; seed++) {
        outcome metis = run_metis(g, seed);
        printf("%-22s %9d %11.0f %9.2e %8.3f", name, (int)cleave_graph_vertices(g), metis.fill,
               metis.operations, metis.seconds);
        for (int i = 0; i < nrivals; i++) {
            if (!wanted[i])
                continue;
            outcome is = i == amd ? run_amd(g) : run_ours(g, i, seed);
            add(&all[i], &is, &metis);
            if (is.there && metis.there)
                printf("  %6.3f %6.3f %6.2f", is.fill / metis.fill,
                       is.operations / metis.operations, is.seconds / metis.seconds);
            else
                printf("  %11.0f %9.2e %6.3f", is.fill, is.operations, is.seconds);
        }
        printf("\n");
        fflush(stdout);
    }
    cleave_graph_free(g);
}

static void print_means(const int *wanted, const means *all)
{
    printf("%-63s", "geometric mean");
    for (int i = 0; i < nrivals; i++)
        if (wanted[i])
            printf("  %6.3f %6.3f %6.2f", exp(all[i].fill / all[i].count),
                   exp(all[i].operations / all[i].count), exp(all[i].seconds / all[i].count));
    printf("\n");
}

int main(int argc, char **argv)
{
    int wanted[nrivals] = {0, 1, 0, 0, 1, 0}, seeds = 1, quick = 0;
    const char *only = "";
    means all[nrivals];
    memset(all, 0, sizeof all);
#ifdef BENCH_AMD
    wanted[amd] = 1;
#endif
    for (int i = 2; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--quick") == 0)
            quick = 1;
        else if (strcmp(argv[i], "--efforts") == 0)
            for (int e = 0; e < mindeg; e++)
                wanted[e] = strstr(value, names[e]) != NULL;
        else if (strcmp(argv[i], "--graphs") == 0)
            only = value;
        else if (strcmp(argv[i], "--seeds") == 0)
            seeds = atoi(value);
    }
    printf("Cholesky fill, operations and time; ours as ratios to METIS_NodeND\n\n");
    printf("%-22s %9s %11s %9s %8s", "matrix", "vertices", "fill", "ops", "seconds");
    for (int i = 0; i < nrivals; i++)
        if (wanted[i])
            printf("  %-20s", names[i]);
    printf("\n");
    for (int i = 0; i < nsources - quick; i++)
        if (strstr(sources[i], only))
            compare(sources[i], wanted, seeds, all);
    print_means(wanted, all);
    return 0;
}
