/* SPDX-License-Identifier: Apache-2.0 */
/* formats/binary.c - our own format: the arrays of the graph as they lie in memory.
 *
 * A header of 320 bytes with a table of sections, then the sections, each starting at a
 * multiple of 64 bytes and padded with zeros, in the order of enum section.  There is
 * exactly one layout for given counts, and the reader accepts no other.  One checksum
 * covers the header, another everything behind it.
 *
 * By default the file is read into memory, and both sums and everything that graph/graph.h
 * promises are checked.  With `trust` a plain file is mapped: opening takes no time, and
 * several processes share the memory; only the header with its sum, the sizes of the
 * sections and the ends of the offsets are checked, O(1).  The price: a file that is damaged
 * inside, or cut short by somebody while the graph is in use, may crash the process.  Our
 * own writer never does that: it replaces files by renaming. */
#include <string.h>

#include "formats/binary_image.h"
#include "formats/binary_verify.h"
#include "formats/formats.h"

enum section {
    XADJ,
    ADJ,
    EWGT,
    XPRED, /* of a DAG only */
    PRED,
    PWGT,
    VWGT,
    VSIZE,
    COORDS,
    NAME_OFFSETS,
    NAME_TEXT,
    SOURCE, /* origin and unit, each with a zero byte */
    nsections
};

enum { version = 1 };

/* As PNG's: not text, and spoilt by whatever changes line ends. */
static const unsigned char magic[8] = {0x89, 'c', 'l', 'v', '\r', '\n', 0x1a, '\n'};

typedef struct header {
    clv_binary_start start;
    int32_t kind, nvtx, ncon, ndim;
    int64_t narc, entries;
    struct {
        uint64_t offset; /* 0: there is no such section */
        uint64_t size;   /* without padding */
    } section[nsections];
    unsigned char reserved[56];
} header;
_Static_assert(sizeof(header) == 320, "the header has no padding");

/* ---- Checking the header --------------------------------------------------------------- */

/* Bytes of a section whose length follows from the counts; -1: it does not, -2: no such
 * length fits. */
static int64_t section_bytes(const header *h, enum section s)
{
    int64_t count = 0, each = 4;
    switch (s) {
    case XADJ:
    case XPRED:
    case NAME_OFFSETS:
        count = (int64_t)h->nvtx + 1;
        each = 8;
        break;
    case ADJ:
    case EWGT:
    case PRED:
    case PWGT:
        count = h->narc;
        break;
    case VWGT:
        count = (int64_t)h->nvtx * h->ncon;
        break;
    case VSIZE:
        count = h->nvtx;
        break;
    case COORDS:
        count = (int64_t)h->nvtx * h->ndim;
        each = 8;
        break;
    default:
        return -1;
    }
    return clv_mul_i64(count, each, &count) ? count : -2;
}

/* Which sections must be there for this kind of graph. */
static bool sections_fit(const header *h)
{
    bool dag = h->kind == CLEAVE_DAG;
    bool there[nsections];
    for (int s = 0; s < nsections; s++)
        there[s] = h->section[s].offset != 0;
    return there[XADJ] && there[ADJ] && there[SOURCE] && there[XPRED] == dag &&
           there[PRED] == dag && there[PWGT] == (dag && there[EWGT]) &&
           there[COORDS] == (h->ndim != 0) && there[NAME_OFFSETS] == there[NAME_TEXT];
}

static bool counts_fit(const header *h)
{
    return (h->kind == CLEAVE_UNDIRECTED || h->kind == CLEAVE_DAG) && h->nvtx >= 0 &&
           h->narc >= 0 && (h->kind == CLEAVE_DAG || h->narc % 2 == 0) && h->ncon >= 1 &&
           (h->ndim == 0 || h->ndim == 2 || h->ndim == 3) && h->entries >= 0;
}

/* Sections follow each other without gaps, and nothing follows the last. */
static bool layout_fits(const header *h)
{
    uint64_t end = sizeof *h;
    for (int s = 0; s < nsections; s++) {
        uint64_t offset = h->section[s].offset, size = h->section[s].size;
        if (offset == 0 && size == 0)
            continue;
        int64_t bytes = section_bytes(h, (enum section)s);
        if (offset != end || offset > h->start.file_size ||
            size > h->start.file_size - offset || bytes == -2 ||
            (bytes >= 0 && size != (uint64_t)bytes))
            return false;
        end = offset + clv_binary_padded(size);
    }
    return end == h->start.file_size && h->start.file_size <= INT64_MAX;
}

static cleave_status check_header(const header *h, size_t count, const char *path,
                                  cleave_error *err)
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
static const void *section_at(const header *h, const unsigned char *image, enum section s)
{
    return h->section[s].offset ? image + h->section[s].offset : NULL;
}

static void point_into(clv_graph *g, const header *h, const unsigned char *image)
{
    g->kind = (cleave_kind)h->kind;
    g->nvtx = h->nvtx;
    g->narc = h->narc;
    g->ncon = h->ncon;
    g->ndim = h->ndim;
    g->entries = h->entries;
    g->xadj = g->xpred = section_at(h, image, XADJ);
    g->adj = g->pred = section_at(h, image, ADJ);
    g->ewgt = g->pwgt = section_at(h, image, EWGT);
    if (g->kind == CLEAVE_DAG) {
        g->xpred = section_at(h, image, XPRED);
        g->pred = section_at(h, image, PRED);
        g->pwgt = section_at(h, image, PWGT);
    }
    g->vwgt = section_at(h, image, VWGT);
    g->vsize = section_at(h, image, VSIZE);
    g->coords = section_at(h, image, COORDS);
    g->names.offset = section_at(h, image, NAME_OFFSETS);
    g->names.text = section_at(h, image, NAME_TEXT);
}

/* Format and unit of the file from which the graph came before it became binary. */
static bool read_source(clv_graph *g, const header *h, const unsigned char *image)
{
    const char *format = section_at(h, image, SOURCE);
    uint64_t size = h->section[SOURCE].size;
    if (size < 2 || format[size - 1] != '\0')
        return false;
    const char *unit = format + strlen(format) + 1;
    if (unit >= format + size || unit + strlen(unit) + 1 != format + size)
        return false;
    g->origin = *format ? format : NULL;
    g->unit = *unit ? unit : NULL;
    return true;
}

static bool ends_fit(const clv_graph *g, const header *h)
{
    int32_t n = g->nvtx;
    if (g->xadj[0] != 0 || g->xadj[n] != g->narc || g->xpred[0] != 0 || g->xpred[n] != g->narc)
        return false;
    uint64_t text = h->section[NAME_TEXT].size;
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
    header h = {.nvtx = 0};
    memcpy(&h, bytes, count < sizeof h ? count : sizeof h);
    CLV_TRY(check_header(&h, count, path, err));
    const unsigned char *image = NULL;
    CLV_TRY(clv_binary_image(&image, &g->arena, in, h.start.file_size, opt->trust, err));
    point_into(g, &h, image);
    if (!opt->trust && clv_binary_checksum(image + sizeof h, h.start.file_size - sizeof h) !=
                           h.start.data_sum)
        return clv_binary_refuse(path, err, "is damaged: the checksum is wrong");
    if (!read_source(g, &h, image) || !ends_fit(g, &h))
        return clv_binary_refuse(path, err, "is damaged: the header contradicts the contents");
    if (opt->trust)
        return CLEAVE_OK;
    return clv_binary_verify(g, (int64_t)h.section[NAME_TEXT].size, path, err);
}

/* The file holds a finished graph: it is what it is. */
static cleave_status check_kind(const clv_graph *g, clv_as as, const char *path,
                                cleave_error *err)
{
    if (as == CLV_AS_AUTO || (as == CLV_AS_DAG && g->kind == CLEAVE_DAG) ||
        (as == CLV_AS_UNDIRECTED && g->kind == CLEAVE_UNDIRECTED))
        return CLEAVE_OK;
    return clv_fail_at(err, CLEAVE_EINVAL, path, 0,
                       "holds %s, and a binary graph cannot be read as another kind",
                       g->kind == CLEAVE_DAG ? "a DAG" : "an undirected graph");
}

static cleave_status read_binary(clv_graph **out, clv_input *in, const clv_read_options *opt,
                                 cleave_error *err)
{
    *out = clv_graph_new();
    if (!*out)
        return clv_fail_memory(err);
    CLV_TRY(read_into(*out, in, opt, err));
    return check_kind(*out, opt->as, clv_input_path(in), err);
}

static int looks_like_binary(const char *bytes, size_t count)
{
    return count >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0 ? 100 : 0;
}

/* ---- Writing --------------------------------------------------------------------------- */

static void collect_sections(const clv_graph *g, const char *source, const void **array)
{
    bool dag = g->kind == CLEAVE_DAG;
    array[XADJ] = g->xadj;
    array[ADJ] = g->adj;
    array[EWGT] = g->ewgt;
    array[XPRED] = dag ? g->xpred : NULL;
    array[PRED] = dag ? g->pred : NULL;
    array[PWGT] = dag ? g->pwgt : NULL;
    array[VWGT] = g->vwgt;
    array[VSIZE] = g->vsize;
    array[COORDS] = g->ndim ? g->coords : NULL;
    array[NAME_OFFSETS] = g->names.offset;
    array[NAME_TEXT] = g->names.text;
    array[SOURCE] = source;
}

static void fill_header(header *h, const clv_graph *g, const void *const *array,
                        uint64_t source_size)
{
    memcpy(h->start.magic, magic, sizeof magic);
    h->start.byte_order = clv_binary_order;
    h->start.version = version;
    h->kind = (int32_t)g->kind;
    h->nvtx = g->nvtx;
    h->ncon = g->ncon;
    h->ndim = g->ndim;
    h->narc = g->narc;
    h->entries = g->format ? g->entries : clv_graph_edges(g);
    clv_binary_sum sum;
    clv_binary_sum_init(&sum);
    uint64_t end = sizeof *h;
    for (int s = 0; s < nsections; s++) {
        if (!array[s])
            continue;
        int64_t bytes = section_bytes(h, (enum section)s);
        uint64_t size = (uint64_t)bytes;
        if (bytes < 0)
            size = s == SOURCE ? source_size : (uint64_t)g->names.offset[g->nvtx];
        h->section[s].offset = end;
        h->section[s].size = size;
        clv_binary_sum_add(&sum, array[s], size);
        end += clv_binary_padded(size);
    }
    h->start.file_size = end;
    h->start.data_sum = clv_binary_sum_value(&sum);
    h->start.header_sum = clv_binary_header_sum(h, sizeof *h);
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
    const void *array[nsections];
    uint64_t source_size;
    char *source = source_text(g, &source_size);
    if (!source)
        return clv_fail_memory(err);
    header h = {.nvtx = 0};
    collect_sections(g, source, array);
    fill_header(&h, g, array, source_size);
    clv_put_bytes(out, &h, sizeof h);
    for (int s = 0; s < nsections; s++) {
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
};
