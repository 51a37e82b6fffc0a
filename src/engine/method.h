/* SPDX-License-Identifier: Apache-2.0 */
/* engine/method.h - which algorithm makes the mapping, by name. */
#ifndef CLV_ENGINE_METHOD_H
#define CLV_ENGINE_METHOD_H

#include "engine/dagp.h"

typedef struct clv_method {
    const char *name; /* NULL: the multilevel engine; else one of engine/dagp.h */
    clv_dagp_method which;
    clv_dagp_params params;
} clv_method;

/* name NULL, "" or "multilevel": the multilevel engine, which has no parameters.
 * CLEAVE_EINVAL says what there is. */
cleave_status clv_method_parse(clv_method *method, const char *name, const char *params,
                               cleave_error *err);

#endif
