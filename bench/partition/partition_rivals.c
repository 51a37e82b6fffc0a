/* SPDX-License-Identifier: Apache-2.0 */
/* bench/partition/partition_rivals.c - ../shared/anchors/undirected.csv: recorded results of
 * public programs on the same graphs.  Cuts are used directly, times as ratios to gpmetis in
 * that file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "partition/partition.h"

static void keep_tool(rivals *r, const char *tool)
{
    for (int i = 0; i < r->ntools; i++)
        if (strcmp(r->tool[i], tool) == 0)
            return;
    if (r->ntools < 16)
        snprintf(r->tool[r->ntools++], sizeof r->tool[0], "%s", tool);
}

void rivals_load(rivals *r, const settings *s)
{
    char path[600], line[300];
    int room = 0;
    memset(r, 0, sizeof *r);
    snprintf(path, sizeof path, "%s/anchors/undirected.csv", s->shared);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        rival_line now;
        if (sscanf(line, "%39[^,],%d,%23[^,],%lf,%*f,%*f,%lf", now.graph, &now.k, now.tool,
                   &now.cut, &now.time_ratio) != 5)
            continue;
        if (r->count == room) {
            room = 2 * room + 256;
            r->lines = realloc(r->lines, (size_t)room * sizeof *r->lines);
            if (!r->lines)
                bench_fail("out of memory");
        }
        r->lines[r->count++] = now;
        keep_tool(r, now.tool);
    }
    if (file)
        fclose(file);
    else
        fprintf(stderr, "bench_partition: %s is not there: no rivals\n", path);
}

const rival_line *rivals_find(const rivals *r, const char *graph, int k, const char *tool)
{
    for (int i = 0; i < r->count; i++)
        if (r->lines[i].k == k && strcmp(r->lines[i].graph, graph) == 0 &&
            strcmp(r->lines[i].tool, tool) == 0)
            return &r->lines[i];
    return NULL;
}
