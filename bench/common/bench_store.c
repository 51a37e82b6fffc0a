/* SPDX-License-Identifier: Apache-2.0 */
/* bench/common/bench_store.c - stores measurements as lines of a file.  A line is identified
 * by the library's tag and the instance, so that an interrupted run can be continued. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/bench.h"

static const char heading[] =
    "#tag\tgraph\tk\timbalance\tobjective\teffort\tthreads\tseed\tlimit\tstatus\tbalanced\temp"
    "ty"
    "\tcut\tvolume\treached\tseconds\tcoarsen\tinitial\trefine\tlevels\tcycles\ttimed_out"
    "\tmetis_cut\tmetis_volume\tmetis_reached\tmetis_balanced\tmetis_empty\tmetis_seconds"
    "\tacyclic\tpath\tmetis_path\n";

static void keep(results *all, const row *r)
{
    all->rows = lines_grow(all->rows, all->count, &all->room, sizeof *all->rows);
    all->rows[all->count++] = *r;
}

static int parse(const char *line, row *r)
{
    r->acyclic = -1;
    r->path = r->metis_path = -1; /* older lines do not have these three */
    return sscanf(line,
                  "%39s %39s %d %lf %d %39s %d %d %lf %d %d %d %lld %lld %lf %lf %lf %lf %lf "
                  "%d %d %d %lld %lld %lf %d %d %lf %d %lld %lld",
                  r->tag, r->graph, &r->k, &r->imbalance, &r->objective, r->effort,
                  &r->threads, &r->seed, &r->limit, &r->status, &r->balanced, &r->empty,
                  &r->cut, &r->volume, &r->reached, &r->seconds, &r->coarsen, &r->initial,
                  &r->refine, &r->levels, &r->cycles, &r->timed_out, &r->metis_cut,
                  &r->metis_volume, &r->metis_reached, &r->metis_balanced, &r->metis_empty,
                  &r->metis_seconds, &r->acyclic, &r->path, &r->metis_path) >= 28;
}

static void take(void *all, const char *line)
{
    row r;
    if (parse(line, &r))
        keep(all, &r);
}

void store_load(results *all, const settings *s, const char *name, int fresh)
{
    lines_file from = {name, heading, take};
    lines_load(all->path, sizeof all->path, s, &from, fresh, all);
}

void store_add(results *all, const row *r)
{
    lines_append(
        all->path,
        "%s\t%s\t%d\t%g\t%d\t%s\t%d\t%d\t%g\t%d\t%d\t%d\t%lld\t%lld\t%.6f\t%.6f\t%.6f\t%.6f"
        "\t%.6f\t%d\t%d\t%d\t%lld\t%lld\t%.6f\t%d\t%d\t%.6f\t%d\t%lld\t%lld\n",
        r->tag, r->graph, r->k, r->imbalance, r->objective, r->effort, r->threads, r->seed,
        r->limit, r->status, r->balanced, r->empty, r->cut, r->volume, r->reached, r->seconds,
        r->coarsen, r->initial, r->refine, r->levels, r->cycles, r->timed_out, r->metis_cut,
        r->metis_volume, r->metis_reached, r->metis_balanced, r->metis_empty, r->metis_seconds,
        r->acyclic, r->path, r->metis_path);
    keep(all, r);
}

row store_question(const settings *s, const char *graph, int k, int effort, int threads,
                   int seed)
{
    row r;
    memset(&r, 0, sizeof r);
    snprintf(r.tag, sizeof r.tag, "%s", s->tag);
    snprintf(r.graph, sizeof r.graph, "%s", graph);
    snprintf(r.effort, sizeof r.effort, "%s", effort_names[effort]);
    r.k = k;
    r.threads = threads;
    r.seed = seed;
    r.objective = (int)s->objective;
    r.imbalance = s->imbalance;
    r.limit = effort == CLEAVE_EFFORT_BEST ? s->best_limit : 0;
    return r;
}

const row *store_find(const results *all, const row *q)
{
    for (int i = all->count - 1; i >= 0; i--) {
        const row *r = &all->rows[i];
        if (r->k == q->k && r->threads == q->threads && r->seed == q->seed &&
            r->objective == q->objective && r->imbalance == q->imbalance &&
            r->limit == q->limit && strcmp(r->effort, q->effort) == 0 &&
            strcmp(r->graph, q->graph) == 0 && strcmp(r->tag, q->tag) == 0)
            return r;
    }
    return NULL;
}
