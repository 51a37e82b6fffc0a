/* SPDX-License-Identifier: Apache-2.0 */
/* target/hwloc_nest.h - a computer that hwloc describes as boxes within boxes. */
#ifndef CLV_TARGET_HWLOC_NEST_H
#define CLV_TARGET_HWLOC_NEST_H

#include <hwloc.h>

#include "target/floor.h"

/* The objects with something of `usable` in them, from the outermost in: packages, caches,
 * cores, hardware threads, and memory.  PEs, hardware threads if pu and else cores, are
 * numbered in the order in which they are reached.  All of it from arena. */
cleave_status clv_hwloc_nest(clv_nest **out, hwloc_topology_t topology,
                             hwloc_const_cpuset_t usable, bool pu, clv_arena *arena,
                             cleave_error *err);

#endif
