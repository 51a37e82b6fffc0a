/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_cut.h - a line that lies on many ranks, cut into intervals for PEs: what
 * order/split.h does on one machine, without its shifts to where the line is thin. */
#ifndef CLV_MPI_DIST_CUT_H
#define CLV_MPI_DIST_CUT_H

#include "mpi/dist_line.h"

typedef struct clv_dist_cut {
    const clv_dist_line *line;
    const int32_t *weight; /* by own place; NULL: all 1 */
    int64_t total;         /* of all ranks; 0: nothing weighs anything, and places count */
    int32_t npes;
    const int32_t *sequence; /* PEs along the line, the same on all ranks, as all below */
    const double *share;     /* by PE: relative sizes, one above 0; those of 0 stay empty */
    const int64_t *bound;    /* by PE: what it may weigh */
} clv_dist_cut;

/* Collective.  PE p gets the places begin[p] .. end[p] - 1, which weigh load[p], on all ranks.
 * When there are cuts that keep to the bounds, these do, and *bounded says so; they are as
 * near to the shares as that allows.  With enough vertices no PE with a share stays empty.
 * Goes along the ranks twice, one after the other; O(own places + npes log own places). */
cleave_status clv_dist_cut_make(const clv_dist_cut *cut, int64_t *begin, int64_t *end,
                                int64_t *load, bool *bounded, cleave_error *err);

#endif
