/* SPDX-License-Identifier: Apache-2.0 */
/* tests/engine/map_fixture.h - graphs and demands for cleave_map, and a slow checker of what
 * it returns.  The judge shares nothing with src/: bounds are whole numbers, pieces are found
 * by spreading labels until nothing changes. */
#ifndef CLV_TESTS_MAP_FIXTURE_H
#define CLV_TESTS_MAP_FIXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "cleave/cleave.h"

/* A graph and everything that is asked of its mapping.  The arrays are the asker's. */
typedef struct asked {
    const char *name; /* of the graph, for complaints */
    cleave_graph *g;
    cleave_csr csr;
    int32_t n, k, ncon;
    cleave_target *t;
    const int32_t *speeds; /* k: whole relative sizes, for the target; NULL: equal */
    const int32_t *shares; /* k * ncon: the same as a constraint; NULL: the speeds */
    const int32_t *each;   /* k: thousandths, imbalance by part; NULL: thousandths for all */
    int32_t thousandths;
    cleave_constraints c; /* fixed, groups, min, max, connected and start are read from here */
    cleave_options opt;
    cleave_map_report report;
    cleave_error err;
} asked;

/* Zeros, one more than asked for; aborts when there is no memory. */
void *fixture_grab(int64_t count, size_t size);
/* Aborts when the arrays are no graph; text: what it is called in the message. */
cleave_graph *fixture_create(const cleave_csr *csr, const char *text);

/* Results of the slow checker. */
typedef struct facts {
    int64_t cut, volume;
    int64_t overload; /* weight beyond the bounds, plus parts that are empty without need */
    int32_t empty, needless;
    bool balanced, fixed, groups, connected, idle; /* kept */
} facts;

/* A form of cleave_graph_generate, or star:N, clique:N, path:N, cycle:N, empty:N (no edges),
 * pieces:N (grids, a clique, a path and lone vertices, about N in all),
 * planted:K:SIZE:IN:OUT (blocks of SIZE vertices one after the other; each has about IN
 * neighbours in its block and OUT beyond).  Words after it: vwgt, ewgt, vsize give weights,
 * zero makes half of the vertices weigh nothing, none all of them, two and three give so many
 * weights, heavy makes vertex 0 weigh as much as all others.  Aborts when that is no graph. */
cleave_graph *fixture_graph(const char *text);

/* nparts equal PEs, 3 %, one thread, the effort; best gets a time limit. */
void ask(asked *a, const char *graph, int32_t nparts, cleave_effort effort);
/* The same for a graph of any name, which becomes the asked one's. */
void ask_graph(asked *a, const char *name, cleave_graph *g, int32_t nparts,
               cleave_effort effort);
void ask_effort(asked *a, cleave_effort effort);
/* PEs of these speeds in place of equal ones. */
void ask_speeds(asked *a, const int32_t *speeds);
/* The same in the terms of the public header, for one call: opt has the constraints c and the
 * report a->report.  It must stay where it is until it is closed. */
typedef struct asked_call {
    cleave_options opt;
    cleave_constraints c;
    double *shares, *each;
} asked_call;
void asked_open(asked_call *call, asked *a);
void asked_close(asked_call *call);
/* Calls cleave_map; the report is a->report, the message a->err. */
cleave_status ask_map(asked *a, cleave_mapping **m);
/* The same for an overload of at least `least`: again with more time as long as the time limit
 * ends the call and more is not met, because that must not depend on how busy the machine
 * is. */
cleave_status ask_map_in_time(asked *a, int64_t least, cleave_mapping **m);
void asked_free(asked *a);

int64_t fixture_bound(const asked *a, int32_t p, int32_t con); /* upper */
bool fixture_has_no_share(const asked *a, int32_t p, int32_t con);
/* Must the part be empty?  If the total weight is 0, only a share of 0 means that. */
bool fixture_stays_empty(const asked *a, int32_t p);
void fixture_facts(const asked *a, const int32_t *part, facts *f);
/* NULL when status, mapping and report are true and every promise that is not about balance
 * is kept; else what is wrong (static). */
const char *fixture_judge(const asked *a, cleave_status status, const cleave_mapping *m,
                          facts *f);

/* A number in 0..below-1 that depends on the three others alone. */
int32_t fixture_draw(uint64_t seed, int64_t i, int32_t below);

#endif
