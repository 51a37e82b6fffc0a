/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics of an elimination order: fill, operations and the elimination tree. */
#include "cli/fill_rows.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/quality.h"

void cli_elimination_rows(const cleave_graph *g, const cleave_order_metrics *metrics)
{
    int64_t nonzeros = cleave_graph_vertices(g) + cleave_graph_edges(g);
    cli_row("fill", "%" PRId64 " non-zeros of the factor, %.2f times those of the matrix",
            metrics->fill, nonzeros > 0 ? (double)metrics->fill / (double)nonzeros : 1.0);
    cli_row("operations", "%.4g", metrics->operations);
    cli_row("elimination tree", "height %" PRId32 ", largest column %" PRId64, metrics->height,
            metrics->largest_column);
}

void cli_elimination_json(cli_json *json, const cleave_order_metrics *metrics)
{
    cli_json_int(json, "fill", metrics->fill);
    cli_json_real(json, "operations", metrics->operations);
    cli_json_int(json, "etree_height", metrics->height);
    cli_json_int(json, "largest_column", metrics->largest_column);
}

static void print_json(const cleave_graph *g, const cleave_order *o, const char *graph,
                       const char *order, const cleave_order_metrics *metrics)
{
    cli_json json;
    cli_json_begin(&json);
    cli_json_text(&json, "file", graph);
    cli_json_text(&json, "order", order);
    cli_json_int(&json, "vertices", cleave_graph_vertices(g));
    cli_json_int(&json, "edges", cleave_graph_edges(g));
    cli_json_text(&json, "method", cleave_order_method(o));
    cli_elimination_json(&json, metrics);
    cli_json_end(&json);
}

static void print_text(const cleave_graph *g, const cleave_order *o, const char *graph,
                       const char *order, const cleave_order_metrics *metrics)
{
    cli_line("%s: %s", graph, order);
    cli_size_row(cli_size_of(g));
    cli_row("method", "%s", cleave_order_method(o));
    cli_elimination_rows(g, metrics);
}

int cli_elimination_evaluate(const cleave_graph *g, const char *graph, const char *order,
                             bool trust, bool json)
{
    cleave_error err = {0};
    cleave_order *o = NULL;
    cleave_order_metrics metrics;
    cleave_order_metrics_init(&metrics, sizeof metrics);
    cleave_status status = cleave_order_open(&o, order, trust ? CLEAVE_TRUST : 0, &err);
    if (status == CLEAVE_OK)
        status = cleave_evaluate_order(&metrics, g, o, &err);
    if (status == CLEAVE_OK && json)
        print_json(g, o, graph, order, &metrics);
    else if (status == CLEAVE_OK)
        print_text(g, o, graph, order, &metrics);
    cleave_order_free(o);
    return status == CLEAVE_OK ? cli_flush() : cli_fail(status, &err);
}
