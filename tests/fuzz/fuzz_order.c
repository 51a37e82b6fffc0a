/* SPDX-License-Identifier: Apache-2.0 */
/* Orders, text and binary.  First character: whether valid checksums of a binary file are
 * computed first, so that the checks after them are reached; second: the number of PEs of the
 * split. */
#include <string.h>

#include "formats/binary_verify.h"
#include "fuzz/fuzz_common.h"

/* Of the header in formats/order_binary.c. */
enum { header_size = 128, header_sum_at = 16, data_sum_at = 24, sum_size = 8 };

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
    if (size < header_size || file[0] != 0x89)
        return;
    put_sum(file + data_sum_at, file + header_size, size - header_size);
    memset(file + header_sum_at, 0, sum_size);
    uint8_t header[header_size];
    memcpy(header, file, header_size);
    put_sum(file + header_sum_at, header, header_size);
}

static void check_split(const cleave_order *o, int32_t npes)
{
    int32_t begin[64], end[64];
    cleave_error err = {.status = CLEAVE_OK};
    cleave_target *t;
    cleave_mapping *m;
    FUZZ_CHECK_OK(cleave_target_create(&t, npes, NULL, &err), err);
    cleave_status status = cleave_order_split(begin, end, o, t, NULL, &err);
    FUZZ_CHECK(status == CLEAVE_OK || status == CLEAVE_EBALANCE);
    FUZZ_CHECK_OK(cleave_order_mapping(&m, o, npes, begin, end, &err), err);
    cleave_mapping_free(m);
    cleave_target_free(t);
}

FUZZ_TARGET(order)
{
    static uint8_t file[FUZZ_LONGEST];
    cleave_error err = {.status = CLEAVE_OK};
    cleave_order *o;
    memcpy(file, in->bytes, in->size);
    if (fuzz_choose(in, 0, 2) == 0)
        correct_sums(file, in->size);
    const char *path = fuzz_file("in.clo", file, in->size);
    cleave_status status = cleave_order_read(&o, path, &err);
    if (status != CLEAVE_OK) {
        fuzz_check_refusal(status, &err, o, path);
        return;
    }
    check_split(o, 1 + fuzz_choose(in, 1, 63));
    fuzz_check_order_file(o, "again.order");
    fuzz_check_order_file(o, "again.clo");
    fuzz_check_order_file(o, "again.clo.gz");
    cleave_order_free(o);
}
