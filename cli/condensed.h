/* SPDX-License-Identifier: Apache-2.0 */
/* cli/condensed.h - files about the vertices of a graph whose strongly connected components
 * were merged: constraints are converted from vertices to components, mappings the other way.
 *
 * components maps vertices to components, the vertices of the current graph; NULL: nothing was
 * merged and everything stays as it is. */
#ifndef CLI_CONDENSED_H
#define CLI_CONDENSED_H

#include "cli/demands.h"

/* Reads the constraints of the file's vertices and converts them to g's.  A component is fixed
 * where any of its vertices is fixed (CLEAVE_EINVAL when they disagree), starts where its
 * first vertex starts, and joins the groups of its vertices. */
cleave_status cli_condensed_read(cli_demands *demands, const cleave_graph *g,
                                 const cleave_mapping *components, cleave_error *err);

/* The mapping of the file's vertices that corresponds to m, a mapping of g's. */
cleave_status cli_condensed_expand(cleave_mapping **out, const cleave_mapping *m,
                                   const cleave_mapping *components, cleave_error *err);

#endif
