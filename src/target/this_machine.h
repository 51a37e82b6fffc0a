/* SPDX-License-Identifier: Apache-2.0 */
/* target/this_machine.h - the computer that runs this process.
 *
 * On Linux it is read from the system (target/sysfs_machine.h), elsewhere through hwloc
 * (target/hwloc_target.h).  If neither is available it is flat: as many equal PEs as
 * processors. */
#ifndef CLV_TARGET_THIS_MACHINE_H
#define CLV_TARGET_THIS_MACHINE_H

#include "target/target.h"

/* What this process may use; pu: hardware threads instead of cores. */
cleave_status clv_target_this_machine(clv_target **out, bool pu, cleave_error *err);

#endif
