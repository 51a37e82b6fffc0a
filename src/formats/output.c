/* SPDX-License-Identifier: Apache-2.0 */
/* formats/output.c - a buffered output file that is replaced atomically. */
#include "formats/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/context.h"
#include "base/number.h"

#ifdef CLEAVE_HAVE_ZLIB
#include "formats/gzip.h"
#endif

enum { buffer_size = 256 * 1024, packed_size = 128 * 1024 };

struct clv_output {
    int fd;
    char *path;      /* as given, for messages */
    char *final;     /* final name; NULL: written directly */
    char *temporary; /* temporary name; capacity temporary_room characters */
    bool named;      /* the file has the temporary name now */
    char *buffer;
    size_t used;
    int64_t written;      /* bytes passed to put functions */
    cleave_status status; /* the first failure */
    cleave_error error;
    cleave_progress_fn progress;
    void *payload;
    double next_report; /* clock of the next call of progress */
    bool gzip, no_sync;
#ifdef CLEAVE_HAVE_ZLIB
    z_stream z;
    bool z_ready;
    unsigned char *packed;
#endif
};

static void write_raw(clv_output *out, const void *bytes, size_t count)
{
    const char *p = bytes;
    while (count > 0 && out->status == CLEAVE_OK) {
        ssize_t done = write(out->fd, p, count);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0) {
            out->status = clv_fail_system(&out->error, out->path, "write it", errno);
            return;
        }
        p += done;
        count -= (size_t)done;
    }
}

/* ---- Gzip ---------------------------------------------------------------------------- */

#ifdef CLEAVE_HAVE_ZLIB

static cleave_status start_gzip(clv_output *out, cleave_error *err)
{
    out->packed = clv_alloc(packed_size, 1);
    if (!out->packed)
        return clv_fail_memory(err);
    out->z.zalloc = clv_gzip_alloc;
    out->z.zfree = clv_gzip_free;
    if (deflateInit2(&out->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, CLV_GZIP_WINDOW, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return clv_fail_memory(err);
    out->z_ready = true;
    return CLEAVE_OK;
}

static void write_packed(clv_output *out, const char *bytes, size_t count, bool last)
{
    out->z.next_in = (unsigned char *)bytes;
    out->z.avail_in = (unsigned)count;
    do {
        out->z.next_out = out->packed;
        out->z.avail_out = packed_size;
        deflate(&out->z, last ? Z_FINISH : Z_NO_FLUSH);
        write_raw(out, out->packed, packed_size - out->z.avail_out);
    } while (out->z.avail_out == 0 && out->status == CLEAVE_OK);
}

static void end_gzip(clv_output *out)
{
    if (out->z_ready)
        deflateEnd(&out->z);
    clv_sys_free(out->packed);
}

#else

static cleave_status start_gzip(clv_output *out, cleave_error *err)
{
    return clv_fail_at(err, CLEAVE_EIO, out->path, 0,
                       "cannot be compressed: this library was built without zlib");
}

static void write_packed(clv_output *out, const char *bytes, size_t count, bool last)
{
    (void)last;
    write_raw(out, bytes, count);
}

static void end_gzip(clv_output *out)
{
    (void)out;
}

#endif

static void flush(clv_output *out, bool last)
{
    cleave_progress now = {sizeof now, "writing", out->written, 0, -1, -1};
    if (out->status == CLEAVE_OK &&
        clv_progress_tell(out->progress, out->payload, &now, &out->next_report))
        out->status = clv_fail(&out->error, CLEAVE_ECANCEL, "writing was cancelled");
    if (out->status == CLEAVE_OK && out->gzip)
        write_packed(out, out->buffer, out->used, last);
    else if (out->status == CLEAVE_OK)
        write_raw(out, out->buffer, out->used);
    out->written += (int64_t)out->used;
    out->used = 0;
}

static bool ends_in_gz(const char *path)
{
    size_t length = strlen(path);
    return length > 3 && strcmp(path + length - 3, ".gz") == 0;
}

/* The file that a symbolic link points to is replaced, not the link; follows as many links as
 * the system does.  *target is from clv_alloc. */
static cleave_status follow_links(char **target, const char *path, cleave_error *err)
{
    enum { longest = 4096, most_links = 40 };
    char *name = clv_alloc(2 * longest, 1), *link = name ? name + longest : NULL;
    *target = name;
    if (!name)
        return clv_fail_memory(err);
    if (strlen(path) >= longest)
        return clv_fail_system(err, path, "create it", ENAMETOOLONG);
    strcpy(name, path);
    for (int i = 0; i <= most_links; i++) {
        ssize_t length = readlink(name, link, longest - 1);
        if (length < 0)
            return CLEAVE_OK;
        link[length] = '\0';
        char *slash = link[0] == '/' ? NULL : strrchr(name, '/');
        size_t keep = slash ? (size_t)(slash - name) + 1 : 0;
        if (keep + (size_t)length >= longest)
            return clv_fail_system(err, path, "create it", ENAMETOOLONG);
        memcpy(name + keep, link, (size_t)length + 1);
    }
    return clv_fail_system(err, path, "create it", ELOOP);
}

/* ---- Temporary files ------------------------------------------------------------------ */

/* Room for "." and ".PID-N.tmp" behind the final name. */
static size_t temporary_room(const clv_output *out)
{
    return strlen(out->final) + 48;
}

/* Replaces the name of a file by that of its directory; needs room for two more characters. */
static void turn_into_directory(char *name)
{
    char *slash = strrchr(name, '/');
    strcpy(slash ? slash + 1 : name, ".");
}

/* The path of an open file that has no name. */
static void print_descriptor(char name[40], int fd)
{
    snprintf(name, 40, "/proc/self/fd/%d", fd);
}

/* Creates an unnamed file in the directory of the final one: it disappears with the process,
 * however that ends.  False if the file system does not support it, or if /proc, which is
 * needed to name it later, is not mounted. */
static bool create_unnamed(clv_output *out)
{
#ifdef O_TMPFILE
    char descriptor[40];
    strcpy(out->temporary, out->final);
    turn_into_directory(out->temporary);
    out->fd = open(out->temporary, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
    if (out->fd < 0)
        return false;
    print_descriptor(descriptor, out->fd);
    if (access(descriptor, F_OK) == 0)
        return true;
    close(out->fd);
    out->fd = -1;
#endif
    return false;
}

static bool create_named(clv_output *out)
{
    out->fd = open(out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return out->fd >= 0;
}

static bool name_unnamed(clv_output *out)
{
    char descriptor[40];
    print_descriptor(descriptor, out->fd);
    return linkat(AT_FDCWD, descriptor, AT_FDCWD, out->temporary, AT_SYMLINK_FOLLOW) == 0;
}

/* Links an unnamed file directly to its final name, if that is free: the process can then be
 * killed at any time without leaving a temporary file. */
static bool name_finally(clv_output *out)
{
    char descriptor[40];
    print_descriptor(descriptor, out->fd);
    return linkat(AT_FDCWD, descriptor, AT_FDCWD, out->final, AT_SYMLINK_FOLLOW) == 0;
}

/* Takes a free name next to the final one; `take` fails with EEXIST if a name is in use. */
static cleave_status take_name(clv_output *out, bool (*take)(clv_output *), cleave_error *err)
{
    for (int i = 0; i < 1000 && !out->named; i++) {
        snprintf(out->temporary, temporary_room(out), "%s.%ld-%d.tmp", out->final,
                 (long)getpid(), i);
        out->named = take(out);
        if (!out->named && errno != EEXIST)
            break;
    }
    return out->named ? CLEAVE_OK : clv_fail_system(err, out->path, "create it", errno);
}

static cleave_status create_temporary(clv_output *out, cleave_error *err)
{
    out->temporary = clv_alloc((int64_t)temporary_room(out), 1);
    if (!out->temporary)
        return clv_fail_memory(err);
    return create_unnamed(out) ? CLEAVE_OK : take_name(out, create_named, err);
}

cleave_status clv_output_temporary(const char **name, clv_output *out, cleave_error *err)
{
    *name = NULL;
    if (out->gzip || !out->final)
        return CLEAVE_OK;
    if (!out->named)
        CLV_TRY(take_name(out, name_unnamed, err));
    *name = out->temporary;
    return CLEAVE_OK;
}

bool clv_output_unnamed(const clv_output *out, char name[CLV_OUTPUT_UNNAMED])
{
    snprintf(name, CLV_OUTPUT_UNNAMED, "/proc/%ld/fd/%d", (long)getpid(), out->fd);
    return out->final && !out->named && !out->gzip;
}

/* ---- Opening and closing ------------------------------------------------------------- */

static cleave_status open_target(clv_output *out, cleave_error *err)
{
    struct stat info;
    bool exists = stat(out->path, &info) == 0;
    if (exists && S_ISDIR(info.st_mode))
        return clv_fail_system(err, out->path, "write it", EISDIR);
    if (exists && !S_ISREG(info.st_mode)) {
        out->fd = open(out->path, O_WRONLY | O_CLOEXEC);
        return out->fd >= 0 ? CLEAVE_OK : clv_fail_system(err, out->path, "open it", errno);
    }
    if (exists && access(out->path, W_OK) != 0)
        return clv_fail_system(err, out->path, "write it", errno);
    CLV_TRY(follow_links(&out->final, out->path, err));
    CLV_TRY(create_temporary(out, err));
    if (exists && fchmod(out->fd, info.st_mode & 07777) != 0)
        return clv_fail_system(err, out->path, "set its permissions", errno);
    return CLEAVE_OK;
}

static cleave_status open_output(clv_output *out, const char *path, cleave_error *err)
{
    bool standard = strcmp(path, "-") == 0;
    const char *shown = standard ? "standard output" : path;
    out->path = clv_alloc((int64_t)strlen(shown) + 1, 1);
    out->buffer = clv_alloc(buffer_size, 1);
    if (!out->path || !out->buffer)
        return clv_fail_memory(err);
    strcpy(out->path, shown);
    out->gzip = ends_in_gz(path);
    if (out->gzip)
        CLV_TRY(start_gzip(out, err));
    if (!standard)
        return open_target(out, err);
    out->fd = dup(STDOUT_FILENO);
    return out->fd >= 0 ? CLEAVE_OK : clv_fail_system(err, out->path, "open it", errno);
}

cleave_status clv_output_open(clv_output **result, const char *path,
                              cleave_progress_fn progress, void *payload, cleave_error *err)
{
    *result = NULL;
    clv_output *out = clv_zalloc(1, sizeof *out);
    if (!out)
        return clv_fail_memory(err);
    out->fd = -1;
    out->progress = progress;
    out->payload = payload;
    cleave_status status = open_output(out, path, err);
    if (status != CLEAVE_OK) {
        clv_output_abandon(out);
        return status;
    }
    *result = out;
    return CLEAVE_OK;
}

void clv_output_no_sync(clv_output *out)
{
    out->no_sync = true;
}

void clv_output_abandon(clv_output *out)
{
    if (!out)
        return;
    if (out->fd >= 0)
        close(out->fd);
    if (out->named)
        unlink(out->temporary);
    end_gzip(out);
    clv_sys_free(out->temporary);
    clv_sys_free(out->final);
    clv_sys_free(out->path);
    clv_sys_free(out->buffer);
    clv_sys_free(out);
}

/* Syncs the file to the device; false: writing failed.  File systems without sync are not an
 * error. */
static bool sync_to_device(int fd)
{
    int result;
    do
        result = fsync(fd);
    while (result != 0 && errno == EINTR);
    return result == 0 || errno == EINVAL || errno == ENOSYS || errno == ENOTSUP;
}

/* A new name survives a crash only after its directory is synced.  A directory without read
 * permission is left to the system.  Changes name (turn_into_directory). */
static bool sync_directory(char *name)
{
    turn_into_directory(name);
    int fd = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return true;
    bool kept = sync_to_device(fd);
    int code = errno;
    close(fd);
    errno = code;
    return kept;
}

/* Some file systems report a full disk only when a file is closed. */
static bool close_succeeds(int fd)
{
    int copy = dup(fd);
    return copy < 0 || close(copy) == 0;
}

/* Gives the file its final name; if that is in use, by renaming a temporary name.  Syncs the
 * contents first: after a crash the name refers to the old file or to the new one, never to an
 * empty one. */
static void publish_file(clv_output *out)
{
    if ((!out->no_sync && !sync_to_device(out->fd)) || !close_succeeds(out->fd)) {
        out->status = clv_fail_system(&out->error, out->path, "write it", errno);
        return;
    }
    bool there = !out->named && name_finally(out);
    if (!there && !out->named)
        out->status = take_name(out, name_unnamed, &out->error);
    if (out->status != CLEAVE_OK)
        return;
    if (!there && rename(out->temporary, out->final) != 0) {
        out->status = clv_fail_system(&out->error, out->path, "create it", errno);
        return;
    }
    out->named = false; /* there is no temporary file to remove */
    strcpy(out->temporary, out->final);
    if (!out->no_sync && !sync_directory(out->temporary))
        out->status = clv_fail_system(&out->error, out->path, "write it", errno);
}

cleave_status clv_output_commit(clv_output *out, cleave_error *err)
{
    flush(out, true);
    if (out->status == CLEAVE_OK && out->final)
        publish_file(out);
    if (close(out->fd) != 0 && out->status == CLEAVE_OK && !out->final)
        out->status = clv_fail_system(&out->error, out->path, "write it", errno);
    out->fd = -1;
    cleave_status status = out->status;
    if (status != CLEAVE_OK && err)
        *err = out->error;
    clv_output_abandon(out);
    return status;
}

cleave_status clv_output_write(const char *path, const void *bytes, size_t count,
                               cleave_error *err)
{
    clv_output *out;
    CLV_TRY(clv_output_open(&out, path, NULL, NULL, err));
    clv_put_bytes(out, bytes, count);
    return clv_output_commit(out, err);
}

/* ---- Putting ------------------------------------------------------------------------- */

void clv_put_bytes(clv_output *out, const void *bytes, size_t count)
{
    const char *p = bytes;
    while (count > 0) {
        if (out->used == buffer_size)
            flush(out, false);
        size_t room = buffer_size - out->used, now = count < room ? count : room;
        memcpy(out->buffer + out->used, p, now);
        out->used += now;
        p += now;
        count -= now;
    }
}

void clv_put_text(clv_output *out, const char *text)
{
    clv_put_bytes(out, text, strlen(text));
}

void clv_put_char(clv_output *out, char c)
{
    if (out->used == buffer_size)
        flush(out, false);
    out->buffer[out->used++] = c;
}

/* The position in the buffer where a number can be printed. */
static char *number_place(clv_output *out)
{
    if (buffer_size - out->used < CLV_NUMBER_SPACE)
        flush(out, false);
    return out->buffer + out->used;
}

void clv_put_i64(clv_output *out, int64_t value)
{
    char *place = number_place(out);
    out->used += (size_t)(clv_print_i64(place, value) - place);
}

void clv_put_double(clv_output *out, double value)
{
    char *place = number_place(out);
    out->used += (size_t)(clv_print_double(place, value) - place);
}
