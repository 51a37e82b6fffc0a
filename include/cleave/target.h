/* SPDX-License-Identifier: Apache-2.0 */
/* cleave/target.h - targets: the machine onto which a graph is mapped.
 *
 * A target has processing elements (PEs) with speeds, and distances between them:
 *
 *     cleave_target *t = NULL;
 *     if (cleave_target_parse(&t, "torus:8x8", &err) == CLEAVE_OK)
 *         printf("%d PEs\n", (int)cleave_target_pes(t));
 *     cleave_target_free(t);
 *
 * cleave-target(7) describes the text forms in full. */
#ifndef CLEAVE_TARGET_H
#define CLEAVE_TARGET_H

#include "cleave/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cleave_target cleave_target;
/* Creates a target from text, in the syntax of the option -t of the command line:
 *   8                      eight equal PEs, each at distance 1 from every other
 *   3,2,2,1                four PEs with these relative speeds (>= 0, not all 0; a PE of
 *                          speed 0 stays empty)
 *   hypercube:10           2^10 PEs; distance: number of different bits
 *   mesh:4x2  torus:8x8x8  any number of dimensions, the first varies fastest; distance:
 *                          steps
 *   tree:4:8:16@1:10:100   4 PEs per node, 8 nodes per rack, 16 racks; distance 1 inside a
 *                          node, 10 inside a rack, 100 beyond
 *   graph:FILE             any graph: an edge weight is a length; distance: shortest path
 *   scotch:FILE.tgt        a target file of Scotch
 *   machine  machine:pu    the cores (hardware threads) that this process may use
 *   hwloc:FILE.xml         a topology saved by hwloc, or a synthetic description for hwloc
 *   slurm:topology.conf    the nodes of a cluster; distance: levels of switches to climb
 * TARGET[0,4,5-7], TARGET[n[1-4,7],m3]: a subset of the PEs of any target, in this order, by
 * number or by name.  CLEAVE_EINVAL if the text is invalid; errors of files are reported as
 * by the readers. */
CLEAVE_API cleave_status cleave_target_parse(cleave_target **out, const char *spec,
                                             cleave_error *err);

/* The i-th of these forms, i = 0, 1, ..., as an example such as "mesh:4x2"; NULL past the
 * end.  description, if not NULL, receives one line about it. */
CLEAVE_API const char *cleave_target_form(int i, const char **description);
/* npes >= 1 PEs; speeds NULL: equal. */
CLEAVE_API cleave_status cleave_target_create(cleave_target **out, int32_t npes,
                                              const double *speeds, cleave_error *err);
CLEAVE_API int32_t cleave_target_pes(const cleave_target *t);
CLEAVE_API double cleave_target_speed(const cleave_target *t, int32_t pe); /* 1 if equal */
/* The distance of two PEs, 0 from a PE to itself; -1 if p or q is out of range. */
CLEAVE_API int32_t cleave_target_distance(const cleave_target *t, int32_t p, int32_t q);
/* The name of a PE, such as the host name of a node; NULL: it has only a number. */
CLEAVE_API const char *cleave_target_name(const cleave_target *t, int32_t pe);
/* The number of levels of a hierarchical target, such as node, rack, machine; 0: the target
 * is not hierarchical. */
CLEAVE_API int32_t cleave_target_levels(const cleave_target *t);
/* The level of the smallest group that contains both PEs, 1 being the lowest; 0: p equals q,
 * p or q is out of range, or there are no levels. */
CLEAVE_API int32_t cleave_target_level(const cleave_target *t, int32_t p, int32_t q);
/* The number of links that routes use; 0: routes are unknown. */
CLEAVE_API int64_t cleave_target_links(const cleave_target *t);
/* The shape in one word: "equal", "mesh", "tree", ...; "" for NULL. */
CLEAVE_API const char *cleave_target_shape(const cleave_target *t);
/* A description in one line, such as "mesh of 4 x 2"; at most size bytes including the
 * terminating 0. */
CLEAVE_API void cleave_target_describe(const cleave_target *t, char *text, size_t size);
/* Writes a Scotch target file of kind "deco 0" for any shape: it lists the distances of all
 * pairs of PEs.  CLEAVE_ERANGE above 32768 PEs, where the file would have gigabytes.
 * O(PEs^2). */
CLEAVE_API cleave_status cleave_target_write(const cleave_target *t, const char *path,
                                             cleave_error *err);
CLEAVE_API void cleave_target_free(cleave_target *t);

#ifdef __cplusplus
}
#endif

#endif
