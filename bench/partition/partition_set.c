/* SPDX-License-Identifier: Apache-2.0 */
/* bench/partition/partition_set.c - the 31 graphs of ../shared/anchors/undirected.csv, by
 * folder: Walshaw's archive and meshes, irregular graphs, road networks, matrices. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "partition/partition.h"

const char *const family_names[nfamily] = {"mesh", "irregular", "road", "matrix"};

const graph_entry graph_set[] = {
    {"3elt", "walshaw/3elt.graph", MESH, 1, 0, 87},
    {"4elt", "walshaw/4elt.graph", MESH, 0, 0, 137},
    {"add20", "walshaw/add20.graph", MESH, 1, 0, 536},
    {"add32", "walshaw/add32.graph", MESH, 1, 0, 10},
    {"bcsstk29", "walshaw/bcsstk29.graph.gz", MESH, 0, 0, 2818},
    {"brack2", "mesh/brack2_3.graph.gz", MESH, 0, 1, 0},
    {"crack", "walshaw/crack.graph", MESH, 1, 0, 182},
    {"cs4", "walshaw/cs4.graph", MESH, 0, 0, 353},
    {"cti", "walshaw/cti.graph", MESH, 0, 0, 318},
    {"data", "walshaw/data.graph", MESH, 1, 0, 181},
    {"fe_body", "walshaw/fe_body.graph.gz", MESH, 0, 0, 262},
    {"finan512", "walshaw/finan512.graph.gz", MESH, 0, 0, 162},
    {"memplus", "walshaw/memplus.graph", MESH, 1, 0, 5253},
    {"t60k", "walshaw/t60k.graph.gz", MESH, 0, 0, 65},
    {"uk", "walshaw/uk.graph", MESH, 1, 0, 18},
    {"vibrobox", "walshaw/vibrobox.graph.gz", MESH, 0, 0, 10310},
    {"wing", "walshaw/wing.graph.gz", MESH, 0, 0, 770},
    {"wing_nodal", "walshaw/wing_nodal.graph", MESH, 1, 0, 1668},
    {"Email-Enron", "irregular/Email-Enron.txt.gz", IRREGULAR, 0, 0, 0},
    {"NotreDame_www", "irregular/NotreDame_www.mtx.gz", IRREGULAR, 0, 0, 0},
    {"deezer_europe", "irregular/deezer_europe_edges.csv.gz", IRREGULAR, 1, 0, 0},
    {"facebook_combined", "irregular/facebook_combined.txt", IRREGULAR, 1, 0, 0},
    {"sat_AProVE11", "irregular/he173_sat_AProVE11-06.gr.gz", IRREGULAR, 0, 0, 0},
    {"sat_safe029", "irregular/he160_sat_safe029.gr.gz", IRREGULAR, 0, 0, 0},
    {"wiki-Vote", "irregular/wiki-Vote.txt.gz", IRREGULAR, 1, 0, 0},
    {"road_FLA", "irregular/he172_road_FLA.gr.gz", ROAD, 0, 0, 0},
    {"road_NY", "irregular/he161_road_NY.gr.gz", ROAD, 1, 0, 0},
    {"OPF_6000", "mtx/OPF_6000.mtx.gz", MATRIX, 1, 0, 0},
    {"c-62", "mtx/c-62.mtx.gz", MATRIX, 0, 0, 0},
    {"lap3d_40", "mtx/lap3d_40.mtx.gz", MATRIX, 0, 0, 0},
    {"xenon1", "mtx/xenon1.mtx.gz", MATRIX, 0, 0, 0},
};
const int graph_count = sizeof graph_set / sizeof *graph_set;

/* The 20 instances on which `best` is measured: families and k as evenly as in the set. */
static const struct {
    const char *graph;
    int k;
} subset[nsubset] = {
    {"4elt", 2},      {"memplus", 2},        {"wing", 2},
    {"wiki-Vote", 2}, {"xenon1", 2},         {"road_NY", 2},
    {"add20", 8},     {"bcsstk29", 8},       {"cs4", 8},
    {"fe_body", 8},   {"Email-Enron", 8},    {"sat_safe029", 8},
    {"lap3d_40", 8},  {"data", 32},          {"vibrobox", 32},
    {"t60k", 32},     {"deezer_europe", 32}, {"facebook_combined", 32},
    {"road_NY", 32},  {"c-62", 32},
};

int set_in_subset(const char *graph, int k)
{
    for (int i = 0; i < nsubset; i++)
        if (subset[i].k == k && strcmp(subset[i].graph, graph) == 0)
            return 1;
    return 0;
}

int set_find(const char *name)
{
    for (int i = 0; i < graph_count; i++)
        if (strcmp(graph_set[i].name, name) == 0)
            return i;
    return -1;
}

static cleave_graph *without_weights(cleave_graph *g)
{
    cleave_csr csr;
    cleave_graph *bare;
    cleave_error err;
    cleave_csr_init(&csr, sizeof csr);
    cleave_graph_view(g, &csr);
    csr.vwgt = csr.ewgt = csr.vsize = NULL;
    csr.coords = NULL;
    csr.ncon = 1;
    csr.ndim = 0;
    if (cleave_graph_create(&bare, &csr, 0, &err) != CLEAVE_OK)
        bench_fail(err.message);
    cleave_graph_free(g);
    return bare;
}

/* Undirected, as the anchors have it: the pattern without the diagonal, ids compacted. */
cleave_graph *set_read(const settings *s, const graph_entry *entry)
{
    char path[600];
    cleave_graph *g;
    cleave_error err;
    cleave_read_options opt;
    cleave_read_options_init(&opt, sizeof opt);
    opt.symmetrise = "max";
    opt.coords = "";
    snprintf(path, sizeof path, "%s/data/%s", s->shared, entry->file);
    if (cleave_graph_read(&g, path, &opt, &err) != CLEAVE_OK)
        bench_fail(err.message);
    return entry->unweighted ? without_weights(g) : g;
}
