/* SPDX-License-Identifier: Apache-2.0 */
/* tests/api/null_map.h - the part of test_null_api.c that is about mapping with its
 * constraints, and charts. */
#ifndef CLV_TESTS_NULL_MAP_H
#define CLV_TESTS_NULL_MAP_H

#include "cleave/cleave.h"

/* Each returns the number of failed checks. */
int null_groups_read(void);
int null_bounds_read(void);
int null_graph_generate(void);
/* undirected and dag have 4 vertices. */
int null_map(const cleave_graph *undirected, const cleave_graph *dag);
int null_part_order(const cleave_graph *undirected, const cleave_graph *dag);
int null_plot_write(void);
int null_plot_write_profile(void);
/* Functions that cannot fail. */
int null_map_silent(void);

#endif
