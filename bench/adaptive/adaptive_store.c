/* SPDX-License-Identifier: Apache-2.0 */
/* bench/adaptive/adaptive_store.c - stores measurements as lines of a file.  A line is
 * identified by the library's tag and the instance, so that an interrupted run can be
 * continued. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adaptive/adaptive.h"

static const char heading[] =
    "#tag\tgraph\tmethod\tk\tratio\tthreads\tseed\tprice\timbalance\tstatus\tbalanced\tempty"
    "\tcut\tsetups\tmigration\tbound\treached\tseconds\n";

static void keep(adaptive_results *all, const adaptive_row *r)
{
    all->rows = lines_grow(all->rows, all->count, &all->room, sizeof *all->rows);
    all->rows[all->count++] = *r;
}

static int parse(const char *line, adaptive_row *r)
{
    return sscanf(line,
                  "%39s %39s %39s %d %d %d %d %lf %lf %d %d %d %lld %lld %lld %lld %lf %lf",
                  r->tag, r->graph, r->method, &r->k, &r->ratio, &r->threads, &r->seed,
                  &r->price, &r->imbalance, &r->status, &r->balanced, &r->empty, &r->cut,
                  &r->setups, &r->migration, &r->bound, &r->reached, &r->seconds) == 18;
}

static void take(void *all, const char *line)
{
    adaptive_row r;
    if (parse(line, &r))
        keep(all, &r);
}

void adaptive_load(adaptive_results *all, const settings *s, const char *name, int fresh)
{
    lines_file from = {name, heading, take};
    lines_load(all->path, sizeof all->path, s, &from, fresh, all);
}

void adaptive_add(adaptive_results *all, const adaptive_row *r)
{
    lines_append(
        all->path,
        "%s\t%s\t%s\t%d\t%d\t%d\t%d\t%g\t%g\t%d\t%d\t%d\t%lld\t%lld\t%lld\t%lld\t%.6f\t"
        "%.9f\n",
        r->tag, r->graph, r->method, r->k, r->ratio, r->threads, r->seed, r->price,
        r->imbalance, r->status, r->balanced, r->empty, r->cut, r->setups, r->migration,
        r->bound, r->reached, r->seconds);
    keep(all, r);
}

adaptive_row adaptive_question(const settings *s, const char *graph, const char *method, int k,
                               int ratio, int seed)
{
    adaptive_row r;
    memset(&r, 0, sizeof r);
    snprintf(r.tag, sizeof r.tag, "%s", s->tag);
    snprintf(r.graph, sizeof r.graph, "%s", graph);
    snprintf(r.method, sizeof r.method, "%s", method);
    r.k = k;
    r.ratio = ratio;
    r.threads = s->threads[0];
    r.seed = seed;
    r.imbalance = s->imbalance;
    r.balanced = 1;
    r.cut = r.setups = r.migration = r.bound = -1;
    return r;
}

const adaptive_row *adaptive_look(const adaptive_results *all, const adaptive_row *q)
{
    for (int i = all->count - 1; i >= 0; i--) {
        const adaptive_row *r = &all->rows[i];
        if (r->seed == q->seed && r->k == q->k && r->ratio == q->ratio &&
            r->price == q->price && r->threads == q->threads && r->imbalance == q->imbalance &&
            strcmp(r->method, q->method) == 0 && strcmp(r->graph, q->graph) == 0 &&
            strcmp(r->tag, q->tag) == 0)
            return r;
    }
    return NULL;
}

int adaptive_valid(const settings *s, const adaptive_results *all)
{
    int ours = 0, invalid = 0;
    printf("\n");
    for (int i = 0; i < all->count; i++) {
        const adaptive_row *r = &all->rows[i];
        if (strcmp(r->tag, s->tag) != 0 || r->imbalance != s->imbalance)
            continue;
        ours++;
        if (!adaptive_invalid(r))
            continue;
        if (++invalid <= 20)
            printf("INVALID: %s k=%d %s ratio %d price %g seed %d: status %d, cut %lld, "
                   "imbalance %.4f%s, %d empty\n",
                   r->graph, r->k, r->method, r->ratio, r->price, r->seed, r->status, r->cut,
                   r->reached, r->balanced ? "" : " beyond the bound", r->empty);
    }
    printf("%d results, checked by cleave_evaluate with the speeds as shares: %d invalid\n",
           ours, invalid);
    return invalid;
}
