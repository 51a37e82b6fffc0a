/* SPDX-License-Identifier: Apache-2.0 */
/* formats/binary.c - the binary graph format of cleave (.clv): the arrays of the graph as in
 * memory.
 *
 * A header of 320 bytes with a table of sections, then the sections in the order of
 * clv_binary_section.  Each section starts at a multiple of 64 bytes and is padded with zeros.
 * The counts determine the layout, and the reader accepts no other.  One checksum covers the
 * header, another everything after it.
 *
 * By default the file is read into memory, and both checksums and all invariants of
 * graph/graph.h are checked.  With `trust` an uncompressed file is mapped: opening takes no
 * time, and several processes share the memory; only the header with its checksum, the sizes
 * of the sections and the ends of the offsets are checked, O(1).  The price: if the file is
 * damaged inside, or another process truncates it while the graph is in use, the process may
 * crash.  The writer of this library never truncates: it replaces files by renaming. */
#include <string.h>

#include "formats/binary_layout.h"
#include "formats/binary_verify.h"

enum { version = 1 };

/* As in PNG: binary files are not mistaken for text, and any conversion of line ends is
 * detected. */
static const unsigned char magic[8] = {0x89, 'c', 'l', 'v', '\r', '\n', 0x1a, '\n'};

/* ---- Checking the header --------------------------------------------------------------- */

int64_t clv_binary_item_bytes(const clv_binary_header *h, clv_binary_section s)
{
    switch (s) {
    case CLV_XADJ:
    case CLV_XPRED:
    case CLV_NAME_OFFSETS:
        return sizeof(int64_t);
    case CLV_VWGT:
        return h->ncon * (int64_t)sizeof(int32_t);
    case CLV_COORDS:
        return h->ndim * (int64_t)sizeof(double);
    case CLV_NAME_TEXT:
    case CLV_SOURCE:
        return 1;
    default:
        return sizeof(int32_t);
    }
}

/* Bytes of a section.  -1: the length does not follow from the counts; -2: it overflows. */
static int64_t section_bytes(const clv_binary_header *h, clv_binary_section s)
{
    int64_t count = h->nvtx;
    switch (s) {
    case CLV_XADJ:
    case CLV_XPRED:
    case CLV_NAME_OFFSETS:
        count = (int64_t)h->nvtx + 1;
        break;
    case CLV_ADJ:
    case CLV_EWGT:
    case CLV_PRED:
    case CLV_PWGT:
        count = h->narc;
        break;
    case CLV_NAME_TEXT:
    case CLV_SOURCE:
        return -1;
    default: /* by vertex */
        break;
    }
    return clv_mul_i64(count, clv_binary_item_bytes(h, s), &count) ? count : -2;
}

/* Does the file have exactly the sections that this kind of graph needs? */
static bool sections_fit(const clv_binary_header *h)
{
    bool dag = h->kind == CLEAVE_DAG;
    bool there[clv_binary_sections];
    for (int s = 0; s < clv_binary_sections; s++)
        there[s] = h->section[s].offset != 0;
    return there[CLV_XADJ] && there[CLV_ADJ] && there[CLV_SOURCE] && there[CLV_XPRED] == dag &&
           there[CLV_PRED] == dag && there[CLV_PWGT] == (dag && there[CLV_EWGT]) &&
           there[CLV_COORDS] == (h->ndim != 0) &&
           there[CLV_NAME_OFFSETS] == there[CLV_NAME_TEXT];
}

static bool counts_fit(const clv_binary_header *h)
{
    return (h->kind == CLEAVE_UNDIRECTED || h->kind == CLEAVE_DAG) && h->nvtx >= 0 &&
           h->narc >= 0 && (h->kind == CLEAVE_DAG || h->narc % 2 == 0) && h->ncon >= 1 &&
           (h->ndim == 0 || h->ndim == 2 || h->ndim == 3) && h->entries >= 0;
}

/* Sections follow each other without gaps, and nothing follows the last. */
static bool layout_fits(const clv_binary_header *h)
{
    uint64_t end = sizeof *h;
    for (int s = 0; s < clv_binary_sections; s++) {
        uint64_t offset = h->section[s].offset, size = h->section[s].size;
        if (offset == 0 && size == 0)
            continue;
        int64_t bytes = section_bytes(h, (clv_binary_section)s);
        if (offset != end || offset > h->start.file_size ||
            size > h->start.file_size - offset || bytes == -2 ||
            (bytes >= 0 && size != (uint64_t)bytes))
            return false;
        end = offset + clv_binary_padded(size);
    }
    return end == h->start.file_size && h->start.file_size <= INT64_MAX;
}

cleave_status clv_binary_check_header(const clv_binary_header *h, size_t count,
                                      const char *path, cleave_error *err)
{
    if (count < sizeof h->start.magic || memcmp(h->start.magic, magic, sizeof magic) != 0)
        return clv_binary_refuse(path, err, "is not a binary graph of cleave");
    CLV_TRY(clv_binary_check_start(h, sizeof *h, count, version, path, err));
    if (!counts_fit(h) || !sections_fit(h) || !layout_fits(h))
        return clv_binary_refuse(path, err, "is damaged: the header contradicts itself");
    return CLEAVE_OK;
}

/* ---- Reading --------------------------------------------------------------------------- */

/* The section as an array; NULL when there is none. */
static const void *section_at(const clv_binary_header *h, const unsigned char *image,
                              clv_binary_section s)
{
    return h->section[s].offset ? image + h->section[s].offset : NULL;
}

static void point_into(clv_graph *g, const clv_binary_header *h, const unsigned char *image)
{
    g->kind = (cleave_kind)h->kind;
    g->nvtx = h->nvtx;
    g->narc = h->narc;
    g->ncon = h->ncon;
    g->ndim = h->ndim;
    g->entries = h->entries;
    g->xadj = g->xpred = section_at(h, image, CLV_XADJ);
    g->adj = g->pred = section_at(h, image, CLV_ADJ);
    g->ewgt = g->pwgt = section_at(h, image, CLV_EWGT);
    if (g->kind == CLEAVE_DAG) {
        g->xpred = section_at(h, image, CLV_XPRED);
        g->pred = section_at(h, image, CLV_PRED);
        g->pwgt = section_at(h, image, CLV_PWGT);
    }
    g->vwgt = section_at(h, image, CLV_VWGT);
    g->vsize = section_at(h, image, CLV_VSIZE);
    g->coords = section_at(h, image, CLV_COORDS);
    g->names.offset = section_at(h, image, CLV_NAME_OFFSETS);
    g->names.text = section_at(h, image, CLV_NAME_TEXT);
}

bool clv_binary_read_source(const char *text, uint64_t size, const char **origin,
                            const char **unit)
{
    if (size < 2 || text[size - 1] != '\0')
        return false;
    const char *second = text + strlen(text) + 1;
    if (second >= text + size || second + strlen(second) + 1 != text + size)
        return false;
    *origin = *text ? text : NULL;
    *unit = *second ? second : NULL;
    return true;
}

/* Format and unit of the file that the binary file was converted from. */
static bool read_source(clv_graph *g, const clv_binary_header *h, const unsigned char *image)
{
    return clv_binary_read_source(section_at(h, image, CLV_SOURCE),
                                  h->section[CLV_SOURCE].size, &g->origin, &g->unit);
}

static bool ends_fit(const clv_graph *g, const clv_binary_header *h)
{
    int32_t n = g->nvtx;
    if (g->xadj[0] != 0 || g->xadj[n] != g->narc || g->xpred[0] != 0 || g->xpred[n] != g->narc)
        return false;
    uint64_t text = h->section[CLV_NAME_TEXT].size;
    if (!g->names.offset)
        return true;
    return g->names.offset[0] == 0 && g->names.offset[n] == (int64_t)text &&
           (text == 0 || g->names.text[text - 1] == '\0');
}

static cleave_status read_into(clv_graph *g, clv_input *in, const clv_read_options *opt,
                               cleave_error *err)
{
    const char *path = clv_input_path(in), *bytes;
    size_t count;
    CLV_TRY(clv_input_peek(in, &bytes, &count, err));
    clv_binary_header h = {.nvtx = 0};
    memcpy(&h, bytes, count < sizeof h ? count : sizeof h);
    CLV_TRY(clv_binary_check_header(&h, count, path, err));
    const unsigned char *image = NULL;
    CLV_TRY(clv_binary_image(&image, &g->arena, in, h.start.file_size, opt->trust, err));
    point_into(g, &h, image);
    if (!opt->trust && clv_binary_checksum(image + sizeof h, h.start.file_size - sizeof h) !=
                           h.start.data_sum)
        return clv_binary_refuse(path, err, "is damaged: the checksum is wrong");
    if (!read_source(g, &h, image) || !ends_fit(g, &h))
        return clv_binary_refuse(path, err, "is damaged: the header contradicts the contents");
    CLV_TRY(clv_graph_check_sums(g, err));
    if (opt->trust)
        return CLEAVE_OK;
    return clv_binary_verify(g, (int64_t)h.section[CLV_NAME_TEXT].size, path, err);
}

cleave_status clv_binary_check_kind(cleave_kind kind, clv_as as, const char *path,
                                    cleave_error *err)
{
    if (as == CLV_AS_AUTO || (as == CLV_AS_DAG && kind == CLEAVE_DAG) ||
        (as == CLV_AS_UNDIRECTED && kind == CLEAVE_UNDIRECTED))
        return CLEAVE_OK;
    return clv_fail_at(err, CLEAVE_EINVAL, path, 0,
                       "holds %s, and a binary graph cannot be read as another kind",
                       kind == CLEAVE_DAG ? "a DAG" : "an undirected graph");
}

static cleave_status read_binary(clv_graph **out, clv_input *in, const clv_read_options *opt,
                                 cleave_error *err)
{
    *out = clv_graph_new();
    if (!*out)
        return clv_fail_memory(err);
    CLV_TRY(read_into(*out, in, opt, err));
    return clv_binary_check_kind((*out)->kind, opt->as, clv_input_path(in), err);
}

static int looks_like_binary(const char *bytes, size_t count)
{
    return count >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0 ? 100 : 0;
}

/* ---- Writing --------------------------------------------------------------------------- */

static void collect_sections(const clv_graph *g, const char *source, const void **array)
{
    bool dag = g->kind == CLEAVE_DAG;
    array[CLV_XADJ] = g->xadj;
    array[CLV_ADJ] = g->adj;
    array[CLV_EWGT] = g->ewgt;
    array[CLV_XPRED] = dag ? g->xpred : NULL;
    array[CLV_PRED] = dag ? g->pred : NULL;
    array[CLV_PWGT] = dag ? g->pwgt : NULL;
    array[CLV_VWGT] = g->vwgt;
    array[CLV_VSIZE] = g->vsize;
    array[CLV_COORDS] = g->ndim ? g->coords : NULL;
    array[CLV_NAME_OFFSETS] = g->names.offset;
    array[CLV_NAME_TEXT] = g->names.text;
    array[CLV_SOURCE] = source;
}

void clv_binary_lay_out(clv_binary_header *h, const bool there[clv_binary_sections],
                        uint64_t name_bytes, uint64_t source_bytes)
{
    memcpy(h->start.magic, magic, sizeof magic);
    h->start.byte_order = clv_binary_order;
    h->start.version = version;
    uint64_t end = sizeof *h;
    for (int s = 0; s < clv_binary_sections; s++) {
        if (!there[s])
            continue;
        int64_t bytes = section_bytes(h, (clv_binary_section)s);
        uint64_t size = (uint64_t)bytes;
        if (bytes < 0)
            size = s == CLV_SOURCE ? source_bytes : name_bytes;
        h->section[s].offset = end;
        h->section[s].size = size;
        end += clv_binary_padded(size);
    }
    h->start.file_size = end;
}

void clv_binary_seal(clv_binary_header *h, uint64_t data_sum)
{
    h->start.data_sum = data_sum;
    h->start.header_sum = clv_binary_header_sum(h, sizeof *h);
}

static void fill_header(clv_binary_header *h, const clv_graph *g, const void *const *array,
                        uint64_t source_size)
{
    bool there[clv_binary_sections];
    for (int s = 0; s < clv_binary_sections; s++)
        there[s] = array[s] != NULL;
    h->kind = (int32_t)g->kind;
    h->nvtx = g->nvtx;
    h->ncon = g->ncon;
    h->ndim = g->ndim;
    h->narc = g->narc;
    h->entries = g->format ? g->entries : clv_graph_edges(g);
    clv_binary_lay_out(h, there, g->names.offset ? (uint64_t)g->names.offset[g->nvtx] : 0,
                       source_size);
    clv_binary_sum sum;
    clv_binary_sum_init(&sum);
    for (int s = 0; s < clv_binary_sections; s++)
        if (array[s])
            clv_binary_sum_add(&sum, array[s], h->section[s].size);
    clv_binary_seal(h, clv_binary_sum_value(&sum));
}

/* "origin\0unit\0" from clv_alloc. */
static char *source_text(const clv_graph *g, uint64_t *size)
{
    const char *format = g->origin ? g->origin : g->format;
    const char *unit = g->unit ? g->unit : "";
    if (!format || strcmp(format, clv_format_binary.name) == 0)
        format = "";
    size_t format_length = strlen(format) + 1, unit_length = strlen(unit) + 1;
    char *text = clv_alloc((int64_t)(format_length + unit_length), 1);
    if (!text)
        return NULL;
    memcpy(text, format, format_length);
    memcpy(text + format_length, unit, unit_length);
    *size = format_length + unit_length;
    return text;
}

static cleave_status write_binary(const clv_graph *g, clv_output *out, const int32_t *part,
                                  cleave_error *err)
{
    (void)part;
    static const char zeros[clv_binary_alignment];
    const void *array[clv_binary_sections];
    uint64_t source_size;
    char *source = source_text(g, &source_size);
    if (!source)
        return clv_fail_memory(err);
    clv_binary_header h = {.nvtx = 0};
    collect_sections(g, source, array);
    fill_header(&h, g, array, source_size);
    clv_put_bytes(out, &h, sizeof h);
    for (int s = 0; s < clv_binary_sections; s++) {
        if (!array[s])
            continue;
        size_t size = (size_t)h.section[s].size;
        clv_put_bytes(out, array[s], size);
        clv_put_bytes(out, zeros, (size_t)clv_binary_padded(size) - size);
    }
    clv_sys_free(source);
    return CLEAVE_OK;
}

const clv_format clv_format_binary = {
    .name = "binary",
    .description = "cleave's own: mapped into memory, with a checksum",
    .extensions = "clv",
    .looks_like = looks_like_binary,
    .read = read_binary,
    .write = write_binary,
    .holds = CLV_HOLDS_WEIGHTS | CLEAVE_HOLDS_COORDINATES | CLEAVE_HOLDS_IDS |
             CLEAVE_HOLDS_NAMES | CLEAVE_HOLDS_DIRECTION | CLEAVE_HOLDS_ORDER,
};
