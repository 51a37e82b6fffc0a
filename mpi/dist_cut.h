/* SPDX-License-Identifier: Apache-2.0 */
/* mpi/dist_cut.h - splits a distributed sequence into intervals for PEs of unequal speed
 * (one-dimensional or chains-on-chains partitioning) by prefix sums [Kaddoura, Ou, Ranka
 * 1995].  The counterpart of order/split.h; cuts are not moved to places with few
 * crossings. */
#ifndef CLV_MPI_DIST_CUT_H
#define CLV_MPI_DIST_CUT_H

#include "mpi/dist_line.h"

typedef struct clv_dist_cut {
    const clv_dist_line *line;
    const int32_t *weight; /* by own place; NULL: all 1 */
    int64_t total;         /* total weight of all ranks; 0: places are counted */
    int32_t npes;
    const int32_t *sequence; /* PEs in the order of the sequence, the same on all ranks, as all
                                below */
    const double *share;     /* by PE: relative sizes, at least one > 0; PEs with 0 stay
                                empty */
    const int64_t *bound;    /* by PE: upper bound on the weight */
} clv_dist_cut;

/* Collective.  PE p gets the places begin[p] .. end[p] - 1, which weigh load[p], on all ranks.
 * If cuts within the bounds exist, the result is within the bounds and *bounded is true; the
 * cuts are as near to the shares as the bounds allow.  With enough vertices no PE with a
 * nonzero share stays empty.  Two sequential passes over the ranks; O(own places + npes log
 * own places). */
cleave_status clv_dist_cut_make(const clv_dist_cut *cut, int64_t *begin, int64_t *end,
                                int64_t *load, bool *bounded, cleave_error *err);

#endif
