/* SPDX-License-Identifier: Apache-2.0 */
/* bench/adaptive/adaptive.c - nonuniform and changing machines: cutting orders, and remapping.
 *
 *   bench_adaptive FOLDER --paper
 *                    Tables 1 to 7 of Kaddoura, Ou and Ranka (1995) next to the published
 *                    values; adaptive-paper.md and the pictures are written to docs if all
 *                    samples are measured, otherwise to FOLDER
 *   ... --meshes     cut and time of orders relative to mappings from scratch; with --large
 *                    also a mesh of a million vertices
 *   ... --remap      PEs lost and speeds changed: cut and migration of every strategy
 *
 * One of the three, with [--graphs 3elt,wing] [--k 4,5,10] (of --meshes) [--seeds N] [--quick]
 * [--repeat 3] [--threads 1] [--imbalance 0.03] [--shared DIR] [--tag NAME] [--fresh]
 * [--report] [--cpu].  --seeds is the number of samples of speeds: by default 20 for --paper,
 * otherwise 1.  --quick: two samples of --paper; the small meshes.  Times are wall times, with
 * --cpu CPU times.
 *
 * Results are lines of FOLDER/adaptive-paper.tsv, adaptive-meshes.tsv, adaptive-remap.tsv.
 * Instances that have been measured for this library (or --tag) are skipped; --fresh discards
 * them, --report only prints the tables.  Exit status 1: a result is invalid. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adaptive/adaptive.h"

typedef enum mode { NONE, PAPER, MESHES, REMAP } mode;

typedef struct command {
    mode mode;
    choices said;
} command;

const char bench_name[] = "bench_adaptive";
enum { paper_samples = 20 };

static void choose_graphs(settings *s, const command *c)
{
    char item[max_list][40];
    for (int i = 0; i < adaptive_count && !c->said.graphs; i++)
        if (!c->said.quick || adaptive_set[i].quick)
            s->graphs[s->ngraphs++] = i;
    int count = c->said.graphs ? bench_list(c->said.graphs, item) : 0;
    for (int i = 0; i < count; i++) {
        int at = adaptive_find(item[i]);
        if (at < 0)
            bench_fail("there is no such graph in the set; see bench/adaptive/adaptive_set.c");
        s->graphs[s->ngraphs++] = at;
    }
}

static void parse_option(command *c, adaptive_ask *ask, settings *s, int count,
                         char **arguments, int *at)
{
    const char *name = arguments[*at];
    if (bench_option(&c->said, s, count, arguments, at))
        return;
    if (strcmp(name, "--paper") == 0)
        c->mode = PAPER;
    else if (strcmp(name, "--meshes") == 0)
        c->mode = MESHES;
    else if (strcmp(name, "--remap") == 0)
        c->mode = REMAP;
    else if (strcmp(name, "--large") == 0)
        ask->large = 1;
    else {
        fprintf(stderr, "bench_adaptive: there is no option %s\n", name);
        exit(2);
    }
}

static void settle(settings *s, adaptive_ask *ask, const command *c)
{
    int seeds = c->mode == PAPER ? (c->said.quick ? 2 : paper_samples) : 1;
    s->nk = bench_numbers(c->said.k ? c->said.k : "4,5,10,15,20,32", s->k);
    for (int i = 0; i < s->nk; i++)
        if (s->k[i] > max_pes)
            bench_fail("--k goes up to 1024");
    s->nthreads = bench_numbers(c->said.threads ? c->said.threads : "1", s->threads);
    if (s->nthreads != 1)
        bench_fail("--threads is one number here");
    choose_graphs(s, c);
    s->seeds = c->said.seeds > 0 ? c->said.seeds : seeds;
    if (s->repeat < 1)
        s->repeat = 1;
    ask->quick = c->said.quick;
    bench_tag(s);
}

/* Are all samples complete?  The one measured last is checked. */
static int is_whole(const paper_view *v)
{
    paper_mean last = paper_cell_of(v, npaper_graph - 1, (paper_method)(npaper_method - 1), 0,
                                    paper_parts[npaper_part - 1], -1);
    return last.count >= npaper_ratio * paper_samples;
}

static void report(const settings *s, const adaptive_ask *ask, mode mode,
                   const adaptive_results *all)
{
    paper_view v = {s, all};
    printf("\nlibrary %s, %d thread%s; %s times; %g %% imbalance, %d sample%s of speeds\n",
           s->tag, s->threads[0], s->threads[0] == 1 ? "" : "s",
           bench_in_cpu() ? "CPU" : "wall", 100 * s->imbalance, s->seeds,
           s->seeds == 1 ? "" : "s");
    if (mode == PAPER) {
        int missed = adaptive_paper_bars(&v, stdout);
        printf("bars missed: %d\n", missed);
        const char *into = is_whole(&v) ? "docs" : s->folder;
        adaptive_page(&v, into);
        adaptive_plots(&v, into);
    } else if (mode == MESHES)
        meshes_print(s, ask, all);
    else
        remap_print(s, all);
}

int main(int count, char **arguments)
{
    static const char *const files[] = {"", "adaptive-paper", "adaptive-meshes",
                                        "adaptive-remap"};
    static settings s = {.repeat = 3, .imbalance = 0.03};
    static adaptive_results all;
    adaptive_ask ask = {.large = 0};
    command c = {.mode = NONE};
    if (count < 2)
        bench_fail(
            "usage: bench_adaptive FOLDER [OPTIONS]; bench/adaptive/adaptive.c lists them");
    s.folder = arguments[1];
    bench_shared(&s);
    for (int i = 2; i < count; i++)
        parse_option(&c, &ask, &s, count, arguments, &i);
    if (c.mode == NONE)
        bench_fail("one of --paper, --meshes and --remap says what to measure");
    settle(&s, &ask, &c);
    adaptive_load(&all, &s, files[c.mode], c.said.fresh);
    if (!c.said.report) {
        if (c.mode == PAPER)
            adaptive_paper(&s, &all);
        else if (c.mode == MESHES)
            meshes_measure(&s, &ask, &all);
        else
            remap_measure(&s, &all);
    }
    report(&s, &ask, c.mode, &all);
    int invalid = adaptive_valid(&s, &all);
    free(all.rows);
    return invalid > 0;
}
