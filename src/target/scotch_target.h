/* SPDX-License-Identifier: Apache-2.0 */
/* target/scotch_target.h - Scotch's target files, .tgt [Pellegrini, Scotch user's guide, 6.4].
 *
 * A word that names the kind, and its numbers, on any number of lines:
 *   cmplt N               cmpltw N LOAD...        hcub DIMENSIONS
 *   mesh2D X Y            mesh3D X Y Z            meshXD DIMENSIONS SIDE...
 *   torus2D X Y           torus3D X Y Z           torusXD DIMENSIONS SIDE...
 *   tleaf LEVELS (SONS COST)...                   from the root down
 *   ltleaf LEVELS (SONS COST)... N LABEL...       the same, PEs renumbered
 *   sub N PE... TARGET    deco 0, 1 or 2 ...      (target/scotch_deco.h)
 *   varcmplt, varhcub     without a number of PEs: refused */
#ifndef CLV_TARGET_SCOTCH_TARGET_H
#define CLV_TARGET_SCOTCH_TARGET_H

#include "target/target.h"

/* "scotch:FILE.tgt".  CLEAVE_EPARSE or _ERANGE with "path:line: ". */
cleave_status clv_target_scotch_file(clv_target **out, const char *path, cleave_error *err);

#endif
