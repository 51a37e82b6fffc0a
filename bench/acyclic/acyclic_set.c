/* SPDX-License-Identifier: Apache-2.0 */
/* bench/acyclic/acyclic_set.c - the PolyBench DAGs of Table I of the acyclic partitioning
 * paper, the subset on which `best` is measured, and ../shared/anchors/acyclic.csv: results of
 * dagP and others on exactly these DAGs. */
#include "acyclic/acyclic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const dag_entry dag_set[ndag] = {
    {"2mm", 1},     {"3mm", 0},     {"adi", 0},       {"atax", 0},      {"covariance", 0},
    {"doitgen", 1}, {"durbin", 1},  {"fdtd-2d", 0},   {"gemm", 0},      {"gemver", 1},
    {"gesummv", 0}, {"heat-3d", 0}, {"jacobi-1d", 0}, {"jacobi-2d", 1}, {"lu", 0},
    {"ludcmp", 0},  {"mvt", 0},     {"seidel-2d", 0}, {"symm", 0},      {"syr2k", 1},
    {"syrk", 0},    {"trisolv", 0}, {"trmm", 0},
};

/* Twenty DAGs, four for each k; left out are 3mm, ludcmp and syrk, which are similar to 2mm,
 * lu and syr2k. */
static const struct {
    const char *graph;
    int k;
} subset[] = {
    {"covariance", 2}, {"adi", 2},     {"jacobi-2d", 2}, {"symm", 2},       {"2mm", 4},
    {"heat-3d", 4},    {"gemver", 4},  {"trisolv", 4},   {"lu", 8},         {"mvt", 8},
    {"durbin", 8},     {"fdtd-2d", 8}, {"doitgen", 16},  {"trmm", 16},      {"seidel-2d", 16},
    {"atax", 16},      {"syr2k", 32},  {"gesummv", 32},  {"jacobi-1d", 32}, {"gemm", 32},
};

int dag_find(const char *name)
{
    for (int i = 0; i < ndag; i++)
        if (strcmp(dag_set[i].name, name) == 0)
            return i;
    return -1;
}

int dag_in_subset(const char *graph, int k)
{
    for (size_t i = 0; i < sizeof subset / sizeof *subset; i++)
        if (subset[i].k == k && strcmp(subset[i].graph, graph) == 0)
            return 1;
    return 0;
}

/* Each arc as an edge: a DAG has no two between the same vertices. */
static cleave_graph *without_directions(const cleave_graph *g)
{
    cleave_csr successors, predecessors, csr;
    cleave_csr_init(&successors, sizeof successors);
    cleave_csr_init(&predecessors, sizeof predecessors);
    cleave_csr_init(&csr, sizeof csr);
    cleave_graph_view(g, &successors);
    cleave_graph_view_predecessors(g, &predecessors);
    int32_t n = successors.nvtx;
    int64_t *xadj = malloc(((size_t)n + 1) * sizeof *xadj);
    int32_t *adj = malloc((size_t)(2 * successors.xadj[n] + 1) * sizeof *adj);
    if (!xadj || !adj)
        bench_fail("out of memory");
    xadj[0] = 0;
    for (int32_t v = 0; v < n; v++) {
        int64_t at = xadj[v];
        for (int64_t a = predecessors.xadj[v]; a < predecessors.xadj[v + 1]; a++)
            adj[at++] = predecessors.adj[a];
        for (int64_t a = successors.xadj[v]; a < successors.xadj[v + 1]; a++)
            adj[at++] = successors.adj[a];
        xadj[v + 1] = at;
    }
    csr.nvtx = n;
    csr.xadj = xadj;
    csr.adj = adj;
    cleave_graph *undirected;
    cleave_error err;
    if (cleave_graph_create(&undirected, &csr, 0, &err) != CLEAVE_OK)
        bench_fail(err.message);
    free(xadj);
    free(adj);
    return undirected;
}

void dag_load(loaded_dag *l, const char *name)
{
    char spec[80];
    cleave_error err;
    if (l->g)
        return;
    snprintf(spec, sizeof spec, "polybench:%s", name);
    if (cleave_graph_generate(&l->g, spec, NULL, &err) != CLEAVE_OK)
        bench_fail(err.message);
    l->undirected = without_directions(l->g);
    l->m = metis_prepare(l->undirected);
}

void dag_unload(loaded_dag *l)
{
    if (!l->g)
        return;
    metis_free(l->m);
    cleave_graph_free(l->undirected);
    cleave_graph_free(l->g);
    memset(l, 0, sizeof *l);
}

void dag_rivals_load(dag_rivals *r, const settings *s)
{
    char path[600], text[300];
    r->count = 0;
    snprintf(path, sizeof path, "%s/anchors/acyclic.csv", s->shared);
    FILE *file = fopen(path, "r");
    while (file && fgets(text, sizeof text, file) && r->count < max_rivals) {
        dag_rival *now = &r->line[r->count];
        memset(now, 0, sizeof *now);
        if (text[0] != '#' && sscanf(text, "%39[^,],%d,%23[^,],%lf,%lf,%lf,%lf,%lf",
                                     now->graph, &now->k, now->tool, &now->cut, &now->cut_best,
                                     &now->volume, &now->path, &now->time_ratio) >= 7)
            r->count++;
    }
    if (file)
        fclose(file);
    else
        fprintf(stderr, "bench_acyclic: %s is not there: nothing to compare with\n", path);
}

const dag_rival *dag_rivals_find(const dag_rivals *r, const char *graph, int k,
                                 const char *tool)
{
    for (int i = 0; i < r->count; i++)
        if (r->line[i].k == k && strcmp(r->line[i].graph, graph) == 0 &&
            strcmp(r->line[i].tool, tool) == 0)
            return &r->line[i];
    return NULL;
}
