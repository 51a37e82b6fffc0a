/* SPDX-License-Identifier: Apache-2.0 */
/* bench/adaptive/adaptive_remap.h - declarations shared by the measurement and the tables of
 * --remap. */
#ifndef BENCH_ADAPTIVE_REMAP_H
#define BENCH_ADAPTIVE_REMAP_H

#include "adaptive/adaptive.h"

typedef enum change_kind { LOST, NAMED, SLOWER, SPEED } change_kind;
typedef struct remap_event {
    const char *name;
    change_kind kind;
    int pes; /* before */
} remap_event;

enum { nremap_event = 5, nremap_strategy = 4, nremap_price = 4 };
extern const remap_event remap_events[nremap_event];
extern const double remap_prices[nremap_price];
extern const char *const remap_strategies[nremap_strategy]; /* auto is the last */

/* strategy "fresh": cleave_map by default onto the new machine. */
adaptive_row remap_question(const settings *s, const char *graph, const remap_event *e,
                            const char *strategy, double price, int seed);

#endif
