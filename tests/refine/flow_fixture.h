/* SPDX-License-Identifier: Apache-2.0 */
/* refine/flow_fixture.h - parameters with which flows find all improvements. */
#ifndef FLOW_FIXTURE_H
#define FLOW_FIXTURE_H

#include "refine/flow/flow.h"

static const clv_flow_params flow_thorough = {
    .rounds = 16, .alpha = 16, .max_corridor = 1000000, .whole = 100000, .effort = 128};

#endif
