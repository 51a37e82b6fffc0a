/* SPDX-License-Identifier: Apache-2.0 */
/* bench/map/map_set.c - the 14 graphs and 7 targets of ../shared/anchors/mapping.csv, its
 * recorded results of other programs, and 8 targets of --beyond.  Recorded costs are used
 * directly, times as ratios to Scotch in that file. */
#include <stdio.h>
#include <string.h>

#include "map/map.h"
#include "partition/partition.h"

const char *const group_names[ngroup] = {"trees", "mesh, torus, hypercube"};

const char *const map_graphs[nmapgraph] = {
    "3elt", "4elt", "crack",  "cs4",      "cti",    "fe_body", "finan512",
    "t60k", "wing", "brack2", "lap3d_40", "xenon1", "road_NY", "Email-Enron"};

const map_target map_targets[nmaptarget] = {
    {"tree:4:8:2@1:10:100", 0},
    {"tree:4:8:8@1:10:100", 0},
    {"mesh:8x8", 1},
    {"mesh:4x4x4", 1},
    {"torus:8x8", 1},
    {"torus:4x4x4", 1},
    {"hypercube:6", 1},
    /* --beyond: sides that are no powers of two, unequal levels */
    {"torus:6x10", 1},
    {"torus:3x5x7", 1},
    {"torus:9x4", 1},
    {"mesh:5x7x3", 1},
    {"mesh:11x6", 1},
    {"tree:4:4:4@2:4:6", 0},
    {"tree:3:5:7@1:5:20", 0},
    {"tree:5:3:4@1:4:9", 0}};

/* On these the means of the recorded tools are within 1 % of those on all trees. */
static const struct {
    const char *target, *graphs;
} subset[] = {{"tree:4:8:2@1:10:100", ",4elt,cs4,fe_body,t60k,road_NY,"},
              {"tree:4:8:8@1:10:100", ",crack,brack2,xenon1,lap3d_40,wing,"}};

int map_graph_find(const char *name)
{
    for (int i = 0; i < nmapgraph; i++)
        if (strcmp(map_graphs[i], name) == 0)
            return i;
    return -1;
}

int map_target_find(const char *spec)
{
    for (int i = 0; i < nmaptarget; i++)
        if (strcmp(map_targets[i].spec, spec) == 0)
            return i;
    return -1;
}

int map_graph_quick(int graph)
{
    return graph < 5 && graph != 3; /* 3elt, 4elt, crack, cti */
}

int map_in_subset(const char *graph, const char *target)
{
    char name[48];
    snprintf(name, sizeof name, ",%s,", graph);
    for (size_t i = 0; i < sizeof subset / sizeof *subset; i++)
        if (strcmp(subset[i].target, target) == 0 && strstr(subset[i].graphs, name))
            return 1;
    return 0;
}

cleave_graph *map_graph_read(const settings *s, const char *name)
{
    return set_read(s, &graph_set[set_find(name)]);
}

static void keep_tool(map_rivals *r, const char *tool)
{
    if (strcmp(tool, "scotch") == 0)
        return;
    for (int i = 0; i < r->ntools; i++)
        if (strcmp(r->tool[i], tool) == 0)
            return;
    if (r->ntools < max_map_tools)
        snprintf(r->tool[r->ntools++], sizeof r->tool[0], "%s", tool);
}

void map_rivals_load(map_rivals *r, const settings *s)
{
    char path[600], line[300];
    snprintf(path, sizeof path, "%s/anchors/mapping.csv", s->shared);
    FILE *file = fopen(path, "r");
    while (file && r->count < max_map_rivals && fgets(line, sizeof line, file)) {
        map_rival now;
        if (sscanf(line, "%39[^,],%39[^,],%23[^,],%lf,%*f,%*f,%lf", now.graph, now.target,
                   now.tool, &now.cost, &now.seconds) != 5)
            continue;
        r->line[r->count++] = now;
        keep_tool(r, now.tool);
    }
    if (!file)
        bench_fail("cannot open anchors/mapping.csv below the shared folder; see --shared");
    fclose(file);
}

const map_rival *map_rivals_find(const map_rivals *r, const char *graph, const char *target,
                                 const char *tool)
{
    for (int i = 0; i < r->count; i++)
        if (strcmp(r->line[i].graph, graph) == 0 && strcmp(r->line[i].target, target) == 0 &&
            strcmp(r->line[i].tool, tool) == 0)
            return &r->line[i];
    return NULL;
}
