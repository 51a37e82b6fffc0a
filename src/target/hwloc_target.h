/* SPDX-License-Identifier: Apache-2.0 */
/* target/hwloc_target.h - a computer described by hwloc.
 *
 * A PE is a core, or a hardware thread (PU).  Packages, NUMA nodes, groups and shared caches
 * are the levels of the tree, as far as they distinguish PEs; distances are 1, 2, 3 ... by
 * level, or follow the latencies between NUMA nodes (target/numa_target.h).  Kinds of cores
 * become speeds: from the capacities that Linux reports, otherwise from their frequencies if
 * those agree with hwloc's ranking, otherwise 1, 2, 3 ... by that ranking.  PEs are named
 * core:3 or pu:3 by hwloc's logical index; the seat of a PE has the operating system's number
 * of its first hardware thread.
 *
 * hwloc does not survive a failed allocation.  It is called only after a block of the size
 * that it needs could be allocated, so that a memory limit is an error; if other threads use
 * up the memory meanwhile, the process still ends.
 *
 * Environment: HWLOC_XMLFILE and similar variables never replace an explicit file or
 * description.  Other variables of hwloc have their effect, such as HWLOC_CPUKINDS_RANKING,
 * HWLOC_PLUGINS_PATH and those for verbose output (HWLOC_XML_VERBOSE,
 * HWLOC_SYNTHETIC_VERBOSE).
 *
 * Without hwloc in the build these targets are refused. */
#ifndef CLV_TARGET_HWLOC_TARGET_H
#define CLV_TARGET_HWLOC_TARGET_H

#include "target/target.h"

/* This computer, as far as the process may use it, if target/this_machine.c cannot read it
 * from the system; pu: hardware threads instead of cores.  Only with hwloc in the build. */
cleave_status clv_target_hwloc_machine(clv_target **out, bool pu, cleave_error *err);

/* text: an XML file of hwloc (lstopo file.xml; it may be compressed) or, if there is no such
 * file, a synthetic description, "pack:2 l3:2 core:4 pu:2"; "pu:" before either selects
 * hardware threads instead of cores. */
cleave_status clv_target_hwloc(clv_target **out, const char *text, cleave_error *err);

#endif
