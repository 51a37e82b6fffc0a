/* SPDX-License-Identifier: Apache-2.0 */
/* bench/map/map_bump.c - the graph bump onto five PEs of a mesh of eight: every list
 * [0,4,a,b,c] in both orders of numbering, 240 in all.  Compared with Scotch, and with a plain
 * partition into five parts: the best of all 120 placements of its parts, for the same effort
 * and seed.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "map/map.h"

enum { npe = 5, nmesh = 8, nlist = 120 };

static const char *const orders[2] = {"mesh:2x4", "mesh:4x2"};

/* Names of targets, list by list; quick: a < b < c only.  Returns their number. */
static int make_lists(char name[][40], const char *mesh, int quick)
{
    int count = 0;
    for (int a = 1; a < nmesh; a++)
        for (int b = 1; b < nmesh; b++)
            for (int c = 1; c < nmesh; c++) {
                if (a == 4 || b == 4 || c == 4 || a == b || b == c || a == c)
                    continue;
                if (!quick || (a < b && b < c))
                    snprintf(name[count++], 40, "%s[0,4,%d,%d,%d]", mesh, a, b, c);
            }
    return count;
}

/* ---- A plain partition ------------------------------------------------------------------ */

/* Traffic between parts, each pair once: cut[p * npe + q] with p < q. */
static void plain_partition(const settings *s, const cleave_graph *g, int effort, int seed,
                            int64_t *cut)
{
    cleave_options opt;
    cleave_target *t;
    cleave_mapping *m;
    cleave_csr csr;
    cleave_error err;
    cleave_options_init(&opt, sizeof opt);
    cleave_csr_init(&csr, sizeof csr);
    opt.imbalance = s->imbalance;
    opt.seed = (uint64_t)seed;
    opt.effort = (cleave_effort)effort;
    opt.threads = s->threads[0];
    opt.time_limit = effort == CLEAVE_EFFORT_BEST ? s->best_limit : 0;
    if (cleave_target_create(&t, npe, NULL, &err) != CLEAVE_OK ||
        cleave_map(&m, g, t, &opt, &err) != CLEAVE_OK)
        bench_fail(err.message);
    const int32_t *part = cleave_mapping_parts(m);
    cleave_graph_view(g, &csr);
    memset(cut, 0, npe * npe * sizeof *cut);
    for (int32_t v = 0; v < csr.nvtx; v++)
        for (int64_t a = csr.xadj[v]; a < csr.xadj[v + 1]; a++)
            if (part[v] < part[csr.adj[a]])
                cut[part[v] * npe + part[csr.adj[a]]] += csr.ewgt ? csr.ewgt[a] : 1;
    cleave_mapping_free(m);
    cleave_target_free(t);
}

static int64_t placed_cost(const int64_t *cut, const cleave_target *t, const int *pe)
{
    int64_t cost = 0;
    for (int p = 0; p < npe; p++)
        for (int q = p + 1; q < npe; q++)
            cost += cut[p * npe + q] * cleave_target_distance(t, pe[p], pe[q]);
    return cost;
}

/* The minimum cost of all assignments of parts `from`, ... to the remaining PEs. */
static int64_t best_placement(const int64_t *cut, const cleave_target *t, int *pe, int from)
{
    if (from == npe)
        return placed_cost(cut, t, pe);
    int64_t best = INT64_MAX;
    for (int i = from; i < npe; i++) {
        int keep = pe[from];
        pe[from] = pe[i];
        pe[i] = keep;
        int64_t now = best_placement(cut, t, pe, from + 1);
        best = now < best ? now : best;
        pe[i] = pe[from];
        pe[from] = keep;
    }
    return best;
}

/* ---- Measuring -------------------------------------------------------------------------- */

static void measure_lists(const settings *s, const map_ask *ask, map_results *all,
                          const map_case *common, int seed)
{
    static char name[nlist][40];
    int64_t cut[npe * npe];
    int have = 0;
    for (int order = 0; order < 2; order++) {
        int count = make_lists(name, orders[order], ask->quick);
        for (int i = 0; i < count; i++) {
            map_row q = map_store_question(s, "bump", name[i], (int)common->effort, seed);
            int pe[npe] = {0, 1, 2, 3, 4};
            map_case c = *common;
            if (map_store_find(all, &q))
                continue;
            if (!have++)
                plain_partition(s, c.g, (int)c.effort, seed, cut);
            cleave_target *t = map_target_read(q.target);
            scotch_write_target(c.files, q.target);
            c.t = t;
            map_measure(&q, &c);
            q.plain = best_placement(cut, t, pe, 0);
            cleave_target_free(t);
            map_store_add(all, &q);
            map_print_progress(&q);
        }
    }
}

void bump_measure(const settings *s, const map_ask *ask, map_results *all)
{
    char path[600];
    cleave_graph *g;
    cleave_error err;
    scotch_files files = scotch_names(s);
    snprintf(path, sizeof path, "%s/data/mesh/bump.grf", s->shared);
    if (cleave_graph_read(&g, path, NULL, &err) != CLEAVE_OK ||
        cleave_graph_write(g, files.graph, NULL, &err) != CLEAVE_OK)
        bench_fail(err.message);
    for (int e = 0; e < s->nefforts; e++)
        for (int seed = 1; seed <= s->seeds; seed++) {
            map_case c = {.g = g,
                          .files = &files,
                          .effort = (cleave_effort)s->efforts[e],
                          .repeat = s->repeat};
            measure_lists(s, ask, all, &c, seed);
        }
    scotch_remove(&files);
    cleave_graph_free(g);
}

/* ---- The table -------------------------------------------------------------------------- */

typedef struct tally {
    int count, above, worse;    /* above 1.05 of Scotch; worse than the plain partition */
    double scotch, time, plain; /* sums of logarithms of ratios */
    double worst, worst_plain;
    char at[40], at_plain[40];
} tally;

static void add_row(tally *y, const map_row *r)
{
    double scotch = (double)r->cost / (double)r->scotch_cost;
    double plain = (double)r->cost / (double)r->plain;
    y->count++;
    y->above += scotch > 1.05;
    y->worse += r->cost > r->plain;
    y->scotch += log(scotch);
    y->time += log(r->seconds / r->scotch_seconds);
    y->plain += log(plain);
    if (scotch > y->worst) {
        y->worst = scotch;
        snprintf(y->at, sizeof y->at, "%s", r->target);
    }
    if (plain > y->worst_plain) {
        y->worst_plain = plain;
        snprintf(y->at_plain, sizeof y->at_plain, "%s", r->target);
    }
}

static void print_tally(const char *effort, const char *order, const tally *y)
{
    if (y->count == 0)
        return;
    printf("%-8s %-9s %5d  %6.3f @%-7.2f %6.3f %-20s %6d   %6.3f %7.3f %-20s %6d\n", effort,
           order, y->count, exp(y->scotch / y->count), exp(y->time / y->count), y->worst,
           y->at, y->above, exp(y->plain / y->count), y->worst_plain, y->at_plain, y->worse);
}

static void add_lists(tally *y, const settings *s, const map_ask *ask, const map_results *all,
                      int effort, const char *mesh)
{
    static char name[nlist][40];
    int count = make_lists(name, mesh, ask->quick);
    for (int i = 0; i < count; i++)
        for (int seed = 1; seed <= s->seeds; seed++) {
            map_row q = map_store_question(s, "bump", name[i], effort, seed);
            const map_row *r = map_store_find(all, &q);
            if (r && r->cost > 0 && r->scotch_cost > 0 && r->plain > 0)
                add_row(y, r);
        }
}

void bump_print(const settings *s, const map_ask *ask, const map_results *all)
{
    printf("bump onto lists [0,4,a,b,c]: cost @ time over Scotch; plain: over the best "
           "placement of a\npartition into 5, same effort and seed\n\n");
    printf("%-8s %-9s %5s  %-15s %-27s %6s   %6s %-28s %6s\n", "effort", "mesh", "lists",
           "/Scotch", "worst", "> 1.05", "/plain", "worst", "> 1.00");
    for (int e = 0; e < s->nefforts; e++) {
        const char *effort = effort_names[s->efforts[e]];
        tally both = {0};
        for (int order = 0; order < 2; order++) {
            tally one = {0};
            add_lists(&one, s, ask, all, s->efforts[e], orders[order]);
            add_lists(&both, s, ask, all, s->efforts[e], orders[order]);
            print_tally(effort, orders[order] + 5, &one);
        }
        print_tally(effort, "both", &both);
        if (both.count)
            printf("%-8s land: mean 1.00 %s, never above 1.05 %s, never worse than plain %s; "
                   "goal: mean 0.97 %s\n",
                   "", both.scotch <= 0 ? "met" : "missed", both.above ? "missed" : "met",
                   both.worse ? "missed" : "met",
                   both.scotch <= both.count * log(0.97) ? "met" : "missed");
    }
}
