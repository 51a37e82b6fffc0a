/* SPDX-License-Identifier: Apache-2.0 */
/* order/spectral_source.h - how good the eigenvectors were that order/spectral_source.c went
 * by.  Sets are halved by several threads at once; the worst of all does not depend on which
 * of them came first. */
#ifndef CLV_ORDER_SPECTRAL_SOURCE_H
#define CLV_ORDER_SPECTRAL_SOURCE_H

#include <stdatomic.h>

#include "order/halving.h"

/* Over all eigenvectors; zero: there was none. */
typedef struct clv_spectral_quality {
    bool computed;   /* there was one at least */
    bool converged;  /* all of them */
    double residual; /* the largest, each as in order/fiedler.h */
} clv_spectral_quality;

/* What all threads together have noted; begins as zero. */
typedef struct clv_spectral_notes {
    _Atomic uint64_t worst; /* the bits of the largest residual, which ascend with it */
    atomic_bool computed, missed;
} clv_spectral_notes;

/* clv_source_spectral that notes how good its vectors are; notes outlives the source. */
clv_halving_source clv_source_spectral_noting(clv_spectral_notes *const *notes);
/* When all threads are done. */
clv_spectral_quality clv_spectral_summary(const clv_spectral_notes *notes);

#endif
