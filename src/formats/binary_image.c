/* SPDX-License-Identifier: Apache-2.0 */
/* formats/binary_image.c - see formats/binary_image.h. */
#include "formats/binary_image.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "formats/binary_verify.h"

cleave_status clv_binary_refuse(const char *path, cleave_error *err, const char *sentence)
{
    return clv_fail_at(err, CLEAVE_EPARSE, path, 0, "%s", sentence);
}

uint64_t clv_binary_header_sum(const void *header, size_t header_size)
{
    unsigned char copy[clv_largest_header];
    clv_binary_start start;
    assert(header_size <= sizeof copy);
    memcpy(copy, header, header_size);
    memcpy(&start, header, sizeof start);
    start.header_sum = 0;
    memcpy(copy, &start, sizeof start);
    return clv_binary_checksum(copy, header_size);
}

cleave_status clv_binary_check_start(const void *header, size_t header_size, size_t count,
                                     uint32_t version, const char *path, cleave_error *err)
{
    const clv_binary_start *start = header;
    if (count < header_size)
        return clv_fail_at(err, CLEAVE_EPARSE, path, 0,
                           "the file is cut short: %llu bytes, the header has %llu",
                           (unsigned long long)count, (unsigned long long)header_size);
    if (start->byte_order != clv_binary_order)
        return clv_binary_refuse(path, err,
                                 "was written on a machine with another byte order");
    if (start->version != version)
        return clv_fail_at(err, CLEAVE_EPARSE, path, 0,
                           "has version %lu of the format, this library reads version %lu",
                           (unsigned long)start->version, (unsigned long)version);
    if (start->header_sum != clv_binary_header_sum(header, header_size))
        return clv_binary_refuse(path, err, "is damaged: the checksum of the header is wrong");
    return CLEAVE_OK;
}

cleave_status clv_binary_check_size(uint64_t says, uint64_t found, const char *path,
                                    cleave_error *err)
{
    if (found == says)
        return CLEAVE_OK;
    return clv_fail_at(err, CLEAVE_EPARSE, path, 0,
                       found < says
                           ? "the file is cut short: %llu bytes, the header says %llu"
                           : "the file has more bytes than its header says: %llu, not %llu",
                       (unsigned long long)found, (unsigned long long)says);
}

static cleave_status map_file(const unsigned char **image, clv_arena *arena, int fd,
                              uint64_t size, const char *path, cleave_error *err)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return clv_fail_system(err, path, "examine it", errno);
    CLV_TRY(clv_binary_check_size(size, (uint64_t)info.st_size, path, err));
    void *map = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (map == MAP_FAILED)
        return clv_fail_system(err, path, "map it", errno);
    if (!clv_arena_adopt_map(arena, map, (size_t)size)) {
        munmap(map, (size_t)size);
        return clv_fail_memory(err);
    }
    *image = map;
    return CLEAVE_OK;
}

static cleave_status read_stream(const unsigned char **image, clv_arena *arena, clv_input *in,
                                 uint64_t size, cleave_error *err)
{
    char *bytes;
    int64_t count;
    int64_t limit = (int64_t)size < INT64_MAX - 65536 ? (int64_t)size + 65536 : INT64_MAX;
    CLV_TRY(clv_input_slurp(in, limit, &bytes, &count, err));
    cleave_status status =
        clv_binary_check_size(size, (uint64_t)count, clv_input_path(in), err);
    if (status == CLEAVE_OK && !clv_arena_adopt(arena, bytes))
        status = clv_fail_memory(err);
    if (status != CLEAVE_OK)
        clv_sys_free(bytes);
    else
        *image = (const unsigned char *)bytes;
    return status;
}

cleave_status clv_binary_image(const unsigned char **image, clv_arena *arena, clv_input *in,
                               uint64_t file_size, bool map, cleave_error *err)
{
    int fd = map ? clv_input_fd(in) : -1;
    return fd >= 0 ? map_file(image, arena, fd, file_size, clv_input_path(in), err)
                   : read_stream(image, arena, in, file_size, err);
}

uint64_t clv_binary_checksum(const void *bytes, uint64_t count)
{
    clv_binary_sum sum;
    clv_binary_sum_init(&sum);
    clv_binary_sum_add(&sum, bytes, count);
    return clv_binary_sum_value(&sum);
}
