/* SPDX-License-Identifier: Apache-2.0 */
/* One pass over the arrays of a graph for the numbers of `cleave info`. */
#include <stdlib.h>
#include <string.h>

#include "cli/summary.h"

/* Every stride-th value from values[0] on, count of them. */
static cli_range range_of(const int32_t *values, int64_t count, int32_t stride)
{
    cli_range range = {0, 0, 0};
    if (count > 0)
        range.min = range.max = values[0];
    for (int64_t i = 0; i < count; i++) {
        int64_t value = values[i * stride];
        range.total += value;
        if (value < range.min)
            range.min = value;
        if (value > range.max)
            range.max = value;
    }
    return range;
}

static void summarise_degrees(cli_summary *s, const cleave_csr *pred)
{
    const cleave_csr *view = &s->view;
    bool dag = view->kind == CLEAVE_DAG;
    for (int32_t v = 0; v < view->nvtx; v++) {
        int64_t out = view->xadj[v + 1] - view->xadj[v];
        int64_t in = pred->xadj[v + 1] - pred->xadj[v];
        int64_t degree = dag ? out + in : out;
        if (v == 0 || degree < s->degree.min)
            s->degree.min = degree;
        if (degree > s->degree.max)
            s->degree.max = degree;
        s->degree.total += degree;
        s->isolated += degree == 0;
        s->sources += in == 0;
        s->sinks += out == 0;
        if (out > s->out_max)
            s->out_max = (int32_t)out;
        if (in > s->in_max)
            s->in_max = (int32_t)in;
    }
}

static void summarise_weights(cli_summary *s)
{
    const cleave_csr *view = &s->view;
    if (view->vwgt) {
        s->weight = cli_alloc(view->ncon, sizeof *s->weight);
        for (int32_t c = 0; c < view->ncon; c++)
            s->weight[c] = range_of(view->vwgt + c, view->nvtx, view->ncon);
    }
    if (view->ewgt) {
        s->edge_weight = range_of(view->ewgt, view->xadj[view->nvtx], 1);
        if (view->kind == CLEAVE_UNDIRECTED)
            s->edge_weight.total /= 2;
    }
    if (view->vsize)
        s->vsize = range_of(view->vsize, view->nvtx, 1);
}

static void summarise_box(cli_summary *s)
{
    int32_t ndim = s->view.ndim;
    for (int32_t v = 0; v < s->view.nvtx; v++) {
        const double *at = s->view.coords + (int64_t)v * ndim;
        for (int32_t d = 0; d < ndim; d++) {
            if (v == 0 || at[d] < s->low[d])
                s->low[d] = at[d];
            if (v == 0 || at[d] > s->high[d])
                s->high[d] = at[d];
        }
    }
}

/* Components, and the levels of a DAG. */
static cleave_status summarise_structure(cli_summary *s, const cleave_graph *g,
                                         cleave_error *err)
{
    int32_t *scratch = cli_alloc(s->view.nvtx, sizeof *scratch);
    cleave_status status = cleave_graph_components(g, scratch, &s->components, err);
    if (status == CLEAVE_OK && s->view.kind == CLEAVE_DAG)
        status = cleave_graph_levels(g, CLEAVE_LEVELS_TOP, scratch, &s->levels, err);
    free(scratch);
    if (s->levels > 0)
        s->mean_parallelism = (double)s->view.nvtx / s->levels;
    return status;
}

cleave_status cli_summarise(cli_summary *s, const cleave_graph *g, cleave_error *err)
{
    cleave_csr pred;
    memset(s, 0, sizeof *s);
    cleave_csr_init(&s->view, sizeof s->view);
    cleave_csr_init(&pred, sizeof pred);
    cleave_graph_view(g, &s->view);
    cleave_graph_view_predecessors(g, &pred);
    s->source.size = sizeof s->source;
    cleave_graph_source(g, &s->source);
    s->edges = cleave_graph_edges(g);
    s->named = cleave_graph_name(g, 0) != NULL;
    summarise_degrees(s, &pred);
    summarise_weights(s);
    if (s->view.ndim)
        summarise_box(s);
    cleave_status status = summarise_structure(s, g, err);
    if (status != CLEAVE_OK)
        cli_summary_free(s);
    return status;
}

void cli_summary_free(cli_summary *s)
{
    free(s->weight);
    s->weight = NULL;
}
