/* SPDX-License-Identifier: Apache-2.0 */
/* run/bandwidth.h - the bandwidth of main memory, for comparison with a solve. */
#ifndef CLV_RUN_BANDWIDTH_H
#define CLV_RUN_BANDWIDTH_H

#include "base/status.h"

/* Bytes per second of the triad a = b + 3 c of [McCalpin, STREAM 1995], best of several
 * passes. threads 0: all that this process may use. */
cleave_status clv_bandwidth_measure(double *bytes_per_second, int threads, cleave_error *err);

#endif
