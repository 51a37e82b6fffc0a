/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics as rows and as members of a JSON object. */
#include "cli/quality.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/graph_io.h"

cli_size cli_size_of(const cleave_graph *g)
{
    return (cli_size){cleave_graph_kind(g), cleave_graph_vertices(g), cleave_graph_edges(g)};
}

void cli_size_row(cli_size size)
{
    cli_row("graph", "%s, %" PRId64 " %s, %" PRId64 " %s", cli_kind_name(size.kind),
            size.vertices, cli_plural(size.vertices, "vertex", "vertices"), size.edges,
            cli_plural(size.edges, "edge", "edges"));
}

void cli_json_size(cli_json *json, cli_size size)
{
    cli_json_text(json, "kind", cli_kind_name(size.kind));
    cli_json_int(json, "vertices", size.vertices);
    cli_json_int(json, "edges", size.edges);
}

/* The reason why a mapping with an imbalance above the bound is still balanced; NULL: it is
 * not, or the bound explains it. */
static const char *balance_note(bool balanced, double imbalance, const cli_bound *bound)
{
    const double rounding = 1e-9;
    if (!balanced || imbalance <= bound->imbalance + rounding)
        return NULL;
    if (bound->one_to_one)
        return "one vertex per PE, whatever it weighs";
    return bound->given ? "within the bounds given" : "shares rounded up to whole weights";
}

void cli_balanced_row(bool balanced, double imbalance, const cli_bound *bound)
{
    const char *note = balance_note(balanced, imbalance, bound);
    cli_row("balanced", "%s (bound %g%s%s%s)", balanced ? "yes" : "no", bound->imbalance,
            bound->given ? ", and those given" : "", note && !bound->given ? ", " : "",
            note && !bound->given ? note : "");
}

void cli_balanced_json(cli_json *json, bool balanced, double imbalance, const cli_bound *bound)
{
    cli_json_bool(json, "balanced", balanced);
    cli_json_text(json, "balance_note", balance_note(balanced, imbalance, bound));
}

void cli_quality_rows(const char *graph, const char *partition, cli_size size,
                      const cleave_metrics *m, const cli_bound *bound)
{
    int32_t used = m->parts - m->empty_parts;
    cli_line("%s: %s", graph, partition);
    cli_size_row(size);
    cli_row("parts", "%" PRId32 ", %" PRId32 " empty", m->parts, m->empty_parts);
    cli_row("cut", "%" PRId64, m->cut);
    cli_row("volume", "%" PRId64 ", largest of a part %" PRId64, m->volume, m->max_volume);
    cli_row("imbalance", "%.4f", m->imbalance);
    cli_balanced_row(m->balanced, m->imbalance, bound);
    cli_row("part weight", "min %" PRId64 ", max %" PRId64, m->min_weight, m->max_weight);
    cli_row("pieces", "%" PRId32 "%s", m->pieces,
            m->pieces == used ? " (every part is connected)" : "");
    cli_row("setups", "%" PRId64, m->setups);
}

static void print_cycle(const int64_t *cycle, int32_t length)
{
    enum { shown = 8 };
    printf("  %-18s no: parts", "acyclic");
    for (int32_t i = 0; i < length && i < shown; i++)
        printf(" %" PRId64 " ->", cycle[i]);
    if (length > shown)
        printf(" ... (%" PRId32 " parts) ->", length);
    printf(" %" PRId64 "\n", length ? cycle[0] : 0);
}

void cli_quality_directions(const cleave_metrics *m, const int64_t *cycle, int32_t length,
                            const cleave_evaluate_options *opt)
{
    if (m->acyclic < 0)
        return;
    if (m->acyclic)
        cli_row("acyclic", "yes");
    else
        print_cycle(cycle, length);
    cli_row("convex", "%s", m->convex ? "yes" : "no");
    cli_row("critical path",
            "%" PRId64 " (vertex %" PRId64 ", inside %" PRId64 ", cut %" PRId64 ")",
            m->critical_path, opt->cost_vertex, opt->cost_inside, opt->cost_cut);
}

void cli_quality_json(cli_json *json, const char *graph, const char *partition, cli_size size,
                      const cleave_metrics *m, const cli_bound *bound)
{
    cli_json_text(json, "file", graph);
    cli_json_text(json, "partition", partition);
    cli_json_size(json, size);
    cli_json_int(json, "parts", m->parts);
    cli_json_int(json, "cut", m->cut);
    cli_json_int(json, "volume", m->volume);
    cli_json_int(json, "max_volume", m->max_volume);
    cli_json_real(json, "imbalance", m->imbalance);
    cli_balanced_json(json, m->balanced, m->imbalance, bound);
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

int cli_quality_missing(const cli_verdict *v)
{
    const cleave_metrics *m = v->metrics;
    if (v->vertices < m->parts)
        cli_warn("%" PRId64 " %s for %" PRId32 " %s: %" PRId32 " stay empty", v->vertices,
                 cli_plural(v->vertices, "vertex", "vertices"), m->parts,
                 v->onto_machine ? "PEs" : "parts", m->empty_parts);
    if (v->status == CLEAVE_EBALANCE)
        cli_complain("not met: %s", v->error->message);
    if (v->status == CLEAVE_ECANCEL)
        cli_complain("interrupted: %s has the best %s so far%s",
                     strcmp(v->output, "-") == 0 ? "the output" : v->output,
                     v->onto_machine ? "mapping" : "partition",
                     m->balanced ? "" : ", which is not balanced");
    return v->status == CLEAVE_OK ? CLI_OK : CLI_NOT_MET;
}
