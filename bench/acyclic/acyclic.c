/* SPDX-License-Identifier: Apache-2.0 */
/* bench/acyclic/acyclic.c - quality and time of cleave_map on DAGs, compared with dagP and
 * METIS.
 *
 *   bench_acyclic FOLDER [--k 2,4,8,16,32] [--efforts fast,default,quality,best]
 *       [--threads 1] [--graphs 2mm,lu] [--seeds 2] [--repeat 3] [--quick] [--best-limit 60]
 *       [--imbalance 0.03] [--shared DIR] [--tag NAME] [--fresh] [--report] [--detail] [--cpu]
 *   ... --volume   objective volume at effort default
 *   ... --spread   10 seeds at effort default: worst over best
 *   ... --valid    10 seeds of fast, default and quality (or --efforts), without METIS: counts
 *                  invalid results
 *   ... --paper [--methods NAME,...] [--into DIR]
 *                  the experiments behind Figures 3, 4 and 5 of the paper, 10 seeds; pictures
 *                  and a CSV file are written to docs for the whole set, otherwise to FOLDER
 *
 * Runs the 23 PolyBench DAGs.  Cuts, volumes and critical paths are relative to those of dagP
 * in ../shared/anchors/acyclic.csv (mean of two seeds), times relative to METIS on the
 * undirected graph, which alternates with cleave in this process.  Effort best is measured on
 * 20 instances (unless graphs are named), the other efforts on all.
 *
 * Results are lines of FOLDER/acyclic*.tsv.  Instances that have been measured for this
 * library (or --tag) are skipped; --fresh discards them, --report only prints the tables.
 * The exit status is 1 if a result is invalid or depends on the number of threads. */
#include "acyclic/acyclic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char bench_name[] = "bench_acyclic";

typedef enum mode { MAIN, VOLUME, SPREAD, VALID, PAPER } mode;

typedef struct command {
    mode mode;
    int detail;
    const char *into, *methods;
    choices said;
} command;

static void parse_option(command *c, settings *s, int count, char **arguments, int *at)
{
    static const char *const modes[] = {"", "--volume", "--spread", "--valid", "--paper"};
    const char *name = arguments[*at];
    if (bench_option(&c->said, s, count, arguments, at))
        return;
    for (int i = VOLUME; i <= PAPER; i++)
        if (strcmp(name, modes[i]) == 0) {
            c->mode = (mode)i;
            return;
        }
    if (strcmp(name, "--detail") == 0)
        c->detail = 1;
    else if (strcmp(name, "--into") == 0)
        c->into = bench_value(count, arguments, at);
    else if (strcmp(name, "--methods") == 0)
        c->methods = bench_value(count, arguments, at);
    else {
        fprintf(stderr, "bench_acyclic: there is no option %s\n", name);
        exit(2);
    }
}

static void choose_graphs(settings *s, const choices *said)
{
    char item[max_list][40];
    for (int i = 0; i < ndag && !said->graphs; i++)
        if (!said->quick || dag_set[i].quick)
            s->graphs[s->ngraphs++] = i;
    int count = said->graphs ? bench_list(said->graphs, item) : 0;
    for (int i = 0; i < count; i++) {
        int at = dag_find(item[i]);
        if (at < 0)
            bench_fail("there is no such DAG in the set; see bench/acyclic/acyclic_set.c");
        s->graphs[s->ngraphs++] = at;
    }
}

/* Methods of the paper are used instead of efforts. */
static void choose_methods(settings *s, const char *text)
{
    char item[max_list][40];
    int count = text ? bench_list(text, item) : 0;
    s->nefforts = 0;
    for (int i = 0; i < nvariant && !text; i++)
        s->efforts[s->nefforts++] = i;
    for (int i = 0; i < count; i++) {
        int at = variant_find(item[i]);
        if (at < 0)
            bench_fail("there is no such method; see bench/acyclic/acyclic_paper.c");
        s->efforts[s->nefforts++] = at;
    }
}

static void settle(settings *s, command *c)
{
    static const char *const efforts[] = {"fast,default,quality", "default", "default",
                                          "fast,default,quality", "default"};
    static const int seeds[] = {2, 2, 10, 10, 10}, quick_seeds[] = {1, 1, 4, 4, 2};
    const choices *said = &c->said;
    s->nk = bench_numbers(said->k ? said->k : "2,4,8,16,32", s->k);
    s->nthreads = bench_numbers(said->threads ? said->threads : "1", s->threads);
    if (c->mode == PAPER)
        choose_methods(s, c->methods);
    else
        bench_efforts(s, said->efforts ? said->efforts : efforts[c->mode]);
    choose_graphs(s, said);
    s->seeds = said->seeds > 0 ? said->seeds
               : said->quick   ? quick_seeds[c->mode]
                               : seeds[c->mode];
    if (c->mode == VOLUME)
        s->objective = CLEAVE_OBJECTIVE_VOLUME;
    if (s->repeat < 1)
        s->repeat = 1;
    bench_tag(s);
    if (!c->into)
        c->into = s->ngraphs == ndag && !said->k && !c->methods ? "docs" : s->folder;
}

/* ---- Measuring -------------------------------------------------------------------------- */

static int wanted(const command *c, const char *graph, int k, int effort, int seed)
{
    return effort != CLEAVE_EFFORT_BEST ||
           (seed == 1 && (dag_in_subset(graph, k) || c->said.graphs));
}

static void tell(const row *r)
{
    fprintf(stderr, "%-10s k=%-3d %-8s %d thr. seed %-2d cut %8lld", r->graph, r->k, r->effort,
            r->threads, r->seed, r->cut);
    if (r->metis_seconds > 0)
        fprintf(stderr, "  METIS %8lld  time %6.2f x", r->metis_cut,
                r->seconds / r->metis_seconds);
    fprintf(stderr, "%s\n", run_invalid(r) ? "  INVALID" : "");
}

static void measure_effort(const settings *s, const command *c, results *all, loaded_dag *l,
                           int effort, row *question)
{
    run_how how = {.effort = (cleave_effort)effort, .repeat = s->repeat};
    int alone = c->mode == SPREAD || c->mode == VALID;
    if (store_find(all, question))
        return;
    dag_load(l, question->graph);
    if (alone)
        how.repeat = 1;
    run_case(question, l->g, alone ? NULL : l->m, &how);
    store_add(all, question);
    tell(question);
}

static void measure_all(const settings *s, const command *c, results *all)
{
    for (int i = 0; i < s->ngraphs; i++) {
        const char *name = dag_set[s->graphs[i]].name;
        loaded_dag l = {NULL, NULL, NULL};
        for (int j = 0; j < s->nk; j++)
            for (int e = 0; e < s->nefforts; e++)
                for (int seed = 1; seed <= s->seeds; seed++)
                    for (int t = 0; t < s->nthreads; t++) {
                        row q = store_question(s, name, s->k[j], s->efforts[e], s->threads[t],
                                               seed);
                        if (wanted(c, name, s->k[j], s->efforts[e], seed))
                            measure_effort(s, c, all, &l, s->efforts[e], &q);
                    }
        dag_unload(&l);
    }
}

/* The number of invalid results. */
static int report(const settings *s, const command *c, const results *all)
{
    static dag_rivals others;
    dag_rivals_load(&others, s);
    if (c->mode == SPREAD)
        return acyclic_spread(s, all);
    if (c->mode == VALID)
        return acyclic_valid(s, all);
    if (c->mode != PAPER)
        return acyclic_table(s, all, &others, c->detail);
    paper_report(s, all, c->into);
    return 0;
}

int main(int count, char **arguments)
{
    static const char *const files[] = {"acyclic", "acyclic", "acyclic-seeds", "acyclic-seeds",
                                        "acyclic-paper"};
    static settings s = {.repeat = 3, .imbalance = 0.03, .best_limit = 60};
    static results all;
    command c = {.mode = MAIN};
    if (count < 2)
        bench_fail(
            "usage: bench_acyclic FOLDER [OPTIONS]; bench/acyclic/acyclic.c lists them");
    if (!metis_available())
        bench_fail("METIS is not here: apt install libmetis-dev, then run this again");
    s.folder = arguments[1];
    bench_shared(&s);
    for (int i = 2; i < count; i++)
        parse_option(&c, &s, count, arguments, &i);
    settle(&s, &c);
    store_load(&all, &s, files[c.mode], c.said.fresh);
    if (!c.said.report && c.mode == PAPER)
        paper_measure(&s, &all);
    else if (!c.said.report)
        measure_all(&s, &c, &all);
    int wrong = report(&s, &c, &all);
    free(all.rows);
    return wrong > 0;
}
