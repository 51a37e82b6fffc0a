/* SPDX-License-Identifier: Apache-2.0 */
/* bench/layers/layers_set.c - matrices, circuits, and the recorded results of other programs
 * on the matrices.
 *
 * Circuits are in the form of GraphOpt: a vertex for each operation of two inputs.  Lower
 * triangles are those of the symmetric pattern, in natural order.  Exact factors are written
 * by make_factor of the shared folder (CHOLMOD's ordering); bench/run makes them below
 * FOLDER/factors where CHOLMOD is installed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layers/layers.h"

const int layers_threads[nlayers_threads] = {2, 8, 18};
const char *const layers_tools[nlayers_tool] = {"growlocal", "bsplocking", "greedybsp"};

const layers_graph layers_set[] = {
    {"OPF_6000.tri", "mtx/OPF_6000.mtx.gz", TRIANGLE, 0, 1},
    {"bcsstk25.tri", "mtx/bcsstk25.mtx.gz", TRIANGLE, 1, 1},
    {"bodyy5.tri", "mtx/bodyy5.mtx.gz", TRIANGLE, 1, 1},
    {"c-62.tri", "mtx/c-62.mtx.gz", TRIANGLE, 0, 1},
    {"finance256.tri", "mtx/finance256.mtx.gz", TRIANGLE, 0, 1},
    {"grid2d_1000.tri", "grid2d:1000x1000", TRIANGLE, 1, 0},
    {"grid2d_300.tri", "grid2d:300x300", TRIANGLE, 1, 1},
    {"grid3d_60.tri", "grid3d:60x60x60", TRIANGLE, 1, 0},
    {"shallow_water1.tri", "mtx/shallow_water1.mtx.gz", TRIANGLE, 1, 1},
    {"xenon1.tri", "mtx/xenon1.mtx.gz", TRIANGLE, 1, 0},
    {"OPF_6000.chol", NULL, FACTOR, 0, 1},
    {"bcsstk25.chol", NULL, FACTOR, 1, 0},
    {"bodyy5.chol", NULL, FACTOR, 1, 1},
    {"finance256.chol", NULL, FACTOR, 0, 0},
    {"grid2d_300.chol", NULL, FACTOR, 1, 0},
    {"grid3d_25.chol", NULL, FACTOR, 1, 0},
    {"shallow_water1.chol", NULL, FACTOR, 1, 0},
    {"accidents", "psdd/accidents.psdd.gz", CIRCUIT, 0, 0},
    {"ad", "psdd/ad.psdd.gz", CIRCUIT, 0, 0},
    {"dna", "psdd/dna.psdd", CIRCUIT, 0, 1},
    {"elevators", "psdd/elevators.psdd", CIRCUIT, 0, 1},
    {"insurance", "psdd/insurance.psdd", CIRCUIT, 0, 0},
    {"mnist-antonio", "psdd/mnist-antonio.psdd", CIRCUIT, 0, 1},
    {"msnbc", "psdd/msnbc.psdd", CIRCUIT, 0, 0},
    {"nltcs", "psdd/nltcs.psdd", CIRCUIT, 0, 1},
    {"plants", "psdd/plants.psdd.gz", CIRCUIT, 0, 0},
    {"pumsb_star", "psdd/pumsb_star.psdd.gz", CIRCUIT, 0, 0},
};
const int layers_count = sizeof layers_set / sizeof *layers_set;

int layers_find(const char *name)
{
    for (int i = 0; i < layers_count; i++)
        if (strcmp(layers_set[i].name, name) == 0)
            return i;
    return -1;
}

/* ---- Graphs ----------------------------------------------------------------------------- */

static void *must(void *block)
{
    if (!block)
        bench_fail("out of memory");
    return block;
}

/* The weight of a row is its number of non-zeros, including the diagonal. */
static cleave_graph *with_weights(const cleave_csr *rows, const int32_t *before)
{
    cleave_graph *made;
    cleave_error err;
    int32_t *weight = must(malloc(((size_t)rows->nvtx + 1) * sizeof *weight));
    for (int32_t v = 0; v < rows->nvtx; v++)
        weight[v] = before[v] + 1;
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    csr.kind = CLEAVE_DAG;
    csr.nvtx = rows->nvtx;
    csr.xadj = rows->xadj;
    csr.adj = rows->adj;
    csr.vwgt = weight;
    if (cleave_graph_create(&made, &csr, 0, &err) != CLEAVE_OK)
        bench_fail(err.message);
    free(weight);
    return made;
}

static void count_before(const cleave_csr *rows, int32_t *before)
{
    memset(before, 0, (size_t)rows->nvtx * sizeof *before);
    for (int64_t a = 0; a < rows->xadj[rows->nvtx]; a++)
        before[rows->adj[a]]++;
}

cleave_graph *layers_lower(cleave_graph *g)
{
    cleave_csr all, rows;
    cleave_csr_init(&all, sizeof all);
    cleave_csr_init(&rows, sizeof rows);
    cleave_graph_view(g, &all);
    int64_t *xadj = must(malloc(((size_t)all.nvtx + 1) * sizeof *xadj)), count = 0;
    int32_t *adj = must(malloc(((size_t)all.xadj[all.nvtx] + 1) * sizeof *adj));
    int32_t *before = must(malloc(((size_t)all.nvtx + 1) * sizeof *before));
    for (int32_t v = 0; v < all.nvtx; v++) {
        xadj[v] = count;
        for (int64_t a = all.xadj[v]; a < all.xadj[v + 1]; a++)
            if (all.adj[a] > v)
                adj[count++] = all.adj[a];
    }
    xadj[all.nvtx] = count;
    rows.nvtx = all.nvtx;
    rows.xadj = xadj;
    rows.adj = adj;
    count_before(&rows, before);
    cleave_graph *made = with_weights(&rows, before);
    free(xadj);
    free(adj);
    free(before);
    cleave_graph_free(g);
    return made;
}

static cleave_graph *read_factor(const settings *s, const char *name, const char **why)
{
    char path[600];
    cleave_graph *g, *made;
    cleave_read_options opt;
    cleave_error err;
    snprintf(path, sizeof path, "%s/factors/%s.mtx", s->folder, name);
    FILE *file = fopen(path, "r");
    *why = "there is no factor: bench/run makes them where CHOLMOD is installed "
           "(libsuitesparse-dev)";
    if (!file)
        return NULL;
    fclose(file);
    cleave_read_options_init(&opt, sizeof opt);
    opt.as = "lower";
    if (cleave_graph_read(&g, path, &opt, &err) != CLEAVE_OK)
        bench_fail(err.message);
    cleave_csr rows;
    cleave_csr_init(&rows, sizeof rows);
    cleave_graph_view(g, &rows);
    int32_t *before = must(malloc(((size_t)rows.nvtx + 1) * sizeof *before));
    count_before(&rows, before);
    made = with_weights(&rows, before);
    free(before);
    cleave_graph_free(g);
    return made;
}

cleave_graph *layers_read(const settings *s, const layers_graph *what, const char **why)
{
    char path[600];
    cleave_graph *g;
    cleave_read_options opt;
    cleave_error err;
    if (what->kind == FACTOR)
        return read_factor(s, what->name, why);
    cleave_read_options_init(&opt, sizeof opt);
    opt.binarise = what->kind == CIRCUIT;
    if (what->kind == TRIANGLE) {
        opt.as = "undirected";
        opt.symmetrise = "max";
    }
    snprintf(path, sizeof path, "%s/data/%s", s->shared, what->file);
    cleave_status status = strncmp(what->file, "grid", 4) == 0
                               ? cleave_graph_generate(&g, what->file, NULL, &err)
                               : cleave_graph_read(&g, path, &opt, &err);
    if (status != CLEAVE_OK)
        bench_fail(err.message);
    return what->kind == TRIANGLE ? layers_lower(g) : g;
}

/* ---- Other programs --------------------------------------------------------------------- */

static void relate(layers_rivals *r)
{
    for (int i = 0; i < r->count; i++) {
        layers_rival *now = &r->line[i];
        const layers_rival *serial = layers_rivals_find(r, now->graph, now->threads, "serial");
        now->speed_up = serial ? serial->cost / now->cost : 0;
    }
}

void layers_rivals_load(layers_rivals *r, const settings *s)
{
    char path[600], line[300];
    snprintf(path, sizeof path, "%s/anchors/layers.csv", s->shared);
    FILE *file = fopen(path, "r");
    while (file && r->count < max_layers_rivals && fgets(line, sizeof line, file)) {
        layers_rival now;
        if (line[0] != '#' && sscanf(line, "%39[^,],%d,%23[^,],%d,%*f,%lf", now.graph,
                                     &now.threads, now.tool, &now.layers, &now.cost) == 5)
            r->line[r->count++] = now;
    }
    if (!file)
        bench_fail("cannot open anchors/layers.csv below the shared folder; see --shared");
    fclose(file);
    relate(r);
}

const layers_rival *layers_rivals_find(const layers_rivals *r, const char *graph, int threads,
                                       const char *tool)
{
    for (int i = 0; i < r->count; i++)
        if (r->line[i].threads == threads && strcmp(r->line[i].graph, graph) == 0 &&
            strcmp(r->line[i].tool, tool) == 0)
            return &r->line[i];
    return NULL;
}

double layers_rivals_best(const layers_rivals *r, const char *graph, int threads)
{
    double best = 0;
    for (int t = 0; t < nlayers_tool; t++) {
        const layers_rival *one = layers_rivals_find(r, graph, threads, layers_tools[t]);
        if (one && (best == 0 || one->cost < best))
            best = one->cost;
    }
    return best;
}
