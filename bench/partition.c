/* SPDX-License-Identifier: Apache-2.0 */
/* bench/partition.c - how good and how fast is cleave_map beside METIS and others?
 *
 *   bench_partition FOLDER [--k 2,8,32] [--efforts fast,default,quality,best] [--threads 1,2]
 *       [--graphs 3elt,uk] [--seeds 2] [--repeat 3] [--quick] [--best-limit 60]
 *       [--imbalance 0.03] [--shared DIR] [--tag NAME] [--fresh] [--report] [--plot FILE]
 *   ... --known    k = 2 at 5 % on the graphs with best known cuts, effort best
 *   ... --large    k = 4096 on road_FLA and k = n/10 on 4elt
 *   ... --volume   objective volume on ten graphs, k = 8, 32
 *
 * METIS runs in this process, turn and turn about with ours.  Results are lines of
 * FOLDER/partition.tsv; what is there for this library (or --tag) is not measured again;
 * --fresh forgets it, --report measures nothing.  The picture goes to docs/pareto.svg when
 * the whole set was asked for, else into FOLDER. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "partition.h"

typedef enum mode { MAIN, KNOWN, LARGE, VOLUME } mode;

typedef struct command {
    mode mode;
    int quick, fresh, report, whole;
    const char *efforts, *graphs, *k, *threads;
    int seeds; /* 0: what the mode does */
} command;

/* ---- The command line ------------------------------------------------------------------- */

static int split_list(const char *text, char item[][40])
{
    int count = 0;
    while (*text && count < max_list) {
        size_t length = strcspn(text, ",");
        snprintf(item[count++], 40, "%.*s", (int)length, text);
        text += length + (text[length] == ',');
    }
    return count;
}

static int numbers(const char *text, int *to)
{
    char item[max_list][40];
    int count = split_list(text, item);
    for (int i = 0; i < count; i++)
        if ((to[i] = atoi(item[i])) < 1)
            bench_fail("a list of numbers above 0 is expected");
    return count;
}

static void choose_efforts(settings *s, const char *text)
{
    char item[max_list][40];
    s->nefforts = split_list(text, item);
    for (int i = 0; i < s->nefforts; i++) {
        int e = 0;
        while (e < neffort && strcmp(effort_names[e], item[i]) != 0)
            e++;
        if (e == neffort)
            bench_fail("the efforts are fast, default, quality and best");
        s->efforts[i] = e;
    }
}

static void choose_graphs(settings *s, const command *c)
{
    static const char ten[] = "4elt,add20,bcsstk29,fe_body,memplus,wing,wiki-Vote,Email-Enron,"
                              "sat_safe029,lap3d_40";
    char item[max_list][40];
    const char *text = c->graphs ? c->graphs : c->mode == VOLUME ? ten : NULL;
    for (int i = 0; i < graph_count && !text; i++)
        if ((!c->quick || graph_set[i].quick) && (c->mode != KNOWN || graph_set[i].known))
            s->graphs[s->ngraphs++] = i;
    int count = text ? split_list(text, item) : 0;
    for (int i = 0; i < count; i++) {
        int at = set_find(item[i]);
        if (at < 0)
            bench_fail("there is no such graph in the set; see bench/partition_set.c");
        s->graphs[s->ngraphs++] = at;
    }
}

static const char *value(int count, char **arguments, int *at)
{
    if (*at + 1 >= count)
        bench_fail("an option lacks its value");
    return arguments[++*at];
}

static void parse_option(command *c, settings *s, int count, char **arguments, int *at)
{
    const char *name = arguments[*at];
    if (strcmp(name, "--known") == 0)
        c->mode = KNOWN;
    else if (strcmp(name, "--large") == 0)
        c->mode = LARGE;
    else if (strcmp(name, "--volume") == 0)
        c->mode = VOLUME;
    else if (strcmp(name, "--quick") == 0)
        c->quick = 1;
    else if (strcmp(name, "--fresh") == 0)
        c->fresh = 1;
    else if (strcmp(name, "--report") == 0)
        c->report = 1;
    else if (strcmp(name, "--k") == 0)
        c->k = value(count, arguments, at);
    else if (strcmp(name, "--efforts") == 0)
        c->efforts = value(count, arguments, at);
    else if (strcmp(name, "--threads") == 0)
        c->threads = value(count, arguments, at);
    else if (strcmp(name, "--graphs") == 0)
        c->graphs = value(count, arguments, at);
    else if (strcmp(name, "--seeds") == 0)
        c->seeds = atoi(value(count, arguments, at));
    else if (strcmp(name, "--repeat") == 0)
        s->repeat = atoi(value(count, arguments, at));
    else if (strcmp(name, "--best-limit") == 0)
        s->best_limit = strtod(value(count, arguments, at), NULL);
    else if (strcmp(name, "--imbalance") == 0)
        s->imbalance = strtod(value(count, arguments, at), NULL);
    else if (strcmp(name, "--shared") == 0)
        snprintf(s->shared, sizeof s->shared, "%s", value(count, arguments, at));
    else if (strcmp(name, "--tag") == 0)
        snprintf(s->tag, sizeof s->tag, "%s", value(count, arguments, at));
    else if (strcmp(name, "--plot") == 0)
        s->plot = value(count, arguments, at);
    else {
        fprintf(stderr, "bench_partition: there is no option %s\n", name);
        exit(2);
    }
}

/* FNV-1a over the static library: another build, another tag. */
static void tag_library(settings *s)
{
    FILE *file = fopen(BENCH_LIBRARY, "rb");
    unsigned char block[65536];
    uint64_t hash = 14695981039346656037u;
    size_t got;
    while (file && (got = fread(block, 1, sizeof block, file)) > 0)
        for (size_t i = 0; i < got; i++)
            hash = (hash ^ block[i]) * 1099511628211u;
    if (!file)
        bench_fail("cannot open " BENCH_LIBRARY);
    fclose(file);
    snprintf(s->tag, sizeof s->tag, "%s-%012llx", cleave_version(),
             (unsigned long long)(hash >> 16));
}

static void settle(settings *s, command *c)
{
    static const char *const efforts[] = {"fast,default,quality,best", "best", "fast,default",
                                          "fast,default,quality"};
    static const char *const parts[] = {"2,8,32", "2", "4096", "8,32"};
    s->nk = numbers(c->k ? c->k : parts[c->mode], s->k);
    choose_efforts(s, c->efforts ? c->efforts : efforts[c->mode]);
    s->nthreads = numbers(c->threads         ? c->threads
                          : c->mode == KNOWN ? "2"
                                             : "1,2",
                          s->threads);
    choose_graphs(s, c);
    s->seeds = c->seeds > 0 ? c->seeds : c->quick || c->mode != MAIN ? 1 : 2;
    if (c->mode == KNOWN)
        s->imbalance = 0.05;
    if (c->mode == VOLUME)
        s->objective = CLEAVE_OBJECTIVE_VOLUME;
    if (s->repeat < 1)
        s->repeat = 1;
    if (!s->tag[0])
        tag_library(s);
    c->whole = c->mode == MAIN && s->ngraphs == graph_count && s->nk == 3 && !c->k;
}

/* ---- Measuring -------------------------------------------------------------------------- */

static int wanted(const command *c, const char *graph, int k, int effort, int seed)
{
    if (effort != CLEAVE_EFFORT_BEST || c->mode != MAIN)
        return 1;
    return seed == 1 && (set_in_subset(graph, k) || c->graphs);
}

typedef struct loaded {
    cleave_graph *g;
    metis_graph *m;
} loaded;

static void measure(const settings *s, results *all, loaded *l, const graph_entry *entry,
                    row *question)
{
    if (store_find(all, question))
        return;
    if (!l->g) {
        l->g = set_read(s, entry);
        l->m = metis_prepare(l->g);
    }
    run_case(question, l->g, l->m, s->repeat);
    store_add(all, question);
    fprintf(stderr, "%-18s k=%-5d %-8s %d thr. seed %d  cut %9lld  %6.3f @ %-7.2f %s\n",
            question->graph, question->k, question->effort, question->threads, question->seed,
            question->cut, (double)question->cut / (double)question->metis_cut,
            question->seconds / question->metis_seconds,
            question->status || !question->balanced || question->empty ? "INVALID" : "");
}

static void measure_graph(const settings *s, const command *c, results *all, int graph,
                          const int *k, int nk)
{
    const graph_entry *entry = &graph_set[graph];
    loaded l = {NULL, NULL};
    for (int i = 0; i < nk; i++)
        for (int e = 0; e < s->nefforts; e++)
            for (int seed = 1; seed <= s->seeds; seed++)
                for (int t = 0; t < s->nthreads; t++) {
                    row q = store_question(s, entry->name, k[i], s->efforts[e], s->threads[t],
                                           seed);
                    if (wanted(c, entry->name, k[i], s->efforts[e], seed))
                        measure(s, all, &l, entry, &q);
                }
    if (l.g) {
        metis_free(l.m);
        cleave_graph_free(l.g);
    }
}

static void measure_all(const settings *s, const command *c, results *all)
{
    const int many = 4096, tenth = 1560; /* 4elt has 15606 vertices */
    if (c->mode == LARGE) {
        measure_graph(s, c, all, set_find("4elt"), &tenth, 1);
        measure_graph(s, c, all, set_find("road_FLA"), &many, 1);
        return;
    }
    for (int i = 0; i < s->ngraphs; i++)
        measure_graph(s, c, all, s->graphs[i], s->k, s->nk);
}

int main(int count, char **arguments)
{
    static settings s = {.repeat = 3, .imbalance = 0.03, .best_limit = 60};
    static results all;
    static rivals others;
    command c = {.mode = MAIN};
    char path[500];
    if (count < 2)
        bench_fail("usage: bench_partition FOLDER [OPTIONS]; bench/partition.c lists them");
    if (!metis_available())
        bench_fail("METIS is not here: apt install libmetis-dev, then run this again");
    s.folder = arguments[1];
    const char *shared = getenv("CLEAVE_SHARED");
    snprintf(s.shared, sizeof s.shared, "%s", shared ? shared : "../shared");
    for (int i = 2; i < count; i++)
        parse_option(&c, &s, count, arguments, &i);
    settle(&s, &c);
    store_load(&all, &s, c.fresh);
    if (!c.report)
        measure_all(&s, &c, &all);
    if (c.mode == KNOWN)
        special_known(&s, &all);
    else if (c.mode == LARGE)
        special_large(&s, &all);
    else if (c.mode == VOLUME)
        special_volume(&s, &all);
    else {
        rivals_load(&others, &s);
        table_print(&s, &all, &others);
        snprintf(path, sizeof path, "%s/pareto.svg", s.folder);
        plot_pareto(&s, &all, &others, s.plot ? s.plot : c.whole ? "docs/pareto.svg" : path);
        free(others.lines);
    }
    free(all.rows);
    return 0;
}
