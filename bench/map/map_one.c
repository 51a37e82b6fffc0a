/* SPDX-License-Identifier: Apache-2.0 */
/* bench/map/map_one.c - one to one: 512 ranks with recorded traffic onto 512 PEs.  Compared
 * with rank i on PE i, a random placement improved by pairwise swaps to a local optimum, and
 * Scotch. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "map/map.h"

enum { nonetarget = 2, nstart = 10 };

static const char *const one_targets[nonetarget] = {"mesh:8x8x8", "tree:8:8:8@1:10:100"};
static const char one_graph[] = "wave-comm-512";

static cleave_graph *read_ranks(const settings *s)
{
    char path[600];
    cleave_graph *g;
    cleave_error err;
    cleave_read_options opt;
    cleave_read_options_init(&opt, sizeof opt);
    opt.symmetrise = "sum";
    opt.coords = "";
    snprintf(path, sizeof path, "%s/data/topo/%s.graph", s->shared, one_graph);
    if (cleave_graph_read(&g, path, &opt, &err) != CLEAVE_OK)
        bench_fail(err.message);
    return g;
}

/* ---- Random and swaps ------------------------------------------------------------------- */

typedef struct swapper {
    cleave_csr csr;
    int32_t npe;
    int32_t *distance; /* npe * npe */
    int32_t *pe;       /* of each vertex */
} swapper;

static int64_t gain_of(const swapper *w, int32_t v, int32_t u)
{
    int64_t gain = 0;
    const int32_t *from = w->distance + (size_t)w->pe[v] * (size_t)w->npe;
    const int32_t *to = w->distance + (size_t)w->pe[u] * (size_t)w->npe;
    for (int64_t a = w->csr.xadj[v]; a < w->csr.xadj[v + 1]; a++) {
        int32_t other = w->csr.adj[a], weight = w->csr.ewgt ? w->csr.ewgt[a] : 1;
        if (other != u) /* the distance of two that swap does not change */
            gain += (int64_t)weight * (from[w->pe[other]] - to[w->pe[other]]);
    }
    return gain;
}

static void swap(swapper *w, int32_t v, int32_t u)
{
    int32_t keep = w->pe[v];
    w->pe[v] = w->pe[u];
    w->pe[u] = keep;
}

static void shuffle(swapper *w, uint64_t seed)
{
    uint64_t state = seed;
    for (int32_t v = 0; v < w->csr.nvtx; v++)
        w->pe[v] = v;
    for (int32_t v = w->csr.nvtx - 1; v > 0; v--) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        swap(w, v, (int32_t)((state >> 33) % (uint64_t)(v + 1)));
    }
}

static void swap_pairs(swapper *w)
{
    for (int again = 1; again;) {
        again = 0;
        for (int32_t v = 0; v < w->csr.nvtx; v++)
            for (int32_t u = v + 1; u < w->csr.nvtx; u++)
                if (gain_of(w, v, u) + gain_of(w, u, v) > 0) {
                    swap(w, v, u);
                    again = 1;
                }
    }
}

static swapper make_swapper(const cleave_graph *g, const cleave_target *t)
{
    swapper w = {.npe = cleave_target_pes(t)};
    cleave_csr_init(&w.csr, sizeof w.csr);
    cleave_graph_view(g, &w.csr);
    w.distance = malloc((size_t)w.npe * (size_t)w.npe * sizeof *w.distance);
    w.pe = malloc((size_t)w.npe * sizeof *w.pe);
    if (!w.distance || !w.pe)
        bench_fail("out of memory");
    if (w.csr.nvtx != w.npe)
        bench_fail("as many ranks as PEs are expected");
    for (int32_t p = 0; p < w.npe; p++)
        for (int32_t q = 0; q < w.npe; q++)
            w.distance[(size_t)p * (size_t)w.npe + (size_t)q] =
                cleave_target_distance(t, p, q);
    return w;
}

static map_row swap_question(const settings *s, const char *target, const char *name, int seed)
{
    map_row q = map_store_question(s, one_graph, target, CLEAVE_EFFORT_FAST, seed);
    snprintf(q.effort, sizeof q.effort, "%s", name);
    return q;
}

/* Rows "identity" and "swaps", the latter once for each start. */
static void measure_simple(const settings *s, map_results *all, const cleave_graph *g,
                           const cleave_target *t, const char *target)
{
    swapper w = make_swapper(g, t);
    for (int seed = 0; seed <= nstart; seed++) {
        map_row q = swap_question(s, target, seed ? "swaps" : "identity", seed);
        if (map_store_find(all, &q))
            continue;
        double start = bench_seconds();
        if (seed) {
            shuffle(&w, (uint64_t)seed);
            swap_pairs(&w);
        } else
            for (int32_t v = 0; v < w.npe; v++)
                w.pe[v] = v;
        q.seconds = bench_seconds() - start;
        map_judge(&q, g, t, w.pe);
        map_store_add(all, &q);
    }
    free(w.distance);
    free(w.pe);
}

/* ---- Measuring -------------------------------------------------------------------------- */

void one_measure(const settings *s, map_results *all)
{
    cleave_graph *g = read_ranks(s);
    cleave_error err;
    scotch_files files = scotch_names(s);
    if (cleave_graph_write(g, files.graph, NULL, &err) != CLEAVE_OK)
        bench_fail(err.message);
    for (int i = 0; i < nonetarget; i++) {
        cleave_target *t = map_target_read(one_targets[i]);
        scotch_write_target(&files, one_targets[i]);
        measure_simple(s, all, g, t, one_targets[i]);
        for (int e = 0; e < s->nefforts; e++)
            for (int seed = 1; seed <= s->seeds; seed++) {
                map_case c = {.g = g,
                              .t = t,
                              .files = &files,
                              .effort = (cleave_effort)s->efforts[e],
                              .repeat = s->repeat,
                              .one_to_one = 1};
                map_row q =
                    map_store_question(s, one_graph, one_targets[i], s->efforts[e], seed);
                if (map_store_find(all, &q))
                    continue;
                map_measure(&q, &c);
                map_store_add(all, &q);
                map_print_progress(&q);
            }
        cleave_target_free(t);
    }
    scotch_remove(&files);
    cleave_graph_free(g);
}

/* ---- The table -------------------------------------------------------------------------- */

typedef struct spread {
    double mean, least, most, seconds;
    int count;
} spread;

static void add_row(spread *p, const map_row *r)
{
    double cost = (double)r->cost;
    if (!r->cost || cost < 0)
        return;
    p->least = p->count && p->least < cost ? p->least : cost;
    p->most = p->most > cost ? p->most : cost;
    p->mean = (p->mean * p->count + cost) / (p->count + 1);
    p->seconds = (p->seconds * p->count + r->seconds) / (p->count + 1);
    p->count++;
}

static void print_spread(const char *name, const spread *p, double scotch)
{
    if (p->count)
        printf("  %-22s %10.0f %7.3f %10.0f .. %-10.0f %9.4f\n", name, p->mean,
               p->mean / scotch, p->least, p->most, p->seconds);
}

/* Rows of a method and of Scotch, and whether ours is better than all others. */
static spread collect(const settings *s, const map_results *all, const char *target,
                      const char *name, int first, int last, spread *scotch)
{
    spread p = {0, 0, 0, 0, 0};
    for (int seed = first; seed <= last; seed++) {
        map_row q = swap_question(s, target, name, seed);
        q.limit = strcmp(name, "best") == 0 ? s->best_limit : 0;
        const map_row *r = map_store_find(all, &q);
        if (!r)
            continue;
        add_row(&p, r);
        map_row theirs = *r;
        theirs.cost = r->scotch_cost;
        theirs.seconds = r->scotch_seconds;
        add_row(scotch, &theirs);
    }
    return p;
}

void one_print(const settings *s, const map_results *all)
{
    for (int i = 0; i < nonetarget; i++) {
        spread scotch = {0, 0, 0, 0, 0}, ours[neffort];
        spread same = collect(s, all, one_targets[i], "identity", 0, 0, &scotch);
        spread swaps = collect(s, all, one_targets[i], "swaps", 1, nstart, &scotch);
        for (int e = 0; e < s->nefforts; e++)
            ours[e] = collect(s, all, one_targets[i], effort_names[s->efforts[e]], 1, s->seeds,
                              &scotch);
        if (!scotch.count)
            continue;
        printf("\n%s onto %s\n  %-22s %10s %7s %10s .. %-10s %9s\n", one_graph, one_targets[i],
               "", "cost", "/Scotch", "least", "most", "seconds");
        print_spread("identity", &same, scotch.mean);
        print_spread("random and swaps", &swaps, scotch.mean);
        print_spread("scotch", &scotch, scotch.mean);
        for (int e = 0; e < s->nefforts; e++) {
            print_spread(effort_names[s->efforts[e]], &ours[e], scotch.mean);
            if (ours[e].count)
                printf("  %-22s worst of ours below the best of identity, swaps, Scotch: %s\n",
                       "",
                       ours[e].most < same.least && ours[e].most < swaps.least &&
                               ours[e].most < scotch.least
                           ? "yes"
                           : "NO");
        }
    }
}
