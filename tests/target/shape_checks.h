/* SPDX-License-Identifier: Apache-2.0 */
/* tests/target/shape_checks.h - slow checks of the invariants of every shape of machine. */
#ifndef CLV_TESTS_TARGET_SHAPE_CHECKS_H
#define CLV_TESTS_TARGET_SHAPE_CHECKS_H

#include "support/test.h"
#include "target/target.h"

/* Parses a text that must be right. */
clv_target *shape_of(const char *text);

/* Halves and children divide a domain, down to single PEs; sizes, weights and terminals agree;
 * distances are symmetric and 0 from a domain to itself. */
void check_domains(const clv_target *t);
/* PEs and their distances: symmetric, 0 to oneself, and for single PEs half of `distance`. */
void check_pes(const clv_target *t);

/* A graph of the machine, by its neighbour lists, as the oracle. */
typedef struct oracle {
    int32_t nodes; /* PEs first */
    int32_t (*next)[2];
    int32_t edges;
} oracle;
oracle oracle_new(int32_t nodes);
void oracle_edge(oracle *o, int32_t u, int32_t v);
/* Edges on a shortest path to every node. */
void oracle_reach(const oracle *o, int32_t from, int32_t *hops);
void oracle_free(oracle *o);
/* `between` is the number of edges of a shortest path; routes are such paths, and the links
 * are the edges, one for one. */
void check_unit_paths(const clv_target *t, const oracle *o);

/* All PEs of the domain: set[pe] is 1 there, 0 elsewhere. */
void domain_set(const clv_target *t, clv_domain d, uint8_t *set);
/* Twice the mean distance of their PEs. */
double mean_distance(const clv_target *t, clv_domain x, clv_domain y);
/* All domains from the root down; at most 2 npes - 1; returns how many. */
int32_t all_domains(const clv_target *t, clv_domain *list);

/* Makes a target again and again, each time with the next allocation failing. */
typedef cleave_status target_maker(clv_target **t, const void *from);
void check_target_memory(target_maker *make, const void *from);

#endif
