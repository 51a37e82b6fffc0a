/* SPDX-License-Identifier: Apache-2.0 */
/* coarsen/admission.h - many single vertices join the clusters that they have chosen from one
 * state, in parallel. */
#ifndef CLV_COARSEN_ADMISSION_H
#define CLV_COARSEN_ADMISSION_H

#include "coarsen/clusters.h"

typedef struct clv_admission {
    clv_clusters *k;
    clv_team *team;
    int32_t *wish;   /* by vertex: the leader of the cluster that it has chosen; -1: none */
    uint8_t *pinned; /* by vertex: 1 while another one may join it; else 0 */
    int32_t *root;   /* by index in list: the leader to join; -1: none */
    uint8_t *left;   /* by index in list: not admitted by the parallel passes */
    int32_t *list, *rest;
    int32_t count;
} clv_admission;

/* For up to `most` vertices at a time; arrays from ws.  All wishes are -1. */
cleave_status clv_admission_init(clv_admission *a, clv_clusters *k, clv_team *team,
                                 int32_t most, clv_ws *ws, cleave_error *err);

/* list: ascending vertices.  Those that are single and have a wish join in order, as far as
 * the clusters have capacity; those that do not are listed in list[0..] in the same order, and
 * their number is returned.  All wishes are -1 again.  The result does not depend on the
 * number of threads.  Not for CLV_MERGE_PAIRS. */
int32_t clv_admit(clv_admission *a, int32_t *list, int32_t count);

#endif
