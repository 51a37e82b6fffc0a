/* SPDX-License-Identifier: Apache-2.0 */
/* formats/wfcommons_write.c - DAGs as workflows in WfFormat 1.5 [Coleman et al. 2022].
 *
 * The inverse of wfcommons.c: a task per vertex, with its name or number as id and its weight
 * in milliseconds as runtime; each weighted arc is a file of so many KiB, an extension of this
 * program.  Without vertex weights there is no execution, and without arc weights there are no
 * files, so that reading gives no weights either.  The schema requires a makespan and a date
 * of an execution: the tasks run one after the other, and the date is a constant, so that the
 * same graph gives the same bytes. */
#include "formats/wfcommons.h"

#include <string.h>

#include "formats/name_table.h"

/* ---- Names ---------------------------------------------------------------------------- */

/* Bytes of the character at p, by table 3-7 of the Unicode standard; 0: not UTF-8.  The
 * terminating zero byte never continues a character. */
static int utf8_length(const unsigned char *p)
{
    if (p[0] < 0x80)
        return 1;
    if (p[0] < 0xc2 || p[0] > 0xf4)
        return 0;
    int length = p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
    unsigned char low = p[0] == 0xe0 ? 0xa0 : p[0] == 0xf0 ? 0x90 : 0x80;
    unsigned char high = p[0] == 0xed ? 0x9f : p[0] == 0xf4 ? 0x8f : 0xbf;
    if (p[1] < low || p[1] > high)
        return 0;
    for (int i = 2; i < length; i++)
        if (p[i] < 0x80 || p[i] > 0xbf)
            return 0;
    return length;
}

static bool is_utf8(const char *name)
{
    const unsigned char *p = (const unsigned char *)name;
    while (*p) {
        int length = utf8_length(p);
        if (length == 0)
            return false;
        p += length;
    }
    return true;
}

/* Ids must be unique, and JSON must be UTF-8. */
static cleave_status refuse_names(const clv_graph *g, cleave_error *err)
{
    clv_name_table table = {0};
    cleave_status status = CLEAVE_OK;
    for (int32_t v = 0; g->names.offset && status == CLEAVE_OK && v < g->nvtx; v++) {
        const char *name = clv_graph_name(g, v);
        int32_t other;
        bool added = true;
        if (!is_utf8(name))
            status = clv_fail(err, CLEAVE_EINVAL,
                              "the name of vertex %d is not UTF-8, which JSON does not allow",
                              (int)v);
        else
            status =
                clv_name_table_add(&table, name, (int64_t)strlen(name), &other, &added, err);
        if (status == CLEAVE_OK && !added)
            status = clv_fail(
                err, CLEAVE_EINVAL,
                "vertices %d and %d are both named '%.40s', which WfFormat does not allow",
                (int)other, (int)v, name);
    }
    clv_name_table_free(&table);
    return status;
}

static void put_string(clv_output *out, const char *text)
{
    static const char digits[] = "0123456789abcdef";
    clv_put_char(out, '"');
    for (const char *p = text; *p; p++) {
        unsigned char c = (unsigned char)*p;
        if (c < 0x20) {
            clv_put_text(out, "\\u00");
            clv_put_char(out, digits[c >> 4]);
            clv_put_char(out, digits[c & 15]);
            continue;
        }
        if (c == '"' || c == '\\')
            clv_put_char(out, '\\');
        clv_put_char(out, *p);
    }
    clv_put_char(out, '"');
}

/* The id of a task. */
static void put_task(clv_output *out, const clv_graph *g, int32_t v)
{
    if (g->names.offset) {
        put_string(out, clv_graph_name(g, v));
        return;
    }
    clv_put_char(out, '"');
    clv_put_i64(out, v);
    clv_put_char(out, '"');
}

/* The file of an arc is named after its ends. */
static void put_file(clv_output *out, int32_t tail, int32_t head)
{
    clv_put_char(out, '"');
    clv_put_i64(out, tail);
    clv_put_char(out, '-');
    clv_put_i64(out, head);
    clv_put_char(out, '"');
}

/* ---- The workflow --------------------------------------------------------------------- */

static void put_seconds(clv_output *out, int64_t ms)
{
    clv_put_i64(out, ms / 1000);
    if (ms % 1000 == 0)
        return;
    clv_put_char(out, '.');
    clv_put_char(out, (char)('0' + ms / 100 % 10));
    clv_put_char(out, (char)('0' + ms / 10 % 10));
    clv_put_char(out, (char)('0' + ms % 10));
}

/* Separator of the members of a list, one per line. */
static void put_next(clv_output *out, bool *first)
{
    clv_put_text(out, *first ? "\n" : ",\n");
    *first = false;
}

static void put_neighbours(clv_output *out, const clv_graph *g, int32_t v, bool children)
{
    const int64_t *x = children ? g->xadj : g->xpred;
    const int32_t *list = children ? g->adj : g->pred;
    clv_put_text(out, children ? ", \"children\": [" : ", \"parents\": [");
    for (int64_t i = x[v]; i < x[v + 1]; i++) {
        if (i > x[v])
            clv_put_text(out, ", ");
        put_task(out, g, list[i]);
    }
    clv_put_char(out, ']');
}

static void put_files(clv_output *out, const clv_graph *g, int32_t v, bool written)
{
    const int64_t *x = written ? g->xadj : g->xpred;
    const int32_t *list = written ? g->adj : g->pred;
    clv_put_text(out, written ? ", \"outputFiles\": [" : ", \"inputFiles\": [");
    for (int64_t i = x[v]; i < x[v + 1]; i++) {
        if (i > x[v])
            clv_put_text(out, ", ");
        put_file(out, written ? v : list[i], written ? list[i] : v);
    }
    clv_put_char(out, ']');
}

static void write_tasks(const clv_graph *g, clv_output *out)
{
    bool first = true;
    clv_put_text(out, "\"tasks\": [");
    for (int32_t v = 0; v < g->nvtx; v++) {
        put_next(out, &first);
        clv_put_text(out, "{\"name\": ");
        put_task(out, g, v);
        clv_put_text(out, ", \"id\": ");
        put_task(out, g, v);
        put_neighbours(out, g, v, false);
        put_neighbours(out, g, v, true);
        if (g->ewgt) {
            put_files(out, g, v, false);
            put_files(out, g, v, true);
        }
        clv_put_char(out, '}');
    }
    clv_put_char(out, ']');
}

static void write_files(const clv_graph *g, clv_output *out)
{
    bool first = true;
    clv_put_text(out, ",\n\"files\": [");
    for (int32_t v = 0; v < g->nvtx; v++)
        for (int64_t a = g->xadj[v]; a < g->xadj[v + 1]; a++) {
            put_next(out, &first);
            clv_put_text(out, "{\"id\": ");
            put_file(out, v, g->adj[a]);
            clv_put_text(out, ", \"sizeInBytes\": ");
            clv_put_i64(out, (int64_t)g->ewgt[a] * 1024);
            clv_put_char(out, '}');
        }
    clv_put_char(out, ']');
}

static void write_execution(const clv_graph *g, clv_output *out)
{
    int64_t total = 0;
    bool first = true;
    for (int32_t v = 0; v < g->nvtx; v++)
        total += clv_graph_vwgt(g, v, 0);
    clv_put_text(out, ",\n\"execution\": {\"makespanInSeconds\": ");
    put_seconds(out, total);
    clv_put_text(out, ", \"executedAt\": \"1970-01-01T00:00:00Z\", \"tasks\": [");
    for (int32_t v = 0; v < g->nvtx; v++) {
        put_next(out, &first);
        clv_put_text(out, "{\"id\": ");
        put_task(out, g, v);
        clv_put_text(out, ", \"runtimeInSeconds\": ");
        put_seconds(out, clv_graph_vwgt(g, v, 0));
        clv_put_char(out, '}');
    }
    clv_put_text(out, "]}");
}

cleave_status clv_wfcommons_write(const clv_graph *g, clv_output *out, const int32_t *part,
                                  cleave_error *err)
{
    (void)part;
    if (g->kind != CLEAVE_DAG)
        return clv_fail(err, CLEAVE_EINVAL,
                        "format \"wfcommons\" holds DAGs, and this graph is undirected");
    CLV_TRY(refuse_names(g, err));
    clv_put_text(out, "{\"name\": \"cleave\", \"schemaVersion\": \"1.5\",\n"
                      "\"workflow\": {\"specification\": {");
    write_tasks(g, out);
    if (g->ewgt)
        write_files(g, out);
    clv_put_char(out, '}');
    if (g->vwgt && g->nvtx > 0)
        write_execution(g, out);
    clv_put_text(out, "}}\n");
    return CLEAVE_OK;
}
