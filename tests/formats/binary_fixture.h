/* SPDX-License-Identifier: Apache-2.0 */
/* tests/formats/binary_fixture.h - binary files as bytes: an independent description of the
 * layout, changes that keep the checksums valid, and small graphs. */
#ifndef CLV_TESTS_FORMATS_BINARY_FIXTURE_H
#define CLV_TESTS_FORMATS_BINARY_FIXTURE_H

#include <sys/stat.h>
#include <unistd.h>

#include "formats/binary_verify.h"
#include "formats/graph_fixture.h"

static cleave_error err;

typedef struct image {
    unsigned char *bytes;
    size_t count;
} image;

static inline image load(const char *path)
{
    image file = {NULL, 0};
    struct stat info;
    FILE *stream = fopen(path, "rb");
    if (!stream || fstat(fileno(stream), &info) != 0)
        abort();
    file.count = (size_t)info.st_size;
    file.bytes = malloc(file.count + 64);
    if (fread(file.bytes, 1, file.count, stream) != file.count)
        abort();
    fclose(stream);
    return file;
}

static inline image image_of(const clv_graph *g)
{
    const char *path = fixture_path("image.clv");
    if (fixture_write(g, &clv_format_binary, path, NULL, &err) != CLEAVE_OK)
        abort();
    return load(path);
}

static inline cleave_status read_bytes(clv_graph **g, const unsigned char *bytes, size_t count,
                                       bool trust)
{
    clv_read_options opt = fixture_options();
    opt.trust = trust;
    return fixture_read(g, &clv_format_binary, test_file_bytes("x.clv", bytes, count), &opt,
                        &err);
}

/* The message, or "fine". */
static inline const char *complaint(const image *file, bool trust)
{
    clv_graph *g;
    cleave_status status = read_bytes(&g, file->bytes, file->count, trust);
    clv_graph_free(g);
    return status == CLEAVE_OK ? "fine" : fixture_message(&err);
}

/* ---- The layout, told independently --------------------------------------------------- */

enum {
    AT_ORDER = 8,
    AT_VERSION = 12,
    AT_HEADER_SUM = 16,
    AT_DATA_SUM = 24,
    AT_FILE_SIZE = 32,
    AT_KIND = 40,
    AT_NVTX = 44,
    AT_NCON = 48,
    AT_NDIM = 52,
    AT_NARC = 56,
    AT_ENTRIES = 64,
    AT_SECTIONS = 72,
    HEADER = 320
};
enum { XADJ, ADJ, EWGT, XPRED, PRED, PWGT, VWGT, VSIZE, COORDS, OFFSETS, TEXT, SOURCE };

static inline uint64_t get64(const image *file, size_t at)
{
    uint64_t value;
    memcpy(&value, file->bytes + at, 8);
    return value;
}

static inline void set64(image *file, size_t at, uint64_t value)
{
    memcpy(file->bytes + at, &value, 8);
}

static inline void set32(image *file, size_t at, int32_t value)
{
    memcpy(file->bytes + at, &value, 4);
}

/* Where a section begins. */
static inline size_t section(const image *file, int s)
{
    return (size_t)get64(file, AT_SECTIONS + 16 * (size_t)s);
}

/* Makes both sums right again after a change. */
static inline void reseal(image *file)
{
    clv_binary_sum sum;
    clv_binary_sum_init(&sum);
    clv_binary_sum_add(&sum, file->bytes + HEADER, file->count - HEADER);
    set64(file, AT_DATA_SUM, clv_binary_sum_value(&sum));
    set64(file, AT_HEADER_SUM, 0);
    clv_binary_sum_init(&sum);
    clv_binary_sum_add(&sum, file->bytes, HEADER);
    set64(file, AT_HEADER_SUM, clv_binary_sum_value(&sum));
}

static inline clv_graph *small_graph(cleave_kind kind_of_graph)
{
    fixture_kind kind = {.kind = kind_of_graph,
                         .nvtx = 5,
                         .nedge = 9,
                         .ewgt = true,
                         .vwgt = true,
                         .vsize = true,
                         .names = true,
                         .ncon = 2,
                         .ndim = 3};
    clv_graph *g = fixture_graph(&kind, 11);
    g->format = "dot";
    g->unit = "ms";
    g->entries = 9;
    return g;
}

/* Through a pipe, where the size is not known beforehand. */
static inline cleave_status read_pipe(clv_graph **g, const image *file, size_t count)
{
    char path[64];
    int ends[2];
    *g = NULL;
    if (pipe(ends) != 0 || write(ends[1], file->bytes, count) != (ssize_t)count)
        abort();
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    clv_read_options opt = fixture_options();
    cleave_status status = fixture_read(g, &clv_format_binary, path, &opt, &err);
    close(ends[0]);
    return status;
}

/* The path 0 - 1 - 2 (or 0 -> 1 -> 2) with every attribute. */
static inline clv_graph *path_graph(cleave_kind kind)
{
    static const int64_t both[] = {0, 1, 3, 4}, forward[] = {0, 1, 2, 2};
    static const int32_t both_adj[] = {1, 0, 2, 1}, forward_adj[] = {1, 2};
    static const int32_t weights[] = {5, 5, 6, 6}, ones[] = {1, 1, 1};
    static const double coords[6];
    static const char *const names[] = {"a", "bb", "c"};
    cleave_csr csr;
    cleave_csr_init(&csr, sizeof csr);
    csr.kind = kind;
    csr.nvtx = 3;
    csr.xadj = kind == CLEAVE_DAG ? forward : both;
    csr.adj = kind == CLEAVE_DAG ? forward_adj : both_adj;
    csr.ewgt = weights;
    csr.vwgt = csr.vsize = ones;
    csr.ndim = 2;
    csr.coords = coords;
    csr.names = names;
    cleave_graph *g;
    if (cleave_graph_create(&g, &csr, 0, &err) != CLEAVE_OK)
        abort();
    return g;
}

#endif
