/* SPDX-License-Identifier: Apache-2.0 */
/* formats/metis_mesh.h - the elements of a METIS mesh as listed in the file, for drawing. */
#ifndef CLV_FORMATS_METIS_MESH_H
#define CLV_FORMATS_METIS_MESH_H

#include "base/mem.h"

typedef struct clv_mesh {
    int32_t nelement, nnode; /* nnode: largest node + 1 */
    int64_t *first;          /* nelement + 1 */
    int32_t *node;           /* nodes of all elements in file order, from 0 */
} clv_mesh;

/* The caller frees the mesh, also on failure. */
cleave_status clv_mesh_read(clv_mesh *mesh, const char *path, cleave_error *err);
void clv_mesh_free(clv_mesh *mesh);

#endif
