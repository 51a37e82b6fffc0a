/* SPDX-License-Identifier: Apache-2.0 */
/* view/graph_page.c - the page of a graph and its mapping: figure, metrics, parts.
 *
 * The metrics are those of cleave_evaluate and cleave_evaluate_target, under their names in
 * `cleave evaluate --json`. */
#include <math.h>
#include <stdio.h>

#include "base/number.h"
#include "evaluate/mapping_metrics.h"
#include "evaluate/traffic.h"
#include "view/graph_view.h"
#include "view/machine_figures.h"

enum { most_metrics = 40, most_rows = 5000 };

typedef struct rows {
    int count;
    clv_metric metric[most_metrics];
} rows;

static void add_int(rows *r, const char *label, const char *key, int64_t value)
{
    r->metric[r->count++] = clv_metric_int(label, key, value);
}

static void add_real(rows *r, const char *label, const char *key, double value)
{
    r->metric[r->count++] = isfinite(value) ? clv_metric_real(label, key, value)
                                            : clv_metric_text(label, key, "infinite");
}

static void add_answer(rows *r, const char *label, const char *key, int32_t value)
{
    if (value >= 0)
        r->metric[r->count++] = clv_metric_text(label, key, value ? "yes" : "no");
}

static void of_graph(rows *r, const clv_graph *g)
{
    r->metric[r->count++] =
        clv_metric_text("Kind", "kind", g->kind == CLEAVE_DAG ? "dag" : "undirected");
    add_int(r, "Vertices", "vertices", g->nvtx);
    add_int(r, "Edges", "edges", clv_graph_edges(g));
}

static void of_mapping(rows *r, const cleave_metrics *m)
{
    add_int(r, "Parts", "parts", m->parts);
    add_int(r, "Empty parts", "empty_parts", m->empty_parts);
    add_int(r, "Cut", "cut", m->cut);
    add_int(r, "Volume", "volume", m->volume);
    add_int(r, "Largest volume of a part", "max_volume", m->max_volume);
    add_real(r, "Imbalance", "imbalance", m->imbalance);
    add_answer(r, "Balanced", "balanced", m->balanced);
    add_int(r, "Lightest part", "min_weight", m->min_weight);
    add_int(r, "Heaviest part", "max_weight", m->max_weight);
    add_int(r, "Connected pieces", "pieces", m->pieces);
    add_int(r, "Adjacent pairs of parts", "setups", m->setups);
    add_answer(r, "Acyclic", "acyclic", m->acyclic);
    add_answer(r, "Convex", "convex", m->convex);
    if (m->critical_path >= 0)
        add_int(r, "Critical path", "critical_path", m->critical_path);
}

static void of_target(rows *r, const cleave_target_metrics *m)
{
    add_int(r, "Cost", "cost", m->cost);
    add_int(r, "Cost as numbered", "cost_identity", m->cost_identity);
    add_real(r, "Average dilation", "average_dilation", m->average_dilation);
    if (m->max_link_load >= 0) {
        add_int(r, "Largest load of a link", "max_link_load", m->max_link_load);
        add_real(r, "Average load of links", "average_link_load", m->average_link_load);
    }
    add_int(r, "Largest traffic of a PE", "max_pe_traffic", m->max_pe_traffic);
}

cleave_status clv_page_target_metrics(clv_page *page, const clv_graph *g,
                                      const clv_mapping *map, const clv_target *t, clv_ws *ws,
                                      cleave_error *err)
{
    rows r = {0};
    cleave_target_metrics m = {.size = sizeof m};
    char title[160];
    CLV_TRY(clv_evaluate_on_target(&m, g, map, t, ws, err));
    t->shape->describe(t, title, sizeof title);
    of_target(&r, &m);
    clv_page_metrics(page, title, r.count, r.metric);
    return CLEAVE_OK;
}

/* Table: part, weight, volume sent, pieces. */
static cleave_status put_parts(clv_page *page, clv_graph_view *v, cleave_error *err)
{
    enum { columns = 4 };
    static const char *const header[columns] = {"Part", "Weight", "Volume sent", "Pieces"};
    int32_t nparts = v->m->nparts, shown = nparts < most_rows ? nparts : most_rows;
    int64_t *weight = clv_arena_alloc(&v->d->arena, nparts, sizeof *weight);
    int64_t *volume = clv_arena_alloc(&v->d->arena, nparts, sizeof *volume);
    int32_t *pieces = clv_arena_alloc(&v->d->arena, nparts, sizeof *pieces);
    const char **cell = clv_arena_alloc(&v->d->arena, (int64_t)shown * columns, sizeof *cell);
    char *text = clv_arena_alloc(&v->d->arena, (int64_t)shown * columns, CLV_NUMBER_SPACE);
    if (!weight || !volume || !pieces || !cell || !text)
        return clv_fail_memory(err);
    clv_part_metrics out = {weight, volume, pieces};
    CLV_TRY(clv_evaluate_parts(&out, v->g, v->m, v->d->ctx.ws, err));
    for (int32_t p = 0; p < shown; p++) {
        const int64_t value[columns] = {p, weight[p], volume[p], pieces[p]};
        for (int c = 0; c < columns; c++, text += CLV_NUMBER_SPACE) {
            *clv_print_i64(text, value[c]) = '\0';
            cell[(int64_t)p * columns + c] = text;
        }
    }
    clv_page_table(page, "Parts", columns, header, shown, cell);
    return CLEAVE_OK;
}

/* The machine with the load of this mapping, and before it, unless all PEs are equally
 * distant, with that of the identity mapping. */
static cleave_status draw_machine(clv_machine_figures *machine, const clv_graph_view *v,
                                  cleave_error *err)
{
    int32_t *identity = clv_arena_alloc(&v->d->arena, v->g->nvtx, sizeof *identity);
    if (!identity)
        return clv_fail_memory(err);
    clv_evaluate_identity(v->g->nvtx, v->t->npes, identity);
    *machine = (clv_machine_figures){
        .t = v->t,
        .g = v->g,
        .before = clv_target_is_flat(v->t) ? NULL : identity,
        .part = v->m->part,
        .nparts = v->m->nparts,
        .title = {"The machine, vertices as numbered", "The machine, vertices as mapped"},
        .ctx = &v->d->ctx,
        .arena = &v->d->arena};
    return clv_machine_figures_make(machine, err);
}

cleave_status clv_graph_page(clv_page *page, clv_graph_view *v, cleave_error *err)
{
    rows r = {0};
    clv_machine_figures machine = {0};
    bool on_machine = v->m && v->t && v->t->npes <= clv_most_drawn;
    if (on_machine)
        CLV_TRY(draw_machine(&machine, v, err));
    clv_page_open(page, v->figure.title, v->figure.caption);
    clv_figure untitled = v->figure;
    untitled.title = v->m ? "The graph and its parts" : "The graph";
    untitled.caption = NULL;
    clv_page_figure(page, &untitled, false);
    if (v->has_quotient)
        clv_page_figure(page, &v->quotient, false);
    if (on_machine)
        clv_page_machine(page, &machine);
    bool results = clv_drawing_results(page, &v->d->opt);
    of_graph(&r, v->g);
    if (v->m)
        of_mapping(&r, &v->metrics);
    if (!results)
        clv_page_metrics(page, "Metrics", r.count, r.metric);
    if (v->m && v->t && !results)
        CLV_TRY(clv_page_target_metrics(page, v->g, v->m, v->t, v->d->ctx.ws, err));
    if (v->m)
        CLV_TRY(put_parts(page, v, err));
    if (on_machine)
        CLV_TRY(clv_page_machine_table(page, &machine, err));
    return clv_page_close(page, err);
}
