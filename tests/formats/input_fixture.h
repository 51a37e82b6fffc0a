/* SPDX-License-Identifier: Apache-2.0 */
/* tests/formats/input_fixture.h - reading whole inputs, and an independent gzip writer. */
#ifndef CLV_TESTS_FORMATS_INPUT_FIXTURE_H
#define CLV_TESTS_FORMATS_INPUT_FIXTURE_H

#include <dirent.h>

#include "formats/reader_fixture.h"

static cleave_error err;

/* ---- Helpers ---------------------------------------------------------------------------- */

static inline int open_files(void)
{
    DIR *folder = opendir("/proc/self/fd");
    if (!folder)
        return 0;
    int count = 0;
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

/* Everything there is, in reads of `step` bytes; NULL and err on failure. */
static inline char *read_all(const char *path, size_t step, size_t *count,
                             cleave_progress_fn progress, void *payload)
{
    clv_input *in;
    *count = 0;
    if (clv_input_open(&in, path, progress, payload, &err) != CLEAVE_OK) {
        CHECK(in == NULL);
        return NULL;
    }
    size_t room = step + 1, got = 1;
    char *bytes = malloc(room);
    cleave_status status = CLEAVE_OK;
    while (status == CLEAVE_OK && got > 0) {
        if (room - *count < step)
            bytes = realloc(bytes, room = 2 * room + step);
        got = 0;
        status = clv_input_read(in, bytes + *count, step, &got, &err);
        CHECK(got <= step);
        *count += got;
    }
    clv_input_close(in);
    if (status == CLEAVE_OK)
        return bytes;
    free(bytes);
    return NULL;
}

static inline const char *failure(const char *path)
{
    static reader_text shown;
    size_t count;
    int64_t live = test_alloc_live();
    int files = open_files();
    shown.used = 0;
    char *bytes = read_all(path, 1000, &count, NULL, NULL);
    CHECK(bytes == NULL);
    free(bytes);
    reader_show_error(&shown, &err, path);
    CHECK_EQ(test_alloc_live(), live);
    CHECK_EQ(open_files(), files);
    return shown.text;
}

/* Is the file's decompressed content these bytes?  Read in several ways. */
static inline bool holds(const char *path, const char *expected, size_t size)
{
    const size_t steps[] = {1 << 20, 4093, size < 70000 ? 1 : 65536};
    bool same = true;
    for (int i = 0; i < 3; i++) {
        size_t count;
        char *bytes = read_all(path, steps[i], &count, NULL, NULL);
        same = same && bytes && count == size && memcmp(bytes, expected, size) == 0;
        free(bytes);
    }
    return same;
}

/* ---- A gzip writer of our own: stored blocks -------------------------------------------- */

typedef struct packed {
    unsigned char bytes[400000];
    size_t size;
} packed;

static packed gz;

static inline void pack_byte(unsigned byte)
{
    gz.bytes[gz.size++] = (unsigned char)byte;
}

static inline void pack_u32(uint32_t value)
{
    for (int i = 0; i < 4; i++)
        pack_byte(value >> (8 * i) & 255);
}

static inline uint32_t crc32_of(const char *bytes, size_t size)
{
    uint32_t crc = 0xffffffffu;
    for (size_t i = 0; i < size; i++) {
        crc ^= (unsigned char)bytes[i];
        for (int k = 0; k < 8; k++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

enum { WITH_EXTRA = 4, WITH_NAME = 8, WITH_COMMENT = 16 };

static inline void pack_member(const char *bytes, size_t size, int flags)
{
    pack_byte(0x1f);
    pack_byte(0x8b);
    pack_byte(8);
    pack_byte((unsigned)flags);
    pack_u32(0); /* time */
    pack_byte(0);
    pack_byte(255);
    if (flags & WITH_EXTRA) {
        pack_byte(3);
        pack_byte(0);
        for (int i = 0; i < 3; i++)
            pack_byte('x');
    }
    for (int field = WITH_NAME; field <= WITH_COMMENT; field *= 2)
        for (const char *p = "a.graph"; flags & field; p++) {
            pack_byte((unsigned char)*p);
            if (!*p)
                break;
        }
    for (size_t done = 0;;) {
        size_t now = size - done < 65535 ? size - done : 65535;
        pack_byte(done + now == size);
        pack_byte(now & 255);
        pack_byte(now >> 8 & 255);
        pack_byte(~now & 255);
        pack_byte(~now >> 8 & 255);
        memcpy(gz.bytes + gz.size, bytes + done, now);
        gz.size += now;
        done += now;
        if (done == size)
            break;
    }
    pack_u32(crc32_of(bytes, size));
    pack_u32((uint32_t)size);
}

static inline const char *packed_file(void)
{
    return test_file_bytes("a.graph.gz", gz.bytes, gz.size);
}

static inline bool has_zlib(void)
{
    return strstr(cleave_features(), "zlib") != NULL;
}

static inline const char *pattern_text(size_t size)
{
    static char text[300000];
    for (size_t i = 0; i < size; i++)
        text[i] = (char)('0' + (i * i / 7 + i) % 77);
    return text;
}

#endif
