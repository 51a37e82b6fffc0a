/* SPDX-License-Identifier: Apache-2.0 */
/* tests/oracle/schedule_oracle.h - is a schedule valid, and what does it cost?
 *
 * Runs it: layer by layer, block by block, every row adding up its predecessors in ascending
 * order, and checks that every value was computed before it is read, and was visible (from an
 * earlier layer, or from the same thread).  Shares nothing with src/; reads the public
 * interface alone. */
#ifndef CLV_TESTS_SCHEDULE_ORACLE_H
#define CLV_TESTS_SCHEDULE_ORACLE_H

#include <stdbool.h>

#include "cleave/cleave.h"

typedef struct schedule_oracle {
    char fault[160];    /* "": it is a schedule of the graph */
    int64_t work_total; /* the rest only then */
    int64_t work_max, crossing;
    double cost;
    int32_t threads_used;
} schedule_oracle;

/* costs NULL: 500 and 0. */
schedule_oracle oracle_schedule(const cleave_schedule *s, const cleave_graph *g,
                                const cleave_schedule_costs *costs);

#endif
