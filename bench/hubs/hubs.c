/* SPDX-License-Identifier: Apache-2.0 */
/* bench/hubs/hubs.c - graphs with high-degree vertices, undirected and as DAGs, compared with
 * METIS on the undirected graph in this process.
 *
 *   bench_hubs FOLDER [--graphs star,hubs] [--forms undirected,by-number,by-order]
 *       [--edges 50,500] [--k 2,8,64] [--efforts fast,default] [--seeds 2] [--repeat 1]
 *       [--quick] [--imbalance 0.03] [--threads 1]
 *
 * --edges are thousands.  A line is a graph, a k and an effort: cuts and processor times are
 * means over the seeds; for even seeds the vertices are renumbered randomly.  Then follow
 * geometric means of the ratios by family, and the growth of time from the first to the last
 * size.  If METIS fails ("Failed during initial partitioning": large hub-sides with k = 2),
 * the line reports that and is excluded from the means. */
#include "hubs/hubs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char bench_name[] = "bench_hubs";

enum { most_sizes = 8 };

typedef struct plan {
    settings s;
    int wanted[nhub_family], form[nhub_form];
    int edges[max_list], nedges; /* thousands */
} plan;

/* Sums of logarithms of ours over METIS's, and of seconds by size. */
typedef struct ratios {
    double cut, time, worst_cut, worst_time;
    double seconds[most_sizes], metis_seconds[most_sizes];
    int count, invalid;
} ratios;

static ratios found[nhub_form][nhub_family][neffort];

/* ---- Measuring -------------------------------------------------------------------------- */

static row ask(const plan *p, int family, int k, int effort, int seed)
{
    row q = {.k = k,
             .seed = seed,
             .threads = p->s.threads[0],
             .imbalance = p->s.imbalance,
             .objective = CLEAVE_OBJECTIVE_CUT};
    snprintf(q.graph, sizeof q.graph, "%s", hub_families[family]);
    snprintf(q.effort, sizeof q.effort, "%s", effort_names[effort]);
    return q;
}

static void add(ratios *r, const row *sum, int size)
{
    /* The ratio of two cuts of 0 is 1; a single 0 has no ratio. */
    double cut = ((double)sum->cut + 1) / ((double)sum->metis_cut + 1);
    double time = sum->seconds / sum->metis_seconds;
    r->cut += log(cut);
    r->time += log(time);
    r->worst_cut = cut > r->worst_cut ? cut : r->worst_cut;
    r->worst_time = time > r->worst_time ? time : r->worst_time;
    r->seconds[size] += sum->seconds;
    r->metis_seconds[size] += sum->metis_seconds;
    r->count++;
}

static void print_case(const row *sum, hub_form form, const cleave_graph *g, int seeds,
                       int bad, int metis_bad)
{
    double n = seeds;
    if (sum->metis_fails) {
        printf("%-12s %-10s %8d %8lld %3d %-8s %10.0f %10s %6s %8.3f %8s %7s%s  METIS fails\n",
               sum->graph, hub_forms[form], (int)cleave_graph_vertices(g),
               (long long)cleave_graph_edges(g), sum->k, sum->effort, (double)sum->cut / n,
               "-", "-", sum->seconds / n, "-", "-", bad ? "  INVALID" : "");
        fflush(stdout);
        return;
    }
    printf("%-12s %-10s %8d %8lld %3d %-8s %10.0f %10.0f %6.3f %8.3f %8.3f %7.2f%s%s\n",
           sum->graph, hub_forms[form], (int)cleave_graph_vertices(g),
           (long long)cleave_graph_edges(g), sum->k, sum->effort, (double)sum->cut / n,
           (double)sum->metis_cut / n,
           sum->metis_cut ? (double)sum->cut / (double)sum->metis_cut : 1, sum->seconds / n,
           sum->metis_seconds / n, sum->seconds / sum->metis_seconds, bad ? "  INVALID" : "",
           metis_bad ? "  METIS beyond the bound" : "");
    fflush(stdout);
}

static void measure_instance(const plan *p, int family, hub_form form, int size, int k,
                             int effort)
{
    row sum = ask(p, family, k, effort, 0);
    run_how how = {
        .effort = (cleave_effort)effort, .repeat = p->s.repeat, .metis_may_fail = 1};
    ratios *r = &found[form][family][effort];
    int bad = 0, metis_bad = 0;
    for (int seed = 1; seed <= p->s.seeds; seed++) {
        hub_graph h = hub_graph_make(family, form, 1000 * (int64_t)p->edges[size], seed);
        row q = ask(p, family, k, effort, seed);
        if (!run_case(&q, h.g, h.m, &how))
            exit(1);
        bad += run_invalid(&q);
        metis_bad += !q.metis_fails && (!q.metis_balanced || q.metis_empty);
        sum.metis_fails |= q.metis_fails;
        sum.cut += q.cut;
        sum.metis_cut += q.metis_cut;
        sum.seconds += q.seconds;
        sum.metis_seconds += q.metis_seconds;
        if (seed == p->s.seeds)
            print_case(&sum, form, h.g, seed, bad, metis_bad);
        hub_graph_drop(&h);
    }
    if (!sum.metis_fails)
        add(r, &sum, size);
    r->invalid += bad;
}

static void measure_all(const plan *p)
{
    for (int f = 0; f < nhub_family; f++)
        for (int form = 0; form < nhub_form && p->wanted[f]; form++)
            for (int i = 0; i < p->nedges && p->form[form]; i++)
                for (int j = 0; j < p->s.nk; j++)
                    for (int e = 0; e < p->s.nefforts; e++)
                        measure_instance(p, f, (hub_form)form, i, p->s.k[j], p->s.efforts[e]);
}

static void print_means(const plan *p)
{
    int last = p->nedges - 1;
    printf("\nover METIS: geometric means (worst); growth of the time from %d to %d thousand "
           "edges\n",
           p->edges[0], p->edges[last]);
    for (int form = 0; form < nhub_form; form++)
        for (int f = 0; f < nhub_family; f++)
            for (int i = 0; i < p->s.nefforts; i++) {
                const ratios *r = &found[form][f][p->s.efforts[i]];
                if (r->count == 0)
                    continue;
                printf("%-12s %-10s %-8s cut %6.3f (%6.3f)  time %6.2f (%6.2f)  growth %5.1f, "
                       "METIS %5.1f%s\n",
                       hub_families[f], hub_forms[form], effort_names[p->s.efforts[i]],
                       exp(r->cut / r->count), r->worst_cut, exp(r->time / r->count),
                       r->worst_time, r->seconds[last] / r->seconds[0],
                       r->metis_seconds[last] / r->metis_seconds[0],
                       r->invalid ? "  INVALID" : "");
            }
}

/* ---- The command line ------------------------------------------------------------------- */

/* Marks the names of a list; NULL: all of them. */
static void mark(const char *text, const char *const *names, int count, int *wanted)
{
    char item[max_list][40];
    int items = text ? bench_list(text, item) : 0;
    for (int i = 0; i < count; i++)
        wanted[i] = !text;
    for (int i = 0; i < items; i++) {
        int at = 0;
        while (at < count && strcmp(names[at], item[i]) != 0)
            at++;
        if (at == count)
            bench_fail("there is no such family or form; bench/hubs/hubs_set.c lists them");
        wanted[at] = 1;
    }
}

static void parse(plan *p, int count, char **arguments)
{
    choices said = {0};
    const char *forms = NULL, *edges = NULL;
    char *in_cpu[] = {"--cpu"};
    int at = 0;
    bench_option(&said, &p->s, 1, in_cpu, &at);
    for (int i = 2; i < count; i++) {
        if (bench_option(&said, &p->s, count, arguments, &i))
            continue;
        if (strcmp(arguments[i], "--forms") == 0)
            forms = bench_value(count, arguments, &i);
        else if (strcmp(arguments[i], "--edges") == 0)
            edges = bench_value(count, arguments, &i);
        else
            bench_fail("options are --graphs --forms --edges --k --efforts --seeds --repeat "
                       "--quick --imbalance --threads");
    }
    mark(said.graphs, hub_families, nhub_family, p->wanted);
    mark(forms, hub_forms, nhub_form, p->form);
    p->nedges = bench_numbers(edges ? edges : said.quick ? "50" : "50,500", p->edges);
    p->s.nk = bench_numbers(said.k ? said.k : said.quick ? "8" : "2,8,64", p->s.k);
    p->s.nthreads = bench_numbers(said.threads ? said.threads : "1", p->s.threads);
    bench_efforts(&p->s, said.efforts ? said.efforts : said.quick ? "fast" : "fast,default");
    p->s.seeds = said.seeds > 0 ? said.seeds : 2;
    if (p->nedges > most_sizes)
        bench_fail("these are too many sizes");
}

int main(int count, char **arguments)
{
    static plan p = {.s = {.repeat = 1, .imbalance = 0.03}};
    if (count < 2)
        bench_fail("usage: bench_hubs FOLDER [OPTIONS]; bench/hubs/hubs.c lists them");
    if (!metis_available())
        bench_fail("METIS is not here: apt install libmetis-dev, then run this again");
    parse(&p, count, arguments);
    printf("graphs with hubs, %g %% imbalance, %d seeds, processor time; METIS on the "
           "undirected graph\n\n%-12s %-10s %8s %8s %3s %-8s %10s %10s %6s %8s %8s %7s\n",
           100 * p.s.imbalance, p.s.seeds, "family", "form", "vertices", "edges", "k",
           "effort", "cut", "METIS", "ratio", "seconds", "METIS", "ratio");
    measure_all(&p);
    print_means(&p);
    return 0;
}
