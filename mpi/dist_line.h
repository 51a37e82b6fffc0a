/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_line.h - the vertices of all ranks on one line, sorted by a key.
 *
 * Ties are in the order of global numbers.  Rank r keeps the places floor(n * r / ranks) and
 * following of the line, its even share however the vertices are spread, also when all keys
 * are the same.  Vertices stay where they are: values are sent to their places and fetched
 * from there. */
#ifndef CLV_MPI_DIST_LINE_H
#define CLV_MPI_DIST_LINE_H

#include "base/sort.h"
#include "mpi/comm.h"

typedef struct clv_dist_line {
    const clv_comm *comm;
    int32_t nlocal;   /* own vertices */
    int32_t count;    /* own places */
    int64_t *first;   /* size + 1: the first place of each rank, and the number of all */
    int64_t *send_at; /* size + 1: whose places the vertices in `sent` are */
    int64_t *got_at;  /* size + 1: whose vertices came, in the order of arrival */
    int32_t *sent;    /* own vertices along the line */
    int32_t *arrival; /* by own place: where its vertex stands in the order of arrival */
} clv_dist_line;

/* Collective.  items: an item for each own vertex, in their order, its key and with.index the
 * vertex; from clv_alloc, and used up whatever happens.  Vertices of higher ranks have higher
 * numbers.  On failure there is nothing to free.
 *
 * Local sorts, and in between the ranks find together where the line is to be cut: as many
 * rounds as keys have bits that differ, each with a number per rank. */
cleave_status clv_dist_line_make(clv_dist_line *line, const clv_comm *comm, int32_t nlocal,
                                 clv_sort_item *items, cleave_error *err);
void clv_dist_line_free(clv_dist_line *line);

/* Collective: values by own vertex, `each` bytes, become `placed`, by own place; and back. */
cleave_status clv_dist_line_send(const clv_dist_line *line, const void *values, size_t each,
                                 void *placed, cleave_error *err);
cleave_status clv_dist_line_fetch(const clv_dist_line *line, const void *placed, size_t each,
                                  void *values, cleave_error *err);

/* Collective: place[v] of each own vertex. */
cleave_status clv_dist_line_places(const clv_dist_line *line, int64_t *place,
                                   cleave_error *err);

#endif
