/* SPDX-License-Identifier: Apache-2.0 */
/* Compares what a graph has with what a format can hold.  tests/cli/check-losses verifies it:
 * it writes graphs with all attributes in every format and reads them back. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/format_holds.h"

const char *cli_format_of(const char *path, const char *format)
{
    return format ? format : cleave_format_of_path(path);
}

int cli_check_output(const char *verb, const char *path, const char *format)
{
    const char *chosen = cli_format_of(path, format), *name;
    int can_write = 0;
    if (!chosen && strcmp(path, "-") == 0)
        return cli_usage_error(verb, "writing to '-' needs --to FORMAT");
    if (!chosen)
        return cli_usage_error(verb, "'%s': unknown output format; use --to FORMAT", path);
    for (int i = 0; (name = cleave_format_name(i, NULL, &can_write)); i++)
        if (strcmp(name, chosen) == 0 && !can_write)
            return cli_usage_error(verb, "format %s can only be read", chosen);
    return CLI_GO_ON;
}

bool cli_format_shows_parts(const char *format)
{
    return cleave_format_holds(format) & CLEAVE_HOLDS_PARTS;
}

static bool names_are_ids(const cleave_graph *g)
{
    int64_t before = -1;
    for (int32_t v = 0; v < cleave_graph_vertices(g); v++) {
        const char *name = cleave_graph_name(g, v);
        size_t length = strlen(name);
        if (length == 0 || length > 18 || strspn(name, "0123456789") != length)
            return false;
        int64_t id = strtoll(name, NULL, 10);
        if (id <= before)
            return false;
        before = id;
    }
    return true;
}

/* Whether a reader that sorts vertices with whole numbers as names would change their order.
 * The DOT reader only recognizes numbers in canonical form. */
static bool names_out_of_order(const cleave_graph *g)
{
    int64_t before = INT64_MIN;
    bool ascending = true;
    for (int32_t v = 0; v < cleave_graph_vertices(g); v++) {
        char again[32];
        const char *name = cleave_graph_name(g, v);
        int64_t id = strtoll(name, NULL, 10);
        snprintf(again, sizeof again, "%" PRId64, id);
        if (strcmp(again, name) != 0)
            return false;
        ascending = ascending && id >= before;
        before = id;
    }
    return !ascending;
}

static unsigned what_names_are(const cleave_graph *g)
{
    if (!cleave_graph_name(g, 0))
        return 0;
    return names_are_ids(g)        ? CLEAVE_HOLDS_IDS
           : names_out_of_order(g) ? CLEAVE_HOLDS_NAMES | CLEAVE_HOLDS_ORDER
                                   : CLEAVE_HOLDS_NAMES;
}

static unsigned what_rows_have(const cleave_csr *view)
{
    unsigned has = 0;
    if (view->vwgt)
        has |= view->ncon > 1 ? CLEAVE_HOLDS_VERTEX_WEIGHTS | CLEAVE_HOLDS_SEVERAL_WEIGHTS
                              : CLEAVE_HOLDS_VERTEX_WEIGHTS;
    if (view->ewgt)
        has |= CLEAVE_HOLDS_EDGE_WEIGHTS;
    if (view->vsize)
        has |= CLEAVE_HOLDS_VERTEX_SIZES;
    if (view->ndim)
        has |= CLEAVE_HOLDS_COORDINATES;
    if (view->kind == CLEAVE_DAG)
        has |= CLEAVE_HOLDS_DIRECTION;
    return has;
}

static bool has_zero_weights(const cleave_csr *view)
{
    for (int64_t v = 0; view->vwgt && v < view->nvtx; v++)
        if (view->vwgt[v * view->ncon] == 0)
            return true;
    for (int64_t a = 0; view->ewgt && a < view->xadj[view->nvtx]; a++)
        if (view->ewgt[a] == 0)
            return true;
    return false;
}

static void warn(unsigned has, const cleave_csr *view, const char *format,
                 const char *coords_option)
{
    static const struct {
        unsigned bit;
        const char *what;
    } texts[] = {
        {CLEAVE_HOLDS_VERTEX_WEIGHTS, "the vertex weights are lost"},
        {CLEAVE_HOLDS_SEVERAL_WEIGHTS, "all but the first weight of each vertex are lost"},
        {CLEAVE_HOLDS_EDGE_WEIGHTS, "the edge weights are lost"},
        {CLEAVE_HOLDS_EDGE_VALUES,
         "the edge weights become values (read it with --weights values)"},
        {CLEAVE_HOLDS_VERTEX_SIZES, "the vertex sizes are lost"},
        {CLEAVE_HOLDS_IDS, "the ids of the vertices are lost"},
        {CLEAVE_HOLDS_NAMES, "the names of the vertices are lost"},
        {CLEAVE_HOLDS_ORDER,
         "the order of the vertices is lost (whole-number names are numbered in "
         "ascending order)"},
        {CLEAVE_HOLDS_DIRECTION, "the kind of the graph is lost (read it with --as dag)"},
    };
    unsigned holds = cleave_format_holds(format), lost = has & ~holds;
    if (holds == CLEAVE_HOLDS_PARTS)
        return;
    if (lost & CLEAVE_HOLDS_EDGE_WEIGHTS && holds & CLEAVE_HOLDS_EDGE_VALUES)
        lost = (lost & ~(unsigned)CLEAVE_HOLDS_EDGE_WEIGHTS) | CLEAVE_HOLDS_EDGE_VALUES;
    if (lost & CLEAVE_HOLDS_VERTEX_WEIGHTS)
        lost &= ~(unsigned)CLEAVE_HOLDS_SEVERAL_WEIGHTS; /* already reported by the first */
    if (lost & CLEAVE_HOLDS_NAMES)
        lost &= ~(unsigned)CLEAVE_HOLDS_ORDER; /* without names the order stays */
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (lost & texts[i].bit)
            cli_warn("format %s: %s", format, texts[i].what);
    if (holds & CLEAVE_HOLDS_NO_ZEROS && has_zero_weights(view))
        cli_warn("format %s: weights of 0 are read back as 1", format);
    if (lost & CLEAVE_HOLDS_COORDINATES && coords_option && coords_option[0])
        cli_warn("format %s: the coordinates are lost (%s FILE saves them)", format,
                 coords_option);
    else if (lost & CLEAVE_HOLDS_COORDINATES && coords_option)
        cli_warn("format %s: the coordinates are lost", format);
}

void cli_warn_losses(const cleave_graph *g, const char *format, const char *coords_option)
{
    cleave_csr view;
    cleave_csr_init(&view, sizeof view);
    cleave_graph_view(g, &view);
    warn(what_rows_have(&view) | what_names_are(g), &view, format, coords_option);
}

void cli_warn_losses_of(const cleave_csr *rows, const char *format, const char *coords_option)
{
    warn(what_rows_have(rows), rows, format, coords_option);
}
