/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/text_share.c - see mpi/text_share.h. */
#include "mpi/text_share.h"

#include <string.h>

enum { window_bytes = 1 << 20 };

/* ---- Cutting ---------------------------------------------------------------------------- */

/* The nominal beginning of the range of a rank. */
static int64_t nominal(const clv_read_job *job, int rank)
{
    int64_t length = job->plan.size - job->plan.body;
    int size = job->comm->size;
    return job->plan.body + length / size * rank + length % size * rank / size;
}

/* The first line that begins in the nominal range of this rank; -1: none does. */
static cleave_status find_start(const clv_text_share *share, char *window, int64_t *start,
                                cleave_error *err)
{
    const clv_read_job *job = share->job;
    int64_t at = nominal(job, job->comm->rank), end = nominal(job, job->comm->rank + 1);
    *start = -1;
    if (at == end)
        return CLEAVE_OK;
    if (at == job->plan.body) {
        *start = at;
        return CLEAVE_OK;
    }
    /* A line begins after a newline; a newline that is the last byte of the range does not
     * count. */
    for (at--, end--; at < end; at += window_bytes) {
        int64_t now = end - at < window_bytes ? end - at : window_bytes;
        CLV_TRY(clv_plain_read(&share->file, window, now, at, err));
        const char *newline = memchr(window, '\n', (size_t)now);
        if (newline) {
            *start = at + (newline - window) + 1;
            break;
        }
    }
    return CLEAVE_OK;
}

/* start: by rank, -1 where no line begins. */
static void set_range(clv_text_share *share, const int64_t *start)
{
    int size = share->job->comm->size, rank = share->job->comm->rank;
    int64_t next = share->job->plan.size;
    share->begin = share->end = next;
    for (int r = size - 1; r >= rank; r--) {
        share->end = next;
        next = start[r] >= 0 ? start[r] : next;
        share->begin = next;
    }
}

static cleave_status cut(clv_text_share *share, char *window, cleave_error *err)
{
    const clv_comm *comm = share->job->comm;
    int64_t mine = -1, *start = clv_alloc(comm->size, sizeof *start);
    cleave_status status =
        start ? find_start(share, window, &mine, err) : clv_fail_memory(err);
    status = clv_comm_agree(comm, status, err);
    if (status == CLEAVE_OK) {
        MPI_Allgather(&mine, 1, MPI_INT64_T, start, 1, MPI_INT64_T, comm->mpi);
        set_range(share, start);
    }
    clv_sys_free(start);
    return status;
}

/* ---- Counting --------------------------------------------------------------------------- */

typedef struct counter {
    int64_t lines;   /* newlines */
    int64_t counted; /* lines that count */
    bool begun;      /* the line has a character that is not blank */
    bool empty_count;
} counter;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static void count_window(counter *c, const char *p, const char *end)
{
    while (p < end) {
        if (!c->begun) {
            while (p < end && is_blank(*p))
                p++;
            if (p == end)
                return;
            c->begun = *p != '\n';
            c->counted += c->begun ? *p != '%' : c->empty_count;
        }
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        if (!newline)
            return;
        c->lines++;
        c->begun = false;
        p = newline + 1;
    }
}

static cleave_status count_lines(const clv_text_share *share, char *window, counter *c,
                                 cleave_error *err)
{
    for (int64_t at = share->begin; at < share->end; at += window_bytes) {
        int64_t left = share->end - at, now = left < window_bytes ? left : window_bytes;
        CLV_TRY(clv_plain_read(&share->file, window, now, at, err));
        count_window(c, window, window + now);
    }
    return CLEAVE_OK;
}

static cleave_status count(clv_text_share *share, char *window, bool empty_count,
                           cleave_error *err)
{
    const clv_comm *comm = share->job->comm;
    counter c = {.empty_count = empty_count};
    CLV_TRY(clv_comm_agree(comm, count_lines(share, window, &c, err), err));
    share->line = share->job->plan.line + clv_comm_before(comm, c.lines);
    share->count = c.counted;
    share->first = clv_comm_before(comm, c.counted);
    share->total = clv_comm_sum(comm, c.counted);
    return CLEAVE_OK;
}

cleave_status clv_text_share_open(clv_text_share *share, const clv_read_job *job,
                                  bool empty_count, cleave_error *err)
{
    memset(share, 0, sizeof *share);
    share->job = job;
    char *window = clv_alloc(window_bytes, 1);
    cleave_status status = window
                               ? clv_plain_open(&share->file, job->path, job->path, false, err)
                               : clv_fail_memory(err);
    status = clv_comm_agree(job->comm, status, err);
    if (status == CLEAVE_OK)
        status = cut(share, window, err);
    if (status == CLEAVE_OK)
        status = count(share, window, empty_count, err);
    clv_sys_free(window);
    return status;
}

/* ---- Reading ---------------------------------------------------------------------------- */

static cleave_status deliver(void *context, char *to, size_t capacity, int64_t at,
                             size_t *count, cleave_error *err)
{
    const clv_text_share *share = context;
    *count = capacity;
    return clv_plain_read(&share->file, to, (int64_t)capacity, share->begin + at, err);
}

static void stop(clv_text_share *share)
{
    clv_text_free(&share->text);
    clv_input_close(share->in);
    share->in = NULL;
}

cleave_status clv_text_share_start(clv_text_share *share, cleave_error *err)
{
    stop(share);
    const clv_input_source source = {share->end - share->begin, deliver, share,
                                     share->job->progress, share->job->payload};
    CLV_TRY(clv_input_from(&share->in, share->job->path, &source, err));
    return clv_text_resume(&share->text, share->in, share->line, err);
}

void clv_text_share_close(clv_text_share *share)
{
    stop(share);
    clv_plain_close(&share->file, NULL);
}

int64_t clv_text_share_reads(const clv_text_share *share, int64_t announced)
{
    const clv_comm *comm = share->job->comm;
    int64_t left = announced > share->first ? announced - share->first : 0;
    if (share->total < announced && comm->rank == comm->size - 1)
        return share->count + 1;
    return left < share->count ? left : share->count;
}
