/* SPDX-License-Identifier: Apache-2.0 */
/* formats/order_binary.c - the binary order format: `cleave split` works directly on the
 * mapped file.
 *
 * A header of 128 bytes, then three arrays, each starting at a multiple of 64 bytes and padded
 * with zeros: the vertices in order, the total weight before each position, and, if known, the
 * weight of the edges that cross each position.  The counts determine the layout, and the
 * reader accepts no other.  One checksum covers the header, another everything after it.
 *
 * By default the file is read into memory, so that it cannot change after the check, and both
 * checksums and all invariants of graph/order.h are checked.  With `trust` an uncompressed
 * file is mapped and only the header is checked; if the file is truncated or written to while
 * in use, the process may crash.  The writer of this library never does that: it replaces
 * files by renaming. */
#include <string.h>

#include "formats/binary_image.h"
#include "formats/binary_verify.h"
#include "formats/order_file.h"

enum { version = 1 };

/* As in PNG: binary files are not mistaken for text, and any conversion of line ends is
 * detected. */
static const unsigned char magic[8] = {0x89, 'c', 'l', 'o', '\r', '\n', 0x1a, '\n'};

typedef struct header {
    clv_binary_start start;
    uint64_t hash; /* of the graph; 0: unknown */
    int32_t nvtx;
    int32_t crossings; /* 1: the third array is present */
    char method[16];
    unsigned char reserved[56];
} header;
_Static_assert(sizeof(header) == 128, "the header has no padding");
_Static_assert(sizeof(((header *)0)->method) == sizeof(((clv_order *)0)->method),
               "methods have the same room");

/* ---- Layout ---------------------------------------------------------------------------- */

enum { VERTEX, BEFORE, CROSSING, narrays };

static uint64_t array_bytes(const header *h, int which)
{
    uint64_t places = (uint64_t)h->nvtx;
    if (which == VERTEX)
        return places * sizeof(int32_t);
    return which == BEFORE || h->crossings ? (places + 1) * sizeof(int64_t) : 0;
}

static uint64_t array_offset(const header *h, int which)
{
    uint64_t offset = sizeof *h;
    for (int i = 0; i < which; i++)
        offset += clv_binary_padded(array_bytes(h, i));
    return offset;
}

/* ---- Checking the header --------------------------------------------------------------- */

static bool method_fits(const header *h)
{
    const char *end = memchr(h->method, '\0', sizeof h->method);
    return end && clv_order_method_fits(h->method, (size_t)(end - h->method));
}

static cleave_status check_header(const header *h, size_t count, const char *path,
                                  cleave_error *err)
{
    CLV_TRY(clv_binary_check_start(h, sizeof *h, count, version, path, err));
    if (h->nvtx < 0 || h->crossings < 0 || h->crossings > 1 || !method_fits(h) ||
        h->start.file_size != array_offset(h, narrays))
        return clv_binary_refuse(path, err, "is damaged: the header contradicts itself");
    return CLEAVE_OK;
}

/* ---- Checking the arrays --------------------------------------------------------------- */

static bool all_vertices_once(const clv_order *o, uint8_t *seen)
{
    for (int32_t p = 0; p < o->nvtx; p++) {
        int32_t v = o->vertex[p];
        if (v < 0 || v >= o->nvtx || seen[v])
            return false;
        seen[v] = 1;
    }
    return true;
}

/* Differences of the sums must be valid vertex weights; no crossing weight is negative, and
 * those at both ends are 0. */
static bool sums_fit(const clv_order *o)
{
    if (o->before[0] != 0)
        return false;
    for (int32_t p = 0; p < o->nvtx; p++) {
        int64_t weight;
        if (__builtin_sub_overflow(o->before[p + 1], o->before[p], &weight) || weight < 0 ||
            weight > INT32_MAX)
            return false;
    }
    if (!o->crossing)
        return true;
    for (int32_t p = 0; p <= o->nvtx; p++)
        if (o->crossing[p] < 0)
            return false;
    return o->crossing[0] == 0 && o->crossing[o->nvtx] == 0;
}

static cleave_status verify(const clv_order *o, const char *path, cleave_error *err)
{
    uint8_t *seen = clv_zalloc(o->nvtx, sizeof *seen);
    if (!seen)
        return clv_fail_memory(err);
    bool once = all_vertices_once(o, seen);
    clv_sys_free(seen);
    if (!once)
        return clv_binary_refuse(path, err, "is damaged: not every vertex has one place");
    if (!sums_fit(o))
        return clv_binary_refuse(path, err, "is damaged: its sums of weights make no sense");
    for (int32_t p = 0; o->crossing && p <= o->nvtx; p++)
        if (o->crossing[p] > clv_most_crossing)
            return clv_fail_at(err, CLEAVE_EPARSE, path, 0,
                               "edges of weight %lld cross place %ld; more than %lld "
                               "cannot be added up",
                               (long long)o->crossing[p], (long)p,
                               (long long)clv_most_crossing);
    return CLEAVE_OK;
}

/* ---- Reading --------------------------------------------------------------------------- */

bool clv_order_looks_binary(const char *bytes, size_t count)
{
    return count >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

static cleave_status read_into(clv_order *o, clv_input *in, bool trust, cleave_error *err)
{
    const char *path = clv_input_path(in), *bytes;
    const unsigned char *image = NULL;
    size_t count;
    header h = {.nvtx = 0};
    CLV_TRY(clv_input_peek(in, &bytes, &count, err));
    memcpy(&h, bytes, count < sizeof h ? count : sizeof h);
    CLV_TRY(check_header(&h, count, path, err));
    CLV_TRY(clv_binary_image(&image, &o->arena, in, h.start.file_size, trust, err));
    if (!trust && clv_binary_checksum(image + sizeof h, h.start.file_size - sizeof h) !=
                      h.start.data_sum)
        return clv_binary_refuse(path, err, "is damaged: the checksum is wrong");
    o->nvtx = h.nvtx;
    o->hash = h.hash;
    memcpy(o->method, h.method, sizeof o->method);
    o->vertex = (const void *)(image + array_offset(&h, VERTEX));
    o->before = (const void *)(image + array_offset(&h, BEFORE));
    o->crossing = h.crossings ? (const void *)(image + array_offset(&h, CROSSING)) : NULL;
    return trust ? CLEAVE_OK : verify(o, path, err);
}

cleave_status clv_order_read_binary(clv_order **out, clv_input *in, bool trust,
                                    cleave_error *err)
{
    clv_order *o = clv_zalloc(1, sizeof *o);
    if (!o)
        return clv_fail_memory(err);
    o->residual = o->converged = -1;
    cleave_status status = read_into(o, in, trust, err);
    if (status == CLEAVE_OK)
        *out = o;
    else
        clv_order_free(o);
    return status;
}

/* ---- Writing --------------------------------------------------------------------------- */

void clv_order_put_binary(const clv_order *o, clv_output *to)
{
    static const char zeros[clv_binary_alignment];
    const void *const array[] = {o->vertex, o->before, o->crossing};
    header h = {.start.byte_order = clv_binary_order,
                .start.version = version,
                .hash = o->hash,
                .nvtx = o->nvtx,
                .crossings = o->crossing != NULL};
    memcpy(h.start.magic, magic, sizeof magic);
    memcpy(h.method, o->method, strlen(o->method));
    clv_binary_sum sum;
    clv_binary_sum_init(&sum);
    for (int i = 0; i < narrays; i++)
        if (array[i])
            clv_binary_sum_add(&sum, array[i], array_bytes(&h, i));
    h.start.data_sum = clv_binary_sum_value(&sum);
    h.start.file_size = array_offset(&h, narrays);
    h.start.header_sum = clv_binary_header_sum(&h, sizeof h);
    clv_put_bytes(to, &h, sizeof h);
    for (int i = 0; i < narrays; i++) {
        size_t size = (size_t)array_bytes(&h, i);
        if (size > 0)
            clv_put_bytes(to, array[i], size);
        clv_put_bytes(to, zeros, (size_t)clv_binary_padded(size) - size);
    }
}
