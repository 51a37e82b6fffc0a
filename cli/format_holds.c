/* SPDX-License-Identifier: Apache-2.0 */
/* The table of what each format can hold.  tests/cli/check-losses verifies it: it writes
 * graphs with all attributes in every format and reads them back. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/format_holds.h"

enum {
    VERTEX_WEIGHT = 1,
    SEVERAL_WEIGHTS = 2,
    EDGE_WEIGHT = 4,
    EDGE_VALUE = 8, /* edge weights, but they are read only on request */
    VERTEX_SIZE = 16,
    COORDINATES = 32,
    IDS = 64,        /* names that are ascending whole numbers */
    NAMES = 128,     /* any other names */
    DIRECTION = 256, /* a DAG is read back as one without being told */
    PARTS = 512,     /* colours */
    ORDER = 1024,    /* of vertices whose names are whole numbers, but not ascending */
    NO_ZEROS = 2048, /* holds less: weights are at least 1 */
    WEIGHTS = VERTEX_WEIGHT | SEVERAL_WEIGHTS | EDGE_WEIGHT | VERTEX_SIZE
};

typedef struct holding {
    const char *format;
    unsigned holds;
} holding;

static const holding table[] = {
    {"metis", WEIGHTS},
    {"mtx", EDGE_VALUE},
    {"edges", EDGE_WEIGHT | IDS},
    {"dot", WEIGHTS | COORDINATES | IDS | NAMES | DIRECTION | PARTS},
    {"binary", WEIGHTS | COORDINATES | IDS | NAMES | DIRECTION | ORDER},
    {"scotch", VERTEX_WEIGHT | EDGE_WEIGHT | IDS},
    {"dgraph", DIRECTION},
    {"pace", EDGE_WEIGHT},
    {"hdag", VERTEX_WEIGHT | VERTEX_SIZE | DIRECTION},
    {"wfcommons", VERTEX_WEIGHT | EDGE_WEIGHT | IDS | NAMES | DIRECTION | ORDER | NO_ZEROS},
    {"psdd", 0},
    {"mesh", 0},
    {"vtk", WEIGHTS | COORDINATES | DIRECTION | PARTS},
    {"vtu", WEIGHTS | COORDINATES | DIRECTION | PARTS},
    {"openfoam", ~(unsigned)NO_ZEROS}, /* holds parts only: no warning about the graph */
};
enum { table_size = sizeof table / sizeof *table };

static const holding *find(const char *format)
{
    for (int i = 0; format && i < table_size; i++)
        if (strcmp(table[i].format, format) == 0)
            return &table[i];
    return NULL;
}

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
    const holding *row = find(format);
    return row && row->holds & PARTS;
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
    return names_are_ids(g) ? IDS : names_out_of_order(g) ? NAMES | ORDER : NAMES;
}

static unsigned what_rows_have(const cleave_csr *view)
{
    unsigned has = 0;
    if (view->vwgt)
        has |= view->ncon > 1 ? VERTEX_WEIGHT | SEVERAL_WEIGHTS : VERTEX_WEIGHT;
    if (view->ewgt)
        has |= EDGE_WEIGHT;
    if (view->vsize)
        has |= VERTEX_SIZE;
    if (view->ndim)
        has |= COORDINATES;
    if (view->kind == CLEAVE_DAG)
        has |= DIRECTION;
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
        {VERTEX_WEIGHT, "the vertex weights are lost"},
        {SEVERAL_WEIGHTS, "all but the first weight of each vertex are lost"},
        {EDGE_WEIGHT, "the edge weights are lost"},
        {EDGE_VALUE, "the edge weights become values (read it with --weights values)"},
        {VERTEX_SIZE, "the vertex sizes are lost"},
        {IDS, "the ids of the vertices are lost"},
        {NAMES, "the names of the vertices are lost"},
        {ORDER, "the order of the vertices is lost (whole-number names are numbered in "
                "ascending order)"},
        {DIRECTION, "it does not say that this is a DAG (read it with --as dag)"},
    };
    const holding *row = find(format);
    if (!row)
        return;
    unsigned lost = has & ~row->holds;
    if (lost & EDGE_WEIGHT && row->holds & EDGE_VALUE)
        lost = (lost & ~(unsigned)EDGE_WEIGHT) | EDGE_VALUE;
    if (lost & VERTEX_WEIGHT)
        lost &= ~(unsigned)SEVERAL_WEIGHTS; /* already reported by the first */
    if (lost & NAMES)
        lost &= ~(unsigned)ORDER; /* without names the order stays */
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (lost & texts[i].bit)
            cli_warn("format %s: %s", format, texts[i].what);
    if (row->holds & NO_ZEROS && has_zero_weights(view))
        cli_warn("format %s: weights of 0 are read back as 1", format);
    if (lost & COORDINATES && coords_option && coords_option[0])
        cli_warn("format %s: the coordinates are lost (%s FILE saves them)", format,
                 coords_option);
    else if (lost & COORDINATES && coords_option)
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
