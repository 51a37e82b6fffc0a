/* SPDX-License-Identifier: Apache-2.0 */
/* tests/api/null_map.h - the part of test_null_api.c that is about mapping with its
 * constraints, charts, and graphs that are made. */
#ifndef CLV_TESTS_NULL_MAP_H
#define CLV_TESTS_NULL_MAP_H

#include "cleave/cleave.h"

/* Each returns the number of failed checks. */
int null_fixed_read(void);
int null_shares_read(void);
int null_groups_read(void);
int null_bounds_read(void);
int null_graph_generate(void);
/* undirected and dag have 4 vertices. */
int null_map(const cleave_graph *undirected, const cleave_graph *dag);
int null_graph_factor(const cleave_graph *undirected, const cleave_graph *dag);
int null_part_order(const cleave_graph *undirected, const cleave_graph *dag);
/* mapping: of 4 vertices, shorter: of 3. */
int null_quotient_create(const cleave_graph *dag, const cleave_mapping *mapping,
                         const cleave_mapping *shorter);
int null_quotient_write(const cleave_graph *undirected, const cleave_mapping *mapping);
int null_plot_write(void);
int null_plot_write_profile(void);
/* Functions that cannot fail. */
int null_map_silent(void);

#endif
