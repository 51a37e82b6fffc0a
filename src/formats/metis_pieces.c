/* SPDX-License-Identifier: Apache-2.0 */
/* formats/metis_pieces.c - reading of a METIS file by several threads.
 *
 * The file is divided into pieces at line ends.  Every row is a line, so each piece is read
 * without knowledge of the others, and the rows are concatenated afterwards.  If any row is
 * not ordinary the attempt is given up, and the file is read in order. */
#include <stdatomic.h>
#include <string.h>

#include "formats/metis_rows.h"

enum { window_size = CLV_TEXT_WINDOW, padding = 16 };

typedef struct piece {
    int64_t begin,
        end; /* bytes of the file; end follows a newline or is the end of the file */
    int32_t *adj;
    int32_t *degree; /* by row */
    int64_t narc, nrow;
    int64_t first_arc, first_row; /* position in the whole graph; known at the end */
    bool good;                    /* read to its end, all rows ordinary */
} piece;

typedef struct job {
    clv_input *in;
    int32_t nvtx;
    clv_team *team;
    int64_t begin, size; /* the rows take the bytes from begin to size, the end of the file */
    int count;
    piece *pieces;
    atomic_bool descends, cancelled; /* a thread found a row that does not ascend */
    atomic_int_least64_t bytes;      /* read so far by all threads */
    cleave_error *err;               /* only member 0, the caller's thread, writes to it */
} job;

/* ---- Cutting --------------------------------------------------------------------------- */

/* The first byte after a newline at or after `at`; *found false: the line is too long, or the
 * file cannot be read. */
static int64_t line_start(clv_input *in, int64_t at, int64_t size, char *window, bool *found)
{
    size_t count = 0;
    *found = clv_input_read_at(in, window, window_size, at, &count, NULL) == CLEAVE_OK;
    const char *newline = *found ? memchr(window, '\n', count) : NULL;
    if (newline)
        return at + (newline - window) + 1;
    *found = *found && at + (int64_t)count >= size;
    return size;
}

static bool cut_at_line_ends(job *j, char *window)
{
    bool found = true;
    for (int i = 0; found && i < j->count; i++) {
        j->pieces[i].begin = i ? j->pieces[i - 1].end : j->begin;
        int64_t ideal = j->begin + (j->size - j->begin) / j->count * (i + 1);
        if (ideal < j->pieces[i].begin)
            ideal = j->pieces[i].begin;
        j->pieces[i].end =
            i + 1 == j->count ? j->size : line_start(j->in, ideal, j->size, window, &found);
    }
    return found;
}

/* ---- Reading --------------------------------------------------------------------------- */

/* Ensures room for `least` entries; allocates `expected` at once if that is more. */
static bool grow_array(int32_t **array, int64_t *room, int64_t least, int64_t expected)
{
    if (*room >= least)
        return true;
    int64_t larger = least + least / 2;
    if (larger < expected)
        larger = expected;
    int32_t *block = clv_realloc(*array, larger, sizeof *block);
    if (!block)
        return false;
    *array = block;
    *room = larger;
    return true;
}

/* Reads the rows that are complete in window[0, count); returns the bytes they take.  -1: a
 * row is not ordinary, or memory is exhausted. */
static int64_t take_rows(job *j, piece *p, const char *window, int64_t count,
                         int64_t *arc_room, int64_t *row_room)
{
    bool ascending = true;
    const char *at = window, *end = window + count;
    /* The first window gives an estimate of the numbers and rows in the others. */
    int64_t windows = (p->end - p->begin) / count + 2;
    if (!grow_array(&p->adj, arc_room, p->narc + count / 2 + 1, p->narc * windows))
        return -1;
    int32_t *to = p->adj + p->narc;
    while (at < end) {
        if (p->nrow == *row_room &&
            !grow_array(&p->degree, row_room, p->nrow + count / 16, p->nrow * windows))
            return -1;
        const char *next = clv_metis_row(at, end, (uint64_t)j->nvtx, &to, &ascending);
        if (!next)
            break;
        p->degree[p->nrow++] = (int32_t)(to - p->adj - p->narc);
        p->narc = to - p->adj;
        at = next;
    }
    if (!ascending)
        atomic_store(&j->descends, true);
    /* The rest must be the beginning of an incomplete row. */
    return at == end || !memchr(at, '\n', (size_t)(end - at)) ? at - window : -1;
}

static void read_piece(job *j, piece *p, char *window, int member)
{
    int64_t arc_room = 0, row_room = 0, kept = 0, at = p->begin;
    while (at < p->end || kept > 0) {
        int64_t left = p->end - at, room = window_size - kept;
        size_t count = 0;
        if (left > 0 &&
            clv_input_read_at(j->in, window + kept, (size_t)(left < room ? left : room), at,
                              &count, NULL) != CLEAVE_OK)
            return;
        if (left > 0 && count == 0)
            return; /* the file was truncated */
        at += (int64_t)count;
        kept += (int64_t)count;
        if (at == p->end && window[kept - 1] != '\n')
            window[kept++] = '\n'; /* the last line of the file may lack it */
        window[kept] = '\n';
        int64_t taken = take_rows(j, p, window, kept, &arc_room, &row_room);
        if (taken <= 0)
            return;
        kept -= taken;
        memmove(window, window + taken, (size_t)kept);
        int64_t bytes = atomic_fetch_add(&j->bytes, (int64_t)count) + (int64_t)count;
        if (member == 0 && clv_input_report(j->in, bytes, j->err) != CLEAVE_OK)
            atomic_store(&j->cancelled, true);
        if (atomic_load(&j->cancelled))
            return;
    }
    p->good = true;
}

static void read_some(void *context, int64_t begin, int64_t end, int member)
{
    job *j = context;
    char *window = clv_zalloc(window_size + padding, 1);
    for (int64_t i = begin; window && i < end; i++)
        read_piece(j, &j->pieces[i], window, member);
    clv_sys_free(window);
}

/* ---- Concatenation --------------------------------------------------------------------- */

/* Rows after the last vertex must be empty lines at the end of the file. */
static bool rows_fit(const job *j, int64_t *narc)
{
    int64_t nrow = 0;
    *narc = 0;
    for (int i = 0; i < j->count; i++) {
        const piece *p = &j->pieces[i];
        if (!p->good)
            return false;
        for (int64_t k = j->nvtx > nrow ? j->nvtx - nrow : 0; k < p->nrow; k++)
            if (p->degree[k] > 0)
                return false;
        nrow += p->nrow;
        *narc += p->narc;
    }
    return nrow >= j->nvtx;
}

/* Copies pieces to their positions in the finished arrays. */
typedef struct placing {
    job *j;
    clv_rows *rows;
} placing;

static void place_some(void *context, int64_t begin, int64_t end, int member)
{
    placing *place = context;
    (void)member;
    for (int64_t i = begin; i < end; i++) {
        piece *p = &place->j->pieces[i];
        int32_t *to = place->rows->adj + p->first_arc;
        if (p->adj && p->narc > 0)
            memcpy(to, p->adj, (size_t)p->narc * sizeof *to);
        clv_sys_free(p->adj);
        p->adj = NULL;
        int64_t arc = p->first_arc, v = p->first_row;
        for (int64_t k = 0; k < p->nrow && v < place->rows->nvtx; k++, v++)
            place->rows->xadj[v + 1] = arc += p->degree[k];
    }
}

/* The array of the first piece grows into that of the whole graph. */
static cleave_status join_pieces(clv_rows *rows, job *j, int64_t narc, cleave_error *err)
{
    *rows = (clv_rows){.nvtx = j->nvtx, .ascending = !atomic_load(&j->descends)};
    rows->xadj = clv_alloc((int64_t)j->nvtx + 1, sizeof *rows->xadj);
    if (!rows->xadj)
        return clv_fail_memory(err);
    rows->adj = clv_realloc(j->pieces[0].adj, narc, sizeof *rows->adj);
    if (!rows->adj) {
        clv_rows_free(rows);
        return clv_fail_memory(err);
    }
    j->pieces[0].adj = NULL;
    rows->xadj[0] = 0;
    for (int i = 1; i < j->count; i++) {
        j->pieces[i].first_row = j->pieces[i - 1].first_row + j->pieces[i - 1].nrow;
        j->pieces[i].first_arc = j->pieces[i - 1].first_arc + j->pieces[i - 1].narc;
    }
    placing place = {j, rows};
    clv_parallel_for(j->team, j->count, 1, place_some, &place);
    return CLEAVE_OK;
}

static cleave_status read_all(clv_rows *rows, job *j, bool *done, cleave_error *err)
{
    char *window = clv_alloc(window_size, 1);
    bool whole = window && cut_at_line_ends(j, window);
    clv_sys_free(window);
    if (!whole)
        return CLEAVE_OK;
    clv_parallel_for(j->team, j->count, 1, read_some, j);
    if (atomic_load(&j->cancelled))
        return CLEAVE_ECANCEL;
    int64_t narc;
    if (!rows_fit(j, &narc))
        return CLEAVE_OK;
    *done = true;
    return join_pieces(rows, j, narc, err);
}

cleave_status clv_metis_read_pieces(clv_rows *rows, clv_input *in, int64_t begin, int32_t nvtx,
                                    clv_team *team, bool *done, cleave_error *err)
{
    *done = false;
    int64_t size = clv_input_size(in);
    if (size < 0 || begin > size)
        return CLEAVE_OK;
    job j = {.in = in,
             .nvtx = nvtx,
             .team = team,
             .begin = begin,
             .size = size,
             .count = 2 * clv_team_size(team),
             .err = err};
    atomic_init(&j.descends, false);
    atomic_init(&j.cancelled, false);
    atomic_init(&j.bytes, begin);
    j.pieces = clv_zalloc(j.count, sizeof *j.pieces);
    if (!j.pieces)
        return clv_fail_memory(err);
    cleave_status status = read_all(rows, &j, done, err);
    for (int i = 0; i < j.count; i++) {
        clv_sys_free(j.pieces[i].adj);
        clv_sys_free(j.pieces[i].degree);
    }
    clv_sys_free(j.pieces);
    return status;
}
