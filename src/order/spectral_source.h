/* SPDX-License-Identifier: Apache-2.0 */
/* order/spectral_source.h - quality of the eigenvectors used by order/spectral_source.c.
 * Several threads bisect sets concurrently; the recorded maximum does not depend on their
 * order. */
#ifndef CLV_ORDER_SPECTRAL_SOURCE_H
#define CLV_ORDER_SPECTRAL_SOURCE_H

#include <stdatomic.h>

#include "order/halving.h"

/* Over all eigenvectors; zero if there was none. */
typedef struct clv_spectral_quality {
    bool computed;   /* at least one was computed */
    bool converged;  /* all of them */
    double residual; /* the largest; see order/fiedler.h */
} clv_spectral_quality;

/* Shared by all threads; initially zero. */
typedef struct clv_spectral_notes {
    _Atomic uint64_t worst; /* bit pattern of the largest residual, which is monotone in it */
    atomic_bool computed, missed;
} clv_spectral_notes;

/* clv_source_spectral that also records the quality of its vectors; notes must outlive the
 * source. */
clv_halving_source clv_source_spectral_noting(clv_spectral_notes *const *notes);
/* Call it when all threads are done. */
clv_spectral_quality clv_spectral_summary(const clv_spectral_notes *notes);

#endif
