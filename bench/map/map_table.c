/* SPDX-License-Identifier: Apache-2.0 */
/* bench/map/map_table.c - geometric means by group of targets and by target: costs over the
 * recorded results of Scotch, times over Scotch as measured in the same run; other tools as
 * recorded, both over the recorded Scotch, on the same instances.  Targets of --beyond have no
 * recorded results: there, costs are over Scotch in the same run. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "map/map.h"

enum { max_columns = ngroup + nmaptarget };

/* A part of the set; -1: no restriction. */
typedef struct slice {
    int group, target;
    int subset; /* 1: only the instances of `best` */
} slice;

typedef struct ratios {
    double cost, live,
        time; /* sums of logarithms, then means; live: over Scotch in the same run */
    int count;
} ratios;

typedef struct tabled {
    const settings *s;
    const map_ask *ask;
    const map_results *all;
    const map_rivals *rivals;
} tabled;

/* ---- Means ------------------------------------------------------------------------------ */

static int in_slice(const tabled *t, slice where, int graph, int target)
{
    if ((where.group >= 0 && map_targets[target].group != where.group) ||
        (where.target >= 0 && where.target != target))
        return 0;
    return !where.subset || t->ask->graphs_named ||
           map_in_subset(map_graphs[graph], map_targets[target].spec);
}

static void add_ratio(ratios *m, double cost, double live, double time)
{
    m->cost += log(cost);
    m->live += log(live);
    m->time += log(time);
    m->count++;
}

static ratios finish(ratios m)
{
    if (m.count > 0) {
        m.cost = exp(m.cost / m.count);
        m.live = exp(m.live / m.count);
        m.time = exp(m.time / m.count);
    }
    return m;
}

/* Sums over the seeds (their ratios are those of the means); 0: not all measured, or one has
 * no mapping. */
static int sum_seeds(const tabled *t, int graph, int target, int effort, map_row *sum)
{
    int seeds = effort == CLEAVE_EFFORT_BEST ? 1 : t->s->seeds;
    memset(sum, 0, sizeof *sum);
    for (int seed = 1; seed <= seeds; seed++) {
        map_row q = map_store_question(t->s, map_graphs[graph], map_targets[target].spec,
                                       effort, seed);
        const map_row *r = map_store_find(t->all, &q);
        if (!r || r->cost <= 0 || r->scotch_cost <= 0)
            return 0;
        sum->cost += r->cost;
        sum->seconds += r->seconds;
        sum->scotch_cost += r->scotch_cost;
        sum->scotch_seconds += r->scotch_seconds;
    }
    return seeds;
}

static void add_ours(ratios *m, const tabled *t, int graph, int target, int effort)
{
    map_row sum;
    int seeds = sum_seeds(t, graph, target, effort, &sum);
    const map_rival *scotch =
        map_rivals_find(t->rivals, map_graphs[graph], map_targets[target].spec, "scotch");
    double live = seeds ? (double)sum.cost / (double)sum.scotch_cost : 0;
    if (seeds && (scotch || t->ask->beyond))
        add_ratio(m, scotch ? (double)sum.cost / seeds / scotch->cost : live, live,
                  sum.seconds / sum.scotch_seconds);
}

static void add_rival(ratios *m, const tabled *t, int graph, int target, const char *tool)
{
    const char *name = map_graphs[graph], *spec = map_targets[target].spec;
    const map_rival *a = map_rivals_find(t->rivals, name, spec, tool);
    const map_rival *b = map_rivals_find(t->rivals, name, spec, "scotch");
    if (a && b)
        add_ratio(m, a->cost / b->cost, 1, a->seconds / b->seconds);
}

/* Scotch in the same run over Scotch as recorded: cost, not time, which depends on the
 * machine. */
static void add_live(ratios *m, const tabled *t, int graph, int target)
{
    map_row sum;
    int seeds = 0;
    for (int e = 0; e < t->s->nefforts && !seeds; e++)
        seeds = sum_seeds(t, graph, target, t->s->efforts[e], &sum);
    const map_rival *b =
        map_rivals_find(t->rivals, map_graphs[graph], map_targets[target].spec, "scotch");
    if (seeds && b)
        add_ratio(m, (double)sum.scotch_cost / seeds / b->cost, 1, 1);
}

/* tool NULL: ours at that effort; effort -1: Scotch in the same run. */
static ratios mean_of(const tabled *t, slice where, int effort, const char *tool)
{
    ratios m = {0, 0, 0, 0};
    for (int i = 0; i < t->s->ngraphs; i++)
        for (int j = 0; j < t->ask->ntargets; j++) {
            int graph = t->s->graphs[i], target = t->ask->targets[j];
            if (!in_slice(t, where, graph, target))
                continue;
            if (tool)
                add_rival(&m, t, graph, target, tool);
            else if (effort < 0)
                add_live(&m, t, graph, target);
            else
                add_ours(&m, t, graph, target, effort);
        }
    return finish(m);
}

/* ---- The table -------------------------------------------------------------------------- */

static int make_columns(const tabled *t, slice *column, const char **name, int subset)
{
    int count = 0;
    for (int g = 0; g < ngroup; g++) {
        column[count] = (slice){g, -1, subset};
        name[count++] = g == 0 ? "trees" : "others";
    }
    for (int j = 0; j < t->ask->ntargets; j++) {
        column[count] = (slice){-1, t->ask->targets[j], subset};
        name[count++] = map_targets[t->ask->targets[j]].spec;
    }
    return count;
}

static void print_line(const tabled *t, const slice *column, int columns, const char *name,
                       int effort, const char *tool)
{
    printf("%-20s", name);
    for (int c = 0; c < columns; c++) {
        ratios m = mean_of(t, column[c], effort, tool);
        if (m.count)
            printf(" %6.3f @%-12.2f", m.cost, m.time);
        else
            printf(" %6s  %-12s", "-", "");
    }
    for (int c = 0; c < ngroup && !tool && effort >= 0; c++) {
        ratios m = mean_of(t, column[c], effort, NULL);
        if (m.count)
            printf(" %6.3f", m.live);
        else
            printf(" %6s", "-");
    }
    printf("\n");
}

static void print_table(const tabled *t, int subset)
{
    slice column[max_columns];
    const char *name[max_columns];
    int columns = make_columns(t, column, name, subset);
    printf("%-20s", "cost @ time");
    for (int c = 0; c < columns; c++)
        printf(" %-20s", name[c]);
    printf(" cost/live: trees, others\n");
    for (int e = 0; e < t->s->nefforts; e++) {
        int effort = t->s->efforts[e];
        if (effort != CLEAVE_EFFORT_BEST || subset)
            print_line(t, column, columns, effort_names[effort], effort, NULL);
    }
    print_line(t, column, columns, "scotch beside us", -1, NULL);
    for (int i = 0; i < t->rivals->ntools; i++)
        print_line(t, column, columns, t->rivals->tool[i], -1, t->rivals->tool[i]);
}

/* ---- What is aimed at ------------------------------------------------------------------- */

/* 0: nothing is printed. */
static const struct aim {
    int group, beyond;
    cleave_effort effort;
    double land_cost, land_time, goal_cost, goal_time;
} aims[] = {{0, 0, CLEAVE_EFFORT_DEFAULT, 0.94, 5, 0.90, 3},
            {0, 0, CLEAVE_EFFORT_QUALITY, 0.88, 40, 0.85, 25},
            {0, 0, CLEAVE_EFFORT_BEST, 0, 0, 0.83, 0},
            {1, 0, CLEAVE_EFFORT_DEFAULT, 0.96, 0, 0.93, 0},
            {1, 0, CLEAVE_EFFORT_QUALITY, 0.92, 0, 0.88, 0},
            {-1, 1, CLEAVE_EFFORT_DEFAULT, 0.94, 5, 0.91, 5},
            {-1, 1, CLEAVE_EFFORT_QUALITY, 0, 0, 0, 0}};

static void print_aim(ratios m, double cost, double time)
{
    char text[40] = "";
    if (cost > 0) {
        int met = m.cost <= cost && (time <= 0 || m.time <= time);
        int used = snprintf(text, sizeof text, "%.2f", cost);
        if (time > 0)
            used += snprintf(text + used, sizeof text - (size_t)used, " @%g", time);
        snprintf(text + used, sizeof text - (size_t)used, met ? " met" : " missed");
    }
    printf(" %-18s", text);
}

static void print_aims(const tabled *t)
{
    printf("\n%-24s %-8s %-16s %-18s %-18s %s\n", "", "effort", "reached", "land", "goal",
           "instances");
    for (size_t i = 0; i < sizeof aims / sizeof *aims; i++) {
        const struct aim *a = &aims[i];
        slice where = {a->group, -1, a->effort == CLEAVE_EFFORT_BEST};
        ratios m = mean_of(t, where, (int)a->effort, NULL);
        if (!m.count || a->beyond != t->ask->beyond)
            continue;
        printf("%-24s %-8s %6.3f @%-8.2f", a->group < 0 ? "all" : group_names[a->group],
               effort_names[a->effort], m.cost, m.time);
        print_aim(m, a->land_cost, a->land_time);
        print_aim(m, a->goal_cost, a->goal_time);
        printf(" %d\n", m.count);
    }
}

/* ---- Worst instances -------------------------------------------------------------------- */

static void print_worst(const tabled *t, int effort)
{
    enum { nworst = 6 };
    double floor_of = INFINITY;
    printf("%-8s", effort_names[effort]);
    for (int k = 0; k < nworst; k++) {
        double worst = 0;
        int graph = -1, target = -1;
        for (int i = 0; i < t->s->ngraphs; i++)
            for (int j = 0; j < t->ask->ntargets; j++) {
                ratios m = {0, 0, 0, 0};
                add_ours(&m, t, t->s->graphs[i], t->ask->targets[j], effort);
                m = finish(m);
                if (m.count && m.cost > worst && m.cost < floor_of) {
                    worst = m.cost;
                    graph = t->s->graphs[i];
                    target = t->ask->targets[j];
                }
            }
        if (graph < 0)
            break;
        printf("  %s/%s %.3f", map_graphs[graph], map_targets[target].spec, worst);
        floor_of = worst;
    }
    printf("\n");
}

void map_table(const settings *s, const map_ask *ask, const map_results *all,
               const map_rivals *r)
{
    tabled t = {s, ask, all, r};
    int best = 0;
    for (int e = 0; e < s->nefforts; e++)
        best |= s->efforts[e] == CLEAVE_EFFORT_BEST;
    if (ask->beyond)
        printf(
            "Nothing is recorded for these targets: all costs are over Scotch beside us.\n");
    printf("geometric means; cost over the recorded Scotch, time over Scotch beside us; below "
           "ours the\nrecorded rivals over the recorded Scotch, in both; cost/live: ours over "
           "Scotch beside us\n\n");
    print_table(&t, 0);
    if (best) {
        printf("\nthe instances of best, with %g s\n", s->best_limit);
        print_table(&t, 1);
    }
    print_aims(&t);
    printf("\nworst instances by cost over %s\n",
           ask->beyond ? "Scotch beside us" : "the recorded Scotch");
    for (int e = 0; e < s->nefforts; e++)
        print_worst(&t, s->efforts[e]);
}
