/* SPDX-License-Identifier: Apache-2.0 */
/* target/this_machine.h - the computer that runs this process.
 *
 * Linux describes it (target/sysfs_machine.h); elsewhere hwloc does (target/hwloc_target.h).
 * Where neither does, it is flat: as many equal PEs as there are processors. */
#ifndef CLV_TARGET_THIS_MACHINE_H
#define CLV_TARGET_THIS_MACHINE_H

#include "target/target.h"

/* What this process may use; pu: hardware threads instead of cores. */
cleave_status clv_target_this_machine(clv_target **out, bool pu, cleave_error *err);

#endif
