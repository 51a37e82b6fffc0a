/* SPDX-License-Identifier: Apache-2.0 */
/* bench/metis/metis.c - our METIS_PartGraphKway, METIS_PartGraphRecursive and METIS_NodeND
 * compared with the originals, both loaded at run time and called alternately, and the
 * overhead of the layer over cleave_map.
 *
 * Cuts are counted here and fill by cleave_evaluate_order, not taken from a library.  Times
 * are CPU times, the minimum of several.  The imbalance is the mean of the largest part over
 * the mean, less 1.
 *
 *   bench_metis FOLDER [--k 2,8,32] [--graphs PART_OF_NAME] [--seeds N] [--quick]
 */
#include <dlfcn.h>
#include <math.h>
#include <metis.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cleave/cleave.h"

typedef int (*part_graph)(idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, idx_t *,
                          idx_t *, real_t *, real_t *, idx_t *, idx_t *, idx_t *);
typedef int (*node_nd)(idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, idx_t *, idx_t *);

typedef struct library {
    part_graph part[2]; /* k-way, recursive */
    node_nd order;
} library;

typedef struct arrays {
    cleave_graph *g;
    cleave_csr view;
    idx_t n, *xadj, *part, *inverse;
} arrays;

/* Sums of logarithms of ours over theirs. */
typedef struct means {
    double quality, seconds;
    double imbalance, own_imbalance; /* sums of theirs and ours, not of logarithms */
    int count, bad; /* bad: beyond the bound or with an empty part, theirs and ours */
    int own_bad;
} means;

static struct {
    int k[16], nk, seeds;
    const char *graphs;
    char shared[400];
} ask = {{2, 4, 8, 16, 32, 64}, 6, 2, "", ""};

static const char *const sources[] = {
    "3elt.graph",        "4elt.graph",       "add20.graph",       "add32.graph",
    "bcsstk29.graph.gz", "crack.graph",      "cs4.graph",         "cti.graph",
    "data.graph",        "fe_body.graph.gz", "finan512.graph.gz", "memplus.graph",
    "t60k.graph.gz",     "uk.graph",         "vibrobox.graph.gz", "wing.graph.gz",
    "wing_nodal.graph"};

static void fail(const char *what)
{
    fprintf(stderr, "bench_metis: %s\n", what);
    exit(1);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static library load(const char *path)
{
    library l;
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        fail(dlerror());
    *(void **)&l.part[0] = dlsym(handle, "METIS_PartGraphKway");
    *(void **)&l.part[1] = dlsym(handle, "METIS_PartGraphRecursive");
    *(void **)&l.order = dlsym(handle, "METIS_NodeND");
    return l;
}

static void take(arrays *a)
{
    cleave_csr_init(&a->view, sizeof a->view);
    cleave_graph_view(a->g, &a->view);
    a->n = a->view.nvtx;
    a->xadj = malloc(((size_t)a->n + 1) * sizeof *a->xadj);
    a->part = malloc(((size_t)a->n + 1) * sizeof *a->part);
    a->inverse = malloc(((size_t)a->n + 1) * sizeof *a->inverse);
    if (!a->xadj || !a->part || !a->inverse)
        fail("out of memory");
    for (idx_t v = 0; v <= a->n; v++)
        a->xadj[v] = (idx_t)a->view.xadj[v];
}

static void drop(arrays *a)
{
    cleave_graph_free(a->g);
    free(a->xadj);
    free(a->part);
    free(a->inverse);
}

static double part_once(const library *l, int which, arrays *a, idx_t k, idx_t seed)
{
    idx_t ncon = 1, cut, options[METIS_NOPTIONS];
    for (int i = 0; i < METIS_NOPTIONS; i++)
        options[i] = -1;
    options[METIS_OPTION_SEED] = seed;
    double start = now();
    if (l->part[which](&a->n, &ncon, a->xadj, (idx_t *)a->view.adj, (idx_t *)a->view.vwgt,
                       NULL, (idx_t *)a->view.ewgt, &k, NULL, NULL, options, &cut,
                       a->part) != METIS_OK)
        fail("a library refuses a graph");
    return now() - start;
}

static cleave_metrics judge(arrays *a, idx_t k, double imbalance)
{
    cleave_metrics metrics;
    cleave_evaluate_options opt;
    cleave_mapping *m;
    cleave_error err;
    cleave_metrics_init(&metrics, sizeof metrics);
    cleave_evaluate_options_init(&opt, sizeof opt);
    opt.imbalance = imbalance;
    if (cleave_mapping_create(&m, a->n, k, a->part, &err) != CLEAVE_OK ||
        cleave_evaluate(&metrics, a->g, m, &opt, &err) != CLEAVE_OK)
        fail(err.message);
    cleave_mapping_free(m);
    return metrics;
}

static void compare_parts(const library *both, int which, arrays *a, idx_t k, idx_t seed,
                          means *sum)
{
    double least[2] = {1e9, 1e9};
    cleave_metrics found[2] = {{0}, {0}};
    int rounds = 3;
    for (int i = 0; i < rounds; i++)
        for (int side = 0; side < 2; side++) {
            double seconds = part_once(&both[side], which, a, k, seed);
            least[side] = seconds < least[side] ? seconds : least[side];
            if (i == 0)
                found[side] = judge(a, k, which ? .001 : .03);
            if (i == 0 && seconds > .5)
                rounds = 1;
        }
    sum->quality += log((double)(found[1].cut + 1) / (double)(found[0].cut + 1));
    sum->seconds += log(least[1] / least[0]);
    sum->imbalance += found[0].imbalance;
    sum->own_imbalance += found[1].imbalance;
    sum->bad += !found[0].balanced || found[0].empty_parts > 0;
    sum->own_bad += !found[1].balanced || found[1].empty_parts > 0;
    sum->count++;
}

static double order_once(const library *l, arrays *a, idx_t seed, double *seconds)
{
    idx_t options[METIS_NOPTIONS];
    cleave_order_metrics metrics;
    cleave_order *order;
    cleave_error err;
    for (int i = 0; i < METIS_NOPTIONS; i++)
        options[i] = -1;
    options[METIS_OPTION_SEED] = seed;
    double start = now();
    if (l->order(&a->n, a->xadj, (idx_t *)a->view.adj, NULL, options, a->part, a->inverse) !=
        METIS_OK)
        fail("a library refuses a graph");
    *seconds = now() - start;
    cleave_order_metrics_init(&metrics, sizeof metrics);
    if (cleave_order_create(&order, a->n, a->part, NULL, &err) != CLEAVE_OK ||
        cleave_evaluate_order(&metrics, a->g, order, &err) != CLEAVE_OK)
        fail(err.message);
    cleave_order_free(order);
    return (double)metrics.fill;
}

static void compare_orders(const library *both, arrays *a, idx_t seed, means *sum)
{
    double seconds[2], fill[2];
    for (int side = 0; side < 2; side++)
        fill[side] = order_once(&both[side], a, seed, &seconds[side]);
    sum->quality += log(fill[1] / fill[0]);
    sum->seconds += log(seconds[1] / seconds[0]);
    sum->count++;
}

static void print(const char *what, const means *m)
{
    printf("%-24s %8.3f %8.2f %6d %14d %12d", what, exp(m->quality / m->count),
           exp(m->seconds / m->count), m->count, m->bad, m->own_bad);
    if (m->imbalance > 0 || m->own_imbalance > 0) /* orders have none */
        printf(" %8.2f %% %8.2f %%", 100 * m->imbalance / m->count,
               100 * m->own_imbalance / m->count);
    printf("\n");
    fflush(stdout);
}

/* ---- What the layer adds ----------------------------------------------------------- */

/* These two functions replace those of libcleave for our libmetis: they measure the time
 * inside them during the same call.  The overhead is smaller than the variation between two
 * calls. */
static double inside_map, inside_create;

cleave_status cleave_map(cleave_mapping **out, const cleave_graph *g, const cleave_target *t,
                         const cleave_options *opt, cleave_error *err)
{
    static cleave_status (*real)(cleave_mapping **, const cleave_graph *,
                                 const cleave_target *, const cleave_options *,
                                 cleave_error *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "cleave_map");
    double start = now();
    cleave_status status = real(out, g, t, opt, err);
    inside_map += now() - start;
    return status;
}

cleave_status cleave_graph_create(cleave_graph **out, const cleave_csr *csr, unsigned flags,
                                  cleave_error *err)
{
    static cleave_status (*real)(cleave_graph **, const cleave_csr *, unsigned,
                                 cleave_error *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "cleave_graph_create");
    double start = now();
    cleave_status status = real(out, csr, flags, err);
    inside_create += now() - start;
    return status;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Medians of the ratios to the time inside cleave_map. */
static void layer_costs(const library *ours, arrays *a, const char *name, idx_t k)
{
    enum { rounds = 41 };
    double create[rounds], all[rounds], map[rounds];
    for (int i = 0; i < rounds; i++) {
        inside_map = inside_create = 0;
        double through = part_once(ours, 0, a, k, -1);
        if (inside_map == 0)
            fail("our libmetis does not call the cleave_map of this program");
        map[i] = inside_map;
        create[i] = inside_create / inside_map;
        all[i] = through / inside_map - 1;
    }
    qsort(map, rounds, sizeof *map, ascending);
    qsort(create, rounds, sizeof *create, ascending);
    qsort(all, rounds, sizeof *all, ascending);
    printf(
        "%-15s k = %-3d cleave_map %.2f ms, the layer adds %.1f %% (%.1f to %.1f), of which "
        "cleave_graph_create is %.1f %%\n",
        name, (int)k, 1e3 * map[rounds / 2], 100 * all[rounds / 2], 100 * all[rounds / 4],
        100 * all[3 * rounds / 4], 100 * create[rounds / 2]);
}

static int open_graph(arrays *a, const char *name)
{
    char path[500];
    cleave_error err;
    if (strchr(name, ':'))
        return cleave_graph_generate(&a->g, name, NULL, &err) == CLEAVE_OK;
    snprintf(path, sizeof path, "%s/data/walshaw/%s", ask.shared, name);
    return cleave_graph_read(&a->g, path, NULL, &err) == CLEAVE_OK;
}

static void bench_layer(const library *ours)
{
    static const char *const names[] = {"4elt.graph", "wing_nodal.graph", "grid2d:708x708",
                                        "rgg:166667:12"};
    static const idx_t ks[] = {2, 32};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 2; j++) {
            arrays a;
            if (!open_graph(&a, names[i]))
                continue;
            take(&a);
            layer_costs(ours, &a, names[i], ks[j]);
            drop(&a);
        }
}

static void bench_one(const library *both, const char *name, means sum[3][16])
{
    arrays a;
    if (!strstr(name, ask.graphs) || !open_graph(&a, name))
        return;
    take(&a);
    for (int seed = 1; seed <= ask.seeds; seed++) {
        for (int which = 0; which < 2; which++)
            for (int i = 0; i < ask.nk; i++)
                compare_parts(both, which, &a, ask.k[i], seed, &sum[which][i]);
        compare_orders(both, &a, seed, &sum[2][0]);
    }
    drop(&a);
}

static void options(int count, char **arguments)
{
    const char *shared = getenv("CLEAVE_SHARED");
    snprintf(ask.shared, sizeof ask.shared, "%s", shared ? shared : "../shared");
    for (int i = 2; i < count; i++) {
        const char *value = i + 1 < count ? arguments[i + 1] : "";
        if (!strcmp(arguments[i], "--quick")) {
            ask.seeds = 1;
            continue;
        } else if (!strcmp(arguments[i], "--graphs")) {
            ask.graphs = value;
        } else if (!strcmp(arguments[i], "--seeds")) {
            ask.seeds = atoi(value);
        } else if (!strcmp(arguments[i], "--k")) {
            char *rest = (char *)value;
            for (ask.nk = 0; *rest && ask.nk < 16; rest += *rest == ',')
                ask.k[ask.nk++] = (int)strtol(rest, &rest, 10);
        } else {
            fail("options are --k --graphs --seeds --quick");
        }
        i++;
    }
}

int main(int count, char **arguments)
{
    static means sum[3][16];
    char text[40];
    options(count, arguments);
    library both[2] = {load(BENCH_THEIRS), load(BENCH_OURS)};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        bench_one(both, sources[i], sum);
    printf("ours over METIS           quality     time  cases  METIS invalid  ours invalid  "
           "imbalance METIS and ours\n");
    for (int which = 0; which < 2; which++)
        for (int i = 0; i < ask.nk; i++) {
            snprintf(text, sizeof text, "%s k = %d", which ? "recursive" : "k-way", ask.k[i]);
            if (sum[which][i].count)
                print(text, &sum[which][i]);
        }
    for (int which = 0; which < 2; which++) {
        means all = {0};
        for (int i = 0; i < ask.nk; i++) {
            all.quality += sum[which][i].quality;
            all.seconds += sum[which][i].seconds;
            all.count += sum[which][i].count;
            all.imbalance += sum[which][i].imbalance;
            all.own_imbalance += sum[which][i].own_imbalance;
            all.bad += sum[which][i].bad;
            all.own_bad += sum[which][i].own_bad;
        }
        if (all.count)
            print(which ? "recursive" : "k-way", &all);
    }
    if (sum[2][0].count)
        print("NodeND, fill", &sum[2][0]);
    bench_layer(&both[1]);
    return 0;
}
