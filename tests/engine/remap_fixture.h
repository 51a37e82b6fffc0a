/* SPDX-License-Identifier: Apache-2.0 */
/* tests/engine/remap_fixture.h - calls of cleave_remap, and recounted results. */
#ifndef CLV_TESTS_REMAP_FIXTURE_H
#define CLV_TESTS_REMAP_FIXTURE_H

#include <stdbool.h>

#include "cleave/cleave.h"

typedef struct remap_case {
    cleave_graph *g;
    cleave_csr csr;
    cleave_mapping *old;
    cleave_target *t, *from; /* from NULL: by number */
    cleave_remap_options opt;
    cleave_options options;
    cleave_constraints constraints;
    cleave_remap_report report;
    cleave_map_report map; /* the rest of it */
} remap_case;

/* A graph of fixture_graph, mapped at low effort onto the target `old_target`, then to be
 * mapped onto `target`; by_name: opt.from is the old target. */
void remap_case_make(remap_case *c, const char *graph, const char *old_target,
                     const char *target, bool by_name);
void remap_case_free(remap_case *c);
/* Calls cleave_remap. */
cleave_status remap_case_run(remap_case *c, cleave_mapping **out, cleave_error *err);

/* Weight of the edges between parts. */
int64_t remap_cut(const remap_case *c, const cleave_mapping *m);
/* Sum of vsize over vertices whose PE is not the one of `lives` (-1: none). */
int64_t remap_moved(const remap_case *c, const int32_t *lives, const cleave_mapping *m);
/* cut + price * migration of the report. */
double remap_price(const remap_case *c);

#endif
