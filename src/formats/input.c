/* SPDX-License-Identifier: Apache-2.0 */
/* formats/input.c - bytes of a file, a pipe or standard input, decompressed if necessary.
 *
 * Plain input is read directly into the caller's buffer.  Gzip goes through one buffer and
 * zlib; concatenated members are one file, as gzip defines it. */
#include "formats/input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/context.h"

#ifdef CLEAVE_HAVE_ZLIB
#include "formats/gzip.h"
#endif

enum { peek_size = CLV_INPUT_PEEK, raw_size = 128 * 1024 };

struct clv_input {
    int fd;
    char *path;
    int64_t size; /* of a regular file, else -1 */
    int64_t raw_read;
    bool gzip, consumed;
    char *peeked;
    size_t peek_begin, peek_end;
    cleave_progress_fn progress;
    void *payload;
    double next_report;      /* clock of the next call of progress */
    clv_input_source source; /* read NULL: the file descriptor */
#ifdef CLEAVE_HAVE_ZLIB
    z_stream z;
    bool z_ready, member_open, raw_ended;
    unsigned char *raw;
#endif
};

/* ---- Raw bytes ---------------------------------------------------------------------- */

cleave_status clv_input_report(clv_input *in, int64_t done, cleave_error *err)
{
    cleave_progress now = {sizeof now, "reading", done, in->size > 0 ? in->size : 0, -1, -1};
    if (clv_progress_tell(in->progress, in->payload, &now, &in->next_report))
        return clv_fail_at(err, CLEAVE_ECANCEL, in->path, 0, "reading was cancelled");
    return CLEAVE_OK;
}

/* At the end of the file: fails if it was truncated after it was opened, because what was read
 * may be a valid but smaller graph.  (Files of sysfs report a larger size than they have;
 * their size does not change.) */
static cleave_status check_end(const clv_input *in, cleave_error *err)
{
    struct stat info;
    if (in->raw_read >= in->size || fstat(in->fd, &info) != 0 || info.st_size >= in->size)
        return CLEAVE_OK;
    return clv_fail_at(err, CLEAVE_EIO, in->path, 0,
                       "the file became shorter while it was read");
}

static cleave_status read_source(clv_input *in, char *to, size_t capacity, size_t *count,
                                 cleave_error *err)
{
    int64_t left = in->size - in->raw_read;
    *count = 0;
    if (left == 0)
        return CLEAVE_OK;
    if ((int64_t)capacity > left)
        capacity = (size_t)left;
    CLV_TRY(in->source.read(in->source.context, to, capacity, in->raw_read, count, err));
    in->raw_read += (int64_t)*count;
    return clv_input_report(in, in->raw_read, err);
}

static cleave_status read_raw(clv_input *in, void *to, size_t capacity, size_t *count,
                              cleave_error *err)
{
    if (in->source.read)
        return read_source(in, to, capacity, count, err);
    ssize_t got;
    do
        got = read(in->fd, to, capacity);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return clv_fail_system(err, in->path, "read it", errno);
    if (got == 0)
        CLV_TRY(check_end(in, err));
    *count = (size_t)got;
    in->raw_read += got;
    return clv_input_report(in, in->raw_read, err);
}

/* ---- Gzip ---------------------------------------------------------------------------- */

#ifdef CLEAVE_HAVE_ZLIB

static cleave_status start_gzip(clv_input *in, cleave_error *err)
{
    in->raw = clv_alloc(raw_size, 1);
    if (!in->raw)
        return clv_fail_memory(err);
    in->z.zalloc = clv_gzip_alloc;
    in->z.zfree = clv_gzip_free;
    if (inflateInit2(&in->z, CLV_GZIP_WINDOW) != Z_OK)
        return clv_fail_memory(err);
    in->z_ready = true;
    return CLEAVE_OK;
}

/* Makes at least one compressed byte available, unless the file has ended. */
static cleave_status refill_raw(clv_input *in, cleave_error *err)
{
    if (in->z.avail_in > 0 || in->raw_ended)
        return CLEAVE_OK;
    size_t count;
    CLV_TRY(read_raw(in, in->raw, raw_size, &count, err));
    in->z.next_in = in->raw;
    in->z.avail_in = (unsigned)count;
    in->raw_ended = count == 0;
    return CLEAVE_OK;
}

/* After a gzip member: another member, padding zeros, or the end. */
static cleave_status next_member(clv_input *in, bool *more, cleave_error *err)
{
    *more = false;
    for (;;) {
        CLV_TRY(refill_raw(in, err));
        if (in->z.avail_in == 0)
            return CLEAVE_OK;
        if (*in->z.next_in != 0)
            break;
        in->z.next_in++;
        in->z.avail_in--;
    }
    if (inflateReset(&in->z) != Z_OK)
        return clv_fail_memory(err);
    in->member_open = true;
    *more = true;
    return CLEAVE_OK;
}

static cleave_status read_gzip(clv_input *in, char *to, size_t capacity, size_t *count,
                               cleave_error *err)
{
    in->z.next_out = (unsigned char *)to;
    in->z.avail_out = capacity > 1u << 30 ? 1u << 30 : (unsigned)capacity;
    unsigned offered = in->z.avail_out;
    while (in->z.avail_out == offered) {
        if (!in->member_open) {
            bool more;
            CLV_TRY(next_member(in, &more, err));
            if (!more)
                break;
        }
        CLV_TRY(refill_raw(in, err));
        if (in->z.avail_in == 0)
            return clv_fail_at(err, CLEAVE_EPARSE, in->path, 0, "the gzip file is cut short");
        int code = inflate(&in->z, Z_NO_FLUSH);
        if (code == Z_STREAM_END)
            in->member_open = false;
        else if (code == Z_MEM_ERROR)
            return clv_fail_memory(err);
        else if (code != Z_OK && code != Z_BUF_ERROR)
            return clv_fail_at(err, CLEAVE_EPARSE, in->path, 0, "the gzip file is damaged");
    }
    *count = offered - in->z.avail_out;
    return CLEAVE_OK;
}

static void end_gzip(clv_input *in)
{
    if (in->z_ready)
        inflateEnd(&in->z);
    clv_sys_free(in->raw);
}

#else

static cleave_status start_gzip(clv_input *in, cleave_error *err)
{
    return clv_fail_at(err, CLEAVE_EIO, in->path, 0,
                       "is compressed, and this library was built without zlib");
}

static cleave_status read_gzip(clv_input *in, char *to, size_t capacity, size_t *count,
                               cleave_error *err)
{
    (void)to;
    (void)capacity;
    (void)count;
    return start_gzip(in, err);
}

static void end_gzip(clv_input *in)
{
    (void)in;
}

#endif

/* ---- Opening ------------------------------------------------------------------------- */

/* Fills the peek buffer; for a gzip file its contents become the first input of zlib. */
static cleave_status look_ahead(clv_input *in, cleave_error *err)
{
    in->peeked = clv_alloc(peek_size, 1);
    if (!in->peeked)
        return clv_fail_memory(err);
    while (in->peek_end < 2) {
        size_t count;
        CLV_TRY(
            read_raw(in, in->peeked + in->peek_end, peek_size - in->peek_end, &count, err));
        if (count == 0)
            break;
        in->peek_end += count;
    }
    in->gzip = in->peek_end >= 2 && in->peeked[0] == '\x1f' && in->peeked[1] == '\x8b';
    if (!in->gzip)
        return CLEAVE_OK;
    CLV_TRY(start_gzip(in, err));
#ifdef CLEAVE_HAVE_ZLIB
    memcpy(in->raw, in->peeked, in->peek_end);
    in->z.next_in = in->raw;
    in->z.avail_in = (unsigned)in->peek_end;
    in->member_open = true;
    in->peek_end = 0;
#endif
    return CLEAVE_OK;
}

static cleave_status open_file(clv_input *in, const char *path, cleave_error *err)
{
    in->fd = strcmp(path, "-") == 0 ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
    if (in->fd < 0)
        return clv_fail_system(err, path, "open it", errno);
    struct stat info;
    if (fstat(in->fd, &info) != 0)
        return clv_fail_system(err, path, "examine it", errno);
    if (S_ISDIR(info.st_mode))
        return clv_fail_system(err, path, "read it", EISDIR);
    /* Standard input may be a regular file of which a part was read before. */
    bool named = strcmp(path, "-") != 0;
    in->size = S_ISREG(info.st_mode) && named ? (int64_t)info.st_size : -1;
    return CLEAVE_OK;
}

/* An input that is not open yet. */
static cleave_status new_input(clv_input **out, const char *path, cleave_error *err)
{
    *out = NULL;
    clv_input *in = clv_zalloc(1, sizeof *in);
    if (!in)
        return clv_fail_memory(err);
    in->fd = -1;
    in->path = clv_alloc((int64_t)strlen(path) + 1, 1);
    if (!in->path) {
        clv_input_close(in);
        return clv_fail_memory(err);
    }
    strcpy(in->path, path);
    *out = in;
    return CLEAVE_OK;
}

cleave_status clv_input_open(clv_input **out, const char *path, cleave_progress_fn progress,
                             void *payload, cleave_error *err)
{
    CLV_TRY(new_input(out, path, err));
    clv_input *in = *out;
    in->progress = progress;
    in->payload = payload;
    cleave_status status = open_file(in, path, err);
    if (status == CLEAVE_OK)
        status = look_ahead(in, err);
    if (status != CLEAVE_OK) {
        clv_input_close(in);
        *out = NULL;
    }
    return status;
}

cleave_status clv_input_from(clv_input **out, const char *path, const clv_input_source *source,
                             cleave_error *err)
{
    CLV_TRY(new_input(out, path, err));
    clv_input *in = *out;
    in->progress = source->progress;
    in->payload = source->payload;
    in->size = source->size;
    in->source = *source;
    in->peeked = clv_alloc(peek_size, 1);
    if (in->peeked)
        return CLEAVE_OK;
    clv_input_close(in);
    *out = NULL;
    return clv_fail_memory(err);
}

void clv_input_close(clv_input *in)
{
    if (!in)
        return;
    end_gzip(in);
    if (in->fd >= 0)
        close(in->fd);
    clv_sys_free(in->peeked);
    clv_sys_free(in->path);
    clv_sys_free(in);
}

/* ---- Reading ------------------------------------------------------------------------- */

static cleave_status read_any(clv_input *in, char *to, size_t capacity, size_t *count,
                              cleave_error *err)
{
    return in->gzip ? read_gzip(in, to, capacity, count, err)
                    : read_raw(in, to, capacity, count, err);
}

cleave_status clv_input_peek(clv_input *in, const char **bytes, size_t *count,
                             cleave_error *err)
{
    while (!in->consumed && in->peek_end < peek_size) {
        size_t got;
        CLV_TRY(read_any(in, in->peeked + in->peek_end, peek_size - in->peek_end, &got, err));
        if (got == 0)
            break;
        in->peek_end += got;
    }
    *bytes = in->peeked + in->peek_begin;
    *count = in->peek_end - in->peek_begin;
    return CLEAVE_OK;
}

cleave_status clv_input_read(clv_input *in, char *to, size_t capacity, size_t *count,
                             cleave_error *err)
{
    in->consumed = true;
    if (in->peek_begin == in->peek_end)
        return read_any(in, to, capacity, count, err);
    size_t held = in->peek_end - in->peek_begin;
    *count = held < capacity ? held : capacity;
    memcpy(to, in->peeked + in->peek_begin, *count);
    in->peek_begin += *count;
    return CLEAVE_OK;
}

int64_t clv_input_size(const clv_input *in)
{
    return in->gzip ? -1 : in->size;
}

const char *clv_input_path(const clv_input *in)
{
    return in->path;
}

int clv_input_fd(const clv_input *in)
{
    return !in->gzip && in->size >= 0 && !in->consumed ? in->fd : -1;
}

cleave_status clv_input_read_at(const clv_input *in, char *to, size_t capacity, int64_t at,
                                size_t *count, cleave_error *err)
{
    ssize_t got;
    do
        got = pread(in->fd, to, capacity, (off_t)at);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return clv_fail_system(err, in->path, "read it", errno);
    *count = (size_t)got;
    return CLEAVE_OK;
}

int64_t clv_input_position(const clv_input *in)
{
    return in->raw_read - (int64_t)(in->peek_end - in->peek_begin);
}

cleave_status clv_input_slurp(clv_input *in, int64_t limit, char **text, int64_t *count,
                              cleave_error *err)
{
    *text = NULL;
    int64_t size = clv_input_size(in);
    int64_t capacity = size >= 0 && size < limit ? size + 1 : 64 * 1024, used = 0;
    char *block = clv_alloc(capacity + 1, 1);
    cleave_status status = block ? CLEAVE_OK : clv_fail_memory(err);
    while (status == CLEAVE_OK) {
        if (used == capacity) {
            char *larger = clv_realloc(block, 2 * capacity + 1, 1);
            if (!larger) {
                status = clv_fail_memory(err);
                break;
            }
            block = larger;
            capacity *= 2;
        }
        size_t got = 0;
        status = clv_input_read(in, block + used, (size_t)(capacity - used), &got, err);
        used += (int64_t)got;
        if (status == CLEAVE_OK && used > limit)
            status = clv_fail_at(err, CLEAVE_ERANGE, in->path, 0,
                                 "is larger than the %lld bytes this format may have",
                                 (long long)limit);
        if (got == 0)
            break;
    }
    if (status != CLEAVE_OK) {
        clv_sys_free(block);
        return status;
    }
    block[used] = '\0';
    *text = block;
    *count = used;
    return CLEAVE_OK;
}
