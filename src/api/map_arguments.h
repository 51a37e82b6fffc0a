/* SPDX-License-Identifier: Apache-2.0 */
/* api/map_arguments.h - the checked arguments of cleave_map. */
#ifndef CLV_API_MAP_ARGUMENTS_H
#define CLV_API_MAP_ARGUMENTS_H

#include "engine/pipeline.h"

/* Checks everything that does not depend on weights: sizes of structs, ranges of options,
 * parts of fixed vertices, numbers of groups, the initial mapping.  opt NULL: defaults.
 * O(nvtx). */
cleave_status clv_map_request_check(clv_map_request *request, const clv_graph *g,
                                    const clv_target *t, const cleave_options *opt,
                                    cleave_error *err);

#endif
