/* SPDX-License-Identifier: Apache-2.0 */
/* tests/oracle/oracle_metrics.h - every metric again, slowly: dense matrices, transitive
 * closures and exact integers.  Shares nothing with src/; reads only the public CSR view. */
#ifndef CLV_TESTS_ORACLE_METRICS_H
#define CLV_TESTS_ORACLE_METRICS_H

#include <stdint.h>

#include "cleave/cleave.h"

enum { ORACLE_MAX_VERTICES = 160, ORACLE_MAX_PARTS = 160, ORACLE_MAX_CON = 4 };

/* Integers, so that bounds can be computed without rounding. */
typedef struct oracle_rules {
    const int64_t *shares;    /* NULL: equal; else relative sizes */
    int64_t eps_per_thousand; /* 30: 0.03 */
    int64_t cost_vertex, cost_inside, cost_cut;
} oracle_rules;

typedef struct oracle_result {
    cleave_metrics metrics;
    int64_t weight[ORACLE_MAX_PARTS], volume[ORACLE_MAX_PARTS]; /* as cleave_evaluate_parts */
    int32_t pieces[ORACLE_MAX_PARTS];
    int64_t bound[ORACLE_MAX_PARTS];                      /* of the first weight */
    int32_t adjacent[ORACLE_MAX_PARTS][ORACLE_MAX_PARTS]; /* 1: an arc from part to part */
} oracle_result;

/* nvtx and nparts within the limits above, part[v] in range. */
void oracle_metrics(oracle_result *out, const cleave_csr *g, int32_t nparts,
                    const int32_t *part, const oracle_rules *rules);

#endif
