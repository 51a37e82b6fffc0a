/* SPDX-License-Identifier: Apache-2.0 */
/* bench/adaptive/adaptive_large.c - a mesh of a million vertices: times to compute an order,
 * to cut it into 1000 parts, to refine the cut, and to map from scratch.  The Hilbert order is
 * measured on one thread and on two, in wall time also with --cpu. --quick: only that order
 * and its cut, without the minutes that the rest takes. */
#include <stdio.h>

#include "adaptive/adaptive.h"

static const char graph[] = "mesh2d:1000x1000";
enum { large_parts = 1000, large_ratio = 4 };

/* The curve is first, so that it is cut before the long runs begin. */
typedef enum large_method {
    L_HCI_EXACT,
    L_HCI,
    L_SPLIT,
    L_REFINE,
    L_SCRATCH,
    nlarge
} large_method;
static const adaptive_method methods[nlarge] = {
    [L_HCI_EXACT] = {.name = "hci+split-exact", .order = "hci", .exact = 1},
    [L_HCI] = {.name = "hci+split", .order = "hci"},
    [L_SPLIT] = {.name = "multilevel+split", .order = "multilevel"},
    [L_REFINE] = {.name = "split-refine", .order = "multilevel", .refine = 1},
    [L_SCRATCH] = {.name = "scratch"},
};

/* ---- Measuring -------------------------------------------------------------------------- */

static void measure_hci(const settings *s, adaptive_results *all, const cleave_graph *g,
                        int threads)
{
    cleave_order_options opt;
    cleave_error err;
    adaptive_row q = adaptive_question(s, graph, "build:hci", 0, 0, 1);
    q.threads = threads;
    if (adaptive_look(all, &q))
        return;
    cleave_order_options_init(&opt, sizeof opt);
    opt.method = "hci";
    opt.threads = threads;
    for (int i = 0; i < 5 && !q.status; i++) {
        cleave_order *o = NULL;
        double start = wall_seconds();
        q.status = (int)cleave_order_build(&o, g, &opt, &err);
        double seconds = wall_seconds() - start;
        q.seconds = i == 0 || seconds < q.seconds ? seconds : q.seconds;
        cleave_order_free(o);
    }
    if (q.status)
        fprintf(stderr, "%s: order hci: %s\n", bench_name, err.message);
    adaptive_add(all, &q);
}

static void measure_multilevel(const settings *s, adaptive_results *all, const cleave_graph *g,
                               order_shelf *shelf)
{
    static const adaptive_method plain = {.name = "equal"};
    double speed[32];
    adaptive_row q = adaptive_question(s, graph, "build:multilevel", 0, 0, 1);
    if (!adaptive_look(all, &q)) {
        if (!shelf_get(shelf, g, "multilevel", NULL, q.threads, &q.seconds))
            q.status = CLEAVE_EINVAL;
        adaptive_add(all, &q);
    }
    q = adaptive_question(s, graph, plain.name, 32, 1, 1);
    if (adaptive_look(all, &q))
        return;
    speeds_draw(speed, 32, 1, 1);
    adaptive_case c = {.g = g, .speed = speed, .repeat = 1};
    adaptive_measure(&q, &c, &plain);
    adaptive_add(all, &q);
}

void large_measure(const settings *s, const adaptive_ask *ask, adaptive_results *all)
{
    double speed[max_pes];
    order_shelf shelf = {.count = 0};
    cleave_graph *g = adaptive_read(s, graph);
    measure_hci(s, all, g, 1);
    measure_hci(s, all, g, 2);
    speeds_draw(speed, large_parts, large_ratio, 1);
    for (int i = 0; i < (ask->quick ? L_SPLIT : nlarge); i++) {
        adaptive_row q =
            adaptive_question(s, graph, methods[i].name, large_parts, large_ratio, 1);
        if (adaptive_look(all, &q))
            continue;
        adaptive_case c = {.g = g, .speed = speed, .shelf = &shelf, .repeat = 2};
        adaptive_measure(&q, &c, &methods[i]);
        adaptive_add(all, &q);
        adaptive_progress(&q);
    }
    if (!ask->quick)
        measure_multilevel(s, all, g, &shelf);
    shelf_free(&shelf);
    cleave_graph_free(g);
}

/* ---- What came out ---------------------------------------------------------------------- */

static const adaptive_row *find(const settings *s, const adaptive_results *all,
                                const char *method, int k, int ratio, int threads)
{
    adaptive_row q = adaptive_question(s, graph, method, k, ratio, 1);
    q.threads = threads;
    const adaptive_row *found = adaptive_look(all, &q);
    return found && !adaptive_invalid(found) ? found : NULL;
}

static void print_hci(const settings *s, const adaptive_results *all)
{
    const adaptive_row *one = find(s, all, "build:hci", 0, 0, 1);
    const adaptive_row *two = find(s, all, "build:hci", 0, 0, 2);
    if (one)
        bar_print("hci order of 1 million points, 1 thread, seconds", one->seconds, 0.3, 0);
    if (one && two)
        bar_print("the same, 2 threads / 1 thread", two->seconds / one->seconds, 1, 0);
}

void large_print(const settings *s, const adaptive_results *all)
{
    int threads = s->threads[0];
    const adaptive_row *r[nlarge];
    printf("\n%s into %d parts\n", graph, large_parts);
    for (int i = 0; i < nlarge; i++)
        if ((r[i] = find(s, all, methods[i].name, large_parts, large_ratio, threads)))
            printf("%-18s cut %8lld  %.6f s\n", methods[i].name, r[i]->cut, r[i]->seconds);
    print_hci(s, all);
    for (int i = 0; i <= L_SPLIT; i++) {
        char what[80];
        snprintf(what, sizeof what, "%s, milliseconds", methods[i].name);
        if (r[i])
            bar_print(what, 1000 * r[i]->seconds, 1, 0);
        snprintf(what, sizeof what, "from scratch / %s, time", methods[i].name);
        if (r[i] && r[L_SCRATCH])
            bar_print(what, r[L_SCRATCH]->seconds / r[i]->seconds, 1e4, 1);
    }
    if (r[L_REFINE] && r[L_SCRATCH])
        bar_print("from scratch / split_refine, time",
                  r[L_SCRATCH]->seconds / r[L_REFINE]->seconds, 10, 1);
    const adaptive_row *order = find(s, all, "build:multilevel", 0, 0, threads);
    const adaptive_row *plain = find(s, all, "equal", 32, 1, threads);
    if (order && plain)
        bar_print("multilevel order / 32-way default partition, time",
                  order->seconds / plain->seconds, 6, 0);
}
