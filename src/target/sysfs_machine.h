/* SPDX-License-Identifier: Apache-2.0 */
/* target/sysfs_machine.h - this computer, from /sys/devices/system of Linux.
 *
 * Packages, dies, clusters, caches that hold data, cores, NUMA nodes with their distances and
 * groups of closest nodes, and speeds of cores: capacities, otherwise frequencies.  Numbers
 * are those of hwloc: objects are counted among those that the control group of this process
 * allows. docs/design/mapping.md explains why hwloc is not used. */
#ifndef CLV_TARGET_SYSFS_MACHINE_H
#define CLV_TARGET_SYSFS_MACHINE_H

#include "target/hardware.h"

enum { CLV_MOST_CPUS = 65536 };

/* root: prefix of /proc and /sys, "" except in tests. usable[cpu]: may this process run there?
 * CPUs that are offline are not used. h->count 0: the CPUs are unknown.  The arrays of h come
 * from ws.  Fails only with CLEAVE_ENOMEM. O(CPUs * levels + NUMA nodes^2); reads about a
 * dozen small files per CPU. */
cleave_status clv_sysfs_machine(clv_hardware *h, const char *root,
                                const bool usable[CLV_MOST_CPUS], clv_ws *ws,
                                cleave_error *err);

#endif
