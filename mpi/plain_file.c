/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/plain_file.c - see mpi/files.h.
 *
 * Counts are int in MPI-3, so that long ranges are split.  A call can succeed with fewer bytes
 * than requested: at the end of a file, and (Open MPI 4.1) on a full disk.  The returned count
 * is therefore checked. */
#include <string.h>

#include "formats/binary_verify.h"
#include "mpi/files.h"

enum { piece_bytes = 1 << 26, sum_window = 1 << 22 };

static cleave_status fail_mpi(const clv_plain_file *f, const char *what, int code,
                              cleave_error *err)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, text, &length);
    return clv_fail_at(err, CLEAVE_EIO, f->path, 0, "cannot %s: %s", what, text);
}

cleave_status clv_plain_open(clv_plain_file *f, const char *path, const char *shown,
                             bool for_writing, cleave_error *err)
{
    f->path = shown;
    f->open = false;
    int code =
        MPI_File_open(MPI_COMM_SELF, path, for_writing ? MPI_MODE_RDWR : MPI_MODE_RDONLY,
                      MPI_INFO_NULL, &f->handle);
    if (code != MPI_SUCCESS)
        return fail_mpi(f, "open it", code, err);
    MPI_File_set_errhandler(f->handle, MPI_ERRORS_RETURN); /* regardless of the caller's error
                                                              handler */
    f->open = true;
    return CLEAVE_OK;
}

cleave_status clv_plain_close(clv_plain_file *f, cleave_error *err)
{
    if (!f->open)
        return CLEAVE_OK;
    f->open = false;
    int code = MPI_File_close(&f->handle);
    return code == MPI_SUCCESS ? CLEAVE_OK : fail_mpi(f, "close it", code, err);
}

cleave_status clv_plain_read(const clv_plain_file *f, void *to, int64_t bytes, int64_t at,
                             cleave_error *err)
{
    char *place = to;
    while (bytes > 0) {
        int now = (int)(bytes < piece_bytes ? bytes : piece_bytes), got = 0;
        MPI_Status status;
        int code = MPI_File_read_at(f->handle, at, place, now, MPI_BYTE, &status);
        if (code != MPI_SUCCESS)
            return fail_mpi(f, "read it", code, err);
        MPI_Get_count(&status, MPI_BYTE, &got);
        if (got <= 0 || got > now)
            return clv_fail_at(err, CLEAVE_EIO, f->path, 0,
                               "the file became shorter while it was read");
        place += got;
        at += got;
        bytes -= got;
    }
    return CLEAVE_OK;
}

cleave_status clv_plain_write(const clv_plain_file *f, const void *from, int64_t bytes,
                              int64_t at, cleave_error *err)
{
    const char *place = from;
    while (bytes > 0) {
        int now = (int)(bytes < piece_bytes ? bytes : piece_bytes), done = 0;
        MPI_Status status;
        int code = MPI_File_write_at(f->handle, at, place, now, MPI_BYTE, &status);
        if (code != MPI_SUCCESS)
            return fail_mpi(f, "write it", code, err);
        MPI_Get_count(&status, MPI_BYTE, &done);
        if (done <= 0 || done > now)
            return clv_fail_at(err, CLEAVE_EIO, f->path, 0,
                               "cannot write it: byte %lld does not fit; the disk may be full",
                               (long long)at);
        place += done;
        at += done;
        bytes -= done;
    }
    return CLEAVE_OK;
}

cleave_status clv_plain_sum(const clv_plain_file *f, int64_t begin, int64_t end, uint64_t *sum,
                            cleave_error *err)
{
    char *window = clv_alloc(sum_window, 1);
    if (!window)
        return clv_fail_memory(err);
    clv_binary_sum state;
    clv_binary_sum_init(&state);
    cleave_status status = CLEAVE_OK;
    for (int64_t at = begin; at < end && status == CLEAVE_OK; at += sum_window) {
        int64_t now = end - at < sum_window ? end - at : sum_window;
        status = clv_plain_read(f, window, now, at, err);
        if (status == CLEAVE_OK)
            clv_binary_sum_add(&state, window, (uint64_t)now);
    }
    clv_sys_free(window);
    *sum = clv_binary_sum_value(&state);
    return status;
}
