/* SPDX-License-Identifier: Apache-2.0 */
/* target/sysfs_machine.h - this computer, as Linux describes it below /sys/devices/system.
 *
 * Packages, dies, clusters, caches that hold data, cores, NUMA nodes with their distances and
 * groups of nearest nodes, and speeds of cores: capacities, else frequencies.  Numbers are
 * those of hwloc: objects are counted among those that the control group of this process may
 * use.  docs/design/mapping.md says why hwloc is not asked. */
#ifndef CLV_TARGET_SYSFS_MACHINE_H
#define CLV_TARGET_SYSFS_MACHINE_H

#include "target/hardware.h"

enum { CLV_MOST_CPUS = 65536 };

/* root: in front of /proc and /sys, "" but in tests.  usable[cpu]: whether this process may
 * run there; CPUs that are not online are not used.  h->count 0: /sys does not say which CPUs
 * there are.  The arrays of h come from ws.  Fails with CLEAVE_ENOMEM only.
 * O(CPUs * levels + NUMA nodes^2), and a dozen small files per CPU are read. */
cleave_status clv_sysfs_machine(clv_hardware *h, const char *root,
                                const bool usable[CLV_MOST_CPUS], clv_ws *ws,
                                cleave_error *err);

#endif
