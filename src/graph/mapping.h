/* SPDX-License-Identifier: Apache-2.0 */
/* graph/mapping.h - vertex -> part. */
#ifndef CLV_GRAPH_MAPPING_H
#define CLV_GRAPH_MAPPING_H

#include "base/mem.h"

typedef struct cleave_mapping clv_mapping;
struct cleave_mapping {
    int32_t nvtx, nparts;
    int32_t part[]; /* 0 <= part[v] < nparts */
};

/* part NULL: all zero.  nparts -1: largest part + 1. */
cleave_status clv_mapping_new(clv_mapping **out, int32_t nvtx, int32_t nparts,
                              const int32_t *part, cleave_error *err);
void clv_mapping_free(clv_mapping *m);

#endif
