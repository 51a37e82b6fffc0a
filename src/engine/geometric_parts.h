/* SPDX-License-Identifier: Apache-2.0 */
/* engine/geometric_parts.h - parts by coordinates, by curves and by eigenvectors, and borders
 * improved on the finest level alone.
 *
 * rcb, zci, hci and rsb of Kaddoura, Ou, Ranka 1995 make parts in proportion to the shares
 * and know of the graph what their names say.  Where a bound is missed, because recursion
 * rounds at every step, vertices at the borders make up for it.  Of several weights per vertex
 * they mind the first; the bounds of the others are met or not.  Borders are improved with
 * regard to all where that meets the bounds, else to the first. */
#ifndef CLV_ENGINE_GEOMETRIC_PARTS_H
#define CLV_ENGINE_GEOMETRIC_PARTS_H

#include "engine/method.h"

/* Fills part, and worth, times and eigenvectors of *result.  With a machine whole
 * parts go where they cost least.  Without BORDERS: undirected, none fixed, more vertices than
 * parts; coordinates where they are needed.  With BORDERS task->start is what is improved; of
 * a DAG its parts form no cycle. */
cleave_status clv_geometric(const clv_multilevel_task *task, const clv_method *method,
                            cleave_effort effort, clv_context *ctx, int32_t *part,
                            clv_multilevel_result *result, cleave_error *err);

#endif
