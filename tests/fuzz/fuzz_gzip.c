/* SPDX-License-Identifier: Apache-2.0 */
/* Compressed input.  Second character: 0: the bytes are a gzip file, or pretend to be one;
 * otherwise they are compressed here, as one member, as two with padding behind them, or
 * stored, and reading that must give what reading the plain bytes gives, down to the
 * message.  First character: `as`; third: the format to write. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "fuzz/fuzz_common.h"

enum { padding = 7 };

/* Appends one gzip member; returns the bytes used. */
static size_t append_member(uint8_t *to, size_t room, const uint8_t *bytes, size_t size,
                            int level)
{
    z_stream z = {.zalloc = Z_NULL};
    FUZZ_CHECK(deflateInit2(&z, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    z.next_in = (uint8_t *)bytes;
    z.avail_in = (unsigned)size;
    z.next_out = to;
    z.avail_out = (unsigned)room;
    FUZZ_CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END);
    deflateEnd(&z);
    return room - z.avail_out;
}

static cleave_status read_it(const void *bytes, size_t size, const char *as, cleave_graph **g,
                             cleave_error *err)
{
    cleave_read_options opt;
    cleave_read_options_init(&opt, sizeof opt);
    opt.as = as;
    opt.coords = "";
    opt.threads = 1;
    memset(err, 0, sizeof *err);
    const char *path = fuzz_file("in", bytes, size);
    cleave_status status = cleave_graph_read(g, path, &opt, err);
    if (status != CLEAVE_OK)
        fuzz_check_refusal(status, err, *g, path);
    else
        fuzz_check_graph(*g);
    return status;
}

static void compare(const fuzz_input *in, const uint8_t *packed, size_t size, const char *as)
{
    cleave_graph *plain, *unpacked;
    cleave_error plain_err, err;
    cleave_status expected = read_it(in->bytes, in->size, as, &plain, &plain_err);
    cleave_status status = read_it(packed, size, as, &unpacked, &err);
    FUZZ_CHECK(status == expected);
    if (status == CLEAVE_OK)
        FUZZ_CHECK(fuzz_same_graph(plain, unpacked));
    else /* a binary file is mapped or read, with different messages about its size */
        FUZZ_CHECK((in->size > 0 && in->bytes[0] == 0x89) ||
                   strcmp(err.message, plain_err.message) == 0);
    cleave_graph_free(plain);
    cleave_graph_free(unpacked);
}

FUZZ_TARGET(gzip)
{
    static const char *const kinds[] = {NULL, "undirected", "dag", "lower", "upper"};
    const char *as = kinds[fuzz_choose(in, 0, 5)];
    int how = fuzz_choose(in, 1, 4);
    cleave_error err;
    cleave_graph *g;
    if (how == 0) {
        if (read_it(in->bytes, in->size, as, &g, &err) == CLEAVE_OK)
            fuzz_check_round_trip(g, in->choice[2]);
        cleave_graph_free(g);
        return;
    }
    /* Bytes that are packed already would be unpacked once in one case, twice never. */
    if (in->size >= 2 && in->bytes[0] == 0x1f && in->bytes[1] == 0x8b)
        return;
    size_t room = in->size + in->size / 8 + 1024, first = how == 2 ? in->size / 3 : in->size;
    uint8_t *packed = calloc(room, 1);
    int level = how == 3 ? 0 : 6;
    size_t size = append_member(packed, room, in->bytes, first, level);
    if (how == 2)
        size += append_member(packed + size, room - size, in->bytes + first, in->size - first,
                              level) +
                padding;
    compare(in, packed, size, as);
    free(packed);
}
