/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics as rows and as members of a JSON object. */
#include "cli/quality.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/graph_io.h"

void cli_quality_rows(const char *graph, const char *partition, const cleave_graph *g,
                      const cleave_metrics *m, const char *bound)
{
    int32_t used = m->parts - m->empty_parts, nvtx = cleave_graph_vertices(g);
    int64_t edges = cleave_graph_edges(g);
    printf("%s: %s\n", graph, partition);
    cli_row("graph", "%s, %" PRId32 " %s, %" PRId64 " %s", cli_kind_name(cleave_graph_kind(g)),
            nvtx, cli_plural(nvtx, "vertex", "vertices"), edges,
            cli_plural(edges, "edge", "edges"));
    cli_row("parts", "%" PRId32 ", %" PRId32 " empty", m->parts, m->empty_parts);
    cli_row("cut", "%" PRId64, m->cut);
    cli_row("volume", "%" PRId64 ", largest of a part %" PRId64, m->volume, m->max_volume);
    cli_row("imbalance", "%.4f", m->imbalance);
    cli_row("balanced", "%s (%s)", m->balanced ? "yes" : "no", bound);
    cli_row("part weight", "min %" PRId64 ", max %" PRId64, m->min_weight, m->max_weight);
    cli_row("pieces", "%" PRId32 "%s", m->pieces,
            m->pieces == used ? " (every part is connected)" : "");
    cli_row("setups", "%" PRId64, m->setups);
}

void cli_quality_json(cli_json *json, const char *graph, const char *partition,
                      const cleave_graph *g, const cleave_metrics *m)
{
    cli_json_text(json, "file", graph);
    cli_json_text(json, "partition", partition);
    cli_json_text(json, "kind", cli_kind_name(cleave_graph_kind(g)));
    cli_json_int(json, "vertices", cleave_graph_vertices(g));
    cli_json_int(json, "edges", cleave_graph_edges(g));
    cli_json_int(json, "parts", m->parts);
    cli_json_int(json, "cut", m->cut);
    cli_json_int(json, "volume", m->volume);
    cli_json_int(json, "max_volume", m->max_volume);
    cli_json_real(json, "imbalance", m->imbalance);
    cli_json_bool(json, "balanced", m->balanced);
    cli_json_int(json, "min_weight", m->min_weight);
    cli_json_int(json, "max_weight", m->max_weight);
    cli_json_int(json, "empty_parts", m->empty_parts);
    cli_json_int(json, "pieces", m->pieces);
    cli_json_int(json, "setups", m->setups);
    cli_json_answer(json, "acyclic", m->acyclic);
    cli_json_answer(json, "convex", m->convex);
    if (m->critical_path < 0)
        cli_json_null(json, "critical_path");
    else
        cli_json_int(json, "critical_path", m->critical_path);
}
