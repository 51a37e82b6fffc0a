/* SPDX-License-Identifier: Apache-2.0 */
/* bench/adaptive/adaptive_remap_table.c - tables by event and migration cost: cut relative to
 * mapping from scratch, migration relative to its lower bound, time relative to mapping from
 * scratch; and whether `auto` is ever worse than a strategy. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "adaptive/adaptive_remap.h"

typedef struct remap_mean {
    double cut, moved, time; /* sums of logarithms, then means */
    double worst_cut, worst_moved;
    int count;
} remap_mean;

static const adaptive_row *find(const settings *s, const adaptive_results *all,
                                const char *graph, const remap_event *e, const char *strategy,
                                double price, int seed)
{
    adaptive_row q = remap_question(s, graph, e, strategy, price, seed);
    const adaptive_row *r = adaptive_look(all, &q);
    return r && r->cut >= 0 ? r : NULL;
}

static void add(remap_mean *m, const adaptive_row *r, const adaptive_row *fresh)
{
    double cut = (double)r->cut / (double)fresh->cut;
    double moved =
        (double)(r->migration + 1) / (double)(r->bound + 1); /* the bound may be 0 */
    m->cut += log(cut);
    m->moved += log(moved);
    m->time += log(r->seconds / fresh->seconds);
    m->worst_cut = cut > m->worst_cut ? cut : m->worst_cut;
    m->worst_moved = moved > m->worst_moved ? moved : m->worst_moved;
    m->count++;
}

/* event -1: all of them. */
static remap_mean mean_of(const settings *s, const adaptive_results *all, int event,
                          int strategy, int price)
{
    remap_mean m = {0, 0, 0, 0, 0, 0};
    for (int i = 0; i < s->ngraphs; i++)
        for (int e = 0; e < nremap_event; e++)
            for (int seed = 1; seed <= s->seeds; seed++) {
                const char *name = adaptive_set[s->graphs[i]].name;
                if (event >= 0 && e != event)
                    continue;
                const adaptive_row *r =
                    find(s, all, name, &remap_events[e], remap_strategies[strategy],
                         remap_prices[price], seed);
                const adaptive_row *fresh =
                    find(s, all, name, &remap_events[e], "fresh", 0, seed);
                if (r && fresh && fresh->cut > 0)
                    add(&m, r, fresh);
            }
    if (m.count) {
        m.cut = exp(m.cut / m.count);
        m.moved = exp(m.moved / m.count);
        m.time = exp(m.time / m.count);
    }
    return m;
}

static double cost_of(const adaptive_row *r)
{
    return (double)r->cut + r->price * (double)r->migration;
}

/* The number of cases in which auto costs more than a single strategy; *cases: all cases. */
static int count_worse(const settings *s, const adaptive_results *all, int *cases)
{
    int worse = 0;
    *cases = 0;
    for (int i = 0; i < all->count; i++) {
        const adaptive_row *r = &all->rows[i];
        const char *colon = strchr(r->method, ':');
        if (strcmp(r->tag, s->tag) != 0 || !colon || strcmp(colon, ":auto") != 0 || r->cut < 0)
            continue;
        (*cases)++;
        for (int k = 0; k < nremap_strategy - 1; k++) {
            adaptive_row q = *r;
            snprintf(q.method, sizeof q.method, "%.*s:%s", (int)(colon - r->method), r->method,
                     remap_strategies[k]);
            const adaptive_row *other = adaptive_look(all, &q);
            if (!other || adaptive_invalid(other) || cost_of(other) >= cost_of(r))
                continue;
            printf("WORSE: %s %d PEs %s price %g seed %d: auto %.0f, %s %.0f\n", r->graph,
                   r->k, r->method, r->price, r->seed, cost_of(r), remap_strategies[k],
                   cost_of(other));
            worse++;
            break;
        }
    }
    return worse;
}

static const char *const event_titles[nremap_event + 1] = {
    "all events",        "20 -> 18 PEs",     "30 -> 27 PEs",
    "20 -> 18, by name", "speeds / up to 4", "speeds x or / up to 4"};

static void print_event(const settings *s, const adaptive_results *all, int event)
{
    printf("\n%-24s", event_titles[event + 1]);
    for (int k = 0; k < nremap_strategy; k++)
        printf(" %-26s", remap_strategies[k]);
    printf("\n");
    for (int p = 0; p < nremap_price; p++) {
        printf("  price %-16g", remap_prices[p]);
        for (int k = 0; k < nremap_strategy; k++) {
            remap_mean m = mean_of(s, all, event, k, p);
            if (m.count)
                printf(" %6.3f %7.3f @%-10.2f", m.cut, m.moved, m.time);
            else
                printf(" %-26s", "-");
        }
        printf("\n");
    }
}

static void print_verdict(double mean, double worst, double bar)
{
    printf(" %.3f %.3f %-12s", mean, worst,
           worst <= bar  ? "met"
           : mean <= bar ? "mean met"
                         : "MISSED");
}

/* By event, and the means of all. */
static void print_bars(const settings *s, const adaptive_results *all)
{
    int last = nremap_strategy - 1;
    printf("\nauto%20s price 0: cut%17s price 1000: migration%3s cut\n", "", "", "");
    printf("%-24s %-24s %-24s %s\n", "", "mean, worst: bar 1.05", "mean, worst: bar 1.25",
           "mean, worst: bar 1.25");
    for (int e = -1; e < nremap_event; e++) {
        remap_mean cheap = mean_of(s, all, e, last, 0);
        remap_mean dear = mean_of(s, all, e, last, nremap_price - 1);
        if (!cheap.count || !dear.count)
            continue;
        printf("%-24s", event_titles[e + 1]);
        print_verdict(cheap.cut, cheap.worst_cut, 1.05);
        print_verdict(dear.moved, dear.worst_moved, 1.25);
        print_verdict(dear.cut, dear.worst_cut, 1.25);
        printf("\n");
    }
}

void remap_print(const settings *s, const adaptive_results *all)
{
    int cases;
    printf("geometric means: cut / from scratch, migration / lower bound @ time / from "
           "scratch\n");
    for (int e = -1; e < nremap_event; e++)
        print_event(s, all, e);
    print_bars(s, all);
    int worse = count_worse(s, all, &cases);
    printf("auto is worse than a strategy alone in %d of %d cases: %s\n", worse, cases,
           worse ? "MISSED" : "met");
}
