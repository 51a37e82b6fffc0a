/* SPDX-License-Identifier: Apache-2.0 */
/* bench/layers/layers_store.c - stores measurements as lines of a file.  A line is identified
 * by the library's tag and the instance, so that an interrupted run can be continued. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layers/layers.h"

static const char heading[] =
    "#tag\tgraph\tmethod\tthreads\tstatus\tlevels\tlayers\tused\trows\ttasks\ttotal\tmost"
    "\tcrossing\tcost\tspeed_up\tseconds\tsolve\n";

static void keep(layers_results *all, const layers_row *r)
{
    all->rows = lines_grow(all->rows, all->count, &all->room, sizeof *all->rows);
    all->rows[all->count++] = *r;
}

static int parse(const char *line, layers_row *r)
{
    return sscanf(line,
                  "%39s %39s %63s %d %d %d %d %d %lld %lld %lld %lld %lld %lf %lf %lf %lf",
                  r->tag, r->graph, r->method, &r->threads, &r->status, &r->levels, &r->layers,
                  &r->used, &r->rows, &r->tasks, &r->total, &r->most, &r->crossing, &r->cost,
                  &r->speed_up, &r->seconds, &r->solve) == 17;
}

static void take(void *all, const char *line)
{
    layers_row r;
    if (parse(line, &r))
        keep(all, &r);
}

void layers_load(layers_results *all, const settings *s, const char *name, int fresh)
{
    lines_file from = {name, heading, take};
    lines_load(all->path, sizeof all->path, s, &from, fresh, all);
}

void layers_add(layers_results *all, const layers_row *r)
{
    lines_append(
        all->path,
        "%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%lld\t%lld\t%lld\t%lld\t%lld\t%.3f\t%.6f\t%.9f"
        "\t%.9f\n",
        r->tag, r->graph, r->method, r->threads, r->status, r->levels, r->layers, r->used,
        r->rows, r->tasks, r->total, r->most, r->crossing, r->cost, r->speed_up, r->seconds,
        r->solve);
    keep(all, r);
}

layers_row layers_question(const settings *s, const char *graph, const char *method,
                           int threads)
{
    layers_row r;
    memset(&r, 0, sizeof r);
    snprintf(r.tag, sizeof r.tag, "%s", s->tag);
    snprintf(r.graph, sizeof r.graph, "%s", graph);
    snprintf(r.method, sizeof r.method, "%s", method);
    r.threads = threads;
    return r;
}

const layers_row *layers_look(const layers_results *all, const layers_row *q)
{
    for (int i = all->count - 1; i >= 0; i--) {
        const layers_row *r = &all->rows[i];
        if (r->threads == q->threads && strcmp(r->method, q->method) == 0 &&
            strcmp(r->graph, q->graph) == 0 && strcmp(r->tag, q->tag) == 0)
            return r;
    }
    return NULL;
}

int layers_valid(const settings *s, const layers_results *all)
{
    int ours = 0, invalid = 0;
    printf("\n");
    for (int i = 0; i < all->count; i++) {
        const layers_row *r = &all->rows[i];
        if (strcmp(r->tag, s->tag) != 0)
            continue;
        ours++;
        if (layers_invalid(r) && ++invalid <= 20)
            printf("INVALID: %s %s, %d threads: status %d\n", r->graph, r->method, r->threads,
                   r->status);
    }
    printf("%d schedules, checked by cleave_schedule_check: %d invalid\n", ours, invalid);
    return invalid;
}
