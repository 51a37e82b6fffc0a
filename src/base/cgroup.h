/* SPDX-License-Identifier: Apache-2.0 */
/* base/cgroup.h - limits on the processor time of a container: the CPU quotas of Linux control
 * groups (cgroups), versions 1 and 2. */
#ifndef CLV_BASE_CGROUP_H
#define CLV_BASE_CGROUP_H

/* The number of threads that the quotas of this process's group and of all enclosing groups
 * can keep busy: the smallest quota / period, rounded up; 0: no quota. root: prefix of /proc
 * and /sys, "" except in tests.  Missing, unreadable or malformed files count as no quota. */
int clv_cgroup_cpus(const char *root);

#endif
