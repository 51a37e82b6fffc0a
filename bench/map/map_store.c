/* SPDX-License-Identifier: Apache-2.0 */
/* bench/map/map_store.c - stores measurements as lines of a file.  A line is identified by the
 * library's tag and the instance, so that an interrupted run can be continued. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "map/map.h"

static const double slow = 5; /* seconds: Scotch is then measured once per instance */

static const char heading[] =
    "#tag\tgraph\ttarget\teffort\tthreads\tseed\timbalance\tlimit\tstatus\tbalanced\tempty"
    "\tlevels\tcycles\ttimed_out\tcost\tcut\treached\tseconds\tcoarsen\tinitial\trefine"
    "\tscotch_cost\tscotch_cut\tscotch_says\tscotch_balanced\tscotch_empty\tscotch_reached"
    "\tscotch_seconds\tplain\n";

static void keep(map_results *all, const map_row *r)
{
    all->rows = lines_grow(all->rows, all->count, &all->room, sizeof *all->rows);
    all->rows[all->count++] = *r;
}

static int parse(const char *line, map_row *r)
{
    return sscanf(line,
                  "%39s %39s %39s %39s %d %d %lf %lf %d %d %d %d %d %d %lld %lld %lf %lf %lf "
                  "%lf %lf %lld %lld %lld %d %d %lf %lf %lld",
                  r->tag, r->graph, r->target, r->effort, &r->threads, &r->seed, &r->imbalance,
                  &r->limit, &r->status, &r->balanced, &r->empty, &r->levels, &r->cycles,
                  &r->timed_out, &r->cost, &r->cut, &r->reached, &r->seconds, &r->coarsen,
                  &r->initial, &r->refine, &r->scotch_cost, &r->scotch_cut, &r->scotch_says,
                  &r->scotch_balanced, &r->scotch_empty, &r->scotch_reached,
                  &r->scotch_seconds, &r->plain) == 29;
}

static void take(void *all, const char *line)
{
    map_row r;
    if (parse(line, &r))
        keep(all, &r);
}

void map_store_load(map_results *all, const settings *s, const char *name, int fresh)
{
    lines_file from = {name, heading, take};
    lines_load(all->path, sizeof all->path, s, &from, fresh, all);
}

void map_store_add(map_results *all, const map_row *r)
{
    lines_append(
        all->path,
        "%s\t%s\t%s\t%s\t%d\t%d\t%g\t%g\t%d\t%d\t%d\t%d\t%d\t%d\t%lld\t%lld\t%.6f\t%.6f"
        "\t%.6f\t%.6f\t%.6f\t%lld\t%lld\t%lld\t%d\t%d\t%.6f\t%.6f\t%lld\n",
        r->tag, r->graph, r->target, r->effort, r->threads, r->seed, r->imbalance, r->limit,
        r->status, r->balanced, r->empty, r->levels, r->cycles, r->timed_out, r->cost, r->cut,
        r->reached, r->seconds, r->coarsen, r->initial, r->refine, r->scotch_cost,
        r->scotch_cut, r->scotch_says, r->scotch_balanced, r->scotch_empty, r->scotch_reached,
        r->scotch_seconds, r->plain);
    keep(all, r);
}

map_row map_store_question(const settings *s, const char *graph, const char *target,
                           int effort, int seed)
{
    map_row r;
    memset(&r, 0, sizeof r);
    snprintf(r.tag, sizeof r.tag, "%s", s->tag);
    snprintf(r.graph, sizeof r.graph, "%s", graph);
    snprintf(r.target, sizeof r.target, "%s", target);
    snprintf(r.effort, sizeof r.effort, "%s", effort_names[effort]);
    r.threads = s->threads[0];
    r.seed = seed;
    r.imbalance = s->imbalance;
    r.limit = effort == CLEAVE_EFFORT_BEST ? s->best_limit : 0;
    r.cost = r.cut = r.plain = r.scotch_says = -1;
    r.scotch_balanced = 1;
    return r;
}

static int same_instance(const map_row *a, const map_row *b)
{
    return a->imbalance == b->imbalance && strcmp(a->graph, b->graph) == 0 &&
           strcmp(a->target, b->target) == 0 && strcmp(a->tag, b->tag) == 0;
}

const map_row *map_store_find(const map_results *all, const map_row *q)
{
    for (int i = all->count - 1; i >= 0; i--) {
        const map_row *r = &all->rows[i];
        if (r->threads == q->threads && r->seed == q->seed && r->limit == q->limit &&
            strcmp(r->effort, q->effort) == 0 && same_instance(r, q))
            return r;
    }
    return NULL;
}

const map_row *map_store_slow(const map_results *all, const map_row *q)
{
    for (int i = all->count - 1; i >= 0; i--)
        if (all->rows[i].scotch_seconds > slow && same_instance(&all->rows[i], q))
            return &all->rows[i];
    return NULL;
}
