/* SPDX-License-Identifier: Apache-2.0 */
/* cli/condensed.h - files that speak of the vertices of a graph whose strongly connected
 * components were merged: demands go from vertices to components, mappings the other way.
 *
 * components maps vertices onto components, the vertices of the graph at hand; NULL: nothing
 * was merged and everything stays as it is. */
#ifndef CLI_CONDENSED_H
#define CLI_CONDENSED_H

#include "cli/demands.h"

/* Reads the demands of the file's vertices and rewrites them for g's.  A component belongs
 * where any of its vertices is fixed (CLEAVE_EINVAL when they disagree), starts where its
 * first one starts, and joins the groups that they are in. */
cleave_status cli_condensed_read(cli_demands *demands, const cleave_graph *g,
                                 const cleave_mapping *components, cleave_error *err);

/* The mapping of the file's vertices that m, of g's, stands for. */
cleave_status cli_condensed_expand(cleave_mapping **out, const cleave_mapping *m,
                                   const cleave_mapping *components, cleave_error *err);

#endif
