/* SPDX-License-Identifier: Apache-2.0 */
/* view/faces.h - the faces of a mesh that lies in the plane, such as its triangles. */
#ifndef CLV_VIEW_FACES_H
#define CLV_VIEW_FACES_H

#include "graph/graph.h"

typedef struct clv_faces {
    int64_t count;
    int64_t *offset; /* count + 1 */
    int32_t *corner; /* vertices, counter-clockwise */
} clv_faces;

/* Follows the faces from edge to edge, turning as sharply as possible.  If the result violates
 * Euler's formula, the drawing has crossings, and count becomes 0.  Faces of more than 12
 * corners are holes and are left out, as is the outer face.  Arrays from arena.  O(narc *
 * degrees). */
cleave_status clv_faces_find(clv_faces *faces, const clv_graph *g, const double *position,
                             clv_arena *arena, clv_ws *ws, cleave_error *err);

#endif
