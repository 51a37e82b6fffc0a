/* SPDX-License-Identifier: Apache-2.0 */
/* formats/partition_file.c - partition files of METIS, Scotch and OpenFOAM.
 *
 * METIS: line v has the part of vertex v, both counted from 0.  Scotch: a first line with the
 * number of vertices, then "label part" in any order.  If the labels count the vertices from 0
 * or 1 they are vertex numbers; otherwise they are names of vertices.  Numbers have precedence
 * so that files of clv_partition_write, which counts from 0, read back the same whatever the
 * names; if labels ascend, as in all graphs that are read from Scotch files, both rules agree.
 * The second line, or the extension .map, distinguishes METIS and Scotch.  Empty lines and
 * lines that start with # or % are skipped.  OpenFOAM: openfoam_read.c. */
#include <string.h>

#include "base/number.h"
#include "base/sort.h"
#include "formats/openfoam.h"
#include "formats/text.h"

static const char comment_marks[] = "#%";

typedef struct reader {
    clv_text text;
    const clv_graph *graph; /* labels may be its names; may be NULL */
    int64_t nvtx;           /* expected; -1: unknown */
    int32_t nparts;         /* -1: any */
    int32_t *part;          /* in the order of the file, from number `handed` on */
    int64_t *label;         /* Scotch only, by line: the label and its line number */
    int64_t *line;
    int64_t count, space;
    clv_partition_sink sink; /* NULL: parts are stored until the end */
    void *context;
    int64_t handed; /* parts passed to the sink */
    bool ahead;     /* the next number has been read already, to distinguish the two forms */
    int64_t number_ahead;
} reader;

static cleave_status next_number(reader *r, const char *what, int64_t *value)
{
    if (!r->ahead)
        return clv_text_i64(&r->text, INT64_MIN, INT64_MAX, what, value);
    r->ahead = false;
    *value = r->number_ahead;
    return CLEAVE_OK;
}

/* Makes room for one more line.  The count in the file is not trusted. */
static cleave_status reserve(reader *r, bool labels)
{
    if (r->count - r->handed < r->space)
        return CLEAVE_OK;
    int64_t space = 2 * r->space + 1024;
    int32_t *part = clv_realloc(r->part, space, sizeof *part);
    if (part)
        r->part = part;
    int64_t *label = labels ? clv_realloc(r->label, space, sizeof *label) : NULL;
    if (label)
        r->label = label;
    int64_t *line = labels ? clv_realloc(r->line, space, sizeof *line) : NULL;
    if (line)
        r->line = line;
    if (!part || (labels && (!label || !line)))
        return clv_fail_memory(r->text.err);
    r->space = space;
    return CLEAVE_OK;
}

static cleave_status hand_over(reader *r)
{
    int64_t count = r->count - r->handed;
    r->handed = r->count;
    return r->sink(r->context, r->part, count, r->text.err);
}

/* Adds the part of the next vertex of a file in vertex order. */
static cleave_status keep_part(reader *r, int32_t part)
{
    enum { at_once = 64 * 1024 };
    if (r->sink && r->count - r->handed == at_once)
        CLV_TRY(hand_over(r));
    CLV_TRY(reserve(r, false));
    r->part[r->count++ - r->handed] = part;
    return CLEAVE_OK;
}

static cleave_status check_part(const reader *r, int64_t part)
{
    if (part < 0)
        return clv_text_fail(&r->text, "part %lld is negative", (long long)part);
    if (part >= INT32_MAX)
        return clv_text_fail(&r->text, "part %lld is too large", (long long)part);
    if (r->nparts >= 0 && part >= r->nparts)
        return clv_text_fail(&r->text, "part %lld, but parts run from 0 to %d",
                             (long long)part, (int)r->nparts - 1);
    return CLEAVE_OK;
}

static cleave_status read_part(reader *r, int32_t *part)
{
    int64_t value;
    bool ends;
    CLV_TRY(next_number(r, "a part", &value));
    CLV_TRY(check_part(r, value));
    CLV_TRY(clv_text_at_line_end(&r->text, &ends));
    if (!ends)
        return clv_text_fail(&r->text, "unexpected text after the part");
    *part = (int32_t)value;
    return CLEAVE_OK;
}

/* Counts the remaining lines for the message. */
static cleave_status fail_too_many(reader *r, int64_t expected, const char *whose)
{
    int64_t line = r->text.line, found = r->count;
    for (bool more = true; more; found += more) {
        CLV_TRY(clv_text_skip_line(&r->text));
        CLV_TRY(clv_text_next_content(&r->text, comment_marks, &more));
    }
    return clv_fail_at(r->text.err, CLEAVE_EPARSE, clv_input_path(r->text.in), line,
                       "%lld vertices have a part, but %s %lld", (long long)found + 1, whose,
                       (long long)expected);
}

static cleave_status fail_too_few(const reader *r, int64_t expected, const char *whose)
{
    return clv_text_fail(&r->text, "the file ends after %lld vertices, but %s %lld",
                         (long long)r->count, whose, (long long)expected);
}

static const char graph_has[] = "the graph has", first_line_says[] = "the first line says";

/* ---- METIS --------------------------------------------------------------------------- */

/* Called after the first line, which holds `first`, was read; `more`: another line follows. */
static cleave_status read_metis(reader *r, int64_t first, int64_t first_line, bool more)
{
    int64_t here = r->text.line;
    r->text.line = first_line; /* for the message */
    CLV_TRY(check_part(r, first));
    if (r->nvtx == 0)
        return clv_text_fail(&r->text, "a part, but the graph has 0 vertices");
    r->text.line = here;
    CLV_TRY(keep_part(r, (int32_t)first));
    while (more) {
        int32_t part;
        if (r->count == (r->nvtx >= 0 ? r->nvtx : INT32_MAX))
            return fail_too_many(r, r->count, graph_has);
        CLV_TRY(read_part(r, &part));
        CLV_TRY(keep_part(r, part));
        CLV_TRY(clv_text_next_content(&r->text, comment_marks, &more));
    }
    return r->count < r->nvtx ? fail_too_few(r, r->nvtx, graph_has) : CLEAVE_OK;
}

/* ---- Scotch -------------------------------------------------------------------------- */

static cleave_status fail_label(const reader *r, int64_t i, const char *what)
{
    return clv_fail_at(r->text.err, CLEAVE_EPARSE, clv_input_path(r->text.in), r->line[i],
                       "vertex label %lld %s", (long long)r->label[i], what);
}

/* Converts a name to a label; it must consist of digits, without leading zeros. */
static bool name_to_label(const char *name, int64_t *label)
{
    const char *end = name + strlen(name);
    bool overflow = false;
    if (*name < '0' || *name > '9' || (*name == '0' && name[1]))
        return false;
    return clv_parse_i64(name, end, label, &overflow) == end && !overflow;
}

/* The names of the graph as labels in ascending order, with their vertices; items has room for
 * twice as many.  NULL: some name is not a label, or two are equal. */
static const clv_sort_item *sort_names(const clv_graph *g, clv_sort_item *items)
{
    for (int32_t v = 0; v < g->nvtx; v++) {
        items[v].with.index = v;
        if (!name_to_label(clv_graph_name(g, v), &items[v].key))
            return NULL;
    }
    const clv_sort_item *sorted = clv_sort(items, items + g->nvtx, g->nvtx);
    for (int32_t v = 1; v < g->nvtx; v++)
        if (sorted[v - 1].key == sorted[v].key)
            return NULL;
    return sorted;
}

/* The vertex with this label; -1: none. */
static int64_t find_label(const clv_sort_item *sorted, int64_t count, int64_t label)
{
    int64_t low = 0, high = count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (sorted[middle].key < label)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && sorted[low].key == label ? sorted[low].with.index : -1;
}

/* sorted: the names, or NULL if labels are vertex numbers counted from base. */
static cleave_status place_each(const reader *r, const clv_sort_item *sorted, int64_t base,
                                int32_t *placed)
{
    for (int64_t i = 0; i < r->count; i++)
        placed[i] = -1;
    for (int64_t i = 0; i < r->count; i++) {
        int64_t label = r->label[i];
        int64_t v = sorted ? find_label(sorted, r->count, label) : label - base;
        if (v < 0)
            return fail_label(r, i, "is not in the graph");
        if (v >= r->count)
            return fail_label(r, i, "is too large: labels must be consecutive");
        if (placed[v] >= 0)
            return fail_label(r, i, "occurs twice");
        placed[v] = r->part[i];
    }
    return CLEAVE_OK;
}

/* Moves the parts from the order of the file to the order of the vertices. */
static cleave_status place_parts(reader *r)
{
    int64_t base = 1, largest = 0;
    for (int64_t i = 0; i < r->count; i++) {
        base = r->label[i] < base ? r->label[i] : base;
        largest = r->label[i] > largest ? r->label[i] : largest;
    }
    bool by_name = r->graph && r->graph->names.offset && largest - base >= r->count;
    int32_t *placed = clv_alloc(r->count, sizeof *placed);
    clv_sort_item *items = by_name ? clv_alloc(2 * r->count, sizeof *items) : NULL;
    cleave_status status = CLEAVE_OK;
    if (!placed || (by_name && !items))
        status = clv_fail_memory(r->text.err);
    else
        status = place_each(r, by_name ? sort_names(r->graph, items) : NULL, base, placed);
    clv_sys_free(items);
    clv_sys_free(r->part);
    r->part = placed;
    return status;
}

/* Called after the first line was read. */
static cleave_status read_scotch(reader *r, int64_t says, int64_t first_line, bool more)
{
    if (says < 0 || says > INT32_MAX || (r->nvtx >= 0 && says != r->nvtx)) {
        r->text.line = first_line;
        if (r->nvtx >= 0)
            return clv_text_fail(&r->text,
                                 "a mapping of %lld vertices, but the graph has %lld",
                                 (long long)says, (long long)r->nvtx);
        return clv_text_fail(&r->text, "the number of vertices is %lld, outside 0..%d",
                             (long long)says, INT32_MAX);
    }
    for (; more; r->count++) {
        if (r->count == says)
            return fail_too_many(r, says, first_line_says);
        CLV_TRY(reserve(r, true));
        r->line[r->count] = r->text.line;
        CLV_TRY(next_number(r, "a vertex label", &r->label[r->count]));
        if (r->label[r->count] < 0)
            return fail_label(r, r->count, "is negative");
        CLV_TRY(read_part(r, &r->part[r->count]));
        CLV_TRY(clv_text_next_content(&r->text, comment_marks, &more));
    }
    if (r->count < says)
        return fail_too_few(r, says, first_line_says);
    return place_parts(r);
}

/* ---- Reading ------------------------------------------------------------------------- */

static cleave_status read_lines(reader *r, bool map)
{
    bool more, ends;
    CLV_TRY(clv_text_next_content(&r->text, comment_marks, &more));
    if (!more && !map)
        return r->nvtx > 0 ? fail_too_few(r, r->nvtx, graph_has) : CLEAVE_OK;
    int64_t first, first_line = r->text.line;
    CLV_TRY(clv_text_i64(&r->text, INT64_MIN, INT64_MAX,
                         map ? "the number of vertices" : "a part", &first));
    CLV_TRY(clv_text_at_line_end(&r->text, &ends));
    if (!ends)
        return clv_text_fail(&r->text, "the first line holds more than one number");
    CLV_TRY(clv_text_next_content(&r->text, comment_marks, &more));
    if (more) {
        CLV_TRY(next_number(r, map ? "a vertex label" : "a part", &r->number_ahead));
        CLV_TRY(clv_text_at_line_end(&r->text, &ends));
        r->ahead = true;
        map |= !ends;
    }
    return map ? read_scotch(r, first, first_line, more)
               : read_metis(r, first, first_line, more);
}

/* ---- OpenFOAM ------------------------------------------------------------------------ */

/* One value for all vertices: the number of vertices must be known. */
static cleave_status read_uniform(reader *r, int64_t says)
{
    int64_t value, rest;
    bool ends;
    CLV_TRY(clv_openfoam_next(&r->text, &value, &ends));
    if (ends)
        return clv_text_fail(&r->text, "braces without a label");
    CLV_TRY(check_part(r, value));
    CLV_TRY(clv_openfoam_next(&r->text, &rest, &ends));
    if (!ends)
        return clv_text_fail(&r->text, "braces with more than one label");
    if (says != r->nvtx)
        return clv_text_fail(&r->text, "one label for %lld cells, whose number is not known",
                             (long long)says);
    while (r->count < says)
        CLV_TRY(keep_part(r, (int32_t)value));
    return CLEAVE_OK;
}

static cleave_status read_openfoam(reader *r)
{
    int64_t says, value;
    bool uniform, ends = false;
    CLV_TRY(clv_openfoam_begin(&r->text, &says, &uniform));
    if (r->nvtx >= 0 && says != r->nvtx)
        return clv_text_fail(&r->text, "a list of %lld cells, but the graph has %lld",
                             (long long)says, (long long)r->nvtx);
    if (says < 0 || says > INT32_MAX)
        return clv_text_fail(&r->text, "the number of vertices is %lld, outside 0..%d",
                             (long long)says, INT32_MAX);
    if (uniform)
        return read_uniform(r, says);
    for (;;) {
        CLV_TRY(clv_openfoam_next(&r->text, &value, &ends));
        if (ends || r->count == says)
            break;
        CLV_TRY(check_part(r, value));
        CLV_TRY(keep_part(r, (int32_t)value));
    }
    if (!ends || r->count < says)
        return clv_text_fail(&r->text, "the list has %s than the %lld labels of its header",
                             ends ? "fewer" : "more", (long long)says);
    return CLEAVE_OK;
}

static cleave_status read_text(reader *r, clv_input *in, const char *path, cleave_error *err)
{
    const char *bytes;
    size_t count;
    CLV_TRY(clv_input_peek(in, &bytes, &count, err));
    bool openfoam = clv_openfoam_looks_like(bytes, count);
    CLV_TRY(clv_text_init(&r->text, in, err));
    if (openfoam)
        return read_openfoam(r);
    return read_lines(r, clv_path_has_extension(path, "map"));
}

/* Opens, reads and closes the file; the arrays of r are kept. */
static cleave_status read_file(reader *r, const char *path, cleave_error *err)
{
    clv_input *in;
    CLV_TRY(clv_input_open(&in, path, NULL, NULL, err));
    cleave_status status = read_text(r, in, path, err);
    if (status == CLEAVE_OK && r->sink)
        status = hand_over(r);
    clv_text_free(&r->text);
    clv_input_close(in);
    return status;
}

static void free_reader(reader *r)
{
    clv_sys_free(r->part);
    clv_sys_free(r->label);
    clv_sys_free(r->line);
}

cleave_status clv_partition_read(clv_mapping **out, const char *path, const clv_graph *g,
                                 int32_t nvtx, int32_t nparts, cleave_error *err)
{
    *out = NULL;
    reader r = {.graph = g, .nvtx = g ? g->nvtx : nvtx, .nparts = nparts};
    cleave_status status = read_file(&r, path, err);
    if (status == CLEAVE_OK)
        status = clv_mapping_new(out, (int32_t)r.count, nparts, r.part, err);
    free_reader(&r);
    return status;
}

cleave_status clv_partition_stream(const char *path, int64_t nvtx, int32_t nparts,
                                   clv_partition_sink sink, void *context, cleave_error *err)
{
    reader r = {.nvtx = nvtx, .nparts = nparts, .sink = sink, .context = context};
    cleave_status status = read_file(&r, path, err);
    free_reader(&r);
    return status;
}

/* ---- Writing ------------------------------------------------------------------------- */

cleave_status clv_partition_begin(clv_partition_writer *w, const char *path, int64_t nvtx,
                                  cleave_error *err)
{
    if (clv_path_has_extension(path, "vtk") || clv_path_has_extension(path, "vtu"))
        return clv_fail(err, CLEAVE_EINVAL,
                        "a mapping alone is not a picture: write the graph with its parts");
    CLV_TRY(clv_output_open(&w->out, path, NULL, NULL, err));
    w->next = 0;
    w->openfoam = clv_path_is_openfoam(path);
    w->scotch = !w->openfoam && clv_path_has_extension(path, "map");
    if (w->openfoam)
        clv_openfoam_put_begin(w->out, nvtx);
    if (w->scotch) {
        clv_put_i64(w->out, nvtx);
        clv_put_char(w->out, '\n');
    }
    return CLEAVE_OK;
}

void clv_partition_put(clv_partition_writer *w, const int32_t *part, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        if (w->scotch) {
            clv_put_i64(w->out, w->next + i);
            clv_put_char(w->out, '\t');
        }
        clv_put_i64(w->out, part[i]);
        clv_put_char(w->out, '\n');
    }
    w->next += count;
}

cleave_status clv_partition_end(clv_partition_writer *w, cleave_error *err)
{
    if (w->openfoam)
        clv_openfoam_put_end(w->out);
    return clv_output_commit(w->out, err);
}

cleave_status clv_partition_write(const clv_mapping *m, const char *path, cleave_error *err)
{
    clv_partition_writer w;
    CLV_TRY(clv_partition_begin(&w, path, m->nvtx, err));
    clv_partition_put(&w, m->part, m->nvtx);
    return clv_partition_end(&w, err);
}
