/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_line.h - a distributed sort of the vertices of all ranks by a key.
 *
 * Ties are in the order of global numbers.  Rank r holds the places from floor(n * r / ranks)
 * on, its even share for any distribution of the vertices, also when all keys are equal.
 * Vertices stay on their ranks: values are sent to the places and fetched from there. */
#ifndef CLV_MPI_DIST_LINE_H
#define CLV_MPI_DIST_LINE_H

#include "base/sort.h"
#include "mpi/comm.h"

typedef struct clv_dist_line {
    const clv_comm *comm;
    int32_t nlocal;   /* own vertices */
    int32_t count;    /* own places */
    int64_t *first;   /* size + 1: the first place of each rank, then the total */
    int64_t *send_at; /* size + 1: offsets into `sent` by owner of the place */
    int64_t *got_at;  /* size + 1: offsets of received vertices by their rank, in the order of
                         arrival */
    int32_t *sent;    /* own vertices in sorted order */
    int32_t *arrival; /* by own place: position of its vertex in the order of arrival */
} clv_dist_line;

/* Collective.  items has one item for each own vertex, in their order: its key, and the vertex
 * in with.index.  It is from clv_alloc and always consumed.  Vertices of higher ranks have
 * higher numbers.  On failure nothing has to be freed.
 *
 * Local sorts, with a joint search for the splitters in between: as many rounds as there are
 * bits in which keys differ, each with one number per rank. */
cleave_status clv_dist_line_make(clv_dist_line *line, const clv_comm *comm, int32_t nlocal,
                                 clv_sort_item *items, cleave_error *err);
void clv_dist_line_free(clv_dist_line *line);

/* Collective.  Sends values by own vertex, `each` bytes, to `placed`, by own place; and
 * back. */
cleave_status clv_dist_line_send(const clv_dist_line *line, const void *values, size_t each,
                                 void *placed, cleave_error *err);
cleave_status clv_dist_line_fetch(const clv_dist_line *line, const void *placed, size_t each,
                                  void *values, cleave_error *err);

/* Collective.  Fills place[v] of each own vertex. */
cleave_status clv_dist_line_places(const clv_dist_line *line, int64_t *place,
                                   cleave_error *err);

#endif
