/* SPDX-License-Identifier: Apache-2.0 */
/* target/hwloc_target.h - a computer that hwloc describes.
 *
 * A PE is a core, or a hardware thread (a PU in hwloc's words).  Packages, NUMA nodes, groups
 * and shared caches are the levels of the tree, as far as they tell PEs apart; distances are
 * 1, 2, 3 ... by level, or follow the latencies between NUMA nodes (target/numa_target.h).
 * Kinds of cores become speeds: by the capacities that Linux gives them, else by their
 * frequencies when those agree with hwloc's ranking, else 1, 2, 3 ... by that ranking.  A PE
 * is named core:3 or pu:3, as hwloc counts; its seat has the operating system's number of its
 * first hardware thread.
 *
 * hwloc does not survive a failed allocation of its own.  It is called when a block as large
 * as all that it needs can be had, so that a limit of memory is an error; one that other
 * threads use up meanwhile still ends the process.
 *
 * The environment: an explicit file or description is never replaced by HWLOC_XMLFILE and the
 * like.  Other variables of hwloc stay in force, such as HWLOC_CPUKINDS_RANKING,
 * HWLOC_PLUGINS_PATH and those that make it talk (HWLOC_XML_VERBOSE, HWLOC_SYNTHETIC_VERBOSE).
 *
 * Without hwloc in the build its machines are refused. */
#ifndef CLV_TARGET_HWLOC_TARGET_H
#define CLV_TARGET_HWLOC_TARGET_H

#include "target/target.h"

/* This computer, as far as the process may use it, where target/this_machine.c cannot read it
 * from the system; pu: hardware threads instead of cores.  Only with hwloc in the build. */
cleave_status clv_target_hwloc_machine(clv_target **out, bool pu, cleave_error *err);

/* text: an XML file of hwloc (lstopo file.xml; it may be compressed), or where there is no
 * such file a synthetic description, "pack:2 l3:2 core:4 pu:2"; "pu:" before either of them
 * asks for hardware threads instead of cores. */
cleave_status clv_target_hwloc(clv_target **out, const char *text, cleave_error *err);

#endif
