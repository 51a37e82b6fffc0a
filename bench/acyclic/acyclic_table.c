/* SPDX-License-Identifier: Apache-2.0 */
/* bench/acyclic/acyclic_table.c - geometric means over the DAGs: ours over the recorded
 * results of dagP, time over METIS in the same run.  A cut or volume of 0 counts as 1. */
#include "acyclic/acyclic.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Means ------------------------------------------------------------------------------ */

/* Mean over the seeds of one instance. */
typedef struct instance {
    int seeds, invalid;
    double cut, volume, path, seconds, metis_cut, metis_seconds;
    double best, worst; /* objective over the seeds */
} instance;

static double at_least_one(double value)
{
    return value > 1 ? value : 1;
}

static void add_seed(instance *sum, const row *r, cleave_objective objective)
{
    double value = (double)(objective == CLEAVE_OBJECTIVE_VOLUME ? r->volume : r->cut);
    sum->cut += (double)r->cut;
    sum->volume += (double)r->volume;
    sum->path += (double)r->path;
    sum->seconds += r->seconds;
    sum->metis_cut += (double)r->metis_cut;
    sum->metis_seconds += r->metis_seconds;
    sum->invalid += run_invalid(r);
    sum->best = sum->seeds == 0 || value < sum->best ? value : sum->best;
    sum->worst = value > sum->worst ? value : sum->worst;
    sum->seeds++;
}

/* Returns the number of seeds measured: all that were requested, or 0. */
static int find_instance(const settings *s, const results *all, int graph, int k, int effort,
                         int threads, instance *mean)
{
    int seeds = effort == CLEAVE_EFFORT_BEST ? 1 : s->seeds;
    memset(mean, 0, sizeof *mean);
    for (int seed = 1; seed <= seeds; seed++) {
        row q = store_question(s, dag_set[graph].name, k, effort, threads, seed);
        const row *r = store_find(all, &q);
        if (!r || (r->status && r->path <= 0)) /* there was no mapping */
            return 0;
        add_seed(mean, r, s->objective);
    }
    mean->cut = at_least_one(mean->cut / seeds);
    mean->volume = at_least_one(mean->volume / seeds);
    mean->path /= seeds;
    mean->seconds /= seeds;
    mean->metis_cut = at_least_one(mean->metis_cut / seeds);
    mean->metis_seconds /= seeds;
    return seeds;
}

/* Sums of logarithms. */
typedef struct means {
    double cut, best, volume, path, time, metis;
    int count, timed;
} means;

static void add_instance(means *m, const instance *i, const dag_rival *dagp)
{
    m->cut += log(i->cut / at_least_one(dagp->cut));
    m->best += log(i->cut / at_least_one(dagp->cut_best));
    m->volume += log(i->volume / at_least_one(dagp->volume));
    m->path += log(i->path / at_least_one(dagp->path));
    m->count++;
    if (i->metis_seconds > 0) {
        m->time += log(i->seconds / i->metis_seconds);
        m->metis += log(i->cut / i->metis_cut);
        m->timed++;
    }
}

static double root(double sum, int count)
{
    return count ? exp(sum / count) : NAN;
}

/* A part of the set; -1: no restriction. */
typedef struct slice {
    int graph, k, subset;
} slice;

static int in_slice(slice where, int graph, int k)
{
    return (where.graph < 0 || where.graph == graph) && (where.k < 0 || where.k == k) &&
           (where.subset < 0 || dag_in_subset(dag_set[graph].name, k));
}

static means gather(const settings *s, const results *all, const dag_rivals *r, int effort,
                    int threads, slice where)
{
    means m;
    memset(&m, 0, sizeof m);
    for (int i = 0; i < s->ngraphs; i++)
        for (int j = 0; j < s->nk; j++) {
            int g = s->graphs[i], k = s->k[j];
            const dag_rival *dagp = dag_rivals_find(r, dag_set[g].name, k, "dagp");
            instance now;
            if (dagp && in_slice(where, g, k) &&
                find_instance(s, all, g, k, effort, threads, &now))
                add_instance(&m, &now, dagp);
        }
    return m;
}

/* Another tool over dagP, on the instances that it was measured on. */
static means gather_rival(const settings *s, const dag_rivals *r, const char *tool,
                          slice where)
{
    means m;
    memset(&m, 0, sizeof m);
    for (int i = 0; i < s->ngraphs; i++)
        for (int j = 0; j < s->nk; j++) {
            const char *name = dag_set[s->graphs[i]].name;
            const dag_rival *dagp = dag_rivals_find(r, name, s->k[j], "dagp");
            const dag_rival *now = dag_rivals_find(r, name, s->k[j], tool);
            if (!dagp || !now || !in_slice(where, s->graphs[i], s->k[j]))
                continue;
            m.cut += log(at_least_one(now->cut) / at_least_one(dagp->cut));
            m.best += log(at_least_one(now->cut_best) / at_least_one(dagp->cut_best));
            m.volume += log(at_least_one(now->volume) / at_least_one(dagp->volume));
            m.path += log(now->path / dagp->path);
            m.count++;
            if (now->time_ratio > 0) {
                m.time += log(now->time_ratio);
                m.timed++;
            }
        }
    return m;
}

/* ---- The main table --------------------------------------------------------------------- */

static void print_pair(const means *m)
{
    if (!m->count)
        printf(" %6s  %-6s", "-", "");
    else if (m->timed)
        printf(" %6.3f @%-6.2f", root(m->cut, m->count), root(m->time, m->timed));
    else
        printf(" %6.3f  %-6s", root(m->cut, m->count), "");
}

static void print_heading(const settings *s, int subset)
{
    printf("%-20s %-14s", "cut/dagP @ time/METIS", subset < 0 ? "overall" : "subset");
    for (int j = 0; j < s->nk; j++)
        printf(" k = %-10d", s->k[j]);
    printf(" %8s %8s %8s %8s  instances\n", "volume", "path", "cut/best", "cut/METIS");
}

static void print_tail(const means *m)
{
    printf(" %8.3f %8.3f %8.3f", root(m->volume, m->count), root(m->path, m->count),
           root(m->best, m->count));
    if (m->timed && m->metis != 0)
        printf(" %8.3f", root(m->metis, m->timed));
    else
        printf(" %8s", "-");
    printf("  %d\n", m->count);
}

static void print_table(const settings *s, const results *all, const dag_rivals *r, int subset)
{
    static const char *const tools[] = {"dagp", "mldhgp"};
    print_heading(s, subset);
    for (int e = 0; e < s->nefforts; e++)
        for (int t = 0; t < s->nthreads; t++) {
            means m = gather(s, all, r, s->efforts[e], s->threads[t], (slice){-1, -1, subset});
            if (!m.count)
                continue;
            printf("%-8s %d thread%-4s", effort_names[s->efforts[e]], s->threads[t],
                   s->threads[t] == 1 ? "" : "s");
            print_pair(&m);
            for (int j = 0; j < s->nk; j++) {
                means one = gather(s, all, r, s->efforts[e], s->threads[t],
                                   (slice){-1, s->k[j], subset});
                print_pair(&one);
            }
            print_tail(&m);
        }
    for (int i = 0; i < 2; i++) {
        means m = gather_rival(s, r, tools[i], (slice){-1, -1, subset});
        printf("%-20s", tools[i]);
        print_pair(&m);
        for (int j = 0; j < s->nk; j++) {
            means one = gather_rival(s, r, tools[i], (slice){-1, s->k[j], subset});
            print_pair(&one);
        }
        if (m.count)
            print_tail(&m);
        else
            printf("\n");
    }
}

/* ---- By DAG and by instance ------------------------------------------------------------- */

static void print_graphs(const settings *s, const results *all, const dag_rivals *r)
{
    printf("\nby DAG: cut/dagP @ time/METIS, %d thread%s\n%-12s", s->threads[0],
           s->threads[0] == 1 ? "" : "s", "");
    for (int e = 0; e < s->nefforts; e++)
        printf(" %-14s", effort_names[s->efforts[e]]);
    printf("\n");
    for (int i = 0; i < s->ngraphs; i++) {
        printf("%-12s", dag_set[s->graphs[i]].name);
        for (int e = 0; e < s->nefforts; e++) {
            means m =
                gather(s, all, r, s->efforts[e], s->threads[0], (slice){s->graphs[i], -1, -1});
            print_pair(&m);
        }
        printf("\n");
    }
}

static void print_instances(const settings *s, const results *all, const dag_rivals *r)
{
    printf("\nby instance, %d thread%s\n%-12s %3s %-8s %9s %9s %7s %9s %9s %7s %7s %7s %9s\n",
           s->threads[0], s->threads[0] == 1 ? "" : "s", "DAG", "k", "effort", "cut", "dagP",
           "ratio", "volume", "dagP", "ratio", "path", "time", "seconds");
    for (int i = 0; i < s->ngraphs; i++)
        for (int j = 0; j < s->nk; j++)
            for (int e = 0; e < s->nefforts; e++) {
                const char *name = dag_set[s->graphs[i]].name;
                const dag_rival *dagp = dag_rivals_find(r, name, s->k[j], "dagp");
                instance now;
                if (!dagp || !find_instance(s, all, s->graphs[i], s->k[j], s->efforts[e],
                                            s->threads[0], &now))
                    continue;
                printf(
                    "%-12s %3d %-8s %9.1f %9.1f %7.3f %9.1f %9.1f %7.3f %7.3f %7.2f %9.3f\n",
                    name, s->k[j], effort_names[s->efforts[e]], now.cut, dagp->cut,
                    now.cut / at_least_one(dagp->cut), now.volume, dagp->volume,
                    now.volume / at_least_one(dagp->volume), now.path / dagp->path,
                    now.metis_seconds > 0 ? now.seconds / now.metis_seconds : NAN,
                    now.seconds);
            }
}

/* ---- Worst instances -------------------------------------------------------------------- */

typedef struct ranked {
    int graph, k;
    double value;
} ranked;

static int by_value(const void *a, const void *b)
{
    double x = ((const ranked *)a)->value, y = ((const ranked *)b)->value;
    return (x < y) - (x > y);
}

static void print_ranked(const char *what, ranked *list, int count)
{
    qsort(list, (size_t)count, sizeof *list, by_value);
    printf("  %-5s", what);
    for (int i = 0; i < count && i < 8; i++)
        printf(" %s/%d %.3f", dag_set[list[i].graph].name, list[i].k, list[i].value);
    printf("\n");
}

static void print_worst(const settings *s, const results *all, const dag_rivals *r)
{
    static ranked cut[ndag * max_list], time[ndag * max_list];
    int volume = s->objective == CLEAVE_OBJECTIVE_VOLUME;
    printf("\nworst instances, %d thread%s: %s/dagP and time/METIS\n", s->threads[0],
           s->threads[0] == 1 ? "" : "s", volume ? "volume" : "cut");
    for (int e = 0; e < s->nefforts; e++) {
        int count = 0;
        for (int i = 0; i < s->ngraphs; i++)
            for (int j = 0; j < s->nk; j++) {
                int g = s->graphs[i], k = s->k[j];
                const dag_rival *dagp = dag_rivals_find(r, dag_set[g].name, k, "dagp");
                instance now;
                if (!dagp || !find_instance(s, all, g, k, s->efforts[e], s->threads[0], &now))
                    continue;
                cut[count] = (ranked){g, k,
                                      volume ? now.volume / at_least_one(dagp->volume)
                                             : now.cut / at_least_one(dagp->cut)};
                time[count++] = (ranked){g, k, now.seconds / now.metis_seconds};
            }
        if (!count)
            continue;
        printf("%s\n", effort_names[s->efforts[e]]);
        print_ranked(volume ? "vol." : "cut", cut, count);
        print_ranked("time", time, count);
    }
}

/* ---- Is everything right? --------------------------------------------------------------- */

static int of_run(const settings *s, const row *r)
{
    return strcmp(r->tag, s->tag) == 0 && r->imbalance == s->imbalance &&
           r->objective == (int)s->objective;
}

static void print_invalid(const row *r)
{
    printf("INVALID: %s k=%d %s %d threads seed %d: status %d, imbalance %.4f, %d empty, %s\n",
           r->graph, r->k, r->effort, r->threads, r->seed, r->status, r->reached, r->empty,
           r->acyclic == 0 ? "CYCLIC" : "acyclic");
}

int acyclic_valid(const settings *s, const results *all)
{
    int count = 0, invalid = 0, cyclic = 0, unbalanced = 0, empty = 0, differ = 0;
    for (int i = 0; i < all->count; i++) {
        const row *r = &all->rows[i];
        if (!of_run(s, r))
            continue;
        count++;
        cyclic += r->acyclic == 0;
        unbalanced += !r->balanced;
        empty += r->empty > 0;
        if (run_invalid(r)) {
            invalid++;
            print_invalid(r);
        }
        row q = *r;
        q.threads = s->threads[0];
        const row *one = r->timed_out || r->limit > 0 ? NULL : store_find(all, &q);
        if (one && (one->cut != r->cut || one->volume != r->volume)) {
            differ++;
            printf("DIFFERS with threads: %s k=%d %s seed %d: cut %lld on %d, %lld on %d\n",
                   r->graph, r->k, r->effort, r->seed, one->cut, one->threads, r->cut,
                   r->threads);
        }
    }
    printf("\n%d results checked by cleave_evaluate: %d invalid (%d cyclic, %d unbalanced, %d "
           "with an empty part), %d that differ with the number of threads\n",
           count, invalid, cyclic, unbalanced, empty, differ);
    return invalid + differ;
}

int acyclic_table(const settings *s, const results *all, const dag_rivals *r, int detail)
{
    int best = 0, others = 0;
    for (int e = 0; e < s->nefforts; e++) {
        best |= s->efforts[e] == CLEAVE_EFFORT_BEST;
        others |= s->efforts[e] != CLEAVE_EFFORT_BEST;
    }
    printf(
        "\nlibrary %s; objective %s; geometric means of ours (mean of %d seed%s) over "
        "dagP's\nrecorded means, %g %% imbalance; time over METIS on the undirected graph in "
        "the same run;\ncut/best: over dagP's better seed; cut/METIS: over METIS, which need "
        "not be acyclic\n\n",
        s->tag, s->objective == CLEAVE_OBJECTIVE_VOLUME ? "volume" : "cut", s->seeds,
        s->seeds == 1 ? "" : "s", 100 * s->imbalance);
    if (others)
        print_table(s, all, r, -1);
    if (best) {
        printf("\nthe 20-instance subset, best with %g s\n", s->best_limit);
        print_table(s, all, r, 1);
    }
    if (detail) {
        print_graphs(s, all, r);
        print_instances(s, all, r);
    }
    print_worst(s, all, r);
    return acyclic_valid(s, all);
}

/* ---- Spread ----------------------------------------------------------------------------- */

int acyclic_spread(const settings *s, const results *all)
{
    static ranked list[ndag * max_list];
    for (int e = 0; e < s->nefforts; e++) {
        double sum = 0;
        int count = 0;
        for (int i = 0; i < s->ngraphs; i++)
            for (int j = 0; j < s->nk; j++) {
                instance now;
                if (!find_instance(s, all, s->graphs[i], s->k[j], s->efforts[e], s->threads[0],
                                   &now))
                    continue;
                double ratio = at_least_one(now.worst) / at_least_one(now.best);
                list[count++] = (ranked){s->graphs[i], s->k[j], ratio};
                sum += log(ratio);
            }
        printf(
            "\n%s: geometric mean of worst over best cut of %d seeds: %.3f (%d instances)\n",
            effort_names[s->efforts[e]], s->seeds, root(sum, count), count);
        print_ranked("worst", list, count);
    }
    return acyclic_valid(s, all);
}
