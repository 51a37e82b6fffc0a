/* SPDX-License-Identifier: Apache-2.0 */
/* compat/metis/metis_dissect.c - METIS_NodeNDP, which ParMETIS calls: nested dissection down
 * to npes pieces, with their sizes.
 *
 * The pieces and separators are the nodes of a binary tree, numbered as in a heap: the root is
 * 0, the children of node c are 2c + 1 and 2c + 2, the first npes - 1 nodes are separators.
 * sizes[2 npes - 2 - c] is the size of node c.  Vertices of a node come after those of its
 * children, and the left child comes first. */
#include "layer.h"

typedef struct dissection {
    const cm_settings *settings;
    idx_t npes;
    idx_t *sizes;
    int32_t *place; /* vertex by place */
} dissection;

/* One node: the vertices of g are these of the whole graph, and get the places from `at`
 * on. */
typedef struct node {
    const cleave_graph *g;
    int32_t *vertex;
    int32_t at;
    idx_t number;
} node;

static int dissect(const dissection *d, const node *n);

/* A leaf. */
static int order_leaf(const dissection *d, const node *n)
{
    cleave_order_options opt;
    cleave_order *order;
    cleave_order_options_init(&opt, sizeof opt);
    opt.method = "nd";
    opt.seed = d->settings->seed;
    opt.effort = d->settings->effort;
    opt.threads = 1;
    cleave_status status = cleave_order_build(&order, n->g, &opt, NULL);
    if (status != CLEAVE_OK)
        return cm_status(status);
    int32_t count = cleave_graph_vertices(n->g);
    for (int32_t i = 0; i < count; i++)
        d->place[n->at + i] = n->vertex[cleave_order_view(order)[i]];
    d->sizes[2 * d->npes - 2 - n->number] = count;
    cleave_order_free(order);
    return METIS_OK;
}

/* The vertices of one side: local numbers for the subgraph, then those of the whole. */
static int dissect_side(const dissection *d, const node *n, const int32_t *part, int side,
                        int32_t at)
{
    int32_t total = cleave_graph_vertices(n->g), count = 0;
    cleave_graph *half = NULL;
    int32_t *vertex = cm_alloc(total, sizeof *vertex);
    if (!vertex)
        return METIS_ERROR_MEMORY;
    for (int32_t v = 0; v < total; v++)
        if (part[v] == side)
            vertex[count++] = v;
    int status = cm_status(cleave_graph_subgraph(&half, n->g, count, vertex, NULL));
    for (int32_t i = 0; i < count; i++)
        vertex[i] = n->vertex[vertex[i]];
    node inner = {half, vertex, at, 2 * n->number + 1 + side};
    if (status == METIS_OK)
        status = dissect(d, &inner);
    cleave_graph_free(half);
    cm_free(vertex);
    return status;
}

static int dissect_parts(const dissection *d, const node *n, const int32_t *part)
{
    int32_t total = cleave_graph_vertices(n->g), count[3] = {0};
    for (int32_t v = 0; v < total; v++)
        count[part[v]]++;
    int32_t at = n->at + count[0] + count[1];
    for (int32_t v = 0; v < total; v++)
        if (part[v] == 2)
            d->place[at++] = n->vertex[v];
    d->sizes[2 * d->npes - 2 - n->number] = count[2];
    int status = dissect_side(d, n, part, 0, n->at);
    return status == METIS_OK ? dissect_side(d, n, part, 1, n->at + count[0]) : status;
}

static int dissect(const dissection *d, const node *n)
{
    if (n->number >= d->npes - 1)
        return order_leaf(d, n);
    cleave_separator_options opt;
    cleave_mapping *mapping;
    cleave_separator_options_init(&opt, sizeof opt);
    opt.imbalance = d->settings->imbalance;
    opt.seed = d->settings->seed;
    opt.effort = d->settings->effort;
    opt.threads = 1;
    cleave_status status = cleave_separator(&mapping, n->g, &opt, NULL, NULL);
    if (status != CLEAVE_OK)
        return cm_status(status);
    int answer = dissect_parts(d, n, cleave_mapping_parts(mapping));
    cleave_mapping_free(mapping);
    return answer;
}

static int dissect_all(const dissection *d, const cleave_graph *g)
{
    int32_t count = cleave_graph_vertices(g);
    int32_t *vertex = cm_alloc(count, sizeof *vertex);
    if (!vertex)
        return METIS_ERROR_MEMORY;
    for (int32_t v = 0; v < count; v++)
        vertex[v] = v;
    node root = {g, vertex, 0, 0};
    int status = dissect(d, &root);
    cm_free(vertex);
    return status;
}

METIS_API(int)
METIS_NodeNDP(idx_t nvtxs, idx_t *xadj, idx_t *adjncy, idx_t *vwgt, idx_t npes, idx_t *options,
              idx_t *perm, idx_t *iperm, idx_t *sizes)
{
    cm_settings settings;
    cm_graph graph;
    if (npes < 1 || npes > INT32_MAX / 2 || !sizes || (nvtxs > 0 && (!perm || !iperm)) ||
        !cm_settings_read(&settings, options, CM_ORDER, 1))
        return METIS_ERROR_INPUT;
    idx_t numbering = cm_numbering_of(&settings, xadj);
    cm_arrays arrays = {nvtxs, 1, xadj, adjncy, vwgt, NULL, NULL, numbering};
    int status = cm_graph_open(&graph, &arrays);
    dissection d = {&settings, npes, sizes, NULL};
    if (status == METIS_OK) {
        d.place = cm_alloc(nvtxs, sizeof *d.place);
        status = d.place ? dissect_all(&d, graph.g) : METIS_ERROR_MEMORY;
    }
    for (idx_t i = 0; status == METIS_OK && i < nvtxs; i++) {
        perm[i] = d.place[i] + numbering;
        iperm[d.place[i]] = i + numbering;
    }
    cm_free(d.place);
    cm_graph_close(&graph);
    return status;
}
