/* SPDX-License-Identifier: Apache-2.0 */
/* Binary graphs.  First character: whether valid checksums are computed first, so that the
 * checks after them are reached; then `as`.  Third: the format to write.
 *
 * With CLEAVE_TRUST the library does not check the arrays, so the test does not either; but a
 * valid file must give the same graph. */
#include <string.h>

#include "formats/binary_verify.h"
#include "fuzz/fuzz_common.h"

/* Of the header in formats/binary.c. */
enum { header_size = 320, header_sum_at = 16, data_sum_at = 24, sum_size = 8 };

static void put_sum(uint8_t *at, const void *bytes, size_t size)
{
    clv_binary_sum sum;
    clv_binary_sum_init(&sum);
    clv_binary_sum_add(&sum, bytes, size);
    uint64_t value = clv_binary_sum_value(&sum);
    memcpy(at, &value, sum_size);
}

static void correct_sums(uint8_t *file, size_t size)
{
    if (size < header_size)
        return;
    put_sum(file + data_sum_at, file + header_size, size - header_size);
    uint8_t header[header_size];
    memcpy(header, file, header_size);
    memset(header + header_sum_at, 0, sum_size);
    put_sum(file + header_sum_at, header, header_size);
}

FUZZ_TARGET(binary)
{
    static uint8_t file[FUZZ_LONGEST];
    memcpy(file, in->bytes, in->size);
    if (fuzz_choose(in, 0, 2) == 0)
        correct_sums(file, in->size);
    const char *path = fuzz_file("in.clv", file, in->size);
    cleave_read_options opt;
    cleave_error err = {.status = CLEAVE_OK};
    bool trust;
    fuzz_read_options(in, &opt, &trust);
    opt.format = "binary";
    opt.flags = 0;
    cleave_graph *g, *trusted;
    cleave_status status = cleave_graph_read(&g, path, &opt, &err);
    if (status != CLEAVE_OK)
        fuzz_check_refusal(status, &err, g, path);
    else
        fuzz_check_graph(g);
    if (opt.as && (strcmp(opt.as, "lower") == 0 || strcmp(opt.as, "upper") == 0))
        opt.as = NULL; /* taking a triangle looks at the arrays */
    opt.flags = CLEAVE_TRUST;
    cleave_status quick = cleave_graph_read(&trusted, path, &opt, &err);
    if (quick != CLEAVE_OK)
        fuzz_check_refusal(quick, &err, trusted, path);
    if (status == CLEAVE_OK) {
        FUZZ_CHECK(quick == CLEAVE_OK);
        FUZZ_CHECK(cleave_graph_kind(g) != cleave_graph_kind(trusted) ||
                   fuzz_same_graph(g, trusted));
        fuzz_check_round_trip(g, in->choice[2]);
    }
    cleave_graph_free(trusted);
    cleave_graph_free(g);
}
