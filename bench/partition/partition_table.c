/* SPDX-License-Identifier: Apache-2.0 */
/* bench/partition/partition_table.c - geometric means over the set: ours relative to METIS as
 * measured in the same run, other programs relative to gpmetis as recorded, on the same
 * instances. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "partition/partition.h"

/* ---- Means ------------------------------------------------------------------------------ */

static void add_row(row *sum, const row *r)
{
    sum->cut += r->cut;
    sum->volume += r->volume;
    sum->seconds += r->seconds;
    sum->coarsen += r->coarsen;
    sum->initial += r->initial;
    sum->refine += r->refine;
    sum->metis_cut += r->metis_cut;
    sum->metis_volume += r->metis_volume;
    sum->metis_seconds += r->metis_seconds;
    sum->balanced += r->balanced && !r->empty && r->status == 0;
    sum->metis_balanced += r->metis_balanced && !r->metis_empty;
}

/* Cuts and times are sums over the seeds (their ratios are those of the means). */
int table_instance(const settings *s, const results *all, int graph, int k, int effort,
                   int threads, row *sum)
{
    int seeds = effort == CLEAVE_EFFORT_BEST ? 1 : s->seeds;
    *sum = store_question(s, graph_set[graph].name, k, effort, threads, 0);
    for (int seed = 1; seed <= seeds; seed++) {
        row q = store_question(s, graph_set[graph].name, k, effort, threads, seed);
        const row *r = store_find(all, &q);
        if (!r)
            return 0;
        add_row(sum, r);
    }
    return seeds;
}

static double value_of(const settings *s, const row *r)
{
    long long value = s->objective == CLEAVE_OBJECTIVE_VOLUME ? r->volume : r->cut;
    return value > 0 ? (double)value : 0.5;
}

static double metis_value(const settings *s, const row *r)
{
    long long value = s->objective == CLEAVE_OBJECTIVE_VOLUME ? r->metis_volume : r->metis_cut;
    return value > 0 ? (double)value : 0.5;
}

static int in_slice(const settings *s, slice where, int graph, int k)
{
    int of_run = 0;
    for (int i = 0; i < s->ngraphs; i++)
        of_run |= s->graphs[i] == graph;
    return of_run && (where.family < 0 || (int)graph_set[graph].family == where.family) &&
           (where.k < 0 || where.k == k) &&
           (where.subset < 0 || set_in_subset(graph_set[graph].name, k));
}

typedef struct mean {
    double cut, time; /* sums of logarithms */
    int count;
} mean;

static void add_ratio(mean *m, double cut, double time)
{
    m->cut += log(cut);
    m->time += log(time);
    m->count++;
}

static ratios finish(mean m)
{
    ratios r = {0, 0, m.count};
    if (m.count > 0) {
        r.cut = exp(m.cut / m.count);
        r.time = exp(m.time / m.count);
    }
    return r;
}

ratios table_ours(const settings *s, const results *all, int effort, int threads, slice where)
{
    mean m = {0, 0, 0};
    row r;
    for (int g = 0; g < graph_count; g++)
        for (int i = 0; i < s->nk; i++)
            if (in_slice(s, where, g, s->k[i]) &&
                table_instance(s, all, g, s->k[i], effort, threads, &r))
                add_ratio(&m, value_of(s, &r) / metis_value(s, &r),
                          r.seconds / r.metis_seconds);
    return finish(m);
}

ratios table_rival(const settings *s, const rivals *r, const char *tool, slice where)
{
    mean m = {0, 0, 0};
    for (int g = 0; g < graph_count; g++)
        for (int i = 0; i < s->nk; i++) {
            const char *name = graph_set[g].name;
            if (!in_slice(s, where, g, s->k[i]))
                continue;
            const rival_line *a = rivals_find(r, name, s->k[i], tool);
            const rival_line *b = rivals_find(r, name, s->k[i], "metis");
            if (a && b && a->time_ratio > 0)
                add_ratio(&m, (a->cut > 0 ? a->cut : 0.5) / (b->cut > 0 ? b->cut : 0.5),
                          a->time_ratio);
        }
    return finish(m);
}

/* Ours over the recorded results of gpmetis: METIS occasionally returns ten times its usual
 * cut, and ratios to such a run would be too good. */
static double over_recorded(const settings *s, const results *all, const rivals *r, int effort,
                            int threads, int subset)
{
    mean m = {0, 0, 0};
    slice where = {-1, -1, subset};
    row now;
    for (int g = 0; g < graph_count; g++)
        for (int i = 0; i < s->nk; i++) {
            const rival_line *line = rivals_find(r, graph_set[g].name, s->k[i], "metis");
            int seeds = in_slice(s, where, g, s->k[i]) && line && line->cut > 0
                            ? table_instance(s, all, g, s->k[i], effort, threads, &now)
                            : 0;
            if (seeds)
                add_ratio(&m, value_of(s, &now) / seeds / line->cut, 1);
        }
    return finish(m).cut;
}

/* ---- The main table --------------------------------------------------------------------- */

enum { max_columns = 1 + nfamily + max_list };

static void print_cell(ratios r)
{
    if (r.count)
        printf(" %6.3f @%-7.2f", r.cut, r.time);
    else
        printf(" %6s  %-7s", "-", "");
}

/* Columns: everything, each family, each k. */
static int make_columns(const settings *s, slice *column, char names[][24], int subset)
{
    int count = 0;
    column[count] = (slice){-1, -1, subset};
    snprintf(names[count++], 24, "%s", subset < 0 ? "overall" : "subset");
    for (int f = 0; f < nfamily; f++) {
        column[count] = (slice){f, -1, subset};
        snprintf(names[count++], 24, "%s", family_names[f]);
    }
    for (int i = 0; i < s->nk; i++) {
        column[count] = (slice){-1, s->k[i], subset};
        snprintf(names[count++], 24, "k = %d", s->k[i]);
    }
    return count;
}

static void print_table(const settings *s, const results *all, const rivals *r, int subset)
{
    slice column[max_columns];
    char names[max_columns][24];
    int columns = make_columns(s, column, names, subset);
    printf("%-22s", "cut @ time");
    for (int c = 0; c < columns; c++)
        printf(" %-15s", names[c]);
    printf(" cut/recorded\n");
    for (int e = 0; e < s->nefforts; e++)
        for (int t = 0; t < s->nthreads; t++) {
            if (subset < 0 && s->efforts[e] == CLEAVE_EFFORT_BEST)
                continue; /* measured on the subset only */
            char name[40];
            snprintf(name, sizeof name, "%s, %d thread%s", effort_names[s->efforts[e]],
                     s->threads[t], s->threads[t] == 1 ? "" : "s");
            printf("%-22s", name);
            for (int c = 0; c < columns; c++)
                print_cell(table_ours(s, all, s->efforts[e], s->threads[t], column[c]));
            printf(" %6.3f\n", over_recorded(s, all, r, s->efforts[e], s->threads[t], subset));
        }
    for (int i = 0; i < r->ntools; i++) {
        if (strcmp(r->tool[i], "metis") == 0)
            continue;
        printf("%-22s", r->tool[i]);
        for (int c = 0; c < columns; c++)
            print_cell(table_rival(s, r, r->tool[i], column[c]));
        printf("\n");
    }
}

/* ---- Phases ----------------------------------------------------------------------------- */

typedef struct phases {
    double seconds, coarsen, initial, refine; /* sums */
    double share[4];                          /* means over instances: coarsen ... other */
    int count;
} phases;

static phases sum_phases(const settings *s, const results *all, int effort, int threads)
{
    phases p;
    row r;
    memset(&p, 0, sizeof p);
    for (int g = 0; g < graph_count; g++)
        for (int i = 0; i < s->nk; i++) {
            int seeds = table_instance(s, all, g, s->k[i], effort, threads, &r);
            if (!seeds)
                continue;
            double part[4] = {r.coarsen, r.initial, r.refine,
                              r.seconds - r.coarsen - r.initial - r.refine};
            for (int j = 0; j < 4; j++)
                p.share[j] += 100 * part[j] / r.seconds;
            p.seconds += r.seconds / seeds;
            p.coarsen += r.coarsen / seeds;
            p.initial += r.initial / seeds;
            p.refine += r.refine / seeds;
            p.count++;
        }
    for (int j = 0; j < 4 && p.count; j++)
        p.share[j] /= p.count;
    return p;
}

static void print_phases(const settings *s, const results *all)
{
    printf("\nphases: seconds summed over the instances; mean share of an instance's time\n");
    printf("%-22s %9s %9s %9s %9s %9s   %s\n", "", "all", "coarsen", "initial", "refine",
           "other", "coarsen initial refine  other");
    for (int e = 0; e < s->nefforts; e++)
        for (int t = 0; t < s->nthreads; t++) {
            phases p = sum_phases(s, all, s->efforts[e], s->threads[t]);
            if (p.count)
                printf("%-8s %d thread%-5s %9.3f %9.3f %9.3f %9.3f %9.3f   %5.0f %% %5.0f %%"
                       " %5.0f %% %4.0f %%\n",
                       effort_names[s->efforts[e]], s->threads[t],
                       s->threads[t] == 1 ? "" : "s", p.seconds, p.coarsen, p.initial,
                       p.refine, p.seconds - p.coarsen - p.initial - p.refine, p.share[0],
                       p.share[1], p.share[2], p.share[3]);
        }
}

/* ---- Worst instances -------------------------------------------------------------------- */

typedef struct ranked {
    int graph, k;
    double cut, time;
} ranked;

static int by_cut(const void *a, const void *b)
{
    double x = ((const ranked *)a)->cut, y = ((const ranked *)b)->cut;
    return (x < y) - (x > y);
}

static int by_time(const void *a, const void *b)
{
    double x = ((const ranked *)a)->time, y = ((const ranked *)b)->time;
    return (x < y) - (x > y);
}

static void print_ranked(const char *what, const ranked *list, int count)
{
    printf("  %s:", what);
    for (int i = 0; i < count && i < 8; i++)
        printf(" %s/%d %.3f@%.1f", graph_set[list[i].graph].name, list[i].k, list[i].cut,
               list[i].time);
    printf("\n");
}

static void print_worst(const settings *s, const results *all)
{
    static ranked list[4096];
    printf("\nworst instances, %d thread%s (cut@time over METIS)\n", s->threads[0],
           s->threads[0] == 1 ? "" : "s");
    for (int e = 0; e < s->nefforts; e++) {
        int count = 0;
        row r;
        for (int g = 0; g < graph_count; g++)
            for (int i = 0; i < s->nk && count < 4096; i++)
                if (table_instance(s, all, g, s->k[i], s->efforts[e], s->threads[0], &r))
                    list[count++] = (ranked){g, s->k[i], value_of(s, &r) / metis_value(s, &r),
                                             r.seconds / r.metis_seconds};
        if (!count)
            continue;
        printf("%s\n", effort_names[s->efforts[e]]);
        qsort(list, (size_t)count, sizeof *list, by_cut);
        print_ranked("cut ", list, count);
        qsort(list, (size_t)count, sizeof *list, by_time);
        print_ranked("time", list, count);
    }
}

/* ---- Is everything right? --------------------------------------------------------------- */

static void check_rows(const settings *s, const results *all)
{
    int ours = 0, metis = 0, invalid = 0, broken = 0, differ = 0;
    for (int i = 0; i < all->count; i++) {
        const row *r = &all->rows[i];
        if (strcmp(r->tag, s->tag) != 0 || r->imbalance != s->imbalance ||
            r->objective != (int)s->objective)
            continue;
        ours++;
        if (r->status || !r->balanced || r->empty) {
            invalid++;
            printf("INVALID: %s k=%d %s %d threads seed %d: status %d, imbalance %.4f, %d "
                   "empty\n",
                   r->graph, r->k, r->effort, r->threads, r->seed, r->status, r->reached,
                   r->empty);
        }
        if (r->threads == s->threads[0] &&
            strcmp(r->effort, effort_names[s->efforts[0]]) == 0) {
            metis++;
            broken += !r->metis_balanced || r->metis_empty;
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
    printf(
        "\n%d results of ours checked by cleave_evaluate, %d invalid, %d that differ with the "
        "number of threads;\nMETIS beyond our bound or with an empty part: %d of %d\n",
        ours, invalid, differ, broken, metis);
}

/* The graphs are the recorded ones if METIS has the same cuts on them. */
static void check_anchors(const settings *s, const results *all, const rivals *r)
{
    row now;
    for (int g = 0; g < graph_count; g++)
        for (int i = 0; i < s->nk; i++) {
            const rival_line *line = rivals_find(r, graph_set[g].name, s->k[i], "metis");
            int seeds = 0;
            for (int e = 0; e < s->nefforts && !seeds; e++)
                seeds = table_instance(s, all, g, s->k[i], s->efforts[e], s->threads[0], &now);
            if (!seeds || !line || line->cut <= 0)
                continue;
            double ratio = (double)now.metis_cut / seeds / line->cut;
            if (ratio > 1.15 || ratio < 1 / 1.15)
                printf("note: METIS cuts %s k=%d at %.1f here, %.1f as recorded\n",
                       graph_set[g].name, s->k[i], (double)now.metis_cut / seeds, line->cut);
        }
}

void table_print(const settings *s, const results *all, const rivals *r)
{
    int best = 0;
    for (int e = 0; e < s->nefforts; e++)
        best |= s->efforts[e] == CLEAVE_EFFORT_BEST;
    printf("\nlibrary %s; geometric means over METIS (one thread, same run), %g %% imbalance, "
           "%d seed%s;\nbelow ours the recorded rivals over the recorded gpmetis; "
           "cut/recorded: ours over that too\n\n",
           s->tag, 100 * s->imbalance, s->seeds, s->seeds == 1 ? "" : "s");
    print_table(s, all, r, -1);
    if (best) {
        printf("\nthe 20-instance subset, best with %g s\n", s->best_limit);
        print_table(s, all, r, 1);
    }
    print_phases(s, all);
    print_worst(s, all);
    check_rows(s, all);
    check_anchors(s, all, r);
}
