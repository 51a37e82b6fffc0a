/* SPDX-License-Identifier: Apache-2.0 */
/* engine/mapping/geometric_parts.h - parts by coordinates, space-filling curves and
 * eigenvectors, with optional boundary refinement on the finest level.
 *
 * rcb, zci, hci and rsb [Kaddoura, Ou, Ranka 1995] make parts in proportion to the shares.
 * Recursion rounds at every step, so bounds may be missed; boundary vertices then move to meet
 * them.  Only the first vertex weight is used; the bounds of the others may be violated.
 * Refinement uses all weights if that meets the bounds, otherwise the first. */
#ifndef CLV_ENGINE_MAPPING_GEOMETRIC_PARTS_H
#define CLV_ENGINE_MAPPING_GEOMETRIC_PARTS_H

#include "engine/method.h"

/* A clv_method_function.  With a machine, whole parts are then placed at the lowest cost.
 * Without BORDERS: the graph is undirected, no vertex is fixed, there are more vertices than
 * parts, and coordinates if the method needs them.  With BORDERS, the start is refined; in a
 * DAG it must be acyclic. */
cleave_status clv_geometric_parts(const clv_method_task *to, clv_search_result *found,
                                  cleave_error *err);

#endif
