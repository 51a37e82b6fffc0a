/* SPDX-License-Identifier: Apache-2.0 */
/* base/cgroup.h - how much processor time a container may use: the CPU quotas of Linux control
 * groups (cgroups), versions 1 and 2. */
#ifndef CLV_BASE_CGROUP_H
#define CLV_BASE_CGROUP_H

/* How many threads the quota of this process's group and of all groups around it keep busy:
 * the smallest of quota / period, rounded up; 0: there is no quota.  root: in front of /proc
 * and /sys, "" but in tests.  What is missing, unreadable or malformed is no quota. */
int clv_cgroup_cpus(const char *root);

#endif
